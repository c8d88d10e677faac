/* Validation of a request's query: parameters and filters, by the route's row. */
#ifndef KITH_SERVER_REQUEST_VALIDATE_QUERY_H
#define KITH_SERVER_REQUEST_VALIDATE_QUERY_H

#include "server/request/request.h"

/* Reads the query into r->query, r->params and r->listing; adds issues. */
void validate_query(struct req *r);

#endif
