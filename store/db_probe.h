/* Blocking database calls: before the loop runs, and in processes without one. */
#ifndef KITH_STORE_DB_PROBE_H
#define KITH_STORE_DB_PROBE_H

#include <stdbool.h>

enum { DB_PROBE_MESSAGE = 200 };

enum db_probe {
	DB_PROBE_WAIT,   /* not listening, starting up, recovering or shutting down: try again */
	DB_PROBE_READY,  /* the database accepts us */
	DB_PROBE_REFUSED /* it accepts connections, but not ours */
};

/* Tries to log in, for at most 5 s; url is libpq's. message gets the error, if any. */
enum db_probe db_probe(const char *url, char message[DB_PROBE_MESSAGE]);

/* Logs in and runs one statement; false with the error. */
bool db_probe_execute(const char *url, const char *sql, char message[DB_PROBE_MESSAGE]);

/* True when a client connection keeps its backend for as long as it lasts, which kith needs; false with a pooler
 * such as PgBouncer in another mode, after 2 s. True when nothing answers. */
bool db_probe_keeps_sessions(const char *url);

#endif
