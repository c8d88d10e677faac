/* Makes the copy of a workspace equal to its current state. Rows that were written since a moment are copied again.
 * Deleted rows are found by counting: once the written rows are copied, the copy can only have more rows than the
 * source. */
#ifndef KITH_SERVER_CELL_DELTA_H
#define KITH_SERVER_CELL_DELTA_H

#include "server/cell/copy.h"

enum { DELTA_TABLES_MAX = 64, DELTA_SINCE_SIZE = 24 };

struct delta {
	struct db_copy *from, *to; /* from: in a transaction with one snapshot */
	struct uuid workspace;
	const struct vault *own, *other; /* the keys of secrets at the source and the target; both NULL: the same key */
	const char *columns[DELTA_TABLES_MAX];
	struct arena arena;
	/* The oldest transaction that the last pass may not have seen; "": there was no pass, and all rows are copied.
	 */
	char since[DELTA_SINCE_SIZE];
	int64_t age;      /* age of that transaction in transactions, in the current pass */
	int64_t rows;     /* copied or removed by the last pass */
	int64_t until_us; /* deadline of the pass; 0: none */
	bool late;        /* the pass failed because it did not meet the deadline */
};

/* Begins a snapshot, copies its changes, and ends it. */
bool delta_pass(struct delta *d);

#endif
