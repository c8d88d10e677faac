/*
 * Memory by lifetime: everything a request needs is taken from its arena and
 * is given back in one stroke when the request ends.
 */
#ifndef KITH_BASE_ARENA_H
#define KITH_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	size_t used;                /* bytes handed out since arena_init() */
};

/* Makes an empty arena; takes no memory until the first arena_alloc(). */
void arena_init(struct arena *a);

/* Answers size bytes, zeroed, aligned for any type. Never fails: the process
 * ends with a message when the system has no memory left. size 0 is valid. */
void *arena_alloc(struct arena *a, size_t size);

/* Copies len bytes of text and puts a NUL behind them. */
char *arena_dup(struct arena *a, const char *text, size_t len);
char *arena_dupz(struct arena *a, const char *text);

/* printf into the arena. */
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Gives all memory back; the arena is empty again and may be used on. */
void arena_free(struct arena *a);

/* malloc, calloc and realloc that end the process instead of failing; for
 * what outlives a request. Freed with free(). */
void *mem_alloc(size_t size);
void *mem_zalloc(size_t size);
void *mem_realloc(void *old, size_t size);
char *mem_dupz(const char *text);

#endif
