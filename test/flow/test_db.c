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
#include <sys/wait.h>
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
	int done;  /* times */
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
		struct ask *a =
		    ask_text(&w, (enum db_lane)lane, "select 1::int4, current_setting('statement_timeout')");
		ask_system(a, NULL, "select 2::int8, current_setting('TimeZone'), current_setting('plan_cache_mode')");
		assert_int_equal(ask_run(a), DB_OK);
		assert_int_equal(db_rows(&a->x, 0), 1);
		assert_int_equal(db_int(&a->x, 0, 0, 0), 1);
		assert_int_equal(db_int(&a->x, 1, 0, 0), 2);
		assert_string_equal(db_text(&a->x, 1, 0, 1, NULL), "UTC");
		assert_string_equal(db_text(&a->x, 1, 0, 2, NULL), "auto");
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

/* --- values ---------------------------------------------------------------- */

static void test_values(void **state)
{
	static const char *const texts[] = {"a", NULL, "", "h\xc3\xa9"};
	static const size_t lens[] = {1, 0, 0, 3};
	static const void *const bytes[] = {"\0\1", "x"};
	static const size_t byte_lens[] = {2, 1};
	static const int64_t numbers[] = {INT64_MIN, -1, 0, INT64_MAX};
	struct uuid ids[2] = {{{1}}, {{2}}};
	struct world w;
	(void)state;
	world_start(&w);
	struct ask *a = ask_new(&w, DB_WRITE);
	struct sql *s = &a->sql[0];
	sql_begin(s, &a->arena, NULL, &workspace);
	sql_add(s, "select $1 as workspace_id");
	a->list[0] = s;
	a->x.n_statements = 1;
#define VALUE(call) (sql_add(s, ", "), call)
	VALUE(sql_uuid(s, &ids[1])); /* 1 */
	VALUE(sql_uuid(s, NULL));
	VALUE(sql_text(s, "h\xc3\xa9llo", 6)); /* 3 */
	VALUE(sql_text(s, "", 0));
	VALUE(sql_textz(s, NULL)); /* 5 */
	VALUE(sql_int8(s, INT64_MIN));
	VALUE(sql_int4(s, INT32_MIN)); /* 7 */
	VALUE(sql_bool(s, true));
	VALUE(sql_bool(s, false)); /* 9 */
	VALUE(sql_bytea(s, "\0\xff", 2));
	VALUE(sql_time(s, INT64_C(-62135596800000))); /* 11: 0001-01-01 */
	VALUE(sql_time(s, INT64_C(1234567890123)));
	VALUE(sql_date(s, -719162)); /* 13: 0001-01-01 */
	VALUE(sql_numeric(s, "-1234567890123456789.000120"));
	VALUE(sql_json(s, "{\"a\": 1}", 8)); /* 15 */
	VALUE(sql_jsonb(s, "{\"a\": 1}", 8));
	VALUE(sql_uuid_array(s, ids, 2)); /* 17 */
	VALUE(sql_text_array(s, texts, lens, 4));
	VALUE(sql_int8_array(s, numbers, 4)); /* 19 */
	VALUE(sql_bytea_array(s, bytes, byte_lens, 2));
	VALUE(sql_uuid_array(s, ids, 0)); /* 21 */
	VALUE(sql_time_null(s));
	VALUE(sql_date_null(s)); /* 23 */
	VALUE(sql_numeric(s, NULL));
	VALUE(sql_json(s, NULL, 0)); /* 25 */
	VALUE(sql_jsonb(s, NULL, 0));
	VALUE(sql_bytea(s, NULL, 0)); /* 27 */
	sql_add(s, ", '0001-01-01'::timestamptz, '2009-02-13 23:31:30.123999Z'::timestamptz, '0001-01-01'::date, ");
	sql_add(s, "'infinity'::timestamptz, 7::int2, '1969-12-31 23:59:59.9995Z'::timestamptz"); /* 28 - 33 */
	assert_int_equal(ask_run(a), DB_OK);
	const struct db_exchange *x = &a->x;
	size_t len;
	struct uuid id = db_uuid(x, 0, 0, 1);
	assert_true(uuid_equal(&id, &ids[1]));
	static const int nulls[] = {2, 5, 22, 23, 24, 25, 26, 27};
	for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
		assert_true(db_null(x, 0, 0, nulls[i]));
	assert_null(db_text(x, 0, 0, 5, &len));
	assert_string_equal(db_text(x, 0, 0, 3, &len), "h\xc3\xa9llo");
	assert_int_equal(len, 6);
	assert_false(db_null(x, 0, 0, 4));
	assert_string_equal(db_text(x, 0, 0, 4, &len), "");
	assert_true(db_int(x, 0, 0, 6) == INT64_MIN);
	assert_true(db_int(x, 0, 0, 7) == INT32_MIN);
	assert_true(db_bool(x, 0, 0, 8));
	assert_false(db_bool(x, 0, 0, 9));
	assert_memory_equal(db_text(x, 0, 0, 10, &len), "\0\xff", 2);
	assert_true(db_time_ms(x, 0, 0, 11) == INT64_C(-62135596800000));
	assert_true(db_time_ms(x, 0, 0, 12) == INT64_C(1234567890123));
	assert_int_equal(db_date(x, 0, 0, 13), -719162);
	assert_string_equal(db_numeric(x, 0, 0, 14, &a->arena), "-1234567890123456789.00012");
	assert_string_equal(db_text(x, 0, 0, 15, &len), "{\"a\": 1}");
	assert_string_equal(db_text(x, 0, 0, 16, &len), "{\"a\": 1}");
	struct uuid *got_ids;
	assert_int_equal(db_uuid_array(x, 0, 0, 17, &a->arena, &got_ids), 2);
	assert_memory_equal(got_ids, ids, sizeof ids);
	const char **got_texts;
	size_t *got_lens;
	assert_int_equal(db_text_array(x, 0, 0, 18, &a->arena, &got_texts, &got_lens), 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(got_lens[i], lens[i]);
		if (texts[i])
			assert_string_equal(got_texts[i], texts[i]);
		else
			assert_null(got_texts[i]);
	}
	int64_t *got_numbers;
	assert_int_equal(db_int8_array(x, 0, 0, 19, &a->arena, &got_numbers), 4);
	assert_memory_equal(got_numbers, numbers, sizeof numbers);
	assert_int_equal(db_text_array(x, 0, 0, 20, &a->arena, &got_texts, &got_lens), 2);
	assert_memory_equal(got_texts[0], "\0\1", 2);
	assert_int_equal(db_uuid_array(x, 0, 0, 21, &a->arena, &got_ids), 0);
	assert_true(db_time_ms(x, 0, 0, 28) == INT64_C(-62135596800000));
	assert_true(db_time_ms(x, 0, 0, 29) == INT64_C(1234567890123));
	assert_int_equal(db_date(x, 0, 0, 30), -719162);
	assert_true(db_time_ms(x, 0, 0, 31) == INT64_MAX);
	assert_int_equal(db_int(x, 0, 0, 32), 7);
	assert_int_equal(db_time_ms(x, 0, 0, 33), -1);
	ask_free(a);
	world_stop(&w);
}

