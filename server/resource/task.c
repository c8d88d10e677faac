/* Tasks: completing, reopening, and recurrence. */
#include <string.h>

#include "server/resource/activity.h"
#include "server/event/activity_event.h"
#include "server/base/civil.h"
#include "server/resource/entity.h"
#include "server/resource/steps.h"

enum { MS_PER_DAY = 24 * 60 * 60 * 1000, SATURDAY = 5 };

/* --- create ---------------------------------------------------------------------- */

static void task_settle(struct req *r, struct write *w, struct write_target *t)
{
	struct value *v = t->new->values;

	(void)w;
	if (!target_gives(t, TASK_IS_PUBLIC))
		v[TASK_IS_PUBLIC].number = true;
	if (!target_gives(t, TASK_ASSIGNED)) {
		v[TASK_ASSIGNED].ids = &r->caller.viewer.user;
		v[TASK_ASSIGNED].n_ids = 1;
	}
}

const struct activity_creation task_creation = {
    .kind = {.res = &task_resource, .created_at = TASK_CREATED_AT, .created_by = TASK_CREATED_BY},
    .insert = "task_insert",
    .entity = TASK_ENTITY,
    .settle = task_settle,
};

/* --- update ---------------------------------------------------------------------- */

enum step task_update_open(struct req *r)
{
	activity_lock(r);
	if (activity_gives(r, TASK_ENTITY)) /* the task may get another entity */
		entity_ask(r, &r->given.input->values[TASK_ENTITY], ENTITY_KEEP);
	return transaction_ask(r);
}

static enum step task_save(struct req *r, const struct record *old, struct record *rec)
{
	field_set changed = record_diff(old, rec);

	activity_event(r, old, rec);
	if (changed)
		record_update(req_sql(r, NULL, NULL), rec, changed | record_touch(rec, req_now_ms(r)));
	return reply_record(r, rec);
}

enum step task_update(struct req *r)
{
	struct record *old = activity_matched(r), *rec;

	if (!old)
		return DONE;
	rec = record_copy(old, &r->arena);
	body_take(rec, r->given.input);
	if (activity_gives(r, TASK_ENTITY) && !entity_given(r, r->at + 1, &rec->values[TASK_ENTITY]))
		return reply_issues(r, "Invalid input");
	return task_save(r, old, rec);
}

/* --- recurrence ------------------------------------------------------------------- */

/* Returns the first day after "done" that is a multiple of "step" months after "due". */
static int32_t task_months_on(int32_t due, int32_t done, int step)
{
	int from_year, from_month, to_year, to_month, day;
	int64_t times;

	civil_from_days(due, &from_year, &from_month, &day);
	civil_from_days(done > due ? done : due, &to_year, &to_month, &day);
	times = ((int64_t)(to_year - from_year) * 12 + to_month - from_month) / step;
	if (times < 1)
		times = 1;
	while (civil_add_months(due, times * step) <= done)
		times++;
	return civil_add_months(due, times * step);
}

static int32_t task_next_due(const char *frequency, int32_t due, int32_t done)
{
	static const struct {
		const char *frequency;
		int days, months;
	} steps[] = {{"weekly", 7, 0}, {"biweekly", 14, 0}, {"monthly", 0, 1}, {"quarterly", 0, 3}, {"yearly", 0, 12}};
	int32_t after = done > due ? done : due, next = after + 1;
	int weekday = civil_weekday(next);

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		if (strcmp(frequency, steps[i].frequency) != 0)
			continue;
		return steps[i].months ? task_months_on(due, done, steps[i].months)
		                       : due + ((after - due) / steps[i].days + 1) * steps[i].days;
	}
	return weekday >= SATURDAY ? next + 7 - weekday : next; /* "weekday" */
}

/* The next task has the same author and is open. */
static void task_make_next(struct req *r, struct record *done)
{
	struct record *next = record_copy(done, &r->arena);
	struct value *v = next->values;
	int32_t day = (int32_t)civil_floor(v[TASK_COMPLETED_AT].number, MS_PER_DAY),
	        due = task_next_due(v[TASK_FREQUENCY].text, (int32_t)v[TASK_DUE_AT].number, day);

	if (due > civil_days(9999, 12, 31))
		return;
	done->values[TASK_CONTINUED].number = true;
	v[TASK_ID].id = id_new();
	v[TASK_DUE_AT].number = due;
	v[TASK_COMPLETED_AT] = (struct value){.null = true};
	v[TASK_CREATED_AT].number = req_now_ms(r);
	record_touch(next, req_now_ms(r));
	record_insert(req_sql(r, "task_insert", NULL), next);
	activity_event(r, NULL, next);
}

static enum step task_set_completed(struct req *r, struct value completed)
{
	struct record *old = activity_matched(r), *rec;
	struct value *v;

	if (!old)
		return DONE;
	rec = record_copy(old, &r->arena);
	v = rec->values;
	v[TASK_COMPLETED_AT] = completed;
	if (old->values[TASK_COMPLETED_AT].null && !completed.null && !v[TASK_FREQUENCY].null &&
	    !v[TASK_CONTINUED].number)
		task_make_next(r, rec);
	return task_save(r, old, rec);
}

enum step task_done(struct req *r)
{
	return task_set_completed(r, r->given.input->values[COMPLETION_COMPLETED_AT]);
}

enum step task_todo(struct req *r)
{
	return task_set_completed(r, (struct value){.null = true});
}
