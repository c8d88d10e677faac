/* Point-in-time recovery: the database is recovered to a point before the last events, from a base backup and the
 * log, and assigns their transaction numbers again on another timeline. Followers with later cursors, webhooks with
 * later deliveries, and the process that sent them continue with what the recovered database has: nothing of it is
 * missed, and nothing is sent twice except what it does not know to have been delivered. */
#include <string.h>

#include "test/lib/db/database.h"
#include "test/lib/patience.h"
#include "test/lib/server/directory.h"
#include "test/lib/server/kith_server.h"
#include "test/lib/test.h"
#include "test/lib/webhook/told.h"

enum { WAIT_MS = 60000, EVENTS = 2 };

static struct cluster *first, *recovered;
static struct program program;
static struct arena arena;
static struct test_user user;
static struct receiver *late, *prompt;

/* By time: before the base backup, before the recovery point, after it. A cursor after each, and after all. */
static const char *early[EVENTS], *kept[EVENTS], *lost[EVENTS], *fresh[EVENTS], *after_early, *after_kept, *after_lost;

#define TEXT(...) arena_printf(&arena, __VA_ARGS__)

static struct server_process *start_server(void)
{
	static const char *const settings[] = {
	    "rate_default=0", "rate_burst=0", "webhook_allow_targets=127.0.0.0/8", "clock_scale=1000", NULL};

	return server_start(&program, settings);
}

/* In the first one, or in whichever of the two accepts writes. */
static const char *url_of(bool both)
{
	return TEXT("host=%s%s%s port=5432 user=postgres dbname=kith", cluster_socket_dir(first), both ? "," : "",
	    both ? cluster_socket_dir(recovered) : "");
}

static void until_number(int64_t expected, const char *sql)
{
	int64_t until_us = patience_ms(WAIT_MS), got;

	while ((got = database_int(&program, sql)) != expected && patience_pause(until_us))
		;
	assert_int_equal(got, expected);
}

/* Waits until n are delivered to one webhook and wait for the other. */
static void until_half(int n)
{
	until_number(n, "select count(*) from deliveries where state = 'delivered'");
	until_number(n, "select count(*) from deliveries where state = 'pending'");
}

static void receivers_answer(int status)
{
	receiver_clear(late);
	receiver_clear(prompt);
	receiver_behave(late, (struct receiver_behaviour){.status = status});
}

static void make_people(struct caller *c, const char *name, const char *ids[EVENTS])
{
	for (int i = 0; i < EVENTS; i++)
		ids[i] = told_person(&arena, c, TEXT("%s%d", name, i));
}

BEFORE_ALL()
{
	const char *out;
	char dir[DIRECTORY_SIZE], error[CLUSTER_ERROR_SIZE] = "";
	struct test_workspace workspace;

	arena_init(&arena);
	assert_true(directory_make("data", dir));
	program.path = command_binary();
	program.data_dir = arena_dupz(&arena, dir);
	late = receiver_start(&(struct receiver_config){.behaviour = {.status = 500}});
	prompt = receiver_start(&(struct receiver_config){0});
	first = cluster_start(error);
	if (!first)
		fail_msg("%s", error);
	assert_true(cluster_archive(first));
	assert_true(cluster_sql(first, "create database kith", NULL, 0));
	program.database_url = url_of(false);
	assert_int_equal(command_run(&program, &arena, (const char *const[]){"migrate", NULL}, &out), 0);
	workspace = workspace_create(&program, &arena, "back");
	user = user_create(&program, &arena, &workspace, "ada", "Ada L", "ada@example.org", "admin");
}

AFTER_ALL()
{
	cluster_stop(recovered);
	cluster_stop(first);
	receiver_stop(late);
	receiver_stop(prompt);
	arena_free(&arena);
}

