/* Opens and closes the configuration, the loop and the database of a command. */
#include "server/embedded/command_session.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/log.h"
#include "server/embedded/embedded.h"
#include "server/base/loop.h"
#include "store/db_probe.h"
#include "store/horizon.h"
#include "store/migrate.h"

static void report_applied(const struct migrate_step *s, void *ctx)
{
	(void)ctx;
	if (s->migration)
		fprintf(
		    stderr, "kith: migrated the database to level %d (%s)\n", s->migration->level, s->migration->name);
}

/* Runs as the login itself, because the roles may not exist yet and an embedded database is migrated here. */
static bool check_schema(struct session *s, enum migrate_check check, int level)
{
	char error[512] = "";

	if (!migrate_possible(check, level, error))
		fprintf(stderr, "kith: %s\n", error);
	else if (check == MIGRATE_OLDER && !s->embedded)
		fprintf(stderr, "kith: the database is at level %d, but this program needs %d: run \"kith migrate\"\n",
		    level, n_migrations);
	else if (check == MIGRATE_OLDER && !migrate_apply(s->db, false, report_applied, NULL, error))
		fprintf(stderr, "kith: cannot migrate the embedded database: %s\n", error);
	else
		return true;
	return false;
}

static bool check_pooler(const struct session *s)
{
	if (db_pooled(s->db) && !db_probe_keeps_sessions(session_url(s))) {
		fprintf(stderr,
		    "kith: database_url leads through a pooler (such as PgBouncer) that reassigns connections "
		    "after each transaction: set its pool_mode to session for this database, "
		    "or name PostgreSQL itself in database_url\n");
		return false;
	}
	return true;
}

const char *session_url(const struct session *s)
{
	return s->embedded ? embedded_url(s->embedded) : s->config.database_url;
}

const char *session_secret_file(const struct session *s, struct arena *a)
{
	return s->config.secret_file ? s->config.secret_file : arena_printf(a, "%s/secret", s->config.data_dir);
}

static void session_lanes(const struct session *s, struct db_config *lanes)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	db_config_default(lanes, session_url(s), cores > 0 ? (int)cores : 1);
	lanes->lane_size[DB_WRITE] = s->config.db_connections;
}

/* Opens a single connection with all rights of the login. */
static void open_owner(struct session *s, struct db_config lanes)
{
	for (int lane = 0; lane < DB_LANES; lane++)
		lanes.lane_size[lane] = lane == DB_WORK;
	s->db = db_open(loop_base(s->loop), &lanes);
	db_await(s->db);
}

/* On a local socket PostgreSQL identifies a login by the system user of the same name. root is not such a user. */
static void say_unreachable(const struct session *s, bool refused)
{
	const char *why = db_ready(s->db) ? db_trouble(s->db, DB_WORK) : db_away(s->db);

	if (*why)
		fprintf(stderr, "kith: %s\n", why);
	fprintf(stderr, "kith: %s (\"kith config\" shows the settings)%s%s\n",
	    refused ? "the database refuses the login: check user, password and dbname in database_url, and "
	              "PostgreSQL's pg_hba.conf and max_connections"
	            : "the database does not answer: check database_url, and that PostgreSQL runs and accepts writes",
	    refused ? "; \"kith setup\" makes a login and its database" : "",
	    geteuid() == 0 ? "; as root try it as the service's user: runuser -u kith -- kith ..." : "");
}

/* True when another attempt would be refused too. */
static bool login_refused(const struct session *s)
{
	char message[DB_PROBE_MESSAGE];

	return !s->embedded && !db_ready(s->db) && db_probe(session_url(s), message) == DB_PROBE_REFUSED;
}

/* Opens the single connection and checks the schema. If it cannot connect, it says the reason once, instead of logging
 * each attempt. */
static bool open_checked(struct session *s, struct db_config lanes, enum migrate_check *check, int *level)
{
	enum log_level old = log_set_level(LOG_ERROR);
	bool refused;

	open_owner(s, lanes);
	refused = login_refused(s);
	*check = refused ? MIGRATE_UNKNOWN : migrate_check(s->db, level);
	log_set_level(old);
	log_flush(); /* print the error before the advice */
	if (*check == MIGRATE_UNKNOWN)
		say_unreachable(s, refused);
	return *check != MIGRATE_UNKNOWN;
}

void session_reopen(struct session *s)
{
	struct db_config lanes;

	session_lanes(s, &lanes);
	db_close(s->db);
	open_owner(s, lanes);
}

static bool settle_events(struct session *s)
{
	struct db_exchange x;

	if (horizon_settle(s->db, &x))
		return true;
	session_say_failed(&x, "cannot begin a new generation of events");
	return false;
}

bool session_open(struct session *s, struct config *config, bool serving, enum session_schema schema)
{
	struct db_config lanes;
	char error[512] = "";
	enum migrate_check check;
	int level;

	memset(s, 0, sizeof *s);
	s->config = *config;
	memset(config, 0, sizeof *config);
	if (!s->config.database_url) {
		s->embedded = embedded_start(s->config.data_dir, schema == SESSION_LOOK, error);
		if (!s->embedded) {
			fprintf(stderr, "kith: %s\n", error);
			config_free(&s->config);
			return false;
		}
	}
	session_lanes(s, &lanes);
	s->loop = loop_new();
	if (!open_checked(s, lanes, &check, &level) || !check_pooler(s) ||
	    (schema == SESSION_CURRENT && !check_schema(s, check, level)) || (serving && !settle_events(s))) {
		session_close(s);
		return false;
	}
	if (schema != SESSION_CURRENT)
		return true;
	db_close(s->db);
	for (int lane = 0; lane < DB_LANES && !serving; lane++)
		lanes.lane_size[lane] = lane == DB_WORK;
	db_config_roles(&lanes);
	s->db = db_open(loop_base(s->loop), &lanes);
	db_await(s->db);
	return true;
}

void session_close(struct session *s)
{
	log_flush();
	if (s->db)
		db_close(s->db);
	loop_free(s->loop);
	if (s->embedded)
		embedded_stop(s->embedded);
	config_free(&s->config);
}

bool session_query(
    struct session *s, struct db_exchange *x, enum db_lane lane, struct sql **statements, int n_statements)
{
	db_exchange_clear(x);
	memset(x, 0, sizeof *x);
	x->lane = lane;
	x->statements = statements;
	x->n_statements = n_statements;
	return db_run(s->db, x) == DB_OK;
}

void session_say_failed(const struct db_exchange *x, const char *what)
{
	fprintf(stderr, "kith: %s: %s\n", what, x->status == DB_FAILED ? x->message : "no connection");
}
