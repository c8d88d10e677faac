/* Moving the database: a standby that lacks the last commits is promoted, a dump is restored into another cluster
 * without the roles, older files replace the current ones. Old cursors, a waiting follower, and webhooks with due
 * deliveries continue, miss nothing that the database has, and get nothing twice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/db/cluster.h"
#include "test/lib/db/database.h"
#include "test/lib/patience.h"
#include "test/lib/server/directory.h"
#include "test/lib/server/kith_server.h"
#include "test/lib/test.h"
#include "test/lib/webhook/told.h"

enum { WAIT_MS = 60000, BURNT = 3000, ASLEEP_MS = 4000 };

/* The first database, its standby, and one in another cluster. */
static struct cluster *first, *standby, *other;
static struct program program;
static struct arena arena;
static struct test_workspace workspace;
static struct test_user user;
static struct receiver *failing, *good;
static struct hooked late, prompt;
static char dump[160];

/* From before the move: positions after two events, after four, and after those that only the first database had. */
static const char *old[4], *lost[2], *after_two, *after_four, *after_lost, *after_fresh;

/* A restore by an operator's login that is not a superuser. */
static const char login_sql[] = "create role owner login createrole",
                  database_sql[] = "create database kith owner owner";

#define TEXT(...) arena_printf(&arena, __VA_ARGS__)

static const char *url_of(const struct cluster *a, const struct cluster *b)
{
	if (!b)
		return TEXT("host=%s port=5432 user=owner dbname=kith", cluster_socket_dir(a));
	return TEXT("host=%s,%s port=5432,5432 user=owner dbname=kith target_session_attrs=read-write",
	    cluster_socket_dir(a), cluster_socket_dir(b));
}

static struct server_process *start_server(const char *url)
{
	static const char *const settings[] = {
	    "rate_default=0", "rate_burst=0", "webhook_allow_targets=127.0.0.0/8", "clock_scale=1000", NULL};

	program.database_url = url;
	return server_start(&program, settings);
}

static int64_t sql_number(const char *sql)
{
	return database_int(&program, sql);
}

/* --- events --------------------------------------------------------------------------------- */

static void until_number(int64_t expected, const char *sql)
{
	int64_t got;

	(void)database_until(&program, sql, expected, WAIT_MS, &got);
	assert_int_equal(got, expected);
}

static void receivers_answer(int status)
{
	receiver_clear(failing);
	receiver_clear(good);
	receiver_behave(failing, (struct receiver_behaviour){.status = status});
}

/* --- before ---------------------------------------------------------------------------------- */

static struct cluster *new_cluster(const struct cluster *primary)
{
	char error[CLUSTER_ERROR_SIZE] = "";
	struct cluster *c = primary ? cluster_standby(primary, error) : cluster_start(error);

	if (!c)
		fail_msg("%s", error);
	return c;
}

static void make_database(struct cluster *c)
{
	assert_true(cluster_sql(c, login_sql, NULL, 0));
	assert_true(cluster_sql(c, database_sql, NULL, 0));
}

static void migrate_database(const char *url)
{
	const char *out;

	program.database_url = url;
	assert_int_equal(command_run(&program, &arena, (const char *const[]){"migrate", NULL}, &out), 0);
}

/* Uses up transaction numbers that a new cluster will not reach. */
static void burn_numbers(const struct cluster *c)
{
	assert_true(cluster_sql(c,
	    TEXT("do $$ begin for i in 1..%d loop perform pg_current_xact_id(); commit; end loop; end $$", BURNT), NULL,
	    0));
}

