/* Removes, in small batches, what was sent to webhooks that are deleted, and secrets that sign no more. */
#include "server/jobs.h"
#include "server/server.h"

enum { BATCH = 1000 };

static void removed(struct job_run *run)
{
	job_end(run, db_affected(&run->x, 0) == BATCH || db_affected(&run->x, 1) > 0);
}

/* A webhook is forgotten when there is nothing left of it; until then its next batch is due. */
void job_gone_webhooks(struct job_run *run)
{
	struct sql *s = job_sql(run);

	sql_addf(s,
	    "delete from deliveries d using (select x.workspace_id, x.webhook_id, x.xid, x.seq, x.created_at from "
	    "(select g.workspace_id, g.id from webhooks_gone g limit 1) g join deliveries x on x.workspace_id = "
	    "g.workspace_id and x.webhook_id = g.id limit %d) x where d.workspace_id = x.workspace_id and d.webhook_id "
	    "= "
	    "x.webhook_id and d.xid = x.xid and d.seq = x.seq and d.created_at = x.created_at",
	    BATCH);
	sql_add(job_sql(run), "delete from webhooks_gone g where not exists (select from deliveries d where "
	                      "d.workspace_id = g.workspace_id and d.webhook_id = g.id)");
	sql_add(job_sql(run), "update webhooks set former_secret = null, former_until = null "
	                      "where former_until < clock_timestamp()");
	job_ask(run, false, removed);
}
