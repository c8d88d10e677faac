/* Aggregates by PostgreSQL's own "group by", of the values that records show, compared with the server's answers. The
 * statement shares nothing with the program's. */
#ifndef KITH_TEST_LIB_MODEL_AGGREGATE_COMPARE_H
#define KITH_TEST_LIB_MODEL_AGGREGATE_COMPARE_H

#include "test/lib/model/filter_query.h"

enum { PARTS_MAX = 200, GROUPINGS_MAX = 2, MEASURES_MAX = 2 };

struct grouping_drawn {
	const struct model_field *field;
	const char *bucket; /* NULL: none written */
};

struct aggregate_drawn {
	struct filter_query query;
	struct grouping_drawn groupings[GROUPINGS_MAX];
	int n_groupings;
	const struct model_field *measures[MEASURES_MAX];
	int n_measures;
	const char *zone; /* NULL: none written */
};

/* All parts of an answer. */
struct aggregate_parts {
	const struct json *data[PARTS_MAX];
	int n;
	const char *wrong; /* NULL: nothing */
};

/* True for a time, whose buckets depend on the zone. */
bool aggregate_model_time(const struct model_field *f);

/* Returns the rows that only one side has; NULL: both are the same. */
const char *aggregate_compare(
    struct arena *a, const struct program *program, const struct aggregate_drawn *d, const struct aggregate_parts *p);

#endif
