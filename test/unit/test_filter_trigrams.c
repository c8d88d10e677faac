/* Which stretch of a value an index with trigrams is asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "filter/compile_parts.h"
#include "test/lib/filter_sample.h"

static const struct filter_field field = {.name = "f", .type = FILTER_TEXT, .source = FILTER_COLUMN, .column = "f"};

static const struct {
	const char *value, *pattern; /* NULL: the index cannot help */
} cases[] = {
    {"ada", "%ada%"},
    {"ad", NULL},
    {"a b c", NULL},
    {"ad ", "%ad %"},   /* the end of a word is a trigram too */
    {"50%", "%50\\%%"}, /* what has a meaning in patterns is taken literally */
    {"a_b\\c", NULL},   /* three words of a character each */
    {"abc_de\\f", "%abc\\_de\\\\f%"},
    {"Björn", "%Björn%"},
    {"né", NULL}, /* two characters, three bytes */
    {"иван", "%иван%"},
    {"p700001@mail.example", "%p700001@%"},         /* all addresses share what follows */
    {"https://people.example/700001", "%/700001%"}, /* and what stands before */
    {"177 harbour street, accra", "%177 %"},        /* a number tells more than the words */
    {"specialist 77", "%cialist 77%"},              /* a short one is looked for with what is beside it */
    {"+1 (555) 070-0001", "%-0001%"},
    {"099-999", "%099-999%"}, /* of two numbers alike both */
    {"177 a 177", "%177 %"},  /* which follow each other */
    {"works19999", "%s19999%"},
    {"ä123456", "%123456%"}, /* many digits tell more than letters beside them */
    {"ab12345678", "%b12345678%"},
    {"works1999", "%works1999%"},
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
		struct compile c = {.s = &s, .alias = "r", .indexed = true};
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

/* Of several words those are asked for that few rows have: which ones are compared, in their order. */
static const struct {
	const char *value, *words; /* NULL: there is nothing to choose */
} choices[] = {
    {"177 harbour street, acc", "177 |harbou|street|acc"},
    {"specialist 77", "specia| 77"},
    {"1 main street", "main|street"},               /* what has no trigram is left out */
    {"room 12 34 56, 78", "room| 12 |34 |56,| 78"}, /* no two have a character in common */
    {"kumquat works 50%_a", "kumqua|works| 50\\%"},
    {"straßenläufer üb", NULL},
    {"straßenläufer über", "straß|über"},
    {"ada@mail.example or so", NULL}, /* what all addresses share tells nothing */
    {"room 1234 left", NULL},
    {"ada lovely", NULL},
    {"specialist", NULL},
};

/* Whether the parameters from the third on, behind the workspace and the usual pattern, are the words between bars. */
static bool are_words(const struct sql *s, const char *words)
{
	int n = 2;

	for (; *words; n++) {
		size_t len = strcspn(words, "|");
		if (n == s->n_params || (size_t)s->params[n].len != len || memcmp(s->params[n].value, words, len) != 0)
			return false;
		words += len + (words[len] == '|');
	}
	return n == s->n_params;
}

static void other_rows(void *ctx, struct sql *s)
{
	(void)ctx;
	sql_add(s, " and true");
}

/* Whether the value's words are compared; *s has the parameters. */
static bool asked(
    struct sql *s, struct arena *a, const char *value, const struct filter_base *base, enum filter_op op, size_t n)
{
	static const struct uuid workspace = {{1}};
	struct filter_value v[] = {
	    {.text = value, .len = strlen(value)}, {.text = "another of several", .len = strlen("another of several")}};
	struct filter_condition f = {.field = &field, .op = op, .values = v, .n_values = n};

	sql_begin(s, a, NULL, &workspace);
	struct compile c = {.s = s, .base = base, .alias = "t", .indexed = true};
	bool chosen = compile_choose(&c, &f);
	assert_true(chosen ? c.chosen == &f : s->n_params == 1 && !c.chosen);
	assert_true(
	    !chosen || strstr(s->text, "k as materialized (with s as materialized (select kith_fold(t.f) as x from "
	                               "people t where t.workspace_id = $1 order by"));
	return chosen;
}

static void test_choices(void **state)
{
	static const struct filter_base base = {.table = &sample_people},
	                                narrow = {.table = &sample_people, .more = other_rows};

	(void)state;
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		struct arena a;
		struct sql s;
		arena_init(&a);
		if (asked(&s, &a, choices[i].value, &base, FILTER_LIKE, 1) != (choices[i].words != NULL))
			fail_msg("%s: %s", choices[i].value, s.text);
		if (choices[i].words && !are_words(&s, choices[i].words))
			fail_msg("%s", choices[i].value);
		/* What is denied, few rows that must be sought, several values: none is asked. */
		assert_false(asked(&s, &a, choices[i].value, &base, FILTER_NOT_LIKE, 1));
		assert_false(asked(&s, &a, choices[i].value, &narrow, FILTER_LIKE, 1));
		assert_false(asked(&s, &a, choices[i].value, &base, FILTER_LIKE, 2));
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces), cmocka_unit_test(test_choices)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
