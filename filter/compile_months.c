/*
 * Intervals of time. An index has the times in order, or the ids, not both: what begins far behind the list's first
 * row, and holds very many, would be walked to or sorted. Between the two lie months of 32 days (kith_month). An index
 * has the ids of each month in order, so none gives more rows than the page has; only in the month in which the
 * interval begins or ends others are passed over. Which months there are is found by going from one to the next.
 */
#include "filter/compile_parts.h"

/* " from … where …": times that lie in months which the interval reaches, and maybe outside of it. */
static void within(const struct page_plan *p, const struct filter_condition *f, const char *month)
{
	const struct filter_value *v = f->values;
	struct sql *s = p->c.s;

	sql_addf(s, " from %s t where t.workspace_id = $1 and %s %s kith_month(", p->c.base->table->resource->table,
	    month, f->op == FILTER_GT ? ">=" : "<=");
	if (f->field->type == FILTER_DATE)
		sql_date(s, v->day);
	else
		sql_time(s, f->op == FILTER_GT ? v->to_ms : v->from_ms);
	sql_add(s, ")");
}

static void months(const struct page_plan *p, const struct filter_condition *f, const char *month)
{
	struct sql *s = p->c.s;

	sql_addf(s, "with recursive m (month) as ((select %s", month);
	within(p, f, month);
	sql_addf(s, " order by %s limit 1) union all select n.month from m cross join lateral (select %s as month",
	    month, month);
	within(p, f, month);
	sql_addf(s, " and %s > m.month order by %s limit 1) n) ", month, month);
}

bool drive_months(const struct page_plan *p, const struct filter_condition *f)
{
	const char *way = p->order->down ? " desc" : "", *column, *month;
	struct sql *s = p->c.s;

	if (!f->field->months || p->c.base->few || (f->op != FILTER_GT && f->op != FILTER_LT))
		return false;
	column = arena_printf(s->arena, "t.%s", f->field->column);
	month = arena_printf(s->arena, "kith_month(%s)", column);
	months(p, f, month);
	sql_add(s, "select x.id from m cross join lateral (select t.id");
	page_rows(p, "");
	page_after_id(p, "t.id");
	sql_addf(s, " and %s = m.month and ", month);
	compile_scalar(&p->c, f, f->op, column);
	sql_addf(s, " order by %s%s, t.id%s limit %d) x", month, way, way, p->order->limit);
	page_order_id(p, "x.id");
	return true;
}
