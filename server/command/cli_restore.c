/* kith restore puts a backup of kith into an empty database. It checks everything before it writes anything. Then it
 * writes the secret file, restores the database in one transaction, and creates what belongs to this cluster: roles,
 * rights and statistics. After an interruption it can be run again, or it says how to continue. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/command/cli.h"
#include "server/embedded/cluster_place.h"
#include "server/cell/archive.h"
#include "server/cell/cell_table.h"
#include "server/operate/counted.h"
#include "server/operate/manifest.h"
#include "server/operate/piped.h"
#include "server/operate/sealed.h"
#include "store/db_admin.h"
#include "store/db_ask.h"
#include "store/migrate.h"
#include "webhook/vault.h"

enum { PROGRESS_US = 5 * 1000 * 1000, LIST_MAX = 16 << 20, ANALYZE_MS = 24 * 60 * 60 * 1000 };

struct restore {
	struct session session;
	struct arena arena;
	const char *path;
	int dir;
	struct manifest manifest;
	bool without_secret;
	struct file_key file_key;
	enum file_trust trust;
	unsigned char key[SEAL_KEY_SIZE]; /* of the backup's secret file, if the file is sealed and wanted */
	char pg_restore[PLACE_PATH_SIZE];
};

static bool restore_refuse(const char *text)
{
	fprintf(stderr, "kith: %s\n", text);
	return false;
}

static bool restore_has_secret(const struct restore *r)
{
	return r->manifest.secret == BACKUP_SEALED && !r->without_secret;
}

/* --- the backup --------------------------------------------------------------------------- */

static bool restore_unseal(struct restore *r, const struct cli_args *args)
{
	unsigned char sealed[SEALED_SIZE];
	struct passphrase p;
	bool good;

	if (!restore_has_secret(r))
		return true;
	if (!passphrase_read(&p, cli_option(args, "--passphrase-file")))
		return false;
	good =
	    backup_read(r->dir, BACKUP_SECRET, sealed, sizeof sealed) == SEALED_SIZE && sealed_open(&p, sealed, r->key);
	crypto_wipe(&p, sizeof p);
	return good || restore_refuse("the secret file of the backup was sealed under another passphrase");
}

static bool restore_read(struct restore *r, const struct cli_args *args)
{
	struct manifest *m = &r->manifest;

	r->dir = open(r->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->dir < 0) {
		fprintf(stderr, "kith: %s: %s\n", r->path, strerror(errno));
		return false;
	}
	if (!file_key_read(&r->file_key, cli_option(args, "--file-key")) ||
	    !manifest_read(r->dir, m, &r->file_key, &r->arena))
		return false;
	r->trust = file_key_judge(&r->file_key, r->path, m->hmac, m->should, cli_option(args, "--trust-file") != NULL,
	    "its functions and triggers would run with all rights of the database's login, and its records, users and "
	    "keys would be used unchanged");
	if (r->trust == FILE_REFUSED)
		return false;
	if (m->level > n_migrations) {
		fprintf(stderr,
		    "kith: the backup is at level %d, but this program knows only levels up to %d: restore it with "
		    "kith %s or later\n",
		    m->level, n_migrations, m->kith);
		return false;
	}
	fprintf(stderr, "kith: checking the backup of database %s of %s\n", m->database, m->created_at);
	return manifest_check(r->dir, m, &r->arena) && restore_unseal(r, args);
}

/* --- the database ------------------------------------------------------------------------- */

static bool restore_target_suits(
    struct restore *r, int version, const char *database, bool has_kith, const char *object)
{
	if (has_kith)
		fprintf(stderr,
		    "kith: database %s already has tables of kith: restore into a new, empty database. If an earlier "
		    "restore filled it, \"kith migrate\" finishes that restore\n",
		    database);
	else if (object)
		fprintf(
		    stderr, "kith: database %s is not empty, it has %s: restore into a new one\n", database, object);
	else if (version < r->manifest.pg_dump)
		fprintf(stderr, "kith: this is PostgreSQL %d, but the backup needs %d or later\n", version,
		    r->manifest.pg_dump);
	else
		return true;
	return false;
}

