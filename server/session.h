/* The start and end of every command that needs the database. Blocks: for start-up and the command line. */
#ifndef KITH_SERVER_SESSION_H
#define KITH_SERVER_SESSION_H

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
	SESSION_LOOK,   /* the same, and an embedded database that runs is not restarted */
	SESSION_CURRENT /* ours; an embedded database is migrated, another one is refused with advice */
};

/* Starts the embedded database when there is no database_url, connects, checks the schema. serving: with all lanes,
 * else one connection. Takes over the config. False with the reason and advice on stderr; everything is undone. */
bool session_open(struct session *s, struct config *config, bool serving, enum session_schema schema);
void session_close(struct session *s);
/* A new connection with all rights of the login, instead of those there are: after long work, over which they may have
 * been lost. */
void session_reopen(struct session *s);
/* The database's URL, whichever it is. */
const char *session_url(const struct session *s);
/* The file whose key encrypts the webhooks' secrets. */
const char *session_secret_file(const struct session *s, struct arena *a);

/* Runs statements and waits; x, cleared first, gets the results. False: see x->status. */
bool session_query(
    struct session *s, struct db_exchange *x, enum db_lane lane, struct sql **statements, int n_statements);
/* Says on stderr what has failed, and why. */
void session_say_failed(const struct db_exchange *x, const char *what);

#endif
