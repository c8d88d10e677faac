/*
 * Two processes as the database sees them, for tests of admission: each with its own
 * connections, on one loop and one throw-away cluster. For cmocka tests.
 *
 * The users are numbers from 0 to SIDES_USERS - 1 in one workspace, number 2 is an
 * admin. Each has a key "a" and one "b", which may only read; 4 has "expires" and
 * "expired" too. Key k of user u is the SHA-256 of "u/k".
 */
#ifndef KITH_TEST_SIDES_H
#define KITH_TEST_SIDES_H

#include "server/base/clock.h"
#include "store/admission.h"
#include "test/lib/cluster.h"

enum { SIDES = 2, SIDES_USERS = 200, SIDES_LIMIT_S = 20 };

struct side {
	struct db *db;
	struct admission *admission;
};

struct sides_ask {
	struct admission_ticket t;
	int done; /* times */
};

extern struct side sides[SIDES];
extern struct cluster *sides_cluster;

/* For cmocka_run_group_tests(). */
int sides_setup(void **state);
int sides_teardown(void **state);

/* One turn of the loop for both. */
void sides_turn(void);
/* Turns until a condition holds, at most SIDES_LIMIT_S. */
#define UNTIL(condition)                                                                                               \
	for (int64_t end_us = clock_mono_us() + SIDES_LIMIT_S * INT64_C(1000000); !(condition); sides_turn())          \
	assert_true(clock_mono_us() < end_us)

/* The limits of both. */
void sides_rates(int limit, int window_s, int burst, int burst_s);

/* Asks, and does not wait. */
void sides_ask(struct side *s, struct sides_ask *a, int user, const char *key);
enum admission_status sides_ask_one(struct side *s, struct sides_ask *a, int user, const char *key);
/* How many of them have their answer. */
int sides_ended(const struct sides_ask *asks, int n);

/* A second voice, apart from the lanes under test. */
void sides_sql(const char *format, ...) __attribute__((format(printf, 1, 2)));
long long sides_int(const char *text);

#endif
