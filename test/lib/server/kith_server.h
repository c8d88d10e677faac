/* `kith serve` as a child of the test. */
#ifndef KITH_TEST_LIB_SERVER_KITH_SERVER_H
#define KITH_TEST_LIB_SERVER_KITH_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "test/lib/server/command.h"

enum { SERVER_SETTINGS_MAX = 16 };

struct server_process {
	pid_t pid;
	char base[64]; /* "http://127.0.0.1:1234" */
	char *log;     /* file with its stderr, in the directory KITH_TEST_LOGS if set */

	/* Called before it is stopped, or after it was killed; false: something is wrong. May be NULL. */
	bool (*ends)(void *ctx, struct server_process *s, bool killed);
	void *ctx;
};

/* Starts it on 127.0.0.1 with a port chosen by the system and further settings ("rate_burst=3/2", ..., NULL), and
 * waits until /readyz returns 200, at most a minute. On failure ends the process with the server's log. The server
 * is killed when the test dies. */
struct server_process *server_start(const struct program *p, const char *const settings[]);

/* Sends SIGTERM, waits at most 30 s for it to end, frees. True when it exited with 0 and its stderr has no sanitizer
 * report; otherwise prints the reason and the end of the log. */
bool server_stop(struct server_process *s);

/* Sends SIGKILL if it still runs, frees. False when its stderr has a sanitizer report. */
bool server_kill(struct server_process *s);

/* True while it has not ended by itself. */
bool server_alive(struct server_process *s);

/* Whether a line of its log has the text; how many bytes of memory it uses. */
bool server_log_has(const struct server_process *s, const char *text);
int64_t server_resident(const struct server_process *s);

#endif
