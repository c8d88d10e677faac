/* Makes the copy of a workspace equal to what it is now: rows that were written since a moment are copied again, and
 * those that are gone are found by counting: after the written ones have come, the copy can only have more. */
#ifndef KITH_SERVER_CELL_DELTA_H
#define KITH_SERVER_CELL_DELTA_H

#include "server/cell/copy.h"
#include "webhook/vault.h"

enum { DELTA_TABLES_MAX = 64, DELTA_SINCE_SIZE = 24 };

struct delta {
	struct db_copy *from, *to; /* from: in a transaction with one snapshot */
	struct uuid workspace;
	const struct vault *own, *other; /* the keys of secrets there and here; both NULL: the same */
	const char *columns[DELTA_TABLES_MAX];
	struct arena arena;
	/* The oldest transaction that the last pass may not have seen; "": there was none, all rows are copied. */
	char since[DELTA_SINCE_SIZE];
	int64_t age;      /* how many transactions ago that was, in the present pass */
	int64_t rows;     /* copied or removed by the last pass */
	int64_t until_us; /* it has to have ended by then; 0: any time */
	bool late;        /* it had not: that is why it failed */
};

/* Begins a snapshot, copies what it has, and ends it. */
bool delta_pass(struct delta *d);

#endif
