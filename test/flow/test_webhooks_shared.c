/* Several workspaces on one server: with concurrent writes and jobs each gets exactly its own events; and receivers
 * that do not answer hold up no other workspace. */
#include <stdio.h>
#include <string.h>

#include "test/lib/patience.h"
#include "test/lib/webhook/hook_rig.h"

enum { TENANTS = 9, SLOW = 6, SLOW_HOOKS = 90, WAIT_MS = 60000, SOON_MS = 15000, ROUNDS = 60, REMINDERS = 10 };

static struct shared_tenant {
	struct test_workspace workspace;
	struct test_user user;
	struct caller caller;
} tenants[TENANTS];

HOOKS("webhooks_shared", .settings = {"clock_scale=100"});

BEFORE_ALL()
{
	/* Jobs run a hundred times as often: they share connections with the dispatcher. */

	for (int i = 0; i < TENANTS; i++) {
		struct shared_tenant *t = &tenants[i];
		char *name = arena_printf(&rig.arena, "tenant%d", i);
		t->workspace = workspace_create(rig.program, &rig.arena, name);
		t->user = user_create(rig.program, &rig.arena, &t->workspace, name, name,
		    arena_printf(&rig.arena, "%s@example.org", name), "admin");
		caller_init(&t->caller, server->base, t->user.key);
	}
}

AFTER_ALL()
{
	for (int i = 0; i < TENANTS; i++)
		caller_free(&tenants[i].caller);
}

static void create_person(struct shared_tenant *t)
{
	assert_int_equal(caller_send(&t->caller, "POST", "/v1/people", NULL, "{\"firstName\":\"Shared\"}").status, 200);
}

/* --- each its own events --------------------------------------------------------------- */

/* One-time reminders of the workspace that are due now. */
static void add_reminders(const struct shared_tenant *t, int count)
{
	rows_change("insert into reminders (workspace_id, id, entity_id, entity_type, name, recurrence_rule, "
	            "visibility, next_trigger_at, created_by, created_at) select u.workspace_id, gen_random_uuid(), "
	            "gen_random_uuid(), 'person', 'r', E'DTSTART:20260101T000000Z\nRRULE:COUNT=1', 'public', "
	            "clock_timestamp(), u.id, now() from users u, generate_series(1, %d) where u.id = '%s'",
	    count, t->user.id + strlen("usr_"));
}

TEST(test_each_its_own)
{
	static const char events[] = "[{\"eventType\":\"person.created\",\"filter\":{}},"
	                             "{\"eventType\":\"reminder.triggered\",\"filter\":{}}]";
	struct receiver *r[2];
	int sent[2] = {0};

	for (int i = 0; i < 2; i++) {
		r[i] = RECEIVE(0);
		hooked_make(&tenants[i].caller, receiver_url(r[i], "/"), events);
	}
	patience_seed(7);
	for (int round = 0; round < ROUNDS; round++) {
		int who = (int)patience_chance(2);
		create_person(&tenants[who]);
		sent[who]++;
		if (round % (ROUNDS / REMINDERS) == 0) {
			add_reminders(&tenants[!who], 1);
			sent[!who]++;
		}
		assert_true(receiver_wait(r[0], sent[0], WAIT_MS));
		assert_true(receiver_wait(r[1], sent[1], WAIT_MS));
		patience_chance_us(20000);
	}
	/* Failed deliveries have rows, too: outcomes are written for a workspace other than the one that was read last.
	 */
	for (int i = 0; i < 2; i++)
		receiver_fail(r[i], 50);
	for (int round = 0; round < ROUNDS; round++)
		create_person(&tenants[round % 2]);
	await_rows(0, "events e where e.type = 'person.created' and not exists (select from deliveries d where "
	              "d.workspace_id = e.workspace_id and d.event_id = e.id)");
}

/* --- hanging receivers -------------------------------------------------------------------------- */

/* More attempts than there are places, to more webhooks than fit into memory, wait for silent receivers for as long
 * as an attempt may take. */
TEST(test_fair)
{
	static const char four[] = "{\"records\":[{\"firstName\":\"a\"},{\"firstName\":\"b\"},{\"firstName\":\"c\"},"
	                           "{\"firstName\":\"d\"}]}";
	struct shared_tenant *known = &tenants[SLOW], *fresh = &tenants[SLOW + 1];
	struct receiver *slow = RECEIVE(.behaviour = {.mode = RECEIVER_NEVER}), *good = RECEIVE(0), *other = RECEIVE(0);
	int before;

	hooked_make(&known->caller, receiver_url(good, "/"), NULL);
	create_person(known);
	assert_true(receiver_wait(good, 1, WAIT_MS));
	for (int i = 0; i < SLOW * SLOW_HOOKS; i++)
		hooked_make(&tenants[i % SLOW].caller, receiver_url(slow, "/"), NULL);
	for (int i = 0; i < SLOW; i++)
		assert_int_equal(
		    caller_send(&tenants[i].caller, "POST", "/v1/people/batch/create", NULL, four).status, 200);
	/* Each slow workspace uses its whole share of attempts, and all of them hang. */
	assert_true(receiver_wait(slow, SLOW * 8, WAIT_MS));
	for (int i = 2; i < 12; i++) {
		create_person(known);
		assert_true(receiver_wait(good, i, SOON_MS)); /* an attempt that hangs ends after 20 s */
	}
	/* Also a webhook about which nothing is known yet. */
	hooked_make(&fresh->caller, receiver_url(other, "/"), NULL);
	before = receiver_count(slow);
	for (int i = 1; i < 4; i++) {
		create_person(fresh);
		assert_true(receiver_wait(other, i, SOON_MS));
	}
	/* Meanwhile none of the others was given up: they still hang. */
	assert_true(receiver_open(slow) >= SLOW * 8);
	printf("%d attempts hang, %d of them from before the last webhook was made\n", receiver_count(slow), before);
}
