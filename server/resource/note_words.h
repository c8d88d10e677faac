/* The words of a text, without regard to case: runs of letters, digits and accents; every emoji is a word. Each word is
 * hashed together with the workspace, so one index over all workspaces serves searches in one of them.
 *
 * This does not use PostgreSQL's full text search. Its parser takes "a/b" for a path, "x.y" for a host and "-5" for a
 * number, so their parts do not match. Its index cannot begin with the workspace, either. */
#ifndef KITH_SERVER_RESOURCE_NOTE_WORDS_H
#define KITH_SERVER_RESOURCE_NOTE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/id.h"

struct note_words {
	int64_t *hashes; /* ascending, unique */
	size_t count;
};

void words_read(struct note_words *w, struct arena *a, const struct uuid *workspace, const char *text, size_t len);

#endif
