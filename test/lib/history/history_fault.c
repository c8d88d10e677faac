/* See history_round.h: what is damaged during a round, one thing at a time, by the main thread. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/db/database.h"
#include "test/lib/db/standby.h"
#include "test/lib/history/history_round.h"
#include "test/lib/patience.h"

enum { LONG_S = 30, OUTAGE_MS = 12000 };

static struct round_process *any_process(struct round *r)
{
	return &r->processes[round_chance(&r->seed, (unsigned)r->setup->processes)];
}

static void rest_by_chance(struct round *r, int least_ms, int most_ms)
{
	patience_rest(least_ms + (int)round_chance(&r->seed, (unsigned)(most_ms - least_ms)));
}

/* --- processes ---------------------------------------------------------------------------------------- */

static void kill_process(struct round *r)
{
	struct server_process *server = any_process(r)->server;

	kill(server->pid, SIGKILL);
	while (server_alive(server))
		patience_pause(0);
}

static void end_process(struct round *r)
{
	int i = (int)(any_process(r) - r->processes);

	r->wrong += !server_stop(r->processes[i].server);
	round_start(r, i);
}

static void freeze_process(struct round *r)
{
	pid_t pid = any_process(r)->server->pid;

	kill(pid, SIGSTOP);
	rest_by_chance(r, 100, r->seconds >= LONG_S ? 6000 : 1500);
	kill(pid, SIGCONT);
}

/* No process runs for longer than the sender's schedules expect. */
static void end_all(struct round *r)
{
	for (int i = 0; i < r->setup->processes; i++)
		kill(r->processes[i].server->pid, SIGKILL);
	patience_rest(OUTAGE_MS);
}

/* The first process ends, or loses its connections, at a named point. */
static void order_fault(struct round *r)
{
	static const char *const points[] = {"claim", "open", "open_sent", "opened", "ask", "ask_sent", "rendered",
	    "changes", "key_row", "commit_sent", "commit_answered", "reply", "reply_sent", "dispatch_sent",
	    "dispatch_arrived", "dispatch_written"};
	static const char *const actions[] = {"kill", "term", "drop", "sleep=30"};
	char fresh[160];

	snprintf(fresh, sizeof fresh, "%s.new", r->faults);
	FILE *f = fopen(fresh, "w");
	fprintf(f, "%s %u %s\n", points[round_chance(&r->seed, sizeof points / sizeof *points)],
	    1 + round_chance(&r->seed, 5), actions[round_chance(&r->seed, sizeof actions / sizeof *actions)]);
	fclose(f);
	rename(fresh, r->faults);
	rest_by_chance(r, 100, 600);
	unlink(r->faults);
}

/* --- the database ------------------------------------------------------------------------------------- */

static void end_backends(struct round *r)
{
	char error[256];
	int64_t n;

	database_try(&r->program,
	    "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'kith' and "
	    "random() < 0.7",
	    &n, error);
}

static void restart_database(struct round *r)
{
	if (!cluster_restart(r->one, round_chance(&r->seed, 2))) {
		fprintf(stderr, "the database does not come back\n");
		r->wrong++;
	}
}

static void damage_connections(struct round *r)
{
	static const enum proxy_mode modes[] = {PROXY_CUT_AFTER, PROXY_CUT_BEFORE, PROXY_RESET, PROXY_STALL};

	proxy_set(r->proxy, modes[round_chance(&r->seed, 4)]);
	rest_by_chance(r, 50, 500);
	proxy_set(r->proxy, PROXY_PASS);
}

/* A connection that takes what is sent and answers nothing, until deadlines pass. */
static void blacken_connection(struct round *r)
{
	static const enum proxy_mode modes[] = {PROXY_SWALLOW, PROXY_HOLE, PROXY_HALF};

	proxy_set(r->proxy, modes[round_chance(&r->seed, 3)]);
	rest_by_chance(r, 200, 500);
	proxy_set(r->proxy, PROXY_PASS);
}

/* --- the standby ----------------------------------------------------------------------------------------- */

