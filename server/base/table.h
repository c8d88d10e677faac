/*
 * A table from keys (bytes: a text, an id) to pointers, in an arena. What a client, or a workspace, has many of is
 * looked up in one: a loop over all of them for each of them would hold the loop for long.
 */
#ifndef KITH_BASE_TABLE_H
#define KITH_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"

struct table_row {
	const void *key;
	size_t len;
	void *value; /* the caller's; NULL in a new row */
	uint32_t hash;
};

struct table {
	struct arena *arena;
	struct table_row *rows; /* in the order in which they came; valid until the next one comes */
	size_t count, room;
	uint32_t *slots; /* number of a row + 1; NULL while there are few rows */
	size_t mask;
};

/* most: about how many rows it will have; it grows beyond that. */
void table_init(struct table *t, struct arena *a, size_t most);
/* The key's row, made when it is new; the key's bytes must stay. */
struct table_row *table_row(struct table *t, const void *key, size_t len);
/* True when the key was not there. */
bool table_add(struct table *t, const void *key, size_t len);
/* The value of the key's row; NULL without one. */
void *table_find(const struct table *t, const void *key, size_t len);
bool table_has(const struct table *t, const void *key, size_t len);

#endif
