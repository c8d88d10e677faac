/* Reading the body; validation of headers, path, query and body, every issue in one 422; whether the key may write. */
#ifndef KITH_SERVER_REQUEST_VALIDATE_H
#define KITH_SERVER_REQUEST_VALIDATE_H

#include "server/request/request.h"

/* In this order. */
step_fn step_read, step_check, step_body;

#endif
