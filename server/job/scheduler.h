/* Background work: jobs (jobs.c), each run periodically on the WORK lane. Any number of processes run the same jobs
 * concurrently. A job locks the rows that it works on and skips rows that are locked. */
#ifndef KITH_SERVER_JOB_SCHEDULER_H
#define KITH_SERVER_JOB_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "store/db.h"

struct scheduler;
struct server;

enum { JOB_STATEMENTS_MAX = 40 };

/* One run of a job. */
struct job_run {
	struct server *server;
	struct arena arena;   /* freed when the run ends */
	struct db_exchange x; /* the exchange that has just ended */
	void *state;          /* private to the job, allocated in the arena */

	/* private to the job, kept between runs */
	struct uuid last;        /* the workspace served last */
	struct uuid last_record; /* in it */
	uint64_t n_rows;         /* done by this process */
	bool complete;           /* nothing is left, and nothing can come */

	/* for /metrics */
	uint64_t n_good, n_failed;
	int64_t began_us, busy_us, succeeded_ms; /* in all; end of the last successful run, 0: none */

	/* for the scheduler */
	struct scheduler *scheduler;
	const struct job *job;
	struct db_session *session;
	struct sql *statements[JOB_STATEMENTS_MAX];
	int n_statements;
	void (*next)(struct job_run *run);
};

struct job {
	const char *name;
	int period_ms; /* before scaling by clock_scale */
	enum db_work work;
	void (*run)(struct job_run *run);
};

/* --- for jobs ---------------------------------------------------------------------- */

/* Adds a statement over all workspaces to the next exchange. */
struct sql *job_sql(struct job_run *run);
/* Adds a statement for one workspace, its $1. */
struct sql *job_sql_of(struct job_run *run, const struct uuid *workspace);
/* Appends the time ms milliseconds ago. Jobs use only the database's clock, which also set the times in the rows. The
 * clock of this machine may be off by years, and what a job deletes or fires cannot be undone. */
void job_ago(struct sql *s, int64_t ms);
/* Sends the exchange. next is called only if every statement succeeded; a failure ends the run. keep: the connection
 * stays with the run, for a transaction that continues in the next exchange. */
void job_ask(struct job_run *run, bool keep, void (*next)(struct job_run *run));
/* Ends the run. more: run again at once. */
void job_end(struct job_run *run, bool more);
/* The same with nothing more to do; a function for job_ask(). */
void job_done(struct job_run *run);

/* --- for the server ------------------------------------------------------------------- */

/* Runs each of the jobs periodically from now on. */
struct scheduler *scheduler_start(struct server *s, const struct job *jobs, size_t n);
/* Run i, which is of the i-th job. */
const struct job_run *scheduler_run(const struct scheduler *c, size_t i);
/* Ends the scheduler and frees it. Call it before db_close(), which ends the running jobs. */
void scheduler_stop(struct scheduler *c);

#endif
