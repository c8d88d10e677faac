/* Counts interactions whose time has come, each once, under its entity's lock; locked entities are left to the next
 * run. */
#include "server/job/jobs.h"
#include "server/request/commit_notify.h"

enum { BATCH = 500 };

static void interactions_counted(struct job_run *run)
{
	int64_t n = db_int(&run->x, 0, 0, 0);

	if (n)
		commit_notify_send(run->server); /* the people's counters have changed */
	job_end(run, n >= BATCH);
}

void job_due_interactions(struct job_run *run)
{
	struct sql *s = job_sql(run);

	/* By the database's clock: counting cannot be undone. */
	sql_addf(s, "select interactions_fall_due(now(), %d)", BATCH);
	job_ask(run, false, interactions_counted);
}
