/* Cursors of the feed across restarts and crashes of the database, restores to an earlier time, and the retention. */
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/cursor.h"
#include "test/lib/flow.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/patience.h"

enum { BURNT = 500, PATIENCE_MS = 60000 };

RIG("restart", .servers = RIG_NO_SERVER, .own_cluster = true, .neighbour = true);

/* Repeats the request until it is served. */
static struct caller_answer send_until_served(
    struct caller *c, const char *method, const char *target, const char *body)
{
	int64_t until_us = patience_ms(PATIENCE_MS);
	struct caller_answer a;

	do {
		a = caller_send(c, method, target, NULL, body);
	} while ((a.status == 503 || a.status == 0) && patience_pause(until_us));
	if (a.status != 200)
		fail_msg("%s: %d %s", target, a.status, a.reply.body);
	return a;
}

/* The record of the next event after the cursor. */
static const char *next_record(struct caller *c, const char *cursor)
{
	int64_t until_us = patience_ms(PATIENCE_MS);
	struct feed_page page;

	do {
		page = feed_get(c, cursor, 1, 1);
		assert_true(page.answer.status == 200 || page.answer.status == 503);
		if (*page.cursor)
			cursor = page.cursor;
	} while (page.n == 0 && patience_pause(until_us));
	return page.n ? page.items[0].record : "";
}

static void execute_sql(PGconn *db, const char *sql)
{
	PQclear(PQexec(db, sql));
}

/* A crash forgets transactions that have not reached the log on disk, and their numbers are assigned again: a cursor
 * must not be after them. */
TEST(test_crash)
{
	struct server_process *s = rig_serve(&rig, false, NULL);
	PGconn *db = PQconnectdb(rig.program->database_url);
	const char *cursors[3], *id;
	struct caller_answer list;

	caller_turn(&ada, s->base);
	assert_true(cluster_sql(rig.cluster, "alter system set wal_writer_delay = '10s'", NULL, 0));
	assert_true(cluster_sql(rig.cluster, "alter system set bgwriter_delay = '10s'", NULL, 0));
	assert_true(cluster_restart(rig.cluster, false));
	for (int i = 0; i < 5; i++) /* the use of the key is recorded */
		send_until_served(&ada, "GET", "/v1/people", NULL);
	db = (PQfinish(db), PQconnectdb(rig.program->database_url));
	for (int i = 0; i < BURNT; i++) {
		execute_sql(db, "begin");
		execute_sql(db, "select pg_current_xact_id()");
		execute_sql(db, "rollback");
	}
	list = send_until_served(&ada, "GET", "/v1/people", NULL);
	cursors[0] = feed_cursor_of(&list);
	struct feed_page page = feed_get(&ada, "", -1, -1);
	cursors[1] = page.cursor;
	cursors[2] = feed_get(&ada, page.cursor, -1, -1).cursor;
	assert_non_null(cursors[0]);
	assert_true(*cursors[2]);
	cluster_kill(rig.cluster);
	assert_true(cluster_go(rig.cluster));
	id = send_until_served(&ada, "POST", "/v1/people", "{\"firstName\": \"After\"}").id;
	for (int i = 0; i < 3; i++)
		assert_string_equal(next_record(&ada, cursors[i]), id);
	assert_true(cluster_sql(rig.cluster, "alter system reset all", NULL, 0));
	PQfinish(db);
	assert_true(server_stop(s));
}

/* A cursor stays valid across restarts of server and database, also while a request waits. */
TEST(test_restarts)
{
	struct server_process *s = rig_serve(&rig, false, NULL);
	const char *cursor, *id;

	caller_turn(&ada, s->base);
	struct caller_answer list = send_until_served(&ada, "GET", "/v1/companies", NULL);
	cursor = feed_cursor_of(&list);
	for (int round = 0; round < 3; round++) {
		id = send_until_served(&ada, "POST", "/v1/companies", "{}").id;
		if (round == 0) {
			assert_true(cluster_restart(rig.cluster, true));
		} else if (round == 1) {
			assert_true(server_kill(s));
			s = rig_serve(&rig, false, NULL);
			caller_turn(&ada, s->base);
		} else {
			assert_true(server_stop(s));
			assert_true(cluster_restart(rig.cluster, false));
			s = rig_serve(&rig, false, NULL);
			caller_turn(&ada, s->base);
		}
		assert_string_equal(next_record(&ada, cursor), id);
		cursor = feed_get(&ada, cursor, 1, 1).cursor;
	}
	assert_true(server_stop(s));
}