BEFORE_ALL()
{
	char dir[DIRECTORY_SIZE];
	struct server_process *server;
	struct caller ada;

	arena_init(&arena);
	assert_true(directory_make("data", dir));
	program.path = command_binary();
	program.data_dir = arena_dupz(&arena, dir);
	failing = receiver_start(&(struct receiver_config){.behaviour = {.status = 500}});
	good = receiver_start(&(struct receiver_config){0});
	first = new_cluster(NULL);
	make_database(first);
	burn_numbers(first);
	migrate_database(url_of(first, NULL));
	workspace = workspace_create(&program, &arena, "moved");
	user = user_create(&program, &arena, &workspace, "ada", "Ada L", "ada@example.org", "admin");
	server = start_server(url_of(first, NULL));
	caller_init(&ada, server->base, user.key);
	late = hooked_make(&ada, receiver_url(failing, "/late"), "[{\"eventType\":\"person.created\",\"filter\":{}}]");
	prompt = hooked_make(&ada, receiver_url(good, "/prompt"), "[{\"eventType\":\"person.created\",\"filter\":{}}]");
	for (int i = 0; i < 4; i++) {
		old[i] = told_person(&arena, &ada, TEXT("old%d", i));
		if (i == 1)
			after_two = told_expect(&arena, &ada, "", old, 2);
	}
	after_four = told_expect(&arena, &ada, after_two, old + 2, 2);
	until_number(4, "select count(*) from deliveries where state = 'delivered'");
	until_number(4, "select count(*) from deliveries where state = 'pending'");
	caller_free(&ada);
	assert_true(server_stop(server));
	/* From here on there are three databases. */
	snprintf(dump, sizeof dump, "%s/dump.sql", cluster_socket_dir(first));
	assert_true(
	    cluster_program(first, (const char *const[]){"pg_dump", "-d", url_of(first, NULL), "-f", dump, NULL}));
	standby = new_cluster(first);
}

AFTER_ALL()
{
	cluster_stop(other);
	cluster_stop(standby);
	cluster_stop(first);
	receiver_stop(failing);
	receiver_stop(good);
	arena_free(&arena);
}

/* --- promotion --------------------------------------------------------------------------------- */

struct moved_waiting {
	const char *base, *cursor;
	struct feed_page page;
	struct caller caller, writer;
	struct caller_answer written;
};

/* Waits until the standby has everything, including the sender's term, then stops replication. */
static void leave_behind(int64_t term)
{
	const char *url = program.database_url;

	until_number(term, "select term from dispatcher_term");
	program.database_url = url_of(standby, NULL);
	until_number(term, "select term from dispatcher_term");
	assert_true(cluster_sql(standby, "alter system set primary_conninfo = ''", NULL, 0));
	assert_true(cluster_sql(standby, "select pg_reload_conf()", NULL, 0));
	until_number(0, "select count(*) from pg_stat_wal_receiver");
	program.database_url = url;
}

/* A waiting follower, and a write that does not get its answer to COMMIT, while the database goes down. */
static void follow_live(void *ctx, int i)
{
	struct moved_waiting *w = ctx;

	if (i == 0) {
		caller_init(&w->caller, w->base, user.key);
		w->page = feed_get(&w->caller, w->cursor, 100, 5);
		return;
	}
	if (i == 1) { /* without a key: it asks by its transaction's number */
		caller_init(&w->writer, w->base, user.key);
		w->written = caller_send(&w->writer, "POST", "/v1/people", NULL, "{\"firstName\": \"Who\"}");
		return;
	}
	int64_t until_us = patience_ms(ASLEEP_MS / 2);
	while (sql_number("select count(*) from pg_stat_activity where application_name = 'kith'") &&
	       patience_pause(until_us))
		;
	cluster_kill(first);
	if (!cluster_promote(standby))
		fprintf(stderr, "the standby was not promoted\n");
	burn_numbers(standby); /* the number belongs to another transaction now */
}

/* waited: the page of a follower that waited meanwhile. */
static void expect_promoted(struct caller *c, const struct feed_page *waited)
{
	const char *fresh[2];
	struct caller_answer groups;

	receivers_answer(0);
	/* Knowledge of a version of the workspace that was lost is dropped. */
	fresh[0] = told_person(&arena, c, "fresh0");
	fresh[1] = told_person(&arena, c, "fresh1");
	groups = caller_send(c, "GET", "/v1/groups", NULL, NULL);
	assert_int_equal(groups.status, 200);
	assert_null(strstr(groups.reply.body, "Lost"));
	if (waited->answer.status == 200) {
		assert_true(*waited->cursor != '\0');
		told_expect(&arena, c, waited->cursor, fresh, 2);
	}
	after_fresh = told_expect(&arena, c, after_lost, fresh, 2);
	told_expect(&arena, c, after_four, fresh, 2);
	told_expect(&arena, c, after_two, (const char *const[]){old[2], old[3], fresh[0], fresh[1]}, 4);
	for (int i = 0; i < 2; i++) {
		told_expect_taken(&arena, good, fresh[i]);
		told_expect_taken(&arena, failing, fresh[i]);
	}
	for (int i = 0; i < 4; i++) {
		told_expect_taken(&arena, failing, old[i]);
		assert_int_equal(told_taken(&arena, good, old[i]), 0);
	}
}

