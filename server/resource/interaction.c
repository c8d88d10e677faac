/* Interactions. Each change first locks the entities concerned (of two, the one with the smaller id first), then the
 * interaction itself. It updates their counters in the same transaction: how often and when last each user interacted
 * with an entity. So the counters are exact, and no deadlock is possible. A database function counts interactions when
 * their time comes. */
#include "server/event/activity_event.h"
#include "server/request/page.h"
#include "server/resource/activity.h"
#include "server/resource/entity.h"
#include "server/resource/merged.h"
#include "server/resource/steps.h"

enum { NONE = -1, BY_TIME_LIMIT = 30 };

static const char type_deprecated[] = "The field type is deprecated; use activityType";

/* --- reading ------------------------------------------------------------------------ */

/* Returns false when the query has an entity.id other than that of the interaction. */
static bool interaction_is_of(const struct req *r, const struct record *rec)
{
	const struct param_value *asked = req_param(r, "entity.id");
	const struct value *v = &rec->values[INTERACTION_ENTITY];
	struct uuid id;

	return !asked->given || (entity_param_read(asked, &id) == v->kind && uuid_equal(&id, &v->entity));
}

enum step interaction_show(struct req *r)
{
	enum step followed;

	if (!r->records)
		step_loaded(r);
	followed = merged_follow_query(r);
	if (followed != PASS)
		return followed;
	if (r->n_records == 0 || !interaction_is_of(r, r->records[0]))
		return reply_not_found(r);
	return reply_record(r, r->records[0]);
}

/* Past interactions begin with the newest, upcoming ones with the earliest. */
enum step interaction_past(struct req *r)
{
	r->list.sort = SORT_TIME_DOWN;
	r->list.limit = BY_TIME_LIMIT;
	return activity_list(r);
}

enum step interaction_upcoming(struct req *r)
{
	r->list.sort = SORT_TIME;
	r->list.limit = BY_TIME_LIMIT;
	return activity_list(r);
}

/* --- counters ------------------------------------------------------------------------- */

static bool interaction_is_counted(const struct record *rec)
{
	return rec->values[INTERACTION_COUNTED].number;
}

static void interaction_add_count(struct req *r, const struct value *v)
{
	struct sql *s = req_sql(r, "interaction_counted", NULL);

	sql_add(
	    s, "insert into interaction_counts as c (workspace_id, entity_id, user_id, count, last_at) values ($1, ");
	sql_uuid(s, &v[INTERACTION_ENTITY].entity);
	sql_add_uuid(s, ", ", &v[INTERACTION_FROM].id);
	sql_add_time(s, ", 1, ", v[INTERACTION_DATE_TIME].number);
	sql_add(s, ") on conflict (workspace_id, entity_id, user_id) do update "
	           "set count = c.count + 1, last_at = greatest(c.last_at, excluded.last_at)");
}

static void interaction_count_of(struct sql *s, const struct value *v)
{
	sql_add_uuid(s, " where c.workspace_id = $1 and c.entity_id = ", &v[INTERACTION_ENTITY].entity);
	sql_add_uuid(s, " and c.user_id = ", &v[INTERACTION_FROM].id);
}

/* The interaction's own row must be changed first. */
static void interaction_take_count(struct req *r, const struct value *v)
{
	struct sql *s = req_sql(r, "interaction_uncounted", NULL);

	sql_add(s, "update interaction_counts c set count = c.count - 1, last_at = coalesce((select i.date_time "
	           "from interactions i where i.workspace_id = c.workspace_id and i.entity_id = c.entity_id "
	           "and i.user_id = c.user_id and i.counted order by i.date_time desc limit 1), c.last_at)");
	interaction_count_of(s, v);
	s = req_sql(r, "interaction_none_left", NULL);
	sql_add(s, "delete from interaction_counts c");
	interaction_count_of(s, v);
	sql_add(s, " and c.count = 0");
}

/* A call that updates an entity's row from its counters, with an event unless this is a dry run
 * (server/request/outbox.h). The call consists of INTERACTION_TOTALS, the entity's id, and this text. */
#define INTERACTION_TOTALS "select interaction_totals(workspace_id => $1, entity_id => "

