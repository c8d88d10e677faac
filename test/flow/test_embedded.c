/* The embedded cluster's life: created, joined, left, taken over after kill -9, started twice at once, kept
 * elsewhere when its user cannot enter data_dir, and under a path too long for a socket. Each user of the cluster is
 * a process of its own; the test tells it through a pipe when to leave. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/embedded/embedded.h"
#include "server/embedded/cluster_place.h"
#include "server/embedded/postmaster.h"
#include "store/db_probe.h"
#include "test/lib/server/child.h"
#include "test/lib/test.h"

enum { DEADLINE_MS = 60000, URL_SIZE = PLACE_PATH_SIZE + 64 };

static char top[64]; /* all files of a test are in it */

/* --- a process that uses the cluster ------------------------------------------------ */

struct process {
	pid_t pid;
	int tell; /* closed to make it leave */
	int hear; /* one line: the URL, or "! message" */
	char line[2048];
};

static void use_cluster(const char *data_dir, int hear, int tell)
{
	char error[512], c;
	struct embedded *e = embedded_start(data_dir, false, error);
	dprintf(hear, "%s%s\n", e ? "" : "! ", e ? embedded_url(e) : error);
	if (e) {
		while (read(tell, &c, 1) < 0 && errno == EINTR)
			;
		embedded_stop(e);
	}
	_exit(e ? 0 : 1);
}

static void process_begin(struct process *u, const char *data_dir)
{
	int down[2], up[2];
	assert_int_equal(pipe2(down, O_CLOEXEC), 0);
	assert_int_equal(pipe2(up, O_CLOEXEC), 0);
	u->line[0] = '\0';
	u->pid = child_fork();
	assert_true(u->pid >= 0);
	if (u->pid == 0) {
		/* nor may it keep the pipes that tell others to leave open */
		for (int fd = 3; fd < 256; fd++)
			if (fd != down[0] && fd != up[1])
				close(fd);
		use_cluster(data_dir, up[1], down[0]);
	}
	close(down[0]);
	close(up[1]);
	u->tell = down[1];
	u->hear = up[0];
}

/* Waits for its answer; true when it now uses the cluster. */
static bool process_joined(struct process *u)
{
	size_t len = 0;
	while (len + 1 < sizeof(u->line)) {
		ssize_t n = read(u->hear, u->line + len, sizeof(u->line) - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += (size_t)n;
		u->line[len] = '\0';
		if (u->line[len - 1] == '\n')
			break;
	}
	if (u->line[0] == '!')
		print_message("%s", u->line);
	return len > 0 && u->line[0] != '!';
}

/* Begins one that uses the cluster. */
static void process_use(struct process *u, const char *data_dir)
{
	process_begin(u, data_dir);
	assert_true(process_joined(u));
}

static void process_end(struct process *u, int expected)
{
	int status;
	close(u->tell);
	assert_int_equal(waitpid(u->pid, &status, 0), u->pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), expected);
	close(u->hear);
}

/* Begins one that cannot use it, and says so. */
static void expect_refused(const char *data_dir, const char *says)
{
	struct process u;

	process_begin(&u, data_dir);
	assert_false(process_joined(&u));
	assert_non_null(strstr(u.line, says));
	process_end(&u, 1);
}

static void kill_9(struct process *u)
{
	assert_int_equal(kill(u->pid, SIGKILL), 0);
	assert_int_equal(waitpid(u->pid, NULL, 0), u->pid);
	close(u->tell);
	close(u->hear);
}

/* --- inspecting the cluster ----------------------------------------------------------- */

static struct cluster_place place_of(const char *data_dir)
{
	struct cluster_place p;
	char error[512];
	assert_true(place_open(&p, data_dir, error));
	if (!place_settle(&p, error))
		fail_msg("%s", error);
	return p;
}

static const char *url_of(const char *data_dir, char url[URL_SIZE])
{
	struct cluster_place p = place_of(data_dir);
	snprintf(url, URL_SIZE, "host='%s' port=%d dbname=kith user=kith", p.socket_dir, PLACE_PORT);
	return url;
}

static bool cluster_answers(const char *data_dir)
{
	char message[DB_PROBE_MESSAGE], url[URL_SIZE];
	return db_probe(url_of(data_dir, url), message) == DB_PROBE_READY;
}

static pid_t postmaster_pid(const char *data_dir)
{
	struct cluster_place p = place_of(data_dir);
	return probe_postmaster(&p.account, p.cluster_dir);
}

/* Kills every server process, as in a power loss; waits until they have ended. */
static void kill_postmaster(const char *data_dir, int signal_number)
{
	struct cluster_place p = place_of(data_dir);
	pid_t pid = postmaster_pid(data_dir);
	assert_true(pid > 0);
	assert_int_equal(kill(pid, signal_number), 0);
	int64_t limit = clock_mono_us() + DEADLINE_MS * 1000LL;
	while (probe_inhabited(&p.account, p.cluster_dir)) {
		assert_true(clock_mono_us() < limit);
		run_pause_ms(10);
	}
}

