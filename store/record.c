/* Records and rows. Special cases of a resource are in its own file. */
#include "store/record.h"

#include <string.h>

#include "store/field_type.h"

static bool field_selected(const struct field *f)
{
	return f->column && field_storages[f->type].load;
}

static bool field_written(const struct field *f)
{
	return f->column && field_storages[f->type].bind;
}

/* True when a page of a hundred such values could be far too large. */
static bool field_large(const struct field *f)
{
	enum { LARGE = 64 << 10, UTF8_MOST = 4 };

	if (f->type == FIELD_TEXTS)
		return f->max * f->item_max * UTF8_MOST > LARGE;
	return field_storages[f->type].is_long || (f->type == FIELD_TEXT && f->max * UTF8_MOST > LARGE);
}

/* within 0: values of any size. */
static void columns_within(struct sql *s, const struct resource *res, int within, field_set without)
{
	const char *comma = "";

	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		const struct field_storage *type = &field_storages[f->type];
		if (!field_selected(f))
			continue;
		if (without & FIELD_BIT(i)) {
			for (int n = 0; n < type->columns; n++)
				sql_add(s, ", null");
			continue;
		}
		if (within && field_large(f)) {
			sql_addf(
			    s, ", case when pg_column_size(t.%s) < %d then t.%s end", f->column, within, f->column);
			continue;
		}
		/* Every read passes here; printf would take a tenth of its time. */
		sql_add(s, comma);
		sql_add(s, type->read[0] ? type->read[0] : "t.");
		sql_add(s, f->column);
		if (type->read[1])
			sql_add(s, type->read[1]);
		comma = ", ";
		if (type->select_more)
			type->select_more(s, f);
	}
}

void record_columns(struct sql *s, const struct resource *res)
{
	columns_within(s, res, 0, 0);
}

void record_columns_within(struct sql *s, const struct resource *res, int bytes)
{
	const char * or = "";

	columns_within(s, res, bytes, 0);
	sql_add(s, ", case when ");
	for (int i = 0; i < res->n_fields; i++) {
		if (!field_selected(&res->fields[i]) || !field_large(&res->fields[i]))
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
	columns_within(s, res, 0, without);
	sql_add(s, " from ");
	sql_add(s, res->table);
	sql_add(s, " t where t.workspace_id = $1");
}

/* Allocates only the fields of its resource, because a page has a hundred records. */
static struct record *record_alloc(const struct resource *res, struct arena *a)
{
	struct record *rec =
	    arena_alloc(a, offsetof(struct record, values) + (size_t)res->n_fields * sizeof *rec->values);

	rec->resource = res;
	return rec;
}

struct record *record_new(const struct resource *res, struct arena *a)
{
	struct record *rec = record_alloc(res, a);

	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		bool text = f->type == FIELD_TEXT && !(f->flags & FIELD_NULL_EMPTY);
		rec->values[i].null = !text && !field_storages[f->type].never_null;
		if (text)
			rec->values[i].text = "";
	}
	return rec;
}

struct record *record_load(
    const struct db_exchange *x, int statement, int row, const struct resource *res, struct arena *a)
{
	struct record *rec = record_alloc(res, a);
	struct field_cell cell = {.exchange = x, .statement = statement, .row = row, .arena = a};

	for (int i = 0; i < res->n_fields; i++) {
		const struct field_storage *type = &field_storages[res->fields[i].type];
		if (!field_selected(&res->fields[i])) {
			rec->values[i].null = true;
			continue;
		}
		type->load(&rec->values[i], &cell);
		cell.column += type->columns;
	}
	return rec;
}

struct record *record_copy(const struct record *old, struct arena *a)
{
	struct record *rec = record_alloc(old->resource, a);

	memcpy(rec->values, old->values, (size_t)old->resource->n_fields * sizeof *rec->values);
	return rec;
}

field_set record_touch(struct record *rec, int64_t now_ms)
{
	int stamp = rec->resource->stamp;
	struct value *v = &rec->values[stamp];
	int64_t now_us = now_ms * 1000;

	if (!stamp)
		return 0;
	*v = (struct value){.number = v->null || v->number < now_us ? now_us : v->number + 1};
	return FIELD_BIT(stamp);
}

void record_touch_sql(struct sql *s, int64_t now_ms)
{
	sql_add_time(s, "updated_at = greatest(t.updated_at + interval '1 microsecond', ", now_ms);
	sql_add(s, ")");
}

field_set record_diff(const struct record *old, const struct record *new)
{
	field_set set = 0;

	for (int i = 0; i < old->resource->n_fields; i++)
		if (!value_equal(old->resource->fields[i].type, &old->values[i], &new->values[i]))
			set |= FIELD_BIT(i);
	return set;
}

void record_insert(struct sql *s, const struct record *rec)
{
	const struct resource *res = rec->resource;

	sql_add(s, "insert into ");
	sql_add(s, res->table);
	sql_add(s, " (workspace_id");
	for (int i = 0; i < res->n_fields; i++) {
		const char *second = field_storages[res->fields[i].type].second;
		if (!field_written(&res->fields[i]))
			continue;
		sql_add(s, ", ");
		sql_add(s, res->fields[i].column);
		sql_add(s, second ? ", " : "");
		sql_add(s, second ? second : "");
	}
	sql_add(s, ") values ($1");
	for (int i = 0; i < res->n_fields; i++) {
		const struct field_storage *type = &field_storages[res->fields[i].type];
		if (!field_written(&res->fields[i]))
			continue;
		sql_add(s, ", ");
		type->bind(s, &rec->values[i]);
		if (type->second) {
			sql_add(s, ", ");
			type->bind_second(s, &rec->values[i]);
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
		const struct field_storage *type = &field_storages[res->fields[i].type];
		if (!(set & FIELD_BIT(i)) || !field_written(&res->fields[i]))
			continue;
		sql_add(s, comma);
		sql_add(s, res->fields[i].column);
		sql_add(s, " = ");
		type->bind(s, &rec->values[i]);
		if (type->second) {
			sql_addf(s, ", %s = ", type->second);
			type->bind_second(s, &rec->values[i]);
		}
		comma = ", ";
	}
	sql_add_uuid(s, " where t.workspace_id = $1 and t.id = ",
	    &rec->values[0].id); /* the first field of every resource is its id */
}
