/* Fair turns: several workspaces share a lane, and one of them asks for more than the lane has. */
#include <stdlib.h>
#include <string.h>

#include "test/lib/db/ask.h"
#include "test/lib/test.h"

LANES();

enum { MANY = 2000 };

/* An exchange of a workspace, identified by a number. */
static struct ask *ask_of(enum db_lane lane, unsigned char workspace, const char *text)
{
	struct ask *a = ask_new(&w, lane);
	struct uuid id = {{0, 9}};
	id.b[15] = workspace;
	sql_begin(&a->sql[0], &a->arena, NULL, &id);
	sql_addf(&a->sql[0], "select $1::uuid as workspace_id, (%s)::text", text);
	a->list[0] = &a->sql[0];
	a->x.n_statements = 1;
	return a;
}

static struct ask *send_of(enum db_lane lane, unsigned char workspace, const char *text)
{
	struct ask *a = ask_of(lane, workspace, text);
	ask_send(a);
	return a;
}

/* It succeeds while the others hold what they have. */
static void expect_served(enum db_lane lane, unsigned char workspace)
{
	struct ask *a = ask_of(lane, workspace, "1");
	assert_int_equal(ask_run(a), DB_OK);
	ask_free(a);
}

#define WAITS "pg_advisory_xact_lock_shared(7)" /* until let_go() */

static struct ask *hold_on(enum db_lane lane)
{
	struct ask *a = ask_text(&w, lane, "begin");
	ask_system(a, NULL, "select pg_advisory_xact_lock(7)");
	a->x.keep = true;
	assert_int_equal(ask_run(a), DB_OK);
	return a;
}

static struct ask *hold_lane(void)
{
	return hold_on(DB_WORK);
}

static void let_go(struct ask *a)
{
	ask_restart(a);
	ask_system(a, NULL, "commit");
	a->x.keep = false;
	assert_int_equal(ask_run(a), DB_OK);
	ask_free(a);
}

static int64_t waiting_in_database(void)
{
	return ask_int(&w, "select count(*) from pg_locks where locktype = 'advisory' and not granted");
}

static void ended_well(struct ask **asks, int n)
{
	for (int i = 0; i < n; i++) {
		UNTIL(&w, asks[i]->done);
		assert_int_equal(asks[i]->x.status, DB_OK);
		ask_free(asks[i]);
	}
}

/* One workspace's exchanges never end, and it queues more: another one finds a connection at once, and a third one
 * as well while the second holds one. */
TEST(test_others_find_one)
{
	static const struct {
		enum db_lane lane;
		int most; /* of one workspace */
	} cases[] = {{DB_LIST, 2}, {DB_WRITE, 8}};

	lanes_open(&w);
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		enum db_lane lane = cases[c].lane;
		struct ask *asks[30], *lock = hold_lane();
		struct db_stats stats;
		UNTIL(&w, (db_stats_get(w.db, &stats), stats.connected[lane] == w.config.lane_size[lane]));
		for (int i = 0; i < 30; i++)
			asks[i] = send_of(lane, 1, WAITS);
		UNTIL(&w, waiting_in_database() == cases[c].most);
		for (int i = 0; i < 5; i++) {
			expect_served(lane, 2);
			expect_served(lane, 3);
		}
		assert_int_equal(ask_once(&w, lane, "select 1"), DB_OK); /* without a workspace */
		assert_int_equal(waiting_in_database(), cases[c].most);
		let_go(lock);
		ended_well(asks, 30);
	}
}

/* The same with transactions left open between exchanges: connections are held although nothing runs. */
TEST(test_open_transactions)
{
	struct ask *asks[20];
	int open = 0;

	lanes_open(&w);
	for (int i = 0; i < 20; i++) {
		asks[i] = ask_of(DB_WRITE, 1, "1");
		asks[i]->x.keep = true;
		ask_send(asks[i]);
	}
	UNTIL(&w, w.ended == 8);
	expect_served(DB_WRITE, 2);
	for (int i = 0; i < 20; i++)
		open += asks[i]->x.session != NULL;
	assert_int_equal(open, 8);
	/* Each one returned lets the next begin. */
	for (int i = 0; i < 20; i++) {
		UNTIL(&w, asks[i]->done);
		assert_int_equal(asks[i]->x.status, DB_OK);
		db_session_abandon(w.db, asks[i]->x.session);
		ask_free(asks[i]);
	}
}

