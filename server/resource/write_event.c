/* The events of people, companies and objects written by a request. */
#include "server/event/diff.h"
#include "server/request/outbox.h"
#include "server/resource/write.h"

/* The event types of a kind of record. EVENT_TYPES: none. */
static const struct {
	enum event_type created, updated, deleted, groups_updated;
} types[] = {
    [ENTITY_PERSON] = {EVENT_PERSON_CREATED, EVENT_PERSON_UPDATED, EVENT_PERSON_DELETED, EVENT_PERSON_GROUPS_UPDATED},
    [ENTITY_COMPANY] = {EVENT_COMPANY_CREATED, EVENT_COMPANY_UPDATED, EVENT_COMPANY_DELETED,
        EVENT_COMPANY_GROUPS_UPDATED},
    [ENTITY_OBJECT] = {EVENT_OBJECT_CREATED, EVENT_OBJECT_UPDATED, EVENT_TYPES, EVENT_TYPES},
};

/* Leaves out groups that are being removed. */
static void take_groups(struct req *r, struct event_out *e, const struct value *groups)
{
	struct uuid *ids = groups->ids;

	e->groups = groups->ids;
	e->n_groups = groups->n_ids;
	if (r->caller.ws->n_removed_groups == 0)
		return;
	e->n_groups = 0;
	e->groups = ids = arena_alloc(&r->arena, groups->n_ids * sizeof *ids);
	for (size_t i = 0; i < groups->n_ids; i++)
		if (!workspace_removed(r->caller.ws, &groups->ids[i]))
			ids[e->n_groups++] = groups->ids[i];
}

/* Makes an event of the record in that state, with its groups, or its group and type. */
static struct event_out *write_add_event(struct req *r, const struct write *w, enum event_type type,
    const struct write_target *t, const struct record *state)
{
	struct event_out *e = outbox_add(r, type, &t->id);

	if (w->kind->groups >= 0) {
		take_groups(r, e, &state->values[w->kind->groups]);
	} else {
		e->groups = &w->scope.group->id;
		e->n_groups = 1;
		e->is_within = true;
		e->within = w->scope.group->id;
		e->object_type = w->scope.type->name;
	}
	return e;
}

static void write_event_changes(struct req *r, struct event_out *e, struct changes *c)
{
	changes_end(c);
	json_end_object(&c->out);
	outbox_data(r, e, &c->buf);
	e->named = c->named;
	e->n_named = c->n_named;
}

/* --- updated ------------------------------------------------------------------------ */

/* A derived full name is not listed. */
static void full_name(struct changes *c, const struct record *old, const struct record *new)
{
	static const struct value none = {.text = ""};
	const struct value *before = old->values, *after = new->values;

	changes_field(c, &person_resource.fields[PERSON_FULL_NAME],
	    before[PERSON_FULL_NAME_GIVEN].number ? &before[PERSON_FULL_NAME] : &none,
	    after[PERSON_FULL_NAME_GIVEN].number ? &after[PERSON_FULL_NAME] : &none);
}

static void event_updated(struct req *r, const struct write *w, const struct write_target *t)
{
	const struct write_kind *k = w->kind;
	field_set without = k->groups >= 0 ? FIELD_BIT(k->groups) : 0;
	struct changes c;

	changes_init(&c, &r->tx.events.arena);
	if (k->entity == ENTITY_PERSON) {
		without |= FIELD_BIT(PERSON_FULL_NAME);
		full_name(&c, t->old, t->new);
	}
	changes_record(&c, t->old, t->new, without);
	changes_custom(&c, r->caller.ws, &t->old->values[k->custom], &t->new->values[k->custom], k->groups >= 0);
	if (c.count)
		write_event_changes(r, write_add_event(r, w, types[k->entity].updated, t, t->new), &c);
	changes_free(&c);
}

/* The groups of the event are those joined or left, which are exactly the groups that its changes name. */
static void groups_updated(struct req *r, const struct write *w, const struct write_target *t)
{
	const struct write_kind *k = w->kind;
	const struct field *f = &k->res->fields[k->groups];
	struct event_out *e;
	struct changes c;

	changes_init(&c, &r->tx.events.arena);
	changes_field(&c, f, &t->old->values[k->groups], &t->new->values[k->groups]);
	if (c.count) {
		e = outbox_add(r, types[k->entity].groups_updated, &t->id);
		write_event_changes(r, e, &c);
		e->groups = e->named;
		e->n_groups = e->n_named;
	}
	changes_free(&c);
}

/* --- deleted --------------------------------------------------------------------------- */

/* For a person or company. removal_objects() makes the events of objects. */
static void event_deleted(struct req *r, const struct write *w, const struct write_target *t)
{
	struct event_out *e = write_add_event(r, w, types[w->kind->entity].deleted, t, t->old);
	const struct value *name = &t->old->values[w->kind->name];
	const struct value *emails = &t->old->values[w->kind->emails];
	struct changes c;
	struct json_out *o = &c.out;

	changes_init(&c, &r->tx.events.arena);
	json_key(o, "details");
	json_begin_object(o);
	json_key(o, "name");
	json_string_len(o, name->text, name->len);
	json_key(o, "emails");
	json_begin_array(o);
	for (size_t i = 0; i < emails->n_items; i++)
		json_string_len(o, emails->items[i], emails->lens[i]);
	json_end_array(o);
	if (t->merged_into)
		json_add_id(o, "mergedInto", w->kind->res->id_kind, t->merged_into);
	json_end_object(o);
	json_end_object(o);
	outbox_data(r, e, &c.buf);
	changes_free(&c);
}

/* --- all ----------------------------------------------------------------------------------- */

void write_event(struct req *r, const struct write *w, const struct write_target *t)
{
	if (t->failed || t->duplicate_of)
		return;
	if (w->op == WRITE_DELETE) {
		event_deleted(r, w, t);
	} else if (t->op == WRITE_CREATE && !t->existing) {
		write_add_event(r, w, types[w->kind->entity].created, t, t->new);
	} else {
		event_updated(r, w, t);
		if (w->kind->groups >= 0)
			groups_updated(r, w, t);
	}
}

/* Makes events only for companies that did not exist before. */
void write_event_companies(struct req *r, const struct write *w)
{
	for (size_t i = 0; i < w->proposed.count; i++) {
		const struct loaded *l = w->proposed.rows[i].value, *is = table_find(&w->named, l->name, l->len);
		if (is && uuid_equal(&is->id, &l->id))
			outbox_add(r, EVENT_COMPANY_CREATED, &l->id);
	}
}
