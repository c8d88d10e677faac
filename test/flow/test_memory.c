/* Memory for the largest requests: the server's peak resident memory during each of them, compared with that before.
 * The kernel reports it. With AddressSanitizer freed memory is not quarantined, and the limit allows for its red
 * zones and for memory that it does not reuse. */
#include <string.h>

#include "server/base/buf.h"
#include "server/base/guarded.h"
#include "test/lib/flow.h"
#include "test/lib/server/cost.h"

enum { BODY_MAX = 8 << 20, RECORDS = 100, FIELDS = 20, VALUES = 200 * 1000 };
#ifdef KITH_GUARDED
enum { LIMIT_KB = 96 * 1024 };
#else
enum { LIMIT_KB = 64 * 1024 };
#endif

RIG("memory", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	cost_prepare();
	server = rig_serve(&rig, false, NULL);
	caller_turn(&ada, server->base);
	SEND("GET", NULL, "/v1/people");
	cost_of(server);
}

/* status 0: any. */
static struct caller_answer check_peak(
    const char *method, const char *target, const char *once, const char *body, int status)
{
	struct cost cost;
	struct caller_answer a = cost_send(&ada, method, target, once, body, &cost);

	print_message("%s %s, %zu bytes: %d, up to %ld kB more than an idle server\n", method, target,
	    body ? strlen(body) : 0, a.status, cost.memory_kb);
	if (status)
		assert_int_equal(a.status, status);
	if (cost.memory_kb > LIMIT_KB)
		fail_msg("%s %s takes %ld kB", method, target, cost.memory_kb);
	return a;
}

static const char *made_group(void)
{
	const char *group = SEND("POST", "{\"name\":\"G\",\"visibility\":\"private\"}", "/v1/groups").id;

	for (int i = 0; i < FIELDS; i++)
		caller_sendf(&ada, "POST", TEXT("/v1/groups/%s/custom-fields/person", group), NULL,
		    "{\"name\":\"f%d\",\"type\":\"textField\"}", i);
	return group;
}

/* Nearly all that a batch may have: 20 URLs and 20 custom values in each record. */
static void put_large(struct buf *body, const char *group, const char *const *ids, int turn)
{
	buf_clear(body);
	buf_addz(body, "{\"records\":[");
	for (int i = 0; i < RECORDS; i++) {
		buf_printf(body, "%s{\"id\":\"%s\",\"urls\":[", i ? "," : "", ids[i]);
		for (int k = 0; k < 20; k++)
			buf_printf(body, "%s\"https://example.org/%0*d\"", k ? "," : "", 1980, turn * 100 + k);
		buf_printf(body, "],\"customFieldValues\":{\"%s\":{", group);
		for (int k = 0; k < FIELDS; k++)
			buf_printf(body, "%s\"f%d\":\"%0*d\"", k ? "," : "", k, 2100, turn * 100 + i);
		buf_addz(body, "}}}");
	}
	buf_addz(body, "]}");
	assert_false(body->overflow);
}

static struct caller_answer batch_of(const char *action, const char *const *ids, size_t n, const char *members)
{
	struct buf body;
	struct caller_answer a;

	buf_init(&body, BODY_MAX);
	buf_addz(&body, "{\"records\":[");
	for (size_t i = 0; i < n; i++)
		buf_printf(&body, "%s{\"id\":\"%s\"%s}", i ? "," : "", ids[i], members);
	buf_addz(&body, "]}");
	a = check_peak("POST", TEXT("/v1/people/batch/%s", action), NULL, body.data, 0);
	buf_free(&body);
	return a;
}

/* A small body that names large records, and one that names the same record repeatedly. */
static void check_named(const char *const *ids)
{
	static const char too_much[] = "are too large together";
	const char *same[RECORDS];
	struct caller_answer a = batch_of("update", ids, RECORDS, ",\"firstName\":\"x\"");

	assert_int_equal(a.status, 200);
	assert_non_null(strstr(a.reply.body, too_much));
	assert_non_null(strstr(a.reply.body, "\"succeeded\""));
	a = batch_of("update", ids + RECORDS - 1, 1, ",\"firstName\":\"x\"");
	assert_null(strstr(a.reply.body, too_much)); /* by itself it is allowed */
	assert_non_null(strstr(a.reply.body, "\"succeeded\""));
	for (int i = 0; i < RECORDS; i++)
		same[i] = ids[0];
	a = batch_of("update", same, RECORDS, ",\"firstName\":\"y\"");
	assert_int_equal(a.status, 413);
	a = SEND("GET", NULL, "/v1/people/%s", ids[0]);
	assert_non_null(strstr(a.reply.body, "\"firstName\":\"x\"")); /* nothing was done */
	a = batch_of("delete", ids, RECORDS, "");
	assert_int_equal(a.status, 200);
	assert_null(strstr(a.reply.body, "\"failed\""));
}

/* Custom values of 240 kB in each. */
static void make_largest(const char *const *ids, const char *group)
{
	struct buf body;

	buf_init(&body, BODY_MAX);
	buf_printf(&body, "{\"customFieldValues\":{\"%s\":{", group);
	for (int k = 0; k < FIELDS; k++) {
		buf_printf(&body, "%s\"f%d\":\"", k ? "," : "", k);
		for (int i = 0; i < 4000; i++)
			buf_addz(&body, "\u6f22");
		buf_addz(&body, "\"");
	}
	buf_addz(&body, "}}}");
	for (int i = 0; i < RECORDS; i++) {
		struct caller_answer a = SEND("PATCH", body.data, "/v1/people/%s", ids[i]);
		assert_int_equal(a.status, 200);
	}
	buf_free(&body);
}

/* As many values as a body may have; and a single value as large as the body. The first case: the sanitizer's heap does
 * not return everything. */
TEST(test_values)
{
	struct buf body;

	buf_init(&body, BODY_MAX);
	buf_addz(&body, "{\"records\":[{}");
	for (int i = 0; i < VALUES / 2 - 10; i++)
		buf_addz(&body, ",{\"firstName\":\"\"}");
	buf_addz(&body, "]}");
	check_peak("POST", "/v1/people/batch/create", "values", body.data, 422);
	buf_clear(&body);
	buf_addz(&body, "{\"records\":[\"");
	for (int i = 0; i < BODY_MAX / 10 - 10; i++)
		buf_addz(&body, "0123456789");
	buf_addz(&body, "\"]}");
	check_peak("POST", "/v1/people/batch/create", "one", body.data, 413);
	buf_free(&body);
}

/* Changes everything in records that are as large: old values, new ones, and events with both. */
TEST(test_batch)
{
	const char *ids[RECORDS], *group = made_group();
	struct buf body;

	for (int i = 0; i < RECORDS; i++)
		ids[i] = caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"groups\":[{\"id\":\"%s\"}]}", group).id;
	buf_init(&body, BODY_MAX);
	for (int turn = 0; turn < 2; turn++) {
		put_large(&body, group, ids, turn);
		check_peak("POST", "/v1/people/batch/update", turn ? "second" : "first", body.data, 200);
	}
	check_peak("GET", "/v1/people?limit=100&sort=-updatedAt", NULL, NULL, 200);
	check_peak("GET", "/v1/events?limit=100", NULL, NULL, 200);
	buf_free(&body);
	make_largest(ids, group);
	check_named(ids);
}
