/* Transactions, for the runner and each other; the interface of steps is in request.h. */
#ifndef KITH_SERVER_REQUEST_TRANSACTION_H
#define KITH_SERVER_REQUEST_TRANSACTION_H

#include "server/request/request.h"

/* Handles the end of r->x: PASS to run the next step, DONE to finish, WAIT. */
enum step transaction_ended(struct req *r);

/* In transaction_open.c: adds the last statement of the opening exchange, after those of transaction_begin(). */
void transaction_version(struct req *r);

/* Sends the exchange of transaction_ask(), for turns.c. */
enum step transaction_send(struct req *r);

/* With a reply rendered and a transaction open: sends the stored answer and COMMIT, and returns true; false when there
 * is nothing to wait for. What is refused is rolled back; with a key that is waited for, as the client may use the key
 * again at once. */
bool transaction_commit(struct req *r);

/* Rolls back an open transaction. */
void transaction_abandon(struct req *r);

/* Adds the lock of the key, which waits or tries, and the look-up of its stored answer. */
void transaction_claim(struct req *r, bool wait);
/* DONE: the look-up's result has a stored answer, which is now the reply. PASS: there is none. */
enum step transaction_found(struct req *r);

/* Replaces the request's snapshot by one at least as new, then runs the steps from r->next; DONE: a 503. */
enum step transaction_refresh(struct req *r, int64_t version);

/* Rolls back; the reply is a 503: nothing was done. */
enum step transaction_unavailable(struct req *r);

/* Frees all results. */
void transaction_free(struct req *r);

/* --- exchange.c: exchanges with the database; the interface of steps is in request.h ------------ */

/* Adds a statement that the caller begins; adds one without a workspace whose text is a constant. */
struct sql *exchange_statement(struct req *r, int *index);
void exchange_command(struct req *r, const char *name, const char *text);

/* Sends the statements (deadline_ms 0: the lane's default); the runner continues when they have ended. */
enum step exchange_send(struct req *r, enum db_lane lane, bool keep, int deadline_ms);

/* Drops the statements that have not been sent. */
void exchange_forget_statements(struct req *r);
/* Frees the results: a repeated run loads again. */
void exchange_forget_results(struct req *r);
/* Frees all exchanges. */
void exchange_free(struct req *r);

/* --- commit_outcome.c: whether a COMMIT succeeded whose answer was lost -------------------------- */

/* Starts asking, until r->ask_until_us. Returns WAIT. */
enum step commit_outcome_ask(struct req *r);

/* To be called after an exchange of PHASE_ASK: WAIT, or DONE with the true answer. When the time is up the answer is
 * a 500 that says that the outcome is unknown; it is never stored. */
enum step commit_outcome_answered(struct req *r);

/* To be called after db_close(): ends requests that wait to ask again. */
void commit_outcome_stop(struct server *s);

#endif
