/* kith import and kith export as a test calls them: what they print, the files that they write, what is there then. */
#ifndef KITH_TEST_LIB_SERVER_TRANSFERRED_H
#define KITH_TEST_LIB_SERVER_TRANSFERRED_H

#include <stdbool.h>
#include <sys/types.h>

#include "server/base/arena.h"
#include "test/lib/http/caller.h"
#include "test/lib/rig.h"
#include "test/lib/server/directory.h"

struct transferred {
	struct rig *rig;
	const char *url, *key;
	char dir[DIRECTORY_SIZE]; /* of the files */
	struct arena *arena;      /* the rig's */
	/* of the last command */
	int status;
	const char *out, *err; /* stdout and stderr */
};

/* Ends the process when there is no directory. */
void transferred_init(struct transferred *t, struct rig *r, const char *url, const char *key);
/* Removes the directory. */
void transferred_free(struct transferred *t);

/* The path of a file of that name; writes it, when text is not NULL. */
const char *transferred_path(struct transferred *t, const char *name);
const char *transferred_write(struct transferred *t, const char *name, const char *text, size_t len);
/* Copies a file of test/samples. */
const char *transferred_sample(struct transferred *t, const char *name);
/* The file's text, NULL: there is none. */
const char *transferred_read(struct transferred *t, const char *name);

/* Runs a command with --url and --key, to its end; args ends with NULL. */
void transferred_run(struct transferred *t, const char *const args[]);
#define TRANSFERRED(t, ...) transferred_run(t, (const char *const[]){__VA_ARGS__, NULL})
/* The same, killed after at most this many milliseconds; false when it had ended before. */
bool transferred_killed(struct transferred *t, unsigned below_ms, const char *const args[]);

/* Begins a command; whether it runs on; waits for its end, after which there are status and outputs. */
pid_t transferred_start(struct transferred *t, const char *const args[]);
bool transferred_runs(pid_t pid);
void transferred_end(struct transferred *t, pid_t pid);

/* What is there of a kind, as NDJSON. */
const char *transferred_list(struct transferred *t, const char *kind);
size_t transferred_lines(const char *text);
/* How many lines of the server's log hold both texts. */
size_t transferred_logged(const struct server_process *s, const char *text, const char *also);

/* Fails the test, with what was printed, unless the status is that and both texts are in stdout and stderr. */
void transferred_expect(const struct transferred *t, int status, const char *out, const char *err);

#endif
