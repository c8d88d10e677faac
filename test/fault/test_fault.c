/* Exactly once, whatever is killed. Each round sends writes with and without keys to two servers on one database
 * (one of them behind a proxy, with fault points), does one kind of damage, lets the clients retry until they have a
 * final answer, and then counts rows, events and stored answers for each.
 *
 * FAULT_ROUNDS rounds; FAULT_SEED repeats a run's choice of damage. "make check-all" has more rounds than
 * "make check", and "make fault" has many. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/db/consistency.h"
#include "test/lib/http/caller.h"
#include "test/lib/http/raw.h"
#include "test/lib/patience.h"
#include "test/lib/rig.h"
#include "test/lib/test.h"

enum { OPS = 10, TWINS = 4, TRIES = OPS + TWINS, STUCK_US = 25 * 1000 * 1000, LONG_EVERY = 20, EVENTS_EVERY = 5 };
enum { ROUNDS = 20, ROUNDS_LONG = 100 }; /* from ROUNDS_LONG on it waits as long as users do */

/* The kind of an operation, by its number modulo KINDS. */
enum fault_kind { CREATE, CREATE_WITH_COMPANY, DELETE_ONE, CREATE_ONCE_TRIED, CREATE_UNKEYED, KINDS };

struct fault_op {
	enum fault_kind kind;
	char name[40]; /* the person's first name, and the key */
	char target[80];
	const char *body;
};

/* A client at an operation. Duplicates try the same one on the other server. */
struct
try {
	struct fault_op *op;
	int side, side_generation;
	struct caller caller;
	struct caller_answer final;
	int64_t took_us;
};

static struct rig rig;
static struct fault_side {
	struct server_process *server;
	char base[64];
	int generation;
	bool faulty;
} sides[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fault_op ops[OPS];
static struct try tries[TRIES];
static char fault_file[128];
static bool resetting; /* clients hang up on their first try */
static atomic_bool all_done;
static int deviations, unknown_outcomes;
static int64_t longest_us;
static char damage_done[128];
static int round_now;

__attribute__((format(printf, 1, 2))) static void report_deviation(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "DEVIATION in round %d (%s): ", round_now, damage_done);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	deviations++;
}

/* --- servers ---------------------------------------------------------------------------- */

static void side_start(struct fault_side *s)
{
	bool faulty = s == &sides[0];

	if (faulty)
		setenv("FAULT_FILE", fault_file, 1);
	else
		unsetenv("FAULT_FILE");
	struct server_process *server = rig_serve(&rig, faulty, NULL);
	pthread_mutex_lock(&lock);
	s->server = server;
	snprintf(s->base, sizeof s->base, "%s", server->base);
	s->generation++;
	pthread_mutex_unlock(&lock);
}

static void side_look(struct fault_side *s)
{
	if (server_alive(s->server))
		return;
	unlink(fault_file);
	if (!server_kill(s->server))
		report_deviation("a server's log holds a report");
	side_start(s);
}

/* --- clients ----------------------------------------------------------------------------- */

static bool op_is_keyed(const struct fault_op *op)
{
	return op->kind != CREATE_UNKEYED;
}

static bool tried_once(const struct fault_op *op)
{
	return op->kind == CREATE_UNKEYED || op->kind == CREATE_ONCE_TRIED;
}

static void follow_side(struct try *t)
{
	char base[64];
	int generation;

	pthread_mutex_lock(&lock);
	snprintf(base, sizeof base, "%s", sides[t->side].base);
	generation = sides[t->side].generation;
	pthread_mutex_unlock(&lock);
	if (generation != t->side_generation)
		caller_turn(&t->caller, base);
	t->side_generation = generation;
}

static struct caller_answer send_op(struct try *t)
{
	const struct fault_op *op = t->op;

	return caller_send(&t->caller, op->kind == DELETE_ONE ? "DELETE" : "POST", op->target,
	    op_is_keyed(op) ? op->name : NULL, op->body);
}

/* Sends the request and breaks the connection without waiting. */
static void hang_up(struct try *t)
{
	const struct fault_op *op = t->op;
	int fd = raw_open(sides[t->side].base);

	if (fd < 0)
		return;
	if (raw_send(fd, op->kind == DELETE_ONE ? "DELETE" : "POST", op->target, rig.ada.key, op->name, op->body))
		for (long n = t - tries; n > 0 && raw_status(fd) == 0; n -= 4)
			patience_pause(0); /* so that each breaks at another point of the server's work */
	raw_reset(fd);
}

