/* libevent's allocator. libevent allocates a small piece for each descriptor that it has ever seen, and keeps it:
 * scattered between the buffers of ten thousand connections each would pin a page of the heap, so the smallest pieces
 * come from an area of their own. All others come from malloc(). Not thread-safe. */
#ifndef KITH_SERVER_BASE_POOL_H
#define KITH_SERVER_BASE_POOL_H

#include <stddef.h>

enum { POOL_SMALL = 32 }; /* bytes: largest size of the separate area */

/* As malloc(), realloc() and free(): NULL when out of memory. They accept pieces from malloc(); free() accepts theirs
 * only if they are larger than POOL_SMALL. */
void *pool_malloc(size_t size);
void *pool_realloc(void *old, size_t size);
void pool_free(void *piece);

#endif
