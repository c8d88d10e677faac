/* Loads what a write needs to decide: the records, locked in the order of their ids, and everything that the bodies
 * refer to. */
#include <string.h>

#include "server/base/etag.h"
#include "server/request/batch.h"
#include "server/request/page.h"
#include "server/request/slice.h"
#include "server/request/names_load.h"
#include "server/resource/write.h"

/* All fields except those that a deletion needs, mostly for its event. */
static field_set undeleted_fields(const struct write_kind *k)
{
	field_set with = FIELD_BIT(0) | FIELD_BIT(k->name) | FIELD_BIT(k->res->stamp);

	if (k->entity != ENTITY_OBJECT)
		with |= FIELD_BIT(k->groups) | FIELD_BIT(k->emails);
	return ~with;
}

static void write_select_ids(struct sql *s, const struct write *w, const struct uuid *ids, size_t n)
{
	sql_add(s, " and t.id = any (");
	sql_uuid_array(s, ids, n);
	sql_add(s, ")");
	if (w->scope.type) {
		sql_add(s, " and t.type_id = ");
		sql_uuid(s, &w->scope.type->id);
	}
}

static const char by_id[] = " order by t.id";
static const char for_update[] = " for no key update of t"; /* allows new references meanwhile */

/* --- conditions of a batch's records ---------------------------------------------------- */

/* The records are already locked (transaction_open.c), so their stamps stay the same. */
bool write_ask_stamps(struct req *r, struct write *w)
{
	size_t n = r->given.batch ? r->given.batch->count : 0, conditions = 0;
	struct uuid *ids = arena_alloc(&r->arena, n * sizeof *ids);
	struct sql *s;

	for (size_t i = 0; i < n; i++) {
		ids[i] = r->given.batch->inputs[i]->id;
		conditions += r->given.batch->inputs[i]->if_match != NULL;
	}
	if (conditions == 0)
		return false;
	s = req_sql(r, arena_printf(&r->arena, "%s_stamps", w->kind->res->table), &w->at_stamps);
	sql_addf(s, "select t.id, t.updated_at from %s t where t.workspace_id = $1", w->kind->res->table);
	write_select_ids(s, w, ids, n);
	return true;
}

/* An unknown record, or one that may not be written, fails for that reason. */
bool write_unmatched(const struct req *r, const struct write *w, const struct input *in)
{
	int row = in->if_match && !write_forbidden(r, w) ? db_row_of(w->stamps, w->at_stamps, &in->id) : -1;

	return row >= 0 &&
	       !etag_list_matches(in->if_match, in->if_match_len, db_time_us(w->stamps, w->at_stamps, row, 1));
}

/* --- records --------------------------------------------------------------------------- */

/* A batch may have a hundred large records. Records beyond a page's bytes are not loaded. */
static void load_many(struct req *r, struct write *w, const struct uuid *ids, size_t n)
{
	const char *table = w->kind->res->table;
	struct sql *s = req_sql(r, arena_printf(&r->arena, "%s_lock_ids", table), &w->at_locked);

	sql_addf(s, "select t.id from %s t where t.workspace_id = $1", table);
	write_select_ids(s, w, ids, n);
	sql_addf(s, "%s%s", by_id, for_update);
	s = req_sql(r, arena_printf(&r->arena, "%s_lock_rows", table), &w->at_old);
	page_begin_rows(s, w->kind->res, false);
	write_select_ids(s, w, ids, n);
	page_end_rows(s, by_id, 0, false);
}

static void load_old(struct req *r, struct write *w)
{
	struct uuid *ids = arena_alloc(&r->arena, w->n_targets * sizeof *ids);
	bool deletes = w->op == WRITE_DELETE;
	size_t n = 0;
	struct sql *s;

	for (size_t i = 0; i < w->n_targets; i++)
		if (w->targets[i].op != WRITE_CREATE && !w->targets[i].failed)
			ids[n++] = w->targets[i].id;
	if (n == 0)
		return;
	if (w->batch && !deletes) {
		load_many(r, w, ids, n);
		return;
	}
	s = req_sql(r,
	    req_lock_name(r, arena_printf(&r->arena, "%s_lock%s", w->kind->res->table, deletes ? "_delete" : "")),
	    &w->at_old);
	record_select_without(s, w->kind->res, deletes ? undeleted_fields(w->kind) : 0);
	write_select_ids(s, w, ids, n);
	sql_addf(s, "%s%s", by_id, req_lock(r, for_update));
	if (deletes && w->kind->entity != ENTITY_OBJECT)
		contact_ask_held(r, w, ids);
}

/* The companies with one of the given names. A create locks them, because it may add them to groups. An update only
 * looks and locks nothing after its records. */
