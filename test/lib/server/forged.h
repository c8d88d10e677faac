/* Workspace files changed by somebody who has no key: their rows are changed and all sums made again. For cmocka tests:
 * errors fail the test. */
#ifndef KITH_TEST_LIB_SERVER_FORGED_H
#define KITH_TEST_LIB_SERVER_FORGED_H

#include <stddef.h>

#include "server/base/arena.h"

struct forged {
	struct arena *arena;
	const char **lines; /* without their line feeds, without the sums and the HMAC */
	size_t n, cap;
};

/* Reads a file of `kith workspace export`. */
struct forged forged_read(struct arena *a, const char *path);
/* A copy, in which one text is replaced by another one, such as the workspace's id. */
struct forged forged_copy(const struct forged *f, const char *text, const char *by);
/* Writes it, with its sums. */
void forged_write(const struct forged *f, const char *path);
/* The same with the HMAC of that key, as of somebody who has it. */
void forged_seal(const struct forged *f, const char *path, const char *key);

/* The first line of a table's rows, after its head, and their number. */
size_t forged_rows(const struct forged *f, const char *table, size_t *n);
/* The columns of a table, separated by ", ". */
const char *forged_columns(const struct forged *f, const char *table);
/* Changes a column of a row, from 0. As COPY writes it. */
void forged_set(struct forged *f, const char *table, size_t row, const char *column, const char *text);
/* Changes the n-th column. */
void forged_set_nth(struct forged *f, const char *table, size_t row, size_t n, const char *text);
/* Another row with the same values after that one. */
void forged_repeat(struct forged *f, const char *table, size_t row);
/* Removes the rows of a table. */
void forged_empty(struct forged *f, const char *table);

#endif
