/* See cluster.h. Runs the server's own programs; knows nothing of kith. */
#include "test/lib/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct cluster {
	char dir[64], data[96], log[96], bin[128], options[512];
	char *url;
	bool own;
	uid_t uid; /* to run as; 0: as we are */
	gid_t gid;
};

enum { ARGS_MAX = 24 };

/* Runs a program and waits; its output goes to the log, or to out. */
static int run(const struct cluster *c, char *out, size_t size, const char *const args[])
{
	int ends[2] = {-1, -1};
	char program[256];
	snprintf(program, sizeof program, "%s/%s", c->bin, args[0]);
	if (out && pipe(ends) != 0)
		return -1;
	pid_t pid = fork();
	if (pid == 0) {
		int log = c->log[0] ? open(c->log, O_WRONLY | O_CREAT | O_APPEND, 0666) : open("/dev/null", O_WRONLY);
		dup2(out ? ends[1] : log, 1);
		dup2(log, 2);
		int null = open("/dev/null", O_RDONLY);
		dup2(null, 0);
		if (chdir("/") != 0 || (c->uid && (setgid(c->gid) != 0 || setuid(c->uid) != 0)))
			_exit(126);
		unsetenv("LD_PRELOAD");
		execv(program, (char *const *)args);
		_exit(127);
	}
	if (out) {
		close(ends[1]);
		size_t len = 0;
		char chunk[512];
		ssize_t n;
		while ((n = read(ends[0], chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR))
			for (ssize_t i = 0; i < n; i++)
				if (len + 1 < size)
					out[len++] = chunk[i];
		out[len] = '\0';
		close(ends[0]);
	}
	int status = -1;
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void find_programs(struct cluster *c)
{
	snprintf(c->bin, sizeof c->bin, "/usr/lib/postgresql/15/bin");
	FILE *f = popen("pg_config --bindir 2>/dev/null", "r");
	char line[sizeof c->bin], path[256];
	if (f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = '\0';
		snprintf(path, sizeof path, "%s/initdb", line);
		if (access(path, X_OK) == 0)
			memcpy(c->bin, line, sizeof line);
	}
	if (f)
		pclose(f);
}

static bool halt_or_go(const struct cluster *c, const char *verb, const char *mode)
{
	const char *const stop[] = {"pg_ctl", verb, "-D", c->data, "-m", mode, "-w", "-t", "60", NULL};
	const char *const start[] = {
	    "pg_ctl", verb, "-D", c->data, "-l", c->log, "-o", c->options, mode, "-t", "60", NULL};
	return run(c, NULL, 0, strcmp(verb, "stop") == 0 ? stop : start) == 0;
}

bool cluster_halt(struct cluster *c, bool immediate)
{
	return c->own && halt_or_go(c, "stop", immediate ? "immediate" : "fast");
}

bool cluster_go(struct cluster *c)
{
	/* After a kill a start is refused while an orphan still holds the shared memory. */
	for (int i = 0; c->own && i < 50; i++) {
		if (halt_or_go(c, "start", "-w"))
			return true;
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	}
	return false;
}

bool cluster_go_async(struct cluster *c)
{
	return c->own && halt_or_go(c, "start", "-W");
}

bool cluster_restart(struct cluster *c, bool immediate)
{
	return cluster_halt(c, immediate) && cluster_go(c);
}

void cluster_kill(struct cluster *c)
{
	char path[128];
	int pid = 0;
	snprintf(path, sizeof path, "%s/postmaster.pid", c->data);
	FILE *f = c->own ? fopen(path, "r") : NULL;
	if (f && fscanf(f, "%d", &pid) == 1 && pid > 1)
		kill(pid, SIGKILL);
	if (f)
		fclose(f);
}

static void remove_tree(const struct cluster *c)
{
	pid_t pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", "--", c->dir, (char *)NULL);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static bool make(struct cluster *c, char error[CLUSTER_ERROR_SIZE])
{
	snprintf(c->dir, sizeof c->dir, "/tmp/kith-test-XXXXXX");
	if (!mkdtemp(c->dir)) {
		snprintf(error, CLUSTER_ERROR_SIZE, "mkdtemp: %s", strerror(errno));
		return false;
	}
	snprintf(c->data, sizeof c->data, "%s/data", c->dir);
	snprintf(c->log, sizeof c->log, "%s/log", c->dir);
	struct passwd *user = geteuid() == 0 ? getpwnam("postgres") : NULL;
	if (user) {
		c->uid = user->pw_uid;
		c->gid = user->pw_gid;
		if (chown(c->dir, c->uid, c->gid) != 0)
			return false;
	}
	chmod(c->dir, 0755);
	int log = open(c->log, O_WRONLY | O_CREAT, 0666);
	if (log >= 0 && fchmod(log, 0666) == 0)
		close(log);
	snprintf(c->options, sizeof c->options,
	    "-c listen_addresses= -k %s -c unix_socket_permissions=0777 -c max_connections=60 -c shared_buffers=32MB "
	    "-c fsync=%s -c full_page_writes=off",
	    c->dir, getenv("KITH_TEST_FSYNC") ? "on" : "off");
	const char *const initdb[] = {
	    "initdb", "-D", c->data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-N", NULL};
	if (run(c, NULL, 0, initdb) != 0 || !cluster_go(c)) {
		snprintf(error, CLUSTER_ERROR_SIZE, "no PostgreSQL cluster could be made; see %s", c->log);
		return false;
	}
	char url[160];
	snprintf(url, sizeof url, "host=%s port=5432 user=postgres dbname=postgres", c->dir);
	c->url = strdup(url);
	return c->url != NULL;
}

struct cluster *cluster_start(char error[CLUSTER_ERROR_SIZE])
{
	struct cluster *c = calloc(1, sizeof *c);
	const char *given = getenv("KITH_TEST_DATABASE_URL");
	if (!c)
		return NULL;
	find_programs(c);
	if (given && *given) {
		c->url = strdup(given);
		return c;
	}
	c->own = true;
	if (make(c, error))
		return c;
	free(c->url);
	free(c);
	return NULL;
}

bool cluster_own(const struct cluster *c)
{
	return c->own;
}

const char *cluster_url(const struct cluster *c)
{
	return c->url;
}

const char *cluster_socket_dir(const struct cluster *c)
{
	return c->dir;
}

void cluster_stop(struct cluster *c)
{
	if (!c)
		return;
	if (c->own) {
		(void)cluster_halt(c, true);
		remove_tree(c);
	}
	free(c->url);
	free(c);
}

bool cluster_sql(const struct cluster *c, const char *sql, char *out, size_t size)
{
	char ignored[8];
	const char *const psql[] = {
	    "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", c->url, "-c", sql, NULL};
	int status = run(c, out ? out : ignored, out ? size : sizeof ignored, psql);
	if (out)
		out[strcspn(out, "\n")] = '\0';
	return status == 0;
}

bool cluster_database(const struct cluster *c, const char *name, char *url, size_t size)
{
	char sql[256];
	snprintf(sql, sizeof sql, "drop database if exists %s with (force)", name);
	if (!cluster_sql(c, sql, NULL, 0))
		return false;
	snprintf(sql, sizeof sql, "create database %s", name);
	const char *sign = !strstr(c->url, "://") ? " " : strchr(c->url, '?') ? "&" : "?";
	int len = snprintf(url, size, "%s%sdbname=%s", c->url, sign, name);
	return len > 0 && (size_t)len < size && cluster_sql(c, sql, NULL, 0);
}
