/* What ends and comes back during the load, one after the other. In the first half of the time server 0 is ended
 * again and again and server 1 lives, in the second half the other way round: so each is seen for long. */
#include <signal.h>
#include <stdio.h>

#include "server/base/clock.h"
#include "test/soak/receiving.h"
#include "test/soak/soak.h"

static int mortal;

static void kill_server(void)
{
	side_end(mortal, true);
	side_start(mortal);
}

static void stop_server(void)
{
	side_end(mortal, false);
	side_start(mortal);
}

static void restart_database(void)
{
	if (!cluster_restart(soak.rig.cluster, false))
		finding_add("database", "it does not start again");
}

static void crash_database(void)
{
	outage_of_crash();
	if (!cluster_restart(soak.rig.cluster, true))
		finding_add("database", "it does not start after a crash");
}

/* As one of PostgreSQL's own processes does that is killed: all others end, too. */
static void crash_backend(void)
{
	char error[256];
	int64_t pid = 0;

	outage_of_crash();
	database_try(soak.rig.program,
	    "select min(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
	    &pid, error);
	if (pid > 1)
		kill((pid_t)pid, SIGKILL);
}

static void end_backends(void)
{
	char error[256];
	int64_t n;

	database_try(soak.rig.program,
	    "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() and pid "
	    "<> "
	    "pg_backend_pid()",
	    &n, error);
}

static const struct {
	const char *name;
	void (*run)(void);
} faults[] = {{"kill -9 of a server", kill_server}, {"fast restart of PostgreSQL", restart_database},
    {"receivers restarted", receiving_restart}, {"SIGTERM to a server", stop_server},
    {"immediate restart of PostgreSQL", crash_database}, {"kill -9 of a server", kill_server},
    {"connections of PostgreSQL ended", end_backends}, {"kill -9 of a process of PostgreSQL", crash_backend}};
enum { FAULTS = sizeof faults / sizeof *faults };

static int done[FAULTS];
static int64_t longest_ms[FAULTS];

void fault_turn(void)
{
	static int next;

	mortal = clock_now_ms() > soak.began_ms + soak.seconds * 500;
	int64_t began_ms = clock_now_ms(), took_ms;
	outage_begin();
	faults[next % FAULTS].run();
	outage_end();
	took_ms = clock_now_ms() - began_ms;
	if (took_ms > longest_ms[next % FAULTS])
		longest_ms[next % FAULTS] = took_ms;
	done[next++ % FAULTS]++;
}

void fault_print(void)
{
	for (int i = 0; i < FAULTS; i++)
		printf("soak: %d times: %s, back after %lld ms at most\n", done[i], faults[i].name,
		    (long long)longest_ms[i]);
}
