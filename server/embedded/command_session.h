/* The start and end of every command that needs the database. The functions block: they are only for start-up and the
 * command line. */
#ifndef KITH_SERVER_EMBEDDED_COMMAND_SESSION_H
#define KITH_SERVER_EMBEDDED_COMMAND_SESSION_H

#include <stdbool.h>

#include "server/config/config.h"
#include "store/db.h"

struct arena;
struct embedded;
struct loop;

struct session {
	struct config config;
	struct embedded *embedded; /* NULL: database_url is set */
	struct loop *loop;
	struct db *db;
};

enum session_schema {
	SESSION_ANY,    /* any level */
	SESSION_LOOK,   /* any level, and a running embedded database is not restarted */
	SESSION_CURRENT /* our level: an embedded database is migrated, another database is refused with advice */
};

/* Starts the embedded database if there is no database_url, connects, and checks the schema. serving: opens all lanes,
 * otherwise one connection. Takes over the config. On failure it undoes everything and returns false, with the reason
 * and advice on stderr. */
bool session_open(struct session *s, struct config *config, bool serving, enum session_schema schema);
void session_close(struct session *s);
/* Replaces the connections with a new one with all rights of the login. Use it after long work, during which the
 * connections may have been lost. */
void session_reopen(struct session *s);
/* The URL of the database, embedded or not. */
const char *session_url(const struct session *s);
/* The file with the key that encrypts the webhooks' secrets. */
const char *session_secret_file(const struct session *s, struct arena *a);

/* Runs statements and waits for the results in x, which is cleared first. False: x->status has the reason. */
bool session_query(
    struct session *s, struct db_exchange *x, enum db_lane lane, struct sql **statements, int n_statements);
/* Says on stderr what has failed, and why. */
void session_say_failed(const struct db_exchange *x, const char *what);

#endif
