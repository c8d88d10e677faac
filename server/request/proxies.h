/* The setting trusted_proxies, and who is behind such a proxy. */
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

/* list: addresses and networks, comma-separated; NULL: none. */
void proxies_init(struct proxies *p, const char *list);
void proxies_free(struct proxies *p);

/* True when the peer is one of them, or a Unix socket. */
bool proxies_trust(const struct proxies *p, const char *peer);

/* The client's address: the peer's, or what trusted proxies say of theirs in X-Forwarded-For. Each of them appends its
 * own peer, so the list is read from its end, up to the first address that is no trusted proxy: what stands before is
 * what that one claims. Something that is no address ends it, too, with the last proxy found. */
const char *proxies_client(
    const struct proxies *p, const struct http_call *call, const struct http_input *in, char out[INET6_ADDRSTRLEN]);

#endif
