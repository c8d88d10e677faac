/* Writes a workspace to a file, in one snapshot. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "server/cell/archive.h"
#include "server/cell/arrive.h"
#include "server/cell/copy.h"
#include "store/migrate.h"

struct leaving {
	struct db_copy *c;
	struct archive f;
	struct vault *own, *other; /* NULL: secrets stay unchanged */
	const char *path;
};

static bool export_unwritable(const struct leaving *l)
{
	fprintf(
	    stderr, "kith: %s cannot be written: %s\n", l->path, errno ? strerror(errno) : "it accepts no more data");
	return false;
}

static bool export_table(struct leaving *l, const struct cell_table *t)
{
	const char *columns = copy_columns(l->c, &l->f.arena, t, false), *line;
	struct buf other;
	bool written;
	long len;

	if (!columns)
		return false;
	if (!db_copy_out(l->c, copy_select(&l->f.arena, t, columns, &l->f.workspace, "")))
		return db_copy_say(l->c);
	buf_init(&other, GZIP_LINE_MAX);
	written = archive_table(&l->f, t->name, columns);
	while ((len = db_copy_line(l->c, &line)) > 0 && written) {
		bool sealed = seal_line(&other, t, columns, line, (size_t)len, l->own, l->other);
		written = archive_row(&l->f, sealed ? other.data : line, sealed ? other.len : (size_t)len);
		buf_clear(&other);
	}
	written = archive_table_end(&l->f) && written;
	buf_free(&other);
	if (len < 0)
		return db_copy_say(l->c);
	return written || export_unwritable(l);
}

/* Checks that the workspace is here, in the same snapshot as everything else. */
static bool export_begin(struct leaving *l)
{
	char id[37];

	if (!db_copy_must(l->c,
	        "begin isolation level repeatable read; select moving from workspaces where workspace_id = '%s'",
	        uuid_format(&l->f.workspace, id)))
		return false;
	if (db_copy_rows(l->c) == 0) {
		fprintf(stderr, "kith: there is no such workspace: \"kith workspace list\" shows them\n");
		return false;
	}
	if (db_copy_text(l->c, 0, 0) && strncmp(db_copy_text(l->c, 0, 0), "arriv", 5) == 0) {
		fprintf(stderr, "kith: the workspace is not complete: it is being imported or moved here\n");
		return false;
	}
	if (db_copy_text(l->c, 0, 0) && strcmp(db_copy_text(l->c, 0, 0), "moved") == 0) {
		fprintf(stderr, "kith: the workspace has moved to another server: export it there\n");
		return false;
	}
	l->f.generation = arrive_generation(l->c);
	l->f.level = n_migrations;
	return l->f.generation > 0;
}

static bool export_write(struct leaving *l, struct cell_report *report)
{
	bool ok;

	l->f.file = gzip_file_create(l->path);
	if (!l->f.file)
		return export_unwritable(l);
	if (!archive_begin(&l->f))
		return export_unwritable(l);
	ok = true;
	for (size_t i = 0; ok && i < n_cell_tables; i++) {
		ok = export_table(l, &cell_tables[i]);
		report->rows += l->f.rows;
	}
	return ok && (archive_end(&l->f) || export_unwritable(l));
}

/* Opens the key of the file's secrets. */
static bool export_keys(struct leaving *l, const struct cell_side *from, const char *seal)
{
	if (!seal)
		return arrive_print(l->c, l->f.print);
	l->own = arrive_vault(l->c, from->secret_file);
	l->other = l->own ? vault_open(seal) : NULL;
	if (l->other)
		seal_print(l->other, l->f.print);
	return l->other;
}

bool cell_export(const struct cell_side *from, const struct uuid *workspace, const char *path, const char *seal,
    const struct file_key *key, struct cell_report *report)
{
	struct leaving l = {.path = path, .f = {.workspace = *workspace, .key = key}};
	bool ok;

	*report = (struct cell_report){0};
	arena_init(&l.f.arena);
	l.c = arrive_open(from->url, workspace, "the database");
	ok = l.c && export_keys(&l, from, seal) && export_begin(&l) && export_write(&l, report);
	hmac_end(&l.f.mac, NULL);
	gzip_file_close(l.f.file);
	arena_free(&l.f.arena);
	vault_close(l.own);
	vault_close(l.other);
	db_copy_close(l.c);
	return ok;
}
