/* Records and rows. What is special to a resource stays in its file. */
#include "store/record.h"

#include <string.h>

#include "store/entity_kind.h"

/* Names of the contacts in a list of ids, in its order. A look-up per row, so that a renamed company is never shown
 * under its old name. Nearly every list holds none or one, for which a set that is sorted would cost twice as much. */
static void names_column(struct sql *s, const struct field *f)
{
	bool people = f->type == FIELD_PEOPLE;
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

int field_find(const struct resource *res, const char *name, size_t len)
{
	for (int i = 0; i < res->n_fields; i++)
		if (strlen(res->fields[i].name) == len && memcmp(res->fields[i].name, name, len) == 0)
			return i;
	return -1;
}

static bool equal_texts(const struct value *a, const struct value *b)
{
	if (a->n_items != b->n_items)
		return false;
	for (size_t i = 0; i < a->n_items; i++)
		if (a->lens[i] != b->lens[i] || memcmp(a->items[i], b->items[i], a->lens[i]) != 0)
			return false;
	return true;
}

bool value_equal(enum field_type type, const struct value *a, const struct value *b)
{
	if (a->null || b->null)
		return a->null == b->null;
	switch (type) {
	case FIELD_TEXT:
	case FIELD_CHOICE:
	case FIELD_DECIMAL:
	case FIELD_RULE:
	case FIELD_CUSTOM:
	case FIELD_ACTIVITY:
	case FIELD_URL:
	case FIELD_EVENTS:
	case FIELD_SEALED:
	case FIELD_ATTEMPTS:
		return a->len == b->len && (a->len == 0 || memcmp(a->text, b->text, a->len) == 0);
	case FIELD_DATE:
	case FIELD_YEAR:
	case FIELD_TIME:
	case FIELD_FLAG:
	case FIELD_CLOCK:
	case FIELD_COUNT:
		return a->number == b->number;
	case FIELD_ID:
	case FIELD_USER:
	case FIELD_USER_ID:
	case FIELD_AUTHOR:
	case FIELD_HIDDEN_ID:
	case FIELD_FROM:
	case FIELD_EVENT_ID:
		return uuid_equal(&a->id, &b->id);
	case FIELD_GROUPS:
	case FIELD_COMPANIES:
	case FIELD_PEOPLE:
	case FIELD_USERS:
		return a->n_ids == b->n_ids &&
		       (a->n_ids == 0 || memcmp(a->ids, b->ids, a->n_ids * sizeof *a->ids) == 0);
	case FIELD_ENTITY:
		return a->kind == b->kind && uuid_equal(&a->entity, &b->entity);
	case FIELD_PARENT:
		return uuid_equal(&a->parent, &b->parent);
	case FIELD_TEXTS:
		return equal_texts(a, b);
	case FIELD_WORDS:
	case FIELD_DEFINITION:
	case FIELD_METADATA:
	case FIELD_CONNECTION:
	case FIELD_TO:
		return true;
	}
	return false;
}

static bool stored(const struct field *f)
{
	return f->column != NULL;
}

static bool selected(const struct field *f)
{
	return stored(f) && f->type != FIELD_WORDS;
}

/* The metadata are kept up by the interactions. */
static bool written(const struct field *f)
{
	return stored(f) && f->type != FIELD_METADATA;
}

/* Whether a hundred of them could be much more than a page holds. */
static bool large(const struct field *f)
{
	enum { LARGE = 64 << 10, UTF8_MOST = 4 };

	if (f->type == FIELD_TEXTS)
		return f->max * f->item_max * UTF8_MOST > LARGE;
	return f->type == FIELD_CUSTOM || f->type == FIELD_EVENTS || f->type == FIELD_ATTEMPTS ||
	       (f->type == FIELD_TEXT && f->max * UTF8_MOST > LARGE);
}

static bool two_columns(enum field_type type)
{
	return type == FIELD_COMPANIES || type == FIELD_PEOPLE || type == FIELD_METADATA;
}

/* within: 0 for all. */
static void columns(struct sql *s, const struct resource *res, int within, field_set without)
{
	const char *comma = "t.";

	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		if (!selected(f))
			continue;
		if (without & FIELD_BIT(i)) {
			sql_add(s, two_columns(f->type) ? ", null, null" : ", null");
			continue;
		}
		if (within && large(f)) {
			sql_addf(
			    s, ", case when pg_column_size(t.%s) < %d then t.%s end", f->column, within, f->column);
			continue;
		}
		sql_add(s, comma); /* every read comes by here: printf would be a tenth of its time */
		sql_add(s, f->column);
		comma = ", t.";
		if (f->type == FIELD_ENTITY) {
			sql_add(s, ", t.entity_type, ");
			entity_name_sql(s, f->column);
		}
		if (f->type == FIELD_METADATA)
			sql_add(s, ", t.interaction_numbers");
		if (f->type == FIELD_COMPANIES || f->type == FIELD_PEOPLE)
			names_column(s, f);
	}
}

