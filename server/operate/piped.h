/* Runs PostgreSQL's pg_dump and pg_restore at one end of a pipe. However this process ends, the pipe is closed and they
 * fail too: no dump continues, and no restore is committed. All functions block: they are for the command line. */
#ifndef KITH_SERVER_OPERATE_PIPED_H
#define KITH_SERVER_OPERATE_PIPED_H

#include <stdbool.h>
#include <sys/types.h>

struct piped {
	pid_t pid;
	int fd; /* our end */
};

/* Starts argv[0], a path. feed: we write to its stdin; otherwise we read its stdout. The other one is /dev/null, and
 * stderr is ours. password is for its connection; NULL: none. False with a message on stderr. */
bool piped_start(struct piped *p, const char *const argv[], bool feed, const char *password);

/* Closes our end and waits. True when the program has exited with 0. */
bool piped_end(struct piped *p);

/* Ends the program early, and waits. */
void piped_kill(struct piped *p);

#endif
