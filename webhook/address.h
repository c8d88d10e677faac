/* Networks, and which addresses are public unicast (IANA's registries of special-purpose addresses). */
#ifndef KITH_WEBHOOK_ADDRESS_H
#define KITH_WEBHOOK_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* A network such as "10.0.0.0/8" or "fd00::/8". */
struct network {
	unsigned char bytes[16]; /* enough for both families */
	int prefix;
	int family; /* AF_INET, AF_INET6 */
};

/* False when the text is not a network. Bits after the prefix are ignored. */
bool network_parse(struct network *out, const char *text, size_t len);
/* False also for an address of the other family: an IPv4-mapped IPv6 address is not matched against IPv4 networks. */
bool network_holds(const struct network *n, const struct sockaddr *address);

/* A dotted quad of four decimal numbers without leading zeros, or an IPv6 address without brackets and zone. */
bool address_parse(struct sockaddr_storage *out, const char *text, size_t len, uint16_t port);

/* NULL for other families. */
const unsigned char *address_bytes(const struct sockaddr *address);

/* True for public unicast addresses. False for all special-purpose addresses, for IPv6 outside 2000::/3, and for
 * every form that embeds an IPv4 address. */
bool address_public(const struct sockaddr *address);

#endif
