/* How fast requests may be sent, by the RateLimit header of the answers (IETF httpapi-ratelimit-headers). */
#ifndef KITH_TRANSFER_THROTTLE_H
#define KITH_TRANSFER_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

/* A header that asks for more seconds, which no run would wait for, is taken to ask for these. */
enum { THROTTLE_POLICIES = 8, THROTTLE_MOST_S = 60 * 60 };

struct throttle {
	int64_t sent, done; /* requests so far */
	bool known;         /* an answer has told the limits, or that there are none */
	int n;
	struct throttle_policy {
		int64_t left;     /* requests that may still be sent */
		int64_t reset_ms; /* monotonic: when the limit is whole again */
	} policies[THROTTLE_POLICIES];
	int64_t refused_until_ms;
};

void throttle_init(struct throttle *p);
/* One request was sent: returns its place. One was answered, or failed. */
int64_t throttle_sent(struct throttle *p);
void throttle_done(struct throttle *p);
/* The header of the answer to the request of that place: "burst";r=18;t=2, "default";r=598;t=60. Requests that were
 * under way together with it may not be counted in it. */
void throttle_answered(struct throttle *p, int64_t place, const char *header, int64_t now_ms);
/* A 429: none before then. */
void throttle_refused(struct throttle *p, int64_t until_ms);
/* Seconds in a Retry-After, at most THROTTLE_MOST_S; 0 for a date and what is no such number. */
int throttle_retry_s(const char *header);
/* Whether one more may be sent now. Until the first answer it is one at a time. */
bool throttle_allows(struct throttle *p, int64_t now_ms);
/* The time until it may be sent, if that only depends on the time; else 0. */
int64_t throttle_wait_ms(const struct throttle *p, int64_t now_ms);

#endif
