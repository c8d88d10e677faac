/* The limits of the JSON reader: depth, long strings, and time with very many keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "test/lib/json_exact.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void nests_to_32(void **state)
{
	static const struct {
		const char *open, *middle, *close;
		unsigned depth;
		bool good;
	} cases[] = {
	    {"[", "", "]", 32, true},
	    {"[", "", "]", 33, false},
	    {"[", "", "]", 100000, false},
	    {"[", "1", "]", 32, true},
	    {"{\"a\":", "null", "}", 32, true},
	    {"{\"a\":", "null", "}", 33, false},
	    {"[{\"a\":", "[]", "}]", 15, true},
	    {"[{\"a\":", "[{}]", "}]", 15, true},
	    {"[{\"a\":", "[{\"b\":[]}]", "}]", 15, false},
	    {"[[],", "0", "]", 32, false},
	    {"[[],", "0", "]", 31, true},
	};
	struct arena a;
	(void)state;
	arena_init(&a);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf b;
		const char *error;
		buf_init(&b, 10 << 20);
		for (unsigned d = 0; d < cases[i].depth; d++)
			buf_addz(&b, cases[i].open);
		buf_addz(&b, cases[i].middle);
		for (unsigned d = 0; d < cases[i].depth; d++)
			buf_addz(&b, cases[i].close);
		bool good = json_exact(&a, b.data, b.len, &error) != NULL;
		if (good != cases[i].good)
			fail_msg("case %zu: %d", i, good);
		if (!good)
			assert_non_null(strstr(error, "nested too deep"));
		buf_free(&b);
	}
	arena_free(&a);
}

static void reads_long_strings(void **state)
{
	enum { SIZE = 1 << 20 };
	struct arena a;
	struct buf b;
	const char *error;
	(void)state;
	arena_init(&a);
	buf_init(&b, 8 << 20);
	buf_addz(&b, "[\"");
	for (int i = 0; i < SIZE; i++)
		buf_addc(&b, 'x');
	buf_addz(&b, "\",\"");
	for (int i = 0; i < SIZE / 6; i++)
		buf_addz(&b, "\\u00e9");
	buf_addz(&b, "\",");
	for (int i = 0; i < SIZE; i++)
		buf_addc(&b, '7');
	buf_addz(&b, "]");
	struct json *root = json_exact(&a, b.data, b.len, &error);
	assert_non_null(root);
	assert_int_equal(root->first->len, SIZE);
	assert_int_equal(strlen(root->first->text), SIZE);
	assert_int_equal(root->first->next->len, SIZE / 6 * 2);
	assert_int_equal(root->first->next->next->len, SIZE);
	buf_free(&b);
	arena_free(&a);
}

/* Keys enough that comparing each with each would take minutes; chosen so that sorting cannot go wrong either. */
static void many_keys_stay_fast(void **state)
{
	enum { KEYS = 50000 };
	static const char *const forms[] = {"k%05d", "%d", "a long beginning that all of the keys have in common %06d"};
	(void)state;
	for (size_t form = 0; form < COUNT(forms); form++)
		for (int repeat = 0; repeat < 2; repeat++) {
			struct arena a;
			struct buf b;
			const char *error;
			char key[80];
			arena_init(&a);
			buf_init(&b, 16 << 20);
			buf_addc(&b, '{');
			for (int i = 0; i < KEYS; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
				snprintf(key, sizeof(key), forms[form], (i * 7919) % KEYS);
#pragma GCC diagnostic pop
				buf_printf(&b, "\"%s\":%d,", key, i);
			}
			buf_printf(&b, "\"%s\":0}", repeat ? key : "one more");
			int64_t start = clock_mono_us();
			struct json *root = json_exact(&a, b.data, b.len, &error);
			int64_t took = clock_mono_us() - start;
			assert_true((root == NULL) == repeat);
			if (root)
				assert_int_equal(root->count, KEYS + 1);
			else
				assert_non_null(strstr(error, "a duplicate key"));
			assert_true(took < 1000000); /* about 20 ms; 50 times that under sanitizers on a busy machine */
			buf_free(&b);
			arena_free(&a);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nests_to_32),
	    cmocka_unit_test(reads_long_strings),
	    cmocka_unit_test(many_keys_stay_fast),
	};
	return cmocka_run_group_tests_name("json limits", tests, NULL, NULL);
}
