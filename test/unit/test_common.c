/* What nearly all texts of a sample contain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "filter/common.h"

enum { N = 100 };

static struct common_text texts[N];

static void all(const char *text)
{
	for (int i = 0; i < N; i++)
		texts[i] = (struct common_text){text, strlen(text)};
}

static void one(int i, const char *text)
{
	texts[i] = (struct common_text){text, strlen(text)};
}

/* The parts, longest first, with '|' between them. */
static const char *found(size_t n)
{
	static char line[4096];
	struct common_text parts[COMMON_MOST];
	size_t count = common_parts(texts, n, parts), len = 0;

	assert_true(count <= COMMON_MOST);
	for (size_t i = 0; i < count; i++) {
		if (i)
			line[len++] = '|';
		memcpy(line + len, parts[i].text, parts[i].len);
		len += parts[i].len;
	}
	line[len] = '\0';
	return line;
}

static void test_parts(void **state)
{
	(void)state;
	all("https://a.example/");
	assert_string_equal(found(N), "https://a.example/");
	one(1, "https://b.example/x");
	one(2, "https://b.example/x");
	one(3, "https://b.example/x");
	assert_string_equal(found(N), "https://a.example/"); /* one, and two of a hundred */
	one(4, "https://b.example/x");
	assert_string_equal(found(N), ".example/|https://");
	all("");
	assert_string_equal(found(N), "");
	assert_string_equal(found(0), "");
}

/* Of a few texts one is much. */
static void test_few(void **state)
{
	(void)state;
	all("ann@x.example");
	one(5, "x");
	assert_string_equal(found(COMMON_FEW), "ann@x.example");
	assert_string_equal(found(COMMON_FEW - 1), "x");
	one(5, "-");
	assert_string_equal(found(COMMON_FEW - 1), "");
}

/* The first text is no measure. */
static void test_first_differs(void **state)
{
	(void)state;
	all("ann@x.example");
	one(0, "");
	assert_string_equal(found(N), "ann@x.example");
	one(0, "x");
	assert_string_equal(found(N), "ann@x.example");
}

/* Each in one line, as one item; of whole characters. */
static void test_edges(void **state)
{
	(void)state;
	all("tel 1\ntel 22");
	assert_string_equal(found(N), "tel 22|tel 1");
	all("caf\xc3\xa9s");
	for (int i = 0; i < 50; i++)
		one(i, "caf\xc3\xa8s");
	assert_string_equal(found(N), "caf|s");
}

/* A bound on how many, and how long. */
static void test_bounds(void **state)
{
	char a[COMMON_LEN_MOST + 100], b[sizeof a];

	(void)state;
	memset(a, 'x', sizeof a);
	for (int i = 0; i < N; i++)
		texts[i] = (struct common_text){a, sizeof a};
	assert_int_equal(strlen(found(N)), COMMON_LEN_MOST);
	/* From another order: single words. */
	all("aa bbb cccc ddddd eeeeee ");
	snprintf(b, sizeof b, "%s", "eeeeee  ddddd  cccc  bbb  aa ");
	for (int i = 0; i < 50; i++)
		one(i, b);
	assert_string_equal(found(N), "eeeeee | ddddd | cccc | bbb ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_parts),
	    cmocka_unit_test(test_few),
	    cmocka_unit_test(test_first_differs),
	    cmocka_unit_test(test_edges),
	    cmocka_unit_test(test_bounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
