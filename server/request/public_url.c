/* The address under which clients reach kith, for links: the setting public_url; else the Host header, or X-Forwarded-*
 * when the peer is a trusted proxy. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/request/server.h"

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
