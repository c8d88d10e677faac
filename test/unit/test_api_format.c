/* The format of the black-box cases: the reader, the generators, the comparison; and every file of test/api, parsed
 * as far as possible without a server. */
#include <glob.h>
#include <string.h>

/* Compiled in, as the suite's files belong to no library. */
#include "test/api/compare.c"
#include "test/api/case_text.c"
#include "test/api/hits.c"
#include "test/api/issue.c"
#include "test/api/case_file.c"
#include "test/api/placeholder.c"
#include "test/api/written_rows.c"
#include "test/lib/case_arena.h"

CASE_ARENA();

static struct json *read_json(const char *text)
{
	const char *error = NULL;
	struct json *value = json_read(&a, text, strlen(text), &error);

	if (!value)
		print_error("%s: %s\n", text, error);
	assert_non_null(value);
	return value;
}

static const struct {
	const char *expected, *got;
	bool same;
} comparisons[] = {
    {"{\"a\": 1, \"b\": [true, null]}", "{\"b\": [true, null], \"a\": 1}", true},
    {"{\"a\": 1}", "{\"a\": 1, \"b\": 2}", false},
    {"{\"a\": 1, \"b\": 2}", "{\"a\": 1}", false},
    {"{\"a\": 1, \"...\": 0}", "{\"a\": 1, \"b\": 2}", true},
    {"{\"a\": 1, \"...\": 0}", "{\"b\": 2}", false},
    {"[1, \"...\"]", "[1, 2, 3]", true},
    {"[1, \"...\"]", "[1]", true},
    {"[1, \"...\"]", "[]", false},
    {"[\"...\"]", "[]", true},
    {"[1, 2]", "[2, 1]", false},
    {"[1]", "[1, 2]", false},
    {"1", "1.0", false},
    {"1", "\"1\"", false},
    {"true", "false", false},
    {"null", "\"\"", false},
    {"\"a\"", "\"a\"", true},
    {"\"a\"", "\"a\\u0000\"", false},
    {"{\"a\": []}", "{\"a\": {}}", false},
    {"\"<time>\"", "\"2026-01-31T23:59:59.123Z\"", true},
    {"\"<time>\"", "\"2026-01-31T23:59:59Z\"", false},
    {"\"<time>\"", "\"2026-02-31T23:59:59.123Z\"", false},
    {"\"<date>\"", "\"2026-01-31\"", true},
    {"\"<date>\"", "\"2026-1-31\"", false},
    {"\"<uuid>\"", "\"01890000-0000-7000-8000-0123456789ab\"", true},
    {"\"<uuid>\"", "\"01890000-0000-7000-8000-0123456789AB\"", false},
    {"\"<per>\"", "\"per_01890000-0000-7000-8000-0123456789ab\"", true},
    {"\"<per>\"", "\"com_01890000-0000-7000-8000-0123456789ab\"", false},
    {"\"<string>\"", "\"\"", true},
    {"\"<string>\"", "1", false},
    {"\"<text>\"", "\"\"", false},
    {"\"<int>\"", "12", true},
    {"\"<int>\"", "1.5", false},
    {"\"<any>\"", "{\"a\": 1}", true},
    {"\"<not abc>\"", "\"abd\"", true},
    {"\"<not abc>\"", "\"abc\"", false},
    {"\"<not abc>\"", "null", false},
    {"\"<has b>\"", "\"abc\"", true},
    {"\"<starts ab>\"", "\"abc\"", true},
    {"\"<starts bc>\"", "\"abc\"", false},
    {"\"<ends bc>\"", "\"abc\"", true},
    {"\"<nothing>\"", "\"<nothing>\"", false},
    {"\"<link http://h/p?a=1&b=x%20y>\"", "\"http://h/p?b=x+y&cursor=c&a=1\"", true},
    {"\"<link http://h/p?a=1>\"", "\"http://h/p?a=1\"", false},
    {"\"<link http://h/p?a=1>\"", "\"http://h/p?a=1&cursor=c&b=2\"", false},
    {"\"<link http://h/p?a=1>\"", "\"http://h/p?cursor=c\"", false},
    {"\"<link http://h/p?a=1>\"", "\"http://h/q?a=1&cursor=c\"", false},
    {"\"<link http://h/p?a=1>\"", "\"http://h/p?a=1&cursor=c&cursor=d\"", false},
    {"{\"$t\": {\"b\": 5, \"c\": 6}}", "{\"a\": 1, \"b\": 5, \"c\": 6}", true},
    {"{\"$t\": {}}", "{\"a\": 1, \"b\": 2}", true},
    {"[{\"$t\": {}}, {\"$t\": {\"a\": 3}}]", "[{\"a\": 1, \"b\": 2}, {\"a\": 3, \"b\": 2}]", true},
    {"{\"$t\": {}}", "{\"a\": 1}", false},
    {"{\"$u\": {}}", "{}", false},
};

