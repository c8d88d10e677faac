/* See cluster.h. Runs PostgreSQL's own programs; independent of kith. */
#include "test/lib/db/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "test/lib/server/child.h"
#include "test/lib/server/directory.h"

struct cluster {
	char dir[DIRECTORY_SIZE], data[96], log[96], bin[128], options[512];
	char *url;
	uid_t uid; /* to run as; 0: as we are */
	gid_t gid;
};

enum { ARGS_MAX = 24 }; /* of one program */

static void read_all(int fd, char *out, size_t size)
{
	size_t len = 0;
	char chunk[512];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR))
		for (ssize_t i = 0; i < n; i++)
			if (len + 1 < size)
				out[len++] = chunk[i];
	out[len] = '\0';
}

/* Runs a program, by path or name, and waits; its output goes to the log, or to out. */
static int run_path(const struct cluster *c, char *out, size_t size, const char *const args[])
{
	int ends[2] = {-1, -1}, null = open("/dev/null", O_RDONLY | O_CLOEXEC),
	    log = open(c->log[0] ? c->log : "/dev/null", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	if (out && pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	char **environment = child_environment("LD_PRELOAD=", NULL);
	pid_t pid = child_start(&(struct child){.argv = args,
	    .environment = environment,
	    .directory = "/",
	    .in = null,
	    .out = out ? ends[1] : log,
	    .err = log,
	    .uid = c->uid,
	    .gid = c->gid});
	free(environment);
	close(null);
	close(log);
	if (out) {
		close(ends[1]);
		read_all(ends[0], out, size);
		close(ends[0]);
	}
	return child_wait(pid);
}

/* One of PostgreSQL's programs, which find each other by the path of the call. */
static int run_program(const struct cluster *c, char *out, size_t size, const char *const args[])
{
	const char *with_path[ARGS_MAX + 1] = {NULL};
	char program[256];

	snprintf(program, sizeof program, "%s/%s", c->bin, args[0]);
	with_path[0] = program;
	for (int i = 1; i < ARGS_MAX && args[i]; i++)
		with_path[i] = args[i];
	return run_path(c, out, size, with_path);
}

/* In the order of test/run. */
static bool find_programs(struct cluster *c)
{
	static const char *const pg_config[] = {"pg_config", "--bindir", NULL};
	static const char *const newest[] = {
	    "sh", "-c", "ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1", NULL};
	const char *given = getenv("KITH_PG_BINDIR");
	char initdb[256];

	for (int i = 0; i < 3; i++) {
		c->bin[0] = '\0';
		if (i == 0)
			snprintf(c->bin, sizeof c->bin, "%s", given ? given : "");
		else if (i == 1)
			(void)run_path(c, c->bin, sizeof c->bin, pg_config);
		else
			(void)run_path(c, c->bin, sizeof c->bin, newest);
		c->bin[strcspn(c->bin, "\n")] = '\0';
		snprintf(initdb, sizeof initdb, "%s/initdb", c->bin);
		if (access(initdb, X_OK) == 0)
			return true;
	}
	return false;
}

static bool halt_or_go(const struct cluster *c, const char *verb, const char *mode)
{
	const char *const stop[] = {"pg_ctl", verb, "-D", c->data, "-m", mode, "-w", "-t", "180", NULL};
	const char *const start[] = {
	    "pg_ctl", verb, "-D", c->data, "-l", c->log, "-o", c->options, mode, "-t", "180", NULL};
	return run_program(c, NULL, 0, strcmp(verb, "stop") == 0 ? stop : start) == 0;
}

bool cluster_halt(struct cluster *c, bool immediate)
{
	return halt_or_go(c, "stop", immediate ? "immediate" : "fast");
}

bool cluster_go(struct cluster *c)
{
	/* After a kill, a start is refused while an orphan still holds the shared memory. */
	for (int i = 0; i < 50; i++) {
		if (halt_or_go(c, "start", "-w"))
			return true;
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	}
	return false;
}

bool cluster_listen_at(struct cluster *c, const char *address, int port)
{
	char kept[sizeof c->options];
	memcpy(kept, c->options, sizeof kept);
	size_t len = strlen(c->options);
	if (!cluster_halt(c, false))
		return false;
	snprintf(c->options + len, sizeof c->options - len, " -c listen_addresses=%s -c port=%d", address, port);
	bool up = cluster_go(c);
	memcpy(c->options, kept, sizeof kept);
	return up;
}

bool cluster_listen(struct cluster *c, int port)
{
	return cluster_listen_at(c, "127.0.0.1", port);
}

bool cluster_go_async(struct cluster *c)
{
	return halt_or_go(c, "start", "-W");
}

bool cluster_promote(struct cluster *c)
{
	const char *const promote[] = {"pg_ctl", "promote", "-D", c->data, "-w", "-t", "180", NULL};
	return run_program(c, NULL, 0, promote) == 0;
}

bool cluster_restart(struct cluster *c, bool immediate)
{
	return cluster_halt(c, immediate) && cluster_go(c);
}

void cluster_kill(struct cluster *c)
{
	char path[128], line[32];

	snprintf(path, sizeof path, "%s/postmaster.pid", c->data);
	FILE *f = fopen(path, "r");
	long pid = f && fgets(line, sizeof line, f) ? strtol(line, NULL, 10) : 0;
	if (pid > 1)
		kill((pid_t)pid, SIGKILL);
	if (f)
		fclose(f);
}

static void remove_tree(const struct cluster *c)
{
	(void)child_wait(child_start(&(struct child){.argv = (const char *const[]){"rm", "-rf", "--", c->dir, NULL}}));
}

/* With the end of the log, which may be deleted before anybody reads the message. */
static void describe_failure(const struct cluster *c, char error[CLUSTER_ERROR_SIZE])
{
	int len = snprintf(error, CLUSTER_ERROR_SIZE, "no PostgreSQL cluster could be made; %s ends with: ", c->log);
	FILE *f = fopen(c->log, "r");

	if (!f)
		return;
	if (fseek(f, -(CLUSTER_ERROR_SIZE - 1 - len), SEEK_END) != 0)
		rewind(f);
	size_t n = fread(error + len, 1, (size_t)(CLUSTER_ERROR_SIZE - 1 - len), f);
	error[(size_t)len + n] = '\0';
	fclose(f);
}

/* Its directory, log and options. */
static bool make_place(struct cluster *c, char error[CLUSTER_ERROR_SIZE])
{
	if (!directory_make("cluster", c->dir)) {
		snprintf(error, CLUSTER_ERROR_SIZE, "no directory for the cluster: %s", strerror(errno));
		return false;
	}
	snprintf(c->data, sizeof c->data, "%s/data", c->dir);
	snprintf(c->log, sizeof c->log, "%s/log", c->dir);
	struct passwd *user = geteuid() == 0 ? getpwnam("postgres") : NULL;
	if (geteuid() == 0 && !user)
		user = getpwnam("nobody");
	if (user) {
		c->uid = user->pw_uid;
		c->gid = user->pw_gid;
		if (chown(c->dir, c->uid, c->gid) != 0) {
			snprintf(error, CLUSTER_ERROR_SIZE, "%s: %s", c->dir, strerror(errno));
			return false;
		}
	}
	chmod(c->dir, 0755);
	int log = open(c->log, O_WRONLY | O_CREAT, 0666);
	if (log >= 0 && fchmod(log, 0666) == 0)
		close(log);
	snprintf(c->options, sizeof c->options,
	    "-c listen_addresses= -k %s -c unix_socket_permissions=0777 -c max_connections=120 -c "
	    "shared_buffers=32MB%s",
	    c->dir, getenv("KITH_TEST_FSYNC") ? "" : " -c fsync=off");
	char url[160];
	snprintf(url, sizeof url, "host=%s port=5432 user=postgres dbname=postgres", c->dir);
	c->url = strdup(url);
	return c->url != NULL;
}

/* pg_rewind reads the log from before the servers diverged, which the recovery that it begins with may else remove. */
static bool keep_log(const struct cluster *c)
{
	char path[128];

	snprintf(path, sizeof path, "%s/postgresql.conf", c->data);
	FILE *f = fopen(path, "a");
	bool ok = f && fputs("wal_keep_size = 512MB\n", f) >= 0;
	return f && fclose(f) == 0 && ok;
}

static bool make_cluster(struct cluster *c, const struct cluster *primary, bool started, char error[CLUSTER_ERROR_SIZE])
{
	if (!make_place(c, error))
		return false;
	const char *const initdb[] = {
	    "initdb", "-D", c->data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-k", "-N", NULL};
	const char *const copy[] = {"pg_basebackup", "-D", c->data, "-h", primary ? primary->dir : "", "-U", "postgres",
	    "-R", "-X", "stream", "-c", "fast", "-N", NULL};
	if (run_program(c, NULL, 0, primary ? copy : initdb) == 0 && (primary || keep_log(c)) &&
	    (!started || cluster_go(c)))
		return true;
	describe_failure(c, error);
	return false;
}

static struct cluster *cluster_new(const struct cluster *primary, bool started, char error[CLUSTER_ERROR_SIZE])
{
	struct cluster *c = calloc(1, sizeof *c);

	if (!c || !find_programs(c))
		snprintf(error, CLUSTER_ERROR_SIZE, "no PostgreSQL server found; run: make deps");
	else if (make_cluster(c, primary, started, error))
		return c;
	if (c)
		free(c->url);
	free(c);
	return NULL;
}

struct cluster *cluster_standby(const struct cluster *primary, char error[CLUSTER_ERROR_SIZE])
{
	return cluster_new(primary, true, error);
}

struct cluster *cluster_start(char error[CLUSTER_ERROR_SIZE])
{
	return cluster_new(NULL, true, error);
}

struct cluster *cluster_backup(const struct cluster *primary, char error[CLUSTER_ERROR_SIZE])
{
	return cluster_new(primary, false, error);
}

/* Runs one line of shell as the cluster's user. */
static bool cluster_shell(const struct cluster *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool cluster_shell(const struct cluster *c, const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	return cluster_program(c, (const char *const[]){"/bin/sh", "-c", line, NULL});
}

bool cluster_archive(struct cluster *c)
{
	return cluster_shell(c,
	           "mkdir %s/archive && printf \"archive_mode = on\\narchive_command = 'cp %%%%p "
	           "%s/archive/%%%%f'\\n\" "
	           ">>%s/postgresql.conf",
	           c->dir, c->dir, c->data) &&
	       cluster_restart(c, false);
}

bool cluster_recover(struct cluster *c, const struct cluster *primary, const char *point)
{
	char out[8] = "";

	if (!cluster_shell(c,
	        "cd %s && rm standby.signal && touch recovery.signal && printf \"archive_mode = off\\nprimary_conninfo "
	        "= "
	        "''\\nrestore_command = 'cp %s/archive/%%%%f %%%%p'\\nrecovery_target_name = '%s'\\n"
	        "recovery_target_action = promote\\n\" >>postgresql.auto.conf",
	        c->data, primary->dir, point) ||
	    !cluster_go(c))
		return false;
	for (int i = 0; i < 600; i++) {
		if (cluster_sql(c, "select pg_is_in_recovery()", out, sizeof out) && strcmp(out, "f") == 0)
			return true;
		nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
	}
	return false;
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
	(void)cluster_halt(c, true);
	remove_tree(c);
	free(c->url);
	free(c);
}

bool cluster_sql(const struct cluster *c, const char *sql, char *out, size_t size)
{
	char ignored[8];
	const char *const psql[] = {
	    "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", c->url, "-c", sql, NULL};
	int status = run_program(c, out ? out : ignored, out ? size : sizeof ignored, psql);
	if (out)
		out[strcspn(out, "\n")] = '\0';
	return status == 0;
}

bool cluster_set(const struct cluster *c, const char *name, const char *value)
{
	char sql[256];

	snprintf(sql, sizeof sql, "alter system set %s = '%s'", name, value);
	return cluster_sql(c, sql, NULL, 0) && cluster_sql(c, "select pg_reload_conf()", NULL, 0);
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

/* Shows why a program failed: it wrote to the cluster's log. */
static void print_log_end(const struct cluster *c)
{
	char end[1024];
	FILE *log = fopen(c->log, "r");
	size_t n;

	if (!log)
		return;
	if (fseek(log, -(long)sizeof end, SEEK_END) != 0)
		rewind(log);
	n = fread(end, 1, sizeof end, log);
	fprintf(stderr, "the end of the cluster's log:\n%.*s\n", (int)n, end);
	fclose(log);
}

bool cluster_program(const struct cluster *c, const char *const args[])
{
	if ((*args[0] == '/' ? run_path(c, NULL, 0, args) : run_program(c, NULL, 0, args)) == 0)
		return true;
	print_log_end(c);
	return false;
}

const char *cluster_data(const struct cluster *c)
{
	return c->data;
}
