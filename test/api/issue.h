/* The lines "* code path members" of a case: all issues of a 422, in order. */
#ifndef KITH_TEST_API_ISSUE_H
#define KITH_TEST_API_ISSUE_H

#include "test/api/step_answer.h"

/*
 * What one line expects, as JSON: {"code", "message": "<text>", "path", members}.
 * text has its variables in. NULL with a message in *error when it is not understood.
 */
const struct json *issue_expected(struct arena *a, const char *text, const char **error);

/* Compares the issues of the answer with the step's lines, if it has any. */
bool issue_check(const struct api_answer *w, const struct json *body);

#endif