static void test_numeric(void **state)
{
	static const char *const cases[] = {"0", "1", "-1", "10", "10000", "100000000", "0.1", "-0.0001", "0.00001",
	    "0.000000000001", "9999.9999", "10000.0001", "123456789012345678901234567890.123456789", "NaN",
	    "100000000000000000000000000000000000000000", "-0.5", "1000.5"};
	struct world w;
	(void)state;
	world_start(&w);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ask *a = ask_new(&w, DB_WRITE);
		struct sql *s = ask_system(a, NULL, "select ");
		sql_numeric(s, cases[i]);
		sql_add(s, ", round(");
		sql_again(s, 1);
		sql_add(s, ", 30)");
		assert_int_equal(ask_run(a), DB_OK);
		assert_string_equal(db_numeric(&a->x, 0, 0, 0, &a->arena), cases[i]);
		assert_string_equal(db_numeric(&a->x, 0, 0, 1, &a->arena), cases[i]);
		ask_free(a);
	}
	world_stop(&w);
}

/* More than the sockets take, both ways at once: written and read in turns, without a deadlock. */
static void test_large(void **state)
{
	enum { COUNT = 40, SIZE = 1 << 20 };
	static const enum db_lane lanes[] = {DB_POINT, DB_ADMIT, DB_WRITE};
	struct world w;
	struct ask *asks[COUNT];
	char *text = malloc(SIZE);
	(void)state;
	assert_non_null(text);
	memset(text, 'x', SIZE);
	world_start(&w);
	for (int i = 0; i < COUNT; i++) {
		asks[i] = ask_new(&w, lanes[i % 3]);
		struct sql *s = ask_system(asks[i], NULL, "select ");
		text[i] = 'y';
		sql_text(s, text, SIZE);
		text[i] = 'x';
		ask_send(asks[i]);
	}
	UNTIL(&w, w.ended == COUNT);
	for (int i = 0; i < COUNT; i++) {
		size_t len;
		assert_int_equal(asks[i]->x.status, DB_OK);
		const char *got = db_text(&asks[i]->x, 0, 0, 0, &len);
		assert_int_equal(len, SIZE);
		assert_int_equal(got[i], 'y');
		ask_free(asks[i]);
	}
	free(text);
	world_stop(&w);
}

