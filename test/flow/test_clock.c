/* A machine whose clock is wrong by three months, or is set while it runs: jobs fire and delete by the database's
 * clock, and webhooks are retried on time. */
#include <stdio.h>
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"
#include "test/lib/webhook/hooked.h"

enum { PATIENCE_MS = 60000 };

static void set_behind(bool behind)
{
	rig_write(rig.orders, behind ? "clock_behind 1 errors\n" : "");
}

RIG("clock", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	set_behind(true);
	server = rig_serve_faulty(&rig, false, (const char *const[]){"clock_scale=60", NULL});
}

static void await_sql(const char *sql)
{
	int64_t until_us = patience_ms(PATIENCE_MS);

	while (rig_int(&rig, "%s", sql) != 1)
		assert_true(patience_pause(until_us));
}

TEST(test_reminder)
{
	rows_change(
	    "insert into reminders (workspace_id, id, entity_id, entity_type, name, recurrence_rule, visibility, "
	    "next_trigger_at, created_by, created_at) select workspace_id, gen_random_uuid(), gen_random_uuid(), "
	    "'person', 'due', 'DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY', 'private', now(), workspace_id, now() from "
	    "workspaces where workspace_id = '%s'",
	    strchr(rig.workspace.id, '_') + 1);
	/* The next time is also the first one from now on. */
	await_sql("select count(*) from reminders where name = 'due' and last_trigger_at is not null and "
	          "next_trigger_at > now()");
}

/* Kept for 2.8 hours under the scaled clock, until the end of the day; events for a day and a half. */
TEST(test_made_deliveries)
{
	rig_int(&rig, "select kith_partitions((now() - interval '2 days')::date)");
	rows_change(
	    "insert into deliveries (workspace_id, webhook_id, generation, xid, seq, created_at, id, event_id, "
	    "event_type, record_id, state, n_attempts) select '%s', gen_random_uuid(), 1, n, 1, now() - n * interval "
	    "'30 hours', gen_random_uuid(), gen_random_uuid(), 'task.created', gen_random_uuid(), 'delivered', 1 from "
	    "generate_series(0, 1) n",
	    strchr(rig.workspace.id, '_') + 1);
	rows_change("update delivery_sweep set day = null, block = 0");
	await_sql("select count(*) from deliveries where state = 'delivered'");
	await_sql(
	    "select count(*) from deliveries where state = 'delivered' and created_at > now() - interval '1 hour'");
}

static void post_records(struct caller *c)
{
	assert_int_equal(caller_send(c, "POST", "/v1/people", NULL, "{\"firstName\":\"C\"}").status, 200);
}

static void await_delivered(int n)
{
	char sql[128];

	snprintf(sql, sizeof sql,
	    "select count(*) filter (where state = 'delivered') / %d from deliveries where event_type like 'person%%'",
	    n);
	await_sql(sql);
}

/* The clock is set forward between two failures, which must not count as five days of them, and back during the wait
 * for a retry. */
TEST(test_webhook)
{
	/* Scaled to 3 s. */
	static const struct receiver_behaviour failing = {.status = 500},
	                                       later = {.status = 500, .headers = "Retry-After: 180\r\n"};
	struct receiver *r = receiver_start(&(struct receiver_config){.behaviour = failing});

	set_behind(true);
	caller_turn(&ada, server->base);
	hooked_make(&ada, receiver_url(r, "/"), NULL);
	post_records(&ada);
	await_sql("select count(*) from webhooks where failing_since > now() - interval '1 hour'");
	set_behind(false);
	receiver_clear(r);
	post_records(&ada);
	assert_true(receiver_wait(r, 1, PATIENCE_MS));
	receiver_behave(r, (struct receiver_behaviour){0});
	await_sql("select count(*) from webhooks where status = 'active' and failing_since is null");
	await_delivered(2);
	receiver_behave(r, later);
	receiver_clear(r);
	post_records(&ada);
	assert_true(receiver_wait(r, 1, PATIENCE_MS));
	receiver_behave(r, (struct receiver_behaviour){0});
	set_behind(true);
	await_delivered(3);
	receiver_stop(r);
}
