/* Only row-level security: statements without a condition on their workspace, under the serving roles, on a
 * database with two workspaces. No statement here tests workspace_id, so that only row-level security separates
 * them. */
#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/log.h"
#include "store/db.h"
#include "store/migrate.h"
#include "test/lib/db/cluster.h"
#include "test/lib/test.h"

static struct cluster *cluster;
static char name[64], url[512];
static struct event_base *base;
static struct db *owner, *db;
static struct uuid A, B;

/* --- one exchange ------------------------------------------------------------ */

struct statement_call {
	struct arena arena;
	struct sql sql[8], *list[8];
	struct db_exchange x;
	bool ended;
};

static void call_ended(struct db_exchange *x)
{
	((struct statement_call *)x->owner)->ended = true;
}

static void call_init(struct statement_call *c, enum db_lane lane)
{
	memset(c, 0, sizeof *c);
	arena_init(&c->arena);
	c->x = (struct db_exchange){.lane = lane, .statements = c->list, .done = call_ended, .owner = c};
}

static void call_add(
    struct statement_call *c, const struct uuid *workspace, const char *statement_name, const char *text)
{
	struct sql *s = &c->sql[c->x.n_statements];
	c->list[c->x.n_statements++] = s;
	if (workspace)
		sql_begin(s, &c->arena, statement_name, workspace);
	else
		sql_begin_system(s, &c->arena, statement_name);
	sql_add(s, text);
}

static void call_free(struct statement_call *c)
{
	db_exchange_clear(&c->x);
	arena_free(&c->arena);
}

/* All of it without waiting in between: written, then read. */
static void call_wait(struct statement_call *c)
{
	while (!c->ended) {
		db_flush(db);
		assert_int_equal(event_base_loop(base, EVLOOP_ONCE), 0);
	}
}

#define NAMES "select full_name from people where $1::uuid is not null or workspace_id is not null order by id"

static void expect_names(const struct statement_call *c, int statement, const char *expected)
{
	char all[256] = "";
	for (int i = 0; i < db_rows(&c->x, statement); i++) {
		size_t len = strlen(all);
		snprintf(all + len, sizeof all - len, "%s ", db_text(&c->x, statement, i, 0, NULL));
	}
	assert_string_equal(all, expected);
}

static void run_statement(struct db *on, const char *text, char *out, size_t size)
{
	struct statement_call c;
	call_init(&c, DB_WORK);
	call_add(&c, NULL, NULL, text);
	if (db_run(on, &c.x) != DB_OK)
		fail_msg("%s: %s", text, c.x.message);
	if (out)
		snprintf(out, size, "%s", db_rows(&c.x, 0) ? db_text(&c.x, 0, 0, 0, NULL) : "");
	call_free(&c);
}

/* Sends all statements of the call and waits for them. */
static void call_run(struct statement_call *c)
{
	c->ended = false;
	db_send(db, &c->x);
	call_wait(c);
	assert_int_equal(c->x.status, DB_OK);
}

/* What a statement of the workspace, or NULL: of the system, sees. */
static void expect_seen(
    enum db_lane lane, const struct uuid *workspace, const char *statement_name, const char *text, const char *expected)
{
	struct statement_call c;

	call_init(&c, lane);
	call_add(&c, workspace, statement_name, text);
	call_run(&c);
	expect_names(&c, 0, expected);
	call_free(&c);
}

static void expect_failed(enum db_lane lane, const struct uuid *workspace, const char *text, const char *sqlstate)
{
	struct statement_call c;

	call_init(&c, lane);
	call_add(&c, workspace, NULL, text);
	db_send(db, &c.x);
	call_wait(&c);
	assert_int_equal(c.x.status, DB_FAILED);
	assert_string_equal(c.x.sqlstate, sqlstate);
	call_free(&c);
}

static const char all[] = "select full_name from people order by full_name";

/* --- reads ------------------------------------------------------------------- */

