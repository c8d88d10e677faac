/* PostgreSQL stops and starts under load; queues fill; clients disconnect; signals. No request waits longer than the
 * deadlines, and no answer is wrong. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/await.h"
#include "test/lib/http/raw.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum {
	CLIENTS = 12,
	DEADLINE_US = 25 * 1000 * 1000, /* after a lost COMMIT a request waits until the outcome is known */
	BACK_US = 15 * 1000 * 1000,     /* the longest pause between two attempts to connect is a second */
	FLOOD = 2400,                   /* more than wait: */
	WAITING = 1024 + 1024 + 8 * 32, /* in joint transactions, in the queue for writes, in progress */
	PATIENCE_MS = 30 * 1000
};

RIG("restart", .servers = RIG_NO_SERVER, .own_cluster = true, .neighbour = true);

/* --- the database is stopped and started under load ------------------------------------------ */

struct load {
	struct caller callers[CLIENTS];
	atomic_bool stop;
	atomic_int wrong, refused, done, created, unknown;
	_Atomic int64_t longest_us;
	_Atomic int64_t up_us, first_us; /* the database accepts; the first success after that */
	int tag;
};

static void note_longest(struct load *l, int64_t took_us)
{
	int64_t longest = atomic_load(&l->longest_us);

	while (took_us > longest && !atomic_compare_exchange_weak(&l->longest_us, &longest, took_us))
		;
}

static void judge_answer(struct load *l, const struct caller_answer *a, int64_t began_us, bool creates)
{
	int64_t none = 0;

	note_longest(l, a->took_us);
	if (a->status == 503) {
		atomic_fetch_add(&l->refused, 1);
		if (!a->retry_after)
			atomic_fetch_add(&l->wrong, 1);
	} else if (a->status == 200) {
		atomic_fetch_add(&l->done, 1);
		atomic_fetch_add(&l->created, creates);
		if (atomic_load(&l->up_us) && began_us >= atomic_load(&l->up_us) - BACK_US)
			atomic_compare_exchange_strong(&l->first_us, &none, clock_mono_us());
	} else if (a->status == 500 && strstr(a->reply.body, "unknown")) {
		atomic_fetch_add(&l->unknown, 1);
	} else {
		fprintf(stderr, "%d %s %s\n", a->status, a->error, a->reply.body);
		atomic_fetch_add(&l->wrong, 1);
	}
}

/* Some read, most write. */
static void work_load(void *ctx, int i)
{
	struct load *l = ctx;
	struct caller *c = &l->callers[i];

	for (int n = 0; !atomic_load(&l->stop); n++) {
		int64_t began_us = clock_mono_us();
		struct caller_answer a = i % 3 == 0
		                             ? caller_send(c, "GET", "/v1/people?limit=5", NULL, NULL)
		                             : caller_sendf(c, "POST", "/v1/people", NULL,
		                                   "{\"firstName\":\"load%d\",\"jobTitle\":\"%d-%d\"}", l->tag, i, n);
		judge_answer(l, &a, began_us, i % 3);
		if (a.status == 503)
			patience_pause(0); /* a client's, before it retries */
	}
}

static void *run_load(void *l)
{
	caller_crowd_run(CLIENTS, work_load, l);
	return NULL;
}

static void await_count(atomic_int *count, int at_least)
{
	await_true(atomic_load(count) >= at_least);
}

static void restart_once(struct load *l, bool immediate)
{
	pthread_t thread;

	l->tag++;
	l->stop = false;
	l->refused = l->done = l->created = l->unknown = 0;
	l->first_us = l->up_us = 0;
	assert_int_equal(pthread_create(&thread, NULL, run_load, l), 0);
	await_count(&l->done, 30);
	assert_true(cluster_halt(rig.cluster, immediate));
	await_count(&l->refused, 2 * CLIENTS); /* by then the server pauses longest before it connects again */
	int done = l->done;
	assert_true(cluster_go_async(rig.cluster));
	await_true(cluster_sql(rig.cluster, "select 1", NULL, 0));
	atomic_store(&l->up_us, clock_mono_us());
	await_count(&l->done, done + 30);
	atomic_store(&l->stop, true);
	pthread_join(thread, NULL);
	assert_int_equal(l->wrong, 0);
	int64_t rows = rows_count("people where first_name = 'load%d'", l->tag);
	assert_in_range(rows, l->created, l->created + l->unknown);
	if (l->first_us - l->up_us > BACK_US)
		fail_msg(
		    "first success %lld ms after the database accepted", (long long)(l->first_us - l->up_us) / 1000);
}

