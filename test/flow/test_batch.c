/* Batches: each record succeeds or fails by itself. A batch runs once per key, and takes as many round trips for a
 * hundred records as for one. Also: settings that change during a write. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/buf.h"
#include "server/base/id.h"
#include "server/base/json.h"
#include "test/lib/db/consistency.h"
#include "test/lib/http/raw.h"
#include "test/lib/model/deals.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum { TWINS = 24, BODY_MAX = 1 << 20 };

DEALS("batch");

BEFORE_ALL()
{
	for (int i = 0; i < 2; i++) {
		const char *entity = i ? "deal" : "person";
		deals_field(entity, "note", "\"type\":\"textField\"");
		deals_field(entity, "who", "\"type\":\"contactField\"");
		deals_field(
		    entity, "many", "\"type\":\"multipleSelect\",\"options\":[{\"label\":\"l0\"},{\"label\":\"l1\"}]");
		deals_field(entity, "own", "\"type\":\"numericField\"");
	}
}

/* --- each record on its own ------------------------------------------------------------------- */

static const char *result_status(const struct caller_answer *a, int index)
{
	const char *error;
	const struct json *body = json_read(&ada.arena, a->reply.body, a->reply.body_len, &error);
	const struct json *result = json_member(json_member(body, "data"), "results")->first;

	while (index--)
		result = result->next;
	return json_member(result, "status")->text;
}

TEST(test_atomic_records)
{
	static const char *const expected[] = {"succeeded", "failed", "failed", "failed", "succeeded"};
	const char *id[4], *unknown = "grp_00000000-0000-7000-8000-000000000000";
	struct caller_answer a;

	for (int i = 0; i < 4; i++)
		id[i] = deals_post("/v1/people", TEXT("{\"firstName\":\"before\",%s}", deals.in_group)).id;
	a = deals_post("/v1/people/batch/update",
	    TEXT(
	        "{\"records\":["
	        "{\"id\":\"%s\",\"firstName\":\"after\",\"customFieldValues\":{\"%s\":{\"note\":\"n\",\"many\":[\"l0\","
	        "\"l1\"]}}},"
	        "{\"id\":\"%s\",\"firstName\":\"after\",\"companies\":[{\"name\":\"never "
	        "made\"}],\"groups\":[{\"id\":\"%s\"}]},"
	        "{\"id\":\"%s\",\"firstName\":\"after\",\"customFieldValues\":{\"%s\":{\"note\":\"n\",\"many\":["
	        "\"none\"]}}},"
	        "{\"id\":\"per_00000000-0000-7000-8000-000000000000\",\"firstName\":\"after\"},"
	        "{\"id\":\"%s\",\"firstName\":\"after\",\"companies\":[{\"name\":\"made\"}]}]}",
	        id[0], deals.group, id[1], unknown, id[2], deals.group, id[3]));
	for (int i = 0; i < 5; i++)
		assert_string_equal(result_status(&a, i), expected[i]);
	for (int i = 0; i < 4; i++) {
		bool done = i == 0 || i == 3;
		assert_rows(1, "people where id = '%s' and first_name = '%s'", id[i] + 4, done ? "after" : "before");
		assert_rows(i == 0 ? 3 : 0, "field_values where owner_id = '%s'", id[i] + 4);
		assert_rows(i == 3, "person_companies where person_id = '%s'", id[i] + 4);
	}
	assert_rows(0, "companies where name = 'never made'");
	assert_int_equal(consistency_broken(rig.program), 0);
}

/* --- duplicates ---------------------------------------------------------------------------------- */

struct batch_twins {
	struct caller callers[TWINS];
	struct caller_answer answers[TWINS];
	int round;
};

static void send_twin(void *ctx, int i)
{
	struct batch_twins *t = ctx;
	struct caller *c = &t->callers[i];

	t->answers[i] =
	    caller_sendf(c, "POST", "/v1/people/batch/create", arena_printf(&c->arena, "batch-%d", t->round),
	        "{\"records\":[{\"firstName\":\"twin %d\"},{\"firstName\":\"twin %d\",\"groups\":"
	        "[{\"id\":\"grp_00000000-0000-7000-8000-000000000000\"}]},{\"firstName\":\"twin %d\"}]}",
	        t->round, t->round, t->round);
}

