/* The exchanges of a request with the database; what steps may call is in request.h. */
#ifndef KITH_SERVER_REQUEST_EXCHANGE_H
#define KITH_SERVER_REQUEST_EXCHANGE_H

#include "server/request/request.h"

/* A new statement that is not begun; one of no workspace whose text is a constant. */
struct sql *transaction_statement(struct req *r, int *index);
void transaction_command(struct req *r, const char *name, const char *text);

/* Sends what was put together (deadline_ms 0: the lane's own); the runner goes on when it has ended. */
enum step transaction_send(struct req *r, enum db_lane lane, bool keep, int deadline_ms);

/* Who runs again loads again. */
void exchange_forget_results(struct req *r);
/* Frees all of them. */
void exchange_free(struct req *r);

#endif
