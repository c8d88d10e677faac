/* Finds out whether a COMMIT succeeded whose answer was lost, by asking on a new connection until it is known; never
 * guesses. */
#ifndef KITH_SERVER_REQUEST_COMMIT_OUTCOME_H
#define KITH_SERVER_REQUEST_COMMIT_OUTCOME_H

#include "server/request/request.h"

/* Starts asking, until r->ask_until_us. Returns WAIT. */
enum step commit_outcome_ask(struct req *r);

/* To be called after an exchange of PHASE_ASK: WAIT, or DONE with the true answer. When the time is up the answer is
 * a 500 that says that the outcome is unknown; it is never stored. */
enum step commit_outcome_answered(struct req *r);

/* To be called after db_close(): ends requests that wait to ask again. */
void commit_outcome_stop(struct server *s);

#endif
