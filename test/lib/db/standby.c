/* See standby.h. */
#include "test/lib/db/standby.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "test/lib/patience.h"

enum { STREAMS_MS = 60000 };

/* --- replication ---------------------------------------------------------------------------- */

/* Waits until the statement's answer is the text. */
static bool standby_until(const struct cluster *c, const char *text, const char *sql, int64_t ms)
{
	int64_t until_us = patience_ms(ms);
	char out[64];

	while (!cluster_sql(c, sql, out, sizeof out) || strcmp(out, text) != 0)
		if (!patience_pause(until_us))
			return false;
	return true;
}

bool standby_await(const struct cluster *primary, int n, int64_t ms)
{
	char text[16];

	snprintf(text, sizeof text, "%d", n);
	return standby_until(primary, text, "select count(*) from pg_stat_replication where state = 'streaming'", ms);
}

bool standby_await_replay(const struct cluster *primary, int64_t ms)
{
	char now[64], sql[256];

	if (!cluster_sql(primary, "select pg_current_wal_lsn()", now, sizeof now))
		return false;
	snprintf(sql, sizeof sql, "select coalesce(bool_and(replay_lsn >= '%s'), true) from pg_stat_replication", now);
	return standby_until(primary, "t", sql, ms);
}

bool standby_pause(const struct cluster *c)
{
	return cluster_sql(c, "select pg_wal_replay_pause()", NULL, 0) &&
	       standby_until(c, "paused", "select pg_get_wal_replay_pause_state()", STREAMS_MS);
}

bool standby_resume(const struct cluster *c, const struct cluster *primary, int64_t ms)
{
	return cluster_sql(c, "select pg_wal_replay_resume()", NULL, 0) && standby_await_replay(primary, ms);
}

bool standby_synchronous(struct cluster *primary, bool wait)
{
	if (!cluster_sql(primary,
	        wait ? "alter system set synchronous_standby_names = '*'"
	             : "alter system reset synchronous_standby_names",
	        NULL, 0) ||
	    !cluster_sql(primary, "select pg_reload_conf()", NULL, 0))
		return false;
	return !wait || standby_until(primary, "1",
	                    "select count(*) from pg_stat_replication where sync_state = 'sync'", STREAMS_MS);
}

bool standby_rejoin(struct cluster *c, const struct cluster *primary)
{
	char source[160];

	snprintf(source, sizeof source, "--source-server=%s", cluster_url(primary));
	/* Until its first checkpoint a promoted server's control file has the timeline of before. */
	return cluster_sql(primary, "checkpoint", NULL, 0) &&
	       cluster_program(
	           c, (const char *const[]){"pg_rewind", "-D", cluster_data(c), source, "-R", "--no-sync", NULL}) &&
	       cluster_go(c) && standby_await(primary, 1, STREAMS_MS);
}

/* --- machines ------------------------------------------------------------------------------- */

static pid_t standby_postmaster(const struct cluster *c)
{
	char path[160], line[32] = "";

	snprintf(path, sizeof path, "%s/postmaster.pid", cluster_data(c));
	FILE *f = fopen(path, "r");
	if (f && !fgets(line, sizeof line, f))
		line[0] = '\0';
	if (f)
		fclose(f);
	return (pid_t)strtol(line, NULL, 10);
}

/* The line is "PID (name) state parent ...". */
static pid_t parent_of(const char *pid)
{
	char path[64], line[512] = "", *name_end;
	pid_t parent = 0;

	snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	FILE *f = fopen(path, "r");
	if (!f)
		return 0;
	if (fgets(line, sizeof line, f) && (name_end = strrchr(line, ')')) && strlen(name_end) > 4)
		parent = (pid_t)strtol(name_end + 4, NULL, 10);
	fclose(f);
	return parent;
}

enum { PROCESSES_MAX = 256 };

/* First to the postmaster, which then starts no further ones. Returns how many got it. */
static int standby_signal(const struct cluster *c, int number, pid_t pids[PROCESSES_MAX])
{
	pid_t postmaster = standby_postmaster(c);
	struct dirent *entry;
	int n = 0;

	if (postmaster <= 1)
		return 0;
	kill(postmaster, number == SIGKILL ? SIGSTOP : number);
	pids[n++] = postmaster;
	DIR *all = opendir("/proc");
	while (all && (entry = readdir(all)))
		if (n < PROCESSES_MAX && isdigit((unsigned char)*entry->d_name) &&
		    parent_of(entry->d_name) == postmaster)
			pids[n++] = (pid_t)strtol(entry->d_name, NULL, 10);
	if (all)
		closedir(all);
	for (int i = n - 1; i >= 0; i--)
		kill(pids[i], number);
	return n;
}

void standby_freeze(const struct cluster *c)
{
	pid_t pids[PROCESSES_MAX];

	standby_signal(c, SIGSTOP, pids);
}

void standby_thaw(const struct cluster *c)
{
	pid_t pids[PROCESSES_MAX];

	standby_signal(c, SIGCONT, pids);
}

void standby_cut_off(const struct cluster *c)
{
	pid_t pids[PROCESSES_MAX];
	int64_t until_us = patience_ms(STREAMS_MS);
	int n = standby_signal(c, SIGKILL, pids);

	/* a killed process holds its files until somebody has taken note */
	for (; n > 0; n--)
		while (kill(pids[n - 1], 0) == 0 && patience_pause(until_us))
			;
}
