/* The address under which clients reach kith, for links: the setting public_url; else the Host header, or X-Forwarded-*
 * when the peer is a trusted proxy. */
#include "server/request/public_url.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#include "server/request/server.h"
#include "webhook/address.h"

enum { HOST_MAX = 300 };

/* True for a header value that may be used in links: a host with an optional port. */
static bool plausible_host(const char *host)
{
	size_t len = host ? strlen(host) : 0;

	return len > 0 && len <= HOST_MAX &&
	       strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]") == len;
}

static const char *public_url(struct req *r)
{
	const char *scheme = "http", *host = r->in->host, *proto, *forwarded;

	if (r->server->config->public_url)
		return r->server->config->public_url;
	proto = http_header(r->call, "X-Forwarded-Proto");
	forwarded = http_header(r->call, "X-Forwarded-Host");
	if ((proto || forwarded) && proxies_trust(&r->server->proxies, r->in->peer)) {
		if (proto && strcasecmp(proto, "https") == 0)
			scheme = "https";
		if (forwarded && plausible_host(forwarded))
			host = forwarded;
	}
	return plausible_host(host) ? arena_printf(&r->arena, "%s://%s", scheme, host) : r->server->default_url;
}

const char *req_base_url(struct req *r)
{
	if (!r->base_url)
		r->base_url = public_url(r);
	return r->base_url;
}

/* --- signing in -------------------------------------------------------------------------- */

/* True for localhost and the addresses of this machine. */
static bool host_is_loopback(const char *host, size_t len)
{
	struct sockaddr_storage address;
	const unsigned char *bytes;

	if (len == strlen("localhost") && strncasecmp(host, "localhost", len) == 0)
		return true;
	if (len > 2 && host[0] == '[' && host[len - 1] == ']') {
		host++;
		len -= 2;
	}
	if (!address_parse(&address, host, len, 0))
		return false;
	bytes = address_bytes((struct sockaddr *)&address);
	return address.ss_family == AF_INET ? bytes[0] == 127 : memcmp(bytes, &in6addr_loopback, 16) == 0;
}

static size_t host_length(const char *host)
{
	const char *end = host[0] == '[' ? strchr(host, ']') : NULL;

	return end ? (size_t)(end + 1 - host) : strcspn(host, ":/");
}

enum sign_in_at session_cookie_at(struct req *r)
{
	const char *url = req_base_url(r);

	if (strncasecmp(url, "https://", 8) == 0)
		return SIGN_IN_HTTPS;
	if (strncasecmp(url, "http://", 7) == 0 && host_is_loopback(url + 7, host_length(url + 7)))
		return SIGN_IN_LOOPBACK;
	return SIGN_IN_NOWHERE;
}

bool req_names_loopback(const struct req *r)
{
	const char *host = r->in->host;

	return host && host_is_loopback(host, host_length(host));
}

const char *req_issuer(struct req *r)
{
	enum sign_in_at at = session_cookie_at(r);

	return at == SIGN_IN_LOOPBACK || (at == SIGN_IN_HTTPS && r->server->config->public_url) ? req_base_url(r)
	                                                                                        : NULL;
}
