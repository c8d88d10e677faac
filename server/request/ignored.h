/* Parameters of a query that the route does not know: they are ignored, and named in the answer's warnings. */
#ifndef KITH_SERVER_REQUEST_IGNORED_H
#define KITH_SERVER_REQUEST_IGNORED_H

#include "server/request/request.h"

enum { IGNORED_MAX = 20 }; /* parameters named in one answer */

/* Keeps the parameter for the warnings; each name once. */
void ignored_add(struct req *r, const struct query_pair *pair);

/* Appends their warnings as JSON, with commas between them. */
void ignored_write(struct req *r, struct buf *out);

#endif
