/* Conditions and trees of them into SQL; see compile.h. */
#include "filter/compile.h"

#include <string.h>

#include "filter/compile_parts.h"

bool compile_is_list(const struct filter_field *f)
{
	switch (f->type) {
	case FILTER_TEXTS:
	case FILTER_EMAILS:
	case FILTER_PHONES:
	case FILTER_USERS:
	case FILTER_REFS:
		return true;
	default:
		return false;
	}
}

bool compile_is_met(const struct filter_field *f)
{
	return f->source == FILTER_COUNTS ||
	       (f->source == FILTER_COLUMN && strcmp(f->column, "last_interacted_at") == 0);
}

const char *compile_custom_column(enum filter_type type)
{
	return type == FILTER_TEXT     ? "v.text_value"
	       : type == FILTER_NUMBER ? "v.number_value"
	       : type == FILTER_DATE   ? "v.date_value"
	                               : "v.ref_id";
}

bool compile_custom_hides(const struct compile *c, const struct filter_condition *f)
{
	const struct filter_viewer *v = c->base->viewer;
	bool objects = f->field->type == FILTER_REFS && f->field->id_kind == ID_OBJECT;

	return f->n_gone || compile_absent(c, f->field).n || (objects && (v->n_hidden || v->n_removed_types));
}

/* " and …": a reference to an object that the viewer may not see, or what was removed, counts as absent. */
static void visible_only(const struct compile *c, const struct filter_condition *f)
{
	const struct filter_viewer *v = c->base->viewer;
	struct filter_absent absent = compile_absent(c, f->field);

	if (!compile_custom_hides(c, f))
		return;
	if (f->n_gone || absent.n) {
		sql_add(c->s, " and v.ref_id <> all (");
		sql_uuid_array(c->s, f->n_gone ? f->gone : absent.ids, f->n_gone ? f->n_gone : absent.n);
		sql_add(c->s, ")");
		return;
	}
	sql_add(c->s,
	    " and exists (select from objects o where o.workspace_id = $1 and o.id = v.ref_id and o.group_id <> all (");
	sql_uuid_array(c->s, v->hidden, v->n_hidden);
	sql_add(c->s, ") and o.type_id <> all (");
	sql_uuid_array(c->s, v->removed_types, v->n_removed_types);
	sql_add(c->s, "))");
}

void compile_custom_rows(const struct compile *c, const struct filter_condition *f)
{
	sql_add(c->s, "v.workspace_id = $1 and v.field_id = ");
	sql_uuid(c->s, &f->custom);
	visible_only(c, f);
}

static void custom_rows(const struct compile *c, const struct filter_condition *f)
{
	sql_addf(c->s, "exists (select from field_values v where v.owner_id = %s.id and ", c->alias);
	compile_custom_rows(c, f);
}

/* The set of values equals the given one: each is there, and no other. */
static void custom_all(const struct compile *c, const struct filter_condition *f)
{
	struct filter_ids ids = compile_ids(c, f);

	if (!ids.all) {
		sql_add(c->s, "false");
		return;
	}
	for (size_t i = 0; i < ids.count; i++) {
		custom_rows(c, f);
		sql_add(c->s, " and v.ref_id = ");
		sql_uuid(c->s, &ids.ids[i]);
		sql_add(c->s, ") and ");
	}
	sql_add(c->s, "not ");
	custom_rows(c, f);
	sql_add(c->s, " and v.ref_id <> all (");
	sql_uuid_array(c->s, ids.ids, ids.count);
	sql_add(c->s, "))");
}

static void custom(const struct compile *c, const struct filter_condition *f, enum filter_op op)
{
	if (op == FILTER_ALL) {
		custom_all(c, f);
		return;
	}
	custom_rows(c, f);
	if (op != FILTER_NOT_EMPTY) {
		sql_add(c->s, " and ");
		compile_scalar(c, f, op, compile_custom_column(f->field->type));
	}
	sql_add(c->s, ")");
}

