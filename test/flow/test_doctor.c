/* kith setup on an empty PostgreSQL. kith doctor finds each fault that is made here, and its advice repairs the fault.
 */
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "test/lib/flow.h"
#include "test/lib/patience.h"

enum { PATIENCE_MS = 60000 };

/* The cluster has fsync, which would be a finding otherwise. Runs before the rig opens. */
__attribute__((constructor)) static void keep_fsync(void)
{
	setenv("KITH_TEST_FSYNC", "yes", 1);
}

RIG("doctor", .servers = RIG_NO_SERVER, .own_cluster = true);

BEFORE_ALL()
{
	assert_true(cluster_sql(rig.cluster, "alter system set max_prepared_transactions = 5", NULL, 0) &&
	            cluster_sql(rig.cluster, "alter system set archive_mode = on", NULL, 0) &&
	            cluster_sql(rig.cluster, "alter system set archive_command = 'true'", NULL, 0) &&
	            cluster_restart(rig.cluster, false));
}

/* --- the commands ------------------------------------------------------------------------- */

static const char *run_kith(const struct program *p, int *status, const char *const argv[])
{
	const char *out;

	*status = command_run(p, &rig.arena, argv, &out);
	return out;
}

/* Runs kith doctor with a clock scale at which states count as findings at once. more, value: an option. */
static const char *run_doctor(const struct program *p, int *status, const char *more, const char *value)
{
	return run_kith(p, status, (const char *const[]){"doctor", "--clock_scale", "1000", more, value, NULL});
}

/* As a superuser, in the program's database. */
static void run_statements(const struct program *p, const char *sql)
{
	const char *database = database_text(p, &rig.arena, "select current_database()");
	char url[512];
	PGconn *pg;
	PGresult *r;

	snprintf(url, sizeof url, "%s dbname=%s", cluster_url(rig.cluster), database);
	pg = PQconnectdb(url);
	r = PQexec(pg, sql);
	if (PQresultStatus(r) != PGRES_COMMAND_OK && PQresultStatus(r) != PGRES_TUPLES_OK)
		fail_msg("%s: %s", sql, PQerrorMessage(pg));
	PQclear(r);
	PQfinish(pg);
}

/* Settings take effect when the postmaster has read its file again. */
static void await_settings(const struct program *p, const char *wanted)
{
	for (int64_t until = patience_ms(PATIENCE_MS); database_int(p, wanted) != 1;)
		assert_true(patience_pause(until));
}

static const char SETTINGS[] =
    "select (count(*) = 5)::int from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', "
    "'autovacuum', 'track_counts') and setting = 'on'";

/* --- what it says to do ------------------------------------------------------------------- */

/* "A; then B" is both, of "A; or B" the first is done. */
static void follow_advice(const struct program *p, char *advice)
{
	char *next = strstr(advice, "; then "), *other = strstr(advice, "; or ");
	int status;

	if (other)
		*other = '\0';
	if (next)
		*next = '\0';
	if (strncmp(advice, "kith migrate", 12) == 0)
		(void)run_kith(p, &status, (const char *const[]){"migrate", NULL});
	else if (strncmp(advice, "chmod 600 ", 10) == 0)
		assert_int_equal(chmod(advice + 10, 0600), 0);
	else
		run_statements(p, advice);
	if (next)
		follow_advice(p, next + strlen("; then "));
}

/* Does what each finding of the check advises, each once. */
static void follow_all(const struct program *p, const char *out)
{
	for (const char *line = out; *line; line = strchr(line, '\n') + 1) {
		struct json *said = json_read(&rig.arena, line, strcspn(line, "\n"), NULL);
		assert_non_null(said);
		if (strcmp(command_text(said, "state"), "finding") == 0)
			follow_advice(p, arena_dupz(&rig.arena, command_text(said, "do")));
	}
}

