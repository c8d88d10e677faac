/* Failover with streaming replication: the primary crashes or hangs under load, its synchronous standby is promoted,
 * and the old primary rejoins by pg_rewind, to be promoted in the next round. Two servers find the new primary by
 * themselves; no acknowledged write is lost, none with a key is done twice, a 503 means that nothing was done, the
 * follower gets every event once and in order, every event is delivered.
 *
 * FAILOVER_ROUNDS rounds; one that loses commits is in test_moved.c. FAILOVER_MS=5000 checks on a quiet machine what is
 * promised: service within 5 s of the promotion. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/embedded/run.h"
#include "test/lib/db/consistency.h"
#include "test/lib/db/database.h"
#include "test/lib/db/standby.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/patience.h"
#include "test/lib/rig.h"
#include "test/lib/server/directory.h"
#include "test/lib/server/kith_server.h"
#include "test/lib/test.h"
#include "test/lib/webhook/hooked.h"

enum {
	SERVERS = 2,
	WRITERS = 6, /* half of them at each server, and half of them with keys */
	MADE_MAX = 100000,
	BEFORE = 10,        /* writes of each writer before the fault */
	SERVICE_MS = 30000, /* one to three seconds on a machine with nothing else to do */
	WAIT_MS = 60000,
	PAUSE_MS = 5,
	ROUNDS_MAX = 1000
};

static struct cluster *one, *two;
static struct program program;
static struct arena arena;
static struct test_user user;
static struct receiver *receiver;
static struct server_process *servers[SERVERS];
static atomic_bool stop;

enum write_outcome { OUTCOME_NONE, DONE_ONCE, NOT_DONE, NOT_KNOWN };

static struct writer {
	pthread_t thread;
	struct caller caller;
	int i, n;
	bool keyed;
	atomic_int done;
	_Atomic int64_t fault_us, first_us; /* first success after the fault */
	int refused, unknown, wrong;
	unsigned char outcomes[MADE_MAX];
} writers[WRITERS];

static struct feed_reader {
	pthread_t thread;
	struct caller caller;
	char cursor[600];
	char (*ids)[ID_SIZE]; /* of people whose creation came, in order */
	int n, cap, wrong;
} reader;

#define TEXT(...) arena_printf(&arena, __VA_ARGS__)

/* --- load ------------------------------------------------------------------------------------- */

static void writer_wrong(struct writer *w, const char *name, const struct caller_answer *a)
{
	fprintf(stderr, "%s: %d %s %s\n", name, a->status, a->error, a->reply.body ? a->reply.body : "");
	w->wrong++;
}

static enum write_outcome writer_judge(struct writer *w, const char *name, const struct caller_answer *a)
{
	int64_t none = 0;

	if (a->status == 200) {
		atomic_fetch_add(&w->done, 1);
		if (atomic_load(&w->fault_us))
			atomic_compare_exchange_strong(&w->first_us, &none, clock_mono_us());
		return DONE_ONCE;
	}
	if (a->status == 503 && a->retry_after) {
		w->refused++;
		return NOT_DONE;
	}
	if (a->status == 500 && !w->keyed && strstr(a->reply.body, "unknown")) {
		w->unknown++;
		return NOT_KNOWN;
	}
	writer_wrong(w, name, a);
	return NOT_KNOWN;
}

/* With a key until it is done, else once. */
static void writer_write(struct writer *w)
{
	struct caller_answer a;
	enum write_outcome outcome;
	char name[64];

	snprintf(name, sizeof name, "w%d-%d", w->i, w->n);
	for (;;) {
		a = caller_sendf(
		    &w->caller, "POST", "/v1/people", w->keyed ? name : NULL, "{\"firstName\":\"%s\"}", name);
		outcome = a.status == 409 && w->keyed ? NOT_DONE : writer_judge(w, name, &a);
		if (outcome == DONE_ONCE || !w->keyed || w->wrong)
			break;
		patience_rest(PAUSE_MS);
	}
	w->outcomes[w->n++] = (unsigned char)outcome;
	patience_rest(PAUSE_MS); /* or the log of many rounds would be too long for pg_rewind */
}

static void *writer_run(void *arg)
{
	struct writer *w = arg;

	while (!atomic_load(&stop) && w->n < MADE_MAX && !w->wrong) {
		writer_write(w);
		arena_free(&w->caller.arena);
		arena_init(&w->caller.arena);
	}
	return NULL;
}

