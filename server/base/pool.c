/*
 * Lists of freed pieces, one for each size that malloc() rounds to.
 *
 * Against the C library alone, with 64 clients, a request takes 4,800 instructions less, 15 % of /livez and 7 % of a
 * GET of one person, and of the process's CPU time, the kernel's work included, 8 to 15 % of /livez and 2 to 3 % of the
 * GET (medians of 30 and of 50 pairs); of a list of 100 nothing that shows.
 */
#include "server/base/pool.h"

#include <malloc.h>
#include <stdlib.h>

enum {
	LEAST = 24, /* bytes of the smallest piece, and from one size to the next */
	STEP = 16,
	SIZES = 288 /* up to 4.6 kB: a page with the head that libevent's buffers put before it */
};

struct piece {
	struct piece *next;
};

static struct piece *kept[SIZES];
static size_t kept_bytes;

void *pool_malloc(size_t size)
{
	size_t at = size <= LEAST ? 0 : (size - LEAST + STEP - 1) / STEP;
	struct piece *piece = at < SIZES ? kept[at] : NULL;

	if (piece == NULL)
		return malloc(size);
	kept[at] = piece->next;
	kept_bytes -= LEAST + at * STEP;
	return piece;
}

void *pool_realloc(void *old, size_t size)
{
	return realloc(old, size);
}

void pool_free(void *memory)
{
	struct piece *piece = memory;
	size_t usable = memory == NULL ? 0 : malloc_usable_size(memory);
	size_t at = usable < LEAST ? SIZES : (usable - LEAST) / STEP;

	if (at >= SIZES || kept_bytes > POOL_KEPT_MAX - (LEAST + at * STEP)) {
		free(memory);
		return;
	}
	piece->next = kept[at];
	kept[at] = piece;
	kept_bytes += LEAST + at * STEP;
}

size_t pool_drop(void)
{
	size_t bytes = kept_bytes;

	for (size_t at = 0; at < SIZES; at++)
		while (kept[at] != NULL) {
			struct piece *piece = kept[at];
			kept[at] = piece->next;
			free(piece);
		}
	kept_bytes = 0;
	return bytes;
}
