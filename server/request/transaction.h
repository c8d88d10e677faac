/* The runner's side of transaction.c; what steps may call is in request.h. */
#ifndef KITH_SERVER_REQUEST_TRANSACTION_H
#define KITH_SERVER_REQUEST_TRANSACTION_H

#include "server/request/request.h"

/* Meets what r->x ended with: PASS to run the next step, DONE to finish, WAIT. */
enum step transaction_ended(struct req *r);

/* After a claim's exchange: PASS when the work may begin. */
enum step transaction_opened(struct req *r);

/* In transaction_open.c: adds the last statement of the exchange that opens one; write_begin() has added the first. */
void transaction_version(struct req *r);

/* With a reply rendered and a transaction open: sends the stored answer and COMMIT and
 * answers true; false when there is nothing to commit (rolled back where needed). */
bool transaction_commit(struct req *r);

/* Rolls an open transaction back. */
void transaction_abandon(struct req *r);

/* The stored answer in the result of a look-up becomes the reply: DONE. PASS: there is none. */
enum step transaction_found(struct req *r, int lookup);

/* Rolls back; the reply is a 503: nothing was done. */
enum step transaction_unavailable(struct req *r);

/* Frees all results. */
void transaction_free(struct req *r);

#endif
