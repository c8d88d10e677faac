/* Connections of deliveries: where they may lead, how they are kept, shared, limited and closed. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test/lib/test.h"
#include "test/lib/webhook/delivery_rig.h"
#include "test/lib/webhook/receiver.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct delivery world;
static struct receiver *receiver;

static void start_deliverer(const char *allow, struct deliver_config c)
{
	receiver = receiver_start(&(struct receiver_config){0});
	delivery_start(&world, allow, c);
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

/* "http://NAME:PORT/" of the receiver. */
static const char *url_named(const char *name)
{
	static char url[300];
	snprintf(url, sizeof(url), "http://%s:%d/", name, receiver_port(receiver));
	return url;
}

/* --- where they lead -------------------------------------------------------------- */

TEST(never_connects_to_what_is_forbidden)
{
	static const char *const answers[] = {"127.0.0.1", "127.0.0.1 8.8.8.8", "8.8.8.8 127.0.0.1",
	    "127.0.0.1 2606:4700::1", "::1 8.8.8.8", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1 8.8.8.8", "::127.0.0.1",
	    "64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::", "fe80::1",
	    "fd00::1 2606:4700::1", "0.0.0.0", "0.0.0.0 127.0.0.1", "127.1.2.3", "10.0.0.1", "169.254.169.254",
	    "8.8.8.8 8.8.4.4 1.1.1.1 9.9.9.9 127.0.0.1"};

	start_deliverer(NULL, (struct deliver_config){0});
	for (size_t i = 0; i < COUNT(answers); i++) {
		nameserver_set(world.names, "hooks.example.com", answers[i]);
		struct deliver_result r = delivery_send(&world, url_named("hooks.example.com"));
		if (r.error != DELIVER_NOT_ALLOWED || r.status != 0)
			fail_msg("%s: %s %d", answers[i], deliver_error_word(r.error), r.status);
	}
	assert_int_equal(receiver_connections(receiver), 0);
}

TEST(follows_no_redirect)
{
	static const int codes[] = {300, 301, 302, 303, 304, 305, 307, 308};
	struct receiver_config second = {0};
	char headers[256];

	start_deliverer("127.0.0.0/8", (struct deliver_config){0});
	struct receiver *other = receiver_start(&second);
	snprintf(headers, sizeof(headers), "Location: %s\r\nRefresh: 0; url=%s\r\n", receiver_url(other, "/"),
	    receiver_url(other, "/"));
	for (size_t i = 0; i < COUNT(codes); i++) {
		receiver_behave(receiver, (struct receiver_behaviour){.status = codes[i], .headers = headers});
		expect_result(delivery_send(&world, receiver_url(receiver, "/")), DELIVER_HTTP, codes[i]);
	}
	assert_int_equal(receiver_connections(other), 0);
	receiver_stop(other);
}

/* Connects to the address that was checked, whatever the name resolves to next time. */
TEST(judges_each_connection_afresh)
{
	start_deliverer("127.0.0.1/32", (struct deliver_config){0});
	receiver_behave(receiver, (struct receiver_behaviour){.say_close = true});
	nameserver_set(world.names, "moves.example.com", "127.0.0.1 | 127.0.0.2 | 127.0.0.1 127.0.0.2 | 127.0.0.1");
	expect_result(delivery_send(&world, url_named("moves.example.com")), DELIVER_NONE, 200);
	assert_int_equal(nameserver_asked(world.names, "moves.example.com"), 2); /* once for each family */
	expect_result(delivery_send(&world, url_named("moves.example.com")), DELIVER_NOT_ALLOWED, 0);
	expect_result(delivery_send(&world, url_named("moves.example.com")), DELIVER_NOT_ALLOWED, 0);
	expect_result(delivery_send(&world, url_named("moves.example.com")), DELIVER_NONE, 200);
	assert_int_equal(receiver_connections(receiver), 2);
	char *host = receiver_header(receiver_request(receiver, 1), "Host"), want[64];
	snprintf(want, sizeof(want), "moves.example.com:%d", receiver_port(receiver));
	assert_string_equal(host, want);
	free(host);
}

