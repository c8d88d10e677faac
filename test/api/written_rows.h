/* Tables in .t files: lines that are meant once for each row, written out. */
#ifndef KITH_TEST_API_WRITTEN_ROWS_H
#define KITH_TEST_API_WRITTEN_ROWS_H

#include "test/api/case.h"

struct case_line {
	const char *text;
	int number; /* in the file */
};

/* The lines of a text, those below "@each" and "@rows" repeated for each word or row. *error: NULL, or what is wrong in
 * *error_line. */
struct case_line *table_lines(struct arena *a, const char *text, size_t *n, int *error_line, const char **error);

#endif