static bool restore_look(struct restore *r)
{
	struct db_ask ask;
	struct sql *sql;
	bool ok;

	db_ask_begin(&ask);
	sql_begin_system(sql = db_ask_add(&ask), &ask.arena, NULL);
	sql_built_in(sql, "cli_restore target");
	ok = db_ask_run(&ask, r->session.db) == DB_OK;
	if (!ok)
		session_say_failed(&ask.x, "the database refused");
	else
		ok = restore_target_suits(r, (int)db_int(&ask.x, 0, 0, 0), db_text(&ask.x, 0, 0, 1, NULL),
		    db_bool(&ask.x, 0, 0, 2), db_null(&ask.x, 0, 0, 3) ? NULL : db_text(&ask.x, 0, 0, 3, NULL));
	db_ask_end(&ask);
	if (ok && place_find_client("pg_restore", r->manifest.pg_dump, r->pg_restore) == 0) {
		fprintf(stderr,
		    "kith: the backup needs pg_restore of version %d or later, and none was found: install "
		    "postgresql-client-%d, or set KITH_PG_BINDIR to the directory of its programs\n",
		    r->manifest.pg_dump, r->manifest.pg_dump);
		ok = false;
	}
	return ok;
}

/* A dump can run anything that the login may run. */
static bool restore_login_suits(struct restore *r)
{
	struct db_ask ask;
	struct sql *sql;
	bool ok;

	if (r->trust == FILE_AUTHENTIC)
		return true;
	db_ask_begin(&ask);
	sql_begin_system(sql = db_ask_add(&ask), &ask.arena, NULL);
	sql_add(sql,
	    "select r.rolname, pg_has_role(r.oid, g.oid, 'member') or r.rolsuper from pg_roles r, pg_roles g where "
	    "r.rolname in (current_user, session_user) and (r.rolsuper or (r.rolcreaterole and "
	    "current_setting('server_version_num')::int < 160000) or (g.rolname in ('pg_execute_server_program', "
	    "'pg_read_server_files', 'pg_write_server_files') and pg_has_role(r.oid, g.oid, 'member'))) limit 1");
	ok = db_ask_run(&ask, r->session.db) == DB_OK;
	if (!ok)
		session_say_failed(&ask.x, "the database refused");
	else if (db_rows(&ask.x, 0) > 0)
		ok = restore_refuse(arena_printf(&r->arena,
		    "the login %s may run programs on the database's machine, or give itself that right, and so could "
		    "this backup: restore it as a login without SUPERUSER and CREATEROLE (\"kith setup\" makes one), "
		    "or into a private cluster",
		    db_text(&ask.x, 0, 0, 0, NULL)));
	db_ask_end(&ask);
	return ok;
}

/* --- pg_restore --------------------------------------------------------------------------- */

/* Decides whether a line of the list of contents, such as "3542; 3256 16400 POLICY public contacts ...", is restored.
 * Lines that name roles are left out, because this cluster may not have the roles yet. Of the extensions only those
 * that kith uses are restored, because others need an administrator. */
static bool restore_wants(const char *line)
{
	const char *at = strchr(line, ';');

	for (int skip = 0; at && skip < 3; skip++)
		at = strchr(at + 1, ' ');
	if (!at || *line == ';')
		return true;
	if (strncmp(at, " EXTENSION ", 11) == 0)
		return strncmp(at, " EXTENSION - pg_trgm ", 21) == 0 || strncmp(at, " EXTENSION - btree_gin ", 23) == 0;
	return strncmp(at, " POLICY ", 8) != 0;
}

/* Feeds the dump to pg_restore, piece by piece as it was checked, because pg_restore runs what it reads even if the
 * dump ends early. If pg_restore ends early, it has already printed the reason. */
static bool restore_feed(struct restore *r, int to)
{
	int from = openat(r->dir, BACKUP_DUMP, O_RDONLY | O_CLOEXEC);
	int64_t say_us = clock_mono_us() + PROGRESS_US, fed = 0;
	const struct manifest_file *dump = &r->manifest.files[BACKUP_FILE_DUMP];
	char *piece = mem_alloc(BACKUP_PIECE);
	ssize_t n = -1;

	for (size_t i = 0; from >= 0 && (n = manifest_piece(from, dump, i, piece)) > 0; i++) {
		if (!backup_append(to, piece, (size_t)n))
			break;
		fed += n;
		if (clock_mono_us() < say_us)
			continue;
		fprintf(stderr, "kith: %lld of %lld MB restored\n", (long long)fed >> 20, (long long)dump->bytes >> 20);
		say_us = clock_mono_us() + PROGRESS_US;
	}
	if (n < 0)
		fprintf(stderr, "kith: %s of the backup was changed after it was checked\n", BACKUP_DUMP);
	if (from >= 0)
		close(from);
	free(piece);
	return n == 0;
}

