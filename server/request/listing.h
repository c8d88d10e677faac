/* Filters of a request, resolved in its workspace, and the statements of filtered lists. */
#ifndef KITH_SERVER_REQUEST_LISTING_H
#define KITH_SERVER_REQUEST_LISTING_H

#include "filter/compile.h"
#include "filter/read.h"
#include "server/input/custom.h"
#include "server/request/page.h"

struct listing {
	const struct filter *filter;
	struct filter_viewer viewer;
};

/* Reads the request's query or body; issues are added to the request's. Reads nothing when the path names an unknown
 * group or type: the answer will be about that. */
void listing_read_query(struct req *r);
void listing_read_body(struct req *r, const struct json *filter);

/* Adds the statements of a page of the route's resource, with the request's filters if any. *at: the statement whose
 * rows are the page's records. name: as in struct sql, for unfiltered lists. */
void listing_select(struct req *r, const char *name, int *at, const struct filter_base *b, struct page *p);
/* Loads those rows; the page may have ended before it was full. */
void listing_load(struct req *r, int at, struct page *p);
/* Appends the statement that selects such a page's records. */
struct filter_plan listing_plan_sql(
    const struct req *r, struct sql *s, const struct filter_base *b, const struct page *p);

#endif
