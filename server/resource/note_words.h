/*
 * Words of a text, as a reader sees them, whatever their case: runs of letters, digits
 * and accents; every emoji is one. Each becomes a hash of workspace and word, so that one
 * index over all workspaces answers for one of them.
 *
 * Not PostgreSQL's full text: its parser takes "a/b" for a path, "x.y" for a host and
 * "-5" for a number, each one word that its parts do not find, and its index cannot
 * begin with the workspace.
 */
#ifndef KITH_SERVER_RESOURCE_NOTE_WORDS_H
#define KITH_SERVER_RESOURCE_NOTE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/id.h"

struct words {
	int64_t *hashes; /* ascending, each once */
	size_t count;
};

void words_read(struct words *w, struct arena *a, const struct uuid *workspace, const char *text, size_t len);

#endif
