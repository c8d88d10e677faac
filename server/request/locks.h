/*
 * Advisory locks of workspaces and records (see transaction_open.c), by number. A database has one space of them for
 * all workspaces, and a record's id comes from the client before anybody knows whose it is: so the number of a record
 * is a digest of workspace and id, and nobody can name, or find, the number of another workspace or of its records.
 */
#ifndef KITH_SERVER_REQUEST_LOCKS_H
#define KITH_SERVER_REQUEST_LOCKS_H

#include "server/base/id.h"
#include "store/sql.h"

/* The random part of its id, which is never a client's word. */
int64_t lock_workspace_number(const struct uuid *workspace);
int64_t lock_record_number(const struct uuid *workspace, const struct uuid *id);

/* Appends a statement that locks all of the records, one after the other and in one order for all. */
void lock_records_sql(struct sql *s, const struct uuid *workspace, const struct uuid *ids, size_t n);

#endif
