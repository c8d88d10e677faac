/* The first steps of an upsert: which records of the request are the same record, and which existing record each of
 * them is.
 *
 * Concurrent upserts with a common value wait for each other before they look (transaction_begin_with()), so the later
 * upsert finds what the earlier one has made. A second exchange locks the records found, as an update does, because
 * only then their ids are known. The same exchange repeats the query to confirm that they still match. */
#include "server/resource/upsert.h"

#include <string.h>

#include "server/request/batch.h"
#include "server/request/large.h"
#include "server/request/object_scope.h"
#include "server/resource/steps.h"

/* --- the values to match by ------------------------------------------------------------- */

static void upsert_add_value(struct upsert *u, size_t record, const char *text, size_t len)
{
	if (len)
		u->values[u->n_values++] = (struct upsert_value){.record = record, .is = {text, len, text, len}};
}

/* A value that is not of the field's type fails its record later. */
static void custom_value(struct req *r, const struct write *w, size_t record, const struct input *in)
{
	struct path at = PATH_NAME(NULL, "customFieldValues");
	const struct custom_field *f = w->upsert->match.custom;
	const struct json *holder = in->custom, *json;
	struct custom_change change;
	struct issues unused;
	struct reading rd = {.arena = &r->arena, .references = &unused, .ws = r->caller.ws};
	char group[ID_SIZE];

	if (w->kind->entity != ENTITY_OBJECT)
		holder = json_member(holder, id_format(ID_GROUP, &f->group, group));
	json = json_member(holder, f->name);
	if (!json)
		return;
	issues_init(&unused);
	if (custom_read_item(&rd, f, json, &at, &change))
		upsert_add_value(w->upsert, record, change.text, change.len);
	issues_free(&unused);
}

static void record_values(struct req *r, const struct write *w, size_t record, const struct input *in)
{
	const struct match *m = &w->upsert->match;
	int field = m->custom ? -1 : field_find(w->kind->res, m->field->name, strlen(m->field->name));
	const struct value *v = &in->values[field < 0 ? 0 : field];

	if (m->custom) {
		custom_value(r, w, record, in);
	} else if (m->field->item) {
		for (size_t i = 0; i < v->n_items; i++)
			upsert_add_value(w->upsert, record, v->items[i], v->lens[i]);
	} else {
		struct value name = w->kind->name_given ? w->kind->name_given(&r->arena, in) : *v;
		upsert_add_value(w->upsert, record, name.text, name.len);
	}
}

static void upsert_collect(struct req *r, struct write *w)
{
	enum { VALUES_MAX = 20 }; /* texts of a record: no list has more */

	w->upsert->values = arena_alloc(&r->arena, r->given.batch->count * VALUES_MAX * sizeof *w->upsert->values);
	for (size_t i = 0; i < r->given.batch->count; i++)
		record_values(r, w, i, r->given.batch->inputs[i]);
}

/* --- opening ------------------------------------------------------------------------------- */

/* Names the field of the values, for their locks. It uses ids, because custom fields and types may be renamed. */
static const char *field_locked(struct arena *a, const struct write *w)
{
	const struct match *m = &w->upsert->match;
	char id[37];

	if (m->custom)
		return arena_printf(a, "field %s", uuid_format(&m->custom->id, id));
	return arena_printf(a, "%s %s %s", w->kind->res->table, m->field->name,
	    w->scope.type ? uuid_format(&w->scope.type->id, id) : "");
}

static void upsert_begin(struct req *r, struct write *w)
{
	const struct upsert *u = w->upsert;
	const char **values = arena_alloc(&r->arena, u->n_values * sizeof *values);
	size_t *lens = arena_alloc(&r->arena, u->n_values * sizeof *lens);

	for (size_t i = 0; i < u->n_values; i++) {
		values[i] = u->values[i].is.text;
		lens[i] = u->values[i].is.len;
	}
	transaction_begin_with(r, &(struct value_locks){.field = field_locked(&r->arena, w),
	                              .compared = upsert_compared_sql(&u->match),
	                              .values = values,
	                              .lens = lens,
	                              .count = u->n_values});
	r->tx.number_later = true;
}

