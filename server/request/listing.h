/* Filters of a request, resolved in its workspace, and the statements of filtered lists. */
#ifndef KITH_SERVER_REQUEST_LISTING_H
#define KITH_SERVER_REQUEST_LISTING_H

#include "filter/compile.h"
#include "filter/read.h"
#include "filter/search.h"
#include "server/input/custom.h"
#include "server/request/page.h"

struct listing {
	struct filter *filter;
	struct filter_search *search; /* a condition of the filter; NULL: none */
	struct filter_viewer viewer;
};

/* Everything that a reader of fields and filters needs. listing_prepare() returns false when the path names an unknown
 * group or type: the answer will be the 404 for the path. */
struct listing_reading {
	struct custom_scope scope;
	struct filter_resolver resolver;
	struct filter_reading reading;
};
bool listing_prepare(struct req *r, struct listing_reading *rd);
/* The same for another list than the route's. path: the group and the type of objects. */
bool listing_prepare_for(
    struct req *r, const struct filter_table *table, const struct path_value *path, struct listing_reading *rd);
struct filter_viewer listing_viewer(struct req *r);

/* Reads the query or body of the request, and adds issues to the request. It reads nothing when the path names an
 * unknown group or type: the answer will be the 404 for the path. */
void listing_read_query(struct req *r);
void listing_read_body(struct req *r, const struct json *filter);
/* The same for the parameter "search", after the filters. */
void listing_read_search(struct req *r);
/* Splits the text of a search; NULL with an issue at the path. */
struct filter_search *listing_split(struct req *r, const struct param_value *text, const struct path *at);

/* Asks for what must be known before the request's search, and takes the answer when the step runs again. PASS: it is
 * known, or there is no search. A step that writes the filter in SQL begins with it. */
enum step listing_know(struct req *r);

/* Checks a filter that is stored in a record. table: of the resource that it filters; path: the group and the type of
 * objects; at: the object that has the filter. */
void listing_check_body(struct req *r, const struct filter_table *table, const struct path_value *path,
    const struct json *filter, const struct path *at);

/* Adds the statements for a page of the route's resource, with the request's filters if it has any. *at is set to the
 * statement that reads the records of the page. name: as in struct sql, for unfiltered lists. */
void listing_select(struct req *r, const char *name, int *at, const struct filter_base *b, struct page *p);
/* Loads these rows. The database may have ended the page before it was full. */
void listing_load(struct req *r, int at, struct page *p);
/* Appends the statement that selects the records of such a page. */
struct filter_plan listing_plan_sql(
    const struct req *r, struct sql *s, const struct filter_base *b, const struct page *p);

#endif