TEST(test_lanes)
{
	static const enum db_lane lanes[] = {DB_POINT, DB_LIST, DB_WRITE, DB_WORK};
	struct statement_call c;

	for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
		for (int round = 0; round < 3; round++) {
			call_init(&c, lanes[i]);
			call_add(&c, &A, round == 2 ? NULL : "forgetful", NAMES);
			call_add(&c, &A, "forgetful", NAMES);
			call_add(&c, &B, "forgetful", NAMES);
			call_add(&c, &A, NULL, NAMES);
			call_run(&c);
			expect_names(&c, 0, "A1 A2 ");
			expect_names(&c, 1, "A1 A2 ");
			expect_names(&c, 2, "B1 ");
			expect_names(&c, 3, "A1 A2 ");
			call_free(&c);
		}
	}
}

/* Many requests of two workspaces in one pipeline. */
TEST(test_shared_pipeline)
{
	struct statement_call c[40];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 40; i++) {
			call_init(&c[i], DB_POINT);
			call_add(&c[i], i / 3 % 2 ? &B : &A, "forgetful", NAMES);
			db_send(db, &c[i].x);
			if (i % 7 == 0)
				db_flush(db);
		}
		for (int i = 0; i < 40; i++) {
			call_wait(&c[i]);
			assert_int_equal(c[i].x.status, DB_OK);
			expect_names(&c[i], 0, i / 3 % 2 ? "B1 " : "A1 A2 ");
			call_free(&c[i]);
		}
	}
}

/* A failure undoes the setting made beside it; statements sent since, which rely on it, give the right result. */
TEST(test_after_failure)
{
	struct statement_call bad, late[4];

	for (int round = 0; round < 4; round++) {
		expect_seen(DB_POINT, round % 2 ? &A : &B, "forgetful", NAMES, round % 2 ? "A1 A2 " : "B1 ");
		call_init(&bad, DB_POINT);
		call_add(&bad, &A, "bad",
		    "select 1 / (length(full_name) - length(full_name)) from people where $1::uuid is not null or "
		    "workspace_id is null");
		db_send(db, &bad.x);
		db_flush(db);
		for (int i = 0; i < 4; i++) {
			call_init(&late[i], DB_POINT);
			call_add(&late[i], i < 3 ? &A : &B, "forgetful", NAMES);
			db_send(db, &late[i].x);
			db_flush(db);
		}
		call_wait(&bad);
		assert_int_equal(bad.x.status, DB_FAILED);
		assert_string_equal(bad.x.sqlstate, "22012");
		call_free(&bad);
		for (int i = 0; i < 4; i++) {
			call_wait(&late[i]);
			assert_int_equal(late[i].x.status, DB_OK);
			expect_names(&late[i], 0, i < 3 ? "A1 A2 " : "B1 ");
			call_free(&late[i]);
		}
	}
}

/* The same with a transaction that is rolled back, on each connection of the lane. */
TEST(test_after_rollback)
{
	struct statement_call c;

	for (int round = 0; round < 6; round++) {
		call_init(&c, DB_WRITE);
		c.x.keep = true;
		call_add(&c, NULL, NULL, "begin");
		call_add(&c, round % 2 ? &A : &B, NULL, NAMES);
		call_run(&c);
		expect_names(&c, 1, round % 2 ? "A1 A2 " : "B1 ");
		if (round < 3) {
			db_session_abandon(db, c.x.session);
		} else {
			db_exchange_clear(&c.x);
			c.x.keep = false;
			c.x.n_statements = 0;
			call_add(&c, NULL, NULL, "rollback");
			call_run(&c);
		}
		call_free(&c);
		expect_seen(DB_WRITE, round % 2 ? &A : &B, NULL, NAMES, round % 2 ? "A1 A2 " : "B1 ");
	}
}

/* A system statement sees everything on the lanes meant for it, and never on those of requests. */
TEST(test_system)
{
	static const struct {
		enum db_lane lane;
		const char *sees;
	} cases[] = {{DB_WORK, "A1 A2 B1 "}, {DB_POINT, ""}, {DB_LIST, ""}, {DB_WRITE, ""}};
	struct db_config config;
	struct statement_call c;

	db_close(db); /* new connections, which have served no workspace */
	db_config_default(&config, url, 1);
	db_config_roles(&config);
	db = db_open(base, &config);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect_seen(cases[i].lane, NULL, NULL, all, cases[i].sees);
	/* Admission cannot read people. */
	expect_failed(DB_ADMIT, NULL, "select full_name from people", "42501");
	/* Both kinds on the lane that serves both. */
	for (int round = 0; round < 3; round++) {
		call_init(&c, DB_WORK);
		call_add(&c, &A, NULL, NAMES);
		call_add(&c, NULL, NULL, all);
		call_add(&c, &B, NULL, NAMES);
		call_run(&c);
		expect_names(&c, 0, "A1 A2 ");
		expect_names(&c, 1, "A1 A2 B1 ");
		expect_names(&c, 2, "B1 ");
		call_free(&c);
	}
}