/* The number of events on one page; -1: there is none now. */
static int reader_read(int wait)
{
	struct feed_page page = feed_get(&reader.caller, reader.cursor, 100, wait);

	if (page.answer.status != 200) {
		if (page.answer.status != 503 || !page.answer.retry_after) {
			fprintf(stderr, "the feed: %d %s\n", page.answer.status, page.answer.error);
			reader.wrong++;
		}
		patience_rest(PAUSE_MS);
		return -1;
	}
	for (size_t i = 0; i < page.n; i++) {
		if (strcmp(page.items[i].type, "person.created") != 0)
			continue;
		if (reader.n == reader.cap) {
			reader.cap = reader.cap ? 2 * reader.cap : 1024;
			reader.ids = realloc(reader.ids, (size_t)reader.cap * sizeof *reader.ids);
		}
		snprintf(reader.ids[reader.n++], ID_SIZE, "%s", page.items[i].record);
	}
	snprintf(reader.cursor, sizeof reader.cursor, "%s", page.cursor);
	return (int)page.n;
}

static void *reader_run(void *arg)
{
	(void)arg;
	while (!atomic_load(&stop) && !reader.wrong) {
		reader_read(1);
		arena_free(&reader.caller.arena);
		arena_init(&reader.caller.arena);
	}
	return NULL;
}

static void load_start(void)
{
	for (int i = 0; i < WRITERS; i++) {
		writers[i].i = i;
		writers[i].keyed = i / SERVERS % 2 == 0;
		caller_init(&writers[i].caller, servers[i % SERVERS]->base, user.key);
		pthread_create(&writers[i].thread, NULL, writer_run, &writers[i]);
	}
	caller_init(&reader.caller, servers[1]->base, user.key);
	pthread_create(&reader.thread, NULL, reader_run, NULL);
}

static void load_await(int more)
{
	int64_t until_us = patience_ms(WAIT_MS);

	for (int i = 0; i < WRITERS; i++)
		for (int from = writers[i].done; writers[i].done < from + more;)
			assert_true(!writers[i].wrong && patience_pause(until_us));
}

/* --- one round ----------------------------------------------------------------------------------- */

/* The time from the promotion until each writer, so each server, was served again. */
static int64_t service_ms(int64_t promoted_us)
{
	int64_t until_us = patience_ms(WAIT_MS), last_us = promoted_us, first_us;

	for (int i = 0; i < WRITERS; i++) {
		while (!(first_us = atomic_load(&writers[i].first_us)))
			assert_true(!writers[i].wrong && patience_pause(until_us));
		last_us = first_us > last_us ? first_us : last_us;
		atomic_store(&writers[i].fault_us, 0);
	}
	return (last_us - promoted_us) / 1000;
}

static int64_t fail_over(struct cluster *from, struct cluster *to, bool hangs)
{
	load_await(BEFORE);
	if (hangs)
		standby_freeze(from);
	else
		standby_cut_off(from);
	for (int i = 0; i < WRITERS; i++) {
		atomic_store(&writers[i].first_us, 0);
		atomic_store(&writers[i].fault_us, clock_mono_us());
	}
	assert_true(cluster_promote(to));
	int64_t ms = service_ms(clock_mono_us());
	if (hangs)
		standby_cut_off(from);
	assert_true(standby_rejoin(from, to));
	assert_true(standby_synchronous(to, true));
	return ms;
}

/* --- what is checked afterwards ---------------------------------------------------------------------------- */

static void load_end(void)
{
	atomic_store(&stop, true);
	for (int i = 0; i < WRITERS; i++)
		pthread_join(writers[i].thread, NULL);
	pthread_join(reader.thread, NULL);
	for (int64_t until_us = patience_ms(WAIT_MS); reader_read(0) != 0;)
		assert_true(patience_pause(until_us));
}

struct sums {
	int done, refused, unknown, lost, twice;
};

static void sum_outcome(struct sums *sums, const struct writer *w, int n, int rows)
{
	enum write_outcome outcome = w->outcomes[n];

	sums->done += outcome == DONE_ONCE;
	sums->lost += outcome == DONE_ONCE && rows == 0;
	sums->twice += rows > (outcome == NOT_DONE ? 0 : 1);
	if ((outcome == DONE_ONCE && rows != 1) || rows > (outcome == NOT_DONE ? 0 : 1))
		fprintf(stderr, "w%d-%d: outcome %d, %d rows\n", w->i, n, (int)outcome, rows);
}

/* Rows of each number of the writer's names, in one text of digits. */
static void sum_writer(struct sums *sums, const struct writer *w)
{
	const char *rows = database_text(&program, &arena,
	    TEXT("select string_agg(least(coalesce(c, 0), 9)::text, '' order by n) from generate_series(0, %d) n left "
	         "join (select split_part(first_name, '-', 2)::int as n, count(*) as c from people where first_name "
	         "like "
	         "'w%d-%%' group by 1) p using (n)",
	        w->n - 1, w->i));

	for (int n = 0; n < w->n; n++)
		sum_outcome(sums, w, n, rows[n] - '0');
	sums->refused += w->refused;
	sums->unknown += w->unknown;
}

