/* Migrations on a throw-away cluster: twice, by two processes, changed, newer, failing. */
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/log.h"
#include "store/migrate.h"
#include "test/lib/db/cluster.h"
#include "test/lib/server/child.h"
#include "test/lib/test.h"

enum { MIGRATIONS_MAX = 256, RELEASED = 16 /* the level of v0.3.0 */ };

static struct cluster *cluster;

struct fixture {
	char name[64], url[512];
	struct event_base *base;
	struct db *db;
};

static void fixture_open(struct fixture *f)
{
	struct db_config config;
	f->base = event_base_new();
	db_config_default(&config, f->url, 1);
	for (int lane = 0; lane < DB_LANES; lane++)
		config.lane_size[lane] = lane == DB_WORK ? 2 : 0;
	f->db = db_open(f->base, &config);
}

static void fixture_close(struct fixture *f)
{
	db_close(f->db);
	event_base_free(f->base);
}

/* The database of each case. */
static struct fixture f;
static char error[512];

BEFORE_EACH()
{
	snprintf(f.name, sizeof f.name, "kith_test_migrate_%ld", (long)getpid());
	assert_true(cluster_database(cluster, f.name, f.url, sizeof f.url));
	fixture_open(&f);
}

AFTER_EACH()
{
	char sql[128];

	fixture_close(&f);
	snprintf(sql, sizeof sql, "drop database %s with (force)", f.name);
	assert_true(cluster_sql(cluster, sql, NULL, 0));
}

static enum db_status run_sql(const char *text, char *out, size_t size)
{
	struct arena arena;
	struct sql s, *list[] = {&s};
	struct db_exchange x = {.lane = DB_WORK, .statements = list, .n_statements = 1};
	arena_init(&arena);
	sql_begin_system(&s, &arena, NULL);
	sql_add(&s, text);
	enum db_status status = db_run(f.db, &x);
	if (out)
		snprintf(out, size, "%s", status == DB_OK && db_rows(&x, 0) ? db_text(&x, 0, 0, 0, NULL) : "");
	db_exchange_clear(&x);
	arena_free(&arena);
	return status;
}

static void do_sql(const char *text)
{
	assert_int_equal(run_sql(text, NULL, 0), DB_OK);
}

static void expect_sql(const char *expected, const char *text)
{
	char found[512];

	assert_int_equal(run_sql(text, found, sizeof found), DB_OK);
	assert_string_equal(found, expected);
}

static void apply_all(void)
{
	if (!migrate_apply(f.db, false, NULL, NULL, error))
		fail_msg("%s", error);
}

static void count_step(const struct migrate_step *s, void *ctx)
{
	(void)s;
	++*(int *)ctx;
}

TEST(test_twice)
{
	int level = -1, n = 0;

	assert_true(n_migrations > 0);
	assert_int_equal(migrate_check(f.db, &level), MIGRATE_OLDER);
	assert_int_equal(level, 0);
	/* A plan reports everything and does nothing. */
	assert_true(migrate_apply(f.db, true, count_step, &n, error));
	assert_int_equal(n, n_migrations);
	assert_int_equal(migrate_check(f.db, &level), MIGRATE_OLDER);
	n = 0;
	assert_true(migrate_apply(f.db, false, count_step, &n, error));
	assert_int_equal(n, n_migrations);
	assert_int_equal(migrate_check(f.db, &level), MIGRATE_CURRENT);
	assert_int_equal(level, migrations[n_migrations - 1].level);
	n = 0;
	assert_true(migrate_apply(f.db, false, count_step, &n, error));
	assert_int_equal(n, 0);
	/* The connection keeps nothing of it. */
	expect_sql("0", "select count(*)::text from pg_locks where locktype = 'advisory'");
	for (int i = 0; i < 4; i++)
		expect_sql("1min", "select current_setting('statement_timeout')");
}

