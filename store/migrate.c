/* Forward-only migrations, see migrate.h. Each is one script that ends with its row in kith_migrations and COMMIT,
 * so that a level is applied completely, with its row, or not at all. */
#include "store/migrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "store/db_private.h"

enum {
	LOCK_DEADLINE_MS = 10 * 60 * 1000, /* another process is migrating */
	SCRIPT_DEADLINE_MS = 24 * 60 * 60 * 1000,
	SCRIPT_MAX = 16 << 20,
	CHECKSUM_SIZE = 65
};

/* The advisory lock's key: "kith" as a number, and 1. */
static const char lock_sql[] = "select pg_advisory_lock(1802073192, 1)";
static const char unlock_sql[] = "select pg_advisory_unlock(1802073192, 1)";

/* Row-level security and its views are renewed with every migration, in its transaction. The views are dropped first
 * because they would prevent changes to their tables; see migrations/0009_row_security.sql. */
static const char before_sql[] =
    /* The views belong to one installation: another one's would be dropped here. */
    "do $$ declare other text; begin "
    "select t.relnamespace::regnamespace into other from pg_class v join pg_rewrite r on r.ev_class = v.oid "
    "join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = "
    "'pg_class'::regclass "
    "join pg_class t on t.oid = d.refobjid where v.relnamespace = to_regnamespace('kith_search') "
    "and t.relnamespace not in (v.relnamespace, current_schema()::regnamespace) limit 1; "
    "if found then raise exception 'schema % of this database holds an installation of kith already: make a database "
    "for this one', other; end if; end $$;\n"
    "drop schema if exists kith_search cascade;\n";
/* A caller must not choose what names mean in a function that runs with its owner's rights: temporary tables, which
 * anybody may create, come first in the search path unless pg_temp is named last. */
static const char secure_sql[] =
    "do $$ declare f record; begin if to_regprocedure('kith_secure()') is not null then "
    "perform kith_secure(); end if; "
    "for f in select oid::regprocedure as name from pg_proc where prosecdef and pronamespace = "
    "current_schema()::regnamespace and proowner = current_user::regrole and not exists (select from "
    "unnest(proconfig) c where c like 'search_path=%, pg_temp') loop "
    "execute format('alter function %s set search_path = %I, pg_temp', f.name, current_schema()); end loop; end $$";
static const char settle_sql[] =
    "do $$ begin if to_regprocedure('kith_settle()') is not null then perform kith_settle(); end if; end $$";

static const char table_sql[] =
    "create table if not exists kith_migrations (level int primary key, name text not null, "
    "checksum text not null, applied_at timestamptz not null default clock_timestamp())";

struct migrate_run {
	struct db *db;
	struct arena arena;
	struct db_exchange x;
	struct sql sql[1];
	struct sql *list[1];
};

static void migrate_init(struct migrate_run *s, struct db *db)
{
	memset(s, 0, sizeof *s);
	s->db = db;
	arena_init(&s->arena);
	s->list[0] = s->sql;
	s->x.lane = DB_WORK;
	s->x.statements = s->list;
	s->x.n_statements = 1;
}

static void migrate_free(struct migrate_run *s)
{
	db_exchange_clear(&s->x);
	arena_free(&s->arena);
}

static struct sql *step_sql(struct migrate_run *s)
{
	db_exchange_clear(&s->x);
	s->x.n_statements = 1;
	sql_begin_system(s->sql, &s->arena, NULL);
	return s->sql;
}

static bool step_run(struct migrate_run *s, const char *text)
{
	sql_add(step_sql(s), text);
	return db_run(s->db, &s->x) == DB_OK;
}

/* --- comparing ------------------------------------------------------------- */

/* Our checksums, by the server's own sha256_digest(), one per migration, in the arena. */
static const char **migration_checksums(struct migrate_run *s, const struct migration *table, int n)
{
	const void **texts = arena_alloc(&s->arena, (size_t)n * sizeof *texts);
	size_t *lens = arena_alloc(&s->arena, (size_t)n * sizeof *lens);
	const char **sums = arena_alloc(&s->arena, (size_t)n * sizeof *sums);
	for (int i = 0; i < n; i++) {
		texts[i] = table[i].sql;
		lens[i] = strlen(table[i].sql);
	}
	struct sql *q = step_sql(s);
	sql_add(q, "select encode(sha256(t.b), 'hex') from unnest(");
	sql_bytea_array(q, texts, lens, (size_t)n);
	sql_add(q, ") with ordinality as t(b, n) order by t.n");
	if (db_run(s->db, &s->x) != DB_OK || db_rows(&s->x, 0) != n)
		return NULL;
	for (int i = 0; i < n; i++)
		sums[i] = arena_dupz(&s->arena, db_text(&s->x, 0, i, 0, NULL));
	return sums;
}

