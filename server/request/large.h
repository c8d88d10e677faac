/* Large batches and calendars take turns within a process. */
#ifndef KITH_SERVER_REQUEST_LARGE_H
#define KITH_SERVER_REQUEST_LARGE_H

#include "server/request/request.h"

enum {
	LARGE_BYTES = 256 << 10, /* bytes of a request: four times a batch of a hundred ordinary records */
	/* A request gets a 503 when more than this many wait, or after this time. */
	LARGE_WAITING_OF_WORKSPACE = 16,
	LARGE_WAITING_MAX = 256,
	LARGE_WAIT_MS = 10000 /* the time limit of a statement, and so of the running batch */
};

struct server;

/* Call it for a batch before its transaction is opened. PASS: continue. WAIT: the step runs again when it is the turn
 * of the request. DONE: too many batches wait, and the answer is a 503. */
enum step large_turn(struct req *r);
/* The same for a calendar of more than LARGE_BYTES. */
enum step large_take_turn(struct req *r);

/* Call it when the request has ended, in every case. */
void large_release(struct req *r);

/* Call it at the end of each turn of the loop: it starts the next batch and refuses the batches that have waited too
 * long. */
void large_flush(struct server *s);

/* Answers the waiting requests when the server stops. */
void large_stop(struct server *s);

#endif
