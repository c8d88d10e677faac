/* Applies a body's custom values to a record and collects the rows of field_values. */
#include <stdlib.h>
#include <string.h>

#include "server/base/table.h"
#include "server/resource/custom_apply.h"
#include "server/output/render_custom.h"

enum { VALUES_MAX = 32 << 20 };

/* A value before and after the change. */
struct custom_entry {
	struct uuid field;
	const struct json *old;             /* NULL: none */
	const struct custom_change *change; /* NULL: none */
	const char *text;                   /* rendered; NULL: unset */
	size_t len;
	bool differs;
};

static int compare_entries(const void *a, const void *b)
{
	return uuid_compare(&((const struct custom_entry *)a)->field, &((const struct custom_entry *)b)->field);
}

static void custom_put_ref(struct json_out *o, enum custom_type type, const struct custom_ref *ref)
{
	char text[ID_SIZE];

	json_string(o, type == CUSTOM_CONTACT ? id_format(ref->kind, &ref->id, text) : uuid_format(&ref->id, text));
}

/* Writes the value as stored: texts as they are, options and references by id. */
static void put_change(struct json_out *o, const struct custom_change *c)
{
	switch (c->field->type) {
	case CUSTOM_TEXT:
	case CUSTOM_NUMBER:
	case CUSTOM_DATE:
		json_string_len(o, c->text, c->len);
		return;
	case CUSTOM_SINGLE:
		custom_put_ref(o, c->field->type, &c->refs[0]);
		return;
	default:
		break;
	}
	json_begin_array(o);
	for (size_t i = 0; i < c->n_refs; i++)
		if (!c->refs[i].unknown)
			custom_put_ref(o, c->field->type, &c->refs[i]);
	json_end_array(o);
}

static bool change_unsets(const struct custom_change *c)
{
	if (c->unset)
		return true;
	for (size_t i = 0; i < c->n_refs; i++)
		if (!c->refs[i].unknown)
			return false;
	return c->text == NULL;
}

/* One of the stored values, in the arena. */
static const char *entry_text(
    struct arena *a, const struct json *value, const struct custom_change *change, size_t *len)
{
	struct buf buf;
	struct json_out o;
	const char *text;

	buf_init(&buf, VALUES_MAX);
	json_out_init(&o, &buf);
	if (change)
		put_change(&o, change);
	else
		json_value(&o, value);
	text = arena_dup(a, buf.data, buf.len);
	*len = buf.len;
	buf_free(&buf);
	return text;
}

/* The change that adds the items of the other value to this one. Existing items stay, also items that the viewer cannot
 * see. */
static const struct custom_change *change_append(struct arena *a, const struct custom_entry *e)
{
	const struct custom_change *given = e->change;
	struct custom_change *c = arena_alloc(a, sizeof *c);
	struct table held;

	*c = (struct custom_change){
	    .field = given->field, .refs = arena_alloc(a, (e->old->count + given->n_refs) * sizeof *c->refs)};
	table_init(&held, a, e->old->count + given->n_refs);
	json_each(i, e->old) {
		struct custom_ref *ref = &c->refs[c->n_refs];
		if (custom_ref_id(i, c->field->type, &ref->kind, &ref->id) &&
		    table_add(&held, &ref->id, sizeof ref->id))
			c->n_refs++;
	}
	for (size_t i = 0; i < given->n_refs; i++) {
		c->refs[c->n_refs] = given->refs[i];
		if (!given->refs[i].unknown && table_add(&held, &c->refs[c->n_refs].id, sizeof c->refs->id))
			c->n_refs++;
	}
	return c;
}

/* Bodies and merges have checked their own lists; appending has made this one longer. */
static void check_full(struct custom_changes *changes, const struct custom_entry *e)
{
	size_t n = 0;

	for (size_t i = 0; i < e->change->n_refs; i++)
		n += !e->change->refs[i].unknown;
	if (n <= CUSTOM_ITEMS_MAX || (e->old && n <= e->old->count))
		return;
	changes->full = e->change->field;
	changes->full_items = n;
}

/* the field was removed: it loses its value, whatever the body says */
static void entry_decide(struct arena *a, struct custom_entry *e, bool removed)
{
	size_t old_len = 0;
	const char *old = e->old ? entry_text(a, e->old, NULL, &old_len) : NULL;

	if (removed || (e->change && change_unsets(e->change))) {
		e->differs = old != NULL;
	} else if (e->change) {
		e->text = entry_text(a, NULL, e->change, &e->len);
		e->differs = !old || old_len != e->len || memcmp(old, e->text, e->len) != 0;
	} else {
		e->text = old;
		e->len = old_len;
	}
}

/* --- rows --------------------------------------------------------------------------- */

static void value_list_add(struct arena *a, struct value_list *l, const struct value_row *row)
{
	struct value_row *added = arena_alloc(a, sizeof *added);

	*added = *row;
	if (l->count++)
		l->last->next = added;
	else
		l->first = added;
	l->last = added;
}