static void execute_sql(const char *data_dir, const char *sql)
{
	char message[DB_PROBE_MESSAGE], url[URL_SIZE];
	if (!db_probe_execute(url_of(data_dir, url), sql, message))
		fail_msg("%s: %s", sql, message);
}

static void remove_tree(const char *path)
{
	const struct account self = {.change = false};
	const char *const argv[] = {"/bin/rm", "-rf", "--", path, NULL};
	char out[256];
	run_wait(&self, argv, out, sizeof(out));
}

/* Cases that begin or end a directory; the others continue with its cluster, as initdb is slow. */
static void top_make(void)
{
	snprintf(top, sizeof(top), "/tmp/kith-embedded-XXXXXX");
	assert_true(mkdtemp(top) && chmod(top, 0711) == 0);
}

static void top_remove(void)
{
	remove_tree(top);
}

static const char *data_dir(void)
{
	static char path[80];
	snprintf(path, sizeof(path), "%s/var", top);
	return path;
}

BEFORE_ALL()
{
	log_set_level(LOG_WARN);
}

/* --- cases -------------------------------------------------------------------------- */

TEST(test_made_joined_and_stopped_by_the_last)
{
	struct process first, second;
	struct stat st;
	char path[128];

	top_make();
	/* an initdb that was killed half-way does no harm */
	assert_int_equal(mkdir(data_dir(), 0711), 0);
	snprintf(path, sizeof(path), "%s/pg.new", data_dir());
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/pg.new/base", data_dir());
	assert_int_equal(mkdir(path, 0700), 0);
	process_use(&first, data_dir());
	assert_non_null(strstr(first.line, "dbname=kith"));
	pid_t pid = postmaster_pid(data_dir());
	assert_true(pid > 0);
	process_use(&second, data_dir());
	assert_string_equal(first.line, second.line);
	process_end(&first, 0);
	assert_int_equal(postmaster_pid(data_dir()), pid);
	assert_true(cluster_answers(data_dir()));
	/* only its user and root can reach the socket */
	snprintf(path, sizeof(path), "%s/run", data_dir());
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_true(st.st_uid != 0);
	process_end(&second, 0);
	assert_int_equal(postmaster_pid(data_dir()), 0);
	assert_false(cluster_answers(data_dir()));
	/* shut down properly: no lock file remains */
	snprintf(path, sizeof(path), "%s/pg/postmaster.pid", data_dir());
	assert_int_equal(access(path, F_OK), -1);
}

TEST(test_taken_over_after_kill)
{
	struct process first, second;

	process_use(&first, data_dir());
	execute_sql(data_dir(), "create table kept (x int)");
	pid_t pid = postmaster_pid(data_dir());
	kill_9(&first);
	assert_int_equal(postmaster_pid(data_dir()), pid);
	process_use(&second, data_dir());
	assert_int_equal(postmaster_pid(data_dir()), pid);
	execute_sql(data_dir(), "select x from kept");
	process_end(&second, 0);
	assert_int_equal(postmaster_pid(data_dir()), 0);
}

/* As the login whose URL the process was given. */
static void execute_as_login(const struct process *u, const char *sql)
{
	char message[DB_PROBE_MESSAGE], url[sizeof(u->line)];
	snprintf(url, sizeof(url), "%.*s", (int)strcspn(u->line, "\n"), u->line);
	if (!db_probe_execute(url, sql, message))
		fail_msg("%s: %s", sql, message);
}

/* It owns everything and may do nothing else, also in a cluster of a release that had only a superuser. */
TEST(test_login)
{
	static const char rights[] =
	    "do $$ begin assert (select not (rolsuper or rolcreaterole or rolcreatedb or "
	    "rolbypassrls or rolreplication) from "
	    "pg_roles where rolname = session_user); assert (select datdba = "
	    "session_user::regrole from pg_database where "
	    "datname = current_database()); begin copy (select 1) to program 'cat >/dev/null'; raise 'a "
	    "program was run'; exception "
	    "when insufficient_privilege then null; end; end $$";
	static const char owned[] =
	    "insert into before (x) values (2); alter table before add y int; drop function of_before(); select * from "
	    "kith_search.seen; drop schema kith_search cascade";
	struct process u;

	process_use(&u, data_dir());
	execute_as_login(&u, rights);
	execute_sql(data_dir(),
	    "reassign owned by kith_login to kith; drop owned by kith_login; drop role kith_login; create "
	    "table before (x int, n int generated always as identity); create function of_before() returns "
	    "int language sql as 'select 1'; create schema kith_search; create view kith_search.seen as "
	    "select 1 as one; create sequence of_seq; create table days (d date) partition by range (d); "
	    "create table days_rest partition of days default");
	process_end(&u, 0);
	process_use(&u, data_dir());
	execute_as_login(&u, rights);
	execute_as_login(&u, owned);
	execute_as_login(&u,
	    "do $$ begin assert not exists (select from pg_class where relnamespace = 'public'::regnamespace "
	    "and relowner <> session_user::regrole); end $$");
	process_end(&u, 0);
}

