/* Tasks: completing, reopening, and recurrence. */
#include <string.h>

#include "server/resource/activity.h"
#include "server/event/activity_event.h"
#include "server/base/civil.h"
#include "server/resource/entity.h"
#include "server/resource/steps.h"

enum { MS_PER_DAY = 24 * 60 * 60 * 1000, SATURDAY = 5 };

static int32_t last_day(void)
{
	return civil_days(9999, 12, 31);
}

/* --- create, update ------------------------------------------------------------- */

enum step task_create_open(struct req *r)
{
	transaction_begin(r);
	r->at = entity_load(r, &r->input->values[TASK_ENTITY], true);
	return transaction_ask(r);
}

enum step task_create(struct req *r)
{
	struct record *rec = activity_new(r, TASK_CREATED_BY, TASK_CREATED_AT);
	struct value *v = rec->values;

	if (!entity_given(r, r->at, &v[TASK_ENTITY]))
		return reply_issues(r, "Invalid input");
	v[TASK_UPDATED_AT] = v[TASK_CREATED_AT];
	if (!activity_gives(r, TASK_IS_PUBLIC))
		v[TASK_IS_PUBLIC].number = true;
	if (!activity_gives(r, TASK_ASSIGNED)) {
		v[TASK_ASSIGNED].ids = &r->viewer.user;
		v[TASK_ASSIGNED].n_ids = 1;
	}
	record_insert(req_sql(r, "task_insert", NULL), rec);
	activity_event(r, NULL, rec);
	return activity_answer(r, rec);
}

struct task_work {
	int at_entity; /* of the entity that it moves to; -1: none given */
};

enum step task_update_open(struct req *r)
{
	struct task_work *w = arena_alloc(&r->arena, sizeof *w);

	r->state.task = w;
	activity_lock(r);
	w->at_entity = activity_gives(r, TASK_ENTITY) ? entity_load(r, &r->input->values[TASK_ENTITY], true) : -1;
	return transaction_ask(r);
}

static enum step task_save(struct req *r, const struct record *old, struct record *rec)
{
	field_set changed = record_diff(old, rec);

	activity_event(r, old, rec);
	if (changed) {
		rec->values[TASK_UPDATED_AT].number = req_now_ms(r);
		record_update(req_sql(r, NULL, NULL), rec, changed | FIELD_BIT(TASK_UPDATED_AT));
	}
	return activity_answer(r, rec);
}

enum step task_update(struct req *r)
{
	const struct task_work *w = r->state.task;
	struct record *old = activity_locked(r), *rec;

	if (!old)
		return reply_not_found(r);
	rec = record_copy(old, &r->arena);
	activity_take(rec, r->input);
	if (w->at_entity >= 0 && !entity_given(r, w->at_entity, &rec->values[TASK_ENTITY]))
		return reply_issues(r, "Invalid input");
	return task_save(r, old, rec);
}

/* --- recurrence ------------------------------------------------------------------- */

/* due plus a multiple of step months: the first after done. */
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

static int32_t task_weeks_on(int32_t due, int32_t done, int days)
{
	return due + (done > due ? (done - due) / days + 1 : 1) * days;
}

static int32_t weekday_on(int32_t due, int32_t done)
{
	int32_t next = (done > due ? done : due) + 1;
	int weekday = civil_weekday(next);

	return weekday >= SATURDAY ? next + 7 - weekday : next;
}

static int32_t next_due(const char *frequency, int32_t due, int32_t done)
{
	if (strcmp(frequency, "weekday") == 0)
		return weekday_on(due, done);
	if (strcmp(frequency, "weekly") == 0)
		return task_weeks_on(due, done, 7);
	if (strcmp(frequency, "biweekly") == 0)
		return task_weeks_on(due, done, 14);
	if (strcmp(frequency, "monthly") == 0)
		return task_months_on(due, done, 1);
	if (strcmp(frequency, "quarterly") == 0)
		return task_months_on(due, done, 3);
	return task_months_on(due, done, 12);
}

/* The next task has the same author and is open. */
static void make_next(struct req *r, struct record *done)
{
	struct record *next = record_copy(done, &r->arena);
	struct value *v = next->values;
	int32_t day = (int32_t)civil_floor(v[TASK_COMPLETED_AT].number, MS_PER_DAY),
	        due = next_due(v[TASK_FREQUENCY].text, (int32_t)v[TASK_DUE_AT].number, day);

	if (due > last_day())
		return;
	done->values[TASK_CONTINUED].number = true;
	v[TASK_ID].id = id_new();
	v[TASK_DUE_AT].number = due;
	v[TASK_COMPLETED_AT] = (struct value){.null = true};
	v[TASK_CREATED_AT].number = v[TASK_UPDATED_AT].number = req_now_ms(r);
	record_insert(req_sql(r, "task_insert", NULL), next);
	activity_event(r, NULL, next);
}

enum step task_done(struct req *r)
{
	struct record *old = activity_locked(r), *rec;
	struct value *v;

	if (!old)
		return reply_not_found(r);
	rec = record_copy(old, &r->arena);
	v = rec->values;
	v[TASK_COMPLETED_AT] = r->input->values[COMPLETION_COMPLETED_AT];
	if (old->values[TASK_COMPLETED_AT].null && !v[TASK_FREQUENCY].null && !v[TASK_CONTINUED].number)
		make_next(r, rec);
	return task_save(r, old, rec);
}

enum step task_todo(struct req *r)
{
	struct record *old = activity_locked(r), *rec;

	if (!old)
		return reply_not_found(r);
	rec = record_copy(old, &r->arena);
	rec->values[TASK_COMPLETED_AT] = (struct value){.null = true};
	return task_save(r, old, rec);
}
