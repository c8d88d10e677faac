/* Applies what a body says to the values of a record, and gathers the rows of field_values. */
#include <stdlib.h>
#include <string.h>

#include "server/contact.h"
#include "server/custom.h"

enum { VALUES_MAX = 32 << 20 };

/* A value on its way: what stood there, what shall stand there. */
struct entry {
	struct uuid field;
	const struct json *old;             /* NULL: none */
	const struct custom_change *change; /* NULL: none */
	const char *text;                   /* rendered; NULL: unset */
	size_t len;
};

static int compare(const void *a, const void *b)
{
	return uuid_compare(&((const struct entry *)a)->field, &((const struct entry *)b)->field);
}

static void put_ref(struct json_out *o, enum custom_type type, const struct custom_ref *ref)
{
	char text[ID_SIZE];

	json_string(o, type == CUSTOM_CONTACT ? id_format(ref->kind, &ref->id, text) : uuid_format(&ref->id, text));
}

/* The value as it is kept: texts as they are, options and references by id. */
static void put_change(struct json_out *o, const struct custom_change *c)
{
	switch (c->field->type) {
	case CUSTOM_TEXT:
	case CUSTOM_NUMBER:
	case CUSTOM_DATE:
		json_string_len(o, c->text, c->len);
		return;
	case CUSTOM_SINGLE:
		put_ref(o, c->field->type, &c->refs[0]);
		return;
	default:
		break;
	}
	json_begin_array(o);
	for (size_t i = 0; i < c->n_refs; i++)
		if (!c->refs[i].unknown)
			put_ref(o, c->field->type, &c->refs[i]);
	json_end_array(o);
}

static bool unsets(const struct custom_change *c)
{
	if (c->unset)
		return true;
	for (size_t i = 0; i < c->n_refs; i++)
		if (!c->refs[i].unknown)
			return false;
	return c->text == NULL;
}

static void render(struct arena *a, struct entry *e)
{
	struct buf buf;
	struct json_out o;

	if (e->change ? unsets(e->change) : !e->old)
		return;
	buf_init(&buf, VALUES_MAX);
	json_out_init(&o, &buf);
	if (e->change)
		put_change(&o, e->change);
	else
		json_value(&o, e->old);
	e->text = arena_dup(a, buf.data, buf.len);
	e->len = buf.len;
	buf_free(&buf);
}

/* Whether the entry leaves what stood there. */
static bool unchanged(const struct entry *e)
{
	struct buf buf;
	struct json_out o;
	bool same;

	if (!e->old || !e->text)
		return !e->old && !e->text;
	buf_init(&buf, VALUES_MAX);
	json_out_init(&o, &buf);
	json_value(&o, e->old);
	same = buf.len == e->len && memcmp(buf.data, e->text, e->len) == 0;
	buf_free(&buf);
	return same;
}

/* --- rows --------------------------------------------------------------------------- */

static struct value_row *grow(struct arena *a, struct value_row **rows, size_t *n, size_t *cap)
{
	if (*n == *cap) {
		size_t more = *cap ? 2 * *cap : 16;
		struct value_row *bigger = arena_alloc(a, more * sizeof *bigger);
		if (*n)
			memcpy(bigger, *rows, *n * sizeof *bigger);
		*rows = bigger;
		*cap = more;
	}
	return &(*rows)[(*n)++];
}

static void add_rows(struct arena *a, const struct uuid *owner, const struct entry *e, struct value_rows *rows)
{
	const struct custom_change *c = e->change;

	if (e->old)
		*grow(a, &rows->gone, &rows->n_gone, &rows->cap_gone) =
		    (struct value_row){.field = e->field, .owner = *owner};
	if (!c || !e->text)
		return;
	if (c->text)
		*grow(a, &rows->added, &rows->n_added, &rows->cap_added) = (struct value_row){
		    .field = e->field, .owner = *owner, .type = c->field->type, .text = c->text, .len = c->len};
	for (size_t i = 0; i < c->n_refs; i++)
		if (!c->refs[i].unknown)
			*grow(a, &rows->added, &rows->n_added, &rows->cap_added) = (struct value_row){
			    .field = e->field, .owner = *owner, .type = c->field->type, .ref = c->refs[i].id};
}

/* --- the record ------------------------------------------------------------------------ */

/* An old value goes with its group's membership. That of a field, or group, which was deleted goes by the hand that
 * tells of it (job_removals.c). */
static bool goes(const struct workspace *ws, const struct uuid *field, const struct value *groups)
{
	const struct custom_field *f = workspace_field(ws, field);
	return f && groups && !contact_holds(groups, &f->group);
}

static struct entry *entry_of(struct entry *entries, size_t n, const struct uuid *field)
{
	for (size_t i = 0; i < n; i++)
		if (uuid_equal(&entries[i].field, field))
			return &entries[i];
	return NULL;
}

