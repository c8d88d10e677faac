/* Values of conditions in SQL; see condition.h. */
#include "filter/condition.h"

#include <string.h>

enum filter_op value_positive(enum filter_op op)
{
	static const enum filter_op denied[FILTER_OPS] = {[FILTER_NOT_EQ] = FILTER_EQ,
	    [FILTER_NOT_LIKE] = FILTER_LIKE,
	    [FILTER_NOT_IN] = FILTER_IN,
	    [FILTER_EMPTY] = FILTER_NOT_EMPTY};

	return denied[op] ? denied[op] : op;
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

struct value_ids value_absent(const struct filter_viewer *v, const struct filter_condition *f)
{
	unsigned kinds = f->field->type == FILTER_REFS ? f->field->kinds : 0;

	if (kinds & (1u << ID_PERSON | 1u << ID_COMPANY))
		return (struct value_ids){v->deleted_contacts, v->n_deleted_contacts};
	if (kinds & 1u << ID_GROUP)
		return (struct value_ids){v->hidden, v->n_hidden};
	return (struct value_ids){f->custom.removed, f->custom.n_removed};
}

struct value_ids value_ids(const struct filter_sql *to, const struct filter_condition *f)
{
	struct uuid *ids = arena_alloc(to->s->arena, (f->n_values + 1) * sizeof *ids);
	struct value_ids absent = value_absent(to->viewer, f), out = {.ids = ids};

	for (size_t i = 0; i < f->n_values; i++) {
		const struct filter_value *value = &f->values[i];
		if (!value->unknown && !uuid_in(absent.ids, absent.n, &value->id)) {
			if (!uuid_in(out.ids, out.n, &value->id))
				ids[out.n++] = value->id;
		} else if (f->op == FILTER_ALL) {
			return (struct value_ids){.n = 0};
		}
	}
	return out;
}

void value_ids_sql(struct sql *s, const char *column, const struct value_ids *ids)
{
	if (ids->n == 0) {
		sql_add(s, "false");
	} else if (ids->n == 1) {
		sql_addf(s, "%s = ", column);
		sql_uuid(s, &ids->ids[0]);
	} else {
		sql_addf(s, "%s = any (", column);
		sql_uuid_array(s, ids->ids, ids->n);
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

void value_in_text_sql(struct sql *s, const struct filter_condition *f, const char *text)
{
	for (size_t i = 0; i < f->n_values; i++) {
		/* strpos() instead of LIKE, in which '%' has a meaning. */
		sql_addf(s, "%sstrpos(kith_fold(%s), kith_fold(", i ? " or " : f->n_values > 1 ? "(" : "", text);
		sql_text(s, f->values[i].text, f->values[i].len);
		sql_add(s, ")) > 0");
	}
	sql_add(s, f->n_values > 1 ? ")" : "");
}

/* In a fixed set of words, one word may mean unset. */
static void value_text_equals(struct sql *s, const struct filter_condition *f, const char *value)
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

static void value_bound(struct sql *s, enum filter_type type, const struct filter_value *v, bool end)
{
	if (type == FILTER_NUMBER)
		sql_numeric(s, v->text);
	else if (type == FILTER_DATE)
		sql_date(s, v->day);
	else
		sql_time(s, end ? v->to_ms : v->from_ms);
}

/* Integer columns are compared as numbers: 1999.5 is between two years. A value of an instant covers [from, to): gt
 * means at or after its end. */
static void value_compared(struct sql *s, const struct filter_condition *f, enum filter_op op, const char *value)
{
	enum filter_type type = f->field->type;
	bool covers = type == FILTER_DAY || type == FILTER_INSTANT;
	const char *cast = type == FILTER_NUMBER ? "::numeric" : "";
	const char *sign = op == FILTER_LT ? "<" : covers ? ">=" : op == FILTER_GT ? ">" : "=";

	for (size_t i = 0; i < f->n_values; i++) {
		sql_addf(s, "%s%s%s %s ", i ? " or " : "(", value, cast, sign);
		value_bound(s, type, &f->values[i], op == FILTER_GT);
		if (covers && op == FILTER_EQ) {
			sql_addf(s, " and %s < ", value);
			value_bound(s, type, &f->values[i], true);
		}
	}
	sql_add(s, ")");
}

void value_fits_sql(const struct filter_sql *to, const struct filter_condition *f, enum filter_op op, const char *value)
{
	struct sql *s = to->s;
	enum filter_type type = f->field->type;

	if (op == FILTER_NOT_EMPTY) {
		sql_addf(s, type == FILTER_TEXT ? "%s <> ''" : "%s is not null", value);
	} else if (value_is_ids(type)) {
		struct value_ids ids = value_ids(to, f);
		value_ids_sql(s, value, &ids);
	} else if (op == FILTER_LIKE) {
		value_in_text_sql(s, f, value);
	} else if (type == FILTER_TEXT || type == FILTER_CHOICE) {
		value_text_equals(s, f, value);
	} else {
		value_compared(s, f, op, value);
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

void value_custom_sql(const struct filter_sql *to, const struct filter_condition *f)
{
	struct sql *s = to->s;
	const struct filter_viewer *v = to->viewer;
	struct value_ids absent = value_absent(v, f);

	sql_add_uuid(s, "v.field_id = ", &f->custom.id);
	if (absent.n) {
		sql_add_uuid_array(s, " and v.ref_id <> all (", absent.ids, absent.n);
		sql_add(s, ")");
	}
	/* Objects are hidden with their groups and types. */
	if (f->field->kinds == 1u << ID_OBJECT && (v->n_hidden || v->n_removed_types)) {
		sql_add(s, " and exists (select from objects o where o.workspace_id = $1 and o.id = v.ref_id and "
		           "o.group_id <> all (");
		sql_uuid_array(s, v->hidden, v->n_hidden);
		sql_add_uuid_array(s, ") and o.type_id <> all (", v->removed_types, v->n_removed_types);
		sql_add(s, "))");
	}
}