static const char *feed_end(struct caller *c)
{
	struct caller_answer list = send_until_served(c, "GET", "/v1/people", NULL);

	return feed_cursor_of(&list);
}

/* The rest of the catalogue shows the same server, with the same start. */
static void put_back(PGconn *db, int generation)
{
	char text[100];

	snprintf(text, sizeof text, "update event_generation set generation = %d", generation);
	execute_sql(db, text);
	execute_sql(db, "update webhooks set position_generation = 0"); /* it reveals the old generation too */
	execute_sql(db, "delete from events");
}

/* A machine that was reset including its memory, or whose clock is behind: a client that has seen more detects it. The
 * neighbour, who would lose events, rests. */
TEST(test_put_back)
{
	bool rests = rig_neighbour_rest(&rig);
	struct server_process *s = rig_serve(&rig, false, NULL);
	PGconn *db = PQconnectdb(rig.program->database_url);
	const char *cursor, *id;
	struct feed_page page;

	assert_true(rests);
	caller_turn(&ada, s->base);
	cursor = feed_end(&ada);
	put_back(db, 1000);
	execute_sql(db, "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() "
	                "and pid <> pg_backend_pid()");
	id = send_until_served(&ada, "POST", "/v1/people", "{\"firstName\": \"After\"}").id;
	assert_string_equal(next_record(&ada, cursor), id);
	cursor = feed_end(&ada);
	assert_true(server_stop(s));
	put_back(db, 2000);
	s = rig_serve(&rig, false, NULL);
	caller_turn(&ada, s->base);
	send_until_served(&ada, "POST", "/v1/people", "{\"firstName\": \"Hidden\"}");
	page = feed_get(&ada, cursor, -1, -1);
	assert_int_equal(page.answer.status, 422);
	assert_non_null(strstr(page.answer.reply.body, "copy the lists again"));
	page = feed_get(&ada, feed_end(&ada), -1, -1);
	assert_int_equal(page.answer.status, 200);
	PQfinish(db);
	assert_true(server_stop(s));
	rig_neighbour_go(&rig);
}

/* One generation for all connections with the same knowledge. */
TEST(test_seen)
{
	int64_t before = database_int(rig.program, "select kith_join()");

	assert_int_equal(database_int(rig.program, "select kith_join(generation, 1) from event_generation"), before);
	assert_true(
	    database_int(rig.program, "select kith_join(generation, 1000000000000) from event_generation") > before);
	before = database_int(rig.program, "select kith_join(kith_join() + 1000, 1)");
	assert_int_equal(database_int(rig.program, "select kith_join()"), before);
}

/* An event with a future time, from a clock that has been set right since. */
TEST(test_wrong_clock)
{
	struct server_process *s = rig_serve(&rig, false, NULL);
	const char *cursor, *ids[2];
	int64_t until_us = patience_ms(PATIENCE_MS);
	struct feed_page page;

	caller_turn(&ada, s->base);
	cursor = feed_end(&ada);
	ids[0] = send_until_served(&ada, "POST", "/v1/people", "{\"firstName\": \"Tomorrow\"}").id;
	assert_true(
	    rig_int(&rig,
	        "with moved as (update events set created_at = created_at + interval '9 days' where %s returning "
	        "1) select count(*) from moved",
	        rig.own) > 0);
	ids[1] = send_until_served(&ada, "POST", "/v1/people", "{\"firstName\": \"Today\"}").id;
	assert_string_equal(next_record(&ada, cursor), ids[0]);
	do { /* the position of lists may be a moment earlier, and the second event is held by what is older */
		page = feed_get(&ada, cursor, 1, 1);
		cursor = page.n ? cursor : page.cursor;
	} while (!page.more && patience_pause(until_us));
	assert_true(page.more);
	assert_string_equal(next_record(&ada, page.cursor), ids[1]);
	assert_true(server_stop(s));
}

