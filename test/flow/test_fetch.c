/* Small documents from other servers: whole, in time and from allowed addresses, or not at all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "test/lib/test.h"
#include "test/lib/webhook/delivery_rig.h"
#include "test/lib/webhook/receiver.h"
#include "webhook/fetch.h"

#define SIXTY "123456789012345678901234567890123456789012345678901234567890"
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { WAIT_MS = 60000, LARGE = 64 << 10 };

static struct delivery world;
static struct receiver *receiver;
static struct fetcher *fetcher;
static struct arena texts;

/* What done was told. */
static struct {
	int times;
	struct fetch_answer answer;
	char *body;
	char type[DELIVER_TYPE_MAX + 1];
} told;

static void on_answer(void *ctx, const struct fetch_answer *answer)
{
	(void)ctx;
	free(told.body);
	told.times++;
	told.answer = *answer;
	told.body = mem_dupz(answer->body);
	snprintf(told.type, sizeof(told.type), "%s", answer->type);
}

static bool was_told(void *ctx)
{
	return told.times == *(int *)ctx;
}

static void world_start(enum receiver_tls tls, const char *allow)
{
	receiver = receiver_start(&(struct receiver_config){.tls = tls, .names = tls ? "DNS:id.test" : NULL});
	delivery_start(&world, allow, (struct deliver_config){0});
	nameserver_set(world.names, "id.test", "127.0.0.1");
	fetcher = fetcher_new(world.loop, world.rules, world.resolver, tls ? receiver_ca_file(receiver) : NULL);
	assert_non_null(fetcher);
}

BEFORE_EACH()
{
	memset(&told, 0, sizeof(told));
	world_start(RECEIVER_PLAIN, "127.0.0.0/8");
}

static void world_stop(void)
{
	fetcher_stop(fetcher);
	fetcher_free(fetcher);
	delivery_stop(&world);
	receiver_stop(receiver);
}

AFTER_EACH()
{
	world_stop();
	free(told.body);
	arena_free(&texts);
}

static void fetch_document(struct fetch_request q)
{
	int times = told.times + 1;

	const char *why = fetch_begin(fetcher, &q, on_answer, NULL);
	if (why)
		fail_msg("%s: %s", q.url, why);
	assert_int_equal(told.times, times - 1);
	assert_true(delivery_turn(&world, WAIT_MS, was_told, &times));
}

static void expect_refused(const char *url, const char *why)
{
	const char *refused = fetch_begin(fetcher, &(struct fetch_request){.url = url}, on_answer, NULL);

	if (!refused || !strstr(refused, why))
		fail_msg("%s: %s", url, refused ? refused : "was sent");
}

TEST(reads_a_document)
{
	receiver_behave(receiver,
	    (struct receiver_behaviour){.mode = RECEIVER_RAW,
	        .body = "HTTP/1.1 200 OK\r\nContent-Type: Application/JSON; charset=utf-8\r\nCache-Control: public, "
	                "max-age=300\r\nContent-Length: 15\r\n\r\n{\"issuer\": \"x\"}"});
	fetch_document((struct fetch_request){.url = receiver_url(receiver, "/.well-known/x?y=z")});
	assert_int_equal(told.answer.error, DELIVER_NONE);
	assert_int_equal(told.answer.status, 200);
	assert_string_equal(told.answer.why, "");
	assert_string_equal(told.type, "application/json");
	assert_int_equal(told.answer.max_age_s, 300);
	assert_int_equal(told.answer.len, 15);
	assert_string_equal(told.body, "{\"issuer\": \"x\"}");
	const struct receiver_request *q = receiver_request(receiver, 0);
	assert_string_equal(q->method, "GET");
	assert_string_equal(q->path, "/.well-known/x?y=z");
	assert_int_equal(q->body_len, 0);
	assert_null(receiver_header(q, "Authorization"));
	assert_null(receiver_header(q, "Content-Length"));
	char *accept = receiver_header(q, "Accept");
	assert_string_equal(accept, "application/json");
	free(accept);
}

