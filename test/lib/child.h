/*
 * Other programs as children of a test. The test has threads, and any of them may hold a lock of the allocator while
 * another one forks: in the child nobody would ever give it back. So all that a child needs is made before, and
 * between fork() and exec it makes system calls alone.
 */
#ifndef KITH_TEST_CHILD_H
#define KITH_TEST_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct child {
	const char *const *argv; /* ends with NULL; argv[0] is a path, or is looked for as a shell does */
	char **environment;      /* NULL: ours */
	const char *directory;   /* to run in; NULL: ours */
	int in, out, err;        /* what they become; 0 or less: as ours */
	uid_t uid;               /* to run as, and its group; 0: as we are */
	gid_t gid;
	bool ends_with_us; /* with the thread that starts it */
};

/* Answers the process id; ends this process with a message when there can be none. A program that cannot be run ends
 * with 127, and says so. */
pid_t child_start(const struct child *c);

/* Waits for its end: the exit code, -1 when it did not exit by itself. */
int child_wait(pid_t pid);

/* Our environment without the names that begin so, and with the "NAME=value"s of more (ends with NULL; may be NULL).
 * free() it, but not the texts. */
char **child_environment(const char *without, char *const more[]);

#endif