TEST(tells_of_names_that_lead_nowhere)
{
	static const char *const answers[] = {"empty", "servfail", "refused", "truncated"};

	start_deliverer("127.0.0.0/8,255.255.255.255/32", (struct deliver_config){.timeout_ms = 30000});
	expect_result(delivery_send(&world, url_named("no.such.name.example.com")), DELIVER_CONNECTION, 0);
	for (size_t i = 0; i < COUNT(answers); i++) {
		nameserver_set(world.names, "odd.example.com", answers[i]);
		expect_result(delivery_send(&world, url_named("odd.example.com")), DELIVER_CONNECTION, 0);
	}
	expect_result(delivery_send(&world, "http://127.0.0.1:1/"), DELIVER_CONNECTION, 0);
	expect_result(delivery_send(&world, "http://255.255.255.255/"), DELIVER_CONNECTION,
	    0); /* refused by the system at once */
	world.config.timeout_ms = 300;
	deliverer_free(world.deliverer);
	world.deliverer = deliverer_new(&world.config);
	nameserver_set(world.names, "odd.example.com", "silent");
	expect_result(delivery_send(&world, url_named("odd.example.com")), DELIVER_TIMEOUT, 0);
}

/* A listening port whose queue is full, as behind a dropping firewall. Returns the sockets. */
static void make_hole(const char *address, int port, int fds[8])
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	inet_pton(AF_INET, address, &at.sin_addr);
	fds[0] = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(fds[0], (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(fds[0], 0), 0);
	for (int i = 1; i < 8; i++) {
		fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		assert_true(connect(fds[i], (struct sockaddr *)&at, sizeof(at)) == 0 || errno == EINPROGRESS);
	}
}

TEST(tries_the_next_address)
{
	int fds[8];

	start_deliverer("127.0.0.0/8,::1/128", (struct deliver_config){.timeout_ms = 1200});
	nameserver_set(world.names, "two.example.com", "127.0.0.77 127.0.0.1");
	expect_result(delivery_send(&world, url_named("two.example.com")), DELIVER_NONE, 200);
	nameserver_set(world.names, "six.example.com", "127.0.0.1 ::1");
	expect_result(delivery_send(&world, url_named("six.example.com")), DELIVER_NONE, 200);
	make_hole("127.0.0.78", receiver_port(receiver), fds);
	nameserver_set(world.names, "hole.example.com", "127.0.0.78 127.0.0.1");
	expect_result(delivery_send(&world, url_named("hole.example.com")), DELIVER_NONE, 200);
	nameserver_set(world.names, "only.example.com", "127.0.0.78");
	expect_result(delivery_send(&world, url_named("only.example.com")), DELIVER_TIMEOUT, 0);
	for (int i = 0; i < 8; i++)
		close(fds[i]);
}

TEST(speaks_ipv6)
{
	receiver = receiver_start(&(struct receiver_config){.address = "::1"});
	delivery_start(&world, "::1/128", (struct deliver_config){0});
	expect_result(delivery_send(&world, receiver_url(receiver, "/x")), DELIVER_NONE, 200);
	char *host = receiver_header(receiver_request(receiver, 0), "Host"), want[64];
	snprintf(want, sizeof(want), "[::1]:%d", receiver_port(receiver));
	assert_string_equal(host, want);
	free(host);
	nameserver_set(world.names, "six.example.com", "::1");
	expect_result(delivery_send(&world, url_named("six.example.com")), DELIVER_NONE, 200);
}

/* --- how they are kept ------------------------------------------------------------ */

static void send_many(const char *url, int n, int expected_status)
{
	struct delivery_batch b = {0};
	delivery_begin(&world, &b, url, n, "{}", 2);
	assert_true(delivery_wait(&world, &b, 60000));
	for (int i = 0; i < n; i++)
		expect_result(b.results[i], DELIVER_NONE, expected_status);
	delivery_finish(&b);
}

