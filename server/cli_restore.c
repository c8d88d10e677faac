/* kith restore: what kith backup has written, into an empty database. Everything is checked before anything is written;
 * the secret file comes first, then the database in one transaction, then what belongs to this cluster: roles, rights,
 * statistics. After an end in between it can be run again, or says how to go on. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/base/fatal.h"
#include "server/cli.h"
#include "server/embedded/place.h"
#include "server/operate/manifest.h"
#include "server/operate/piped.h"
#include "server/operate/sealed.h"
#include "store/db_admin.h"
#include "store/db_ask.h"
#include "store/migrate.h"
#include "webhook/vault.h"

enum { CHUNK = 256 << 10, PROGRESS_US = 5 * 1000 * 1000, LIST_MAX = 16 << 20, ANALYZE_MS = 24 * 60 * 60 * 1000 };

struct restore {
	struct session session;
	struct arena arena;
	const char *path;
	int dir;
	struct manifest manifest;
	bool without_secret;
	unsigned char key[SEAL_KEY_SIZE]; /* of the backup's secret file, when it is sealed and wanted */
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
	const struct manifest *m = &r->manifest;

	r->dir = open(r->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->dir < 0) {
		fprintf(stderr, "kith: %s: %s\n", r->path, strerror(errno));
		return false;
	}
	if (!manifest_read(r->dir, &r->manifest, &r->arena))
		return false;
	if (m->level > n_migrations) {
		fprintf(stderr,
		    "kith: the backup is at level %d, this program knows %d: restore it with kith %s or a later one\n",
		    m->level, n_migrations, m->kith);
		return false;
	}
	fprintf(stderr, "kith: checking the backup of database %s of %s\n", m->database, m->created_at);
	return manifest_check(r->dir, m) && restore_unseal(r, args);
}

/* --- the database ------------------------------------------------------------------------- */

/* Anything that belongs to no extension. */
static const char what_is_there_sql[] =
    "select current_setting('server_version_num')::int / 10000, current_database(), to_regclass('kith_migrations') is "
    "not "
    "null, (select min(o.name) from (select oid, 'pg_class'::regclass as class, relname as name from pg_class where "
    "relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f') union all select oid, "
    "'pg_proc'::regclass, proname from pg_proc where pronamespace = current_schema()::regnamespace union all select "
    "oid, "
    "'pg_namespace'::regclass, nspname from pg_namespace where nspname = 'kith_search') o where not exists (select "
    "from "
    "pg_depend d where d.classid = o.class and d.objid = o.oid and d.deptype = 'e'))";

