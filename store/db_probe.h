/* Blocking database calls: before the loop runs, and in processes without one. */
#ifndef KITH_STORE_DB_PROBE_H
#define KITH_STORE_DB_PROBE_H

#include <stdbool.h>

enum { DB_PROBE_MESSAGE = 200 };

enum db_probe {
	DB_PROBE_WAIT,   /* not listening, starting up, recovering, shutting down, or a standby: try again */
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

/* kith's default for libpq's target_session_attrs: servers that accept writes. NULL when the environment sets it. */
const char *db_session_attrs(void);

/* Whether url asks for a server that accepts writes. */
bool db_probe_wants_writer(const char *url);

/* The current state of a server of url. */
struct db_probe_host {
	char name[128];
	bool answers, writes;
	char message[DB_PROBE_MESSAGE];                         /* why it does not answer */
	char found[DB_PROBE_MESSAGE], advice[DB_PROBE_MESSAGE]; /* of a standby: the row of the query, or "" */
};
enum { DB_PROBE_HOSTS = 8 };

/* Asks the first DB_PROBE_HOSTS servers for their state, for at most 3 s; returns their number. standby: a query that
 * is sent to those that do not accept writes, with two columns and at most one row; NULL: none. */
int db_probe_hosts(const char *url, const char *standby, struct db_probe_host out[DB_PROBE_HOSTS]);

#endif
