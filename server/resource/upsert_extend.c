/* How an upsert changes an existing record: given single values replace, and lists get the items that they lack. */
#include "server/resource/upsert.h"

#include <string.h>

/* --- bodies of records that are one --------------------------------------------------------- */

static struct value texts_joined(struct arena *a, const struct value *x, const struct value *y)
{
	struct value v = {.n_items = x->n_items + y->n_items};

	v.items = arena_alloc(a, v.n_items * sizeof *v.items);
	v.lens = arena_alloc(a, v.n_items * sizeof *v.lens);
	for (size_t i = 0; i < v.n_items; i++) {
		const struct value *from = i < x->n_items ? x : y;
		size_t k = i < x->n_items ? i : i - x->n_items;
		v.items[i] = from->items[k];
		v.lens[i] = from->lens[k];
	}
	return v;
}

static struct value ids_joined(struct arena *a, const struct value *x, const struct value *y)
{
	struct value v = {.ids = arena_alloc(a, (x->n_ids + y->n_ids) * sizeof *v.ids)};

	for (size_t i = 0; i < x->n_ids; i++)
		v.ids[v.n_ids++] = x->ids[i];
	for (size_t i = 0; i < y->n_ids; i++)
		v.ids[v.n_ids++] = y->ids[i];
	return v;
}

static void refs_join(struct arena *a, struct contact_refs *early, const struct contact_refs *late)
{
	struct contact_ref *all = arena_alloc(a, (early->count + late->count) * sizeof *all);
	size_t n = 0;

	for (size_t i = 0; i < early->count; i++)
		all[n++] = early->items[i];
	for (size_t i = 0; i < late->count; i++)
		all[n++] = late->items[i];
	early->items = all;
	early->count = n;
}

void upsert_join(struct arena *a, struct input *early, const struct input *late)
{
	for (int i = 0; i < early->resource->n_fields; i++) {
		enum field_type type = early->resource->fields[i].type;
		if (!(late->given & FIELD_BIT(i)))
			continue;
		if (type == FIELD_TEXTS)
			early->values[i] = texts_joined(a, &early->values[i], &late->values[i]);
		else if (type == FIELD_GROUPS)
			early->values[i] = ids_joined(a, &early->values[i], &late->values[i]);
		else if (type == FIELD_COMPANIES)
			refs_join(a, &early->companies, &late->companies);
		else if (type == FIELD_PEOPLE)
			refs_join(a, &early->people, &late->people);
		else
			early->values[i] = late->values[i];
	}
	early->given |= late->given;
	if (!early->refused)
		early->refused = late->refused;
}

static void refs_collapse(struct arena *a, struct contact_refs *refs)
{
	struct table names, ids;
	size_t n = 0;

	table_init(&names, a, refs->count);
	table_init(&ids, a, refs->count);
	for (size_t i = 0; i < refs->count; i++) {
		const struct contact_ref *ref = &refs->items[i];
		if (ref->name ? table_add(&names, ref->name, ref->len) : table_add(&ids, &ref->id, sizeof ref->id))
			refs->items[n++] = *ref;
	}
	refs->count = n;
}

static void ids_collapse(struct arena *a, struct value *v)
{
	struct table seen;
	size_t n = 0;

	table_init(&seen, a, v->n_ids);
	for (size_t i = 0; i < v->n_ids; i++)
		if (table_add(&seen, &v->ids[i], sizeof *v->ids))
			v->ids[n++] = v->ids[i];
	v->n_ids = n;
}

void upsert_collapse(struct arena *a, struct input *in)
{
	for (int i = 0; i < in->resource->n_fields; i++)
		if (in->resource->fields[i].type == FIELD_GROUPS && (in->given & FIELD_BIT(i)))
			ids_collapse(a, &in->values[i]);
	refs_collapse(a, &in->companies);
	refs_collapse(a, &in->people);
}

/* --- lists of texts ------------------------------------------------------------------------- */

/* How the items of a field are compared. FILTER_TEXTS: exactly. */
static enum filter_type item_type(const struct write *w, const struct field *f)
{
	const struct filter_field *filtered = filter_field_find(w->kind->filters, f->name, strlen(f->name));