/* What jobs do on the lane that serves both: system transactions that find nothing and are rolled back, or
 * abandoned, or committed, between reads of either workspace. Whatever came before, system statements see all. */
TEST(test_system_after_rollback)
{
	enum { NONE, COMMITTED, ROLLED_BACK, ABANDONED, ENDS };
	struct statement_call c;

	for (unsigned round = 0; round < 128; round++) {
		unsigned how = round % ENDS, reader = round / ENDS % 4, within = round / ENDS / 4 % 4;
		if (reader)
			expect_seen(DB_WORK, reader == 1 ? &A : &B, NULL, NAMES, reader == 1 ? "A1 A2 " : "B1 ");
		call_init(&c, DB_WORK);
		if (how != NONE)
			call_add(&c, NULL, NULL, "begin");
		if (within)
			call_add(&c, within == 1 ? &A : &B, NULL, NAMES);
		call_add(&c, NULL, NULL, all);
		c.x.keep = how == COMMITTED || how == ROLLED_BACK;
		call_run(&c);
		expect_names(&c, c.x.n_statements - 1, "A1 A2 B1 ");
		db_exchange_clear(&c.x);
		if (c.x.session) {
			c.x.n_statements = 0;
			c.x.keep = false;
			call_add(&c, NULL, NULL, how == COMMITTED ? "commit" : "rollback");
			call_run(&c);
		}
		call_free(&c);
		expect_seen(DB_WORK, NULL, NULL, all, "A1 A2 B1 ");
	}
}

/* --- writes ------------------------------------------------------------------ */

static void expect_affected(const char *text, int64_t n)
{
	struct statement_call c;
	call_init(&c, DB_WRITE);
	call_add(&c, NULL, NULL, "begin");
	call_add(&c, &A, NULL, text);
	call_run(&c); /* without keep: rolled back */
	assert_int_equal(db_affected(&c.x, 1), n);
	call_free(&c);
}

TEST(test_writes)
{
	char text[256];

	expect_affected("update people set description = 'x' where $1::uuid is not null or workspace_id is null", 2);
	expect_affected("delete from people where $1::uuid is not null or workspace_id is null", 2);
	expect_failed(DB_WRITE, &A,
	    "update people set workspace_id = '00000000-0000-7000-8000-00000000000b' where $1::uuid is not null",
	    "42501");
	expect_failed(DB_WRITE, &A,
	    "insert into workspaces (workspace_id, name) select gen_random_uuid(), 'x' where $1::uuid is not null",
	    "42501");
	expect_failed(DB_WRITE, &A,
	    "create table leak as select * from people where $1::uuid is not null or workspace_id is null", "42501");
	expect_failed(
	    DB_WRITE, &A, "update server_secrets set name = 'x' where $1::uuid is null -- workspace_id", "42501");
	run_statement(owner, "select count(*)::text from people", text, sizeof text);
	assert_string_equal(text, "3");
}

/* --- every table -------------------------------------------------------------- */

/* Names of tables with a workspace_id but without row-level security. */
#define UNPROTECTED                                                                                                    \
	"select coalesce(string_agg(c.relname, ' '), '') from pg_class c where c.relkind in ('r', 'p') "               \
	"and c.relnamespace = 'public'::regnamespace and exists (select from pg_attribute a "                          \
	"where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped) "                             \
	"and not (c.relrowsecurity and not c.relforcerowsecurity and (select string_agg(p.polname::text, ' ' "         \
	"order by p.polname) from pg_policy p where p.polrelid = c.oid and p.polname <> 'kith_admit') = 'kith_search " \
	"kith_serve kith_system')"

