/* Fires due reminders: the due time becomes the last time, and the next time is the rule's first time at least a minute
 * later. Times that passed while no process ran fire once, not many times. Each transaction locks a batch, so exactly
 * one of several processes fires each reminder.
 *
 * When more are due than a transaction takes, workspaces take turns. If a rule cannot be evaluated now (the system does
 * not know its time zone, for example), the reminder is not ended. It stays due and is postponed. */
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/job/jobs.h"
#include "server/recurrence/expand.h"
#include "server/request/server.h"
#include "server/request/commit_notify.h"
#include "store/record.h"
#include "webhook/event.h"

enum {
	BATCH = 500,         /* reminders per transaction */
	TURN_US = 10 * 1000, /* the longest time that computing their next times may block the loop */
	LATE_MS = 2000,      /* up to this delay the next time is not shifted */
	PUT_OFF_MS = 60 * 1000,
	PUT_OFF_MOST_MS = 24 * 60 * 60 * 1000
};

enum { COL_WORKSPACE, COL_ID, COL_RULE, COL_DUE, COL_COUNTED_TO, COL_COUNTED };

/* The time at which a reminder is processed. */
#define DUE "coalesce(put_off_until, next_trigger_at)"
#define ACTIVE "next_trigger_at is not null"

/* Some of the reminders of a run. */
struct reminder_part {
	struct uuid *workspaces, *ids;
	int64_t *next;                 /* -1: none */
	int64_t *counted_to, *counted; /* the mark of the rule; counted -1: none */
	size_t n;
};

struct reminder_batch {
	int64_t now_ms; /* by the database's clock */
	bool more;      /* more are due than were taken */
	struct reminder_part advanced, postponed;
};

static void reminders_committed(struct job_run *run)
{
	const struct reminder_batch *b = run->state;

	if (b->advanced.n)
		commit_notify_send(run->server);
	job_end(run, b->more);
}

/* The earliest next time: a minute after the due time, so that a reminder fires at most once a minute. When it is
 * processed late, a minute from now. */
static int64_t earliest_time(const struct job_run *run, int64_t due_ms, int64_t now_ms)
{
	int64_t least_ms = config_scaled_ms(run->server->config, RECURRENCE_LEAST_MS),
	        after_due = due_ms + least_ms - 1;
	int64_t after_now = now_ms + (least_ms > LATE_MS ? least_ms - LATE_MS : 0);

	return after_due > after_now ? after_due : after_now;
}

static void reminder_part_add(
    struct reminder_part *p, const struct job_run *run, int row, int64_t next, const struct recurrence_mark *mark)
{
	p->workspaces[p->n] = db_uuid(&run->x, 1, row, COL_WORKSPACE);
	p->ids[p->n] = db_uuid(&run->x, 1, row, COL_ID);
	p->counted_to[p->n] = mark->known ? mark->local : 0;
	p->counted[p->n] = mark->known ? mark->count : -1;
	p->next[p->n++] = next;
}

static void reminder_evaluate(struct job_run *run, struct reminder_batch *b, int row, int64_t now_ms)
{
	size_t len;
	const char *rule = db_text(&run->x, 1, row, COL_RULE, &len);
	int64_t after_ms = earliest_time(run, db_time_ms(&run->x, 1, row, COL_DUE), now_ms), next_ms = 0;
	struct recurrence_mark mark = {.known = !db_null(&run->x, 1, row, COL_COUNTED)};

	if (mark.known) {
		mark.local = db_int(&run->x, 1, row, COL_COUNTED_TO);
		mark.count = db_int(&run->x, 1, row, COL_COUNTED);
	}
	switch (recurrence_next(rule, len, &mark, after_ms, &next_ms)) {
	case RECURRENCE_FOUND:
		reminder_part_add(&b->advanced, run, row, next_ms, &mark);
		break;
	case RECURRENCE_OVER:
		reminder_part_add(&b->advanced, run, row, -1, &mark);
		break;
	case RECURRENCE_TOO_LONG: /* continues from its mark next time */
	case RECURRENCE_UNREADABLE:
		reminder_part_add(&b->postponed, run, row, 0, &mark);
		break;
	}
}

/* A time as formatted in answers. */
static void reminders_time_sql(struct sql *s, const char *column)
{
	sql_addf(s, "to_char(%s at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')", column);
}

/* The assignments that both updates share, and the rows they come from. */
#define SET_MARK                                                                                                       \
	"counted_to = case when d.counted >= 0 then d.counted_to end, counted = case when d.counted >= 0 then "        \
	"d.counted end"

