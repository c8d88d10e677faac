/* Deletes in small batches: deliveries of deleted webhooks, expired old secrets, old change notes that the sender has
 * read, and finished deliveries after some days. */
#include "server/job/jobs.h"
#include "server/request/server.h"

enum { BATCH = 1000, SWEEP_BLOCKS = 64 };

static void webhooks_removed(struct job_run *run)
{
	job_end(run, true); /* the next batch, or the next webhook */
}

static void webhook_rows_of(struct sql *s, const struct uuid *workspace, const struct uuid *id)
{
	sql_add_uuid(s, "workspace_id = ", workspace);
	sql_add_uuid(s, " and webhook_id = ", id);
}

/* Deletes rows along the primary key up to the last row of a batch. When no row is left, the webhook's note is
 * deleted. */
static void deliveries_found(struct job_run *run)
{
	struct uuid workspace, id;
	struct sql *s;

	if (db_rows(&run->x, 0) == 0) {
		job_end(run, false);
		return;
	}
	workspace = db_uuid(&run->x, 0, 0, 0);
	id = db_uuid(&run->x, 0, 0, 1);
	s = job_sql(run);
	sql_add(s, "delete from deliveries where ");
	webhook_rows_of(s, &workspace, &id);
	sql_add(s, " and (generation, xid, seq) <= (select generation, xid, seq from (select generation, xid, seq "
	           "from deliveries where ");
	webhook_rows_of(s, &workspace, &id);
	sql_addf(s,
	    " order by generation, xid, seq limit %d) batch order by generation desc, xid desc, seq desc limit 1)",
	    BATCH);
	s = job_sql(run);
	sql_add_uuid(s, "delete from webhooks_gone where workspace_id = ", &workspace);
	sql_add_uuid(s, " and id = ", &id);
	sql_add(s, " and not exists (select from deliveries where ");
	webhook_rows_of(s, &workspace, &id);
	sql_add(s, ")");
	job_ask(run, false, webhooks_removed);
}

void job_gone_webhooks(struct job_run *run)
{
	sql_add(job_sql(run), "select workspace_id, id from webhooks_gone limit 1");
	/* Webhooks that a request has locked are left to the next run. */
	sql_add(job_sql(run),
	    "update webhooks w set former_secret = null, former_until = null from (select workspace_id, id from "
	    "webhooks where former_until < clock_timestamp() order by workspace_id, id for update skip locked) f where "
	    "w.workspace_id = f.workspace_id and w.id = f.id");
	sql_add(job_sql(run), "delete from webhook_changes where made_at < clock_timestamp() - interval '1 day'");
	job_ask(run, false, deliveries_found);
}

static void deliveries_swept(struct job_run *run)
{
	job_end(run, db_bool(&run->x, 0, 0, 0));
}

void job_made_deliveries(struct job_run *run)
{
	struct sql *s = job_sql(run);

	sql_add(s, "select kith_deliveries_sweep(");
	job_ago(s, config_days_ms(run->server->config, run->server->config->delivery_retention));
	sql_addf(s, ", %d)", SWEEP_BLOCKS);
	job_ask(run, false, deliveries_swept);
}
