/* The pace by the RateLimit header: never more than is left, whatever the order of the answers. */
#include <stdio.h>

#include "test/lib/patience.h"
#include "test/lib/test.h"
#include "transfer/throttle.h"

/* A server that admits a number of requests in any window of a second. */
enum { LIMIT = 5, WINDOW_MS = 1000, ASKED = 4, REQUESTS = 400 };

struct limited {
	int64_t admitted[REQUESTS];
	int n, refused;
};

struct asked {
	int64_t place, admitted_ms, answered_ms; /* when it comes to the server, and back */
	char header[64];
	int state; /* 0: none, 1: on its way, 2: admitted */
};

static void admit_asked(struct limited *l, struct asked *a)
{
	int within = 0;

	for (int i = 0; i < l->n; i++)
		within += l->admitted[i] > a->admitted_ms - WINDOW_MS;
	l->refused += within >= LIMIT;
	if (within < LIMIT)
		l->admitted[l->n++] = a->admitted_ms;
	/* Whole seconds until all is free again. */
	snprintf(a->header, sizeof a->header, "\"burst\";r=%d;t=1, \"default\";r=900;t=60",
	    within < LIMIT ? LIMIT - within - 1 : 0);
	a->state = 2;
}

TEST(test_order)
{
	static struct limited l;
	struct asked asked[ASKED] = {0};
	struct throttle p;
	int64_t now = 1000 * 1000;

	patience_seed(7);
	throttle_init(&p);
	for (int sent = 0; sent < REQUESTS || p.sent > p.done; now++) {
		for (int i = 0; i < ASKED; i++) {
			struct asked *a = &asked[i];
			if (a->state == 0 && sent < REQUESTS && throttle_allows(&p, now)) {
				a->place = throttle_sent(&p);
				a->admitted_ms = now + 1 + patience_chance(40);
				a->answered_ms = a->admitted_ms + 1 + patience_chance(80);
				a->state = 1;
				sent++;
			}
			if (a->state == 1 && a->admitted_ms == now)
				admit_asked(&l, a);
			if (a->state == 2 && a->answered_ms == now) {
				throttle_answered(&p, a->place, a->header, now);
				throttle_done(&p);
				a->state = 0;
			}
		}
		assert_true(now < 1000 * 1000 + REQUESTS * 1000);
	}
	assert_int_equal(l.refused, 0);
	assert_int_equal(l.n, REQUESTS);
}

TEST(test_headers)
{
	struct throttle p;

	throttle_init(&p);
	assert_true(throttle_allows(&p, 0));
	/* One at a time, until something is known. */
	int64_t place = throttle_sent(&p);
	assert_false(throttle_allows(&p, 0));
	throttle_answered(&p, place, "\"burst\";r=1;t=2, \"default\";r=598;t=60", 0);
	throttle_done(&p);
	assert_int_equal(p.n, 2);
	assert_true(throttle_allows(&p, 0));
	throttle_sent(&p);
	assert_false(throttle_allows(&p, 0));
	assert_true(throttle_wait_ms(&p, 0) >= 2000);
	throttle_done(&p);
	assert_false(throttle_allows(&p, 1999));
	assert_true(throttle_allows(&p, 2100));
	/* Without a header there are no limits. */
	throttle_init(&p);
	throttle_sent(&p);
	throttle_done(&p);
	for (int i = 0; i < 100; i++) {
		assert_true(throttle_allows(&p, 0));
		throttle_sent(&p);
	}
	throttle_refused(&p, 500);
	assert_false(throttle_allows(&p, 499));
	assert_true(throttle_allows(&p, 500));
	/* A malformed header has no effect. */
	throttle_answered(&p, 0, ",,;r=;t,\"x\";r=5", 0);
	assert_int_equal(p.n, 0);
}

/* Of proxies, and of servers that mean never. */
TEST(test_odd_times)
{
	static const struct {
		const char *header;
		int s;
	} cases[] = {{"3", 3}, {"0", 0}, {"3600", 3600}, {"3601", 3600}, {"4294967297", 3600}, {"-5", 0}, {"", 0},
	    {"99999999999999999999", 0}, {"Fri, 31 Dec 9999 23:59:59 GMT", 0}, {"2.5", 0}};
	static const char *const none[] = {"\"a\";r=-1;t=5", "\"a\";r=1;t=-5", "\"a\";r=99999999999999999999;t=5"};
	struct throttle p;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(throttle_retry_s(cases[i].header), cases[i].s);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		throttle_init(&p);
		throttle_answered(&p, throttle_sent(&p), none[i], 0);
		assert_int_equal(p.n, 0);
	}
	throttle_init(&p);
	throttle_answered(&p, throttle_sent(&p), "\"a\";r=0;t=9223372036854775807", 0);
	throttle_done(&p);
	assert_in_range(throttle_wait_ms(&p, 0), 3600 * 1000, 3601 * 1000);
}