static void expect_finding(const char *out, int status, const char *check, const char *found)
{
	const char *wanted = arena_printf(&rig.arena, "{\"check\":\"%s\",\"state\":\"finding\",\"found\":\"", check);
	const char *at = strstr(out, wanted);

	if (status != 1 || !at || !strstr(at, found))
		fail_msg("exit %d, no \"%s\" of %s in\n%s", status, found, check, out);
}

static void expect_healthy(const struct program *p)
{
	int status;
	const char *out = run_doctor(p, &status, NULL, NULL);

	if (status != 0 || strstr(out, "\"finding\"") || !strstr(out, "{\"check\":\"webhooks\",\"state\":\"ok\"}"))
		fail_msg("exit %d:\n%s", status, out);
}

/* --- faults ------------------------------------------------------------------------------- */

/* One a row, in doctor_faults.inc. */
static const struct doctor_fault {
	const char *check, *found;
	const char *make; /* statements that do it */
	const char *fix;  /* NULL: what it says to do */
} faults[] = {
#include "test/flow/doctor_faults.inc"
};

TEST(test_faults)
{
	struct server_process *s = rig_serve(&rig, false, NULL);
	int status;

	rig_int(&rig, "select 1");
	assert_true(server_stop(s)); /* it made the partitions and the secret file */
	run_statements(rig.program,
	    "insert into people (workspace_id, id, created_at, created_by, updated_at) select u.workspace_id, "
	    "gen_random_uuid(), now(), u.id, now() from users u, generate_series(1, 20000) where u.email like 'ada%'");
	run_statements(rig.program, "analyze people");
	expect_healthy(rig.program);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		const struct doctor_fault *f = &faults[i];
		run_statements(rig.program, f->make);
		const char *out = run_doctor(rig.program, &status, NULL, NULL);
		expect_finding(out, status, f->check, f->found);
		if (f->fix)
			run_statements(rig.program, f->fix);
		else
			follow_all(rig.program, out);
		/* What the first one hid, as an extension its indexes. */
		out = run_doctor(rig.program, &status, NULL, NULL);
		if (status != 0)
			follow_all(rig.program, out);
		if (status != 0 && strstr(out, f->found))
			fail_msg("%s is found again: %s", f->check, out);
	}
	expect_healthy(rig.program);
}

TEST(test_settings)
{
	static const char *const names[] = {
	    "fsync", "full_page_writes", "synchronous_commit", "autovacuum", "track_counts"};
	enum { N = sizeof names / sizeof *names };
	const char *out;
	int status;

	for (int i = 0; i < N; i++)
		run_statements(rig.program, arena_printf(&rig.arena, "alter system set %s = off", names[i]));
	run_statements(rig.program, "select pg_reload_conf()");
	await_settings(rig.program,
	    "select (count(*) = 5)::int from pg_settings where name in ('fsync', 'full_page_writes', "
	    "'synchronous_commit', 'autovacuum', 'track_counts') and setting = 'off'");
	out = run_doctor(rig.program, &status, NULL, NULL);
	for (int i = 0; i < N; i++)
		expect_finding(out, status, "settings", arena_printf(&rig.arena, "%s is off", names[i]));
	follow_all(rig.program, out);
	await_settings(rig.program, SETTINGS);
	expect_healthy(rig.program);
}

TEST(test_archive)
{
	const char *out;
	int status;

	run_statements(rig.program, "alter system set archive_command = 'false'");
	run_statements(rig.program, "select pg_reload_conf()");
	run_statements(rig.program, "select txid_current(), pg_switch_wal()");
	await_settings(rig.program,
	    "select (last_failed_time > coalesce(last_archived_time, '-infinity'))::int from pg_stat_archiver");
	out = run_doctor(rig.program, &status, NULL, NULL);
	expect_finding(out, status, "archive", "WAL has not been archived since ");
	run_statements(rig.program, "alter system set archive_command = 'true'");
	run_statements(rig.program, "select pg_reload_conf()");
	await_settings(rig.program, "select (last_archived_time > last_failed_time)::int from pg_stat_archiver");
	expect_healthy(rig.program);
}

