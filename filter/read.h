/*
 * Reads filters from a query string or from the body of a search, which have the same form. A body's object mirrors the
 * query's keys:
 *
 *   {"emails": {"like": "x"}, "groups": {"in": {"id": ["grp_…"]}}, "urls": {"empty": true},
 *    "companies.industry": {"eq": ["Steel", "Wood"]},
 *    "or": [{"firstName": {"eq": "Ann"}}, {"and": [{…}, {…}]}]}
 *
 * Its members are combined by "and", those of the outermost object by the combinator; "and" and "or", in bodies only,
 * contain objects of the same form. Every issue has its path, which begins with "filter".
 */
#ifndef KITH_FILTER_READ_H
#define KITH_FILTER_READ_H

#include "filter/filter.h"
#include "server/base/issues.h"
#include "server/base/query.h"

/* The reader's access to the workspace and the viewer. Each function returns false when the thing does not exist or
 * is hidden from the viewer. */
struct filter_resolver {
	const void *ctx;
	bool (*group)(const void *ctx, const struct uuid *id);
	/* group NULL: a field of the listed objects; out->removed lives as long as the resolver */
	bool (*custom)(
	    const void *ctx, const struct uuid *group, const char *name, size_t len, struct filter_custom *out);
	bool (*option)(const void *ctx, const struct uuid *field, const char *label, size_t len, struct uuid *out);
	bool (*user)(const void *ctx, const char *email, size_t len, struct uuid *out);
	/* Names for hints (near_try()): of the custom fields, of the options of one; NULL: none. */
	void (*custom_near)(const void *ctx, const struct uuid *group, struct near *n);
	void (*option_near)(const void *ctx, const struct uuid *field, struct near *n);
};

struct filter_reading {
	struct arena *arena; /* for all that is read; texts of the request are not copied */
	const struct filter_table *table;
	const struct filter_resolver *resolver;
	struct issues *issues;
	const struct path *at; /* the object that has the filter; NULL: the outermost one */
	bool query; /* from a query string: all values are texts, and there are neither relations nor groups */
	size_t n_conditions;
};

/* All conditions must hold, or with any_of at least one. NULL when there are none (json NULL or {}), or after an
 * issue. */
struct filter *filter_read_body(struct filter_reading *rd, const struct json *json, bool any_of);
struct filter *filter_read_query(struct filter_reading *rd, const struct query *q, bool any_of);

/* Finds the field with a name; it does not look for fields of related records. Sets the members of c that tell the
 * field; before the call all members of c must be zero. Returns NULL when it has found one. Otherwise it returns the
 * reason in words, or "" for an unknown name. */
const char *filter_look_up(struct filter_reading *rd, const char *name, size_t len, struct filter_condition *c);
/* Adds a hint to the last issue, which is about an unknown custom field; for other names it does nothing. */
void filter_hint_custom(struct filter_reading *rd, const char *name, size_t len);

/* --- read_value.c: for read.c ---------------------------------------------------------- */

/* The same for a condition in a filter. If the field is unknown, it adds the name to unknown and returns false. If
 * lists cannot be filtered by the field, it adds an issue and returns false. */
bool filter_find(struct filter_reading *rd, const char *name, size_t len, const struct path *at,
    struct issue_keys *unknown, struct filter_condition *c);

/* Reads one value, which is UTF-8 without NUL and is not copied; false with an issue at its path. */
bool filter_value_read(struct filter_reading *rd, const struct filter_condition *c, unsigned subkey, const char *text,
    size_t len, const struct path *at, struct filter_value *out);

#endif