static bool restore_target_suits(
    struct restore *r, int version, const char *database, bool has_kith, const char *object)
{
	if (has_kith)
		fprintf(stderr,
		    "kith: database %s has tables of kith: restore into a new, empty one. If an earlier restore has "
		    "filled it, \"kith migrate\" finishes that\n",
		    database);
	else if (object)
		fprintf(
		    stderr, "kith: database %s is not empty, it has %s: restore into a new one\n", database, object);
	else if (version < r->manifest.pg_dump)
		fprintf(stderr, "kith: this is PostgreSQL %d, and the backup needs %d or later\n", version,
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
	sql_add(sql, what_is_there_sql);
	ok = db_ask_run(&ask, r->session.db, DB_WORK) == DB_OK;
	if (!ok)
		session_say_failed(&ask.x, "the database refused");
	else
		ok = restore_target_suits(r, (int)db_int(&ask.x, 0, 0, 0), db_text(&ask.x, 0, 0, 1, NULL),
		    db_bool(&ask.x, 0, 0, 2), db_null(&ask.x, 0, 0, 3) ? NULL : db_text(&ask.x, 0, 0, 3, NULL));
	db_ask_end(&ask);
	if (ok && place_find_client("pg_restore", r->manifest.pg_dump, r->pg_restore) == 0) {
		fprintf(stderr,
		    "kith: no pg_restore of version %d or later found, which the backup needs: install "
		    "postgresql-client-%d, or name the directory of its programs in KITH_PG_BINDIR\n",
		    r->manifest.pg_dump, r->manifest.pg_dump);
		ok = false;
	}
	return ok;
}

/* --- pg_restore --------------------------------------------------------------------------- */

/* Whether a line of the list of contents, "3542; 3256 16400 POLICY public contacts ...", is to be restored: not what
 * names the roles, which this cluster may not have yet; and of extensions only those that kith uses, as others take an
 * administrator. */
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

/* Writes what of the list is to be restored; a file without a name, which has no one to remove it. -1 on failure. */
static int restore_list(struct restore *r)
{
	const char *dump = arena_printf(&r->arena, "%s/%s", r->path, BACKUP_DUMP);
	const char *const argv[] = {r->pg_restore, "--list", dump, NULL};
	int out = memfd_create("list", 0);
	char *line = NULL;
	size_t size = 0;
	struct piped p;
	FILE *list;
	bool ok = out >= 0 && piped_start(&p, argv, false, NULL);

	if (!ok)
		return -1;
	list = fdopen(dup(p.fd), "r");
	while (ok && list && getline(&line, &size, list) > 0)
		ok = !restore_wants(line) || write(out, line, strlen(line)) == (ssize_t)strlen(line);
	free(line);
	if (list)
		fclose(list);
	if (piped_end(&p) && ok && list && lseek(out, 0, SEEK_SET) == 0)
		return out;
	close(out);
	restore_refuse("the backup's contents cannot be listed");
	return -1;
}

/* Feeds the dump. A program that ends early has said why. */
static bool restore_feed(struct restore *r, int to)
{
	int from = openat(r->dir, BACKUP_DUMP, O_RDONLY | O_CLOEXEC);
	int64_t say_us = clock_mono_us() + PROGRESS_US, fed = 0;
	char *chunk = mem_alloc(CHUNK);
	ssize_t n = -1;

	while (from >= 0 && (n = read(from, chunk, CHUNK)) > 0) {
		for (ssize_t at = 0, part; at < n; at += part)
			if ((part = write(to, chunk + at, (size_t)(n - at))) <= 0) {
				n = -1;
				break;
			}
		if (n < 0)
			break;
		fed += n;
		if (clock_mono_us() < say_us)
			continue;
		fprintf(stderr, "kith: %lld of %lld MB restored\n", (long long)fed >> 20,
		    (long long)r->manifest.files[BACKUP_FILE_DUMP].bytes >> 20);
		say_us = clock_mono_us() + PROGRESS_US;
	}
	if (from >= 0)
		close(from);
	free(chunk);
	return n == 0 && fed == r->manifest.files[BACKUP_FILE_DUMP].bytes;
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
	return ok || restore_refuse("nothing was restored: the database is as it was");
}

/* --- afterwards --------------------------------------------------------------------------- */

static void restore_step(const struct migrate_step *s, void *ctx)
{
	(void)ctx;
	if (s->migration)
		fprintf(stderr, "kith: migrated to level %d (%s)\n", s->migration->level, s->migration->name);
	else
		fprintf(stderr, "kith: made the rights of %d objects again\n", s->objects);
}

/* A dump has no statistics, and plans without them are slow. */
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
	ok = db_ask_run(&ask, r->session.db, DB_WORK) == DB_OK;
	if (!ok)
		session_say_failed(&ask.x, "restored, but without statistics: run \"vacuumdb --analyze-only\"");
	db_ask_end(&ask);
	return ok;
}

static bool restore_finish(struct restore *r)
{
	char error[512] = "";

	session_reopen(&r->session);
	if (!migrate_apply(r->session.db, false, restore_step, NULL, error)) {
		fprintf(stderr,
		    "kith: restored, but the rights are still missing: %s. Mend that, then run \"kith migrate\"\n",
		    error);
		return false;
	}
	return restore_analyze(r);
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
		    "kith: the secret file was not restored: put the copy of it at %s before \"kith serve\"; if it is "
		    "lost, delete the row \"vault\" of table server_secrets and rotate the secret of every webhook\n",
		    secret_file);
	fprintf(stderr,
	    "kith: next: see that no server runs on the former database, as both would send its webhooks; then "
	    "\"kith doctor\" and \"kith serve\"\n");
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
		ok = restore_look(&r) && (!restore_has_secret(&r) || vault_restore(secret_file, r.key)) &&
		     restore_database(&r) && restore_finish(&r);
		if (ok)
			restore_say(&r, secret_file);
		session_close(&r.session);
	}
	if (r.dir >= 0)
		close(r.dir);
	crypto_wipe(r.key, sizeof r.key);
	arena_free(&r.arena);
	return ok ? 0 : 1;
}
