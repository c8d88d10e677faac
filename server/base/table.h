/* A hash table in an arena, from keys (bytes: a text, an id) to pointers. Use it for anything that a client or
 * workspace may have many of, because nested loops over many items would block the event loop. */
#ifndef KITH_SERVER_BASE_TABLE_H
#define KITH_SERVER_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"

struct table_row {
	const void *key;
	size_t len;
	void *value; /* set by the caller; NULL in a new row */
	uint32_t hash;
};

struct table {
	struct arena *arena;
	struct table_row *rows; /* in order of insertion; valid until the next insertion */
	size_t count, room;
	uint32_t *slots; /* row number + 1; NULL while there are few rows */
	size_t mask;
};

/* most is the expected number of rows; more are possible. */
void table_init(struct table *t, struct arena *a, size_t most);
/* Returns the row of the key, inserted if new. The key's bytes must stay valid. */
struct table_row *table_row(struct table *t, const void *key, size_t len);
/* Inserts the key. True when it is new. */
bool table_add(struct table *t, const void *key, size_t len);
/* Returns the value of the key's row, NULL when there is none. */
void *table_find(const struct table *t, const void *key, size_t len);
bool table_has(const struct table *t, const void *key, size_t len);

#endif