/* A server with fewer connections than we want serves every lane all the same. */
static void test_few_connections(void **state)
{
	struct world w;
	char url[512];
	(void)state;
	if (!cluster_own(cluster))
		skip();
	assert_true(cluster_database(cluster, "kith_test_few", url, sizeof url));
	assert_true(cluster_sql(cluster, "create role kith_few login connection limit 7", NULL, 0));
	world_config(&w);
	snprintf(url, sizeof url, "host=%s port=5432 user=kith_few dbname=kith_test_few", cluster_socket_dir(cluster));
	w.config.url = url;
	world_open(&w);
	struct db_stats stats;
	UNTIL(&w, (db_stats_get(w.db, &stats), stats.connect_failures >= 2 && stats.connects >= 7));
	for (int lane = 0; lane < DB_LANES; lane++) {
		assert_true(stats.connected[lane] > 0);
		assert_int_equal(run_text(&w, (enum db_lane)lane, "select 1"), DB_OK);
	}
	world_stop(&w);
	assert_true(cluster_sql(cluster, "drop database kith_test_few with (force)", NULL, 0));
	assert_true(cluster_sql(cluster, "drop role kith_few", NULL, 0));
}

/* --- failures and sessions ------------------------------------------------- */

static void test_failed(void **state)
{
	struct world w;
	(void)state;
	world_start(&w);
	assert_int_equal(run_text(&w, DB_WORK,
	                     "create table if not exists failing (a int constraint failing_a unique, "
	                     "b int constraint failing_b unique deferrable initially deferred)"),
	    DB_OK);
	struct ask *a = ask_text(&w, DB_WRITE, "begin");
	ask_system(a, NULL, "insert into failing values (1, 1)");
	ask_system(a, NULL, "insert into failing values (1, 2)");
	ask_system(a, NULL, "commit");
	assert_int_equal(ask_run(a), DB_FAILED);
	assert_int_equal(a->x.failed, 2);
	assert_string_equal(a->x.sqlstate, "23505");
	assert_string_equal(a->x.constraint, "failing_a");
	assert_int_equal(db_affected(&a->x, 1), 1);
	assert_null(a->x.session);
	ask_free(a);
	/* Without BEGIN an exchange is one transaction: all or nothing. */
	a = ask_text(&w, DB_WRITE, "insert into failing values (1, 1)");
	ask_system(a, NULL, "insert into failing values (1, 2)");
	assert_int_equal(ask_run(a), DB_FAILED);
	ask_free(a);
	/* Its commit, at the Sync, may fail as well. */
	a = ask_text(&w, DB_WRITE, "insert into failing values (1, 1)");
	ask_system(a, NULL, "insert into failing values (2, 1)");
	assert_int_equal(ask_run(a), DB_FAILED);
	assert_string_equal(a->x.constraint, "failing_b");
	ask_free(a);
	assert_int_equal(run_int(&w, "select count(*) from failing"), 0);
	/* No connection was left in a transaction. */
	assert_int_equal(run_int(&w, "select count(*) from pg_stat_activity where state like 'idle in%'"), 0);
	assert_int_equal(run_text(&w, DB_WORK, "drop table failing"), DB_OK);
	world_stop(&w);
}

