/* Idempotency keys under concurrency: duplicates in one process and in two, expiry, lost answers to COMMIT, and
 * concurrent changes of different fields of one record. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/await.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum { TWINS = 100, WRITERS = 64, RECORDS = 10, PATIENCE_US = 25 * 1000 * 1000 };

RIG("idempotency", .servers = 2);

/* --- duplicates ---------------------------------------------------------------------- */

struct key_twins {
	const char *name; /* of the person, and the key */
	int n_servers;
	struct caller callers[TWINS];
	struct caller_answer answers[TWINS];
};

static void send_twin(void *ctx, int i)
{
	struct key_twins *t = ctx;

	t->answers[i] = caller_sendf(&t->callers[i], "POST", "/v1/people", t->name, "{\"firstName\":\"%s\"}", t->name);
}

static void judge_twins(const struct key_twins *t)
{
	const struct caller_answer *first = NULL;
	int n_first = 0;

	for (int i = 0; i < TWINS; i++) {
		if (t->answers[i].status == 200 && !t->answers[i].replayed) {
			first = &t->answers[i];
			n_first++;
		}
	}
	assert_int_equal(n_first, 1);
	for (int i = 0; i < TWINS; i++) {
		const struct caller_answer *a = &t->answers[i];
		if (a->status == 200) {
			assert_string_equal(a->reply.body, first->reply.body);
		} else if (a->status != 409 || strcmp(a->code, "IDEMPOTENCY_REQUEST_IN_PROGRESS") != 0 ||
		           !a->retry_after) {
			fail_msg("twin %d: %d %s %s", i, a->status, a->error, a->reply.body);
		}
	}
	assert_rows(1, "people where first_name = '%s'", t->name);
	/* afterwards every process returns the same answer */
	for (int i = 0; i < t->n_servers; i++) {
		struct caller c;
		caller_init(&c, servers[i]->base, rig.ada.key);
		struct caller_answer again =
		    caller_sendf(&c, "POST", "/v1/people", t->name, "{\"firstName\":\"%s\"}", t->name);
		assert_true(again.replayed);
		assert_string_equal(again.reply.body, first->reply.body);
		caller_free(&c);
	}
}

static void run_twins(const char *word, int n_servers)
{
	int keys = rig_setting("TWIN_KEYS", 30) / n_servers;
	static struct key_twins t;

	t.n_servers = n_servers;
	for (int i = 0; i < TWINS; i++)
		caller_init(&t.callers[i], servers[i % n_servers]->base, rig.ada.key);
	for (int k = 0; k < keys; k++) {
		char name[64];
		snprintf(name, sizeof name, "%s-%d", word, k);
		t.name = name;
		caller_crowd_run(TWINS, send_twin, &t);
		judge_twins(&t);
	}
	for (int i = 0; i < TWINS; i++)
		caller_free(&t.callers[i]);
}

TEST(test_twins)
{
	run_twins("one", 1);
}

TEST(test_twins_of_two_processes)
{
	run_twins("two", 2);
}

/* --- expiry ---------------------------------------------------------------------------- */

TEST(test_keys_expire)
{
	const char *const settings[] = {"clock_scale=21600", NULL}; /* 24 hours are 4 seconds */
	struct server_process *s = rig_serve(&rig, false, settings);
	int64_t began_us = clock_mono_us(), until_us = began_us + PATIENCE_US;
	struct caller_answer first, again;
	struct caller c;

	caller_init(&c, s->base, rig.ada.key);
	first = caller_send(&c, "POST", "/v1/people", "expires", "{\"firstName\":\"expires\"}");
	assert_int_equal(first.status, 200);
	again = caller_send(&c, "POST", "/v1/people", "expires", "{\"firstName\":\"expires\"}");
	assert_true(again.replayed);
	do {
		again = caller_send(&c, "POST", "/v1/people", "expires", "{\"firstName\":\"expires\"}");
		assert_int_equal(again.status, 200);
	} while (again.replayed && patience_pause(until_us));
	assert_false(again.replayed);
	assert_true(clock_mono_us() - began_us > 3500000);
	assert_string_not_equal(again.id, first.id);
	assert_rows(2, "people where first_name = 'expires'");
	/* ... and the new answer took the old one's place */
	assert_string_equal(
	    caller_send(&c, "POST", "/v1/people", "expires", "{\"firstName\":\"expires\"}").id, again.id);
	caller_free(&c);
	assert_true(server_stop(s));
}

