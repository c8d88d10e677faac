/* Long work of requests, in slices (server/base/loop.h). A step checks at suitable points whether its time is up, and
 * then returns AGAIN. */
#ifndef KITH_SERVER_REQUEST_SLICE_H
#define KITH_SERVER_REQUEST_SLICE_H

#include <stdbool.h>

#include "server/request/request.h"

struct server;

/* True when the request has run long enough in this turn. The first call in a turn starts the clock. */
bool slice_over(struct req *r);

/* Continues the request in a later turn. */
void slice_later(struct req *r);

/* Answers the waiting requests when the server stops. */
void slices_stop(struct server *s);

#endif
