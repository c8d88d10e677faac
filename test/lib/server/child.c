/* See child.h. */
#include "test/lib/server/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void child_say(const char *text)
{
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));

	(void)ignored;
}

/* The numbers that they get may be in use by others of them: they are moved out of the way first. */
static void child_pass(const struct child *c)
{
	int moved[CHILD_PASSED_MAX];

	for (int i = 0; i < c->n_passed; i++)
		moved[i] = fcntl(c->passed[i], F_DUPFD_CLOEXEC, 3 + CHILD_PASSED_MAX);
	for (int i = 0; i < c->n_passed; i++)
		if (dup2(moved[i], 3 + i) < 0)
			_exit(126);
}

/* Runs in the child. */
static void child_become(const struct child *c)
{
	if ((c->in > 0 && dup2(c->in, STDIN_FILENO) < 0) || (c->out > 0 && dup2(c->out, STDOUT_FILENO) < 0) ||
	    (c->err > 0 && dup2(c->err, STDERR_FILENO) < 0) || (c->directory && chdir(c->directory) != 0))
		_exit(126);
	child_pass(c);
	if (c->uid && (setgroups(0, NULL) != 0 || setgid(c->gid) != 0 || setuid(c->uid) != 0))
		_exit(126);
	if (c->ends_with_us)
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* after setuid(), which resets it */
	execvpe(c->argv[0], (char *const *)c->argv, c->environment ? c->environment : environ);
	child_say(c->argv[0]);
	child_say(": it cannot be run\n");
	_exit(127);
}

pid_t child_start(const struct child *c)
{
	/* vfork() does not copy the tables of a process that has grown large. Where the user changes, it is fork():
	 * glibc would tell the threads of the parent. */
	pid_t pid = c->uid ? fork() : vfork();

	if (pid == 0)
		child_become(c);
	if (pid < 0) {
		fprintf(stderr, "no process for %s: %s\n", c->argv[0], strerror(errno));
		exit(1);
	}
	return pid;
}

static int threads_count(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int n = 0;

	for (struct dirent *d; tasks && (d = readdir(tasks));)
		n += d->d_name[0] != '.';
	if (tasks)
		closedir(tasks);
	return n;
}

pid_t child_fork(void)
{
	if (threads_count() != 1) {
		fprintf(stderr, "a copy of a process with threads may wait for ever\n");
		abort();
	}
	return fork();
}

int child_wait(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool child_stopped(pid_t pid)
{
	char path[64], line[256];
	const char *name_end;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	name_end = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
	fclose(f);
	return name_end && name_end[1] && name_end[2] == 'T';
}

char **child_environment(const char *without, char *const more[])
{
	size_t n = 0, kept = 0;
	char **out;

	while (environ[n])
		n++;
	for (size_t i = 0; more && more[i]; i++)
		n++;
	out = calloc(n + 1, sizeof *out);
	if (!out) {
		fprintf(stderr, "no memory for an environment\n");
		exit(1);
	}
	for (size_t i = 0; environ[i]; i++)
		if (strncmp(environ[i], without, strlen(without)) != 0)
			out[kept++] = environ[i];
	for (size_t i = 0; more && more[i]; i++)
		out[kept++] = more[i];
	return out;
}
