/* The body of a search: the content of a list's query, as JSON. */
#ifndef KITH_SERVER_REQUEST_SEARCH_H
#define KITH_SERVER_REQUEST_SEARCH_H

#include "server/input/body.h"
#include "server/request/request.h"

/* Reads the members combinator, filter, sort, limit, cursor, count into r->params and r->listing. */
void search_read(struct req *r, struct reading *rd);

#endif
