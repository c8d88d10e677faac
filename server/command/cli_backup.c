/* kith backup writes a dump of the database by pg_dump, the sealed secret file and a manifest to a directory. The
 * directory gets its final name last, so nobody mistakes what a killed backup leaves behind for a backup. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/base/leftover.h"
#include "server/command/cli.h"
#include "server/embedded/cluster_place.h"
#include "server/operate/counted.h"
#include "server/operate/manifest.h"
#include "server/operate/piped.h"
#include "server/operate/sealed.h"
#include "store/db_admin.h"
#include "store/db_ask.h"
#include "store/migrate.h"
#include "webhook/vault.h"

enum { CHUNK = 256 << 10, PROGRESS_US = 5 * 1000 * 1000, VERSION_MIN = 15 };

struct backup {
	struct session session;
	struct arena arena;
	char path[PATH_MAX], unfinished[PATH_MAX]; /* in use until everything is written */
	int dir;                                   /* the unfinished directory */
	struct manifest manifest;
	bool without_secret;
	struct passphrase passphrase;
	struct file_key key;
	char pg_dump[PLACE_PATH_SIZE];
};

static bool backup_refuse(const char *what, const char *why)
{
	fprintf(stderr, "kith: %s: %s\n", what, why);
	return false;
}

/* --- the directory ------------------------------------------------------------------------ */

static const char *const backup_names[] = {BACKUP_DUMP, BACKUP_SECRET, BACKUP_MANIFEST};
enum { BACKUP_NAMES = sizeof backup_names / sizeof *backup_names };

/* An existing empty directory is allowed: rename() replaces it. */
static bool backup_place_free(const char *path)
{
	DIR *dir = opendir(path);
	int others = 0;

	if (!dir)
		return errno == ENOENT || backup_refuse(path, strerror(errno));
	for (struct dirent *entry; (entry = readdir(dir));)
		others += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(dir);
	return others == 0 || backup_refuse(path, "is not empty: name a new directory");
}

