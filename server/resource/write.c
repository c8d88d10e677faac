/* The steps of a write, and which records it changes in which order. */
#include "server/output/render_custom.h"
#include "server/request/names_load.h"
#include "server/resource/write.h"

#include <string.h>

#include "server/request/batch.h"
#include "server/request/outbox.h"
#include "server/request/large.h"
#include "server/request/object_scope.h"
#include "server/output/render.h"
#include "server/request/route.h"
#include "server/request/slice.h"
#include "server/resource/steps.h"
#include "server/resource/upsert.h"

enum { SAVE_BYTES = 512 << 10 }; /* bytes of parameters in an exchange; the rest waits for the next exchange */

const struct write_kind *write_kind_of(const struct req *r)
{
	static const struct write_kind *const kinds[] = {
	    [ID_PERSON] = &person_kind, [ID_COMPANY] = &company_kind, [ID_OBJECT] = &object_kind};

	return kinds[r->route->resource->id_kind];
}

static const enum write_op ops[] = {
    [INPUT_NONE] = WRITE_DELETE,
    [INPUT_CREATE] = WRITE_CREATE,
    [INPUT_UPDATE] = WRITE_UPDATE,
    [INPUT_BATCH_CREATE] = WRITE_CREATE,
    [INPUT_BATCH_UPDATE] = WRITE_UPDATE,
    [INPUT_BATCH_DELETE] = WRITE_DELETE,
    [INPUT_BATCH_UPSERT] = WRITE_UPSERT,
};

/* --- targets ------------------------------------------------------------------------ */

struct write_target *write_add_target(struct req *r, struct write *w, const struct uuid *id, struct input *input)
{
	struct write_target *t = &w->targets[w->n_targets++];

	t->id = *id;
	t->op = w->op;
	t->last_warning = &t->warnings;
	t->issues = w->batch ? NULL : &r->given.issues;
	if (input) { /* merging must not change what a repeated transaction reads again */
		t->input = arena_alloc(&r->arena, sizeof *t->input);
		*t->input = *input;
	}
	return t;
}

/* The fields of the later record win. Custom values are merged later, in write_merge_custom(). */
static void merge_input(struct input *early, const struct input *late)
{
	for (int i = 0; i < early->resource->n_fields; i++) {
		if (!(late->given & FIELD_BIT(i)))
			continue;
		early->values[i] = late->values[i];
		if (early->resource->fields[i].type == FIELD_COMPANIES)
			early->companies = late->companies;
		if (early->resource->fields[i].type == FIELD_PEOPLE)
			early->people = late->people;
	}
	early->given |= late->given;
}

/* Merges all together, because there may be a hundred. */
void write_merge_custom(struct req *r, struct write *w)
{
	const struct batch *b = r->given.batch;
	const struct json **values = arena_alloc(&r->arena, b->count * sizeof *values);
	int levels = w->kind->entity == ENTITY_OBJECT ? 1 : 2;

	for (size_t t = 0; t < w->n_targets; t++) {
		size_t n = 0;
		for (size_t i = 0; i < b->count; i++)
			if (w->record_target[i] == t && b->inputs[i]->custom)
				values[n++] = b->inputs[i]->custom;
		if (n)
			w->targets[t].input->custom = custom_merge(&r->arena, levels, values, n, w->upsert);
	}
}

/* The target of earlier records with that id; n_targets: there is none yet. */
static size_t target_of(const struct write *w, const struct uuid *id)
{
	size_t i = 0;

	while (i < w->n_targets && (w->targets[i].failed || !uuid_equal(&w->targets[i].id, id)))
		i++;
	return i;
}

static void batch_targets(struct req *r, struct write *w)
{
	const struct batch *b = r->given.batch;

	for (size_t i = 0; i < b->count; i++) {
		size_t found = w->n_targets;
		if (write_unmatched(r, w, b->inputs[i]))
			target_fail(
			    write_add_target(r, w, &b->inputs[i]->id, b->inputs[i]), ERROR_PRECONDITION_FAILED, NULL);
		else if (w->op == WRITE_CREATE || (found = target_of(w, &b->inputs[i]->id)) == w->n_targets)
			write_add_target(r, w, &b->inputs[i]->id, b->inputs[i]);
		else if (w->op == WRITE_UPDATE)
			merge_input(w->targets[found].input, b->inputs[i]);
		w->record_target[i] = found;
	}
	if (w->op == WRITE_UPDATE)
		write_merge_custom(r, w);
}

