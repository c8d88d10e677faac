/* Several servers in the URL: the writable one is found, left when it stops being writable or answering, and found
 * again; none is used that another one has taken over from. Names are looked up without blocking. */
#include <arpa/inet.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/log.h"
#include "store/db_private.h"
#include "test/lib/db/ask.h"
#include "test/lib/db/standby.h"
#include "test/lib/http/nameserver.h"
#include "test/lib/server/nginx.h"
#include "test/lib/test.h"

LANES();

enum { REPLAY_MS = 60000, ATTEMPTS_MAX = 20 };

static struct cluster *standby;
static char url[512];

BEFORE_ALL()
{
	char error[CLUSTER_ERROR_SIZE];

	standby = cluster_standby(lanes_cluster, error);
	if (!standby)
		fail_msg("%s", error);
	/* These must exist on the standby. */
	assert_true(cluster_sql(lanes_cluster,
	    "create table written (n int); create function kith_server(out system_identifier bigint, "
	    "out timeline int) language sql as $$ select (select c.system_identifier from "
	    "pg_control_system() c), ('x' || "
	    "left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int $$; create function "
	    "kith_join(bigint, bigint) returns bigint language sql as 'select timeline from "
	    "kith_server()'",
	    NULL, 0));
}

AFTER_ALL()
{
	cluster_stop(standby);
}

/* Lanes with a list of hosts. */
static void config_of(const char *hosts, const char *ports)
{
	lanes_config(&w);
	snprintf(url, sizeof url, "host=%s port=%s user=postgres dbname=postgres", hosts, ports);
	w.config.url = url;
}

static void config_both(void)
{
	char hosts[256];

	snprintf(hosts, sizeof hosts, "%s,%s", cluster_socket_dir(standby), cluster_socket_dir(lanes_cluster));
	config_of(hosts, "5432");
}

/* Every lane is connected to a writable server. A connection may still notice that it was ended before. */
static void expect_writer(void)
{
	for (int lane = 0; lane < DB_REPLICA; lane++) {
		struct ask *a = ask_text(&w, (enum db_lane)lane, "select pg_is_in_recovery()");
		UNTIL(&w, ask_run(a) == DB_OK);
		assert_false(db_bool(&a->x, 0, 0, 0));
		ask_free(a);
	}
	UNTIL(&w, ask_once(&w, DB_WRITE, "insert into written values (1)") == DB_OK);
}

TEST(test_standby_first)
{
	config_both();
	lanes_open(&w);
	assert_int_equal(w.db->retry_at_us, 0); /* the second one was tried without a pause */
	expect_writer();
}

static void turn_for(int ms)
{
	for (int64_t end_us = clock_mono_us() + ms * INT64_C(1000); clock_mono_us() < end_us;)
		lanes_turn(&w);
}

/* A single standby is not accepted, unless the URL allows it. */
TEST(test_standby_alone)
{
	struct db_stats stats;

	config_of(cluster_socket_dir(standby), "5432");
	w.db = db_open(w.base, &w.config);
	UNTIL(&w, (db_stats_get(w.db, &stats), stats.connect_failures >= 3));
	assert_false(db_ready(w.db));
	assert_int_equal(ask_once(&w, DB_POINT, "select 1::int8"), DB_UNAVAILABLE);
	config_of(cluster_socket_dir(standby), "5432 target_session_attrs=any");
	lanes_open(&w);
	assert_int_equal(ask_int(&w, "select 1::int8"), 1);
}

/* A server that starts refusing writes is not used any more, although its connections remain. */
TEST(test_fenced)
{
	config_both();
	lanes_open(&w);
	expect_writer();
	assert_true(cluster_set(lanes_cluster, "default_transaction_read_only", "on"));
	/* The postmaster signals its backends one after another. */
	enum db_status status;
	while ((status = ask_once(&w, DB_WRITE, "insert into written values (2)")) == DB_OK)
		;
	assert_int_equal(status, DB_UNAVAILABLE);
	UNTIL(&w, !db_ready(w.db));
	turn_for(200);
	assert_false(db_ready(w.db));
	assert_true(cluster_set(lanes_cluster, "default_transaction_read_only", "off"));
	UNTIL(&w, db_ready(w.db));
	expect_writer();
}

/* A host that accepts and says nothing is tried last from then on. */
TEST(test_silent_first)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof address;
	char hosts[256], ports[32];
	int silent = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(silent, (struct sockaddr *)&address, len), 0);
	assert_int_equal(listen(silent, 64), 0);
	assert_int_equal(getsockname(silent, (struct sockaddr *)&address, &len), 0);
	snprintf(hosts, sizeof hosts, "127.0.0.1,%s", cluster_socket_dir(lanes_cluster));
	snprintf(ports, sizeof ports, "%d,5432", ntohs(address.sin_port));
	config_of(hosts, ports);
	lanes_open(&w);
	assert_true(w.db->hosts.list[0].silent);
	assert_false(w.db->hosts.list[1].silent);
	expect_writer();
	lanes_stop(&w);
	close(silent);
}

