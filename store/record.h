/* Records and rows: SELECT, INSERT and UPDATE out of the field table. */
#ifndef KITH_STORE_RECORD_H
#define KITH_STORE_RECORD_H

#include "store/db.h"
#include "store/field.h"
#include "store/sql.h"

/* Appends the columns of a resource as a select list, prefixed with "t.". */
void record_columns(struct sql *s, const struct resource *res);

/*
 * The same, but a value that can become large and takes as many bytes as that where it lies is null in its place;
 * behind them a column more, true for a row of which something was left out, else null. What is smaller than 2,000
 * bytes where it lies is no more than a hundred times as large when it was compressed.
 */
void record_columns_within(struct sql *s, const struct resource *res, int bytes);

/* Appends "select … from table t where t.workspace_id = $1"; the caller goes on with " and …". */
void record_select(struct sql *s, const struct resource *res);

/* The same with nulls in place of these fields, which may be large; never of the first field, or an entity. */
void record_select_without(struct sql *s, const struct resource *res, field_set without);

/* Reads row of statement, which was made with record_columns(); lives in the arena and in the result. */
struct record *record_load(
    const struct db_exchange *x, int statement, int row, const struct resource *res, struct arena *a);

/* A record with every field unset. */
struct record *record_new(const struct resource *res, struct arena *a);
/* A copy whose values may be replaced one by one; what they point to is shared. */
struct record *record_copy(const struct record *old, struct arena *a);

/* The fields that differ, hidden ones included. */
field_set record_diff(const struct record *old, const struct record *new);

/* "insert into table (…) values (…)" of every stored field. */
void record_insert(struct sql *s, const struct record *rec);
/* "update table t set … where t.workspace_id = $1 and t.id = …" of the fields in set. */
void record_update(struct sql *s, const struct record *rec, field_set set);

#endif
