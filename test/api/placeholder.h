/* Placeholders for texts: "<time>", "<uuid>", "<per>", "<has word>", ... */
#ifndef KITH_TEST_API_PLACEHOLDER_H
#define KITH_TEST_API_PLACEHOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/json.h"

/* True when the text is written as a shape: "<" word or words ">". */
bool shape_is(const char *text, size_t len);

/* True when the value has the shape. An unknown shape matches nothing and sets *unknown. */
bool shape_match(const char *shape, size_t len, const struct json *value, bool *unknown);

/* The same for a header's value or another plain text. */
bool shape_match_text(const char *shape, const char *text);

/* A timestamp as kith writes it: 2026-01-31T23:59:59.123Z. */
bool shape_is_time(const char *text, size_t len);
/* A UUID of any version in lower case. */
bool shape_is_uuid(const char *text, size_t len);
/* prefix, '_', UUID. */
bool shape_is_id(const char *prefix, const char *text, size_t len);

#endif
