/* Creates the embedded cluster and writes its settings. embedded.c starts it. */
#include "server/embedded/make.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/base/log.h"

/* A process needs about 31 connections, 55 with the largest db_connections; an unused slot costs 20 kB. */
enum { SHARED_MB_MAX = 256, SHARED_MB_MIN = 16, CONNECTIONS_MAX = 200 };

static const char *const INCLUDE = "include_if_exists = 'kith.conf'\n";

/* Removes the remains of an interrupted initdb. */
static bool make_remove_tree(const char *path)
{
	char out[256];
	struct stat st;
	const char *const argv[] = {"/bin/rm", "-rf", "--", path, NULL};

	return lstat(path, &st) != 0 || run_wait(NULL, argv, out, sizeof out) == 0;
}

static int run_initdb(
    const struct cluster_place *p, const char *directory, const char *role, const char *locale, char *out, size_t size)
{
	char program[PLACE_PATH_SIZE + 16], user[96], where[64];

	snprintf(program, sizeof program, "%s/initdb", p->bin_dir);
	snprintf(user, sizeof user, "--username=%s", role);
	snprintf(where, sizeof where, "--locale=%s", locale);
	const char *const argv[] = {
	    program, "-D", directory, user, where, "--encoding=UTF8", "--auth=trust", "--no-instructions", NULL};
	return run_wait(&p->account, argv, out, size);
}

/* Appends to postgresql.conf; runs as the cluster's user. */
static int add_include(const void *directory)
{
	char path[PLACE_PATH_SIZE + 32];

	snprintf(path, sizeof path, "%s/postgresql.conf", (const char *)directory);
	FILE *file = fopen(path, "ae");
	bool ok = file && fputs(INCLUDE, file) >= 0;
	return (!file || fclose(file) == 0) && ok ? 0 : 1;
}

/* The cluster gets its final name only when it is complete. */
bool make_cluster(const struct cluster_place *p, const char *role, char error[512])
{
	static const char *const locales[] = {"C.UTF-8", "C"};
	char directory[PLACE_PATH_SIZE + 8], out[4096] = "";

	snprintf(directory, sizeof directory, "%s.new", p->cluster_dir);
	log_info("database", "creating a PostgreSQL cluster in %s; this takes a few seconds and happens only once",
	    p->cluster_dir);
	log_flush();
	int status = 1;
	for (size_t i = 0; status != 0 && i < sizeof locales / sizeof(locales[0]); i++) {
		if (!make_remove_tree(directory) || mkdir(directory, 0700) != 0 || !place_own(directory, &p->account))
			return place_fail(error, "%.300s: cannot be made: %s", directory, strerror(errno));
		status = run_initdb(p, directory, role, locales[i], out, sizeof out);
	}
	if (status != 0) {
		size_t len = strlen(out);
		make_remove_tree(directory);
		/* initdb prints the reason last. */
		return place_fail(
		    error, "initdb failed (%d) in %.150s: %.300s", status, p->home, len > 300 ? out + len - 300 : out);
	}
	if (run_as(&p->account, add_include, directory) == 0 && rename(directory, p->cluster_dir) == 0)
		return true;
	return place_fail(error, "%.300s: cannot be completed: %s", p->cluster_dir, strerror(errno));
}

/* Uses an eighth of the memory, within bounds. */
static long shared_buffers_mb(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
	long mb = pages > 0 && page_size > 0 ? pages / 8 / (1024 * 1024 / page_size) : SHARED_MB_MAX;

	return mb > SHARED_MB_MAX ? SHARED_MB_MAX : mb < SHARED_MB_MIN ? SHARED_MB_MIN : mb;
}

/* Runs as the cluster's user. Returns errno, or 0 when the settings are written. */
static int write_settings(const void *arg)
{
	const struct cluster_place *p = arg;
	char path[PLACE_PATH_SIZE + 16], temporary[PLACE_PATH_SIZE + 24];

	snprintf(path, sizeof path, "%s/kith.conf", p->cluster_dir);
	snprintf(temporary, sizeof temporary, "%s.new", path);
	FILE *file = fopen(temporary, "we");
	if (!file)
		return errno;
	fprintf(file,
	    "# Written by kith at every start. Own settings: ALTER SYSTEM.\n"
	    "listen_addresses = ''\n"
	    "port = %d\n"
	    "unix_socket_permissions = 0700\n"
	    "unix_socket_directories = '%s'\n"
	    "cluster_name = 'kith'\n"
	    "max_connections = %d\n"
	    "shared_buffers = '%ldMB'\n"
	    "random_page_cost = 1.1\n"
	    "jit = off\n"
	    "max_parallel_workers_per_gather = 0\n"
	    "synchronous_commit = on\n"
	    "wal_compression = on\n"
	    "max_wal_size = '2GB'\n"
	    "checkpoint_timeout = '15min'\n"
	    "timezone = 'UTC'\n"
	    "log_timezone = 'UTC'\n"
	    "log_destination = 'stderr'\n"
	    "logging_collector = off\n"
	    "log_line_prefix = '%%m [%%p] '\n"
	    "log_checkpoints = off\n"
	    /* Errors reach kith, which logs them without personal data. PostgreSQL would log them with it. */
	    "log_min_messages = log\n"
	    "log_min_error_statement = panic\n"
	    "log_error_verbosity = terse\n",
	    PLACE_PORT, p->socket_dir, CONNECTIONS_MAX, shared_buffers_mb());
	bool ok = ferror(file) == 0;
	ok = fclose(file) == 0 && ok;
	return ok && rename(temporary, path) == 0 ? 0 : errno;
}

bool make_settings(const struct cluster_place *p, char error[512])
{
	int failed = run_as(&p->account, write_settings, p);

	return failed == 0 ||
	       place_fail(error, "%.300s/kith.conf cannot be written: %s", p->cluster_dir, strerror(failed));
}
