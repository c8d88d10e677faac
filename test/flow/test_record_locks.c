/* A write that changes a record first waits for the record's lock. It has no transaction number yet, because that
 * number decides the order of the record's events (server/request/transaction_open.c). The test holds the lock of a
 * contact, as another write of it does, while each kind of write comes that changes the contact. */
#include <libpq-fe.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "server/request/locks.h"
#include "test/lib/await.h"
#include "test/lib/http/members.h"
#include "test/lib/rows.h"

RIG("record_locks", .faults = true);

static const char *group, *company, *person, *other;
static PGconn *holder;

BEFORE_ALL()
{
	group = POST("{\"name\":\"G\",\"visibility\":\"public\"}", "/v1/groups");
	company = POST("{\"name\":\"Known\"}", "/v1/companies");
	person = POST("{\"lastName\":\"Met\"}", "/v1/people");
	other = POST("{\"lastName\":\"Not met\"}", "/v1/people");
	holder = PQconnectdb(rig.program->database_url);
}

AFTER_ALL()
{
	PQfinish(holder);
}

static long long record_number(const char *record)
{
	struct uuid workspace, id;
	enum id_kind kind;

	assert_true(id_parse(ID_WORKSPACE, rig.workspace.id, strlen(rig.workspace.id), &workspace));
	assert_true(id_parse_any(record, strlen(record), &kind, &id));
	return (long long)lock_record_number(&workspace, &id);
}

static void record_hold(const char *record)
{
	PQclear(PQexec(holder, "begin"));
	PQclear(PQexec(holder, TEXT("select pg_advisory_xact_lock(%lld)", record_number(record))));
}

static void record_release(void)
{
	PQclear(PQexec(holder, "rollback"));
}

struct locked_write {
	const char *method, *target, *body;
	struct caller caller;
	struct caller_answer answer;
};

static void *write_send(void *ctx)
{
	struct locked_write *w = ctx;

	w->answer = caller_send(&w->caller, w->method, w->target, NULL, w->body);
	return NULL;
}

static void expect_wait(const char *record, const char *method, const char *target, const char *body)
{
	struct locked_write w = {.method = method, .target = target, .body = body};
	pthread_t thread;

	record_hold(record);
	caller_init(&w.caller, server->base, rig.ada.key);
	pthread_create(&thread, NULL, write_send, &w);
	await_rows(1, "pg_locks l join pg_stat_activity a using (pid) where l.locktype = 'advisory' and "
	              "not l.granted and a.datname = current_database() and a.backend_xid is null");
	record_release();
	pthread_join(thread, NULL);
	caller_good(w.answer);
	caller_free(&w.caller);
}

static const char *interaction_with(const char *contact)
{
	return TEXT("{\"entity\":{\"id\":\"%s\"},\"activityType\":\"call\",\"title\":\"t\",\"content\":\"c\","
	            "\"dateTime\":\"2026-01-01T00:00:00Z\"}",
	    contact);
}

TEST(a_create_waits_that_adds_groups_to_a_company)
{
	const char *body = TEXT("{\"name\":\"Known\",\"groups\":[{\"id\":\"%s\"}]}", group);

	expect_wait(company, "POST", "/v1/companies", body);
	expect_wait(company, "POST", "/v1/companies/batch/create", TEXT("{\"records\":[%s,{\"name\":\"New\"}]}", body));
	assert_rows(1, "companies where name = 'Known' and cardinality(group_ids) = 1");
}

TEST(an_answer_waits_for_the_note_that_it_answers)
{
	const char *one =
	    POST(TEXT("{\"entity\":{\"id\":\"%s\"},\"content\":\"c\",\"visibility\":\"public\"}", person), "/v1/notes");
	const char *body = TEXT(
	    "{\"entity\":{\"id\":\"%s\"},\"content\":\"c\",\"visibility\":\"public\",\"parentNote\":{\"id\":\"%s\"}}",
	    person, one);

	expect_wait(one, "POST", "/v1/notes", body);
	expect_wait(one, "POST", "/v1/notes/batch/create", TEXT("{\"records\":[%s]}", body));
}

