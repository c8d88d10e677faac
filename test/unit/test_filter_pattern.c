/* Which stretch of a value an index with trigrams is asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "filter/pattern.h"

static const struct {
	const char *value;
	const char *part;  /* the pattern of a part of a text; NULL: the index cannot help */
	const char *whole; /* of an item */
} cases[] = {
    {"ada", "%ada%", "%\nada\n%"}, {"ad", NULL, "%\nad\n%"}, /* its begin and its end are known */
    {"a", NULL, "%\na\n%"}, {"-", NULL, NULL}, {"a b c", "%a b c%", "%\na b c\n%"}, {"ad ", "%ad %", "%\nad \n%"},
    {"50%", "%50\\%%", "%\n50\\%\n%"}, /* what has a meaning in patterns is taken literally */
    {"abc_de\\f", "%abc\\_de\\\\f%", "%\nabc\\_de\\\\f\n%"}, {"né", NULL, "%\nné\n%"}, /* two characters, three bytes */
    {"иван", "%иван%", "%\nиван\n%"}, {"specialist 77", "%pecialist 77%", "%pecialist 77%"},
    {"p700001@mail.example", "%p700001@mail%", "%p700001@mail%"},            /* all addresses share what follows */
    {"https://people.example/700001", "%ample/700001%", "%ample/700001%"},   /* and what stands before */
    {"177 harbour street, accra", "%177 harbour %", "%177 harbour %"},       /* digits tell more than letters */
    {"- - - - - - -", NULL, NULL}, {"äöüäöüäöüäöü", "%äöüäöü%", "%äöüäöü%"}, /* never half a character */
};

static void test_patterns(void **state)
{
	static const struct uuid workspace = {{1}};
	static const struct filter_field field = {.name = "f", .type = FILTER_TEXT};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		struct filter_value v = {.text = cases[i / 2].value, .len = strlen(cases[i / 2].value)};
		struct filter_condition c = {.field = &field, .values = &v, .n_values = 1};
		const char *expected = i % 2 ? cases[i / 2].whole : cases[i / 2].part;
		struct arena a;
		struct sql s;
		arena_init(&a);
		sql_begin(&s, &a, NULL, &workspace);
		assert_int_equal(pattern_exists(&v, i % 2), expected != NULL);
		pattern_sql(&s, "x", &c, i % 2);
		assert_string_equal(s.text, "(x like kith_fold($2))");
		if (expected) {
			assert_int_equal(s.params[1].len, (int)strlen(expected));
			if (memcmp(s.params[1].value, expected, strlen(expected)) != 0)
				fail_msg("%s: %.*s, not %s", v.text, s.params[1].len, s.params[1].value, expected);
		}
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_patterns)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
