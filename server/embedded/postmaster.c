/* Finds the processes of a cluster in /proc. */
#include "server/embedded/postmaster.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* PostgreSQL's processes have the cluster as their working directory. This distinguishes them from other processes that
 * reuse a pid. */
static bool probe_runs_in(pid_t pid, const char *cluster_dir)
{
	char path[64], text[4096];

	snprintf(path, sizeof path, "/proc/%ld/cwd", (long)pid);
	ssize_t n = readlink(path, text, sizeof text - 1);
	if (n <= 0)
		return false;
	text[n] = '\0';
	if (strcmp(text, cluster_dir) != 0)
		return false;
	snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	return n >= 8 && memcmp(text, "postgres", 8) == 0;
}

struct probe_question {
	pid_t pid; /* 0: any process */
	const char *cluster_dir;
};

/* Runs as the cluster's user, because root without CAP_SYS_PTRACE, as in a container, may not read the working
 * directories of other users' processes. Returns 1 for yes. */
static int probe_ask(const void *arg)
{
	const struct probe_question *q = arg;

	if (q->pid)
		return probe_runs_in(q->pid, q->cluster_dir);
	DIR *proc = opendir("/proc");
	int found = 0;
	for (struct dirent *entry; proc && !found && (entry = readdir(proc));) {
		if (isdigit((unsigned char)entry->d_name[0]))
			found = probe_runs_in((pid_t)strtol(entry->d_name, NULL, 10), q->cluster_dir);
	}
	if (proc)
		closedir(proc);
	return found;
}

/* Reads the process id from postmaster.pid; 0 when there is none. */
static pid_t probe_read_pid(const char *cluster_dir)
{
	char path[4096], line[32] = "";

	if (snprintf(path, sizeof path, "%s/postmaster.pid", cluster_dir) >= (int)sizeof path)
		return 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return 0;
	ssize_t n = read(fd, line, sizeof line - 1);
	close(fd);
	/* A single-user server writes its pid as a negative number. */
	return n > 0 ? (pid_t)labs(strtol(line, NULL, 10)) : 0;
}

pid_t probe_postmaster(const struct account *who, const char *cluster_dir)
{
	struct probe_question q = {probe_read_pid(cluster_dir), cluster_dir};

	return q.pid > 1 && run_as(who, probe_ask, &q) == 1 ? q.pid : 0;
}

bool probe_replaced(const char *cluster_dir, int for_s)
{
	static const char deleted[] = "/postgres (deleted)"; /* how the kernel shows a file that another one replaced */
	char path[64], text[4096];
	struct stat there;
	pid_t pid = probe_read_pid(cluster_dir);

	snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
	ssize_t n = pid > 1 ? readlink(path, text, sizeof text - 1) : -1;
	if (n < (ssize_t)sizeof deleted || memcmp(text + n - sizeof deleted + 1, deleted, sizeof deleted - 1) != 0)
		return false;
	text[n - (ssize_t)strlen(" (deleted)")] = '\0';
	/* If the program is missing there is nothing to start instead. A package installs its files one after the
	 * other, so it must have been there for some seconds. */
	return access(text, X_OK) == 0 && stat(text, &there) == 0 && time(NULL) - there.st_ctime >= for_s;
}

bool probe_inhabited(const struct account *who, const char *cluster_dir)
{
	struct probe_question q = {0, cluster_dir};

	return run_as(who, probe_ask, &q) == 1;
}