TEST(test_keyed_twins)
{
	static struct batch_twins t;
	const char *body = NULL;
	int executed;

	for (int i = 0; i < TWINS; i++)
		caller_init(&t.callers[i], servers[i % 2]->base, rig.ada.key);
	for (t.round = 0; t.round < 5; t.round++) {
		caller_crowd_run(TWINS, send_twin, &t);
		executed = 0;
		for (int i = 0; i < TWINS; i++) {
			struct caller_answer *a = &t.answers[i];
			if (a->status == 409)
				continue;
			caller_good(*a);
			executed += !a->replayed;
			body = a->replayed && body ? body : a->reply.body;
		}
		assert_int_equal(executed, 1);
		send_twin(&t, 1);
		assert_true(caller_good(t.answers[1]).replayed);
		for (int i = 0; i < TWINS; i++)
			if (t.answers[i].status == 200)
				assert_string_equal(t.answers[i].reply.body, t.answers[1].reply.body);
		assert_rows(2, "people where first_name = 'twin %d'", t.round);
	}
	assert_non_null(body);
	for (int i = 0; i < TWINS; i++)
		caller_free(&t.callers[i]);
}

/* --- round trips ---------------------------------------------------------------------------------- */

/* A batch with the first n of the ids, using everything an object may have. */
static struct caller_answer update_all(
    const char *const *ids, int n, const char *person, const char *company, const char *text)
{
	struct buf b;
	struct caller_answer a;

	buf_init(&b, BODY_MAX);
	for (int i = 0; i < n; i++)
		buf_printf(&b,
		    "%s{\"id\":\"%s\",\"name\":\"%s %d\",\"people\":[{\"id\":\"%s\"}],\"companies\":[{\"id\":\"%s\"}],"
		    "\"customFieldValues\":{\"note\":\"%s\",\"own\":%d,\"who\":[{\"id\":\"%s\"}],\"many\":[\"l0\"]}}",
		    i ? "," : "{\"records\":[", ids[i], text, i, person, company, text, i, person);
	buf_addz(&b, "]}");
	a = deals_post(TEXT("%s/batch/update", deals.target), b.data);
	buf_free(&b);
	assert_null(strstr(a.reply.body, "\"failed\""));
	return a;
}

TEST(test_constant_round_trips)
{
	const char *ids[100], *person, *company;
	struct caller_answer one, all;

	person = deals_post("/v1/people", TEXT("{%s}", deals.in_group)).id;
	company = deals_post("/v1/companies", TEXT("{%s}", deals.in_group)).id;
	for (int i = 0; i < 100; i++)
		ids[i] = deals_post(deals.target, "{\"name\":\"x\"}").id;
	one = update_all(ids, 1, person, company, "one");
	all = update_all(ids, 100, person, company, "all");
	assert_int_equal(deals_exchanges(&one), deals_exchanges(&all));
	assert_rows(100, "objects where name like 'all %%'");
	assert_int_equal(consistency_broken(rig.program), 0);
}

/* The first n of a hundred notes, tasks or interactions, each about another person. */
static struct caller_answer create_activities(const char *target, const char *const *people, int n, const char *fields)
{
	struct buf b;
	struct caller_answer a;

	buf_init(&b, BODY_MAX);
	for (int i = 0; i < n; i++)
		buf_printf(&b, "%s{\"entity\":{\"id\":\"%s\"},%s}", i ? "," : "{\"records\":[", people[i], fields);
	buf_addz(&b, "]}");
	a = deals_post(target, b.data);
	buf_free(&b);
	assert_null(strstr(a.reply.body, "\"failed\""));
	return a;
}

TEST(test_constant_round_trips_of_activities)
{
	static const struct {
		const char *target, *table, *fields;
	} kinds[] = {
	    {"/v1/notes/batch/create", "notes", "\"content\":\"words of it\",\"visibility\":\"public\""},
	    {"/v1/tasks/batch/create", "tasks", "\"title\":\"t\",\"dueAt\":\"2030-01-01\""},
	    {"/v1/interactions/batch/create", "interactions",
	        "\"title\":\"t\",\"dateTime\":\"2026-01-01T00:00:00Z\",\"activityType\":\"call\""},
	};
	const char *people[100];

	for (int i = 0; i < 100; i++)
		people[i] = deals_post("/v1/people", "{}").id;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		const char *count = TEXT("select count(*) from %s", kinds[k].table);
		int64_t before = rig_int(&rig, "%s", count);
		struct caller_answer one = create_activities(kinds[k].target, people, 1, kinds[k].fields),
		                     all = create_activities(kinds[k].target, people, 100, kinds[k].fields);
		assert_int_equal(deals_exchanges(&one), 2);
		assert_int_equal(deals_exchanges(&all), 2);
		assert_number(before + 101, "%s", count);
	}
	assert_rows(100, "people where interaction_numbers[1] in (1, 2)");
	assert_int_equal(consistency_broken(rig.program), 0);
}

