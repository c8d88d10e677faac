/* Deliveries, from a write to the receiver: content, signature, and stored rows. */
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/await.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/webhook/hook_rig.h"

enum { WAIT_MS = 60000 };

HOOKS("webhooks", .settings = {"public_url=https://crm.example", "clock_scale=1000"}, .neighbour = true);

/* Waits until the database has n delivered deliveries of the webhook. */
static void await_kept(struct hooked h, int n)
{
	await_rows(n, "deliveries where state = 'delivered' and webhook_id = '%s'", hook_rig_bare(h));
}

/* The items of a webhook's deliveries. */
static const struct json *list_deliveries(struct hooked h)
{
	return json_member(caller_data(&ada.arena, SEND("GET", NULL, "/v1/webhooks/%s/deliveries", h.id)), "items");
}

TEST(test_delivered)
{
	struct receiver *r = RECEIVE(0);
	struct hooked h = hooked_make(&ada, receiver_url(r, "/in?a=b"), NULL);
	const char *id = hook_rig_person("First"), *source = TEXT("https://crm.example/v1/webhooks/%s", h.id);
	const struct receiver_request *q;
	struct hooked_event e;
	const struct json *item;
	char *type;
	int good;

	assert_true(receiver_wait(r, 1, WAIT_MS));
	q = receiver_request(r, 0);
	e = hooked_event(&ada.arena, q);
	assert_string_equal(q->method, "POST");
	assert_string_equal(q->path, "/in?a=b");
	assert_string_equal(e.type, "person.created");
	assert_string_equal(e.record, id);
	assert_string_equal(e.source, source);
	assert_int_equal(hooked_signatures(q, h.secret, &good), 1);
	assert_int_equal(good, 1);
	type = receiver_header(q, "content-type");
	assert_string_equal(type, "application/json");
	free(type);
	await_kept(h, 1);
	item = list_deliveries(h);
	assert_int_equal(item->count, 1);
	assert_string_equal(json_member(item->first, "state")->text, "delivered");
	assert_string_equal(json_member(item->first, "eventId")->text, e.id);
	assert_int_equal(json_member(item->first, "attempts")->count, 1);
}

/* --- failures --------------------------------------------------------------------------------- */

/* Fails the first requests; a script for one webhook. */
struct script {
	int fail, status;
	const char *headers;
	int seen;
};

static struct receiver_behaviour play_answers(void *ctx, const struct receiver_request *q)
{
	struct script *s = ctx;

	(void)q;
	if (s->seen++ < s->fail)
		return (struct receiver_behaviour){.status = s->status, .headers = s->headers};
	return (struct receiver_behaviour){0};
}

static const char *state_of(struct hooked h)
{
	return json_member(caller_data(&ada.arena, SEND("GET", NULL, "/v1/webhooks/%s", h.id)), "status")->text;
}

static void set_state(struct hooked h, const char *state)
{
	caller_good(SEND("PATCH", TEXT("{\"status\":\"%s\"}", state), "/v1/webhooks/%s", h.id));
}

/* The same id and bytes each time, signed again, on schedule; each attempt is stored. */
TEST(test_retried)
{
	static struct script script = {.fail = 3, .status = 503};
	struct receiver *r = RECEIVE(.decide = play_answers, .ctx = &script);
	struct hooked h = hooked_make(&ada, receiver_url(r, "/"), NULL);
	static const int64_t least_ms[] = {4, 270, 1620};
	const struct receiver_request *first, *q;
	const struct json *item;
	int good;

	hook_rig_person("Retried");
	assert_true(receiver_wait(r, 4, WAIT_MS));
	first = receiver_request(r, 0);
	for (int i = 0; i < 4; i++) {
		q = receiver_request(r, i);
		assert_string_equal(q->body, first->body);
		assert_int_equal(hooked_signatures(q, h.secret, &good), 1);
		assert_int_equal(good, 1);
		if (i)
			assert_true(q->at_us - receiver_request(r, i - 1)->at_us >= least_ms[i - 1] * 1000);
	}
	await_kept(h, 1);
	item = list_deliveries(h)->first;
	assert_int_equal(json_member(item, "attempts")->count, 4);
	assert_string_equal(json_member(json_member(item, "attempts")->first, "error")->text, "http_error");
	assert_string_equal(json_member(json_member(item, "attempts")->first, "statusCode")->text, "503");
}

/* After the tenth attempt there are no more. */
TEST(test_exhausted)
{
	struct receiver *r = RECEIVE(.behaviour = {.status = 404});
	struct hooked h = hooked_make(&ada, receiver_url(r, "/"), NULL);
	const char *id = hook_rig_bare(h);

	hook_rig_person("Exhausted");
	await_number(3, "select max(n_attempts) from deliveries where webhook_id = '%s'", id);
	rows_change("update deliveries set n_attempts = 9, next_attempt_at = now() where webhook_id = '%s'", id);
	await_rows(1,
	    "deliveries where webhook_id = '%s' and state = 'failed' and n_attempts = 10 and next_attempt_at is null",
	    id);
	assert_false(receiver_wait(r, 5, 500));
}