/*
 * Whether there is a row that says so, asked for each record by itself: what is walked in the order of the
 * list is left as soon as the page is full, so nothing may be gathered beforehand.
 */
static void rowwise(const struct compile *c, const struct filter_condition *f, enum filter_op op)
{
	sql_addf(c->s, "(select true from (select v.* from field_values v where v.owner_id = %s.id and ", c->alias);
	compile_custom_rows(c, f);
	sql_add(c->s, " offset 0) v where true");
	if (op != FILTER_NOT_EMPTY) {
		sql_add(c->s, " and ");
		compile_scalar(c, f, op, compile_custom_column(f->field->type));
	}
	sql_add(c->s, " limit 1)");
}

/*
 * When the viewer met a person last, out of the person's row: the time stands behind the counts of all users, at the
 * user's place (migrations/0006). Milliseconds, null when never.
 */
static void met_by_viewer(const struct compile *c, const struct filter_condition *f, enum filter_op op)
{
	const char *a = c->alias;
	struct sql *s = c->s;

	sql_add(s, "(select true from (values (");
	sql_addf(s, "%s.interaction_numbers[cardinality(%s.interaction_users) + array_position(%s.interaction_users, ",
	    a, a, a);
	sql_uuid(s, &c->base->viewer->user);
	sql_add(s, ")])) m (at) where ");
	if (op == FILTER_NOT_EMPTY)
		sql_add(s, "m.at is not null");
	for (size_t i = 0; i < f->n_values; i++) {
		const struct filter_value *v = &f->values[i];
		sql_add(s, i ? " or " : "");
		sql_addf(s, "(m.at %s ", op == FILTER_LT ? "<" : ">=");
		sql_int8(s, op == FILTER_GT ? v->to_ms : v->from_ms);
		if (op == FILTER_EQ) {
			sql_add(s, " and m.at < ");
			sql_int8(s, v->to_ms);
		}
		sql_add(s, ")");
	}
	sql_add(s, ")");
}

/* Of the viewer alone. */
static void counts(const struct compile *c, const struct filter_condition *f, enum filter_op op)
{
	if (!c->indexed) {
		met_by_viewer(c, f, op);
		return;
	}
	sql_addf(c->s,
	    "exists (select from interaction_counts c where c.workspace_id = $1 and c.entity_id = %s.id and c.user_id "
	    "= ",
	    c->alias);
	sql_uuid(c->s, &c->base->viewer->user);
	if (op != FILTER_NOT_EMPTY) {
		sql_add(c->s, " and ");
		compile_scalar(c, f, op, "c.last_at");
	}
	sql_add(c->s, ")");
}

const char *compile_value_owner(const struct filter_condition *f)
{
	return f->field->source == FILTER_CUSTOM ? "v.owner_id" : "v.entity_id";
}

void compile_value_rows(const struct compile *c, const struct filter_condition *f)
{
	if (f->field->source == FILTER_CUSTOM) {
		sql_add(c->s, " from field_values v where ");
		compile_custom_rows(c, f);
		return;
	}
	sql_add(c->s, " from interaction_counts v where v.workspace_id = $1");
	if (f->field->source == FILTER_COUNTS) {
		sql_add(c->s, " and v.user_id = ");
		sql_uuid(c->s, &c->base->viewer->user);
	}
}

/* Counters are of all kinds of records; of all users' the person's last one counts, of two at once only one. Other rows
 * are asked for each by itself, in the order in which counters are walked. */
