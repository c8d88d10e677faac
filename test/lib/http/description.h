/* The API's description, as a client reads it. */
#ifndef KITH_TEST_LIB_HTTP_DESCRIPTION_H
#define KITH_TEST_LIB_HTTP_DESCRIPTION_H

#include "server/base/arena.h"
#include "server/base/json.h"
#include "server/request/route.h"

/* Makes and reads it, for the address base; NULL if it is not JSON or has duplicate members. text: a copy of it in the
 * arena; NULL: not wanted. */
struct json *description_read(struct arena *a, const char *base, const char **text);

/* Members one below the other, ended by NULL; NULL if one is not there. */
const struct json *description_at(const struct json *value, ...);

/* What a "$ref" names; NULL: nothing. */
const struct json *description_target(struct arena *a, const struct json *document, const char *ref);

const struct json *description_operation(const struct json *document, const struct route *r);

#endif
