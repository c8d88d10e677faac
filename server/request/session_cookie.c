/* The cookie of a session; see session_cookie.h. */
#include "server/request/session_cookie.h"

#include <string.h>
#include <strings.h>

#include "server/http/http.h"

/* Browsers take a cookie of the first name only from this very host, over HTTPS. On this machine there is no HTTPS. */
static const char https_name[] = "__Host-kith", loopback_name[] = "kith";

/* --- reading ------------------------------------------------------------------------------- */

/* Copies the key from a Cookie header, which is a list such as "a=1; kith=2". Values other than keys are ignored. */
static bool cookie_find(const char *header, const char *name, char out[APIKEY_SIZE])
{
	size_t name_len = strlen(name);

	for (const char *pair = header; *pair; pair += strspn(pair, "; \t")) {
		size_t len = strcspn(pair, ";");
		const char *value = pair + name_len + 1;
		if (len == name_len + 1 + APIKEY_LEN && strncmp(pair, name, name_len) == 0 && pair[name_len] == '=' &&
		    apikey_well_formed(value, APIKEY_LEN)) {
			memcpy(out, value, APIKEY_LEN);
			out[APIKEY_LEN] = '\0';
			return true;
		}
		pair += len;
	}
	return false;
}

static const char *cookie_name(struct req *r)
{
	return session_cookie_at(r) == SIGN_IN_HTTPS ? https_name : loopback_name;
}

const char *session_cookie(struct req *r)
{
	char *out;
	int n = http_header_count(r->call, "Cookie");

	if (n == 0 || session_cookie_at(r) == SIGN_IN_NOWHERE)
		return NULL;
	out = arena_alloc(&r->arena, APIKEY_SIZE);
	for (int i = 0; i < n; i++)
		if (cookie_find(http_header_at(r->call, "Cookie", i), cookie_name(r), out))
			return out;
	return NULL;
}

bool session_cookie_of_head(const struct http_head *head, char out[APIKEY_SIZE])
{
	return head->cookie &&
	       (cookie_find(head->cookie, https_name, out) || cookie_find(head->cookie, loopback_name, out));
}

/* --- writing ------------------------------------------------------------------------------- */

void session_cookie_set(struct req *r, const char *key, int64_t seconds)
{
	reply_header(r, "Set-Cookie",
	    arena_printf(&r->arena, "%s=%s; HttpOnly; %sSameSite=Lax; Path=/; Max-Age=%lld", cookie_name(r), key,
	        session_cookie_at(r) == SIGN_IN_HTTPS ? "Secure; " : "", (long long)(seconds > 0 ? seconds : 0)));
}

/* --- who causes the request ---------------------------------------------------------------- */

/* The value that says that the page causes the request itself, or the person who uses the browser. */
static bool site_is_foreign(const char *site)
{
	return strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0;
}

bool session_cookie_head_own(const struct http_head *head)
{
	return head->console && strcmp(head->console, "1") == 0;
}

bool session_cookie_head_foreign(const struct http_head *head)
{
	return head->fetch_site && site_is_foreign(head->fetch_site);
}

bool session_cookie_own_page(const struct req *r)
{
	const char *console = http_header(r->call, "X-Kith-Console");

	return console && strcmp(console, "1") == 0 && http_header_count(r->call, "X-Kith-Console") == 1;
}

/* True for the scheme, host and port of the public URL. Browsers leave out the port that the scheme implies. */
static bool origin_is_own(struct req *r, const char *origin)
{
	const char *url = req_base_url(r), *host = strstr(url, "://");
	size_t len = host ? (size_t)(host + 3 - url) + strcspn(host + 3, "/") : 0;
	const char *implied = strncasecmp(url, "https:", 6) == 0 ? ":443" : ":80";
	size_t n = strlen(implied);

	if (len > n && memcmp(url + len - n, implied, n) == 0)
		len -= n;
	return len > 0 && strlen(origin) == len && strncasecmp(url, origin, len) == 0;
}

bool session_cookie_foreign(struct req *r)
{
	for (int i = 0; i < http_header_count(r->call, "Origin"); i++)
		if (!origin_is_own(r, http_header_at(r->call, "Origin", i)))
			return true;
	for (int i = 0; i < http_header_count(r->call, "Sec-Fetch-Site"); i++)
		if (site_is_foreign(http_header_at(r->call, "Sec-Fetch-Site", i)))
			return true;
	return false;
}
