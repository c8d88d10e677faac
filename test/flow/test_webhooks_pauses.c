/* The order of deliveries through pauses: the sending process is killed, frozen while another one takes over, or loses
 * its database, and goes on at once, or after up to a minute, with receivers that fail. test/lib/webhook/order.h judges
 * what the receiver got.
 *
 * A pause is made in the table: everything that waits becomes due as long ago as after it. With WEBHOOK_PAUSES=1 the
 * test waits instead. WEBHOOK_UPDATES: changes of each record in a round; WEBHOOK_ROUNDS: how often each case is
 * played. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/base/clock.h"
#include "test/lib/db/database.h"
#include "test/lib/db/standby.h"
#include "test/lib/patience.h"
#include "test/lib/server/directory.h"
#include "test/lib/test.h"
#include "test/lib/webhook/hooked.h"
#include "test/lib/webhook/order.h"

enum { RECORDS = 6, WRITERS = 3, UPDATES = 24, WAIT_MS = 90000, SETTLED_MS = 9000 };
enum { UNDER_WAY = 4 }; /* attempts to one webhook at a time */

static struct cluster *one, *two;
static struct program program;
static struct arena arena;
static struct test_user user;
static struct caller ada;
static struct receiver *receiver;
static struct server_process *sender, *other;
static struct hooked hook;
static const char *records[RECORDS];
static atomic_int per_mille; /* requests that fail; ALL_LONG, ALL_SHORT: all, and ask for a wait */
enum { ALL_LONG = 100000, ALL_SHORT };

#define TEXT(...) arena_printf(&arena, __VA_ARGS__)

/* --- the rig ---------------------------------------------------------------------------------- */

/* One day is 8.6 seconds by the scaled clock, and 5,000 s are half a second. */
static struct receiver_behaviour fail_some(void *ctx, const struct receiver_request *q)
{
	int share = atomic_load(&per_mille);

	(void)ctx;
	(void)q;
	if (share == ALL_LONG)
		return (struct receiver_behaviour){.status = 500, .headers = "Retry-After: 86400\r\n"};
	if (share == ALL_SHORT)
		return (struct receiver_behaviour){.status = 500, .headers = "Retry-After: 5000\r\n"};
	return (struct receiver_behaviour){.status = (int)patience_chance(1000) < share ? 500 : 200};
}

static struct server_process *server_serve(void)
{
	static const char *const settings[] = {"rate_default=0", "rate_burst=0", "webhook_allow_targets=127.0.0.0/8",
	    "clock_scale=10000", "public_url=https://crm.example", NULL};

	return server_start(&program, settings);
}

BEFORE_ALL()
{
	const char *out;
	char dir[DIRECTORY_SIZE], error[CLUSTER_ERROR_SIZE] = "";

	patience_seed((uint64_t)rig_setting("FAULT_SEED", 7));
	arena_init(&arena);
	assert_true(directory_make("data", dir));
	program.path = command_binary();
	program.data_dir = arena_dupz(&arena, dir);
	if (!(one = cluster_start(error)) || !cluster_sql(one, "create database kith", NULL, 0) ||
	    !(two = cluster_standby(one, error)))
		fail_msg("%s", error);
	program.database_url =
	    TEXT("host=%s,%s port=5432 user=postgres dbname=kith", cluster_socket_dir(one), cluster_socket_dir(two));
	assert_int_equal(command_run(&program, &arena, (const char *const[]){"migrate", NULL}, &out), 0);
	struct test_workspace workspace = workspace_create(&program, &arena, "pauses");
	user = user_create(&program, &arena, &workspace, "ada", "Ada L", "ada@example.org", "admin");
	receiver = receiver_start(&(struct receiver_config){.decide = fail_some});
	sender = server_serve();
	caller_init(&ada, sender->base, user.key);
	hook = hooked_make(&ada, receiver_url(receiver, "/"), "[{\"eventType\":\"person.updated\",\"filter\":{}}]");
	for (int i = 0; i < RECORDS; i++)
		records[i] = caller_good(caller_send(&ada, "POST", "/v1/people", NULL, "{}")).id;
}

