/* Connections that block; see db_probe.h. */
#include "store/db_probe.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "store/db_private.h"

enum { ENDED_MS = 2000 };

static const char *const KEYWORDS[] = {"connect_timeout", "dbname", "application_name", NULL};

static PGconn *probe_connect(const char *url)
{
	const char *const values[] = {"5", url, "kith", NULL};
	return PQconnectdbParams(KEYWORDS, values, 1);
}

/* True when another attempt may help. */
static bool probe_unanswered(const char *url)
{
	const char *const values[] = {"5", url, "kith", NULL};
	PGPing found = PQpingParams(KEYWORDS, values, 1);
	return found == PQPING_REJECT || found == PQPING_NO_RESPONSE;
}

/* The first line, without the socket's name. */
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
		/* it may have begun to shut down meanwhile */
		found = probe_unanswered(url) ? DB_PROBE_WAIT : DB_PROBE_REFUSED;
	}
	PQfinish(pg);
	return found;
}

bool db_probe_execute(const char *url, const char *sql, char message[DB_PROBE_MESSAGE])
{
	PGconn *pg = probe_connect(url);
	PGresult *r = PQexec(pg, sql);
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

/* Tells PostgreSQL to end the session when idle. If the connection has its own backend it is closed as well; if it
 * stays open, the session was returned to a pool after the statement. */
bool db_probe_keeps_sessions(const char *url)
{
	PGconn *pg = probe_connect(url);
	PGresult *r = PQexec(pg, "set idle_session_timeout = '20ms'");
	bool keeps = PQresultStatus(r) != PGRES_COMMAND_OK || closed_in_time(pg);
	PQclear(r);
	PQfinish(pg);
	return keeps;
}
