/* json_read() from a block of exactly len bytes, so that a sanitizer reports reads beyond it. For cmocka tests. */
#ifndef KITH_TEST_LIB_HTTP_JSON_EXACT_H
#define KITH_TEST_LIB_HTTP_JSON_EXACT_H

#include "server/base/arena.h"
#include "server/base/json.h"

/* As json_read(); checks that it returns either a value or an error, never both. */
struct json *json_exact(struct arena *a, const char *text, size_t len, const char **error);

#endif
