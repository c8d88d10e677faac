/* The jobs that the table in scheduler.c names; each file that has some is named beside. */
#ifndef KITH_SERVER_JOBS_H
#define KITH_SERVER_JOBS_H

#include "server/scheduler.h"

void job_expired_keys(struct job_run *run);     /* job_keys.c */
void job_due_reminders(struct job_run *run);    /* job_reminders.c */
void job_due_interactions(struct job_run *run); /* job_interactions.c */
void job_removals(struct job_run *run);         /* job_removals.c */
void job_parts(struct job_run *run);            /* job_parts.c */
void job_event_days(struct job_run *run);       /* job_events.c */
void job_gone_webhooks(struct job_run *run);    /* job_webhooks.c */
void job_made_deliveries(struct job_run *run);  /* job_webhooks.c */
void job_horizon(struct job_run *run);          /* job_horizon.c */

#endif
