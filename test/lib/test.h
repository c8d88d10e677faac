/* The frame of a test program:
 *
 *	#include "test/lib/test.h"
 *
 *	TEST(two_and_two_are_four)
 *	{
 *		assert_int_equal(2 + 2, 4);
 *	}
 *
 * Each TEST registers itself, and the cases run in the order of the file. A program needs no main() of its own: the one
 * of test_main.c runs all cases, or those whose name contains its argument; "--list" prints the names. */
#ifndef KITH_TEST_LIB_TEST_H
#define KITH_TEST_LIB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Starts a case: the body follows. */
#define TEST(name)                                                                                                     \
	static void name(void);                                                                                        \
	__attribute__((constructor)) static void name##_register(void)                                                 \
	{                                                                                                              \
		test_register(#name, name, __LINE__);                                                                  \
	}                                                                                                              \
	static void name(void)

/* Start what is done around all cases, or around each one: the body follows. An error in it is a failure. */
#define BEFORE_ALL() TEST_HOOK(TEST_BEFORE_ALL, before_all)
#define AFTER_ALL() TEST_HOOK(TEST_AFTER_ALL, after_all)
#define BEFORE_EACH() TEST_HOOK(TEST_BEFORE_EACH, before_each)
#define AFTER_EACH() TEST_HOOK(TEST_AFTER_EACH, after_each)

/* The same with functions that exist; NULL: none. */
#define AROUND_ALL(open, close) TEST_AROUND(around_all, TEST_BEFORE_ALL, open, TEST_AFTER_ALL, close)
#define AROUND_EACH(open, close) TEST_AROUND(around_each, TEST_BEFORE_EACH, open, TEST_AFTER_EACH, close)

enum test_moment { TEST_BEFORE_ALL, TEST_AFTER_ALL, TEST_BEFORE_EACH, TEST_AFTER_EACH, TEST_MOMENTS };

/* Called by the macros, before main(). What opens runs in the order of the lines, what closes in the reverse order. */
void test_register(const char *name, void (*run)(void), int line);
void test_hook(enum test_moment moment, void (*run)(void), int line);

/* Runs the cases; returns the program's exit status. */
int test_run(int argc, char **argv);

#define TEST_HOOK(moment, name)                                                                                        \
	static void name(void);                                                                                        \
	__attribute__((constructor)) static void name##_register(void)                                                 \
	{                                                                                                              \
		test_hook(moment, name, __LINE__);                                                                     \
	}                                                                                                              \
	static void name(void)

#define TEST_AROUND(name, before, open, after, close)                                                                  \
	__attribute__((constructor)) static void name(void)                                                            \
	{                                                                                                              \
		test_hook(before, open, __LINE__);                                                                     \
		test_hook(after, close, __LINE__);                                                                     \
	}                                                                                                              \
	struct test_unused

#endif
