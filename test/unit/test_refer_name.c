/* Which candidate a name means, and which names are not certain. */
#include <string.h>

#include "server/mcp/refer.h"
#include "test/lib/test.h"

static struct req req;

BEFORE_EACH()
{
	memset(&req, 0, sizeof req);
	arena_init(&req.arena);
	issues_init(&req.given.issues);
}

AFTER_EACH()
{
	issues_free(&req.given.issues);
	arena_free(&req.arena);
}

/* Candidates are separated by '|'; the id of each is its number from 1. Returns the id; "" when an issue was added. */
static const char *id_meant(const char *text, const char *candidates, bool strict, bool more)
{
	const struct path at = PATH_NAME(NULL, "id");
	const struct refer_place place = {.path = &at, .kinds = MCP_BIT(MCP_PERSON) | MCP_BIT(MCP_COMPANY)};
	struct refer_found found;
	const char *id;
	int before = req.given.issues.count;

	refer_found_begin(&found, text, strlen(text));
	for (int n = 1; *candidates; n++) {
		size_t len = strcspn(candidates, "|");
		refer_found_add(
		    &found, arena_printf(&req.arena, "%d", n), arena_dup(&req.arena, candidates, len), false);
		candidates += len + (candidates[len] == '|');
	}
	found.more = more;
	id = refer_found_end(&found, &req, &place, strict);
	assert_int_equal(req.given.issues.count, before + !id);
	return id ? id : "";
}

TEST(test_certain_names)
{
	static const struct {
		const char *text, *candidates, *id;
	} rows[] = {
	    {"Ada Lovelace", "Ada Lovelace", "1"},
	    {"ada lovelace", "Ada Lovelace", "1"},
	    {"Ada", "Ada|Ada Lovelace", "1"}, /* exactly that name comes first */
	    {"Lovelace", "Ada Lovelace", "1"},
	    {"lovelace ada", "Ada Lovelace|Ada Byron", "1"},
	    {"Love", "Ada Lovelace", "1"}, /* words may be shortened at their end */
	    {"Acme", "Acme (Berlin)|Macmed", "1"},
	    {"berlin", "Acme (Berlin)", "1"},
	    {"Ada", "", ""},
	    {"Ada", "Ada Lovelace|Ada Byron", ""},
	    {"Ada Lovelace", "Ada Lovelace|ADA LOVELACE", ""},
	    {"lace", "Ada Lovelace", ""},
	    {"Ada King", "Ada Lovelace", ""},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(id_meant(rows[i].text, rows[i].candidates, false, false), rows[i].id) != 0)
			fail_msg("%s among %s", rows[i].text, rows[i].candidates);
}

/* Before a record is deleted, only its whole name is certain; and a part of a name is not while there may be others. */
TEST(test_strict_names)
{
	assert_string_equal(id_meant("Lovelace", "Ada Lovelace", true, false), "");
	assert_string_equal(id_meant("Ada Lovelace", "Ada Lovelace|Ada Byron", true, false), "1");
	assert_string_equal(id_meant("Lovelace", "Ada Lovelace", false, true), "");
	assert_string_equal(id_meant("Ada Lovelace", "Ada Lovelace", false, true), "1");
}

TEST(test_candidates_are_shown)
{
	const char *text;

	id_meant("Ada", "Ada Lovelace|Ada Byron", false, false);
	text = issues_in_line(&req.arena, &req.given.issues);
	assert_non_null(strstr(text, "No person or company has exactly the name \"Ada\""));
	assert_non_null(strstr(text, "Ada Lovelace (1), Ada Byron (2)"));
	id_meant("x", "", false, false);
	assert_non_null(strstr(req.given.issues.json.data, "No person or company has the name \\\"x\\\""));
	id_meant("a", "a 1|a 2|a 3|a 4|a 5|a 6|a 7|a 8|a 9", false, false);
	assert_non_null(strstr(req.given.issues.json.data, "a 8 (8), and others"));
}
