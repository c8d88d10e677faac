/* Validation of a request's query: its parameters and filters, by the rows of its route. */
#ifndef KITH_SERVER_REQUEST_VALIDATE_QUERY_H
#define KITH_SERVER_REQUEST_VALIDATE_QUERY_H

#include "server/request/request.h"

/* Reads the query into r->query, r->params and r->filtering; what is wrong with it is among the issues. */
void validate_query(struct req *r);

#endif
