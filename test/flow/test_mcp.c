/* The Model Context Protocol: what a client may do wrong around a message, refusals before a message is read, large
 * results. What answers with 200 is in test/api/mcp.t. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/json.h"
#include "test/lib/rows.h"
#include "test/lib/server/logged.h"

#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"

enum { NOTES = 60, NOTE_BYTES = 4000, PAGE_MOST = (64 << 10) + 3 * NOTE_BYTES };

static struct client *client;
static struct client_reply reply;
static const struct json *body;

RIG("mcp", .settings = {"public_url=https://crm.example.com/kith", "cors_origins=https://app.example.com"});

BEFORE_ALL()
{
	client = client_new(server->base);
}

AFTER_ALL()
{
	client_free(client);
}

/* Sends, with one more header if name is not NULL; returns the status, and sets reply and body. */
static int mcp_send(const char *method, const char *text, size_t len, const char *name, const char *value)
{
	struct client_request q = {.method = method,
	    .target = "/mcp",
	    .headers = {{"Authorization", arena_printf(&rig.arena, "Bearer %s", rig.ada.key)},
	        {"Accept", "application/json, text/event-stream"}},
	    .n_headers = 2,
	    .body = text,
	    .body_len = len};
	const char *why;
	char error[256];

	if (name)
		q.headers[q.n_headers++] = (struct client_header){name, value};
	if (!client_send(client, &rig.arena, &q, &reply, error))
		fail_msg("%s", error);
	body = reply.body_len ? json_read(&rig.arena, reply.body, reply.body_len, &why) : NULL;
	return reply.status;
}

static int mcp_post(const char *text)
{
	return mcp_send("POST", text, strlen(text), NULL, NULL);
}

static int64_t error_code(void)
{
	const struct json *code = json_member(json_member(body, "error"), "code");

	assert_string_equal(json_member(body, "jsonrpc")->text, "2.0");
	return code ? strtoll(code->text, NULL, 10) : 0;
}

/* The id that was answered, as JSON. */
static const char *id_text(void)
{
	const struct json *id = json_member(body, "id");

	return !id ? "absent" : id->type == JSON_NULL ? "null" : id->text;
}

/* --- messages ------------------------------------------------------------------------------ */

TEST(what_is_no_message_is_refused)
{
	static const struct {
		const char *text;
		int status;
		int64_t code;
		const char *id;
	} cases[] = {
	    {"", 400, -32700, "null"},
	    {"{", 400, -32700, "null"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":1,\"method\":\"ping\"}", 400, -32700, "null"},
	    {PING PING, 400, -32700, "null"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", 400, -32700, "null"},
	    {"[]", 400, -32600, "null"},
	    {"[" PING "," PING "]", 400, -32600, "null"},
	    {"\"ping\"", 400, -32600, "null"},
	    {"null", 400, -32600, "null"},
	    {"{}", 400, -32600, "null"},
	    {"{\"id\":1,\"method\":\"ping\"}", 400, -32600, "1"},
	    {"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}", 400, -32600, "1"},
	    {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", 400, -32600, "1"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", 400, -32600, "null"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}", 400, -32600, "null"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}", 400, -32600, "null"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", 400, -32600, "null"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1}", 400, -32600, "1"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}", 400, -32600, "1"},
	    {"{\"jsonrpc\":\"2.0\",\"method\":null}", 400, -32600, "null"},
	    {"{\"jsonrpc\":\"2.0\",\"result\":{}}", 400, -32600, "null"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (mcp_post(cases[i].text) != cases[i].status || error_code() != cases[i].code ||
		    strcmp(id_text(), cases[i].id) != 0)
			fail_msg("%s: %d %s", cases[i].text, reply.status, reply.body);
		assert_string_equal(client_header(&reply, "Content-Type"), "application/json");
	}
	assert_int_equal(mcp_post(PING), 200);
}

/* Nothing is answered to notifications and answers, and nothing that needs an answer is done for them. */
TEST(notifications_are_accepted)
{
	static const char *const texts[] = {
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
	    "{\"jsonrpc\":\"2.0\",\"method\":\"anything\",\"params\":[1]}",
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
	    "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":1,\"message\":\"no\"}}",
	    ("{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"create\",\"arguments\":{\"kind\":"
	     "\"company\",\"fields\":{\"name\":\"Unasked\"}}}}"),
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_int_equal(mcp_post(texts[i]), 202);
		assert_int_equal(reply.body_len, 0);
		assert_null(client_header(&reply, "Content-Type"));
	}
	assert_rows(0, "companies where %s", rig.own);
}

/* Two requests with one id are two requests: there is no session that could tell. */
TEST(an_id_may_be_used_again)
{
	for (int i = 0; i < 2; i++) {
		assert_int_equal(mcp_post(PING), 200);
		assert_string_equal(id_text(), "1");
	}
}

TEST(long_and_deep_bodies_are_refused)
{
	struct buf text;

	buf_init(&text, 4 << 20);
	buf_addz(&text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":");
	for (int i = 0; i < 40; i++)
		buf_addc(&text, '[');
	for (int i = 0; i < 40; i++)
		buf_addc(&text, ']');
	buf_addz(&text, "}}");
	assert_int_equal(mcp_send("POST", text.data, text.len, NULL, NULL), 400);
	assert_int_equal(error_code(), -32700);

	buf_clear(&text);
	buf_addz(&text, "{\"jsonrpc\":\"2.0\",\"id\":\"");
	for (int i = 0; i < 1001; i++)
		buf_addc(&text, 'i');
	buf_addz(&text, "\",\"method\":\"ping\"}");
	assert_int_equal(mcp_send("POST", text.data, text.len, NULL, NULL), 400);
	assert_int_equal(error_code(), -32600);

	buf_clear(&text);
	buf_addz(&text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":[0");
	for (int i = 0; i < 250000; i++)
		buf_addz(&text, ",0");
	buf_addz(&text, "]}}");
	assert_int_equal(mcp_send("POST", text.data, text.len, NULL, NULL), 413);
	assert_int_equal(error_code(), -32600);

	buf_clear(&text);
	for (int i = 0; i < (1 << 20) + 1; i++)
		buf_addc(&text, ' ');
	assert_int_equal(mcp_send("POST", text.data, text.len, NULL, NULL), 413);
	buf_free(&text);
}

/* --- around messages ------------------------------------------------------------------------ */

TEST(other_methods_of_http)
{
	static const char *const methods[] = {"GET", "DELETE", "PUT", "PATCH", "HEAD"};

	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
		assert_int_equal(mcp_send(methods[i], NULL, 0, NULL, NULL), 405);
		assert_string_equal(client_header(&reply, "Allow"), "POST, OPTIONS");
	}
}

