/* What clients were told, in rounds under faults, judged by a checker that knows nothing of the program
 * (test/lib/history/history_check.h): reads and conditional writes of a record are linearizable, whichever process,
 * list or standby answers; a key is done once; followers hear every event once and in order, receivers in each record's
 * order; nothing that was shown is taken back.
 *
 * One short round; "make history" has HISTORY_ROUNDS rounds of HISTORY_SECONDS, the set-ups in turn.
 *   HISTORY_SEED=7      the same choice of requests and faults
 *   HISTORY_SETUP=name  only set-ups whose name contains this
 *   HISTORY_FAULT=name  only faults whose name contains this
 *   HISTORY_KEEP=DIR    writes each history to a file there
 *   HISTORY_READ=FILE   judges such a file instead */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/db/database.h"
#include "test/lib/history/history_check.h"
#include "test/lib/history/history_round.h"
#include "test/lib/patience.h"
#include "test/lib/rig.h"
#include "test/lib/test.h"

enum { SECONDS = 10, ROUNDS_MAX = 200, PAUSE_MS = 300, SETTLE_MS = 60000, ENOUGH = 100 };

static const struct history_setup setups[] = {
    {.name = "three processes, late standby", .processes = 3, .standby = true},
    {.name = "two processes, synchronous standby", .processes = 2, .standby = true, .synchronous = true},
    {.name = "two processes, promotion", .processes = 2, .synchronous = true, .promoted = true},
    {.name = "two processes, late standby", .processes = 2, .standby = true},
    {.name = "three processes", .processes = 3},
    {.name = "two processes, no faults", .processes = 2, .calm = true},
};
enum { SETUPS = sizeof setups / sizeof *setups };

struct history_round_plan {
	const struct history_setup *setup;
	int number;
};

static uint64_t seed;

static bool is_chosen(const struct history_setup *s)
{
	const char *only = getenv("HISTORY_SETUP");

	return !only || strstr(s->name, only);
}

/* --- a round ------------------------------------------------------------------------------------------ */

/* Clients, then followers. */
static void run_one(void *ctx, int i)
{
	struct round *r = ctx;

	if (i < ROUND_CLIENTS) {
		round_client(r, i);
		r->clients--;
	} else {
		round_follower(r, i - ROUND_CLIENTS);
	}
}

static void *run_all(void *ctx)
{
	caller_crowd_run(ROUND_CLIENTS + ROUND_FOLLOWERS, run_one, ctx);
	return NULL;
}

static void run_faults(struct round *r)
{
	int64_t began_us = clock_mono_us(), end_us = began_us + r->seconds * INT64_C(1000000);
	bool promoted = !r->setup->promoted;

	while (clock_mono_us() < end_us) {
		patience_rest(PAUSE_MS + (int)round_chance(&r->seed, 3 * PAUSE_MS));
		if (!promoted && clock_mono_us() > began_us + (end_us - began_us) / 2) {
			round_promote(r);
			promoted = true;
		} else if (!r->setup->calm) {
			round_fault(r);
		}
	}
}

/* Ends the load. What was not answered may still be under way: it has ended when this returns. */
static void end_load(struct round *r)
{
	int64_t got;

	atomic_store(&r->stop, true);
	if (r->proxy)
		proxy_set(r->proxy, PROXY_PASS);
	while (atomic_load(&r->clients) > 0) {
		for (int i = 0; i < r->setup->processes; i++)
			round_look(r, i);
		patience_pause(0); /* their requests have deadlines */
	}
	if (!database_until(&r->program,
	        "select count(*) from pg_stat_activity where application_name = 'kith' and xact_start is not null", 0,
	        SETTLE_MS, &got))
		fail_msg("transactions that do not end: %s\n%s",
		    database_text(&r->program, &r->arena,
		        "select string_agg(format('%s since %s: %s (waits for %s)', state, clock_timestamp() - "
		        "xact_start, left(query, 200), "
		        "coalesce(wait_event, '-')), E'\n') from pg_stat_activity where application_name = 'kith' and "
		        "xact_start is "
		        "not null"),
		    r->done);
}

