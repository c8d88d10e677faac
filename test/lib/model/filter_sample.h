/* A few records of every kind and conditions on them, for tests of the filter compiler. Each record is a letter. */
#ifndef KITH_TEST_LIB_MODEL_FILTER_SAMPLE_H
#define KITH_TEST_LIB_MODEL_FILTER_SAMPLE_H

#include "filter/compile.h"

#define FILTER_SAMPLE_WORKSPACE "11111111-0000-7000-8000-000000000000"

/* The statements that create them in an empty database; ends with NULL. */
extern const char *const filter_fixture[];

/* Tables without fields: conditions are made by filter_sample_condition(). */
extern const struct filter_table sample_people, sample_companies, sample_tasks, sample_objects;

/* A condition as named in a case, and the records it must find. */
struct filter_sample {
	const char *table; /* p, c, t, o; with "!": group b is hidden */
	const char *field; /* with "companies." before it: of related records */
	enum filter_op op;
	const char *values; /* separated by '|' */
	const char *found;
};

/* Values are separated by '|'; ids are letters, '?' is an unknown id. */
struct filter_condition *filter_sample_condition(struct arena *a, const struct filter_sample *t);

/* The list of a case's table, as user a sees it; the viewer is written to v, which must live as long. */
struct filter_base filter_sample_base(const char *table, struct filter_viewer *v);

/* Kinds: '1' people, 2 companies, 3 groups, 4 users, 5 custom fields, 6 options, 7 objects, 8 tasks. */
struct uuid filter_sample_id(char kind, char letter);

#endif