static bool final_for(const struct fault_op *op, const struct caller_answer *a)
{
	if (tried_once(op))
		return true;
	/* after an unknown outcome the client repeats the request with the same key */
	if (a->status == 500 && strstr(a->reply.body, "unknown"))
		return false;
	return a->status != 0 && a->status != 503 && a->status != 409;
}

static void run_try(void *ctx, int i)
{
	struct try *t = &tries[i];
	int64_t began_us = clock_mono_us();

	(void)ctx;
	if (resetting && op_is_keyed(t->op) && !tried_once(t->op))
		hang_up(t);
	do {
		if (t->final.status || t->final.error[0])
			patience_pause(0); /* a client's, before it tries again */
		follow_side(t);
		t->final = send_op(t);
		t->took_us = clock_mono_us() - began_us;
	} while (!final_for(t->op, &t->final) && t->took_us < 2 * STUCK_US);
}

static void *run_all(void *unused)
{
	caller_crowd_run(TRIES, run_try, NULL);
	atomic_store(&all_done, true);
	return unused;
}

/* --- damage -------------------------------------------------------------------------------- */

static const char *const points[] = {"claim", "open", "open_sent", "opened", "ask", "ask_sent", "rendered", "changes",
    "key_row", "commit_sent", "commit_answered", "reply", "reply_sent"};
static const char *const actions[] = {"kill", "term", "drop", "sleep=30"};

/* Damages that need more than one order. */
static const char *const scripts[] = {
    "open_error 2 error\n",
    "ask_error 1 error\n",
    "changes_error 3 error\nchanges_error 4 error\n",
    "changes_error 1 error\nstore_500_sent 1 drop\n",
    "changes_error 2 error\nstore_500_sent 1 kill\n",
    "changes_error 1 error\nstore_500_answered 1 kill\n",
    "commit_sent 2 drop\noutcome 1 kill\n",
    "commit_sent 3 drop\noutcome 1 drop\noutcome 3 drop\n",
    "commit_sent 1 drop\noutcome 1 term\n",
    "commit_sent 1 sleep=20\ncommit_sent 2 drop\n",
};

enum {
	N_POINTS = sizeof points / sizeof *points,
	N_ACTIONS = sizeof actions / sizeof *actions,
	N_SCRIPTS = sizeof scripts / sizeof *scripts
};

enum damage {
	BY_POINT,
	BY_SCRIPT,
	KILL,
	TERM,
	TERMINATE_BACKENDS,
	RESTART_DATABASE,
	CUT_BEFORE,
	CUT_AFTER,
	RESET_ALL,
	STALL,
	CLIENTS_HANG_UP,
	DAMAGES,
	SWALLOW = DAMAGES,
	HOLE,
	HALF,
	LONG_DAMAGES /* the last ones take as long as deadlines do */
};

static const char *const damage_names[] = {"point", "script", "kill -9", "SIGTERM", "backends terminated",
    "database restarted", "COMMIT cut off", "COMMIT's answer cut off", "connections reset", "stall", "clients hang up",
    "COMMIT's answer swallowed", "COMMIT black-holed", "COMMIT black-holed after its first part"};

static enum damage choose_damage(char text[128])
{
	enum damage d = (enum damage)(patience_chance(DAMAGES + 6));

	text[0] = '\0';
	resetting = false;
	if (round_now % LONG_EVERY == LONG_EVERY - 1)
		d = SWALLOW + (enum damage)patience_chance(LONG_DAMAGES - SWALLOW);
	else if (d >= DAMAGES) /* most are fault points, because there are many of them */
		d = BY_POINT;
	if (d == BY_POINT)
		snprintf(text, 128, "%s %u %s\n", points[patience_chance(N_POINTS)], 1 + patience_chance(5),
		    actions[patience_chance(N_ACTIONS)]);
	else if (d == BY_SCRIPT)
		snprintf(text, 128, "%s", scripts[patience_chance(N_SCRIPTS)]);
	resetting = d == CLIENTS_HANG_UP;
	snprintf(damage_done, sizeof damage_done, "%s", text[0] ? text : damage_names[d]);
	for (char *p = damage_done; (p = strchr(p, '\n')) != NULL;)
		*p = ';';
	return d;
}

