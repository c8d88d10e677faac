/* Failures in the database: statements, sessions, backends that end, lost answers to COMMIT, restarts. */
#include <event2/event.h>
#include <stdio.h>

#include "test/lib/db/ask.h"
#include "test/lib/test.h"

LANES();

TEST(test_failed)
{
	lanes_open(&w);
	ask_do(&w, "create table if not exists failing (a int constraint failing_a unique, "
	           "b int constraint failing_b unique deferrable initially deferred)");
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
	/* The implicit commit at the Sync may fail as well. */
	a = ask_text(&w, DB_WRITE, "insert into failing values (1, 1)");
	ask_system(a, NULL, "insert into failing values (2, 1)");
	assert_int_equal(ask_run(a), DB_FAILED);
	assert_string_equal(a->x.constraint, "failing_b");
	ask_free(a);
	assert_int_equal(ask_int(&w, "select count(*) from failing"), 0);
	/* No connection is left in a transaction: the rollback of a failed one follows its answer. */
	UNTIL(&w, ask_int(&w, "select count(*) from pg_stat_activity where state like 'idle in%'") == 0);
	ask_do(&w, "drop table failing");
}

TEST(test_session)
{
	w.config.lane_size[DB_WRITE] = 2;
	w.config.idle_in_transaction_ms = 1000;
	lanes_open(&w);
	ask_do(&w, "create table session (a int)");
	struct ask *a = ask_text(&w, DB_WRITE, "begin");
	ask_system(a, NULL, "insert into session values (1)");
	a->x.keep = true;
	assert_int_equal(ask_run(a), DB_OK);
	assert_non_null(a->x.session);
	assert_int_equal(ask_int(&w, "select count(*) from session"), 0);
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
	assert_int_equal(ask_int(&w, "select count(*) from session"), 1);
	/* Abandoned: rolled back, and the connection is free again. */
	for (int i = 0; i < 5; i++) {
		ask_restart(a);
		ask_system(a, NULL, "begin");
		ask_system(a, NULL, "insert into session values (2)");
		a->x.keep = true;
		assert_int_equal(ask_run(a), DB_OK);
		db_session_abandon(w.db, a->x.session);
		a->x.session = NULL;
	}
	/* Never returned: rolled back by the store; its owner learns of it with the next exchange. */
	int64_t began_us = clock_mono_us();
	assert_int_equal(ask_run(a), DB_OK);
	UNTIL(&w, ask_int(&w, "select count(*) from pg_stat_activity where state = 'idle in transaction'") == 0);
	assert_true(clock_mono_us() - began_us > 900000);
	assert_int_equal(ask_run(a), DB_UNAVAILABLE);
	assert_null(a->x.session);
	assert_int_equal(ask_int(&w, "select count(*) from session"), 1);
	/* A session whose connection broke. */
	assert_int_equal(ask_run(a), DB_OK);
	ask_int(
	    &w, "select count(pg_terminate_backend(pid)) from pg_stat_activity where state = 'idle in transaction'");
	assert_int_equal(ask_run(a), DB_UNAVAILABLE);
	assert_null(a->x.session);
	ask_free(a);
	assert_int_equal(ask_int(&w, "select count(*) from session"), 1);
	ask_do(&w, "drop table session");
}

/* No backend that sleeps for an hour ends by itself in this time. */
static void open_patiently(void)
{
	for (int lane = 0; lane < DB_LANES; lane++)
		w.config.statement_timeout_ms[lane] = w.config.deadline_ms[lane] = 300000;
	lanes_open(&w);
}

/* Ends the backends that run a matching sleep, from another connection; waits for them to sleep, as earlier would be
 * another case. */
static void terminate_backends(const char *pattern)
{
	char text[256];
	snprintf(text, sizeof text,
	    "select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid() "
	    "and query like '%s%%' and wait_event = 'PgSleep'",
	    pattern);
	UNTIL(&w, ask_int(&w, text) > 0);
}

TEST(test_terminated)
{
	static const struct {
		enum db_lane lane;
		const char *first, *sleep, *last;
		enum db_status status;
		int retried;
	} cases[] = {
	    {DB_POINT, NULL, "select first_sleeps()", NULL, DB_OK, 1},
	    {DB_ADMIT, NULL, "select first_sleeps()", NULL, DB_OK, 1},
	    /* Certainly nothing was committed: tried once more. */
	    {DB_WRITE, "begin", "select first_sleeps()", "commit", DB_OK, 1},
	    {DB_WRITE, NULL, "select first_sleeps()", NULL, DB_OK, 1},
	    {DB_WRITE, NULL, "insert into broken select 1 from first_sleeps()", NULL, DB_OK, 1},
	};

	open_patiently();
	ask_do(&w, "create table broken (a int)");
	ask_do(&w, "create sequence tried");
	ask_do(&w, "create function first_sleeps() returns int language plpgsql as $$ begin "
	           "if nextval('tried') = 1 then perform pg_sleep(3600); end if; return 1; end $$");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct db_stats before, after;
		db_stats_get(w.db, &before);
		ask_do(&w, "alter sequence tried restart");
		struct ask *a = ask_new(&w, cases[i].lane);
		if (cases[i].first)
			ask_system(a, NULL, cases[i].first);
		ask_system(a, NULL, cases[i].sleep);
		if (cases[i].last)
			ask_system(a, NULL, cases[i].last);
		ask_send(a);
		terminate_backends(cases[i].sleep);
		UNTIL(&w, a->done);
		assert_int_equal(a->x.status, cases[i].status);
		assert_null(a->x.session);
		ask_free(a);
		db_stats_get(w.db, &after);
		assert_int_equal(after.retried - before.retried, cases[i].retried);
	}
	assert_int_equal(ask_int(&w, "select count(*) from broken"), 1);
	/* Not repeated in a bound session, whose beginning is lost. */
	struct ask *a = ask_text(&w, DB_WRITE, "begin");
	a->x.keep = true;
	assert_int_equal(ask_run(a), DB_OK);
	ask_restart(a);
	ask_system(a, NULL, "insert into broken values (2)");
	ask_system(a, NULL, "select 'in session' from pg_sleep(3600)");
	ask_system(a, NULL, "commit");
	a->x.keep = false;
	ask_send(a);
	terminate_backends("select ''in session");
	UNTIL(&w, a->done);
	assert_int_equal(a->x.status, DB_UNAVAILABLE);
	assert_null(a->x.session);
	ask_free(a);
	assert_int_equal(ask_int(&w, "select count(*) from broken"), 1);
	ask_do(&w, "drop table broken");
	ask_do(&w, "drop function first_sleeps");
	ask_do(&w, "drop sequence tried");
}

