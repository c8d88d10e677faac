/* The setting trusted_proxies, and the client behind such a proxy. */
#ifndef KITH_SERVER_REQUEST_PROXIES_H
#define KITH_SERVER_REQUEST_PROXIES_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

struct http_call;
struct http_input;
struct network;

/* The networks of trusted proxies. */
struct proxies {
	struct network *networks;
	size_t n;
};

/* list: addresses and networks, separated by commas; NULL: none. */
void proxies_init(struct proxies *p, const char *list);
void proxies_free(struct proxies *p);

/* True when the peer is a trusted proxy or a Unix socket. */
bool proxies_trust(const struct proxies *p, const char *peer);

/* The address of the client: the peer's address, or the address that trusted proxies report in X-Forwarded-For. Each
 * proxy appends its own peer, so the list is read from its end up to the first address that is not a trusted proxy.
 * Anything before that address is only a claim of the client. A text that is not an address also ends the walk; then
 * the result is the last proxy found. */
const char *proxies_client(
    const struct proxies *p, const struct http_call *call, const struct http_input *in, char out[INET6_ADDRSTRLEN]);

#endif
