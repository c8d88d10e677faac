/* Between the files of the compiler: compile.c and compile_*.c. */
#ifndef KITH_FILTER_COMPILE_PARTS_H
#define KITH_FILTER_COMPILE_PARTS_H

#include "filter/compile.h"

/* The ids of a condition's values that can match anything for this viewer. */
struct filter_ids {
	struct uuid *ids;
	size_t count;
	bool all; /* none was left out: neither one that does not exist, nor one that the viewer may not see */
};

/* Who looks, and where the rows that a condition speaks of have their id and columns: alias "t", "r". */
struct compile {
	struct sql *s;
	const struct filter_viewer *viewer;
	const char *alias;
};

struct filter_ids compile_ids(const struct compile *c, const struct filter_condition *f);

/* The operator that a negative one denies, and itself of the others. */
enum filter_op compile_positive(enum filter_op op);

/*
 * Appends what is true when one value (an SQL expression, of the scalar type that
 * the items of the condition's field have) fits the positive operator: eq, like, gt,
 * lt, in, not_empty. False or null otherwise.
 */
void compile_scalar(const struct compile *c, const struct filter_condition *f, enum filter_op op, const char *value);

/* Appends the condition on a list in a column; op as above, or all. */
void compile_list(const struct compile *c, const struct filter_condition *f, enum filter_op op);

/* Appends the condition on the row alias, two-valued. */
void compile_condition(const struct compile *c, const struct filter_condition *f);

/* Appends the condition of a whole tree. */
void compile_tree(const struct compile *c, const struct filter *f);

#endif