/* --- the answer to COMMIT is lost ----------------------------------------------------------- */

static const struct {
	const char *name;
	enum proxy_mode mode;
	int status; /* the true outcome: 200, or 503 and nothing was done */
} losses[] = {
    /* first those that are noticed at once: the queries that follow contain a COMMIT, too */
    {"cut-before", PROXY_CUT_BEFORE, 503},
    {"cut-after", PROXY_CUT_AFTER, 0}, /* PostgreSQL may have noticed first: the answer must agree with it */
    {"swallow", PROXY_SWALLOW, 200},
    {"hole", PROXY_HOLE, 503},
    {"half", PROXY_HALF, 503},
};

enum { LOSSES = sizeof losses / sizeof *losses, LOSERS = 2 * LOSSES };

struct losers {
	struct caller callers[LOSERS];
	struct caller_answer answers[LOSERS];
	char names[LOSERS][32];
	atomic_int turn;
};

static const char *once_of(const struct losers *l, int i)
{
	return i % 2 ? l->names[i] : NULL;
}

static struct caller_answer lose_answer(struct losers *l, int i)
{
	return caller_sendf(&l->callers[i], "POST", "/v1/people", once_of(l, i), "{\"firstName\":\"%s\"}", l->names[i]);
}

/* One COMMIT after the other is lost, so that each affects its own request; finding out the outcomes overlaps. */
static void lose_in_turn(void *ctx, int i)
{
	struct losers *l = ctx;
	int64_t until_us = patience_ms(PATIENCE_US / 1000);

	while (atomic_load(&l->turn) != i || (i > 0 && !proxy_hit(rig.proxy)))
		assert_true(patience_pause(until_us));
	proxy_set(rig.proxy, losses[i / 2].mode);
	atomic_store(&l->turn, i + 1);
	l->answers[i] = lose_answer(l, i);
}

static void judge_loss(const char *name, int wanted, const struct caller_answer *a)
{
	int64_t rows = rows_count("people where first_name = '%s'", name);

	if (a->status != 200 && a->status != 503)
		fail_msg("%s: %d %s %s", name, a->status, a->error, a->reply.body);
	if (wanted && a->status != wanted)
		fail_msg("%s: %d, %d rows", name, a->status, (int)rows);
	assert_int_equal(rows, a->status == 200);
	assert_true(a->took_us < PATIENCE_US);
}

TEST(test_lost_commit)
{
	struct server_process *s = rig_serve(&rig, true, NULL);
	static struct losers l;

	for (int i = 0; i < LOSERS; i++) {
		caller_init(&l.callers[i], s->base, rig.ada.key);
		snprintf(l.names[i], sizeof l.names[i], "lost-%s-%d", losses[i / 2].name, i % 2);
	}
	caller_crowd_run(LOSERS, lose_in_turn, &l);
	for (int i = 0; i < LOSERS; i++) {
		const struct caller_answer *a = &l.answers[i];
		judge_loss(l.names[i], losses[i / 2].status, a);
		if (!once_of(&l, i))
			continue;
		/* the key tells the same, or can be used for the first time */
		struct caller_answer again = lose_answer(&l, i);
		assert_int_equal(again.status, 200);
		assert_int_equal(again.replayed, a->status == 200);
		if (again.replayed)
			assert_string_equal(again.reply.body, a->reply.body);
	}
	for (int i = 0; i < LOSERS; i++)
		caller_free(&l.callers[i]);
	assert_true(server_stop(s));
}

/* --- a duplicate in another process is faster ------------------------------------------------------ */

struct key_race {
	struct caller callers[2];
	struct caller_answer answers[2];
	const char *name;
	atomic_bool begun;
};

