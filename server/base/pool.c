/*
 * Lists of freed pieces, one for each size that malloc() rounds to.
 *
 * Against the C library alone, with 64 clients, a request takes 4,800 instructions less, 15 % of /livez and 7 % of a
 * GET of one person, and of the process's CPU time, the kernel's work included, 8 to 15 % of /livez and 2 to 3 % of the
 * GET (medians of 30 and of 50 pairs); of a list of 100 nothing that shows.
 */
#include "server/base/pool.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	LEAST = 24, /* bytes of the smallest piece, and from one size to the next */
	STEP = 16,
	SIZES = 288 /* up to 4.6 kB: a page with the head that libevent's buffers put before it */
};

struct piece {
	struct piece *next;
};

/*
 * The smallest lie together. libevent makes one for each descriptor that it has ever seen, and keeps it: between the
 * buffers of ten thousand connections each would hold a page of the heap for good. Untouched room takes no memory.
 */
enum { SMALL = POOL_SMALL, SMALL_ROOM = 8 << 20 };
static _Alignas(SMALL) unsigned char room[SMALL_ROOM];
static size_t room_used;
static struct piece *small;

static bool is_small(const void *piece)
{
	return (uintptr_t)piece - (uintptr_t)room < SMALL_ROOM;
}

/* NULL: the room is full. */
static void *small_take(void)
{
	struct piece *piece = small;

	if (piece != NULL) {
		small = piece->next;
		return piece;
	}
	if (room_used == SMALL_ROOM)
		return NULL;
	room_used += SMALL;
	return room + room_used - SMALL;
}

static void small_put(struct piece *piece)
{
	piece->next = small;
	small = piece;
}

static struct piece *kept[SIZES];
static size_t kept_bytes;

void *pool_malloc(size_t size)
{
	size_t at = size <= LEAST ? 0 : (size - LEAST + STEP - 1) / STEP;
	struct piece *piece = size <= SMALL ? small_take() : NULL;

	if (piece != NULL)
		return piece;
	piece = at < SIZES ? kept[at] : NULL;
	if (piece == NULL)
		return malloc(size);
	kept[at] = piece->next;
	kept_bytes -= LEAST + at * STEP;
	return piece;
}

void *pool_realloc(void *old, size_t size)
{
	void *bigger;

	if (!is_small(old))
		return realloc(old, size);
	bigger = malloc(size);
	if (bigger == NULL)
		return NULL;
	memcpy(bigger, old, size < SMALL ? size : SMALL);
	small_put(old);
	return bigger;
}

void pool_free(void *memory)
{
	struct piece *piece = memory;
	size_t usable, at;

	if (is_small(memory)) {
		small_put(memory);
		return;
	}
	usable = memory == NULL ? 0 : malloc_usable_size(memory);
	at = usable < LEAST ? SIZES : (usable - LEAST) / STEP;

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