/* --- sessions ----------------------------------------------------------------------------- */

static PGconn *session_begin(const char *sql)
{
	PGconn *pg = PQconnectdb(rig.program->database_url);

	PQclear(PQexec(pg, "begin"));
	PQclear(PQexec(pg, sql));
	return pg;
}

TEST(test_sessions)
{
	PGconn *holder = session_begin("select txid_current()"), *waiter;
	const char *out;
	int status;

	PQclear(PQexec(holder, "lock table people in access exclusive mode"));
	waiter = session_begin("select 1");
	assert_int_equal(PQsendQuery(waiter, "select count(*) from people"), 1);
	while (database_int(rig.program, "select count(*) from pg_locks where not granted and waitstart < "
	                                 "clock_timestamp() - interval '100 ms'") == 0)
		;
	out = run_doctor(rig.program, &status, NULL, NULL);
	expect_finding(out, status, "locks", arena_printf(&rig.arena, "process %d has waited", PQbackendPID(waiter)));
	expect_finding(out, status, "open transactions",
	    arena_printf(&rig.arena, "a transaction of process %d", PQbackendPID(holder)));
	follow_all(rig.program, out);
	PQfinish(holder);
	PQfinish(waiter);
	expect_healthy(rig.program);
}

/* --- this machine ------------------------------------------------------------------------- */

TEST(test_machine)
{
	const char *secret = arena_printf(&rig.arena, "%s/secret", rig.program->data_dir);
	const char *away = arena_printf(&rig.arena, "%s.away", secret), *out;
	enum { HELD = 113 }; /* of the test cluster's 120 */
	PGconn *held[HELD];
	int status;

	assert_int_equal(chmod(secret, 0644), 0);
	out = run_doctor(rig.program, &status, NULL, NULL);
	expect_finding(out, status, "secret file", "users other than its owner can read");
	follow_all(rig.program, out);
	expect_healthy(rig.program);
	assert_int_equal(rename(secret, away), 0);
	out = run_doctor(rig.program, &status, NULL, NULL);
	expect_finding(out, status, "secret file", "is missing");
	assert_int_equal(rename(away, secret), 0);
	for (int i = 0; i < HELD; i++)
		held[i] = PQconnectdb(rig.program->database_url);
	out = run_doctor(rig.program, &status, NULL, NULL);
	for (int i = 0; i < HELD; i++)
		PQfinish(held[i]);
	expect_finding(out, status, "connections", " of the 117 connections that PostgreSQL allows are in use");
	assert_int_equal(setenv("TZDIR", "/nonexistent", 1), 0);
	out = run_doctor(rig.program, &status, NULL, NULL);
	unsetenv("TZDIR");
	expect_finding(out, status, "time zones", "no time zone data");
	/* The database's clock, by a function that hides its own. */
	run_statements(rig.program,
	    "create schema late; create function late.clock_timestamp() returns timestamptz language sql as "
	    "$$select pg_catalog.now() - interval '1 minute'$$; alter role postgres set search_path = late, "
	    "pg_catalog, "
	    "public");
	out = run_doctor(rig.program, &status, NULL, NULL);
	expect_finding(out, status, "clock", " behind this machine's");
	run_statements(rig.program, "alter role postgres reset search_path; drop schema late cascade");
	expect_healthy(rig.program);
}

/* --- a standby ---------------------------------------------------------------------------- */

static struct cluster *standby;

static void run_there(const char *sql)
{
	assert_true(cluster_sql(standby, sql, NULL, 0));
	assert_true(cluster_sql(standby, "select pg_reload_conf()", NULL, 0));
}

