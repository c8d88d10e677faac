/* Starts, joins and stops the embedded PostgreSQL. Every process that uses the cluster holds a shared lock on
 * data_dir/in-use, which the kernel releases however the process ends. A process that starts or stops the cluster holds
 * data_dir/start.lock exclusively, so that two processes never start or stop it at the same time. If a leaving process
 * gets in-use exclusively, it was the last user. The cluster's superuser creates the database and the login that
 * everything else uses (login.h). */
#include "server/embedded/embedded.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/embedded/login.h"
#include "server/embedded/make.h"
#include "server/embedded/cluster_place.h"
#include "server/embedded/postmaster.h"
#include "store/db_probe.h"

static const char *const NAME = "kith"; /* of the database and of the superuser */

enum {
	LOCK_WAIT_MS = 120000,  /* another process starts, recovers or stops the cluster */
	LEAVE_WAIT_MS = 5000,   /* a process that holds the lock for longer is starting the cluster to use it, so we are
	                           not its last user */
	HELPER_WAIT_MS = 2000,  /* the helper checks for the signal at every step */
	START_WAIT_MS = 120000, /* recovery after a power loss takes time */
	STOP_WAIT_MS = 30000,
	ORPHAN_WAIT_MS = 10000, /* server processes notice within seconds that their postmaster has died */
	STEP_MS = 10,
	AGAIN_FIRST_MS = 500,
	AGAIN_MAX_MS = 30000,
	UPGRADED_S = 3, /* after this time all files of the new version are there */
	LOG_FILE_MAX = 16 << 20,
	URL_SIZE = PLACE_PATH_SIZE * 2 + 64
};

struct embedded {
	struct cluster_place place;
	char url[URL_SIZE], admin[URL_SIZE]; /* as login and as superuser */
	int in_use;                          /* descriptor of the shared lock */
	pid_t child;                         /* the postmaster when we started it, else 0 */
	bool looks;                          /* only joins a running cluster, and does not restart it */

	pid_t helper;     /* our child that restarts the cluster, else 0 */
	int pause_ms;     /* before the next attempt */
	int64_t again_us; /* time of the next attempt, at the earliest */
};

/* Signals are blocked while the cluster starts, because a signal that ends us must not leave it half started. */
static bool cluster_signal_pending(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM));
}

static void cluster_block_signals(sigset_t *before)
{
	sigset_t ending;

	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigprocmask(SIG_BLOCK, &ending, before);
}

static const char *const INTERRUPTED = "interrupted while the database was starting";

/* --- locks ---------------------------------------------------------------------- */

