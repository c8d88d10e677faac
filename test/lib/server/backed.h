/* For tests of `kith backup` and `kith restore`: a directory of files, commands whose whole output is kept, and
 * PostgreSQL's programs, which note their arguments. For cmocka tests: errors fail the test. */
#ifndef KITH_TEST_LIB_SERVER_BACKED_H
#define KITH_TEST_LIB_SERVER_BACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "server/base/arena.h"
#include "test/lib/db/cluster.h"
#include "test/lib/server/command.h"

struct backed {
	struct arena *arena;
	const char *dir;
	const char *said; /* a file: all that commands have said */
	const char *argv; /* a file: the arguments of PostgreSQL's programs */
	const char *text; /* what the latest command has said */
};

/* Makes the directory, and puts programs first in PATH that note their arguments and run the real ones. */
void backed_open(struct backed *b, struct arena *a);
/* Removes it. */
void backed_close(struct backed *b);

/* The bytes of a file, NUL terminated, in the arena. */
char *backed_read(struct backed *b, const char *path, size_t *len);
void backed_write(const char *path, const char *bytes, size_t len, mode_t mode);
/* Whether the text is in the file. */
bool backed_holds(struct backed *b, const char *path, const char *text);
/* Runs a program of the system, which must succeed. */
void backed_tool(const char *const argv[]);

pid_t backed_start(struct backed *b, const struct program *p, const char *const argv[]);
/* Returns the status. */
int backed_run(struct backed *b, const struct program *p, const char *const argv[]);
/* Checks the latest command's status: it failed with that sentence; it was done. */
void backed_refused(struct backed *b, int status, const char *sentence);
void backed_done(struct backed *b, int status);

/* backed_run() of a test's own "backed", and backed_tool(), with the arguments in a row. */
#define BACKED(p, ...) backed_run(&backed, p, (const char *const[]){__VA_ARGS__, NULL})
#define TOOL(...) backed_tool((const char *const[]){__VA_ARGS__, NULL})

/* In the URL of every database: may be in no argument and no message. */
#define BACKED_PASSWORD "of-the-database-7f21"

/* With a login "owner" that is not a superuser. */
struct cluster *backed_cluster(void);
/* An empty database of that login, with a data directory of its own. */
struct program backed_database(struct backed *b, const char *path, struct cluster *c, const char *name);
/* Waits for that number. */
void backed_until(const struct program *p, int64_t expected, const char *sql);
/* A line for each table: how many rows, and a sum of them. Not of what a connection begins in a new server. */
const char *backed_rows(struct backed *b, const struct program *p);
/* Checks that they are the same. */
void backed_same(const char *before, const char *after);

/* A statement that waits with its locks, in a session of its own, and its end. */
pid_t backed_hold(struct backed *b, const struct program *p, const char *sql);
void backed_let_go(const struct program *p, pid_t pid);

#endif
