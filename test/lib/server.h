/* `kith serve` as a child of the test. */
#ifndef KITH_TEST_SERVER_H
#define KITH_TEST_SERVER_H

#include "test/lib/command.h"

enum { SERVER_SETTINGS_MAX = 16 };

struct server {
	pid_t pid;
	char base[64]; /* "http://127.0.0.1:1234" */
	char *log;     /* file that takes its stderr, in the directory KITH_TEST_LOGS if that is set */

	/* Told first when it is stopped, or was killed; false: something is wrong. NULL: nobody is. */
	bool (*ends)(void *ctx, struct server *s, bool killed);
	void *ctx;
};

/*
 * Starts on 127.0.0.1 with a port that the system chooses, with further settings
 * ("rate_burst=3/2", ..., NULL), and waits until /readyz answers 200, at most a minute.
 * Ends the process with the server's log when that fails. The server itself is
 * ended should the test die.
 */
struct server *server_start(const struct program *p, const char *const settings[]);

/*
 * SIGTERM, at most 30 s for it to end, frees. true when it exited with 0 and its
 * stderr holds no sanitizer report; otherwise the reason and the log's end are printed.
 */
bool server_stop(struct server *s);

/* SIGKILL where it still runs, frees. false when its stderr holds a sanitizer report. */
bool server_kill(struct server *s);

/* True while it has not ended by itself. */
bool server_alive(struct server *s);

#endif