/* The latest are retried, as by a client that has not got the answer. */
static void expect_replays(struct writer *w)
{
	for (int n = w->n > BEFORE ? w->n - BEFORE : 0; n < w->n; n++) {
		const char *name = TEXT("w%d-%d", w->i, n);
		struct caller_answer a =
		    caller_sendf(&w->caller, "POST", "/v1/people", name, "{\"firstName\":\"%s\"}", name);
		assert_int_equal(a.status, 200);
		assert_true(a.replayed);
	}
}

/* The feed has given exactly the database's events, in its order. */
static void expect_followed(void)
{
	const char *ids = database_text(&program, &arena,
	    "select string_agg(record_id::text, ' ' order by generation, xid, seq) from events where type = "
	    "'person.created'");
	int n = 0;

	for (const char *id = ids; *id; id += strspn(id, " "), n++) {
		size_t len = strcspn(id, " ");
		assert_true(n < reader.n);
		const char *mine = strchr(reader.ids[n], '_') + 1;
		if (strncmp(mine, id, len) != 0 || mine[len])
			fail_msg("event %d is %.*s, the follower got %s", n, (int)len, id, mine);
		id += len;
	}
	assert_int_equal(n, reader.n);
}

static int id_order(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Each creation was delivered; how many were more than once. */
static int expect_delivered(void)
{
	int64_t until_us = patience_ms(WAIT_MS);
	int count, n = 0, more = 0;
	char(*taken)[ID_SIZE];

	while (database_int(&program, "select count(*) from events e where type = 'person.created' and exists (select "
	                              "from webhooks w where (w.position_generation, w.position_xid) < (e.generation, "
	                              "e.xid))") > 0 ||
	       database_int(&program, "select count(*) from deliveries where state = 'pending'") > 0)
		assert_true(patience_pause(until_us));
	count = receiver_count(receiver);
	taken = calloc((size_t)count + 1, sizeof *taken);
	for (int i = 0; i < count; i++) {
		struct arena a;
		const struct receiver_request *q = receiver_request(receiver, i);
		if (q->status != 200)
			continue;
		arena_init(&a);
		snprintf(taken[n++], ID_SIZE, "%s", hooked_event(&a, q).record);
		arena_free(&a);
	}
	qsort(taken, (size_t)n, sizeof *taken, id_order);
	for (int i = 1; i < n; i++)
		more += strcmp(taken[i], taken[i - 1]) == 0;
	for (int i = 0; i < reader.n; i++)
		if (!bsearch(reader.ids[i], taken, (size_t)n, sizeof *taken, id_order))
			fail_msg("%s was not delivered", reader.ids[i]);
	free(taken);
	return more;
}

/* --- the test ------------------------------------------------------------------------------------------- */

static int number_order(const void *a, const void *b)
{
	return (*(const int64_t *)a > *(const int64_t *)b) - (*(const int64_t *)a < *(const int64_t *)b);
}

TEST(test_failover)
{
	int64_t took_ms[ROUNDS_MAX];
	int rounds = rig_setting("FAILOVER_ROUNDS", 2);
	struct sums sums = {0};

	assert_true(rounds <= ROUNDS_MAX);
	load_start();
	for (int i = 0; i < rounds; i++) {
		/* each of the two crashes and hangs in turn */
		took_ms[i] = fail_over(i % 2 ? two : one, i % 2 ? one : two, i / 2 % 2 == i % 2);
		fprintf(stderr, "round %d: served %lld ms after the promotion\n", i + 1, (long long)took_ms[i]);
	}
	load_end();
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(writers[i].wrong, 0);
		assert_true(writers[i].unknown <= rounds); /* only what was under way when the server failed */
		sum_writer(&sums, &writers[i]);
		if (writers[i].keyed)
			expect_replays(&writers[i]);
	}
	assert_int_equal(reader.wrong, 0);
	expect_followed();
	int more = expect_delivered();
	qsort(took_ms, (size_t)rounds, sizeof *took_ms, number_order);
	fprintf(stderr,
	    "%d rounds: served after %lld to %lld ms, median %lld; %d writes acknowledged, %d lost, %d twice; %d "
	    "refused, %d of unknown outcome; %d events, %d delivered again\n",
	    rounds, (long long)took_ms[0], (long long)took_ms[rounds - 1], (long long)took_ms[rounds / 2], sums.done,
	    sums.lost, sums.twice, sums.refused, sums.unknown, reader.n, more);
	assert_int_equal(sums.lost, 0);
	assert_int_equal(sums.twice, 0);
	assert_int_equal(consistency_broken(&program), 0);
	assert_true(took_ms[rounds - 1] < rig_setting("FAILOVER_MS", SERVICE_MS));
}

/* --- the doctor ------------------------------------------------------------------------------------------- */