static void race_key(void *ctx, int i)
{
	struct key_race *r = ctx;
	int64_t until_us = patience_ms(PATIENCE_US / 1000);

	while (i && !proxy_hit(rig.proxy)) /* the first one's COMMIT is lost by now */
		assert_true(patience_pause(until_us));
	do {
		r->answers[i] =
		    caller_sendf(&r->callers[i], "POST", "/v1/people", r->name, "{\"firstName\":\"%s\"}", r->name);
	} while (r->answers[i].status == 409 && patience_pause(until_us));
}

/* The first server's COMMIT never arrives, and it is slow to ask: by then the duplicate has done the work, and its
 * answer is the true one. */
TEST(test_twin_after_lost_commit)
{
	static struct key_race r = {.name = "overtaken"};

	struct server_process *s = rig_serve_faulty(&rig, true, NULL);
	caller_init(&r.callers[0], s->base, rig.ada.key);
	caller_init(&r.callers[1], servers[0]->base, rig.ada.key);
	rig_write(rig.orders, "outcome 1 sleep=2000\n");
	proxy_set(rig.proxy, PROXY_CUT_BEFORE);
	caller_crowd_run(2, race_key, &r);
	assert_int_equal(r.answers[1].status, 200);
	assert_false(r.answers[1].replayed);
	assert_int_equal(r.answers[0].status, 200);
	assert_string_equal(r.answers[0].reply.body, r.answers[1].reply.body);
	assert_true(r.answers[0].replayed);
	assert_rows(1, "people where first_name = 'overtaken'");
	unlink(rig.orders);
	for (int i = 0; i < 2; i++)
		caller_free(&r.callers[i]);
	assert_true(server_stop(s));
}

static void fail_second(void *ctx, int i)
{
	struct key_race *r = ctx;

	/* the first one has the key's lock and waits for the table */
	await_true(!i || rows_count("pg_locks where locktype = 'advisory' and granted") != 0);
	if (i)
		atomic_store(&r->begun, true);
	r->answers[i] = caller_sendf(&r->callers[i], "POST", "/v1/people", r->name, "{\"firstName\":\"%s\"}", r->name);
}

static void *fail_both(void *ctx)
{
	caller_crowd_run(2, fail_second, ctx);
	return NULL;
}

/* A failure of our own while a duplicate runs must not replace the duplicate's answer. */
TEST(test_failure_beside_twin)
{
	static struct key_race r = {.name = "beside"};
	pthread_t thread;

	struct server_process *s = rig_serve_faulty(&rig, false, NULL);
	caller_init(&r.callers[0], servers[0]->base, rig.ada.key);
	caller_init(&r.callers[1], s->base, rig.ada.key);
	rig_write(rig.orders, "open_error 1 error\n");
	pid_t holder = rig_hold(&rig, "people");
	assert_int_equal(pthread_create(&thread, NULL, fail_both, &r), 0);
	await_true(r.begun && rows_count("pg_locks where locktype = 'advisory' and not granted") != 0);
	rig_release(&rig, holder);
	pthread_join(thread, NULL);
	assert_int_equal(r.answers[0].status, 200);
	assert_int_equal(r.answers[1].status, 200);
	assert_true(r.answers[1].replayed);
	assert_string_equal(r.answers[0].reply.body, r.answers[1].reply.body);
	assert_int_equal(rig_stored(&rig, "beside"), 1);
	unlink(rig.orders);
	for (int i = 0; i < 2; i++)
		caller_free(&r.callers[i]);
	assert_true(server_stop(s));
}

/* --- a claim that conflicts with itself --------------------------------------------------------- */

static struct {
	struct caller caller;
	struct caller_answer answer;
	pid_t holder;
} half;

/* Claims that have, or have tried, the key's lock and wait for the table of keys. */
static void until_claims_wait(int n)
{
	await_true(rows_count("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and "
	                      "query like 'select fingerprint%%'") >= n);
}

