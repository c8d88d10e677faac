/* Notices that COMMIT hangs in PostgreSQL. The transaction is then on this server's disk, or nearly so. It holds its
 * locks, and nobody sees it. This lasts as long as the cause: a synchronous standby that is down, or a disk that does
 * not respond. No time limit of PostgreSQL ends such a wait, nor does the end of the connection. So when a COMMIT of
 * ours has had no answer for STALL_MS, another connection asks what our sessions wait for.
 *
 * While a COMMIT hangs, nothing new begins on WORK (exclusive_run()), and the server refuses writes: each one would
 * leave another backend behind when its time is over, until PostgreSQL has no connection left for anybody. */
#include <limits.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/log.h"
#include "store/db_ask.h"
#include "store/db_private.h"

enum { STALL_MS = 4000, LOOK_AGAIN_MS = 500 };
enum { LOOK = 1 }; /* index of the statement; the statement before it sets the role */
enum { COL_CAUSE, COL_MS };

const struct db_stall_cause db_stall_causes[DB_STALL_CAUSES] = {
    {"standby", "COMMIT waits for a synchronous standby",
        "start the standby that synchronous_standby_names asks for; to continue without it, at the risk of losing "
        "writes "
        "in a failover: alter system reset synchronous_standby_names; select pg_reload_conf()"},
    {"disk", "COMMIT waits for the disk of PostgreSQL's log", "check the disk that holds pg_wal"},
};

struct stall {
	struct db *db;
	struct db_ask ask;
	int64_t look_us; /* time of the next look */
	int64_t since_us;
};

struct stall *stall_new(struct db *db)
{
	struct stall *s = mem_zalloc(sizeof *s);

	s->db = db;
	return s;
}

const struct db_stall_cause *db_stalls(const struct db *db, int64_t *us)
{
	if (us)
		*us = db->stalled_by ? clock_mono_us() - db->stall->since_us : 0;
	return db->stalled_by;
}

static bool commit_is_late(const struct lane *l, int64_t now_us)
{
	for (int i = 0; i < l->n_conns; i++) {
		const struct conn *c = &l->conns[i];
		if (c->x && c->commit_from != INT_MAX && now_us - c->x->sent_us >= STALL_MS * INT64_C(1000))
			return true;
	}
	return false;
}

static void stall_ended(struct stall *s)
{
	if (s->db->stalled_by)
		log_info("db", "COMMIT is answered again, after %.1f s", (double)(clock_mono_us() - s->since_us) / 1e6);
	s->db->stalled_by = NULL;
}

static void stall_found(struct stall *s, const struct db_exchange *x)
{
	const struct db_stall_cause *cause = &db_stall_causes[db_int(x, LOOK, 0, COL_CAUSE)];
	int64_t ms = db_int(x, LOOK, 0, COL_MS);

	s->since_us = clock_mono_us() - ms * 1000;
	if (s->db->stalled_by == cause)
		return;
	s->db->stalled_by = cause;
	log_error("db", "%s and has waited for %.1f s; writes are refused until this has ended: %s", cause->waits,
	    (double)ms / 1e3, cause->advice);
}

static void stall_looked(struct db_exchange *x)
{
	struct stall *s = x->owner;

	if (x->status == DB_OK && db_rows(x, LOOK) == 0)
		stall_ended(s);
	else if (x->status == DB_OK)
		stall_found(s, x);
	db_ask_end(&s->ask);
}

/* The look runs on SIGNAL, which waits for no COMMIT, and as the login, because the roles may not see what its sessions
 * wait for. The case of the names of waits differs between versions of PostgreSQL. */
static void stall_look(struct stall *s)
{
	struct sql *sql;

	db_ask_begin(&s->ask);
	sql_begin_system(sql = db_ask_add(&s->ask), &s->ask.arena, "stall_role");
	sql_add(sql, "select set_config('role', 'none', true)");
	sql_begin_system(sql = db_ask_add(&s->ask), &s->ask.arena, "stall");
	sql_addf(sql,
	    "select w.cause, (extract(epoch from clock_timestamp() - a.query_start) * 1000)::bigint from "
	    "pg_stat_activity a join (values ('syncrep', 0), ('walsync', 1), ('walwrite', 1), ('walinitsync', 1), "
	    "('walinitwrite', 1)) w (wait, cause) on w.wait = lower(a.wait_event) where a.datname = current_database() "
	    "and a.usename = current_user and a.state = 'active' and a.query_start < clock_timestamp() - interval '%d "
	    "ms' order by a.query_start limit 1",
	    STALL_MS);
	if (FAULT_ERROR(stall_look)) {
		sql_begin_system(sql = db_ask_add(&s->ask), &s->ask.arena, NULL);
		sql_add(sql, "select 1 / 0");
	}
	db_ask_send(&s->ask, s->db, DB_SIGNAL, stall_looked, s);
}

void stall_tick(struct db *db, int64_t now_us)
{
	struct stall *s = db->stall;

	if (s->ask.busy || now_us < s->look_us || db->lanes[DB_SIGNAL].n_up == 0)
		return;
	if (!db->stalled_by && !commit_is_late(&db->lanes[DB_WRITE], now_us) &&
	    !commit_is_late(&db->lanes[DB_WORK], now_us))
		return;
	s->look_us = now_us + LOOK_AGAIN_MS * INT64_C(1000);
	stall_look(s);
}
