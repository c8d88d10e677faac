/* The pool: pieces do not overlap, can be mixed with those of the C library, and small ones are adjacent. */
#include <stdlib.h>
#include <string.h>

#include "server/base/pool.h"
#include "test/lib/test.h"

TEST(pieces_do_not_overlap)
{
	enum { N = 400 };
	unsigned char *pieces[N];
	size_t sizes[N];

	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < N; i++) {
			sizes[i] = (size_t)(i * 131 + round * 977) % 6000;
			pieces[i] = pool_malloc(sizes[i]);
			assert_non_null(pieces[i]);
			memset(pieces[i], i & 255, sizes[i]);
		}
		for (int i = 0; i < N; i++) {
			for (size_t at = 0; at < sizes[i]; at++)
				assert_int_equal(pieces[i][at], i & 255);
			pool_free(pieces[i]);
		}
	}
}

TEST(mixes_with_the_library)
{
	char *piece = pool_malloc(100);

	memcpy(piece, "kept", 5);
	piece = pool_realloc(piece, 9000);
	assert_string_equal(piece, "kept");
	free(piece);
	pool_free(malloc(64));
	pool_free(pool_realloc(NULL, 64));
	pool_free(NULL);
}

/* Small pieces that outlive a connection must not lie between larger ones that are freed. */
TEST(small_pieces_lie_together)
{
	enum { N = 5000 };
	static char *stay[N], *go[N];
	uintptr_t low = UINTPTR_MAX, high = 0;

	for (int i = 0; i < N; i++) {
		stay[i] = pool_malloc(20);
		go[i] = pool_malloc(2000);
		low = (uintptr_t)stay[i] < low ? (uintptr_t)stay[i] : low;
		high = (uintptr_t)stay[i] > high ? (uintptr_t)stay[i] : high;
	}
	assert_true(high - low <= (N + 500) * POOL_SMALL);
	memset(stay[0], 'x', 20);
	stay[0] = pool_realloc(stay[0], 3000);
	assert_int_equal(stay[0][19], 'x');
	for (int i = 0; i < N; i++) {
		pool_free(stay[i]);
		pool_free(go[i]);
	}
}
