/* What a client takes, as Accept and Accept-Encoding list it. */
#include <stdlib.h>
#include <string.h>

#include "server/base/accept.h"
#include "test/lib/test.h"

static const char *const named[] = {"html", "HTML", " html", "deflate, html, br", "br,html", "html;q=1", "html ; q=0.5",
    "html;q=0.001", "x;q=0, html", ",,html,", "html;level=9;q=0.1", "\thtml\t", "html;Q=1.000"};
static const char *const not_named[] = {"", " ", ",", "*", "identity", "htmlx", "x-html", "html;q=0", "html; q=0.000",
    "html;level=9;q=0", "br;html", "htm", "html;Q=0 , br", "html;q=0;x", "html;q=2", "html;q=0.5x", "html, html;q=0"};

/* Copies, so that reading beyond the end is found by the sanitizer. */
static void check_list(const char *text, bool yes)
{
	char *copy = strdup(text);

	if (accept_names(copy, "html") != yes)
		fail_msg("'%s' is taken to name html: %d", text, !yes);
	free(copy);
}

TEST(test_lists)
{
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		check_list(named[i], true);
	for (size_t i = 0; i < sizeof not_named / sizeof *not_named; i++)
		check_list(not_named[i], false);
	assert_false(accept_names(NULL, "html"));
	assert_true(accept_names("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", "text/html"));
	assert_false(accept_names("*/*", "text/html"));
}

/* In thousandths; what is not a weight counts as 0, and of several the last counts. */
TEST(test_weights)
{
	static const struct {
		const char *list;
		int weight;
	} cases[] = {{"", -1}, {"br", -1}, {"*", -1}, {"html", 1000}, {"html;", 1000}, {"html;level=9", 1000},
	    {"html;q=1.000", 1000}, {"html;q=0.5", 500}, {"html; Q=0.05 ;x=1, br;q=0.7", 50}, {"html;q=0.001", 1},
	    {"html;q=0.", 0}, {"html;q=0", 0}, {"html;q=1.001", 0}, {"html;q=0.1234", 0}, {"html;q=.5", 0},
	    {"html;q=-1", 0}, {"html;q=", 0}, {"html;q", 0}, {"html;q =1", 0}, {"html q=1", 0}, {"html;qs=0.5", 1000},
	    {"html;q=0.1, html;q=0.3", 300}, {"*;q=0.1, html;q=0.3", 300}};

	assert_int_equal(accept_weight(NULL, "html"), -1);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *copy = strdup(cases[i].list);
		int weight = accept_weight(copy, "html");
		free(copy);
		if (weight != cases[i].weight)
			fail_msg("'%s' weighs %d, not %d", cases[i].list, weight, cases[i].weight);
	}
}
