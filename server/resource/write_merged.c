/* References of a write to people and companies that were merged: the kept record is meant. */
#include <string.h>

#include "server/resource/merged.h"
#include "server/resource/write.h"
#include "store/entity_kind.h"

/* A kept record, under the id of a record that was merged into it. */
struct stayed {
	struct uuid asked;
	enum id_kind kind;
	struct loaded is;
};

static size_t refs_ids(const struct contact_refs *refs, struct uuid *ids, size_t n)
{
	for (size_t i = 0; i < refs->count; i++)
		if (!refs->items[i].name)
			ids[n++] = refs->items[i].id;
	return n;
}

void write_ask_merged(struct req *r, struct write *w)
{
	size_t most = w->refs.count, n = 0;
	struct uuid *ids;

	for (size_t i = 0; i < w->n_targets; i++)
		if (w->targets[i].input)
			most += w->targets[i].input->people.count + w->targets[i].input->companies.count;
	ids = arena_alloc(&r->arena, most * sizeof *ids);
	for (size_t i = 0; i < w->n_targets; i++) {
		const struct input *in = w->targets[i].input;
		n = in ? refs_ids(&in->companies, ids, refs_ids(&in->people, ids, n)) : n;
	}
	for (size_t i = 0; i < w->refs.count; i++) {
		const struct named *ref = w->refs.table.rows[i].value;
		if (ref->kind != ID_OBJECT)
			ids[n++] = ref->id;
	}
	if (n)
		merged_given_sql(
		    req_sql(r, "merged_given", &w->at_merged), ids, n, w->scope.group ? &w->scope.group->id : NULL);
}

static void refs_follow(struct contact_refs *refs, enum id_kind kind, const struct table *all, struct table *loaded)
{
	for (size_t i = 0; i < refs->count; i++) {
		struct contact_ref *ref = &refs->items[i];
		struct stayed *now = ref->name ? NULL : table_find(all, &ref->id, sizeof ref->id);
		if (!now || now->kind != kind)
			continue;
		ref->id = now->is.id;
		table_row(loaded, &now->is.id, sizeof now->is.id)->value = &now->is;
	}
}

/* Each item once. */
static void change_follow(struct req *r, struct write *w, struct custom_change *c, const struct table *all)
{
	struct table seen;
	size_t n = 0;

	if (c->field->type != CUSTOM_CONTACT)
		return;
	table_init(&seen, &r->arena, c->n_refs);
	for (size_t i = 0; i < c->n_refs; i++) {
		struct custom_ref *ref = &c->refs[i];
		struct stayed *now = ref->unknown ? NULL : table_find(all, &ref->id, sizeof ref->id);
		if (now && now->kind == ref->kind) {
			ref->id = now->is.id;
			names_want(&r->arena, &w->refs, ref->kind, &ref->id);
			((struct named *)table_find(&w->refs.table, &ref->id, sizeof ref->id))->name = now->is.name;
		}
		if (ref->unknown || table_add(&seen, &ref->id, sizeof ref->id))
			c->refs[n++] = *ref;
	}
	c->n_refs = n;
}

void write_take_merged(struct req *r, struct write *w)
{
	int rows = w->at_merged < 0 ? 0 : db_rows(w->loads, w->at_merged);
	struct stayed *all = arena_alloc(&r->arena, (size_t)rows * sizeof *all);
	struct table by_asked;

	if (rows == 0)
		return;
	table_init(&by_asked, &r->arena, (size_t)rows);
	for (int i = 0; i < rows; i++) {
		struct stayed *s = &all[i];
		const char *kind = db_text(w->loads, w->at_merged, i, 3, NULL);
		s->asked = db_uuid(w->loads, w->at_merged, i, 0);
		s->is.id = db_uuid(w->loads, w->at_merged, i, 1);
		s->is.name = db_text(w->loads, w->at_merged, i, 2, &s->is.len);
		s->kind = entity_kind_named(kind, strlen(kind))->id_kind;
		s->is.outside = !db_bool(w->loads, w->at_merged, i, 4); /* the group of the objects that refer to it */
		table_row(&by_asked, &s->asked, sizeof s->asked)->value = s;
	}
	for (size_t i = 0; i < w->n_targets; i++) {
		struct write_target *t = &w->targets[i];
		if (!t->input)
			continue;
		refs_follow(&t->input->companies, ID_COMPANY, &by_asked, &w->companies);
		refs_follow(&t->input->people, ID_PERSON, &by_asked, &w->people);
		for (size_t c = 0; c < t->changes.count; c++)
			change_follow(r, w, &t->changes.items[c], &by_asked);
	}
}