static int cluster_open_lock(const struct embedded *e, const char *name)
{
	char path[PLACE_PATH_SIZE + 16];

	snprintf(path, sizeof path, "%s/%s", e->place.data_dir, name);
	return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* Takes start.lock exclusively. Returns the descriptor, -1 with a message. */
static int cluster_lock(const struct embedded *e, int wait_ms, char error[512])
{
	int fd = cluster_open_lock(e, "start.lock");
	int64_t end = clock_mono_us() + wait_ms * 1000LL;

	while (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (fd < 0 || (errno != EWOULDBLOCK && errno != EINTR)) {
			place_fail(error, "%.300s/start.lock: %s", e->place.data_dir, strerror(errno));
		} else if (clock_mono_us() > end) {
			place_fail(error,
			    "another process has not finished starting or stopping the database in %.300s: "
			    "see pg.log there",
			    e->place.data_dir);
		} else if (cluster_signal_pending()) {
			place_fail(error, "%s", INTERRUPTED);
		} else {
			run_pause_ms(STEP_MS);
			continue;
		}
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

/* --- stopping --------------------------------------------------------------------- */

/* True while the postmaster runs that this process started. */
static bool cluster_has_child(struct embedded *e)
{
	if (e->child && waitpid(e->child, NULL, WNOHANG) != 0)
		e->child = 0;
	return e->child != 0;
}

/* Makes a fast shutdown, as pg_ctl does. Returns when the process has exited. */
static void stop_postmaster(struct embedded *e)
{
	const struct cluster_place *p = &e->place;
	pid_t pid = probe_postmaster(&p->account, p->cluster_dir);
	int64_t end = clock_mono_us() + STOP_WAIT_MS * 1000LL;

	if (pid == 0 || kill(pid, SIGINT) != 0)
		return;
	while (cluster_has_child(e) || probe_postmaster(&p->account, p->cluster_dir) != 0) {
		if (clock_mono_us() > end) {
			log_warn("database",
			    "the cluster in %s is still shutting down after %d s, and will finish by itself",
			    p->cluster_dir, STOP_WAIT_MS / 1000);
			return;
		}
		run_pause_ms(STEP_MS);
	}
}

/* Ends our use of the cluster; the last user stops it. The caller holds start.lock. */
static void cluster_leave(struct embedded *e)
{
	if (flock(e->in_use, LOCK_EX | LOCK_NB) == 0)
		stop_postmaster(e);
	close(e->in_use);
	e->in_use = -1;
}

/* --- starting --------------------------------------------------------------------- */

/* The log grows slowly, so one older file is kept. */
static int open_log(const struct cluster_place *p)
{
	char old[PLACE_PATH_SIZE + 8];
	struct stat st;

	if (stat(p->log_file, &st) == 0 && st.st_size > LOG_FILE_MAX) {
		snprintf(old, sizeof old, "%s.1", p->log_file);
		if (rename(p->log_file, old) != 0)
			log_warn("database", "%s: cannot be renamed: %s", p->log_file, strerror(errno));
	}
	int fd = open(p->log_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	/* In a directory of the cluster's user the name may be a hard link to any file. */
	if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1)) {
		close(fd);
		errno = EPERM;
		return -1;
	}
	return fd;
}

/* Runs as the cluster's user, who owns the directories. Returns 1 when the cluster had a lock file. */
static int remove_locks(const void *place)
{
	const struct cluster_place *p = place;
	char path[PLACE_PATH_SIZE + 16];

	snprintf(path, sizeof path, "%s/postmaster.pid", p->cluster_dir);
	int removed = unlink(path) == 0;
	snprintf(path, sizeof path, "%s.lock", p->socket_path);
	unlink(path);
	unlink(p->socket_path);
	return removed;
}

/* Removes stale lock files. PostgreSQL removes them itself, unless another process now has the pid in them. That is
 * likely after a container was restarted. */
static void remove_stale_locks(const struct embedded *e)
{
	int64_t end = clock_mono_us() + ORPHAN_WAIT_MS * 1000LL;

	while (probe_inhabited(&e->place.account, e->place.cluster_dir)) {
		if (clock_mono_us() > end)
			return; /* PostgreSQL reports the error */
		run_pause_ms(STEP_MS);
	}
	if (run_as(&e->place.account, remove_locks, &e->place) == 1)
		log_info("database", "the cluster was not shut down properly; it recovers");
}

static void cluster_write_url(const struct embedded *e, const char *user, const char *database, char url[URL_SIZE])
{
	snprintf(url, URL_SIZE, "host='%s' port=%d dbname=%s user=%s", e->place.socket_dir, PLACE_PORT, database, user);
}

/* Waits until the cluster accepts connections, or refuses ours. */
static bool wait_ready(struct embedded *e, enum db_probe *found, char message[DB_PROBE_MESSAGE], char error[512])
{
	int64_t end = clock_mono_us() + START_WAIT_MS * 1000LL;

	while ((*found = db_probe(e->admin, message)) == DB_PROBE_WAIT) {
		if (!cluster_has_child(e) && probe_postmaster(&e->place.account, e->place.cluster_dir) == 0)
			return place_fail(
			    error, "the database stopped while starting; see %.300s for the reason", e->place.log_file);
		if (clock_mono_us() > end)
			return place_fail(
			    error, "the database does not accept connections; see %.250s", e->place.log_file);
		/* The postmaster is found by its pid file, which appears a moment after the process starts. It cannot
		 * be stopped before that. */
		if (cluster_signal_pending() && probe_postmaster(&e->place.account, e->place.cluster_dir) != 0)
			return place_fail(error, "%s", INTERRUPTED);
		run_pause_ms(STEP_MS);
	}
	return true;
}

static bool start_postmaster(struct embedded *e, char error[512])
{
	struct cluster_place *p = &e->place;
	char program[PLACE_PATH_SIZE + 16];

	remove_stale_locks(e);
	if (!make_settings(p, error))
		return false;
	int log = open_log(p);
	if (log < 0)
		return place_fail(error, "%.300s: cannot be opened: %s", p->log_file, strerror(errno));
	snprintf(program, sizeof program, "%s/postgres", p->bin_dir);
	const char *const argv[] = {program, "-D", p->cluster_dir, NULL};
	pid_t pid = run_start(&p->account, argv, log, true);
	close(log);
	e->child = pid > 0 ? pid : 0;
	return pid > 0 || place_fail(error, "%.300s: cannot be run: %s", program, strerror(errno));
}

/* Creates the database of a new cluster. */
static bool make_database(const struct embedded *e, const char *refusal, char error[512])
{
	char url[URL_SIZE], message[DB_PROBE_MESSAGE];

	cluster_write_url(e, NAME, "postgres", url);
	if (db_probe_execute(url, "create database kith", message))
		return true;
	return place_fail(error, "cannot connect to the database (%.120s) or create it (%.120s); see %.200s", refusal,
	    message, e->place.log_file);
}

/* After an upgrade of PostgreSQL's minor version the old program still serves existing sessions, but new sessions may
 * fail. */
static void cluster_renew(struct embedded *e)
{
	if (e->looks || !probe_replaced(e->place.cluster_dir, UPGRADED_S))
		return;
	log_warn("database", "PostgreSQL was upgraded while the cluster ran: it is being restarted");
	stop_postmaster(e);
}

/* Joins the cluster, or creates and starts it. The caller holds start.lock. */
static bool cluster_bring_up(struct embedded *e, char error[512])
{
	struct cluster_place *p = &e->place;
	char message[DB_PROBE_MESSAGE];
	enum db_probe found;

	cluster_renew(e);
	if (probe_postmaster(&p->account, p->cluster_dir) == 0 &&
	    (!place_find_programs(p, error) || (!place_has_cluster(p) && !make_cluster(p, NAME, error)) ||
	        !start_postmaster(e, error)))
		return false;
	return wait_ready(e, &found, message, error) && (found == DB_PROBE_READY || make_database(e, message, error)) &&
	       login_make(e->admin, error);
}

/* --- the interface ---------------------------------------------------------------- */

/* The part of starting that needs start.lock. */
static bool start_locked(struct embedded *e, char error[512])
{
	e->in_use = cluster_open_lock(e, "in-use");
	if (e->in_use < 0 || flock(e->in_use, LOCK_SH) != 0)
		return place_fail(error, "%.300s/in-use: %s", e->place.data_dir, strerror(errno));
	if (!place_settle(&e->place, error))
		return false;
	cluster_write_url(e, login_name, NAME, e->url);
	cluster_write_url(e, NAME, NAME, e->admin);
	if (cluster_bring_up(e, error))
		return true;
	cluster_leave(e);
	return false;
}

struct embedded *embedded_start(const char *data_dir, bool looks, char error[512])
{
	sigset_t before;
	bool ok = false;
	struct embedded *e = mem_zalloc(sizeof *e);

	e->in_use = -1;
	e->looks = looks;
	error[0] = '\0';
	cluster_block_signals(&before);
	int lock = place_open(&e->place, data_dir, error) ? cluster_lock(e, LOCK_WAIT_MS, error) : -1;
	if (lock >= 0) {
		ok = start_locked(e, error);
		if (ok && cluster_signal_pending()) {
			ok = place_fail(error, "%s", INTERRUPTED);
			cluster_leave(e);
		}
		close(lock);
	}
	log_flush();
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (ok)
		return e;
	if (e->in_use >= 0)
		close(e->in_use);
	free(e);
	return NULL;
}

/* --- restarting ------------------------------------------------------------------- */

/* Runs in a child process because it blocks: on other processes that do the same, and on recovery. */
static int start_again(struct embedded *e)
{
	char error[512] = "";

	cluster_block_signals(NULL);
	/* The child must not keep the server's clients and listening sockets open if the server ends first. */
	close_range(STDERR_FILENO + 1, ~0U, 0);
	e->child = 0;
	int lock = cluster_lock(e, LOCK_WAIT_MS, error);
	pid_t old = lock >= 0 ? probe_postmaster(&e->place.account, e->place.cluster_dir) : -1;
	if (old == 0)
		log_warn("database", "the cluster has ended; it is being restarted");
	bool ok = lock >= 0 && cluster_bring_up(e, error);
	if (!ok && !cluster_signal_pending())
		log_error("database", "the cluster cannot be started again: %s", error);
	else if (ok && old != probe_postmaster(&e->place.account, e->place.cluster_dir))
		log_info("database", "the cluster runs again");
	log_flush();
	return ok ? 0 : 1;
}

static void helper_ended(struct embedded *e, int status)
{
	bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;

	e->helper = 0;
	e->pause_ms = ok || !e->pause_ms ? AGAIN_FIRST_MS : e->pause_ms * 2;
	if (e->pause_ms > AGAIN_MAX_MS)
		e->pause_ms = AGAIN_MAX_MS;
	e->again_us = clock_mono_us() + e->pause_ms * 1000LL;
}

void embedded_check(struct embedded *e, bool reached)
{
	int status;

	cluster_has_child(e);
	if (e->helper && waitpid(e->helper, &status, WNOHANG) == e->helper)
		helper_ended(e, status);
	if (e->helper || clock_mono_us() < e->again_us ||
	    (reached && !probe_replaced(e->place.cluster_dir, UPGRADED_S)))
		return;
	log_flush();
	pid_t pid = fork();
	if (pid == 0)
		_exit(start_again(e));
	if (pid > 0)
		e->helper = pid;
	else
		log_error("database", "cannot create the process that starts the cluster again: %s", strerror(errno));
}

bool embedded_outdated(const struct embedded *e)
{
	return probe_replaced(e->place.cluster_dir, 0);
}

bool embedded_starting(const struct embedded *e)
{
	return e->helper != 0;
}

const char *embedded_url(const struct embedded *e)
{
	return e->url;
}

/* The helper may hold start.lock for as long as recovery takes. A cluster that it has started is stopped in the usual
 * way. */
static void stop_helper(struct embedded *e)
{
	int64_t end = clock_mono_us() + HELPER_WAIT_MS * 1000LL;

	if (!e->helper)
		return;
	kill(e->helper, SIGTERM);
	while (waitpid(e->helper, NULL, WNOHANG) == 0) {
		if (clock_mono_us() > end) {
			kill(e->helper, SIGKILL);
			waitpid(e->helper, NULL, 0);
			break;
		}
		run_pause_ms(STEP_MS);
	}
	e->helper = 0;
}

void embedded_stop(struct embedded *e)
{
	char error[512];

	stop_helper(e);
	int lock = cluster_lock(e, LEAVE_WAIT_MS, error);
	if (lock >= 0) {
		cluster_leave(e);
		close(lock);
	} else {
		log_warn("database", "%s", error);
		close(e->in_use);
	}
	log_flush();
	free(e);
}
