/* Advisory locks of workspaces and records (see open.c), by number: the random part of an id. */
#ifndef KITH_SERVER_LOCKS_H
#define KITH_SERVER_LOCKS_H

#include "server/base/id.h"
#include "store/sql.h"

int64_t lock_number(const struct uuid *id);

/* Appends a statement that locks all of the records, one after the other and in one order for all. */
void lock_records_sql(struct sql *s, const struct uuid *ids, size_t n);

#endif
