/* Runs the program's commands (kith migrate, kith user create, ...) and reads what they print. */
#ifndef KITH_TEST_LIB_SERVER_COMMAND_H
#define KITH_TEST_LIB_SERVER_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "server/base/arena.h"
#include "server/base/json.h"

/* Shared by the commands of a test run. */
struct program {
	const char *path;         /* of the kith binary */
	const char *database_url; /* of the run's database; NULL: the embedded one */
	const char *data_dir;     /* the run's own directory */
};

enum { COMMAND_ARGS_MAX = 32 };

/* Starts path with argv (argv[0] is the command's name, "migrate"; ends with NULL), with KITH_DATABASE_URL,
 * KITH_DATA_DIR and no other KITH_ setting in the environment. out_fd and err_fd become its stdout and stderr; -1
 * leaves them. Returns the process id. The child is killed when the thread that started it ends. */
pid_t command_start(const struct program *p, const char *const argv[], int out_fd, int err_fd);

/* Runs it to completion (at most 60 s); returns the exit code, -1 when it was killed. out gets all of stdout, in the
 * arena. */
int command_run(const struct program *p, struct arena *a, const char *const argv[], const char **out);

/* Runs it and parses the first line of stdout as a JSON object; ends the process with a message on failure. */
struct json *command_json(const struct program *p, struct arena *a, const char *const argv[]);

/* The text of a member; ends the process with a message when there is none. */
const char *command_text(const struct json *object, const char *key);

/* The kith binary under test: of KITH_BIN. */
const char *command_binary(void);

#endif