TEST(a_create_that_changes_no_company_waits_for_nothing)
{
	record_hold(company);
	PQclear(PQexec(holder, "select from companies where name = 'Known' for update"));
	assert_string_equal(POST("{\"name\":\"Known\"}", "/v1/companies"), company);
	record_release();
}

TEST(a_change_of_interactions_waits_for_the_contacts_that_count_them)
{
	const char *one, *target;

	expect_wait(person, "POST", "/v1/interactions", interaction_with(person));
	expect_wait(person, "POST", "/v1/interactions/batch/create",
	    TEXT("{\"records\":[%s,%s]}", interaction_with(other), interaction_with(person)));
	one = POST(interaction_with(person), "/v1/interactions");
	target = TEXT("/v1/interactions/%s", one);
	expect_wait(person, "PATCH", target, TEXT("{\"entity\":{\"id\":\"%s\"},\"title\":\"u\"}", person));
	expect_wait(person, "PATCH", target, TEXT("{\"entity\":{\"id\":\"%s\"}}", other));  /* leaves */
	expect_wait(person, "PATCH", target, TEXT("{\"entity\":{\"id\":\"%s\"}}", person)); /* joins */
	expect_wait(person, "DELETE", target, NULL);
	assert_rows(1, "interaction_counts where entity_id = '%s' and count = 2", person + 4);
}

/* Holds a record until a member waits for it. Fails if that one has a number. */
static void send_or_hold(void *ctx, int i)
{
	if (i < MEMBERS) {
		await_true(rows_count("pg_locks where locktype = 'advisory' and granted and "
		                      "(classid::int8 << 32 | objid::int8) = %lld",
		               *(const long long *)ctx) == 1);
		member_send(NULL, i);
	} else {
		SQL("do $$ declare n int8 := %lld; waiting int; begin perform pg_advisory_xact_lock(n); "
		    "for i in 1 .. 30000 loop "
		    "select l.pid into waiting from pg_locks l where l.locktype = 'advisory' and not l.granted and "
		    "(l.classid::int8 << 32 | l.objid::int8) = n; "
		    "exit when found; perform pg_sleep(0.001); end loop; "
		    "if not exists (select from pg_stat_activity where pid = waiting and backend_xid is null) then "
		    "raise 'nobody waits, or one that has a number'; end if; end $$",
		    *(const long long *)ctx);
	}
}

/* A joint transaction gets its number from the first row that it locks, so it waits for all records before that. */
TEST(members_wait_for_all_records_before_the_first_row)
{
	long long last = INT64_MIN, number;

	members_order("");
	members_begin();
	for (int i = 0; i < MEMBERS; i++) {
		const char *one = POST("{\"lastName\":\"Member\"}", "/v1/people");
		number = record_number(one);
		members[i].target = i % 2 ? "/v1/interactions" : TEXT("/v1/people/%s", one);
		members[i].method = i % 2 ? "POST" : "PATCH";
		members[i].body = i % 2 ? interaction_with(one) : "{\"jobTitle\":\"changed\"}";
		if (i % 2 && number > last)
			last = number;
	}
	caller_crowd_run(MEMBERS + 1, send_or_hold, &last);
	for (int i = 0; i < MEMBERS; i++)
		caller_good(members[i].answer);
	members_end();
}

/* --- the lock of the workspace ---------------------------------------------------------------------------- */

static void *send_members(void *ctx)
{
	members_send();
	return ctx;
}

static const char waiting[] = "pg_locks where locktype = 'advisory' and not granted";

