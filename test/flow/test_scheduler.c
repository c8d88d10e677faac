/* Two servers advance the same reminders: each due time exactly once, and in time; and both delete expired keys. */
#include <string.h>

#include "test/lib/rows.h"
#include "test/lib/server/neighbour.h"

/* LATE_MS: usually less than a second. A reminder that is put off comes much later. */
enum { SERVERS = 2, ONCE = 400, MANY = 6000, LATE_MS = 20000, SCALE = 20 };

static struct test_workspace other;

/* Every advance of a reminder leaves a row, by whichever server. */
static const char watch[] =
    "create table moved (id uuid, was timestamptz, became timestamptz, at timestamptz); create function watch() "
    "returns trigger language plpgsql security definer as $$ begin insert into moved values (new.id, "
    "old.next_trigger_at, new.next_trigger_at, clock_timestamp()); return new; end $$; create trigger watch after "
    "update on reminders for each row when (old.next_trigger_at is distinct from new.next_trigger_at) execute function "
    "watch(); select 1";

RIG("scheduler", .servers = RIG_NO_SERVER, .neighbour = true);

BEFORE_ALL()
{
	database_int(rig.program, watch);
	other = workspace_create(rig.program, &rig.arena, "other");
	for (int i = 0; i < SERVERS; i++)
		servers[i] = rig_serve(&rig, false, (const char *const[]){"clock_scale=20", NULL});
}

/* Reminders of a workspace, due in after_ms, all with that rule. */
static void add_to(const struct test_workspace *w, int count, int after_ms, const char *name, const char *rule)
{
	rows_change("insert into reminders (workspace_id, id, entity_id, entity_type, name, recurrence_rule, "
	            "visibility, next_trigger_at, created_by, created_at) select w.workspace_id, gen_random_uuid(), "
	            "gen_random_uuid(), 'person', '%s', '%s', 'private', clock_timestamp() + %d * interval '1 ms', "
	            "w.workspace_id, now() from workspaces w, generate_series(1, %d) where w.workspace_id = '%s'",
	    name, rule, after_ms, count, strchr(w->id, '_') + 1);
}

static void add_reminders(int count, int after_ms, const char *name, const char *rule)
{
	add_to(&rig.workspace, count, after_ms, name, rule);
}

#define OWN "join workspaces w using (workspace_id) where w.name = 'scheduler'"

TEST(test_exactly_once)
{
	add_reminders(ONCE, 1000, "once", "DTSTART:20260101T000000Z\nRRULE:COUNT=1");
	await_rows(ONCE, "reminders where name = 'once' and next_trigger_at is null");
	assert_rows(ONCE, "moved m join reminders r using (id) where r.name = 'once'");
	assert_number(ONCE,
	    "select count(distinct m.id) from moved m join reminders r using (id) where r.name <> '" NEIGHBOUR_NAME
	    "'");
	assert_rows(0, "moved where became is not null or at < was");
	assert_rows(0, "reminders r join moved m using (id) where r.last_trigger_at is distinct from m.was");
	assert_rows(0, "moved where at > was + %d * interval '1 ms'", LATE_MS);
	assert_rows(ONCE,
	    "events e join moved m on m.id = e.record_id join reminders r on r.id = m.id where r.name = 'once' "
	    "and e.type = 'reminder.triggered' and e.actor_via = 1 and e.actor_id is null and (e.data -> 'details' ->> "
	    "'lastTriggerTime')::timestamptz = "
	    "date_trunc('milliseconds', m.was) and e.data -> 'details' ->> 'nextTriggerTime' is null");
	assert_number(ONCE, "select count(distinct record_id) from events " OWN);
	assert_rows(ONCE, "events " OWN);
	print_message("latest: %lld ms\n",
	    (long long)rig_int(&rig, "select max(extract(epoch from at - was) * 1000)::int from moved"));
}

/* A rule of seconds fires once a minute, for all its times in it; each time is handled by one of both servers. */
TEST(test_again_and_again)
{
	add_reminders(1, 0, "ticks", "DTSTART:20260101T000000Z\nRRULE:FREQ=SECONDLY");
	await_number(3, "select least(count(*), 3) from moved m join reminders r using (id) where r.name = 'ticks'");
	assert_number(0,
	    "select count(*) - count(distinct m.was) from moved m join reminders r using (id) where r.name = 'ticks'");
	assert_rows(0,
	    "moved m join reminders r using (id) where r.name = 'ticks' and m.became < m.was + interval '1 minute' / "
	    "%d",
	    SCALE);
}

