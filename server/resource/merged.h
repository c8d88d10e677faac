/* People and companies that were merged into another one: their ids are gone, and lead to the record that stayed. */
#ifndef KITH_SERVER_RESOURCE_MERGED_H
#define KITH_SERVER_RESOURCE_MERGED_H

#include "server/request/request.h"

/* The 404 for the record that the route's last id names, with details.mergedInto if it was merged. The last act of a
 * step, which runs once more and comes here again: only who finds nothing pays for the look-up. */
enum step merged_not_found(struct req *r);

/* Adds the statement that remembers it. */
void merged_insert(struct sql *s, enum id_kind kind, const struct uuid *gone, const struct uuid *kept);

#endif