TEST(keeps_connections)
{
	start_deliverer("127.0.0.0/8", (struct deliver_config){0});
	for (int i = 0; i < 20; i++)
		send_many(receiver_url(receiver, "/"), 1, 200);
	assert_int_equal(receiver_connections(receiver), 1);
	receiver_behave(receiver, (struct receiver_behaviour){.mode = RECEIVER_CHUNKED});
	for (int i = 0; i < 5; i++)
		send_many(receiver_url(receiver, "/"), 1, 200);
	receiver_behave(receiver, (struct receiver_behaviour){.status = 204});
	send_many(receiver_url(receiver, "/"), 1, 204);
	assert_int_equal(receiver_connections(receiver), 1);
	/* Concurrent deliveries have a connection each, which are kept. */
	send_many(receiver_url(receiver, "/"), 8, 204);
	send_many(receiver_url(receiver, "/"), 8, 204);
	assert_int_equal(receiver_connections(receiver), 8);
	/* Another name is treated as another receiver. */
	nameserver_set(world.names, "a.example.com", "127.0.0.1");
	send_many(url_named("a.example.com"), 1, 204);
	assert_int_equal(receiver_connections(receiver), 9);
	/* Not kept when the receiver forbids it or the framing is doubtful. */
	receiver_behave(receiver, (struct receiver_behaviour){.say_close = true});
	send_many(receiver_url(receiver, "/"), 8, 200);
	send_many(receiver_url(receiver, "/"), 1, 200);
	assert_int_equal(receiver_connections(receiver), 10);
}

/* An unsolicited answer is never taken for that of the next request. */
TEST(takes_no_answer_for_another)
{
	start_deliverer("127.0.0.0/8", (struct deliver_config){0});
	for (int i = 0; i < 10; i++) {
		receiver_behave(receiver, (struct receiver_behaviour){.mode = RECEIVER_TWICE});
		send_many(receiver_url(receiver, "/"), 1, 200);
		receiver_behave(receiver, (struct receiver_behaviour){.status = 201});
		send_many(receiver_url(receiver, "/"), 1, 201);
	}
}

/* The receiver silently closes after every third request: each delivery still arrives, once. */
TEST(replaces_what_the_receiver_closed)
{
	start_deliverer("127.0.0.0/8", (struct deliver_config){0});
	receiver_behave(receiver, (struct receiver_behaviour){.close_after = 3});
	for (int i = 0; i < 30; i++)
		send_many(receiver_url(receiver, "/"), 1, 200);
	assert_int_equal(receiver_count(receiver), 30);
	send_many(receiver_url(receiver, "/"), 200, 200);
	assert_int_equal(receiver_count(receiver), 230);
	/* A receiver that closes a new connection is not tried again. */
	receiver_behave(receiver, (struct receiver_behaviour){.mode = RECEIVER_CLOSE});
	int before = receiver_count(receiver);
	struct delivery_batch b = {0};
	delivery_begin(&world, &b, url_named("127.0.0.1"), 1, "{}", 2);
	assert_true(delivery_wait(&world, &b, 60000));
	expect_result(b.results[0], DELIVER_CONNECTION, 0);
	delivery_finish(&b);
	assert_in_range(receiver_count(receiver) - before, 1, 2);
}

static bool none_open(void *ctx)
{
	(void)ctx;
	return receiver_open(receiver) == 0;
}

TEST(closes_idle_ones)
{
	start_deliverer("127.0.0.0/8", (struct deliver_config){.idle_ms = 100});
	send_many(receiver_url(receiver, "/"), 5, 200);
	assert_true(delivery_turn(&world, 60000, none_open, NULL));
}

static int most_open;

static struct receiver_behaviour watch_request(void *ctx, const struct receiver_request *q)
{
	(void)ctx;
	most_open = q->open > most_open ? q->open : most_open;
	return (struct receiver_behaviour){.delay_ms = 5};
}

