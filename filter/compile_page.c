/*
 * Pages of lists with filters: which rows are looked at, in which order (README, "Filters").
 *
 * What an index has in the order of ids is read from there (compile_drive.c). Everything else is a question of how
 * many rows match and where they lie, which nobody knows beforehand, so the statement finds out as it runs:
 *
 *   w1  (of r1) walks the first rows in the order of the list: what is frequent fills the page there;
 *   i1  when it found next to nothing: looks up what matches by an index, but not more than can be sorted in time;
 *   w2  (of r2) when there is more than that, or w1 found some: walks on behind it;
 *   i2  when even that did not fill the page (many rows match, all far behind): looks up everything; of a part of a
 *       text that is the rest of i1.
 *
 * A stage that is not needed costs nothing: its condition is tested once, before it begins.
 */
#include <stdio.h>
#include <string.h>

#include "filter/compile_parts.h"
#include "server/base/fault.h"

/* When fewer than one in so many rows walked match, what matches is looked up; else some thousand rows fill a page.
 * What is read from an index alone is looked up sooner. */
enum { FEW = 160, FEW_RANGE = 50 };

/* In the tests the rows are few, and so are those that a stage reads: each stage has its turn. */
static const struct page_most usual = {.walk_factor = 15,
                                  .walk_least = 1500,
                                  .look_up = 6000,
                                  .look_up_range = 20000,
                                  .walk_on = 25000,
                                  .sets = 200,
                                  .lacking = 3000},
                              short_stages = {.walk_factor = 1,
                                  .walk_least = 9,
                                  .look_up = 5,
                                  .look_up_range = 12,
                                  .walk_on = 40,
                                  .sets = 6,
                                  .lacking = 4};

void page_rows(const struct page_plan *p, const char *also)
{
	const struct filter_base *b = p->c.base;
	struct sql *s = p->c.s;

	sql_addf(s, " from %s%s t where t.workspace_id = $1", also, b->table->resource->table);
	if (b->column) {
		sql_addf(s, " and t.%s = ", b->column);
		sql_uuid(s, &b->id);
	}
	if (b->more)
		b->more(b->ctx, s);
}

/* The order by updatedAt may have a table of its own, u. */
static const char *order_alias(const struct page_plan *p)
{
	return p->order->updated && p->c.base->table->resource->order ? "u" : "t";
}

/* Appends " from … where …" of the rows in the order of the list; columns: t is wanted, not the order alone. */
static void ordered_rows(const struct page_plan *p, bool columns)
{
	const struct filter_base *b = p->c.base;
	struct sql *s = p->c.s;

	if (*order_alias(p) == 't') {
		page_rows(p, "");
		return;
	}
	if (columns || b->more) {
		page_rows(p, arena_printf(s->arena, "%s u, ", b->table->resource->order));
		sql_add(s, " and u.workspace_id = $1 and u.id = t.id");
	} else {
		sql_addf(s, " from %s u where u.workspace_id = $1", b->table->resource->order);
	}
	if (b->column) {
		sql_addf(s, " and u.%s = ", b->column);
		sql_uuid(s, &b->id);
	}
}

void page_after_id(const struct page_plan *p, const char *id)
{
	if (!p->order->after)
		return;
	sql_addf(p->c.s, " and %s %s ", id, p->order->down ? "<" : ">");
	sql_uuid(p->c.s, &p->order->id);
}

void page_after(const struct page_plan *p, const char *alias)
{
	const struct filter_order *o = p->order;

	if (!o->updated || !o->after) {
		page_after_id(p, arena_printf(p->c.s->arena, "%s.id", alias));
		return;
	}
	sql_addf(p->c.s, " and (%s.updated_at, %s.id) %s (", alias, alias, o->down ? "<" : ">");
	sql_time_us(p->c.s, o->time_us);
	sql_add(p->c.s, ", ");
	sql_uuid(p->c.s, &o->id);
	sql_add(p->c.s, ")");
}

void page_order_id(const struct page_plan *p, const char *id)
{
	sql_addf(p->c.s, " order by %s%s limit %d", id, p->order->down ? " desc" : "", p->order->limit);
}

void page_order(const struct page_plan *p, const char *alias, int limit)
{
	const char *way = p->order->down ? " desc" : "";

	if (p->order->updated)
		sql_addf(p->c.s, " order by %s.updated_at%s, %s.id%s limit %d", alias, way, alias, way, limit);
	else
		sql_addf(p->c.s, " order by %s.id%s limit %d", alias, way, limit);
}