/* A cursor older than the retention is refused with advice. */
TEST(test_retention)
{
	/* a day takes 4.3 s: a follower's position may lag by the time the log takes to reach the disk; webhooks must
	 * not be later than that, so the neighbour rests */
	bool rests = rig_neighbour_rest(&rig);
	struct server_process *s =
	    rig_serve(&rig, false, (const char *const[]){"event_retention=1", "clock_scale=20000", NULL});
	int64_t until_us = patience_ms(PATIENCE_MS);
	struct feed_page page;

	assert_true(rests);
	caller_turn(&ada, s->base);
	struct caller_answer list = send_until_served(&ada, "GET", "/v1/people", NULL);
	const char *cursor = feed_cursor_of(&list), *moving = cursor;
	do {
		page = feed_get(&ada, cursor, -1, -1);
		struct feed_page other = feed_get(&ada, moving, -1, -1);
		assert_int_equal(other.answer.status, 200); /* a follower's cursor stays young */
		moving = other.cursor;
	} while (page.answer.status == 200 && patience_pause(until_us));
	assert_int_equal(page.answer.status, 422);
	assert_non_null(strstr(page.answer.reply.body, "\"path\":[\"after\"]"));
	assert_non_null(strstr(page.answer.reply.body, "copy the lists again"));
	assert_true(server_stop(s));
}

/* The cursor with another time, sealed by the key of the workspace. */
static const char *cursor_at(struct caller *c, const char *cursor, int64_t at_ms)
{
	PGconn *db = PQconnectdb(rig.program->database_url);
	const char *workspace_id[] = {rig.workspace.id + 4};
	PGresult *key = PQexecParams(db, "select cursor_key from workspaces where workspace_id = $1::uuid", 1, NULL,
	    workspace_id, NULL, NULL, 1);
	unsigned char context[CURSOR_CONTEXT_SIZE];
	char *out = arena_alloc(&c->arena, CURSOR_SIZE);
	struct cursor_context x;
	struct uuid workspace;
	struct cursor parts;

	assert_int_equal(PQgetlength(key, 0, 0), CURSOR_SECRET_SIZE);
	assert_true(id_parse(ID_WORKSPACE, rig.workspace.id, strlen(rig.workspace.id), &workspace));
	cursor_context_begin(&x, &c->arena, &workspace, "/v1/events");
	cursor_context_end(&x, context);
	assert_true(cursor_open(&parts, (unsigned char *)PQgetvalue(key, 0, 0), context, cursor, strlen(cursor)));
	parts.value = at_ms;
	cursor_seal(out, (unsigned char *)PQgetvalue(key, 0, 0), context, &parts);
	PQclear(key);
	PQfinish(db);
	return out;
}

/* The limit is a thousandth of the retention before its end, as days are dropped whole. */
TEST(test_retention_end)
{
	static const int64_t kept_ms = INT64_C(90) * 24 * 60 * 60 * 1000; /* the default */
	struct server_process *s = rig_serve(&rig, false, NULL);
	int64_t now_ms = clock_now_ms();
	struct caller_answer list;

	caller_turn(&ada, s->base);
	list = send_until_served(&ada, "GET", "/v1/people", NULL);
	const char *cursor = feed_cursor_of(&list), *good = cursor_at(&ada, cursor, now_ms - kept_ms + kept_ms / 500),
	           *old = cursor_at(&ada, cursor, now_ms - kept_ms + kept_ms / 2000);
	assert_int_equal(feed_get(&ada, good, -1, -1).answer.status, 200);
	assert_int_equal(feed_get(&ada, old, -1, -1).answer.status, 422);
	assert_true(server_stop(s));
}
