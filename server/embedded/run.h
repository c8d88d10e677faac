/* Runs PostgreSQL's programs, as an unprivileged user when we are root. All functions block, so call them only at start
 * and end, when no loop runs. */
#ifndef KITH_SERVER_EMBEDDED_RUN_H
#define KITH_SERVER_EMBEDDED_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The user that the cluster's programs run as. */
struct account {
	uid_t uid;
	gid_t gid;
	char name[64];
	bool change; /* we are root and switch to it in the child */
};

/* For all functions below: who NULL means that the child runs as the user of this process. */

/* Starts argv[0] with these arguments and a fixed environment, in directory "/", with stdin from /dev/null, and stdout
 * and stderr to out_fd. background: in a new session, so that the terminal's signals do not reach it. Returns the
 * child's pid, or -1 with errno. A child that cannot execute the program writes the reason to out_fd, and its exit
 * status is 127. */
pid_t run_start(const struct account *who, const char *const argv[], int out_fd, bool background);

/* Runs the program until it ends. Returns its exit status, 128 + the signal that ended it, or -1 when no child could be
 * started. out gets its output, truncated to size and NUL terminated. */
int run_wait(const struct account *who, const char *const argv[], char *out, size_t size);

/* Calls task in a child process that runs as who. Returns the result of task (0 to 254), or 255 when no child could be
 * started. */
int run_as(const struct account *who, int (*task)(const void *arg), const void *arg);

/* Sleeps. Use it only to wait for a condition that must be polled. */
void run_pause_ms(int ms);

#endif