static void do_damage(enum damage d)
{
	struct fault_side *s = &sides[patience_chance(2)];

	patience_chance_us(15000);
	switch (d) {
	case KILL:
		kill(s->server->pid, SIGKILL);
		break;
	case TERM:
		kill(s->server->pid, SIGTERM);
		break;
	case TERMINATE_BACKENDS:
		rig_int(&rig, "select count(pg_terminate_backend(pid)) from pg_stat_activity "
		              "where application_name = 'kith' and random() < 0.7");
		break;
	case RESTART_DATABASE:
		if (!cluster_restart(rig.cluster, true))
			report_deviation("the database does not come back");
		break;
	case RESET_ALL:
		proxy_set(rig.proxy, PROXY_RESET);
		break;
	case STALL:
		proxy_set(rig.proxy, PROXY_STALL);
		patience_chance_us(250000);
		proxy_set(rig.proxy, PROXY_PASS);
		break;
	default:
		break;
	}
}

/* Others leave the proxy alone: PROXY_PASS, which is 0. */
static const enum proxy_mode proxy_modes[LONG_DAMAGES] = {
    [CUT_BEFORE] = PROXY_CUT_BEFORE,
    [CUT_AFTER] = PROXY_CUT_AFTER,
    [SWALLOW] = PROXY_SWALLOW,
    [HOLE] = PROXY_HOLE,
    [HALF] = PROXY_HALF,
};

/* --- the oracle ------------------------------------------------------------------------------ */

static int64_t op_rows(const struct fault_op *op)
{
	return rig_int(&rig, "select count(*) from people where first_name = '%s'", op->name);
}

/* From a server that may still be stopping, or looking for its database. */
static struct caller_answer ask_again(struct try *t)
{
	int64_t until_us = clock_mono_us() + STUCK_US;
	struct caller_answer again;

	for (;;) {
		side_look(&sides[0]);
		side_look(&sides[1]);
		follow_side(t);
		again = send_op(t);
		if ((again.status && again.status != 503) || clock_mono_us() > until_us)
			return again;
		patience_pause(0);
	}
}

/* Checks what must be true after a final answer. */
static void judge_final(struct try *t)
{
	const struct fault_op *op = t->op;
	const struct caller_answer *a = &t->final;
	int64_t n = op_rows(op), left = op->kind == DELETE_ONE;
	struct caller_answer again;

	if (t->took_us > longest_us)
		longest_us = t->took_us;
	if (t->took_us > STUCK_US)
		report_deviation("%s: no final answer for %lld ms: %d %s", op->name, (long long)t->took_us / 1000,
		    a->status, a->status ? a->reply.body : a->error);
	else if (a->status == 200 && n != !left)
		report_deviation("%s: 200 and %lld rows", op->name, (long long)n);
	else if (a->status == 200 && !left &&
	         rig_int(&rig, "select count(*) from people where id = '%s'", a->id + 4) != 1)
		report_deviation("%s: %s was answered and does not exist", op->name, a->id);
	else if (a->status == 500 && n != left)
		report_deviation("%s: a stored 500 and %lld rows", op->name, (long long)n);
	else if (a->status != 200 && a->status != 500)
		report_deviation("%s: %d %s", op->name, a->status, a->reply.body);
	if (rig_stored(&rig, op->name) != 1)
		report_deviation("%s: %lld stored answers", op->name, (long long)rig_stored(&rig, op->name));
	again = ask_again(t);
	if (!again.replayed || again.status != a->status || strcmp(again.reply.body, a->reply.body) != 0)
		report_deviation(
		    "%s: first %d %s, then %d %s", op->name, a->status, a->reply.body, again.status, again.reply.body);
	if (op->kind == CREATE_WITH_COMPANY &&
	    rig_int(&rig, "select count(*) from companies where name = '%s'", op->name) != n)
		report_deviation("%s: not %lld companies", op->name, (long long)n);
}

/* A single try: an answer must be true; without one the operation may have happened or not. */
static void judge_single(const struct try *t)
{
	const struct fault_op *op = t->op;
	const struct caller_answer *a = &t->final;
	int64_t n = op_rows(op), kept = op_is_keyed(op) ? rig_stored(&rig, op->name) : n;

	if (t->took_us > longest_us)
		longest_us = t->took_us;
	if (t->took_us > STUCK_US)
		report_deviation("%s: no answer for %lld ms", op->name, (long long)t->took_us / 1000);
	if (a->status == 200 ? n != 1 || kept != 1 : a->status == 503 ? n != 0 || kept != 0 : n > 1)
		report_deviation("%s: %d %s with %lld rows, %lld stored", op->name, a->status, a->error, (long long)n,
		    (long long)kept);
	else if (a->status == 500 && strstr(a->reply.body, "unknown"))
		unknown_outcomes++;
	else if (a->status == 500 && n != 0)
		report_deviation("%s: 500 with %lld rows", op->name, (long long)n);
	else if (a->status == 0 && op_is_keyed(op) && n != kept && kept != 1)
		report_deviation("%s: %lld rows, %lld stored", op->name, (long long)n, (long long)kept);
	else if (a->status != 0 && a->status != 200 && a->status != 500 && a->status != 503)
		report_deviation("%s: %d %s", op->name, a->status, a->reply.body);
}