/* The workspace's lock is held, as while a contact with many records is merged, until members have waited a while. */
static pthread_t begin_behind_exclusive_change(const char *name)
{
	struct uuid workspace;
	pthread_t thread;

	assert_true(id_parse(ID_WORKSPACE, rig.workspace.id, strlen(rig.workspace.id), &workspace));
	members_order("");
	members_begin();
	for (int i = 0; i < MEMBERS; i++) {
		members[i].method = "PATCH";
		members[i].target = TEXT("/v1/people/%s", POST("{}", "/v1/people"));
		members[i].body = TEXT("{\"lastName\":\"%s\"}", name);
	}
	PQclear(PQexec(holder, "begin"));
	PQclear(
	    PQexec(holder, TEXT("select pg_advisory_xact_lock(%lld)", (long long)lock_workspace_number(&workspace))));
	pthread_create(&thread, NULL, send_members, NULL);
	await_true(rows_count("%s and waitstart < clock_timestamp() - interval '300 ms'", waiting) > 0);
	return thread;
}

/* The members wait together, on one connection. */
TEST(members_wait_together_for_an_exclusive_change)
{
	pthread_t thread = begin_behind_exclusive_change("Together");

	assert_true(rows_count("%s", waiting) <= MEMBERS / 2); /* on a slow machine, in several joint transactions */
	record_release();
	pthread_join(thread, NULL);
	for (int i = 0; i < MEMBERS; i++)
		caller_good(members[i].answer);
	assert_true(members_transactions("Together") <= MEMBERS / 2);
	members_end();
}

/* As after the time limit of a statement. Nobody waits again, so the lock is still held when all have their answers. */
TEST(members_that_have_waited_too_long_do_not_wait_again)
{
	pthread_t thread = begin_behind_exclusive_change("In vain");

	await_true(rows_count("(select pg_cancel_backend(pid) from %s) c", waiting) == 0);
	pthread_join(thread, NULL);
	record_release();
	for (int i = 0; i < MEMBERS; i++)
		assert_int_equal(members[i].answer.status, 503);
	assert_int_equal(members_people("In vain"), 0);
	members_end();
}

/* --- the order that follows ------------------------------------------------------------------------------ */

enum { CROWD = 24, TURNS = 40, NAMES = 3 };

static const char *names[NAMES], *busy[CROWD];

/* A third of the requests adds a company to the group by its name, and a third removes it by its id. The others are
 * load. */
static void add_and_leave(void *ctx, int i)
{
	struct caller c;

	(void)ctx;
	caller_init(&c, server->base, rig.ada.key);
	for (int turn = 0; turn < TURNS; turn++) {
		int k = (i + turn) % NAMES;
		if (i % 3 == 0)
			caller_sendf(&c, "POST", "/v1/companies", NULL,
			    "{\"name\":\"In turn %d\",\"groups\":[{\"id\":\"%s\"}]}", k, group);
		else if (i % 3 == 1)
			caller_send(&c, "PATCH", names[k], NULL, "{\"groups\":[]}");
		else
			caller_sendf(&c, "PATCH", busy[i], NULL, "{\"description\":\"%d\"}", turn);
	}
	caller_free(&c);
}

TEST(a_group_is_joined_and_left_in_turn)
{
	for (int k = 0; k < NAMES; k++)
		names[k] = TEXT("/v1/companies/%s", POST(TEXT("{\"name\":\"In turn %d\"}", k), "/v1/companies"));
	for (int i = 0; i < CROWD; i++)
		busy[i] = TEXT("/v1/companies/%s", POST("{}", "/v1/companies"));
	rig_write(rig.orders, "");
	caller_crowd_run(CROWD, add_and_leave, NULL);
	assert_true(rows_count("events where type = 'company.groups_updated'") > TURNS);
	assert_rows(0, "(select e.data #>> '{changes,0,type}' as now, lag(e.data #>> '{changes,0,type}') over "
	               "(partition by record_id order by generation, xid, seq) as before from events e "
	               "where type = 'company.groups_updated') e where now = before");
}