TEST(test_changed_and_newer)
{
	int level;

	apply_all();
	do_sql("insert into kith_migrations (level, name, checksum) values (9999, 'later', '')");
	assert_int_equal(migrate_check(f.db, &level), MIGRATE_NEWER);
	assert_int_equal(level, 9999);
	assert_false(migrate_apply(f.db, false, NULL, NULL, error));
	assert_non_null(strstr(error, "newer"));
	do_sql("delete from kith_migrations where level = 9999");
	/* Each text in its place. */
	do_sql("update kith_migrations set checksum = (select checksum from kith_migrations where level = 7) where "
	       "level = 6");
	assert_int_equal(migrate_check(f.db, &level), MIGRATE_CHANGED);
	do_sql("update kith_migrations set checksum = 'x' where level = 1");
	assert_int_equal(migrate_check(f.db, &level), MIGRATE_CHANGED);
	assert_false(migrate_apply(f.db, false, NULL, NULL, error));
	assert_false(migrate_apply(f.db, true, NULL, NULL, error));
	/* Levels from before the first release, whatever their texts. */
	do_sql("update kith_migrations set name = 'init' where level = 1");
	assert_int_equal(migrate_check(f.db, &level), MIGRATE_UNRELEASED);
	assert_false(migrate_apply(f.db, false, NULL, NULL, error));
	assert_non_null(strstr(error, "export its records"));
}

/* Functions with their owner's rights must have temporary schemas last in their search path: all of them, including
 * future ones. */
TEST(test_definers)
{
	static const char text[] = "select coalesce(string_agg(oid::regprocedure::text, ' '), '') from pg_proc where "
	                           "prosecdef and pronamespace = 'public'::regnamespace and not exists (select from "
	                           "unnest(proconfig) c where c like 'search_path=%, pg_temp')";
	char found[512];

	apply_all();
	expect_sql("", text);
	run_sql("select count(*)::text from pg_proc where prosecdef and proname like 'kith_%'", found, sizeof found);
	assert_true(strtol(found, NULL, 10) > 0);
}

/* Moving a database by logical replication publishes all tables: rows without a replica identity could not be
 * changed any more. */
TEST(test_published)
{
	static const char text[] =
	    "select coalesce(string_agg(c.oid::regclass::text, ' '), '') from pg_class c where c.relnamespace = "
	    "'public'::regnamespace and c.relkind in ('r', 'p') and c.relpersistence = 'p' and c.relreplident <> 'f' "
	    "and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)";

	apply_all();
	expect_sql("", text);
}

static void keep_step(const struct migrate_step *s, void *ctx)
{
	struct migrate_step *kept = ctx;
	assert_null(s->migration);
	assert_null(kept->roles);
	*kept = *s;
	kept->roles = strdup(s->roles);
}

/* From a dump, in a cluster without the roles: a plan reports what is missing and creates nothing. */
TEST(test_restored)
{
	static const char lost[] = "do $$ begin drop owned by kith_serve, kith_system, kith_admit, kith_search "
	                           "cascade; drop role kith_serve, kith_system, kith_admit, kith_search; end $$";
	static const char roles[] = "select count(*)::text from pg_roles where rolname like 'kith%'";
	struct migrate_step planned = {0}, again = {0}, applied = {0}, nothing = {0};

	apply_all();
	do_sql(lost);
	assert_true(migrate_apply(f.db, true, keep_step, &planned, error));
	expect_sql("0", roles);
	assert_string_equal(planned.roles, "kith_admit, kith_search, kith_serve, kith_system");
	assert_true(planned.objects > 50);
	assert_true(migrate_apply(f.db, true, keep_step, &again, error));
	assert_int_equal(again.objects, planned.objects);
	assert_true(migrate_apply(f.db, false, keep_step, &applied, error));
	assert_int_equal(applied.objects, planned.objects);
	assert_string_equal(applied.roles, planned.roles);
	/* No object is missing, but a grant is. */
	assert_true(migrate_apply(f.db, true, keep_step, &nothing, error));
	assert_null(nothing.roles);
	free((char *)again.roles);
	again.roles = NULL;
	do_sql("revoke select on people from kith_serve");
	assert_true(migrate_apply(f.db, true, keep_step, &again, error));
	assert_int_equal(again.objects, 1);
	assert_string_equal(again.roles, "");
	free((char *)planned.roles);
	free((char *)again.roles);
	free((char *)applied.roles);
}

