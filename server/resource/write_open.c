/* The first step of a write, write_open(): it finds the targets of the request, locks and loads their records in the
 * order of their ids, and loads everything that the bodies refer to. An upsert has first steps of its own (upsert.c),
 * which use these functions.
 *
 * In a batch whose records have conditions, an exchange before that reads the stamps of the records. */
#include <string.h>

#include "server/base/etag.h"
#include "server/request/admit.h"
#include "server/request/batch.h"
#include "server/request/large.h"
#include "server/request/names_load.h"
#include "server/request/object_scope.h"
#include "server/request/page.h"
#include "server/request/route.h"
#include "server/request/slice.h"
#include "server/resource/merged.h"
#include "server/resource/steps.h"
#include "server/resource/write.h"

static const struct write_kind kinds[] = {
    [ID_PERSON] = {.res = &person_resource,
        .filters = &people_filters,
        .entity = ENTITY_PERSON,
        .name = PERSON_FULL_NAME,
        .created_at = PERSON_CREATED_AT,
        .created_by = PERSON_CREATED_BY,
        .custom = PERSON_CUSTOM,
        .groups = PERSON_GROUPS,
        .companies = PERSON_COMPANIES,
        .people = -1,
        .emails = PERSON_EMAILS,
        .settle = person_settle,
        .name_given = person_name_given,
        .remove = contact_remove},
    [ID_COMPANY] = {.res = &company_resource,
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
        .remove = contact_remove},
    [ID_OBJECT] = {.res = &object_resource,
        .filters = &object_filters,
        .entity = ENTITY_OBJECT,
        .name = OBJECT_NAME,
        .created_at = OBJECT_CREATED_AT,
        .created_by = OBJECT_CREATED_BY,
        .custom = OBJECT_CUSTOM,
        .groups = -1,
        .companies = OBJECT_COMPANIES,
        .people = OBJECT_PEOPLE,
        .emails = -1,
        .remove = object_remove},
};

const struct write_kind *write_kind_of(const struct route *route)
{
	return &kinds[route->resource->id_kind];
}

/* --- the write ----------------------------------------------------------------------- */

static const enum write_op ops[] = {
    [INPUT_NONE] = WRITE_DELETE,
    [INPUT_CREATE] = WRITE_CREATE,
    [INPUT_UPDATE] = WRITE_UPDATE,
    [INPUT_BATCH_CREATE] = WRITE_CREATE,
    [INPUT_BATCH_UPDATE] = WRITE_UPDATE,
    [INPUT_BATCH_DELETE] = WRITE_DELETE,
    [INPUT_BATCH_UPSERT] = WRITE_UPSERT,
};

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

enum step write_ask_on(struct req *r)
{
	r->next--;
	return transaction_ask(r);
}

/* --- conditions of the records of a batch -------------------------------------------- */

static void write_select_ids(struct sql *s, const struct write *w, const struct uuid *ids, size_t n)
{
	sql_add_uuid_array(s, " and t.id = any (", ids, n);
	sql_add(s, ")");
	if (w->scope.type)
		sql_add_uuid(s, " and t.type_id = ", &w->scope.type->id);
}

/* The records are already locked (transaction_open.c), so their stamps stay the same. */
static bool write_ask_stamps(struct req *r, struct write *w)
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

bool write_forbidden(const struct req *r, const struct write *w)
{
	return w->kind->entity == ENTITY_OBJECT && (w->role < ROLE_CONTRIBUTOR || admit_lacks(r));
}

/* An unknown record, or one that may not be written, fails for that reason. */
static bool write_unmatched(const struct req *r, const struct write *w, const struct input *in)
{
	int row = in->if_match && !write_forbidden(r, w) ? db_row_of(w->stamps, w->at_stamps, &in->id) : -1;

	return row >= 0 &&
	       !etag_list_matches(in->if_match, in->if_match_len, db_time_us(w->stamps, w->at_stamps, row, 1));
}

/* --- failures, issues and warnings of a target --------------------------------------- */

const char target_only_reading[] = "Your role in one of the groups only allows reading";
const char target_too_much[] = "The records of this batch are too large together: send this record in another batch";

void target_fail(struct write_target *t, enum error_code error, const char *message)
{
	if (t->failed)
		return;
	t->failed = true;
	t->error = error;
	t->message = message;
}

