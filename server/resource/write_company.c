/* Companies by name: those named in a person's body are created if they do not exist; a company's name is unique in
 * its workspace. */
#include <string.h>

#include "server/base/crypto.h"
#include "server/resource/write.h"

void name_digests_begin(struct name_digests *d, struct arena *a, size_t most)
{
	*d = (struct name_digests){.arena = a};
	d->items = arena_alloc(a, most * sizeof *d->items);
	d->lens = arena_alloc(a, most * sizeof *d->lens);
}

void name_digests_add(struct name_digests *d, const char *name, size_t len)
{
	unsigned char *digest = arena_alloc(d->arena, SHA256_SIZE);

	sha256_digest(name, len, digest);
	d->items[d->count] = digest;
	d->lens[d->count++] = SHA256_SIZE;
}

void name_digests_bind(struct sql *s, const struct name_digests *d)
{
	sql_bytea_array(s, d->items, d->lens, d->count);
}

/* --- created by a person's body ------------------------------------------------------- */

struct made {
	struct uuid *ids;
	const char **names;
	size_t *lens, count;
	struct table seen;
};

static void company_add_name(struct made *m, const struct contact_ref *ref)
{
	if (!table_add(&m->seen, ref->name, ref->len))
		return;
	m->ids[m->count] = id_new();
	m->names[m->count] = ref->name;
	m->lens[m->count++] = ref->len;
}

static void gather_names(struct req *r, const struct write *w, struct made *m)
{
	size_t total = 0;

	memset(m, 0, sizeof *m);
	for (size_t i = 0; i < w->n_targets; i++)
		total += w->targets[i].input->companies.count;
	table_init(&m->seen, &r->arena, total);
	m->ids = arena_alloc(&r->arena, total * sizeof *m->ids);
	m->names = arena_alloc(&r->arena, total * sizeof *m->names);
	m->lens = arena_alloc(&r->arena, total * sizeof *m->lens);
	for (size_t i = 0; i < w->n_targets; i++) {
		const struct contact_refs *refs = &w->targets[i].input->companies;
		for (size_t j = 0; !w->targets[i].failed && j < refs->count; j++)
			if (refs->items[j].name)
				company_add_name(m, &refs->items[j]);
	}
}

bool write_make_companies(struct req *r, struct write *w)
{
	struct name_digests digests;
	struct made m;
	struct sql *s;

	gather_names(r, w, &m);
	if (m.count == 0)
		return false;
	w->made = m.ids;
	w->n_made = m.count;
	s = req_sql(r, NULL, NULL);
	sql_add(s, "insert into companies (workspace_id, id, name, created_at, created_by, updated_at) "
	           "select $1, n.id, n.name, ");
	sql_time(s, req_now_ms(r));
	sql_add(s, ", ");
	sql_uuid(s, &r->viewer.user);
	sql_add(s, ", ");
	sql_time(s, req_now_ms(r));
	sql_add(s, " from unnest(");
	sql_uuid_array(s, m.ids, m.count);
	sql_add(s, ", ");
	sql_text_array(s, m.names, m.lens, m.count);
	/* In a fixed order, so that concurrent creations of the same names cannot deadlock. */
	sql_add(s, ") n (id, name) order by text_digest(n.name) "
	           "on conflict (workspace_id, name_digest) where name <> '' do nothing");
	/* A separate statement, so that it sees what a concurrent transaction created while we waited. */
	s = req_sql(r, NULL, &w->at_made);
	name_digests_begin(&digests, &r->arena, m.count);
	for (size_t i = 0; i < m.count; i++)
		name_digests_add(&digests, m.names[i], m.lens[i]);
	sql_add(s, "select id, name from companies where workspace_id = $1 and name <> '' and name_digest = any (");
	name_digests_bind(s, &digests);
	sql_add(s, ")");
	return true;
}

static void add_company(struct value *list, const struct uuid *id, const char *name)
{
	if (uuid_in(list->ids, list->n_ids, id))
		return;
	list->names[list->n_ids] = name;
	list->ids[list->n_ids++] = *id;
}

/* The list in the order given; a company given by id and by name appears once. */
void write_take_companies(struct req *r, struct write *w, struct write_target *t, struct value *out)
{
	const struct contact_refs *refs = &t->input->companies;

	*out = (struct value){.ids = arena_alloc(&r->arena, refs->count * sizeof *out->ids)};
	out->names = arena_alloc(&r->arena, refs->count * sizeof *out->names);
	for (size_t i = 0; i < refs->count; i++) {
		const struct contact_ref *ref = &refs->items[i];
		const struct loaded *l = ref->name ? table_find(&w->made_names, ref->name, ref->len)
		                                   : table_find(&w->companies, &ref->id, sizeof ref->id);
		if (l)
			add_company(out, &l->id, l->name);
	}
}

