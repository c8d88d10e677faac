/*
 * The validating pass over JSON text that json_read() makes before yajl sees
 * it: RFC 8259 to the letter, UTF-8 by RFC 3629, paired surrogates, bounded
 * depth. Whether keys repeat is for the reader to find, after unescaping.
 */
#ifndef KITH_BASE_JSON_CHECK_H
#define KITH_BASE_JSON_CHECK_H

#include <stddef.h>

/* Answers NULL when text is exactly one JSON value, else what is wrong (static text) and its byte offset. */
const char *json_check(const char *text, size_t len, size_t *offset);

/* The bytes at the front that a JSON string holds unescaped: before a quote, a backslash or a control character. */
size_t json_plain_run(const char *text, size_t len);

#endif