const char *page_key(const struct page_plan *p)
{
	return p->order->updated ? "id, updated_at" : "id";
}

/* --- stages ----------------------------------------------------------------------------- */

static void tree(const struct page_plan *p, bool indexed)
{
	struct compile c = p->c;

	c.indexed = indexed;
	compile_tree(&c, p->filter);
}

/* "r as …": the rows of a walk, with whether each fits. A row is read when it is asked for: a page that is full ends
 * the walk. */
static void walk(const struct page_plan *p, int stage, int most, const char *condition)
{
	struct sql *s = p->c.s;

	sql_addf(s, "r%d as materialized (", stage);
	if (p->values) {
		const char *owner = compile_value_owner(p->values);
		sql_addf(s, "select %s as id, ", owner);
		compile_value_fits(&p->c, p->values);
		sql_add(s, " as fits");
		compile_value_rows(&p->c, p->values);
		page_after_id(p, owner);
		sql_addf(s, "%s order by %s%s limit %d", condition, owner, p->order->down ? " desc" : "", most);
	} else {
		sql_add(s, "select t.id, t.updated_at, ");
		tree(p, false);
		sql_add(s, " as fits");
		ordered_rows(p, true);
		page_after(p, order_alias(p));
		sql_add(s, condition);
		page_order(p, order_alias(p), most);
	}
	sql_add(s, ")");
}

static void look_up(const struct page_plan *p, int most, const char *condition)
{
	struct compile c = p->c;
	struct sql *s = c.s;

	if (p->values) {
		const char *owner = compile_value_owner(p->values);
		c.indexed = true;
		sql_addf(s, "select %s as id", owner);
		compile_value_rows(&c, p->values);
		page_after_id(p, owner);
		sql_add(s, " and ");
		compile_value_fits(&c, p->values);
	} else {
		sql_addf(s, "select t.id%s", p->order->updated ? ", t.updated_at" : "");
		page_rows(p, "");
		page_after(p, "t");
		sql_add(s, " and ");
		tree(p, true);
	}
	sql_add(s, condition);
	if (most)
		sql_addf(s, " limit %d", most);
}

/* Conditions on what the stages before have found. */
static const char *found(const struct page_plan *p, const char *stage, const char *sign, int n)
{
	return arena_printf(p->c.s->arena, "(select count(*) from %s) %s %d", stage, sign, n);
}

/*
 * The first walk: ", w1 as …": the rows that fit, up to a page; e1: whether they fill it, or the list ended; z1: where
 * the walk goes on.
 */
static void walk_first(const struct page_plan *p, int most)
{
	struct sql *s = p->c.s;
	int n = p->order->limit;

	walk(p, 1, most, "");
	sql_addf(s, ", w1 as materialized (select %s from r1 where fits limit %d)", page_key(p), n);
	sql_addf(s,
	    ", e1 as materialized (select (select count(*) from w1) >= %d or (select count(*) from r1) < %d as done)",
	    n, most);
	sql_addf(s, ", z1 as materialized (select %s from r1 offset %d limit 1)", page_key(p), most - 1);
}

/* Appends " and …": rows behind those of the first walk. */
static const char *behind_first(const struct page_plan *p)
{
	const char *sign = p->order->down ? "<" : ">", *alias = order_alias(p);
	struct arena *a = p->c.s->arena;

	if (p->values) /* a record may have several rows */
		return arena_printf(a, " and %s %s= (select id from z1)", compile_value_owner(p->values), sign);
	if (!p->order->updated)
		return arena_printf(a, " and %s.id %s (select id from z1)", alias, sign);
	return arena_printf(
	    a, " and (%s.updated_at, %s.id) %s ((select updated_at from z1), (select id from z1))", alias, alias, sign);
}

/* The same of the walk that goes on, which fills up the page. */
static void walk_on(const struct page_plan *p, const char *condition)
{
	const char *lacks = arena_printf(p->c.s->arena, "%d - (select count(*) from w1)", p->order->limit);
	int most = p->most->walk_on;
	struct sql *s = p->c.s;

	walk(p, 2, most, arena_printf(s->arena, "%s and %s", behind_first(p), condition));
	sql_addf(s, ", w2 as materialized (select %s from r2 where fits%s limit %s)", page_key(p),
	    p->values ? " and id <> all (array(select id from w1))" : "", lacks);
	sql_addf(s,
	    ", e2 as materialized (select (select count(*) from w2) >= %s or (select count(*) from r2) < %d as done)",
	    lacks, most);
}

