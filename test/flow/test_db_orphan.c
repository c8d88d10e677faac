/* Backends whose client stopped responding: which of them are ended, by a login that is not a superuser, with lanes
 * that act as another role, as in kith serve. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/db_private.h"
#include "test/lib/db/ask.h"
#include "test/lib/db/proxy.h"
#include "test/lib/server/directory.h"
#include "test/lib/test.h"

LANES();

static char proxy_dir[DIRECTORY_SIZE], url[512];
static struct proxy *proxy;
static bool joining; /* connections ask for the generation first */

static void lanes_plain(void)
{
	lanes_config(&w);
	w.config.url = url;
	for (int lane = 0; lane < DB_LANES; lane++)
		w.config.roles[lane] = "orphan_lane";
	w.config.join = joining;
	lanes_open(&w);
}

static int64_t count_locks(void)
{
	return ask_int(&w, "select count(*) from pg_locks where locktype = 'advisory'");
}

/* PostgreSQL gets everything before the last statement, which the proxy takes for a COMMIT, and no more. */
static void half_arrives(enum db_lane lane, const char *first, const char *last)
{
	lanes_plain();
	struct ask *a = ask_text(&w, lane, first);
	ask_system(a, NULL, "select pg_advisory_xact_lock(77)");
	ask_system(a, NULL, last);
	a->x.deadline_ms = 1500;
	proxy_set(proxy, PROXY_HALF);
	ask_send(a);
	UNTIL(&w, count_locks() == 1);
	UNTIL(&w, a->done);
	assert_int_equal(a->x.status, DB_LOST);
	UNTIL(&w, count_locks() == 0);
	ask_free(a);
}

TEST(test_half_of_a_transaction)
{
	half_arrives(DB_WRITE, "begin", "commit");
}

TEST(test_half_of_shared)
{
	half_arrives(DB_ADMIT, "select 1", "select 1 as commit");
}

static int64_t by_superuser(const char *sql)
{
	char out[32];
	assert_true(cluster_sql(lanes_cluster, sql, out, sizeof out));
	return strtoll(out, NULL, 10);
}

/* After a failover the pid may be another process, which may be older than ours was: no backend of an older generation
 * is ended. */
TEST(test_of_another_server)
{
	static const char looked[] =
	    "select count(*) from pg_stat_activity where query like 'select a.pid, case when a.wait_event%'";
	static const char held[] = "select count(*) from pg_locks where locktype = 'advisory'";

	joining = true;
	half_arrives(DB_WRITE, "begin", "commit"); /* but of the current one */
	lanes_plain();
	struct ask *a = ask_text(&w, DB_WRITE, "begin");
	ask_system(a, NULL, "select pg_advisory_xact_lock(77)");
	ask_system(a, NULL, "commit");
	a->x.deadline_ms = 1500;
	proxy_set(proxy, PROXY_HALF);
	ask_send(a);
	UNTIL(&w, by_superuser(held) == 1);
	by_superuser("with g as (update orphan_generation set g = g + 1 returning g) select g from g");
	UNTIL(&w, a->done);
	assert_int_equal(a->x.status, DB_LOST);
	UNTIL(&w, by_superuser(looked) > 0);
	assert_int_equal(by_superuser(held), 1);
	by_superuser("select count(pg_terminate_backend(pid)) from pg_locks where locktype = 'advisory'");
	ask_free(a);
	joining = false;
}

/* What PostgreSQL has received in full is completed, long after we stopped waiting for it. */
TEST(test_works_on)
{
	lanes_plain();
	struct ask *a = ask_text(&w, DB_WRITE, "insert into orphan_work select 1 from pg_sleep(4)");
	a->x.deadline_ms = 500;
	assert_int_equal(ask_run(a), DB_LOST);
	assert_int_equal(ask_int(&w, "select count(*) from orphan_work"), 0);
	UNTIL(&w, ask_int(&w, "select count(*) from orphan_work") == 1);
	ask_free(a);
}

/* Work that cannot have an effect is ended: a read, and a transaction without its COMMIT. */
TEST(test_works_in_vain)
{
	static const enum db_lane lanes[] = {DB_LIST, DB_WRITE};

	lanes_plain();
	for (int i = 0; i < 2; i++) {
		struct ask *a = ask_text(&w, lanes[i], i ? "begin" : "select 1");
		ask_system(a, NULL, "select set_config('statement_timeout', '60s', true)");
		ask_system(a, NULL, "select pg_advisory_xact_lock(78)");
		ask_system(a, NULL, "select pg_sleep(60)");
		a->x.deadline_ms = 700;
		ask_send(a);
		UNTIL(&w, count_locks() == 1);
		UNTIL(&w, a->done);
		assert_int_equal(a->x.status, DB_LOST);
		UNTIL(&w, count_locks() == 0);
		ask_free(a);
	}
}

/* After a minute the pid may be another backend's, which is younger than the lost connection: it is not ended. */
TEST(test_of_a_reused_pid)
{
	static const char looked[] =
	    "select count(*) from pg_stat_activity where query like 'select a.pid, case when a.wait_event%'";
	int64_t pid;

	lanes_plain();
	struct ask *a = ask_text(&w, DB_LIST, "select pg_backend_pid()::bigint");
	assert_int_equal(ask_run(a), DB_OK);
	pid = db_int(&a->x, 0, 0, 0);
	struct conn lost = {
	    .db = w.db, .lane = DB_LIST, .backend_pid = (int)pid, .up_us = clock_mono_us() - 60 * INT64_C(1000000)};
	orphan_add(&lost);
	UNTIL(&w, by_superuser(looked) > 0);
	ask_restart(a);
	ask_system(a, NULL, "select pg_backend_pid()::bigint");
	assert_int_equal(ask_run(a), DB_OK);
	assert_int_equal(db_int(&a->x, 0, 0, 0), pid);
	ask_free(a);
}

BEFORE_ALL()
{
	char out[64];

	assert_true(directory_make("orphan", proxy_dir));
	proxy = proxy_start(proxy_dir, cluster_socket_dir(lanes_cluster));
	snprintf(url, sizeof url, "host=%s port=5432 user=orphan_login dbname=postgres", proxy_dir);
	assert_true(cluster_sql(lanes_cluster,
	    "create role orphan_login login; create role orphan_lane; grant orphan_lane to orphan_login; "
	    "create table orphan_work (a int); grant all on orphan_work to orphan_lane; "
	    "create table orphan_generation as select bigint '1' as g; grant select on orphan_generation to "
	    "public; "
	    "create function kith_generation() returns bigint language sql as 'select g from "
	    "orphan_generation'; "
	    "create function kith_join(bigint, bigint) returns bigint language sql as 'select "
	    "kith_generation()'; "
	    "create function kith_server(out system_identifier bigint, out timeline int) language sql as "
	    "'select 1, 1'",
	    out, sizeof out));
}

AFTER_ALL()
{
	proxy_stop(proxy);
	rmdir(proxy_dir);
}
