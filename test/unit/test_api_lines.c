/* Lines of the black-box cases that hold a whole request and its answer. */
#include <string.h>

/* Compiled in, as the suite's files belong to no library. */
#include "test/api/case_file.c"
#include "test/api/written_rows.c"
#include "test/lib/test.h"

/* A request and its answer in one line. */
TEST(test_parse_one_line)
{
	static const char text[] =
	    "== a\n@bob PATCH /v1/x (A-B: {c) {\"a\": 1} -- 404\n* custom []\n"
	    "GET /a -- b -- 200 Text (!C) {\"b\": [\n2]}\n> x = b\n@poll 7 @example @none CALL get {\"id\": 5} -- 200\n"
	    "@repeat 9 @make b POST /b\n{\"b\": [\n3]}\n> c = c\n@make d POST /d\n";
	const char *error = NULL;
	struct arena a;

	arena_init(&a);
	struct case_file *f = case_parse(&a, "x.t", text, &error);
	assert_null(error);
	struct case_step *s = f->cases->steps;
	assert_string_equal(s->key, "bob");
	assert_string_equal(s->target, "/v1/x");
	assert_int_equal(s->n_headers, 1);
	assert_string_equal(s->headers[0].name, "A-B");
	assert_string_equal(s->headers[0].value, "{c");
	assert_string_equal(s->body, "{\"a\": 1}");
	assert_int_equal(s->answer->status, 404);
	assert_int_equal(s->answer->n_issues, 1);
	s = s->next;
	assert_string_equal(s->target, "/a -- b");
	assert_null(s->body);
	assert_string_equal(s->answer->status_text, "Text");
	assert_string_equal(s->answer->headers[0].name, "C");
	assert_null(s->answer->headers[0].value);
	assert_string_equal(s->answer->body, "{\"b\": [\n2]}");
	assert_string_equal(s->captures->name, "x");
	s = s->next;
	assert_string_equal(s->key, "");
	assert_int_equal(s->poll_s, 7);
	assert_true(s->example);
	assert_string_equal(s->method, "POST");
	assert_string_equal(s->target, "/mcp");
	assert_string_equal(s->body, "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": "
	                             "{\"name\": \"get\", \"arguments\": {\"id\": 5}}}");
	assert_int_equal(s->answer->status, 200);
	s = s->next;
	assert_int_equal(s->repeat, 9);
	assert_string_equal(s->body, "{\"b\": [\n3]}");
	assert_string_equal(s->captures->path, "data.id");
	assert_string_equal(s->captures->next->name, "c");
	s = s->next;
	assert_null(s->body);
	assert_int_equal(s->answer->status, 200);
	assert_null(s->next);
	arena_free(&a);
}
