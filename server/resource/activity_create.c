/* Creates notes, tasks and interactions, one or in batches, in two round trips like write.h: open (lock and load what
 * the bodies refer to); then decide in memory, record by record, and save with COMMIT. */
#include "server/event/activity_event.h"
#include "server/request/joint.h"
#include "server/request/large.h"
#include "server/request/route.h"
#include "server/request/slice.h"
#include "server/resource/activity.h"
#include "server/resource/entity.h"
#include "server/resource/steps.h"

static const struct activity_creation *creation_of(const struct route *route)
{
	static const struct activity_creation *const all[] = {
	    [ID_NOTE] = &note_creation, [ID_TASK] = &task_creation, [ID_INTERACTION] = &interaction_creation};

	return all[route->resource->id_kind];
}

static void creation_ask_entities(struct req *r, const struct activity_creation *c, struct write *w)
{
	struct entities *e = arena_alloc(&r->arena, sizeof *e);
	struct uuid *ids = arena_alloc(&r->arena, w->n_targets * sizeof *ids);

	e->refs = arena_alloc(&r->arena, w->n_targets * sizeof *e->refs);
	for (size_t i = 0; i < w->n_targets; i++)
		if (!w->targets[i].input->refused) {
			ids[e->count] = w->targets[i].input->values[c->entity].entity;
			e->refs[e->count++] = &w->targets[i].input->values[c->entity];
		}
	if (w->batch && c->counts)
		transaction_lock_records(r, ids, e->count);
	entities_ask(r, e, c->counts ? ENTITY_COUNT : ENTITY_KEEP);
	w->entities = e;
}

enum step activity_create_open(struct req *r)
{
	const struct activity_creation *c = creation_of(r->route);
	enum step turn = large_turn(r);
	struct write *w;

	if (turn != PASS)
		return turn;
	w = write_prepare(r, &c->kind);
	write_find_targets(r, w);
	transaction_begin(r);
	if (c->load) /* it may wait for records, which comes before the first lock of a row */
		c->load(r, w);
	creation_ask_entities(r, c, w);
	return transaction_ask(r);
}

/* True if another member of the joint transaction may change the entity: the lock is that of the id in the body, and
 * the entity was merged into another one. The request then runs again, with the lock of that one. */
static bool creation_is_apart(struct req *r, const struct activity_creation *c, const struct write *w)
{
	struct uuid now;

	if (w->batch || !c->counts || !db_uuid_read(w->loads, w->entities->at, 0, 2, &now) ||
	    uuid_equal(&now, &w->entities->refs[0]->entity) || !joint_apart(r))
		return false;
	r->given.input->values[c->entity].entity = now;
	return true;
}

static void creation_decide(struct req *r, const struct activity_creation *c, struct write *w, struct write_target *t)
{
	struct path entity = PATH_NAME(NULL, "entity"), id = PATH_NAME(&entity, "id");
	const struct write_kind *k = &c->kind;
	struct value *v;

	if (t->input->refused) {
		target_fail(t, ERROR_UNPROCESSABLE, t->input->refused);
		return;
	}
	t->id = target_new_id(t, k);
	t->new = record_new(k->res, &r->arena);
	body_take(t->new, t->input);
	v = t->new->values;
	v[0] = (struct value){.id = t->id};
	record_touch(t->new, req_now_ms(r));
	if (!target_gives(t, k->created_at))
		v[k->created_at] = (struct value){.number = req_now_ms(r)};
	if (!target_gives(t, k->created_by))
		v[k->created_by] = (struct value){.id = r->caller.viewer.user};
	if (!entities_given(&r->caller, w->loads, w->entities, &v[c->entity]))
		target_issue(&r->arena, t, &id, "Entity not found");
	c->settle(r, w, t);
}

static void creation_save(struct req *r, const struct activity_creation *c, const struct write_target *t)
{
	struct arena brief;

	if (t->failed)
		return;
	arena_init(&brief);
	if (c->derive)
		c->derive(r, t->new, &brief);
	record_insert(req_sql(r, c->insert, NULL), t->new);
	arena_free(&brief);
	activity_event(r, NULL, t->new);
}

enum step activity_create(struct req *r)
{
	const struct activity_creation *c = creation_of(r->route);
	struct write *w = r->state.write;

	if (w->replied)
		return write_reply(r, w);
	if (!w->loads) {
		w->loads = r->db.last;
		if (creation_is_apart(r, c, w))
			return transaction_ask(r);
	}
	while (w->decided < w->n_targets) {
		creation_decide(r, c, w, &w->targets[w->decided++]);
		if (w->decided < w->n_targets && slice_over(r))
			return AGAIN;
	}
	while (w->saved < w->n_targets) {
		creation_save(r, c, &w->targets[w->saved++]);
		if (w->saved == w->n_targets)
			break;
		if (write_full(r))
			return write_save_on(r);
		if (slice_over(r))
			return AGAIN;
	}
	if (c->end)
		c->end(r, w);
	return write_reply(r, w);
}
