/* Filters and issues as short texts, for tables of cases; and a small workspace that needs no database. */
#ifndef KITH_TEST_LIB_MODEL_FILTER_TEXT_H
#define KITH_TEST_LIB_MODEL_FILTER_TEXT_H

#include "filter/read.h"

/* Ids of the small workspace, without their prefixes. */
#define FILTER_TEXT_UUID(digit) "0197a000-0000-7000-8000-00000000000" digit

/* A visible group (…1), with a custom field of each type named after it ("textField"), one with special characters
 * ("a.b][c d") and the options "Red" (…a) and "Blue" (…b); a user (…2) "ada@example.com". */
extern const struct filter_resolver filter_text_resolver;

/* "(emails like [x] and fullName empty)"; "-" for NULL. */
void filter_text_write(struct buf *out, const struct filter *f);

/* One line per issue: code, path and further members, without the message; false: malformed JSON. */
bool filter_text_issues(struct buf *out, const struct issues *is);

#endif
