/* Reminders: their users and their next time. server/job/reminders.c fires them. */
#include <string.h>

#include "server/resource/activity.h"
#include "server/event/activity_event.h"
#include "server/resource/entity.h"
#include "server/input/limits.h"
#include "server/request/locks.h"
#include "server/recurrence/expand.h"
#include "server/request/server.h"
#include "server/resource/steps.h"

/* A public reminder has assigned users; a private one reminds only its author. */
static void reminder_check_assigned(struct req *r, struct record *rec)
{
	bool given = activity_gives(r, REMINDER_ASSIGNED);
	struct path at = PATH_NAME(NULL, "assignedUsers");
	struct value *v = &rec->values[REMINDER_ASSIGNED];

	if (strcmp(rec->values[REMINDER_VISIBILITY].text, "public") == 0) {
		if (v->n_ids)
			return;
		if (given)
			issue_range(&r->given.issues, &at, false, 1, "array", false);
		else
			issue_required(&r->given.issues, &at, "array");
	} else if (given && v->n_ids) {
		issue_custom(&r->given.issues, &at, "A private reminder cannot have assigned users");
	} else {
		v->n_ids = 0; /* drops the users from the time when it was public */
	}
}

/* Sets the next time that was found when the body was validated. A reminder that fired within the last minute gets a
 * later one. The mark is stored for the job, which follows the rule and updates the mark. */
static void reminder_set_next(struct req *r, struct record *rec, struct recurrence_mark *mark)
{
	const struct value *rule = &rec->values[REMINDER_RULE], *last = &rec->values[REMINDER_LAST];
	const struct recurrence_times *times = rule->times;
	struct value *v = &rec->values[REMINDER_NEXT];
	int64_t least_ms = last->null ? 0 : last->number + config_scaled_ms(r->server->config, RECURRENCE_LEAST_MS);

	memset(v, 0, sizeof *v);
	*mark = times->mark;
	v->number = times->next_ms;
	v->null = times->over;
	if (!v->null && v->number < least_ms)
		v->null = recurrence_next(rule->text, rule->len, mark, least_ms - 1, &v->number) == RECURRENCE_OVER;
}

/* Replaces what the job has stored for the old rule. */
static void reminder_save_mark(struct req *r, const struct record *rec, const struct recurrence_mark *mark)
{
	struct sql *s = req_sql(r, "reminder_mark", NULL);

	sql_add(s, "update reminders set put_off_until = null, (counted_to, counted) = (select d.* from (values (");
	sql_int8(s, mark->local);
	sql_add_int8(s, ", ", mark->count);
	sql_add(s, ")) d where ");
	sql_bool(s, mark->known);
	sql_add_uuid(s, ") where workspace_id = $1 and id = ", &rec->values[REMINDER_ID].id);
}

/* Counts reminders with a next time, by an index that has only those. Requests that may add one wait for each other
 * until COMMIT, so the count is exact. */
static void reminder_ask_active(struct req *r)
{
	struct sql *s = req_sql(r, "reminders_alone", NULL);

	sql_add_int8(s, "select pg_advisory_xact_lock(",
	    ~lock_workspace_number(&r->caller.ws->id)); /* ~: all writes hold the workspace's own lock */
	sql_add(s, ") from workspaces where workspace_id = $1");
	s = req_sql(r, "reminders_active", NULL);
	sql_add(s, "select count(*) from reminders where workspace_id = $1 and next_trigger_at is not null");
}

/* Returns false with an issue when one more reminder with a next time would be too many. The count is the third result
 * from r->at on. */
static bool reminder_check_active(struct req *r, const struct record *old, const struct record *rec)
{
	bool was = old && !old->values[REMINDER_NEXT].null;

	return rec->values[REMINDER_NEXT].null || was ||
	       limit_check(&r->given.issues, NULL, LIMIT_REMINDERS, db_int(r->db.last, r->at + 2, 0, 0), 1);
}

enum step reminder_create_open(struct req *r)
{
	activity_create_begin(r, REMINDER_ENTITY);
	reminder_ask_active(r);
	return transaction_ask(r);
}

enum step reminder_update_open(struct req *r)
{
	activity_lock(r);
	if (activity_gives(r, REMINDER_RULE))
		reminder_ask_active(r);
	return transaction_ask(r);
}

enum step reminder_create(struct req *r)
{
	struct recurrence_mark mark;
	struct record *rec = activity_new(r, REMINDER_CREATED_BY, REMINDER_CREATED_AT);

	entity_given(r, r->at, &rec->values[REMINDER_ENTITY]);
	reminder_check_assigned(r, rec);
	if (r->given.issues.count)
		return reply_issues(r, "Invalid input");
	reminder_set_next(r, rec, &mark);
	if (!reminder_check_active(r, NULL, rec))
		return reply_issues(r, "Invalid input");
	record_insert(req_sql(r, "reminder_insert", NULL), rec);
	if (mark.known)
		reminder_save_mark(r, rec, &mark);
	activity_event(r, NULL, rec);
	return reply_record(r, rec);
}

enum step reminder_update(struct req *r)
{
	struct record *old, *rec = activity_changed(r, REMINDER_ENTITY, &old);
	struct recurrence_mark mark;
	field_set changed;

	if (!rec)
		return DONE;
	reminder_check_assigned(r, rec);
	if (r->given.issues.count)
		return reply_issues(r, "Invalid input");
	if (!value_equal(FIELD_RULE, &rec->values[REMINDER_RULE], &old->values[REMINDER_RULE])) {
		reminder_set_next(r, rec, &mark);
		if (!reminder_check_active(r, old, rec))
			return reply_issues(r, "Invalid input");
		reminder_save_mark(r, rec, &mark);
	}
	changed = record_diff(old, rec);
	if (changed)
		record_update(req_sql(r, NULL, NULL), rec, changed | record_touch(rec, req_now_ms(r)));
	activity_event(r, old, rec);
	return reply_record(r, rec);
}
