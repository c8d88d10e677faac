/* Types of fields in SQL: the operations, and the table of types at the end. */
#include "store/field_type.h"

#include <string.h>

#include "store/entity_kind.h"

/* --- equal --------------------------------------------------------------------- */

static bool text_equal(const struct value *a, const struct value *b)
{
	return a->len == b->len && (a->len == 0 || memcmp(a->text, b->text, a->len) == 0);
}

static bool number_equal(const struct value *a, const struct value *b)
{
	return a->number == b->number;
}

static bool id_equal(const struct value *a, const struct value *b)
{
	return uuid_equal(&a->id, &b->id);
}

static bool ids_equal(const struct value *a, const struct value *b)
{
	return a->n_ids == b->n_ids && (a->n_ids == 0 || memcmp(a->ids, b->ids, a->n_ids * sizeof *a->ids) == 0);
}

static bool entity_equal(const struct value *a, const struct value *b)
{
	return a->kind == b->kind && uuid_equal(&a->entity, &b->entity);
}

static bool texts_equal(const struct value *a, const struct value *b)
{
	if (a->n_items != b->n_items)
		return false;
	for (size_t i = 0; i < a->n_items; i++)
		if (a->lens[i] != b->lens[i] || memcmp(a->items[i], b->items[i], a->lens[i]) != 0)
			return false;
	return true;
}

/* Derived values count as equal: they differ only when their sources do. */
static bool derived_equal(const struct value *a, const struct value *b)
{
	(void)a, (void)b;
	return true;
}

/* --- load ----------------------------------------------------------------------- */

#define CELL(c) (c)->exchange, (c)->statement, (c)->row, (c)->column

static void text_load(struct value *v, const struct field_cell *c)
{
	v->text = db_text(CELL(c), &v->len);
	v->null = v->text == NULL;
}

static bool is_null(struct value *v, const struct field_cell *c)
{
	v->null = db_null(CELL(c));
	return v->null;
}

static void date_load(struct value *v, const struct field_cell *c)
{
	v->number = is_null(v, c) ? 0 : db_date(CELL(c));
}

static void time_load(struct value *v, const struct field_cell *c)
{
	v->number = is_null(v, c) ? 0 : db_time_ms(CELL(c));
}

static void stamp_load(struct value *v, const struct field_cell *c)
{
	v->number = is_null(v, c) ? 0 : db_time_us(CELL(c));
}

static void flag_load(struct value *v, const struct field_cell *c)
{
	v->number = is_null(v, c) ? 0 : db_bool(CELL(c));
}

static void int_load(struct value *v, const struct field_cell *c)
{
	v->number = is_null(v, c) ? 0 : db_int(CELL(c));
}

static void id_load(struct value *v, const struct field_cell *c)
{
	v->null = !db_uuid_read(CELL(c), &v->id);
}

static void ids_load(struct value *v, const struct field_cell *c)
{
	v->n_ids = db_uuid_array(CELL(c), c->arena, &v->ids);
}

static void texts_load(struct value *v, const struct field_cell *c)
{
	v->n_items = db_text_array(CELL(c), c->arena, &v->items, &v->lens);
}

/* --- bind ----------------------------------------------------------------------- */

static void text_bind(struct sql *s, const struct value *v)
{
	sql_text(s, v->null ? NULL : v->text, v->len);
}

static void json_bind(struct sql *s, const struct value *v)
{
	sql_json(s, v->null ? NULL : v->text, v->len);
}

static void bytes_bind(struct sql *s, const struct value *v)
{
	sql_bytea(s, v->null ? NULL : v->text, v->len);
}

static void numeric_bind(struct sql *s, const struct value *v)
{
	sql_numeric(s, v->null ? NULL : v->text);
}

static void date_bind(struct sql *s, const struct value *v)
{
	v->null ? sql_date_null(s) : sql_date(s, (int32_t)v->number);
}

static void time_bind(struct sql *s, const struct value *v)
{
	v->null ? sql_time_null(s) : sql_time(s, v->number);
}

static void stamp_bind(struct sql *s, const struct value *v)
{
	v->null ? sql_time_null(s) : sql_time_us(s, v->number);
}

static void flag_bind(struct sql *s, const struct value *v)
{
	sql_bool(s, v->number != 0);
}

static void int_bind(struct sql *s, const struct value *v)
{
	v->null ? sql_int4_null(s) : sql_int4(s, (int32_t)v->number);
}

static void count_bind(struct sql *s, const struct value *v)
{
	sql_int8(s, v->number);
}

static void id_bind(struct sql *s, const struct value *v)
{
	sql_uuid(s, v->null ? NULL : &v->id);
}

