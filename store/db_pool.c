/* Whether a pooler keeps a connection of PostgreSQL for as long as one of ours lasts. */
#include <poll.h>

#include "server/base/clock.h"
#include "store/db_private.h"

enum { ENDED_MS = 2000 };

/* Waits until the connection is closed, for at most so long. */
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

/*
 * PostgreSQL is told to end the session when it is idle. With a backend of its own the connection then ends as well;
 * when it goes on, the session was given back to the pool after the statement.
 */
bool db_pool_keeps_sessions(const char *url)
{
	const char *const keywords[] = {"connect_timeout", "dbname", "application_name", NULL};
	const char *const values[] = {"5", url, "kith", NULL};
	PGconn *pg = PQconnectdbParams(keywords, values, 1);
	PGresult *r = PQexec(pg, "set idle_session_timeout = '20ms'");
	bool keeps = PQresultStatus(r) != PGRES_COMMAND_OK || closed_in_time(pg);
	PQclear(r);
	PQfinish(pg);
	return keeps;
}

bool db_pooled(const struct db *db)
{
	return db->pooled;
}
