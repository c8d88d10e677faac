/* Records requests and answers, for checks over all of them afterwards. */
#ifndef KITH_TEST_API_RECORDING_H
#define KITH_TEST_API_RECORDING_H

#include "test/lib/http/client.h"

/*
 * Appends one JSON object as a line to the file that KITH_TEST_EXCHANGES names;
 * does nothing without it. {method, target, request: text, status, headers:
 * [[name, value]], body: text}. request is null when nothing was sent, and false when
 * what was sent is large or no UTF-8. example: with "example": true, for test/openapi/examples.mjs.
 */
void record_exchange(const struct client_request *request, const struct client_reply *reply, bool example);

#endif