static void test_session(void **state)
{
	struct world w;
	(void)state;
	world_config(&w);
	w.config.lane_size[DB_WRITE] = 2;
	w.config.idle_in_transaction_ms = 300;
	world_open(&w);
	assert_int_equal(run_text(&w, DB_WORK, "create table session (a int)"), DB_OK);
	struct ask *a = ask_text(&w, DB_WRITE, "begin");
	ask_system(a, NULL, "insert into session values (1)");
	a->x.keep = true;
	assert_int_equal(ask_run(a), DB_OK);
	assert_non_null(a->x.session);
	assert_int_equal(run_int(&w, "select count(*) from session"), 0);
	/* On the same connection: it sees its own row. A failure in a savepoint leaves the session usable. */
	ask_restart(a);
	ask_system(a, NULL, "select count(*) from session");
	ask_system(a, NULL, "savepoint one");
	ask_system(a, NULL, "select 1 / 0");
	assert_int_equal(ask_run(a), DB_FAILED);
	assert_int_equal(db_int(&a->x, 0, 0, 0), 1);
	assert_non_null(a->x.session);
	ask_restart(a);
	ask_system(a, NULL, "rollback to savepoint one");
	ask_system(a, NULL, "commit");
	a->x.keep = false;
	assert_int_equal(ask_run(a), DB_OK);
	assert_null(a->x.session);
	assert_int_equal(run_int(&w, "select count(*) from session"), 1);
	/* Given up: rolled back, and the connection is there for others. */
	for (int i = 0; i < 5; i++) {
		ask_restart(a);
		ask_system(a, NULL, "begin");
		ask_system(a, NULL, "insert into session values (2)");
		a->x.keep = true;
		assert_int_equal(ask_run(a), DB_OK);
		db_session_abandon(w.db, a->x.session);
		a->x.session = NULL;
	}
	/* Not given back at all: rolled back by the store; its owner learns it with the next exchange. */
	assert_int_equal(ask_run(a), DB_OK);
	int64_t began_us = clock_mono_us();
	while (run_int(&w, "select count(*) from pg_stat_activity where state = 'idle in transaction'") > 0)
		assert_true(clock_mono_us() - began_us < 2000000);
	assert_true(clock_mono_us() - began_us > 200000);
	assert_int_equal(ask_run(a), DB_UNAVAILABLE);
	assert_null(a->x.session);
	assert_int_equal(run_int(&w, "select count(*) from session"), 1);
	/* A session whose connection broke. */
	assert_int_equal(ask_run(a), DB_OK);
	run_int(
	    &w, "select count(pg_terminate_backend(pid)) from pg_stat_activity where state = 'idle in transaction'");
	assert_int_equal(ask_run(a), DB_UNAVAILABLE);
	assert_null(a->x.session);
	ask_free(a);
	assert_int_equal(run_int(&w, "select count(*) from session"), 1);
	assert_int_equal(run_text(&w, DB_WORK, "drop table session"), DB_OK);
	world_stop(&w);
}

static void test_deadline(void **state)
{
	struct world w;
	(void)state;
	world_start(&w);
	struct ask *a = ask_text(&w, DB_WRITE, "select pg_sleep(5)");
	a->x.deadline_ms = 200;
	int64_t began_us = clock_mono_us();
	assert_int_equal(ask_run(a), DB_LOST);
	assert_true(clock_mono_us() - began_us < 1000000);
	ask_free(a);
	/* A shared connection: the late one is lost, its neighbours are sent again. */
	struct ask *slow = ask_text(&w, DB_ADMIT, "select pg_sleep(1.5)");
	struct ask *asks[10];
	slow->x.deadline_ms = 200;
	ask_send(slow);
	w.ended = 0;
	for (int i = 0; i < 10; i++) {
		asks[i] = ask_text(&w, DB_ADMIT, "select 1");
		ask_send(asks[i]);
	}
	UNTIL(&w, w.ended == 11);
	assert_int_equal(slow->x.status, DB_LOST);
	ask_free(slow);
	for (int i = 0; i < 10; i++) {
		assert_int_equal(asks[i]->x.status, DB_OK);
		ask_free(asks[i]);
	}
	/* The statement's own limit is a failure like another, to its neighbours too. */
	world_stop(&w);
	world_config(&w);
	w.config.statement_timeout_ms[DB_LIST] = 100;
	world_open(&w);
	a = ask_text(&w, DB_LIST, "select pg_sleep(5)");
	assert_int_equal(ask_run(a), DB_FAILED);
	assert_string_equal(a->x.sqlstate, "57014");
	ask_free(a);
	assert_int_equal(run_text(&w, DB_LIST, "select 1"), DB_OK);
	world_stop(&w);
}

