/* Parses the body; validates headers, path, query and body, with all issues in one 422; checks the right to write. */
#ifndef KITH_SERVER_REQUEST_VALIDATE_H
#define KITH_SERVER_REQUEST_VALIDATE_H

#include "server/request/request.h"

/* In this order. */
step_fn step_read, step_check, step_body;

#endif
