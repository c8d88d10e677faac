/* The HTTP edge over real sockets: what is answered, in which order, and what is refused. */
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "test/lib/edge.h"

/* --- tests --------------------------------------------------------------------------- */

static void test_answers(void **state)
{
	char *out;

	(void)state;
	edge_start(edge_config());
	out = ASK("GET /a?b HTTP/1.1\r\nHost: c:1\r\nX-Test:\t d \r\nx-tesT: e\r\nConnection: close\r\n\r\n");
	expect_has(out, "GET /a?b host=c:1 peer=127.0.0.1 head=75 body=0: x=d n=2");
	expect_has(out, "\r\nDate: ");
	expect_has(out, "\r\nContent-Length: 56\r\n");
	expect_has(out, "\r\nConnection: close\r\n");
	expect_not(out, "Server:");
	out = ASK("HEAD /a HTTP/1.1\r\nHost: c\r\nConnection: foo, Close\r\n\r\n");
	expect_has(out, "\r\nContent-Length: 53\r\n");
	expect_has(out, "\r\nConnection: close\r\n");
	assert_string_equal(strstr(out, "\r\n\r\n"), "\r\n\r\n");
	out = ASK("GET /nothing HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n");
	expect_has(out, "HTTP/1.1 204 No Content\r\n");
	expect_not(out, "Content-Length");
	assert_string_equal(strstr(out, "\r\n\r\n"), "\r\n\r\n");
	out = ASK("GET /no-body HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n");
	expect_has(out, "\r\nContent-Length: 0\r\n");
	expect_not(out, "Content-Type");
	out = ASK("PATCH /a HTTP/1.1\r\nHost: c\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc");
	expect_has(out, "PATCH /a host=c peer=127.0.0.1 head=68 body=3:abc");
	out = ASK("DELETE /a HTTP/1.1\r\nHost: c\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
	          "2\r\nab\r\n1\r\nc\r\n0\r\nX-Test: t\r\nConnection: keep-alive\r\n\r\n");
	expect_has(out, "DELETE /a host=c peer=127.0.0.1 head=78 body=3:abc x=- n=0");
	out = ASK("OPTIONS * HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n");
	expect_has(out, "OPTIONS * host=c");
	edge_stop();
}

static void test_targets(void **state)
{
	char *out;

	(void)state;
	edge_start(edge_config());
	out = ASK("GET http://b:80/x?y HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n");
	expect_has(out, "GET /x?y host=b:80 ");
	expect_has(out, "\r\nConnection: close\r\n");
	out = ASK("GET http://b HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n");
	expect_has(out, "GET / host=b ");
	out = ASK("GET http://b?y HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n");
	expect_has(out, "GET /?y host=b ");
	out = ASK("OPTIONS http://b HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n");
	expect_has(out, "OPTIONS * host=b ");
	out = ASK("GET //b/c HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n");
	expect_has(out, "GET //b/c host=c ");
	/* An absolute target does not end the connection. */
	out = ASK("GET http://b/1 HTTP/1.1\r\nHost: c\r\n\r\nGET /2 HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n");
	expect_has(out, "GET /1 host=b ");
	expect_has(out, "GET /2 host=c ");
	/* What the gate lets pass and evhttp does not is answered in JSON too. */
	out = ASK("GET //b:x^/c HTTP/1.1\r\nHost: c\r\n\r\n");
	expect_has(out, "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nX-Request-Id: ");
	expect_not(out, "<");
	out = ASK("GET http://[:::]/c HTTP/1.1\r\nHost: c\r\n\r\n");
	expect_has(out, "{\"status\":400,");
	expect_not(out, "<");
	edge_canary();
	edge_stop();
}

/* Short bodies go behind the head in one piece, longer ones are handed over: both are whole, with one head. */
static void test_heads_and_bodies(void **state)
{
	static const int sizes[] = {1, 8191, 8192, 8193, 50000};
	char request[64], length[64];
	const char *out, *body;

	(void)state;
	edge_start(edge_config());
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		snprintf(
		    request, sizeof(request), "GET /big/%d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", sizes[i]);
		snprintf(length, sizeof(length), "\r\nContent-Length: %d\r\n", sizes[i]);
		out = edge_ask(request, strlen(request));
		expect_has(out, length);
		body = strstr(out, "\r\n\r\n");
		assert_non_null(body);
		assert_int_equal(strspn(body + 4, "b"), sizes[i]);
		assert_int_equal(strlen(body + 4), sizes[i]);
	}
	/* A value of more than one line is not sent. */
	out = ASK("GET /two-lines HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	expect_has(out, "\r\nX-Whole: c\r\n");
	expect_not(out, "X-Two");
	expect_not(out, "X-Smuggled");
	edge_stop();
}

