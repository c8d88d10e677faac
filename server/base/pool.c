/* See pool.h. */
#include "server/base/pool.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pool_piece {
	struct pool_piece *next;
};

/* Untouched pages take no memory. */
enum { SMALL = POOL_SMALL, SMALL_ROOM = 8 << 20 };
static _Alignas(SMALL) unsigned char room[SMALL_ROOM];
static size_t room_used;
static struct pool_piece *small;

static bool pool_is_small(const void *piece)
{
	return (uintptr_t)piece - (uintptr_t)room < SMALL_ROOM;
}

/* NULL: the area is full. */
static void *small_take(void)
{
	struct pool_piece *piece = small;

	if (piece) {
		small = piece->next;
		return piece;
	}
	if (room_used == SMALL_ROOM)
		return NULL;
	room_used += SMALL;
	return room + room_used - SMALL;
}

static void pool_put_small(struct pool_piece *piece)
{
	piece->next = small;
	small = piece;
}

void *pool_malloc(size_t size)
{
	struct pool_piece *piece = size <= SMALL ? small_take() : NULL;

	return piece ? (void *)piece : malloc(size);
}

void *pool_realloc(void *old, size_t size)
{
	void *bigger;

	if (!pool_is_small(old))
		return realloc(old, size);
	bigger = malloc(size);
	if (!bigger)
		return NULL;
	memcpy(bigger, old, size < SMALL ? size : SMALL);
	pool_put_small(old);
	return bigger;
}

void pool_free(void *piece)
{
	if (pool_is_small(piece))
		pool_put_small(piece);
	else
		free(piece);
}
