/* Blocking statements of an administrator; see db_admin.h. */
#include "store/db_admin.h"

#include <event2/event.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/buf.h"
#include "server/base/fatal.h"
#include "store/db_private.h"
#include "store/db_probe.h"

struct db_admin {
	PGconn *pg;
};

enum { KEYWORDS_MAX = 64 };

/* --- connection strings ------------------------------------------------------------------- */

static const char *option_value(const PQconninfoOption *all, const char *keyword)
{
	for (const PQconninfoOption *o = all; o->keyword; o++)
		if (strcmp(o->keyword, keyword) == 0)
			return o->val || !o->envvar ? o->val : getenv(o->envvar);
	return NULL;
}

static const char *dup_value(const PQconninfoOption *all, const char *keyword, struct arena *a)
{
	const char *value = option_value(all, keyword);

	return value && *value ? arena_dupz(a, value) : NULL;
}

bool db_names_read(const char *url, struct arena *a, struct db_names *out)
{
	PQconninfoOption *all = PQconninfoParse(url, NULL);
	const char *host;

	if (!all)
		return false;
	host = option_value(all, "host");
	*out = (struct db_names){.login = dup_value(all, "user", a),
	    .database = dup_value(all, "dbname", a),
	    .password = dup_value(all, "password", a),
	    .local = (!host || !*host || *host == '/' || *host == '@') && !option_value(all, "hostaddr")};
	PQconninfoFree(all);
	return true;
}

static const char *quote_value(const char *value, struct arena *a)
{
	struct buf out;
	const char *quoted;

	buf_init(&out, 1 << 16);
	buf_addc(&out, '\'');
	for (; *value; value++) {
		if (*value == '\'' || *value == '\\')
			buf_addc(&out, '\\');
		buf_addc(&out, *value);
	}
	buf_addc(&out, '\'');
	quoted = arena_dup(a, out.data, out.len);
	buf_free(&out);
	return quoted;
}

/* libpq's options as a connection string. If a name occurs twice, the later value counts. */
static const char *write_options(const PQconninfoOption *all, const char *begin, bool secrets, struct arena *a)
{
	const char *out = begin;

	for (const PQconninfoOption *o = all; o->keyword; o++)
		if (o->val &&
		    (secrets || (strcmp(o->keyword, "password") != 0 && strcmp(o->keyword, "sslpassword") != 0)))
			out = arena_printf(a, "%s %s=%s", out, o->keyword, quote_value(o->val, a));
	return out;
}

/* Connects as the lanes do to find the server in use. */
static const char *writer_chosen(const char *url, struct arena *a, char message[DB_ADMIN_MESSAGE])
{
	struct event_base *base = event_base_new();
	PQconninfoOption *all = PQconninfoParse(url, NULL);
	const char *out = NULL, *at[HOSTS_LISTS];
	static const char *const names[HOSTS_LISTS] = {"host", "hostaddr", "port"};
	struct db_config config;
	struct db *db;

	db_config_default(&config, url, 1);
	for (int lane = 0; lane < DB_LANES; lane++)
		config.lane_size[lane] = lane == DB_WORK;
	db = db_open(base, &config);
	db_await(db);
	if (db_ready(db) && all && hosts_values(&db->hosts, db->hosts.first, -1, a, at)) {
		out = write_options(all, "", true, a);
		for (int i = 0; i < HOSTS_LISTS; i++)
			if (at[i])
				out = arena_printf(a, "%s %s=%s", out, names[i], quote_value(at[i], a));
	} else {
		snprintf(message, DB_ADMIN_MESSAGE, "%s", db_away(db));
	}
	PQconninfoFree(all);
	db_close(db);
	event_base_free(base);
	return out;
}

const char *db_writer_url(const char *url, struct arena *a, char message[DB_ADMIN_MESSAGE])
{
	struct db db = {.config.url = url};
	bool several;

	hosts_init(&db.hosts, &db);
	several = db.hosts.n > 1 || db.hosts.list->by_name;
	hosts_free(&db.hosts);
	return several && db_probe_wants_writer(url) ? writer_chosen(url, a, message) : url;
}

/* The program avoids standbys, as the server does, unless the URL says otherwise. */
const char *db_url_for_program(const char *url, struct arena *a, const char **password)
{
	char message[DB_ADMIN_MESSAGE];
	const char *writer = db_writer_url(url, a, message), *writes = db_session_attrs(), *out;
	PQconninfoOption *all = writer ? PQconninfoParse(writer, NULL) : NULL;

	if (!all)
		return NULL;
	*password = NULL;
	for (const PQconninfoOption *o = all; o->keyword; o++)
		if (o->val && strcmp(o->keyword, "password") == 0)
			*password = arena_dupz(a, o->val);
	out = write_options(all,
	    arena_printf(a, "connect_timeout=10%s%s", writes ? " target_session_attrs=" : "", writes ? writes : ""),
	    false, a);
	PQconninfoFree(all);
	return out;
}

