/* One delivery to a receiver of every kind: the verdict is right, in time, and cheap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/patience.h"
#include "test/lib/test.h"
#include "test/lib/webhook/delivery_rig.h"
#include "test/lib/webhook/receiver.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define LOOPBACK "127.0.0.0/8,::1/128"

/* TIMEOUT_MS: for receivers that use up the time. LATE_MS: how late a busy machine may notice that. */
enum { PATIENT_MS = 30000, TIMEOUT_MS = 600, LATE_MS = 10000, MUTATED_MS = 60 };

static struct delivery world;
static struct receiver *receiver;

BEFORE_EACH()
{
	receiver = receiver_start(&(struct receiver_config){0});
	delivery_start(&world, LOOPBACK, (struct deliver_config){.timeout_ms = PATIENT_MS});
}

static void timeout_is(int ms)
{
	world.config.timeout_ms = ms;
	deliverer_free(world.deliverer);
	world.deliverer = deliverer_new(&world.config);
}

AFTER_EACH()
{
	delivery_stop(&world);
	receiver_stop(receiver);
}

static void expect_result(struct deliver_result r, enum deliver_error error, int status)
{
	if (r.error != error || r.status != status)
		fail_msg("%s %d, not %s %d", deliver_error_word(r.error), r.status, deliver_error_word(error), status);
}

/* --- good receivers --------------------------------------------------------------- */

TEST(test_delivers)
{
	char url[256];
	snprintf(url, sizeof(url), "%s", receiver_url(receiver, "/hook/\xc3\xa9?a=b"));
	struct deliver_result r = delivery_send(&world, url);
	expect_result(r, DELIVER_NONE, 200);
	assert_in_range(r.duration_ms, 0, PATIENT_MS);
	assert_int_equal(r.retry_after_s, -1);
	assert_int_equal(receiver_count(receiver), 1);
	const struct receiver_request *q = receiver_request(receiver, 0);
	char host[64], *value;
	assert_string_equal(q->method, "POST");
	assert_string_equal(q->path, "/hook/%C3%A9?a=b");
	assert_string_equal(q->body, "{}");
	snprintf(host, sizeof(host), "127.0.0.1:%d", receiver_port(receiver));
	static const char *const headers[][2] = {
	    {"Host", NULL}, {"Content-Type", "application/json"}, {"webhook-id", "evt_1"}, {"Content-Length", "2"}};
	for (size_t i = 0; i < COUNT(headers); i++) {
		value = receiver_header(q, headers[i][0]);
		assert_non_null(value);
		assert_string_equal(value, headers[i][1] ? headers[i][1] : host);
		free(value);
	}
	value = receiver_header(q, "User-Agent");
	assert_memory_equal(value, "kith/", 5);
	free(value);
	assert_null(receiver_header(q, "Transfer-Encoding"));
	assert_null(receiver_header(q, "Expect"));
}

TEST(takes_the_status_line_for_the_verdict)
{
	static const struct {
		int status;
		enum deliver_error error;
		const char *headers;
		int64_t retry_after_s;
	} cases[] = {
	    {200, DELIVER_NONE, NULL, -1},
	    {201, DELIVER_NONE, NULL, -1},
	    {202, DELIVER_NONE, "Retry-After: 5\r\n", -1},
	    {204, DELIVER_NONE, NULL, -1},
	    {299, DELIVER_NONE, NULL, -1},
	    {300, DELIVER_HTTP, NULL, -1},
	    {301, DELIVER_HTTP, "Location: /elsewhere\r\n", -1},
	    {302, DELIVER_HTTP, "Location: http://127.0.0.1:1/\r\n", -1},
	    {303, DELIVER_HTTP, "Location: http://169.254.169.254/\r\n", -1},
	    {304, DELIVER_HTTP, NULL, -1},
	    {307, DELIVER_HTTP, "Location: /elsewhere\r\n", -1},
	    {308, DELIVER_HTTP, "Location: /elsewhere\r\n", -1},
	    {400, DELIVER_HTTP, NULL, -1},
	    {401, DELIVER_HTTP, "WWW-Authenticate: Basic realm=x\r\n", -1},
	    {404, DELIVER_HTTP, NULL, -1},
	    {410, DELIVER_HTTP, NULL, -1},
	    {429, DELIVER_HTTP, "Retry-After: 120\r\n", 120},
	    {429, DELIVER_HTTP, "retry-after:   7  \r\n", 7},
	    {429, DELIVER_HTTP, "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n", 86400},
	    {429, DELIVER_HTTP, "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n", 0},
	    {429, DELIVER_HTTP, "Retry-After: soon\r\n", -1},
	    {500, DELIVER_HTTP, NULL, -1},
	    {502, DELIVER_HTTP, NULL, -1},
	    {503, DELIVER_HTTP, "Retry-After: 3600\r\n", 3600},
	    {599, DELIVER_HTTP, NULL, -1},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		receiver_behave(
		    receiver, (struct receiver_behaviour){.status = cases[i].status, .headers = cases[i].headers});
		struct deliver_result r = delivery_send(&world, receiver_url(receiver, "/"));
		expect_result(r, cases[i].error, cases[i].status);
		assert_int_equal(r.retry_after_s, cases[i].retry_after_s);
	}
	/* All over the same connection, none sent twice, no redirect followed. */
	assert_int_equal(receiver_count(receiver), COUNT(cases));
	assert_int_equal(receiver_connections(receiver), 1);
}

