/* Statements of aggregates: count, sum, average, least and greatest value of the records of a list, by up to two
 * groupings (docs/totals.md). One statement answers one part: it tests a limited number of records, in the order of
 * their ids, and says where the next part begins. */
#ifndef KITH_FILTER_AGGREGATE_H
#define KITH_FILTER_AGGREGATE_H

#include "filter/compile.h"

enum {
	AGGREGATE_GROUPINGS_MAX = 2,
	AGGREGATE_MEASURES_MAX = 8,
	AGGREGATE_TESTED_MAX = 500000, /* records that one part tests */
	AGGREGATE_GROUPS_MAX = 10000   /* groups that one part lists */
};

/* How days and times are put into groups. */
enum aggregate_bucket { BUCKET_NONE, BUCKET_DAY, BUCKET_WEEK, BUCKET_MONTH, BUCKET_QUARTER, BUCKET_YEAR };
extern const char *const aggregate_buckets[]; /* their words, by number; NULL terminated from BUCKET_DAY on */

/* Sets of measures of a field. */
enum { MEASURE_SUM = 1, MEASURE_AVG = 2, MEASURE_MIN = 4, MEASURE_MAX = 8 };

struct aggregate_grouping {
	struct filter_condition of; /* its field and custom field, without operator and values */
	enum aggregate_bucket bucket;
	/* The order of the groups, where neither the values nor the names of records give it. */
	const struct uuid *ids; /* of options, users and groups; NULL: none */
	size_t n_ids;
	const char *const *words; /* texts, NULL terminated; NULL: none */
};

struct aggregate_measure {
	struct filter_condition of;
	unsigned wanted; /* MEASURE_ */
};

enum aggregate_sort { AGGREGATE_BY_KEY, AGGREGATE_BY_COUNT, AGGREGATE_BY_SUM };

struct aggregate {
	struct aggregate_grouping groupings[AGGREGATE_GROUPINGS_MAX];
	int n_groupings;
	struct aggregate_measure measures[AGGREGATE_MEASURES_MAX];
	int n_measures;
	enum aggregate_sort sort;
	int by;    /* AGGREGATE_BY_SUM: the measure */
	int limit; /* groups of an answer that is not a part */
};

/* What fields can do. */
bool aggregate_groups(const struct filter_field *f);
bool aggregate_is_day(const struct filter_field *f);       /* a date or a time: it has buckets */
bool aggregate_is_time(const struct filter_field *f);      /* a time: its buckets depend on the zone */
unsigned aggregate_measures(const struct filter_field *f); /* set of MEASURE_ */

/* The records of one part. */
struct aggregate_part {
	bool after; /* it begins with this id; else with the first record */
	struct uuid from;
	int most;   /* records tested */
	int groups; /* groups listed, if the part is not the whole list */
};

/* The most records of a part: AGGREGATE_TESTED_MAX, or fewer by an estimate of what testing one costs. */
int aggregate_most(const struct filter *f, const struct aggregate *a);
/* The most groups of a part: AGGREGATE_GROUPS_MAX, or few in tests. */
int aggregate_groups_most(void);

/* The columns of the result. Each grouping has GROUPING_COLUMNS, and each measure MEASURE_COLUMNS. */
enum { AGGREGATE_WHAT, AGGREGATE_TESTED, AGGREGATE_NEXT, AGGREGATE_COUNT, AGGREGATE_COLUMNS };
enum { GROUPING_KEY, GROUPING_NAME, GROUPING_KIND, GROUPING_COLUMNS };
enum { MEASURED_VALUES, MEASURED_SUM, MEASURED_AVG, MEASURED_MIN, MEASURED_MAX, MEASURE_COLUMNS };
enum { AGGREGATE_GROUP, AGGREGATE_OTHER, AGGREGATE_TOTAL }; /* AGGREGATE_WHAT: what the row is */

/* Appends the select. Rows: groups in order, what a limit leaves out, and the total, always. A part that is not the
 * whole list has all groups, up to one more than part->groups. For the LIST lane, see filter_page_sql(). The buckets of
 * times are those of the transaction's TimeZone. f may be NULL; b has a viewer. */
void aggregate_sql(struct sql *s, const struct filter_base *b, const struct filter *f, const struct aggregate *a,
    const struct aggregate_part *part);

#endif
