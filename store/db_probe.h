/* A database asked with calls that block: before the loop runs, and in processes without one. */
#ifndef KITH_STORE_DB_PROBE_H
#define KITH_STORE_DB_PROBE_H

#include <stdbool.h>

enum { DB_PROBE_MESSAGE = 200 };

enum db_probe {
	DB_PROBE_WAIT,   /* nobody listens, or it is starting up, recovering or shutting down: ask again */
	DB_PROBE_READY,  /* the database accepts us */
	DB_PROBE_REFUSED /* it accepts connections, but not ours */
};

/* Tries to log in, for at most 5 s; url is libpq's. message gets what went wrong, if anything did. */
enum db_probe db_probe(const char *url, char message[DB_PROBE_MESSAGE]);

/* Logs in and runs one statement; false with what went wrong. */
bool db_probe_execute(const char *url, const char *sql, char message[DB_PROBE_MESSAGE]);

/* Whether a pooler such as PgBouncer leaves a connection of PostgreSQL to one of ours for as long as it lasts, which is
 * what we need. Takes 2 s when it does not. True when nobody answers. */
bool db_probe_keeps_sessions(const char *url);

#endif