static struct value join(struct arena *a, const struct entry *entries, size_t n)
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

void custom_apply(struct arena *a, const struct workspace *ws, const struct uuid *owner, const struct value *old,
    const struct custom_changes *changes, const struct value *groups, struct value *out, struct value_rows *rows)
{
	const char *error;
	const struct json *tree = old->null ? NULL : json_read(a, old->text, old->len, &error);
	struct entry *entries = arena_alloc(a, ((tree ? tree->count : 0) + changes->count) * sizeof *entries);
	size_t n = 0;
	bool differs = false;

	for (const struct json *m = tree ? tree->first : NULL; m; m = m->next) {
		entries[n].old = m;
		if (uuid_parse(m->key, m->key_len, &entries[n].field))
			n++;
	}
	for (size_t i = 0; i < changes->count; i++) {
		struct entry *e = entry_of(entries, n, &changes->items[i].field->id);
		if (!e) {
			e = &entries[n++];
			e->field = changes->items[i].field->id;
		}
		e->change = &changes->items[i];
	}
	for (size_t i = 0; i < n; i++) {
		if (!goes(ws, &entries[i].field, groups))
			render(a, &entries[i]);
		if (unchanged(&entries[i]))
			continue;
		differs = true;
		add_rows(a, owner, &entries[i], rows);
	}
	*out = *old;
	if (!differs)
		return;
	qsort(entries, n, sizeof *entries, compare);
	*out = join(a, entries, n);
}

/* --- saving ------------------------------------------------------------------------------ */

static void take_away(struct req *r, const struct value_rows *rows)
{
	struct uuid *fields = arena_alloc(&r->arena, rows->n_gone * sizeof *fields);
	struct uuid *owners = arena_alloc(&r->arena, rows->n_gone * sizeof *owners);
	struct sql *s = req_sql(r, "values_gone", NULL);

	for (size_t i = 0; i < rows->n_gone; i++) {
		fields[i] = rows->gone[i].field;
		owners[i] = rows->gone[i].owner;
	}
	sql_add(s, "delete from field_values v using unnest(");
	sql_uuid_array(s, fields, rows->n_gone);
	sql_add(s, ", ");
	sql_uuid_array(s, owners, rows->n_gone);
	sql_add(s, ") g (field_id, owner_id) where v.workspace_id = $1 and v.field_id = g.field_id and v.owner_id = "
	           "g.owner_id");
}

/* Which column keeps the values of a type, and how its text is read. */
static const struct column {
	const char *name, *cast;
} columns[] = {{"text_value", ""}, {"number_value", "::numeric"}, {"date_value", "::date"}, {"ref_id", ""}};
enum { REF_COLUMN = 3, COLUMNS };

static int column_of(enum custom_type type)
{
	return type <= CUSTOM_DATE ? (int)type : REF_COLUMN;
}

static void add_column(struct req *r, const struct value_rows *rows, int column)
{
	struct uuid *fields = arena_alloc(&r->arena, rows->n_added * sizeof *fields);
	struct uuid *owners = arena_alloc(&r->arena, rows->n_added * sizeof *owners);
	struct uuid *refs = arena_alloc(&r->arena, rows->n_added * sizeof *refs);
	const char **texts = arena_alloc(&r->arena, rows->n_added * sizeof *texts);
	size_t *lens = arena_alloc(&r->arena, rows->n_added * sizeof *lens), n = 0;
	struct sql *s;

	for (size_t i = 0; i < rows->n_added; i++) {
		const struct value_row *row = &rows->added[i];
		if (column_of(row->type) != column)
			continue;
		fields[n] = row->field;
		owners[n] = row->owner;
		refs[n] = row->ref;
		texts[n] = row->text;
		lens[n++] = row->len;
	}
	if (n == 0)
		return;
	s = req_sql(r, arena_printf(&r->arena, "values_added_%s", columns[column].name), NULL);
	sql_addf(s, "insert into field_values (workspace_id, field_id, owner_id, %s) select $1, f, o, v%s from unnest(",
	    columns[column].name, columns[column].cast);
	sql_uuid_array(s, fields, n);
	sql_add(s, ", ");
	sql_uuid_array(s, owners, n);
	sql_add(s, ", ");
	if (column == REF_COLUMN)
		sql_uuid_array(s, refs, n);
	else
		sql_text_array(s, texts, lens, n);
	sql_add(s, ") n (f, o, v)");
}

void custom_save(struct req *r, const struct value_rows *rows)
{
	if (rows->n_gone)
		take_away(r, rows);
	for (int column = 0; column < COLUMNS && rows->n_added; column++)
		add_column(r, rows, column);
}
