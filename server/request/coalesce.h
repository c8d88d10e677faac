/* Combines the reads of single records within a turn of the loop into one statement. Starting a statement costs
 * PostgreSQL several times as much as fetching one more row by its key, and under load a turn has many such reads:
 * those of the requests admitted together. This delays no read: they are sent at the turn's end. */
#ifndef KITH_SERVER_REQUEST_COALESCE_H
#define KITH_SERVER_REQUEST_COALESCE_H

#include "server/request/request.h"

enum { COALESCE_MAX = 64 }; /* reads per statement */

struct coalesce; /* a statement and the requests that wait for it */

/* Reads the row of the route's resource with that id. The next step finds the result in r->x, and its row in r->row,
 * -1 when there is none. Like req_ask() the last act of a step. */
enum step coalesce_get(struct req *r, const struct uuid *id);

/* Sends the collected reads; called at the end of each turn. */
void coalesce_flush(struct server *s);

/* The request no longer needs its result. */
void coalesce_release(struct req *r);

#endif
