/* Events of records that are linked to an entity. */
#include "server/event/activity_event.h"

#include <stdlib.h>
#include <string.h>

#include "server/event/diff.h"
#include "server/request/outbox.h"
#include "server/output/render.h"
#include "store/entity_kind.h"

enum { NONE = -1 };

/* The fields that decide who may see events, by resource. */
static const struct activity_kind {
	const struct resource *resource;
	enum event_type created, updated, deleted;
	int entity;
	int visibility, is_public; /* "public" or "private", or a flag */
	int owner, assigned;       /* users who may see a record that is not public */
} kinds[] = {
    {&note_resource, EVENT_NOTE_CREATED, EVENT_NOTE_UPDATED, EVENT_NOTE_DELETED, NOTE_ENTITY, NOTE_VISIBILITY, NONE,
        NOTE_AUTHOR, NONE},
    {&reminder_resource, EVENT_REMINDER_CREATED, EVENT_REMINDER_UPDATED, EVENT_REMINDER_DELETED, REMINDER_ENTITY,
        REMINDER_VISIBILITY, NONE, REMINDER_CREATED_BY, NONE},
    {&task_resource, EVENT_TASK_CREATED, EVENT_TASK_UPDATED, EVENT_TASK_DELETED, TASK_ENTITY, NONE, TASK_IS_PUBLIC,
        TASK_CREATED_BY, TASK_ASSIGNED},
    {&interaction_resource, EVENT_INTERACTION_CREATED, EVENT_INTERACTION_UPDATED, EVENT_INTERACTION_DELETED,
        INTERACTION_ENTITY, NONE, NONE, NONE, NONE},
};

static const struct activity_kind *activity_kind_of(const struct resource *res)
{
	const struct activity_kind *k = kinds;

	while (k->resource != res)
		k++;
	return k;
}

/* --- audience --------------------------------------------------------------------------- */

static bool activity_is_public(const struct activity_kind *k, const struct record *state)
{
	if (k->is_public != NONE)
		return state->values[k->is_public].number;
	return k->visibility == NONE || strcmp(state->values[k->visibility].text, "public") == 0;
}

static size_t event_add_user(struct uuid *users, size_t n, const struct uuid *user)
{
	if (uuid_in(users, n, user))
		return n;
	users[n] = *user;
	return n + 1;
}

static size_t event_count_owners(const struct activity_kind *k, const struct record *state)
{
	return state ? 1 + (k->assigned != NONE ? state->values[k->assigned].n_ids : 0) : 0;
}

static size_t event_add_owners(const struct activity_kind *k, const struct record *state, struct uuid *users, size_t n)
{
	if (!state)
		return n;
	n = event_add_user(users, n, &state->values[k->owner].id);
	for (size_t i = 0; k->assigned != NONE && i < state->values[k->assigned].n_ids; i++)
		n = event_add_user(users, n, &state->values[k->assigned].ids[i]);
	return n;
}

static void set_audience(struct arena *a, const struct activity_kind *k, struct event_out *e, const struct record *old,
    const struct record *new)
{
	struct uuid *users;

	if ((old && activity_is_public(k, old)) || (new &&activity_is_public(k, new)))
		return;
	users = arena_alloc(a, (event_count_owners(k, old) + event_count_owners(k, new)) * sizeof *users);
	e->n_audience = event_add_owners(k, old, users, 0);
	e->n_audience = event_add_owners(k, new, users, e->n_audience);
	e->audience = users;
	e->has_audience = true;
}

/* True if somebody who gets the event could not see the record before. */
static bool sight_grows(const struct activity_kind *k, const struct record *old, const struct record *new)
{
	const struct value *from = &old->values[k->entity], *to = &new->values[k->entity];
	struct uuid *users;
	size_t before, after;

	if (from->kind->id_kind == ID_OBJECT && !uuid_equal(&from->entity, &to->entity))
		return true;
	if (activity_is_public(k, old))
		return false;
	if (activity_is_public(k, new))
		return true;
	users = mem_zalloc((event_count_owners(k, old) + event_count_owners(k, new)) * sizeof *users);
	before = event_add_owners(k, old, users, 0);
	after = event_add_owners(k, new, users, before);
	free(users);
	return after > before;
}

/* --- all --------------------------------------------------------------------------------- */

/* Ends c, the event's data. */
static void activity_add_event(struct req *r, const struct activity_kind *k, enum event_type type,
    const struct record *old, const struct record *new, struct changes *c)
{
	const struct record *state = new ? new : old;
	const struct value *entity = &state->values[k->entity];
	struct event_out *e = outbox_add(&r->tx.events, type, &state->values[0].id);

	e->of_object = entity->kind->id_kind == ID_OBJECT;
	e->object = entity->entity;
	set_audience(&r->arena, k, e, old, new);
	changes_end(c);
	json_key(&c->out, "details");
	json_begin_object(&c->out);
	json_key(&c->out, "entity");
	render_entity_reference(&c->out, entity);
	json_end_object(&c->out);
	json_end_object(&c->out);
	outbox_data(&r->tx.events, e, &c->buf);
}

static bool is_completion(const struct record *old, const struct record *new)
{
	return new->resource == &task_resource && old->values[TASK_COMPLETED_AT].null &&
	       !new->values[TASK_COMPLETED_AT].null;
}

void activity_event(struct req *r, const struct record *old, const struct record *new)
{
	const struct activity_kind *k = activity_kind_of((new ? new : old)->resource);
	struct changes c;

	changes_init(&c, &r->arena);
	if (!old || !new) {
		activity_add_event(r, k, new ? k->created : k->deleted, old, new, &c);
	} else {
		c.conceals = sight_grows(k, old, new);
		changes_record(&c, old, new, 0);
		if (c.count)
			activity_add_event(
			    r, k, is_completion(old, new) ? EVENT_TASK_COMPLETED : k->updated, old, new, &c);
	}
	changes_free(&c);
}