TEST(test_promotion_that_lost_commits)
{
	const char *orders = TEXT("%s/orders", program.data_dir);
	int64_t term;
	struct server_process *server;
	struct caller ada;

	setenv("FAULT_FILE", orders, 1);
	program.database_url = url_of(first, NULL);
	term = sql_number("select term from dispatcher_term");
	server = start_server(url_of(first, standby));
	program.database_url = url_of(first, NULL);
	leave_behind(term + 1);
	/* Only the first database knows that these are delivered. In the standby they are still due, so the server must
	 * not go by what it has in memory. */
	receivers_answer(0);
	until_number(8, "select count(*) from deliveries where state = 'delivered'");
	caller_init(&ada, server->base, user.key);
	assert_int_equal(
	    caller_send(&ada, "POST", "/v1/groups", NULL, "{\"name\": \"Lost\", \"visibility\": \"public\"}").status,
	    200);
	lost[0] = told_person(&arena, &ada, "lost0");
	lost[1] = told_person(&arena, &ada, "lost1");
	after_lost = told_expect(&arena, &ada, after_four, lost, 2);
	told_expect_taken(&arena, good, lost[0]);
	told_expect_taken(&arena, good, lost[1]);
	receivers_answer(500);
	struct moved_waiting w = {.base = server->base, .cursor = after_lost};
	rig_write(orders, TEXT("commit_sent 1 drop\noutcome 1 sleep=%d\n", ASLEEP_MS));
	caller_crowd_run(3, follow_live, &w);
	unsetenv("FAULT_FILE");
	program.database_url = url_of(standby, NULL);
	/* The answer may have come before its connection was lost; it may then contain an event. */
	assert_true(w.page.n <= 1);
	if (w.written.took_us > ASLEEP_MS * 1000)
		assert_int_equal(w.written.status, 500);
	else
		assert_int_equal(w.written.status, 200);
	expect_promoted(&ada, &w.page);
	caller_free(&w.caller);
	caller_free(&w.writer);
	caller_free(&ada);
	assert_true(server_stop(server));
}

/* --- older files ------------------------------------------------------------------------------------ */

static void copy_database(const char *from, const char *to)
{
	assert_true(cluster_program(standby, (const char *const[]){"/bin/cp", "-a", "--", from, to, NULL}));
}

/* The same cluster and timeline: numbers are assigned a second time. */
TEST(test_files_of_before)
{
	const char *data = cluster_data(standby), *kept = TEXT("%s.kept", data), *there, *fresh, *gone[2], *before,
	           *after;
	struct server_process *server = start_server(url_of(standby, NULL));
	struct caller ada;

	receivers_answer(0);
	caller_init(&ada, server->base, user.key);
	there = told_person(&arena, &ada, "kept");
	before = told_expect(&arena, &ada, after_fresh, &there, 1);
	told_expect_taken(&arena, good, there);
	assert_true(server_stop(server));
	assert_true(cluster_halt(standby, false));
	copy_database(data, kept);
	assert_true(cluster_go(standby));
	server = start_server(url_of(standby, NULL));
	caller_turn(&ada, server->base);
	gone[0] = told_person(&arena, &ada, "gone0");
	gone[1] = told_person(&arena, &ada, "gone1");
	after = told_expect(&arena, &ada, before, gone, 2);
	assert_true(server_stop(server));
	assert_true(cluster_halt(standby, false));
	assert_true(cluster_program(standby, (const char *const[]){"/bin/rm", "-rf", "--", data, NULL}));
	assert_true(cluster_program(standby, (const char *const[]){"/bin/mv", "--", kept, data, NULL}));
	assert_true(cluster_go(standby));
	server = start_server(url_of(standby, NULL));
	caller_turn(&ada, server->base);
	fresh = told_person(&arena, &ada, "fresh2");
	told_expect(&arena, &ada, after, &fresh, 1);
	told_expect_taken(&arena, good, fresh);
	caller_free(&ada);
	assert_true(server_stop(server));
}

/* --- rights ------------------------------------------------------------------------------------------ */

