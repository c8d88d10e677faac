/* A client that copies all lists and then follows the feed ends up equal to the database: with concurrent writers,
 * and with servers killed and the database restarted meanwhile. FOLLOW_SECONDS and FOLLOW_WRITERS make it longer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/model/follower.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"
#include "test/lib/server/busy.h"

enum { SERVERS = 2, FOLLOWERS = 2 };

static char bases[SERVERS][64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects bases */
static struct busy busy;

/* --- servers that stop and start ----------------------------------------------------------- */

static void start_server(int i)
{
	/* Jobs run twenty times as often: they share connections with reads of single workspaces. */
	servers[i] = rig_serve(&rig, false, (const char *const[]){"clock_scale=20", NULL});
	pthread_mutex_lock(&lock);
	snprintf(bases[i], sizeof bases[i], "%s", servers[i]->base);
	pthread_mutex_unlock(&lock);
}

static const char *base_of(void *ctx, int i)
{
	static _Thread_local char base[64];

	(void)ctx;
	pthread_mutex_lock(&lock);
	snprintf(base, sizeof base, "%s", bases[i % SERVERS]);
	pthread_mutex_unlock(&lock);
	return base;
}

/* One of the servers, at random. */
static const char *any_base(void *ctx)
{
	static atomic_int turn;

	return base_of(ctx, atomic_fetch_add(&turn, 1));
}

RIG("follow", .servers = RIG_NO_SERVER, .own_cluster = true, .neighbour = true);

BEFORE_ALL()
{
	for (int i = 0; i < SERVERS; i++)
		start_server(i);
}

/* A group with objects and a field; visible to the caller, to others only when it is public. */
static const char *make_group(struct caller *c, const char *visibility)
{
	const char *id =
	    caller_sendf(c, "POST", "/v1/groups", NULL, "{\"name\": \"G\", \"visibility\": \"%s\"}", visibility).id;

	assert_true(*id);
	assert_int_equal(caller_sendf(c, "POST", arena_printf(&c->arena, "/v1/groups/%s/object-types", id), NULL,
	                     "{\"name\": \"Deals\"}")
	                     .status,
	    200);
	assert_int_equal(caller_sendf(c, "POST", arena_printf(&c->arena, "/v1/groups/%s/custom-fields/person", id),
	                     NULL, "{\"name\": \"Level\", \"type\": \"textField\"}")
	                     .status,
	    200);
	return id;
}

/* --- the followers ---------------------------------------------------------------------------- */

struct following {
	struct follower follower;
	atomic_bool *stop;
	pthread_t thread;
	bool copied;
};

static void *follow_feed(void *arg)
{
	struct following *f = arg;

	f->copied = follower_copy(&f->follower, patience_ms(60000));
	while (f->copied && !atomic_load(f->stop))
		follower_step(&f->follower, 1);
	return NULL;
}

/* Waits until nothing is running, including backends of killed servers. */
static void wait_settled(void)
{
	int64_t until_us = patience_ms(60000);

	while (
	    rows_count(
	        "pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()") >
	        0 &&
	    patience_pause(until_us))
		;
}

/* Follows to the end and copies again: both must agree. Reminders may fire meanwhile. */
static int count_differences(struct follower *f, const char *key, bool print)
{
	struct follower fresh;
	int n, steps = 0;

	while ((n = follower_step(f, 0)) != 0 && steps++ < 10000)
		;
	follower_init(&fresh, key, any_base, NULL);
	assert_true(follower_copy(&fresh, patience_ms(60000)));
	n = follower_differences(f, &fresh, print);
	if (n == 0)
		print_message("%zu records, %d events, %d fetched, %d failures, %d empty pages\n", fresh.count,
		    f->events, f->fetched, f->failures, f->empty_pages);
	follower_free(&fresh);
	return n;
}

/* --- faults ---------------------------------------------------------------------------------------- */

static void break_something(int round)
{
	switch (round % 3) {
	case 0:
		assert_true(server_kill(servers[0]));
		start_server(0);
		break;
	case 1:
		assert_true(cluster_restart(rig.cluster, true));
		break;
	default:
		assert_true(server_kill(servers[1]));
		start_server(1);
	}
}

struct follow_crowd {
	int writers;
	pthread_t thread;
};

static void *run_crowd(void *arg)
{
	struct follow_crowd *c = arg;

	caller_crowd_run(c->writers, busy_write, &busy);
	return NULL;
}

TEST(test_follow)
{
	int seconds = rig_setting("FOLLOW_SECONDS", 6), round = 0;
	struct follow_crowd crowd = {.writers = rig_setting("FOLLOW_WRITERS", 4)};
	const char *keys[FOLLOWERS] = {rig.ada.key, rig.ben.key};
	struct following followings[FOLLOWERS];
	atomic_bool stop = false;

	caller_turn(&ada, any_base(NULL));
	busy_init(&busy);
	busy.keys[0] = rig.ada.key;
	busy.keys[1] = rig.ben.key;
	busy.base = base_of;
	busy.open = make_group(&ada, "public");
	busy.secret = make_group(&ada, "private");
	pthread_create(&crowd.thread, NULL, run_crowd, &crowd);
	int64_t some_us = patience_ms(60000);
	while (atomic_load(&busy.done) < 50 && patience_pause(some_us))
		;
	for (int i = 0; i < FOLLOWERS; i++) {
		memset(&followings[i], 0, sizeof followings[i]);
		follower_init(&followings[i].follower, keys[i], any_base, NULL);
		followings[i].stop = &stop;
		pthread_create(&followings[i].thread, NULL, follow_feed, &followings[i]);
	}
	for (int64_t end_us = patience_ms(seconds * 1000); patience_pause(end_us);) {
		patience_chance_us(1500000);
		break_something(round++);
	}
	atomic_store(&busy.stop, true);
	pthread_join(crowd.thread, NULL);
	atomic_store(&stop, true);
	for (int i = 0; i < FOLLOWERS; i++)
		pthread_join(followings[i].thread, NULL);
	wait_settled();
	print_message("%d writes, %d refused or lost, %d faults\n", busy.done, busy.failed, round);
	for (int i = 0; i < FOLLOWERS; i++) {
		struct follower *f = &followings[i].follower;
		int64_t until_us = patience_ms(60000);
		int n;
		assert_true(followings[i].copied);
		while ((n = count_differences(f, keys[i], false)) > 0 && patience_pause(until_us))
			;
		if (n)
			n = count_differences(f, keys[i], true);
		assert_int_equal(n, 0);
		follower_free(f);
	}
}
