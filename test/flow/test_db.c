/*
 * The database lanes against a throw-away cluster: every status, lost
 * connections, restarts, sessions, caps, deadlines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "store/db.h"
#include "test/lib/cluster.h"

enum { ASKS_MAX = 4096, STATEMENTS_MAX = 4 };

/* One exchange with all that belongs to it. */
struct ask {
	struct db_exchange x;
	struct sql sql[STATEMENTS_MAX];
	struct sql *list[STATEMENTS_MAX];
	struct arena arena;
	struct world *w;
	int done; /* times */
	int times; /* to send it again from done */
	bool in_send;
};

/* A loop and a database in it. */
struct world {
	struct event_base *base;
	struct db *db;
	struct db_config config;
	int ended;
	bool sending;
};

static struct cluster *cluster;
static const struct uuid workspace = {{1, 2, 3}};

static struct event_base *base_new(void)
{
	struct event_config *config = event_config_new();
	event_config_set_flag(config, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST);
	struct event_base *base = event_base_new_with_config(config);
	event_config_free(config);
	return base;
}

static void turn(struct world *w)
{
	db_flush(w->db);
	assert_int_equal(event_base_loop(w->base, EVLOOP_ONCE), 0);
	log_flush();
}

#define UNTIL(w, condition)                                                                                            \
	for (int64_t end_us = clock_mono_us() + 20 * 1000000; !(condition); turn(w))                                   \
	assert_true(clock_mono_us() < end_us)

static void world_config(struct world *w)
{
	memset(w, 0, sizeof *w);
	w->base = base_new();
	db_config_default(&w->config, cluster_url(cluster), 2);
}

static void world_open(struct world *w)
{
	w->db = db_open(w->base, &w->config);
	UNTIL(w, db_ready(w->db));
}

static void world_start(struct world *w)
{
	world_config(w);
	world_open(w);
}

static void world_stop(struct world *w)
{
	db_close(w->db);
	event_base_free(w->base);
}

static void on_done(struct db_exchange *x)
{
	struct ask *a = x->owner;
	assert_false(a->w->sending); /* never inside db_send() */
	a->done++;
	a->w->ended++;
	if (a->times > 1) {
		a->times--;
		db_exchange_clear(x);
		a->w->sending = true;
		db_send(a->w->db, x);
		a->w->sending = false;
	}
}

static struct ask *ask_new(struct world *w, enum db_lane lane)
{
	struct ask *a = calloc(1, sizeof *a);
	arena_init(&a->arena);
	a->w = w;
	a->x.lane = lane;
	a->x.statements = a->list;
	a->x.done = on_done;
	a->x.owner = a;
	return a;
}

static struct sql *ask_system(struct ask *a, const char *name, const char *text)
{
	struct sql *s = &a->sql[a->x.n_statements];
	sql_begin_system(s, &a->arena, name);
	sql_add(s, text);
	a->list[a->x.n_statements++] = s;
	return s;
}

static struct ask *ask_text(struct world *w, enum db_lane lane, const char *text)
{
	struct ask *a = ask_new(w, lane);
	ask_system(a, NULL, text);
	return a;
}

/* The same exchange with other statements. */
static void ask_restart(struct ask *a)
{
	db_exchange_clear(&a->x);
	arena_free(&a->arena);
	a->x.n_statements = 0;
	a->done = 0;
}

static void ask_send(struct ask *a)
{
	a->w->sending = true;
	db_send(a->w->db, &a->x);
	a->w->sending = false;
}

static enum db_status ask_run(struct ask *a)
{
	a->done = 0;
	ask_send(a);
	UNTIL(a->w, a->done);
	assert_int_equal(a->done, 1);
	return a->x.status;
}

static void ask_free(struct ask *a)
{
	db_exchange_clear(&a->x);
	arena_free(&a->arena);
	free(a);
}

static enum db_status run_text(struct world *w, enum db_lane lane, const char *text)
{
	struct ask *a = ask_text(w, lane, text);
	enum db_status status = ask_run(a);
	ask_free(a);
	return status;
}

static int64_t run_int(struct world *w, const char *text)
{
	struct ask *a = ask_text(w, DB_WORK, text);
	assert_int_equal(ask_run(a), DB_OK);
	int64_t value = db_int(&a->x, 0, 0, 0);
	ask_free(a);
	return value;
}

/* --- the happy path -------------------------------------------------------- */

