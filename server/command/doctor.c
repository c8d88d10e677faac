/* kith doctor checks the database and this machine, changes nothing, and says what to do about each finding. */
#include "server/command/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/command/cli.h"
#include "server/embedded/embedded.h"
#include "server/recurrence/zone.h"
#include "store/db_probe.h"
#include "store/migrate.h"
#include "webhook/vault.h"

enum { PATIENCE_MS = 60 * 1000, CLOCK_OFF_MS = 1000, SPARE_CONNECTIONS = 5, FREE_PERCENT = 5 };

/* --- findings ----------------------------------------------------------------------------- */

static void doctor_line(const struct doctor *d, const char *state, const char *found, const char *advice)
{
	struct cli_line line;

	cli_line_begin(&line);
	cli_line_member(&line, "check", d->check);
	cli_line_member(&line, "state", state);
	if (found)
		cli_line_member(&line, "found", found);
	if (advice)
		cli_line_member(&line, "do", advice);
	cli_line_print(&line);
}

void doctor_found(struct doctor *d, const char *advice, const char *format, ...)
{
	va_list args;

	d->found++;
	va_start(args, format);
	doctor_line(d, "finding", arena_vprintf(&d->arena, format, args), advice);
	va_end(args);
}

/* Reports that a check cannot see everything, and what would let it. This is not a finding. */
static void doctor_unseen(struct doctor *d, const char *advice, const char *what)
{
	d->found++;
	d->findings--;
	doctor_line(d, "skipped", what, advice);
}

bool doctor_ask(struct doctor *d, struct db_ask *ask)
{
	enum db_status status = db_ask_run(ask, d->session.db);

	if (status != DB_OK)
		doctor_found(d, "fix what the message names, then run kith doctor again", "the query failed: %s",
		    status == DB_FAILED ? ask->x.message : "no answer");
	return status == DB_OK;
}

struct sql *doctor_ask_begin(struct db_ask *ask)
{
	struct sql *sql;

	db_ask_begin(ask);
	sql_begin_system(sql = db_ask_add(ask), &ask->arena, NULL);
	return sql;
}

void doctor_findings(struct doctor *d, struct db_ask *ask)
{
	if (doctor_ask(d, ask))
		for (int i = 0; i < db_rows(&ask->x, 0); i++)
			doctor_found(d, db_text(&ask->x, 0, i, 1, NULL), "%s", db_text(&ask->x, 0, i, 0, NULL));
	db_ask_end(ask);
}

/* Adds the parameter that several statements have. */
static void doctor_patience(const struct doctor *d, struct sql *sql)
{
	sql_numeric(
	    sql, arena_printf(sql->arena, "%.3f", (double)config_scaled_ms(&d->session.config, PATIENCE_MS) / 1000));
}

void doctor_query(struct doctor *d, const char *name)
{
	struct db_ask ask;
	struct sql *sql = doctor_ask_begin(&ask);

	doctor_patience(d, sql);
	sql_built_in(sql, name);
	doctor_findings(d, &ask);
}

/* --- the server --------------------------------------------------------------------------- */

/* Checks the hosts of a database_url that has several. */
static void doctor_hosts(struct doctor *d)
{
	const char *url = session_url(&d->session), *writing = NULL;
	struct db_probe_host hosts[DB_PROBE_HOSTS];
	int n = db_probe_hosts(url, NULL, hosts);

	d->skipped = n == 1;
	if (n > 1 && !db_probe_wants_writer(url))
		doctor_found(d, "remove target_session_attrs from database_url: kith then uses read-write",
		    "the server may use a standby of database_url as its primary, and every write to a standby fails");
	for (int i = 0; n > 1 && i < n; i++) {
		if (!hosts[i].answers)
			doctor_found(d,
			    "start it, or remove it from database_url: until then there may be no server that can take "
			    "over",
			    "%s does not accept connections: %s", hosts[i].name, hosts[i].message);
		if (hosts[i].writes && writing)
			doctor_found(d, "stop the old primary at once, and make it a standby with pg_rewind",
			    "%s and %s both accept writes: a write to one is missing in the other", writing,
			    hosts[i].name);
		if (hosts[i].writes)
			writing = hosts[i].name;
	}
}

static void doctor_standbys(struct doctor *d, const char *query)
{
	struct db_probe_host hosts[DB_PROBE_HOSTS];
	int n = db_probe_hosts(d->session.config.replica_url, query, hosts), standbys = 0;

	for (int i = 0; i < n; i++) {
		const struct db_probe_host *host = &hosts[i];
		standbys += !host->writes;
		if (!host->answers)
			doctor_found(d, "start it, allow the login there (pg_hba.conf), or remove it from replica_url",
			    "%s does not accept connections: %s", host->name, host->message);
		else if (*host->found)
			doctor_found(d, host->advice, "%s: %s", host->name, host->found);
	}
	if (!standbys)
		doctor_found(d,
		    "name a standby in replica_url; if it names several servers, kith uses the one that is a standby",
		    "no server of replica_url is a standby: kith reads every list on the primary");
}

