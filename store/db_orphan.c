/* Ends backends that lost connections may have left behind.
 *
 * When a network drops packets silently, PostgreSQL does not notice the end of the connection and keeps waiting,
 * holding the locks of an open transaction. Its own timeouts do not cover every case: a backend that has received
 * only the first part of a pipeline is neither idle in a transaction nor running a statement. So another connection
 * looks for the backend of each lost connection and ends it if it waits for input that will not come. A backend that is
 * still working is left alone, because its COMMIT may be waiting for a standby. Its statement has a timeout, and it is
 * looked at again.
 *
 * Backends that cannot commit anything are ended at once: those of reads, and of transactions whose COMMIT was not
 * sent. Nobody needs their results.
 *
 * This needs another connection. If this whole machine is cut off, PostgreSQL finds out by keepalives
 * (db_connect.c). */
#include <limits.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/log.h"
#include "store/db_ask.h"
#include "store/db_private.h"

enum {
	ORPHANS_MAX = 256,
	LOOK_AGAIN_MS = 1000,
	LOOK_MS = 5000,        /* time limit of one look, including the wait for a connection */
	GIVE_UP_MS = 2 * 60000 /* no statement of kith runs for this long */
};

enum { LOOK = 1 }; /* index of the statement; the statement before it sets the role */

struct orphan {
	int pid;
	int64_t generation; /* of its server: on another server, or after a restart, the pid is another process */
	int64_t up_us, lost_us;
	bool no_effect; /* its work can have no effect any more */
};

struct orphans {
	struct db *db;
	struct orphan items[ORPHANS_MAX];
	int n;
	int64_t look_us; /* time of the next look */
	int n_in_look;   /* the first items, which the look in progress covers; 0: none in progress */
	struct db_ask ask;
};

struct orphans *orphans_new(struct db *db)
{
	struct orphans *o = mem_zalloc(sizeof *o);

	o->db = db;
	return o;
}

void orphan_add(struct conn *c)
{
	struct orphans *o = c->db->orphans;
	bool reads = lane_plans(c->lane) || c->lane == DB_POINT;

	/* A pooler rolls back what was left open and reuses the backend. Backends of a standby hold no locks, and their
	 * statements have a timeout. */
	if (c->db->pooled || c->lane == DB_REPLICA)
		return;
	if (o->n == ORPHANS_MAX) {
		log_warn("db", "too many connections were lost at once; some of their backends are not looked for and "
		               "may still hold locks");
		return;
	}
	o->items[o->n++] = (struct orphan){c->backend_pid, c->server.generation, c->up_us, clock_mono_us(),
	    reads || (!lane_shared(c->lane) && c->commit_from == INT_MAX)};
}

/* --- looking for them ------------------------------------------------------- */

static bool orphan_is_listed(const struct orphans *o, int pid)
{
	for (int i = 0; i < db_rows(&o->ask.x, LOOK); i++)
		if (db_int(&o->ask.x, LOOK, i, 0) == pid)
			return true;
	return false;
}

static void orphans_listed(struct db_exchange *x)
{
	struct orphans *o = x->owner;
	int n_in_look = o->n_in_look, kept = 0;

	for (int i = 0; x->status == DB_OK && i < db_rows(x, LOOK); i++)
		if (db_bool(x, LOOK, i, 1))
			log_warn(
			    "db", "ended backend %lld, whose connection was lost", (long long)db_int(x, LOOK, i, 0));
	for (int i = 0; i < o->n; i++)
		if (i >= n_in_look || x->status != DB_OK || orphan_is_listed(o, o->items[i].pid))
			o->items[kept++] = o->items[i];
	o->n = kept;
	o->n_in_look = 0;
	db_ask_end(&o->ask);
}

/* The statement runs as the login, which owns these backends; the lanes' roles may not end them. A newer backend with
 * the same pid is recognised by its age. */
static void orphans_list(struct orphans *o, int64_t now_us)
{
	struct sql *s;

	db_ask_begin(&o->ask);
	sql_begin_system(s = db_ask_add(&o->ask), &o->ask.arena, "orphan_role");
	sql_add(s, "select set_config('role', 'none', true)");
	sql_begin_system(s = db_ask_add(&o->ask), &o->ask.arena, NULL);
	sql_add(s, "select a.pid, case when a.wait_event = 'ClientRead' or lost.no_effect then "
	           "pg_terminate_backend(a.pid) else false end from (values ");
	for (int i = 0; i < o->n; i++) {
		const struct orphan *item = &o->items[i];
		sql_add(s, i ? ", " : "");
		sql_addf(s, "(%d, %lld, %lld, ", item->pid, (long long)(now_us - item->up_us) / 1000,
		    (long long)item->generation);
		sql_add(s, item->no_effect ? "true)" : "false)");
	}
	sql_add(s, ") as lost (pid, age_ms, generation, no_effect) join pg_stat_activity a on a.pid = lost.pid "
	           "and a.backend_start <= clock_timestamp() - lost.age_ms * interval '1 ms'");
	if (o->db->config.join)
		sql_add(s, " and lost.generation = kith_generation()");
	o->ask.x.deadline_ms = LOOK_MS;
	o->n_in_look = o->n;
	o->look_us = now_us + LOOK_AGAIN_MS * INT64_C(1000);
	db_ask_send(&o->ask, o->db, DB_WORK, orphans_listed, o);
}

void orphans_tick(struct db *db, int64_t now_us)
{
	struct orphans *o = db->orphans;
	int kept = 0;

	/* While a COMMIT hangs, the lane WORK cannot look for backends. It need not: a backend that hangs in COMMIT
	 * ends when the cause has ended. */
	for (int i = 0; i < o->n && db_stalls(db, NULL); i++)
		o->items[i].lost_us = now_us;
	if (o->n == 0 || o->n_in_look > 0 || now_us < o->look_us || db_stalls(db, NULL))
		return;
	for (int i = 0; i < o->n; i++)
		if (now_us - o->items[i].lost_us < GIVE_UP_MS * INT64_C(1000))
			o->items[kept++] = o->items[i];
		else
			log_warn("db",
			    "backend %d of a lost connection could not be ended in %d s; see pg_stat_activity",
			    o->items[i].pid, GIVE_UP_MS / 1000);
	o->n = kept;
	if (o->n > 0 && db->lanes[DB_WORK].n_conns > 0 && !FAULT_ERROR(orphan_look))
		orphans_list(o, now_us);
}
