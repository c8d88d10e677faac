/* The signal lane: one connection that listens to DB_CHANNEL, reports when it is lost, and runs exchanges between
 * notifications.
 *
 * LISTEN is its first command, before anything else runs: a listener that gets UP looks once for what it may have
 * missed; notifications tell it everything after that. */
#include "server/base/clock.h"
#include "server/base/fatal.h"
#include "store/db_private.h"

static void signal_mark(struct db *db, enum db_signal what)
{
	if (db->closing || db->n_signals == 0)
		return;
	db->signalled[what] = true;
	db_later(db);
}

void db_on_signal(struct db *db, db_signal_fn *fn, void *ctx)
{
	if (db->n_signals == SIGNALS_MAX)
		fatal_abort("db: too many hear of the signal connection");
	db->signals[db->n_signals].fn = fn;
	db->signals[db->n_signals].ctx = ctx;
	db->n_signals++;
}

uint64_t db_signal_generation(const struct db *db)
{
	return db->generation;
}

void signal_connected(struct conn *c)
{
	c->own_command = true;
	c->since_us = clock_mono_us();
	if (!PQsendQueryParams(c->pg, "listen " DB_CHANNEL, 0, NULL, NULL, NULL, NULL, 1)) {
		conn_break(c);
		return;
	}
	conn_op_push(c, OP_LISTEN, NULL, 0);
	if (conn_sync(c))
		conn_flush(c);
}

void signal_listening(struct conn *c)
{
	struct db *db = c->db;

	db->generation = ++db->generations;
	signal_mark(db, DB_SIGNAL_UP);
}

void signal_lost(struct conn *c)
{
	struct db *db = c->db;

	if (db->generation != 0)
		signal_mark(db, DB_SIGNAL_DOWN);
	db->generation = 0;
}

void signal_notified(struct conn *c)
{
	PGnotify *notify;

	while ((notify = PQnotifies(c->pg))) {
		if (c->lane == DB_SIGNAL && notify->be_pid != c->backend_pid)
			signal_mark(c->db, DB_SIGNAL_NOTIFY);
		PQfreemem(notify);
	}
}

void signal_deliver(struct db *db)
{
	db->depth++; /* a listener may close the database */
	for (enum db_signal what = DB_SIGNAL_DOWN; what <= DB_SIGNAL_NOTIFY; what++) {
		if (!db->signalled[what])
			continue;
		db->signalled[what] = false;
		if (what == DB_SIGNAL_UP && db->generation == 0)
			continue; /* lost again in the meantime */
		for (int i = 0; i < db->n_signals && !db->closing; i++)
			db->signals[i].fn(db->signals[i].ctx, what);
	}
	db->depth--;
}