void record_columns(struct sql *s, const struct resource *res)
{
	columns(s, res, 0, 0);
}

void record_columns_within(struct sql *s, const struct resource *res, int bytes)
{
	const char * or = "";

	columns(s, res, bytes, 0);
	sql_add(s, ", case when ");
	for (int i = 0; i < res->n_fields; i++) {
		if (!selected(&res->fields[i]) || !large(&res->fields[i]))
			continue;
		sql_addf(s, "%spg_column_size(t.%s) >= %d", or, res->fields[i].column, bytes);
		or = " or ";
	}
	sql_add(s, * or ? " then true end" : "false then true end");
}

void record_select(struct sql *s, const struct resource *res)
{
	record_select_without(s, res, 0);
}

void record_select_without(struct sql *s, const struct resource *res, field_set without)
{
	sql_add(s, "select ");
	columns(s, res, 0, without);
	sql_add(s, " from ");
	sql_add(s, res->table);
	sql_add(s, " t where t.workspace_id = $1");
}

/* Three columns: id, type, name. The name is null when the entity was deleted a moment ago. */
static int load_entity(struct value *v, const struct db_exchange *x, int st, int row, int col)
{
	size_t len;
	const char *type = db_text(x, st, row, col + 1, &len);

	v->kind = entity_kind_named(type, len);
	v->null = !v->kind || db_null(x, st, row, col + 2);
	v->entity = db_uuid(x, st, row, col);
	if (!v->null)
		v->entity_name = db_text(x, st, row, col + 2, &v->entity_name_len);
	return 3;
}

/* A list, and of contacts their names beside it. */
static int load_ids(
    struct value *v, const struct field *f, const struct db_exchange *x, int st, int row, int col, struct arena *a)
{
	size_t *lens;

	v->null = false;
	v->n_ids = db_uuid_array(x, st, row, col, a, &v->ids);
	if (f->type != FIELD_COMPANIES && f->type != FIELD_PEOPLE)
		return 1;
	db_text_array(x, st, row, col + 1, a, &v->names, &lens);
	return 2;
}

static int64_t load_number(enum field_type type, const struct db_exchange *x, int st, int row, int col)
{
	switch (type) {
	case FIELD_DATE:
		return db_date(x, st, row, col);
	case FIELD_TIME:
		return db_time_ms(x, st, row, col);
	case FIELD_FLAG:
		return db_bool(x, st, row, col);
	default:
		return db_int(x, st, row, col);
	}
}