	return filtered && filtered->item ? filtered->type : FILTER_TEXTS;
}

/* The items of the record's list in the form in which they are compared. */
static struct value old_compared(
    struct arena *a, const struct write *w, const struct write_target *t, int field, enum filter_type type)
{
	bool compared = t->op == WRITE_UPDATE && type != FILTER_TEXTS;
	int row = compared ? db_row_of(w->loads, w->upsert->at_old_compared, &t->id) : -1;
	struct value v = t->old->values[field];

	if (row >= 0)
		v.n_items = db_text_array(
		    w->loads, w->upsert->at_old_compared, row, type == FILTER_EMAILS ? 1 : 2, a, &v.items, &v.lens);
	return v;
}

static struct value list_extended(struct arena *a, const struct write *w, const struct write_target *t, int field)
{
	const struct value *old = &t->old->values[field], *given = &t->input->values[field];
	enum filter_type type = item_type(w, &w->kind->res->fields[field]);
	struct value compared = old_compared(a, w, t, field, type), v = texts_joined(a, old, given);
	struct table held;

	table_init(&held, a, v.n_items);
	for (size_t i = 0; i < compared.n_items; i++)
		table_add(&held, compared.items[i], compared.lens[i]);
	v.n_items = old->n_items;
	for (size_t i = 0; i < given->n_items; i++) {
		struct upsert_text item = upsert_text_given(w->upsert, type, given->items[i], given->lens[i]);
		if (!table_add(&held, item.compared, item.compared_len))
			continue;
		v.items[v.n_items] = item.text;
		v.lens[v.n_items++] = item.len;
	}
	return v;
}

void upsert_extend(struct arena *a, struct write *w, struct write_target *t)
{
	const struct resource *res = w->kind->res;

	for (int i = 0; i < res->n_fields; i++) {
		if (t->op == WRITE_UPDATE && !(res->fields[i].flags & FIELD_IN_UPDATE))
			t->input->given &= ~FIELD_BIT(i); /* a value that is given only for a new record */
		if (res->fields[i].type != FIELD_TEXTS || !target_gives(t, i))
			continue;
		t->input->values[i] = list_extended(a, w, t, i);
		upsert_check_count(a, w, t, i, t->old->values[i].n_items, t->input->values[i].n_items);
	}
}

/* --- limits ---------------------------------------------------------------------------------- */

void upsert_check_count(
    struct arena *a, const struct write *w, struct write_target *t, int field, size_t before, size_t after)
{
	const struct field *f = &w->kind->res->fields[field];
	struct path at = PATH_NAME(NULL, f->name);

	if (after > (size_t)f->max && after > before)
		target_issue(
		    a, t, &at, arena_printf(a, "At most %d items; with those given it would have %zu", f->max, after));
}

static size_t count_visible(const struct req_caller *caller, const struct value *groups)
{
	size_t n = 0;

	for (size_t i = 0; i < groups->n_ids; i++)
		n += visible_group(caller->ws, &groups->ids[i], &caller->viewer) != NULL;
	return n;
}

void upsert_check_groups(struct req *r, const struct write *w, struct write_target *t)
{
	int field = w->kind->groups;

	upsert_check_count(&r->arena, w, t, field, count_visible(&r->caller, &t->old->values[field]),
	    count_visible(&r->caller, &t->new->values[field]));
}

static bool has_company(const struct value *list, const struct contact_ref *ref)
{
	for (size_t i = 0; i < list->n_ids; i++)
		if (ref->name ? list->names[i] && strlen(list->names[i]) == ref->len &&
		                    memcmp(list->names[i], ref->name, ref->len) == 0
		              : uuid_equal(&list->ids[i], &ref->id))
			return true;
	return false;
}

/* References by name have no id yet. One that is also given by id counts twice. */
void upsert_check_companies(struct arena *a, const struct write *w, struct write_target *t)
{
	int field = w->kind->companies;
	const struct contact_refs *refs = &t->input->companies;
	const struct value *old = &t->old->values[field];
	size_t after = old->n_ids;

	for (size_t i = 0; i < refs->count; i++)
		after += !has_company(old, &refs->items[i]);
	upsert_check_count(a, w, t, field, old->n_ids, after);
}
