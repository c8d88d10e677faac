/*
 * Moves reminders on that are due: the time that has come becomes the last one, and the
 * next is the rule's first in the future. Times that passed while nothing ran are one
 * reminder, not many. One transaction takes some, locked, so that of several processes
 * exactly one moves each of them on.
 */
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/jobs.h"
#include "server/recurrence.h"
#include "server/wake.h"
#include "webhook/event.h"

/* Reminders in one transaction; how long working out their next times may hold the loop. */
enum { BATCH = 50, TURN_US = 10 * 1000 };

enum { COL_WORKSPACE, COL_ID, COL_RULE };

static void committed(struct job_run *run)
{
	int *rows = run->state;

	if (*rows)
		wake_committed(run->server);
	job_end(run, *rows == BATCH);
}

/* -1: there is no next time. */
static int64_t next_time(const struct job_run *run, int row, int64_t now_ms)
{
	char id[ID_SIZE];
	int64_t next_ms;
	size_t len;
	const char *rule = db_text(&run->x, 1, row, COL_RULE, &len);
	struct uuid uuid = db_uuid(&run->x, 1, row, COL_ID);

	switch (recurrence_next_of(rule, len, now_ms, &next_ms)) {
	case RECURRENCE_FOUND:
		return next_ms;
	case RECURRENCE_TOO_LONG:
		log_warn("reminders", "%s: no next time was found in its rule", id_format(ID_REMINDER, &uuid, id));
		break;
	case RECURRENCE_OVER:
		break;
	}
	return -1;
}

/* A time as answers write it. */
static void time_text(struct sql *s, const char *column)
{
	sql_addf(s, "to_char(%s at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')", column);
}

/*
 * Moves them on and says so. Here, and only here, a reminder triggers. A private one's event is its
 * author's, one of an object those who may see its group.
 */
static void trigger(struct sql *s, const struct uuid *workspaces, const struct uuid *ids, const int64_t *next, size_t n)
{
	sql_add(s, "with moved as (update reminders t set last_trigger_at = t.next_trigger_at, next_trigger_at = case "
	           "when d.next >= 0 then timestamptz 'epoch' + d.next * interval '1 millisecond' end from unnest(");
	sql_uuid_array(s, workspaces, n);
	sql_add(s, ", ");
	sql_uuid_array(s, ids, n);
	sql_add(s, ", ");
	sql_int8_array(s, next, n);
	sql_add(s, ") d (workspace_id, id, next) where t.workspace_id = d.workspace_id and t.id = d.id returning t.*) "
	           "insert into events (workspace_id, id, type, record_id, within_group_id, audience, data) "
	           "select t.workspace_id, gen_random_uuid(), '");
	sql_add(s, event_kinds[EVENT_REMINDER_TRIGGERED].name);
	sql_add(s, "', t.id, o.group_id, case when t.visibility <> 'public' then array[t.created_by] end, "
	           "json_build_object('details', json_build_object('entity', json_build_object('id', "
	           "case t.entity_type when 'person' then 'per_' when 'company' then 'com_' else 'obj_' end || "
	           "t.entity_id, 'entityType', t.entity_type), 'lastTriggerTime', ");
	time_text(s, "t.last_trigger_at");
	sql_add(s, ", 'nextTriggerTime', ");
	time_text(s, "t.next_trigger_at");
	sql_add(s, ")) from moved t left join objects o on o.workspace_id = t.workspace_id and o.id = t.entity_id "
	           "and t.entity_type = 'object' where not exists (select from groups g where "
	           "g.workspace_id = t.workspace_id and g.id = o.group_id and g.removed_at is not null) and not exists "
	           "(select from object_types y where y.workspace_id = t.workspace_id and y.id = o.type_id and "
	           "y.removed_at is not null) order by t.last_trigger_at, t.id");
}

static void move_on(struct job_run *run)
{
	int rows = db_rows(&run->x, 1), *kept = arena_alloc(&run->arena, sizeof *kept);
	struct uuid *workspaces = arena_alloc(&run->arena, (size_t)rows * sizeof *workspaces);
	struct uuid *ids = arena_alloc(&run->arena, (size_t)rows * sizeof *ids);
	int64_t *next = arena_alloc(&run->arena, (size_t)rows * sizeof *next), now_ms = clock_now_ms();
	int64_t began_us = clock_mono_us();

	*kept = rows;
	run->state = kept;
	for (int i = 0; i < rows; i++) {
		if (i && clock_mono_us() - began_us > TURN_US) {
			rows = i; /* the others stay due, and come with the next run */
			*kept = BATCH;
			break;
		}
		workspaces[i] = db_uuid(&run->x, 1, i, COL_WORKSPACE);
		ids[i] = db_uuid(&run->x, 1, i, COL_ID);
		next[i] = next_time(run, i, now_ms);
	}
	if (rows)
		trigger(job_sql(run), workspaces, ids, next, (size_t)rows);
	sql_add(job_sql(run), rows ? "commit" : "rollback"); /* most looks find nothing */
	job_ask(run, false, committed);
}

void job_due_reminders(struct job_run *run)
{
	struct sql *s;

	sql_add(job_sql(run), "begin");
	s = job_sql(run);
	sql_add(s, "select workspace_id, id, recurrence_rule from reminders where next_trigger_at <= ");
	sql_time(s, clock_now_ms());
	sql_add(s, " order by next_trigger_at limit ");
	sql_int8(s, BATCH);
	sql_add(s, " for update skip locked");
	job_ask(run, true, move_on);
}
