/*
 * Reads of one record that come in the same turn of the loop are one statement.
 * Starting a statement costs PostgreSQL several times as much as fetching one more
 * row by its key, and under load a turn brings many such reads: the requests that
 * admission lets in together. Nobody waits for it: a turn's reads leave at its end.
 */
#ifndef KITH_SERVER_REQUEST_COALESCE_H
#define KITH_SERVER_REQUEST_COALESCE_H

#include "server/request/request.h"

enum { TOGETHER_MAX = 64 }; /* reads of one statement */

struct together; /* one statement and those who wait for it */

/* Reads the row of the route's resource with that id. The next step finds the result in r->x,
 * and its row in r->row, -1 when there is none. As ask(), the last act of a step. */
enum step together_get(struct req *r, const struct uuid *id);

/* Sends what was gathered: at the end of each turn. */
void together_flush(struct server *s);

/* The request needs its result no more. */
void together_release(struct req *r);

#endif
