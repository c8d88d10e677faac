/* Statements of pages and counts; see compile.h. */
#include "filter/compile.h"

#include <string.h>

#include "filter/condition.h"
#include "filter/search.h"
#include "server/base/fault.h"

/* The number of rows tested first and in all, and the most index entries that are tested and sorted. If reading and
 * testing a row costs more than COST, fewer rows are tested (row_cost()). Tests use small numbers. */
struct sizes {
	int first, most, found;
	int more; /* tested before the index is asked if some of the first match; 0: as few as first */
};
enum { ROW_COST = 4, OTHER_COST = 10, COST = 8, FIRST_LEAST = 100, SOME = 4 };
static const struct sizes usual = {1500, 200000, 6000, 0}, small = {9, 40, 5, 20},
                          search = {1500, 200000, 30000, 10000};

struct filter_page {
	struct filter_sql to;
	struct sql *s;
	const struct filter_base *base;
	const struct filter *filter;
	const struct filter_order *order; /* NULL: a count */
	struct sizes sizes;
	const struct filter_condition *required[FILTERS_MAX + 1]; /* conditions that every match meets */
	int n_required;
	struct lookup source; /* of the rows scanned: an index for a condition, or the list itself */
	bool test;            /* its rows are tested */
	/* One look-up for a required condition, or one for each alternative; none: no index helps. */
	struct lookup lookups[FILTERS_MAX];
	int n_lookups;
};

/* --- which indexes -------------------------------------------------------------------------- */

static void page_find_required(struct filter_page *p, const struct filter *f)
{
	if (f->kind == FILTER_ONE && !f->condition->relation && !f->condition->search)
		p->required[p->n_required++] = f->condition;
	if (f->kind == FILTER_ONE || (f->kind == FILTER_ANY_OF && f->n_parts > 1))
		return;
	for (size_t i = 0; i < f->n_parts; i++)
		page_find_required(p, f->parts[i]);
}

static void page_choose_source(struct filter_page *p)
{
	const struct resource *res = p->base->table->resource;
	bool by_update = p->order && p->order->updated;

	p->source = (struct lookup){.table = res->table, .id = "t.id", .key = "", .own = true};
	if (by_update && res->order)
		p->source = (struct lookup){.table = res->order, .id = "u.id", .key = ""};
	for (int i = 0; i < p->n_required && !by_update; i++) {
		struct lookup l = lookup_find(&p->to, p->base->table, p->required[i]);
		if (l.where && l.ordered && (!p->source.condition || l.rank < p->source.rank))
			p->source = l;
	}
}

/* Finds the look-ups that together find all possible matches of a tree; returns their number, 0 if no index helps.
 * rank: the highest of their ranks, that of the look-up which finds most. */
static int page_choose_lookups(const struct filter_page *p, const struct filter *f, struct lookup *out, int *rank)
{
	struct lookup some[FILTERS_MAX];
	int n = 0, its_rank = 0;

	*rank = 0;
	if (f->kind == FILTER_ONE && f->condition->search) {
		*rank = LOOKUP_PART;
		return search_lookups(&p->to, p->base->table->resource->table, f->condition, out);
	}
	if (f->kind == FILTER_ONE) {
		out[0] = lookup_find(&p->to, p->base->table, f->condition);
		*rank = out[0].rank;
		return out[0].where && f->condition != p->source.condition;
	}
	for (size_t i = 0; i < f->n_parts; i++) {
		int found = page_choose_lookups(p, f->parts[i], some, &its_rank);
		bool any = f->kind == FILTER_ANY_OF, better = n == 0 || its_rank < *rank;
		if (any && found == 0)
			return 0;
		if (!any && (found == 0 || !better))
			continue;
		if (!any)
			n = 0;
		memcpy(out + n, some, (size_t)found * sizeof *some);
		n += found;
		*rank = any && its_rank < *rank ? *rank : its_rank;
	}
	return n;
}

