/* Compares an expected JSON value with the actual one. */
#ifndef KITH_TEST_API_COMPARE_H
#define KITH_TEST_API_COMPARE_H

#include <stdbool.h>

#include "server/base/buf.h"
#include "server/base/json.h"

/*
 * Members' order does not count; everything else does, also that nothing more
 * is there. In what is expected:
 *   - a text such as "<time>" is a shape (placeholder.h);
 *   - a member "..." of an object allows further members, an element "..." at the
 *     end of an array further elements;
 *   - {"$name": {…}} is the member "name" of templates with its members replaced
 *     by those given. templates may be NULL.
 * Adds one line for each difference (place, expected, got) to out, at most 20.
 * True when there is none.
 */
bool compare_json(struct arena *a, const struct json *templates, const struct json *expected, const struct json *got,
    struct buf *out);

#endif
