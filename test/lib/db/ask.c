/* See ask.h. */
#include <stdlib.h>

#include "test/lib/db/ask.h"

const struct uuid ask_workspace = {{1, 2, 3}};

static void on_done(struct db_exchange *x)
{
	struct ask *a = x->owner;
	assert_false(a->w->sending); /* never inside db_send() */
	a->done++;
	a->w->ended++;
	if (a->times > 1) {
		a->times--;
		db_exchange_clear(x);
		a->w->sending = true;
		db_send(a->w->db, x);
		a->w->sending = false;
	}
}

struct ask *ask_new(struct lanes *w, enum db_lane lane)
{
	struct ask *a = calloc(1, sizeof *a);
	arena_init(&a->arena);
	a->w = w;
	a->x.lane = lane;
	a->x.statements = a->list;
	a->x.done = on_done;
	a->x.owner = a;
	return a;
}

struct sql *ask_system(struct ask *a, const char *name, const char *text)
{
	struct sql *s = &a->sql[a->x.n_statements];
	sql_begin_system(s, &a->arena, name);
	sql_add(s, text);
	a->list[a->x.n_statements++] = s;
	return s;
}

struct ask *ask_text(struct lanes *w, enum db_lane lane, const char *text)
{
	struct ask *a = ask_new(w, lane);
	ask_system(a, NULL, text);
	return a;
}

void ask_restart(struct ask *a)
{
	db_exchange_clear(&a->x);
	arena_free(&a->arena);
	a->x.n_statements = 0;
	a->done = 0;
}

void ask_send(struct ask *a)
{
	a->w->sending = true;
	db_send(a->w->db, &a->x);
	a->w->sending = false;
}

enum db_status ask_run(struct ask *a)
{
	a->done = 0;
	ask_send(a);
	UNTIL(a->w, a->done);
	assert_int_equal(a->done, 1);
	return a->x.status;
}

void ask_free(struct ask *a)
{
	db_exchange_clear(&a->x);
	arena_free(&a->arena);
	free(a);
}

enum db_status ask_once(struct lanes *w, enum db_lane lane, const char *text)
{
	struct ask *a = ask_text(w, lane, text);
	enum db_status status = ask_run(a);
	ask_free(a);
	return status;
}

void ask_do(struct lanes *w, const char *text)
{
	assert_int_equal(ask_once(w, DB_WORK, text), DB_OK);
}

int64_t ask_int(struct lanes *w, const char *text)
{
	struct ask *a = ask_text(w, DB_WORK, text);
	assert_int_equal(ask_run(a), DB_OK);
	int64_t value = db_int(&a->x, 0, 0, 0);
	ask_free(a);
	return value;
}
