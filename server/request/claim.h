/* The claim of a write's idempotency key: what is asked under it, and whether this process runs it already. */
#ifndef KITH_SERVER_REQUEST_CLAIM_H
#define KITH_SERVER_REQUEST_CLAIM_H

#include "server/request/request.h"

/* When the request is known to be good. */
step_fn step_claim;

/* Of a request that ends before. */
void claim_free(struct req *r);

#endif
