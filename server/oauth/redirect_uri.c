/* Redirect URIs. They are compared as texts; only the port of a loopback address is looked at. */
#include "server/oauth/redirect_uri.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char scheme_chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.";

/* The parts of http and https addresses that matter. */
struct uri_parts {
	const char *host;
	size_t host_len;
	const char *rest; /* from the path or the query on */
};

static size_t uri_scheme(const char *uri)
{
	size_t n = isalpha((unsigned char)*uri) ? strspn(uri, scheme_chars) : 0;

	return uri[n] == ':' ? n : 0;
}

static bool uri_has_scheme(const char *uri, const char *scheme)
{
	size_t n = strlen(scheme);

	return uri_scheme(uri) == n && strncasecmp(uri, scheme, n) == 0;
}

static bool uri_is_web(const char *uri)
{
	return uri_has_scheme(uri, "https") || uri_has_scheme(uri, "http");
}

/* The port is part of neither. False when there is no host, or when a user name is in front of it. */
static bool uri_split(const char *uri, struct uri_parts *out)
{
	const char *at = uri + uri_scheme(uri) + 1, *end;
	size_t authority;

	if (strncmp(at, "//", 2) != 0)
		return false;
	at += 2;
	authority = strcspn(at, "/?#");
	if (memchr(at, '@', authority))
		return false;
	end = *at == '[' ? memchr(at, ']', authority) : NULL;
	out->host = at;
	out->host_len = end ? (size_t)(end + 1 - at) : strcspn(at, ":/?#");
	out->rest = at + authority;
	at += out->host_len;
	if (*at == ':')
		at += 1 + strspn(at + 1, "0123456789");
	return out->host_len > 0 && at == out->rest;
}

static bool host_is_loopback(const char *host, size_t len)
{
	static const char *const names[] = {"localhost", "127.0.0.1", "[::1]", NULL};

	for (int i = 0; names[i]; i++)
		if (strlen(names[i]) == len && strncasecmp(names[i], host, len) == 0)
			return true;
	return false;
}

bool redirect_uri_loopback(const char *uri)
{
	struct uri_parts p;

	return uri_is_web(uri) && uri_split(uri, &p) && host_is_loopback(p.host, p.host_len);
}

/* A scheme of an application on a device is the reversed name of a domain of its makers, so it has a dot (RFC 8252,
 * section 7.1). Schemes without a dot belong to browsers and systems, which run or open what such an address says
 * ("javascript", "ms-msdt"). The exceptions are assistants that have used theirs for long. */
static bool scheme_of_application(const char *uri)
{
	static const char *const known[] = {"cursor", "vscode", "vscode-insiders", "warp", "windsurf", NULL};

	for (int i = 0; known[i]; i++)
		if (uri_has_scheme(uri, known[i]))
			return true;
	return memchr(uri, '.', uri_scheme(uri)) != NULL;
}

const char *redirect_uri_wrong(const char *uri, size_t len)
{
	struct uri_parts p;

	if (len == 0 || len > REDIRECT_URI_MAX)
		return "a redirect URI has 1 to 1000 characters";
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)uri[i] <= ' ' || (unsigned char)uri[i] > '~' || strchr("\"'<>\\^`{|};,", uri[i]))
			return "a redirect URI has a character that is not allowed; write it as %XX";
	if (!uri_scheme(uri))
		return "a redirect URI is absolute";
	if (strchr(uri, '#'))
		return "a redirect URI must not have a fragment";
	if (!uri_is_web(uri))
		return scheme_of_application(uri) ? NULL
		                                  : "a redirect URI begins with https, or with a scheme that has a "
		                                    "dot, such as com.example.app";
	if (!uri_split(uri, &p))
		return "a redirect URI must have a host, and no user name";
	if (uri_has_scheme(uri, "http") && !host_is_loopback(p.host, p.host_len))
		return "a redirect URI must begin with https, except on localhost, 127.0.0.1 and [::1]";
	return NULL;
}

bool redirect_uri_is(const char *registered, const char *asked)
{
	struct uri_parts r, a;

	if (strcmp(registered, asked) == 0)
		return true;
	return uri_has_scheme(registered, "http") && redirect_uri_loopback(registered) &&
	       uri_has_scheme(asked, "http") && uri_split(registered, &r) && uri_split(asked, &a) &&
	       r.host_len == a.host_len && memcmp(r.host, a.host, r.host_len) == 0 && strcmp(r.rest, a.rest) == 0 &&
	       !redirect_uri_wrong(asked, strlen(asked));
}

const char *redirect_uri_host(const char *uri, struct arena *a)
{
	struct uri_parts p;

	if (!uri_is_web(uri) || !uri_split(uri, &p))
		return arena_dup(a, uri, uri_scheme(uri) + 1);
	return host_is_loopback(p.host, p.host_len) ? "localhost" : arena_dup(a, p.host, p.host_len);
}

const char *redirect_uri_source(const char *uri, struct arena *a)
{
	size_t scheme = uri_scheme(uri) + 1;
	struct uri_parts p;

	/* A source has no form for an IPv6 address. */
	if (!uri_is_web(uri) || !uri_split(uri, &p) || *p.host == '[')
		return arena_dup(a, uri, scheme);
	return arena_dup(a, uri, (size_t)(p.rest - uri));
}
