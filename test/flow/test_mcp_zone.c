/* Dates in words are read in the time zone of the key's user. Which words there are is in test/unit/test_when.c. */
#include <string.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "test/lib/await.h"
#include "test/lib/rows.h"

enum { HOUR_MS = 3600 * 1000, TOKYO_MS = 9 * HOUR_MS, DAY_MS = 24 * HOUR_MS };

RIG("zone");

static const char *person;

/* Before the first request, which reads the users. */
BEFORE_ALL()
{
	SQL("update users set time_zone = 'Asia/Tokyo' where %s and email like 'ada%%'", rig.own);
	person = POST("{\"fullName\":\"Ann\"}", "/v1/people");
}

/* Calls a tool as a user; returns its data. */
static const struct json *tool_data(struct caller *user, const char *tool, const char *arguments)
{
	struct client_reply reply = caller_send(user, "POST", "/mcp", NULL,
	    TEXT("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
	         "call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}",
	        tool, arguments))
	                                .reply;
	const struct json *body, *text;
	const char *why;

	body = json_read(&ada.arena, reply.body, reply.body_len, &why);
	text = json_items(json_member(json_member(body, "result"), "content"));
	body = json_read(&ada.arena, json_text(text, "text"), strlen(json_text(text, "text")), &why);
	if (!body)
		fail_msg("%s", reply.body);
	return json_member(body, "data");
}

/* The date in a zone that is this far east of UTC, this many days from now. */
static const char *date_of(int64_t east_ms, int days)
{
	char date[DATE_TEXT_SIZE];

	return TEXT("%s", date_format((int32_t)((clock_now_ms() + east_ms) / DAY_MS) + days, date));
}

/* One of the days before and after the call: it may have been midnight. */
static void assert_day(const char *day, const char *before, const char *after)
{
	if (strcmp(day, before) != 0 && strcmp(day, after) != 0)
		fail_msg("%s, not %s", day, after);
}

TEST(a_day_is_that_of_the_user)
{
	const char *task = TEXT("{\"entity\":\"%s\",\"title\":\"x\",\"dueAt\":\"tomorrow 9:30\"}", person);
	const char *tokyo = date_of(TOKYO_MS, 1), *utc = date_of(0, 1);
	const struct json *made = tool_data(&ada, "create_task", task);

	assert_day(json_text(made, "dueAt"), tokyo, date_of(TOKYO_MS, 1));
	assert_string_equal(json_text(made, "dueTime"), "09:30");
	made = tool_data(&ben, "create_task", task);
	assert_day(json_text(made, "dueAt"), utc, date_of(0, 1));
	assert_string_equal(json_text(made, "dueTime"), "09:30");
}

/* 2026-01-31 in Tokyo is nine hours earlier in UTC. */
TEST(a_time_is_that_of_the_user)
{
	const char *call = TEXT(
	    "{\"entity\":\"%s\",\"dateTime\":\"2026-01-31 06:00\",\"activityType\":\"call\",\"title\":\"x\"}", person);

	assert_string_equal(
	    json_text(tool_data(&ada, "log_interaction", call), "dateTime"), "2026-01-30T21:00:00.000Z");
	assert_string_equal(
	    json_text(tool_data(&ben, "log_interaction", call), "dateTime"), "2026-01-31T06:00:00.000Z");
}

/* Buckets of an aggregate are days of the user, who is told the zone. */
TEST(an_aggregate_has_the_days_of_the_user)
{
	const char *totals = "{\"kind\":\"people\",\"groupBy\":\"createdAt:day\"}", *before = date_of(TOKYO_MS, 0);
	const struct json *group = json_items(json_member(tool_data(&ada, "aggregate", totals), "items"));

	assert_day(json_text(json_items(json_member(group, "group")), "value"), before, date_of(TOKYO_MS, 0));
	assert_string_equal(json_text(tool_data(&ada, "describe", "{}"), "timeZone"), "Asia/Tokyo");
	assert_null(json_member(tool_data(&ben, "describe", "{}"), "timeZone"));
}

/* What "now" means has changed when an assistant that got no answer repeats the call. */
TEST(a_repeated_word_is_the_same_call)
{
	const char *call =
	    TEXT("{\"entity\":\"%s\",\"dateTime\":\"now\",\"activityType\":\"call\",\"title\":\"Once\"},\"_meta\":{"
	         "\"idempotencyKey\":\"once\"}",
	        person);
	const char *first = TEXT("%s", json_text(tool_data(&ada, "log_interaction", call), "id"));
	int64_t then_ms = clock_now_ms();

	await_true(clock_now_ms() > then_ms + 1000);
	assert_string_equal(json_text(tool_data(&ada, "log_interaction", call), "id"), first);
	assert_rows(1, "interactions where %s and title = 'Once'", rig.own);
}
