/* The steps of every request that needs a key. They run before the steps of its route; the steps of validate.h run
 * between them. */
#ifndef KITH_SERVER_REQUEST_ADMIT_H
#define KITH_SERVER_REQUEST_ADMIT_H

#include "server/request/request.h"

step_fn step_admit;    /* looks at the key, or the cookie of a session, and asks for admission */
step_fn step_admitted; /* sets a 401, 429 or 503, or asks for the workspace's snapshot */
step_fn step_snapshot; /* takes the snapshot when it has arrived */
step_fn step_claim;    /* claim.c: claims a write's idempotency key with the fingerprint of the request */
step_fn step_recall;   /* claim.c: refuses a request with a key that has issues */
step_fn step_enter;    /* continues with the route's steps */

/* Asks for admission with the text of a key. The next step is step_admitted(). */
enum step admit_ask(struct req *r, const char *key);

/* The scopes that the route needs and the key lacks, as bits of enum key_scope. The second function sets the 403 that
 * names them. */
unsigned admit_lacks(const struct req *r);
enum step admit_refuse(struct req *r, unsigned lacks);

/* True for a refusal under an idempotency key that was not looked up yet. The request may have run before, and what it
 * refers to may have been deleted since; then this retry still gets the stored answer. The function that continues
 * replaces the reply with the stored answer, if there is one. */
bool claim_recall(struct req *r);

/* Makes the next steps find out whether a request with this key ran before or is running. If so, that decides the
 * answer; else the reply that is set stays. */
void claim_look(struct req *r);

/* Frees the fingerprint of a request that ends early. */
void claim_free(struct req *r);

/* The http_judge of the API; ctx is the struct server. */
void admit_judge(const struct http_head *head, struct http_verdict *verdict, void *ctx);

#endif
