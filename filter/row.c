/* Tests of rows; see condition.h. */
#include "filter/condition.h"

#include <string.h>

#include "filter/search.h"

const char *row_alias(const struct filter_condition *f)
{
	return f->relation ? "r" : "t";
}

/* --- lists in a column ----------------------------------------------------------------- */

/* E-mail addresses ignoring case, telephone numbers by their digits. For addresses the text of all items is searched
 * first, which is faster than comparing the items. */
static void equal_item(const struct filter_sql *to, const struct filter_condition *f, const char *list)
{
	enum filter_type type = f->field->type;
	const char *items = type == FILTER_EMAILS ? "kith_fold_items" : type == FILTER_PHONES ? "kith_phone_keys" : "";

	if (type == FILTER_EMAILS) {
		value_in_text_sql(to->s, f, arena_printf(to->s->arena, "array_to_string(%s, e'\\n')", list));
		sql_add(to->s, " and ");
	}
	sql_addf(to->s, "%s(%s) && %s(", items, list, items);
	value_texts_sql(to->s, f);
	sql_add(to->s, ")");
}

static void like_item(const struct filter_sql *to, const struct filter_condition *f, const char *list)
{
	bool broken = false;

	value_in_text_sql(to->s, f, arena_printf(to->s->arena, "array_to_string(%s, e'\\n')", list));
	/* A value with a line break might span two items. */
	for (size_t i = 0; i < f->n_values; i++)
		broken |= memchr(f->values[i].text, '\n', f->values[i].len) != NULL;
	if (!broken)
		return;
	sql_addf(to->s, " and exists (select from unnest(%s) i where ", list);
	value_in_text_sql(to->s, f, "i");
	sql_add(to->s, ")");
}

/* The ids that are treated as absent are left out. */
static void row_list_of_ids(
    const struct filter_sql *to, const struct filter_condition *f, enum filter_op op, const char *list)
{
	struct value_ids absent = value_absent(to->viewer, f), ids = value_ids(to, f);

	if (op == FILTER_NOT_EMPTY) {
		sql_addf(to->s, "not %s <@ ", list);
		sql_uuid_array(to->s, absent.ids, absent.n);
	} else if (ids.n == 0) {
		sql_add(to->s, "false");
	} else if (op == FILTER_ALL) {
		sql_addf(to->s, "%s @> ", list);
		sql_uuid_array(to->s, ids.ids, ids.n);
		sql_addf(to->s, " and %s <@ (", list);
		sql_again(to->s, to->s->n_params);
		sql_add(to->s, " || ");
		sql_uuid_array(to->s, absent.ids, absent.n);
		sql_add(to->s, ")");
	} else {
		sql_addf(to->s, "%s && ", list);
		sql_uuid_array(to->s, ids.ids, ids.n);
	}
}

static void row_column(const struct filter_sql *to, const struct filter_condition *f, enum filter_op op)
{
	const char *name = arena_printf(to->s->arena, "%s.%s", row_alias(f), f->field->column);

	if (!value_is_list(f->field->type))
		value_fits_sql(to, f, op, name);
	else if (value_is_ids(f->field->type))
		row_list_of_ids(to, f, op, name);
	else if (op == FILTER_NOT_EMPTY)
		sql_addf(to->s, "%s <> '{}'", name);
	else if (op == FILTER_EQ)
		equal_item(to, f, name);
	else
		like_item(to, f, name);
}

/* --- values of custom fields -------------------------------------------------------------- */

/* " from …" of one record's values: a separate look-up for each record, so that a scan of the list reads nothing in
 * advance. */
static void row_own_values(const struct filter_sql *to, const struct filter_condition *f)
{
	sql_addf(to->s, " from field_values v where v.workspace_id = $1 and v.owner_id = %s.id and ", row_alias(f));
	value_custom_sql(to, f);
}

/* All of the given ids, and no others. */
static void custom_all(const struct filter_sql *to, const struct filter_condition *f)
{
	sql_add(to->s, "(select ");
	row_list_of_ids(to, f, FILTER_ALL, "a");
	sql_add(to->s, " from (select array(select v.ref_id");
	row_own_values(to, f);
	sql_add(to->s, ") as a offset 0) v)");
}

/* Values are always found by their owner: "offset 0" keeps the planner from using another index. */
static void row_custom(const struct filter_sql *to, const struct filter_condition *f, enum filter_op op)
{
	sql_add(to->s, "(select true from (select v.*");
	row_own_values(to, f);
	sql_add(to->s, " offset 0) v where ");
	value_fits_sql(to, f, op, value_custom_column(f->field->type));
	sql_add(to->s, " limit 1)");
}