static void test_busy(void **state)
{
	struct world w;
	struct ask *asks[8];
	(void)state;
	world_config(&w);
	w.config.lane_size[DB_WRITE] = 1;
	w.config.queue_max[DB_WRITE] = 3;
	world_open(&w);
	for (int i = 0; i < 8; i++) {
		asks[i] = ask_text(&w, DB_WRITE, i == 0 ? "select pg_sleep(0.5)" : "select 1");
		asks[i]->x.deadline_ms = i == 1 ? 100 : 0;
		ask_send(asks[i]);
	}
	/* One runs, three wait, the others are refused at once. One of the waiting ones waits too long. */
	UNTIL(&w, w.ended == 4);
	assert_false(asks[0]->done || asks[1]->done || asks[2]->done || asks[3]->done);
	UNTIL(&w, w.ended == 5);
	assert_true(asks[1]->done);
	assert_false(asks[0]->done);
	UNTIL(&w, w.ended == 8);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(asks[i]->x.status, i == 0 || i == 2 || i == 3 ? DB_OK : DB_BUSY);
		ask_free(asks[i]);
	}
	struct db_stats stats;
	db_stats_get(w.db, &stats);
	assert_int_equal(stats.busy, 5);
	/* Sent again from its own done, for ever refused or not: the loop still turns. */
	struct ask *again = ask_text(&w, DB_POINT, "select 1");
	again->times = 500;
	ask_send(again);
	w.ended = 0;
	UNTIL(&w, w.ended == 500);
	ask_free(again);
	/* Nothing to do is done at once, but from the loop. */
	struct ask *nothing = ask_new(&w, DB_WRITE);
	assert_int_equal(ask_run(nothing), DB_OK);
	ask_free(nothing);
	world_stop(&w);
}

/* --- connections that break ------------------------------------------------ */

/* Ends the backends that run something like this, by another connection. */
static void terminate(struct world *w, const char *pattern)
{
	char text[256];
	snprintf(text, sizeof text,
	    "select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid() and query "
	    "like '%s%%' "
	    "and state = 'active'",
	    pattern);
	UNTIL(w, run_int(w, text) > 0);
}

static void test_terminated(void **state)
{
	static const struct {
		enum db_lane lane;
		const char *first, *sleep, *last;
		enum db_status status;
		int retried;
	} cases[] = {
	    {DB_POINT, NULL, "select pg_sleep(0.7)", NULL, DB_OK, 1},
	    {DB_ADMIT, NULL, "select pg_sleep(0.7)", NULL, DB_OK, 1},
	    /* Nothing was committed, for certain: tried once more. */
	    {DB_WRITE, "begin", "select pg_sleep(0.7)", "commit", DB_OK, 1},
	    {DB_WRITE, NULL, "select pg_sleep(0.7)", NULL, DB_OK, 1},
	    {DB_WRITE, NULL, "insert into broken select 1 from pg_sleep(0.7)", NULL, DB_OK, 1},
	};
	struct world w;
	(void)state;
	world_start(&w);
	assert_int_equal(run_text(&w, DB_WORK, "create table broken (a int)"), DB_OK);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct db_stats before, after;
		db_stats_get(w.db, &before);
		struct ask *a = ask_new(&w, cases[i].lane);
		if (cases[i].first)
			ask_system(a, NULL, cases[i].first);
		ask_system(a, NULL, cases[i].sleep);
		if (cases[i].last)
			ask_system(a, NULL, cases[i].last);
		ask_send(a);
		terminate(&w, cases[i].sleep);
		UNTIL(&w, a->done);
		assert_int_equal(a->x.status, cases[i].status);
		assert_null(a->x.session);
		ask_free(a);
		db_stats_get(w.db, &after);
		assert_int_equal(after.retried - before.retried, cases[i].retried);
	}
	assert_int_equal(run_int(&w, "select count(*) from broken"), 1);
	/* In a bound session it is not tried again: its beginning is gone. */
	struct ask *a = ask_text(&w, DB_WRITE, "begin");
	a->x.keep = true;
	assert_int_equal(ask_run(a), DB_OK);
	ask_restart(a);
	ask_system(a, NULL, "insert into broken values (2)");
	ask_system(a, NULL, "select 'in session' from pg_sleep(0.7)");
	ask_system(a, NULL, "commit");
	a->x.keep = false;
	ask_send(a);
	terminate(&w, "select ''in session");
	UNTIL(&w, a->done);
	assert_int_equal(a->x.status, DB_UNAVAILABLE);
	assert_null(a->x.session);
	ask_free(a);
	assert_int_equal(run_int(&w, "select count(*) from broken"), 1);
	assert_int_equal(run_text(&w, DB_WORK, "drop table broken"), DB_OK);
	world_stop(&w);
}

