/*
 * Conditions into SQL. One place turns a condition into text with parameters;
 * one place decides from which index a list is driven (README, "Filters").
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
	bool few; /* those conditions may leave few rows: there is no finding many by going on */
};

/*
 * Appends a subquery "select id from … order by … limit …" of the ids of one page, in order, without parentheses. s
 * was begun with sql_begin(); the row's alias in it is t. It is meant for the LIST lane, whose search_path leads to
 * views that hold the workspace. f may be NULL.
 */
void filter_ids_sql(struct sql *s, const struct filter_base *b, const struct filter *f, const struct filter_order *o);

/* Appends "select count(*) from (…)" of what matches, counting no further than most (0: all). */
void filter_count_sql(struct sql *s, const struct filter_base *b, const struct filter *f, int64_t most);

/* Appends " and (…)", what is quick to test on a row t that is there already. */
void filter_test_sql(struct sql *s, const struct filter_base *b, const struct filter *f);

#endif
