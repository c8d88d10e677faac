/* Texts of searches, split into terms. */
#include <string.h>

#include "filter/search.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

/* "[word][part part=digits,digits]" */
static const char *terms_shown(const char *text)
{
	struct filter_search s;
	const char *out = "";

	search_split(&a, text, strlen(text), &s);
	if (s.n_terms > SEARCH_TERMS_MAX)
		return "too many";
	for (size_t i = 0; i < s.n_terms; i++) {
		out = arena_printf(&a, "%s[", out);
		for (size_t k = 0; k < s.terms[i].n_parts; k++)
			out = arena_printf(&a, "%s%s%s", out, k ? "|" : "", s.terms[i].parts[k].text);
		for (size_t k = 0; k < s.terms[i].n_ends; k++)
			out = arena_printf(&a, "%s%s%s", out, k ? "," : "=", s.terms[i].ends[k]);
		out = arena_printf(&a, "%s]", out);
	}
	return out;
}

TEST(test_terms)
{
	static const struct {
		const char *text, *terms;
	} cases[] = {
	    {"", ""},
	    {" ,\t\u00A0\u3000\uFF0C\"\" ", ""},
	    {"anna müller", "[anna][müller]"},
	    {"anna,müller\u3000x", "[anna][müller][x]"},
	    {"\"anna  müller\" x", "[anna  müller][x]"},
	    {"a\"b c\"d", "[a][b c][d]"},
	    {"\" open end ", "[open end]"},
	    {"\"a\nb\"", "[a b]"},
	    {"1 2 3 4", "[1][2][3][4]"},
	    {"1 2 3 4 5", "[1|2|3|4|5=12345]"},
	    {"12345", "[12345=12345]"},
	    {"12345x 1234", "[12345x][1234]"},
	    {"\"089 123456\"", "[089 123456]"},
	    {"089 123456", "[089|123456=89123456]"},
	    {"+49 89 123456", "[+49|89|123456=89123456]"},
	    {"+49 (0)89/123-456", "[+49|(0)89/123-456=89123456]"},
	    {"0049 89 123456", "[0049|89|123456=89123456]"},
	    {"+1 555 0100", "[+1|555|0100=5550100]"},
	    {"+423 123 45", "[+423|123|45=12345]"},
	    {"+49 1234", "[+49|1234=491234]"},
	    {"00012", "[00012=00012]"},
	    {"000123456", "[000123456=123456]"},
	    {"anna 089 - 123456 x", "[anna][089|-|123456=89123456][x]"},
	    {"- 123456 -", "[-][123456=123456][-]"},
	    {"12345, 67890", "[12345=12345][67890=67890]"},
	    {"a b c d e f g h", "[a][b][c][d][e][f][g][h]"},
	    {"a b c d e f g h i", "too many"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(terms_shown(cases[i].text), cases[i].terms);
}
