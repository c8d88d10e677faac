/* Values of conditions in SQL; see value.h. */
#include "filter/value.h"

#include <string.h>

enum filter_op value_positive(enum filter_op op)
{
	switch (op) {
	case FILTER_NOT_EQ:
		return FILTER_EQ;
	case FILTER_NOT_LIKE:
		return FILTER_LIKE;
	case FILTER_NOT_IN:
		return FILTER_IN;
	case FILTER_EMPTY:
		return FILTER_NOT_EMPTY;
	default:
		return op;
	}
}

bool value_is_list(enum filter_type type)
{
	return type == FILTER_TEXTS || type == FILTER_EMAILS || type == FILTER_PHONES || type == FILTER_USERS ||
	       type == FILTER_REFS;
}

bool value_is_ids(enum filter_type type)
{
	return type >= FILTER_USER;
}

/* --- ids ------------------------------------------------------------------------------- */

struct value_absent value_absent(const struct filter_viewer *v, const struct filter_field *f)
{
	if (f->type != FILTER_REFS || !v)
		return (struct value_absent){.n = 0};
	if (f->any_contact || f->id_kind == ID_PERSON || f->id_kind == ID_COMPANY)
		return (struct value_absent){v->gone_contacts, v->n_gone_contacts};
	if (f->id_kind == ID_GROUP)
		return (struct value_absent){v->hidden, v->n_hidden};
	return (struct value_absent){.n = 0};
}

static bool is_among(const struct uuid *ids, size_t n, const struct uuid *id)
{
	for (size_t i = 0; i < n; i++)
		if (uuid_equal(&ids[i], id))
			return true;
	return false;
}

struct value_ids value_ids(struct arena *a, const struct filter_viewer *v, const struct filter_condition *f)
{
	struct value_absent absent = value_absent(v, f->field);
	struct value_ids out = {.all = true};

	out.ids = arena_alloc(a, (f->n_values + 1) * sizeof *out.ids);
	for (size_t i = 0; i < f->n_values; i++) {
		const struct filter_value *value = &f->values[i];
		if (value->nobody || is_among(absent.ids, absent.n, &value->id))
			out.all = false;
		else if (!is_among(out.ids, out.count, &value->id))
			out.ids[out.count++] = value->id;
	}
	return out;
}

void value_ids_sql(struct sql *s, const char *column, const struct value_ids *ids)
{
	if (ids->count == 0) {
		sql_add(s, "false");
	} else if (ids->count == 1) {
		sql_addf(s, "%s = ", column);
		sql_uuid(s, &ids->ids[0]);
	} else {
		sql_addf(s, "%s = any (", column);
		sql_uuid_array(s, ids->ids, ids->count);
		sql_add(s, ")");
	}
}

/* --- texts ------------------------------------------------------------------------------ */

void value_texts_sql(struct sql *s, const struct filter_condition *f)
{
	const char **items = arena_alloc(s->arena, (f->n_values + 1) * sizeof *items);
	size_t *lens = arena_alloc(s->arena, (f->n_values + 1) * sizeof *lens);

	for (size_t i = 0; i < f->n_values; i++) {
		items[i] = f->values[i].text;
		lens[i] = f->values[i].len;
	}
	sql_text_array(s, items, lens, f->n_values);
}