TEST(test_commit_lost)
{
	open_patiently();
	/* A slow commit, by a deferred trigger, is killed: the outcome is unknown. */
	ask_do(&w, "create table slow_commit (a int)");
	ask_do(&w, "create function slow() returns trigger language plpgsql as "
	           "'begin perform pg_sleep(3600); return null; end'");
	ask_do(&w, "create constraint trigger slow after insert on slow_commit "
	           "deferrable initially deferred for each row execute function slow()");
	for (int implicit = 0; implicit < 2; implicit++) {
		struct ask *a = ask_new(&w, DB_WRITE);
		if (!implicit)
			ask_system(a, NULL, "begin");
		ask_system(a, NULL, "insert into slow_commit values (1)");
		if (!implicit)
			ask_system(a, NULL, "commit");
		ask_send(a);
		terminate_backends(implicit ? "insert into slow" : "commit");
		UNTIL(&w, a->done);
		assert_int_equal(a->x.status, DB_LOST);
		ask_free(a);
	}
	ask_do(&w, "drop table slow_commit; ");
	ask_do(&w, "drop function slow");
}

/* Load on every lane while the server stops and comes back. */
static void restart_under_load(bool immediate)
{
	struct ask *asks[60];

	lanes_config(&w);
	lanes_open(&w);
	for (int i = 0; i < 60; i++) {
		asks[i] = ask_text(&w, (enum db_lane)(i % DB_REPLICA), "select 1");
		asks[i]->times = 1000000;
		ask_send(asks[i]);
	}
	UNTIL(&w, w.ended > 500);
	assert_true(cluster_halt(lanes_cluster, immediate));
	UNTIL(&w, !db_ready(w.db));
	/* Down: an answer within a second or so, although the exchange may take ten minutes. */
	struct ask *a = ask_text(&w, DB_WRITE, "select 1");
	a->x.deadline_ms = 600000;
	assert_int_equal(ask_run(a), DB_UNAVAILABLE);
	a->x.deadline_ms = 0;
	assert_true(cluster_go_async(lanes_cluster));
	/* The first answer to a separate session says when the server accepts connections. */
	int64_t accepted_us = 0;
	while (!accepted_us) {
		if (cluster_sql(lanes_cluster, "select 1", NULL, 0))
			accepted_us = clock_mono_us();
		lanes_turn(&w);
	}
	UNTIL(&w, ask_run(a) == DB_OK);
	ask_free(a);
	UNTIL(&w, db_ready(w.db));
	/* The longest pause between two attempts is a second. Pauses that grow without an end would be longer. */
	assert_true(clock_mono_us() - accepted_us < 15 * 1000000);
	int ended = w.ended;
	UNTIL(&w, w.ended > ended + 500);
	/* Closing with all of these in flight ends each exactly once. */
	for (int i = 0; i < 60; i++) {
		asks[i]->times = 1;
		asks[i]->done = 0;
	}
	lanes_stop(&w);
	for (int i = 0; i < 60; i++) {
		assert_int_equal(asks[i]->done, 1);
		assert_true(
		    asks[i]->x.status == DB_LOST || asks[i]->x.status == DB_UNAVAILABLE || asks[i]->x.status == DB_OK);
		ask_free(asks[i]);
	}
}

TEST(test_restart)
{
	restart_under_load(false);
	restart_under_load(true);
}

TEST(test_no_server)
{
	w.config.url = "host=/nonexistent port=1";
	w.db = db_open(w.base, &w.config);
	for (int lane = 0; lane < DB_REPLICA; lane++) {
		struct ask *a = ask_text(&w, (enum db_lane)lane, "select 1");
		a->x.deadline_ms = 300;
		assert_int_equal(ask_run(a), DB_UNAVAILABLE);
		ask_free(a);
	}
	struct db_stats stats;
	db_stats_get(w.db, &stats);
	assert_false(db_ready(w.db));
	/* 1.5 s with pauses of 50, 100, 200, 400, 800 ms. */
	assert_in_range(stats.connect_failures, 3, 20);
	db_close(w.db);
	w.config.url = "no connection string";
	w.db = db_open(w.base, &w.config);
	struct ask *a = ask_text(&w, DB_WRITE, "select 1");
	a->x.deadline_ms = 200;
	assert_int_equal(ask_run(a), DB_UNAVAILABLE);
	ask_free(a);
}

static void close_in_done(struct db_exchange *x)
{
	struct ask *a = x->owner;
	a->done++;
	db_close(w.db);
	w.db = NULL;
}

TEST(test_close_in_done)
{
	lanes_open(&w);
	struct ask *a = ask_text(&w, DB_WRITE, "select 1");
	struct ask *b = ask_text(&w, DB_WRITE, "select pg_sleep(3600)");
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
}
