/* Merges the pending lists of GIN indexes, to which writes append and which every search reads
 * (migrations/0005_contacts.sql). */
#include "server/job/jobs.h"

static void pending_merged(struct job_run *run)
{
	job_end(run, false);
}

void job_pending_entries(struct job_run *run)
{
	sql_add(job_sql(run), "select kith_merge_pending()");
	job_ask(run, false, pending_merged);
}