/* Reads one column; answers how many columns it took. */
static int load(
    struct value *v, const struct field *f, const struct db_exchange *x, int st, int row, int col, struct arena *a)
{
	switch (f->type) {
	case FIELD_TEXT:
	case FIELD_CHOICE:
	case FIELD_RULE:
	case FIELD_CUSTOM:
	case FIELD_ACTIVITY:
	case FIELD_URL:
	case FIELD_EVENTS:
	case FIELD_SEALED:
	case FIELD_ATTEMPTS:
		v->text = db_text(x, st, row, col, &v->len);
		v->null = v->text == NULL;
		break;
	case FIELD_DECIMAL:
		v->text = db_numeric(x, st, row, col, a);
		v->null = v->text == NULL;
		if (v->null)
			v->text = "";
		v->len = strlen(v->text);
		break;
	case FIELD_DATE:
	case FIELD_YEAR:
	case FIELD_CLOCK:
	case FIELD_TIME:
	case FIELD_FLAG:
	case FIELD_COUNT:
		v->null = db_null(x, st, row, col);
		v->number = v->null ? 0 : load_number(f->type, x, st, row, col);
		break;
	case FIELD_ID:
	case FIELD_USER:
	case FIELD_USER_ID:
	case FIELD_AUTHOR:
	case FIELD_FROM:
	case FIELD_HIDDEN_ID:
	case FIELD_PARENT: /* whose id is in the same place */
	case FIELD_EVENT_ID:
		v->null = !db_uuid_read(x, st, row, col, &v->id);
		break;
	case FIELD_TEXTS:
		v->n_items = db_text_array(x, st, row, col, a, &v->items, &v->lens);
		break;
	case FIELD_GROUPS:
	case FIELD_USERS:
	case FIELD_COMPANIES:
	case FIELD_PEOPLE:
		return load_ids(v, f, x, st, row, col, a);
	case FIELD_ENTITY:
		return load_entity(v, x, st, row, col);
	case FIELD_METADATA:
		v->n_users = db_uuid_array(x, st, row, col, a, &v->users);
		db_int8_array(x, st, row, col + 1, a, &v->numbers);
		return 2;
	default: /* not selected */
		break;
	}
	return 1;
}

/* With room for the values that its resource has: a page has a hundred records. */
static struct record *alloc(const struct resource *res, struct arena *a)
{
	struct record *rec =
	    arena_alloc(a, offsetof(struct record, values) + (size_t)res->n_fields * sizeof *rec->values);

	rec->resource = res;
	return rec;
}

struct record *record_new(const struct resource *res, struct arena *a)
{
	struct record *rec = alloc(res, a);

	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		bool list = f->type == FIELD_TEXTS || f->type == FIELD_GROUPS || f->type == FIELD_COMPANIES ||
		            f->type == FIELD_PEOPLE || f->type == FIELD_USERS;
		bool text = f->type == FIELD_TEXT && !(f->flags & FIELD_NULL_EMPTY);
		rec->values[i].null = !list && !text && f->type != FIELD_FLAG;
		if (text)
			rec->values[i].text = "";
	}
	return rec;
}

struct record *record_load(
    const struct db_exchange *x, int statement, int row, const struct resource *res, struct arena *a)
{
	struct record *rec = alloc(res, a);
	int col = 0;

	for (int i = 0; i < res->n_fields; i++) {
		if (selected(&res->fields[i]))
			col += load(&rec->values[i], &res->fields[i], x, statement, row, col, a);
		else
			rec->values[i].null = true;
	}
	return rec;
}

struct record *record_copy(const struct record *old, struct arena *a)
{
	struct record *rec = alloc(old->resource, a);
	memcpy(rec->values, old->values, (size_t)old->resource->n_fields * sizeof *rec->values);
	return rec;
}

field_set record_diff(const struct record *old, const struct record *new)
{
	field_set set = 0;

	for (int i = 0; i < old->resource->n_fields; i++)
		if (!value_equal(old->resource->fields[i].type, &old->values[i], &new->values[i]))
			set |= FIELD_BIT(i);
	return set;
}

/* What only webhooks and their deliveries have. */
static void bind_of_webhook(struct sql *s, const struct field *f, const struct value *v)
{
	switch (f->type) {
	case FIELD_EVENTS:
	case FIELD_ATTEMPTS:
		sql_json(s, v->null ? NULL : v->text, v->len);
		break;
	case FIELD_SEALED:
		sql_bytea(s, v->null ? NULL : v->text, v->len);
		break;
	case FIELD_COUNT:
		sql_int8(s, v->number);
		break;
	case FIELD_EVENT_ID:
		sql_uuid(s, v->null ? NULL : &v->id);
		break;
	default: /* not written */
		break;
	}
}