static void test_keep_alive(void **state)
{
	static char out[8192];
	char *text;
	int fd;

	(void)state;
	edge_start(edge_config());
	fd = edge_dial();
	for (int i = 0; i < 3; i++) {
		edge_puts(fd, "GET /a HTTP/1.0\r\nHost: a\r\nConnection: Keep-Alive\r\n\r\n");
		edge_get_until(fd, out, sizeof(out), "n=0");
		expect_has(out, "HTTP/1.0 200 OK\r\n");
		expect_has(out, "Connection: keep-alive\r\n");
		expect_has(out, "Content-Length: ");
	}
	edge_puts(fd, "GET /a HTTP/1.0\r\nHost: a\r\n\r\n");
	edge_get_until(fd, out, sizeof(out), NULL);
	expect_has(out, "Connection: close\r\n");
	close(fd);
	/* What follows a request that closes is not a request. */
	text = ASK("GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
	expect_has(text, "GET /1 ");
	expect_not(text, "GET /2 ");
	edge_stop();
}

static void test_pipeline(void **state)
{
	static char out[65536];
	char *at = out;
	int fd;

	(void)state;
	edge_start(edge_config());
	fd = edge_dial();
	edge_puts(fd,
	    GET("/delay/80") GET("/delay/1")
	        GET("/c") "POST /d HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
	                  "POST /e HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" GET(
	                      "/delay/20"));
	edge_puts(fd, "BREW /bad HTTP/1.1\r\nHost: a\r\n\r\n" GET("/never"));
	shutdown(fd, SHUT_WR);
	assert_true(edge_get_until(fd, out, sizeof(out), NULL) > 0);
	static const char *const order[] = {"delayed 80", "delayed 1", "GET /c", "POST /d", "POST /e", "delayed 20",
	    "HTTP/1.1 501", "Connection: close", "{\"status\":501"};
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		expect_has(at, order[i]);
		at = strstr(at, order[i]) + 1;
	}
	expect_not(out, "never");
	close(fd);
	/* Many at once, each answer in its place, also when the input comes in odd pieces. */
	fd = edge_dial();
	static char many[40000];
	size_t len = 0;
	for (int i = 0; i < 500; i++)
		len += (size_t)snprintf(many + len, sizeof(many) - len, "GET /p%03d HTTP/1.1\r\nHost: a\r\n%s\r\n", i,
		    i == 499 ? "Connection: close\r\n" : "");
	for (size_t done = 0; done < len; done += 977)
		edge_put(fd, many + done, len - done < 977 ? len - done : 977);
	static char all[400000];
	edge_get_until(fd, all, sizeof(all), NULL);
	at = all;
	for (int i = 0; i < 500; i++) {
		snprintf(out, 32, "GET /p%03d ", i);
		expect_has(at, out);
		at = strstr(at, out);
	}
	close(fd);
	edge_stop();
}

