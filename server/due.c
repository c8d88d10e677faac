/* Asks the database to count what has fallen due (migrations: interactions_fall_due). Any number of
 * processes may ask at once: an interaction is counted under its entity's lock, once. */
#include "server/due.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/loop.h"
#include "server/server.h"

enum { BATCH = 500, PERIOD_MS = 1000, BUSY_PAUSE_MS = 20 };

struct due {
	struct server *server;
	struct arena arena;
	struct db_exchange x;
	struct sql sql, *list[1];
	bool under_way, stopped;
};

static void run(void *ctx);

static int pause_ms(const struct due *d)
{
	int64_t ms = server_scaled_ms(d->server, PERIOD_MS);

	return ms < BUSY_PAUSE_MS ? BUSY_PAUSE_MS : (int)ms;
}

static void done(struct db_exchange *x)
{
	struct due *d = x->owner;
	bool more = x->status == DB_OK && db_int(x, 0, 0, 0) >= BATCH;

	if (x->status == DB_FAILED)
		log_warn("due", "interactions were not counted: %s %s", x->sqlstate, x->message);
	db_exchange_clear(x);
	arena_free(&d->arena);
	d->under_way = false;
	if (d->stopped)
		free(d);
	else
		loop_after(d->server->loop, more ? BUSY_PAUSE_MS : pause_ms(d), run, d);
}

static void run(void *ctx)
{
	struct due *d = ctx;

	arena_init(&d->arena);
	sql_begin_system(&d->sql, &d->arena, NULL);
	sql_add(&d->sql, "select interactions_fall_due(");
	sql_time(&d->sql, clock_now_ms());
	sql_addf(&d->sql, ", %d)", BATCH);
	d->list[0] = &d->sql;
	d->x =
	    (struct db_exchange){.lane = DB_WORK, .statements = d->list, .n_statements = 1, .done = done, .owner = d};
	d->under_way = true;
	db_send(d->server->db, &d->x);
}

struct due *due_start(struct server *s)
{
	struct due *d = mem_zalloc(sizeof *d);

	d->server = s;
	loop_after(s->loop, pause_ms(d), run, d);
	return d;
}

void due_stop(struct due *d)
{
	d->stopped = true;
	if (!d->under_way)
		free(d);
}