/* A longer Retry-After is honoured, scaled like everything else. */
TEST(test_retry_after)
{
	static struct script script = {.fail = 1, .status = 429, .headers = "Retry-After: 1200\r\n"};
	struct receiver *r = RECEIVE(.decide = play_answers, .ctx = &script);

	hooked_make(&ada, receiver_url(r, "/"), NULL);
	hook_rig_person("Patient");
	assert_true(receiver_wait(r, 2, WAIT_MS));
	assert_true(receiver_request(r, 1)->at_us - receiver_request(r, 0)->at_us >= 1200 * 1000);
}

/* 410: inactive at once, with an event; nothing more is sent until it is active again, and then what waited. */
TEST(test_gone)
{
	static struct script script = {.fail = 1, .status = 410};
	struct receiver *r = RECEIVE(.decide = play_answers, .ctx = &script);
	struct hooked h = hooked_make(&ada, receiver_url(r, "/"), NULL);
	const char *first = hook_rig_person("Gone"), *second;

	assert_true(receiver_wait(r, 1, WAIT_MS));
	await_true(strcmp(state_of(h), "inactive") == 0);
	assert_rows(1,
	    "events where type = 'webhook.deactivated' and record_id = '%s' and data::jsonb = '{\"details\": "
	    "{\"reason\": \"gone\"}}'",
	    hook_rig_bare(h));
	second = hook_rig_person("While inactive");
	assert_false(receiver_wait(r, 2, 700));
	set_state(h, "active");
	assert_true(receiver_wait(r, 3, WAIT_MS));
	bool in_order = strcmp(hooked_event(&ada.arena, receiver_request(r, 1)).record, first) == 0;
	assert_string_equal(hooked_event(&ada.arena, receiver_request(r, in_order ? 1 : 2)).record, first);
	assert_string_equal(hooked_event(&ada.arena, receiver_request(r, in_order ? 2 : 1)).record, second);
}

/* --- by the API --------------------------------------------------------------------------------- */

static const struct json *ask_for(struct hooked h, const char *action, const char *body)
{
	return caller_data(&ada.arena, SEND("POST", body, "/v1/webhooks/%s/%s", h.id, action));
}

TEST(test_test_event)
{
	struct receiver *r = RECEIVE(0), *others = RECEIVE(0);
	struct hooked h = hooked_make(&ada, receiver_url(r, "/"), NULL);
	const struct json *delivery = ask_for(h, "test", "{}");
	struct hooked_event e;

	assert_true(receiver_wait(r, 1, WAIT_MS));
	e = hooked_event(&ada.arena, receiver_request(r, 0));
	assert_string_equal(e.type, "webhook.test");
	assert_string_equal(e.id, json_member(delivery, "eventId")->text);
	hooked_make(&ada, receiver_url(others, "/"), NULL);
	hook_rig_person("After the test");
	assert_true(receiver_wait(others, 1, WAIT_MS));
	assert_true(receiver_wait(r, 2, WAIT_MS));
	assert_string_equal(hooked_event(&ada.arena, receiver_request(others, 0)).type, "person.created");
	assert_int_equal(receiver_count(r), 2);
}

/* A failed or delivered delivery is sent again on request. */
TEST(test_again)
{
	struct receiver *r = RECEIVE(0);
	struct hooked h = hooked_make(&ada, receiver_url(r, "/"), NULL);
	const struct json *item;

	hook_rig_person("Again");
	assert_true(receiver_wait(r, 1, WAIT_MS));
	await_kept(h, 1);
	item = list_deliveries(h)->first;
	ask_for(h, TEXT("deliveries/%s/retry", json_member(item, "id")->text), "{}");
	assert_true(receiver_wait(r, 2, WAIT_MS));
	assert_string_equal(receiver_request(r, 1)->body, receiver_request(r, 0)->body);
	await_number(2, "select json_array_length(attempts) from deliveries where webhook_id = '%s'", hook_rig_bare(h));
}

