/*
 * Statements of filtered lists: one per page, bounded for any filter (docs/filters.md).
 *
 *   1. If an index has the matches of one condition in the order of the list, its rows are read, else those of the
 * list. The other conditions are tested on each row.
 *   2. If the first rows fill the page, or the list ends there, that is the page. Else the matches of another condition
 *      are looked up in an index; if they are few, they are tested and sorted.
 *   3. Else the scan continues up to a number of rows, where the page ends.
 */
#ifndef KITH_FILTER_COMPILE_H
#define KITH_FILTER_COMPILE_H

#include "filter/filter.h"
#include "store/sql.h"

/* The order of a list and the start of a page. */
struct filter_order {
	bool updated; /* by updated_at, then id; else by id */
	bool down;    /* newest first */
	bool after;   /* only rows after this key: */
	struct uuid id;
	int64_t time_us; /* updated_at, microseconds since 1970 */
	int limit;
	int most; /* rows tested, of the list itself or of the index in its order; 0: as many as usual */
};

/* Restrictions of a list other than its filters. */
struct filter_base {
	const struct filter_table *table;
	const char *column; /* rows with this uuid in that column: "type_id" of objects; NULL: all */
	struct uuid id;
	const struct filter_viewer *viewer;
	/* Appends " and …", further conditions on row t of the list (such as visibility of tasks); NULL: none. */
	void (*more)(void *ctx, struct sql *s);
	void *ctx;
};

/* How a page is found, in words, for people (kith explain). */
struct filter_plan {
	const char *driver, *driver_index;  /* a condition's name and the table read for it; NULL: the list itself */
	const char *lookups, *lookup_index; /* the same for the look-up after the first rows; NULL: none */
	int first, most;                    /* rows tested before the look-up, and in all; 0: none are tested */
};

/* Appends a select of one row with the columns ids, last_id and last_at. ids is an array of the ids of one page, in
 * order. If the scan ended before the page was full and before the end of the list, last_id and last_at are the id and
 * the updated_at of the last row tested; else they are null. s was begun with sql_begin(). f may be NULL. Send it over
 * the LIST lane, whose search_path leads to views restricted to the workspace. */
struct filter_plan filter_page_sql(
    struct sql *s, const struct filter_base *b, const struct filter *f, const struct filter_order *o);

/* Appends a select of the number of matching records, counted up to most (0: all). */
void filter_count_sql(struct sql *s, const struct filter_base *b, const struct filter *f, int64_t most);

/* Appends " and (…)", the tests that are cheap on a row t already read. */
void filter_test_sql(struct sql *s, const struct filter_base *b, const struct filter *f);

/* Appends " and …" for each condition on createdAt that every match meets: an interval of ids. */
void filter_created_sql(struct sql *s, const struct filter *f, const char *id);

#endif
