/* Runs PostgreSQL's programs. embedded.c and cluster_place.c decide which and where. */
#include "server/embedded/run.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool account_become(const struct account *who)
{
	if (!who || !who->change)
		return true;
	return setgroups(0, NULL) == 0 && setgid(who->gid) == 0 && setuid(who->uid) == 0;
}

/* Runs in the child and never returns. */
static void child_exec(const struct account *who, const char *const argv[], int out_fd, bool background)
{
	/* Our environment must not influence the cluster, for example by PGPORT, PGDATA or LC_ALL. */
	static const char *const environment[] = {
	    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", NULL};
	sigset_t none;
	sigemptyset(&none);
	signal(SIGPIPE, SIG_DFL);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0 && dup2(null, 0) == 0 && dup2(out_fd, 1) == 1 && dup2(out_fd, 2) == 2 &&
	    (!background || setsid() >= 0) && account_become(who) && chdir("/") == 0 &&
	    sigprocmask(SIG_SETMASK, &none, NULL) == 0)
		/* The cast is needed because execve() takes them without const. */
		execve(argv[0], (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)environment);
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

pid_t run_start(const struct account *who, const char *const argv[], int out_fd, bool background)
{
	pid_t pid = fork();

	if (pid == 0)
		child_exec(who, argv, out_fd, background);
	return pid;
}

static int run_wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run_wait(const struct account *who, const char *const argv[], char *out, size_t size)
{
	int fds[2];
	size_t len = 0;

	out[0] = '\0';
	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	pid_t pid = run_start(who, argv, fds[1], false);
	close(fds[1]);
	while (pid > 0) {
		char rest[256];
		/* Keep reading when out is full, so that the program does not block. */
		bool full = len + 1 >= size;
		ssize_t n = full ? read(fds[0], rest, sizeof rest) : read(fds[0], out + len, size - 1 - len);
		if (n == 0 || (n < 0 && errno != EINTR))
			break;
		if (n > 0 && !full)
			len += (size_t)n;
	}
	out[len] = '\0';
	close(fds[0]);
	return pid < 0 ? -1 : run_wait_for(pid);
}

int run_as(const struct account *who, int (*task)(const void *arg), const void *arg)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(account_become(who) ? task(arg) : 255);
	int status = pid < 0 ? -1 : run_wait_for(pid);
	return status < 0 || status > 254 ? 255 : status;
}

void run_pause_ms(int ms)
{
	nanosleep(&(struct timespec){ms / 1000, (long)(ms % 1000) * 1000000}, NULL);
}
