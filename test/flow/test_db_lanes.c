/* The database lanes without failures of the database: every lane, prepared statements, failing neighbours, large
 * values, caps, deadlines, few connections, schema changes. */
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/db_private.h"
#include "test/lib/db/ask.h"
#include "test/lib/server/child.h"
#include "test/lib/server/nginx.h"
#include "test/lib/test.h"

LANES();

TEST(test_every_lane)
{
	lanes_open(&w);
	for (int lane = 0; lane < DB_REPLICA; lane++) {
		struct ask *a =
		    ask_text(&w, (enum db_lane)lane, "select 1::int4, current_setting('statement_timeout')");
		ask_system(a, NULL,
		    "select 2::int8, current_setting('TimeZone'), current_setting('plan_cache_mode'), "
		    "current_setting('transaction_isolation'), current_setting('jit')");
		assert_int_equal(ask_run(a), DB_OK);
		assert_int_equal(db_rows(&a->x, 0), 1);
		assert_int_equal(db_int(&a->x, 0, 0, 0), 1);
		assert_int_equal(db_int(&a->x, 1, 0, 0), 2);
		assert_string_equal(db_text(&a->x, 1, 0, 1, NULL), "UTC");
		assert_string_equal(db_text(&a->x, 1, 0, 2, NULL),
		    lane == DB_WRITE || lane == DB_POINT || lane == DB_ADMIT ? "force_generic_plan" : "auto");
		/* A list's statements share a snapshot. */
		assert_string_equal(db_text(&a->x, 1, 0, 3, NULL),
		    lane_plans((enum db_lane)lane) ? "repeatable read" : "read committed");
		assert_string_equal(db_text(&a->x, 1, 0, 4, NULL), "off");
		assert_true(a->x.took_us > 0);
		ask_free(a);
	}
	struct db_stats stats;
	UNTIL(&w, (db_stats_get(w.db, &stats), stats.connected[DB_WRITE] == 10 && stats.connects >= 22));
	assert_int_equal(stats.exchanges, DB_REPLICA);
}

/* However long the user's own options are, ours follow them in full: a truncated role would not exist. And whatever
 * they say, a write sees what was committed while it waited for a lock. */
TEST(test_long_options)
{
	char url[4096], filler[3001];

	memset(filler, 'x', sizeof filler - 1);
	filler[sizeof filler - 1] = '\0';
	snprintf(url, sizeof url,
	    "%s options='-c kith.filler=%s -c TimeZone=Asia/Tokyo -c default_transaction_isolation=serializable'",
	    w.config.url, filler);
	w.config.url = url;
	lanes_open(&w);
	struct ask *a = ask_text(&w, DB_LIST,
	    "select 1::int4, length(current_setting('kith.filler')), current_setting('TimeZone'), "
	    "current_setting('transaction_isolation')");
	assert_int_equal(ask_run(a), DB_OK);
	assert_int_equal(db_int(&a->x, 0, 0, 1), sizeof filler - 1);
	assert_string_equal(db_text(&a->x, 0, 0, 2, NULL), "UTC");
	assert_string_equal(db_text(&a->x, 0, 0, 3, NULL), "repeatable read");
	ask_free(a);
	a = ask_text(&w, DB_WRITE, "select current_setting('transaction_isolation')");
	assert_int_equal(ask_run(a), DB_OK);
	assert_string_equal(db_text(&a->x, 0, 0, 0, NULL), "read committed");
	ask_free(a);
}

/* The keepalive setting on libpq's side of a connection. */
static int keepalives_idle(void)
{
	PQconninfoOption *all = PQconninfo(w.db->lanes[DB_SIGNAL].conns[0].pg);
	int seconds = -1;
	for (PQconninfoOption *o = all; o && o->keyword; o++)
		if (strcmp(o->keyword, "keepalives_idle") == 0 && o->val)
			seconds = (int)strtol(o->val, NULL, 10);
	PQconninfoFree(all);
	return seconds;
}

