/* Query parameters that the route does not know. kith ignores them and names them in the warnings of the answer. */
#ifndef KITH_SERVER_REQUEST_IGNORED_H
#define KITH_SERVER_REQUEST_IGNORED_H

#include "server/base/arena.h"
#include "server/base/query.h"
#include "server/request/route.h"

enum { IGNORED_MAX = 20 }; /* parameters that one answer names */

struct ignored {
	const struct query_pair *pairs[IGNORED_MAX];
	size_t count;
};

/* Adds the parameter, each name once. */
void ignored_add(struct ignored *all, const struct query_pair *pair);

/* Returns the warnings as JSON, separated by commas, in the arena; NULL: there are none. */
const char *ignored_warnings(const struct ignored *all, const struct route *route, struct arena *a);

#endif