/* A large batch of notes is sent in pieces of one transaction. */
TEST(test_large_notes)
{
	const char *person = deals_post("/v1/people", "{}").id;
	struct caller_answer a;
	struct buf b;

	SQL("alter table notes add constraint no_boom check (content not like '%% boom')");
	for (int round = 0; round < 2; round++) {
		buf_init(&b, 8 << 20);
		for (int i = 0; i < 60; i++)
			buf_printf(&b,
			    "%s{\"entity\":{\"id\":\"%s\"},\"visibility\":\"public\",\"content\":\"large %0*d%s\"}",
			    i ? "," : "{\"records\":[", person, 50000, i, !round && i == 59 ? " boom" : "");
		buf_addz(&b, "]}");
		a = SEND("POST", b.data, "/v1/notes/batch/create");
		buf_free(&b);
		assert_int_equal(a.status, round ? 200 : 500);
		assert_rows(round ? 60 : 0, "notes where content like 'large %%'");
	}
	assert_true(deals_exchanges(&a) > 4);
	assert_null(strstr(a.reply.body, "\"failed\""));
	assert_int_equal(consistency_broken(rig.program), 0);
}

/* 100 people of so many KB each, cheap to index; the last one's first name is given. */
static void write_large(struct buf *b, int urls, const char *last)
{
	char text[1001];

	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	buf_init(b, 4 << 20);
	for (int i = 0; i < 100; i++) {
		buf_printf(b, "%s{\"firstName\":\"%s\",%s,\"customFieldValues\":{\"%s\":{\"note\":\"%s\"}},\"urls\":[",
		    i ? "," : "{\"records\":[", i < 99 ? "large" : last, deals.in_group, deals.group, text);
		for (int k = 0; k < urls; k++)
			buf_printf(b, "%s\"%s%d\"", k ? "," : "", text, k);
		buf_addz(b, "]}");
	}
	buf_addz(b, "]}");
}

static struct caller_answer create_large(struct caller *c, const char *last)
{
	struct buf b;
	struct caller_answer a;

	write_large(&b, 20, last);
	a = caller_send(c, "POST", "/v1/people/batch/create", NULL, b.data);
	buf_free(&b);
	return a;
}

/* Large writes are sent to the database in pieces with time limits of their own, in one transaction. */
TEST(test_large_batch)
{
	struct caller_answer a;

	SQL("alter table people add constraint no_boom check (first_name <> 'boom')");
	assert_int_equal(create_large(&ada, "boom").status, 500);
	assert_rows(0, "people where first_name = 'large'");
	a = caller_good(create_large(&ada, "large"));
	assert_null(strstr(a.reply.body, "\"failed\""));
	assert_true(deals_exchanges(&a) > 4);
	assert_rows(100, "people where first_name = 'large'");
	assert_rows(100, "field_values where length(text_value) = 1000");
	assert_int_equal(consistency_broken(rig.program), 0);
}

struct batch_crowd {
	struct caller callers[4];
	struct caller_answer answers[4];
};

static void send_large(void *ctx, int i)
{
	struct batch_crowd *c = ctx;

	c->answers[i] = create_large(&c->callers[i], "large");
}

/* A server never has two transactions of large batches open: the second would not get the lock. */
TEST(test_large_turns)
{
	static struct batch_crowd c;
	int64_t before = rows_count("people where first_name = 'large'");

	SQL("create function single() returns trigger language plpgsql as $$ begin if not "
	    "pg_try_advisory_xact_lock(4711) then raise exception 'not the only one'; end if; return null; end $$; "
	    "create trigger single before insert on people for each statement execute function single()");
	for (int i = 0; i < 4; i++)
		caller_init(&c.callers[i], servers[0]->base, rig.ada.key);
	caller_crowd_run(4, send_large, &c);
	SQL("drop trigger single on people");
	for (int i = 0; i < 4; i++) {
		caller_good(c.answers[i]);
		caller_free(&c.callers[i]);
	}
	assert_rows(before + 400, "people where first_name = 'large'");
}

