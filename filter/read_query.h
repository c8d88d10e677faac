/* Filters of a query string: filter[field][operator][sub-key][index]=value, and the object that the body of a search
 * would have for them. Here all parts are text; fields and their operators are checked elsewhere. */
#ifndef KITH_FILTER_READ_QUERY_H
#define KITH_FILTER_READ_QUERY_H

#include "filter/filter.h"
#include "server/base/cursor.h"
#include "server/base/json.h"
#include "server/base/query.h"

enum filter_key_status {
	FILTER_KEY_OK,
	FILTER_KEY_NONE,      /* does not begin with "filter[": not a filter */
	FILTER_KEY_MALFORMED, /* does not end in ']': field is all that follows "filter[" */
	FILTER_KEY_NO_OP      /* filter[field]: op is empty */
};

/* A parsed key; the slices point into the key. */
struct filter_key {
	const char *field; /* may be empty, and may contain brackets, dots and any Unicode */
	size_t field_len;
	const char *op; /* the word in the operator's place */
	size_t op_len;
	enum filter_op kind; /* FILTER_OP_NONE: the word is not an operator */
	const char *subkey;  /* "id" of [in][id], or any other text after the operator; NULL: none */
	size_t subkey_len;
};

/* Parses a decoded key from the right, because a field's name may contain anything: the operator is the last
 * operator word in brackets that follows something in brackets; an optional sub-key and an optional index ([] or
 * digits) follow it; the field precedes it. */
enum filter_key_status filter_key_parse(struct filter_key *k, const char *key, size_t len);

/* The length of a key without the index at its end, as some clients append. */
size_t filter_key_unindexed(const char *key, size_t len);

/* {field: {operator: {sub-key: [texts]}}}, in order of first occurrence; "" without a sub-key. A field whose key is
 * malformed is null, one without an operator is a string. Texts with a NUL are marked has_nul. Keys that are not
 * UTF-8 are left out and reported. */
const struct json *filter_query_object(struct arena *a, const struct query *q, bool *bad_utf8);

/* Adds the query's filters to the data that a cursor is sealed with: as a set, regardless of how they were written. */
void filter_query_context(struct cursor_context *x, const struct query *q);

#endif
