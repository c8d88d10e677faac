/* Compares an answer with what its step expects, and captures values from it. */
#ifndef KITH_TEST_API_STEP_ANSWER_H
#define KITH_TEST_API_STEP_ANSWER_H

#include "server/base/buf.h"
#include "server/base/json.h"
#include "test/api/play.h"

struct api_answer {
	struct play *play;
	struct arena *arena; /* of this one exchange */
	const struct case_step *step;
	const struct client_request *request;
	const struct client_reply *reply;
	struct buf *out; /* gets a line for each fault */
};

/* Status, headers, error, issues, body, what every answer must have; then the captures. */
bool answer_check(const struct api_answer *w);

/* Sets the step's captures from a body, or from headers (reply may be NULL). */
bool answer_capture(struct play *p, const struct case_step *s, const struct client_reply *reply,
    const struct json *body, struct buf *out);

#endif
