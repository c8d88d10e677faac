/* Accepts exchanges: onto a session's connection, or into their lane's queue. */
#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/fatal.h"
#include "store/db_private.h"

void db_flush(struct db *db)
{
	shared_flush(db, DB_ADMIT);
	shared_flush(db, DB_POINT);
}

/* Sends on the session's connection, or ends x because the session's transaction is gone. */
static void send_on_session(struct db *db, struct db_exchange *x)
{
	struct conn *c = x->session->conn;

	if (!c || c->broken) {
		db_session_abandon(db, x->session);
		x->session = NULL;
		db_finish(db, x, DB_UNAVAILABLE);
		return;
	}
	if (c->x)
		fatal_abort("db: two exchanges at once on one session");
	x->lane = c->lane;
	exclusive_send(c, x);
}

static void exchange_reset(struct db *db, struct db_exchange *x)
{
	int deadline_ms = x->deadline_ms ? x->deadline_ms : db->config.deadline_ms[x->lane];

	db_exchange_clear(x);
	list_init(&x->link);
	x->turn = (struct fair_item){0};
	x->status = DB_OK;
	x->failed = -1;
	x->position = 0;
	x->n_retries = 0;
	x->generation = 0;
	x->connection = NULL;
	x->sqlstate[0] = x->constraint[0] = x->message[0] = '\0';
	x->sent_us = clock_mono_us();
	x->deadline_us = x->sent_us + deadline_ms * INT64_C(1000);
}

void db_send(struct db *db, struct db_exchange *x)
{
	for (int i = 0; i < x->n_statements; i++)
		statement_check(db, x->statements[i]);
	exchange_reset(db, x);
	if (x->n_statements > 0)
		x->results = mem_zalloc((size_t)x->n_statements * sizeof *x->results);
	if (db->closing)
		db_finish(db, x, DB_UNAVAILABLE);
	else if (x->n_statements == 0)
		db_finish(db, x, DB_OK);
	else if (x->session)
		send_on_session(db, x);
	else if (!lane_wait(db, x))
		db_finish(db, x, DB_BUSY);
	if (!lane_shared(x->lane))
		exclusive_run(db, x->lane);
}

static void run_done(struct db_exchange *x)
{
	*(bool *)x->owner = true;
}

enum db_status db_run(struct db *db, struct db_exchange *x)
{
	void (*done)(struct db_exchange *) = x->done;
	void *owner = x->owner;
	bool ended = false;
	x->done = run_done;
	x->owner = &ended;
	db_send(db, x);
	while (!ended) {
		db_flush(db);
		if (event_base_loop(db->base, EVLOOP_ONCE) != 0)
			fatal_abort("db: the event loop has nothing to wait for");
	}
	x->done = done;
	x->owner = owner;
	if (done)
		done(x);
	return x->status;
}