TEST(test_database_restarts)
{
	struct server_process *s = rig_serve(&rig, false, NULL);
	int rounds = rig_setting("RESTART_ROUNDS", 3);
	static struct load l;
	int64_t slowest_us = 0;

	for (int i = 0; i < CLIENTS; i++)
		caller_init(&l.callers[i], s->base, rig.ada.key);
	for (int i = 0; i < rounds; i++) {
		restart_once(&l, i % 2);
		int64_t back_us = l.first_us - l.up_us;
		slowest_us = back_us > slowest_us ? back_us : slowest_us;
	}
	fprintf(stderr, "slowest first success after the database accepted: %lld ms; longest answer: %lld ms\n",
	    (long long)slowest_us / 1000, (long long)l.longest_us / 1000);
	assert_true(l.longest_us < DEADLINE_US);
	for (int i = 0; i < CLIENTS; i++)
		caller_free(&l.callers[i]);
	assert_true(server_stop(s));
}

/* --- sockets without libcurl --------------------------------------------------------------------- */

static void raw_post(int fd, const char *name)
{
	char body[128];

	snprintf(body, sizeof body, "{\"firstName\":\"%s\"}", name);
	assert_true(raw_send(fd, "POST", "/v1/people", rig.ada.key, NULL, body));
}

static int count_answered(const int fds[], int status[], int n)
{
	int answered = 0;

	for (int i = 0; i < n; i++) {
		if (!status[i])
			status[i] = raw_status(fds[i]);
		answered += status[i] != 0;
	}
	return answered;
}

TEST(test_full_queue)
{
	struct server_process *s = rig_serve(&rig, false, (const char *const[]){"db_connections=10", NULL});
	static int fds[FLOOD], status[FLOOD];
	int ok = 0, refused = 0;

	assert_true(rig_neighbour_rest(&rig)); /* all waiting requests are counted */
	pid_t holder = rig_hold(&rig, "people");
	for (int i = 0; i < FLOOD; i++) {
		fds[i] = raw_open(s->base);
		raw_post(fds[i], "flood");
	}
	/* those beyond the queue are refused at once, the others wait */
	await_true(count_answered(fds, status, FLOOD) >= FLOOD - WAITING);
	for (int i = 0; i < FLOOD; i++)
		refused += status[i] == 503;
	assert_in_range(refused, FLOOD - WAITING, FLOOD - 1024);
	rig_release(&rig, holder);
	await_true(count_answered(fds, status, FLOOD) >= FLOOD);
	for (int i = 0; i < FLOOD; i++) {
		ok += status[i] == 200;
		close(fds[i]);
		assert_true(status[i] == 200 || status[i] == 503);
	}
	assert_rows(ok, "people where first_name = 'flood'");
	assert_true(ok > 0);
	assert_true(server_stop(s));
}

TEST(test_client_hangs_up)
{
	struct server_process *s = rig_serve(&rig, false, NULL);

	assert_true(rig_neighbour_rest(&rig)); /* all waiting requests are counted */
	pid_t holder = rig_hold(&rig, "people");
	for (int i = 0; i < 8; i++) {
		int fd = raw_open(s->base);
		raw_post(fd, "gone");
		await_rows(i + 1, "pg_locks where not granted");
		raw_reset(fd);
	}
	rig_release(&rig, holder);
	await_rows(8, "people where first_name = 'gone'");
	assert_true(server_stop(s));
}

/* --- signals ----------------------------------------------------------------------------------------- */

TEST(test_term_finishes)
{
	struct server_process *s = rig_serve(&rig, false, NULL);
	int fds[8], status[8] = {0};

	int idle = raw_open(s->base);
	assert_true(rig_neighbour_rest(&rig)); /* all waiting requests are counted */
	pid_t holder = rig_hold(&rig, "people");
	for (int i = 0; i < 8; i++) {
		fds[i] = raw_open(s->base);
		raw_post(fds[i], "last");
	}
	await_rows(8, "pg_locks where not granted");
	kill(s->pid, SIGTERM);
	/* the idle connection is closed first, and no new ones are accepted */
	struct pollfd closed = {.fd = idle, .events = POLLIN};
	assert_int_equal(poll(&closed, 1, 10000), 1);
	close(idle);
	assert_true(server_alive(s));
	rig_release(&rig, holder);
	await_true(count_answered(fds, status, 8) >= 8);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(status[i], 200);
		close(fds[i]);
	}
	assert_rows(8, "people where first_name = 'last'");
	/* it exits by itself, with 0: server_stop() would call an early exit a failure */
	int code = 0;
	await_true(waitpid(s->pid, &code, WNOHANG) != 0);
	assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
	s->pid = -1;
	assert_true(server_kill(s));
}

/* Supervisors send it again: also in the last moments it does no harm. */
TEST(test_many_terms)
{
	for (int round = 0; round < 5; round++) {
		struct server_process *s = rig_serve(&rig, false, NULL);
		int code = 0;
		while (waitpid(s->pid, &code, WNOHANG) == 0)
			kill(s->pid, SIGTERM);
		assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
		s->pid = -1;
		assert_true(server_kill(s));
	}
}

