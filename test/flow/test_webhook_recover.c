/* Recovering deliveries: what is counted, what happens to the rows, for any number. Whether due deliveries then
 * arrive does not matter: the target refuses connections. */
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "test/lib/await.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/rows.h"
#include "test/lib/server/logged.h"
#include "test/lib/test.h"
#include "test/lib/webhook/unsent.h"

/* --- recovery ---------------------------------------------------------------------------- */

static int count_of(const struct caller_answer *a)
{
	return (int)strtol(json_member(caller_data(&ada.arena, *a), "count")->text, NULL, 10);
}

static struct caller_answer webhook_recover(const char *hook, int hours)
{
	char body[80], time[TIME_TEXT_SIZE];

	snprintf(body, sizeof body, "{\"since\": \"%s\"}",
	    time_format(clock_now_ms() - (int64_t)hours * UNSENT_MS_PER_HOUR, time));
	return caller_good(unsent_act(hook, "POST", "/recover", body));
}

AROUND_ALL(unsent_open, flow_close);

/* Failed and untried events are sent again; not those delivered, nor any from before the webhook was created. */
TEST(test_recover)
{
	char early[37], older[37], sent[37], failed[37], other[37], untried[37];
	const char *hook = unsent_make("task.created");
	struct caller_answer a;

	caller_good(unsent_act(hook, "PATCH", "", "{\"status\": \"inactive\"}")); /* nothing is sent yet */
	unsent_event(9, early);
	unsent_event(8, older);
	unsent_event(6, sent);
	unsent_event(5, failed);
	unsent_event(4, other);
	unsent_event(3, untried);
	rows_change("update events set type = 'task.deleted' where id = '%s'", other);
	unsent_delivery(hook, early, "failed");
	unsent_delivery(hook, sent, "delivered");
	unsent_delivery(hook, failed, "failed");
	rows_change("update webhooks set position_xid = pg_current_xact_id()::text::bigint, position_seq = 1, version "
	            "= version + 1, status = 'active', created_at = now() - interval '7 hours' where id = '%s'",
	    unsent_bare(hook));
	a = webhook_recover(hook, 8);
	assert_int_equal(count_of(&a), 2);
	await_true(
	    unsent_deliveries(hook, untried, "true") + unsent_deliveries(hook, failed, "n_attempts between 1 and 8") >=
	    2);
	/* Its position is after all of them by now, or nothing of the last would have been written. */
	assert_int_equal(unsent_deliveries(hook, sent, "state = 'delivered' and n_attempts = 9"), 1);
	assert_int_equal(unsent_deliveries(hook, early, "state = 'failed' and n_attempts = 9"), 1);
	assert_int_equal(unsent_deliveries(hook, older, "true"), 0);
	assert_int_equal(unsent_deliveries(hook, other, "true"), 0);
	a = webhook_recover(hook, 1);
	assert_int_equal(count_of(&a), 0);
	caller_good(unsent_act(hook, "DELETE", "", NULL));
}

/* A count that takes too long is an estimate and marked as such: here the first 500 of 2,000 events are examined. */
TEST(test_recover_estimated)
{
	const char *hook = unsent_make("note.created"), *count;
	struct caller_answer a;
	long n;

	caller_good(unsent_act(hook, "PATCH", "", "{\"status\": \"inactive\"}"));
	rows_change("insert into events (workspace_id, id, type, record_id, created_at) select '%s', "
	            "gen_random_uuid(), 'note.created', gen_random_uuid(), now() - interval '50 minutes' + n * "
	            "interval '1.5 seconds' from generate_series(0, 1999) n order by n",
	    unsent_bare(rig.workspace.id));
	rows_change("update webhooks set position_xid = pg_current_xact_id()::text::bigint, position_seq = 1, version "
	            "= version + 1, status = 'active', created_at = now() - interval '7 hours' where id = '%s'",
	    unsent_bare(hook));
	rig_write(rig.orders, "slow_recover 1 error\n");
	a = webhook_recover(hook, 1);
	rig_write(rig.orders, "");
	assert_non_null(strstr(a.reply.body, "\"countIsEstimated\":true"));
	count = strstr(a.reply.body, "\"count\":");
	assert_non_null(count);
	n = strtol(count + strlen("\"count\":"), NULL, 10);
	assert_in_range(n, 1800, 2200);
	caller_good(unsent_act(hook, "DELETE", "", NULL));
}

static int64_t rows_of(const char *hook, const char *what)
{
	return rows_count("deliveries where webhook_id = '%s' and %s", unsent_bare(hook), what);
}

/* So many that they are read and queued again in several parts, and not by the request: it needs none of these rows,
 * and one of them is locked. Its transaction, for which all events wait, is short. */
