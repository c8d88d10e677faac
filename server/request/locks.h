/* Numbers of the advisory locks of workspaces and records (see transaction_open.c). A database has one number space for
 * all workspaces, and a record's id comes from the client before its workspace is known. So the number of a record is a
 * digest of workspace and id: no client can name or find a number of another workspace. */
#ifndef KITH_SERVER_REQUEST_LOCKS_H
#define KITH_SERVER_REQUEST_LOCKS_H

#include "server/base/id.h"
#include "store/sql.h"

/* The random part of the workspace's id, which clients cannot choose. */
int64_t lock_workspace_number(const struct uuid *workspace);
int64_t lock_record_number(const struct uuid *workspace, const struct uuid *id);

/* The same as expressions of SQL, of expressions for the ids. */
void lock_workspace_number_sql(struct sql *s, const char *workspace);
void lock_number_sql(struct sql *s, const char *workspace, const char *id);

/* Appends a statement that locks all of the records one by one, in the same order for every request. */
void lock_records_sql(struct sql *s, const struct uuid *workspace, const struct uuid *ids, size_t n);

#endif