TEST(test_every_table)
{
	char text[1024];

	run_statement(owner, UNPROTECTED, text, sizeof text);
	assert_string_equal(text, "");
	run_statement(owner,
	    "create table forgotten (workspace_id uuid not null, id uuid not null, primary key (workspace_id, id))",
	    NULL, 0);
	run_statement(owner, UNPROTECTED, text, sizeof text);
	assert_string_equal(text, "forgotten");
	run_statement(owner, "select kith_secure()", NULL, 0);
	run_statement(owner, UNPROTECTED, text, sizeof text);
	assert_string_equal(text, "");
	run_statement(owner, "select relkind::text from pg_class where oid = 'kith_search.forgotten'::regclass", text,
	    sizeof text);
	assert_string_equal(text, "v");
	/* A condition that is too permissive would show nowhere else. */
	run_statement(owner,
	    "select string_agg(distinct polname || ': ' || pg_get_expr(polqual, polrelid), '; ') from pg_policy", text,
	    sizeof text);
	assert_string_equal(text, "kith_admit: true; kith_search: true; kith_serve: (workspace_id = "
	                          "(current_setting('kith.workspace'::text, true))::uuid); "
	                          "kith_system: ((current_setting('kith.workspace'::text, true) = 'all'::text) OR "
	                          "(current_setting('kith.workspace'::text, true) = (workspace_id)::text))");
	run_statement(owner, "drop table forgotten cascade", NULL, 0);
}

/* The conditions of lists reach the indexes: the views are not a barrier to functions that are not leakproof. */
TEST(test_list_plan)
{
	struct statement_call c;
	char plan[2048] = "";

	call_init(&c, DB_LIST);
	call_add(
	    &c, &A, NULL, "explain (costs off) select id from users where workspace_id = $1 and lower(email) = 'x'");
	call_run(&c);
	for (int i = 0; i < db_rows(&c.x, 0); i++) {
		size_t len = strlen(plan);
		snprintf(plan + len, sizeof plan - len, "%s\n", db_text(&c.x, 0, i, 0, NULL));
	}
	assert_non_null(strstr(plan, "Index Cond: "));
	assert_null(strstr(plan, " Filter: (lower("));
	assert_non_null(strstr(plan, "One-Time Filter"));
	call_free(&c);
}

/* --- the database --------------------------------------------------------------- */

BEFORE_ALL()
{
	char error[CLUSTER_ERROR_SIZE];
	struct db_config config;

	log_set_level(LOG_ERROR);
	cluster = cluster_start(error);
	if (!cluster)
		fail_msg("%s", error);
	snprintf(name, sizeof name, "kith_test_walls_%ld", (long)getpid());
	assert_true(cluster_database(cluster, name, url, sizeof url));
	base = event_base_new();
	db_config_default(&config, url, 1);
	config.lane_size[DB_POINT] = config.lane_size[DB_WRITE] = config.lane_size[DB_LIST] = 1;
	for (int lane = 0; lane < DB_LANES; lane++)
		config.lane_size[lane] = lane == DB_WORK;
	owner = db_open(base, &config);
	if (!migrate_apply(owner, false, NULL, NULL, error))
		fail_msg("%s", error);
	memset(&A, 0, sizeof A);
	A.b[6] = 0x70, A.b[8] = 0x80, A.b[15] = 0x0a;
	B = A;
	B.b[15] = 0x0b;
	run_statement(owner,
	    "with w as (insert into workspaces (workspace_id, name) values ('00000000-0000-7000-8000-00000000000a', "
	    "'A'), ('00000000-0000-7000-8000-00000000000b', 'B')) insert into people (workspace_id, id, full_name, "
	    "created_at, created_by, updated_at) select ('00000000-0000-7000-8000-00000000000' || lower(left(n, "
	    "1)))::uuid, ('00000000-0000-7000-8000-00000000000' || right(n, 1))::uuid, n, now(), gen_random_uuid(), "
	    "now() from unnest(array['A1', 'A2', 'B1']) n",
	    NULL, 0);
	db_config_default(&config, url, 1);
	config.lane_size[DB_POINT] = config.lane_size[DB_WRITE] = 1;
	db_config_roles(&config);
	db = db_open(base, &config);
}

AFTER_ALL()
{
	char sql[128];

	db_close(db);
	db_close(owner);
	event_base_free(base);
	snprintf(sql, sizeof sql, "drop database %s with (force)", name);
	cluster_sql(cluster, sql, NULL, 0);
	cluster_stop(cluster);
}
