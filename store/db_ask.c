/* See db_ask.h. */
#include "store/db_ask.h"

#include <string.h>

enum { STATEMENTS_FIRST = 4 };

void db_ask_begin(struct db_ask *a)
{
	memset(a, 0, sizeof *a);
	arena_init(&a->arena);
	a->busy = true;
}

void db_ask_put(struct db_ask *a, struct sql *s)
{
	if (a->n == a->cap) {
		struct sql **old = a->statements;
		a->cap = a->cap ? a->cap * 2 : STATEMENTS_FIRST;
		a->statements = arena_alloc(&a->arena, (size_t)a->cap * sizeof *a->statements);
		if (a->n)
			memcpy(a->statements, old, (size_t)a->n * sizeof *old);
	}
	a->statements[a->n++] = s;
}

struct sql *db_ask_add(struct db_ask *a)
{
	struct sql *s = arena_alloc(&a->arena, sizeof *s);

	db_ask_put(a, s);
	return s;
}

void db_ask_fill(struct db_ask *a, enum db_lane lane, void (*done)(struct db_exchange *x), void *owner)
{
	a->x.lane = lane;
	a->x.statements = a->statements;
	a->x.n_statements = a->n;
	a->x.done = done;
	a->x.owner = owner;
}

void db_ask_send(struct db_ask *a, struct db *db, enum db_lane lane, void (*done)(struct db_exchange *x), void *owner)
{
	db_ask_fill(a, lane, done, owner);
	db_send(db, &a->x);
}

enum db_status db_ask_run(struct db_ask *a, struct db *db)
{
	db_ask_fill(a, DB_WORK, NULL, NULL);
	return db_run(db, &a->x);
}

void db_ask_end(struct db_ask *a)
{
	db_exchange_clear(&a->x);
	arena_free(&a->arena);
	a->busy = false;
}
