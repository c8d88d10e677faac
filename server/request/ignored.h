/* Query parameters that the route does not know. kith ignores them and names them in the warnings of the answer. */
#ifndef KITH_SERVER_REQUEST_IGNORED_H
#define KITH_SERVER_REQUEST_IGNORED_H

#include "server/request/request.h"

enum { IGNORED_MAX = 20 }; /* parameters that one answer names */

/* Keeps the parameter for the warnings, each name once. */
void ignored_add(struct req *r, const struct query_pair *pair);

/* Appends the warnings as JSON, separated by commas. */
void ignored_write(struct req *r, struct buf *out);

#endif
