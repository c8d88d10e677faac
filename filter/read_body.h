/*
 * Filters out of the body of a search. An object mirrors the query's keys:
 *
 *   {"emails": {"like": "x"}, "groups": {"in": {"id": ["grp_…"]}}, "urls": {"empty": true},
 *    "companies.industry": {"eq": ["Steel", "Wood"]},
 *    "or": [{"firstName": {"eq": "Ann"}}, {"and": [{…}, {…}]}]}
 *
 * Its members hold together, those of the outermost object as the combinator
 * says; "and" and "or" hold objects of the same form.
 */
#ifndef KITH_FILTER_READ_BODY_H
#define KITH_FILTER_READ_BODY_H

#include "filter/read.h"

/* NULL when there is no condition (json NULL or {}), or when an issue was added; paths begin with "filter". */
struct filter *filter_read_body(struct filter_reading *rd, const struct json *json, bool any_of);

#endif