static void load_named(struct req *r, struct write *w)
{
	bool create = w->op == WRITE_CREATE;
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
	s = req_sql(r, create ? "companies_by_name_locked" : "companies_by_name", &w->at_named);
	sql_add(s, "select t.id, t.name from companies t where t.workspace_id = $1");
	write_named_sql(s, names, lens, n);
	if (!create)
		return;
	sql_addf(s, "%s%s", by_id, for_update);
	s = req_sql(r, "companies_by_name_rows", &w->at_old);
	page_begin_rows(s, &company_resource, false);
	write_named_sql(s, names, lens, n);
	page_end_rows(s, by_id, 0, false);
}

/* The contacts given by id. For an object they must be in its group. */
static void load_contacts(struct req *r, struct write *w, bool people, int *at)
{
	const char *table = people ? "people" : "companies";
	struct uuid *ids;
	struct sql *s;
	size_t total = 0, n = 0;

	for (size_t i = 0; i < w->n_targets; i++)
		total += people ? w->targets[i].input->people.count : w->targets[i].input->companies.count;
	ids = arena_alloc(&r->arena, total * sizeof *ids);
	for (size_t i = 0; i < w->n_targets; i++) {
		const struct contact_refs *refs =
		    people ? &w->targets[i].input->people : &w->targets[i].input->companies;
		for (size_t j = 0; j < refs->count; j++)
			if (!refs->items[j].name)
				ids[n++] = refs->items[j].id;
	}
	if (n == 0)
		return;
	s = req_sql(r, arena_printf(&r->arena, "%s_given%s", table, w->scope.group ? "_in_group" : ""), at);
	sql_addf(s, "select id, %s", people ? "full_name" : "name");
	if (w->scope.group) {
		sql_add(s, ", ");
		sql_uuid(s, &w->scope.group->id);
		sql_add(s, " = any (group_ids)");
	}
	sql_addf(s, " from %s where workspace_id = $1 and id = any (", table);
	sql_uuid_array(s, ids, n);
	sql_add(s, ")");
}

void write_loaded(struct arena *a, const struct db_exchange *x, int at, bool by_name, struct table *out)
{
	int rows = at < 0 ? 0 : db_rows(x, at);
	bool groups = rows && db_columns(x, at) == 3;
	struct loaded *all = arena_alloc(a, (size_t)rows * sizeof *all);
	const void *key;

	table_init(out, a, (size_t)rows);
	for (int i = 0; i < rows; i++) {
		struct loaded *l = &all[i];
		l->id = db_uuid(x, at, i, 0);
		l->name = db_text(x, at, i, 1, &l->len);
		l->outside = groups && !db_bool(x, at, i, 2);
		key = by_name ? (const void *)l->name : &l->id;
		table_row(out, key, by_name ? l->len : sizeof l->id)->value = l;
	}
}

/* Reads a record's custom values by type. */
static void write_read_custom(struct req *r, struct write *w, struct write_target *t)
{
	struct path at = PATH_NAME(NULL, "customFieldValues");
	struct issues found;

	if (t->failed)
		return;
	issues_init(&found);
	t->changes.append = w->upsert;
	/* In a batch, a result has only a message, which is that of the first issue. */
	found.hints = 1;
	found.work = HINTS_WORK / BATCH_MAX;
	custom_read(&r->arena, &w->scope, t->input->custom, &at, t->issues ? t->issues : &found, &t->changes);
	if (found.count || r->given.issues.count)
		target_fail(t, ERROR_UNPROCESSABLE, issues_in_line(&r->arena, &found));
	issues_free(&found);
	for (size_t c = 0; c < t->changes.count; c++)
		for (size_t k = 0; k < t->changes.items[c].n_refs; k++) {
			const struct custom_ref *ref = &t->changes.items[c].refs[k];
			if (!ref->unknown &&
			    (ref->kind == ID_PERSON || ref->kind == ID_COMPANY || ref->kind == ID_OBJECT))
				names_want(&r->arena, &w->refs, ref->kind, &ref->id);
		}
}

bool write_load_custom(struct req *r, struct write *w)
{
	while (w->op != WRITE_DELETE && w->read < w->n_targets) {
		write_read_custom(r, w, &w->targets[w->read++]);
		if (w->read < w->n_targets && slice_over(r))
			return false;
	}
	if (w->refs.count)
		names_ask(r, &w->refs, &w->at_refs);
	if (w->op != WRITE_DELETE)
		write_ask_merged(r, w);
	return true;
}

void write_load(struct req *r, struct write *w)
{
	if (w->n_targets == 0)
		return;
	if (w->op != WRITE_CREATE)
		load_old(r, w);
	if (w->op == WRITE_DELETE)
		return;
	if (w->kind->entity == ENTITY_COMPANY)
		load_named(r, w);
	load_contacts(r, w, false, &w->at_companies);
	load_contacts(r, w, true, &w->at_people);
}
