/* Copies rows into a workspace, and removes them. */
#include "server/cell/copy.h"

#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"

/* Limits of a transaction, so that each takes only some tens of milliseconds. */
enum { ROWS_MAX = 1000, BYTES_MAX = 2 << 20, STATEMENT_MAX = 1 << 20, TELL_MS = 3000 };

/* A file has only the workspace's own cursor key. In a move the operator has both databases, so it also copies the
 * older cursor key, which the whole installation shared before workspaces had keys of their own. */
static const char file_columns[] = "workspace_id, name, version, created_at, cursor_key",
                  move_columns[] = "workspace_id, name, version, created_at, cursor_key, cursor_key_before",
                  move_values[] = "workspace_id, name, version, created_at, cursor_key, coalesce(cursor_key_before, "
                                  "(select value from server_secrets where name = 'cursor')) as cursor_key_before";

/* Reports the progress of long work now and then. */
static void copy_tell(const char *doing, const char *table, int64_t rows, const char *which)
{
	static int64_t told_us; /* shared by the whole command */
	int64_t now_us = clock_mono_us();

	if (!told_us)
		told_us = now_us;
	if (now_us - told_us < TELL_MS * INT64_C(1000) && !FAULT_ERROR(tell_often))
		return;
	told_us = now_us;
	fprintf(stderr, "kith: %s %s, %lld rows %s\n", doing, table, (long long)rows, which);
}

bool copy_of_note(const struct cell_table *t)
{
	return t <= cell_table_find("api_keys", 8);
}

const char *copy_columns(struct db_copy *c, struct arena *a, const struct cell_table *t, bool moves)
{
	if (t == cell_tables)
		return moves ? move_columns : file_columns;
	if (!db_copy_must(c,
	        "select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute where attrelid = "
	        "'%s'::regclass and attnum > 0 and not attisdropped and attgenerated = ''",
	        t->name) ||
	    !db_copy_text(c, 0, 0))
		return NULL;
	return arena_dupz(a, db_copy_text(c, 0, 0));
}

const char *copy_select(struct arena *a, const struct cell_table *t, const char *columns, const struct uuid *workspace,
    const char *condition)
{
	char id[37];

	if (columns == move_columns)
		columns = move_values;
	return arena_printf(a, "select %s from %s where workspace_id = '%s'%s%s", columns, t->name,
	    uuid_format(workspace, id), *condition ? " and " : "", condition);
}

/* --- statements --------------------------------------------------------------------------- */

/* Returns the next column of a list; false at the end. */
static bool next_column(const char **columns, const char **name, size_t *len)
{
	if (!**columns)
		return false;
	*name = *columns;
	*len = strcspn(*columns, ",");
	*columns += *len + (strncmp(*columns + *len, ", ", 2) == 0 ? 2 : 0);
	return true;
}

static bool is_among(const char *columns, const char *name, size_t len)
{
	const char *one;
	size_t one_len;

	while (next_column(&columns, &one, &one_len))
		if (one_len == len && memcmp(one, name, len) == 0)
			return true;
	return false;
}

void copy_match_sql(struct buf *sql, const struct cell_table *t)
{
	const char *keys = t->key ? t->key : "", *name;
	size_t len;

	buf_addz(sql, "t.workspace_id = s.workspace_id");
	while (next_column(&keys, &name, &len))
		buf_printf(sql, " and t.%.*s = s.%.*s", (int)len, name, (int)len, name);
}

/* Writes "column = excluded.column" for all columns except workspace_id and those of the key. False: there are none. */
static bool set_columns_sql(struct buf *sql, const char *columns, const char *but, const char *before)
{
	const char *name;
	size_t len;
	bool any = false;

	while (next_column(&columns, &name, &len)) {
		if (is_among("workspace_id", name, len) || is_among(but, name, len))
			continue;
		buf_printf(sql, "%s%.*s = excluded.%.*s", any ? ", " : before, (int)len, name, (int)len, name);
		any = true;
	}
	return any;
}

void copy_insert_sql(struct buf *sql, const struct cell_table *t, const char *columns)
{
	if (t == cell_tables) {
		buf_printf(sql,
		    "insert into %s as t (%s, moving) select %s, 'arriving' from staged_%s on conflict (workspace_id) "
		    "do update set version = greatest(t.version, excluded.version) + 1",
		    t->name, columns, columns, t->name);
		set_columns_sql(sql, columns, "version", ", ");
		return;
	}
	if (t->name_column) {
		buf_printf(sql,
		    "update %s t set %s = t.id::text from staged_%s s where t.workspace_id = s.workspace_id and t.id "
		    "<> s.id and %s; ",
		    t->name, t->name_column, t->name, t->same_name);
	} else if (t->same_name) {
		buf_printf(sql,
		    "delete from %s t using staged_%s s where t.workspace_id = s.workspace_id and %s and not (",
		    t->name, t->name, t->same_name);
		copy_match_sql(sql, t);
		buf_addz(sql, "); ");
	}
	buf_printf(sql, "insert into %s as t (%s) select %s from staged_%s", t->name, columns, columns, t->name);
	if (!t->key)
		return;
	/* The hash of a key is unique across all workspaces, because kith finds the workspace by it. */
	buf_printf(sql, " on conflict (%s%s)", strcmp(t->key, "key_hash") == 0 ? "" : "workspace_id, ", t->key);
	if (!set_columns_sql(sql, columns, t->key, " do update set "))
		buf_addz(sql, " do nothing");
}