static void interaction_totals_end(const struct req *r, struct sql *s)
{
	const struct event_actor actor = req_actor(r);

	sql_add(s, ", told => ");
	sql_bool(s, !r->given.dry);
	event_actor_arguments(s, &actor);
}

static void interaction_totals(struct req *r, const struct record *rec)
{
	struct sql *s = req_sql(r, "interaction_totals", NULL);

	sql_add(s, INTERACTION_TOTALS);
	sql_uuid(s, &rec->values[INTERACTION_ENTITY].entity);
	interaction_totals_end(r, s);
}

/* --- create ------------------------------------------------------------------------- */

static void interaction_deprecate(struct req_reply *reply)
{
	reply->deprecation = type_deprecated;
	reply->deprecated_member = "type";
}

static void interaction_settle(struct req *r, struct write *w, struct write_target *t)
{
	struct path type = PATH_NAME(NULL, "type");
	struct value *v = t->new->values;

	if (target_gives(t, INTERACTION_TYPE))
		interaction_deprecate(&r->reply);
	if (target_gives(t, INTERACTION_TYPE) && w->batch)
		target_warn(&r->arena, t, WARNING_DEPRECATED, &type, type_deprecated, NULL);
	v[INTERACTION_COUNTED] = (struct value){.number = v[INTERACTION_DATE_TIME].number <= req_now_ms(r)};
}

/* Counts the interactions that were created, and updates each of their entities once. */
static void interaction_count_all(struct req *r, struct write *w)
{
	struct uuid *ids = arena_alloc(&r->arena, w->n_targets * sizeof *ids),
	            *entities = arena_alloc(&r->arena, w->n_targets * sizeof *entities);
	struct sql *s;
	size_t n = 0;

	for (size_t i = 0; i < w->n_targets; i++) {
		const struct write_target *t = &w->targets[i];
		if (t->failed || !interaction_is_counted(t->new))
			continue;
		ids[n] = t->id;
		entities[n++] = t->new->values[INTERACTION_ENTITY].entity;
	}
	if (n == 0)
		return;
	s = req_sql(r, "interactions_counted", NULL);
	sql_add(s, "insert into interaction_counts as c (workspace_id, entity_id, user_id, count, last_at) "
	           "select $1, i.entity_id, i.user_id, count(*), max(i.date_time) from interactions i "
	           "where i.workspace_id = $1 and i.id = any (");
	sql_uuid_array(s, ids, n);
	sql_add(s, ") group by i.entity_id, i.user_id on conflict (workspace_id, entity_id, user_id) do update "
	           "set count = c.count + excluded.count, last_at = greatest(c.last_at, excluded.last_at)");
	s = req_sql(r, "interactions_totals", NULL);
	sql_add(s, INTERACTION_TOTALS "e.id");
	interaction_totals_end(r, s);
	sql_add_uuid_array(s, " from (select distinct id from unnest(", entities, n);
	sql_add(s, ") id) e");
}

const struct activity_creation interaction_creation = {
    .kind = {.res = &interaction_resource, .created_at = INTERACTION_CREATED_AT, .created_by = INTERACTION_FROM},
    .insert = "interaction_insert",
    .counts = true,
    .entity = INTERACTION_ENTITY,
    .settle = interaction_settle,
    .end = interaction_count_all,
};

/* --- change and delete ----------------------------------------------------------------- */

/* Copies the body's fields. Whether the interaction is counted changes only with its time, because clocks differ a
 * little. */
static void interaction_take(struct req *r, struct record *rec)
{
	int64_t time = rec->values[INTERACTION_DATE_TIME].number;

	body_take(rec, r->given.input);
	if (!interaction_is_counted(rec) || rec->values[INTERACTION_DATE_TIME].number != time)
		rec->values[INTERACTION_COUNTED] =
		    (struct value){.number = rec->values[INTERACTION_DATE_TIME].number <= req_now_ms(r)};
}

struct interaction_work {
	struct record *old; /* the row, first as read before the locks, then as locked */
	int at_given;       /* the entity in the body; NONE: unchanged */
};

enum step interaction_open(struct req *r)
{
	enum step followed = r->tx.session ? PASS : merged_follow_query(r);