/* Settings and the log take a moment to arrive: until the text is among what is found, or until nothing is. */
static const char *await_replica(const char *url, const char *found)
{
	for (int64_t until = patience_ms(PATIENCE_MS);;) {
		int status;
		const char *out = run_doctor(rig.program, &status, "--replica_url", url);
		const char *at = strstr(out, "{\"check\":\"replica\",\"state\":\"finding\"");
		if (found ? status == 1 && at && strstr(at, found) : status == 0)
			return out;
		if (!patience_pause(until))
			fail_msg("no \"%s\" of %s in\n%s", found ? found : "ok", url, out);
		run_statements(rig.program,
		    "update people set updated_at = updated_at where id = (select id from people limit 1)");
	}
}

static const char *replica_url(const char *host, const char *database)
{
	return arena_printf(&rig.arena, "host=%s port=5432 user=postgres dbname=%s", host, database);
}

TEST(test_standby)
{
	static const char mended_by[] = "run there as a superuser: ";
	const char *database = database_text(rig.program, &rig.arena, "select current_database()");
	const char *here = cluster_socket_dir(rig.cluster), *url, *advice;
	char error[CLUSTER_ERROR_SIZE] = "";

	standby = cluster_standby(rig.cluster, error);
	assert_string_equal(error, "");
	url = replica_url(cluster_socket_dir(standby), database);
	await_replica(url, NULL);
	run_there("select pg_wal_replay_pause()");
	advice = strstr(await_replica(url, "its replay is paused"), mended_by);
	assert_non_null(advice);
	advice += strlen(mended_by);
	run_there(arena_printf(&rig.arena, "%.*s", (int)strcspn(advice, "\""), advice));
	await_replica(url, NULL);
	run_there("alter system set recovery_min_apply_delay = '1h'");
	await_replica(url, "it has not replayed the last ");
	run_there("alter system reset recovery_min_apply_delay");
	await_replica(url, NULL);
	run_there("alter system set primary_conninfo = ''");
	await_replica(url, ", and receives nothing");
	run_there(arena_printf(&rig.arena, "alter system set primary_conninfo = 'host=%s user=postgres'", here));
	await_replica(url, NULL);
	await_replica(replica_url(here, database), "no server of replica_url is a standby");
	await_replica(
	    replica_url(cluster_socket_dir(standby), "postgres"), "it is not a standby of the server in database_url");
	await_replica(replica_url("/nonexistent", database),
	    "/nonexistent:5432 does not accept connections: No such file or directory");
	/* The one that is a standby is used. */
	await_replica(
	    replica_url(arena_printf(&rig.arena, "%s,%s", here, cluster_socket_dir(standby)), database), NULL);
	cluster_stop(standby);
	expect_healthy(rig.program);
}

/* --- setup -------------------------------------------------------------------------------- */

static const struct program *login_program(const char *name, const char *more)
{
	struct program *p = arena_alloc(&rig.arena, sizeof *p);

	*p = *rig.program;
	p->database_url =
	    arena_printf(&rig.arena, "host=%s user=%s dbname=%s%s", cluster_socket_dir(rig.cluster), name, name, more);
	return p;
}

static void expect_migrates(const struct program *p)
{
	int status;
	const char *out = run_kith(p, &status, (const char *const[]){"migrate", NULL});

	if (status != 0)
		fail_msg("%s", out);
	expect_healthy(p);
}

/* The statements, run by psql, are enough; and by then nothing is left to do. */
TEST(test_setup_printed)
{
	const struct program *p = login_program("managed", " password='hidden word'");
	int status;
	const char *out = run_kith(p, &status, (const char *const[]){"setup", "--print", NULL});
	const char *path = arena_printf(&rig.arena, "%s/setup.sql", cluster_data(rig.cluster));

	assert_int_equal(status, 0);
	assert_null(strstr(out, "hidden"));
	run_statements(rig.program, "drop owned by kith_serve, kith_system, kith_admit, kith_search cascade");
	run_statements(rig.program, "drop role kith_serve, kith_system, kith_admit, kith_search");
	rig_write(path, out);
	assert_int_equal(chmod(path, 0644), 0);
	assert_true(cluster_program(rig.cluster, (const char *const[]){"psql", "-X", "-q", "-v", "ON_ERROR_STOP=1",
	                                             "-d", cluster_url(rig.cluster), "-f", path, NULL}));
	expect_migrates(p);
	out = run_kith(p, &status, (const char *const[]){"setup", NULL});
	assert_int_equal(status, 0);
	assert_null(strstr(out, "created"));
	/* And the first database gets its roles' rights again. */
	out = run_doctor(rig.program, &status, NULL, NULL);
	expect_finding(out, status, "rights", "lack rights");
	follow_all(rig.program, out);
	expect_healthy(rig.program);
}

