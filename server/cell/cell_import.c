/* Reads a workspace from a file. Its rows arrive in short transactions while nobody can see the workspace; the last
 * transaction makes it live. An import removes what an earlier, interrupted import left behind. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/base/fault.h"
#include "server/cell/archive.h"
#include "server/cell/arrive.h"
#include "server/cell/copy.h"
#include "server/cell/sound.h"
#include "store/migrate.h"

struct entering {
	struct db_copy *c;
	struct archive *f;
	struct sound sound;
	struct vault *of_file, *own; /* NULL: secrets stay unchanged */
	char id[37];
};

static bool import_refuse(const char *why)
{
	fprintf(stderr, "kith: %s\n", why);
	return false;
}

static bool import_keys(struct entering *e, const struct cell_side *to, const char *seal)
{
	char mine[SEAL_PRINT_SIZE];

	if (archive_rows(e->f, "webhooks") == 0 && !seal)
		return true;
	e->own = arrive_vault(e->c, to->secret_file);
	if (!e->own)
		return false;
	if (seal && access(seal, R_OK) != 0)
		return import_refuse("--seal: that file cannot be read");
	e->of_file = vault_open(seal ? seal : to->secret_file);
	if (!e->of_file)
		return false;
	seal_print(e->of_file, mine);
	if (strcmp(mine, e->f->print) == 0)
		return true;
	return import_refuse(
	    seal ? "the secrets of the file's webhooks are encrypted with another key than --seal names"
	         : "the secrets of the file's webhooks are encrypted with another installation's key: export the "
	           "workspace with --seal FILE, and import it with the same");
}

/* Also removes the users and keys, because those of another file must not give access to the imported workspace. */
static bool import_clear(struct entering *e)
{
	return copy_clear(e->c, &e->f->workspace) && db_copy_must(e->c,
	                                                 "delete from api_keys where workspace_id = '%s'; delete from "
	                                                 "users where workspace_id = '%s'; delete "
	                                                 "from workspaces where workspace_id = '%s'",
	                                                 e->id, e->id, e->id);
}

/* Sessions, access tokens and links are for the server where they were made, and those of an old file have ended since.
 * A move keeps them. */
static bool import_end_sessions(struct entering *e)
{
	return db_copy_must(e->c,
	    "update api_keys set revoked_at = now() where workspace_id = '%s' and kind in ('session', 'grant') and "
	    "revoked_at is null; update invitations set expires_at = least(expires_at, now()) where workspace_id = "
	    "'%s' and "
	    "used_at is null",
	    e->id, e->id);
}

/* Checks that the workspace is not here, unless an earlier import of it was interrupted. */
static bool import_begin(struct entering *e)
{
	if (e->f->level != n_migrations) {
		fprintf(stderr,
		    "kith: the file is at level %lld, but this database is at level %d: import it with the version of "
		    "kith that exported it, then upgrade\n",
		    (long long)e->f->level, n_migrations);
		return false;
	}
	if (!arrive_alone(e->c, &e->f->workspace) ||
	    !db_copy_must(e->c, "select moving, move_id from workspaces where workspace_id = '%s'", e->id))
		return false;
	if (db_copy_rows(e->c) == 0)
		return true;
	if (!db_copy_text(e->c, 0, 0) || strcmp(db_copy_text(e->c, 0, 0), "arriving") != 0 || db_copy_text(e->c, 0, 1))
		return import_refuse("this database already has the workspace, or had it before the workspace moved");
	return import_clear(e);
}

static bool import_table(struct entering *e, const struct cell_table *t, const char *columns)
{
	struct copy_load l;
	struct sound_table sound;
	struct buf other;
	const char *line;
	bool ok =
	    copy_load_begin(&l, e->c, t, columns) && sound_table_begin(&sound, &e->sound, t, columns, &e->f->arena);
	long len = 0;

	l.look = sound_staged;
	l.ctx = &sound;

	buf_init(&other, GZIP_LINE_MAX);
	while (ok && (len = archive_next_row(e->f, &line)) > 0) {
		bool sealed = seal_line(&other, t, columns, line, (size_t)len, e->of_file, e->own);
		ok = sound_line(&sound, line, (size_t)len) &&
		     copy_load_row(&l, sealed ? other.data : line, sealed ? other.len : (size_t)len);
		buf_clear(&other);
	}
	buf_free(&other);
	ok = ok && len == 0 && copy_load_commit(&l);
	FAULT_POINT(cell_loaded);
	return ok;
}

static bool import_rows(struct entering *e, const char *path)
{
	const struct cell_table *t;
	const char *columns, *here;

	if (!archive_again(e->f, path))
		return import_refuse("the file has changed");
	for (size_t i = 0; i < n_cell_tables; i++) {
		if (!archive_next_table(e->f, &t, &columns))
			return import_refuse("the file has changed");
		here = copy_columns(e->c, &e->f->arena, t, false);
		if (!here)
			return false;
		if (strcmp(here, columns) != 0)
			return import_refuse("the file's tables have other columns than this database's");
		if (!import_table(e, t, columns))
			return false;
	}
	return archive_is_same(e->f) || import_refuse("the file has changed");
}

/* Removes everything of a refused import. */
static bool import_undo(struct entering *e)
{
	db_copy_run(e->c, "rollback");
	(void)import_clear(e);
	return false;
}

/* False with a message on stderr. */
static bool import_trusts(struct entering *e, const struct file_key *key, const char *path, bool trust)
{
	enum file_trust found = file_key_judge(key, path, e->f->said, e->f->whole, trust,
	    "its users and keys may read and change the workspace that it makes, its webhooks send what changes there "
	    "to the addresses that it names, and its history may be invented; it cannot reach other workspaces");

	e->sound = (struct sound){.file = e->f, .all = found != FILE_AUTHENTIC};
	return found != FILE_REFUSED;
}

static bool import_end(struct entering *e, bool quiet)
{
	if (quiet &&
	    !db_copy_must(e->c,
	        "update webhooks set status = 'inactive', version = version + 1 where workspace_id = '%s'", e->id))
		return false;
	return import_end_sessions(e) && arrive_after(e->c, e->f->generation) &&
	       db_copy_must(
	           e->c, "update workspaces set moving = null, version = version + 1 where workspace_id = '%s'", e->id);
}

bool cell_import(const struct cell_side *to, const char *path, const struct cell_import *how, struct uuid *workspace,
    struct cell_report *report)
{
	struct entering e = {.f = archive_check(path, how->key)};
	bool ok;

	*report = (struct cell_report){0};
	if (!e.f || !import_trusts(&e, how->key, path, how->trust)) {
		archive_close(e.f);
		return false;
	}
	*workspace = e.f->workspace;
	uuid_format(workspace, e.id);
	for (size_t i = 0; i < e.f->n_sums; i++)
		report->rows += e.f->sums[i].rows;
	e.c = arrive_open(to->url, workspace, "the database");
	e.sound.c = e.c;
	ok = e.c && import_begin(&e) && sound_file(&e.sound) && import_keys(&e, to, how->seal) &&
	     ((import_rows(&e, path) && sound_limits(&e.sound)) || import_undo(&e)) && import_end(&e, how->quiet);
	vault_close(e.of_file);
	vault_close(e.own);
	db_copy_close(e.c);
	archive_close(e.f);
	return ok;
}
