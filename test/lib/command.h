/* Runs the program's commands (kith migrate, kith user create, ...) and reads what they print. */
#ifndef KITH_TEST_COMMAND_H
#define KITH_TEST_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "server/base/arena.h"
#include "server/base/json.h"

/* What the commands of one test run share. */
struct program {
	const char *path;         /* of the kith binary */
	const char *database_url; /* of the database made for the run; NULL: the embedded one */
	const char *data_dir;     /* a directory of the run's own */
};

enum { COMMAND_ARGS_MAX = 32 };

/*
 * Starts path with argv (argv[0] is the command's name, "migrate"; ends with NULL),
 * KITH_DATABASE_URL and KITH_DATA_DIR in its environment and no other KITH_ setting.
 * out_fd and err_fd become its stdout and stderr; -1 leaves them. Answers the process id. It ends with the thread that
 * starts it.
 */
pid_t command_start(const struct program *p, const char *const argv[], int out_fd, int err_fd);

/* Runs to the end (at most 60 s), answers the exit code, -1 when it did not exit by itself.
 * out gets all of stdout, in the arena. */
int command_run(const struct program *p, struct arena *a, const char *const argv[], const char **out);

/* Runs and reads the first line of stdout as a JSON object; ends the process with a message when that fails. */
struct json *command_json(const struct program *p, struct arena *a, const char *const argv[]);

/* The text of a member; ends the process with a message when there is none. */
const char *command_text(const struct json *object, const char *key);

#endif
