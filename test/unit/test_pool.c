/* The pool: pieces do not overlap, can be mixed with those of the C library, and small ones are adjacent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/base/pool.h"

static void pieces_do_not_overlap(void **state)
{
	enum { N = 400 };
	unsigned char *pieces[N];
	size_t sizes[N];
	(void)state;
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

static void mixes_with_the_library(void **state)
{
	char *piece = pool_malloc(100);
	(void)state;
	memcpy(piece, "kept", 5);
	piece = pool_realloc(piece, 9000);
	assert_string_equal(piece, "kept");
	free(piece);
	pool_free(malloc(64));
	pool_free(pool_realloc(NULL, 64));
	pool_free(NULL);
}

/* Small pieces that outlive a connection must not lie between larger ones that are freed. */
static void small_pieces_lie_together(void **state)
{
	enum { N = 5000 };
	static char *stay[N], *go[N];
	uintptr_t low = UINTPTR_MAX, high = 0;
	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pieces_do_not_overlap),
	    cmocka_unit_test(mixes_with_the_library),
	    cmocka_unit_test(small_pieces_lie_together),
	};
	return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
