/* Synchronous standbys: a commit that none has confirmed yet. A list from a standby that has it already does not show
 * it, as nothing else does; and when nobody confirms it, the server says so, refuses further writes and answers those
 * under way truthfully. Nobody confirms while synchronous_standby_names names a standby that does not exist. And a
 * workspace that a standby does not have yet. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/await.h"
#include "test/lib/db/standby.h"
#include "test/lib/http/caller.h"
#include "test/lib/kith.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"
#include "test/lib/server/child.h"
#include "test/lib/server/logged.h"
#include "test/lib/server/operated.h"

enum { WAIT_MS = 60000, WRITERS = 2, READERS = 3, ROUNDS = 8 };

/* A write is answered within 22 s; this machine may be slow. Its exchanges are those of the write and about twenty that
 * ask for the outcome. */
enum { ANSWER_MS = 30000, EXCHANGES = 30 };

static struct cluster *standby;
static struct program on_standby;
static struct operated operated;
static struct caller eve; /* eve: another workspace */
static struct test_user stranger;

RIG("synchronous", .servers = RIG_NO_SERVER, .own_cluster = true);

BEFORE_ALL()
{
	char error[CLUSTER_ERROR_SIZE] = "";
	const char *settings[4] = {NULL};

	stranger = rig_stranger(&rig, "eve");
	standby = cluster_standby(rig.cluster, error);
	if (!standby)
		fail_msg("%s", error);
	on_standby = *rig.program;
	on_standby.database_url = arena_printf(&rig.arena, "host=%s port=5432 user=postgres dbname=%s",
	    cluster_socket_dir(standby), rows_text("select current_database()"));
	operated_init(&operated);
	settings[0] = arena_printf(&rig.arena, "replica_url=%s", on_standby.database_url);
	settings[1] = operated.setting;
	settings[2] = "rate_default=1000000/60"; /* so that admission writes */
	server = rig_serve_faulty(&rig, false, settings);
	caller_turn(&ada, server->base);
	caller_init(&eve, server->base, stranger.key);
	caller_good(caller_send(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"first\"}"));
	caller_good(caller_send(&eve, "POST", "/v1/people", NULL, "{\"firstName\":\"hers\"}"));
}

AFTER_ALL()
{
	cluster_set(rig.cluster, "synchronous_standby_names", ""); /* nothing ends without, if a test has failed */
	caller_free(&eve);
	operated_free(&operated);
	cluster_stop(standby);
}

/* --- a write in a thread ------------------------------------------------------------------------- */

struct writing {
	pthread_t thread;
	struct caller caller;
	const char *once, *name;
	struct caller_answer answer;
	atomic_bool answered;
};

static void *writing_run(void *ctx)
{
	struct writing *w = ctx;

	w->answer = caller_sendf(&w->caller, "POST", "/v1/people", w->once, "{\"lastName\":\"%s\"}", w->name);
	w->answered = true;
	return NULL;
}

static void writing_begin(struct writing *w, const char *name, const char *once)
{
	memset(w, 0, sizeof *w);
	w->name = name;
	w->once = once;
	caller_init(&w->caller, server->base, rig.ada.key);
	pthread_create(&w->thread, NULL, writing_run, w);
}

static void writing_end(struct writing *w)
{
	pthread_join(w->thread, NULL);
}

/* --- what is confirmed ---------------------------------------------------------------------------- */

static void nobody_confirms(void)
{
	assert_true(cluster_set(rig.cluster, "synchronous_standby_names", "nobody"));
}

static void anybody_confirms(void)
{
	assert_true(cluster_set(rig.cluster, "synchronous_standby_names", ""));
}

static void until_on_standby(const char *name)
{
	int64_t got;

	assert_true(database_until(&on_standby,
	    arena_printf(&rig.arena, "select count(*) from people where last_name = '%s'", name), 1, WAIT_MS, &got));
}

static struct caller_answer list_of(struct caller *c)
{
	return caller_get(c, "/v1/people?limit=100");
}

static bool is_in(const struct caller_answer *a, const char *text)
{
	return strstr(a->reply.body, text) != NULL;
}

/* Lists until one was read on the standby. */
static void until_read(struct caller *c)
{
	int64_t until_us = patience_ms(WAIT_MS), before = operated_reads(&operated, "read");

	for (list_of(c); operated_reads(&operated, "read") == before; list_of(c))
		assert_true(patience_pause(until_us));
}

/* --- lists ------------------------------------------------------------------------------------------- */

/* The standby shows the commit at once, the primary only when it is confirmed: a list shows what the primary shows.
 * The lists of others still come from the standby. */
TEST(test_not_ahead)
{
	struct writing w;
	struct caller_answer a;
	int64_t read;

	until_read(&ada);
	until_read(&eve);
	nobody_confirms();
	writing_begin(&w, "unconfirmed", NULL);
	until_on_standby("unconfirmed");
	for (int i = 0; i < 3; i++) {
		a = list_of(&ada);
		assert_true(is_in(&a, "first"));
		assert_false(is_in(&a, "unconfirmed"));
	}
	assert_true(operated_reads(&operated, "ahead") > 0);
	read = operated_reads(&operated, "read");
	a = list_of(&eve);
	assert_true(is_in(&a, "hers"));
	assert_int_equal(operated_reads(&operated, "read"), read + 1);
	assert_false(w.answered);
	anybody_confirms();
	writing_end(&w);
	caller_good(w.answer);
	caller_free(&w.caller);
	until_read(&ada);
	a = list_of(&ada);
	assert_true(is_in(&a, "unconfirmed"));
}