enum { PATIENCE_MS = 60000, LOOKS = 100 };

/* A request of a client that may shut down its sending side, as one that leaves does. */
static int begin_large(const char *last)
{
	struct buf b;
	int fd = raw_open(servers[0]->base);

	write_large(&b, 3, last);
	assert_true(raw_send(fd, "POST", "/v1/people/batch/create", rig.ada.key, NULL, b.data));
	buf_free(&b);
	return fd;
}

static int status_of(int fd)
{
	int64_t until_us = patience_ms(PATIENCE_MS);
	int status;

	while ((status = raw_status(fd)) == 0)
		assert_true(patience_pause(until_us));
	close(fd);
	return status;
}

/* A batch waiting for its turn is dropped when its client has left; those behind it are not. */
TEST(test_large_left)
{
	pid_t holder = rig_hold(&rig, "people");
	int64_t until_us = patience_ms(PATIENCE_MS);
	int first = begin_large("first"), left, second;

	while (rows_count("pg_locks where relation = 'people'::regclass and not granted") == 0)
		assert_true(patience_pause(until_us));
	left = begin_large("left");
	shutdown(left, SHUT_WR);
	second = begin_large("second");
	for (int i = 0; i < LOOKS; i++) /* until they have been read, in many turns of the loop */
		caller_good(SEND("GET", NULL, "/v1/users/me"));
	rig_release(&rig, holder);
	assert_int_equal(status_of(first), 200);
	assert_int_equal(status_of(left), 503);
	assert_int_equal(status_of(second), 200);
	assert_rows(0, "people where first_name = 'left'");
}

/* --- settings that change meanwhile ---------------------------------------------------------------- */

/* Two at once: a deletion of the field, with the workspace locked, and a write that waits for it. */
struct meanwhile {
	const char *sql, *person, *body;
	struct caller caller;
	struct caller_answer answer;
	int64_t changed;
};

static int64_t workspace_lock(void)
{
	struct uuid id;
	int64_t lock;

	assert_true(id_parse(ID_WORKSPACE, rig.workspace.id, strlen(rig.workspace.id), &id));
	memcpy(&lock, id.b + sizeof id.b - sizeof lock, sizeof lock);
	return lock;
}

static void send_both(void *ctx, int i)
{
	struct meanwhile *m = ctx;
	int64_t until_us = patience_ms(60000);

	if (i == 0) {
		m->changed = database_int(rig.program, m->sql);
		return;
	}
	while (rows_count(
	           "pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and (classid::int8 << "
	           "32 | objid::int8) = %lld",
	           (long long)workspace_lock()) == 0 &&
	       patience_pause(until_us))
		;
	m->answer = caller_send(&m->caller, "PATCH", m->person, NULL, m->body);
}

/* The write is decided again with the new settings: no value of a deleted field. */
TEST(test_field_deleted_meanwhile)
{
	static struct meanwhile m;

	deals_field("person", "fleeting", "\"type\":\"textField\"");
	caller_init(&m.caller, servers[1]->base, rig.ada.key);
	m.person = deals_post("/v1/people", TEXT("{%s}", deals.in_group)).id;
	m.person = TEXT("/v1/people/%s", m.person);
	m.body = TEXT("{\"customFieldValues\":{\"%s\":{\"fleeting\":\"x\"}}}", deals.group);
	m.sql = arena_printf(&rig.arena,
	    "do $$ begin perform pg_advisory_xact_lock(%lld); for i in 1 .. 10000 loop "
	    "exit when exists (select from pg_locks where locktype = 'advisory' and not granted); "
	    "perform pg_sleep(0.001); end loop; delete from custom_fields where name = 'fleeting'; "
	    "update workspaces set version = version + 1; end $$; select count(*) from custom_fields where name = "
	    "'fleeting'",
	    (long long)workspace_lock());
	caller_crowd_run(2, send_both, &m);
	assert_int_equal(m.changed, 0);
	assert_int_equal(m.answer.status, 422);
	assert_int_equal(consistency_broken(rig.program), 0);
	assert_int_equal(consistency_untold(rig.program), 0);
	caller_free(&m.caller);
}
