/* The words of a text, without regard to case: runs of letters, digits and accents; every emoji is a word. Each is
 * hashed together with the workspace, so that one index over all workspaces can be searched for one of them.
 *
 * Not PostgreSQL's full text search: its parser takes "a/b" for a path, "x.y" for a host and "-5" for a number,
 * whose parts then do not match, and its index cannot begin with the workspace. */
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