/* A standby that does not have the workspace yet: its lists have what was written. */
TEST(test_not_there)
{
	struct caller_answer a;
	struct caller c;
	const char *id;
	int64_t behind;

	until_read(&eve);
	assert_true(standby_pause(standby));
	caller_init(&c, server->base, rig_stranger(&rig, "new").key);
	id = caller_good(caller_send(&c, "POST", "/v1/people", NULL, "{\"lastName\":\"newcomer\"}")).id;
	behind = operated_reads(&operated, "behind");
	a = list_of(&c);
	assert_true(is_in(&a, id));
	assert_true(operated_reads(&operated, "behind") > behind);
	assert_true(standby_resume(standby, rig.cluster, WAIT_MS));
	until_read(&c);
	caller_free(&c);
}

/* --- under load ---------------------------------------------------------------------------------------- */

static atomic_int n_running, n_pairs, n_back;

/* What the list has shown, a read of the record shows. */
static void list_then_get(struct caller *c)
{
	struct caller_answer list = caller_get(c, "/v1/people?limit=1&sort=-createdAt");
	const char *id = strstr(list.reply.body, "per_");

	assert_non_null(id);
	id = arena_printf(&c->arena, "/v1/people/%.40s", id);
	n_back += caller_send(c, "GET", id, NULL, NULL).status != 200;
	n_pairs++;
	arena_free(&c->arena);
}

static void write_or_read(void *ctx, int i)
{
	struct caller c;

	(void)ctx;
	if (i == 0) {
		for (int round = 0; round < rig_setting("SYNCHRONOUS_ROUNDS", ROUNDS); round++) {
			nobody_confirms();
			patience_chance_us(50000);
			anybody_confirms();
		}
		n_running = 0;
		return;
	}
	caller_init(&c, server->base, rig.ada.key);
	while (n_running) {
		if (i <= WRITERS)
			caller_good(caller_send(&c, "POST", "/v1/people", NULL, "{\"lastName\":\"busy\"}"));
		else
			list_then_get(&c);
	}
	caller_free(&c);
}

TEST(test_nothing_taken_back)
{
	int64_t read = operated_reads(&operated, "read"), ahead = operated_reads(&operated, "ahead");

	n_running = 1;
	caller_crowd_run(1 + WRITERS + READERS, write_or_read, NULL);
	read = operated_reads(&operated, "read") - read;
	ahead = operated_reads(&operated, "ahead") - ahead;
	print_message("%d pairs; %d lists of the standby, %d where it was ahead\n", n_pairs, (int)read, (int)ahead);
	assert_int_equal(n_back, 0);
	assert_true(read > 0 && ahead > 0);
}

/* --- when nobody confirms ------------------------------------------------------------------------------ */

static void until_ready(int status)
{
	await_true(caller_send(&ada, "GET", "/readyz", NULL, NULL).status == status);
	assert_int_equal(operated_send(&operated, "GET", "/readyz?verbose").status, status);
}

static bool begins_with(void *text, const struct json *line)
{
	const char *message = logged_text(line, "message");

	return message && strncmp(message, text, strlen(text)) == 0;
}

static void until_logged(const char *text)
{
	await_true(logged_each(&ada.arena, server, begins_with, (void *)text));
}

static void expect_said(void)
{
	const char *ready = operated_send(&operated, "GET", "/readyz?verbose").body;

	until_logged("COMMIT waits for a synchronous standby and has waited for ");
	assert_non_null(strstr(ready, "[-] commits: COMMIT waits for a synchronous standby"));
	assert_true(operated_value(&operated, "kith_database_commit_stalled_seconds{cause=\"standby\"}") >= 4);
	/* The doctor counts what has waited for 5 s. */
	await_true(KITH("doctor") == 1 && strstr(kith_said, "sessions wait for a synchronous standby at their COMMIT"));
	assert_non_null(strstr(kith_said, "synchronous_standby_names is nobody, and no such standby is connected"));
	assert_null(strstr(kith_said, "pg_terminate_backend")); /* would confirm what no standby has */
}

static void expect_code(const struct caller_answer *a, int status, const char *code)
{
	if (a->status != status || strcmp(a->code, code) != 0 || (status != 500 && !a->retry_after))
		fail_msg("%d %s, not %d %s: %s", a->status, a->code, status, code, a->reply.body);
}

/* Two looks fail; what was found before still holds. */
static void fail_looks(void)
{
	rig_write(rig.orders, "stall_look 1 errors\nstall_look 3 stop\n");
	await_true(child_stopped(server->pid));
	rig_write(rig.orders, "");
	kill(server->pid, SIGCONT);
	assert_int_equal(operated_send(&operated, "GET", "/readyz").status, 503);
}