/* The only condition; NULL: there are several, or none. */
static const struct filter_condition *only(const struct filter *f)
{
	while (f && f->kind != FILTER_ONE && f->n_parts == 1)
		f = f->parts[0];
	return f && f->kind == FILTER_ONE ? f->condition : NULL;
}

static void stages(struct page_plan *p)
{
	struct arena *a = p->c.s->arena;
	struct sql *s = p->c.s;
	int n = p->order->limit,
	    first = n * p->most->walk_factor < p->most->walk_least ? p->most->walk_least : n * p->most->walk_factor,
	    few = first / (p->look_up == p->most->look_up_range && !p->values ? FEW_RANGE : FEW) + 1;
	const char *key = page_key(p), *open = "not (select done from e1)", *none = found(p, "w1", "<", few),
	           *some = found(p, "w1", ">=", few), *over = arena_printf(a, "(select n from n1) > %d", p->look_up),
	           *on = arena_printf(a, "%s and (%s or %s)", open, some, over);
	const struct filter_condition *one = only(p->filter);
	/* Trigrams are read for all rows at once, or not at all; the rows one by one: i1 gives as many as it is asked
	 * for. */
	bool whole = one && one->op == FILTER_LIKE && !one->relation;

	sql_add(s, "with ");
	if (one)
		compile_choose(&p->c, one);
	walk_first(p, first);
	sql_add(s, ", i1 as materialized (");
	if (whole)
		look_up(p, 0, arena_printf(a, " and %s", open));
	else
		look_up(p, p->look_up + 1, arena_printf(a, " and %s and %s", open, none));
	/* They may be thousands: they are counted once. */
	sql_addf(s, "), n1 as materialized (select count(*) as n from (select from i1 limit %d) i), ", p->look_up + 1);
	walk_on(p, on);
	if (!whole) {
		sql_add(s, ", i2 as materialized (");
		look_up(p, 0, arena_printf(a, " and %s and not (select done from e2)", on));
		sql_add(s, ")");
	}
	sql_addf(s,
	    " select id from (select %s from w1 where (select done from e1) or (%s and (select done from e2)) union "
	    "all "
	    "select %s from i1 where %s and %s and not (%s) union all select %s from w2 where %s and (select done from "
	    "e2) "
	    "union all select %s from %s where %s and not (select done from e2)) u",
	    key, on, key, open, none, over, key, on, key, whole ? "i1" : "i2", on);
	page_order(p, "u", n);
}

void page_plain(const struct page_plan *p, bool key, const char *condition)
{
	const char *by = order_alias(p);

	sql_addf(p->c.s, "select %s.id", by);
	if (key && p->order->updated)
		sql_addf(p->c.s, ", %s.updated_at", by);
	ordered_rows(p, p->filter != NULL);
	page_after(p, by);
	if (p->filter) {
		sql_add(p->c.s, " and ");
		tree(p, false);
	}
	sql_add(p->c.s, condition);
	page_order(p, by, p->order->limit);
}

/* A value of a text, a number or a date, one a record, and when people were met: the values themselves are walked, not
 * the records. */
static bool walks_values(const struct page_plan *p, const struct filter_condition *f)
{
	if (p->order->updated || p->c.base->more || f->relation)
		return false;
	if (f->field->source == FILTER_CUSTOM)
		return f->op == FILTER_LIKE || f->op == FILTER_GT || f->op == FILTER_LT;
	return compile_is_met(f->field) && (f->op == FILTER_EQ || f->op == FILTER_GT || f->op == FILTER_LT);
}

void filter_ids_sql(struct sql *s, const struct filter_base *b, const struct filter *f, const struct filter_order *o)
{
	const struct page_most *most = FAULT_ERROR("short_stages") ? &short_stages : &usual;
	struct page_plan p = {
	    .c = {.s = s, .base = b, .alias = "t"}, .filter = f, .order = o, .most = most, .look_up = most->look_up};
	const struct filter_condition *one = only(f);

	if (one && !o->updated && drive_ordered(&p, one))
		return;
	if (one && !o->updated && drive_sets(&p, one))
		return;
	if (one && walks_values(&p, one))
		p.values = one;
	/* Read from the index alone. */
	if (one && !one->relation && (one->op == FILTER_GT || one->op == FILTER_LT))
		p.look_up = most->look_up_range;
	if (f && compile_helps(&p.c, f))
		stages(&p);
	else if (!drive_lacks(&p))
		page_plain(&p, false, "");
}