/* Levels from before the first release began with another first migration and cannot be upgraded. */
static bool is_unreleased(int level, const char *name)
{
	return level == 1 && strcmp(name, "init") == 0;
}

static enum migrate_check migrate_compare(
    struct migrate_run *s, const struct migration *table, int n, const char **sums, int *level)
{
	*level = 0;
	if (!step_run(s, "select to_regclass('kith_migrations') is not null"))
		return MIGRATE_UNKNOWN;
	if (!db_bool(&s->x, 0, 0, 0))
		return n == 0 ? MIGRATE_CURRENT : MIGRATE_OLDER;
	if (!step_run(s, "select level, name, checksum from kith_migrations order by level"))
		return MIGRATE_UNKNOWN;
	int rows = db_rows(&s->x, 0);
	bool changed = false, unreleased = false;
	for (int i = 0; i < rows; i++) {
		*level = (int)db_int(&s->x, 0, i, 0);
		unreleased |= is_unreleased(*level, db_text(&s->x, 0, i, 1, NULL));
		if (i < n)
			changed |= *level != table[i].level || strcmp(db_text(&s->x, 0, i, 2, NULL), sums[i]) != 0;
	}
	if (unreleased)
		return MIGRATE_UNRELEASED;
	if (changed)
		return MIGRATE_CHANGED;
	return rows > n ? MIGRATE_NEWER : rows < n ? MIGRATE_OLDER : MIGRATE_CURRENT;
}

enum migrate_check migrate_check(struct db *db, int *level)
{
	struct migrate_run s;
	migrate_init(&s, db);
	*level = 0;
	const char **sums = migration_checksums(&s, migrations, n_migrations);
	enum migrate_check check = sums ? migrate_compare(&s, migrations, n_migrations, sums, level) : MIGRATE_UNKNOWN;
	migrate_free(&s);
	return check;
}

/* --- applying -------------------------------------------------------------- */

static bool migrate_failed(const struct migrate_run *s, const char *what, char error[512])
{
	const struct db_exchange *x = &s->x;
	if (x->status == DB_FAILED)
		snprintf(error, 512, "%s: %s (SQLSTATE %s)", what, x->message, x->sqlstate);
	else
		snprintf(error, 512, "%s: the database %s", what,
		    x->status == DB_LOST ? "connection broke; run kith migrate again, it continues where it stopped"
		                         : "does not answer");
	return false;
}

static void script_ended(struct db_exchange *x)
{
	*(bool *)x->owner = true;
}

static bool apply_one(struct migrate_run *s, const struct migration *m, const char *sum, char error[512])
{
	struct buf text;
	bool ended = false;
	char what[128];
	snprintf(what, sizeof what, "migration %04d_%s", m->level, m->name);
	buf_init(&text, SCRIPT_MAX);
	buf_addz(&text, "begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;\n");
	buf_addz(&text, before_sql);
	buf_addz(&text, m->sql);
	buf_printf(&text, "\n;%s;%s", secure_sql, settle_sql);
	/* Level, name and checksum are our own digits and letters: no quoting needed. */
	buf_printf(&text, "\n;insert into kith_migrations (level, name, checksum) values (%d, '%s', '%s'); commit;",
	    m->level, m->name, sum);
	if (text.overflow) {
		buf_free(&text);
		snprintf(error, 512, "%s: longer than %d bytes", what, SCRIPT_MAX);
		return false;
	}
	db_exchange_clear(&s->x);
	s->x.n_statements = 0;
	s->x.deadline_ms = SCRIPT_DEADLINE_MS;
	s->x.done = script_ended;
	s->x.owner = &ended;
	db_send_script(s->db, &s->x, text.data);
	db_run_until(s->db, &ended);
	s->x.done = NULL;
	s->x.deadline_ms = 0;
	buf_free(&text);
	return s->x.status == DB_OK || migrate_failed(s, what, error);
}

static bool judge_level(enum migrate_check check, int level, const struct migrate_run *s, char error[512])
{
	if (check == MIGRATE_UNKNOWN)
		return migrate_failed(s, "reading kith_migrations", error);
	if (check == MIGRATE_NEWER)
		snprintf(error, 512, "the database is at level %d, made by a newer program: use that one", level);
	else if (check == MIGRATE_UNRELEASED)
		snprintf(error, 512, MIGRATE_UNRELEASED_TEXT, level);
	else if (check == MIGRATE_CHANGED)
		snprintf(error, 512, "a migration that was applied is not the one in this program (database level %d)",
		    level);
	else
		return true;
	return false;
}

