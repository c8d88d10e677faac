/* Pages of lists: limit, order, sealed cursors, nextLink (docs/api.md, "Pages"). */
#ifndef KITH_SERVER_REQUEST_PAGE_H
#define KITH_SERVER_REQUEST_PAGE_H

#include "server/base/cursor.h"
#include "server/request/request.h"

enum { PAGE_LIMIT_DEFAULT = 20 }; /* records of a page, if the request gives no limit */

enum page_sort {
	SORT_CREATED,
	SORT_CREATED_DOWN,
	SORT_UPDATED,
	SORT_UPDATED_DOWN, /* the orders so far, as the choices of the parameter list them */
	SORT_TIME,
	SORT_TIME_DOWN /* orders of interactions */
};
enum page_count { COUNT_NONE, COUNT_EXACT, COUNT_ESTIMATED };

/* An order of rows t: " order by …", and the time that comes before the id in it; NULL: none. Cursors hold the time in
 * microseconds. An order by creation is the order of the ids, also of imported records. Lists that mix kinds of records
 * can use it, too. */
struct page_order {
	const char *sql, *column, *field;
	bool down;
};
extern const struct page_order page_orders[];

struct page {
	int limit;
	enum page_sort sort;
	enum page_count count;
	bool after; /* the request has a cursor */
	bool small; /* without large values; true until a row with one is found */
	struct cursor cursor;
	unsigned char context[CURSOR_CONTEXT_SIZE];
	int fewer;         /* rows to test because more took too long; 0: as many as usual */
	int most;          /* rows to test for a page; 0: no limit */
	bool ended;        /* that many rows were tested, so the page ends early: */
	struct cursor end; /* the cursor after the last row tested */
};

/* Reads limit, cursor, sort and count of the request. Returns false, with an issue, when the cursor does not belong to
 * this list. */
bool page_read(struct req *r, struct page *p);

/* Selects the rows of a page. The database stops when they reach PAGE_BYTES, so that a page never has a hundred large
 * records. Call page_begin_rows(), append " and …" for rows of table t, then call page_sql(). With another order and a
 * limit on rows (0: none), call page_end_rows() instead.
 *
 * Adding up sizes takes a third of a page's time, and hardly any page has large records. So a list first asks for rows
 * without large values. If the database left out a row (page_withheld()), the list asks again. */
enum {
	PAGE_BYTES = 8 << 20,
	PAGE_BYTES_CARRIED = 8 << 10 /* of events as stored: language models read the answers of tools */
};
/* Column 0 of the rows is the id (db_uuid()). The last column depends on small. With small it says whether the row
 * lacks a large value (page_withheld()). Without it is page_more, which says whether another row follows
 * (page_shown()). */
void page_begin_rows(struct sql *s, const struct resource *res, bool small);
void page_end_rows(struct sql *s, const char *order, int limit, bool small);
/* True when a row that the page would show lacks a large value. */
bool page_withheld(const struct db_exchange *x, int statement, const struct page *p);
/* Appends " and …" for the cursor, then the order of the page, and a limit of one row more than the page holds. */
void page_sql(struct sql *s, const struct page *p);
/* Returns the number of rows of the result that the page shows, and sets r->list.more: whether the list continues. */
int page_shown(struct req *r, int statement, int limit);
/* Loads these rows into r->records, as records of the route's resource. */
void page_load(struct req *r, int statement, int limit);
/* True when the answer has become so large that the page ends here. */
bool page_full(const struct req *r);

/* The name under which the statement of an unfiltered list is prepared: its plan is an index walk for all values. NULL
 * for rarely used limits, to limit the number of plans. Statements with filters have no name and are planned with their
 * values. */
const char *page_name(struct req *r, const struct page *p);

/* Steps after a page, in count.c. step_count() counts r->list.counted, unless the page is the whole list.
 * step_counted() reads the count. */
step_fn step_count, step_counted;

/* Begins {"data": {"items": [ ; the caller writes the items. */
struct json_out *page_begin(struct req *r);
/* A list from the workspace's snapshot. Call page_walk_begin(). Then, in order of ids and until w->more, call
 * page_walk_shows() for each item and write the item if it returns true. Then call page_walk_end(). */
struct page_walk {
	struct page page;
	struct cursor last; /* the last item shown */
	int shown;
	bool more;
};
/* Returns false when the reply is set. */
bool page_walk_begin(struct req *r, struct page_walk *w);
/* The same for what belongs to the group in the path. Returns the group, NULL when the reply is set. */
const struct group *page_walk_group(struct req *r, struct page_walk *w);
bool page_walk_shows(const struct req *r, struct page_walk *w, const struct uuid *id);
enum step page_walk_end(struct req *r, const struct page_walk *w);

/* Ends the list. last: the key of the last item when the list continues after the page or after its early end; else
 * NULL. */
enum step page_end(struct req *r, const struct page *p, const struct cursor *last);

/* Writes the member that leads to the next page. nextLink is the request's own URL, with this cursor in the parameter
 * name and with the limit. A request without a URL of its own gets nextCursor. */
void page_next(struct req *r, const char *name, const char *cursor, int limit);

#endif
