/* The examples of operations. A test has executed them, and executes them again in every "make check"
 * (test/api/examples.t). */
#ifndef KITH_SERVER_OPENAPI_RECORDED_H
#define KITH_SERVER_OPENAPI_RECORDED_H

#include "server/request/route.h"

/* One part of an example. The table is made from examples.json by embed_examples.sh and ends with a row of NULLs. */
struct openapi_recorded {
	const char *operation; /* "GET /v1/people/{personId}" */
	const char *part;      /* ".request", ".answer", or the name of a parameter */
	const char *json;
};
extern const struct openapi_recorded openapi_recorded_parts[];

/* Returns the JSON of a part. NULL: the operation has no example yet, or its example lacks the part. */
const char *openapi_recorded(const struct route *r, const char *part);

#endif