static void test_commit_lost(void **state)
{
	struct world w;
	(void)state;
	world_start(&w);
	/* The commit itself takes long, by a deferred trigger, and is killed: nobody may claim to know. */
	assert_int_equal(run_text(&w, DB_WORK, "create table slow_commit (a int)"), DB_OK);
	assert_int_equal(run_text(&w, DB_WORK,
	                     "create function slow() returns trigger language plpgsql as "
	                     "'begin perform pg_sleep(1); return null; end'"),
	    DB_OK);
	assert_int_equal(run_text(&w, DB_WORK,
	                     "create constraint trigger slow after insert on slow_commit "
	                     "deferrable initially deferred for each row execute function slow()"),
	    DB_OK);
	for (int implicit = 0; implicit < 2; implicit++) {
		struct ask *a = ask_new(&w, DB_WRITE);
		if (!implicit)
			ask_system(a, NULL, "begin");
		ask_system(a, NULL, "insert into slow_commit values (1)");
		if (!implicit)
			ask_system(a, NULL, "commit");
		ask_send(a);
		terminate(&w, implicit ? "insert into slow" : "commit");
		UNTIL(&w, a->done);
		assert_int_equal(a->x.status, DB_LOST);
		ask_free(a);
	}
	assert_int_equal(run_text(&w, DB_WORK, "drop table slow_commit; "), DB_OK);
	assert_int_equal(run_text(&w, DB_WORK, "drop function slow"), DB_OK);
	world_stop(&w);
}

/* Load on every lane while the server goes and comes back. */
static void restart_under_load(bool immediate)
{
	struct world w;
	struct ask *asks[60];
	world_start(&w);
	for (int i = 0; i < 60; i++) {
		asks[i] = ask_text(&w, (enum db_lane)(i % DB_LANES), "select 1");
		asks[i]->times = 1000000;
		ask_send(asks[i]);
	}
	UNTIL(&w, w.ended > 500);
	assert_true(cluster_halt(cluster, immediate));
	UNTIL(&w, !db_ready(w.db));
	/* Down: an answer within a second or so. */
	struct ask *a = ask_text(&w, DB_WRITE, "select 1");
	int64_t began_us = clock_mono_us();
	assert_int_equal(ask_run(a), DB_UNAVAILABLE);
	assert_true(clock_mono_us() - began_us < 1500000);
	assert_true(cluster_go_async(cluster));
	/* One that answers tells when the server accepts. */
	int64_t accepted_us = 0;
	while (!accepted_us) {
		if (cluster_sql(cluster, "select 1", NULL, 0))
			accepted_us = clock_mono_us();
		turn(&w);
	}
	UNTIL(&w, ask_run(a) == DB_OK);
	assert_true(clock_mono_us() - accepted_us < 1500000);
	ask_free(a);
	UNTIL(&w, db_ready(w.db));
	assert_true(clock_mono_us() - accepted_us < 1600000);
	int ended = w.ended;
	UNTIL(&w, w.ended > ended + 500);
	/* Closing with all of it in flight ends each exactly once more. */
	for (int i = 0; i < 60; i++) {
		asks[i]->times = 1;
		asks[i]->done = 0;
	}
	db_close(w.db);
	event_base_free(w.base);
	for (int i = 0; i < 60; i++) {
		assert_int_equal(asks[i]->done, 1);
		assert_true(
		    asks[i]->x.status == DB_LOST || asks[i]->x.status == DB_UNAVAILABLE || asks[i]->x.status == DB_OK);
		ask_free(asks[i]);
	}
}

static void test_restart(void **state)
{
	(void)state;
	if (!cluster_own(cluster))
		skip();
	restart_under_load(false);
	restart_under_load(true);
}

