/*
 * Pages of lists with filters: which rows are looked at, in which order (README, "Filters").
 *
 * What an index has in the order of ids is read from there (compile_drive.c). Everything else is a question of how
 * many rows match and where they lie, which nobody knows beforehand, so the statement finds out as it runs:
 *
 *   w1  walks the first rows in the order of the list (r): what is frequent fills the page there;
 *   i1  when it found next to nothing: looks up what matches by an index, but not more than can be sorted in time;
 *   w2  when there is more than that, or w1 found some: walks on behind it;
 *   i2  when even that did not fill the page (many rows match, all far behind): looks up everything; of a part of a
 *       text that is the rest of i1.
 *
 * e1, e2 and e3 say behind w1, i1 and w2 which way leads to the page (WAY_…): each way is told by one number, as every
 * question that a statement asks of its parts takes time to plan.
 *
 * A stage that is not needed costs nothing: its condition is tested once, before it begins.
 */
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
                                  .look_up_met = 3000,
                                  .walk_related = 500,
                                  .look_up_related = 6000,
                                  .walk_on = 25000,
                                  .sets = 200,
                                  .lacking = 3000},
                              short_stages = {.walk_factor = 1,
                                  .walk_least = 9,
                                  .look_up = 5,
                                  .look_up_range = 12,
                                  .look_up_met = 7,
                                  .walk_related = 8,
                                  .look_up_related = 4,
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

void page_select(const struct page_plan *p)
{
	sql_addf(p->c.s, "select t.id%s", p->order->updated ? ", t.updated_at" : "");
	page_rows(p, "");
	page_after(p, "t");
}

static const char *way_of(const struct page_plan *p)
{
	return p->order->down ? " desc" : "";
}

void page_order_id(const struct page_plan *p, const char *id)
{
	sql_addf(p->c.s, " order by %s%s limit %d", id, way_of(p), p->order->limit);
}

static void order_by(const struct page_plan *p, const char *alias)
{
	if (p->order->updated)
		sql_addf(p->c.s, " order by %s.updated_at%s, %s.id%s", alias, way_of(p), alias, way_of(p));
	else
		sql_addf(p->c.s, " order by %s.id%s", alias, way_of(p));
}

void page_order(const struct page_plan *p, const char *alias)
{
	order_by(p, alias);
	sql_addf(p->c.s, " limit %d", p->order->limit);
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

/*
 * "r as …": the rows of the walk, with whether each fits. A row is read when it is asked for: a page that is full ends
 * the walk. The limit is hidden from the planner, which might sort a list that is not longer.
 */
static void walk(const struct page_plan *p, int most)
{
	struct sql *s = p->c.s;

	sql_add(s, "r as materialized (select ");
	if (p->values) {
		const char *owner = compile_value_owner(p->values);
		sql_addf(s, "%s as id, ", owner);
		compile_value_fits(&p->c, p->values);
		sql_add(s, " as fits");
		compile_value_rows(&p->c, p->values);
		page_after_id(p, owner);
		sql_addf(s, " order by %s%s", owner, way_of(p));
	} else {
		sql_addf(s, "t.id%s, ", p->order->updated ? ", t.updated_at" : "");
		tree(p, false);
		sql_add(s, " as fits");
		ordered_rows(p, true);
		page_after(p, order_alias(p));
		order_by(p, order_alias(p));
	}
	sql_addf(s, " limit (select %d))", most);
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
		page_select(p);
		sql_add(s, " and ");
		tree(p, true);
	}
	sql_add(s, condition);
	if (most)
		sql_addf(s, " limit %d", most);
}

/* The only condition; NULL: there are several, or none. */
static const struct filter_condition *only(const struct filter *f)
{
	while (f && f->kind != FILTER_ONE && f->n_parts == 1)
		f = f->parts[0];
	return f && f->kind == FILTER_ONE ? f->condition : NULL;
}

/* --- ways to the page ---------------------------------------------------------------------- */

/* Which way leads to the page, as far as the stages before know. */
enum { WAY_WALKED, WAY_INDEX, WAY_ON, WAY_ALL };

/*
 * ", w1 as …": the rows among the first ones that fit, up to a page; e1: how many, and the way: they are the page when
 * they fill it or the list ended; else what matches is looked up when they are few.
 */
static void walk_first(const struct page_plan *p, int first, int few)
{
	struct sql *s = p->c.s;
	int n = p->order->limit;

	sql_addf(s,
	    ", w1 as materialized (select %s from (select * from r limit %d) r where fits limit %d), "
	    "e1 as materialized (select n, case when n >= %d or (select count(*) from (select from r limit %d) f) < %d "
	    "then %d when n < %d then %d else %d end as way from (select count(*) as n from w1) c)",
	    page_key(p), first, n, n, first, first, WAY_WALKED, few, WAY_INDEX, WAY_ON);
}

/* ", w2 as …": what fills up the page behind the first rows; e3: whether it did, or the list ended. */
static void walk_on(const struct page_plan *p, int first)
{
	const char *lacks = arena_printf(p->c.s->arena, "%d - (select n from e1)", p->order->limit);

	sql_addf(p->c.s,
	    ", w2 as materialized (select %s from (select * from r offset %d) r where fits and "
	    "(select way from e2) = %d limit %s), e3 as materialized (select case when way = %d and "
	    "(select count(*) from w2) < %s and (select count(*) from r) = %d then %d else way end as way from e2)",
	    page_key(p), first, WAY_ON, lacks, WAY_ON, lacks, first + p->most->walk_on, WAY_ALL);
}

/* What the index finds, with one stage for it or two; between them, where there is more than can be sorted in time, the
 * walk goes on. */
static void look_up_stages(const struct page_plan *p, int first, bool whole)
{
	struct arena *a = p->c.s->arena;
	struct sql *s = p->c.s;
	bool candidates = candidates_apply(p);
	const char *few = arena_printf(a, " and (select way from e1) = %d", WAY_INDEX),
	           *rest = arena_printf(a, " and (select way from e3) = %d", WAY_ALL);

	if (candidates) {
		candidates_stage(p, few);
	} else {
		sql_add(s, ", i1 as materialized (");
		if (whole)
			look_up(p, 0, arena_printf(a, " and (select way from e1) <> %d", WAY_WALKED));
		else
			look_up(p, p->look_up + 1, few);
		sql_add(s, ")");
	}
	sql_addf(s, ", e2 as materialized (select case when way = %d and %s then %d else way end as way from e1)",
	    WAY_INDEX,
	    candidates ? candidates_too_many(p)
	               : arena_printf(
	                     a, "(select count(*) from (select from i1 limit %d) i) > %d", p->look_up + 1, p->look_up),
	    WAY_ON);
	if (candidates) {
		sql_add(s, ", i1 as materialized (");
		candidates_rows(p);
		sql_add(s, ")");
	}
	walk_on(p, first);
	if (whole)
		return;
	sql_add(s, ", i2 as materialized (");
	if (candidates)
		candidates_all(p, rest);
	else
		look_up(p, 0, rest);
	sql_add(s, ")");
}

static void stages(struct page_plan *p)
{
	const struct page_most *m = p->most;
	const struct filter_condition *one = p->one;
	int n = p->order->limit, first = n * m->walk_factor < m->walk_least ? m->walk_least : n * m->walk_factor;
	bool related = one && one->relation, range = p->look_up == m->look_up_range && !p->values;
	if (related)
		first = m->walk_related;
	int few = first / (range || related ? FEW_RANGE : FEW) + 1;
	const char *key = page_key(p);
	/* Trigrams are read for all rows at once, or not at all; the rows one by one: i1 gives as many as it is asked
	 * for. */
	bool whole = one && one->op == FILTER_LIKE && !one->relation;
	struct sql *s = p->c.s;

	sql_add(s, "with ");
	if (one)
		compile_choose(&p->c, one);
	walk(p, first + m->walk_on);
	walk_first(p, first, few);
	look_up_stages(p, first, whole);
	sql_addf(s,
	    " select id from (select %s from w1 where (select way from e3) in (%d, %d) union all "
	    "select %s from w2 where (select way from e3) = %d union all "
	    "select %s from i1 where (select way from e3) in (%d, %d)",
	    key, WAY_WALKED, WAY_ON, key, WAY_ON, key, WAY_INDEX, whole ? WAY_ALL : WAY_INDEX);
	if (!whole)
		sql_addf(s, " union all select %s from i2 where (select way from e3) = %d", key, WAY_ALL);
	sql_add(s, ") u");
	page_order(p, "u");
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
	page_order(p, by);
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
	const struct filter_condition *one = only(f);
	struct page_plan p = {.c = {.s = s, .base = b, .alias = "t"},
	    .filter = f,
	    .one = one,
	    .order = o,
	    .most = most,
	    .look_up = most->look_up};

	if (one && !o->updated && drive_ordered(&p, one))
		return;
	if (one && !o->updated && drive_sets(&p, one))
		return;
	if (one && walks_values(&p, one))
		p.values = one;
	/* Intervals are read from the index alone, but for people's own times. */
	if (one && one->relation)
		p.look_up = most->look_up_related;
	else if (candidates_apply(&p))
		p.look_up = most->look_up_met;
	else if (one && (one->op == FILTER_GT || one->op == FILTER_LT))
		p.look_up = most->look_up_range;
	/* What is related is always looked for: to walk on instead costs two look-ups a row. */
	if (f && ((one && one->relation) || compile_helps(&p.c, f)))
		stages(&p);
	else if (!drive_lacks(&p))
		page_plain(&p, false, "");
}
