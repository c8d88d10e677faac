/* A request's exchanges with the database; the interface of steps is in request.h. */
#ifndef KITH_SERVER_REQUEST_EXCHANGE_H
#define KITH_SERVER_REQUEST_EXCHANGE_H

#include "server/request/request.h"

/* Adds a statement that the caller begins; adds one without a workspace whose text is a constant. */
struct sql *exchange_statement(struct req *r, int *index);
void exchange_command(struct req *r, const char *name, const char *text);

/* Sends the statements (deadline_ms 0: the lane's default); the runner continues when they have ended. */
enum step exchange_send(struct req *r, enum db_lane lane, bool keep, int deadline_ms);

/* Frees the results: a repeated run loads again. */
void exchange_forget_results(struct req *r);
/* Frees all exchanges. */
void exchange_free(struct req *r);

#endif
