/* Conditions as tests of a row that is there already: of every kind, whatever indexes there are. */
#ifndef KITH_FILTER_ROW_H
#define KITH_FILTER_ROW_H

#include "filter/filter.h"
#include "store/sql.h"

/* Who looks, and under which alias the record's row is. */
struct filter_row {
	struct sql *s;
	const struct filter_viewer *viewer;
	const char *alias;
};

/* Appends the condition of the row itself, true or not, and looks at no relation: what is unset fits no positive
 * operator and each negative one. */
void row_condition(const struct filter_row *r, const struct filter_condition *f);

/* Appends all conditions of a tree. */
void row_tree(const struct filter_row *r, const struct filter *f);

/* About how long the test of a row takes, in units of half a microsecond. */
int row_cost(const struct filter *f);

#endif