/* Over TCP each side notices within 20 s that the other machine is gone; the URL's own settings take precedence. */
TEST(test_network)
{
	static const char text[] =
	    "select sum(setting::int8)::int8 from pg_settings where name in ('tcp_keepalives_idle', "
	    "'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout')";
	char url[1024];
	int port = nginx_free_port();

	assert_true(cluster_listen(lanes_cluster, port));
	snprintf(url, sizeof url, "host=127.0.0.1 port=%d user=postgres dbname=postgres", port);
	w.config.url = url;
	lanes_open(&w);
	assert_int_equal(ask_int(&w, text), 10 + 5 + 2 + 20000);
	assert_int_equal(keepalives_idle(), 10);
	lanes_config(&w);
	size_t len = strlen(url);
	snprintf(url + len, sizeof url - len, " keepalives_idle=77 options='-c tcp_keepalives_idle=99'");
	w.config.url = url;
	lanes_open(&w);
	assert_int_equal(ask_int(&w, text), 99 + 5 + 2 + 20000);
	assert_int_equal(keepalives_idle(), 77);
	lanes_stop(&w);
	assert_true(cluster_restart(lanes_cluster, false));
}

TEST(test_prepared)
{
	struct ask *asks[300];

	lanes_open(&w);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 300; i++) {
			asks[i] = ask_new(&w, DB_POINT);
			struct sql *s = &asks[i]->sql[0];
			sql_begin(s, &asks[i]->arena, "test_prepared", &ask_workspace);
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
			assert_true(uuid_equal(&id, &ask_workspace));
			ask_free(asks[i]);
		}
	}
	struct db_stats stats;
	db_stats_get(w.db, &stats);
	assert_true(stats.syncs <= 8); /* one per connection and turn */
	assert_int_equal(stats.retried, 0);
}

TEST(test_poison)
{
	static const enum db_lane lanes[] = {DB_POINT, DB_ADMIT};
	struct ask *asks[201];

	lanes_open(&w);
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
}

/* More than the socket buffers hold, in both directions: writing and reading alternate, without a deadlock. */
TEST(test_large)
{
	enum { COUNT = 40, SIZE = 1 << 20 };
	static const enum db_lane lanes[] = {DB_POINT, DB_ADMIT, DB_WRITE};
	struct ask *asks[COUNT];
	char *text = malloc(SIZE);

	assert_non_null(text);
	memset(text, 'x', SIZE);
	for (int lane = 0; lane < DB_LANES; lane++)
		w.config.statement_timeout_ms[lane] = w.config.deadline_ms[lane] = 300000;
	lanes_open(&w);
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
}

/* A server with fewer connections than wanted still serves every lane. */
TEST(test_few_connections)
{
	char url[512];

	assert_true(cluster_database(lanes_cluster, "kith_test_few", url, sizeof url));
	assert_true(cluster_sql(lanes_cluster, "create role kith_few login connection limit 7", NULL, 0));
	snprintf(
	    url, sizeof url, "host=%s port=5432 user=kith_few dbname=kith_test_few", cluster_socket_dir(lanes_cluster));
	w.config.url = url;
	lanes_open(&w);
	struct db_stats stats;
	UNTIL(&w, (db_stats_get(w.db, &stats), stats.connect_failures >= 2 && stats.connects >= 7));
	for (int lane = 0; lane < DB_REPLICA; lane++) {
		assert_true(stats.connected[lane] > 0);
		assert_int_equal(ask_once(&w, (enum db_lane)lane, "select 1"), DB_OK);
	}
	lanes_stop(&w);
	assert_true(cluster_sql(lanes_cluster, "drop database kith_test_few with (force)", NULL, 0));
	assert_true(cluster_sql(lanes_cluster, "drop role kith_few", NULL, 0));
}

