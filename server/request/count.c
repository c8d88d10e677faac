/* Counts the records of a list. The count runs after the page, so that a slow count does not delay the page. An exact
 * count has a time limit; after that, the planner's estimate is used and marked as an estimate. A first page without a
 * next page is the whole list. */
#include <string.h>

#include "server/base/fault.h"
#include "server/request/listing.h"

enum { COUNT_MS = 1000 };

/* Estimates are made from the list itself, never from the planner's estimate of the condition. Its statistics cover all
 * workspaces and would reveal which values are common in others. Some rows of the list are tested, and the share of
 * matching rows is applied to the length of the list. Beyond LENGTH_MOST rows, that length is the planner's estimate of
 * the workspace's rows, whatever they contain. */
enum { EXACT_MOST = 1000, TESTED_MOST = 2000, LENGTH_MOST = 20000 };

static void count_rows_sql(struct sql *s, const struct filter_base *b)
{
	sql_addf(s, " from %s t where t.workspace_id = $1", b->table->resource->table);
	if (b->column) {
		sql_addf(s, " and t.%s = ", b->column);
		sql_uuid(s, &b->id);
	}
}

/* Three results begin at r->at: the plan of the list; the numbers of rows tested and of rows matching; the rows of the
 * list. */
static void count_estimate_sql(struct req *r)
{
	const struct filter_base *b = r->list.counted;
	const struct page *p = r->list.page;
	struct sql *s = req_sql(r, NULL, &r->at);

	sql_add(s, "explain (format json) select 1");
	count_rows_sql(s, b);
	s = req_sql(r, NULL, NULL);
	sql_add(s, "select count(*), count(*) filter (where true");
	if (b->more)
		b->more(b->ctx, s);
	if (r->given.listing)
		filter_test_sql(s, b, r->given.listing->filter);
	sql_add(s, ") from (select t.*");
	count_rows_sql(s, b);
	sql_addf(s, " order by t.id desc limit %d) t where t.workspace_id = $1",
	    p->most && p->most < TESTED_MOST ? p->most : TESTED_MOST);
	s = req_sql(r, NULL, NULL);
	sql_add(s, "select count(*) from (select 1");
	count_rows_sql(s, b);
	sql_addf(s, " limit %d) n", LENGTH_MOST);
}

/* The planner's estimate of rows, from the result of "explain (format json) select …". */
static int64_t planned_rows(const struct db_exchange *x, int statement)
{
	size_t len;
	const char *plan = db_text(x, statement, 0, 0, &len), *rows = strstr(plan, "\"Plan Rows\": ");
	int64_t n = 0;

	for (rows = rows ? rows + 13 : ""; *rows >= '0' && *rows <= '9'; rows++)
		n = n * 10 + (*rows - '0');
	return n;
}

static int64_t count_estimate(const struct req *r)
{
	int64_t planned = planned_rows(r->db.last, r->at), length = db_int(r->db.last, r->at + 2, 0, 0);
	int64_t tested = db_int(r->db.last, r->at + 1, 0, 0), match = db_int(r->db.last, r->at + 1, 0, 1);

	if (length == LENGTH_MOST && planned > length)
		length = planned;
	return tested ? (int64_t)((double)length * (double)match / (double)tested) : 0;
}

static enum step count_too_slow(struct req *r)
{
	r->list.total_estimated = true;
	count_estimate_sql(r);
	return req_ask(r, DB_LIST);
}

/* True when the page is the whole list. */
static bool count_is_all(const struct req *r, const struct page *p)
{
	return !p->after && !r->list.more;
}

enum step step_count(struct req *r)
{
	const struct page *p = r->list.page;

	if (p->count == COUNT_NONE || count_is_all(r, p))
		return PASS;
	if (FAULT_ERROR(slow_count))
		sql_add(req_sql(r, NULL, NULL), "select pg_sleep(30) from workspaces where workspace_id = $1");
	filter_count_sql(req_sql(r, NULL, &r->list.at_count), r->list.counted,
	    r->given.listing ? r->given.listing->filter : NULL, p->count == COUNT_ESTIMATED ? EXACT_MOST : 0);
	if (p->count == COUNT_ESTIMATED)
		count_estimate_sql(r);
	r->db.most_ms = COUNT_MS;
	r->db.timed_out = count_too_slow;
	return req_ask(r, DB_LIST);
}

/* The total for the answer. Where an estimate is enough, an exact count is still used below EXACT_MOST. */
static int64_t total_of(const struct req *r, const struct page *p)
{
	int64_t counted = r->list.total_estimated ? 0 : db_int(r->db.last, r->list.at_count, 0, 0), guess;

	if (p->count == COUNT_EXACT ? !r->list.total_estimated : !r->list.total_estimated && counted < EXACT_MOST)
		return counted;
	guess = count_estimate(r);
	return guess > counted ? guess : counted;
}

enum step step_counted(struct req *r)
{
	const struct page *p = r->list.page;
	int64_t seen = (int64_t)r->n_records + (r->list.more && !p->ended);

	if (p->count == COUNT_NONE)
		return PASS;
	r->list.total = count_is_all(r, p) ? seen : total_of(r, p);
	if (r->list.total < seen)
		r->list.total = seen;
	return PASS;
}
