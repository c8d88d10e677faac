/* Pages of lists: limit, order, sealed cursors, nextLink (docs/api.md, "Pages"). */
#ifndef KITH_SERVER_REQUEST_PAGE_H
#define KITH_SERVER_REQUEST_PAGE_H

#include "server/base/cursor.h"
#include "server/request/request.h"

enum { PAGE_LIMIT_DEFAULT = 20 }; /* records of a page, if the request does not say */

enum page_sort {
	SORT_CREATED,
	SORT_CREATED_DOWN,
	SORT_UPDATED,
	SORT_UPDATED_DOWN, /* so far in the order of the parameter's choices */
	SORT_TIME,
	SORT_TIME_DOWN /* of interactions */
};
enum page_count { COUNT_NONE, COUNT_EXACT, COUNT_ESTIMATED };

/* An order of rows t: " order by …", and the time before the id in it, NULL: none. Cursors hold it in microseconds. */
struct page_order {
	const char *sql, *column, *field;
	bool down;
};
extern const struct page_order page_orders[];

struct page {
	int limit;
	enum page_sort sort;
	enum page_count count;
	bool after; /* a cursor was given */
	bool small; /* without large values: not known yet whether there are any */
	struct cursor cursor;
	unsigned char context[CURSOR_CONTEXT_SIZE];
	int most;          /* rows tested for a page; 0: none */
	bool ended;        /* that many were tested, and the page ends early: */
	struct cursor end; /* after the last one tested */
};

/* Reads limit, cursor, sort and count of the request; false with an issue when the cursor is not one of this list. */
bool page_read(struct req *r, struct page *p);

/* The rows of a page, which ends when it reaches PAGE_BYTES: the database stops there, so that a page never has a
 * hundred large records. Call page_begin_rows(), append " and …" for rows of table t, then call page_sql(), or
 * page_end_rows() with another order and a limit on rows (0: none).
 *
 * Summing up sizes takes a third of a page's time, and hardly any page has large records. So lists first ask for
 * rows without large values; if any was left out (page_withheld()), they ask again. */
enum { PAGE_BYTES = 8 << 20, PAGE_BYTES_CARRIED = 64 << 10 /* as rendered: answers to tools are read by models */ };
void page_begin_rows(struct sql *s, const struct resource *res, bool small);
void page_end_rows(struct sql *s, const char *order, int limit, bool small);
/* True when a row that the page would show lacks a value. */
bool page_withheld(const struct req *r, int statement, const struct page *p);
/* Appends " and …" for the cursor, the page's order, and a limit of one row more than it holds. */
void page_sql(struct sql *s, const struct page *p);
/* The number of rows of the result that the page shows; sets r->list.more when the list continues. */
int page_shown(struct req *r, int statement, int limit);
/* Loads those rows into r->records, as the route's resource. */
void page_load(struct req *r, int statement, int limit);
/* True when the answer has become so large that the page ends here. */
bool page_full(const struct req *r);

/* The name to prepare an unfiltered list's statement under: its plan is an index walk whatever the values. NULL for
 * rarely used limits, to limit the number of plans. Statements with filters are unnamed and planned with their
 * values. */
const char *page_name(struct req *r, const struct page *p);

/* After a page (count.c): counts r->list.counted, unless the page is the whole list; reads the count. */
step_fn step_count, step_counted;

/* Begins {"data": {"items": [ ; the caller writes the items. */
struct json_out *page_begin(struct req *r);
/* A list from the workspace's snapshot: page_walk_begin(); then, in order of ids and until w->more,
 * page_walk_shows() for each item, which is written if true; then page_walk_end(). */
struct page_walk {
	struct page page;
	struct cursor last; /* the last one shown */
	int shown;
	bool more;
};
/* false: the reply is set. */
bool page_walk_begin(struct req *r, struct page_walk *w);
bool page_walk_shows(const struct req *r, struct page_walk *w, const struct uuid *id);
enum step page_walk_end(struct req *r, const struct page_walk *w);

/* Ends it; last: the key of the last item when the list continues after the page, or the page's early end; else
 * NULL. */
enum step page_end(struct req *r, const struct page *p, const struct cursor *last);

/* Writes the member that leads to the next page: nextLink, the request's own URL with this cursor in the parameter name
 * and the limit; nextCursor where the request is no URL. */
void page_next(struct req *r, const char *name, const char *cursor, int limit);

#endif