/* The number of rows that are tested in the time of the usual number, when each costs this much; at least "least". */
static int rows_in_time(int usually, int cost, int least)
{
	int rows = cost > COST ? usually * COST / cost : usually;

	return rows > least ? rows : least;
}

/* A page of a search is never empty before the usual number of rows was tested. Its index is asked later than for other
 * filters, because common words fill a page soon, and may find more rows, because the walk is slow. */
static bool page_searches(const struct filter *f)
{
	if (f->kind == FILTER_ONE)
		return f->condition->search != NULL;
	return f->n_parts && page_searches(f->parts[f->n_parts - 1]);
}

static void page_choose_sizes(struct filter_page *p)
{
	int cost = ROW_COST + (p->source.own ? 0 : OTHER_COST) + (p->filter ? row_cost(p->filter) : 0);

	if (FAULT_ERROR(short_stages))
		p->sizes = small;
	else if (p->filter && page_searches(p->filter))
		p->sizes = search;
	else
		p->sizes = (struct sizes){rows_in_time(usual.first, cost, FIRST_LEAST),
		    rows_in_time(usual.most, cost, 2 * FIRST_LEAST), usual.found, 0};
	if (p->order && p->order->most)
		p->sizes.most = p->order->most;
}

static struct filter_page filter_page_begin(
    struct sql *s, const struct filter_base *b, const struct filter *f, const struct filter_order *o)
{
	struct filter_page p = {.to = {s, b->viewer}, .s = s, .base = b, .filter = f, .order = o};
	const struct filter *only = f;
	int rank;

	if (f)
		page_find_required(&p, f);
	page_choose_source(&p);
	page_choose_sizes(&p);
	while (only && only->kind != FILTER_ONE && only->n_parts == 1)
		only = only->parts[0];
	/* Rows of other tables do not show whether the record belongs to this list. */
	p.test = p.source.condition && p.source.exact && only->kind == FILTER_ONE
	             ? !p.source.own && (b->column || b->more)
	             : f != NULL;
	p.n_lookups = p.test && f && !(o && o->most) ? page_choose_lookups(&p, f, p.lookups, &rank) : 0;
	return p;
}

/* --- rows -------------------------------------------------------------------------------------- */

/* Appends " and …": the row is of this list. */
static void page_of_list(const struct filter_page *p, char alias)
{
	if (!p->base->column)
		return;
	sql_addf(p->s, " and %c.%s = ", alias, p->base->column);
	sql_uuid(p->s, &p->base->id);
}

/* Appends " and …" for a required condition on createdAt: ids begin with the time of creation, so an interval of
 * createdAt is an interval of ids, extended by a minute for inexact clocks. */
static void page_created(struct sql *s, const struct filter_condition *c, const char *id)
{
	enum { SLACK_MS = 60000 };
	const struct filter_value *v = c->values;
	struct uuid least;

	if (!c->field->in_id || c->n_values != 1)
		return;
	if (c->op == FILTER_GT || c->op == FILTER_EQ) {
		least = id_least((c->op == FILTER_GT ? v->to_ms : v->from_ms) - SLACK_MS);
		sql_addf(s, " and %s >= ", id);
		sql_uuid(s, &least);
	}
	if (c->op == FILTER_LT || c->op == FILTER_EQ) {
		least = id_least((c->op == FILTER_LT ? v->from_ms : v->to_ms) + SLACK_MS);
		sql_addf(s, " and %s < ", id);
		sql_uuid(s, &least);
	}
}

void filter_created_sql(struct sql *s, const struct filter *f, const char *id)
{
	if (!f || (f->kind == FILTER_ANY_OF && f->n_parts > 1))
		return;
	if (f->kind == FILTER_ONE && !f->condition->relation)
		page_created(s, f->condition, id);
	for (size_t i = 0; f->kind != FILTER_ONE && i < f->n_parts; i++)
		filter_created_sql(s, f->parts[i], id);
}