static void doctor_replica(struct doctor *d)
{
	struct db_ask ask;
	struct sql *sql;

	d->skipped = !d->session.config.replica_url;
	if (d->skipped)
		return;
	doctor_patience(d, sql = doctor_ask_begin(&ask));
	sql_built_in(sql, "doctor standby");
	if (doctor_ask(d, &ask))
		doctor_standbys(d, db_text(&ask.x, 0, 0, 0, NULL));
	db_ask_end(&ask);
}

static void doctor_private(struct doctor *d)
{
	d->skipped = !d->session.embedded;
	if (!d->skipped && embedded_outdated(d->session.embedded))
		doctor_found(d,
		    "restart kith serve; if none runs, the next command restarts the cluster, e.g. kith migrate",
		    "PostgreSQL was upgraded while the private cluster ran: new sessions may fail to load their "
		    "libraries");
}

static void doctor_clock(struct doctor *d)
{
	struct db_ask ask;
	int64_t before = clock_now_ms(), off;

	sql_add(doctor_ask_begin(&ask), "select floor(extract(epoch from clock_timestamp()) * 1000)::bigint");
	if (doctor_ask(d, &ask)) {
		off = db_int(&ask.x, 0, 0, 0) - (before + clock_now_ms()) / 2;
		if (off > CLOCK_OFF_MS || off < -CLOCK_OFF_MS)
			doctor_found(d, "synchronize both clocks with NTP (chrony, systemd-timesyncd)",
			    "the database's clock is %lld ms %s this machine's", (long long)llabs(off),
			    off < 0 ? "behind" : "ahead of");
	}
	db_ask_end(&ask);
}

/* Compares the number of connections that one process opens with the number that is available. */
static void doctor_connections(struct doctor *d)
{
	struct db_config lanes;
	struct db_ask ask;
	int64_t room, others;
	int needed = 0;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	db_config_default(&lanes, "", cores > 0 ? (int)cores : 1);
	lanes.lane_size[DB_WRITE] = d->session.config.db_connections;
	for (int lane = 0; lane < DB_LANES; lane++)
		needed += lanes.lane_size[lane] + lanes.lane_spare[lane];
	sql_built_in(doctor_ask_begin(&ask), "doctor connections");
	if (doctor_ask(d, &ask))
		for (int i = 0; i < db_rows(&ask.x, 0); i++) {
			room = db_int(&ask.x, 0, i, 1);
			others = db_int(&ask.x, 0, i, 2);
			if (room < needed)
				doctor_found(d, db_text(&ask.x, 0, i, 3, NULL),
				    "a process of kith opens up to %d connections, but %s allows only %lld", needed,
				    db_text(&ask.x, 0, i, 0, NULL), (long long)room);
			else if (room - others < SPARE_CONNECTIONS)
				doctor_found(d, db_text(&ask.x, 0, i, 3, NULL),
				    "%lld of the %lld connections that %s allows are in use", (long long)others,
				    (long long)room, db_text(&ask.x, 0, i, 0, NULL));
		}
	db_ask_end(&ask);
}

static void doctor_sight(struct doctor *d)
{
	struct db_ask ask;

	sql_built_in(doctor_ask_begin(&ask), "doctor other logins");
	if (doctor_ask(d, &ask) && db_rows(&ask.x, 0))
		doctor_unseen(d, db_text(&ask.x, 0, 0, 1, NULL), db_text(&ask.x, 0, 0, 0, NULL));
	db_ask_end(&ask);
}

/* --- this machine ------------------------------------------------------------------------- */

static void doctor_zones(struct doctor *d)
{
	if (zone_read_all() == 0)
		doctor_found(d, "install tzdata",
		    "the system has no time zone data: reminders in zones other than UTC wait until it is installed");
}

static void doctor_space_at(struct doctor *d, const char *what, const char *path)
{
	struct statvfs fs;

	if (statvfs(path, &fs) != 0 || fs.f_blocks == 0)
		return;
	d->skipped = false;
	if (fs.f_bavail * 100 / fs.f_blocks < FREE_PERCENT)
		doctor_found(d, "free space there, or use a larger disk", "%s (%s) has %llu MB of %llu MB left", what,
		    path, (unsigned long long)fs.f_bavail * fs.f_frsize >> 20,
		    (unsigned long long)fs.f_blocks * fs.f_frsize >> 20);
}

/* The disk of the database's files can be checked only if they are on this machine and the login may know where they
 * are. */
static void doctor_space(struct doctor *d)
{
	struct db_ask ask;

	d->skipped = true;
	doctor_space_at(d, "the data directory", d->session.config.data_dir);
	sql_add(doctor_ask_begin(&ask), "select case when inet_server_addr() is null and pg_has_role(current_user, "
	                                "'pg_read_all_settings', 'usage') "
	                                "then current_setting('data_directory', true) end");
	if (doctor_ask(d, &ask) && !db_null(&ask.x, 0, 0, 0))
		doctor_space_at(d, "PostgreSQL's directory", db_text(&ask.x, 0, 0, 0, NULL));
	db_ask_end(&ask);
}

