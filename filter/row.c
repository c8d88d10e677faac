/* Tests of rows; see row.h. */
#include "filter/row.h"

#include <string.h>

#include "filter/value.h"

/* --- lists in a column ----------------------------------------------------------------- */

/* E-mail addresses ignoring case, telephone numbers by their digits. For addresses the text of all items is searched
 * first, which is faster than comparing the items. */
static void equal_item(const struct filter_row *r, const struct filter_condition *f, const char *list)
{
	enum filter_type type = f->field->type;
	const char *items = type == FILTER_EMAILS ? "kith_fold_items" : type == FILTER_PHONES ? "kith_phone_keys" : "";

	if (type == FILTER_EMAILS) {
		value_in_text_sql(r->s, f, arena_printf(r->s->arena, "array_to_string(%s, e'\\n')", list));
		sql_add(r->s, " and ");
	}
	sql_addf(r->s, "%s(%s) && %s(", items, list, items);
	value_texts_sql(r->s, f);
	sql_add(r->s, ")");
}

static void like_item(const struct filter_row *r, const struct filter_condition *f, const char *list)
{
	bool broken = false;

	value_in_text_sql(r->s, f, arena_printf(r->s->arena, "array_to_string(%s, e'\\n')", list));
	/* A value with a line break might span two items. */
	for (size_t i = 0; i < f->n_values; i++)
		broken |= memchr(f->values[i].text, '\n', f->values[i].len) != NULL;
	if (!broken)
		return;
	sql_addf(r->s, " and exists (select from unnest(%s) i where ", list);
	value_in_text_sql(r->s, f, "i");
	sql_add(r->s, ")");
}

/* The ids that are treated as absent are left out. */
static void list_of_ids(
    const struct filter_row *r, const struct filter_condition *f, enum filter_op op, const char *list)
{
	struct value_ids absent = value_absent(r->viewer, f), ids = value_ids(r->s->arena, r->viewer, f);

	if (op == FILTER_NOT_EMPTY) {
		sql_addf(r->s, "not %s <@ ", list);
		sql_uuid_array(r->s, absent.ids, absent.n);
	} else if (ids.n == 0) {
		sql_add(r->s, "false");
	} else if (op == FILTER_ALL) {
		sql_addf(r->s, "%s @> ", list);
		sql_uuid_array(r->s, ids.ids, ids.n);
		sql_addf(r->s, " and %s <@ (", list);
		sql_again(r->s, r->s->n_params);
		sql_add(r->s, " || ");
		sql_uuid_array(r->s, absent.ids, absent.n);
		sql_add(r->s, ")");
	} else {
		sql_addf(r->s, "%s && ", list);
		sql_uuid_array(r->s, ids.ids, ids.n);
	}
}

static void row_column(const struct filter_row *r, const struct filter_condition *f, enum filter_op op)
{
	const char *name = arena_printf(r->s->arena, "%s.%s", r->alias, f->field->column);

	if (!value_is_list(f->field->type))
		value_fits_sql(r->s, r->viewer, f, op, name);
	else if (value_is_ids(f->field->type))
		list_of_ids(r, f, op, name);
	else if (op == FILTER_NOT_EMPTY)
		sql_addf(r->s, "%s <> '{}'", name);
	else if (op == FILTER_EQ)
		equal_item(r, f, name);
	else
		like_item(r, f, name);
}

/* --- values of custom fields -------------------------------------------------------------- */

/* " from …" of one record's values: a separate look-up for each record, so that a scan of the list reads nothing in
 * advance. */
static void own_values(const struct filter_row *r, const struct filter_condition *f)
{
	sql_addf(r->s, " from field_values v where v.workspace_id = $1 and v.owner_id = %s.id and ", r->alias);
	value_custom_sql(r->s, r->viewer, f);
}

/* All of the given ids, and no others. */
static void custom_all(const struct filter_row *r, const struct filter_condition *f)
{
	struct value_ids ids = value_ids(r->s->arena, r->viewer, f);

	if (ids.n == 0) {
		sql_add(r->s, "false");
		return;
	}
	sql_add(r->s, "(select a @> ");
	sql_uuid_array(r->s, ids.ids, ids.n);
	sql_add(r->s, " and a <@ ");
	sql_again(r->s, r->s->n_params);
	sql_add(r->s, " from (select array(select v.ref_id");
	own_values(r, f);
	sql_add(r->s, ") as a offset 0) v)");
}

