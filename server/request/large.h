/* Large batches take turns within a process. */
#ifndef KITH_SERVER_REQUEST_LARGE_H
#define KITH_SERVER_REQUEST_LARGE_H

#include "server/request/request.h"

enum {
	LARGE_BYTES = 256 << 10, /* of a request: four times a batch of a hundred ordinary records */
	/* A 503 beyond these numbers, and after this time. */
	LARGE_WAITING_OF_WORKSPACE = 16,
	LARGE_WAITING_MAX = 256,
	LARGE_WAIT_MS = 10000 /* the time limit of a statement, so of the batch in progress */
};

struct server;

/* To be called for a batch before its transaction is opened: PASS; or WAIT, and the step runs again in the request's
 * turn; or DONE when too many wait. */
enum step large_turn(struct req *r);

/* To be called when the request has ended, in every case. */
void large_release(struct req *r);

/* At the end of each turn of the loop: starts the next batch, ends those that have waited too long. */
void large_flush(struct server *s);

/* For when the server stops: answers those waiting. */
void large_stop(struct server *s);

#endif
