/* Attempts to sign in with a password: their limits, and how failed ones are reported. An attempt counts for the
 * account (the e-mail address, whether there is a user or not), for the client's network, and for both together, in all
 * processes. */
#ifndef KITH_SERVER_SIGNIN_ATTEMPT_H
#define KITH_SERVER_SIGNIN_ATTEMPT_H

#include "server/request/request.h"
#include "store/attempts.h"

struct sign_in_attempt {
	const char *email; /* as it was sent */
	size_t email_len;
	const char *network; /* an IPv4 address, or the first half of an IPv6 address */
	int64_t bucket;      /* where it counts */
	bool counts;
};

/* Counts the attempt. The next step calls the second function, which returns PASS, or DONE with a 429. */
enum step attempt_ask(struct req *r, struct sign_in_attempt *a, const char *email, size_t len);
enum step attempt_asked(struct req *r, struct sign_in_attempt *a);

/* Call one of these when the password was checked. attempt_take_back(): it was right, so the attempt no longer counts.
 * attempt_failed() writes the failure into the log and makes an event for the user. It does so after the answer, so
 * that an answer takes as long with a user as without. user NULL: there is none. */
void attempt_take_back(struct req *r, struct sign_in_attempt *a);
void attempt_failed(struct req *r, const struct uuid *workspace, const struct uuid *user);

/* The network of an address, in out, for the limits. */
enum { NETWORK_SIZE = 64 };
const char *attempt_network(const char *address, char out[NETWORK_SIZE]);

#endif
