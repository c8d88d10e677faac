/* The table of jobs, and the jobs that consist of one statement. */
#include "server/job/jobs.h"

#include "server/request/commit_notify.h"
#include "server/request/locks.h"
#include "server/request/server.h"
#include "store/attempts.h"
#include "store/idempotency.h"

enum {
	KEYS_BATCH = 1000,
	INTERACTIONS_BATCH = 500,
	ATTEMPTS_BATCH = 1000,
	GRANTS_BATCH = 500,
	DAY_MS = 24 * 60 * 60 * 1000,
	CLIENTS_DAYS = 365
};

/* --- expired keys: deletes stored answers ------------------------------------------------- */

static void keys_deleted(struct job_run *run)
{
	job_end(run, db_affected(&run->x, 0) == KEYS_BATCH);
}

static void job_expired_keys(struct job_run *run)
{
	idempotency_clean(job_sql(run), config_scaled_ms(run->server->config, IDEMPOTENCY_KEEP_MS), KEYS_BATCH);
	job_ask(run, false, keys_deleted);
}

/* --- due interactions: counts each once, under its entity's lock; skips locked entities -------
 *
 * As requests do, the job has all locks before it changes the first row (transaction_open.c): events are in the order
 * of transaction numbers, so a transaction that has one may not get to a record after others that began later. */

static void interactions_counted(struct job_run *run)
{
	int64_t n = db_int(&run->x, 0, 0, 0);

	if (n)
		commit_notify_send(run->server); /* the counters of the people have changed */
	job_end(run, n >= INTERACTIONS_BATCH);
}

static void job_due_interactions(struct job_run *run)
{
	struct sql *s = job_sql(run);

	/* Uses the database's clock, because counting cannot be undone. */
	sql_addf(s,
	    "with due as materialized (select distinct workspace_id, entity_id from interactions_due(now(), %d)), "
	    "locked as (select array_agg(workspace_id) as workspaces, array_agg(entity_id) as entities from due d "
	    "where pg_try_advisory_xact_lock_shared(",
	    INTERACTIONS_BATCH);
	lock_workspace_number_sql(s, "d.workspace_id");
	sql_add(s, ") and pg_try_advisory_xact_lock(");
	lock_number_sql(s, "d.workspace_id", "d.entity_id");
	sql_add(s, ")) select coalesce(sum(interactions_fall(now(), l.workspace, l.entity)), 0) "
	           "from locked, unnest(workspaces, entities) l (workspace, entity)");
	job_ask(run, false, interactions_counted);
}

/* --- pending entries: of GIN indexes, which every search reads (migrations/0005_contacts.sql) --- */

static void job_pending_entries(struct job_run *run)
{
	sql_add(job_sql(run), "select kith_merge_due()");
	job_ask(run, false, job_done);
}

/* --- old attempts: to sign in, which no limit counts any more ------------------------------------ */

static void attempts_deleted(struct job_run *run)
{
	job_end(run, db_affected(&run->x, 0) == ATTEMPTS_BATCH);
}

static void job_old_attempts(struct job_run *run)
{
	int64_t window_ms = config_scaled_ms(run->server->config, ATTEMPT_WINDOW_S * INT64_C(1000));
	struct sql *s = job_sql(run);

	sql_add(s, "delete from sign_in_failures where (counted, bucket) in (select counted, bucket from "
	           "sign_in_failures where bucket < floor(extract(epoch from ");
	job_ago(s, 2 * window_ms);
	sql_add_int8(s, ") * 1000000 / ", window_ms * 1000 / ATTEMPT_BUCKETS);
	sql_addf(s, ")::bigint limit %d)", ATTEMPTS_BATCH);
	job_ask(run, false, attempts_deleted);
}

/* --- applications that connected by OAuth: grants and registrations that are over ------ */

static void grants_deleted(struct job_run *run)
{
	job_end(run, db_int(&run->x, 0, 0, 0) == GRANTS_BATCH);
}

static void job_grants(struct job_run *run)
{
	struct sql *s = job_sql(run);

	sql_add(s, "select oauth_grants_gone(interval '1 millisecond' * ");
	sql_int8(s, config_scaled_ms(run->server->config, DAY_MS));
	sql_addf(s, ", %d)", GRANTS_BATCH);
	s = job_sql(run);
	sql_add(s, "delete from oauth_clients where used_at < ");
	job_ago(s, CLIENTS_DAYS * config_scaled_ms(run->server->config, DAY_MS));
	job_ask(run, false, grants_deleted);
}

const struct job job_table[] = {
    {"expired keys", 60 * 1000, DB_WORK_CLEAN, job_expired_keys},
    {"old attempts", 60 * 1000, DB_WORK_CLEAN, job_old_attempts},
    {"deleted webhooks", 60 * 1000, DB_WORK_CLEAN, job_gone_webhooks},
    {"made deliveries", 60 * 1000, DB_WORK_CLEAN, job_made_deliveries},
    {"due reminders", 500, DB_WORK_DUE, job_due_reminders}, /* at most 2 s late */
    {"due interactions", 1000, DB_WORK_DUE, job_due_interactions},
    {"removals", 1000, DB_WORK_CLEAN, job_removals},
    {"what events wait for", 10 * 1000, DB_WORK_CLEAN, job_horizon},
    {"pending entries of indexes", 1000, DB_WORK_CLEAN, job_pending_entries},
    {"search texts of people", 1000, DB_WORK_CLEAN, job_people_texts},
    {"search texts of companies", 1000, DB_WORK_CLEAN, job_company_texts},
    {"ended applications", 60 * 60 * 1000, DB_WORK_CLEAN, job_grants},
    {"days of events", 60 * 60 * 1000, DB_WORK_CLEAN, job_event_days},
};
const size_t n_job_rows = sizeof job_table / sizeof *job_table;