static void test_no_server(void **state)
{
	struct world w;
	(void)state;
	world_config(&w);
	w.config.url = "host=/nonexistent port=1";
	w.db = db_open(w.base, &w.config);
	for (int lane = 0; lane < DB_LANES; lane++) {
		struct ask *a = ask_text(&w, (enum db_lane)lane, "select 1");
		a->x.deadline_ms = 300;
		assert_int_equal(ask_run(a), DB_UNAVAILABLE);
		ask_free(a);
	}
	struct db_stats stats;
	db_stats_get(w.db, &stats);
	assert_false(db_ready(w.db));
	/* 1.5 s with 50, 100, 200, 400, 800 ms between. */
	assert_in_range(stats.connect_failures, 3, 8);
	db_close(w.db);
	w.config.url = "no connection string";
	w.db = db_open(w.base, &w.config);
	struct ask *a = ask_text(&w, DB_WRITE, "select 1");
	a->x.deadline_ms = 200;
	assert_int_equal(ask_run(a), DB_UNAVAILABLE);
	ask_free(a);
	world_stop(&w);
}

static void close_in_done(struct db_exchange *x)
{
	struct ask *a = x->owner;
	a->done++;
	db_close(a->w->db);
}

static void test_close_in_done(void **state)
{
	struct world w;
	(void)state;
	world_start(&w);
	struct ask *a = ask_text(&w, DB_WRITE, "select 1");
	struct ask *b = ask_text(&w, DB_WRITE, "select pg_sleep(1)");
	struct ask *kept = ask_text(&w, DB_WRITE, "begin");
	kept->x.keep = true;
	assert_int_equal(ask_run(kept), DB_OK);
	a->x.done = close_in_done;
	ask_send(a);
	ask_send(b);
	while (!a->done)
		assert_int_equal(event_base_loop(w.base, EVLOOP_ONCE), 0);
	assert_int_equal(b->done, 1);
	assert_int_equal(b->x.status, DB_LOST);
	ask_free(a);
	ask_free(b);
	ask_free(kept);
	event_base_free(w.base);
}

/* What is wrong in our own code ends the process. */
static void expect_abort(void (*act)(struct world *), struct world *w)
{
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGABRT, SIG_DFL);
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		act(w);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void act_no_workspace(struct world *w)
{
	struct ask *a = ask_new(w, DB_WRITE);
	sql_begin(&a->sql[0], &a->arena, NULL, &workspace);
	sql_add(&a->sql[0], "select 1 as workspace_id");
	a->list[0] = &a->sql[0];
	a->x.n_statements = 1;
	db_send(w->db, &a->x);
}

static void act_two_texts(struct world *w)
{
	struct ask *a = ask_new(w, DB_WRITE);
	ask_system(a, "name", "select 1");
	ask_system(a, "name", "select 2");
	db_send(w->db, &a->x);
}

static void test_own_errors(void **state)
{
	struct world w;
	(void)state;
	world_start(&w);
	expect_abort(act_no_workspace, &w);
	expect_abort(act_two_texts, &w);
	world_stop(&w);
}

/* --- a schema that changes below prepared statements ----------------------- */

static void test_schema_change(void **state)
{
	static const enum db_lane lanes[] = {DB_ADMIT, DB_POINT};
	struct world w;
	(void)state;
	world_start(&w);
	assert_int_equal(run_text(&w, DB_WORK, "create table changing (a int)"), DB_OK);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 20; i++) {
			struct ask *a = ask_new(&w, lanes[i % 2]);
			ask_system(a, "changing", "select * from changing");
			assert_int_equal(ask_run(a), DB_OK);
			ask_free(a);
		}
		assert_int_equal(run_text(&w, DB_WORK, "alter table changing alter a type text"), DB_OK);
	}
	assert_int_equal(run_text(&w, DB_WORK, "drop table changing"), DB_OK);
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
	    cmocka_unit_test(test_values),
	    cmocka_unit_test(test_numeric),
	    cmocka_unit_test(test_large),
	    cmocka_unit_test(test_few_connections),
	    cmocka_unit_test(test_failed),
	    cmocka_unit_test(test_session),
	    cmocka_unit_test(test_deadline),
	    cmocka_unit_test(test_busy),
	    cmocka_unit_test(test_terminated),
	    cmocka_unit_test(test_commit_lost),
	    cmocka_unit_test(test_restart),
	    cmocka_unit_test(test_no_server),
	    cmocka_unit_test(test_close_in_done),
	    cmocka_unit_test(test_own_errors),
	    cmocka_unit_test(test_schema_change),
	};
	return cmocka_run_group_tests(tests, make_cluster, drop_cluster);
}