/* All owners and rights, policies included. */
static const char rights_sql[] =
    "select string_agg(line, e'\\n' order by line) from (select distinct regexp_replace(line, '_[0-9]{8} ', '_day ') "
    "as line from (select 'schema ' || n.nspname || ' ' || n.nspowner::regrole || ' ' || a.grantee::regrole || ' ' || "
    "a.privilege_type from pg_namespace n, aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) a where "
    "n.nspname in ('public', 'kith_search') union all select c.oid::regclass || ' ' || c.relowner::regrole || ' ' || "
    "a.grantee::regrole || ' ' || a.privilege_type || ' ' || c.relrowsecurity || c.relforcerowsecurity from pg_class "
    "c, aclexplode(coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::\"char\", "
    "c.relowner))) a where c.relnamespace in ('public'::regnamespace, 'kith_search'::regnamespace) and c.relkind in "
    "('r', 'p', 'v', 'S') union all select p.oid::regprocedure || ' ' || p.proowner::regrole || ' ' || "
    "a.grantee::regrole || ' ' || p.prosecdef from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', "
    "p.proowner))) a where p.pronamespace = 'public'::regnamespace and p.proname !~ "
    "'^(gin|gtrgm|similarity|show_|set_limit|strict_word|word_)' union all select p.polrelid::regclass || ' ' || "
    "p.polname || ' ' || array_to_string(p.polroles::regrole[], ' ') || ' ' || p.polcmd::text || ' ' || "
    "pg_get_expr(p.polqual, p.polrelid) from pg_policy p) l (line)) l";

/* Compares the rights with those of a newly created database. */
static void expect_rights_of_new_one(struct cluster *c)
{
	const char *restored = database_text(&program, &arena, rights_sql), *made, *url = program.database_url;
	size_t same = 0;

	assert_true(cluster_sql(c, "create database made owner owner", NULL, 0));
	migrate_database(TEXT("host=%s port=5432 user=owner dbname=made", cluster_socket_dir(c)));
	sql_number("select kith_partitions()");
	made = database_text(&program, &arena, rights_sql);
	program.database_url = url;
	assert_true(strlen(made) > 1000);
	while (made[same] && made[same] == restored[same])
		same++;
	while (same > 0 && made[same - 1] != '\n')
		same--;
	if (strcmp(made + same, restored + same) != 0)
		fail_msg("made: %.200s\nrestored: %.200s", made + same, restored + same);
}

/* --- dump and restore -------------------------------------------------------------------------------- */

TEST(test_dump)
{
	struct server_process *server;
	struct caller ada;
	const char *fresh[2];

	other = new_cluster(NULL);
	make_database(other);
	assert_true(cluster_program(
	    other, (const char *const[]){"psql", "-X", "-q", "-d", url_of(other, NULL), "-f", dump, NULL}));
	migrate_database(url_of(other, NULL));
	expect_rights_of_new_one(other);
	receivers_answer(0);
	server = start_server(url_of(other, NULL));
	caller_init(&ada, server->base, user.key);
	assert_int_equal(
	    sql_number("select count(*) from events where xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint"),
	    0);
	fresh[0] = told_person(&arena, &ada, "fresh0");
	fresh[1] = told_person(&arena, &ada, "fresh1");
	told_expect(&arena, &ada, after_lost, fresh, 2);
	told_expect(&arena, &ada, after_four, fresh, 2);
	told_expect(&arena, &ada, after_two, (const char *const[]){old[2], old[3], fresh[0], fresh[1]}, 4);
	told_expect(&arena, &ada, "", (const char *const[]){old[0], old[1], old[2], old[3], fresh[0], fresh[1]}, 6);
	for (int i = 0; i < 4; i++) {
		told_expect_taken(&arena, failing, old[i]);
		assert_int_equal(told_taken(&arena, good, old[i]), 0);
	}
	for (int i = 0; i < 2; i++) {
		told_expect_taken(&arena, failing, fresh[i]);
		told_expect_taken(&arena, good, fresh[i]);
	}
	caller_free(&ada);
	assert_true(server_stop(server));
}

/* With a wrong clock or setting no more than two days are lost per hour. */
TEST(test_days_dropped)
{
	assert_int_equal(sql_number("select kith_partitions((now() - interval '100 days')::date)"), 18);
	assert_int_equal(sql_number("select kith_partitions_drop(now() - interval '90 days', 2)"), 4);
	assert_int_equal(sql_number("select kith_partitions_drop(now() - interval '90 days', 2)"), 4);
}