void compile_value_fits(const struct compile *c, const struct filter_condition *f)
{
	if (f->field->source == FILTER_CUSTOM) {
		compile_scalar(c, f, f->op, compile_custom_column(f->field->type));
		return;
	}
	if (f->op == FILTER_NOT_EMPTY)
		sql_add(c->s, "true");
	else
		compile_scalar(c, f, f->op, "v.last_at");
	sql_addf(c->s, " and case when (select true from %s t where t.workspace_id = $1 and t.id = v.entity_id",
	    c->base->table->resource->table);
	if (f->field->source == FILTER_COLUMN)
		sql_addf(c->s,
		    " and t.%s = v.last_at) then (select true from interaction_counts w where w.workspace_id = $1 and "
		    "w.entity_id = v.entity_id and w.last_at = v.last_at and w.user_id > v.user_id limit 1) is null",
		    f->field->column);
	else
		sql_add(c->s, ") then true");
	sql_add(c->s, " end");
}

/* Who was met last at a time was met by somebody then: the counters have an index, people none, as each interaction
 * would change it. */
static void met(const struct compile *c, const struct filter_condition *f, enum filter_op op)
{
	if (!c->indexed || op != f->op || !compile_is_met(f->field))
		return;
	sql_addf(
	    c->s, "%s.id in (select m.entity_id from interaction_counts m where m.workspace_id = $1 and ", c->alias);
	compile_scalar(c, f, op, "m.last_at");
	sql_add(c->s, ") and ");
}

/*
 * Who refers to something is linked with it: links have an index by what they refer to, lists in rows have none. True
 * when that says it all; else " and " follows.
 */
static bool linked(const struct compile *c, const struct filter_condition *f, enum filter_op op)
{
	const struct filter_link *l = &f->field->link;

	if (!c->indexed || op != f->op || !l->table || (op != FILTER_IN && op != FILTER_ALL))
		return false;
	struct filter_ids ids = compile_ids(c, f);
	if (ids.count == 0)
		return false;
	sql_addf(c->s, "%s.id in (select n.%s from %s n where n.workspace_id = $1 and n.%s = any (", c->alias, l->owner,
	    l->table, l->other);
	sql_uuid_array(c->s, ids.ids, op == FILTER_ALL ? 1 : ids.count);
	sql_add(c->s, op == FILTER_ALL ? ")) and " : "))");
	return op == FILTER_IN;
}

/* Times and "like" have no complement that an index knows. */
static bool denies_value(const struct filter_condition *f)
{
	return (f->op == FILTER_NOT_EQ || f->op == FILTER_NOT_IN) && f->field->type != FILTER_DAY &&
	       f->field->type != FILTER_INSTANT;
}

/* What the positive operator says; the negative one denies it, and unset fits no positive one. */
static void own_condition(const struct compile *c, const struct filter_condition *f)
{
	enum filter_op op = compile_positive(f->op);

	sql_add(c->s, "(");
	if (c->indexed && op != f->op && f->field->source == FILTER_COLUMN && !compile_is_list(f->field) &&
	    denies_value(f))
		compile_complement(c, f, arena_printf(c->s->arena, "%s.%s", c->alias, f->field->column));
	sql_add(c->s, "(");
	switch (f->field->source) {
	case FILTER_CUSTOM:
		if (c->indexed || op == FILTER_ALL)
			custom(c, f, op);
		else
			rowwise(c, f, op);
		break;
	case FILTER_COUNTS:
		counts(c, f, op);
		break;
	case FILTER_COLUMN:
		if (compile_is_list(f->field)) {
			if (!linked(c, f, op))
				compile_list(c, f, op);
		} else {
			met(c, f, op);
			compile_scalar(c, f, op, arena_printf(c->s->arena, "%s.%s", c->alias, f->field->column));
		}
		break;
	}
	sql_add(c->s, op == f->op ? "))" : ") is not true)");
}

void compile_related(const struct compile *c, const struct filter_condition *f)
{
	struct compile inner = {.s = c->s, .base = c->base, .indexed = c->indexed, .alias = "r"};
	own_condition(&inner, f);
}

