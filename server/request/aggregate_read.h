/* Groupings and measures of a request, resolved in its workspace (docs/totals.md). */
#ifndef KITH_SERVER_REQUEST_AGGREGATE_READ_H
#define KITH_SERVER_REQUEST_AGGREGATE_READ_H

#include "filter/aggregate.h"
#include "server/recurrence/zone.h"
#include "server/request/request.h"

struct aggregate_request {
	struct aggregate what;
	struct filter_viewer viewer;
	const struct zone *zone;
	const char *zone_name;
	const struct custom_field *fields[AGGREGATE_GROUPINGS_MAX]; /* of the groupings; NULL: a built-in field */
	const char *currencies[AGGREGATE_MEASURES_MAX];             /* NULL: not a field of money */
};

/* Reads groupBy, measures, timeZone and sort, and adds issues. Reads nothing when the path names an unknown group or
 * type. Call it after the other parameters. */
void aggregate_read(struct req *r);

/* A list whose records are added up. path: the group and the type of objects. */
struct aggregate_list {
	const struct resource *resource;
	const struct filter_table *filters;
	const struct path_value *path;
};

/* Check the fields that a chart or a board of a view names, as an aggregate does. at: the path of the object, whose
 * members have the right types. */
void aggregate_check_chart(
    struct req *r, const struct aggregate_list *list, const struct json *chart, const struct path *at);
void aggregate_check_board(
    struct req *r, const struct aggregate_list *list, const struct json *board, const struct path *at);

#endif
