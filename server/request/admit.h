/* The steps of every request with a key, before its route's own; those of validate.h are between them. */
#ifndef KITH_SERVER_REQUEST_ADMIT_H
#define KITH_SERVER_REQUEST_ADMIT_H

#include "server/request/request.h"

step_fn step_admit;    /* the key; asks for admission */
step_fn step_admitted; /* 401, 429, 503; then gets the workspace's snapshot */
step_fn step_snapshot; /* the snapshot has arrived */
step_fn step_claim;    /* claim.c: claims the idempotency key of a write, by the request's fingerprint */
step_fn step_recall;   /* the same file: refuses a keyed write that has issues */
step_fn step_enter;    /* continues with the route's steps */

/* The scopes that the route needs and the key lacks, as bits of enum key_scope; and the 403 that names them. */
unsigned admit_lacks(const struct req *r);
enum step admit_refuse(struct req *r, unsigned lacks);

/* True for a refusal under a key that was not looked up: what the request refers to may have gone since it was done,
 * and then a retry is a replay all the same. To be continued: replaces the reply by the stored answer, if there is one.
 */
bool claim_recall(struct req *r);

/* Makes the next steps those that look whether the request of the key ran before, or runs: then that is the answer,
 * else the reply that is set. */
void claim_look(struct req *r);

/* Frees the fingerprint of a request that ends early. */
void claim_free(struct req *r);

/* The http_judge of the API; ctx is the struct server. */
void admit_judge(const struct http_head *head, struct http_verdict *verdict, void *ctx);

#endif