TEST(posts_a_form)
{
	receiver_behave(receiver, (struct receiver_behaviour){.status = 400, .body = "{\"error\":\"invalid_grant\"}"});
	fetch_document((struct fetch_request){
	    .url = receiver_url(receiver, "/token"), .form = "a=b&c=d", .authorization = "Basic eDp5"});
	assert_int_equal(told.answer.error, DELIVER_HTTP);
	assert_int_equal(told.answer.status, 400);
	assert_string_equal(told.body, "{\"error\":\"invalid_grant\"}");
	const struct receiver_request *q = receiver_request(receiver, 0);
	assert_string_equal(q->method, "POST");
	assert_string_equal(q->body, "a=b&c=d");
	char *type = receiver_header(q, "Content-Type"), *authorization = receiver_header(q, "Authorization");
	assert_string_equal(type, "application/x-www-form-urlencoded");
	assert_string_equal(authorization, "Basic eDp5");
	free(type);
	free(authorization);
}

TEST(reads_how_long_it_is_fresh)
{
	static const struct {
		const char *headers;
		int max_age_s;
	} cases[] = {
	    {"", -1},
	    {"Cache-Control: max-age=0\r\n", 0},
	    {"Cache-Control: MAX-AGE=60\r\n", 60},
	    {"Cache-Control: private,max-age=60,must-revalidate\r\n", 60},
	    {"Cache-Control: max-age=60, no-store\r\n", 0},
	    {"Cache-Control: no-cache\r\n", 0},
	    {"Cache-Control: max-age=-1\r\n", -1},
	    {"Cache-Control: max-age=\r\n", -1},
	    {"Cache-Control: max-age=99999999999\r\n", -1},
	    {"Cache-Control: s-max-age=60\r\n", -1},
	    {"Cache-Control: ,, ,\r\n", -1},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		receiver_behave(receiver, (struct receiver_behaviour){.headers = cases[i].headers});
		fetch_document((struct fetch_request){.url = receiver_url(receiver, "/")});
		if (told.answer.max_age_s != cases[i].max_age_s)
			fail_msg("%s%d", cases[i].headers, (int)told.answer.max_age_s);
	}
	assert_int_equal(receiver_connections(receiver), 1);
}

enum framing { BY_LENGTH, BY_CHUNKS, BY_CLOSE, BY_END, FRAMINGS };