/* Copies the lines to restore to a new file and returns its descriptor. -1 on failure. */
static int restore_list_wanted(int contents)
{
	int out = memfd_create("list", 0);
	FILE *list = fdopen(contents, "r");
	bool ok = out >= 0 && list;
	char *line = NULL;
	size_t size = 0;

	while (ok && getline(&line, &size, list) > 0)
		ok = !restore_wants(line) || write(out, line, strlen(line)) == (ssize_t)strlen(line);
	free(line);
	if (list)
		fclose(list);
	else
		close(contents);
	if (ok && lseek(out, 0, SEEK_SET) == 0)
		return out;
	if (out >= 0)
		close(out);
	return -1;
}

/* Writes the lines to restore to a file without a name, which nobody has to remove. -1 on failure. */
static int restore_list(struct restore *r)
{
	int contents = memfd_create("contents", 0), out = -1;
	const char *const argv[] = {
	    r->pg_restore, "--list", "--file", arena_printf(&r->arena, "/dev/fd/%d", contents), NULL};
	struct piped p;

	if (contents >= 0 && piped_start(&p, argv, true, NULL)) {
		(void)restore_feed(r, p.fd); /* pg_restore does not read all of it here */
		if (piped_end(&p))
			out = restore_list_wanted(contents);
		else
			close(contents);
	} else if (contents >= 0) {
		close(contents);
	}
	if (out < 0)
		restore_refuse("cannot list the backup's contents");
	return out;
}

static bool restore_database(struct restore *r)
{
	const char *password, *url = db_url_for_program(session_url(&r->session), &r->arena, &password);
	int list = restore_list(r);
	const char *const argv[] = {r->pg_restore, "--single-transaction", "--exit-on-error", "--no-owner",
	    "--no-privileges", "--no-tablespaces", "--no-password", "--use-list",
	    arena_printf(&r->arena, "/dev/fd/%d", list), "--dbname", url, NULL};
	struct piped p;
	bool fed, ok = list >= 0 && piped_start(&p, argv, true, password);

	if (ok) {
		fed = restore_feed(r, p.fd);
		ok = fed ? piped_end(&p) : (piped_kill(&p), false);
	}
	if (list >= 0)
		close(list);
	return ok || restore_refuse("nothing was restored: the database is unchanged");
}

/* --- after the restore -------------------------------------------------------------------- */

static void restore_step(const struct migrate_step *s, void *ctx)
{
	(void)ctx;
	if (s->migration)
		fprintf(stderr, "kith: migrated to level %d (%s)\n", s->migration->level, s->migration->name);
	else
		fprintf(stderr, "kith: restored the rights of %d objects\n", s->objects);
}

/* A dump has no statistics, and without them the plans are slow. */
static bool restore_analyze(struct restore *r)
{
	struct db_ask ask;
	struct sql *sql;
	bool ok;

	db_ask_begin(&ask);
	sql_begin_system(sql = db_ask_add(&ask), &ask.arena, NULL);
	sql_add(sql, "set local statement_timeout = 0");
	sql_begin_system(sql = db_ask_add(&ask), &ask.arena, NULL);
	sql_add(sql,
	    "do $$ declare t regclass; begin for t in select oid from pg_class where relkind in ('r', 'p') and not "
	    "relispartition and relnamespace = current_schema()::regnamespace loop execute 'analyze ' || t; end "
	    "loop; end $$");
	ask.x.deadline_ms = ANALYZE_MS;
	ok = db_ask_run(&ask, r->session.db) == DB_OK;
	if (!ok)
		session_say_failed(&ask.x, "restored, but without statistics: run \"vacuumdb --analyze-only\"");
	db_ask_end(&ask);
	return ok;
}

