/* Writing interactions. Each change locks the entities concerned, in the order of their ids, before the interaction
 * itself, and updates their counters in the same transaction (interaction_count.h). Reading is in
 * interaction_list.c. */
#include "server/event/activity_event.h"
#include "server/input/body.h"
#include "server/resource/entity.h"
#include "server/resource/interaction.h"
#include "server/resource/interaction_count.h"
#include "server/output/record.h"
#include "server/resource/steps.h"
#include "store/entity_kind.h"
#include "store/record.h"

enum { NONE = -1 };

static const char type_deprecated[] = "The field type is deprecated; use activityType";

struct interaction_work {
	struct record *old; /* first as before the locks, then as locked */
	int at_old;
	int at_given; /* the entity in the body; NONE: unchanged */
};

static struct uuid *entity_of(struct record *rec)
{
	return &rec->values[INTERACTION_ENTITY].entity;
}

/* A locked entity can be neither counted nor deleted; references to it remain possible. */
static int lock_entity(struct req *r, const struct value *ref)
{
	const struct entity_kind *kind = ref->kind;
	struct sql *s;
	int at;

	s = req_sql(r, NULL, &at);
	sql_addf(s, "select t.%s, null::uuid from %s t where t.workspace_id = $1 and t.id = ", kind->name, kind->table);
	sql_uuid(s, &ref->entity);
	sql_add(s, " for no key update of t");
	return at;
}

/* Copies the body's fields. Whether it is counted stays as it is unless the time changes: clocks differ a little. */
static void take(struct req *r, struct record *rec)
{
	bool counted = rec->values[INTERACTION_COUNTED].number;
	int64_t time = rec->values[INTERACTION_DATE_TIME].number;
	const struct input *in = r->input;

	for (int i = 0; i < in->resource->n_fields; i++)
		if ((in->given & FIELD_BIT(i)) && in->resource->fields[i].column)
			rec->values[i] = in->values[i];
	if (!counted || rec->values[INTERACTION_DATE_TIME].number != time)
		counted = rec->values[INTERACTION_DATE_TIME].number <= req_now_ms(r);
	rec->values[INTERACTION_COUNTED] = (struct value){.number = counted};
}

static enum step show(struct req *r, const struct record *rec)
{
	render_record(reply_begin(r), rec, r->ws, &r->viewer);
	return reply_end(r);
}

static void count(struct req *r, struct record *rec)
{
	const struct value *v = rec->values;

	if (v[INTERACTION_COUNTED].number)
		interaction_counted(r, entity_of(rec), &v[INTERACTION_FROM].id, v[INTERACTION_DATE_TIME].number);
}

static void uncount(struct req *r, struct record *rec)
{
	if (rec->values[INTERACTION_COUNTED].number)
		interaction_uncounted(r, entity_of(rec), &rec->values[INTERACTION_FROM].id);
}

/* --- create ------------------------------------------------------------------------- */

enum step interaction_create_open(struct req *r)
{
	write_begin(r);
	r->at = lock_entity(r, &r->input->values[INTERACTION_ENTITY]);
	return ask_write(r);
}

enum step interaction_create(struct req *r)
{
	struct record *rec;

	if (!entity_given(r, r->at, &r->input->values[INTERACTION_ENTITY]))
		return reply_issues(r, "Invalid input");
	if (r->input->given & FIELD_BIT(INTERACTION_TYPE))
		r->deprecation = type_deprecated;
	rec = record_new(&interaction_resource, &r->arena);
	rec->values[INTERACTION_ID] = (struct value){.id = id_new()};
	rec->values[INTERACTION_FROM] = (struct value){.id = r->viewer.user};
	take(r, rec);
	record_insert(req_sql(r, "interaction_insert", NULL), rec);
	activity_event(r, NULL, rec);
	count(r, rec);
	if (rec->values[INTERACTION_COUNTED].number)
		interaction_totals(r, entity_of(rec));
	return show(r, rec);
}

/* --- change and delete ----------------------------------------------------------------- */

