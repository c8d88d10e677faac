/*
 * A COMMIT whose answer was lost: what became of it is asked on a new
 * connection until it is known, never guessed.
 */
#ifndef KITH_SERVER_REQUEST_COMMIT_OUTCOME_H
#define KITH_SERVER_REQUEST_COMMIT_OUTCOME_H

#include "server/request/request.h"

/* Begins to ask, until r->ask_until_us. WAIT. */
enum step fate_ask(struct req *r);

/* After an exchange of PHASE_ASK: WAIT, or DONE with the true answer. When nobody
 * tells in time that is a 500 which says that the outcome is unknown; it is never stored. */
enum step fate_answered(struct req *r);

/* After db_close(): ends the requests that wait to ask again. */
void fate_stop(struct server *s);

#endif
