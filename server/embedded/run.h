/*
 * Runs PostgreSQL's programs, as an unprivileged user when we are root. Only
 * for start-up and the end, when no loop runs: everything here blocks.
 */
#ifndef KITH_SERVER_EMBEDDED_RUN_H
#define KITH_SERVER_EMBEDDED_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whom the cluster's programs run as. */
struct account {
	uid_t uid;
	gid_t gid;
	char name[64];
	bool change; /* we are root and become it in the child */
};

/*
 * Starts argv[0] with these words and an environment of its own, in directory
 * "/", stdin from /dev/null, stdout and stderr to out_fd. background: in a session of
 * its own, so that the terminal's signals do not reach it. Answers the child, or -1
 * with errno when it could not be run at all.
 */
pid_t run_start(const struct account *who, const char *const argv[], int out_fd, bool background);

/* Runs it to its end. Answers the exit status, 128 + signal, or -1 with errno.
 * What it wrote, cut to size, is in out (NUL terminated). */
int run_wait(const struct account *who, const char *const argv[], char *out, size_t size);

/* Calls task in a child that has become who; answers what task answered, or
 * 255 when the child could not be made. task must answer 0 to 254. */
int run_as(const struct account *who, int (*task)(const void *arg), const void *arg);

/* Waits in small steps; for conditions that only polling can see. */
void run_pause_ms(int ms);

#endif
