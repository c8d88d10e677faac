/* Claiming a write's idempotency key: the request's fingerprint, and keys in use by this process. */
#ifndef KITH_SERVER_REQUEST_CLAIM_H
#define KITH_SERVER_REQUEST_CLAIM_H

#include "server/request/request.h"

/* To be run when the request is known to be valid. */
step_fn step_claim;

/* Frees the state of a request that ends early. */
void claim_free(struct req *r);

#endif
