/* Runs the jobs. */
#include "server/job/scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/log.h"
#include "server/base/loop.h"
#include "server/request/server.h"

enum { MORE_MS = 100, OFTEN_MS = 50, SELDOM_MS = 1000 };

struct scheduler {
	int running;
	bool stopped;
	struct job_run runs[];
};

static void run_begin(void *ctx);

static void run_end(struct job_run *run, bool more)
{
	struct scheduler *c = run->scheduler;
	int ms = (int)config_scaled_ms(run->server->config, run->job->period_ms);

	/* For tests in which requests share connections with jobs: jobs that run every second or so run every 50 ms.
	 * With a scaled clock no job without more work runs more often, because it would keep a processor busy. */
	if ((ms < OFTEN_MS && !more) || (ms <= SELDOM_MS && ms > OFTEN_MS && FAULT_ERROR(jobs_often)))
		ms = OFTEN_MS;
	run->busy_us += clock_mono_us() - run->began_us;
	db_exchange_clear(&run->x);
	arena_free(&run->arena);
	c->running--;
	if (!c->stopped)
		loop_after(run->server->loop, more && ms > MORE_MS ? MORE_MS : ms, run_begin, run);
	else if (c->running == 0)
		free(c);
}

void job_end(struct job_run *run, bool more)
{
	run->n_good++;
	run->succeeded_ms = clock_now_ms();
	run_end(run, more);
}

void job_done(struct job_run *run)
{
	job_end(run, false);
}

static struct sql *job_statement(struct job_run *run)
{
	struct sql *s = arena_alloc(&run->arena, sizeof *s);

	if (run->n_statements == JOB_STATEMENTS_MAX)
		abort();
	run->statements[run->n_statements++] = s;
	return s;
}

struct sql *job_sql(struct job_run *run)
{
	struct sql *s = job_statement(run);

	sql_begin_system(s, &run->arena, NULL);
	return s;
}

struct sql *job_sql_of(struct job_run *run, const struct uuid *workspace)
{
	struct sql *s = job_statement(run);

	sql_begin(s, &run->arena, NULL, workspace);
	return s;
}

void job_ago(struct sql *s, int64_t ms)
{
	sql_add_int8(s, "now() - ", ms);
	sql_add(s, " * interval '1 millisecond'");
}

static void job_exchange_done(struct db_exchange *x)
{
	struct job_run *run = x->owner;

	run->session = x->session;
	run->n_statements = 0;
	if (x->status == DB_OK) {
		run->next(run);
		return;
	}
	if (x->status == DB_FAILED)
		log_warn("scheduler", "%s: %s %s", run->job->name, x->sqlstate, x->message);
	if (run->session)
		db_session_abandon(run->server->db, run->session);
	run->session = NULL;
	run->n_failed++;
	run_end(run, false);
}

void job_ask(struct job_run *run, bool keep, void (*next)(struct job_run *run))
{
	run->next = next;
	db_exchange_clear(&run->x);
	run->x = (struct db_exchange){.lane = DB_WORK,
	    .work = run->job->work,
	    .keep = keep,
	    .session = run->session,
	    .statements = run->statements,
	    .n_statements = run->n_statements,
	    .done = job_exchange_done,
	    .owner = run};
	db_send(run->server->db, &run->x);
}

static void run_begin(void *ctx)
{
	struct job_run *run = ctx;

	memset(&run->x, 0, sizeof run->x);
	arena_init(&run->arena);
	run->session = NULL;
	run->n_statements = 0;
	run->state = NULL;
	run->scheduler->running++;
	run->began_us = clock_mono_us();
	run->job->run(run);
}

struct scheduler *scheduler_start(struct server *s, const struct job *jobs, size_t n)
{
	struct scheduler *c = mem_zalloc(sizeof *c + n * sizeof *c->runs);

	for (size_t i = 0; i < n; i++) {
		c->runs[i].server = s;
		c->runs[i].scheduler = c;
		c->runs[i].job = &jobs[i];
		loop_after(s->loop, (int)config_scaled_ms(s->config, jobs[i].period_ms), run_begin, &c->runs[i]);
	}
	return c;
}

const struct job_run *scheduler_run(const struct scheduler *c, size_t i)
{
	return &c->runs[i];
}

void scheduler_stop(struct scheduler *c)
{
	c->stopped = true;
	if (c->running == 0)
		free(c);
}