/* Values are always found by their owner: "offset 0" keeps the planner from using another index. */
static void row_custom(const struct filter_row *r, const struct filter_condition *f, enum filter_op op)
{
	sql_add(r->s, "(select true from (select v.*");
	own_values(r, f);
	sql_add(r->s, " offset 0) v where ");
	if (op == FILTER_NOT_EMPTY)
		sql_add(r->s, "true");
	else
		value_fits_sql(r->s, r->viewer, f, op, value_custom_column(f->field->type));
	sql_add(r->s, " limit 1)");
}

/* The viewer's last interaction with a person, from the person's row: the times follow the counts of all users, in
 * the users' order. In milliseconds, null without interactions. */
static void met_by_viewer(const struct filter_row *r, const struct filter_condition *f, enum filter_op op)
{
	const char *a = r->alias;

	sql_addf(r->s,
	    "(select true from (values (to_timestamp(%s.interaction_numbers[cardinality(%s.interaction_users) + "
	    "array_position(%s.interaction_users, ",
	    a, a, a);
	sql_uuid(r->s, &r->viewer->user);
	sql_add(r->s, ")] / 1000.0))) m (at) where ");
	value_fits_sql(r->s, r->viewer, f, op, "m.at");
	sql_add(r->s, ")");
}

/* --- all of it ------------------------------------------------------------------------------ */

void row_condition(const struct filter_row *r, const struct filter_condition *f)
{
	enum filter_op op = value_positive(f->op);

	if (f->op == FILTER_EMPTY && (f->field->indexed & 1u << FILTER_EMPTY)) {
		/* the expression of the index */
		sql_addf(
		    r->s, "%s.%s %s", r->alias, f->field->column, value_is_list(f->field->type) ? "= '{}'" : "is null");
		return;
	}
	sql_add(r->s, op == f->op ? "" : "(");
	if (f->field->source == FILTER_CUSTOM && op == FILTER_ALL)
		custom_all(r, f);
	else if (f->field->source == FILTER_CUSTOM)
		row_custom(r, f, op);
	else if (f->field->source == FILTER_MET_BY)
		met_by_viewer(r, f, op);
	else
		row_column(r, f, op);
	sql_add(r->s, op == f->op ? "" : ") is not true");
}

static void write_condition(const struct filter_row *r, const struct filter_condition *f)
{
	const struct filter_relation *l = f->relation;
	struct filter_row related = {.s = r->s, .viewer = r->viewer, .alias = "r"};

	if (!l) {
		row_condition(r, f);
		return;
	}
	/* Any linked record may match; looked up as in row_custom(). */
	sql_addf(r->s,
	    "(select true from (select l.%s from %s l where l.workspace_id = $1 and l.%s = %s.id offset 0) l, %s r "
	    "where r.workspace_id = $1 and r.id = l.%s and ",
	    l->link.other, l->link.table, l->link.owner, r->alias, l->target->resource->table, l->link.other);
	row_condition(&related, f);
	sql_add(r->s, " limit 1)");
}

void row_tree(const struct filter_row *r, const struct filter *f)
{
	bool all = f->kind == FILTER_ALL_OF;

	if (f->kind == FILTER_ONE) {
		write_condition(r, f->condition);
		return;
	}
	if (f->n_parts == 0)
		sql_add(r->s, all ? "true" : "false");
	sql_add(r->s, f->n_parts > 1 ? "(" : "");
	for (size_t i = 0; i < f->n_parts; i++) {
		sql_add(r->s, i == 0 ? "" : all ? " and " : " or ");
		row_tree(r, f->parts[i]);
	}
	sql_add(r->s, f->n_parts > 1 ? ")" : "");
}

/* --- how long it takes -------------------------------------------------------------------------- */

static int condition_cost(const struct filter_condition *f)
{
	enum filter_op op = value_positive(f->op);
	enum filter_type type = f->field->type;
	int n = (int)f->n_values, cost = 1 + (op == FILTER_LIKE ? n : n / 10);

	if (op == FILTER_EQ && (type == FILTER_EMAILS || type == FILTER_PHONES))
		cost += 2;
	if (f->field->source == FILTER_CUSTOM)
		cost += 4;
	return cost + (f->field->source == FILTER_MET_BY) + (f->relation ? 8 : 0);
}

int row_cost(const struct filter *f)
{
	int sum = 0;

	if (f->kind == FILTER_ONE)
		return condition_cost(f->condition);
	for (size_t i = 0; i < f->n_parts; i++)
		sum += row_cost(f->parts[i]);
	return sum;
}
