/* Daily partitions of events and deliveries. They are created ahead of time, and dropped when everything in them is
 * older than the retention. Rows without a partition for their day are in the default partition and are deleted row by
 * row. With a scaled clock this is true of all rows. */
#include "server/job/jobs.h"
#include "server/request/server.h"

enum { BATCH = 1000 };

/* Days per run. Runs are an hour apart, which leaves time to notice a mistake in the settings or in the database's
 * clock. */
enum { DROPPED_MAX = 2 };

static int64_t events_kept_ms(const struct job_run *run)
{
	return config_days_ms(run->server->config, run->server->config->event_retention);
}

static void days_removed(struct job_run *run)
{
	job_end(run,
	    db_affected(&run->x, 0) == BATCH || db_affected(&run->x, 1) == BATCH || db_affected(&run->x, 3) == BATCH);
}

static void events_remove_old(struct job_run *run, const char *table, const char *owner)
{
	bool all = run->server->config->clock_scale > 1;
	struct sql *s = job_sql(run);

	sql_addf(s,
	    "with old as (select workspace_id, %s as owner, generation, xid, seq, created_at from %s%s where "
	    "created_at < ",
	    owner, table, all ? "" : "_rest");
	job_ago(s, events_kept_ms(run));
	sql_addf(s,
	    " limit %d) delete from %s%s t using old o where t.workspace_id = o.workspace_id and t.%s = o.owner "
	    "and t.generation = o.generation and t.xid = o.xid and t.seq = o.seq and t.created_at = o.created_at",
	    BATCH, table, all ? "" : "_rest", owner);
}

static void days_made(struct job_run *run)
{
	struct sql *s;

	events_remove_old(run, "events", "id");
	events_remove_old(run, "deliveries", "webhook_id");
	s = job_sql(run);
	sql_add(s, "delete from groups_gone where deleted_at < ");
	job_ago(s, events_kept_ms(run));
	/* The events that told of the removals have expired, so no device asks for these names again. */
	s = job_sql(run);
	sql_add(s, "delete from card_names where ctid = any (array(select n.ctid from card_names n where n.gone_at < ");
	job_ago(s, events_kept_ms(run));
	sql_addf(s, " limit %d))", BATCH);
	job_ask(run, false, days_removed);
}

void job_event_days(struct job_run *run)
{
	int64_t kept = events_kept_ms(run), made_again = 2 * INT64_C(24) * 60 * 60 * 1000;
	struct sql *s;

	sql_add(job_sql(run), "select kith_partitions()");
	s = job_sql(run);
	sql_add(s, "select kith_partitions_drop(");
	job_ago(s, kept > made_again ? kept : made_again); /* the partition of yesterday always exists */
	sql_addf(s, ", %d)", DROPPED_MAX);
	job_ask(run, false, days_made);
}