/* Reads the match again with the current snapshot, because the field may have been deleted since the body was
 * checked. */
static bool upsert_read_match(struct req *r, struct write *w)
{
	struct path at = PATH_NAME(NULL, "match");
	struct reading rd = {.arena = &r->arena,
	    .shape = &r->given.issues,
	    .ws = r->caller.ws,
	    .viewer = &r->caller.viewer,
	    .scope = &w->scope};

	return match_read(&rd, w->kind->res, r->given.batch->match, &at, &w->upsert->match);
}

enum step upsert_open(struct req *r)
{
	enum step turn = large_turn(r);
	struct write *w;
	struct upsert *u;

	if (turn != PASS)
		return turn;
	w = write_prepare(r, write_kind_of(r->route));
	w->upsert = u = arena_alloc(&r->arena, sizeof *u);
	u->at_compared = u->at_found = u->at_confirmed = u->at_old_compared = -1;
	if (w->kind->entity == ENTITY_OBJECT && !object_scope_find(&r->caller, r->given.path, &w->scope, &w->role)) {
		transaction_begin(r); /* its 404 is stored under the key */
		return transaction_ask(r);
	}
	if (!upsert_read_match(r, w))
		return reply_issues(r, "Invalid input");
	upsert_collect(r, w);
	upsert_begin(r, w);
	upsert_ask_found(r, w, &u->at_found);
	upsert_ask_compared(r, w);
	return transaction_ask(r);
}

/* --- which records are one -------------------------------------------------------------------- */

/* Reads the existing records that match, the oldest first. */
struct candidates {
	struct uuid ids[CANDIDATES_MAX];
	size_t n;
};

static void candidates_add(struct candidates *c, const struct uuid *id)
{
	size_t at = 0;

	if (uuid_in(c->ids, c->n, id))
		return;
	while (at < c->n && uuid_compare(&c->ids[at], id) < 0)
		at++;
	if (at == CANDIDATES_MAX)
		return;
	c->n += c->n < CANDIDATES_MAX;
	memmove(&c->ids[at + 1], &c->ids[at], (c->n - 1 - at) * sizeof *c->ids);
	c->ids[at] = *id;
}

/* The first of the records that are the same as this one. */
static size_t first_of(size_t *first, size_t record)
{
	while (first[record] != record)
		record = first[record] = first[first[record]];
	return record;
}

/* Records with a common value are the same record, also when a third record connects them. Returns, for each record, an
 * earlier one that is the same, or the record itself. Read the result with first_of(). */
static size_t *upsert_unite(struct req *r, struct upsert *u)
{
	size_t *first = arena_alloc(&r->arena, r->given.batch->count * sizeof *first);
	struct table seen;

	for (size_t i = 0; i < r->given.batch->count; i++)
		first[i] = i;
	table_init(&seen, &r->arena, u->n_values);
	for (size_t i = 0; i < u->n_values; i++) {
		struct upsert_value *v = &u->values[i], *same;
		struct table_row *row;
		v->is = upsert_text_given(u, u->match.field->type, v->is.text, v->is.len);
		row = table_row(&seen, v->is.compared, v->is.compared_len);
		same = row->value;
		row->value = v;
		if (same) {
			size_t a = first_of(first, same->record), b = first_of(first, v->record);
			first[a < b ? b : a] = a < b ? a : b;
		}
	}
	return first;
}

static struct candidates *upsert_candidates(struct req *r, const struct upsert *u, size_t *first)
{
	struct candidates *all = arena_alloc(&r->arena, r->given.batch->count * sizeof *all);
	int rows = u->at_found < 0 ? 0 : db_rows(r->db.last, u->at_found);

	for (int i = 0; i < rows; i++) {
		const struct upsert_value *v = &u->values[db_int(r->db.last, u->at_found, i, 0) - 1];
		struct uuid id = db_uuid(r->db.last, u->at_found, i, 1);
		candidates_add(&all[first_of(first, v->record)], &id);
	}
	return all;
}

/* --- the targets -------------------------------------------------------------------------------- */