/* The viewer's last interaction with a person, from the person's row: the times follow the counts of all users, in
 * the users' order. In milliseconds, null without interactions. */
static void met_by_viewer(const struct filter_sql *to, const struct filter_condition *f, enum filter_op op)
{
	const char *a = row_alias(f);

	sql_addf(to->s,
	    "(select true from (values (to_timestamp(%s.interaction_numbers[cardinality(%s.interaction_users) + "
	    "array_position(%s.interaction_users, ",
	    a, a, a);
	sql_uuid(to->s, &to->viewer->user);
	sql_add(to->s, ")] / 1000.0))) m (at) where ");
	value_fits_sql(to, f, op, "m.at");
	sql_add(to->s, ")");
}

/* --- all of it ------------------------------------------------------------------------------ */

void row_condition(const struct filter_sql *to, const struct filter_condition *f)
{
	enum filter_op op = value_positive(f->op);

	if (f->op == FILTER_EMPTY && (f->field->indexed & 1u << FILTER_EMPTY)) {
		/* the expression of the index */
		sql_addf(to->s, "%s.%s %s", row_alias(f), f->field->column,
		    value_is_list(f->field->type) ? "= '{}'" : "is null");
		return;
	}
	sql_add(to->s, op == f->op ? "" : "(");
	if (f->field->source == FILTER_CUSTOM && op == FILTER_ALL)
		custom_all(to, f);
	else if (f->field->source == FILTER_CUSTOM)
		row_custom(to, f, op);
	else if (f->field->source == FILTER_MET_BY)
		met_by_viewer(to, f, op);
	else if (f->field->source == FILTER_MONTH)
		value_fits_sql(
		    to, f, op, arena_printf(to->s->arena, "extract(month from %s.%s)", row_alias(f), f->field->column));
	else
		row_column(to, f, op);
	sql_add(to->s, op == f->op ? "" : ") is not true");
}

static void write_condition(const struct filter_sql *to, const struct filter_condition *f)
{
	const struct filter_relation *l = f->relation;

	/* Any linked record may match; looked up as in row_custom(). */
	if (l)
		sql_addf(to->s,
		    "(select true from (select l.%s from %s l where l.workspace_id = $1 and l.%s = t.id offset 0) l, "
		    "%s r where r.workspace_id = $1 and r.id = l.%s and ",
		    l->link.other, l->link.table, l->link.owner, l->target->resource->table, l->link.other);
	row_condition(to, f);
	if (l)
		sql_add(to->s, " limit 1)");
}

void row_tree(const struct filter_sql *to, const struct filter *f)
{
	bool all = f->kind == FILTER_ALL_OF;

	if (f->kind == FILTER_ONE && f->condition->search) {
		search_row_sql(to, f->condition->search, f->condition->search->in->text);
		return;
	}
	if (f->kind == FILTER_ONE) {
		write_condition(to, f->condition);
		return;
	}
	if (f->n_parts == 0)
		sql_add(to->s, all ? "true" : "false");
	sql_add(to->s, f->n_parts > 1 ? "(" : "");
	for (size_t i = 0; i < f->n_parts; i++) {
		sql_add(to->s, i == 0 ? "" : all ? " and " : " or ");
		row_tree(to, f->parts[i]);
	}
	sql_add(to->s, f->n_parts > 1 ? ")" : "");
}

/* --- how long it takes -------------------------------------------------------------------------- */

static int condition_cost(const struct filter_condition *f)
{
	enum filter_op op = value_positive(f->op);
	enum filter_type type = f->field->type;
	bool folds = op == FILTER_EQ && (type == FILTER_EMAILS || type == FILTER_PHONES);
	int n = (int)f->n_values, values = op == FILTER_LIKE ? n : n / 10;

	return 1 + values + 2 * folds + 4 * (f->field->source == FILTER_CUSTOM) + (f->field->source == FILTER_MET_BY) +
	       8 * (f->relation != NULL);
}

int row_cost(const struct filter *f)
{
	int sum = 0;

	if (f->kind == FILTER_ONE)
		return f->condition->search ? search_cost(f->condition->search) : condition_cost(f->condition);
	for (size_t i = 0; i < f->n_parts; i++)
		sum += row_cost(f->parts[i]);
	return sum;
}