static void break_between(void *ctx, int i)
{
	(void)ctx;
	if (i == 0) {
		half.answer =
		    caller_send(&half.caller, "POST", "/v1/people", "own-half", "{\"firstName\":\"own half\"}");
		return;
	}
	until_claims_wait(1);
	proxy_set(rig.proxy, PROXY_RESET);
	until_claims_wait(2);
	rig_release(&rig, half.holder);
}

/* Its connection breaks, PostgreSQL does not notice while it waits, and the claim is sent again before the old
 * backend is ended: the key is held, but no other request is being processed. */
TEST(test_own_half)
{
	static const char *const one[] = {"db_connections=1", NULL};

	rig_write(rig.orders, "orphan_look 1 errors\n");
	struct server_process *s = rig_serve_faulty(&rig, true, one);
	caller_init(&half.caller, s->base, rig.ada.key);
	half.holder = rig_hold(&rig, "idempotency_keys");
	caller_crowd_run(2, break_between, NULL);
	assert_int_equal(half.answer.status, 503);
	assert_string_equal(half.answer.code, "IDEMPOTENCY_UNAVAILABLE");
	assert_rows(0, "people where first_name = 'own half'");
	half.answer = caller_send(&half.caller, "POST", "/v1/people", "own-half", "{\"firstName\":\"own half\"}");
	assert_int_equal(half.answer.status, 200);
	assert_false(half.answer.replayed);
	unlink(rig.orders);
	caller_free(&half.caller);
	assert_true(server_stop(s));
}

/* --- different fields at once -------------------------------------------------------------- */

static const struct {
	const char *name, *column;
	bool list;
} fields[] = {
    {"firstName", "first_name", false},
    {"lastName", "last_name", false},
    {"jobTitle", "job_title", false},
    {"description", "description", false},
    {"addresses", "addresses", true},
    {"emails", "emails", true},
    {"phones", "phones", true},
};

struct patches {
	struct caller callers[WRITERS];
	const char *ids[RECORDS];
	int rounds;
	atomic_int failed;
};

/* Each writer has a field of a record to itself: its last value must be there. */
static void patch_field(void *ctx, int i)
{
	struct patches *p = ctx;
	struct caller *c = &p->callers[i];
	const char *target = arena_printf(&c->arena, "/v1/people/%s", p->ids[i % RECORDS]);

	for (int n = 0; n < p->rounds; n++) {
		const char *text = arena_printf(&c->arena, "w%d-%d@example.org", i, n);
		char value[64];
		snprintf(value, sizeof value, fields[i / RECORDS].list ? "[\"%s\"]" : "\"%s\"", text);
		struct caller_answer a =
		    caller_sendf(c, "PATCH", target, NULL, "{\"%s\":%s}", fields[i / RECORDS].name, value);
		if (a.status != 200 || !strstr(a.reply.body, text)) {
			fprintf(stderr, "writer %d: %d %s %s\n", i, a.status, a.error, a.reply.body);
			atomic_fetch_add(&p->failed, 1);
		}
	}
}

TEST(test_fields_stick)
{
	static struct patches p;

	p.rounds = rig_setting("PATCH_ROUNDS", 5);
	for (int i = 0; i < WRITERS; i++)
		caller_init(&p.callers[i], servers[i % 2]->base, rig.ada.key);
	for (int i = 0; i < RECORDS; i++)
		p.ids[i] = caller_sendf(&p.callers[0], "POST", "/v1/people", NULL, "{\"firstName\":\"p%d\"}", i).id;
	caller_crowd_run(WRITERS, patch_field, &p);
	assert_int_equal(p.failed, 0);
	for (int i = 0; i < WRITERS; i++) {
		assert_rows(1, "people where id = '%s' and %s = '%sw%d-%d@example.org%s'", p.ids[i % RECORDS] + 4,
		    fields[i / RECORDS].column, fields[i / RECORDS].list ? "{" : "", i, p.rounds - 1,
		    fields[i / RECORDS].list ? "}" : "");
	}
	for (int i = 0; i < WRITERS; i++)
		caller_free(&p.callers[i]);
}
