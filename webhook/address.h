/* Networks, and which addresses are public unicast ones (IANA's registries of special-purpose addresses). */
#ifndef KITH_WEBHOOK_ADDRESS_H
#define KITH_WEBHOOK_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* "10.0.0.0/8" or "fd00::/8": the first so many bits of the address. */
struct network {
	int family; /* AF_INET, AF_INET6 */
	unsigned char bytes[16];
	int prefix;
};

/* False when the text is none. Bits behind the prefix do not count. */
bool network_parse(struct network *out, const char *text, size_t len);
/* False also for an address of the other family: an IPv4 address within IPv6 is not looked for. */
bool network_holds(const struct network *n, const struct sockaddr *address);

/* A dotted quad of four decimal numbers without leading zeros, or an IPv6 address without brackets and zone. */
bool address_parse(struct sockaddr_storage *out, const char *text, size_t len, uint16_t port);

/* True for public unicast addresses. False for all that any registry sets apart, for IPv6
 * outside of what is given out (2000::/3), and for every form that carries an IPv4 address. */
bool address_public(const struct sockaddr *address);

#endif
