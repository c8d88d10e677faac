/* Which candidate a name means, which names are not certain, and how many are looked for. */
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

/* A list that is not sorted by likeness may have another record of exactly this name further on. */
TEST(test_cut_list_is_not_certain)
{
	const struct path at = PATH_NAME(NULL, "id");
	const struct refer_place place = {.path = &at, .kinds = MCP_BIT(MCP_TASK)};
	struct refer_found found;

	refer_found_begin(&found, "Call", 4);
	refer_found_add(&found, "1", "Call", false);
	found.more = found.unsorted = true;
	assert_null(refer_found_end(&found, &req, &place, false));
	assert_non_null(strstr(req.given.issues.json.data, "Several may be named \\\"Call\\\""));
}

/* Names of users cost the loop time and memory, so a call has a limit. */
TEST(test_too_many_names_of_users)
{
	enum { USERS = 5000, NAMES = 400 };
	struct workspace *ws = arena_alloc(&req.arena, sizeof *ws);
	struct refer_places *p = arena_alloc(&req.arena, sizeof *p);
	const struct path at = PATH_NAME(NULL, "assignedUsers");
	size_t used;

	ws->users = arena_alloc(&req.arena, USERS * sizeof *ws->users);
	ws->n_users = USERS;
	for (int i = 0; i < USERS; i++)
		ws->users[i].full_name = "Ada";
	req.caller.ws = ws;
	p->r = &req;
	used = req.arena.used;
	for (int i = 0; i < NAMES; i++)
		refer_text(p, json_make_text(&req.arena, "x", 1), MCP_BIT(MCP_USER), &at);
	assert_non_null(strstr(req.given.issues.json.data, "Too many users and groups are given by their names"));
	assert_int_equal(
	    req.given.issues.count, REFER_WORK / (USERS + 1) + 1); /* those not found, and one for the rest */
	assert_true(req.arena.used - used < NAMES * 500);
	refer_text(p, json_make_text(&req.arena, "usr_5", 5), MCP_BIT(MCP_USER), &at);
	assert_int_equal(req.given.issues.count, REFER_WORK / (USERS + 1) + 1); /* ids have no limit */
}
