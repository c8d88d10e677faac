/* Recovering deliveries: what is counted, what happens to the rows, for any number. Whether due deliveries then
 * arrive does not matter: the target refuses connections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/id.h"
#include "server/base/json.h"
#include "test/lib/caller.h"
#include "test/lib/patience.h"
#include "test/lib/rig.h"

#define TARGET "http://127.0.0.1:9/hook"
#define HOOK "{\"name\": \"x\", \"targetUrl\": \"" TARGET "\", \"subscribedEvents\": [{\"eventType\": \"%s\"}]}"

enum { WAIT_MS = 20000, MS_PER_HOUR = 60 * 60 * 1000 };

static const char *const settings[] = {"webhook_allow_targets=127.0.0.0/8", NULL};
static struct rig rig;
static struct server *server;
static struct caller ada;
static char orders[160];

static int open_rig(void **state)
{
	(void)state;
	rig_open(&rig, "recover", false);
	snprintf(orders, sizeof orders, "%s/recover-orders", rig.program->data_dir);
	rig_write(orders, "");
	setenv("FAULT_FILE", orders, 1);
	server = rig_serve(&rig, false, settings);
	caller_init(&ada, server->base, rig.ada.key);
	return 0;
}

static int close_rig(void **state)
{
	bool clean;

	(void)state;
	caller_free(&ada);
	clean = server_stop(server);
	rig_close(&rig);
	return clean ? 0 : -1;
}

static struct answer good(struct answer a)
{
	if (a.status != 200)
		fail_msg("%d %s %s", a.status, a.error, a.reply.body);
	return a;
}

static const char *make_hook(const char *event)
{
	return good(caller_sendf(&ada, "POST", "/v1/webhooks", NULL, HOOK, event)).id;
}

/* The UUID in the id, for statements. */
static const char *bare(const char *id)
{
	return id + 4;
}

static struct answer act(const char *id, const char *method, const char *what, const char *body)
{
	char target[160];

	snprintf(target, sizeof target, "/v1/webhooks/%s%s", id, what);
	return caller_send(&ada, method, target, NULL, body);
}

static void put_event(const char *workspace, int hours, char id[37])
{
	struct uuid uuid = id_new(), record = id_new();
	char of[37];

	uuid_format(&uuid, id);
	assert_int_equal(rig_int(&rig,
	                     "insert into events (workspace_id, id, type, record_id, created_at) values ('%s', '%s', "
	                     "'task.created', '%s', now() - interval '%d hours') returning 1",
	                     bare(workspace), id, uuid_format(&record, of), hours),
	    1);
}

static void put_delivery(const char *hook, const char *event, const char *state)
{
	struct uuid uuid = id_new();
	char id[37];

	assert_int_equal(
	    rig_int(&rig,
	        "insert into deliveries (workspace_id, webhook_id, generation, xid, seq, created_at, id, event_id, "
	        "event_type, "
	        "record_id, state, next_attempt_at, n_attempts) select workspace_id, '%s', generation, xid, seq, "
	        "created_at, '%s', "
	        "id, "
	        "type, record_id, '%s', case when '%s' = 'pending' then now() + interval '20 hours' end, 9 from events "
	        "where id = '%s' returning 1",
	        bare(hook), uuid_format(&uuid, id), state, state, event),
	    1);
}

static int64_t delivery_in(const char *hook, const char *event, const char *condition)
{
	return rig_int(&rig, "select count(*) from deliveries where webhook_id = '%s' and event_id = '%s' and %s",
	    bare(hook), event, condition);
}

/* --- recovery ---------------------------------------------------------------------------- */

static int count_of(const struct answer *a)
{
	const char *error;
	const struct json *body = json_read(&ada.arena, a->reply.body, a->reply.body_len, &error);
	uint64_t count = json_member(json_member(body, "data"), "count")->text[0] - '0';

	return (int)count;
}

static struct answer recover(const char *hook, int hours)
{
	char body[80], time[TIME_TEXT_SIZE];

	snprintf(
	    body, sizeof body, "{\"since\": \"%s\"}", time_format(clock_now_ms() - (int64_t)hours * MS_PER_HOUR, time));
	return good(act(hook, "POST", "/recover", body));
}