/* Appends " and …": ids after the last page, and within the intervals of createdAt. */
static void page_after_id(const struct filter_page *p, const char *id)
{
	if (p->order && p->order->after && !p->order->updated) {
		sql_addf(p->s, " and %s %s ", id, p->order->down ? "<" : ">");
		sql_uuid(p->s, &p->order->id);
	}
	for (int i = 0; i < p->n_required; i++)
		page_created(p->s, p->required[i], id);
}

/* " and …": rows of that alias after the last row of the previous page, in the order by updatedAt. */
static void page_after_time(const struct filter_page *p, char alias)
{
	const struct filter_order *o = p->order;

	if (!o || !o->updated || !o->after)
		return;
	sql_addf(p->s, " and (%c.updated_at, %c.id) %s (", alias, alias, o->down ? "<" : ">");
	sql_time_us(p->s, o->time_us);
	sql_add(p->s, ", ");
	sql_uuid(p->s, &o->id);
	sql_add(p->s, ")");
}

/* Appends the order of a page by this key; before: the index columns before the ids. */
static void page_order_by(const struct filter_page *p, const char *before, const char *id)
{
	const char *down = p->order->down ? " desc" : "";

	sql_add(p->s, "\n\torder by ");
	if (*before)
		sql_addf(p->s, "%s%s, ", before, down);
	if (p->order->updated)
		sql_addf(p->s, "updated_at%s, ", down);
	sql_addf(p->s, "%s%s", id, down);
}

static void page_tests(const struct filter_page *p)
{
	sql_add(p->s, "true");
	if (p->base->more)
		p->base->more(p->base->ctx, p->s);
	sql_add(p->s, " and ");
	row_tree(&p->to, p->filter);
}

/* For rows that refer to the list's records: looks up the record of each row separately, because a join could change
 * the order. Rows of deleted records, and of records in other lists, count toward the limit too. */
static void page_record(const struct filter_page *p)
{
	sql_add(p->s, "\n\tleft join lateral (select ");
	page_tests(p);
	sql_addf(p->s, " as fits from %s t where t.workspace_id = $1 and t.id = %s", p->base->table->resource->table,
	    p->source.id);
	page_of_list(p, 't');
	sql_add(p->s, " offset 0) x on true");
}

/* Appends "select id[, updated_at][, fits] from …", in the order of the list. */
static void page_source(const struct filter_page *p)
{
	const struct lookup *l = &p->source;

	sql_addf(p->s, "select %s as id%s", l->id, p->order && p->order->updated ? ", updated_at" : "");
	if (p->test) {
		sql_add(p->s, ", ");
		if (l->own)
			page_tests(p);
		sql_add(p->s, l->own ? " as fits" : "x.fits");
	}
	sql_addf(p->s, "\n\tfrom %s %c", l->table, l->id[0]);
	if (p->test && !l->own)
		page_record(p);
	sql_add(p->s, "\n\t");
	lookup_where_sql(l, &p->to);
	if (l->own || !l->condition)
		page_of_list(p, l->id[0]);
	if (!p->test && p->base->more)
		p->base->more(p->base->ctx, p->s);
	page_after_id(p, l->id);
	page_after_time(p, l->id[0]);
	if (p->order)
		page_order_by(p, l->key, l->id);
}

/* --- look-ups ------------------------------------------------------------------------------------ */

/* ", related1 as (…)": the matching related records. */
static void page_related(const struct filter_page *p, const char *condition)
{
	for (int i = 0; i < p->n_lookups; i++) {
		if (!p->lookups[i].condition->relation)
			continue;
		sql_addf(p->s, "related%d as materialized (\n\t", i);
		lookup_sql(&p->lookups[i], &p->to);
		sql_addf(p->s, "%s\n),\n", condition);
	}
}

