/* What a database holds: counted for the manifest when it is backed up, and again when it was restored. */
#ifndef KITH_SERVER_OPERATE_COUNTED_H
#define KITH_SERVER_OPERATE_COUNTED_H

#include <stdbool.h>

#include "server/base/arena.h"
#include "store/db_admin.h"

/* The numbers of rows of the tables in the login's schema, an object of JSON in the arena; NULL with the reason. */
const char *counted_rows(struct db_admin *admin, struct arena *a, char message[DB_ADMIN_MESSAGE]);

/* Compares two of them. False with the first difference on stderr. */
bool counted_same(const char *expected, const char *found);

#endif
