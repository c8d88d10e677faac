/* PostgreSQL's pg_dump and pg_restore at one end of a pipe. When this process ends, however it does, the pipe is
 * closed, and they fail too: no dump goes on, and no restore is committed. Everything here blocks: for the command
 * line. */
#ifndef KITH_SERVER_OPERATE_PIPED_H
#define KITH_SERVER_OPERATE_PIPED_H

#include <stdbool.h>
#include <sys/types.h>

struct piped {
	pid_t pid;
	int fd; /* our end */
};

/* Starts argv[0], a path. feed: we write to its stdin, else we read its stdout. The other one is /dev/null, stderr is
 * ours. password: for its connection, NULL: none. False with a message on stderr. */
bool piped_start(struct piped *p, const char *const argv[], bool feed, const char *password);

/* Closes our end and waits; true when it has exited with 0. */
bool piped_end(struct piped *p);

/* Ends it before its time, and waits. */
void piped_kill(struct piped *p);

#endif
