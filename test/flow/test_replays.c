/* A retry of what was done is a replay, also when what it refers to has gone meanwhile; a request that was refused
 * leaves no trace under its key. */
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/model/deals.h"

DEALS("replays");

/* {group} stands for the group, which is deleted. */
static const struct {
	const char *method, *target, *body;
} writes[] = {
    {"POST", "/v1/people", "{\"firstName\":\"a\",\"groups\":[{\"id\":\"{group}\"}]}"},
    {"POST", "/v1/people", "{\"groups\":[{\"id\":\"{group}\"}],\"customFieldValues\":{\"{group}\":{\"note\":\"x\"}}}"},
    {"POST", "/v1/companies", "{\"name\":\"c\",\"groups\":[{\"id\":\"{group}\"}]}"},
    {"POST", "/v1/people/batch/create", "{\"records\":[{\"groups\":[{\"id\":\"{group}\"}]}]}"},
    {"POST", "/v1/people/batch/upsert",
        "{\"match\":\"customFieldValues.{group}.note\",\"records\":[{\"firstName\":\"u\"}]}"},
    {"POST", "/v1/groups/{group}/Deals", "{\"name\":\"o\",\"customFieldValues\":{\"size\":\"x\"}}"},
    {"POST", "/v1/groups/{group}/object-types", "{\"name\":\"More\"}"},
    {"POST", "/v1/webhooks",
        "{\"name\":\"w\",\"targetUrl\":\"http://127.0.0.1:9/\",\"subscribedEvents\":[{\"eventType\":"
        "\"object.created\",\"filter\":{\"groupId\":\"{group}\"}}]}"},
};
enum { WRITES = sizeof writes / sizeof *writes };

static const char *with_group(const char *text, const char *group)
{
	static const char place[] = "{group}";

	for (const char *at; (at = strstr(text, place)) != NULL;)
		text = TEXT("%.*s%s%s", (int)(at - text), text, group, at + strlen(place));
	return text;
}

static struct caller_answer write_once(int i, const char *group)
{
	return caller_send(&ada, writes[i].method, with_group(writes[i].target, group), TEXT("replay-%d", i),
	    with_group(writes[i].body, group));
}

static const char *make_group(void)
{
	const char *group = deals_post("/v1/groups", "{\"name\":\"G\",\"visibility\":\"public\"}").id;
	const char *base = TEXT("/v1/groups/%s", group);

	deals_post(TEXT("%s/object-types", base), "{\"name\":\"Deals\"}");
	deals_post(TEXT("%s/custom-fields/person", base), "{\"name\":\"note\",\"type\":\"textField\"}");
	deals_post(TEXT("%s/custom-fields/Deals", base), "{\"name\":\"size\",\"type\":\"textField\"}");
	return group;
}

/* As the answer is kept: without the secret that it shows once. */
static const char *kept_body(const struct caller_answer *first)
{
	static const char name[] = "\"signingSecret\":";
	const char *body = first->reply.body, *at = strstr(body, name);

	if (!at)
		return body;
	at += strlen(name);
	return TEXT("%.*snull%s", (int)(at - body), body, strchr(at + 1, '"') + 1);
}

TEST(test_gone)
{
	struct caller_answer first[WRITES], again;
	const char *group = make_group();

	for (int i = 0; i < WRITES; i++)
		first[i] = caller_good(write_once(i, group));
	caller_good(SEND("DELETE", NULL, "/v1/groups/%s", group));
	for (int i = 0; i < 2 * WRITES; i++) {
		caller_turn(&ada, servers[i % 2]->base);
		again = write_once(i / 2, group);
		if (!again.replayed || strcmp(again.reply.body, kept_body(&first[i / 2])) != 0)
			fail_msg("%s: %d %s", writes[i / 2].target, again.status, again.reply.body);
	}
}

/* Of routes that look at a record before their transaction. */
TEST(test_gone_record)
{
	const char *webhook = deals_post("/v1/webhooks",
	    "{\"name\":\"w\",\"targetUrl\":\"http://127.0.0.1:9/\",\"subscribedEvents\":[{\"eventType\":"
	    "\"person.created\",\"filter\":{}}]}")
	                          .id;
	const char *target = TEXT("/v1/webhooks/%s", webhook);
	const char *recover = TEXT("%s/recover", target);
	static const char body[] = "{\"since\":\"2026-01-01T00:00:00Z\"}", since[] = "{\"since\":\"%s\"}";
	char now[TIME_TEXT_SIZE];
	const char *good = TEXT(since, time_format(clock_now_ms() - 1000, now));
	struct caller_answer first, again;

	first = caller_good(caller_send(&ada, "POST", recover, "recover", good));
	caller_good(caller_send(&ada, "DELETE", target, NULL, NULL));
	again = caller_send(&ada, "POST", recover, "recover", good);
	assert_true(again.replayed);
	assert_string_equal(again.reply.body, first.reply.body);
	/* Another request under that key, and one under a new key. */
	assert_string_equal(caller_send(&ada, "POST", recover, "recover", body).code, "IDEMPOTENCY_KEY_REUSED");
	assert_int_equal(caller_send(&ada, "POST", recover, "recover-2", good).status, 404);
}

/* Refused, then accepted under the same key; and refused for its own sake, though the key belongs to another one. */
TEST(test_refused)
{
	static const char bad[] = "{\"firstName\":1}", good[] = "{\"firstName\":\"good\"}";
	struct caller_answer a;

	assert_int_equal(caller_send(&ada, "POST", "/v1/people", "refused", bad).status, 422);
	a = caller_good(caller_send(&ada, "POST", "/v1/people", "refused", good));
	assert_false(a.replayed);
	a = caller_send(&ada, "POST", "/v1/people", "refused", bad);
	assert_int_equal(a.status, 422);
	assert_non_null(strstr(a.reply.body, "invalid_type"));
	assert_true(caller_send(&ada, "POST", "/v1/people", "refused", good).replayed);
}
