/* The runner's interface to transaction.c; that of steps is in request.h. */
#ifndef KITH_SERVER_REQUEST_TRANSACTION_H
#define KITH_SERVER_REQUEST_TRANSACTION_H

#include "server/request/request.h"

/* Handles the end of r->x: PASS to run the next step, DONE to finish, WAIT. */
enum step transaction_ended(struct req *r);

/* To be called after a claim's exchange: PASS when the work may begin. */
enum step transaction_opened(struct req *r);

/* In transaction_open.c: adds the last statement of the opening exchange; transaction_begin() has added the first ones.
 */
void transaction_version(struct req *r);

/* With a reply rendered and a transaction open: sends the stored answer and COMMIT, and returns true; false when
 * there is nothing to commit (rolled back if needed). */
bool transaction_commit(struct req *r);

/* Rolls back an open transaction. */
void transaction_abandon(struct req *r);

/* DONE: the look-up's result has a stored answer, which is now the reply. PASS: there is none. */
enum step transaction_found(struct req *r, int lookup);

/* Replaces the request's snapshot by one at least as new, then runs the steps from r->next; DONE: a 503. */
enum step transaction_refresh(struct req *r, int64_t version);

/* Rolls back; the reply is a 503: nothing was done. */
enum step transaction_unavailable(struct req *r);

/* Frees all results. */
void transaction_free(struct req *r);

#endif
