/* Exclusive changes (deletes, merges, settings): their dry runs wait for nobody and lock nothing; of a workspace one
 * waits in the database, other writes come between, and users take turns. */
#include <libpq-fe.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/request/locks.h"
#include "server/request/turns.h"
#include "test/lib/await.h"
#include "test/lib/http/raw.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"
#include "test/lib/server/operated.h"

enum { DELETES = 8, WRITE = DELETES, OTHER, WATCH, ALL, WAIT_MS = 60000 };

static struct operated operated;
static struct caller callers[ALL]; /* the first ones are Ada's */
static PGconn *holder;             /* a session of the test, which holds locks */

RIG("turns", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	server = operated_serve(&operated, &rig, false);
	caller_turn(&ada, server->base);
	for (int i = 0; i < ALL; i++)
		caller_init(&callers[i], server->base, i < DELETES ? rig.ada.key : rig.ben.key);
	holder = PQconnectdb(rig.program->database_url);
}

AFTER_ALL()
{
	PQfinish(holder);
	for (int i = 0; i < ALL; i++)
		caller_free(&callers[i]);
	operated_free(&operated);
}

static void hold_sql(const char *format, ...)
{
	char sql[1000];
	PGresult *r;
	va_list args;

	va_start(args, format);
	vsnprintf(sql, sizeof sql, format, args);
	va_end(args);
	r = PQexec(holder, sql);
	if (PQresultStatus(r) != PGRES_COMMAND_OK && PQresultStatus(r) != PGRES_TUPLES_OK)
		fail_msg("%s: %s", sql, PQerrorMessage(holder));
	PQclear(r);
}

static void hold_workspace(void)
{
	struct uuid workspace;

	assert_true(id_parse(ID_WORKSPACE, rig.workspace.id, ID_LEN, &workspace));
	hold_sql("begin");
	hold_sql("select pg_advisory_xact_lock(%lld)", (long long)lock_workspace_number(&workspace));
}

static void try_dry(const char *method, const char *target, const char *body)
{
	struct caller_answer a =
	    caller_send(&ada, method, TEXT("%s%sdryRun=true", target, strchr(target, '?') ? "&" : "?"), NULL, body);

	if (a.status != 200)
		fail_msg("%s %s: %d %s", method, target, a.status, a.reply.body);
}

/* Everything that an exclusive change would lock is locked by somebody else. */
TEST(test_dry_runs_lock_nothing)
{
	const char *person = POST("{}", "/v1/people"), *twin = POST("{\"emails\":[\"a@example.com\"]}", "/v1/people");
	const char *company = POST("{}", "/v1/companies");
	const char *group = POST("{\"name\":\"G\",\"visibility\":\"public\"}", "/v1/groups"), *path, *object, *key;
	static const char *const tables[] = {
	    "people", "companies", "objects", "groups", "object_types", "custom_fields", "group_members", "workspaces"};

	path = TEXT("/v1/groups/%s", group);
	MAKE("{\"name\":\"Deal\"}", "%s/object-types", path);
	MAKE("{\"name\":\"F\",\"type\":\"textField\"}", "%s/custom-fields/Deal", path);
	object = POST(TEXT("{\"name\":\"O\",\"people\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"F\":\"x\"}}", twin),
	    "%s/Deal", path);
	key = POST("{}", "/v1/keys");
	hold_workspace();
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		hold_sql("select from %s for update", tables[i]);
	hold_sql("select from api_keys where id = '%s' for update", key + 4);
	try_dry("DELETE", TEXT("/v1/people/%s", person), NULL);
	try_dry("DELETE", TEXT("/v1/companies/%s", company), NULL);
	try_dry("DELETE", TEXT("%s/Deal/%s", path, object), NULL);
	try_dry(
	    "POST", "/v1/people/batch/delete", TEXT("{\"records\":[{\"id\":\"%s\"},{\"id\":\"%s\"}]}", person, twin));
	try_dry("POST", TEXT("/v1/people/%s/merge", person), TEXT("{\"id\":\"%s\"}", twin));
	try_dry("POST", "/v1/groups", "{\"name\":\"H\",\"visibility\":\"private\"}");
	try_dry("PATCH", path, "{\"name\":\"H\"}");
	try_dry("POST", TEXT("%s/members", path), TEXT("{\"id\":\"%s\",\"role\":\"reader\"}", rig.ben.id));
	try_dry("POST", TEXT("%s/object-types", path), "{\"name\":\"Lead\"}");
	try_dry("PATCH", TEXT("%s/object-types/Deal", path), "{\"name\":\"Lead\"}");
	try_dry("DELETE", TEXT("%s/object-types/Deal?force=true", path), NULL);
	try_dry("POST", TEXT("%s/custom-fields/Deal", path), "{\"name\":\"G\",\"type\":\"textField\"}");
	try_dry("DELETE", TEXT("%s/custom-fields/Deal/F", path), NULL);
	try_dry("DELETE", path, NULL);
	try_dry("POST", "/v1/keys", "{}");
	try_dry("POST", TEXT("/v1/keys/%s/rotate", key), "{}");
	try_dry("POST", "/v1/webhooks",
	    "{\"name\":\"W\",\"targetUrl\":\"http://127.0.0.1:9/\",\"subscribedEvents\":[{\"eventType\":"
	    "\"person.created\"}]}");
	hold_sql("rollback");
}

