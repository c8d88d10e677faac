/* Reading the JSON of the answers that callers get. */
#ifndef KITH_TEST_LIB_HTTP_CALLER_DATA_H
#define KITH_TEST_LIB_HTTP_CALLER_DATA_H

#include "server/base/json.h"
#include "test/lib/http/caller.h"

/* The "data" of an answer, which must be a 200: another one ends the process with a message. */
const struct json *caller_data(struct arena *arena, struct caller_answer a);

#endif
