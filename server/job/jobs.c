/* The table of jobs. */
#include "server/job/jobs.h"

const struct job job_table[] = {
    {"expired keys", 60 * 1000, DB_WORK_CLEAN, job_expired_keys},
    {"deleted webhooks", 60 * 1000, DB_WORK_CLEAN, job_gone_webhooks},
    {"made deliveries", 60 * 1000, DB_WORK_CLEAN, job_made_deliveries},
    {"due reminders", 500, DB_WORK_DUE, job_due_reminders}, /* at most 2 s late */
    {"due interactions", 1000, DB_WORK_DUE, job_due_interactions},
    {"removals", 1000, DB_WORK_CLEAN, job_removals},
    {"what events wait for", 10 * 1000, DB_WORK_CLEAN, job_horizon},
    {"pending entries of indexes", 1000, DB_WORK_CLEAN, job_pending_entries},
    {"days of events", 60 * 60 * 1000, DB_WORK_CLEAN, job_event_days},
};
const size_t n_job_rows = sizeof job_table / sizeof *job_table;
