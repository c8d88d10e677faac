/* Deletes expired stored answers in small batches. */
#include "server/job/jobs.h"
#include "server/request/server.h"
#include "store/idempotency.h"

enum { BATCH = 1000 };

static void keys_removed(struct job_run *run)
{
	job_end(run, db_affected(&run->x, 0) == BATCH);
}

void job_expired_keys(struct job_run *run)
{
	idempotency_clean(job_sql(run), config_scaled_ms(run->server->config, IDEMPOTENCY_KEEP_MS), BATCH);
	job_ask(run, false, keys_removed);
}
