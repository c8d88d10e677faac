/* Long work of requests, in slices (server/base/loop.h): a step checks at suitable points whether its time is up, and
 * then returns AGAIN. */
#ifndef KITH_SERVER_REQUEST_SLICE_H
#define KITH_SERVER_REQUEST_SLICE_H

#include <stdbool.h>

#include "server/request/request.h"

struct server;

/* True when the request has run for long enough in this turn. The first call of a turn starts the clock. */
bool slice_over(struct req *r);

/* Continues the request in a later turn. */
void slice_later(struct req *r);

/* For when the server stops: answers those waiting. */
void slices_stop(struct server *s);

#endif
