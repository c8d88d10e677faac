/* Pages of lists: limit, order, sealed cursors, nextLink (docs/api.md, "Pages"). */
#ifndef KITH_SERVER_REQUEST_PAGE_H
#define KITH_SERVER_REQUEST_PAGE_H

#include "filter/cursor.h"
#include "server/request/request.h"

enum page_sort {
	SORT_CREATED,
	SORT_CREATED_DOWN,
	SORT_UPDATED,
	SORT_UPDATED_DOWN
}; /* in the order of the parameter's choices */
enum page_count { COUNT_NONE, COUNT_EXACT, COUNT_ESTIMATED };

struct page {
	int limit;
	enum page_sort sort;
	enum page_count count;
	bool after; /* a cursor was given */
	bool small; /* large values are left out: nobody has asked yet whether there are any */
	struct cursor cursor;
	unsigned char context[CURSOR_CONTEXT_SIZE];
	int most;          /* rows that are tested for a page; 0: none is */
	bool ended;        /* so many were, and the page ends here: */
	struct cursor end; /* behind the last one */
};

/* Reads limit, cursor, sort and count of the request; false with an issue when
 * the cursor is not one of this list. */
bool page_read(struct req *r, struct page *p);

/*
 * The rows of a page, which ends where it reaches PAGE_BYTES: the database itself stops there, so that nobody gets a
 * hundred large records at once. Begin with page_begin_rows(); then come the caller's " and …", of rows of table t;
 * then page_sql(), or page_end_rows() with an order of the caller's own and how many rows there may be (0: as there
 * are).
 * To add up sizes takes a third of the time of a page, and nearly no page has large records. So lists ask for small
 * rows first: all at once, without what is large; when something was left out (page_withheld()), they ask again.
 */
enum { PAGE_BYTES = 8 << 20 };
void page_begin_rows(struct sql *s, const struct resource *res, bool small);
void page_end_rows(struct sql *s, const char *order, int limit, bool small);
/* Whether one of the rows that the page would show lacks something. */
bool page_withheld(const struct req *r, int statement, const struct page *p);
/* " and …" behind the cursor, the order of the page, one row more than it holds. */
void page_sql(struct sql *s, const struct page *p);
/* " order by …" of a table t with id and updated_at. */
const char *page_order_by(const struct page *p);
/* How many rows of such a statement's result the page shows; r->list.more: the list goes on behind them. */
int page_shown(struct req *r, int statement, int limit);
/* Those rows as records of the route's resource, in r->records. */
void page_load(struct req *r, int statement, int limit);
/* Whether the answer has become so large that the page ends here. */
bool page_full(const struct req *r);

/* How many rows the planner expects, out of the result of "explain (format json) select …". */
int64_t page_estimate(const struct db_exchange *x, int statement);

/*
 * The name to prepare the statement of a list under that nothing but its page
 * shapes: its plan is the walk along an index whatever the values are. NULL for
 * limits that few ask for, so that there are not too many plans. A statement with
 * filters stays without a name and is planned with its values.
 */
const char *page_name(struct req *r, const struct page *p);

/* Opens {"data": {"items": [ ; the caller writes the items. */
struct json_out *page_begin(struct req *r);
/*
 * A list out of the workspace's snapshot. Begin; then ask for each item in the order of the ids, until w->more, whether
 * it is shown, and write it; then end.
 */
struct page_walk {
	struct page page;
	struct cursor last; /* shown */
	int shown;
	bool more;
};
/* false: the reply is set. */
bool page_walk_begin(struct req *r, struct page_walk *w);
bool page_walk_shows(const struct req *r, struct page_walk *w, const struct uuid *id);
enum step page_walk_end(struct req *r, const struct page_walk *w);

/* Closes it; last, when not NULL, is the key of the last item of a page that is not the last one, or the page's end. */
enum step page_end(struct req *r, const struct page *p, const struct cursor *last);

/* Appends the caller's own address with another cursor under that name, and the limit. */
void page_link(struct req *r, const char *name, const char *cursor, int limit, struct buf *url);

#endif