/* Of any linked record; where records are walked, asked for each by itself, as in rowwise(). */
static void related_condition(const struct compile *c, const struct filter_condition *f)
{
	const struct filter_relation *r = f->relation;
	const char *of_owner =
	    arena_printf(c->s->arena, "l.workspace_id = $1 and l.%s = %s.id", r->link.owner, c->alias);

	if (c->indexed)
		sql_addf(c->s, "exists (select from %s l, %s r where %s", r->link.table, r->target->resource->table,
		    of_owner);
	else
		sql_addf(c->s, "(select true from (select l.%s from %s l where %s offset 0) l, %s r where true",
		    r->link.other, r->link.table, of_owner, r->target->resource->table);
	sql_addf(c->s, " and r.workspace_id = $1 and r.id = l.%s and (", r->link.other);
	compile_related(c, f);
	sql_add(c->s, c->indexed ? "))" : ") limit 1)");
}

void compile_condition(const struct compile *c, const struct filter_condition *f)
{
	if (f->relation)
		related_condition(c, f);
	else
		own_condition(c, f);
}

void compile_tree(const struct compile *c, const struct filter *f)
{
	if (f->kind == FILTER_ONE) {
		compile_condition(c, f->condition);
		return;
	}
	if (f->n_parts == 0) {
		sql_add(c->s, f->kind == FILTER_ALL_OF ? "true" : "false");
		return;
	}
	sql_add(c->s, "(");
	for (size_t i = 0; i < f->n_parts; i++) {
		if (i)
			sql_add(c->s, f->kind == FILTER_ALL_OF ? " and " : " or ");
		compile_tree(c, f->parts[i]);
	}
	sql_add(c->s, ")");
}

/* --- what an index can do ------------------------------------------------------------------- */

static bool column_helps(const struct compile *c, const struct filter_condition *f)
{
	bool hidden = compile_absent(c, f->field).n;

	if (strcmp(f->field->column, "created_at") == 0)
		return false;
	if (f->field->type == FILTER_REFS && (f->op == FILTER_EMPTY || f->op == FILTER_NOT_EMPTY))
		return f->op == FILTER_EMPTY && !hidden;
	if (f->op == FILTER_NOT_EQ || f->op == FILTER_NOT_IN)
		return !compile_is_list(f->field) && denies_value(f) && f->n_values == 1;
	return true;
}

static bool condition_helps(const struct compile *c, const struct filter_condition *f)
{
	if (f->op == FILTER_LIKE)
		return compile_has_trigrams(f);
	if (f->op == FILTER_NOT_LIKE)
		return false;
	if (f->field->source == FILTER_COLUMN)
		return column_helps(c, f);
	return compile_positive(f->op) == f->op;
}

bool compile_helps(const struct compile *c, const struct filter *f)
{
	bool all = f->n_parts > 0, any = false;

	if (f->kind == FILTER_ONE)
		return condition_helps(c, f->condition);
	for (size_t i = 0; i < f->n_parts; i++) {
		bool helps = compile_helps(c, f->parts[i]);
		all &= helps;
		any |= helps;
	}
	return f->kind == FILTER_ALL_OF ? any : all;
}

/* --- statements --------------------------------------------------------------------------- */

static void where(struct sql *s, const struct filter_base *b, const struct filter *f, bool indexed)
{
	struct compile c = {.s = s, .base = b, .alias = "t", .indexed = indexed};

	if (!f)
		return;
	sql_add(s, " and ");
	compile_tree(&c, f);
}

void filter_test_sql(struct sql *s, const struct filter_base *b, const struct filter *f)
{
	where(s, b, f, false);
}

void filter_count_sql(struct sql *s, const struct filter_base *b, const struct filter *f, int64_t most)
{
	struct page_plan p = {.c = {.s = s, .base = b, .alias = "t"}};

	sql_add(s, "select count(*) from (select 1 ");
	page_rows(&p, "");
	where(s, b, f, true);
	if (most)
		sql_addf(s, " limit %lld", (long long)most);
	sql_add(s, ") n");
}