/* Unchanged items keep their rows. */
static void list_rows(struct arena *a, struct arena *scratch, struct value_row *row, const struct custom_entry *e,
    struct value_rows *rows)
{
	const struct custom_change *c = e->change;
	size_t n = e->old ? e->old->count : 0, n_held = 0;
	struct uuid *ids = arena_alloc(scratch, n * sizeof *ids);
	struct table named, held;
	enum id_kind kind;

	table_init(&named, scratch, c->n_refs);
	for (size_t i = 0; i < c->n_refs; i++)
		if (!c->refs[i].unknown)
			table_add(&named, &c->refs[i].id, sizeof c->refs[i].id);
	table_init(&held, scratch, n);
	json_each(i, e->old) {
		if (!custom_ref_id(i, row->type, &kind, &ids[n_held]))
			continue;
		row->ref = ids[n_held];
		table_add(&held, &ids[n_held++], sizeof *ids);
		if (!table_has(&named, &row->ref, sizeof row->ref))
			value_list_add(a, &rows->lists[VALUES_DELETED], row);
	}
	for (size_t i = 0; i < c->n_refs; i++) {
		row->ref = c->refs[i].id;
		if (!c->refs[i].unknown && !table_has(&held, &row->ref, sizeof row->ref))
			value_list_add(a, &rows->lists[VALUES_ADDED], row);
	}
}

static void add_rows(struct arena *a, struct arena *scratch, const struct uuid *owner, const struct custom_entry *e,
    struct value_rows *rows)
{
	const struct custom_change *c = e->change;
	struct value_row row = {.field = e->field, .owner = *owner, .whole = true};

	if (!c || !e->text) {
		if (e->old)
			value_list_add(a, &rows->lists[VALUES_DELETED], &row);
		return;
	}
	row.type = c->field->type;
	row.whole = false;
	if (row.type > CUSTOM_SINGLE) {
		list_rows(a, scratch, &row, e, rows);
		return;
	}
	row.text = c->text;
	row.len = c->len;
	if (row.type == CUSTOM_SINGLE)
		row.ref = c->refs[0].id;
	value_list_add(a, &rows->lists[e->old ? VALUES_CHANGED : VALUES_ADDED], &row);
}

/* --- the record ------------------------------------------------------------------------ */

/* Removes the values of a group that the record leaves. The removal job removes the values of a deleted field or group,
 * and makes their events (server/job/removals.c). */
static bool value_removed(const struct workspace *ws, const struct uuid *field, const struct value *groups)
{
	const struct custom_field *f = workspace_field(ws, field);

	return f && groups && !uuid_in(groups->ids, groups->n_ids, &f->group);
}

static struct value entries_join(struct arena *a, const struct custom_entry *entries, size_t n)
{
	struct value v = {.null = true};
	struct buf buf;
	struct json_out o;
	char key[37];

	buf_init(&buf, VALUES_MAX);
	json_out_init(&o, &buf);
	json_begin_object(&o);
	for (size_t i = 0; i < n; i++) {
		if (!entries[i].text)
			continue;
		v.null = false;
		json_key(&o, uuid_format(&entries[i].field, key));
		json_raw(&o, entries[i].text, entries[i].len);
	}
	json_end_object(&o);
	if (!v.null) {
		v.text = arena_dup(a, buf.data, buf.len);
		v.len = buf.len;
	}
	buf_free(&buf);
	return v;
}

static bool may_change(const struct custom_scope *scope, const struct custom_entry *e)
{
	const struct group *g = e->change ? workspace_group(scope->ws, &e->change->field->group) : NULL;

	return !g || scope->entity == ENTITY_OBJECT || group_role(g, scope->viewer) >= ROLE_CONTRIBUTOR;
}

static bool apply_changes(struct arena *a, struct arena *scratch, const struct custom_scope *scope,
    const struct uuid *owner, const struct value *old, struct custom_changes *changes, const struct value *groups,
    struct value *out, struct value_rows *rows)
{
	const char *error;
	const struct json *tree = old->null ? NULL : json_read(scratch, old->text, old->len, &error);
	struct custom_entry *entries =
	    arena_alloc(scratch, ((tree ? tree->count : 0) + changes->count) * sizeof *entries);
	struct table by_field;
	size_t n = 0, differ = 0;

	table_init(&by_field, scratch, (tree ? tree->count : 0) + changes->count);
	json_each_member(m, tree) {
		entries[n].old = m;
		if (uuid_parse(m->key, m->key_len, &entries[n].field)) {
			table_row(&by_field, &entries[n].field, sizeof entries[n].field)->value = &entries[n];
			n++;
		}
	}
	for (size_t i = 0; i < changes->count; i++) {
		const struct uuid *field = &changes->items[i].field->id;
		struct table_row *row = table_row(&by_field, field, sizeof *field);
		struct custom_entry *e = row->value ? row->value : &entries[n++];
		row->value = e;
		e->field = *field;
		e->change = &changes->items[i];
	}
	for (size_t i = 0; i < n; i++) {
		if (changes->append && entries[i].change && custom_is_list(entries[i].change->field)) {
			if (entries[i].old)
				entries[i].change = change_append(scratch, &entries[i]);
			check_full(changes, &entries[i]);
		}
		entry_decide(scratch, &entries[i], value_removed(scope->ws, &entries[i].field, groups));
		differ += entries[i].differs;
		if (entries[i].differs && !may_change(scope, &entries[i]))
			return false;
	}
	*out = *old;
	if (differ == 0)
		return true;
	for (size_t i = 0; i < n; i++)
		if (entries[i].differs)
			add_rows(a, scratch, owner, &entries[i], rows);
	qsort(entries, n, sizeof *entries, compare_entries);
	*out = entries_join(a, entries, n);
	return true;
}