static const struct {
	const char *bytes;
	int status;
} malformed[] = {
    {"\r\n\r\n", 400},
    {"\x16\x03\x01", 400},
    {"GET /\r\n\r\n", 505},
    {"GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505},
    {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
    {"GET / HTTP/1.1\nHost: a\n\n", 400},
    {"GET / HTTP/1.1\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
    {"TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 501},
    {"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 501},
    {"PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n", 501},
    {"GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\n X: b\r\n\r\n", 400},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc", 400},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc", 400},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x "
     "HTTP/1.1\r\n\r\n",
        400},
    {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400},
    {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400},
    {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\n\r\n", 400},
    {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n", 400},
    {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n", 400},
    {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n", 413},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", 413},
    {"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1048577\r\n\r\n", 413},
    {"POST / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nContent-Length: 3\r\n\r\nabc", 417},
    {"POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
};

static void test_malformed(void **state)
{
	static char out[8192];

	(void)state;
	edge_start(edge_config());
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		size_t len = strlen(malformed[i].bytes);
		expect_refusal(edge_ask(malformed[i].bytes, len), malformed[i].status);
		/* The same behind a good request, and byte by byte. */
		int fd = edge_dial();
		edge_puts(fd, GET("/first"));
		for (size_t at = 0; at < len && edge_put(fd, malformed[i].bytes + at, 1); at++)
			;
		assert_true(edge_get_until(fd, out, sizeof(out), NULL) > 0);
		expect_has(out, "GET /first ");
		expect_refusal(strstr(out, "n=0") + 3, malformed[i].status);
		close(fd);
		edge_canary();
	}
	/* A refused HEAD has no body. */
	char *text = ASK("HEAD / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
	expect_has(text, "HTTP/1.1 400 ");
	assert_string_equal(strstr(text, "\r\n\r\n"), "\r\n\r\n");
	edge_stop();
}

/* The same bytes in each run. */
static size_t next_random(void)
{
	static unsigned long seed = 7;

	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return seed >> 40;
}

/* One byte of a good request changed at random: whatever comes of it, the next client is served. */
static void test_mutated(void **state)
{
	static const char good[] = "POST /m HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nX-Test: "
	                           "1\r\n\r\n3\r\nabc\r\n0\r\nT: u\r\n\r\n"
	                           "PUT /n HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd";
	char copy[sizeof(good)], out[8192];

	(void)state;
	edge_start(edge_config());
	for (int i = 0; i < 300; i++) {
		memcpy(copy, good, sizeof(copy));
		copy[next_random() % (sizeof(copy) - 1)] = (char)next_random();
		int fd = edge_dial();
		edge_put(fd, copy, sizeof(copy) - 1);
		shutdown(fd, SHUT_WR);
		edge_get_until(fd, out, sizeof(out), NULL);
		expect_not(out, "<");
		close(fd);
		if (i % 10 == 0)
			edge_canary();
	}
	edge_canary();
	edge_stop();
}

/* A client that sends all of a refused body before it reads must still find the answer. */
static void test_large_refused_body(void **state)
{
	static char out[8192], block[65536];
	int fd;

	(void)state;
	edge_start(edge_config());
	for (int chunked = 0; chunked < 2; chunked++) {
		fd = edge_dial();
		edge_puts(fd, chunked ? "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
		                      : "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n");
		for (int i = 0; i < 76; i++) {
			if (chunked)
				assert_true(edge_puts(fd, "10000\r\n"));
			assert_true(edge_put(fd, block, sizeof(block)));
			if (chunked)
				assert_true(edge_puts(fd, "\r\n"));
		}
		assert_true(edge_get_until(fd, out, sizeof(out), NULL) > 0);
		expect_refusal(out, 413);
		close(fd);
	}
	/* The batch cap; and a chunked body of 8 MiB in one chunk. */
	static char large[8 << 20];
	for (int chunked = 0; chunked < 2; chunked++) {
		fd = edge_dial();
		edge_puts(
		    fd, chunked ? "POST /x/batch/y HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n800000\r\n"
		                : "POST /x/batch/y HTTP/1.1\r\nHost: a\r\nContent-Length: 8388608\r\n\r\n");
		memset(large, 'x', sizeof(large));
		assert_true(edge_put(fd, large, sizeof(large)));
		if (chunked)
			edge_puts(fd, "\r\n0\r\n\r\n");
		edge_get_until(fd, out, sizeof(out), "n=0");
		expect_has(out, "body=8388608:xxxx");
		close(fd);
	}
	edge_canary();
	edge_stop();
}

static void test_expect_continue(void **state)
{
	static char out[8192];
	int fd;

	(void)state;
	edge_start(edge_config());
	fd = edge_dial();
	edge_puts(fd, "POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
	edge_get_until(fd, out, sizeof(out), "\r\n\r\n");
	assert_string_equal(out, "HTTP/1.1 100 Continue\r\n\r\n");
	edge_puts(fd, "abc");
	edge_get_until(fd, out, sizeof(out), "n=0");
	expect_has(out, "HTTP/1.1 200 OK\r\n");
	expect_has(out, "body=3:abc");
	edge_puts(fd, "POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
	edge_get_until(fd, out, sizeof(out), "\r\n\r\n");
	assert_string_equal(out, "HTTP/1.1 100 Continue\r\n\r\n");
	edge_puts(fd, "3\r\nab");
	edge_puts(fd, "cx\r\n");
	edge_get_until(fd, out, sizeof(out), NULL);
	expect_refusal(out, 400);
	close(fd);
	edge_stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test_answers, edge_teardown),
	    cmocka_unit_test_teardown(test_targets, edge_teardown),
	    cmocka_unit_test_teardown(test_heads_and_bodies, edge_teardown),
	    cmocka_unit_test_teardown(test_keep_alive, edge_teardown),
	    cmocka_unit_test_teardown(test_pipeline, edge_teardown),
	    cmocka_unit_test_teardown(test_malformed, edge_teardown),
	    cmocka_unit_test_teardown(test_mutated, edge_teardown),
	    cmocka_unit_test_teardown(test_large_refused_body, edge_teardown),
	    cmocka_unit_test_teardown(test_expect_continue, edge_teardown)};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
