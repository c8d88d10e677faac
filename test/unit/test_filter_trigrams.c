/* Which stretch of a value an index with trigrams is asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "filter/compile_parts.h"

static const struct filter_field field = {.name = "f", .type = FILTER_TEXT, .source = FILTER_COLUMN, .column = "f"};

static const struct {
	const char *value, *pattern; /* NULL: the index cannot help */
} cases[] = {
    {"ada", "%ada%"}, {"ad", NULL}, {"a b c", NULL}, {"ad ", "%ad %"}, /* the end of a word is a trigram too */
    {"50%", "%50\\%%"}, /* what has a meaning in patterns is taken literally */
    {"a_b\\c", NULL},   /* three words of a character each */
    {"abc_de\\f", "%abc\\_de\\\\f%"}, {"Björn", "%Björn%"}, {"né", NULL}, /* two characters, three bytes */
    {"иван", "%иван%"}, {"p700001@mail.example", "%p700001@%"},           /* all addresses share what follows */
    {"https://people.example/700001", "%/700001%"},                       /* and what stands before */
    {"177 harbour street, accra", "%177 %"},                              /* a number tells more than the words */
    {"specialist 77", "%cialist 77%"},                          /* a short one is looked for with what is beside it */
    {"+1 (555) 070-0001", "%-0001%"}, {"099-999", "%099-999%"}, /* of two numbers alike both */
    {"177 a 177", "%177 %"},                                    /* which follow each other */
};

static size_t escapes(const char *pattern)
{
	size_t n = 0;

	for (; *pattern; pattern++)
		if (*pattern == '\\') {
			n++;
			pattern++;
		}
	return n;
}

static void test_pieces(void **state)
{
	static const struct uuid workspace = {{1}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct filter_value v = {.text = cases[i].value, .len = strlen(cases[i].value)};
		struct filter_condition f = {.field = &field, .op = FILTER_LIKE, .values = &v, .n_values = 1};
		struct arena a;
		struct sql s;
		arena_init(&a);
		sql_begin(&s, &a, NULL, &workspace);
		struct compile c = {.s = &s, .indexed = true};
		bool whole = compile_trigrams(&c, &f, "x");
		/* What the index was not asked for has to be tested. */
		assert_int_equal(
		    whole, cases[i].pattern && strlen(cases[i].pattern) - escapes(cases[i].pattern) == v.len + 2);
		assert_int_equal(compile_has_trigrams(&f), cases[i].pattern != NULL);
		if (cases[i].pattern) {
			assert_string_equal(s.text, "(x like kith_fold($2))");
			assert_int_equal(s.params[1].len, strlen(cases[i].pattern));
			assert_memory_equal(s.params[1].value, cases[i].pattern, strlen(cases[i].pattern));
		} else {
			assert_string_equal(s.text, "");
		}
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