static void doctor_compare_secret(struct doctor *d, const char *path, const char *kept, size_t len)
{
	unsigned char mine[VAULT_FINGERPRINT_LEN];
	struct vault *v = vault_open(path);

	if (!v) {
		doctor_found(d, "see the message above", "the secret file %s cannot be read", path);
		return;
	}
	vault_fingerprint(v, mine);
	vault_close(v);
	if (len != sizeof mine || memcmp(kept, mine, len) != 0)
		doctor_found(d, "copy the secret file that the other processes use, or restore it from a backup",
		    "the database's webhook secrets were not encrypted with %s", path);
}

/* The secret file is created at the first start. From then on the database remembers its key. */
static void doctor_secret(struct doctor *d)
{
	const char *own = d->session.config.secret_file;
	const char *path = own ? own : arena_printf(&d->arena, "%s/secret", d->session.config.data_dir);
	struct db_ask ask;
	struct stat st;
	bool there = stat(path, &st) == 0;

	if (there && (st.st_mode & 077))
		doctor_found(d, arena_printf(&d->arena, "chmod 600 %s", path),
		    "users other than its owner can read the secret file %s", path);
	sql_add(doctor_ask_begin(&ask), "select value from server_secrets where name = 'vault'");
	if (doctor_ask(d, &ask) && db_rows(&ask.x, 0)) {
		size_t len;
		const char *kept = db_text(&ask.x, 0, 0, 0, &len);
		if (there)
			doctor_compare_secret(d, path, kept, len);
		else
			doctor_found(d,
			    "copy it from the other machine, or restore it from a backup; if it is lost, see "
			    "docs/running.md",
			    "the secret file %s is missing", path);
	}
	db_ask_end(&ask);
}

/* --- the command -------------------------------------------------------------------------- */

struct doctor_check {
	const char *name;
	/* NULL: each row of the statement of this name in doctor.sql is a finding. */
	void (*run)(struct doctor *d);
	bool any_level; /* the check does not need this program's tables */
};

/* In the order in which they run. */
static const struct doctor_check checks[] = {
    {.name = "version", .any_level = true},
    {.name = "servers", .run = doctor_hosts, .any_level = true},
    {.name = "private cluster", .run = doctor_private, .any_level = true},
    {.name = "replica", .run = doctor_replica, .any_level = true},
    {.name = "level", .run = doctor_level, .any_level = true},
    {.name = "extensions"},
    {.name = "rights", .run = doctor_rights},
    {.name = "roles"},
    {.name = "row security"},
    {.name = "settings", .any_level = true},
    {.name = "connections", .run = doctor_connections, .any_level = true},
    {.name = "clock", .run = doctor_clock, .any_level = true},
    {.name = "time zones", .run = doctor_zones, .any_level = true},
    {.name = "collation", .any_level = true},
    {.name = "cursor key"},
    {.name = "primary keys", .run = doctor_keys},
    {.name = "indexes", .run = doctor_indexes},
    {.name = "invalid indexes"},
    {.name = "statistics"},
    {.name = "autovacuum"},
    {.name = "bloat"},
    {.name = "transaction numbers", .any_level = true},
    {.name = "partitions"},
    {.name = "locks", .any_level = true},
    {.name = "open transactions", .any_level = true},
    {.name = "other logins", .run = doctor_sight, .any_level = true},
    {.name = "commits", .any_level = true},
    {.name = "slots", .any_level = true},
    {.name = "archive", .any_level = true},
    {.name = "space", .run = doctor_space, .any_level = true},
    {.name = "secret file", .run = doctor_secret},
    {.name = "webhooks"},
    {.name = "client addresses"},
};

static void doctor_run(struct doctor *d, const struct doctor_check *check)
{
	d->check = check->name;
	d->found = 0;
	d->skipped = !check->any_level && d->level != n_migrations;
	arena_init(&d->arena);
	if (!d->skipped && check->run)
		check->run(d);
	else if (!d->skipped)
		doctor_query(d, arena_printf(&d->arena, "doctor %s", d->check));
	if (!d->found)
		doctor_line(d, d->skipped ? "skipped" : "ok", NULL, NULL);
	d->findings += d->found;
	arena_free(&d->arena);
}

int cli_doctor(struct config *config, const struct cli_args *args)
{
	struct doctor d = {.check = "connection"};

	(void)args;
	if (!session_open(&d.session, config, false, SESSION_LOOK)) {
		doctor_line(&d, "finding", "the database cannot be used", "see the message on stderr");
		return 1;
	}
	doctor_line(&d, "ok", NULL, NULL);
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
		doctor_run(&d, &checks[i]);
	session_close(&d.session);
	if (d.findings)
		fprintf(stderr, "kith: %d findings\n", d.findings);
	return d.findings ? 1 : 0;
}
