/* Copies a workspace's rows, table by table, in the text format of COPY. Rows first go into a temporary table. From
 * there they are inserted under row-level security, in short transactions, because a long one would hold back the
 * events of every workspace in the target database. */
#ifndef KITH_SERVER_CELL_COPY_H
#define KITH_SERVER_CELL_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/cell/cell_table.h"
#include "store/db_copy.h"

/* Returns the columns to copy, separated by ", "; NULL on failure. The workspace's own columns that say where it is are
 * left out. moves: the target is a database of the same operator. */
const char *copy_columns(struct db_copy *c, struct arena *a, const struct cell_table *t, bool moves);

/* Returns "select columns from table where workspace_id = … and condition"; condition "": all rows. */
const char *copy_select(struct arena *a, const struct cell_table *t, const char *columns, const struct uuid *workspace,
    const char *condition);

/* Appends "t.column = s.column and …" for the columns of the primary key. */
void copy_match_sql(struct buf *sql, const struct cell_table *t);
/* Appends the statements that insert the staged rows and replace existing ones. If a staged row has the name of another
 * existing row, that other row was renamed or deleted at the source. Its id becomes its name until its own new version
 * arrives. */
void copy_insert_sql(struct buf *sql, const struct cell_table *t, const char *columns);

/* Creates an empty table staged_NAME, unless it exists. */
bool copy_stage(struct db_copy *c, const struct cell_table *t, const char *columns);

/* Rows on their way into a table. */
struct copy_load {
	struct db_copy *to;
	const struct cell_table *table;
	const char *columns;
	int64_t rows;    /* rows taken so far */
	size_t n, bytes; /* of the current transaction */
	/* Checks the staged rows before they are inserted; NULL: no check. False with a message. */
	bool (*look)(const struct copy_load *l, void *ctx);
	void *ctx;
};
bool copy_load_begin(struct copy_load *l, struct db_copy *to, const struct cell_table *t, const char *columns);
bool copy_load_row(struct copy_load *l, const char *line, size_t len);
/* Stores the rows that are left. */
bool copy_load_commit(struct copy_load *l);

/* Deletes the workspace's rows in short transactions, except the rows that record where it is: the workspace, its users
 * and their keys. */
bool copy_clear(struct db_copy *c, const struct uuid *workspace);

/* True for the tables with those rows. */
bool copy_of_note(const struct cell_table *t);

#endif