void record_bind(struct sql *s, const struct field *f, const struct value *v)
{
	switch (f->type) {
	case FIELD_TEXT:
	case FIELD_CHOICE:
	case FIELD_RULE:
	case FIELD_ACTIVITY:
	case FIELD_URL:
		sql_text(s, v->null ? NULL : v->text, v->len);
		break;
	case FIELD_DECIMAL:
		sql_numeric(s, v->null ? NULL : v->text);
		break;
	case FIELD_CUSTOM:
		sql_json(s, v->null ? NULL : v->text, v->len);
		break;
	case FIELD_DATE:
		v->null ? sql_date_null(s) : sql_date(s, (int32_t)v->number);
		break;
	case FIELD_YEAR:
	case FIELD_CLOCK:
		v->null ? sql_int4_null(s) : sql_int4(s, (int32_t)v->number);
		break;
	case FIELD_TIME:
		v->null ? sql_time_null(s) : sql_time(s, v->number);
		break;
	case FIELD_FLAG:
		sql_bool(s, v->number != 0);
		break;
	case FIELD_ID:
	case FIELD_USER:
	case FIELD_USER_ID:
	case FIELD_AUTHOR:
	case FIELD_FROM:
	case FIELD_HIDDEN_ID:
		sql_uuid(s, v->null ? NULL : &v->id);
		break;
	case FIELD_TEXTS:
		sql_text_array(s, v->items, v->lens, v->n_items);
		break;
	case FIELD_GROUPS:
	case FIELD_COMPANIES:
	case FIELD_PEOPLE:
	case FIELD_USERS:
		sql_uuid_array(s, v->ids, v->n_ids);
		break;
	case FIELD_ENTITY:
		sql_uuid(s, &v->entity);
		break;
	case FIELD_PARENT:
		sql_uuid(s, v->null ? NULL : &v->parent);
		break;
	case FIELD_WORDS:
		sql_int8_array(s, v->hashes, v->n_hashes);
		break;
	default:
		bind_of_webhook(s, f, v);
		break;
	}
}

void record_insert(struct sql *s, const struct record *rec)
{
	const struct resource *res = rec->resource;

	sql_add(s, "insert into ");
	sql_add(s, res->table);
	sql_add(s, " (workspace_id");
	for (int i = 0; i < res->n_fields; i++) {
		if (!written(&res->fields[i]))
			continue;
		sql_add(s, ", ");
		sql_add(s, res->fields[i].column);
		if (res->fields[i].type == FIELD_ENTITY)
			sql_add(s, ", entity_type");
	}
	sql_add(s, ") values ($1");
	for (int i = 0; i < res->n_fields; i++) {
		if (!written(&res->fields[i]))
			continue;
		sql_add(s, ", ");
		record_bind(s, &res->fields[i], &rec->values[i]);
		if (res->fields[i].type == FIELD_ENTITY) {
			sql_add(s, ", ");
			sql_textz(s, rec->values[i].kind->type);
		}
	}
	sql_add(s, ")");
}

void record_update(struct sql *s, const struct record *rec, field_set set)
{
	const struct resource *res = rec->resource;
	const char *comma = "";

	sql_add(s, "update ");
	sql_add(s, res->table);
	sql_add(s, " t set ");
	for (int i = 0; i < res->n_fields; i++) {
		if (!(set & FIELD_BIT(i)) || !written(&res->fields[i]))
			continue;
		sql_add(s, comma);
		sql_add(s, res->fields[i].column);
		sql_add(s, " = ");
		record_bind(s, &res->fields[i], &rec->values[i]);
		if (res->fields[i].type == FIELD_ENTITY) {
			sql_add(s, ", entity_type = ");
			sql_textz(s, rec->values[i].kind->type);
		}
		comma = ", ";
	}
	sql_add(s, " where t.workspace_id = $1 and t.id = ");
	sql_uuid(s, &rec->values[0].id); /* every resource's first field is its id */
}
