/* Checks that apply to every answer. */
#ifndef KITH_TEST_API_ANSWER_RULES_H
#define KITH_TEST_API_ANSWER_RULES_H

#include <stdbool.h>

#include "server/base/json.h"
#include "test/lib/http/client.h"

struct check {
	const char *base; /* "http://127.0.0.1:1234" */
	const char *method, *target;
	const struct client_reply *reply;
	const struct json *body; /* NULL when there is none or it is not JSON */
};

/* Checks headers, content type, request id, API version, the envelopes of success, list and error, and each resource
 * against the field tables (fields.h). Only applies to answers under /v1, and to errors. Adds a line for each error;
 * true when there is none. */
bool check_reply(const struct check *c, struct buf *out);

/* The code that a status has unless a case names another. */
const char *check_default_code(int status);

#endif