AFTER_ALL()
{
	bool good = server_stop(sender);

	if (other && other != sender)
		good = server_stop(other) && good;
	caller_free(&ada);
	cluster_stop(two);
	cluster_stop(one);
	receiver_stop(receiver);
	arena_free(&arena);
	assert_true(good);
}

/* --- a round ------------------------------------------------------------------------------------ */

static int64_t number_of(const char *sql)
{
	return database_int(&program, sql);
}

static void number_until(int64_t number, const char *sql)
{
	int64_t got;

	if (!database_until(&program, sql, number, WAIT_MS, &got))
		fail_msg("%s: %lld, not %lld", sql, (long long)got, (long long)number);
}

static void update_records(void *ctx, int i)
{
	const struct server_process *server = ctx;
	int n = rig_setting("WEBHOOK_UPDATES", UPDATES) * RECORDS / WRITERS;
	struct caller c;

	caller_init(&c, server->base, user.key);
	for (int k = 0; k < n; k++)
		caller_good(
		    caller_sendf(&c, "PATCH", arena_printf(&c.arena, "/v1/people/%s", records[(i + k) % RECORDS]), NULL,
		        "{\"jobTitle\":\"%d of %d, %lld\"}", k, i, (long long)clock_mono_us()));
	caller_free(&c);
}

#define UNDELIVERED                                                                                                    \
	"select count(*) from events e where type = 'person.updated' and not exists (select from deliveries d where "  \
	"d.event_id = e.id and d.state = 'delivered')"

#define FORGET                                                                                                         \
	"with d as (delete from deliveries returning 1), e as (delete from events returning 1) select count(*) from d"

/* One delivery of each record has failed and waits for its next attempt, the later ones wait behind it. */
static void pile_up(void)
{
	atomic_store(&per_mille, ALL_LONG);
	caller_crowd_run(WRITERS, update_records, sender);
	number_until(0, "select count(*) from events e where type = 'person.updated' and not exists (select from "
	                "deliveries d where d.event_id = e.id and d.state in ('delivered', 'pending'))");
	assert_int_equal(
	    number_of("select count(distinct record_id) from deliveries where state = 'pending'"), RECORDS);
}

/* From now on the receiver fails less; and all that waits is due, since that time. */
static void let_pass(int pause_ms, int share)
{
	atomic_store(&per_mille, share);
	if (rig_setting("WEBHOOK_PAUSES", 2) == 1)
		patience_rest(SETTLED_MS + pause_ms);
	else
		number_of(TEXT(
		    "with m as (select max(next_attempt_at) as last from deliveries where state = 'pending'), u as "
		    "(update deliveries set next_attempt_at = next_attempt_at - (m.last - clock_timestamp()) - %d * "
		    "interval '1 millisecond' from m where state = 'pending' returning 1) select count(*) from u",
		    pause_ms));
}

/* Everything arrives, in order. most: repetitions. */
static void expect_order(const char *what, int most)
{
	struct order_verdict v;

	caller_crowd_run(WRITERS, update_records, sender);
	number_until(0, UNDELIVERED);
	v = order_of(&program, receiver);
	printf("%s: %d events, %d requests, %d repeated, %d too early\n", what, v.events, receiver_count(receiver),
	    v.repeats, v.early);
	assert_int_equal(v.early, 0);
	assert_int_equal(v.manual, 0);
	assert_int_equal(v.events, number_of("select count(*) from events where type = 'person.updated'"));
	assert_in_range(v.repeats, 0, most);
	number_of(FORGET);
	receiver_clear(receiver);
}

/* --- the cases ------------------------------------------------------------------------------------ */

static const struct {
	int pause_ms, per_mille;
} pauses[] = {{0, 2}, {500, 300}, {16000, 20}, {60000, 300}};

