/* Checks the rows of a file from outside. kith itself made a file with the right HMAC. Of such a file only what
 * concerns the whole installation is checked: generations, the workspace of each row, and that COPY reads the rows as
 * they look. In any other file each row is checked for what the server does not expect from its own tables. This
 * includes times and numbers out of range, texts without an end, invalid lists, JSON of another shape, and more rows
 * than a workspace may have. A refusal names the table and row. */
#ifndef KITH_SERVER_CELL_SOUND_H
#define KITH_SERVER_CELL_SOUND_H

#include "server/cell/archive.h"
#include "server/cell/copy.h"

struct sound {
	struct db_copy *c;
	const struct archive *file;
	bool all; /* the file is not authenticated: check everything */
};

/* Checks for too many rows, and for a generation in the future. */
bool sound_file(const struct sound *s);

/* The rows of a table. */
struct sound_table {
	const struct sound *sound;
	const struct cell_table *table;
	const char *columns, *sql; /* sql finds the first bad row among the staged ones */
	int64_t rows;              /* rows that sound_line() has seen */
};
bool sound_table_begin(
    struct sound_table *s, const struct sound *sound, const struct cell_table *t, const char *columns, struct arena *a);
/* Checks a row in the form that the file has. */
bool sound_line(struct sound_table *s, const char *line, size_t len);
/* copy_load.look */
bool sound_staged(const struct copy_load *l, void *sound_table);

/* Checks the limits of requests, when all rows are there. */
bool sound_limits(const struct sound *s);

#endif