static void keep_history(const struct round *r, int number)
{
	const char *dir = getenv("HISTORY_KEEP");
	char path[512];

	if (!dir)
		return;
	snprintf(path, sizeof path, "%s/round-%d.history", dir, number);
	FILE *f = fopen(path, "w");
	if (!f)
		fail_msg("%s cannot be written", path);
	history_print(&r->h, f);
	fclose(f);
}

static void judge_round(struct round *r, int number, int events)
{
	struct history_verdict v;
	int deliveries = 0;

	r->h.undisturbed = !r->disturbed;
	keep_history(r, number);
	v = history_check(&r->h, stderr);
	for (int i = 0; i < r->h.steps.n; i++)
		deliveries += r->h.steps.all[i].kind == HISTORY_HOOK;
	fprintf(stderr,
	    "round %d (%s): %d requests, %d answers judged (%d of unknown versions), %d versions of %d records, %d "
	    "events, "
	    "%d deliveries, %d anomalies\n%s",
	    number, r->setup->name, atomic_load(&r->requests), v.reads, v.hidden, v.versions, r->h.records.n, events,
	    deliveries, v.all, r->done);
	assert_int_equal(v.all, 0);
	assert_int_equal(r->wrong, 0);
	assert_true(v.reads > ENOUGH && v.versions > ENOUGH / 10);
}

static void test_round(void **state)
{
	static struct round r;
	const struct history_round_plan *plan = *state;
	static const int fails[] = {300, 2, 50, 0};
	pthread_t thread;
	int events;

	memset(&r, 0, sizeof r);
	r.setup = plan->setup;
	r.seconds = rig_setting("HISTORY_SECONDS", SECONDS);
	r.seed = (seed + (uint64_t)plan->number) * UINT64_C(0x9e3779b97f4a7c15) | 1;
	r.delivery_fails = fails[plan->number % 4];
	r.clients = ROUND_CLIENTS;
	round_open(&r);
	assert_int_equal(pthread_create(&thread, NULL, run_all, &r), 0);
	run_faults(&r);
	end_load(&r);
	assert_true(round_last_write(&r));
	pthread_join(thread, NULL);
	events = round_read_all(&r);
	round_last_reads(&r);
	if (!round_hooks_close(&r, events))
		fprintf(stderr, "%d of %d deliveries came\n", r.delivered, events * ROUND_HOOKS);
	judge_round(&r, plan->number, events);
	round_close(&r);
	assert_int_equal(r.wrong, 0);
}

/* Judges a history that HISTORY_KEEP has kept. */
static void test_kept(void **state)
{
	struct history_verdict v;
	struct history_log h;
	char *text = NULL;
	size_t size = 0;
	int line;
	FILE *f = fopen(getenv("HISTORY_READ"), "r");

	(void)state;
	assert_non_null(f);
	assert_true(getdelim(&text, &size, '\0', f) > 0);
	fclose(f);
	history_init(&h);
	if (!history_parse(&h, text, &line))
		fail_msg("line %d", line);
	v = history_check(&h, stderr);
	history_free(&h);
	free(text);
	assert_int_equal(v.all, 0);
}

int main(void)
{
	static const struct CMUnitTest kept[] = {cmocka_unit_test(test_kept)};
	static struct history_round_plan plans[ROUNDS_MAX];
	static struct CMUnitTest tests[ROUNDS_MAX];
	int rounds = rig_setting("HISTORY_ROUNDS", 1), n = 0;

	if (getenv("HISTORY_READ"))
		return cmocka_run_group_tests(kept, NULL, NULL);
	seed = (uint64_t)rig_setting("HISTORY_SEED", (int)(clock_mono_us() % 900000) + 1);
	fprintf(stderr, "HISTORY_SEED=%d\n", (int)seed);
	for (int i = 0; n < rounds && n < ROUNDS_MAX && i < ROUNDS_MAX * SETUPS; i++)
		if (is_chosen(&setups[i % SETUPS])) {
			plans[n] = (struct history_round_plan){.setup = &setups[i % SETUPS], .number = n};
			tests[n] = (struct CMUnitTest){
			    .name = setups[i % SETUPS].name, .test_func = test_round, .initial_state = &plans[n]};
			n++;
		}
	return n > 0 ? _cmocka_run_group_tests("rounds", tests, (size_t)n, NULL, NULL) : 2;
}