static void pause_standby(struct round *r)
{
	standby_pause(r->two);
	rest_by_chance(r, 50, 800);
	cluster_sql(r->two, "select pg_wal_replay_resume()", NULL, 0);
}

/* It shows each commit a moment later. Few write, so that it often lacks the last commit only. */
static void slow_standby(struct round *r)
{
	static const char *const delays[] = {"3ms", "10ms", "40ms"};

	atomic_store(&r->quiet, true);
	cluster_set(r->two, "recovery_min_apply_delay", delays[round_chance(&r->seed, 3)]);
	rest_by_chance(r, 500, 3000);
	atomic_store(&r->quiet, false);
	cluster_set(r->two, "recovery_min_apply_delay", "0");
}

static void crash_standby(struct round *r)
{
	standby_cut_off(r->two);
	rest_by_chance(r, 20, 300);
	if (!cluster_go(r->two) || !standby_await(r->one, 1, 60000)) {
		fprintf(stderr, "the standby does not come back\n");
		r->wrong++;
	}
}

/* The standby has and shows what the primary does not know to be there. */
static void delay_standby(struct round *r)
{
	proxy_set(r->stream, PROXY_LATE);
	rest_by_chance(r, 500, 3000);
	proxy_set(r->stream, PROXY_PASS);
}

void round_promote(struct round *r)
{
	struct cluster *old = r->one;

	standby_cut_off(r->one);
	if (!cluster_promote(r->two)) {
		fprintf(stderr, "the standby is not promoted\n");
		r->wrong++;
	}
	r->one = r->two; /* what is damaged from now on */
	r->two = old;
}

/* --- all ---------------------------------------------------------------------------------------------------- */

enum needs { NOTHING, A_PROXY = 1, A_STANDBY = 2, SYNCHRONOUS = 4, ASYNCHRONOUS = 8, LONG = 16, NO_PROMOTION = 32 };

static const struct round_damage {
	const char *name;
	void (*run)(struct round *r);
	unsigned needs;
} faults[] = {
    {"a process killed", kill_process, NOTHING},
    {"a process ended", end_process, NOTHING},
    {"a process stopped for a while", freeze_process, NOTHING},
    {"a fault point", order_fault, NOTHING},
    {"connections ended", end_backends, NO_PROMOTION},
    {"the database restarted", restart_database, NO_PROMOTION},
    {"connections damaged", damage_connections, A_PROXY},
    {"a black hole", blacken_connection, A_PROXY | LONG},
    {"the standby paused", pause_standby, A_STANDBY},
    {"the standby slowed", slow_standby, A_STANDBY | ASYNCHRONOUS},
    {"the standby killed", crash_standby, A_STANDBY},
    {"late acknowledgements", delay_standby, A_STANDBY | SYNCHRONOUS},
    {"outage", end_all, LONG},
};
enum { FAULTS = sizeof faults / sizeof *faults };

static bool is_possible(const struct round *r, const struct round_damage *f)
{
	const char *only = getenv("HISTORY_FAULT");
	unsigned has = (r->proxy ? A_PROXY : 0) | (r->setup->standby ? A_STANDBY : 0) |
	               (r->setup->synchronous ? SYNCHRONOUS : ASYNCHRONOUS) | (r->seconds >= LONG_S ? LONG : 0) |
	               (r->setup->promoted ? 0 : NO_PROMOTION);

	if (only && !strstr(f->name, only))
		return false;
	return (f->needs & ~has) == 0;
}

void round_fault(struct round *r)
{
	int64_t began_us = clock_mono_us();
	int i = (int)round_chance(&r->seed, FAULTS);
	size_t len = strlen(r->done);

	for (int tries = 0; !is_possible(r, &faults[i]) && tries < FAULTS; tries++)
		i = (i + 1) % FAULTS;
	if (!is_possible(r, &faults[i]))
		return;
	r->disturbed = true;
	faults[i].run(r);
	for (int k = 0; k < r->setup->processes; k++)
		round_look(r, k);
	snprintf(r->done + len, sizeof r->done - len, "    %s, %lld ms\n", faults[i].name,
	    (long long)(clock_mono_us() - began_us) / 1000);
}