TEST(has_a_limit)
{
	char url[64];

	receiver = receiver_start(&(struct receiver_config){.decide = watch_request});
	delivery_start(&world, "127.0.0.0/8", (struct deliver_config){.connections_max = 3, .timeout_ms = 30000});
	most_open = 0;
	send_many(receiver_url(receiver, "/"), 60, 200);
	assert_in_range(receiver_connections(receiver), 1, 3);
	/* Idle connections are closed for other targets. */
	for (int i = 1; i <= 30; i++) {
		snprintf(url, sizeof(url), "n%d.example.com", i);
		nameserver_set(world.names, url, "127.0.0.1");
		send_many(url_named(url), 1, 200);
	}
	assert_in_range(most_open, 1, 4);
}

TEST(sends_large_bodies)
{
	enum { LARGE = 3 << 20 };
	struct delivery_batch b = {0};
	char *body = malloc(LARGE);

	start_deliverer("127.0.0.0/8", (struct deliver_config){.timeout_ms = 60000});
	for (int i = 0; i < LARGE; i++)
		body[i] = (char)('a' + i % 26);
	delivery_begin(&world, &b, receiver_url(receiver, "/"), 2, body, LARGE);
	assert_true(delivery_wait(&world, &b, 60000));
	expect_result(b.results[0], DELIVER_NONE, 200);
	expect_result(b.results[1], DELIVER_NONE, 200);
	assert_int_equal(receiver_request(receiver, 0)->body_len, LARGE);
	assert_memory_equal(receiver_request(receiver, 0)->body, body, LARGE);
	delivery_finish(&b);
	free(body);
}

/* Answers that arrive while the request is still being written, followed by an end or a reset. */
TEST(survives_answers_that_come_early)
{
	enum { LARGE = 2 << 20 };
	char *body = calloc(1, LARGE);

	start_deliverer("127.0.0.0/8", (struct deliver_config){.timeout_ms = 30000});
	for (int round = 0; round < 12; round++) {
		struct delivery_batch b = {0};
		receiver_behave(receiver,
		    (struct receiver_behaviour){
		        .mode = round % 2 ? RECEIVER_EARLY : RECEIVER_EARLY_END, .status = 413, .pace_ms = round / 2});
		delivery_begin(&world, &b, receiver_url(receiver, "/"), 2, body, LARGE);
		delivery_begin(&world, &b, receiver_url(receiver, "/"), 2, body, 100000);
		delivery_begin(&world, &b, receiver_url(receiver, "/"), 2, body, 10);
		assert_true(delivery_wait(&world, &b, 60000));
		/* A reset may discard the answer. */
		for (int i = 0; i < b.n; i++)
			assert_true(
			    b.results[i].status == 413 || (round % 2 && b.results[i].error == DELIVER_CONNECTION));
		delivery_finish(&b);
	}
	free(body);
}

TEST(stops_with_all_under_way)
{
	struct delivery_batch b = {0};

	start_deliverer("127.0.0.0/8", (struct deliver_config){.connections_max = 10, .timeout_ms = 20000});
	send_many(receiver_url(receiver, "/"), 2, 200);
	receiver_behave(receiver, (struct receiver_behaviour){.mode = RECEIVER_NEVER});
	nameserver_set(world.names, "silent.example.com", "silent");
	delivery_begin(&world, &b, receiver_url(receiver, "/"), 5, "{}", 2);
	delivery_begin(&world, &b, url_named("silent.example.com"), 4, "{}", 2);
	delivery_begin(&world, &b, receiver_url(receiver, "/"), 20, "{}", 2);
	assert_true(receiver_wait(receiver, 2, 0));
	delivery_turn(&world, 50, NULL, NULL);
	assert_int_equal(b.done, 0);
	deliverer_free(world.deliverer);
	world.deliverer = NULL;
	assert_int_equal(b.done, b.n);
	for (int i = 0; i < b.n; i++)
		expect_result(b.results[i], DELIVER_STOPPED, 0);
	assert_string_equal(deliver_error_word(DELIVER_STOPPED), "");
	delivery_finish(&b);
}