/* Up to the base backup. */
static void live_early(void)
{
	static const char events[] = "[{\"eventType\":\"person.created\",\"filter\":{}}]";
	char error[CLUSTER_ERROR_SIZE] = "";
	struct server_process *server = start_server();
	struct caller ada;

	caller_init(&ada, server->base, user.key);
	hooked_make(&ada, receiver_url(late, "/late"), events);
	hooked_make(&ada, receiver_url(prompt, "/prompt"), events);
	make_people(&ada, "early", early);
	after_early = told_expect(&arena, &ada, "", early, EVENTS);
	until_half(EVENTS);
	caller_free(&ada);
	assert_true(server_stop(server));
	recovered = cluster_backup(first, error);
	if (!recovered)
		fail_msg("%s", error);
}

/* What is lost was delivered, and so was what the recovered database takes for pending. */
static void live_on(struct caller *c)
{
	make_people(c, "kept", kept);
	after_kept = told_expect(&arena, c, after_early, kept, EVENTS);
	until_half(2 * EVENTS);
	assert_true(cluster_sql(first, "select pg_create_restore_point('noon')", NULL, 0));
	/* Uses up numbers that the recovered database does not reach during the test. */
	assert_true(cluster_sql(first,
	    "do $$ begin for i in 1..3000 loop perform pg_current_xact_id(); commit; end loop; end $$", NULL, 0));
	receivers_answer(0);
	make_people(c, "lost", lost);
	after_lost = told_expect(&arena, c, after_kept, lost, EVENTS);
	until_number(6 * EVENTS, "select count(*) from deliveries where state = 'delivered'");
}

static void expect_recovered(struct caller *c)
{
	const char *const after[] = {after_lost, after_kept};
	const char *told[2 * EVENTS];

	make_people(c, "fresh", fresh);
	for (int i = 0; i < 2; i++)
		told_expect(&arena, c, after[i], fresh, EVENTS);
	memcpy(told, kept, sizeof kept);
	memcpy(told + EVENTS, fresh, sizeof fresh);
	told_expect(&arena, c, after_early, told, 2 * EVENTS);
	for (int i = 0; i < EVENTS; i++) {
		told_expect_taken(&arena, prompt, fresh[i]);
		told_expect_taken(&arena, late, fresh[i]);
		/* The recovered database has no deliveries of these. */
		told_expect_taken(&arena, late, early[i]);
		told_expect_taken(&arena, late, kept[i]);
		assert_int_equal(told_taken(&arena, prompt, early[i]) + told_taken(&arena, prompt, kept[i]), 0);
		assert_int_equal(told_taken(&arena, prompt, lost[i]) + told_taken(&arena, late, lost[i]), 0);
		assert_int_equal(caller_send(c, "GET", TEXT("/v1/people/%s", lost[i]), NULL, NULL).status, 404);
	}
	until_number(0, "select count(*) from deliveries where state <> 'delivered'");
}

/* The sending process runs throughout: its knowledge of positions and deliveries is from the abandoned timeline. */
TEST(test_recovery)
{
	static const char numbers[] =
	    "select max(xid) from events where generation = (select max(generation) from events)";
	static const char system[] = "select system_identifier from pg_control_system()";
	const char *last_one;
	int64_t generation, identifier, last;
	struct server_process *server;
	struct caller ada;

	live_early();
	program.database_url = url_of(true);
	server = start_server();
	caller_init(&ada, server->base, user.key);
	live_on(&ada);
	generation = database_int(&program, "select kith_generation()");
	identifier = database_int(&program, system);
	last = database_int(&program, numbers);
	assert_true(cluster_halt(first, false)); /* the rest of its log is archived, too */
	receivers_answer(0);
	assert_true(cluster_recover(recovered, first, "noon"));
	assert_int_equal(database_int(&program, system), identifier);
	assert_true(database_int(&program, "select pg_snapshot_xmax(pg_current_snapshot())::text::bigint") < last);
	expect_recovered(&ada);
	assert_true(database_int(&program, "select kith_generation()") > generation);
	/* The same with a new sending process. */
	assert_true(server_stop(server));
	server = start_server();
	caller_turn(&ada, server->base);
	after_kept = told_expect(&arena, &ada, after_lost, fresh, EVENTS);
	last_one = told_person(&arena, &ada, "last");
	told_expect(&arena, &ada, after_kept, &last_one, 1);
	told_expect_taken(&arena, prompt, last_one);
	caller_free(&ada);
	assert_true(server_stop(server));
}
