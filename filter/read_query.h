/* Converts a query string's filters to the object that the body of a search would have; see read.h. */
#ifndef KITH_FILTER_READ_QUERY_H
#define KITH_FILTER_READ_QUERY_H

#include "filter/read.h"

/* {field: {operator: {sub-key: [texts]}}}, in order of first occurrence; "" without a sub-key. A field whose key is
 * malformed is null, one without an operator is a string. Texts with a NUL are marked has_nul. Keys that are not
 * UTF-8 are left out and reported. */
const struct json *read_query_object(struct arena *a, const struct query *q, bool *bad_utf8);

#endif
