/* Validation: headers, path, query and body, every issue in one 422; then
 * whether the key may write, and the claim of its idempotency key. */
#ifndef KITH_SERVER_VALIDATE_H
#define KITH_SERVER_VALIDATE_H

#include "server/request.h"

step_fn step_validate;

#endif