/* Checks the level, the counted rows, and that no number is so high that the next start would fail. */
static bool restore_is_whole(struct restore *r)
{
	static const char bounds_sql[] =
	    "select greatest((select max(generation) from event_generation), (select "
	    "max(generation) from events), (select max(position_generation) from webhooks), 0)";
	char message[DB_ADMIN_MESSAGE] = "";
	struct db_admin *admin = db_admin_open(session_url(&r->session), NULL, message);
	const char *rows = NULL, *largest = NULL;
	int level = 0;
	bool whole;

	migrate_check(r->session.db, &level);
	whole = level == r->manifest.level;
	if (!whole)
		fprintf(stderr, "kith: the dump has %s %d, and the manifest says level %d\n",
		    level ? "tables of kith at level" : "no tables of kith, level", level, r->manifest.level);
	rows = whole && admin ? counted_rows(admin, &r->arena, message) : NULL;
	whole = rows && (!*r->manifest.rows || counted_same(r->manifest.rows, rows)) &&
	        db_admin_run(admin, bounds_sql, &r->arena, &largest, message);
	if (*message)
		fprintf(stderr, "kith: %s\n", message);
	if (whole && (strlen(largest) > 16 || strtoll(largest, NULL, 10) > ARCHIVE_NUMBER_MAX))
		whole = restore_refuse("a generation of its events is out of range");
	db_admin_close(admin);
	return whole || restore_refuse("the restored data differs from the manifest: drop this database and create a "
	                               "new one (for a private cluster, remove its directory)");
}

/* Checks that each table of this program exists. */
static bool restore_has_tables(struct restore *r)
{
	struct db_ask ask;
	struct sql *sql;
	bool ok;

	db_ask_begin(&ask);
	for (size_t i = 0; i < n_cell_tables; i++) {
		sql_begin_system(sql = db_ask_add(&ask), &ask.arena, NULL);
		sql_addf(sql, "select from %s limit 0", cell_tables[i].name);
	}
	ok = db_ask_run(&ask, r->session.db) == DB_OK;
	if (!ok)
		session_say_failed(&ask.x, "the dump lacks a table, or part of it");
	db_ask_end(&ask);
	return ok;
}

static bool restore_finish(struct restore *r)
{
	char error[512] = "";

	session_reopen(&r->session);
	if (!restore_is_whole(r))
		return false;
	if (!migrate_apply(r->session.db, false, restore_step, NULL, error)) {
		fprintf(stderr,
		    "kith: the data was restored, but rights are still missing: %s. Fix this, then run \"kith "
		    "migrate\"\n",
		    error);
		return false;
	}
	return restore_has_tables(r) && restore_analyze(r);
}

static void restore_say(struct restore *r, const char *secret_file)
{
	struct cli_line line;

	cli_line_begin(&line);
	cli_line_member(&line, "restored", r->path);
	cli_line_member(&line, "database", r->manifest.database);
	cli_line_member(&line, "createdAt", r->manifest.created_at);
	json_add_int(&line.out, "level", n_migrations);
	cli_line_member(&line, "secretFile", restore_has_secret(r) ? secret_file : NULL);
	cli_line_print(&line);
	if (r->manifest.secret != BACKUP_NONE && !restore_has_secret(r))
		fprintf(stderr,
		    "kith: the secret file was not restored: put your copy of it at %s before you run \"kith serve\"; "
		    "if it is lost, delete the row \"vault\" of table server_secrets and rotate the secret of every "
		    "webhook\n",
		    secret_file);
	fprintf(stderr, "kith: next: make sure that no server uses the old database, because both would send its "
	                "webhooks; then run \"kith doctor\" and \"kith serve\"\n");
}

int cli_restore(struct config *config, const struct cli_args *args)
{
	struct restore r = {.path = args->words[0], .without_secret = cli_option(args, "--without-secret") != NULL};
	const char *secret_file;
	bool ok;

	arena_init(&r.arena);
	ok = restore_read(&r, args) && session_open(&r.session, config, false, SESSION_ANY);
	if (ok) {
		secret_file = session_secret_file(&r.session, &r.arena);
		ok = restore_look(&r) && restore_login_suits(&r) &&
		     (!restore_has_secret(&r) || vault_restore(secret_file, r.key)) && restore_database(&r) &&
		     restore_finish(&r);
		if (ok)
			restore_say(&r, secret_file);
		session_close(&r.session);
	}
	if (r.dir >= 0)
		close(r.dir);
	crypto_wipe(r.key, sizeof r.key);
	crypto_wipe(&r.file_key, sizeof r.file_key);
	arena_free(&r.arena);
	return ok ? 0 : 1;
}
