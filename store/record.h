/* Records and rows: SELECT, INSERT and UPDATE generated from the field tables. */
#ifndef KITH_STORE_RECORD_H
#define KITH_STORE_RECORD_H

#include "store/db.h"
#include "store/field.h"
#include "store/sql.h"

/* Appends the columns of a resource as a select list, prefixed with "t.". */
void record_columns(struct sql *s, const struct resource *res);

/* The same, with null in place of values that may be large and take that many bytes or more as stored; a further
 * column at the end is true for rows with such a value, else null. A value under 2,000 bytes as stored may be up to
 * a hundred times as large uncompressed. */
void record_columns_within(struct sql *s, const struct resource *res, int bytes);

/* Appends "select … from table t where t.workspace_id = $1"; the caller continues with " and …". */
void record_select(struct sql *s, const struct resource *res);

/* The same with null in place of these fields, which may be large; not for the first field or an entity. */
void record_select_without(struct sql *s, const struct resource *res, field_set without);

/* Reads a row of a statement made with record_columns(); allocated in the arena, with texts in the result. */
struct record *record_load(
    const struct db_exchange *x, int statement, int row, const struct resource *res, struct arena *a);

/* A record with every field unset. */
struct record *record_new(const struct resource *res, struct arena *a);
/* A shallow copy, whose values may be replaced. */
struct record *record_copy(const struct record *old, struct arena *a);

/* Sets the stamp of a new or changed record to now, but always above its previous value. So no two states of a record
 * have the same ETag, even if clocks jump. Returns the field as a set, which is empty for a record without a stamp. */
field_set record_touch(struct record *rec, int64_t now_ms);
/* Appends the same for rows t of an update: "updated_at = …". */
void record_touch_sql(struct sql *s, int64_t now_ms);

/* The set of fields that differ, hidden ones included. */
field_set record_diff(const struct record *old, const struct record *new);

/* "insert into table (…) values (…)" of every stored field. */
void record_insert(struct sql *s, const struct record *rec);
/* "update table t set … where t.workspace_id = $1 and t.id = …" of the fields in set. */
void record_update(struct sql *s, const struct record *rec, field_set set);

#endif