/* Times of changes are those of their requests. */
static const char *merge_text(const char *target, const char *gone)
{
	static const char key[] = "\"updatedAt\":\"";
	char *text = arena_dupz(
	    &ada.arena, caller_good(caller_sendf(&ada, "POST", target, NULL, "{\"id\":\"%s\"}", gone)).reply.body);

	for (char *at = text; (at = strstr(at, key)); at++)
		memset(at + strlen(key), '0', strlen("2026-01-01T00:00:00.000Z"));
	return text;
}

static void meet_with(struct caller *c, const char *id, const char *time)
{
	caller_good(caller_sendf(c, "POST", "/v1/interactions", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"title\":\"m\",\"dateTime\":\"%s\",\"activityType\":\"call\"}", id, time));
}

/* What a dry run of a merge shows is what the merge makes, though nothing is moved for it. */
TEST(test_merge_is_shown)
{
	static const char *const kinds[] = {"people", "companies"};
	const char *group = POST("{\"name\":\"M\",\"visibility\":\"public\"}", "/v1/groups");

	for (int i = 0; i < 2; i++) {
		const char *path = TEXT("/v1/%s", kinds[i]), *kept, *gone, *third = POST("{}", "%s", path), *merge,
		           *before;
		const char *companies = i ? "" : "\"companies\":[{\"name\":\"C\"},{\"name\":\"B\"}],";
		MAKE("{\"name\":\"Via\",\"type\":\"contactField\"}", "/v1/groups/%s/custom-fields/%s", group,
		    i ? "company" : "person");
		kept = POST(
		    i ? "{\"description\":\"d\"}" : "{\"companies\":[{\"name\":\"A\"},{\"name\":\"B\"}]}", "%s", path);
		gone = POST(TEXT("{%s\"emails\":[\"m@example.com\"],\"groups\":[{\"id\":\"%s\"}],"
		                 "\"customFieldValues\":{\"%s\":{\"Via\":[{\"id\":\"%s\"}]}}}",
		                companies, group, group, third),
		    "%s", path);
		meet_with(&callers[OTHER], kept, "2026-01-01T00:00:00.000Z");
		meet_with(&callers[OTHER], gone, "2026-01-03T00:00:00.000Z");
		meet_with(&ada, gone, "2026-01-02T00:00:00.000Z");
		merge = TEXT("%s/%s/merge", path, kept);
		before = merge_text(TEXT("%s?dryRun=true", merge), gone);
		assert_string_equal(before, merge_text(merge, gone));
	}
}

static struct {
	const char *people[DELETES + 1];
	atomic_int ended, order[ALL];
	atomic_bool write;
	int waiting, with_others;
} turns;

static int waiting_locks(void)
{
	return (int)rows_count("pg_locks where locktype = 'advisory' and not granted and database = (select oid from "
	                       "pg_database where datname = current_database())");
}

