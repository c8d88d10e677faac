/* Transactions, for the runner and for each other. The functions for steps are in request.h. */
#ifndef KITH_SERVER_REQUEST_TRANSACTION_H
#define KITH_SERVER_REQUEST_TRANSACTION_H

#include "server/request/request.h"

/* Call it when the exchange in r->db.last has ended. PASS: run the next step. DONE: finish. WAIT: another exchange is
 * running. */
enum step transaction_ended(struct req *r);

/* The existing record that the request locks: the one in the path of an update or action, or one that must not change
 * while another is created. NULL: none, or many. */
const struct uuid *transaction_record(const struct req *r);

/* In transaction_open.c: adds the last statements of the opening exchange, after those of transaction_begin() and of
 * the step. */
void transaction_version(struct req *r);

/* A statement in the arena that sets the trace of the events that follow. */
struct sql *transaction_trace_statement(struct req *r, struct arena *a);

/* Sends the exchange of transaction_ask(); turns.c calls it. */
enum step transaction_send(struct req *r);

/* Call it with a reply rendered and a transaction open. It sends the stored answer and COMMIT and returns true, or
 * returns false when there is nothing to wait for. A refused request is rolled back. If it has a key, the answer waits
 * for the rollback, because the client may use the key again at once. */
bool transaction_commit(struct req *r);

/* Rolls back an open transaction. */
void transaction_abandon(struct req *r);

/* Adds the lock of the key, which waits or only tries, and the look-up of its stored answer. */
void transaction_claim(struct req *r, bool wait);
/* DONE: the look-up found a stored answer, which is now the reply. PASS: there is none. */
enum step transaction_found(struct req *r);

/* Replaces the request's snapshot with one at least as new, then runs the steps from r->next. DONE: a 503. */
enum step transaction_refresh(struct req *r, int64_t version);

/* Rolls the transaction back and sets the reply to a 503, because nothing was done. */
enum step transaction_unavailable(struct req *r);

/* Frees all results. */
void transaction_free(struct req *r);

/* --- exchange.c: exchanges with the database; the interface of steps is in request.h ------------ */

/* Adds a statement, which the caller begins. */
struct sql *exchange_statement(struct req *r, int *index);
/* Adds a constant text that does not refer to a workspace. */
void exchange_command(struct req *r, const char *name, const char *text);

/* Sends the statements. deadline_ms 0: the default of the lane. The runner continues when they have ended. */
enum step exchange_send(struct req *r, enum db_lane lane, bool keep, int deadline_ms);

/* Drops the statements that have not been sent. */
void exchange_forget_statements(struct req_db *db);
/* Frees the results, because a repeated run loads again. */
void exchange_forget_results(struct req_db *db);
/* Frees all exchanges. */
void exchange_free(struct req_db *db);

/* --- commit_outcome.c: whether a COMMIT succeeded whose answer was lost -------------------------- */

/* Starts asking, until r->tx.ask_until_us. Returns WAIT. */
enum step commit_outcome_ask(struct req *r);

/* Call it after an exchange of PHASE_ASK. It returns WAIT, or DONE with the true answer. When the time is up, the
 * answer is a 500 that says that the outcome is unknown. This 500 is never stored. */
enum step commit_outcome_answered(struct req *r);

/* Call it after db_close(): it ends requests that wait to ask again. */
void commit_outcome_stop(struct server *s);

#endif