/* "candidates as (…)": the ids of all possible matches. */
static void page_candidates(const struct filter_page *p, const char *condition)
{
	sql_add(p->s, "candidates as materialized (");
	for (int i = 0; i < p->n_lookups; i++) {
		const struct lookup *l = &p->lookups[i];
		const struct filter_relation *rel = l->condition->relation;
		const char *id = rel ? arena_printf(p->s->arena, "l.%s", rel->link.owner) : l->id;
		sql_add(p->s, i ? "\n\tunion all " : "\n\t");
		if (rel)
			sql_addf(p->s,
			    "select %s as id from %s l where l.workspace_id = $1 and l.%s = any (array(select id from "
			    "related%d))",
			    id, rel->link.table, rel->link.other, i);
		else
			lookup_sql(l, &p->to);
		if (!rel && l->own)
			page_of_list(p, 't');
		page_after_id(p, id);
		sql_add(p->s, condition);
	}
	sql_add(p->s, "\n)");
}

/* True when the candidates are few; counts no further than needed. */
static void page_few_candidates(const struct filter_page *p)
{
	for (int i = 0; i < p->n_lookups; i++)
		if (p->lookups[i].condition->relation)
			sql_addf(p->s, "(select count(*) from (select from related%d limit %d) n) <= %d and ", i,
			    p->sizes.found + 1, p->sizes.found);
	sql_addf(p->s, "(select count(*) from (select from candidates limit %d) n) <= %d", p->sizes.found + 1,
	    p->sizes.found);
}

/* " from … where …": the list's rows among the candidates. */
static void page_among_candidates(const struct filter_page *p)
{
	sql_addf(p->s, "\n\tfrom %s t where t.workspace_id = $1 and t.id = any (array(select id from candidates))",
	    p->base->table->resource->table);
	page_of_list(p, 't');
	page_after_time(p, 't');
}

/* "found as (…)": the first matches among the candidates. They are ordered before they are tested, so no more are
 * tested than fill the page. */
static void page_found(const struct filter_page *p)
{
	sql_addf(p->s, "found as materialized (\n\tselect k.* from (select t.id%s",
	    p->order->updated ? ", t.updated_at" : "");
	page_among_candidates(p);
	sql_add(p->s, " and (select found from choice)");
	page_order_by(p, "", "id");
	sql_addf(p->s,
	    " offset 0) k\n\tcross join lateral (select from %s t where t.workspace_id = $1 and t.id = k.id and ",
	    p->base->table->resource->table);
	page_tests(p);
	sql_addf(p->s, " offset 0) x limit %d\n)", p->order->limit);
}

/* --- pages ------------------------------------------------------------------------------------------ */

/* The matches among the first rows; if they do not suffice, the matches found by the look-ups, and whether these are
 * the page. */
static void page_lookups(const struct filter_page *p)
{
	const char *first = arena_printf(p->s->arena, "%d", p->sizes.first);
	int limit = p->order->limit;

	if (p->sizes.more) {
		sql_addf(p->s,
		    "stage as materialized (\n\tselect case when (select count(*) from (select from (select fits from "
		    "list limit %s) l where fits limit %d) n) = %d then %d else %s end as rows\n),\n",
		    first, SOME, SOME, p->sizes.more, first);
		first = "(select rows from stage)";
	}
	sql_addf(p->s,
	    "first as materialized (\n\tselect from (select fits from list limit %s) l where fits limit %d\n),\n",
	    first, limit);
	sql_addf(p->s,
	    "lookup as materialized (\n\tselect (select count(*) from first) < %d and\n\t\t"
	    "(select count(*) from (select from list limit %s) l) = %s as needed\n),\n",
	    limit, first, first);
	page_related(p, " and (select needed from lookup)");
	page_candidates(p, " and (select needed from lookup)");
	sql_add(p->s, ",\nchoice as materialized (\n\tselect (select needed from lookup) and ");
	page_few_candidates(p);
	sql_add(p->s, " as found\n),\n");
	page_found(p);
	sql_add(p->s, ",\n");
}