TEST(test_compare)
{
	for (size_t i = 0; i < sizeof(comparisons) / sizeof(*comparisons); i++) {
		struct buf out;
		buf_init(&out, 1 << 16);
		const struct json *templates = read_json("{\"t\": {\"a\": 1, \"b\": 2}}");
		bool same = compare_json(
		    &a, templates, read_json(comparisons[i].expected), read_json(comparisons[i].got), &out);
		if (same != comparisons[i].same)
			print_error("%s against %s\n", comparisons[i].expected, comparisons[i].got);
		assert_int_equal(same, comparisons[i].same);
		assert_int_equal(out.len == 0, same);
		buf_free(&out);
	}
}

TEST(test_messages)
{
	struct buf out;

	buf_init(&out, 1 << 16);
	assert_false(compare_json(&a, NULL, read_json("{\"data\": {\"items\": [{\"id\": \"x\"}], \"b\": 1}}"),
	    read_json("{\"data\": {\"items\": [{\"id\": \"y\", \"c\": [1]}]}}"), &out));
	assert_string_equal(out.data, "    at data.items[0].id\n      expected \"x\"\n      got      \"y\"\n"
	                              "    at data.items[0].c\n      expected nothing\n      got      [1]\n"
	                              "    at data.b\n      expected 1\n      got      nothing\n");
	buf_free(&out);
}

