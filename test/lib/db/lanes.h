/* A loop with the database lanes, on a throw-away cluster of the test program. For cmocka tests: errors fail the
 * test. */
#ifndef KITH_TEST_LIB_DB_LANES_H
#define KITH_TEST_LIB_DB_LANES_H

#include <stdbool.h>

#include "server/base/clock.h"
#include "store/db.h"
#include "test/lib/db/cluster.h"
#include "test/lib/test.h"

struct lanes {
	struct event_base *base;
	struct db *db;
	struct db_config config;
	int ended; /* exchanges of ask.h */
	bool sending;
};

/* The cluster of the group of tests, from lanes_cluster_open() to lanes_cluster_close(). */
extern struct cluster *lanes_cluster;
/* With KITH_TEST_LOG in the environment the store logs everything. */
void lanes_cluster_open(void);
void lanes_cluster_close(void);

/* The default configuration, which a test may change before lanes_open(), and a loop. Stops them first if they are
 * open; new ones are zero. */
void lanes_config(struct lanes *w);
/* Opens and waits until the database is ready. */
void lanes_open(struct lanes *w);
/* They may be stopped already. */
void lanes_stop(struct lanes *w);

/* The frame of a program: a cluster, and lanes "w" that are configured before each case and stopped after it. The case
 * opens them. */
#define LANES()                                                                                                        \
	static struct lanes w;                                                                                         \
	static void lanes_begin(void)                                                                                  \
	{                                                                                                              \
		lanes_config(&w);                                                                                      \
	}                                                                                                              \
	static void lanes_end(void)                                                                                    \
	{                                                                                                              \
		lanes_stop(&w);                                                                                        \
	}                                                                                                              \
	AROUND_ALL(lanes_cluster_open, lanes_cluster_close);                                                           \
	AROUND_EACH(lanes_begin, lanes_end)

/* One turn of the loop; blocks until there is an event. */
void lanes_turn(struct lanes *w);

/* Runs the loop until the condition holds, at most a minute. */
#define UNTIL(w, condition)                                                                                            \
	for (int64_t end_us = clock_mono_us() + 60 * INT64_C(1000000); !(condition); lanes_turn(w))                    \
	assert_true(clock_mono_us() < end_us)

#endif