/* A record without a value to match by. */
static void warn_unmatched(struct arena *a, const struct write *w, struct write_target *t)
{
	static const char text[] = "Created as a new record, without a value to match by";
	const struct match *m = &w->upsert->match;
	struct path root = PATH_NAME(NULL, m->custom ? "customFieldValues" : m->name);
	char id[ID_SIZE];

	if (!m->custom) {
		target_warn(a, t, WARNING_NO_MATCH_VALUE, &root, text, m->name);
	} else if (w->kind->entity == ENTITY_OBJECT) {
		struct path name = PATH_NAME(&root, m->custom->name);
		target_warn(a, t, WARNING_NO_MATCH_VALUE, &name, text, m->name);
	} else {
		struct path group = PATH_NAME(&root, id_format(ID_GROUP, &m->custom->group, id));
		struct path name = PATH_NAME(&group, m->custom->name);
		target_warn(a, t, WARNING_NO_MATCH_VALUE, &name, text, m->name);
	}
}

static struct write_target *upsert_add_target(
    struct req *r, struct write *w, const struct candidates *c, struct input *input)
{
	static const struct uuid none;
	struct write_target *t = write_add_target(r, w, c->n == 1 ? &c->ids[0] : &none, input);

	t->op = c->n ? WRITE_UPDATE : WRITE_CREATE;
	if (c->n > 1 && !write_forbidden(r, w)) {
		t->candidates = c->ids;
		t->n_candidates = c->n;
		target_fail(t, ERROR_AMBIGUOUS, NULL);
	}
	return t;
}

static void upsert_targets(struct req *r, struct write *w)
{
	const struct batch *b = r->given.batch;
	struct upsert *u = w->upsert;
	size_t *first = upsert_unite(r, u);
	struct candidates *found = upsert_candidates(r, u, first);
	struct write_target **targets = arena_alloc(&r->arena, b->count * sizeof *targets); /* by first record */
	bool *valued = arena_alloc(&r->arena, b->count * sizeof *valued);
	struct table existing;

	for (size_t i = 0; i < u->n_values; i++)
		valued[u->values[i].record] = true;
	table_init(&existing, &r->arena, b->count);
	for (size_t i = 0; i < b->count; i++) {
		size_t of = first_of(first, i);
		struct candidates *c = &found[of];
		struct table_row *row = c->n == 1 ? table_row(&existing, &c->ids[0], sizeof *c->ids) : NULL;
		struct write_target *t = row && row->value ? row->value : targets[of];
		if (t) {
			upsert_join(&r->arena, t->input, b->inputs[i]);
			t->joined = true;
		} else {
			t = upsert_add_target(r, w, c, b->inputs[i]);
		}
		targets[of] = t;
		if (row)
			row->value = t;
		if (!valued[i])
			warn_unmatched(&r->arena, w, t);
		w->record_target[i] = (size_t)(t - w->targets);
	}
	for (size_t i = 0; i < w->n_targets; i++)
		if (w->targets[i].joined)
			upsert_collapse(&r->arena, w->targets[i].input);
	write_merge_custom(r, w);
}

/* Locks the records found, as an update does, and loads everything that the request refers to. */
static void upsert_load(struct req *r, struct write *w)
{
	struct uuid *ids = arena_alloc(&r->arena, w->n_targets * sizeof *ids);
	size_t n = 0;

	for (size_t i = 0; i < w->n_targets; i++)
		if (w->targets[i].op == WRITE_UPDATE && !w->targets[i].failed)
			ids[n++] = w->targets[i].id;
	if (n)
		transaction_lock_records(r, ids, n);
	upsert_ask_found(r, w, &w->upsert->at_confirmed);
	write_load(r, w);
	upsert_ask_old_compared(r, w, ids, n);
}

enum step upsert_match(struct req *r)
{
	struct write *w = r->state.write;

	if (!w->upsert->opened) {
		if (w->kind->entity == ENTITY_OBJECT && !object_scope(r, &w->scope, &w->role))
			return DONE;
		w->upsert->opened = r->db.last;
		upsert_read_compared(r, w);
		upsert_targets(r, w);
		upsert_load(r, w);
	}
	if (!write_load_custom(r, w))
		return AGAIN;
	transaction_number(r);
	return transaction_ask(r);
}
