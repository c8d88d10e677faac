/* The Model Context Protocol over lost connections, its large results, and its lines of the log. All else is in
 * test/api/mcp*.t. */
#include <string.h>

#include "server/base/json.h"
#include "test/lib/rows.h"
#include "test/lib/server/logged.h"

enum { NOTES = 60, NOTE_BYTES = 4000, PAGE_MOST = (8 << 10) + 2 * NOTE_BYTES };

static struct client_reply reply;
static const struct json *body;

RIG("mcp");

/* Sends; returns the status, and sets reply and body. */
static int mcp_post(const char *text)
{
	const char *why;

	reply = SEND("POST", text, "/mcp").reply;
	body = json_read(&ada.arena, reply.body, reply.body_len, &why);
	return reply.status;
}

/* --- faults ----------------------------------------------------------------------------------- */

static const char *create_once(const char *name)
{
	return TEXT(
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"create\",\"arguments\":"
	    "{\"kind\":\"person\",\"fields\":{\"firstName\":\"%s\"}},\"_meta\":{\"idempotencyKey\":\"%s\"}}}",
	    name, name);
}

/* Even if the answer to a COMMIT is lost, a call with a key is done once, and its retry has the same answer. */
TEST(calls_are_done_once_over_lost_connections)
{
	static const enum proxy_mode modes[] = {PROXY_CUT_AFTER, PROXY_CUT_BEFORE};
	struct server_process *behind = rig_serve(&rig, true, NULL);
	const struct json *result;

	caller_turn(&ada, behind->base);
	for (int i = 0; i < 2; i++) {
		const char *call = create_once(i ? "Never" : "Lost");
		proxy_set(rig.proxy, modes[i]);
		assert_int_equal(mcp_post(call), 200);
		result = json_member(body, "result");
		for (int n = 0; n < 100 && json_member(result, "isError")->truth; n++) {
			assert_non_null(strstr(reply.body, "Nothing was done"));
			assert_int_equal(mcp_post(call), 200);
			result = json_member(body, "result");
		}
		assert_false(json_member(result, "isError")->truth);
		assert_int_equal(mcp_post(call), 200);
		assert_non_null(strstr(reply.body, "\"idempotentReplayed\":true"));
	}
	assert_rows(2, "people where %s and first_name in ('Lost', 'Never')", rig.own);
	caller_turn(&ada, server->base);
	assert_true(server_stop(behind));
}

/* --- results --------------------------------------------------------------------------------- */

static void make_notes(void)
{
	struct caller_answer person;
	char *text = arena_alloc(&rig.arena, NOTE_BYTES + 1);

	memset(text, 'n', NOTE_BYTES);
	person = MAKE("{\"firstName\":\"Ann\"}", "/v1/people");
	for (int i = 0; i < NOTES; i++)
		MAKE(TEXT("{\"entity\":{\"id\":\"%s\"},\"visibility\":\"public\",\"content\":\"%s\"}", person.id, text),
		    "/v1/notes");
}

static const struct json *result_at(const char *a, const char *b)
{
	const struct json *data = json_member(json_member(json_member(body, "result"), "structuredContent"), "data");

	return b ? json_member(json_member(data, a), b) : json_member(data, a);
}

/* Calls search until next is absent. Returns the number of pages, and sets *items to the number of notes. */
static int search_pages(const char *arguments, int *items)
{
	const struct client_header revision[] = {{"MCP-Protocol-Version", "2025-11-25"}, {NULL, NULL}};
	int pages = 0;

	*items = 0;
	while (arguments) {
		const struct json *next;
		struct buf text;
		const char *why;
		reply = caller_send_with(&ada, "POST", "/mcp",
		    TEXT("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"search\","
		         "\"arguments\":%s}}",
		        arguments),
		    revision)
		            .reply;
		assert_int_equal(reply.status, 200);
		assert_in_range(reply.body_len, 1, PAGE_MOST);
		body = json_read(&ada.arena, reply.body, reply.body_len, &why);
		*items += (int)result_at("items", NULL)->count;
		next = json_member(json_member(json_member(body, "result"), "structuredContent"), "next");
		buf_init(&text, 64 << 10);
		json_canonical(&text, next);
		arguments = next ? arena_dup(&ada.arena, text.data, text.len) : NULL;
		buf_free(&text);
		pages++;
	}
	return pages;
}

/* A page that is too large for a model ends early, and next leads to the rest. Texts that are not asked for are cut. */
TEST(large_results_come_in_pages)
{
	int items, pages;

	make_notes();
	pages = search_pages("{\"kind\":\"notes\",\"limit\":100}", &items);
	assert_int_equal(items, NOTES);
	assert_in_range(pages, 2, NOTES / 4);
	pages = search_pages("{\"kind\":\"notes\",\"limit\":100,\"fields\":[\"content\"]}", &items);
	assert_int_equal(items, NOTES);
	assert_in_range(pages, NOTES / 4, NOTES);
}

/* In the oldest revision the text is all that there is. Of a large record it is cut, between two characters, and says
 * so. */
TEST(a_huge_record_is_cut_as_text)
{
	enum { CHARACTERS = 99999 };
	char *content = arena_alloc(&rig.arena, 3 * CHARACTERS + 1);
	const struct json *text;
	struct caller_answer person, note;

	for (int i = 0; i < CHARACTERS; i++)
		memcpy(content + 3 * (size_t)i, "\xe2\x82\xac", 3);
	person = MAKE("{}", "/v1/people");
	note =
	    MAKE(TEXT("{\"entity\":{\"id\":\"%s\"},\"visibility\":\"public\",\"content\":\"%s\"}", person.id, content),
	        "/v1/notes");
	assert_int_equal(
	    mcp_post(TEXT("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"get\","
	                  "\"arguments\":{\"id\":\"%s\"}}}",
	        note.id)),
	    200);
	text = json_member(json_member(body, "result"), "content")->first;
	assert_in_range(json_member(text, "text")->len, (128 << 10) - 2, 128 << 10);
	assert_non_null(strstr(json_member(text->next, "text")->text, "This text has the first"));
}

TEST(lines_of_the_log_name_request_and_tool)
{
	const struct json *line;

	assert_int_equal(
	    mcp_post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"get\","
	             "\"arguments\":{\"id\":\"per_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30\"}}}"),
	    200);
	line = logged_with(&rig.arena, server, "requestId", client_header(&reply, "X-Request-Id"));
	logged_expect(line, "method", "GET");
	logged_expect(line, "route", "/v1/people/{personId}");
	logged_expect(line, "tool", "get");
	logged_expect(line, "code", "RESOURCE_NOT_FOUND");
	logged_expect(line, "user", rig.ada.id);
	assert_int_equal(json_member(line, "status")->type, JSON_NUMBER);
	assert_string_equal(json_member(line, "status")->text, "404");
}
