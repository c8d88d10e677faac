/*
 * libevent's heap. It makes a small piece for each descriptor that it has ever seen, and keeps it: between the buffers
 * of ten thousand connections each would hold a page of the heap for good, so the smallest lie together. All else is
 * the C library's. Not for threads.
 */
#ifndef KITH_BASE_POOL_H
#define KITH_BASE_POOL_H

#include <stddef.h>

enum { POOL_SMALL = 32 }; /* bytes: pieces up to it lie together */

/* As malloc(), realloc() and free(): NULL when there is no memory. What came from malloc() may be given to them; of
 * what came from them, only pieces over POOL_SMALL bytes to free(). */
void *pool_malloc(size_t size);
void *pool_realloc(void *old, size_t size);
void pool_free(void *piece);

#endif
