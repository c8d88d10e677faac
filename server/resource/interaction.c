/* Writing interactions. Each change locks the entities concerned, in the order of their ids, before the interaction
 * itself, and updates their counters in the same transaction (interaction_count.h). Reading is in
 * interaction_list.c. */
#include "server/event/activity_event.h"
#include "server/input/body.h"
#include "server/resource/entity.h"
#include "server/resource/interaction.h"
#include "server/resource/interaction_count.h"
#include "server/output/render.h"
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

static struct uuid *interaction_entity(struct record *rec)
{
	return &rec->values[INTERACTION_ENTITY].entity;
}

/* A locked entity can be neither counted nor deleted; references to it remain possible. */
static int interaction_lock_entity(struct req *r, const struct value *ref)
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
static void interaction_take(struct req *r, struct record *rec)
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

static enum step interaction_answer(struct req *r, const struct record *rec)
{
	render_record(reply_begin(r), rec, r->ws, &r->viewer);
	return reply_end(r);
}

static void interaction_add_count(struct req *r, struct record *rec)
{
	const struct value *v = rec->values;

	if (v[INTERACTION_COUNTED].number)
		interaction_counted(
		    r, interaction_entity(rec), &v[INTERACTION_FROM].id, v[INTERACTION_DATE_TIME].number);
}

static void interaction_take_count(struct req *r, struct record *rec)
{
	if (rec->values[INTERACTION_COUNTED].number)
		interaction_uncounted(r, interaction_entity(rec), &rec->values[INTERACTION_FROM].id);
}

/* --- create ------------------------------------------------------------------------- */

enum step interaction_create_open(struct req *r)
{
	transaction_begin(r);
	r->at = interaction_lock_entity(r, &r->input->values[INTERACTION_ENTITY]);
	return transaction_ask(r);
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
	interaction_take(r, rec);
	record_insert(req_sql(r, "interaction_insert", NULL), rec);
	activity_event(r, NULL, rec);
	interaction_add_count(r, rec);
	if (rec->values[INTERACTION_COUNTED].number)
		interaction_totals(r, interaction_entity(rec));
	return interaction_answer(r, rec);
}

/* --- change and delete ----------------------------------------------------------------- */

static int interaction_select(struct req *r, const char *name, const char *lock)
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
	transaction_begin(r);
	w->at_old = interaction_select(r, "interaction_look", "");
	return transaction_ask(r);
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
	w->at_given = before ? interaction_lock_entity(r, given) : NONE;
	interaction_lock_entity(r, old);
	if (other && !before)
		w->at_given = interaction_lock_entity(r, given);
	w->at_old = interaction_select(r, "interaction_lock", " for update of t");
	return transaction_ask(r);
}

/* Reads it again under its lock. PASS, or DONE with a 404, or *again when its entity has changed meanwhile. */
static enum step interaction_locked(struct req *r, bool *again)
{
	struct interaction_work *w = r->state.interaction;
	struct uuid entity = *interaction_entity(w->old);

	*again = false;
	if (db_rows(r->x, w->at_old) == 0)
		return reply_not_found(r);
	w->old = record_load(r->x, w->at_old, 0, &interaction_resource, &r->arena);
	if (uuid_equal(&entity, interaction_entity(w->old)))
		return PASS;
	*again = true;
	return transaction_again(r);
}

static void interaction_save(struct req *r, struct record *old, struct record *new)
{
	field_set changed = record_diff(old, new);
	bool moved = changed & FIELD_BIT(INTERACTION_ENTITY);

	if (!changed)
		return;
	record_update(req_sql(r, NULL, NULL), new, changed);
	if (!(changed &
	        (FIELD_BIT(INTERACTION_ENTITY) | FIELD_BIT(INTERACTION_DATE_TIME) | FIELD_BIT(INTERACTION_COUNTED))))
		return;
	interaction_take_count(r, old);
	interaction_add_count(r, new);
	interaction_totals(r, interaction_entity(old));
	if (moved)
		interaction_totals(r, interaction_entity(new));
}

enum step interaction_update(struct req *r)
{
	struct interaction_work *w = r->state.interaction;
	struct record *new;
	bool again;
	enum step step = interaction_locked(r, &again);

	if (step != PASS || again)
		return step;
	if (w->at_given != NONE && !entity_given(r, w->at_given, &r->input->values[INTERACTION_ENTITY]))
		return reply_issues(r, "Invalid input");
	new = record_copy(w->old, &r->arena);
	interaction_take(r, new);
	if (w->at_given == NONE)
		new->values[INTERACTION_ENTITY] = w->old->values[INTERACTION_ENTITY];
	interaction_save(r, w->old, new);
	activity_event(r, w->old, new);
	return interaction_answer(r, new);
}

enum step interaction_delete(struct req *r)
{
	struct interaction_work *w = r->state.interaction;
	struct sql *s;
	bool again;
	enum step step = interaction_locked(r, &again);

	if (step != PASS || again)
		return step;
	if (!interaction_is_of(r, w->old))
		return reply_not_found(r);
	activity_event(r, w->old, NULL);
	s = req_sql(r, "interaction_delete", NULL);
	sql_add(s, "delete from interactions where workspace_id = $1 and id = ");
	sql_uuid(s, &r->path[0].id);
	interaction_take_count(r, w->old);
	if (w->old->values[INTERACTION_COUNTED].number)
		interaction_totals(r, interaction_entity(w->old));
	return reply_id(r, ID_INTERACTION, &r->path[0].id);
}