static int select_one(struct req *r, const char *name, const char *lock)
{
	struct sql *s;
	int at;

	s = req_sql(r, name, &at);
	record_select(s, &interaction_resource);
	sql_add(s, " and t.id = ");
	sql_uuid(s, &r->path[0].id);
	sql_add(s, lock);
	return at;
}

enum step interaction_open(struct req *r)
{
	struct interaction_work *w = arena_alloc(&r->arena, sizeof *w);

	r->state.interaction = w;
	write_begin(r);
	w->at_old = select_one(r, "interaction_look", "");
	return ask_write(r);
}

enum step interaction_lock(struct req *r)
{
	struct value *given = r->input ? &r->input->values[INTERACTION_ENTITY] : NULL;
	struct interaction_work *w = r->state.interaction;
	struct value *old;
	bool other, before;

	if (db_rows(r->x, w->at_old) == 0)
		return reply_not_found(r);
	w->old = record_load(r->x, w->at_old, 0, &interaction_resource, &r->arena);
	old = &w->old->values[INTERACTION_ENTITY];
	other = given && !value_equal(FIELD_ENTITY, given, old);
	before = other && uuid_compare(&given->entity, &old->entity) < 0;
	w->at_given = before ? lock_entity(r, given) : NONE;
	lock_entity(r, old);
	if (other && !before)
		w->at_given = lock_entity(r, given);
	w->at_old = select_one(r, "interaction_lock", " for update of t");
	return ask_write(r);
}

/* Reads it again under its lock. PASS, or DONE with a 404, or *again when its entity has changed meanwhile. */
static enum step locked(struct req *r, bool *again)
{
	struct interaction_work *w = r->state.interaction;
	struct uuid entity = *entity_of(w->old);

	*again = false;
	if (db_rows(r->x, w->at_old) == 0)
		return reply_not_found(r);
	w->old = record_load(r->x, w->at_old, 0, &interaction_resource, &r->arena);
	if (uuid_equal(&entity, entity_of(w->old)))
		return PASS;
	*again = true;
	return write_again(r);
}

static void save(struct req *r, struct record *old, struct record *new)
{
	field_set changed = record_diff(old, new);
	bool moved = changed & FIELD_BIT(INTERACTION_ENTITY);

	if (!changed)
		return;
	record_update(req_sql(r, NULL, NULL), new, changed);
	if (!(changed &
	        (FIELD_BIT(INTERACTION_ENTITY) | FIELD_BIT(INTERACTION_DATE_TIME) | FIELD_BIT(INTERACTION_COUNTED))))
		return;
	uncount(r, old);
	count(r, new);
	interaction_totals(r, entity_of(old));
	if (moved)
		interaction_totals(r, entity_of(new));
}

enum step interaction_update(struct req *r)
{
	struct interaction_work *w = r->state.interaction;
	struct record *new;
	bool again;
	enum step step = locked(r, &again);

	if (step != PASS || again)
		return step;
	if (w->at_given != NONE && !entity_given(r, w->at_given, &r->input->values[INTERACTION_ENTITY]))
		return reply_issues(r, "Invalid input");
	new = record_copy(w->old, &r->arena);
	take(r, new);
	if (w->at_given == NONE)
		new->values[INTERACTION_ENTITY] = w->old->values[INTERACTION_ENTITY];
	save(r, w->old, new);
	activity_event(r, w->old, new);
	return show(r, new);
}

enum step interaction_delete(struct req *r)
{
	struct interaction_work *w = r->state.interaction;
	struct sql *s;
	bool again;
	enum step step = locked(r, &again);

	if (step != PASS || again)
		return step;
	if (!interaction_is_of(r, w->old))
		return reply_not_found(r);
	activity_event(r, w->old, NULL);
	s = req_sql(r, "interaction_delete", NULL);
	sql_add(s, "delete from interactions where workspace_id = $1 and id = ");
	sql_uuid(s, &r->path[0].id);
	uncount(r, w->old);
	if (w->old->values[INTERACTION_COUNTED].number)
		interaction_totals(r, entity_of(w->old));
	return reply_id(r, ID_INTERACTION, &r->path[0].id);
}