/* Failed and untried events are sent again; not those delivered, nor any from before the webhook was created. */
static void test_recover(void **state)
{
	char early[37], older[37], sent[37], failed[37], other[37], untried[37];
	const char *hook = make_hook("task.created");
	int64_t until_us = patience_ms(WAIT_MS);
	struct answer a;

	(void)state;
	good(act(hook, "PATCH", "", "{\"status\": \"inactive\"}")); /* nothing is sent yet */
	put_event(rig.workspace.id, 9, early);
	put_event(rig.workspace.id, 8, older);
	put_event(rig.workspace.id, 6, sent);
	put_event(rig.workspace.id, 5, failed);
	put_event(rig.workspace.id, 4, other);
	put_event(rig.workspace.id, 3, untried);
	rig_int(&rig, "update events set type = 'task.deleted' where id = '%s' returning 1", other);
	put_delivery(hook, early, "failed");
	put_delivery(hook, sent, "delivered");
	put_delivery(hook, failed, "failed");
	rig_int(&rig,
	    "update webhooks set position_xid = pg_current_xact_id()::text::bigint, position_seq = 1, version = "
	    "version + 1, status = 'active', created_at = now() - interval '7 hours' where id = '%s' returning 1",
	    bare(hook));
	a = recover(hook, 8);
	assert_int_equal(count_of(&a), 2);
	while (delivery_in(hook, untried, "true") + delivery_in(hook, failed, "n_attempts between 1 and 8") < 2)
		assert_true(patience_pause(until_us));
	/* Its position is after all of them by now, or nothing of the last would have been written. */
	assert_int_equal(delivery_in(hook, sent, "state = 'delivered' and n_attempts = 9"), 1);
	assert_int_equal(delivery_in(hook, early, "state = 'failed' and n_attempts = 9"), 1);
	assert_int_equal(delivery_in(hook, older, "true"), 0);
	assert_int_equal(delivery_in(hook, other, "true"), 0);
	a = recover(hook, 1);
	assert_int_equal(count_of(&a), 0);
	good(act(hook, "DELETE", "", NULL));
}

/* A count that takes too long is an estimate and marked as such: here of 2,000 events, the first 500 of which are
 * examined. */
static void test_recover_estimated(void **state)
{
	const char *hook = make_hook("note.created"), *count;
	struct answer a;
	long n;

	(void)state;
	good(act(hook, "PATCH", "", "{\"status\": \"inactive\"}"));
	rig_int(&rig,
	    "insert into events (workspace_id, id, type, record_id, created_at) select '%s', gen_random_uuid(), "
	    "'note.created', gen_random_uuid(), now() - interval '50 minutes' + n * interval '1.5 seconds' from "
	    "generate_series(0, 1999) n order by n returning 1",
	    bare(rig.workspace.id));
	rig_int(&rig,
	    "update webhooks set position_xid = pg_current_xact_id()::text::bigint, position_seq = 1, version = "
	    "version + 1, status = 'active', created_at = now() - interval '7 hours' where id = '%s' returning 1",
	    bare(hook));
	rig_write(orders, "slow_recover 1 error\n");
	a = recover(hook, 1);
	rig_write(orders, "");
	assert_non_null(strstr(a.reply.body, "\"countIsEstimated\":true"));
	count = strstr(a.reply.body, "\"count\":");
	assert_non_null(count);
	n = strtol(count + strlen("\"count\":"), NULL, 10);
	assert_in_range(n, 1800, 2200);
	good(act(hook, "DELETE", "", NULL));
}

static int64_t rows_of(const char *hook, const char *what)
{
	return rig_int(&rig, "select count(*) from deliveries where webhook_id = '%s' and %s", bare(hook), what);
}

/* So many that they are read and queued again in several parts, and not by the request: it needs none of these rows,
 * one of which is locked, and its transaction, for which all events wait, is short. */
