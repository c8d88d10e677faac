/* Sizes, consecutive requests, and the gate's description of a request. */
#include <string.h>

#include "test/lib/http/gate_run.h"
#include "test/lib/test.h"

static char text[70000];

/* "before", n times unit, "after". */
static size_t build_request(const char *before, const char *unit, size_t n, const char *after)
{
	size_t len = strlen(before), unit_len = strlen(unit);

	memcpy(text, before, len);
	for (size_t i = 0; i < n; i++, len += unit_len)
		memcpy(text + len, unit, unit_len);
	memcpy(text + len, after, strlen(after));
	return len + strlen(after);
}

static void expect_built(const char *name, size_t len, enum gate_verdict verdict, int status)
{
	struct result r = gate_run_all_ways(name, text, len);

	if (r.verdict != verdict || r.status != status)
		fail_msg("%s: verdict %d, status %d", name, r.verdict, r.status);
}

TEST(test_limits)
{
	static const char rest[] = " HTTP/1.1\r\nHost: a\r\n\r\n", head[] = "GET / HTTP/1.1\r\nHost: a\r\n";
	static const char trailers[] = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
	/* Lines of 16 bytes; "Host: a\r\n" takes 9 of the 16384. */
	static const char line[] = "A: 0123456789a\r\n";

	expect_built("8192 bytes of target", build_request("GET /", "x", 8191, rest), GATE_DONE, 0);
	expect_built("8193 bytes of target", build_request("GET /", "x", 8192, rest), GATE_REFUSED, 414);
	expect_built("8192 bytes of query", build_request("GET /?", "x", 8190, rest), GATE_DONE, 0);
	expect_built("8193 bytes of query", build_request("GET /?", "x", 8191, rest), GATE_REFUSED, 414);
	expect_built(
	    "8193 bytes of absolute target", build_request("GET http://a/", "x", 8184, rest), GATE_REFUSED, 414);
	expect_built("100 headers", build_request(head, "A: b\r\n", 99, "\r\n"), GATE_DONE, 0);
	expect_built("101 headers", build_request(head, "A: b\r\n", 100, "\r\n"), GATE_REFUSED, 431);
	expect_built("16384 bytes of headers",
	    build_request("GET / HTTP/1.1\r\nHost: a\r\nB: ", "x", 16384 - 9 - 5, "\r\n\r\n"), GATE_DONE, 0);
	expect_built("16385 bytes of headers",
	    build_request("GET / HTTP/1.1\r\nHost: a\r\nB: ", "x", 16385 - 9 - 5, "\r\n\r\n"), GATE_REFUSED, 431);
	expect_built(
	    "a name without end", build_request("GET / HTTP/1.1\r\n", "x", 20000, ": a\r\n\r\n"), GATE_REFUSED, 431);
	expect_built(
	    "blanks without end", build_request("GET / HTTP/1.1\r\nA:", " ", 20000, "\r\n\r\n"), GATE_REFUSED, 431);
	expect_built("4096 bytes of trailers", build_request(trailers, line, 256, "\r\n"), GATE_DONE, 0);
	expect_built("4097 bytes of trailers", build_request(trailers, line, 256, "A:\r\n\r\n"), GATE_REFUSED, 431);
	expect_built(
	    "255 bytes of host", build_request("GET / HTTP/1.1\r\nHost: ", "a", 255, "\r\n\r\n"), GATE_DONE, 0);
	expect_built(
	    "256 bytes of host", build_request("GET / HTTP/1.1\r\nHost: ", "a", 256, "\r\n\r\n"), GATE_REFUSED, 400);
	expect_built("1000 chunks of a byte",
	    build_request(
	        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n", 1000, "0\r\n\r\n"),
	    GATE_DONE, 0);
	expect_built("1001 chunks of a byte",
	    build_request(
	        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n", 1001, "0\r\n\r\n"),
	    GATE_REFUSED, 413);
}

/* Requests that follow each other are read one by one, each with a clean slate. */
TEST(test_pipeline)
{
	static const char *const requests[] = {GET(""), POST("Content-Length: 3\r\n", "abc"),
	    HEAD("HEAD /batch/ HTTP/1.0") "\r\n", CHUNKED("3\r\nabc\r\n0\r\nA: b\r\n\r\n"),
	    GET("Connection: close\r\n"), POST("Content-Length: 1000\r\n", "")};
	struct gate g;
	size_t len = 0, at = 0, used;

	for (size_t i = 0; i < 6; i++) {
		memcpy(text + len, requests[i], strlen(requests[i]));
		len += strlen(requests[i]);
	}
	for (int cut = 0; cut < 2; cut++) {
		gate_init(&g, &gate_run_limits);
		at = 0;
		for (size_t i = 0; i < 6; i++) {
			size_t start = at;
			while (at < len && g.verdict == GATE_MORE) {
				gate_feed(&g, text + at, cut ? 1 : len - at, &used);
				at += used;
			}
			assert_int_equal(at - start, strlen(requests[i]));
			assert_int_equal(g.verdict, i == 5 ? GATE_MORE : GATE_DONE);
			assert_int_equal(g.method == HTTP_HEAD, i == 2);
			assert_int_equal(g.large, i == 2);
			assert_int_equal(g.body_len, i == 1 || i == 3 ? 3 : i == 5 ? 1000 : 0);
			assert_int_equal(gate_keeps_alive(&g), i != 2 && i != 4);
			gate_feed(&g, "x", g.verdict == GATE_DONE, &used);
			assert_int_equal(used, 0);
			if (i < 5)
				gate_next(&g);
		}
	}
}

TEST(test_after_refusal)
{
	struct gate g;
	size_t used;

	gate_init(&g, &gate_run_limits);
	assert_int_equal(gate_feed(&g, "\r\n", 2, &used), GATE_REFUSED);
	assert_int_equal(gate_feed(&g, GET(""), strlen(GET("")), &used), GATE_REFUSED);
	assert_int_equal(used, 0);
	assert_int_equal(gate_skip(&g, 10), 0);
}

TEST(test_facts)
{
	static const struct {
		const char *bytes;
		bool keeps;
		unsigned headers, head_len;
		bool absolute;
	} cases[] = {{GET(""), true, 1, 27, false}, {GET("Connection: close\r\n"), false, 2, 46, false},
	    {GET("Connection: keep-alive\r\n"), true, 2, 51, false},
	    {GET("connection: Foo, CLOSE ,bar\r\n"), false, 2, 56, false},
	    {GET("Connection: closed, xclose, close x\r\n"), true, 2, 64, false},
	    {GET("Connection: keep-alive\r\nConnection: close\r\n"), false, 3, 70, false},
	    {HEAD("GET / HTTP/1.0") "\r\n", false, 1, 27, false},
	    {HEAD("GET / HTTP/1.0") "Connection: x, Keep-Alive\r\n\r\n", true, 2, 54, false},
	    {HEAD("GET / HTTP/1.0") "Connection: keep-alive, close\r\n\r\n", false, 2, 58, false},
	    {HEAD("GET http://b/ HTTP/1.1") "\r\n", true, 1, 35, true},
	    {CHUNKED("0\r\nConnection: close\r\nA: b\r\n\r\n"), true, 2, 56, false},
	    {POST("Content-Length: 2\r\n", "ab"), true, 2, 47, false}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct result r = gate_run_all_ways(cases[i].bytes, cases[i].bytes, strlen(cases[i].bytes));
		assert_int_equal(r.verdict, GATE_DONE);
		assert_int_equal(gate_keeps_alive(&r.gate), cases[i].keeps);
		assert_int_equal(r.gate.headers, cases[i].headers);
		assert_int_equal(r.gate.head_len, cases[i].head_len);
		assert_int_equal(r.gate.absolute, cases[i].absolute);
	}
}

TEST(test_skip)
{
	struct gate g;
	size_t used;

	gate_init(&g, &gate_run_limits);
	assert_int_equal(gate_skip(&g, 5), 0);
	gate_feed(&g, POST("Content-Length: 10\r\n", ""), strlen(POST("Content-Length: 10\r\n", "")), &used);
	assert_int_equal(gate_skip(&g, 4), 4);
	assert_int_equal(g.verdict, GATE_MORE);
	assert_int_equal(gate_skip(&g, 100), 6);
	assert_int_equal(g.verdict, GATE_DONE);
	assert_int_equal(gate_skip(&g, 100), 0);
	gate_next(&g);
	gate_feed(&g, CHUNKED("5\r\na"), strlen(CHUNKED("5\r\na")), &used);
	assert_int_equal(gate_skip(&g, 100), 4);
	assert_int_equal(gate_skip(&g, 100), 0);
	assert_int_equal(gate_feed(&g, "\r\n0\r\n\r\n", 7, &used), GATE_DONE);
	assert_int_equal(used, 7);
}

/* 10,000 connections hold one each. */
TEST(test_size)
{
	assert_true(sizeof(struct gate) <= 96);
}