TEST(versions_in_the_header)
{
	static const char *const good[] = {"2025-03-26", "2025-06-18", "2025-11-25"}, *const bad[] = {"2024-11-05", "",
	                                                                                  "2025-06-18, 2025-03-26",
	                                                                                  "latest"};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_int_equal(mcp_send("POST", PING, strlen(PING), "MCP-Protocol-Version", good[i]), 200);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(mcp_send("POST", PING, strlen(PING), "MCP-Protocol-Version", bad[i]), 400);
		assert_int_equal(error_code(), -32600);
		assert_non_null(strstr(reply.body, "2025-11-25"));
	}
}

TEST(pages_of_other_origins_are_refused)
{
	static const char *const good[] = {"https://crm.example.com", "HTTPS://CRM.example.com", "http://localhost",
	    "http://localhost:6274", "https://app.example.com", "http://127.0.0.1:8080", "https://[::1]:9"};
	static const char *const bad[] = {"https://evil.example", "https://app.example.com:8443",
	    "http://crm.example.com", "https://crm.example.com:8443", "https://crm.example.com.evil.example",
	    "https://crm.example.com/kith", "null", "", "http://localhost.evil.example", "http://localhost:80x",
	    "http://127.0.0.1.evil.example", "file://localhost"};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_int_equal(mcp_send("POST", PING, strlen(PING), "Origin", good[i]), 200);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (mcp_send("POST", PING, strlen(PING), "Origin", bad[i]) != 403)
			fail_msg("%s: %d", bad[i], reply.status);
		assert_int_equal(error_code(), -32600);
	}
}

TEST(without_a_good_key)
{
	struct client_request q = {.method = "POST", .target = "/mcp", .body = PING, .body_len = strlen(PING)};
	char error[256];

	for (int i = 0; i < 2; i++) {
		assert_true(client_send(client, &rig.arena, &q, &reply, error));
		assert_int_equal(reply.status, 401);
		assert_string_equal(client_header(&reply, "WWW-Authenticate"), "Bearer");
		assert_non_null(strstr(reply.body, "Authorization: Bearer"));
		q.headers[q.n_headers++] = (struct client_header){
		    "Authorization", "Bearer kith_0000000000000000000000000000000000000000000000000000"};
	}
}

/* --- limits ---------------------------------------------------------------------------------- */

/* A call that the rate limits refuse is a result, so that the model knows; another message is a 429. */
TEST(limits_are_those_of_the_api)
{
	static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"tools/call\",\"params\":{\"name\":"
	                           "\"search\",\"arguments\":{\"kind\":\"people\"}}}";
	struct server_process *strict = rig_serve(&rig, false, (const char *const[]){"rate_default=3/3600", NULL});
	struct client *before = client;
	struct caller limited;

	client = client_new(strict->base);
	assert_int_equal(mcp_post(PING), 200);
	assert_string_equal(client_header(&reply, "X-RateLimit-Limit"), "3");
	assert_int_equal(mcp_post(call), 200);
	assert_int_equal(mcp_post("{}"), 400);
	assert_int_equal(mcp_post(call), 200);
	assert_string_equal(id_text(), "c");
	assert_true(json_member(json_member(body, "result"), "isError")->truth);
	assert_non_null(strstr(reply.body, "TOO_MANY_REQUESTS"));
	assert_non_null(strstr(reply.body, "Retry after "));
	assert_non_null(client_header(&reply, "Retry-After"));
	assert_int_equal(mcp_post(PING), 429);
	assert_int_equal(error_code(), -32000);
	assert_non_null(client_header(&reply, "Retry-After"));
	caller_init(&limited, strict->base, rig.ada.key);
	assert_int_equal(caller_send(&limited, "GET", "/v1/people", NULL, NULL).status, 429);
	caller_free(&limited);
	client_free(client);
	client = before;
	assert_true(server_stop(strict));
}