/* What failed since a time is sent again, with the original ids; what was delivered is not. */
TEST(test_recover)
{
	struct receiver *r = RECEIVE(0);
	struct hooked h = hooked_make(&ada, receiver_url(r, "/"), NULL);
	const char *id = hook_rig_bare(h);
	const struct json *answer;
	char since[TIME_TEXT_SIZE];

	time_format(clock_now_ms(), since);
	for (int i = 0; i < 10; i++)
		hook_rig_person("Recovered");
	assert_true(receiver_wait(r, 10, WAIT_MS));
	await_kept(h, 10);
	rig_int(&rig,
	    "with few as (select id from deliveries where webhook_id = '%s' limit 4), u as (update deliveries d set "
	    "state = 'failed' from few s where d.webhook_id = '%s' and d.id = s.id returning 1) select count(*) from u",
	    id, id);
	answer = ask_for(h, "recover", TEXT("{\"since\":\"%s\"}", since));
	assert_string_equal(json_member(answer, "count")->text, "4");
	assert_true(receiver_wait(r, 14, WAIT_MS));
	await_kept(h, 10);
	hook_rig_person("Last"); /* comes after what is sent again */
	await_kept(h, 11);
	assert_number(15, "select sum(json_array_length(attempts)) from deliveries where webhook_id = '%s'", id);
	assert_int_equal(receiver_count(r), 15);
}

/* After a rotation the old secret signs as well; after another rotation within a day both old ones do. */
TEST(test_rotated)
{
	enum { ROTATIONS = 6, KEPT = 5 };
	struct receiver *r = RECEIVE(0);
	struct hooked h = hooked_make(&ada, receiver_url(r, "/"), NULL);
	const char *secrets[1 + ROTATIONS] = {h.secret};
	int good;

	for (int n = 1; n <= ROTATIONS; n++) {
		secrets[n] = json_member(ask_for(h, "rotate-secret", "{}"), "signingSecret")->text;
		assert_string_not_equal(secrets[n], secrets[n - 1]);
		hook_rig_person("Rotated");
		assert_true(receiver_wait(r, n, WAIT_MS));
		for (int i = 0; i <= n; i++) {
			assert_int_equal(
			    hooked_signatures(receiver_request(r, n - 1), secrets[i], &good), n < KEPT ? n + 1 : KEPT);
			assert_int_equal(good, i > n - KEPT);
		}
	}
}

/* What the webhook's creator may not see is not sent: another user's private group. */
TEST(test_hidden)
{
	struct receiver *r = RECEIVE(0);
	struct caller_answer group, inside, outside, feed;

	caller_turn(&ben, server->base);
	hooked_make(&ben, receiver_url(r, "/"),
	    "[{\"eventType\":\"person.created\",\"filter\":{}},{\"eventType\":\"object.created\",\"filter\":{}},{"
	    "\"eventType\":\"object.deleted\",\"filter\":{}}]");
	group = caller_sendf(&ada, "POST", "/v1/groups", NULL, "{\"name\":\"Secret\",\"visibility\":\"private\"}");
	caller_sendf(&ada, "POST", TEXT("/v1/groups/%s/object-types", group.id), NULL, "{\"name\":\"Deal\"}");
	inside = caller_sendf(&ada, "POST", TEXT("/v1/groups/%s/Deal", group.id), NULL, "{\"name\":\"Hush\"}");
	assert_int_equal(inside.status, 200);
	outside = caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"Open\"}");
	assert_true(receiver_wait(r, 1, WAIT_MS));
	assert_string_equal(hooked_event(&ada.arena, receiver_request(r, 0)).record, outside.id);
	/* Nor when the group is deleted. */
	assert_int_equal(SEND("DELETE", NULL, "/v1/groups/%s", group.id).status, 200);
	outside = caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"Open still\"}");
	assert_true(receiver_wait(r, 2, WAIT_MS));
	assert_string_equal(hooked_event(&ada.arena, receiver_request(r, 1)).record, outside.id);
	feed = caller_send(&ben, "GET", "/v1/events?limit=100", NULL, NULL);
	assert_int_equal(feed.status, 200);
	assert_null(strstr(feed.reply.body, "Hush"));
	assert_null(strstr(feed.reply.body, inside.id));
	assert_null(strstr(feed.reply.body, group.id));
	feed = SEND("GET", NULL, "/v1/events?limit=100");
	assert_non_null(strstr(feed.reply.body, "Hush"));
}

/* --- failures before sending -------------------------------------------------------------------------- */

/* A secret that cannot be opened is recorded as a failure; other webhooks continue. */
TEST(test_secret_lost)
{
	struct receiver *r = RECEIVE(0);
	struct hooked h = hooked_make(&ada, receiver_url(r, "/lost"), NULL);

	hooked_make(&ada, receiver_url(r, "/good"), NULL);
	rows_change("update webhooks set secret = '\\x00', version = version + 1 where id = '%s'", hook_rig_bare(h));
	hook_rig_person("Unsigned");
	assert_true(receiver_wait(r, 1, WAIT_MS));
	assert_string_equal(receiver_request(r, 0)->path, "/good");
	await_rows(1,
	    "deliveries where webhook_id = '%s' and state = 'pending' and attempts->0->>'error' = 'connection'",
	    hook_rig_bare(h));
	assert_int_equal(receiver_count(r), 1);
}