/* A rule that cannot be evaluated does not end its reminder, which fires when it can be; others do not wait for it. */
TEST(test_put_off)
{
	add_reminders(3, -1000, "lost", "DTSTART;TZID=Europe/Nowhere:20260101T000000\nRRULE:FREQ=DAILY");
	add_reminders(1, 0, "found", "DTSTART;TZID=Europe/Paris:20260101T000000\nRRULE:FREQ=DAILY");
	await_rows(3, "reminders where name = 'lost' and put_off_until > next_trigger_at");
	await_rows(1, "reminders where name = 'found' and next_trigger_at > now()");
	assert_rows(0, "moved join reminders using (id) where name = 'lost'");
	rows_change(
	    "update reminders set recurrence_rule = replace(recurrence_rule, 'Nowhere', 'Paris') where name = 'lost'");
	await_rows(3, "reminders where name = 'lost' and next_trigger_at > now() and put_off_until is null");
	assert_rows(3, "moved join reminders using (id) where name = 'lost'");
}

/* A rule that began in the past and is due now. */
static void begin_rule(const char *name, const char *ago, const char *rule)
{
	add_reminders(1, 3600 * 1000, name, "DTSTART:20260101T000000Z\nRRULE:COUNT=1");
	rows_change("update reminders set next_trigger_at = date_trunc('second', now()), recurrence_rule = 'DTSTART:' "
	            "|| to_char(now() at time zone 'UTC' - interval '%s', 'YYYYMMDD\"T\"HH24MISS') || e'Z\nRRULE:%s' "
	            "where name = '%s'",
	    ago, rule, name);
}

/* Counting of a rule is kept: one that is too much for one run is counted in several; and COUNT ends it. */
TEST(test_counted)
{
	begin_rule("far", "400 days", "FREQ=MINUTELY;INTERVAL=7;BYDAY=MO,TU,WE,TH,FR,SA,SU;COUNT=999999999");
	begin_rule("near", "0 days", "FREQ=SECONDLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;COUNT=5");
	await_rows(1, "reminders where name = 'far' and counted > 20000 and put_off_until > next_trigger_at");
	await_rows(1, "reminders where name = 'far' and counted > 60000 and put_off_until is null and next_trigger_at "
	              "> now() and last_trigger_at is not null");
	await_rows(1, "reminders where name = 'near' and next_trigger_at is null");
	assert_in_range(rows_count("events e join reminders r on r.id = e.record_id where r.name = 'near'"), 1, 2);
}

/* One workspace's many overdue reminders do not hold up another's. */
TEST(test_turns)
{
	int64_t before;

	add_reminders(MANY, -3600 * 1000, "many", "DTSTART:20260101T000000Z\nRRULE:COUNT=1");
	add_to(&other, 1, -1000, "single", "DTSTART:20260101T000000Z\nRRULE:COUNT=1");
	await_rows(1, "reminders where name = 'single' and next_trigger_at is null");
	before = rows_count("moved m join reminders r using (id) where r.name = 'many' and m.at < (select at from "
	                    "moved join reminders using (id) where name = 'single')");
	print_message("before the single one: %lld\n", (long long)before);
	assert_true(before < MANY / 2);
	await_rows(MANY, "reminders where name = 'many' and next_trigger_at is null");
}

/* At any time there are as many events as advances. */
TEST(test_told)
{
	assert_rows(0, "(select id, count(*) as n from moved where became is null or became > was group by id) m full "
	               "join (select record_id as id, count(*) as n from events where type = 'reminder.triggered' "
	               "group by record_id) e using (id) where m.n is distinct from e.n");
}

/* Times that passed while nothing ran fire once, and the next one is in the future. */
TEST(test_missed)
{
	add_reminders(1, -3 * 24 * 60 * 60 * 1000, "missed", "DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY");
	await_rows(1, "reminders where name = 'missed' and next_trigger_at > now()");
	assert_rows(1, "moved m join reminders r using (id) where r.name = 'missed'");
}

TEST(test_expired_keys)
{
	rows_change("insert into idempotency_keys (workspace_id, user_id, key_hash, fingerprint, status, completed_at) "
	            "select w.workspace_id, w.workspace_id, sha256(n::text::bytea), 'x', 200, now() - interval '25 "
	            "hours' from workspaces w, generate_series(1, 2500) n");
	await_rows(0, "idempotency_keys");
}
