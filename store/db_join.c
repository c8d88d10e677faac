/* A new connection's first check: whether the stored generation of events is that of the server it has reached
 * (migrations/0006_events.sql), and whether that server is as far as this process has seen the database. A
 * connection leads to one server for its whole life, so none reads or writes events under another server's
 * generation, even if the database was restored or moved, or a standby promoted, while this process runs.
 *
 * This is part of connecting, in libpq's simple query mode and under the same timeout. A failure ends the
 * connection, which is retried with back-off: a standby, for instance, has no generation until it is promoted. */
#include <stdio.h>
#include <stdlib.h>

#include "store/db_private.h"

/* Explicitly READ COMMITTED: when two begin a generation, the second must see the first's. "end" instead of "commit"
 * keeps it out of searches for COMMIT in logs and tests. */
static const char join_sql[] = "begin isolation level READ COMMITTED; select kith_join(%lld, %lld); end";

static void on_join_event(evutil_socket_t fd, short what, void *arg);

static void join_watch(struct conn *c, short what)
{
	event_assign(&c->connect_event, c->db->base, PQsocket(c->pg), what, on_join_event, c);
	event_add(&c->connect_event, NULL);
}

/* True when all results have arrived; *good: without an error. */
static bool results_read(struct conn *c, bool *good)
{
	while (!PQisBusy(c->pg)) {
		PGresult *r = PQgetResult(c->pg);
		if (!r) {
			*good = c->joined != 0;
			return true;
		}
		if (PQresultStatus(r) == PGRES_TUPLES_OK)
			c->joined = PQntuples(r) == 1 ? strtoll(PQgetvalue(r, 0, 0), NULL, 10) : 0;
		else if (PQresultStatus(r) != PGRES_COMMAND_OK) {
			*good = false;
			PQclear(r);
			return true;
		}
		PQclear(r);
	}
	return false;
}

static void join_go_on(struct conn *c, short what)
{
	bool good = false;
	int rest = what & EV_WRITE ? PQflush(c->pg) : 0;

	if (rest < 0 || (what & EV_READ && !PQconsumeInput(c->pg)))
		conn_lost(c, NULL);
	else if (!results_read(c, &good))
		join_watch(c, rest > 0 ? EV_READ | EV_WRITE : EV_READ);
	else if (good)
		conn_connected(c);
	else
		conn_lost(c, NULL);
}

static void on_join_event(evutil_socket_t fd, short what, void *arg)
{
	struct conn *c = arg;
	struct db *db = c->db;

	(void)fd;
	join_go_on(c, what);
	db_deliver(db);
}

void db_seen(struct db *db, int64_t generation, int64_t xid)
{
	if (generation < db->seen_generation || (generation == db->seen_generation && xid <= db->seen_xid))
		return;
	db->seen_generation = generation;
	db->seen_xid = xid;
}

void conn_join(struct conn *c)
{
	const struct db *db = c->db;
	char text[sizeof join_sql + 2 * 20];

	c->joined = 0;
	snprintf(text, sizeof text, join_sql, (long long)db->seen_generation, (long long)db->seen_xid);
	if (PQsetnonblocking(c->pg, 1) != 0 || !PQsendQuery(c->pg, text))
		conn_lost(c, NULL);
	else
		join_watch(c, EV_READ | EV_WRITE);
}
