/* Attempts to sign in: their limits, and how failed ones are reported. An attempt counts for the account (the e-mail
 * address, whether there is a user or not), for the client's network, for both together, and for an IPv6 site of many
 * networks, in all processes. Where a provider has to say first who the person is, it counts only for the network. */
#ifndef KITH_SERVER_SIGNIN_ATTEMPT_H
#define KITH_SERVER_SIGNIN_ATTEMPT_H

#include "server/request/request.h"
#include "store/attempts.h"

struct sign_in_attempt {
	const char *email; /* as it was sent; NULL: unknown */
	size_t email_len;
	const char *network; /* attempt_network() */
	int64_t bucket;      /* where it counts */
	bool counts;
	bool looks; /* it is only asked about */
};

/* Counts the attempt. The next step calls attempt_asked(), which returns PASS, or DONE with a 429. */
enum step attempt_ask(struct req *r, struct sign_in_attempt *a, const char *email, size_t len);
/* Only asks whether the client's network has failed too often. */
enum step attempt_look(struct req *r, struct sign_in_attempt *a);
enum step attempt_asked(struct req *r, struct sign_in_attempt *a);

/* Call one of these when the attempt was decided. attempt_take_back(): it was right, so it no longer counts.
 * attempt_failed() writes the failure into the log and makes an event for the user. It does so after the answer, so
 * that an answer takes as long with a user as without. user NULL: there is none. */
void attempt_take_back(struct req *r, struct sign_in_attempt *a);
void attempt_failed(struct req *r, const struct uuid *workspace, const struct uuid *user);
/* Only the event. */
void attempt_tell(struct req *r, const struct uuid *workspace, const struct uuid *user);

/* The network of an address, in out, for all limits by address: an IPv4 address, or the first half of an IPv6 address.
 */
enum { NETWORK_SIZE = 64 };
const char *attempt_network(const char *address, char out[NETWORK_SIZE]);
/* Stands for the site of the request's client: an IPv4 address, or the first 48 bits of an IPv6 address, which a
 * provider gives to one customer. */
struct uuid attempt_site(struct req *r);

#endif