/* --- faults ----------------------------------------------------------------------------------- */

static const char *create_once(const char *name)
{
	return arena_printf(&rig.arena,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"create\",\"arguments\":"
	    "{\"kind\":\"person\",\"fields\":{\"firstName\":\"%s\"}},\"_meta\":{\"idempotencyKey\":\"%s\"}}}",
	    name, name);
}

/* Even if the answer to a COMMIT is lost, a call with a key is done once, and its retry has the same answer. */
TEST(calls_are_done_once_over_lost_connections)
{
	static const enum proxy_mode modes[] = {PROXY_CUT_AFTER, PROXY_CUT_BEFORE};
	struct server_process *behind = rig_serve(&rig, true, NULL);
	struct client *before = client;
	const struct json *result;

	client = client_new(behind->base);
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
	client_free(client);
	client = before;
	assert_true(server_stop(behind));
}

/* --- results --------------------------------------------------------------------------------- */

static void make_notes(void)
{
	struct caller_answer person;
	char *text = arena_alloc(&rig.arena, NOTE_BYTES + 1);

	memset(text, 'n', NOTE_BYTES);
	caller_turn(&ada, server->base);
	person = MAKE("{\"firstName\":\"Ann\"}", "/v1/people");
	for (int i = 0; i < NOTES; i++)
		caller_good(caller_sendf(&ada, "POST", "/v1/notes", NULL,
		    "{\"entity\":{\"id\":\"%s\"},\"visibility\":\"public\",\"content\":\"%s\"}", person.id, text));
}

static const struct json *result_at(const char *a, const char *b)
{
	const struct json *data = json_member(json_member(json_member(body, "result"), "structuredContent"), "data");

	return b ? json_member(json_member(data, a), b) : json_member(data, a);
}

/* A page that is too large for a model ends early, says so, and leads to the rest. */
TEST(huge_results_come_in_pages)
{
	const char *cursor = "";
	int n = 0, pages = 0;

	make_notes();
	do {
		const char *call = arena_printf(&rig.arena,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"search\","
		    "\"arguments\":{\"kind\":\"notes\",\"limit\":100%s%s%s}}}",
		    *cursor ? ",\"cursor\":\"" : "", cursor, *cursor ? "\"" : "");
		const struct json *next;
		assert_int_equal(mcp_post(call), 200);
		assert_in_range(reply.body_len, 1, 2 * PAGE_MOST);
		next = result_at("pagination", "nextCursor");
		cursor = next ? next->text : NULL;
		assert_int_equal(cursor != NULL, strstr(reply.body, "This is not all") != NULL);
		n += (int)result_at("items", NULL)->count;
		pages++;
	} while (cursor);
	assert_int_equal(n, NOTES);
	assert_in_range(pages, NOTES * NOTE_BYTES / PAGE_MOST, NOTES);
}

/* The text of a large record is cut, between two characters, and says so; the structured content is whole. */
TEST(a_huge_record_is_cut_as_text)
{
	enum { CHARACTERS = 99999 };
	char *content = arena_alloc(&rig.arena, 3 * CHARACTERS + 1);
	const struct json *text;
	struct caller_answer person, note;

	for (int i = 0; i < CHARACTERS; i++)
		memcpy(content + 3 * (size_t)i, "\xe2\x82\xac", 3);
	caller_turn(&ada, server->base);
	person = MAKE("{}", "/v1/people");
	note =
	    MAKE(arena_printf(&rig.arena, "{\"entity\":{\"id\":\"%s\"},\"visibility\":\"public\",\"content\":\"%s\"}",
	             person.id, content),
	        "/v1/notes");
	assert_int_equal(mcp_post(arena_printf(&rig.arena,
	                     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"get\","
	                     "\"arguments\":{\"id\":\"%s\"}}}",
	                     note.id)),
	    200);
	assert_int_equal(result_at("content", NULL)->len, 3 * CHARACTERS);
	text = json_member(json_member(body, "result"), "content")->first;
	assert_in_range(json_member(text, "text")->len, (128 << 10) - 2, 128 << 10);
	assert_non_null(strstr(json_member(text->next, "text")->text, "structuredContent has all"));
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