static void page_rows(const struct filter_page *p)
{
	const char *key = p->order->updated ? "id, updated_at" : "id";
	int limit = p->order->limit;

	sql_add(p->s, "page as materialized (\n\t");
	if (p->n_lookups)
		sql_addf(p->s,
		    "select %s from found union all\n\t"
		    "(select %s from list where fits and not (select found from choice) limit %d)",
		    key, key, limit);
	else
		sql_addf(p->s, "select %s from list where fits", key);
	if (p->n_lookups)
		page_order_by(p, "", "id");
	sql_addf(p->s, " limit %d\n)\n", limit);
}

/* The last row tested, if the scan reached its limit before the page was full. */
static void page_last_tested(const struct filter_page *p, const char *column)
{
	sql_addf(p->s, "case when%s (select count(*) from page) < %d then (select %s from list offset %d limit 1) end",
	    p->n_lookups ? " not (select found from choice) and" : "", p->order->limit, column, p->sizes.most - 1);
}

static struct filter_plan page_plan(const struct filter_page *p)
{
	struct filter_plan plan = {.most = p->test ? p->sizes.most : 0};

	if (p->source.condition) {
		plan.driver = p->source.condition->name;
		plan.driver_index = p->source.table;
	}
	for (int i = 0; i < p->n_lookups; i++) {
		const char *name = p->lookups[i].condition->name;
		if (p->lookups[i].condition->search_part) /* a search is named once */
			continue;
		plan.lookups = i ? arena_printf(p->s->arena, "%s, %s", plan.lookups, name) : name;
		plan.lookup_index = i ? "several indexes" : p->lookups[i].table;
		plan.first = p->sizes.first;
	}
	return plan;
}

struct filter_plan filter_page_sql(
    struct sql *s, const struct filter_base *b, const struct filter *f, const struct filter_order *o)
{
	struct filter_page p = filter_page_begin(s, b, f, o);

	if (!p.test) {
		sql_add(s, "select array(select id from (\n\t");
		page_source(&p);
		sql_addf(s, "\n\tlimit %d\n) l) as ids, null::uuid as last_id, null::timestamptz as last_at", o->limit);
		return page_plan(&p);
	}
	/* Rows are read on demand. The limit is hidden from the planner, which might otherwise sort a short list. */
	sql_add(s, "with list as materialized (\n\t");
	page_source(&p);
	sql_addf(s, "\n\tlimit (select %d)\n),\n", p.sizes.most);
	if (p.n_lookups)
		page_lookups(&p);
	page_rows(&p);
	sql_add(s, "select array(select id from page");
	page_order_by(&p, "", "id");
	sql_add(s, ") as ids,\n\t");
	page_last_tested(&p, "id");
	sql_add(s, " as last_id,\n\t");
	if (o->updated)
		page_last_tested(&p, "updated_at");
	else
		sql_add(s, "null::timestamptz");
	sql_add(s, " as last_at");
	return page_plan(&p);
}

/* --- counts ------------------------------------------------------------------------------------------- */

void filter_test_sql(struct sql *s, const struct filter_base *b, const struct filter *f)
{
	struct filter_sql to = {s, b->viewer};

	sql_add(s, " and ");
	row_tree(&to, f);
}

static void page_count(const struct filter_page *p, int64_t most)
{
	sql_add(p->s, "(select count(*) from (select from (\n\t");
	page_source(p);
	sql_addf(p->s, "\n) l%s", p->test ? " where fits" : "");
	if (most)
		sql_addf(p->s, " limit %lld", (long long)most);
	sql_add(p->s, ") n)");
}

void filter_count_sql(struct sql *s, const struct filter_base *b, const struct filter *f, int64_t most)
{
	struct filter_page p = filter_page_begin(s, b, f, NULL);

	if (p.n_lookups == 0) {
		sql_add(s, "select ");
		page_count(&p, most);
		return;
	}
	sql_add(s, "with ");
	page_related(&p, "");
	page_candidates(&p, "");
	sql_add(s, "\nselect case when ");
	page_few_candidates(&p);
	sql_add(s, " then (select count(*)");
	page_among_candidates(&p);
	sql_add(s, " and ");
	page_tests(&p);
	sql_add(s, ") else ");
	page_count(&p, most);
	sql_add(s, " end");
}