	if (followed != PASS)
		return followed;
	r->tx.number_later = true;
	transaction_begin(r);
	if (r->given.input) /* its result comes before the record's */
		merged_entity_ask(r, &r->given.input->values[INTERACTION_ENTITY]);
	activity_ask(r, &interaction_resource, "interaction_look", "");
	return transaction_ask(r);
}

enum step interaction_lock(struct req *r)
{
	struct value *given = r->given.input ? &r->given.input->values[INTERACTION_ENTITY] : NULL;
	struct interaction_work *w = arena_alloc(&r->arena, sizeof *w);
	struct value *old;
	struct uuid entities[2];
	bool other, before;

	r->state.interaction = w;
	w->old = activity_locked(r);
	if (!w->old)
		return reply_not_found(r);
	if (given)
		merged_entity_take(r->db.last, r->at - 1, given);
	old = &w->old->values[INTERACTION_ENTITY];
	other = given && !value_equal(FIELD_ENTITY, given, old);
	before = other && uuid_compare(&given->entity, &old->entity) < 0;
	entities[0] = old->entity;
	entities[1] = other ? given->entity : old->entity;
	transaction_lock_records(r, entities, 2);
	w->at_given = before ? entity_ask(r, given, ENTITY_COUNT) : NONE;
	entity_ask(r, old, ENTITY_COUNT);
	if (other && !before)
		w->at_given = entity_ask(r, given, ENTITY_COUNT);
	activity_ask(r, &interaction_resource, "interaction_lock", " for update of t");
	transaction_number(r);
	return transaction_ask(r);
}

/* Reads the interaction again under its lock. Returns false with the step's result when it was deleted or its entity
 * has changed. */
static bool interaction_locked(struct req *r, enum step *step)
{
	struct interaction_work *w = r->state.interaction;
	struct uuid entity = w->old->values[INTERACTION_ENTITY].entity;

	transaction_numbered(r);
	w->old = activity_locked(r);
	if (w->old && uuid_equal(&entity, &w->old->values[INTERACTION_ENTITY].entity))
		return true;
	*step = w->old ? transaction_again(r) : reply_not_found(r);
	return false;
}

static void interaction_save(struct req *r, struct record *old, struct record *new)
{
	field_set changed = record_diff(old, new);

	if (changed)
		record_update(req_sql(r, NULL, NULL), new, changed);
	if (!(changed &
	        (FIELD_BIT(INTERACTION_ENTITY) | FIELD_BIT(INTERACTION_DATE_TIME) | FIELD_BIT(INTERACTION_COUNTED))))
		return;
	if (interaction_is_counted(old))
		interaction_take_count(r, old->values);
	if (interaction_is_counted(new))
		interaction_add_count(r, new->values);
	interaction_totals(r, old);
	if (changed & FIELD_BIT(INTERACTION_ENTITY))
		interaction_totals(r, new);
}

enum step interaction_update(struct req *r)
{
	struct interaction_work *w = r->state.interaction;
	struct record *new;
	enum step step;

	if (!interaction_locked(r, &step))
		return step;
	if (w->at_given != NONE && !entity_given(r, w->at_given, &r->given.input->values[INTERACTION_ENTITY]))
		return reply_issues(r, "Invalid input");
	new = record_copy(w->old, &r->arena);
	interaction_take(r, new);
	if (w->at_given == NONE)
		new->values[INTERACTION_ENTITY] = w->old->values[INTERACTION_ENTITY];
	interaction_save(r, w->old, new);
	activity_event(r, w->old, new);
	return reply_record(r, new);
}

enum step interaction_delete(struct req *r)
{
	struct interaction_work *w = r->state.interaction;
	struct sql *s;
	enum step step;

	if (!interaction_locked(r, &step))
		return step;
	if (!interaction_is_of(r, w->old))
		return reply_not_found(r);
	activity_event(r, w->old, NULL);
	s = req_sql(r, "interaction_delete", NULL);
	sql_add_uuid(s, "delete from interactions where workspace_id = $1 and id = ", &r->given.path[0].id);
	if (interaction_is_counted(w->old)) {
		interaction_take_count(r, w->old->values);
		interaction_totals(r, w->old);
	}
	return reply_id(r, ID_INTERACTION, &r->given.path[0].id);
}
