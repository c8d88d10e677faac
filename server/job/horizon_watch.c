/* Warns about a transaction that holds back the feed and webhooks. They deliver events up to the oldest transaction
 * that may still write, in any database of the cluster. A transaction that is left open stops them without any error.
 *
 * The duration is measured here, because kith may not see other users' sessions, but may see their locks. */
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/job/jobs.h"
#include "server/request/server.h"

enum { HELD_MS = 30 * 1000, WARN_AGAIN_MS = 5 * 60 * 1000 };
enum { COL_XMIN, COL_PID, COL_PREPARED, COL_DATABASE, COL_CONFIRMS };
enum { LOOK = 1 }; /* index of the statement; the statement before it sets the role */

static const char horizon_sql[] =
    "select s.x::text::bigint, l.pid::bigint, p.gid, coalesce(p.database, a.datname)::text, "
    "a.wait_event is not distinct from 'SyncRep' "
    "from (select pg_snapshot_xmin(pg_current_snapshot()) x) s "
    "left join pg_locks l on l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted "
    "and l.transactionid = s.x::xid left join pg_stat_activity a on a.pid = l.pid "
    "left join pg_prepared_xacts p on p.transaction = s.x::xid limit 1";

static void horizon_warn(const struct db_exchange *x, long long seconds)
{
	const char *database = db_null(x, LOOK, 0, COL_DATABASE) ? "?" : db_text(x, LOOK, 0, COL_DATABASE, NULL);

	if (!db_null(x, LOOK, 0, COL_PREPARED))
		log_warn("events",
		    "the feed and webhooks have waited for %lld s for the prepared transaction \"%.100s\" of database "
		    "%.63s: commit it or roll it back (PREPARE TRANSACTION left it open without a session)",
		    seconds, db_text(x, LOOK, 0, COL_PREPARED, NULL), database);
	else
		log_warn("events",
		    "the feed and webhooks have waited for %lld s for an open transaction of process %lld in database "
		    "%.63s: end it (pg_stat_activity shows its owner, pg_terminate_backend(%lld) ends it)",
		    seconds, (long long)db_int(x, LOOK, 0, COL_PID), database, (long long)db_int(x, LOOK, 0, COL_PID));
}

static void horizon_looked(struct job_run *run)
{
	struct held_back *h = &run->server->held_back;
	const struct db_exchange *x = &run->x;
	int64_t xmin = db_int(x, LOOK, 0, COL_XMIN), now_us = clock_mono_us();
	int64_t pid = db_null(x, LOOK, 0, COL_PID) ? 0 : db_int(x, LOOK, 0, COL_PID);

	/* A session that waits for a synchronous standby must not be ended (store/db_stall.c). */
	bool held = (pid && !db_bool(x, LOOK, 0, COL_CONFIRMS)) || !db_null(x, LOOK, 0, COL_PREPARED);

	if (pid != h->pid)
		h->warn_us = 0; /* it was prepared, so the advice changes */
	h->pid = pid;
	if (xmin != h->xmin || !held) {
		*h = (struct held_back){.xmin = xmin, .pid = pid, .since_us = now_us};
	} else if (now_us - h->since_us >= config_scaled_ms(run->server->config, HELD_MS) * 1000 &&
	           now_us >= h->warn_us) {
		horizon_warn(x, (long long)((now_us - h->since_us) / 1000000));
		h->warn_us = now_us + WARN_AGAIN_MS * INT64_C(1000);
	}
	job_end(run, false);
}

void job_horizon(struct job_run *run)
{
	/* PostgreSQL shows what kith's own sessions wait for only to the login role. */
	sql_add(job_sql(run), "select set_config('role', 'none', true)");
	sql_add(job_sql(run), horizon_sql);
	job_ask(run, false, horizon_looked);
}