/* The head of an answer; "": the receiver makes one without a length. */
static int framing_head(char *out, size_t size, enum framing f, size_t len)
{
	if (f == BY_LENGTH)
		return snprintf(out, size, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", len);
	if (f == BY_CHUNKS)
		return snprintf(out, size, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%zx\r\n", len);
	return 0;
}

/* A body of len bytes. The receiver's thread may still look at an earlier one. */
static void expect_size(enum framing f, size_t len, bool fits)
{
	size_t size = len + 200;
	char *text = arena_alloc(&texts, size);
	int head = framing_head(text, size, f, len);

	memset(text + head, 'x', len);
	if (f == BY_CHUNKS)
		snprintf(text + head + len, 16, "\r\n0\r\n\r\n");
	receiver_behave(receiver,
	    (struct receiver_behaviour){
	        .mode = f < BY_CLOSE ? RECEIVER_RAW : RECEIVER_NO_LENGTH, .body = text, .say_close = f == BY_CLOSE});
	fetch_document((struct fetch_request){.url = receiver_url(receiver, "/")});
	if (told.answer.error != (fits ? DELIVER_NONE : DELIVER_CONNECTION) || told.answer.len != (fits ? len : 0))
		fail_msg("framing %d, %zu bytes: %d, %zu bytes", f, len, told.answer.error, told.answer.len);
	if (fits)
		assert_memory_equal(told.body, text + head, len);
}

TEST(keeps_up_to_64_kib)
{
	static const size_t sizes[] = {1, 20000, LARGE, LARGE + 1, 2 * LARGE};

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (int f = 0; f < FRAMINGS; f++)
			expect_size(f, sizes[i], sizes[i] <= LARGE);
}

static const struct {
	const char *name;
	struct receiver_behaviour behaviour;
	enum deliver_error error;
	int status;
} bad[] = {
    {"endless body", {.mode = RECEIVER_ENDLESS_BODY}, DELIVER_CONNECTION, 0},
    {"endless chunks", {.mode = RECEIVER_ENDLESS_CHUNKS}, DELIVER_CONNECTION, 0},
    {"endless chunk", {.mode = RECEIVER_ENDLESS_CHUNK}, DELIVER_CONNECTION, 0},
    {"huge length", {.mode = RECEIVER_HUGE_LENGTH}, DELIVER_CONNECTION, 0},
    {"endless headers", {.mode = RECEIVER_ENDLESS_HEADERS}, DELIVER_CONNECTION, 0},
    {"endless 100", {.mode = RECEIVER_ENDLESS_100}, DELIVER_CONNECTION, 0},
    {"half a head", {.mode = RECEIVER_HALF_HEAD}, DELIVER_CONNECTION, 0},
    {"half a body", {.mode = RECEIVER_HALF_BODY}, DELIVER_CONNECTION, 0},
    {"reset", {.mode = RECEIVER_RESET}, DELIVER_CONNECTION, 0},
    {"garbage", {.mode = RECEIVER_GARBAGE}, DELIVER_CONNECTION, 0},
    {"1xx, then good", {.mode = RECEIVER_INTERIM}, DELIVER_NONE, 200},
    {"a second answer", {.mode = RECEIVER_TWICE}, DELIVER_NONE, 200},
    {"a redirect", {.status = 302, .headers = "Location: http://127.0.0.1:1/\r\n"}, DELIVER_HTTP, 302},
};

TEST(ends_with_every_server)
{
	for (size_t i = 0; i < COUNT(bad); i++) {
		receiver_behave(receiver, bad[i].behaviour);
		fetch_document((struct fetch_request){.url = receiver_url(receiver, "/")});
		if (told.answer.error != bad[i].error || told.answer.status != bad[i].status)
			fail_msg("%s: %d %d", bad[i].name, told.answer.error, told.answer.status);
	}
}

/* The head is there at once, and the rest of the answer too late. */
TEST(has_a_deadline)
{
	receiver_behave(receiver,
	    (struct receiver_behaviour){
	        .mode = RECEIVER_RAW, .body = "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n" SIXTY, .pace_ms = 8000});
	fetch_document((struct fetch_request){.url = receiver_url(receiver, "/")});
	assert_int_equal(told.answer.error, DELIVER_TIMEOUT);
	assert_int_equal(told.answer.len, 0);
}

TEST(is_bounded)
{
	int all = FETCHES_MAX;

	receiver_hold(receiver, true);
	for (int i = 0; i < FETCHES_MAX; i++)
		assert_null(
		    fetch_begin(fetcher, &(struct fetch_request){.url = receiver_url(receiver, "/")}, on_answer, NULL));
	expect_refused(receiver_url(receiver, "/"), "too many");
	receiver_hold(receiver, false);
	assert_true(delivery_turn(&world, WAIT_MS, was_told, &all));
	fetch_document((struct fetch_request){.url = receiver_url(receiver, "/")});
	assert_int_equal(told.answer.error, DELIVER_NONE);
}

TEST(ends_when_the_process_stops)
{
	receiver_hold(receiver, true);
	assert_null(fetch_begin(fetcher, &(struct fetch_request){.url = receiver_url(receiver, "/")}, on_answer, NULL));
	fetcher_stop(fetcher);
	assert_int_equal(told.times, 1);
	assert_int_equal(told.answer.error, DELIVER_STOPPED);
	expect_refused(receiver_url(receiver, "/"), "stopping");
	receiver_hold(receiver, false);
}

TEST(verifies_certificates)
{
	char url[64];

	world_stop();
	world_start(RECEIVER_TLS, "127.0.0.0/8");
	snprintf(url, sizeof(url), "https://id.test:%d/", receiver_port(receiver));
	fetch_document((struct fetch_request){.url = url});
	assert_int_equal(told.answer.error, DELIVER_NONE);
	assert_string_equal(told.body, "ok");
	nameserver_set(world.names, "other.test", "127.0.0.1");
	snprintf(url, sizeof(url), "https://other.test:%d/", receiver_port(receiver));
	fetch_document((struct fetch_request){.url = url});
	assert_int_equal(told.answer.error, DELIVER_TLS);
}

TEST(only_goes_to_allowed_addresses)
{
	char url[64], rule[64];
	const char *error;

	world_stop();
	world_start(RECEIVER_PLAIN, NULL);
	expect_refused(receiver_url(receiver, "/"), "not allowed");
	expect_refused("https://169.254.169.254/", "not allowed");
	expect_refused("https://localhost/", "not allowed");
	expect_refused("http://example.com/", "plain http");
	expect_refused("file:///etc/passwd", "not an http");
	expect_refused("https://user@example.com/", "not an http");

	/* A name that leads to this machine. */
	snprintf(url, sizeof(url), "https://id.test:%d/", receiver_port(receiver));
	fetch_document((struct fetch_request){.url = url});
	assert_int_equal(told.answer.error, DELIVER_NOT_ALLOWED);
	assert_int_equal(receiver_connections(receiver), 0);

	/* Rules of one fetch. They allow the address, but plain http only on loopback. */
	snprintf(rule, sizeof(rule), "127.0.0.1:%d,id.test:%d", receiver_port(receiver), receiver_port(receiver));
	struct target_rules *rules = target_rules_parse(rule, &error);
	fetch_document((struct fetch_request){.url = receiver_url(receiver, "/"), .rules = rules});
	assert_int_equal(told.answer.error, DELIVER_NONE);
	snprintf(url, sizeof(url), "http://id.test:%d/", receiver_port(receiver));
	assert_non_null(fetch_begin(fetcher, &(struct fetch_request){.url = url, .rules = rules}, on_answer, NULL));
	free(rules);

	world_stop();
	world_start(RECEIVER_PLAIN, "id.test:8080");
	expect_refused("http://id.test:8081/", "plain http");
	assert_null(fetch_begin(fetcher, &(struct fetch_request){.url = "http://id.test:8080/"}, on_answer, NULL));
}

/* The connections of one fetch are kept for others with the same rules, not for those that may not go there. */
TEST(shares_no_connection_with_other_rules)
{
	char url[64], rule[64];
	const char *error;

	world_stop();
	world_start(RECEIVER_TLS, NULL);
	snprintf(url, sizeof(url), "https://id.test:%d/", receiver_port(receiver));
	snprintf(rule, sizeof(rule), "id.test:%d", receiver_port(receiver));
	struct target_rules *rules = target_rules_parse(rule, &error);
	for (int i = 0; i < 2; i++) {
		fetch_document((struct fetch_request){.url = url, .rules = rules});
		assert_int_equal(told.answer.error, DELIVER_NONE);
	}
	assert_int_equal(receiver_connections(receiver), 1);
	fetch_document((struct fetch_request){.url = url});
	assert_int_equal(told.answer.error, DELIVER_NOT_ALLOWED);
	assert_int_equal(receiver_count(receiver), 2);
	free(rules);
}

/* The name is looked up once for each connection: nothing that it resolves to later is connected to. */
TEST(connects_to_the_address_that_was_checked)
{
	char url[64];
	const char *error;

	world_stop();
	world_start(RECEIVER_TLS, NULL);
	receiver_behave(receiver, (struct receiver_behaviour){.say_close = true});
	nameserver_set(world.names, "id.test", "127.0.0.1 | 127.0.0.2 | 127.0.0.1 127.0.0.2 | 127.0.0.1");
	snprintf(url, sizeof(url), "https://id.test:%d/", receiver_port(receiver));
	struct target_rules *rules = target_rules_parse("127.0.0.1/32", &error);
	for (int i = 0; i < 4; i++) {
		fetch_document((struct fetch_request){.url = url, .rules = rules});
		assert_int_equal(told.answer.error, i == 0 || i == 3 ? DELIVER_NONE : DELIVER_NOT_ALLOWED);
		assert_int_equal(nameserver_asked(world.names, "id.test"), 2 * (i + 1)); /* once for each family */
	}
	assert_int_equal(receiver_connections(receiver), 2);
	free(rules);
}
