/* Forward-only migrations, see migrate.h. Each is one transaction that ends with its row in kith_migrations, so that
 * a level is applied completely, with its row, or not at all. */
#include "store/migrate.h"

#include <stdio.h>
#include <string.h>

#include "server/base/built_in.h"
#include "server/base/crypto.h"
#include "server/base/text.h"
#include "store/db_ask.h"

enum {
	LOCK_DEADLINE_MS = 10 * 60 * 1000, /* another process is migrating */
	APPLY_DEADLINE_MS = 24 * 60 * 60 * 1000,
	CHECKSUM_SIZE = 2 * SHA256_SIZE + 1
};

static const char no_timeout_sql[] = "set local statement_timeout = 0";

/* The advisory lock's key: "kith" as a number, and 1. */
static const char lock_sql[] = "select pg_advisory_lock(1802073192, 1)";
static const char unlock_sql[] = "select pg_advisory_unlock(1802073192, 1)";

static const char table_sql[] =
    "create table if not exists kith_migrations (level int primary key, name text not null, "
    "checksum text not null, applied_at timestamptz not null default clock_timestamp())";

struct migrate_run {
	struct db *db;
	struct db_ask ask; /* the latest exchange, with its results */
	bool locked;       /* its session holds the advisory lock */
};

/* Runs the statements as one exchange. */
static bool run_texts(struct migrate_run *m, int deadline_ms, int n, const char *const texts[])
{
	struct db_session *session = m->ask.x.session;

	db_ask_end(&m->ask);
	db_ask_begin(&m->ask);
	for (int i = 0; i < n; i++) {
		struct sql *s = db_ask_add(&m->ask);
		sql_begin_system(s, &m->ask.arena, NULL);
		sql_add(s, texts[i]);
	}
	m->ask.x.session = session;
	m->ask.x.keep = m->locked;
	m->ask.x.deadline_ms = deadline_ms;
	return db_ask_run(&m->ask, m->db) == DB_OK;
}

static bool run_text(struct migrate_run *m, const char *text)
{
	return run_texts(m, 0, 1, &text);
}

/* --- comparing ------------------------------------------------------------- */

static void migration_checksum(const struct migration *migration, char out[CHECKSUM_SIZE])
{
	unsigned char digest[SHA256_SIZE];

	sha256_digest(migration->sql, strlen(migration->sql), digest);
	text_hex(out, digest, sizeof digest);
}

/* Levels from before the first release began with another first migration and cannot be upgraded. */
static bool is_unreleased(int level, const char *name)
{
	return level == 1 && strcmp(name, "init") == 0;
}

static enum migrate_check migrate_compare(struct migrate_run *m, const struct migration *table, int n, int *level)
{
	const struct db_exchange *x = &m->ask.x;

	*level = 0;
	if (!run_text(m, "select to_regclass('kith_migrations') is not null"))
		return MIGRATE_UNKNOWN;
	if (!db_bool(x, 0, 0, 0))
		return n == 0 ? MIGRATE_CURRENT : MIGRATE_OLDER;
	if (!run_text(m, "select level, name, checksum from kith_migrations order by level"))
		return MIGRATE_UNKNOWN;
	int rows = db_rows(x, 0);
	bool changed = false, unreleased = false;
	for (int i = 0; i < rows; i++) {
		char sum[CHECKSUM_SIZE];
		*level = (int)db_int(x, 0, i, 0);
		unreleased |= is_unreleased(*level, db_text(x, 0, i, 1, NULL));
		if (i >= n)
			continue;
		migration_checksum(&table[i], sum);
		changed |= *level != table[i].level || strcmp(db_text(x, 0, i, 2, NULL), sum) != 0;
	}
	if (unreleased)
		return MIGRATE_UNRELEASED;
	if (changed)
		return MIGRATE_CHANGED;
	return rows > n ? MIGRATE_NEWER : rows < n ? MIGRATE_OLDER : MIGRATE_CURRENT;
}

enum migrate_check migrate_check(struct db *db, int *level)
{
	struct migrate_run m = {.db = db};
	enum migrate_check check = migrate_compare(&m, migrations, n_migrations, level);

	db_ask_end(&m.ask);
	return check;
}

bool migrate_possible(enum migrate_check check, int level, char error[512])
{
	if (check == MIGRATE_NEWER)
		snprintf(error, 512, "the database is at level %d, this program knows only %d: use the newer program",
		    level, n_migrations);
	else if (check == MIGRATE_UNRELEASED)
		snprintf(error, 512,
		    "the database was made by a build of kith from before release 0.2.0 (level %d), and cannot be "
		    "migrated: export its records with the program that made it, and import them into a new database",
		    level);
	else if (check == MIGRATE_CHANGED)
		snprintf(error, 512,
		    "a migration that the database has applied differs from this program's (level %d): it was made by "
		    "another build; restore the right program or database",
		    level);
	else
		return true;
	return false;
}

/* --- applying -------------------------------------------------------------- */