static void ids_bind(struct sql *s, const struct value *v)
{
	sql_uuid_array(s, v->ids, v->n_ids);
}

static void texts_bind(struct sql *s, const struct value *v)
{
	sql_text_array(s, v->items, v->lens, v->n_items);
}

static void hashes_bind(struct sql *s, const struct value *v)
{
	sql_int8_array(s, v->hashes, v->n_hashes);
}

/* --- of several columns ---------------------------------------------------------- */

/* The names of the contacts in a list of ids, in its order: looked up per row, so that a renamed company is never shown
 * with its old name. Nearly every list has at most one contact; sorting a set would cost twice as much. */
static void names_select(struct sql *s, const struct field *f)
{
	bool people = field_storages[f->type].refers == ID_PERSON;
	const char *name = people ? "c.full_name" : "c.name", *from = people ? "people" : "companies";
	const char *const parts[] = {", case cardinality(t.", f->column,
	    ") when 0 then null when 1 then array[coalesce((select ", name, " from ", from,
	    " c where c.workspace_id = t.workspace_id and c.id = t.", f->column,
	    "[1]), '')] else (select array_agg(coalesce(", name, ", '') order by o.n) from unnest(t.", f->column,
	    ") with ordinality o(id, n) left join ", from,
	    " c on c.workspace_id = t.workspace_id and c.id = o.id) end"};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		sql_add(s, parts[i]);
}

static void contacts_load(struct value *v, const struct field_cell *c)
{
	size_t *lens;

	ids_load(v, c);
	db_text_array(c->exchange, c->statement, c->row, c->column + 1, c->arena, &v->names, &lens);
}

static void entity_select(struct sql *s, const struct field *f)
{
	sql_add(s, ", t.entity_type, ");
	entity_name_sql(s, f->column);
}

/* Id, type, name. The name is null when the entity was just deleted. */
static void entity_load(struct value *v, const struct field_cell *c)
{
	size_t len;
	const char *type = db_text(c->exchange, c->statement, c->row, c->column + 1, &len);

	v->kind = entity_kind_named(type, len);
	v->null = !v->kind || db_null(c->exchange, c->statement, c->row, c->column + 2);
	v->entity = db_uuid(CELL(c));
	if (!v->null)
		v->entity_name = db_text(c->exchange, c->statement, c->row, c->column + 2, &v->entity_name_len);
}

static void entity_bind(struct sql *s, const struct value *v)
{
	sql_uuid(s, &v->entity);
}

static void entity_type_bind(struct sql *s, const struct value *v)
{
	sql_textz(s, v->kind->type);
}

static void metadata_select(struct sql *s, const struct field *f)
{
	(void)f;
	sql_add(s, ", t.interaction_numbers");
}

static void metadata_load(struct value *v, const struct field_cell *c)
{
	v->n_users = db_uuid_array(CELL(c), c->arena, &v->users);
	if (db_int8_array(c->exchange, c->statement, c->row, c->column + 1, c->arena, &v->numbers) != 2 * v->n_users)
		v->n_users = 0; /* not written by kith */
}

/* --- the table -------------------------------------------------------------------- */

/* clang-format off */
#define AS_TEXT    .columns = 1, .load = text_load,    .bind = text_bind,    .equal = text_equal
#define AS_JSON    .columns = 1, .load = text_load,    .bind = json_bind,    .equal = text_equal, .is_long = true
#define AS_BYTES   .columns = 1, .load = text_load,    .bind = bytes_bind,   .equal = text_equal
#define AS_NUMERIC .columns = 1, .load = text_load,    .bind = numeric_bind, .equal = text_equal, .read = {"trim_scale(t.", ")::text"}
#define AS_DATE    .columns = 1, .load = date_load,    .bind = date_bind,    .equal = number_equal
#define AS_TIME    .columns = 1, .load = time_load,    .bind = time_bind,    .equal = number_equal
#define AS_STAMP   .columns = 1, .load = stamp_load,   .bind = stamp_bind,   .equal = number_equal
#define AS_FLAG    .columns = 1, .load = flag_load,    .bind = flag_bind,    .equal = number_equal, .never_null = true
#define AS_INT     .columns = 1, .load = int_load,     .bind = int_bind,     .equal = number_equal
#define AS_COUNT   .columns = 1, .load = int_load,     .bind = count_bind,   .equal = number_equal
#define AS_ID      .columns = 1, .load = id_load,      .bind = id_bind,      .equal = id_equal
#define AS_IDS     .columns = 1, .load = ids_load,     .bind = ids_bind,     .equal = ids_equal, .never_null = true
#define AS_TEXTS   .columns = 1, .load = texts_load,   .bind = texts_bind,   .equal = texts_equal, .never_null = true
#define AS_CONTACTS \
	.columns = 2, .select_more = names_select, .load = contacts_load, .bind = ids_bind, .equal = ids_equal, .never_null = true