void target_issue(struct arena *a, struct write_target *t, const struct path *at, const char *text)
{
	const char *name = at->name;

	for (const struct path *p = at; p; p = p->up)
		name = p->name ? p->name : name; /* ends with the member of the record */
	if (t->issues)
		issue_custom(t->issues, at, "%s", text);
	target_fail(t, ERROR_UNPROCESSABLE, arena_printf(a, "%s: %s", name, text));
}

void target_warn(struct arena *a, struct write_target *t, enum warning_code code, const struct path *at,
    const char *what, const char *id)
{
	struct warning *w = arena_alloc(a, sizeof *w);
	struct buf json;

	buf_init(&json, 1 << 16);
	warning_write(&json, code, at, "%s%s%s", what, id ? ": " : "", id ? id : "");
	w->json = arena_dup(a, json.data, json.len);
	w->len = json.len;
	buf_free(&json);
	*t->last_warning = w;
	t->last_warning = &w->next;
}

int64_t write_told(struct req *r, int64_t size)
{
	struct uuid *hidden;

	return workspace_hidden(r->caller.ws, &r->caller.viewer, &r->arena, &hidden) ? -1 : size;
}

/* --- targets ------------------------------------------------------------------------- */

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

void write_find_targets(struct req *r, struct write *w)
{
	w->stamps = r->db.last;
	if (w->batch)
		batch_targets(r, w);
	else
		write_add_target(r, w, &r->given.path[w->kind->entity == ENTITY_OBJECT ? 2 : 0].id, r->given.input);
}

/* --- records, and contacts given by id ----------------------------------------------- */

static const char by_id[] = " order by t.id";
static const char for_update[] = " for no key update of t"; /* allows new references meanwhile */

/* All fields except those that a deletion needs, mostly for its event. */
static field_set undeleted_fields(const struct write_kind *k)
{
	field_set with = FIELD_BIT(0) | FIELD_BIT(k->name) | FIELD_BIT(k->res->stamp);

	if (k->entity != ENTITY_OBJECT)
		with |= FIELD_BIT(k->groups) | FIELD_BIT(k->emails);
	return ~with;
}

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

struct record *target_old(struct arena *a, const struct write *w, const struct uuid *id)
{
	int row = db_row_of(w->loads, w->at_old, id);

	return row < 0 ? NULL : record_load(w->loads, w->at_old, row, w->kind->res, a);
}

/* Appends the ids of the contacts that are given by id; returns their new number. */
static size_t refs_ids(const struct contact_refs *refs, struct uuid *ids, size_t n)
{
	for (size_t i = 0; i < refs->count; i++)
		if (!refs->items[i].name)
			ids[n++] = refs->items[i].id;
	return n;
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
		const struct input *in = w->targets[i].input;
		n = refs_ids(people ? &in->people : &in->companies, ids, n);
	}
	if (n == 0)
		return;
	s = req_sql(r, arena_printf(&r->arena, "%s_given%s", table, w->scope.group ? "_in_group" : ""), at);
	sql_addf(s, "select id, %s", people ? "full_name" : "name");
	if (w->scope.group) {
		sql_add_uuid(s, ", ", &w->scope.group->id);
		sql_add(s, " = any (group_ids)");
	}
	sql_addf(s, " from %s where workspace_id = $1 and id = any (", table);
	sql_uuid_array(s, ids, n);
	sql_add(s, ")");
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
		company_ask_named(r, w);
	load_contacts(r, w, false, &w->at_companies);
	load_contacts(r, w, true, &w->at_people);
}

/* --- custom values ------------------------------------------------------------------- */

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

/* Asks which of the contacts referred to were merged into others. */
static void write_ask_merged(struct req *r, struct write *w)
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

/* --- the step ------------------------------------------------------------------------ */

enum step write_open(struct req *r)
{
	struct write *w = r->state.write;

	if (!w) {
		enum step turn = large_turn(r);
		if (turn != PASS)
			return turn;
		w = write_prepare(r, write_kind_of(r->route));
		r->tx.exclusive = w->op == WRITE_DELETE;
		transaction_begin(r);
		/* An unknown type is reported within the transaction, because its 404 is stored under the key. */
		if (w->kind->entity == ENTITY_OBJECT &&
		    !object_scope_find(&r->caller, r->given.path, &w->scope, &w->role))
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