static void test_every_lane(void **state)
{
	struct world w;
	(void)state;
	world_start(&w);
	for (int lane = 0; lane < DB_LANES; lane++) {
		struct ask *a = ask_text(&w, (enum db_lane)lane, "select 1::int4, current_setting('statement_timeout')");
		ask_system(a, NULL, "select 2::int8, current_setting('TimeZone'), current_setting('plan_cache_mode')");
		assert_int_equal(ask_run(a), DB_OK);
		assert_int_equal(db_rows(&a->x, 0), 1);
		assert_int_equal(db_int(&a->x, 0, 0, 0), 1);
		assert_int_equal(db_int(&a->x, 1, 0, 0), 2);
		assert_string_equal(db_text(&a->x, 1, 0, 1, NULL), "UTC");
		assert_string_equal(db_text(&a->x, 1, 0, 2, NULL), lane == DB_LIST ? "force_custom_plan" : "auto");
		assert_true(a->x.took_us > 0);
		ask_free(a);
	}
	struct db_stats stats;
	UNTIL(&w, (db_stats_get(w.db, &stats), stats.connects >= 15));
	assert_int_equal(stats.connected[DB_WRITE], 8);
	assert_int_equal(stats.exchanges, DB_LANES);
	world_stop(&w);
}

static void test_prepared(void **state)
{
	struct world w;
	struct ask *asks[300];
	(void)state;
	world_start(&w);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 300; i++) {
			asks[i] = ask_new(&w, DB_POINT);
			struct sql *s = &asks[i]->sql[0];
			sql_begin(s, &asks[i]->arena, "test_prepared", &workspace);
			sql_add(s, "select $1::uuid as workspace_id, 2 * ");
			sql_int8(s, i);
			asks[i]->list[0] = s;
			asks[i]->x.n_statements = 1;
			ask_send(asks[i]);
		}
		UNTIL(&w, w.ended == 300 * (round + 1));
		for (int i = 0; i < 300; i++) {
			assert_int_equal(asks[i]->x.status, DB_OK);
			assert_int_equal(db_int(&asks[i]->x, 0, 0, 1), 2 * i);
			struct uuid id = db_uuid(&asks[i]->x, 0, 0, 0);
			assert_true(uuid_equal(&id, &workspace));
			ask_free(asks[i]);
		}
	}
	struct db_stats stats;
	db_stats_get(w.db, &stats);
	assert_true(stats.syncs <= 8); /* one a connection and turn */
	assert_int_equal(stats.retried, 0);
	world_stop(&w);
}

static void test_poison(void **state)
{
	static const enum db_lane lanes[] = {DB_POINT, DB_ADMIT};
	struct world w;
	struct ask *asks[201];
	(void)state;
	world_start(&w);
	for (int k = 0; k < 2; k++) {
		w.ended = 0;
		for (int i = 0; i < 201; i++) {
			asks[i] = ask_new(&w, lanes[k]);
			struct sql *s = ask_system(asks[i], k ? "poison1" : "poison0", "select 840 / ");
			sql_int8(s, i == 100 ? 0 : i + 1);
			struct sql *second = ask_system(asks[i], NULL, "select ");
			sql_int8(second, i);
			ask_send(asks[i]);
		}
		UNTIL(&w, w.ended == 201);
		for (int i = 0; i < 201; i++) {
			assert_int_equal(asks[i]->done, 1);
			assert_int_equal(asks[i]->x.status, i == 100 ? DB_FAILED : DB_OK);
			if (i == 100) {
				assert_string_equal(asks[i]->x.sqlstate, "22012");
				assert_int_equal(asks[i]->x.failed, 0);
				assert_string_equal(asks[i]->x.message, "division by zero");
			} else {
				assert_int_equal(db_int(&asks[i]->x, 0, 0, 0), 840 / (i + 1));
				assert_int_equal(db_int(&asks[i]->x, 1, 0, 0), i);
			}
			ask_free(asks[i]);
		}
	}
	struct db_stats stats;
	db_stats_get(w.db, &stats);
	assert_true(stats.retried > 0);
	world_stop(&w);
}

static int make_cluster(void **state)
{
	char error[CLUSTER_ERROR_SIZE];
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	if (!getenv("KITH_TEST_LOG"))
		log_set_level(LOG_ERROR);
	else
		log_set_level(LOG_DEBUG);
	cluster = cluster_start(error);
	if (!cluster)
		fprintf(stderr, "%s\n", error);
	return cluster ? 0 : -1;
}

static int drop_cluster(void **state)
{
	(void)state;
	cluster_stop(cluster);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_lane),
	    cmocka_unit_test(test_prepared),
	    cmocka_unit_test(test_poison),
	};
	return cmocka_run_group_tests(tests, make_cluster, drop_cluster);
}