TEST(test_deadline)
{
	lanes_open(&w);
	struct ask *a = ask_text(&w, DB_WRITE, "select pg_sleep(5)");
	a->x.deadline_ms = 200;
	assert_int_equal(ask_run(a), DB_LOST); /* before the statement ends */
	ask_free(a);
	/* A shared connection: the late exchange is lost, its neighbours are sent again. */
	struct ask *slow = ask_text(&w, DB_ADMIT, "select pg_sleep(60)");
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
	/* A statement timeout is a failure like others, also for its neighbours. */
	lanes_config(&w);
	w.config.statement_timeout_ms[DB_LIST] = 500;
	lanes_open(&w);
	a = ask_text(&w, DB_LIST, "select pg_sleep(5)");
	assert_int_equal(ask_run(a), DB_FAILED);
	assert_string_equal(a->x.sqlstate, "57014");
	ask_free(a);
	assert_int_equal(ask_once(&w, DB_LIST, "select 1"), DB_OK);
}

TEST(test_busy)
{
	struct ask *asks[8];

	w.config.lane_size[DB_WRITE] = 1;
	w.config.queue_max[DB_WRITE] = 3;
	lanes_open(&w);
	struct ask *lock = ask_text(&w, DB_WORK, "begin");
	ask_system(lock, NULL, "select pg_advisory_xact_lock(7)");
	lock->x.keep = true;
	assert_int_equal(ask_run(lock), DB_OK);
	w.ended = 0;
	for (int i = 0; i < 8; i++) {
		asks[i] = ask_text(&w, DB_WRITE, i == 0 ? "select pg_advisory_xact_lock(7)" : "select 1");
		asks[i]->x.deadline_ms = i == 1 ? 500 : 0;
		ask_send(asks[i]);
	}
	/* One runs, three wait, the others are refused at once. One of those waiting waits too long. */
	UNTIL(&w, asks[4]->done && asks[5]->done && asks[6]->done && asks[7]->done);
	assert_false(asks[0]->done || asks[2]->done || asks[3]->done);
	UNTIL(&w, asks[1]->done);
	assert_int_equal(w.ended, 5);
	db_session_abandon(w.db, lock->x.session);
	ask_free(lock);
	UNTIL(&w, w.ended == 8);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(asks[i]->x.status, i == 0 || i == 2 || i == 3 ? DB_OK : DB_BUSY);
		ask_free(asks[i]);
	}
	struct db_stats stats;
	db_stats_get(w.db, &stats);
	assert_int_equal(stats.busy, 5);
	/* Sent again from its own done repeatedly, refused or not: the loop still turns. */
	struct ask *again = ask_text(&w, DB_POINT, "select 1");
	again->times = 500;
	ask_send(again);
	w.ended = 0;
	UNTIL(&w, w.ended == 500);
	ask_free(again);
	/* An exchange without statements ends at once, but from the loop. */
	struct ask *nothing = ask_new(&w, DB_WRITE);
	assert_int_equal(ask_run(nothing), DB_OK);
	ask_free(nothing);
}

TEST(test_schema_change)
{
	static const enum db_lane lanes[] = {DB_ADMIT, DB_POINT};

	lanes_open(&w);
	ask_do(&w, "create table changing (a int)");
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 20; i++) {
			struct ask *a = ask_new(&w, lanes[i % 2]);
			ask_system(a, "changing", "select * from changing");
			assert_int_equal(ask_run(a), DB_OK);
			ask_free(a);
		}
		ask_do(&w, "alter table changing alter a type text");
	}
	ask_do(&w, "drop table changing");
}

/* Programming errors end the process. */
static void expect_abort(void (*act)(void))
{
	fflush(NULL);
	pid_t pid = child_fork();
	if (pid == 0) {
		signal(SIGABRT, SIG_DFL);
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		act();
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void act_no_workspace(void)
{
	struct ask *a = ask_new(&w, DB_WRITE);
	sql_begin(&a->sql[0], &a->arena, NULL, &ask_workspace);
	sql_add(&a->sql[0], "select 1 as workspace_id");
	a->list[0] = &a->sql[0];
	a->x.n_statements = 1;
	db_send(w.db, &a->x);
}

static void act_two_texts(void)
{
	struct ask *a = ask_new(&w, DB_WRITE);
	ask_system(a, "name", "select 1");
	ask_system(a, "name", "select 2");
	db_send(w.db, &a->x);
}

TEST(test_own_errors)
{
	lanes_open(&w);
	expect_abort(act_no_workspace);
	expect_abort(act_two_texts);
}