struct write *write_prepare(struct req *r, const struct write_kind *kind)
{
	struct write *w = arena_alloc(&r->arena, sizeof *w);

	w->kind = kind;
	w->op = ops[r->route->input];
	w->batch = r->given.batch != NULL;
	w->at_stamps = w->at_locked = w->at_old = w->at_named = w->at_companies = w->at_people = w->at_refs =
	    w->at_proposed = w->at_names = w->at_held = w->at_parents = w->at_merged = -1;
	w->scope = (struct custom_scope){.ws = r->caller.ws, .viewer = &r->caller.viewer, .entity = w->kind->entity};
	w->n_records = w->batch ? r->given.batch->count : 1;
	w->targets = arena_alloc(&r->arena, w->n_records * sizeof *w->targets);
	w->record_target = arena_alloc(&r->arena, w->n_records * sizeof *w->record_target);
	r->state.write = w;
	return w;
}

void write_find_targets(struct req *r, struct write *w)
{
	w->stamps = r->db.last;
	if (w->batch)
		batch_targets(r, w);
	else
		write_add_target(r, w, &r->given.path[w->kind->entity == ENTITY_OBJECT ? 2 : 0].id, r->given.input);
}

/* --- steps ---------------------------------------------------------------------------------- */

/* Runs this step again after these statements. */
static enum step write_ask_on(struct req *r)
{
	r->next--;
	return transaction_ask(r);
}

enum step write_open(struct req *r)
{
	struct write *w = r->state.write;

	if (!w) {
		enum step turn = large_turn(r);
		if (turn != PASS)
			return turn;
		w = write_prepare(r, write_kind_of(r));
		r->tx.exclusive = w->op == WRITE_DELETE;
		transaction_begin(r);
		/* An unknown type is reported within the transaction, because its 404 is stored under the key. */
		if (w->kind->entity == ENTITY_OBJECT && !object_scope_find(r, &w->scope, &w->role))
			return transaction_ask(r);
		if (write_ask_stamps(r, w))
			return write_ask_on(r);
	}
	if (w->n_targets == 0) {
		write_find_targets(r, w);
		write_load(r, w);
	}
	return write_load_custom(r, w) ? transaction_ask(r) : AGAIN;
}

static enum step delete_targets(struct req *r, struct write *w)
{
	struct uuid *ids = arena_alloc(&r->arena, w->n_targets * sizeof *ids);
	size_t n = 0;

	for (size_t i = 0; i < w->n_targets; i++) {
		if (w->targets[i].failed)
			continue;
		ids[n++] = w->targets[i].id;
		if (w->kind->entity != ENTITY_OBJECT)
			write_event(r, w, &w->targets[i]);
	}
	if (n)
		w->kind->remove(r, ids, n);
	return write_reply(r, w);
}

/* Queries what answers and changes need beyond the opening exchange. */
static enum step ask_more(struct req *r, struct write *w)
{
	bool more;

	while (w->wanted < w->n_targets) {
		const struct write_target *t = &w->targets[w->wanted++];
		if (!t->failed && t->new)
			custom_want(&r->arena, r->caller.ws, &t->new->values[w->kind->custom], &w->names);
		if (w->wanted < w->n_targets && slice_over(r))
			return AGAIN;
	}
	more = write_create_companies(r, w);
	if (w->names.count)
		names_ask(r, &w->names, &w->at_names);
	return more || w->names.count ? transaction_ask(r) : PASS;
}

/* Returns false when it must be continued in another turn. */
static bool decide_all(struct req *r, struct write *w)
{
	while (w->decided < w->n_targets) {
		write_decide(r, w, &w->targets[w->decided++]);
		if (w->decided < w->n_targets && slice_over(r))
			return false;
	}
	return true;
}

enum step write_apply(struct req *r)
{
	struct write *w = r->state.write;

