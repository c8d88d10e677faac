/* Arenas: alignment, zeroed memory, contents that stay, freeing (checked by LeakSanitizer). */
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "test/lib/test.h"

TEST(pieces_are_zeroed_aligned_and_apart)
{
	static const size_t sizes[] = {0, 1, 7, 8, 15, 16, 17, 100, 1000, 4095, 4096, 5000, 60000, 70000, 1 << 20};
	enum { COUNT = sizeof(sizes) / sizeof(sizes[0]), ROUNDS = 40 };
	unsigned char *pieces[COUNT * ROUNDS];
	struct arena a;
	size_t total = 0;

	arena_init(&a);
	assert_null(a.blocks);
	for (size_t i = 0; i < COUNT * ROUNDS; i++) {
		size_t size = sizes[i % COUNT];
		pieces[i] = arena_alloc(&a, size);
		assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
		for (size_t b = 0; b < size; b++)
			assert_int_equal(pieces[i][b], 0);
		memset(pieces[i], (int)(i % 251) + 1, size);
		total += size;
	}
	assert_int_equal(a.used, total);
	for (size_t i = 0; i < COUNT * ROUNDS; i++)
		for (size_t b = 0; b < sizes[i % COUNT]; b++)
			if (pieces[i][b] != i % 251 + 1)
				fail_msg("piece %zu was overwritten", i);
	arena_free(&a);
	assert_null(a.blocks);
	assert_int_equal(a.used, 0);
}

TEST(an_arena_is_used_again_after_free)
{
	struct arena a;

	arena_init(&a);
	arena_free(&a);
	for (int round = 0; round < 3; round++) {
		memset(arena_alloc(&a, 3000), 0xff, 3000);
		arena_free(&a);
		unsigned char *piece = arena_alloc(&a, 3000);
		for (int i = 0; i < 3000; i++)
			assert_int_equal(piece[i], 0);
	}
	arena_free(&a);
}

TEST(many_small_pieces_cost_few_blocks)
{
	struct arena a;

	arena_init(&a);
	char *first = arena_alloc(&a, 10), *second = arena_alloc(&a, 10);
	assert_true(second > first && second - first < 64);
	arena_alloc(&a, 100000);
	char *third = arena_alloc(&a, 10);
	assert_true(third > second && third - second < 64); /* the large one left the block in use */
	arena_free(&a);
}

TEST(copies_and_formats)
{
	struct arena a;
	char long_text[9001];

	arena_init(&a);
	assert_string_equal(arena_dup(&a, "abcdef", 3), "abc");
	assert_string_equal(arena_dup(&a, NULL, 0), "");
	assert_memory_equal(arena_dup(&a, "a\0b", 3), "a\0b", 4);
	assert_string_equal(arena_dupz(&a, "text"), "text");
	assert_string_equal(arena_printf(&a, "%d-%s", 42, "x"), "42-x");
	assert_string_equal(arena_printf(&a, "%s", ""), "");
	memset(long_text, 'y', 9000);
	long_text[9000] = '\0';
	assert_string_equal(arena_printf(&a, "%s", long_text), long_text);
	arena_free(&a);
}

TEST(plain_memory)
{
	char *text = mem_dupz("kith");
	assert_string_equal(text, "kith");
	text = mem_realloc(text, 10000);
	assert_string_equal(text, "kith");
	free(text);
	unsigned char *zeroed = mem_zalloc(100);
	for (int i = 0; i < 100; i++)
		assert_int_equal(zeroed[i], 0);
	free(zeroed);
	void *empty = mem_alloc(0);
	assert_non_null(empty);
	free(empty);
	empty = mem_zalloc(0);
	assert_non_null(empty);
	free(empty);
}
