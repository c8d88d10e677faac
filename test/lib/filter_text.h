/* Filters and issues as short texts, for tables of cases; and a small workspace that needs no database. */
#ifndef KITH_TEST_FILTER_TEXT_H
#define KITH_TEST_FILTER_TEXT_H

#include "filter/read.h"

/* Ids of the small workspace, "grp_" and so on before them where they are written. */
#define FILTER_TEXT_UUID(digit) "0197a000-0000-7000-8000-00000000000" digit

/*
 * A group (…1) that can be seen, with a custom field of each type named after it ("textField"), one with odd
 * characters ("a.b][c d") and the options "Red" (…a) and "Blue" (…b); a user (…2) "ada@example.com".
 */
extern const struct filter_resolver filter_text_resolver;

/* "(emails like [x] and fullName empty)"; "-" for NULL. */
void filter_text_write(struct buf *out, const struct filter *f);

/* One line for each issue: its code, path and what else it tells, without the message; false: they are no JSON. */
bool filter_text_issues(struct buf *out, const struct issues *is);

#endif