/* While another workspace waits, one that holds half of the lane or more gets no further connection. */
TEST(test_half)
{
	struct ask *a[6], *b[3];

	w.config.lane_size[DB_WRITE] = 4;
	w.config.lane_spare[DB_WRITE] = 0;
	lanes_open(&w);
	struct db_stats stats;
	UNTIL(&w, (db_stats_get(w.db, &stats), stats.connected[DB_WRITE] == 4));
	for (int i = 0; i < 6; i++) {
		a[i] = ask_of(DB_WRITE, 1, "1");
		a[i]->x.keep = true;
		ask_send(a[i]);
	}
	for (int i = 0; i < 3; i++) {
		b[i] = ask_of(DB_WRITE, 2, "1");
		b[i]->x.keep = true;
		ask_send(b[i]);
	}
	UNTIL(&w, w.ended == 4); /* without others it gets all of them */
	assert_false(a[4]->done || b[0]->done);
	for (int i = 0; i < 2; i++) {
		db_session_abandon(w.db, a[i]->x.session);
		UNTIL(&w, b[i]->done);
		assert_false(a[4]->done || b[i + 1]->done);
	}
	/* Half each: whichever returns one may have it again. */
	db_session_abandon(w.db, b[0]->x.session);
	UNTIL(&w, b[2]->done);
	assert_false(a[4]->done);
	for (int i = 2; i < 6; i++) {
		UNTIL(&w, a[i]->done);
		db_session_abandon(w.db, a[i]->x.session);
	}
	for (int i = 0; i < 6; i++)
		ask_free(a[i]);
	for (int i = 0; i < 3; i++) {
		if (i)
			db_session_abandon(w.db, b[i]->x.session);
		ask_free(b[i]);
	}
}

/* The exchange's place in the order of all that ask for a number. */
#define NUMBER "nextval('turn')"

static long number_of(const struct ask *a)
{
	return strtol(db_text(&a->x, 0, 0, 1, NULL), NULL, 10);
}

/* A single connection is shared in turns. */
TEST(test_one_connection)
{
	static const unsigned char whose[] = {1, 1, 1, 1, 1, 2, 2, 3};
	static const int turn[] = {1, 4, 6, 7, 8, 2, 5, 3};
	struct ask *asks[8];

	w.config.lane_size[DB_LIST] = 1;
	lanes_open(&w);
	ask_do(&w, "create sequence turn");
	struct ask *lock = hold_lane(), *first = send_of(DB_LIST, 1, WAITS);
	for (int i = 0; i < 8; i++)
		asks[i] = send_of(DB_LIST, whose[i], NUMBER);
	let_go(lock);
	ended_well(&first, 1);
	for (int i = 0; i < 8; i++) {
		UNTIL(&w, asks[i]->done);
		assert_int_equal(number_of(asks[i]), turn[i]);
	}
	ended_well(asks, 8);
	ask_do(&w, "drop sequence turn");
}

/* A shared pipeline: an exchange behind thousands of another workspace waits for those already sent, not for all. */
TEST(test_pipeline)
{
	struct ask **asks = calloc(MANY, sizeof *asks), *other;

	assert_non_null(asks);
	w.config.lane_size[DB_POINT] = 1;
	lanes_open(&w);
	ask_do(&w, "create sequence turn");
	for (int i = 0; i < MANY; i++)
		asks[i] = send_of(DB_POINT, 1, NUMBER);
	db_flush(w.db);
	other = send_of(DB_POINT, 2, NUMBER);
	UNTIL(&w, other->done);
	assert_true(number_of(other) < MANY / 2);
	ended_well(&other, 1);
	ended_well(asks, MANY);
	free(asks);
	ask_do(&w, "drop sequence turn");
}

