/* Filters out of a query string: filter[field][operator][sub-key][index]=value. */
#ifndef KITH_FILTER_READ_QUERY_H
#define KITH_FILTER_READ_QUERY_H

#include "server/base/cursor.h"
#include "filter/read.h"
#include "server/base/query.h"

/* True when a key belongs to filters: it begins with "filter[". */
bool filter_query_key(const struct query_text *key);

/*
 * Reads all filters of a query. They hold together, or with any_of one of them
 * is enough. NULL when there is none, or when an issue was added. The issues
 * come as those of one object would: by field and operator in the order in which
 * each comes first, then the unknown operators of a field; at last unknown fields.
 */
struct filter *filter_read_query(struct filter_reading *rd, const struct query *q, bool any_of);

/* Adds the query's filters to what a cursor is sealed with: as a set, however they were written. */
void filter_query_context(struct cursor_context *x, struct arena *a, const struct query *q);

#endif