/* --- bad receivers ---------------------------------------------------------------- */

static const struct {
	const char *name;
	struct receiver_behaviour behaviour;
	enum deliver_error error;
	int status;
	bool at_once; /* before the deadline */
} bad[] = {
    {"never", {.mode = RECEIVER_NEVER}, DELIVER_TIMEOUT, 0, false},
    {"late", {.delay_ms = 3 * TIMEOUT_MS}, DELIVER_TIMEOUT, 0, false},
    {"drip", {.mode = RECEIVER_DRIP, .pace_ms = 50}, DELIVER_TIMEOUT, 0, false},
    {"drip body", {.mode = RECEIVER_DRIP_BODY, .pace_ms = 20}, DELIVER_NONE, 200, true},
    {"endless header", {.mode = RECEIVER_ENDLESS_HEADER}, DELIVER_CONNECTION, 0, true},
    {"endless headers", {.mode = RECEIVER_ENDLESS_HEADERS}, DELIVER_CONNECTION, 0, true},
    {"endless header, slow", {.mode = RECEIVER_ENDLESS_HEADER, .pace_ms = 20}, DELIVER_TIMEOUT, 0, false},
    {"endless body", {.mode = RECEIVER_ENDLESS_BODY}, DELIVER_NONE, 200, true},
    {"endless body of a failure", {.mode = RECEIVER_ENDLESS_BODY, .status = 500}, DELIVER_HTTP, 500, true},
    {"endless chunks", {.mode = RECEIVER_ENDLESS_CHUNKS}, DELIVER_NONE, 200, true},
    {"endless chunk", {.mode = RECEIVER_ENDLESS_CHUNK}, DELIVER_NONE, 200, true},
    {"huge length", {.mode = RECEIVER_HUGE_LENGTH}, DELIVER_NONE, 200, true},
    {"endless 100", {.mode = RECEIVER_ENDLESS_100}, DELIVER_CONNECTION, 0, true},
    {"endless 100, big", {.mode = RECEIVER_ENDLESS_100_BIG}, DELIVER_CONNECTION, 0, true},
    {"endless 100, slow", {.mode = RECEIVER_ENDLESS_100, .pace_ms = 100}, DELIVER_TIMEOUT, 0, false},
    {"1xx, then good", {.mode = RECEIVER_INTERIM}, DELIVER_NONE, 200, true},
    {"1xx, then bad", {.mode = RECEIVER_INTERIM, .status = 503}, DELIVER_HTTP, 503, true},
    {"101", {.mode = RECEIVER_SWITCH}, DELIVER_CONNECTION, 0, true},
    {"reset", {.mode = RECEIVER_RESET}, DELIVER_CONNECTION, 0, true},
    {"reset early", {.mode = RECEIVER_RESET_EARLY}, DELIVER_CONNECTION, 0, true},
    {"close", {.mode = RECEIVER_CLOSE}, DELIVER_CONNECTION, 0, true},
    {"half a head", {.mode = RECEIVER_HALF_HEAD}, DELIVER_CONNECTION, 0, true},
    {"half a body", {.mode = RECEIVER_HALF_BODY}, DELIVER_NONE, 200, true},
    {"garbage", {.mode = RECEIVER_GARBAGE}, DELIVER_CONNECTION, 0, true},
    {"flood", {.mode = RECEIVER_FLOOD}, DELIVER_CONNECTION, 0, true},
    {"no length", {.mode = RECEIVER_NO_LENGTH}, DELIVER_NONE, 200, true},
    {"chunked", {.mode = RECEIVER_CHUNKED}, DELIVER_NONE, 200, true},
    {"twice", {.mode = RECEIVER_TWICE}, DELIVER_NONE, 200, true},
    {"closes", {.say_close = true}, DELIVER_NONE, 200, true},
    {"200 with Retry-After of a 103", {.mode = RECEIVER_INTERIM, .status = 500}, DELIVER_HTTP, 500, true},
};

