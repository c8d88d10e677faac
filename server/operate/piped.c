/* Runs programs at one end of a pipe; see piped.h. */
#include "server/operate/piped.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The program's end of the pipe becomes its stdin or stdout. */
static int piped_spawn(pid_t *pid, const char *const argv[], bool feed, int end)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none, usual;
	int wrong;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&how);
	posix_spawn_file_actions_adddup2(&files, end, feed ? 0 : 1);
	posix_spawn_file_actions_addopen(&files, feed ? 1 : 0, "/dev/null", O_RDWR, 0);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setsigdefault(&how, &usual);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	/* The cast is needed because posix_spawn() takes them without const. */
	wrong = posix_spawn(pid, argv[0], &files, &how, (char *const *)(uintptr_t)argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	return wrong;
}

bool piped_start(struct piped *p, const char *const argv[], bool feed, const char *password)
{
	int ends[2], wrong;

	signal(SIGPIPE, SIG_IGN); /* write() reports the end of the program */
	if (pipe2(ends, O_CLOEXEC) != 0) {
		fprintf(stderr, "kith: cannot create a pipe: %s\n", strerror(errno));
		return false;
	}
	if (password)
		setenv("PGPASSWORD", password, 1);
	wrong = piped_spawn(&p->pid, argv, feed, ends[!feed]);
	if (password)
		unsetenv("PGPASSWORD");
	close(ends[!feed]);
	p->fd = ends[feed];
	if (wrong) {
		fprintf(stderr, "kith: %s cannot be run: %s\n", argv[0], strerror(wrong));
		close(p->fd);
	}
	return !wrong;
}

bool piped_end(struct piped *p)
{
	int status;

	close(p->fd);
	while (waitpid(p->pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void piped_kill(struct piped *p)
{
	kill(p->pid, SIGKILL);
	(void)piped_end(p);
}
