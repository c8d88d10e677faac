/* Companies: the name of a company is unique in its workspace. A create of a company that exists joins the given
 * groups; an update may not take the name of another company. */
#include <string.h>

#include "server/request/locks.h"
#include "server/request/page.h"
#include "server/resource/write.h"

void company_named_sql(struct sql *s, const char *const *names, const size_t *lens, size_t n)
{
	sql_add(s, " and t.name <> '' and t.name_digest = any (array(select text_digest(n) from unnest(");
	sql_text_array(s, names, lens, n);
	sql_add(s, ") n))");
}

/* The companies that a create adds to groups are locked as those that an update names (transaction_open.c). */
static void company_lock_named(struct req *r, const char *const *names, const size_t *lens, size_t n)
{
	struct sql *s = req_sql(r, "companies_by_name_wait", NULL);

	sql_add(s, "select pg_advisory_xact_lock(l.number) from (select ");
	lock_number_sql(s, "$1", "t.id");
	sql_add(s, " as number from companies t where t.workspace_id = $1");
	company_named_sql(s, names, lens, n);
	sql_add(s, " order by number) l");
}

static bool company_joins_groups(const struct write *w)
{
	for (size_t i = 0; i < w->n_targets; i++)
		if (w->op == WRITE_CREATE && target_gives(&w->targets[i], COMPANY_GROUPS))
			return true;
	return false;
}

/* Companies that do not change are only read. */
void company_ask_named(struct req *r, struct write *w)
{
	bool create = w->op == WRITE_CREATE, joins = company_joins_groups(w);
	const char **names = arena_alloc(&r->arena, w->n_targets * sizeof *names);
	size_t *lens = arena_alloc(&r->arena, w->n_targets * sizeof *lens), n = 0;
	struct sql *s;

	for (size_t i = 0; i < w->n_targets; i++) {
		const struct value *name = &w->targets[i].input->values[COMPANY_NAME];
		names[n] = name->text;
		lens[n] = name->len;
		n += name->len > 0;
	}
	if (n == 0)
		return;
	if (joins)
		company_lock_named(r, names, lens, n);
	s = req_sql(r, joins ? "companies_by_name_locked" : "companies_by_name", &w->at_named);
	sql_add(s, "select t.id, t.name from companies t where t.workspace_id = $1");
	company_named_sql(s, names, lens, n);
	if (joins)
		sql_add(s, " order by t.id for no key update of t"); /* allows new references meanwhile */
	if (!create)
		return;
	s = req_sql(r, "companies_by_name_rows", &w->at_old);
	page_begin_rows(s, &company_resource, false);
	company_named_sql(s, names, lens, n);
	page_end_rows(s, " order by t.id", 0, false);
}

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

	for (int row = 0; row < db_rows(w->loads, w->at_named); row++) {
		const char *text = db_text(w->loads, w->at_named, row, 1, &len);
		if (len == name->len && memcmp(text, name->text, len) == 0)
			return row;
	}
	return -1;
}

/* Warns about the fields that were given but not changed. */
static void company_warn_kept(struct arena *a, struct write_target *t)
{
	field_set kept = t->input->given & ~(FIELD_BIT(COMPANY_NAME) | FIELD_BIT(COMPANY_GROUPS));
	struct path at = PATH_NAME(NULL, "name");
	const char *names = NULL;

	for (int i = 0; i < company_resource.n_fields; i++)
		if (kept & FIELD_BIT(i))
			names = arena_printf(
			    a, "%s%s%s", names ? names : "", names ? ", " : "", company_resource.fields[i].name);
	if (names)
		target_warn(a, t, WARNING_RECORD_EXISTED, &at,
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
		t->old = target_old(&r->arena, w, &t->id);
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
	if (!contact_join(&r->caller, &r->arena, groups, given, groups))
		target_fail(t, ERROR_FORBIDDEN, target_only_reading);
	company_warn_kept(&r->arena, t);
}

static void company_check_update(struct arena *a, struct write *w, struct write_target *t)
{
	struct path at = {.name = "name", .len = 4};
	int row = target_gives(t, COMPANY_NAME) ? company_named_row(w, &t->new->values[COMPANY_NAME]) : -1;
	bool taken = company_earlier(w, t) != NULL;

	if (row >= 0) {
		struct uuid other = db_uuid(w->loads, w->at_named, row, 0);
		taken |= !uuid_equal(&other, &t->id);
	}
	if (taken)
		target_issue(a, t, &at, "Another company has this name");
}

void company_check_name(struct req *r, struct write *w, struct write_target *t)
{
	if (w->op == WRITE_CREATE)
		company_check_create(r, w, t);
	else
		company_check_update(&r->arena, w, t);
}