static void reminders_put_rows(struct sql *s, const struct reminder_part *p)
{
	sql_add_uuid_array(s, " from unnest(", p->workspaces, p->n);
	sql_add_uuid_array(s, ", ", p->ids, p->n);
	sql_add(s, ", ");
	sql_int8_array(s, p->next, p->n);
	sql_add(s, ", ");
	sql_int8_array(s, p->counted_to, p->n);
	sql_add(s, ", ");
	sql_int8_array(s, p->counted, p->n);
	sql_add(s, ") d (workspace_id, id, next, counted_to, counted) where t.workspace_id = d.workspace_id and "
	           "t.id = d.id");
}

/* Fires the reminders and adds their events; this is the only place where a reminder fires. Only the author may see the
 * event of a private reminder. The event of an object's reminder is for those who may see its group. */
static void reminders_trigger(struct sql *s, const struct reminder_part *p, int64_t now_ms)
{
	sql_add(s, "with moved as (update reminders t set ");
	record_touch_sql(s, now_ms);
	sql_add(s, ", last_trigger_at = t.next_trigger_at, put_off_until = null, " SET_MARK
	           ", next_trigger_at = case when d.next >= 0 then timestamptz 'epoch' + d.next * interval "
	           "'1 millisecond' end");
	reminders_put_rows(s, p);
	sql_add(s, " returning t.*), said as (insert into events (workspace_id, id, type, record_id, within_group_id, "
	           "audience, data, actor_via) select t.workspace_id, gen_random_uuid(), '");
	sql_add(s, event_kinds[EVENT_REMINDER_TRIGGERED].name);
	sql_add(s, "', t.id, o.group_id, case when t.visibility <> 'public' then array[t.created_by] end, "
	           "json_build_object('details', json_build_object('entity', json_build_object('id', "
	           "case t.entity_type when 'person' then 'per_' when 'company' then 'com_' else 'obj_' end || "
	           "t.entity_id, 'entityType', t.entity_type), 'lastTriggerTime', ");
	reminders_time_sql(s, "t.last_trigger_at");
	sql_add(s, ", 'nextTriggerTime', ");
	reminders_time_sql(s, "t.next_trigger_at");
	sql_add(s, ")), ");
	sql_int4(s, VIA_SYSTEM);
	sql_add(s, " from moved t left join objects o on o.workspace_id = t.workspace_id and o.id = t.entity_id "
	           "and t.entity_type = 'object' where not exists (select from groups g where "
	           "g.workspace_id = t.workspace_id and g.id = o.group_id and g.removed_at is not null) and not exists "
	           "(select from object_types y where y.workspace_id = t.workspace_id and y.id = o.type_id and "
	           "y.removed_at is not null) order by t.last_trigger_at, t.id) select 1 / (count(*) = ");
	sql_int8(s, (int64_t)p->n);
	sql_add(s, ")::int from moved"); /* the rows are locked; divides by zero unless all were updated */
}

/* Postpones reminders: the longer one is overdue, the later is its next attempt. */
static void reminders_postpone(struct job_run *run, const struct reminder_part *p, int64_t now_ms)
{
	struct sql *s = job_sql(run);
	char id[ID_SIZE];

	log_warn("reminders",
	    "%zu reminders were postponed, because their rules cannot be evaluated now; one of them is %s", p->n,
	    id_format(ID_REMINDER, &p->ids[0], id));
	sql_add(s, "update reminders t set " SET_MARK ", put_off_until = ");
	sql_time(s, now_ms);
	sql_add_time(s, " + least(greatest(", now_ms);
	sql_addf(s, " - t.next_trigger_at, %lld * interval '1 millisecond'), %lld * interval '1 millisecond')",
	    (long long)config_scaled_ms(run->server->config, PUT_OFF_MS),
	    (long long)config_scaled_ms(run->server->config, PUT_OFF_MOST_MS));
	reminders_put_rows(s, p);
}

static void reminder_part_init(struct reminder_part *p, struct job_run *run, size_t most)
{
	p->workspaces = arena_alloc(&run->arena, most * sizeof *p->workspaces);
	p->ids = arena_alloc(&run->arena, most * sizeof *p->ids);
	p->next = arena_alloc(&run->arena, most * sizeof *p->next);
	p->counted_to = arena_alloc(&run->arena, most * sizeof *p->counted_to);
	p->counted = arena_alloc(&run->arena, most * sizeof *p->counted);
}