/* Exchanges with large results hold up nothing on a shared lane: small reads use the other connections. */
TEST(test_bulk)
{
	struct ask *small[8], *bulk;
	struct db_stats stats;

	w.config.lane_size[DB_POINT] = 2;
	lanes_open(&w);
	struct ask *lock = hold_lane();
	UNTIL(&w, (db_stats_get(w.db, &stats), stats.connected[DB_POINT] == 2));
	bulk = ask_of(DB_POINT, 1, WAITS);
	bulk->x.bulk = true;
	ask_send(bulk);
	UNTIL(&w, waiting_in_database() == 1);
	for (int i = 0; i < 8; i++)
		small[i] = send_of(DB_POINT, 2, "1");
	ended_well(small, 8);
	assert_false(bulk->done);
	let_go(lock);
	ended_well(&bulk, 1);
}

static int count_refused(struct ask **asks, int n)
{
	int count = 0;
	for (int i = 0; i < n; i++)
		count += asks[i]->done && asks[i]->x.status == DB_BUSY;
	return count;
}

/* A full queue refuses exchanges of the workspace with the most in it, latest first. */
TEST(test_full_queue)
{
	struct ask *a[10], *b[4], *c;

	w.config.lane_size[DB_WRITE] = 1;
	w.config.queue_max[DB_WRITE] = 6;
	lanes_open(&w);
	struct ask *lock = hold_lane(), *first = send_of(DB_WRITE, 1, WAITS);
	for (int i = 0; i < 10; i++)
		a[i] = send_of(DB_WRITE, 1, "1");
	UNTIL(&w, count_refused(a, 10) == 4);
	for (int i = 0; i < 4; i++)
		b[i] = send_of(DB_WRITE, 2, "1");
	UNTIL(&w, count_refused(a, 10) == 7 && count_refused(b, 4) == 1); /* three each */
	c = send_of(DB_WRITE, 3, "1");
	UNTIL(&w, count_refused(a, 10) + count_refused(b, 4) == 9);
	assert_false(c->done);
	let_go(lock);
	ended_well(&first, 1);
	ended_well(&c, 1);
	UNTIL(&w, a[0]->done && a[1]->done && b[0]->done && b[1]->done);
	for (int i = 0; i < 10; i++) {
		UNTIL(&w, a[i]->done);
		ask_free(a[i]);
	}
	for (int i = 0; i < 4; i++) {
		UNTIL(&w, b[i]->done);
		ask_free(b[i]);
	}
}

/* One whose connection was lost had its turn: it runs before those that came later. */
TEST(test_again_first)
{
	static const char now[] = "concat(" WAITS ", to_char(clock_timestamp(), 'YYYYMMDDHH24MISSUS'))";
	struct ask *a[2];

	w.config.lane_size[DB_WRITE] = 1;
	lanes_open(&w);
	struct ask *lock = hold_lane();
	for (int i = 0; i < 2; i++)
		a[i] = send_of(DB_WRITE, 1, now);
	UNTIL(&w, waiting_in_database() == 1);
	assert_int_equal(ask_int(&w, "select count(pg_terminate_backend(pid)) from pg_locks where not granted"), 1);
	UNTIL(&w, a[0]->x.n_retries == 1 && waiting_in_database() == 1);
	let_go(lock);
	for (int i = 0; i < 2; i++) {
		UNTIL(&w, a[i]->done);
		assert_int_equal(a[i]->x.status, DB_OK);
	}
	assert_true(strcmp(db_text(&a[0]->x, 0, 0, 1, NULL), db_text(&a[1]->x, 0, 0, 1, NULL)) < 0);
	for (int i = 0; i < 2; i++)
		ask_free(a[i]);
}

static void time_is(int deadline_ms, int most_ms, const char *expected)
{
	struct ask *a = ask_of(DB_LIST, 2, "current_setting('statement_timeout')");
	const char *time;

	a->x.deadline_ms = deadline_ms;
	a->x.most_ms = most_ms;
	assert_int_equal(ask_run(a), DB_OK);
	time = db_text(&a->x, 0, 0, 1, NULL);
	if (strcmp(expected, "less") == 0)
		assert_true(strstr(time, "ms") && strtol(time, NULL, 10) < deadline_ms);
	else
		assert_string_equal(time, expected);
	ask_free(a);
}

