/*
 * A heap for what comes and goes with every request: freed pieces are kept by
 * size for the next one. The C library keeps seven of a size at hand, and a turn
 * of the loop makes dozens of each before it frees the first. Not for threads.
 */
#ifndef KITH_BASE_POOL_H
#define KITH_BASE_POOL_H

#include <stddef.h>

enum {
	POOL_SMALL = 32,        /* bytes: pieces up to it lie together, see pool.c */
	POOL_KEPT_MAX = 1 << 20 /* bytes in freed larger pieces; what is more goes back to the C library */
};

/* As malloc(), realloc() and free(): NULL when there is no memory. What came from malloc() may be given to them; of
 * what came from them, only pieces over POOL_SMALL bytes to free(). */
void *pool_malloc(size_t size);
void *pool_realloc(void *old, size_t size);
void pool_free(void *piece);

/* Gives back all that is kept; answers how many bytes that were. */
size_t pool_drop(void);

#endif