TEST(test_hangup_signal_changes_limits)
{
	char path[256];
	struct server_process *s;
	struct caller c;
	int64_t until_us = patience_ms(PATIENCE_MS);
	int status;

	snprintf(path, sizeof path, "%s/kith.conf", rig.program->data_dir);
	rig_write(path, "rate_default = 1000/60\nrate_burst = 0\n");
	s = server_start(rig.program, (const char *const[]){arena_printf(&rig.arena, "config=%s", path), NULL});
	caller_init(&c, s->base, rig.ben.key);
	assert_int_equal(caller_send(&c, "GET", "/v1/users/me", NULL, NULL).status, 200);
	rig_write(path, "rate_default = 1/60\nrate_burst = 0\n");
	kill(s->pid, SIGHUP);
	do {
		status = caller_send(&c, "GET", "/v1/users/me", NULL, NULL).status;
	} while (status == 200 && patience_pause(until_us));
	assert_int_equal(status, 429);
	caller_free(&c);
	assert_true(server_stop(s));
}

/* --- failures that pass, and one that does not --------------------------------------------------- */

static void run_psql(const char *sql)
{
	assert_true(cluster_program(
	    rig.cluster, (const char *const[]){"psql", "-q", "-X", "-d", rig.program->database_url, "-c", sql, NULL}));
}

/* Whatever kind of conflict PostgreSQL reports: the write is repeated, and succeeds. */
TEST(test_conflicts_repeat)
{
	static const char *const states[] = {"40001", "40P01", "55P03"};
	struct server_process *s = rig_serve(&rig, false, NULL);
	struct caller c;

	caller_init(&c, s->base, rig.ada.key);
	run_psql("create sequence tries; create function fail_once() returns trigger language plpgsql security definer "
	         "as $$ begin if nextval('tries') = 1 then raise exception 'once' using errcode = tg_argv[0]; end if; "
	         "return new; end $$");
	for (int i = 0; i < 3; i++) {
		run_psql(arena_printf(&rig.arena,
		    "alter sequence tries restart; create or replace trigger fail_once before insert on people for "
		    "each row when (new.last_name = 'conflict') execute function fail_once('%s')",
		    states[i]));
		caller_good(
		    caller_send(&c, "POST", "/v1/people", i ? states[i] : NULL, "{\"lastName\": \"conflict\"}"));
		assert_number(2, "select last_value from tries");
	}
	run_psql("drop function fail_once cascade; drop sequence tries");
	caller_free(&c);
	assert_true(server_stop(s));
}

struct unknown_write {
	struct caller caller;
	struct caller_answer answer;
};

static void *write_unknown(void *ctx)
{
	struct unknown_write *w = ctx;

	w->answer = caller_send(&w->caller, "POST", "/v1/people", NULL, "{\"lastName\": \"unknown\"}");
	return NULL;
}

/* The answer to COMMIT is lost, and before the server asks for the outcome a new generation begins, as after a crash:
 * the number of the transaction may be another one's, whatever is said of it. */
TEST(test_generation_between)
{
	struct unknown_write w;
	pthread_t thread;

	setenv("FAULT_ALWAYS", "commit_soon", 1);
	struct server_process *s = rig_serve(&rig, true, NULL);
	unsetenv("FAULT_ALWAYS");
	caller_init(&w.caller, s->base, rig.ada.key);
	proxy_set(rig.proxy, PROXY_SWALLOW);
	pthread_create(&thread, NULL, write_unknown, &w);
	await_true(rows_count("people where last_name = 'unknown'") != 0);
	run_psql("update event_generation set generation = generation + 1");
	pthread_join(thread, NULL);
	assert_int_equal(w.answer.status, 500);
	assert_non_null(strstr(w.answer.reply.body, "The outcome of this operation is unknown"));
	caller_free(&w.caller);
	assert_true(server_stop(s));
}

/* The connection is lost while a slow COMMIT runs: the answer comes when it has ended, and says that it was done. */
TEST(test_slow_commit)
{
	struct server_process *s = rig_serve(&rig, true, NULL);
	struct caller c;

	caller_init(&c, s->base, rig.ada.key);
	run_psql("create function end_slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(1); "
	         "return null; end $$; create constraint trigger end_slowly after insert on people deferrable "
	         "initially deferred for each row when (new.last_name = 'slow') execute function end_slowly()");
	proxy_set(rig.proxy, PROXY_CUT_AFTER);
	caller_good(caller_send(&c, "POST", "/v1/people", NULL, "{\"lastName\": \"slow\"}"));
	assert_true(proxy_hit(rig.proxy));
	assert_rows(1, "people where last_name = 'slow'");
	run_psql("drop function end_slowly cascade");
	caller_free(&c);
	assert_true(server_stop(s));
}
