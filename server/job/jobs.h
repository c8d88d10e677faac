/* The jobs that have files of their own. The file is named beside each. */
#ifndef KITH_SERVER_JOB_JOBS_H
#define KITH_SERVER_JOB_JOBS_H

#include "server/job/scheduler.h"

extern const struct job job_table[];
extern const size_t n_job_rows;

void job_due_reminders(struct job_run *run);   /* reminders.c */
void job_removals(struct job_run *run);        /* removals.c */
void job_event_days(struct job_run *run);      /* events.c */
void job_gone_webhooks(struct job_run *run);   /* webhooks.c */
void job_made_deliveries(struct job_run *run); /* webhooks.c */
void job_horizon(struct job_run *run);         /* horizon_watch.c */
void job_people_texts(struct job_run *run);    /* search_texts.c */
void job_company_texts(struct job_run *run);   /* search_texts.c */

#endif