	if (w->replied)
		return write_reply(r, w);
	if (!w->loads) {
		w->loads = r->db.last;
		if (w->kind->entity == ENTITY_OBJECT && !object_scope(r, &w->scope, &w->role))
			return DONE;
		if (w->upsert && !upsert_confirmed(r, w))
			return transaction_again(r);
		write_loaded(&r->arena, r->db.last, w->at_companies, false, &w->companies);
		write_loaded(&r->arena, r->db.last, w->at_people, false, &w->people);
	}
	if (w->at_refs >= 0 && !names_take(r, &w->refs, w->loads, w->at_refs))
		return AGAIN;
	if (w->decided == 0)
		write_take_merged(r, w);
	if (w->wanted == 0 && !decide_all(r, w))
		return AGAIN;
	if (!w->batch && w->targets[0].failed)
		return write_reply(r, w);
	if (w->op == WRITE_DELETE)
		return delete_targets(r, w);
	return ask_more(r, w);
}

static void save_record(struct req *r, struct write *w, struct write_target *t)
{
	const struct write_kind *k = w->kind;
	field_set changed = record_diff(t->old, t->new);
	const char *name;
	struct sql *s;

	if (t->op == WRITE_CREATE && !t->existing) {
		s = req_sql(r, arena_printf(&r->arena, "%s_insert", k->res->table), NULL);
		record_insert(s, t->new);
	} else if (changed) {
		changed |= record_touch(t->new, req_now_ms(r));
		/* The statement has a name, because parsing and planning would be most of a batch's work. */
		name = arena_printf(&r->arena, "%s_update:%x", k->res->table, changed);
		s = req_sql(r, name, NULL);
		record_update(s, t->new, changed);
	} else {
		return;
	}
	if (!w->batch)
		outbox_carry(r, s);
}

/* The links that the records have in one state and not in the other. */
static struct links write_links(struct req *r, const struct write *w, int field, bool added)
{
	struct links l = {.count = 0};
	size_t most = 0;

	for (size_t i = 0; i < w->n_targets; i++)
		if (!w->targets[i].failed)
			most += (added ? w->targets[i].new : w->targets[i].old)->values[field].n_ids;
	l.owners = arena_alloc(&r->arena, most * sizeof *l.owners);
	l.others = arena_alloc(&r->arena, most * sizeof *l.others);
	for (size_t i = 0; i < w->n_targets; i++) {
		const struct write_target *t = &w->targets[i];
		const struct value *in, *out;
		if (t->failed || t->duplicate_of)
			continue;
		in = &(added ? t->new : t->old)->values[field];
		out = &(added ? t->old : t->new)->values[field];
		for (size_t j = 0; j < in->n_ids; j++) {
			if (uuid_in(out->ids, out->n_ids, &in->ids[j]))
				continue;
			l.owners[l.count] = t->id;
			l.others[l.count++] = in->ids[j];
		}
	}
	return l;
}

void write_save_links(struct req *r, struct write *w)
{
	for (const struct link_table *l = link_tables; l < link_tables + LINK_TABLES; l++) {
		struct links deleted, added;
		if (l->resource != w->kind->res)
			continue;
		deleted = write_links(r, w, l->field, false);
		added = write_links(r, w, l->field, true);
		contact_save_links(r, l, &deleted, &added);
	}
}

void write_save_target(struct req *r, struct write *w, struct write_target *t)
{
	const struct write_kind *k = w->kind;

	if (t->failed || t->duplicate_of)
		return;
	if (k->entity == ENTITY_PERSON && target_gives(t, k->companies))
		write_set_companies(r, w, t, &t->new->values[k->companies]);
	save_record(r, w, t);
	write_event(r, w, t);
}

bool write_full(struct req *r)
{
	return req_sql_bytes(r) + outbox_bytes(r) > SAVE_BYTES;
}

enum step write_save_on(struct req *r)
{
	outbox_write(r);
	return write_ask_on(r);
}

enum step write_save(struct req *r)
{
	struct write *w = r->state.write;

	if (w->replied)
		return write_reply(r, w);
	if (w->saved == 0) {
		if (w->at_names >= 0 && !names_take(r, &w->names, r->db.last, w->at_names))
			return AGAIN;
		write_loaded(&r->arena, r->db.last, w->at_proposed, true, &w->named);
		write_event_companies(r, w);
	}
	while (w->saved < w->n_targets) {
		write_save_target(r, w, &w->targets[w->saved++]);
		if (w->saved == w->n_targets)
			break;
		if (write_full(r))
			return write_save_on(r);
		if (slice_over(r))
			return AGAIN;
	}
	/* The statement of a single request is sent with its event. */
	if (custom_save(r, &w->rows, w->batch ? SAVE_BYTES : SIZE_MAX))
		return write_save_on(r);
	write_save_links(r, w);
	return write_reply(r, w);
}
