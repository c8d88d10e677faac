/* Links: the address at which the client reached us. */
#include "server/request/public_url.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/request/server.h"
#include "webhook/address.h"

enum { HOST_MAX = 300 };

/* True when an entry, a network or an address, holds the peer. */
static bool proxy_covers(const char *entry, size_t len, const char *peer)
{
	char text[80];
	const char *bits = memchr(entry, '/', len) ? "" : strchr(peer, ':') ? "/128" : "/32";
	int n = snprintf(text, sizeof text, "%.*s%s", (int)len, entry, bits);
	struct sockaddr_storage address;
	struct network net;

	return n < (int)sizeof text && network_parse(&net, text, (size_t)n) &&
	       address_parse(&address, peer, strlen(peer), 0) &&
	       network_holds(&net, (const struct sockaddr *)&address);
}

/* True when the peer's address is in the comma-separated list of addresses and networks, or a Unix socket. */
static bool peer_trusted(const char *proxies, const char *peer)
{
	size_t len;

	for (const char *entry = proxies; entry && *entry; entry += len + strspn(entry + len, ", ")) {
		len = strcspn(entry, ", ");
		if (proxy_covers(entry, len, peer))
			return true;
	}
	return strcmp(peer, "unix") == 0;
}

/* True for a header that may be used in links: a host with an optional port. */
static bool plausible_host(const char *host)
{
	size_t len = host ? strlen(host) : 0;
	return len > 0 && len <= HOST_MAX &&
	       strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]") == len;
}

const char *public_url(
    const struct server *s, struct arena *a, const struct http_call *call, const struct http_input *in)
{
	const char *scheme = "http", *host = in->host, *proto, *forwarded;

	if (s->config->public_url)
		return s->config->public_url;
	proto = http_header(call, "X-Forwarded-Proto");
	forwarded = http_header(call, "X-Forwarded-Host");
	if ((proto || forwarded) && peer_trusted(s->config->trusted_proxies, in->peer)) {
		if (proto && strcasecmp(proto, "https") == 0)
			scheme = "https";
		if (forwarded && plausible_host(forwarded))
			host = forwarded;
	}
	return plausible_host(host) ? arena_printf(a, "%s://%s", scheme, host) : s->default_url;
}