/* Ends the primary. */
TEST(test_promotion)
{
	struct db_stats before, after;
	config_both();
	lanes_open(&w);
	expect_writer();
	assert_true(cluster_halt(lanes_cluster, true));
	UNTIL(&w, !db_ready(w.db));
	db_stats_get(w.db, &before);
	turn_for(1500); /* so that the pauses between attempts reach their maximum */
	db_stats_get(w.db, &after);
	assert_true(after.connect_failures < before.connect_failures + ATTEMPTS_MAX);
	assert_true(cluster_promote(standby));
	UNTIL(&w, db_ready(w.db));
	expect_writer();
}

/* Ends when every lane is connected to a server that accepts writes. */
static void expect_found(void)
{
	UNTIL(&w, db_ready(w.db) && ask_once(&w, DB_WRITE, "insert into written values (3)") == DB_OK);
	expect_writer();
}

/* Waits until all connections are up: one that is being made would notice that the server hangs. */
static void expect_all_up(void)
{
	struct db_stats stats;
	int lane = 0;

	while (lane < DB_LANES) {
		UNTIL(&w, (db_stats_get(w.db, &stats), stats.connected[lane] == w.config.lane_size[lane]));
		lane++;
	}
}

/* The old primary follows the new one, confirms its commits, and takes over when that one hangs, with connections
 * that stay open and say nothing. */
TEST(test_frozen)
{
	assert_true(standby_rejoin(lanes_cluster, standby));
	assert_true(standby_synchronous(standby, true));
	config_both();
	w.config.join = true;
	lanes_open(&w);
	expect_writer();
	expect_all_up();
	assert_true(standby_await_replay(standby, REPLAY_MS));
	standby_freeze(standby);
	assert_true(cluster_promote(lanes_cluster));
	struct ask *late = ask_text(&w, DB_LIST, "select 1::int8");
	ask_send(late);
	/* no deadline of an exchange: nothing is under way on the other lanes */
	UNTIL(&w, late->done);
	expect_found();
	ask_free(late);

	/* It wakes up, and would accept writes again. */
	standby_thaw(standby);
	assert_true(cluster_halt(lanes_cluster, false));
	turn_for(1500);
	assert_false(db_ready(w.db));
	assert_true(cluster_go(lanes_cluster));
	expect_found();
	char out[64];
	assert_true(cluster_sql(standby, "select count(*) from written where n = 3", out, sizeof out));
	assert_string_equal(out, "0");
}

/* libpq would end its attempt where a login is refused. */
TEST(test_refused_login)
{
	assert_true(cluster_program(
	    standby, (const char *const[]){"/bin/sh", "-c", "echo local all all reject >\"$0/pg_hba.conf\"",
	                 cluster_data(standby), NULL}));
	assert_true(cluster_restart(standby, false));
	config_both();
	lanes_open(&w);
	expect_writer();
}

/* The primary does not respond until it is asked whether it answers. */
static void expect_asked(void)
{
	struct lane_stats point;

	standby_freeze(lanes_cluster);
	UNTIL(&w, (db_lane_stats(w.db, DB_POINT, &point), point.in_flight > 0));
	standby_thaw(lanes_cluster);
}

static void count_turn(evutil_socket_t fd, short what, void *arg)
{
	(void)fd, (void)what;
	++*(int *)arg;
}

/* A name that DNS does not answer does not stop the loop, and the next one is tried; addresses once found are used
 * when DNS has gone. */
TEST(test_names)
{
	struct nameserver *names = nameserver_start();
	char ports[32];
	int turns = 0;
	int port = nginx_free_port();
	assert_true(cluster_listen(lanes_cluster, port));
	nameserver_set(names, "gone.test", "silent");
	nameserver_set(names, "db.test", "127.0.0.1");
	snprintf(ports, sizeof ports, "%d", port);
	config_of("gone.test,db.test", ports);
	w.config.nameservers = nameserver_address(names);
	struct event *timer = event_new(w.base, -1, EV_PERSIST, count_turn, &turns);
	event_add(timer, &(struct timeval){.tv_usec = 20000});
	lanes_open(&w);
	assert_true(turns > 10);
	expect_writer();
	int asked = nameserver_asked(names, "db.test");
	nameserver_set(names, "db.test", "silent");
	ask_once(&w, DB_WORK, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kith'");
	expect_found();
	UNTIL(&w, nameserver_asked(names, "db.test") > asked); /* it might lead to another server now */
	event_free(timer);
	/* so one name is enough for the server to be asked when it does not respond */
	nameserver_set(names, "db.test", "127.0.0.1");
	config_of("db.test", ports);
	w.config.nameservers = nameserver_address(names);
	lanes_open(&w);
	expect_asked();
	lanes_stop(&w);
	nameserver_stop(names);
	assert_true(cluster_restart(lanes_cluster, false));
}
