/* Counts what a database contains: for the manifest at a backup, and again after a restore. */
#ifndef KITH_SERVER_OPERATE_COUNTED_H
#define KITH_SERVER_OPERATE_COUNTED_H

#include <stdbool.h>

#include "server/base/arena.h"
#include "store/db_admin.h"

/* Returns the number of rows of each table in the login's schema, as a JSON object in the arena. NULL with the reason.
 */
const char *counted_rows(struct db_admin *admin, struct arena *a, char message[DB_ADMIN_MESSAGE]);

/* Compares two such counts. False with the first difference on stderr. */
bool counted_same(const char *expected, const char *found);

#endif
