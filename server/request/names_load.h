/* Fetches the wanted names of contacts and objects from the database. */
#ifndef KITH_SERVER_REQUEST_NAMES_LOAD_H
#define KITH_SERVER_REQUEST_NAMES_LOAD_H

#include "server/output/names.h"
#include "server/request/request.h"

/* Adds the statements that read the wanted names; *at is the first. */
enum { NAMES_STATEMENTS = 3 };
void names_ask(struct req *r, struct names *n, int *at);
/* Reads the results, starting at statement at; texts stay in the results. False: to be continued in another turn. */
bool names_take(struct req *r, struct names *n, const struct db_exchange *x, int at);

#endif
