/* Copying a workspace's rows, table by table, in the text format of COPY. Rows go into a temporary table first, from
 * which they are inserted under row-level security, in transactions that are short: one that lasts would hold back the
 * events of every workspace of the database that takes them. */
#ifndef KITH_SERVER_CELL_COPY_H
#define KITH_SERVER_CELL_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/cell/table.h"
#include "store/db_copy.h"

/* The columns that are copied, separated by ", "; NULL on failure. Of the workspace itself: not those that say where it
 * is. moves: into a database of the same operator. */
const char *copy_columns(struct db_copy *c, struct arena *a, const struct cell_table *t, bool moves);

/* "select columns from table where workspace_id = … and condition"; condition "": all rows. */
const char *copy_select(struct arena *a, const struct cell_table *t, const char *columns, const struct uuid *workspace,
    const char *condition);

/* Appends "t.column = s.column and …" for the columns of the primary key. */
void copy_match_sql(struct buf *sql, const struct cell_table *t);
/* Appends the statements that insert what is staged and replace what is there already. A row whose name a staged one
 * has got elsewhere was given another one there, or deleted: it is put out of the way until that comes. */
void copy_insert_sql(struct buf *sql, const struct cell_table *t, const char *columns);

/* Makes an empty table staged_NAME, unless there is one. */
bool copy_stage(struct db_copy *c, const struct cell_table *t, const char *columns);

/* Rows on their way into a table. */
struct copy_load {
	struct db_copy *to;
	const struct cell_table *table;
	const char *columns;
	int64_t rows;    /* taken */
	size_t n, bytes; /* of the present transaction */
	/* Looks at the staged rows before they are inserted; NULL: nobody does. False with a message. */
	bool (*look)(const struct copy_load *l, void *ctx);
	void *ctx;
};
bool copy_load_begin(struct copy_load *l, struct db_copy *to, const struct cell_table *t, const char *columns);
bool copy_load_row(struct copy_load *l, const char *line, size_t len);
bool copy_load_end(struct copy_load *l);

/* Deletes the workspace's rows in short transactions, but for the tables of the note that tells where it is: the
 * workspace, its users and their keys. */
bool copy_clear(struct db_copy *c, const struct uuid *workspace);

/* Tables of that note. */
bool copy_of_note(const struct cell_table *t);

#endif