#define AS_ENTITY \
	.columns = 3, .select_more = entity_select, .load = entity_load, .bind = entity_bind, .equal = entity_equal, \
	.second = "entity_type", .bind_second = entity_type_bind
#define AS_METADATA .columns = 2, .select_more = metadata_select, .load = metadata_load, .equal = derived_equal
#define AS_HASHES   .bind = hashes_bind, .equal = derived_equal
#define IN_NO_ROW   .equal = derived_equal
#define CAST        "t.", "::text"
#define JOINED      "array_to_string(t.", ", '')"

const struct field_storage field_storages[FIELD_TYPES] = {
	[FIELD_ID]         = {AS_ID},
	[FIELD_TEXT]       = {AS_TEXT},
	[FIELD_CHOICE]     = {AS_TEXT},
	[FIELD_DATE]       = {AS_DATE},
	[FIELD_YEAR]       = {AS_INT},
	[FIELD_DECIMAL]    = {AS_NUMERIC},
	[FIELD_TIME]       = {AS_TIME},
	[FIELD_STAMP]      = {AS_STAMP},
	[FIELD_FLAG]       = {AS_FLAG},
	[FIELD_TEXTS]      = {AS_TEXTS, .unpacked = {JOINED}},
	[FIELD_GROUPS]     = {AS_IDS, .refers = ID_GROUP},
	[FIELD_COMPANIES]  = {AS_CONTACTS, .refers = ID_COMPANY},
	[FIELD_PEOPLE]     = {AS_CONTACTS, .refers = ID_PERSON},
	[FIELD_USER]       = {AS_ID},
	[FIELD_USER_ID]    = {AS_ID},
	[FIELD_GROUP_ID]   = {AS_ID},
	[FIELD_HIDDEN_ID]  = {AS_ID},
	[FIELD_DEFINITION] = {IN_NO_ROW},
	[FIELD_USERS]      = {AS_IDS, .refers = ID_USER},
	[FIELD_ENTITY]     = {AS_ENTITY},
	[FIELD_CLOCK]      = {AS_INT},
	[FIELD_RULE]       = {AS_TEXT},
	[FIELD_AUTHOR]     = {AS_ID},
	[FIELD_PARENT]     = {AS_ID}, /* bound and compared like other ids */
	[FIELD_WORDS]      = {AS_HASHES},
	[FIELD_CUSTOM]     = {AS_JSON, .unpacked = {CAST}},
	[FIELD_METADATA]   = {AS_METADATA},
	[FIELD_CONNECTION] = {IN_NO_ROW},
	[FIELD_ACTIVITY]   = {AS_TEXT},
	[FIELD_FROM]       = {AS_ID},
	[FIELD_TO]         = {IN_NO_ROW},
	[FIELD_URL]        = {AS_TEXT},
	[FIELD_EVENTS]     = {AS_JSON, .unpacked = {CAST}},
	[FIELD_SEALED]     = {AS_BYTES},
	[FIELD_EVENT_ID]   = {AS_ID},
	[FIELD_ATTEMPTS]   = {AS_JSON},
	[FIELD_COUNT]      = {AS_COUNT},
	[FIELD_REASONS]    = {AS_JSON},
	[FIELD_VIEW_PART]  = {AS_JSON, .unpacked = {CAST}},
};
/* clang-format on */

_Static_assert(offsetof(struct value, parent) == offsetof(struct value, id), "a parent is bound and compared as an id");

int field_find(const struct resource *res, const char *name, size_t len)
{
	for (int i = 0; i < res->n_fields; i++)
		if (strlen(res->fields[i].name) == len && memcmp(res->fields[i].name, name, len) == 0)
			return i;
	return -1;
}

bool value_unset(enum field_type type, const struct value *v)
{
	return v->null || (type == FIELD_TEXT && v->len == 0);
}

bool value_equal(enum field_type type, const struct value *a, const struct value *b)
{
	if (a->null || b->null)
		return a->null == b->null;
	return field_storages[type].equal(a, b);
}

bool value_has_text(const struct value *list, const char *text, size_t len)
{
	for (size_t i = 0; i < list->n_items; i++)
		if (list->lens[i] == len && memcmp(list->items[i], text, len) == 0)
			return true;
	return false;
}
