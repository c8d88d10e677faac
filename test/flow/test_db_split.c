/* Split brain: several servers of the URL accept writes. The one of the latest timeline is used, at a start, at a
 * reconnect and within seconds while connected to an earlier one; of two on one timeline neither is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "store/db_private.h"
#include "test/lib/db/ask.h"
#include "test/lib/db/standby.h"
#include "test/lib/http/nameserver.h"
#include "test/lib/patience.h"
#include "test/lib/server/nginx.h"
#include "test/lib/test.h"

LANES();

/* lanes_cluster is the old primary. second and third are promoted from it, each to timeline 2; fourth follows second.
 * foreign has nothing to do with them. */
static struct cluster *second, *third, *fourth, *foreign;

/* More than PAUSED_MS and GIVE_UP_MS of db_survey.c. */
enum { PAUSE_MS = 2200, SLOW_MS = 600, SURVEYS = 80 };

#define END_ALL "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kith'"

static bool joins = true;

static bool make_functions(struct cluster *c)
{
	return cluster_sql(c,
	    "create function kith_server(out system_identifier bigint, out timeline int) language sql as $$ select "
	    "(select c.system_identifier from pg_control_system() c), ('x' || "
	    "left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int $$; create function "
	    "kith_join(bigint, bigint) returns bigint language sql as 'select timeline from kith_server()'; create "
	    "function here() returns int language sql as 'select timeline from kith_server()'",
	    NULL, 0);
}

/* Each case goes on from what the one before has left. */
BEFORE_ALL()
{
	char error[CLUSTER_ERROR_SIZE];

	assert_true(make_functions(lanes_cluster));
	second = cluster_standby(lanes_cluster, error);
	third = cluster_standby(lanes_cluster, error);
	assert_true(second && third);
}

AFTER_ALL()
{
	cluster_stop(second);
	cluster_stop(third);
	cluster_stop(fourth);
	cluster_stop(foreign);
}

/* The servers in this order; NULL: no further one. */
static void open_configured(const struct cluster *a, const struct cluster *b, const struct cluster *c)
{
	char url[512];

	snprintf(url, sizeof url, "host=%s%s%s%s%s user=postgres dbname=postgres", cluster_socket_dir(a), b ? "," : "",
	    b ? cluster_socket_dir(b) : "", c ? "," : "", c ? cluster_socket_dir(c) : "");
	w.config.url = url;
	w.config.join = joins;
	w.db = db_open(w.base, &w.config);
	w.config.url = NULL;
}

static void open_servers(const struct cluster *a, const struct cluster *b, const struct cluster *c)
{
	lanes_config(&w);
	open_configured(a, b, c);
}

/* Every lane leads to a server on that timeline. A connection may still notice that it was ended before. */
static void expect_timeline(int64_t timeline)
{
	for (int lane = 0; lane < DB_REPLICA; lane++) {
		struct ask *a = ask_text(&w, (enum db_lane)lane, "select here()::int8");
		UNTIL(&w, ask_run(a) == DB_OK);
		assert_int_equal(db_int(&a->x, 0, 0, 0), timeline);
		ask_free(a);
	}
}

static void expect_used(int64_t timeline)
{
	UNTIL(&w, db_ready(w.db));
	expect_timeline(timeline);
}

/* None is used for now, for that reason. */
static void expect_none(const char *reason)
{
	struct db_stats stats;

	UNTIL(&w, (db_stats_get(w.db, &stats), stats.connect_failures >= 6));
	assert_false(db_ready(w.db));
	assert_int_equal(stats.connects, 0);
	if (!strstr(db_away(w.db), reason))
		fail_msg("%s", db_away(w.db));
}

/* One server that is named twice is not two. */
TEST(test_twice)
{
	open_servers(lanes_cluster, second, lanes_cluster);
	expect_used(1);
}

/* One that is being made when the others break would lead back to the same server. */
static void until_all_up(void)
{
	struct db_stats stats;

	for (int lane = 0; lane < DB_LANES; lane++)
		UNTIL(&w, (db_stats_get(w.db, &stats), stats.connected[lane] == w.config.lane_size[lane]));
}

/* The process, or its machine, stands still while it asks, and the standby is promoted in that time. Promotes the third
 * server. */
TEST(test_paused)
{
	int64_t until_us;

	standby_freeze(third);
	open_servers(lanes_cluster, third, NULL);
	UNTIL(&w, w.db->hosts.list[1].asked);
	for (int i = 0; i < 6; i++) /* the old primary answers */
		lanes_turn(&w);
	assert_false(db_ready(w.db));
	until_us = patience_ms(PAUSE_MS);
	standby_thaw(third);
	assert_true(cluster_promote(third));
	while (patience_pause(until_us))
		;
	expect_used(2);
}

/* A standby is promoted while the primary goes on: connections that never break lead to the new one all the same, also
 * when it did not answer before, and takes longer now than anybody who wants to connect would wait for it. Promotes the
 * second server. */
TEST(test_connected)
{
	int64_t slow_us;
	bool again = false;

	open_servers(lanes_cluster, second, NULL);
	UNTIL(&w, db_ready(w.db));
	expect_timeline(1);
	assert_true(cluster_promote(second));
	standby_freeze(second);
	w.db->hosts.list[1].silent = true;
	w.db->hosts.list[1].asked = false;
	UNTIL(&w, w.db->hosts.list[1].asked);
	slow_us = patience_ms(SLOW_MS);
	UNTIL(&w, clock_mono_us() > slow_us);
	standby_thaw(second);
	/* The first look is enough: before a second one, nothing is asked. */
	UNTIL(&w, (again |= !w.db->hosts.list[1].asked, w.db->server.timeline == 2));
	assert_false(again);
	expect_used(2);
}