/* An exchange that has waited has less time left than its lane's statement timeout: it ends with its deadline, in
 * the database too, and its connection stays. */
TEST(test_time_left)
{
	struct db_stats before, after;

	w.config.lane_size[DB_LIST] = 1;
	lanes_open(&w);
	struct ask *lock = hold_lane(), *first = send_of(DB_LIST, 1, WAITS);
	struct ask *slow = ask_of(DB_LIST, 2, "pg_sleep(7)");
	int all = 0;
	for (int lane = 0; lane < DB_LANES; lane++)
		all += w.config.lane_size[lane];
	UNTIL(&w, waiting_in_database() == 1 && (db_stats_get(w.db, &before), before.connects >= (uint64_t)all));
	slow->x.deadline_ms = 1500;
	ask_send(slow);
	let_go(lock);
	UNTIL(&w, slow->done);
	assert_int_equal(slow->x.status, DB_FAILED);
	assert_string_equal(slow->x.sqlstate, "57014"); /* before it has slept */
	assert_int_equal(ask_int(&w, "select count(*) from pg_stat_activity where query like '%sleep(7)%' and "
	                             "state = 'active' and pid <> pg_backend_pid()"),
	    0);
	db_stats_get(w.db, &after);
	assert_int_equal(after.connects, before.connects);
	ask_free(slow);
	ended_well(&first, 1);
	/* The next one has its own time: the least of the time left, its own limit, and the lane's. */
	time_is(0, 0, "8s");
	time_is(0, 1000, "1s");
	time_is(0, 60000, "8s");
	time_is(800, 1000, "less");
	time_is(0, 0, "8s");
}

/* While those jobs that may wait for locks do so, our other work finds a connection. */
TEST(test_work)
{
	static const enum db_work works[] = {DB_WORK_SEND, DB_WORK_DUE};
	struct ask *asks[10];

	lanes_open(&w);
	struct ask *lock = hold_on(DB_WRITE);
	struct db_stats stats;
	UNTIL(&w, (db_stats_get(w.db, &stats), stats.connected[DB_WORK] == w.config.lane_size[DB_WORK]));
	for (int i = 0; i < 10; i++) {
		asks[i] = ask_text(&w, DB_WORK, "select " WAITS);
		asks[i]->x.work = DB_WORK_CLEAN;
		ask_send(asks[i]);
	}
	UNTIL(&w, waiting_in_database() == 1);
	for (int i = 0; i < 10; i++) {
		struct ask *a = ask_text(&w, DB_WORK, "select 1");
		a->x.work = works[i % 2];
		assert_int_equal(ask_run(a), DB_OK);
		ask_free(a);
	}
	assert_int_equal(waiting_in_database(), 1);
	let_go(lock);
	ended_well(asks, 10);
}

static bool sql_says(const struct db_exchange *x)
{
	(void)x;
	return true;
}

/* An exchange not needed any more when its turn comes is not run; one that did not wait is not asked about. */
TEST(test_given_up)
{
	struct ask *asks[4];

	w.config.lane_size[DB_LIST] = 1;
	lanes_open(&w);
	ask_do(&w, "create sequence turn");
	struct ask *lock = hold_lane(), *first = send_of(DB_LIST, 1, WAITS);
	for (int i = 0; i < 4; i++) {
		asks[i] = ask_of(DB_LIST, 1, NUMBER);
		asks[i]->x.given_up = i < 3 ? sql_says : NULL;
		ask_send(asks[i]);
	}
	ask_do(&w, "select pg_sleep(0.4)");
	let_go(lock);
	ended_well(&first, 1);
	UNTIL(&w, asks[3]->done);
	assert_int_equal(number_of(asks[3]), 1);
	for (int i = 0; i < 4; i++) {
		UNTIL(&w, asks[i]->done);
		assert_int_equal(asks[i]->x.status, i < 3 ? DB_BUSY : DB_OK);
		ask_free(asks[i]);
	}
	asks[0] = ask_of(DB_LIST, 1, "1");
	asks[0]->x.given_up = sql_says;
	assert_int_equal(ask_run(asks[0]), DB_OK);
	ask_free(asks[0]);
	ask_do(&w, "drop sequence turn");
}
