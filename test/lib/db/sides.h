/* Two processes as seen by the database, for tests of admission: each with its own connections, on one loop and one
 * throw-away cluster. For cmocka tests.
 *
 * The users are numbered from 0 to SIDES_USERS - 1, in one workspace; number 2 is an admin. Each has a key "a" and a
 * read-only one "b"; 4 also has "expires" and "expired". Key k of user u is the SHA-256 of "u/k". */
#ifndef KITH_TEST_LIB_DB_SIDES_H
#define KITH_TEST_LIB_DB_SIDES_H

#include "server/base/clock.h"
#include "store/admission.h"
#include "test/lib/db/cluster.h"

enum { SIDES = 2, SIDES_USERS = 200, SIDES_LIMIT_S = 60 };

struct side {
	struct db *db;
	struct admission *admission;
};

struct sides_ask {
	struct admission_ticket t;
	int done; /* number of calls */
};

extern struct side sides[SIDES];
extern struct cluster *sides_cluster;

/* For cmocka_run_group_tests(). */
void sides_open(void);
void sides_close(void);

/* One turn of the loop for both. */
void sides_turn(void);
/* Runs the loop until the condition holds, at most SIDES_LIMIT_S. */
#define UNTIL(condition)                                                                                               \
	for (int64_t end_us = clock_mono_us() + SIDES_LIMIT_S * INT64_C(1000000); !(condition); sides_turn())          \
	assert_true(clock_mono_us() < end_us)

/* Sets the limits of both. */
void sides_rates(int limit, int window_s, int burst, int burst_s);

/* Asks without waiting. */
void sides_ask(struct side *s, struct sides_ask *a, int user, const char *key);
enum admission_status sides_ask_one(struct side *s, struct sides_ask *a, int user, const char *key);
/* How many have their result. */
int sides_ended(const struct sides_ask *asks, int n);

/* SQL on a connection apart from the lanes under test. */
void sides_sql(const char *format, ...) __attribute__((format(printf, 1, 2)));
long long sides_int(const char *text);

#endif