TEST(test_start)
{
	open_servers(lanes_cluster, second, NULL);
	expect_used(2);
	open_servers(second, lanes_cluster, NULL);
	expect_used(2);
	joins = false; /* as kith migrate, before the tables are there */
	open_servers(lanes_cluster, second, NULL);
	expect_used(2);
	joins = true;
}

/* A connection that was being made when a survey began has succeeded meanwhile, and the survey found the old primary.
 * It is not used for a later attempt. */
TEST(test_overtaken)
{
	assert_true(cluster_halt(second, false));
	open_servers(lanes_cluster, second, NULL);
	until_all_up();
	conn_break(&w.db->lanes[DB_LIST].conns[0]);
	UNTIL(&w, !w.db->healthy);
	w.db->healthy = true;
	until_all_up();
	expect_timeline(1);
	assert_true(cluster_go(second));
	ask_once(&w, DB_WORK, END_ALL);
	UNTIL(&w, !db_ready(w.db));
	expect_used(2);
}

/* The later primary is out of reach, but a standby receives its log. */
TEST(test_followed)
{
	char error[CLUSTER_ERROR_SIZE];

	assert_true(fourth = cluster_standby(second, error));
	assert_true(standby_await(second, 1, 20000));
	assert_true(cluster_sql(second, "create table followed (n int)", NULL, 0));
	assert_true(standby_await_replay(second, 20000));
	open_servers(lanes_cluster, fourth, NULL);
	expect_none("an old primary");
}

/* A standby of another cluster proves nothing; a primary of another one is not a later one, whatever its timeline. */
TEST(test_foreign)
{
	char error[CLUSTER_ERROR_SIZE];

	assert_true(foreign = cluster_start(error));
	assert_true(make_functions(foreign));
	open_servers(foreign, fourth, NULL);
	expect_used(1);
	open_servers(foreign, second, NULL);
	expect_none("belong to different clusters");
}

TEST(test_one_timeline)
{
	open_servers(lanes_cluster, second, third);
	expect_none("both accept writes on timeline 2");
	assert_true(cluster_halt(third, false));
	expect_used(2);
	assert_true(cluster_go(third));
	/* a third timeline stands above both */
	assert_true(cluster_promote(fourth));
	open_servers(second, third, fourth);
	expect_used(3);
}

/* A standby that was promoted by mistake and set back follows nobody: the primary is on an earlier timeline than it. It
 * tries to, many times in a second. */
TEST(test_set_back)
{
	struct db_stats stats;

	assert_true(cluster_set(third, "wal_retrieve_retry_interval", "1ms"));
	assert_true(cluster_halt(third, false));
	assert_true(cluster_program(
	    third, (const char *const[]){"/bin/sh", "-c", ">\"$0/standby.signal\"", cluster_data(third), NULL}));
	assert_true(cluster_go(third));
	for (int i = 0; i < SURVEYS; i++) {
		lanes_config(&w);
		for (int lane = 0; lane < DB_LANES; lane++)
			w.config.lane_size[lane] = lane == DB_WORK;
		open_configured(lanes_cluster, third, NULL);
		UNTIL(&w, db_ready(w.db));
		db_stats_get(w.db, &stats);
		assert_int_equal(stats.connect_failures, 0);
	}
	/* Its attempts may keep the primary from stopping. */
	assert_true(cluster_halt(third, true));
}

static void open_name(struct nameserver *names, int port)
{
	char url[128];

	snprintf(url, sizeof url, "host=db.test port=%d user=postgres dbname=postgres", port);
	lanes_config(&w);
	w.config.url = url;
	w.config.join = true;
	w.config.nameservers = nameserver_address(names);
	w.db = db_open(w.base, &w.config);
	w.config.url = NULL;
}

/* A name that leads to the old primary, and then to the new one, though connections do not break; and one with the
 * addresses of both. Starts servers with other ports. */
TEST(test_name)
{
	struct nameserver *names = nameserver_start();

	int port = nginx_free_port();
	assert_true(cluster_listen(lanes_cluster, port));
	assert_true(cluster_listen_at(second, "127.0.0.2", port));
	nameserver_set(names, "db.test", "127.0.0.1");
	open_name(names, port);
	UNTIL(&w, db_ready(w.db));
	expect_timeline(1);
	nameserver_set(names, "db.test", "127.0.0.2");
	UNTIL(&w, w.db->server.timeline == 2 && db_ready(w.db));
	expect_used(2);
	nameserver_set(names, "db.test", "127.0.0.1 127.0.0.2");
	open_name(names, port);
	expect_used(2);

	/* connections break before the next look: the address found before is not used while DNS answers */
	nameserver_set(names, "db.test", "127.0.0.1");
	open_name(names, port);
	until_all_up();
	nameserver_set(names, "db.test", "127.0.0.2");
	ask_once(&w, DB_WORK, END_ALL);
	UNTIL(&w, !db_ready(w.db));
	expect_used(2);

	/* DNS gives the addresses in another order while they are asked */
	nameserver_set(names, "db.test", "127.0.0.1 127.0.0.2");
	open_name(names, port);
	UNTIL(&w, w.db->hosts.list->asked);
	free(w.db->hosts.list->found);
	w.db->hosts.list->found = mem_dupz("127.0.0.2,127.0.0.1");
	expect_used(2);
	nameserver_stop(names);
}