TEST(test_setup)
{
	const struct program *p = login_program("ops", " password='it\\'s'"), *q = login_program("third", "");
	int status;
	const char *out, *admin;

	/* A collation with a version. */
	assert_true(cluster_sql(rig.cluster,
	    "create database ops locale_provider icu icu_locale 'en' locale 'C' encoding 'UTF8' template template0",
	    NULL, 0));
	(void)run_kith(p, &status, (const char *const[]){"setup", NULL});
	assert_int_equal(status, 1); /* it belongs to postgres */
	assert_true(cluster_sql(rig.cluster, "alter database ops owner to ops", NULL, 0));
	out = run_kith(p, &status, (const char *const[]){"setup", NULL});
	assert_int_equal(status, 0);
	assert_non_null(strstr(out, "{\"what\":\"role ops\",\"state\":\"exists\"}"));
	assert_non_null(strstr(out, "{\"what\":\"ops may act as kith_search\",\"state\":\"exists\"}"));
	assert_int_equal(
	    database_int(rig.program, "select count(*) from pg_authid where rolname = 'ops' and rolpassword "
	                              "like 'SCRAM-SHA-256$%' and not rolsuper and not rolcreaterole"),
	    1);
	expect_migrates(p);
	run_statements(p, "update pg_database set datcollversion = '1.1' where datname = 'ops'");
	out = run_doctor(p, &status, NULL, NULL);
	expect_finding(out, status, "collation", "version 1.1");
	follow_all(p, out);
	/* The limits that apply to a login without special rights, and what it cannot see. */
	assert_non_null(strstr(out = run_doctor(p, &status, NULL, NULL), "\"do\":\"grant pg_read_all_stats to ops\""));
	assert_int_equal(status, 0);
	run_statements(p, "grant pg_read_all_stats to ops");
	assert_null(strstr(run_doctor(p, &status, NULL, NULL), "pg_read_all_stats"));
	run_statements(p, "alter role ops connection limit 7; alter database ops connection limit 12");
	out = run_doctor(p, &status, NULL, NULL);
	expect_finding(out, status, "connections", "the login ops allows only 7");
	expect_finding(out, status, "connections", "the database ops allows only 12");
	follow_all(p, out);
	expect_healthy(p);
	run_statements(p, "revoke kith_serve from ops");
	out = run_doctor(p, &status, NULL, NULL);
	expect_finding(out, status, "roles", "ops may not act as kith_serve");
	run_statements(p, "grant kith_serve to ops with admin option");
	expect_healthy(p);
	/* An administrator who is not a superuser. */
	assert_true(cluster_sql(rig.cluster, "create role manager login createrole createdb", NULL, 0));
	assert_true(cluster_sql(rig.cluster,
	    "grant kith_serve, kith_system, kith_admit, kith_search to manager with admin option", NULL, 0));
	admin = arena_printf(&rig.arena, "host=%s user=manager dbname=postgres", cluster_socket_dir(rig.cluster));
	out = run_kith(q, &status, (const char *const[]){"setup", "--admin", admin, NULL});
	assert_int_equal(status, 0);
	assert_non_null(strstr(out, "{\"what\":\"database third\",\"state\":\"created\"}"));
	expect_migrates(q);
	(void)run_kith(q, &status, (const char *const[]){"setup", "--admin", "host=/nonexistent", NULL});
	assert_int_equal(status, 1);
}