static const char roles_sql[] = "select set_config('kith.roles', coalesce(string_agg(rolname, ','), ''), true) from "
                                "pg_roles where rolname like 'kith%'";
/* Catalogue rows created or changed by this transaction; its subtransactions have higher numbers. */
static const char made_sql[] =
    "with here as materialized (select age(pg_current_xact_id()::xid) as age) "
    "select (select coalesce(string_agg(rolname, ', ' order by rolname), '') from pg_roles where rolname like 'kith%' "
    "and rolname <> all (string_to_array(current_setting('kith.roles'), ','))), (select count(*)::int from ("
    "select c.oid from pg_class c, here where age(c.xmin) <= here.age and c.relkind in ('r', 'p', 'v', 'S') "
    "union select p.polrelid from pg_policy p, here where age(p.xmin) <= here.age "
    "union all select f.oid from pg_proc f, here where age(f.xmin) <= here.age "
    "union all select n.oid from pg_namespace n, here where age(n.xmin) <= here.age) m)";

/* A database may come from another cluster, without the roles and everything that names them. */
static bool make_again(struct migrate_run *s, bool plan, void (*report)(const struct migrate_step *, void *), void *ctx)
{
	const char *const texts[] = {"begin isolation level read committed", roles_sql, secure_sql, made_sql,
	    settle_sql, plan ? "rollback" : "commit"};
	enum { MADE = 3, SETTLE = 4, N = sizeof texts / sizeof *texts };
	struct sql statements[N], *list[N];
	int n = 0;

	db_exchange_clear(&s->x);
	for (int i = 0; i < N; i++) {
		if (plan && i == SETTLE)
			continue;
		sql_begin_system(list[n] = &statements[n], &s->arena, NULL);
		sql_add(list[n++], texts[i]);
	}
	s->x.statements = list;
	s->x.n_statements = n;
	bool done = db_run(s->db, &s->x) == DB_OK;
	s->x.statements = s->list;
	if (!done)
		return false;
	struct migrate_step made = {.roles = arena_dupz(&s->arena, db_text(&s->x, MADE, 0, 0, NULL)),
	    .objects = (int)db_int(&s->x, MADE, 0, 1)};
	if (report && (*made.roles || made.objects))
		report(&made, ctx);
	return true;
}

/* Called with the lock held, unless it is a plan. */
static bool apply_missing(struct migrate_run *s, const struct migration *table, int n, bool plan,
    void (*report)(const struct migrate_step *, void *), void *ctx, char error[512])
{
	int level = 0;
	if (!plan && !step_run(s, table_sql))
		return migrate_failed(s, "creating kith_migrations", error);
	const char **sums = migration_checksums(s, table, n);
	if (!sums)
		return migrate_failed(s, "computing checksums", error);
	enum migrate_check check = migrate_compare(s, table, n, sums, &level);
	if (!judge_level(check, level, s, error))
		return false;
	for (int i = 0; i < n; i++) {
		if (table[i].level <= level)
			continue;
		if (!plan && !apply_one(s, &table[i], sums[i], error))
			return false;
		if (report)
			report(&(struct migrate_step){.migration = &table[i]}, ctx);
	}
	if (check == MIGRATE_CURRENT && !make_again(s, plan, report, ctx))
		return migrate_failed(s, "protecting the tables", error);
	return true;
}

bool migrate_apply_table(struct db *db, const struct migration *table, int n, bool plan,
    void (*report)(const struct migrate_step *, void *), void *ctx, char error[512])
{
	struct migrate_run s;
	bool done;
	migrate_init(&s, db);
	error[0] = '\0';
	if (plan) {
		done = apply_missing(&s, table, n, true, report, ctx, error);
		migrate_free(&s);
		return done;
	}
	s.x.keep = true;
	s.x.deadline_ms = LOCK_DEADLINE_MS;
	done = step_run(&s, "set statement_timeout = 0");
	if (!done)
		migrate_failed(&s, "connecting", error);
	else if (!(done = step_run(&s, lock_sql)))
		migrate_failed(&s, "waiting for another kith migrate", error);
	s.x.deadline_ms = 0;
	if (done)
		done = apply_missing(&s, table, n, false, report, ctx, error);
	if (done)
		(void)step_run(&s, unlock_sql);
	/* Closed, not returned: neither the lock nor the setting may remain. */
	if (s.x.session)
		db_session_close(db, s.x.session);
	migrate_free(&s);
	return done;
}

bool migrate_apply(
    struct db *db, bool plan, void (*report)(const struct migrate_step *s, void *ctx), void *ctx, char error[512])
{
	return migrate_apply_table(db, migrations, n_migrations, plan, report, ctx, error);
}