/* At once, and truly: what is refused has not run. */
static void expect_refused(void)
{
	struct caller_answer a = caller_send(&ada, "POST", "/v1/people", NULL, "{\"lastName\":\"refused\"}");

	expect_code(&a, 503, "SERVICE_UNAVAILABLE");
	a = caller_send(&ada, "POST", "/v1/people", "refused", "{\"lastName\":\"refused\"}");
	expect_code(&a, 503, "IDEMPOTENCY_UNAVAILABLE");
	caller_get(&ada, "/v1/people?limit=1");
	caller_good(caller_send(&ada, "POST", "/v1/people?dryRun=true", NULL, "{\"lastName\":\"refused\"}"));
}

static int64_t exchanges_of(const struct caller_answer *a)
{
	return strtoll(json_member(logged_of(&ada.arena, server, a), "exchanges")->text, NULL, 10);
}

/* Versions of each key that fill their pages: the next one to read them cleans up, which PostgreSQL logs. */
static void wear_keys(void)
{
	rig_int(&rig, "do $$ begin perform set_config('synchronous_commit', 'local', true); for i in 1 .. 300 loop "
	              "update api_keys set last_used_at = now(); end loop; end $$; select 1");
}

static void expect_read(void)
{
	struct caller_answer a = list_of(&ada);

	caller_good(a);
	assert_true(is_in(&a, "first"));
}

/* The write without a key is unknown to its client, the one with a key is still being processed. */
static void expect_answers(struct writing *open, struct writing *keyed)
{
	writing_end(open);
	writing_end(keyed);
	expect_code(&open->answer, 500, "INTERNAL_SERVER_ERROR");
	assert_non_null(strstr(open->answer.reply.body, "The outcome of this operation is unknown"));
	expect_code(&keyed->answer, 409, "IDEMPOTENCY_REQUEST_IN_PROGRESS");
	assert_true(open->answer.took_us < ANSWER_MS * INT64_C(1000));
	assert_true(keyed->answer.took_us < ANSWER_MS * INT64_C(1000));
	assert_true(exchanges_of(&open->answer) <= EXCHANGES);
	assert_true(exchanges_of(&keyed->answer) <= EXCHANGES);
}

static struct caller_answer send_again(const struct writing *w)
{
	return caller_sendf(&ada, "POST", "/v1/people", w->once, "{\"lastName\":\"%s\"}", w->name);
}

static void expect_rows(const char *name, int n)
{
	assert_rows(n, "people where last_name = '%s'", name);
}

TEST(test_stalled)
{
	struct writing open, keyed;
	struct caller_answer a;

	nobody_confirms();
	writing_begin(&open, "open", NULL);
	writing_begin(&keyed, "keyed", "once");
	until_ready(503);
	expect_said();
	fail_looks();
	expect_refused();
	a = send_again(&keyed);
	expect_code(&a, 409, "IDEMPOTENCY_REQUEST_IN_PROGRESS");
	expect_answers(&open, &keyed);
	a = send_again(&keyed);
	expect_code(&a, 409, "IDEMPOTENCY_REQUEST_IN_PROGRESS");
	expect_rows("open", 0);
	anybody_confirms();
	until_ready(200);
	until_logged("COMMIT is answered again, after ");
	assert_true(operated_value(&operated, "kith_database_commit_stalled_seconds{cause=\"standby\"}") == 0);
	a = caller_good(send_again(&keyed));
	assert_true(a.replayed);
	expect_rows("open", 1);
	expect_rows("keyed", 1);
	expect_rows("refused", 0);
	caller_good(caller_send(&ada, "POST", "/v1/people", NULL, "{}"));
	caller_free(&open.caller);
	caller_free(&keyed.caller);
}

/* Nobody writes, but a reminder is due: the COMMIT of a job hangs, and is noticed. */
TEST(test_stalled_job)
{
	const char *person = caller_good(caller_send(&ada, "POST", "/v1/people", NULL, "{}")).id;

	caller_good(caller_sendf(&ada, "POST", "/v1/reminders", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"name\":\"due\",\"visibility\":\"private\",\"recurrenceRule\":"
	    "\"DTSTART:20990101T000000Z\\nRRULE:FREQ=DAILY\"}",
	    person));
	nobody_confirms();
	assert_number(1,
	    "with s as materialized (select set_config('synchronous_commit', 'local', true)), r as (update "
	    "reminders set next_trigger_at = now() where name = 'due' returning 1) select count(*) from r, s");
	until_ready(503);
	anybody_confirms();
	until_ready(200);
}

/* Admission writes for each request, in a table that a crash empties. It waits for no standby, whatever else of its
 * transaction is in the log. */
TEST(test_reads_go_on)
{
	nobody_confirms();
	wear_keys();
	for (int i = 0; i < 3; i++)
		expect_read();
	anybody_confirms();
}

/* A primary that was restarted begins a generation of events, which needs no confirmation. */
TEST(test_restarted)
{
	nobody_confirms();
	assert_true(cluster_restart(rig.cluster, false));
	await_true(list_of(&ada).status == 200);
	expect_read();
	anybody_confirms();
	until_ready(200);
}