static void play_pauses(void)
{
	for (size_t i = 0; i < sizeof pauses / sizeof *pauses; i++) {
		pile_up();
		assert_true(server_kill(sender));
		let_pass(pauses[i].pause_ms, pauses[i].per_mille);
		sender = server_serve();
		caller_turn(&ada, sender->base);
		expect_order(TEXT("killed, %d ms", pauses[i].pause_ms), 0);
	}
}

TEST(test_killed)
{
	for (int i = rig_setting("WEBHOOK_ROUNDS", 1); i; i--)
		play_pauses();
}

/* Also when more rows hold up others than are kept in memory. */
TEST(test_few_in_memory)
{
	pile_up();
	assert_true(server_kill(sender));
	let_pass(16000, 100);
	setenv("FAULT_ALWAYS", "few_held", 1);
	sender = server_serve();
	unsetenv("FAULT_ALWAYS");
	caller_turn(&ada, sender->base);
	expect_order("few in memory", 0);
}

static void update_each(const char *title)
{
	for (int i = 0; i < RECORDS; i++)
		caller_good(caller_sendf(
		    &ada, "PATCH", TEXT("/v1/people/%s", records[i]), NULL, "{\"jobTitle\":\"%s\"}", title));
}

/* The rows that others wait for are gone, as after their day's end: the others are not held up permanently, whether
 * they are rows already or new events. */
TEST(test_gone)
{
	for (int i = 0; i < 2; i++) {
		atomic_store(&per_mille, ALL_SHORT);
		update_each(TEXT("Gone %d", i));
		number_until(RECORDS, "select count(*) from deliveries where state = 'pending' and n_attempts > 0");
		if (i)
			update_each("Behind it");
		assert_true(
		    number_of("with e as (delete from events e using deliveries d where d.event_id = e.id and d.state "
		              "= 'pending' and d.n_attempts > 0 returning 1), d as (delete from deliveries where state "
		              "= 'pending' and n_attempts > 0 returning 1) select count(*) from d") > 0);
		atomic_store(&per_mille, 0);
		update_each(TEXT("New %d", i));
		number_until(0, UNDELIVERED);
	}
	number_of(FORGET);
	receiver_clear(receiver);
}

/* The database crashes while the sender is frozen; another process sends until the sender goes on. What may come twice
 * is what was answered and not recorded when the sender froze, what was under way then, and what the sender begins
 * before it sees that its connections are broken. */
TEST(test_frozen)
{
	int64_t term, recorded;
	int sent;
	struct server_process *frozen = sender;

	other = server_serve();
	for (int i = rig_setting("WEBHOOK_ROUNDS", 1); i; i--) {
		pile_up();
		term = number_of("select term from dispatcher_term");
		let_pass(16000, 100);
		assert_true(receiver_wait(receiver, receiver_count(receiver) + 3, WAIT_MS)); /* in the midst of it */
		kill(frozen->pid, SIGSTOP);
		recorded = number_of("select coalesce(sum(n_attempts), 0)::bigint from deliveries");
		sent = receiver_count(receiver);
		assert_true(cluster_restart(one, true));
		assert_true(standby_await(one, 1, WAIT_MS));
		number_until(1, TEXT("select (term > %lld)::int from dispatcher_term", (long long)term));
		assert_true(receiver_wait(receiver, sent + 3, WAIT_MS)); /* by the other, who may be through already */
		kill(frozen->pid, SIGCONT);
		sender = other;
		caller_turn(&ada, sender->base);
		expect_order("frozen", (int)(sent - recorded) + 3 * UNDER_WAY);
		sender = frozen;
	}
	sender = other;
	assert_true(server_stop(frozen));
	other = NULL;
}

/* The primary is lost with its machine, and its standby is promoted. */
TEST(test_promoted)
{
	pile_up();
	assert_true(standby_await_replay(one, WAIT_MS));
	kill(sender->pid, SIGSTOP);
	standby_cut_off(one);
	assert_true(cluster_promote(two));
	let_pass(60000, 100);
	kill(sender->pid, SIGCONT);
	number_until(0, "select (count(*) = 0)::int from deliveries where state = 'delivered'");
	expect_order("promoted", 8);
}
