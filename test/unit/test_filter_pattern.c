/* Which part of a value a trigram index is searched for. */
#include <string.h>

#include "filter/condition.h"
#include "test/lib/test.h"

static const struct {
	const char *value;
	const char *part;  /* the pattern of a part of a text; NULL: the index cannot help */
	const char *whole; /* of an item */
} cases[] = {
    {"ada", "%ada%", "%\nada\n%"}, {"ad", NULL, "%\nad\n%"}, /* its start and its end are known */
    {"a", NULL, "%\na\n%"}, {"-", NULL, NULL}, {"a b c", NULL, "%\na b c\n%"}, {"ad ", NULL, "%\nad \n%"},
    {"500%", "%500\\%%", "%\n500\\%\n%"}, /* special characters of patterns are taken literally */
    {"abc_de\\f", "%abc\\_de\\\\f%", "%\nabc\\_de\\\\f\n%"}, {"né", NULL, "%\nné\n%"}, /* two characters, three bytes */
    {"иван", "%иван%", "%\nиван\n%"}, {"- - - - - - -", NULL, NULL},
    {"p700001@mail.example", "%p700001@%", "%\np700001@%"}, /* what follows is common to all addresses */
    {"@mail.example", "%@mail.example%", "%\n@mail.example\n%"},
    {"a@mail.example", "%a@mail.example%", "%\na@mail.example\n%"}, /* too little text before it */
};

TEST(test_patterns)
{
	for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		const char *text = cases[i / 2].value, *expected = i % 2 ? cases[i / 2].whole : cases[i / 2].part;
		size_t len = strlen(text);
		struct arena a;
		arena_init(&a);
		assert_int_equal(lookup_searchable(text, len, i % 2), expected != NULL);
		if (expected)
			assert_string_equal(lookup_pattern(&a, text, len, i % 2), expected);
		arena_free(&a);
	}
}
