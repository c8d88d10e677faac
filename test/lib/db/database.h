/* The run's own database in the cluster of KITH_TEST_DATABASE_URL. */
#ifndef KITH_TEST_LIB_DB_DATABASE_H
#define KITH_TEST_LIB_DB_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "test/lib/server/command.h"

struct pg_conn;

/* Creates the database and a data directory, runs `kith migrate`. Ends the process with a message on failure. name
 * distinguishes the run's databases. */
struct program *database_create(const char *program_path, const char *name);

/* The same without `kith migrate`: it is empty. */
struct program *database_create_empty(const char *program_path, const char *name);

/* Runs the statements of a file, in one transaction. Ends the process with a message on failure. */
void database_run_file(const struct program *p, const char *path);

/* Drops the database and removes the data directory. */
void database_drop(struct program *p);

/* The number returned by a query, on a connection of its own; -1 for null and for no row. Ends the process when the
 * query fails. */
int64_t database_int(const struct program *p, const char *sql);

/* As database_int(), but false with the reason when the database is down or the query fails. */
bool database_try(const struct program *p, const char *sql, int64_t *value, char error[256]);

/* Waits until the query returns the number, at most ms, on one connection; false when the time is over. *got: what it
 * returned last. */
bool database_until(const struct program *p, const char *sql, int64_t number, int64_t ms, int64_t *got);

/* The same as database_int() with a text, in the arena; NULL for null and for no row. */
const char *database_text(const struct program *p, struct arena *a, const char *sql);

/* A workspace. Programs with a cluster of their own run the commands that create it, its users and keys. For the others
 * the same statements are sent without the program, because each of its processes takes a tenth of a second to start
 * with the sanitizers. */
struct test_workspace {
	const char *id, *name;
};

struct test_user {
	const char *name; /* short, as used in tests: "ada" */
	const char *id, *full_name, *email;
	const char *key, *key_id;
};

/* All texts are allocated in the arena. role: "admin" or "member". */
struct test_workspace workspace_create(const struct program *p, struct arena *a, const char *name);
/* Without the event of the user. */
struct test_user user_create(const struct program *p, struct arena *a, const struct test_workspace *w, const char *name,
    const char *full_name, const char *email, const char *role);
/* A further key; returns the key, *key_id gets its id. */
const char *api_key_create(
    const struct program *p, struct arena *a, const char *user_id, bool read_only, const char **key_id);

/* Executes statements on a connection that a test keeps open. Ends the process with a message on failure. */
void database_execute(struct pg_conn *pg, const char *sql);

#endif
