/*
 * What the program does by itself at times: jobs (jobs.c), each run again and again on
 * the WORK lane. Any number of processes run the same jobs at once: a job locks the
 * rows it works on and passes over those that another one has locked.
 */
#ifndef KITH_SERVER_JOB_SCHEDULER_H
#define KITH_SERVER_JOB_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "store/db.h"

struct scheduler;
struct server;

/* One run of a job. */
struct job_run {
	struct server *server;
	struct arena arena;   /* until the run ends */
	struct db_exchange x; /* the exchange that ended */
	void *state;          /* the job's own, in the arena */
	struct uuid last;     /* the job's own, kept between runs: the workspace whose turn it was */

	/* the scheduler's */
	struct scheduler *scheduler;
	const struct job *job;
	struct db_session *session;
	struct sql *statements[40];
	int n_statements;
	bool under_way;
	void (*next)(struct job_run *run);
};

struct job {
	const char *name;
	int period_ms; /* under clock_scale */
	enum db_work work;
	void (*run)(struct job_run *run);
};

/* --- for jobs ---------------------------------------------------------------------- */

/* A new statement in the exchange that is being put together; it works for all workspaces. */
struct sql *job_sql(struct job_run *run);
/* The same of one workspace, its $1. */
struct sql *job_sql_of(struct job_run *run, const struct uuid *workspace);
/* Appends the moment so many ms ago. Jobs go by the database's clock alone, which gave the rows their times: this
 * machine's may be wrong by years, and what is deleted, or has fired, is not taken back. */
void job_ago(struct sql *s, int64_t ms);
/* Sends it; next is called only when all of it ran. keep: the connection stays bound, for a
 * transaction that the next exchange goes on with. A failure ends the run. */
void job_ask(struct job_run *run, bool keep, void (*next)(struct job_run *run));
/* Rolls the transaction under way back and ends the run, with nothing more to do. */
void job_nothing(struct job_run *run);
/* Ends the run; more: there is more to do now. */
void job_end(struct job_run *run, bool more);

/* --- for the server ------------------------------------------------------------------- */

/* Runs each of them from now on. */
struct scheduler *scheduler_start(struct server *s, const struct job *jobs, size_t n);
/* Before db_close(), which ends the runs under way; frees. */
void scheduler_stop(struct scheduler *c);

#endif