/* --- a company's own name ---------------------------------------------------------------- */

static bool targets_same_name(const struct write_target *a, const struct write_target *b)
{
	const struct value *x = &a->new->values[COMPANY_NAME], *y = &b->new->values[COMPANY_NAME];
	return x->len && x->len == y->len && memcmp(x->text, y->text, x->len) == 0;
}

/* The row of an existing company with this name, -1 when there is none. */
static int company_named_row(const struct write *w, const struct value *name)
{
	size_t len;

	for (int row = 0; w->at_named >= 0 && row < db_rows(w->loads, w->at_named); row++) {
		const char *text = db_text(w->loads, w->at_named, row, 1, &len);
		if (len == name->len && memcmp(text, name->text, len) == 0)
			return row;
	}
	return -1;
}

/* The name exists: the company joins the given groups and is otherwise unchanged. */
static void take_existing(struct req *r, struct write *w, struct write_target *t, int row)
{
	struct value *given = &t->input->values[COMPANY_GROUPS];

	struct uuid id = db_uuid(w->loads, w->at_named, row, 0);

	t->existing = true;
	t->old = target_old(r, w, &id);
	if (!t->old) {
		target_fail(t, ERROR_UNPROCESSABLE, target_too_much);
		return;
	}
	t->new = record_copy(t->old, &r->arena);
	t->id = t->old->values[COMPANY_ID].id;
	if (!contact_join(r, &t->old->values[COMPANY_GROUPS], given, &t->new->values[COMPANY_GROUPS]))
		target_fail(t, ERROR_FORBIDDEN, "Your role in one of the groups only allows reading");
}

static void forget_names(struct req *r, const struct write_target *t, struct table *forgotten)
{
	struct uuid *id = arena_alloc(&r->arena, sizeof *id);

	*id = t->id; /* t->id may become another's */
	table_add(forgotten, id, sizeof *id);
}

static void check_create(struct req *r, struct write *w, size_t index, struct table *forgotten)
{
	struct write_target *t = &w->targets[index];
	struct value *given = &t->input->values[COMPANY_GROUPS];
	int row = company_named_row(w, &t->new->values[COMPANY_NAME]);

	for (size_t i = 0; i < index; i++) {
		struct write_target *first = w->targets[i].same ? w->targets[i].same : &w->targets[i];
		if (w->targets[i].failed || !targets_same_name(&w->targets[i], t))
			continue;
		forget_names(r, t, forgotten);
		t->existing = true;
		t->same = first;
		if (!contact_join(r, &first->new->values[COMPANY_GROUPS], given, &first->new->values[COMPANY_GROUPS]))
			target_fail(t, ERROR_FORBIDDEN, "Your role in one of the groups only allows reading");
		return;
	}
	if (row >= 0) {
		forget_names(r, t, forgotten);
		take_existing(r, w, t, row);
	}
}

static void check_update(struct req *r, struct write *w, size_t index, struct table *forgotten)
{
	struct write_target *t = &w->targets[index];
	struct path at = {.name = "name", .len = 4};
	int row = target_gives(t, COMPANY_NAME) ? company_named_row(w, &t->new->values[COMPANY_NAME]) : -1;
	bool taken = false;

	if (row >= 0) {
		struct uuid other = db_uuid(w->loads, w->at_named, row, 0);
		taken = !uuid_equal(&other, &t->id);
	}
	for (size_t i = 0; i < index && !taken; i++)
		taken = !w->targets[i].failed && targets_same_name(&w->targets[i], t);
	if (taken) {
		forget_names(r, t, forgotten);
		target_issue(r, t, &at, "Another company has this name");
	}
}

void write_check_names(struct req *r, struct write *w)
{
	struct table forgotten;

	table_init(&forgotten, &r->arena, 0);
	for (size_t i = 0; i < w->n_targets; i++) {
		if (w->targets[i].failed)
			continue;
		if (w->op == WRITE_CREATE)
			check_create(r, w, i, &forgotten);
		else
			check_update(r, w, i, &forgotten);
	}
	if (forgotten.count)
		custom_forget_owners(&w->rows, &forgotten);
}
