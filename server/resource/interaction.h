/* Shared by writing and reading interactions. */
#ifndef KITH_SERVER_RESOURCE_INTERACTION_H
#define KITH_SERVER_RESOURCE_INTERACTION_H

#include "server/request/request.h"
#include "store/field.h"

/* False when the query has an entity.id other than the interaction's. */
bool interaction_is_of(const struct req *r, const struct record *rec);

#endif
