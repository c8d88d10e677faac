/* Filters of a request: read with what its workspace knows, and the statements of lists that have them. */
#ifndef KITH_SERVER_REQUEST_LIST_H
#define KITH_SERVER_REQUEST_LIST_H

#include "filter/compile.h"
#include "filter/read.h"
#include "server/input/custom.h"
#include "server/request/page.h"

struct filtering {
	const struct filter *filter;
	struct filter_viewer viewer;
};

/* Resolves names by a snapshot, for its viewer; scope: whose custom fields. It lives as long as the resolver. */
struct filter_resolver filtering_resolver(const struct custom_scope *scope);

/* Which groups the viewer may not see. */
struct filter_viewer filtering_viewer(struct arena *a, const struct workspace *ws, const struct viewer *v);

/* Whose custom fields the filters of a resource may name. For objects also group and type, which the caller sets. */
struct custom_scope filtering_scope(
    const struct filter_table *table, const struct workspace *ws, const struct viewer *v);

/*
 * Reads the request's query, or body, whose issues are then among the request's. Nothing is
 * read when the path names no group or type: the answer is then about that.
 */
void filtering_read_query(struct req *r);
void filtering_read_body(struct req *r, const struct json *filter);

/* Adds the statements of a page of the route's resource, with the request's filters if it has some. *at: whose rows are
 * the page's records. name: as struct sql's, for what has no filters. */
void filtering_list(struct req *r, const char *name, int *at, const struct filter_base *b, struct page *p);
/* Loads those rows; the page may have ended before it was full. */
void filtering_load(struct req *r, int at, struct page *p);
/* Appends the statement that says which records such a page has. */
struct filter_plan filtering_plan_sql(
    const struct req *r, struct sql *s, const struct filter_base *b, const struct page *p);

#endif
