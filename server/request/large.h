/* Large batches take turns in a process. */
#ifndef KITH_SERVER_REQUEST_LARGE_H
#define KITH_SERVER_REQUEST_LARGE_H

#include "server/request/request.h"

enum {
	LARGE_BYTES = 256 << 10, /* of a request: a batch of a hundred ordinary records has a quarter of it */
	/* Over these, and who has waited for so long, a 503. */
	LARGE_WAITING_OF_WORKSPACE = 16,
	LARGE_WAITING_MAX = 256,
	LARGE_WAIT_MS = 10000 /* as long as a statement of the one whose turn it is may take */
};

struct server;

/* Of a batch, before its transaction is opened: PASS, or WAIT, and the step runs again when it is the request's turn,
 * or DONE when too many wait. */
enum step large_turn(struct req *r);

/* The request is over, whatever became of it. */
void large_release(struct req *r);

/* At the end of each turn of the loop: lets the next one go on, ends those that have waited for too long. */
void large_flush(struct server *s);

/* The server closes: those that wait are answered. */
void large_stop(struct server *s);

#endif
