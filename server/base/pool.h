/* libevent's allocator. libevent allocates a small piece for each descriptor that it has ever seen, and keeps it.
 * Scattered between the buffers of ten thousand connections, each piece would pin a page of the heap. So the smallest
 * pieces come from an area of their own; all others come from malloc(). Not thread-safe. */
#ifndef KITH_SERVER_BASE_POOL_H
#define KITH_SERVER_BASE_POOL_H

#include <stddef.h>

enum { POOL_SMALL = 32 }; /* in bytes: the largest size that the area serves */

/* They work as malloc(), realloc() and free(): NULL when out of memory. They accept pieces from malloc(). free()
 * accepts their pieces only if these are larger than POOL_SMALL. */
void *pool_malloc(size_t size);
void *pool_realloc(void *old, size_t size);
void pool_free(void *piece);

#endif
