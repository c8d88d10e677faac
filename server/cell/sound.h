/* What the rows of a file from outside may be. A file that has the right HMAC was made by kith, so only what concerns
 * the whole installation is checked: generations, whose rows they are, and that COPY reads them as they look. Of any
 * other file each row is checked for what the server does not expect from its own tables: times and numbers out of
 * range, texts without an end, lists that are none, JSON of another shape, and more of anything than a workspace may
 * have. What is refused is said with its table and row. */
#ifndef KITH_SERVER_CELL_SOUND_H
#define KITH_SERVER_CELL_SOUND_H

#include "server/cell/archive.h"
#include "server/cell/copy.h"

struct sound {
	struct db_copy *c;
	const struct archive *file;
	bool all; /* nobody vouches for the file */
};

/* What there is too much of, and a generation from the future. */
bool sound_file(const struct sound *s);

/* The rows of a table. */
struct sound_table {
	const struct sound *sound;
	const struct cell_table *table;
	const char *columns, *sql; /* sql finds the first odd one of those that are staged */
	int64_t rows;              /* seen by sound_line() */
};
bool sound_table_begin(
    struct sound_table *s, const struct sound *sound, const struct cell_table *t, const char *columns, struct arena *a);
/* A row as it stands in the file. */
bool sound_line(struct sound_table *s, const char *line, size_t len);
/* copy_load.look */
bool sound_staged(const struct copy_load *l, void *sound_table);

/* The limits that hold for requests, once all rows are there. */
bool sound_limits(const struct sound *s);

#endif
