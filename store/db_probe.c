/* Connections that block; see db_probe.h. */
#include "store/db_probe.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "store/db_private.h"

enum { ENDED_MS = 2000 };

static const char *const KEYWORDS[] = {"connect_timeout", "target_session_attrs", "dbname", "application_name", NULL};

const char *db_session_attrs(void)
{
	return getenv("PGTARGETSESSIONATTRS") ? NULL : "read-write";
}

static PGconn *probe_connect(const char *url)
{
	const char *const values[] = {"5", db_session_attrs(), url, "kith", NULL};

	return PQconnectdbParams(KEYWORDS, values, 1);
}

/* True when another attempt may help. */
static bool probe_unanswered(const char *url)
{
	const char *const values[] = {"5", db_session_attrs(), url, "kith", NULL};
	PGPing found = PQpingParams(KEYWORDS, values, 1);

	return found == PQPING_REJECT || found == PQPING_NO_RESPONSE;
}

/* Keeps the first line of the message, without the socket's name. */
static void probe_message(const PGconn *pg, char message[DB_PROBE_MESSAGE])
{
	const char *text = PQerrorMessage(pg), *failed = strstr(text, " failed: ");

	snprintf(message, DB_PROBE_MESSAGE, "%s", failed ? failed + strlen(" failed: ") : text);
	message[strcspn(message, "\n")] = '\0';
}

enum db_probe db_probe(const char *url, char message[DB_PROBE_MESSAGE])
{
	enum db_probe found = DB_PROBE_READY;

	message[0] = '\0';
	if (probe_unanswered(url))
		return DB_PROBE_WAIT;
	PGconn *pg = probe_connect(url);
	if (PQstatus(pg) != CONNECTION_OK) {
		probe_message(pg, message);
		/* the server may have begun to shut down; or it is a standby, which may be promoted later */
		found = strcmp(message, "session is read-only") == 0 || probe_unanswered(url) ? DB_PROBE_WAIT
		                                                                              : DB_PROBE_REFUSED;
	}
	PQfinish(pg);
	return found;
}

/* Without a connection PQexec() would replace the message that says why there is none. */
static PGresult *probe_exec(PGconn *pg, const char *sql)
{
	return PQstatus(pg) == CONNECTION_OK ? PQexec(pg, sql) : NULL;
}

bool db_probe_execute(const char *url, const char *sql, char message[DB_PROBE_MESSAGE])
{
	PGconn *pg = probe_connect(url);
	PGresult *r = probe_exec(pg, sql);
	bool ok = PQresultStatus(r) == PGRES_COMMAND_OK || PQresultStatus(r) == PGRES_TUPLES_OK;

	probe_message(pg, message);
	PQclear(r);
	PQfinish(pg);
	return ok;
}

/* Waits for at most ENDED_MS for the connection to be closed. */
static bool closed_in_time(PGconn *pg)
{
	int64_t end_us = clock_mono_us() + ENDED_MS * INT64_C(1000);
	int64_t left_us;

	while ((left_us = end_us - clock_mono_us()) > 0) {
		struct pollfd fd = {.fd = PQsocket(pg), .events = POLLIN};
		if (poll(&fd, 1, (int)(left_us / 1000) + 1) > 0 &&
		    (!PQconsumeInput(pg) || PQstatus(pg) != CONNECTION_OK))
			return true;
	}
	return false;
}

/* Tells PostgreSQL to end the session when it is idle. If the connection has a session of its own, PostgreSQL then
 * closes the connection, too. A connection that stays open belongs to a pooler, which took the session back after the
 * statement. */
bool db_probe_keeps_sessions(const char *url)
{
	PGconn *pg = probe_connect(url);
	PGresult *r = PQexec(pg, "set idle_session_timeout = '20ms'");
	bool keeps = PQresultStatus(r) != PGRES_COMMAND_OK || closed_in_time(pg);

	PQclear(r);
	PQfinish(pg);
	return keeps;
}

/* --- each server of the URL ------------------------------------------------------------- */

static void probe_standby(PGconn *pg, const char *query, struct db_probe_host *out)
{
	PGresult *r = PQexec(pg, query);

	out->answers = PQresultStatus(r) == PGRES_TUPLES_OK;
	if (out->answers && PQntuples(r)) {
		snprintf(out->found, sizeof out->found, "%s", PQgetvalue(r, 0, 0));
		snprintf(out->advice, sizeof out->advice, "%s", PQgetvalue(r, 0, 1));
	}
	PQclear(r);
}

static void probe_host(const char *url, const struct db_host *host, const char *standby, struct db_probe_host *out)
{
	static const char *const keywords[] = {
	    "connect_timeout", "dbname", "host", "hostaddr", "port", "target_session_attrs", "application_name", NULL};
	const char *const values[] = {"3", url, host->lists[0], host->lists[1], host->lists[2], "any", "kith", NULL};
	PGconn *pg = PQconnectdbParams(keywords, values, 1);
	PGresult *r = probe_exec(pg, "select pg_is_in_recovery() or current_setting('transaction_read_only')::bool");

	memset(out, 0, sizeof *out);
	hosts_name(&host->db->hosts, (int)(host - host->db->hosts.list), -1, out->name, sizeof out->name);
	out->answers = PQresultStatus(r) == PGRES_TUPLES_OK;
	out->writes = out->answers && *PQgetvalue(r, 0, 0) == 'f';
	if (standby && out->answers && !out->writes)
		probe_standby(pg, standby, out);
	probe_message(pg, out->message);
	PQclear(r);
	PQfinish(pg);
}

int db_probe_hosts(const char *url, const char *standby, struct db_probe_host out[DB_PROBE_HOSTS])
{
	struct db db = {.config.url = url};
	int n;

	hosts_init(&db.hosts, &db);
	n = db.hosts.n < DB_PROBE_HOSTS ? db.hosts.n : DB_PROBE_HOSTS;
	for (int i = 0; i < n; i++)
		probe_host(url, &db.hosts.list[i], standby, &out[i]);
	hosts_free(&db.hosts);
	return n;
}

bool db_probe_wants_writer(const char *url)
{
	PQconninfoOption *all = PQconninfoParse(url, NULL);
	const char *wanted = getenv("PGTARGETSESSIONATTRS");

	for (const PQconninfoOption *o = all; o && o->keyword; o++)
		if (o->val && strcmp(o->keyword, "target_session_attrs") == 0)
			wanted = o->val;
	bool writer = !wanted || strcmp(wanted, "read-write") == 0 || strcmp(wanted, "primary") == 0;
	PQconninfoFree(all);
	return writer;
}
