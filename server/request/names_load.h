/* Asks the database for the names of contacts and objects that were gathered. */
#ifndef KITH_SERVER_REQUEST_NAMES_LOAD_H
#define KITH_SERVER_REQUEST_NAMES_LOAD_H

#include "server/output/names.h"
#include "server/request/request.h"

/* Adds the statements that read the wanted names; *at is the first. */
enum { NAMES_STATEMENTS = 3 };
void names_ask(struct req *r, struct names *n, int *at);
/* Takes the answers, which begin at that statement; the texts stay in the results. False: it goes on in another turn.
 */
bool names_take(struct req *r, struct names *n, const struct db_exchange *x, int at);

#endif