bool custom_apply(struct arena *a, const struct custom_scope *scope, const struct uuid *owner, const struct value *old,
    struct custom_changes *changes, const struct value *groups, struct value *out, struct value_rows *rows)
{
	struct arena scratch; /* otherwise a hundred records would need a hundred times as much memory */
	bool may;

	arena_init(&scratch);
	may = apply_changes(a, &scratch, scope, owner, old, changes, groups, out, rows);
	arena_free(&scratch);
	return may;
}

/* --- saving ------------------------------------------------------------------------------ */

/* Arrays of the columns as text. Each value uses one of text, number, day and reference. */
enum { COLUMN_TEXT, COLUMN_NUMBER, COLUMN_DATE, COLUMN_REF, COLUMNS };

/* Appends "unnest(…)" of the rows: field, owner, text, number, day, reference. */
static void custom_put_rows(struct sql *s, const struct value_list *l)
{
	const struct value_row *row = l->first;
	size_t n = l->count;
	struct uuid *fields = arena_alloc(s->arena, n * sizeof *fields);
	struct uuid *owners = arena_alloc(s->arena, n * sizeof *owners);
	const char **texts[COLUMNS];
	size_t *lens[COLUMNS];

	for (int i = 0; i < COLUMNS; i++) {
		texts[i] = arena_alloc(s->arena, n * sizeof *texts[i]);
		lens[i] = arena_alloc(s->arena, n * sizeof *lens[i]);
	}
	for (size_t i = 0; i < n; i++, row = row->next) {
		int column = row->type <= CUSTOM_DATE ? (int)row->type : COLUMN_REF;
		fields[i] = row->field;
		owners[i] = row->owner;
		if (row->whole)
			continue;
		texts[column][i] = column == COLUMN_REF ? uuid_format(&row->ref, arena_alloc(s->arena, 37)) : row->text;
		lens[column][i] = column == COLUMN_REF ? 36 : row->len;
	}
	sql_add_uuid_array(s, "unnest(", fields, n);
	sql_add_uuid_array(s, ", ", owners, n);
	for (int i = 0; i < COLUMNS; i++) {
		sql_add(s, ", ");
		sql_text_array(s, texts[i], lens[i], n);
	}
	sql_add(s, ") n (field_id, owner_id, text_value, number_value, date_value, ref_id)");
}

/* Removes the first rows from a list, up to the bytes left, but always at least one. */
static struct value_list value_list_some(struct value_list *from, size_t *left)
{
	enum { ROW_BYTES = 64 }; /* ids, and what the index takes for short values */
	struct value_list some = {.first = from->first};

	while (*left > 0 && from->count) {
		size_t bytes = ROW_BYTES + from->first->len;
		*left = bytes < *left ? *left - bytes : 0;
		from->first = from->first->next;
		from->count--;
		some.count++;
	}
	return some;
}

/* Deletes come first, because an insert may replace a deleted row. */
static const struct {
	const char *name, *before, *after;
} statements[VALUE_LISTS] = {
    [VALUES_DELETED] = {"values_gone", "delete from field_values v using ",
        " where v.workspace_id = $1 and v.field_id = n.field_id and v.owner_id = n.owner_id "
        "and (n.ref_id is null or v.ref_id = n.ref_id::uuid)"},
    [VALUES_CHANGED] = {"values_changed",
        "update field_values v set text_value = n.text_value, number_value = n.number_value::numeric, "
        "date_value = n.date_value::date, ref_id = n.ref_id::uuid from ",
        " where v.workspace_id = $1 and v.field_id = n.field_id and v.owner_id = n.owner_id"},
    [VALUES_ADDED] = {"values_added",
        "insert into field_values (workspace_id, field_id, owner_id, text_value, number_value, date_value, ref_id) "
        "select $1, n.field_id, n.owner_id, n.text_value, n.number_value::numeric, n.date_value::date, "
        "n.ref_id::uuid from ",
        ""},
};

bool custom_save(struct req *r, struct value_rows *all, size_t bytes)
{
	bool more = false;

	for (int i = 0; i < VALUE_LISTS; i++) {
		struct value_list some = value_list_some(&all->lists[i], &bytes);
		if (some.count) {
			struct sql *s = req_sql(r, statements[i].name, NULL);
			sql_add(s, statements[i].before);
			custom_put_rows(s, &some);
			sql_add(s, statements[i].after);
		}
		more |= all->lists[i].count > 0;
	}
	return more;
}
