/*
 * How many records a list has. It is asked for behind the page, so that a count
 * that takes long does not take the page with it: an exact one has so much time,
 * then the planner's estimate stands in and the answer says so. A first page without a next one is the whole list.
 */
#include <string.h>

#include "server/base/fault.h"
#include "server/filtering.h"
#include "server/steps.h"

#define COUNT_MS "1000"

/* The estimate costs nothing; it comes as the text of a plan. */
static enum step estimate(struct req *r)
{
	const struct filter_base *b = r->counted_rows;
	struct sql *s = req_sql(r, NULL, NULL);

	sql_addf(s, "explain (format json) select 1 from %s t where t.workspace_id = $1", b->table->resource->table);
	if (b->column) {
		sql_addf(s, " and t.%s = ", b->column);
		sql_uuid(s, &b->id);
	}
	if (b->more)
		b->more(b->ctx, s);
	if (r->filtering)
		filter_where_sql(s, b, r->filtering->filter);
	return ask(r, DB_LIST);
}

static enum step too_slow(struct req *r)
{
	r->total_estimated = true;
	return estimate(r);
}

/* Whether the page is the list. */
static bool is_all(const struct req *r, const struct page *p)
{
	return !p->after && !r->more;
}

enum step step_count(struct req *r)
{
	const struct page *p = r->state;

	if (p->count == COUNT_NONE || is_all(r, p))
		return PASS;
	if (p->count == COUNT_ESTIMATED)
		return estimate(r);
	/* For the rest of the exchange, which is a transaction. */
	sql_add(req_sql(r, "count_timeout", NULL),
	    "select set_config('statement_timeout', '" COUNT_MS "', true) from workspaces where workspace_id = $1");
	if (FAULT_ERROR("slow_count"))
		filtering_stall(r, "20");
	filter_count_sql(req_sql(r, NULL, &r->at), r->counted_rows, r->filtering ? r->filtering->filter : NULL, 0);
	r->timed_out = too_slow;
	return ask(r, DB_LIST);
}

enum step step_counted(struct req *r)
{
	const struct page *p = r->state;
	int64_t seen = (int64_t)r->n_records + r->more;

	if (p->count == COUNT_NONE)
		return PASS;
	if (is_all(r, p)) {
		r->total = seen;
	} else if (p->count == COUNT_ESTIMATED || r->total_estimated) {
		r->total = page_estimate(r->x, 0);
		if (r->total < seen)
			r->total = seen;
	} else {
		r->total = db_int(r->x, r->at, 0, 0);
	}
	return PASS;
}