TEST(test_recover_many)
{
	const char *hook = unsent_make("task.created");
	PGconn *db = PQconnectdb(rig.program->database_url);
	const char *count;
	struct caller_answer a;

	caller_good(unsent_act(hook, "PATCH", "", "{\"status\": \"inactive\"}")); /* nothing else touches the rows */
	/* An estimate looks at the oldest events first: those of other cases must not be among them. The neighbour
	 * waits for its own events, so these stay. */
	rows_change("delete from events where workspace_id = '%s'", unsent_bare(rig.workspace.id));
	rig_int(&rig,
	    "with e as (insert into events (workspace_id, id, type, record_id, created_at) select '%s', "
	    "gen_random_uuid(), 'task.created', gen_random_uuid(), now() - n * interval '0.89 seconds' from "
	    "generate_series(6001, 1, -1) n returning *), n as (select e.*, row_number() over () as n from e) insert "
	    "into deliveries (workspace_id, webhook_id, generation, xid, seq, created_at, id, event_id, event_type, "
	    "record_id, state, n_attempts) select workspace_id, '%s', generation, xid, seq, created_at, id, id, type, "
	    "record_id, (array['delivered', 'failed', 'cancelled'])[1 + n %% 3], 9 from n returning 1",
	    unsent_bare(rig.workspace.id), unsent_bare(hook));
	rows_change("update webhooks set status = 'active', version = version + 1 where id = '%s'", unsent_bare(hook));
	PQclear(PQexec(db, "analyze events, deliveries")); /* an estimate needs it */
	PQclear(PQexec(db, "begin"));
	PQclear(PQexec(db,
	    arena_printf(&rig.arena, "select from deliveries where webhook_id = '%s' and state = 'failed' for update",
	        unsent_bare(hook))));
	a = webhook_recover(hook, 2);
	count = strstr(a.reply.body, "\"count\":");
	assert_non_null(count);
	if (strstr(a.reply.body, "\"countIsEstimated\":true")) /* on a slow machine */
		assert_in_range(strtol(count + strlen("\"count\":"), NULL, 10), 3600, 4400);
	else
		assert_non_null(strstr(a.reply.body, "\"count\":4001}"));
	caller_good(unsent_act(hook, "POST", "/rotate-secret", NULL));
	assert_int_equal(rows_of(hook, "state = 'failed'"), 2001);
	PQclear(PQexec(db, "commit"));
	PQfinish(db);
	await_true(rows_of(hook, "state = 'pending' and n_attempts < 9") >= 4001);
	assert_int_equal(rows_of(hook, "state = 'delivered' and n_attempts = 9"), 2000);
	assert_true(rig_int(&rig,
	                "select count(distinct next_attempt_at) from deliveries where webhook_id = '%s' and state = "
	                "'pending' and n_attempts = 0",
	                unsent_bare(hook)) > 2);
	caller_good(unsent_act(hook, "DELETE", "", NULL));
}

static bool is_loss(void *ctx, const struct json *line)
{
	const char *message = logged_text(line, "message");

	(void)ctx;
	return message && strstr(message, "lost a connection");
}

/* What a process had left to do when it ended is done by the next, although nothing is due and no event is new. */
TEST(test_goes_on)
{
	const char *hook = arena_printf(&rig.arena, "%s", unsent_make("task.deleted")); /* outlives ada */
	char event[37];

	unsent_event(2, event);
	unsent_delivery(hook, event, "failed");
	rows_change("update webhooks set position_generation = position_generation + 1000000 where id = '%s'",
	    unsent_bare(hook));
	rows_change("insert into webhook_repeats (workspace_id, webhook_id, kind, since) values ('%s', '%s', 'again', "
	            "now() - interval '3 hours')",
	    unsent_bare(rig.workspace.id), unsent_bare(hook));
	unsent_serve();
	await_true(unsent_deliveries(hook, event, "state = 'pending' and n_attempts between 1 and 8") != 0);
	assert_rows(0, "webhook_repeats");
	/* The generation of events that begins after that position does so before others' connections are made. */
	assert_false(logged_each(&rig.arena, server, is_loss, NULL));
	caller_good(unsent_act(hook, "DELETE", "", NULL));
}

/* Deliveries of one state are found by it, however many others there are. The last case: it analyses the table while
 * one webhook has all rows. */
TEST(test_list_of_state)
{
	const char *hook = unsent_make("reminder.created"), *plan;
	struct caller_answer a;

	rows_change("insert into deliveries (workspace_id, webhook_id, generation, xid, seq, created_at, id, event_id, "
	            "event_type, record_id, state) select '%s', '%s', 0, n, n, now(), gen_random_uuid(), "
	            "gen_random_uuid(), 'reminder.created', gen_random_uuid(), (array['failed', 'delivered'])[1 + n %% "
	            "2] from generate_series(1, 20000) n",
	    unsent_bare(rig.workspace.id), unsent_bare(hook));
	a = caller_good(unsent_act(hook, "GET", "/deliveries?state=cancelled", NULL));
	assert_non_null(strstr(a.reply.body, "\"items\":[]"));
	plan = rows_text("create function plan_of(q text) returns text language plpgsql as $$ declare line text; plan "
	                 "text := ''; begin for line in execute 'explain (analyze, costs off, timing off, summary off) "
	                 "' || q loop plan := plan || line || e'\\n'; end loop; return plan; end $$; analyze "
	                 "deliveries; set enable_seqscan = off; select plan_of($$select * from deliveries t where "
	                 "workspace_id = '%s' and webhook_id = '%s' and state = 'cancelled' order by id limit 21$$)",
	    unsent_bare(rig.workspace.id), unsent_bare(hook));
	if (strstr(plan, "Rows Removed by Filter"))
		fail_msg("%s", plan);
	caller_good(unsent_act(hook, "DELETE", "", NULL));
}
