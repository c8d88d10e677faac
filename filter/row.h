/* Conditions as tests of a row already read: for every kind, with or without an index. */
#ifndef KITH_FILTER_ROW_H
#define KITH_FILTER_ROW_H

#include "filter/filter.h"
#include "store/sql.h"

/* The viewer, and the alias of the record's row. */
struct filter_row {
	struct sql *s;
	const struct filter_viewer *viewer;
	const char *alias;
};

/* Appends the condition on the row itself, true or false, ignoring its relation: an unset value matches no positive
 * operator and every negative one. */
void row_condition(const struct filter_row *r, const struct filter_condition *f);

/* Appends all conditions of a tree. */
void row_tree(const struct filter_row *r, const struct filter *f);

/* About how long the test of a row takes, in units of half a microsecond. */
int row_cost(const struct filter *f);

#endif
