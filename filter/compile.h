/*
 * Statements of lists with filters: one a page, bounded whatever is asked (docs/filters.md).
 *
 *   1. Where an index has what one condition finds in the order of the list, the rows come from it; else they are the
 *      list's. The other conditions are tested on each row.
 *   2. The first rows fill the page, or the list ends there. Else an index is asked for what another condition finds;
 *      if that is little, it is tested and sorted.
 *   3. Else the walk goes on, to so many rows, and the page ends there.
 */
#ifndef KITH_FILTER_COMPILE_H
#define KITH_FILTER_COMPILE_H

#include "filter/filter.h"
#include "store/sql.h"

/* The order of a list and where its page begins. */
struct filter_order {
	bool updated; /* by updated_at, then id; else by id */
	bool down;    /* newest first */
	bool after;   /* only rows behind this key: */
	struct uuid id;
	int64_t time_us; /* updated_at, microseconds since 1970 */
	int limit;
};

/* What narrows a list apart from its filters. */
struct filter_base {
	const struct filter_table *table;
	const char *column; /* rows with this uuid in that column: "type_id" of objects; NULL: all */
	struct uuid id;
	const struct filter_viewer *viewer;
	/* Appends " and …", further conditions on row t of the list (who may see a task); NULL: none. */
	void (*more)(void *ctx, struct sql *s);
	void *ctx;
};

/* Where a page comes from, for people. */
struct filter_plan {
	const char *driver, *driver_index;  /* a condition's name and what is read for it; NULL: the list itself */
	const char *lookups, *lookup_index; /* the same of what is asked when the first rows do not do; NULL: nothing */
	int first, most;                    /* rows tested before that, and in all; 0: none is */
};

/*
 * Appends a select of one row: ids, an array of the ids of one page in order; and, when the walk ended before the page
 * was full and the list at its end, the key of the last row tested: last_id and last_at (updated_at), else null. s was
 * begun with sql_begin(). It is meant for the LIST lane, whose search_path leads to views that hold the workspace. f
 * may be NULL.
 */
struct filter_plan filter_page_sql(
    struct sql *s, const struct filter_base *b, const struct filter *f, const struct filter_order *o);

/* Appends a select of how many records match, counting no further than most (0: all). */
void filter_count_sql(struct sql *s, const struct filter_base *b, const struct filter *f, int64_t most);

/* Appends " and (…)", what is quick to test on a row t that is there already. */
void filter_test_sql(struct sql *s, const struct filter_base *b, const struct filter *f);

#endif