TEST(survives_every_receiver)
{
	for (size_t i = 0; i < COUNT(bad); i++) {
		receiver_behave(receiver, bad[i].behaviour);
		timeout_is(bad[i].at_once ? PATIENT_MS : TIMEOUT_MS);
		struct deliver_result r = delivery_send(&world, receiver_url(receiver, "/"));
		if (r.error != bad[i].error || r.status != bad[i].status)
			fail_msg("%s: %s %d", bad[i].name, deliver_error_word(r.error), r.status);
		if (r.duration_ms > (bad[i].at_once ? PATIENT_MS / 2 : TIMEOUT_MS + LATE_MS))
			fail_msg("%s: %d ms", bad[i].name, r.duration_ms);
		assert_int_equal(r.retry_after_s, -1);
		/* The next delivery is not affected by the last one's receiver. */
		receiver_behave(receiver, (struct receiver_behaviour){.status = 202});
		expect_result(delivery_send(&world, receiver_url(receiver, "/next")), DELIVER_NONE, 202);
	}
}

/* --- memory ----------------------------------------------------------------------- */

TEST(costs_little)
{
	static const enum receiver_mode modes[] = {RECEIVER_NEVER, RECEIVER_DRIP_BODY, RECEIVER_ENDLESS_HEADER,
	    RECEIVER_ENDLESS_BODY, RECEIVER_ENDLESS_CHUNKS, RECEIVER_ENDLESS_CHUNK, RECEIVER_ENDLESS_100_BIG,
	    RECEIVER_FLOOD};

	timeout_is(TIMEOUT_MS);
	for (size_t i = 0; i < COUNT(modes); i++) {
		receiver_behave(receiver, (struct receiver_behaviour){.mode = modes[i]});
		size_t each = delivery_cost(&world, receiver_url(receiver, "/"), 50);
		if (each > 72 << 10)
			fail_msg("mode %d: %zu bytes each", (int)modes[i], each);
	}
}

/* Good answers with bytes changed, removed, repeated: each delivery ends, with a status of three digits or none, and
 * the next one is not affected. KITH_TEST_ROUNDS: more rounds. */
TEST(survives_mutations)
{
	static const char *const answers[] = {
	    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
	    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nTrailer: x\r\n\r\n",
	    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n",
	    "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 429 No\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n",
	    "HTTP/1.0 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nConnection: close\r\nContent-Length: 3\r\n\r\nbye",
	};
	static const char bits[] = "\r\n :;,0159afZ\x80\xff-+\t";
	const char *more = getenv("KITH_TEST_ROUNDS");
	int rounds = more ? (int)strtol(more, NULL, 10) : 300;
	char text[2048];

	timeout_is(MUTATED_MS);
	patience_seed(2026);
	for (int round = 0; round < rounds; round++) {
		snprintf(text, sizeof(text), "%s%s", answers[patience_chance(5)],
		    patience_chance(4) ? "" : answers[patience_chance(5)]);
		for (unsigned i = patience_chance(5); i > 0; i--) {
			size_t len = strlen(text), at = patience_chance((unsigned)len), n = patience_chance(8);
			if (patience_chance(3) == 0)
				text[at] = bits[patience_chance(sizeof(bits) - 1)];
			else if (patience_chance(2) && at + n < len)
				memmove(text + at, text + at + n, len - at - n + 1);
			else if (at + n < len && len + n < sizeof(text))
				memmove(text + at + n, text + at, len - at + 1);
		}
		receiver_behave(receiver, (struct receiver_behaviour){.mode = RECEIVER_RAW,
		                              .body = text,
		                              .pace_ms = (int)patience_chance(2),
		                              .close_after = patience_chance(4) ? 1 : 0});
		struct deliver_result r = delivery_send(&world, receiver_url(receiver, "/"));
		assert_true(r.status == 0 || (r.status >= 200 && r.status <= 999));
		assert_int_equal(r.error == DELIVER_NONE, r.status >= 200 && r.status < 300);
		assert_in_range(r.duration_ms, 0, TIMEOUT_MS + LATE_MS);
	}
	receiver_behave(receiver, (struct receiver_behaviour){.status = 202});
	delivery_turn(&world, 50, NULL, NULL);
	timeout_is(PATIENT_MS);
	expect_result(delivery_send(&world, receiver_url(receiver, "/next")), DELIVER_NONE, 202);
}
