/* What the database of RIG() has: shorter ways to count rows, to wait for them, and to change them behind the servers'
 * backs.
 *
 *	assert_rows(2, "people where first_name = '%s'", name);
 *
 * A failure shows the statement. */
#ifndef KITH_TEST_LIB_ROWS_H
#define KITH_TEST_LIB_ROWS_H

#include <stdint.h>

#include "test/lib/flow.h"

/* The number of rows: "people where …". The number of a whole statement: "select max(…) …". */
#define assert_rows(expected, ...) rows_expect(expected, 0, true, __FILE__, __LINE__, __VA_ARGS__)
#define assert_number(expected, ...) rows_expect(expected, 0, false, __FILE__, __LINE__, __VA_ARGS__)

/* The same, within two minutes. */
#define await_rows(expected, ...) rows_expect(expected, ROWS_WAIT_MS, true, __FILE__, __LINE__, __VA_ARGS__)
#define await_number(expected, ...) rows_expect(expected, ROWS_WAIT_MS, false, __FILE__, __LINE__, __VA_ARGS__)

int64_t rows_count(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The text that a statement returns, in Ada's arena; NULL for null and for no row. */
const char *rows_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An insert, update or delete; returns how many rows it has changed. */
int64_t rows_change(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Adds n events of people of this workspace that do not exist, each of that many bytes. */
void rows_make_events(int n, int bytes);

enum { ROWS_WAIT_MS = 120000 };

/* Called by the macros. */
void rows_expect(int64_t expected, int64_t ms, bool counted, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

#endif
