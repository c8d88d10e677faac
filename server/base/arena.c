/* Arenas are heap blocks that are allocated from front to back. The owner limits what goes in: bodies and pages have
 * caps. */
#include "server/base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/fatal.h"
#include "server/base/guarded.h"

#ifdef KITH_GUARDED
#include <sanitizer/asan_interface.h>
/* Poisoned bytes after each piece make an overrun inside a block visible, like an overrun on the heap. */
enum { GUARD = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
enum { GUARD = 0 };
#endif

enum { ALIGN = 16, BLOCK_FIRST = 4096, BLOCK_MOST = 64 * 1024 };

struct arena_block {
	struct arena_block *next;
	size_t size; /* bytes after the header */
	size_t used;
	_Alignas(ALIGN) unsigned char bytes[];
};

_Static_assert(_Alignof(max_align_t) <= ALIGN, "pieces must be aligned for any type");

void arena_init(struct arena *a)
{
	a->blocks = NULL;
	a->used = 0;
}

/* Blocks are all zero and no byte is handed out twice, so pieces need no memset. */
static struct arena_block *arena_block_new(size_t size)
{
	struct arena_block *block = calloc(1, sizeof *block + size);

	if (!block)
		fatal_abort("out of memory");
	block->size = size;
	ASAN_POISON_MEMORY_REGION(block->bytes, size);
	return block;
}

/* Finds or makes a block with room for need bytes. */
static struct arena_block *arena_block_for(struct arena *a, size_t need)
{
	struct arena_block *newest = a->blocks;

	if (newest && newest->size - newest->used >= need)
		return newest;
	size_t size = BLOCK_FIRST - sizeof(struct arena_block);
	if (newest)
		size = newest->size * 2 < BLOCK_MOST ? newest->size * 2 : BLOCK_MOST - sizeof(struct arena_block);
	if (newest && need > size / 4) {
		/* A large piece gets its own block; the newest one stays in use. */
		struct arena_block *own = arena_block_new(need);
		own->next = newest->next;
		newest->next = own;
		return own;
	}
	struct arena_block *block = arena_block_new(need > size ? need : size);
	block->next = newest;
	a->blocks = block;
	return block;
}

void *arena_alloc(struct arena *a, size_t size)
{
	if (size > PTRDIFF_MAX / 2)
		fatal_abort("out of memory");
	size_t need = (size + GUARD + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (need == 0)
		need = ALIGN;
	struct arena_block *block = arena_block_for(a, need);
	void *piece = block->bytes + block->used;
	ASAN_UNPOISON_MEMORY_REGION(piece, size);
	block->used += need;
	a->used += size;
	return piece;
}

char *arena_dup(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_alloc(a, len + 1);

	if (len)
		memcpy(copy, text, len);
	return copy;
}

char *arena_dupz(struct arena *a, const char *text)
{
	return arena_dup(a, text, strlen(text));
}

char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *text = arena_vprintf(a, format, args);
	va_end(args);
	return text;
}

char *arena_vprintf(struct arena *a, const char *format, va_list args)
{
	va_list again;

	va_copy(again, args);
	int len = vsnprintf(NULL, 0, format, args);
	if (len < 0)
		fatal_abort("a text could not be formatted");
	char *text = arena_alloc(a, (size_t)len + 1);
	vsnprintf(text, (size_t)len + 1, format, again);
	va_end(again);
	return text;
}

void arena_free(struct arena *a)
{
	struct arena_block *block = a->blocks;

	while (block) {
		struct arena_block *next = block->next;
		ASAN_UNPOISON_MEMORY_REGION(block->bytes, block->size);
		free(block);
		block = next;
	}
	arena_init(a);
}

void *mem_alloc(size_t size)
{
	return mem_realloc(NULL, size);
}

void *mem_zalloc(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory)
		fatal_abort("out of memory");
	return memory;
}

void *mem_realloc(void *old, size_t size)
{
	void *memory = realloc(old, size ? size : 1);

	if (!memory)
		fatal_abort("out of memory");
	return memory;
}

char *mem_dupz(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(mem_alloc(size), text, size);
}
