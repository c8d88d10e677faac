/* An administrator's or the owner's connection, which blocks: for `kith setup` and `kith erase`. */
#ifndef KITH_STORE_DB_ADMIN_H
#define KITH_STORE_DB_ADMIN_H

#include <stdbool.h>

#include "server/base/arena.h"

/* The parts of a connection string. As in libpq, the environment supplies missing parts. */
struct db_names {
	const char *login, *database; /* NULL: not named */
	const char *password;         /* NULL: none */
	bool local;                   /* reached by a Unix socket */
};

/* Reads url, in the arena; false when it is not a connection string. */
bool db_names_read(const char *url, struct arena *a, struct db_names *out);

enum { DB_ADMIN_MESSAGE = 512 };

/* For connections that block: if url has several servers, only the one in use (see db_survey.c). Allocated in the
 * arena. NULL with the reason when no server can be used. */
const char *db_writer_url(const char *url, struct arena *a, char message[DB_ADMIN_MESSAGE]);

/* The same server and login as a connection string for other programs that use libpq, in the arena. It lacks the
 * password, because every user may read the arguments of a program; *password gets it, or NULL. Returns NULL when no
 * server can be used, or when url is not a connection string. */
const char *db_url_for_program(const char *url, struct arena *a, const char **password);

struct db_admin;

/* Connects with url. With a login: as that login, to the database postgres of the same server. Peer authentication on
 * a Unix socket asks for a system user of the same name, so root becomes that user for the connection. NULL with the
 * reason on failure. */
struct db_admin *db_admin_open(const char *url, const char *login, char message[DB_ADMIN_MESSAGE]);
void db_admin_close(struct db_admin *admin);

/* 150002 for 15.2. */
int db_admin_version(const struct db_admin *admin);

/* Runs one statement; *out, if wanted, is the first column of its first row, in the arena, NULL when there is none.
 * False with the reason. */
bool db_admin_run(
    struct db_admin *admin, const char *sql, struct arena *a, const char **out, char message[DB_ADMIN_MESSAGE]);

/* The same with parameters, which are texts and end with a NULL. A person's values are always parameters: PostgreSQL
 * would log the text of a failed statement. */
bool db_admin_ask(struct db_admin *admin, const char *sql, const char *const values[], struct arena *a,
    const char **out, char message[DB_ADMIN_MESSAGE]);

/* The password in the form in which PostgreSQL stores it, in the arena, so that its text is neither sent nor logged.
 * NULL with the reason on failure. */
const char *db_admin_password(
    struct db_admin *admin, const char *login, const char *password, struct arena *a, char message[DB_ADMIN_MESSAGE]);

#endif
