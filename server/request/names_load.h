/* Loads the wanted names of contacts and objects from the database. */
#ifndef KITH_SERVER_REQUEST_NAMES_LOAD_H
#define KITH_SERVER_REQUEST_NAMES_LOAD_H

#include "server/output/names.h"
#include "server/request/request.h"

/* Adds the statement that reads the wanted names; *at is its index. */
void names_ask(struct req *r, struct names *n, int *at);
/* Reads its result, and refers to the texts in it. Returns false when it must be continued in another turn. */
bool names_take(struct req *r, struct names *n, const struct db_exchange *x, int at);

#endif
