/*
 * Work that takes long goes on in slices, so that others are served between two: a step looks at natural borders
 * whether its time is up, and returns AGAIN when it is. One slice a turn of the loop, whoever waits: they take turns.
 */
#ifndef KITH_SERVER_REQUEST_SLICE_H
#define KITH_SERVER_REQUEST_SLICE_H

#include <stdbool.h>

#include "server/request/request.h"

struct server;

/* True when the request has held this turn of the loop for long enough. The first look of a turn only begins to count.
 */
bool slice_over(struct req *r);

/* The request runs on in a later turn. */
void slice_later(struct req *r);

/* The server closes: those that wait for a turn are answered. */
void slices_stop(struct server *s);

#endif
