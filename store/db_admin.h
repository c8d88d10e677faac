/* An administrator's or the owner's connection, which blocks: for `kith setup` and `kith erase`. */
#ifndef KITH_STORE_DB_ADMIN_H
#define KITH_STORE_DB_ADMIN_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/arena.h"

/* What a connection string names. As in libpq, the environment supplies what it does not. */
struct db_names {
	const char *login, *database; /* NULL: not named */
	const char *password;         /* NULL: none */
	bool local;                   /* reached by a Unix socket */
};

/* Reads url, in the arena; false when it is not a connection string. */
bool db_names_read(const char *url, struct arena *a, struct db_names *out);

enum { DB_ADMIN_MESSAGE = 512 };

/* For connections that block: url, narrowed to the one of several servers that is used (db_survey.c), in the arena.
 * NULL with the reason when none is. */
const char *db_writer_url(const char *url, struct arena *a, char message[DB_ADMIN_MESSAGE]);

/* The same server and login for other programs that use libpq, in the arena: without the password, as anybody may read
 * the arguments of a program. *password gets it, NULL for none. NULL when there is no such server, or url is not a
 * connection string. */
const char *db_url_for_program(const char *url, struct arena *a, const char **password);

struct db_admin;

/* Connects with url; with a login, as that one and to the database postgres of the same server. Root, by a Unix
 * socket, connects as the user of the system with the login's name, as the server's peer authentication asks for it.
 * NULL with the reason. */
struct db_admin *db_admin_open(const char *url, const char *login, char message[DB_ADMIN_MESSAGE]);
void db_admin_close(struct db_admin *admin);

/* 150002 for 15.2. */
int db_admin_version(const struct db_admin *admin);

/* Runs one statement; *out, if wanted, is the first column of its first row, in the arena, NULL when there is none.
 * False with the reason. */
bool db_admin_run(
    struct db_admin *admin, const char *sql, struct arena *a, const char **out, char message[DB_ADMIN_MESSAGE]);

/* Sets a setting of the session. Its value is in no text of a statement, which PostgreSQL would log when one fails.
 * False with the reason. */
bool db_admin_set(struct db_admin *admin, const char *name, const char *value, char message[DB_ADMIN_MESSAGE]);

/* The password as it is stored, so that it is not sent or logged, in the arena; NULL with the reason. */
const char *db_admin_password(
    struct db_admin *admin, const char *login, const char *password, struct arena *a, char message[DB_ADMIN_MESSAGE]);

#endif
