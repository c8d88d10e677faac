/* Links: the address at which the client reached us. */
#include "server/request/public_url.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#include "server/request/server.h"

enum { HOST_MAX = 300 };

/* Compares the first bits of two addresses. */
static bool same_bits(const unsigned char *a, const unsigned char *b, unsigned bits)
{
	if (memcmp(a, b, bits / 8) != 0)
		return false;
	return bits % 8 == 0 || ((a[bits / 8] ^ b[bits / 8]) >> (8 - bits % 8)) == 0;
}

/* True when an entry (an address or address/bits) matches the peer. */
static bool proxy_covers(const char *entry, size_t len, const char *peer)
{
	unsigned char net[16], address[16];
	char text[80], *slash;
	int family = strchr(peer, ':') ? AF_INET6 : AF_INET;
	unsigned all = family == AF_INET6 ? 128 : 32, bits = all;

	if (len == 0 || len >= sizeof text)
		return false;
	memcpy(text, entry, len);
	text[len] = '\0';
	slash = strchr(text, '/');
	if (slash) {
		*slash++ = '\0';
		bits = 0;
		for (; *slash >= '0' && *slash <= '9' && bits <= all; slash++)
			bits = bits * 10 + (unsigned)(*slash - '0');
		if (*slash || bits > all)
			return false;
	}
	return inet_pton(family, text, net) == 1 && inet_pton(family, peer, address) == 1 &&
	       same_bits(net, address, bits);
}

bool public_url_trusted(const char *proxies, const char *peer)
{
	if (strcmp(peer, "unix") == 0)
		return true;
	while (proxies && *proxies) {
		size_t len = strcspn(proxies, ",");
		const char *from = proxies;
		size_t n = len;
		while (n && *from == ' ')
			from++, n--;
		while (n && from[n - 1] == ' ')
			n--;
		if (proxy_covers(from, n, peer))
			return true;
		proxies += len + (proxies[len] == ',');
	}
	return false;
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
	if ((proto || forwarded) && public_url_trusted(s->config->trusted_proxies, in->peer)) {
		if (proto && strcasecmp(proto, "https") == 0)
			scheme = "https";
		if (forwarded && plausible_host(forwarded))
			host = forwarded;
	}
	return plausible_host(host) ? arena_printf(a, "%s://%s", scheme, host) : s->default_url;
}
