/* Upserts that wait for a lock: what has changed meanwhile counts. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/request/locks.h"
#include "test/lib/await.h"
#include "test/lib/model/deals.h"
#include "test/lib/rows.h"
#include "test/lib/server/child.h"

enum { MANY = 150 };

DEALS("upsert_confirmed", .faults = true);

/* Two at once: a transaction that has the person's lock takes the address away; and an upsert by that address. */
struct upsert_meanwhile {
	const char *sql, *locked, *waited; /* locked: counts the person's locks; waited: those that are not there yet */
	int64_t held;
	struct caller caller;
	struct caller_answer answer;
	atomic_bool answered;
};

static void meet_person(void *ctx, int i)
{
	struct upsert_meanwhile *m = ctx;

	if (i == 0) {
		m->held = database_int(rig.program, m->sql);
		return;
	}
	await_true(database_int(rig.program, m->locked) != 0);
	m->answer = caller_send(&m->caller, "POST", "/v1/people/batch/upsert", NULL,
	    "{\"match\":\"emails\",\"records\":[{\"emails\":[\"leaving@x.example\"],\"jobTitle\":\"upserted\"}]}");
}

/* Creates the person; returns the number of its lock. */
static long long meanwhile_begin(struct upsert_meanwhile *m, const char *email, const char **person)
{
	struct uuid workspace, id;
	const char *made;
	long long number;

	caller_turn(&ada, servers[0]->base);
	caller_init(&m->caller, servers[1]->base, rig.ada.key);
	made = deals_post("/v1/people", arena_printf(&rig.arena, "{\"emails\":[\"%s\"]}", email)).id;
	assert_true(id_parse(ID_WORKSPACE, rig.workspace.id, strlen(rig.workspace.id), &workspace));
	assert_true(id_parse(ID_PERSON, made, strlen(made), &id));
	number = (long long)lock_record_number(&workspace, &id);
	m->locked = arena_printf(&rig.arena,
	    "select count(*) from pg_locks where locktype = 'advisory' and (classid::int8 << 32 | objid::int8) = %lld",
	    number);
	m->waited = arena_printf(&rig.arena, "%s and not granted", m->locked);
	if (person)
		*person = made;
	return number;
}

TEST(test_confirmed)
{
	static struct upsert_meanwhile m;
	const char *person;
	long long number = meanwhile_begin(&m, "leaving@x.example", &person);

	/* Its number, which decides the order of events, must not be older than the record's lock. */
	m.sql = arena_printf(&rig.arena,
	    "do $$ begin perform pg_advisory_xact_lock(%lld); for i in 1 .. 30000 loop exit when (%s and not granted) "
	    "> 0; perform pg_sleep(0.001); end loop; if exists (select from pg_stat_activity where backend_xid is not "
	    "null and application_name = 'kith') then raise 'it has a number while it waits'; end if; update people "
	    "set emails = '{stayed@x.example}' where id = '%s'; end $$; select count(*) from people where id = '%s'",
	    number, m.locked, person + 4, person + 4);
	caller_crowd_run(2, meet_person, &m);
	assert_int_equal(m.held, 1);
	caller_good(m.answer);
	assert_non_null(strstr(m.answer.reply.body, "\"operation\":\"created\""));
	assert_rows(1, "people where id = '%s' and job_title = ''", person + 4);
	caller_free(&m.caller);
}

/* The same with a second record, whose value comes to be while the first one's lock is waited for. */
static void meet_another(void *ctx, int i)
{
	struct upsert_meanwhile *m = ctx;

	if (i == 0)
		m->held = database_int(rig.program, m->sql);
	await_true(!i || database_int(rig.program, i == 1 ? m->locked : m->waited) != 0);
	if (i == 1)
		m->answer = caller_send(&m->caller, "POST", "/v1/people/batch/upsert", NULL,
		    "{\"match\":\"emails\",\"records\":[{\"emails\":[\"a@x.example\"]},{\"emails\":[\"b@x.example\"]}]"
		    "}");
	if (i == 2)
		deals_post("/v1/people", "{\"emails\":[\"b@x.example\"]}");
}

TEST(test_confirmed_anew)
{
	static struct upsert_meanwhile m;
	static const char made[] = "select count(*) from people where emails = '{b@x.example}'";
	long long number = meanwhile_begin(&m, "a@x.example", NULL);

	m.sql = arena_printf(&rig.arena,
	    "do $$ begin perform pg_advisory_xact_lock(%lld); for i in 1 .. 30000 loop exit when (%s) > 0; perform "
	    "pg_sleep(0.001); end loop; end $$; %s",
	    number, made, made);
	caller_crowd_run(3, meet_another, &m);
	assert_int_equal(m.held, 1);
	assert_null(strstr(caller_good(m.answer).reply.body, "\"operation\":\"created\""));
	assert_number(1, "%s", made);
	caller_free(&m.caller);
}

/* Stands still before its COMMIT, having found none of its addresses. */
static void *upsert_many(void *ctx)
{
	struct upsert_meanwhile *m = ctx;
	struct buf body;

	buf_init(&body, 1 << 16);
	buf_addz(&body, "{\"match\":\"emails\",\"records\":[");
	for (int i = 0; i < MANY; i++)
		buf_printf(&body, "%s\"m%d@x.example\"%s",
		    i % 10 ? ","
		    : i    ? ",{\"emails\":["
		           : "{\"emails\":[",
		    i, i % 10 == 9 ? "]}" : "");
	buf_addz(&body, "]}");
	m->answer = caller_send(&m->caller, "POST", "/v1/people/batch/upsert", NULL, body.data);
	buf_free(&body);
	return NULL;
}

static void *upsert_one(void *ctx)
{
	struct upsert_meanwhile *m = ctx;

	m->answer = caller_send(&m->caller, "POST", "/v1/people/batch/upsert", NULL,
	    "{\"match\":\"emails\",\"records\":[{\"emails\":[\"m7@x.example\"]}]}");
	atomic_store(&m->answered, true);
	return NULL;
}

/* An upsert of so many values that they are not locked one by one, and one of a single value that is among them. */
TEST(test_many_values)
{
	static struct upsert_meanwhile many, one;
	pthread_t threads[2];

	caller_init(&many.caller, servers[0]->base, rig.ada.key);
	caller_init(&one.caller, servers[1]->base, rig.ada.key);
	rig_write(rig.orders, "changes 1 stop\n");
	pthread_create(&threads[0], NULL, upsert_many, &many);
	await_true(child_stopped(servers[0]->pid));
	rig_write(rig.orders, "");
	pthread_create(&threads[1], NULL, upsert_one, &one);
	await_true(
	    atomic_load(&one.answered) || rows_count("pg_locks where locktype = 'advisory' and not granted") != 0);
	kill(servers[0]->pid, SIGCONT);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	caller_good(many.answer);
	assert_null(strstr(caller_good(one.answer).reply.body, "\"operation\":\"created\""));
	assert_rows(1, "people where 'm7@x.example' = any (emails)");
	caller_free(&many.caller);
	caller_free(&one.caller);
}
