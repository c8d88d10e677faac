/* A query string's filters as the object that the body of a search would have; see read.h. */
#ifndef KITH_FILTER_READ_QUERY_H
#define KITH_FILTER_READ_QUERY_H

#include "filter/read.h"

/*
 * {field: {operator: {sub-key: [texts]}}}, in the order in which each comes first; "" where there is no sub-key. A
 * field whose key is malformed is null, one without an operator has a string in its place. A text that cannot be one is
 * marked has_nul. Keys that are no UTF-8 are left out, and told of.
 */
const struct json *read_query_object(struct arena *a, const struct query *q, bool *bad_utf8);

#endif