/* Everything is killed, and the pid in the lock files belongs to another process: ours. */
TEST(test_recovers_from_stale_lock_files)
{
	struct process u;
	char path[PLACE_PATH_SIZE + 16];

	process_use(&u, data_dir());
	execute_sql(data_dir(), "create table stored (x int)");
	kill_9(&u);
	kill_postmaster(data_dir(), SIGKILL);
	struct cluster_place p = place_of(data_dir());
	const char *names[] = {"pg/postmaster.pid", "run/.s.PGSQL.5432.lock"};
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", p.home, names[i]);
		FILE *file = fopen(path, "r+e");
		assert_non_null(file);
		fprintf(file, "%-8ld\n", (long)getppid());
		fclose(file);
	}
	assert_int_equal(postmaster_pid(data_dir()), 0);
	process_use(&u, data_dir());
	execute_sql(data_dir(), "select x from stored");
	process_end(&u, 0);
}

/* Here by a directory in the way; mostly by a full disk. */
TEST(test_why_no_settings)
{
	struct cluster_place p = place_of(data_dir());
	char way[PLACE_PATH_SIZE + 16];

	snprintf(way, sizeof way, "%s/kith.conf.new", p.cluster_dir);
	assert_int_equal(mkdir(way, 0755), 0);
	expect_refused(data_dir(), "kith.conf cannot be written: Is a directory");
	assert_int_equal(rmdir(way), 0);
}

TEST(test_started_by_several_at_once)
{
	struct process users[4];

	for (int i = 0; i < 4; i++)
		process_begin(&users[i], data_dir());
	for (int i = 0; i < 4; i++)
		assert_true(process_joined(&users[i]));
	for (int i = 0; i < 4; i++)
		process_end(&users[i], 0);
	assert_int_equal(postmaster_pid(data_dir()), 0);
	/* leaving and joining at once: a joining process never finds it half stopped */
	for (int round = 0; round < 5; round++) {
		process_use(&users[0], data_dir());
		close(users[0].tell);
		users[0].tell = -1;
		process_use(&users[1], data_dir());
		assert_true(cluster_answers(data_dir()));
		process_end(&users[0], 0);
		process_end(&users[1], 0);
	}
	top_remove();
}

TEST(test_kept_elsewhere_when_unreachable)
{
	struct process u;
	char path[128];

	top_make();
	assert_int_equal(chmod(top, 0700), 0);
	process_use(&u, data_dir());
	struct cluster_place p = place_of(data_dir());
	if (geteuid() != 0) {
		/* the cluster's user may enter: it stays where it was wanted */
		assert_memory_equal(p.home, data_dir(), strlen(data_dir()));
		process_end(&u, 0);
		top_remove();
		return;
	}
	char home[PLACE_PATH_SIZE];
	snprintf(home, sizeof(home), "%s", p.home);
	assert_memory_equal(home, "/var/lib/kith/", 14);
	execute_sql(data_dir(), "create table kept (x int)");
	process_end(&u, 0);
	/* found again */
	process_use(&u, data_dir());
	execute_sql(data_dir(), "select x from kept");
	process_end(&u, 0);
	/* a new data_dir of the same name does not show the old data */
	snprintf(path, sizeof(path), "%s/cluster", data_dir());
	assert_int_equal(unlink(path), 0);
	process_use(&u, data_dir());
	p = place_of(data_dir());
	assert_string_not_equal(p.home, home);
	execute_sql(data_dir(), "create table kept (x int)");
	process_end(&u, 0);
	remove_tree(p.home);
	/* a home that was named and is missing is not silently created again */
	expect_refused(data_dir(), "restore it");
	remove_tree(home);
	rmdir("/var/lib/kith"); /* if nothing else is in it */
	top_remove();
}

TEST(test_overlong_path)
{
	struct process u;
	char path[256];

	top_make();
	snprintf(path, sizeof(path), "%s/a directory %0120d", top, 7);
	process_use(&u, path);
	assert_true(cluster_answers(path));
	struct cluster_place p = place_of(path);
	assert_true(strlen(p.socket_path) < 100);
	process_end(&u, 0);
	assert_int_equal(rmdir(p.socket_dir), 0);
	/* A path that would need quotes is too much for a socket as well, and one with blanks is not. */
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", top, i ? "it is a" : "it's \"a\", \\b");
		process_use(&u, path);
		assert_true(cluster_answers(path));
		p = place_of(path);
		assert_int_equal(strncmp(p.socket_dir, path, strlen(path)) == 0, i);
		process_end(&u, 0);
	}
	top_remove();
}

TEST(test_messages)
{
	top_make();
	setenv("KITH_PG_BINDIR", "/nowhere", 1);
	expect_refused(data_dir(), "KITH_PG_BINDIR");
	unsetenv("KITH_PG_BINDIR");
	expect_refused("/proc/kith", "set data_dir");
	top_remove();
}
