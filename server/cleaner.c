/* The cleaner. Any number of processes may clean at once: a row that another one
 * has locked is passed over. */
#include "server/cleaner.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/log.h"
#include "server/loop.h"
#include "server/server.h"
#include "store/idempotency.h"

enum { BATCH = 1000, PAUSE_MS = 60 * 1000, BUSY_PAUSE_MS = 100 };

struct cleaner {
	struct server *server;
	struct arena arena;
	struct db_exchange x;
	struct sql sql, *list[1];
	bool under_way, stopped;
};

static void run(void *ctx);

static void done(struct db_exchange *x)
{
	struct cleaner *c = x->owner;
	bool more = x->status == DB_OK && db_affected(x, 0) == BATCH;

	if (x->status == DB_FAILED)
		log_warn("cleaner", "expired keys were not removed: %s %s", x->sqlstate, x->message);
	db_exchange_clear(x);
	arena_free(&c->arena);
	c->under_way = false;
	if (c->stopped)
		free(c);
	else
		loop_after(c->server->loop, more ? BUSY_PAUSE_MS : (int)server_scaled_ms(c->server, PAUSE_MS), run, c);
}

static void run(void *ctx)
{
	struct cleaner *c = ctx;

	memset(&c->x, 0, sizeof c->x);
	arena_init(&c->arena);
	sql_begin_system(&c->sql, &c->arena, NULL);
	idempotency_clean(&c->sql, server_scaled_ms(c->server, IDEMPOTENCY_KEEP_MS), BATCH);
	c->list[0] = &c->sql;
	c->x =
	    (struct db_exchange){.lane = DB_WORK, .statements = c->list, .n_statements = 1, .done = done, .owner = c};
	c->under_way = true;
	db_send(c->server->db, &c->x);
}

struct cleaner *cleaner_start(struct server *s)
{
	struct cleaner *c = mem_zalloc(sizeof *c);

	c->server = s;
	loop_after(s->loop, (int)server_scaled_ms(s, PAUSE_MS), run, c);
	return c;
}

void cleaner_stop(struct cleaner *c)
{
	c->stopped = true;
	if (!c->under_way)
		free(c);
}