/* ASCII without letters is the same in capitals and small letters, and no letter folds to a part of it. */
static bool is_caseless(const struct filter_value *v)
{
	for (size_t i = 0; i < v->len; i++) {
		unsigned char c = (unsigned char)v->text[i];
		if (c >= 0x80 || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
			return false;
	}
	return true;
}

void value_in_text_sql(struct sql *s, const struct filter_condition *f, const char *text)
{
	for (size_t i = 0; i < f->n_values; i++) {
		const struct filter_value *v = &f->values[i];
		bool fold = !is_caseless(v);
		sql_add(s, i ? " or " : "(");
		/* No pattern, in which '%' had a meaning. */
		sql_addf(s, fold ? "strpos(kith_fold(%s), kith_fold(" : "strpos(%s, ", text);
		sql_text(s, v->text, v->len);
		sql_add(s, fold ? ")) > 0" : ") > 0");
	}
	sql_add(s, ")");
}

/* Of a fixed set of words one may stand for unset. */
static void text_equals(struct sql *s, const struct filter_condition *f, const char *value)
{
	bool unset = false;

	for (size_t i = 0; i < f->n_values && f->field->unset; i++)
		unset |= strcmp(f->values[i].text, f->field->unset) == 0;
	sql_addf(s, "(%s = any (", value);
	value_texts_sql(s, f);
	sql_add(s, ")");
	if (unset)
		sql_addf(s, " or %s is null", value);
	sql_add(s, ")");
}

/* --- numbers and times ------------------------------------------------------------------- */

static void bound(struct sql *s, enum filter_type type, const struct filter_value *v, bool end)
{
	if (type == FILTER_NUMBER)
		sql_numeric(s, v->text);
	else if (type == FILTER_DATE)
		sql_date(s, v->day);
	else
		sql_time(s, end ? v->to_ms : v->from_ms);
}

/* An integer column compares as the number that it is: 1999.5 lies between two years. A value of an instant covers
 * [from, to): greater is what lies at its end or later. */
static void compared(struct sql *s, const struct filter_condition *f, enum filter_op op, const char *value)
{
	enum filter_type type = f->field->type;
	bool instant = type == FILTER_DAY || type == FILTER_INSTANT;
	const char *cast = type == FILTER_NUMBER ? "::numeric" : "", *sign = op == FILTER_LT   ? "<"
	                                                                     : instant         ? ">="
	                                                                     : op == FILTER_GT ? ">"
	                                                                                       : "=";

	for (size_t i = 0; i < f->n_values; i++) {
		sql_addf(s, "%s%s%s %s ", i ? " or " : "(", value, cast, sign);
		bound(s, type, &f->values[i], op == FILTER_GT);
		if (instant && op == FILTER_EQ) {
			sql_addf(s, " and %s < ", value);
			bound(s, type, &f->values[i], true);
		}
	}
	sql_add(s, ")");
}

void value_fits_sql(struct sql *s, const struct filter_viewer *v, const struct filter_condition *f, enum filter_op op,
    const char *value)
{
	enum filter_type type = f->field->type;
	bool text = type == FILTER_TEXT;

	if (op == FILTER_NOT_EMPTY) {
		sql_addf(s, text ? "%s <> ''" : "%s is not null", value);
	} else if (value_is_ids(type)) {
		struct value_ids ids = value_ids(s->arena, v, f);
		value_ids_sql(s, value, &ids);
	} else if (op == FILTER_LIKE) {
		value_in_text_sql(s, f, value);
	} else if (text || type == FILTER_CHOICE) {
		text_equals(s, f, value);
	} else {
		compared(s, f, op, value);
	}
}

/* --- custom values ------------------------------------------------------------------------ */

const char *value_custom_column(enum filter_type type)
{
	return type == FILTER_TEXT     ? "v.text_value"
	       : type == FILTER_NUMBER ? "v.number_value"
	       : type == FILTER_DATE   ? "v.date_value"
	                               : "v.ref_id";
}

static bool names_objects(const struct filter_viewer *v, const struct filter_field *f)
{
	return f->type == FILTER_REFS && f->id_kind == ID_OBJECT && v && (v->n_hidden || v->n_removed_types);
}

bool value_custom_hides(const struct filter_viewer *v, const struct filter_condition *f)
{
	return f->n_gone || value_absent(v, f->field).n || names_objects(v, f->field);
}

void value_custom_sql(struct sql *s, const struct filter_viewer *v, const struct filter_condition *f)
{
	struct value_absent absent = value_absent(v, f->field);

	sql_add(s, "v.workspace_id = $1 and v.field_id = ");
	sql_uuid(s, &f->custom);
	if (f->n_gone || absent.n) {
		sql_add(s, " and v.ref_id <> all (");
		sql_uuid_array(s, f->n_gone ? f->gone : absent.ids, f->n_gone ? f->n_gone : absent.n);
		sql_add(s, ")");
	} else if (names_objects(v, f->field)) {
		sql_add(s, " and exists (select from objects o where o.workspace_id = $1 and o.id = v.ref_id and "
		           "o.group_id <> all (");
		sql_uuid_array(s, v->hidden, v->n_hidden);
		sql_add(s, ") and o.type_id <> all (");
		sql_uuid_array(s, v->removed_types, v->n_removed_types);
		sql_add(s, "))");
	}
}
