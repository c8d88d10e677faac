/* The arena of a case: "a" is empty at its start, and freed at its end.
 *
 *	CASE_ARENA();
 */
#ifndef KITH_TEST_LIB_CASE_ARENA_H
#define KITH_TEST_LIB_CASE_ARENA_H

#include "server/base/arena.h"
#include "test/lib/test.h"

#define CASE_ARENA()                                                                                                   \
	static struct arena a;                                                                                         \
	static void arena_begin(void)                                                                                  \
	{                                                                                                              \
		arena_init(&a);                                                                                        \
	}                                                                                                              \
	static void arena_end(void)                                                                                    \
	{                                                                                                              \
		arena_free(&a);                                                                                        \
	}                                                                                                              \
	AROUND_EACH(arena_begin, arena_end)

#endif