/* --- connections -------------------------------------------------------------------------- */

static void keep_message(const char *text, char message[DB_ADMIN_MESSAGE])
{
	snprintf(message, DB_ADMIN_MESSAGE, "%.*s", (int)strcspn(text, "\n"), text);
}

/* The parameters of url, with another login and database. */
static PGconn *connect_as(const PQconninfoOption *all, const char *login)
{
	const char *keywords[KEYWORDS_MAX + 5] = {
	    "connect_timeout", "target_session_attrs", "application_name", "user", "dbname"};
	const char *values[KEYWORDS_MAX + 5] = {"10", db_session_attrs(), "kith setup", login, "postgres"};
	int n = 5;

	for (const PQconninfoOption *o = all; o->keyword && n < KEYWORDS_MAX; o++) {
		if (!o->val || strcmp(o->keyword, "user") == 0 || strcmp(o->keyword, "dbname") == 0 ||
		    strcmp(o->keyword, "password") == 0)
			continue;
		keywords[n] = o->keyword;
		values[n++] = o->val;
	}
	return PQconnectdbParams(keywords, values, 0);
}

static PGconn *connect_url(const char *url)
{
	const char *const keywords[] = {"connect_timeout", "target_session_attrs", "dbname", "application_name", NULL};
	const char *const values[] = {"10", db_session_attrs(), url, "kith setup", NULL};

	return PQconnectdbParams(keywords, values, 1);
}

/* PostgreSQL asks the socket for the system user who connected, so root becomes that user until then. */
static PGconn *connect_peer(const char *url, const char *login)
{
	PQconninfoOption *all = PQconninfoParse(url, NULL);
	const struct passwd *who = geteuid() == 0 ? getpwnam(login) : NULL;
	bool other = all && who && seteuid(who->pw_uid) == 0;
	PGconn *pg = all ? connect_as(all, login) : NULL;

	if (other && seteuid(0) != 0)
		fatal_abort("the process cannot become root again");
	PQconninfoFree(all);
	return pg;
}

struct db_admin *db_admin_open(const char *url, const char *login, char message[DB_ADMIN_MESSAGE])
{
	struct db_admin *admin;
	struct arena a;
	PGconn *pg = NULL;

	arena_init(&a);
	if (login || (url = db_writer_url(url, &a, message)))
		pg = login ? connect_peer(url, login) : connect_url(url);
	arena_free(&a);
	if (!url)
		return NULL;
	if (PQstatus(pg) != CONNECTION_OK) {
		keep_message(pg ? PQerrorMessage(pg) : "not a connection string", message);
		PQfinish(pg);
		return NULL;
	}
	admin = mem_alloc(sizeof *admin);
	admin->pg = pg;
	return admin;
}

void db_admin_close(struct db_admin *admin)
{
	if (!admin)
		return;
	PQfinish(admin->pg);
	free(admin);
}

int db_admin_version(const struct db_admin *admin)
{
	return PQserverVersion(admin->pg);
}

/* --- statements --------------------------------------------------------------------------- */

/* Takes the result. */
static bool admin_answer(
    struct db_admin *admin, PGresult *r, struct arena *a, const char **out, char message[DB_ADMIN_MESSAGE])
{
	bool ok = PQresultStatus(r) == PGRES_COMMAND_OK || PQresultStatus(r) == PGRES_TUPLES_OK;

	if (!ok)
		keep_message(PQerrorMessage(admin->pg), message);
	if (out)
		*out = ok && PQntuples(r) && !PQgetisnull(r, 0, 0) ? arena_dupz(a, PQgetvalue(r, 0, 0)) : NULL;
	PQclear(r);
	return ok;
}

bool db_admin_run(
    struct db_admin *admin, const char *sql, struct arena *a, const char **out, char message[DB_ADMIN_MESSAGE])
{
	return admin_answer(admin, PQexec(admin->pg, sql), a, out, message);
}

bool db_admin_ask(struct db_admin *admin, const char *sql, const char *const values[], struct arena *a,
    const char **out, char message[DB_ADMIN_MESSAGE])
{
	int n = 0;

	while (values[n])
		n++;
	return admin_answer(admin, PQexecParams(admin->pg, sql, n, NULL, values, NULL, NULL, 0), a, out, message);
}

const char *db_admin_password(
    struct db_admin *admin, const char *login, const char *password, struct arena *a, char message[DB_ADMIN_MESSAGE])
{
	char *made = PQencryptPasswordConn(admin->pg, password, login, NULL);
	const char *kept = made ? arena_dupz(a, made) : NULL;

	if (!made)
		keep_message(PQerrorMessage(admin->pg), message);
	PQfreemem(made);
	return kept;
}