TEST(test_expand)
{
	static const struct {
		const char *text, *result; /* NULL: refused */
	} cases[] = {
	    {"", ""},
	    {"/v1/{{name}}/{{name}}?x", "/v1/value/value?x"},
	    {"{\"a\": {{json}}}", "{\"a\": {\"b\": {}}}"},
	    {"{{\"a\": 1}}", "{{\"a\": 1}}"},
	    {"{\"a\":{\"b\":{}}}", "{\"a\":{\"b\":{}}}"},
	    {"{\"a\": {{json name}}, \"b\": {{json tag}}}", "{\"a\": \"value\", \"b\": \"\\\"t\\\"\"}"},
	    {"{{nobody}}", NULL},
	    {"{{json nobody}}", NULL},
	    {"x<repeat ab 3>y", "xabababy"},
	    {"<repeat \\s 2>|", "  |"},
	    {"<repeat [ 3><repeat ] 3>", "[[[]]]"},
	    {"<repeat a 0>", ""},
	    {"[<list \"{{name}}-{n}\" 3>]", "[\"value-1\", \"value-2\", \"value-3\"]"},
	    {"<list {\"id\": \"<com>\", \"n\": {n}} 2>",
	        "{\"id\": \"<com>\", \"n\": 1}, {\"id\": \"<com>\", \"n\": 2}"},
	    {"<repeat a b>", NULL},
	    {"<repeat 3>", NULL},
	    {"<repeat a 3", NULL},
	    {"a < b > c", "a < b > c"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *error = NULL;
		struct variables v = {.arena = &a};
		variable_set(&v, "name", "old");
		variable_set(&v, "name", "value");
		variable_set(&v, "tag", "\"t\"");
		variable_set(&v, "json", "{\"b\": {}}");
		size_t len = 0;
		const char *result = expand_case_text(&v, &a, cases[i].text, &len, &error);
		if (!cases[i].result) {
			assert_null(result);
			assert_non_null(error);
		} else {
			assert_non_null(result);
			assert_string_equal(result, cases[i].result);
			assert_int_equal(len, strlen(cases[i].result));
		}
	}
}

TEST(test_escapes)
{
	const char *error = NULL;
	size_t len;

	const char *out = expand_escapes(&a, "a\\xff\\0\\n\\\\b", &len, &error);
	assert_int_equal(len, 6);
	assert_memory_equal(out, "a\xff\0\n\\b", 6);
	assert_null(expand_escapes(&a, "\\q", &len, &error));
	assert_null(expand_escapes(&a, "\\xg0", &len, &error));
	assert_null(expand_escapes(&a, "\\", &len, &error));
}

TEST(test_issues)
{
	static const struct {
		const char *line, *issue; /* NULL: refused */
	} cases[] = {
	    {"too_big [\"emails\", 0] maximum=254 type=string",
	        "{\"code\": \"too_big\", \"path\": [\"emails\", 0], \"maximum\": 254, \"type\": \"string\", "
	        "\"message\": \"<text>\", "
	        "\"inclusive\": true, \"exact\": false}"},
	    {"too_small [] minimum=40 exact=true type=string", "{\"code\": \"too_small\", \"path\": [], \"minimum\": "
	                                                       "40, \"type\": \"string\", \"message\": \"<text>\", "
	                                                       "\"inclusive\": true, \"exact\": true}"},
	    {"required [\"name\"] expected=string", "{\"code\": \"invalid_type\", \"path\": [\"name\"], \"message\": "
	                                            "\"Required\", \"expected\": \"string\", "
	                                            "\"received\": \"undefined\"}"},
	    {"invalid_type [\"a\"] received=null", "{\"code\": \"invalid_type\", \"path\": [\"a\"], \"message\": "
	                                           "\"<text>\", \"expected\": \"<text>\", \"received\": \"null\"}"},
	    {"unrecognized_keys [] keys=[\"a b\",\"c\"] message=\"x y\"",
	        "{\"code\": \"unrecognized_keys\", \"path\": [], \"message\": \"x y\", \"keys\": [\"a b\", \"c\"]}"},
	    {"custom [\"id\"] ...",
	        "{\"code\": \"custom\", \"path\": [\"id\"], \"message\": \"<text>\", \"...\": null}"},
	    {"custom", NULL},
	    {"custom id", NULL},
	    {"custom [\"id\"] more", NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *error = NULL;
		struct buf expected, got;
		buf_init(&expected, 1 << 16);
		buf_init(&got, 1 << 16);
		const struct json *issue = issue_expected(&a, cases[i].line, &error);
		if (!cases[i].issue) {
			assert_null(issue);
			assert_non_null(error);
		} else {
			assert_non_null(issue);
			json_canonical(&got, issue);
			json_canonical(&expected, read_json(cases[i].issue));
			assert_string_equal(got.data, expected.data);
		}
		buf_free(&expected);
		buf_free(&got);
	}
}

TEST(test_parse)
{
	static const char text[] =
	    "# comment\n@server a=1 b=2\n@users carol\n\n== first\n@repeat 3\n@bob POST /v1/x?a b\n"
	    "Name: value\n!Other\n{\"a\":\n1}\n-- 422 Invalid input\nRetry-After: 1\n!Allow\n* custom []\n* custom "
	    "[1]\n"
	    "> id = data.id\n> r = header X\n@kith key revoke {{id}}\n> k = key\n"
	    "== second\n@poll 5\n@example\nGET /\n-- 200\n{\"b\": 2}\n@none PUT /\n~a\\n\n~b\n-- 204\n";
	const char *error = NULL;

	struct case_file *f = case_parse(&a, "x.t", text, &error);
	assert_null(error);
	assert_true(f->own_server);
	assert_string_equal(f->settings[1], "b=2");
	assert_null(f->settings[2]);
	assert_string_equal(f->users[0], "carol");
	struct case_step *s = f->cases->steps;
	assert_string_equal(f->cases->name, "first");
	assert_string_equal(s->key, "bob");
	assert_int_equal(s->repeat, 3);
	assert_string_equal(s->method, "POST");
	assert_string_equal(s->target, "/v1/x?a b");
	assert_int_equal(s->n_headers, 2);
	assert_string_equal(s->headers[0].value, "value");
	assert_null(s->headers[1].value);
	assert_string_equal(s->body, "{\"a\":\n1}");
	assert_int_equal(s->answer->status, 422);
	assert_string_equal(s->answer->status_text, "Invalid input");
	assert_int_equal(s->answer->n_headers, 2);
	assert_int_equal(s->answer->n_issues, 2);
	assert_null(s->answer->body);
	assert_string_equal(s->captures->next->path, "header X");
	assert_int_equal(s->next->kind, STEP_COMMAND);
	assert_string_equal(s->next->captures->name, "k");
	s = f->cases->next->steps;
	assert_int_equal(s->poll_s, 5);
	assert_true(s->example);
	assert_false(s->next->example);
	assert_null(s->key);
	assert_null(s->body);
	assert_string_equal(s->answer->body, "{\"b\": 2}");
	assert_string_equal(s->next->key, "");
	assert_true(s->next->body_escaped);
	assert_string_equal(s->next->body, "a\\nb");
	assert_null(s->next->next);
}

/* Bodies beside their requests, answers that requests share, and records that are made. */
TEST(test_parse_short)
{
	static const char text[] =
	    "== a\nPOST /v1/x {\"a\": 1}\n@bob PUT /\n{\"b\": [\n1]}\nGET /\n-- 404\n* custom []\n"
	    "@make ann @bob POST /v1/x {}\n> tag = header ETag\nGET /\n-- 422 Invalid input {\"a\":\n2}\nGET /\n-- 200 "
	    "{}\n";
	const char *error = NULL;

	struct case_file *f = case_parse(&a, "x.t", text, &error);
	assert_null(error);
	struct case_step *s = f->cases->steps;
	assert_string_equal(s->target, "/v1/x");
	assert_string_equal(s->body, "{\"a\": 1}");
	assert_string_equal(s->next->key, "bob");
	assert_string_equal(s->next->body, "{\"b\": [\n1]}");
	assert_int_equal(s->answer->status, 404);
	assert_int_equal(s->answer->n_issues, 1);
	assert_ptr_equal(s->next->answer, s->answer);
	s = s->next->next;
	assert_null(s->body);
	assert_int_equal(s->answer->status, 404);
	s = s->next;
	assert_string_equal(s->key, "bob");
	assert_string_equal(s->target, "/v1/x");
	assert_string_equal(s->body, "{}");
	assert_int_equal(s->answer->status, 200);
	assert_string_equal(s->captures->name, "ann");
	assert_string_equal(s->captures->path, "data.id");
	assert_string_equal(s->captures->next->path, "header ETag");
	assert_null(s->next->key);
	assert_null(s->next->captures);
	assert_string_equal(s->next->answer->status_text, "Invalid input");
	assert_string_equal(s->next->answer->body, "{\"a\":\n2}");
	s = s->next->next;
	assert_int_equal(s->answer->status, 200);
	assert_string_equal(s->answer->status_text, "");
	assert_string_equal(s->answer->body, "{}");
}

TEST(test_parse_refuses)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
	    {"", "x.t:0: no case"},
	    {"GET /\n-- 200\n", "x.t:1: before the first \"== name\""},
	    {"== a\nGET /\n== b\n", "x.t:3: a request without a line \"-- STATUS\" before this line"},
	    {"GET / {}\n-- 200\n", "x.t:1: before the first \"== name\""},
	    {"== a\nGET / (b) -- 200\n", "x.t:2: only a header may be in parentheses"},
	    {"== a\n@make b\n", "x.t:2: @make is \"@make NAME POST TARGET BODY\""},
	    {"== a\n@make b /v1/a {}\n", "x.t:2: @make is \"@make NAME POST TARGET BODY\""},
	    {"== a\nGET /\n@make b POST / {}\n", "x.t:3: a request without a line \"-- STATUS\" before this line"},
	    {"== a\nGET /\nGET /\n-- 200\n> x = y\n",
	        "x.t:5: a capture is \"> name = path\", after the answer to one request"},
	    {"== a\nGET /\n-- 2\n", "x.t:3: a status from 100 to 599 is needed"},
	    {"== a\nGET /\nGET / -- 200\n", "x.t:3: an answer in the line of a request is not for those above it"},
	    {"== a\n-- 200\n", "x.t:2: a status without a request"},
	    {"== a\n== b\n", "x.t:2: the case above does nothing"},
	    {"== a\n@what\n", "x.t:2: unknown directive @what; @make and @kith come before the user"},
	    {"== a\n@server a=1\n", "x.t:2: this directive belongs to the head of the file"},
	    {"== a\n@repeat 0\n", "x.t:2: a number from 1 to 1000 is needed"},
	    {"== a\nGET /\n-- 200\n> x\n", "x.t:4: a capture is \"> name = path\", after the answer to one request"},
	    {"== a\nPOST /\n~a\n{}\n-- 200\n", "x.t:4: a body is either JSON or lines with ~"},
	    {"== a\nbare\n", "x.t:2: not understood here"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *error = NULL;
		assert_null(case_parse(&a, "x.t", cases[i].text, &error));
		assert_string_equal(error, cases[i].error);
	}
}

size_t hits_routes(struct hits_route *out, size_t cap)
{
	static const struct hits_route known[] = {{"GET", "/v1/a"}, {"POST", "/v1/a"}, {"GET", "/v1/a/{id}"},
	    {"GET", "/v1/a/me"}, {"GET", "/v1/{type}/{id}"}, {"GET", "/v1/a/{id}/{x}"}};

	assert_true(cap >= sizeof(known) / sizeof(*known));
	memcpy(out, known, sizeof(known));
	return sizeof(known) / sizeof(*known);
}

TEST(test_rows)
{
	static const struct {
		const char *text, *lines; /* NULL: refused */
	} cases[] = {
	    {"a\n@each x y\n{{each}}\n-{{each}}-\n@end\nz\n", "1a 3x 4-x- 3y 4-y- 6z "},
	    {"@each x\n== {{each}}\nb\n== c\n", "2== x 3b 4== c "},
	    {"@rows p q\n| 1 | a b |\n|  | {{{p}} |\n{{{p}}} {{q}} {{r}}\n", "4{1} a b {{r}} 4{} {{{p}} {{r}} "},
	    {"@each x\n{{each}}\n@each y\n{{each}}\n", "2x 4y "},
	    {"@rows p q\n| 1 |\n{{p}}\n", NULL},
	    {"@rows p\n| 1 | 2 |\n{{p}}\n", NULL},
	    {"@rows p\n{{p}}\n", NULL},
	    {"@each x\n@end\n", NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t n;
		int line;
		const char *error, *joined = "";
		struct case_line *lines = table_lines(&a, cases[i].text, &n, &line, &error);
		for (size_t k = 0; k < n && !error; k++)
			joined = arena_printf(&a, "%s%d%s ", joined, lines[k].number, lines[k].text);
		assert_int_equal(error == NULL, cases[i].lines != NULL);
		if (cases[i].lines)
			assert_string_equal(joined, cases[i].lines);
	}
}

TEST(test_hits)
{
	static const struct {
		const char *method, *target;
		int status, route; /* -1: none */
	} cases[] = {
	    {"GET", "/v1/a?limit=1", 200, 0},
	    {"POST", "/v1/a", 200, 1},
	    {"GET", "/v1/a/x?y=/z", 200, 2},
	    {"GET", "/v1/a/me", 200, 3},
	    {"GET", "/v1/b/me", 200, 4},
	    {"GET", "/v1/a/b/c", 200, 5},
	    {"PATCH", "/v1/a", 200, -1},
	    {"GET", "/v1/a/", 200, -1},
	    {"GET", "/v1", 200, -1},
	    {"GET", "/v1/a/b/c/d", 200, -1},
	    {"GET", "/v1/a", 404, -1},
	    {"OPTIONS", "*", 204, -1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		memset(hit, 0, sizeof(hit));
		hits_note(cases[i].method, cases[i].target, cases[i].status);
		for (int r = 0; r < 6; r++)
			assert_int_equal(hit[r], r == cases[i].route);
	}
}

/* --- the files themselves ------------------------------------------------- */

static void set_user(struct variables *v, const char *name)
{
	static const char *const parts[] = {"id", "key", "key_id", "email"};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		variable_set(v, arena_printf(v->arena, "%s_%s", name, parts[i]), "x");
	variable_set(v, name, "{}");
}

/* A text of a case, with its variables in; the test fails when one is unknown. */
static const char *filled_text(struct variables *v, const char *path, int line, const char *text)
{
	const char *error = NULL;
	const char *out = expand_case_text(v, v->arena, text, NULL, &error);

	if (!out)
		print_error("%s:%d: %s\n", path, line, error);
	assert_non_null(out);
	return out;
}

static int n_captured;

static void check_step(struct variables *v, const char *path, const struct case_step *s)
{
	const struct case_answer *answer = s->answer;
	const char *error = NULL;

	if (s->key && *s->key)
		filled_text(v, path, s->line, arena_printf(v->arena, "{{%s_key}}", s->key));
	filled_text(v, path, s->line, s->kind == STEP_COMMAND ? s->command : s->target);
	if (s->body)
		filled_text(v, path, s->line, s->body);
	for (size_t i = 0; i < answer->n_issues; i++) {
		const char *text = filled_text(v, path, answer->issue_lines[i], answer->issues[i]);
		if (strcmp(text, "...") == 0 && i + 1 == answer->n_issues)
			continue;
		if (!issue_expected(v->arena, text, &error))
			print_error("%s:%d: %s\n", path, answer->issue_lines[i], error);
		assert_null(error);
	}
	if (answer->body) {
		/* a captured value may be a text or an object: either way JSON where it stands as one */
		const char *text = filled_text(v, path, answer->body_line, answer->body);
		if (!json_read(v->arena, text, strlen(text), &error))
			print_error("%s:%d: %s\n", path, answer->body_line, error);
		assert_null(error);
	}
	/* each one its own, as ids also stand as keys of one object */
	for (const struct case_capture *c = s->captures; c; c = c->next)
		variable_set(v, c->name, arena_printf(v->arena, "%d", ++n_captured));
}

TEST(test_files)
{
	glob_t files;

	assert_int_equal(glob("test/api/*.t", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *error = NULL;
		struct case_file *f = case_read(&a, files.gl_pathv[i], &error);
		if (error)
			print_error("%s\n", error);
		assert_non_null(f);
		struct variables v = {.arena = &a};
		static const char *const usual[] = {"admin", "ada", "bob", "other", "readonly"};
		for (size_t u = 0; u < sizeof(usual) / sizeof(*usual); u++)
			set_user(&v, usual[u]);
		for (size_t u = 0; f->users[u]; u++)
			set_user(&v, f->users[u]);
		variable_set(&v, "base", "http://h");
		variable_set(&v, "workspace_id", "w");
		variable_set(&v, "n", "1");
		for (const struct test_case *t = f->cases; t; t = t->next)
			for (const struct case_step *s = t->steps; s; s = s->next)
				check_step(&v, f->path, s);
	}
	globfree(&files);
}