/* --- rounds ------------------------------------------------------------------------------------ */

static void prepare_data(struct arena *arena)
{
	struct caller c;

	caller_init(&c, sides[1].base, rig.ada.key);
	for (int i = 0; i < OPS; i++) {
		struct fault_op *op = &ops[i];
		op->kind = (enum fault_kind)(i % KINDS);
		snprintf(op->name, sizeof op->name, "f%d-%d", round_now, i);
		snprintf(op->target, sizeof op->target, "/v1/people");
		op->body = arena_printf(arena, "{\"firstName\":\"%s\"}", op->name);
		if (op->kind == CREATE_WITH_COMPANY)
			op->body = arena_printf(
			    arena, "{\"firstName\":\"%s\",\"companies\":[{\"name\":\"%s\"}]}", op->name, op->name);
		if (op->kind == DELETE_ONE) {
			struct caller_answer a = caller_send(&c, "POST", "/v1/people", NULL, op->body);
			assert_int_equal(a.status, 200);
			snprintf(op->target, sizeof op->target, "/v1/people/%s", a.id);
			op->body = NULL;
		}
	}
	caller_free(&c);
	for (int i = 0; i < TRIES; i++) {
		int twin = i - OPS; /* of the operations 0, 1, 2 and 5 */
		tries[i] = (struct try){.op = &ops[i < OPS ? i : twin == 3 ? KINDS : twin]};
		tries[i].side = i < OPS ? i % 2 : 1 - (int)(tries[i].op - ops) % 2;
		tries[i].side_generation = sides[tries[i].side].generation;
		caller_init(&tries[i].caller, sides[tries[i].side].base, rig.ada.key);
	}
}

static void run_round(void)
{
	struct arena arena;
	pthread_t thread;
	char text[128];

	arena_init(&arena);
	enum damage d = choose_damage(text);
	prepare_data(&arena);
	atomic_store(&all_done, false);
	proxy_set(rig.proxy, proxy_modes[d]);
	if (text[0])
		rig_write(fault_file, text);
	assert_int_equal(pthread_create(&thread, NULL, run_all, NULL), 0);
	do_damage(d);
	while (!atomic_load(&all_done)) {
		side_look(&sides[0]);
		side_look(&sides[1]);
		patience_pause(0); /* the clients have deadlines */
	}
	pthread_join(thread, NULL);
	unlink(fault_file);
	proxy_set(rig.proxy, PROXY_PASS);
	for (int i = 0; i < 2; i++)
		side_look(&sides[i]);
	for (int i = 0; i < TRIES; i++) {
		tried_once(tries[i].op) ? judge_single(&tries[i]) : judge_final(&tries[i]);
		caller_free(&tries[i].caller);
	}
	if (round_now % EVENTS_EVERY == EVENTS_EVERY - 1 && consistency_untold(rig.program))
		report_deviation("events and rows differ");
	arena_free(&arena);
}

TEST(test_exactly_once)
{
	int rounds = rig_setting("FAULT_ROUNDS", ROUNDS);
	unsigned seed = (unsigned)rig_setting("FAULT_SEED", (int)(clock_mono_us() % 900000) + 1);

	patience_seed(seed);
	fprintf(stderr, "%d rounds, FAULT_SEED=%u\n", rounds, seed);
	for (round_now = 0; round_now < rounds; round_now++)
		run_round();
	fprintf(stderr, "%d rounds, %d deviations, %d outcomes unknown, longest wait %lld ms\n", rounds, deviations,
	    unknown_outcomes, (long long)longest_us / 1000);
	assert_int_equal(deviations, 0);
}

BEFORE_ALL()
{
	rig_open(&rig, "fault", true);
	rig_neighbour(&rig); /* by the second server */
	if (rig_setting("FAULT_ROUNDS", ROUNDS) < ROUNDS_LONG)
		setenv("FAULT_ALWAYS", "jobs_often commit_soon", 1);
	snprintf(fault_file, sizeof fault_file, "%s/orders", rig.program->data_dir);
	side_start(&sides[0]);
	side_start(&sides[1]);
}

AFTER_ALL()
{
	bool clean = server_stop(sides[0].server);

	clean = server_stop(sides[1].server) && clean;
	rig_close(&rig);
	assert_true(clean);
}