static bool backup_place_make(struct backup *b, const char *path)
{
	int len = (int)strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	snprintf(b->path, sizeof b->path, "%.*s", len, path);
	if (snprintf(b->unfinished, sizeof b->unfinished, "%s.unfinished-XXXXXX", b->path) >= (int)sizeof b->unfinished)
		return backup_refuse("DIR", "is too long");
	if (!backup_place_free(b->path))
		return false;
	if (!mkdtemp(b->unfinished)) /* mode 0700 */
		return backup_refuse(b->unfinished, strerror(errno));
	leftover_add(b->unfinished);
	for (size_t i = 0; i < BACKUP_NAMES; i++)
		leftover_add(arena_printf(&b->arena, "%s/%s", b->unfinished, backup_names[i]));
	b->dir = open(b->unfinished, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return b->dir >= 0 || backup_refuse(b->unfinished, strerror(errno));
}

static void backup_place_remove(struct backup *b)
{
	for (size_t i = 0; i < BACKUP_NAMES; i++)
		unlinkat(b->dir, backup_names[i], 0);
	rmdir(b->unfinished);
}

/* Gives the directory its name, durably. */
static bool backup_place_finish(struct backup *b)
{
	const char *slash = strrchr(b->path, '/');
	const char *parent = !slash             ? "."
	                     : slash == b->path ? "/"
	                                        : arena_dup(&b->arena, b->path, (size_t)(slash - b->path));
	int up = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = up >= 0 && fsync(b->dir) == 0 && rename(b->unfinished, b->path) == 0 && fsync(up) == 0;

	if (!ok)
		backup_refuse(b->path, strerror(errno));
	if (up >= 0)
		close(up);
	return ok;
}

/* --- the database ------------------------------------------------------------------------- */

static bool backup_look(struct backup *b)
{
	struct manifest *m = &b->manifest;
	char now[TIME_TEXT_SIZE];
	struct db_ask ask;
	struct sql *sql;
	bool ok;

	migrate_check(b->session.db, &m->level);
	if (m->level == 0)
		return backup_refuse("there is nothing to back up", "the database has no tables of kith");
	db_ask_begin(&ask);
	sql_begin_system(sql = db_ask_add(&ask), &ask.arena, NULL);
	sql_add(sql, "select current_database(), current_setting('server_version_num')::int / 10000");
	ok = db_ask_run(&ask, b->session.db) == DB_OK;
	if (ok) {
		m->database = arena_dupz(&b->arena, db_text(&ask.x, 0, 0, 0, NULL));
		m->server = (int)db_int(&ask.x, 0, 0, 1);
	} else {
		session_say_failed(&ask.x, "the database refused");
	}
	db_ask_end(&ask);
	m->kith = KITH_VERSION;
	m->created_at = arena_dupz(&b->arena, time_format(clock_now_ms(), now));
	return ok;
}

static bool backup_find_pg_dump(struct backup *b)
{
	struct manifest *m = &b->manifest;

	m->pg_dump = place_find_client("pg_dump", m->server, b->pg_dump);
	if (m->pg_dump == 0) {
		fprintf(stderr,
		    "kith: this PostgreSQL needs pg_dump of version %d or later, and none was found: install "
		    "postgresql-client-%d, or set KITH_PG_BINDIR to the directory of its programs\n",
		    m->server, m->server);
		return false;
	}
	if (m->pg_dump > m->server)
		fprintf(stderr,
		    "kith: pg_dump is of version %d: the backup can be restored into PostgreSQL %d or later\n",
		    m->pg_dump, m->pg_dump);
	return true;
}

/* --- the secret file ---------------------------------------------------------------------- */

/* Returns whether the database's secrets are encrypted with this key. *used is set when there are any secrets. */
static bool backup_is_the_key(struct backup *b, const struct vault *v, bool *used)
{
	unsigned char mine[VAULT_FINGERPRINT_LEN];
	struct db_ask ask;
	struct sql *sql;
	size_t len;
	bool same = false, asked;

	db_ask_begin(&ask);
	sql_begin_system(sql = db_ask_add(&ask), &ask.arena, NULL);
	sql_add(sql, "select value from server_secrets where name = 'vault'");
	asked = db_ask_run(&ask, b->session.db) == DB_OK;
	*used = !asked || db_rows(&ask.x, 0) > 0;
	if (!asked)
		session_say_failed(&ask.x, "cannot read from the database which secret file it uses");
	if (v && asked && *used) {
		const char *kept = db_text(&ask.x, 0, 0, 0, &len);
		vault_fingerprint(v, mine);
		same = len == sizeof mine && memcmp(kept, mine, len) == 0;
	}
	db_ask_end(&ask);
	return asked && (same || !*used);
}

static bool backup_write_secret(struct backup *b, const struct vault *v)
{
	struct manifest_file *file = &b->manifest.files[BACKUP_FILE_SECRET];
	unsigned char key[SEAL_KEY_SIZE], sealed[SEALED_SIZE];

	vault_key(v, key);
	sealed_make(&b->passphrase, key, sealed);
	crypto_wipe(key, sizeof key);
	backup_sum(sealed, sizeof sealed, file->sha256);
	file->bytes = sizeof sealed;
	b->manifest.secret = BACKUP_SEALED;
	return backup_write(b->dir, BACKUP_SECRET, sealed, sizeof sealed) ||
	       backup_refuse(BACKUP_SECRET, strerror(errno));
}

static bool backup_secret(struct backup *b)
{
	const char *path = session_secret_file(&b->session, &b->arena);
	struct vault *v = NULL;
	bool used, good;

	b->manifest.secret = b->without_secret ? BACKUP_LEFT_OUT : BACKUP_NONE;
	if (b->without_secret)
		return true;
	if (access(path, F_OK) == 0 && !(v = vault_open(path)))
		return false;
	good = backup_is_the_key(b, v, &used);
	if (!good && used)
		fprintf(stderr,
		    "kith: %s is not the secret file of this database: set secret_file to the file that the server "
		    "uses, or leave the file out with --without-secret\n",
		    path);
	else if (good && v)
		good = backup_write_secret(b, v);
	vault_close(v);
	return good;
}

/* --- the dump ----------------------------------------------------------------------------- */

/* Copies until the end of the pipe. */
static bool backup_copy(struct backup *b, int from, int to)
{
	struct manifest_file *file = &b->manifest.files[BACKUP_FILE_DUMP];
	int64_t say_us = clock_mono_us() + PROGRESS_US;
	char *chunk = mem_alloc(CHUNK);
	struct sha256 h;
	ssize_t n;
	bool ok = true;

	sha256_begin(&h);
	while (ok && (n = read(from, chunk, CHUNK)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		ok = n > 0 && backup_append(to, chunk, (size_t)n);
		if (!ok)
			break;
		sha256_add(&h, chunk, (size_t)n);
		file->bytes += n;
		if (clock_mono_us() < say_us)
			continue;
		fprintf(stderr, "kith: %lld MB written\n", (long long)file->bytes >> 20);
		say_us = clock_mono_us() + PROGRESS_US;
	}
	ok = ok && fsync(to) == 0;
	if (!ok)
		backup_refuse(BACKUP_DUMP, strerror(errno));
	backup_sum_end(&h, file->sha256);
	free(chunk);
	return ok;
}

/* Begins a transaction whose snapshot pg_dump uses, so that kith counts the same rows that pg_dump dumps. Returns NULL
 * with a message on failure. */
static struct db_admin *backup_snapshot(struct backup *b, const char **snapshot)
{
	static const char *const begin[] = {"begin isolation level repeatable read read only",
	    "set local statement_timeout = 0", "set local idle_in_transaction_session_timeout = 0"};
	char message[DB_ADMIN_MESSAGE] = "";
	struct db_admin *admin = db_admin_open(session_url(&b->session), NULL, message);
	bool ok = admin;

	for (size_t i = 0; ok && i < sizeof begin / sizeof *begin; i++)
		ok = db_admin_run(admin, begin[i], &b->arena, NULL, message);
	ok = ok && db_admin_run(admin, "select pg_export_snapshot()", &b->arena, snapshot, message);
	if (ok)
		return admin;
	db_admin_close(admin);
	backup_refuse("the database refused", message);
	return NULL;
}

/* Runs while pg_dump runs, because pg_dump keeps the tables from being dropped. */
static bool backup_count(struct backup *b, struct db_admin *admin)
{
	char message[DB_ADMIN_MESSAGE] = "";

	b->manifest.rows = counted_rows(admin, &b->arena, message);
	return b->manifest.rows || backup_refuse("the rows cannot be counted", message);
}

/* The views of kith_search and all rights belong to roles that another cluster does not have, so they are left out and
 * "kith migrate" creates them again. pg_dump fails when row-level security hides rows, instead of leaving them out. */
static bool backup_pg_dump(struct backup *b, struct db_admin *admin, const char *snapshot, int to)
{
	const char *password, *url = db_url_for_program(session_url(&b->session), &b->arena, &password);
	const char *const argv[] = {b->pg_dump, "--format=custom", "--exclude-schema=kith_search", "--no-comments",
	    "--no-publications", "--no-subscriptions", "--no-security-labels", "--no-password", "--snapshot", snapshot,
	    "--dbname", url, NULL};
	struct piped p;
	bool ok = piped_start(&p, argv, false, password);

	if (!ok)
		return false;
	ok = backup_count(b, admin) && backup_copy(b, p.fd, to);
	if (!piped_end(&p) && ok)
		ok = backup_refuse("the backup was not made", "pg_dump failed, see its message above");
	return ok;
}

static bool backup_dump(struct backup *b)
{
	int to = openat(b->dir, BACKUP_DUMP, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	const char *snapshot;
	struct db_admin *admin;
	bool ok;

	if (to < 0)
		return backup_refuse(BACKUP_DUMP, strerror(errno));
	admin = backup_snapshot(b, &snapshot);
	ok = admin && backup_pg_dump(b, admin, snapshot, to);
	db_admin_close(admin);
	close(to);
	return ok;
}

/* --- the command -------------------------------------------------------------------------- */

static void backup_say(struct backup *b)
{
	const struct manifest *m = &b->manifest;
	struct cli_line line;

	cli_line_begin(&line);
	cli_line_member(&line, "backup", b->path);
	cli_line_member(&line, "database", m->database);
	json_add_int(&line.out, "level", m->level);
	json_add_int(&line.out, "bytes", m->files[BACKUP_FILE_DUMP].bytes);
	cli_line_member(&line, "secret", manifest_secret_name(m->secret));
	cli_line_print(&line);
	if (m->secret == BACKUP_LEFT_OUT)
		fprintf(stderr,
		    "kith: the backup does not contain the secret file: keep a copy of it elsewhere. Without "
		    "it no webhook's secret can be used after a restore, and each must be rotated\n");
}

static bool backup_run(struct backup *b, const char *path)
{
	bool ok;

	if (!backup_look(b) || !backup_find_pg_dump(b) || !backup_place_make(b, path))
		return false;
	fprintf(stderr, "kith: dumping database %s at level %d with %s\n", b->manifest.database, b->manifest.level,
	    b->pg_dump);
	ok = backup_secret(b) && backup_dump(b);
	/* A server may have been started for the first time during the dump. */
	if (ok && b->manifest.secret == BACKUP_NONE) {
		session_reopen(&b->session);
		ok = backup_secret(b);
	}
	ok = ok && manifest_write(b->dir, &b->manifest, &b->key) && backup_place_finish(b);
	if (ok)
		backup_say(b);
	else
		backup_place_remove(b);
	close(b->dir);
	return ok;
}

int cli_backup(struct config *config, const struct cli_args *args)
{
	struct backup b = {.without_secret = cli_option(args, "--without-secret") != NULL};
	bool ok;

	if (!b.without_secret && !passphrase_read(&b.passphrase, cli_option(args, "--passphrase-file")))
		return 2;
	if (!file_key_read(&b.key, cli_option(args, "--file-key")))
		return 2;
	if (!session_open(&b.session, config, false, SESSION_ANY))
		return 1;
	arena_init(&b.arena);
	ok = backup_run(&b, args->words[0]);
	arena_free(&b.arena);
	session_close(&b.session);
	crypto_wipe(&b.passphrase, sizeof b.passphrase);
	crypto_wipe(&b.key, sizeof b.key);
	return ok ? 0 : 1;
}