/* A second installation in another schema is refused, and the first one's views stay. */
TEST(test_one_installation)
{
	static const char views[] = "select count(*)::text from pg_views where schemaname = 'kith_search'";
	struct fixture second;
	char before[16], after[16];

	apply_all();
	assert_int_equal(run_sql(views, before, sizeof before), DB_OK);
	do_sql("create schema two");
	second = f;
	snprintf(second.url, sizeof second.url, "%.400s options='-c search_path=two,public'", f.url);
	fixture_open(&second);
	assert_false(migrate_apply(second.db, false, NULL, NULL, error));
	assert_non_null(strstr(error, "holds an installation"));
	fixture_close(&second);
	assert_int_equal(run_sql(views, after, sizeof after), DB_OK);
	assert_string_equal(before, after);
	assert_string_not_equal(before, "0");
}

/* The first stays, the failed one leaves nothing, and the next run continues from there. */
TEST(test_failing)
{
	static const struct migration bad[] = {{1, "one", "create table one (a int);\n-- a comment at the end"},
	    {2, "two", "create table two (a int); select 1 / 0; create table three (a int);"}};
	static const struct migration good[] = {{1, "one", "create table one (a int);\n-- a comment at the end"},
	    {2, "two", "create function f() returns int language sql as $$ select 1; $$; create table two (a int)"}};
	int n = 0;

	assert_false(migrate_apply_table(f.db, bad, 2, false, count_step, &n, error));
	assert_non_null(strstr(error, "migration 0002_two: division by zero"));
	assert_int_equal(n, 1);
	expect_sql("none", "select coalesce(to_regclass('two')::text, 'none')");
	n = 0;
	assert_true(migrate_apply_table(f.db, good, 2, false, count_step, &n, error));
	assert_int_equal(n, 1);
	do_sql("select f() from two");
}

/* Building the indexes of tables that have rows takes long. Nobody who reads waits for it. */
TEST(test_readers_go_on)
{
	static struct migration table[MIGRATIONS_MAX];
	char sql[16384];
	int n = 0;

	while (n < n_migrations && (migrations[n].level <= RELEASED || !strstr(migrations[n].sql, "using gin"))) {
		table[n] = migrations[n];
		n++;
	}
	assert_true(n < n_migrations);
	assert_true(migrate_apply_table(f.db, table, n, false, NULL, NULL, error));
	do_sql("create table waited_for (n int)");
	snprintf(sql, sizeof sql,
	    "%s;\ninsert into waited_for select count(*) from pg_locks where pid = pg_backend_pid() and mode = "
	    "'AccessExclusiveLock' and locktype = 'relation' and relation not in (select oid from pg_class where "
	    "relkind = 'i')",
	    migrations[n].sql);
	table[n] = (struct migration){migrations[n].level, migrations[n].name, sql};
	assert_true(migrate_apply_table(f.db, table, n + 1, false, NULL, NULL, error));
	expect_sql("0", "select n::text from waited_for");
}

static int migrate_in_child(const char *url)
{
	static const struct migration slow[] = {
	    {1, "one", "select pg_sleep(0.3); create table one (a int)"}, {2, "two", "create table two (a int)"}};
	struct fixture mine;
	int n = 0;
	snprintf(mine.url, sizeof mine.url, "%s", url);
	fixture_open(&mine);
	bool done = migrate_apply_table(mine.db, slow, 2, false, count_step, &n, error);
	fixture_close(&mine);
	return done ? n : 99;
}

TEST(test_two_processes)
{
	pid_t children[3];
	int total = 0;

	fixture_close(&f);
	for (int i = 0; i < 3; i++) {
		children[i] = child_fork();
		if (children[i] == 0)
			_exit(migrate_in_child(f.url));
	}
	for (int i = 0; i < 3; i++) {
		int status;
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_true(WIFEXITED(status));
		total += WEXITSTATUS(status);
	}
	assert_int_equal(total, 2); /* one process applied everything */
	fixture_open(&f);
}

TEST(test_no_server)
{
	struct fixture absent = {.url = "host=/nonexistent port=1"};
	int level;

	fixture_open(&absent);
	assert_int_equal(migrate_check(absent.db, &level), MIGRATE_UNKNOWN);
	assert_false(migrate_apply(absent.db, false, NULL, NULL, error));
	assert_non_null(strstr(error, "does not answer"));
	assert_null(strstr(error, "another"));
	fixture_close(&absent);
}

BEFORE_ALL()
{
	char why[CLUSTER_ERROR_SIZE];

	log_set_level(LOG_ERROR);
	cluster = cluster_start(why);
	if (!cluster)
		fail_msg("%s", why);
}

AFTER_ALL()
{
	cluster_stop(cluster);
}