bool copy_stage(struct db_copy *c, const struct cell_table *t, const char *columns)
{
	return db_copy_must(c, "create temporary table if not exists staged_%s as select %s from %s limit 0", t->name,
	    columns, t->name);
}

/* --- loading -------------------------------------------------------------------------------- */

bool copy_load_begin(struct copy_load *l, struct db_copy *to, const struct cell_table *t, const char *columns)
{
	*l = (struct copy_load){.to = to, .table = t, .columns = columns};
	return copy_stage(to, t, columns);
}

/* Reports which row it is, or which rows it may be. */
static bool load_say(const struct copy_load *l)
{
	long long first = l->rows - (int64_t)l->n + 1, line = db_copy_failed_line(l->to);

	if (line)
		fprintf(
		    stderr, "kith: table %s, row %lld: %s\n", l->table->name, first + line - 1, db_copy_error(l->to));
	else
		fprintf(stderr, "kith: table %s, rows %lld to %lld: %s\n", l->table->name, first, (long long)l->rows,
		    db_copy_error(l->to));
	return false;
}

bool copy_load_commit(struct copy_load *l)
{
	struct buf sql;
	bool ok;

	if (l->n == 0)
		return true;
	buf_init(&sql, STATEMENT_MAX);
	copy_insert_sql(&sql, l->table, l->columns);
	ok = db_copy_end(l->to);
	if (ok && l->look && !l->look(l, l->ctx)) {
		buf_free(&sql);
		return false;
	}
	ok = ok && db_copy_run(l->to, "%s; truncate staged_%s; commit", sql.data, l->table->name);
	buf_free(&sql);
	if (!ok)
		return load_say(l);
	copy_tell("copying", l->table->name, l->rows, "so far");
	l->n = l->bytes = 0;
	return true;
}

bool copy_load_row(struct copy_load *l, const char *line, size_t len)
{
	char stage[64];

	l->n++;
	l->rows++;
	l->bytes += len;
	if (l->n == 1) {
		snprintf(stage, sizeof stage, "staged_%s", l->table->name);
		if (!db_copy_run(l->to, "begin") || !db_copy_in(l->to, stage, l->columns))
			return load_say(l);
	}
	if (!db_copy_put(l->to, line, len))
		return load_say(l);
	return (l->n < ROWS_MAX && l->bytes < BYTES_MAX) || copy_load_commit(l);
}

/* --- removing --------------------------------------------------------------------------------- */

/* Deletes the rows of one partition by their positions, which one scan found. Searching for some more each time would
 * read again what is already deleted. */
static bool clear_part(struct db_copy *c, const char *table, const char *id)
{
	int64_t rows;

	do {
		if (!db_copy_must(c,
		        "drop table if exists cleared_rows; create temporary table cleared_rows as select row_number() "
		        "over () as n, ctid as place from only %s where workspace_id = '%s'",
		        table, id))
			return false;
		rows = db_copy_affected(c);
		if (rows && !db_copy_must(c, "create index on cleared_rows (n); analyze cleared_rows"))
			return false;
		for (int64_t done = 0; done < rows; done += ROWS_MAX) {
			if (!db_copy_must(c,
			        "delete from only %s where workspace_id = '%s' and ctid = any (array(select place from "
			        "cleared_rows where n > %lld and n <= %lld))",
			        table, id, (long long)done, (long long)done + ROWS_MAX))
				return false;
			copy_tell("removing", table, rows - done, "to go");
		}
	} while (rows > 0);
	return true;
}

bool copy_clear(struct db_copy *c, const struct uuid *workspace)
{
	struct arena a;
	char id[37];
	bool ok = true;

	arena_init(&a);
	uuid_format(workspace, id);
	for (size_t i = n_cell_tables; ok && i-- > 0 && !copy_of_note(&cell_tables[i]);) {
		int n;
		const char **parts;
		ok = db_copy_must(c,
		    "select relid::regclass::text from pg_partition_tree('%s') where isleaf union all "
		    "select '%s' where not exists (select from pg_partition_tree('%s'))",
		    cell_tables[i].name, cell_tables[i].name, cell_tables[i].name);
		n = ok ? db_copy_rows(c) : 0;
		parts = arena_alloc(&a, (size_t)(n + 1) * sizeof *parts);
		for (int p = 0; p < n; p++)
			parts[p] = arena_dupz(&a, db_copy_text(c, p, 0));
		for (int p = 0; ok && p < n; p++)
			ok = clear_part(c, parts[p], id);
	}
	arena_free(&a);
	return ok;
}