static void expect_servers(const char *state, const char *found)
{
	const char *out, *line;

	command_run(&program, &arena, (const char *const[]){"doctor", NULL}, &out);
	line = strstr(out, "\"check\":\"servers\"");
	if (!line || !strstr(line, state) || strstr(line, state) > strchr(line, '\n') || !strstr(line, found))
		fail_msg("%s", out);
}

/* After the last round, whose new primary is the one that answers. */
TEST(test_doctor)
{
	struct cluster *standby = rig_setting("FAILOVER_ROUNDS", 2) % 2 ? one : two;
	const char *url = program.database_url;

	expect_servers("\"ok\"", "");
	program.database_url = TEXT("%s target_session_attrs=any", url);
	expect_servers("\"finding\"", "remove target_session_attrs from database_url");
	program.database_url = url;
	assert_true(cluster_halt(standby, true));
	expect_servers("\"finding\"", "does not accept connections");
	assert_true(cluster_go(standby));
	assert_true(cluster_promote(standby));
	expect_servers("\"finding\"", "both accept writes");
}

/* Two servers accept writes. A start, a command and running servers use the new one, though it is the last in the URL.
 */
TEST(test_split_brain)
{
	struct cluster *newer = rig_setting("FAILOVER_ROUNDS", 2) % 2 ? one : two, *older = newer == one ? two : one;
	const char *backup = TEXT("%s/backup", program.data_dir), *out;
	const char *dumped = TEXT("pg_restore -f - -a -t people %s/database.dump | grep -cw late", backup);
	char text[256];

	assert_true(standby_synchronous(older, false));
	program.database_url = TEXT(
	    "host=%s,%s port=5432 user=postgres dbname=kith", cluster_socket_dir(older), cluster_socket_dir(newer));
	struct server_process *s = server_start(&program, (const char *const[]){NULL});
	caller_turn(&writers[1].caller, s->base);
	assert_int_equal(
	    caller_send(&writers[1].caller, "POST", "/v1/people", NULL, "{\"firstName\":\"late\"}").status, 200);
	assert_true(server_stop(s));
	assert_int_equal(
	    command_run(&program, &arena, (const char *const[]){"backup", backup, "--without-secret", NULL}, &out), 0);
	assert_int_equal(run_wait(NULL, (const char *const[]){"/bin/sh", "-c", dumped, NULL}, text, sizeof text), 0);
	program.database_url = TEXT("host=%s user=postgres dbname=kith", cluster_socket_dir(newer));
	assert_int_equal(database_int(&program, "select count(*) from people where first_name = 'late'"), 1);
	for (int64_t until_us = patience_ms(WAIT_MS);
	     database_int(&program, "select count(*) from people where first_name = 'after'") == 0;
	     assert_true(patience_pause(until_us)))
		caller_sendf(&writers->caller, "POST", "/v1/people", NULL, "{\"firstName\":\"after\"}");
}

BEFORE_ALL()
{
	static const char *const settings[] = {
	    "rate_default=0", "rate_burst=0", "webhook_allow_targets=127.0.0.0/8", "clock_scale=1000", NULL};
	const char *out;
	char dir[DIRECTORY_SIZE], error[CLUSTER_ERROR_SIZE] = "";
	struct caller ada;

	arena_init(&arena);
	assert_true(directory_make("data", dir));
	program.path = command_binary();
	program.data_dir = arena_dupz(&arena, dir);
	receiver = receiver_start(&(struct receiver_config){.fail_percent = 10});
	if (!(one = cluster_start(error)) || !cluster_sql(one, "create database kith", NULL, 0) ||
	    !(two = cluster_standby(one, error)))
		fail_msg("%s", error);
	program.database_url =
	    TEXT("host=%s,%s port=5432 user=postgres dbname=kith", cluster_socket_dir(one), cluster_socket_dir(two));
	assert_int_equal(command_run(&program, &arena, (const char *const[]){"migrate", NULL}, &out), 0);
	assert_true(standby_synchronous(one, true));
	struct test_workspace workspace = workspace_create(&program, &arena, "failover");
	user = user_create(&program, &arena, &workspace, "ada", "Ada L", "ada@example.org", "admin");
	for (int i = 0; i < SERVERS; i++)
		servers[i] = server_start(&program, settings);
	caller_init(&ada, servers[0]->base, user.key);
	hooked_make(&ada, receiver_url(receiver, "/hook"), "[{\"eventType\":\"person.created\",\"filter\":{}}]");
	caller_free(&ada);
}

AFTER_ALL()
{
	bool good = true;

	for (int i = 0; i < SERVERS; i++)
		good = server_stop(servers[i]) && good;
	for (int i = 0; i < WRITERS; i++)
		caller_free(&writers[i].caller);
	caller_free(&reader.caller);
	free(reader.ids);
	cluster_stop(two);
	cluster_stop(one);
	receiver_stop(receiver);
	arena_free(&arena);
	assert_true(good);
}