/* How many requests of the route are under way. */
static int under_way(const char *route)
{
	int found = 0;

	for (const char *at = operated_send(&operated, "GET", "/debug/requests").body; (at = strstr(at, route)); at++)
		found++;
	return found;
}

static void watch_turns(void)
{
	await_true(under_way("\"/v1/people/{personId}\"") >= DELETES);
	await_true(waiting_locks() >= 1);
	turns.waiting = waiting_locks();
	atomic_store(&turns.write, true);
	await_true(under_way("\"/v1/people/{personId}\"") >= DELETES + 1);
	await_true(under_way("\"/v1/people\"") >= 1);
	await_true(waiting_locks() >= 2);
	turns.with_others = waiting_locks();
	hold_sql("rollback");
}

static void take_turn(void *ctx, int i)
{
	struct caller *c = &callers[i];

	(void)ctx;
	while (i >= DELETES && i < WATCH && !atomic_load(&turns.write))
		patience_rest(1);
	if (i == WATCH)
		watch_turns();
	else if (i == WRITE)
		caller_good(caller_send(c, "POST", "/v1/people", NULL, "{}"));
	else
		caller_good(caller_sendf(c, "DELETE",
		    arena_printf(&c->arena, "/v1/people/%s", turns.people[i == OTHER ? DELETES : i]), NULL, "{}"));
	atomic_store(&turns.order[i], atomic_fetch_add(&turns.ended, 1) + 1);
}

/* Eight deletes of one user wait for the workspace; then somebody writes, and deletes. */
TEST(test_one_waits)
{
	for (int i = 0; i <= DELETES; i++)
		turns.people[i] = POST("{}", "/v1/people");
	hold_workspace();
	caller_crowd_run(ALL, take_turn, NULL);
	assert_int_equal(turns.waiting, 1);
	assert_int_equal(turns.with_others, 2);
	/* Behind the first delete, which waited before, and perhaps the one that was sent beside it. */
	assert_in_range(turns.order[WRITE], 1, 4);
	assert_in_range(turns.order[OTHER], 1, 5);
}

/* --- places ------------------------------------------------------------------------------------ */

static int raw_delete(const struct test_user *user, const char *person)
{
	int fd = raw_open(server->base);

	assert_true(fd >= 0 && raw_send(fd, "DELETE", TEXT("/v1/people/%s", person), user->key, NULL, NULL));
	return fd;
}

static int raw_answer(int fd)
{
	int64_t until_us = patience_ms(WAIT_MS);
	int status;

	while ((status = raw_status(fd)) == 0)
		assert_true(patience_pause(until_us));
	close(fd);
	return status;
}

static bool is_there(const char *person)
{
	return caller_send(&ada, "GET", TEXT("/v1/people/%s", person), NULL, NULL).status == 200;
}

/* One user takes all places that a user has: what is beyond is refused, and another user has places of their own. A
 * change whose client has gone leaves its place and is not made. */
TEST(test_places)
{
	enum { LAST = TURNS_WAITING_OF_USER, PEOPLE = LAST + 3 };
	static const char route[] = "\"/v1/people/{personId}\"";
	const char *people[PEOPLE];
	int fds[PEOPLE];

	for (int i = 0; i < PEOPLE; i++)
		people[i] = POST("{}", "/v1/people");
	hold_workspace();
	fds[0] = raw_delete(&rig.ada, people[0]);
	await_true(waiting_locks() >= 1);
	for (int i = 1; i <= LAST; i++)
		fds[i] = raw_delete(&rig.ada, people[i]);
	await_true(under_way(route) >= 1 + LAST);
	assert_int_equal(raw_answer(raw_delete(&rig.ada, people[LAST + 1])), 503);
	fds[LAST + 2] = raw_delete(&rig.ben, people[LAST + 2]);
	await_true(under_way(route) >= 2 + LAST);
	raw_reset(fds[LAST]);
	await_true(under_way(route) <= 1 + LAST);
	hold_sql("rollback");
	for (int i = 0; i < LAST; i++)
		assert_int_equal(raw_answer(fds[i]), 200);
	assert_int_equal(raw_answer(fds[LAST + 2]), 200);
	assert_true(is_there(people[LAST]) && is_there(people[LAST + 1]));
}
