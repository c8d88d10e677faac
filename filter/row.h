/* Conditions as tests of a row that is there already: of every kind, whatever indexes there are. */
#ifndef KITH_FILTER_ROW_H
#define KITH_FILTER_ROW_H

#include "filter/filter.h"
#include "store/sql.h"

/* Who looks, and under which alias the record's row is. */
struct row {
	struct sql *s;
	const struct filter_viewer *viewer;
	const char *alias;
};

/* Appends the condition, true or not: what is unset fits no positive operator and each negative one. */
void row_condition(const struct row *r, const struct filter_condition *f);

/* Appends all conditions of a tree but one that is known to hold, which stands where all must; NULL: none. */
void row_tree(const struct row *r, const struct filter *f, const struct filter_condition *known);

/* About how long the test of a row takes, in units of half a microsecond. */
int row_cost(const struct filter *f);

#endif
