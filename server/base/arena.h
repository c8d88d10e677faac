/* Memory by lifetime: a request allocates everything from its arena, and the arena frees it at once when the request
 * ends. */
#ifndef KITH_SERVER_BASE_ARENA_H
#define KITH_SERVER_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	size_t used;                /* bytes handed out since arena_init() */
};

/* Makes an empty arena; takes no memory until the first arena_alloc(). */
void arena_init(struct arena *a);

/* Returns size bytes, zeroed, aligned for any type. Never fails: when the system is out of memory the process ends
 * with a message. size 0 is valid. */
void *arena_alloc(struct arena *a, size_t size);

/* Copies len bytes of text and appends a NUL. */
char *arena_dup(struct arena *a, const char *text, size_t len);
char *arena_dupz(struct arena *a, const char *text);

/* printf into the arena. */
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Frees all memory; the arena is empty again and can be reused. */
void arena_free(struct arena *a);

/* malloc, calloc and realloc that end the process instead of failing. For data that outlives a request. Free it with
 * free(). */
void *mem_alloc(size_t size);
void *mem_zalloc(size_t size);
void *mem_realloc(void *old, size_t size);
char *mem_dupz(const char *text);

#endif
