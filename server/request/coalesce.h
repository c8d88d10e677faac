/* Combines the reads of single records within a turn of the loop into one statement. To start a statement costs
 * PostgreSQL several times as much as to fetch one more row by its key. Under load a turn has many such reads, from the
 * requests that were admitted together. No read is delayed: all are sent at the end of the turn. */
#ifndef KITH_SERVER_REQUEST_COALESCE_H
#define KITH_SERVER_REQUEST_COALESCE_H

#include "server/request/request.h"

enum { COALESCE_MAX = 64 }; /* reads per statement */

struct coalesce; /* a statement and the requests that wait for it */

/* Reads the row of the route's resource with that id. The next step finds the result in r->db.last and its row in
 * r->db.row, which is -1 when there is none. Call it as the last action of a step, as req_ask(). */
enum step coalesce_get(struct req *r, const struct uuid *id);

/* Sends the collected reads; called at the end of each turn. */
void coalesce_flush(struct server *s);

/* The request no longer needs the result. */
void coalesce_release(struct req_db *db);

#endif
