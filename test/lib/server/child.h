/* Other programs as children of a test. The test has threads, and each may hold a lock of the allocator during a fork:
 * in the child it would never be released. So everything that a child needs is prepared before, and between fork() and
 * exec it only makes system calls. A child that runs code of the test needs a process without threads. */
#ifndef KITH_TEST_LIB_SERVER_CHILD_H
#define KITH_TEST_LIB_SERVER_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

enum { CHILD_PASSED_MAX = 8 };

struct child {
	const char *const *argv; /* ends with NULL; argv[0] is a path, or is searched for as by a shell */
	char **environment;      /* NULL: ours */
	const char *directory;   /* working directory; NULL: ours */
	int in, out, err;        /* descriptors that become stdin, stdout, stderr; 0 or less: ours */
	const int *passed;       /* descriptors that become 3, 4 and so on, at most CHILD_PASSED_MAX */
	int n_passed;
	uid_t uid; /* user to run as, with their group; 0: ours */
	gid_t gid;
	bool ends_with_us; /* killed when the thread that started it ends */
};

/* Returns the process id; ends this process with a message on failure. A program that cannot be run exits with 127
 * and a message. */
pid_t child_start(const struct child *c);

/* As fork(), for a child that runs code of this program. Ends this process with a message if it has another thread. */
pid_t child_fork(void);

/* Waits for its end: the exit code, -1 when it was killed. */
int child_wait(pid_t pid);

/* Whether it stands still, by SIGSTOP. */
bool child_stopped(pid_t pid);

/* Our environment without names that begin with without, plus the "NAME=value"s in more (ends with NULL; may be
 * NULL). Free it, but not the texts. */
char **child_environment(const char *without, char *const more[]);

#endif