static bool migrate_failed(const struct migrate_run *m, const char *what, char error[512])
{
	const struct db_exchange *x = &m->ask.x;

	if (x->status == DB_FAILED)
		snprintf(error, 512, "%s: %s (SQLSTATE %s)", what, x->message, x->sqlstate);
	else
		snprintf(error, 512, "%s: the database %s", what,
		    x->status == DB_LOST ? "connection broke; run kith migrate again, it continues where it stopped"
		                         : "does not answer");
	return false;
}

/* All lists read through the views, and would wait until the transaction that drops them ends. A migration that only
 * builds indexes, which takes long, leaves them. */
static bool migration_leaves_views(const struct migration *migration)
{
	static const char *const changes[] = {"alter table ", "create table ", "drop table ", " function "};
	size_t i = 0, n = sizeof changes / sizeof *changes;

	while (i < n && !strstr(migration->sql, changes[i]))
		i++;
	return i == n;
}

static bool apply_one(struct migrate_run *m, const struct migration *migration, char error[512])
{
	struct arena a;
	char what[128], sum[CHECKSUM_SIZE];

	arena_init(&a);
	migration_checksum(migration, sum);
	snprintf(what, sizeof what, "migration %04d_%s", migration->level, migration->name);
	/* A pipeline allows one statement at a time; this one runs the whole script. */
	const char *script =
	    arena_printf(&a, "do $kith_do$ begin execute $kith_sql$%s$kith_sql$; end $kith_do$", migration->sql);
	/* Level, name and checksum are our own digits and letters: no quoting needed. */
	const char *row =
	    arena_printf(&a, "insert into kith_migrations (level, name, checksum) values (%d, '%s', '%s')",
	        migration->level, migration->name, sum);
	const char *views = migration_leaves_views(migration) ? "set local kith.views = 'stay'" : no_timeout_sql;
	const char *const texts[] = {"begin", no_timeout_sql, views, built_in_text("migrate before"), script,
	    built_in_text("migrate secure"), built_in_text("migrate settle"), row, "commit"};
	bool done = run_texts(m, APPLY_DEADLINE_MS, sizeof texts / sizeof *texts, texts);
	arena_free(&a);
	return done || migrate_failed(m, what, error);
}

/* A database that was restored into another cluster lacks the roles, and every grant and policy that names them. */
static bool make_again(struct migrate_run *m, bool plan, migrate_report_fn *report, void *ctx)
{
	const char *const texts[] = {"begin isolation level read committed", no_timeout_sql,
	    built_in_text("migrate roles"), built_in_text("migrate secure"), built_in_text("migrate made"),
	    plan ? "rollback" : built_in_text("migrate settle"), "commit"};

	enum { MADE = 4, N = sizeof texts / sizeof *texts };

	if (!run_texts(m, APPLY_DEADLINE_MS, plan ? N - 1 : N, texts))
		return false;
	struct migrate_step made = {
	    .roles = db_text(&m->ask.x, MADE, 0, 0, NULL), .objects = (int)db_int(&m->ask.x, MADE, 0, 1)};
	if (report && (*made.roles || made.objects))
		report(&made, ctx);
	return true;
}

/* Called with the lock held, unless it is a plan. */
static bool apply_missing(struct migrate_run *m, const struct migration *table, int n, bool plan,
    migrate_report_fn *report, void *ctx, char error[512])
{
	int level = 0;

	if (!plan && !run_text(m, table_sql))
		return migrate_failed(m, "creating kith_migrations", error);
	enum migrate_check check = migrate_compare(m, table, n, &level);
	if (check == MIGRATE_UNKNOWN)
		return migrate_failed(m, "reading kith_migrations", error);
	if (!migrate_possible(check, level, error))
		return false;
	for (int i = 0; i < n; i++) {
		if (table[i].level <= level)
			continue;
		if (!plan && !apply_one(m, &table[i], error))
			return false;
		if (report)
			report(&(struct migrate_step){.migration = &table[i]}, ctx);
	}
	if (check == MIGRATE_CURRENT && !make_again(m, plan, report, ctx))
		return migrate_failed(m, "protecting the tables", error);
	return true;
}

bool migrate_apply_table(struct db *db, const struct migration *table, int n, bool plan, migrate_report_fn *report,
    void *ctx, char error[512])
{
	const char *const lock[] = {"begin", no_timeout_sql, lock_sql, "commit"};
	const char *const unlock[] = {"rollback", unlock_sql};
	struct migrate_run m = {.db = db, .locked = !plan};

	error[0] = '\0';
	bool done = plan || run_texts(&m, LOCK_DEADLINE_MS, sizeof lock / sizeof *lock, lock) ||
	            migrate_failed(&m, "waiting for the lock of migrations", error);
	done = done && apply_missing(&m, table, n, plan, report, ctx, error);
	m.locked = false;
	if (m.ask.x.session)
		run_texts(&m, 0, sizeof unlock / sizeof *unlock, unlock);
	db_ask_end(&m.ask);
	return done;
}

bool migrate_apply(struct db *db, bool plan, migrate_report_fn *report, void *ctx, char error[512])
{
	return migrate_apply_table(db, migrations, n_migrations, plan, report, ctx, error);
}
