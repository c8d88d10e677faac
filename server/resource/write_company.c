/* Companies by name. Those named in a person's body are created if they do not exist. The name of a company is unique
 * in its workspace. */
#include <string.h>

#include "server/resource/write.h"

void write_named_sql(struct sql *s, const char *const *names, const size_t *lens, size_t n)
{
	sql_add(s, " and t.name <> '' and t.name_digest = any (array(select text_digest(n) from unnest(");
	sql_text_array(s, names, lens, n);
	sql_add(s, ") n))");
}

/* --- created by a person's body ------------------------------------------------------- */

static void company_propose(struct req *r, struct write *w, const struct contact_ref *ref)
{
	struct table_row *row = table_row(&w->proposed, ref->name, ref->len);
	struct loaded *l;

	if (row->value)
		return;
	row->value = l = arena_alloc(&r->arena, sizeof *l);
	*l = (struct loaded){.id = id_new(), .name = ref->name, .len = ref->len};
}

static void company_propose_all(struct req *r, struct write *w)
{
	table_init(&w->proposed, &r->arena, 0);
	for (size_t i = 0; i < w->n_targets; i++) {
		const struct contact_refs *refs = &w->targets[i].input->companies;
		for (size_t j = 0; !w->targets[i].failed && j < refs->count; j++)
			if (refs->items[j].name)
				company_propose(r, w, &refs->items[j]);
	}
}

bool write_create_companies(struct req *r, struct write *w)
{
	struct uuid *ids;
	const char **names;
	size_t *lens, n;
	struct sql *s;

	company_propose_all(r, w);
	n = w->proposed.count;
	if (n == 0)
		return false;
	ids = arena_alloc(&r->arena, n * sizeof *ids);
	names = arena_alloc(&r->arena, n * sizeof *names);
	lens = arena_alloc(&r->arena, n * sizeof *lens);
	for (size_t i = 0; i < n; i++) {
		const struct loaded *l = w->proposed.rows[i].value;
		ids[i] = l->id;
		names[i] = l->name;
		lens[i] = l->len;
	}
	s = req_sql(r, NULL, NULL);
	sql_add(s, "insert into companies (workspace_id, id, name, created_at, created_by, updated_at) "
	           "select $1, n.id, n.name, ");
	sql_time(s, req_now_ms(r));
	sql_add(s, ", ");
	sql_uuid(s, &r->caller.viewer.user);
	sql_add(s, ", ");
	sql_time(s, req_now_ms(r));
	sql_add(s, " from unnest(");
	sql_uuid_array(s, ids, n);
	sql_add(s, ", ");
	sql_text_array(s, names, lens, n);
	/* Creates in a fixed order, so that concurrent creations of the same names cannot deadlock. */
	sql_add(s, ") n (id, name) order by text_digest(n.name) "
	           "on conflict (workspace_id, name_digest) where name <> '' do nothing");
	/* This is a separate statement, so that it sees what a concurrent transaction created during the wait. */
	s = req_sql(r, NULL, &w->at_proposed);
	sql_add(s, "select t.id, t.name from companies t where t.workspace_id = $1");
	write_named_sql(s, names, lens, n);
	return true;
}

/* The list in the order given; in an upsert, after the companies that the person already has. A company given by id and
 * by name appears once. */
void write_set_companies(struct req *r, struct write *w, struct write_target *t, struct value *out)
{
	const struct contact_refs *refs = &t->input->companies;

	*out = contact_list(&r->arena, w->upsert ? out : NULL, refs->count);
	for (size_t i = 0; i < refs->count; i++) {
		const struct contact_ref *ref = &refs->items[i];
		const struct loaded *l = ref->name ? table_find(&w->named, ref->name, ref->len)
		                                   : table_find(&w->companies, &ref->id, sizeof ref->id);
		if (l)
			contact_list_add(out, &l->id, l->name);
	}
}

/* --- a company's own name ---------------------------------------------------------------- */

/* An earlier record of the batch with the same name; NULL: none. */
static struct write_target *company_earlier(struct write *w, const struct write_target *t)
{
	const struct value *name = &t->new->values[COMPANY_NAME];

	for (struct write_target *e = w->targets; name->len && e < t; e++)
		if (!e->failed && value_equal(FIELD_TEXT, &e->new->values[COMPANY_NAME], name))
			return e;
	return NULL;
}

/* The row of an existing company with this name; -1 when there is none. */
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

/* Warns about the fields that were given but not changed. */
static void company_warn_kept(struct req *r, struct write_target *t)
{
	field_set kept = t->input->given & ~(FIELD_BIT(COMPANY_NAME) | FIELD_BIT(COMPANY_GROUPS));
	struct path at = PATH_NAME(NULL, "name");
	const char *names = NULL;

	for (int i = 0; i < company_resource.n_fields; i++)
		if (kept & FIELD_BIT(i))
			names = arena_printf(&r->arena, "%s%s%s", names ? names : "", names ? ", " : "",
			    company_resource.fields[i].name);
	if (names)
		target_warn(r, t, WARNING_RECORD_EXISTED, &at,
		    "A company of this name already existed; these fields were not changed", names);
}

/* If the name exists, the company joins the given groups and is otherwise unchanged. */
static void company_check_create(struct req *r, struct write *w, struct write_target *t)
{
	const struct value *given = &t->input->values[COMPANY_GROUPS];
	struct write_target *first = company_earlier(w, t);
	int row = company_named_row(w, &t->new->values[COMPANY_NAME]);
	struct value *groups;

	if (first) {
		t->duplicate_of = first->duplicate_of ? first->duplicate_of : first;
		groups = &t->duplicate_of->new->values[COMPANY_GROUPS];
	} else if (row >= 0) {
		t->id = db_uuid(w->loads, w->at_named, row, 0);
		t->old = target_old(r, w, &t->id);
		if (!t->old) {
			target_fail(t, ERROR_UNPROCESSABLE, target_too_much);
			return;
		}
		t->new = record_copy(t->old, &r->arena);
		groups = &t->new->values[COMPANY_GROUPS];
	} else {
		return;
	}
	t->existing = true;
	if (!contact_join(r, groups, given, groups))
		target_fail(t, ERROR_FORBIDDEN, target_only_reading);
	company_warn_kept(r, t);
}

static void company_check_update(struct req *r, struct write *w, struct write_target *t)
{
	struct path at = {.name = "name", .len = 4};
	int row = target_gives(t, COMPANY_NAME) ? company_named_row(w, &t->new->values[COMPANY_NAME]) : -1;
	bool taken = company_earlier(w, t) != NULL;

	if (row >= 0) {
		struct uuid other = db_uuid(w->loads, w->at_named, row, 0);
		taken |= !uuid_equal(&other, &t->id);
	}
	if (taken)
		target_issue(r, t, &at, "Another company has this name");
}

void write_check_name(struct req *r, struct write *w, struct write_target *t)
{
	if (w->op == WRITE_CREATE)
		company_check_create(r, w, t);
	else
		company_check_update(r, w, t);
}

/* --- the kind ------------------------------------------------------------------------- */

const struct write_kind company_kind = {
    .res = &company_resource,
    .filters = &company_filters,
    .entity = ENTITY_COMPANY,
    .name = COMPANY_NAME,
    .created_at = COMPANY_CREATED_AT,
    .created_by = COMPANY_CREATED_BY,
    .custom = COMPANY_CUSTOM,
    .groups = COMPANY_GROUPS,
    .companies = -1,
    .people = -1,
    .emails = COMPANY_EMAILS,
    .remove = contact_remove,
};