static void test_recover_many(void **state)
{
	const char *hook = make_hook("task.created");
	int64_t until_us = patience_ms(WAIT_MS);
	PGconn *db = PQconnectdb(rig.program->database_url);
	struct answer a;

	(void)state;
	good(act(hook, "PATCH", "", "{\"status\": \"inactive\"}")); /* nothing else touches the rows */
	rig_int(&rig,
	    "with e as (insert into events (workspace_id, id, type, record_id, created_at) select '%s', "
	    "gen_random_uuid(), 'task.created', gen_random_uuid(), now() - interval '90 minutes' from "
	    "generate_series(1, 6001) returning *), n as (select e.*, row_number() over () as n from e) insert into "
	    "deliveries (workspace_id, webhook_id, generation, xid, seq, created_at, id, event_id, event_type, "
	    "record_id, state, n_attempts) select workspace_id, '%s', generation, xid, seq, created_at, id, id, type, "
	    "record_id, (array['delivered', 'failed', 'cancelled'])[1 + n %% 3], 9 from n returning 1",
	    bare(rig.workspace.id), bare(hook));
	rig_int(&rig, "update webhooks set status = 'active', version = version + 1 where id = '%s' returning 1",
	    bare(hook));
	PQclear(PQexec(db, "begin"));
	PQclear(PQexec(
	    db, arena_printf(&rig.arena,
	            "select from deliveries where webhook_id = '%s' and state = 'failed' for update", bare(hook))));
	a = recover(hook, 2);
	assert_non_null(strstr(a.reply.body, "\"count\":4001}"));
	good(act(hook, "POST", "/rotate-secret", NULL));
	assert_int_equal(rows_of(hook, "state = 'failed'"), 2001);
	PQclear(PQexec(db, "commit"));
	PQfinish(db);
	while (rows_of(hook, "state = 'pending' and n_attempts < 9") < 4001)
		assert_true(patience_pause(until_us));
	assert_int_equal(rows_of(hook, "state = 'delivered' and n_attempts = 9"), 2000);
	assert_true(
	    rig_int(&rig,
	        "select count(distinct next_attempt_at) from deliveries where webhook_id = '%s' and state = 'pending' "
	        "and n_attempts = 0",
	        bare(hook)) > 2);
	good(act(hook, "DELETE", "", NULL));
}

/* What a process had left to do when it ended is done by the next, although nothing is due and no event is new. */
static void test_goes_on(void **state)
{
	const char *hook = arena_printf(&rig.arena, "%s", make_hook("task.deleted")); /* outlives ada */
	int64_t until_us = patience_ms(WAIT_MS);
	char event[37];

	(void)state;
	put_event(rig.workspace.id, 2, event);
	put_delivery(hook, event, "failed");
	rig_int(&rig,
	    "update webhooks set position_generation = position_generation + 1000000 where id = '%s' returning 1",
	    bare(hook));
	rig_int(&rig,
	    "insert into webhook_repeats (workspace_id, webhook_id, kind, since) values ('%s', '%s', 'again', "
	    "now() - interval '3 hours') returning 1",
	    bare(rig.workspace.id), bare(hook));
	caller_free(&ada);
	assert_true(server_stop(server));
	server = rig_serve(&rig, false, settings);
	caller_init(&ada, server->base, rig.ada.key);
	while (delivery_in(hook, event, "state = 'pending' and n_attempts between 1 and 8") == 0)
		assert_true(patience_pause(until_us));
	assert_int_equal(rig_int(&rig, "select count(*) from webhook_repeats"), 0);
	good(act(hook, "DELETE", "", NULL));
}

/* Deliveries of one state are found by it, however many others there are. */
static void test_list_of_state(void **state)
{
	const char *hook = make_hook("reminder.created"), *plan;
	struct answer a;

	(void)state;
	rig_int(&rig,
	    "insert into deliveries (workspace_id, webhook_id, generation, xid, seq, created_at, id, event_id, "
	    "event_type, "
	    "record_id, state) select '%s', '%s', 0, n, n, now(), gen_random_uuid(), gen_random_uuid(), "
	    "'reminder.created', gen_random_uuid(), (array['failed', 'delivered'])[1 + n %% 2] from generate_series(1, "
	    "20000) n returning 1",
	    bare(rig.workspace.id), bare(hook));
	a = good(act(hook, "GET", "/deliveries?state=cancelled", NULL));
	assert_non_null(strstr(a.reply.body, "\"items\":[]"));
	plan = database_text(rig.program, &rig.arena,
	    arena_printf(&rig.arena,
	        "create function plan_of(q text) returns text language plpgsql as $$ declare line text; plan text := "
	        "''; "
	        "begin for line in execute 'explain (analyze, costs off, timing off, summary off) ' || q loop plan := "
	        "plan "
	        "|| line || e'\\n'; end loop; return plan; end $$; analyze deliveries; set enable_seqscan = off; "
	        "select plan_of($$select * from deliveries t where workspace_id = '%s' and webhook_id = '%s' and state "
	        "= "
	        "'cancelled' order by id limit 21$$)",
	        bare(rig.workspace.id), bare(hook)));
	if (strstr(plan, "Rows Removed by Filter"))
		fail_msg("%s", plan);
	good(act(hook, "DELETE", "", NULL));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_recover), cmocka_unit_test(test_recover_estimated),
	    cmocka_unit_test(test_recover_many), cmocka_unit_test(test_goes_on),
	    cmocka_unit_test(test_list_of_state), /* last: it analyses the table while one webhook has all rows */
	};
	return cmocka_run_group_tests(tests, open_rig, close_rig);
}