static void reminders_advance(struct job_run *run)
{
	struct reminder_batch *b = run->state;
	int rows = db_rows(&run->x, 1);
	int64_t began_us = clock_mono_us();

	reminder_part_init(&b->advanced, run, (size_t)rows);
	reminder_part_init(&b->postponed, run, (size_t)rows);
	for (int i = 0; i < rows; i++) {
		if (i && clock_mono_us() - began_us > TURN_US) {
			b->more = true; /* the rest stays due for the next run */
			break;
		}
		reminder_evaluate(run, b, i, b->now_ms);
	}
	if (b->advanced.n)
		reminders_trigger(job_sql(run), &b->advanced, b->now_ms);
	if (b->postponed.n)
		reminders_postpone(run, &b->postponed, b->now_ms);
	sql_add(job_sql(run), rows ? "commit" : "rollback");
	job_ask(run, false, reminders_committed);
}

#define COLUMNS "workspace_id, id, recurrence_rule, next_trigger_at, counted_to, counted"

/* The first lock gives the transaction its number. A change of another reminder that is committed after that, and
 * before the job locks it, has a higher number, but its event must come first. So such a reminder waits for the next
 * run: its locked row d is not the one that the statement saw at first. */
#define UNCHANGED                                                                                                      \
	"exists (select from reminders r where r.workspace_id = d.workspace_id and r.id = d.id and "                   \
	"r.updated_at = d.updated_at)"

/* A move of the workspace to another database waits until the reminders that were taken have fired. */
#define AT_HOME "kith_at_home(w.moving, w.held_until)"

/* Takes all due reminders. */
static void reminders_take_all(struct sql *s, int64_t now_ms)
{
	sql_add(s, "with due as (select " COLUMNS ", r.updated_at from reminders r join workspaces w using "
	           "(workspace_id) where " AT_HOME " and " ACTIVE " and " DUE " <= ");
	sql_time(s, now_ms);
	sql_addf(s,
	    " order by " DUE " limit %d for update of r skip locked for share of w skip locked) "
	    "select " COLUMNS " from due d where " UNCHANGED,
	    BATCH);
}

/* Takes an equal share for each workspace with due reminders, the oldest first. It finds workspaces by jumping along
 * the index; if there are too many, it takes a random selection. */
static void reminders_take_in_turn(struct sql *s, int64_t now_ms)
{
	static const char first[] = "select workspace_id, " DUE " as due from reminders where " ACTIVE;

	sql_addf(s,
	    "with recursive turn as ((%s order by workspace_id, due limit 1) union all select f.* from turn t cross "
	    "join lateral (%s and workspace_id > t.workspace_id order by workspace_id, due limit 1) f), waiting as "
	    "(select t.workspace_id from turn t join workspaces w using (workspace_id) where " AT_HOME " and t.due <= ",
	    first, first);
	sql_time(s, now_ms);
	sql_addf(s,
	    " order by random() limit %d for share of w skip locked), shared as (select r.*, row_number() over "
	    "(partition by r.workspace_id "
	    "order by r.due) as place from waiting w cross join lateral (select " COLUMNS ", updated_at, " DUE
	    " as due from reminders where workspace_id = w.workspace_id and " ACTIVE " and " DUE " <= ",
	    BATCH);
	sql_time(s, now_ms);
	sql_addf(s,
	    " order by " DUE " limit (select %d / count(*) from waiting) for update skip locked) r) "
	    "select " COLUMNS " from shared d where " UNCHANGED " order by place, due",
	    BATCH);
}

static void reminders_take(struct job_run *run)
{
	int64_t n = db_int(&run->x, 0, 0, 0);
	struct reminder_batch *b;
	struct sql *s;

	if (n == 0) { /* nearly always true */
		job_end(run, false);
		return;
	}
	b = arena_alloc(&run->arena, sizeof *b);
	b->now_ms = db_time_ms(&run->x, 0, 0, 1);
	b->more = n > BATCH;
	run->state = b;
	sql_add(job_sql(run), "begin");
	s = job_sql(run);
	if (b->more)
		reminders_take_in_turn(s, b->now_ms);
	else
		reminders_take_all(s, b->now_ms);
	job_ask(run, true, reminders_advance);
}

void job_due_reminders(struct job_run *run)
{
	struct sql *s = job_sql(run);

	sql_addf(s,
	    "select count(*), now() from (select from reminders r where " ACTIVE " and " DUE
	    " <= now() and exists (select from workspaces w where w.workspace_id = r.workspace_id and " AT_HOME
	    ") limit %d) d",
	    BATCH + 1);
	job_ask(run, false, reminders_take);
}
