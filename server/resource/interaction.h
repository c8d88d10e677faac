/* What writing and reading of interactions share. */
#ifndef KITH_SERVER_RESOURCE_INTERACTION_H
#define KITH_SERVER_RESOURCE_INTERACTION_H

#include "server/request/request.h"
#include "store/field.h"

/* False when the query names an entity.id that is not the interaction's. */
bool interaction_is_of(const struct req *r, const struct record *rec);

#endif
