/* Limits the rate of requests by the RateLimit header of the answers (IETF httpapi-ratelimit-headers). */
#ifndef KITH_TRANSFER_THROTTLE_H
#define KITH_TRANSFER_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

/* No run would wait for more seconds than THROTTLE_MOST_S, so a header that asks for more is cut to them. */
enum { THROTTLE_POLICIES = 8, THROTTLE_MOST_S = 60 * 60 };

struct throttle {
	int64_t sent, done; /* requests so far */
	bool known;         /* an answer has shown the limits, or that limits are off */
	int n;
	struct throttle_policy {
		int64_t left;     /* requests that may still be sent */
		int64_t reset_ms; /* monotonic: when the limit is fully restored */
	} policies[THROTTLE_POLICIES];
	int64_t refused_until_ms;
};

void throttle_init(struct throttle *p);
/* Counts a request that was sent. Returns its number, for throttle_answered(). */
int64_t throttle_sent(struct throttle *p);
/* Counts a request that was answered or has failed. */
void throttle_done(struct throttle *p);
/* Takes the RateLimit header of the answer to the request with that number, such as
 * "burst";r=18;t=2, "default";r=598;t=60
 * The server may not have counted requests that were in progress at the same time. */
void throttle_answered(struct throttle *p, int64_t place, const char *header, int64_t now_ms);
/* After a 429: no request is allowed before then. */
void throttle_refused(struct throttle *p, int64_t until_ms);
/* The seconds of a Retry-After header, at most THROTTLE_MOST_S; 0 for a date or any other text. */
int throttle_retry_s(const char *header);
/* True when another request may be sent now. Until the first answer only one at a time is allowed. */
bool throttle_allows(struct throttle *p, int64_t now_ms);
/* The time until another request may be sent, if only time must pass; else 0. */
int64_t throttle_wait_ms(const struct throttle *p, int64_t now_ms);

#endif
