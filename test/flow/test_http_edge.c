/* The HTTP edge over real sockets: answers, their order, and refusals. */
#include <errno.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "test/lib/http/edge.h"
#include "test/lib/http/edge_stream.h"
#include "test/lib/test.h"

EDGE();

/* --- tests --------------------------------------------------------------------------- */

#define CLOSES "Host: c\r\nConnection: close\r\n\r\n"

TEST(test_answers)
{
	const char *out;

	edge_start(edge_config());
	stream_expect_answer(ASK("GET /a?b HTTP/1.1\r\nX-Test:\t d \r\nx-tesT: e\r\n" CLOSES),
	    "GET /a?b host=c peer=127.0.0.1 head=73 body=0: x=d n=2");
	out = ASK("HEAD /a HTTP/1.1\r\nHost: c\r\nConnection: foo, Close\r\n\r\n");
	stream_takes(&out,
	    (struct edge_answer){
	        .body = "HEAD /a host=c peer=127.0.0.1 head=53 body=0: x=- n=0", .head = true, .connection = "close"});
	stream_ends(out);
	out = ASK("GET /nothing HTTP/1.1\r\n" CLOSES);
	stream_takes_bytes(&out, "HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\n"
	                         "X-Request-Id: handler\r\nDate: *\r\nConnection: close\r\n\r\n");
	stream_ends(out);
	stream_expect_answer(ASK("GET /no-body HTTP/1.1\r\n" CLOSES), NULL);
	stream_expect_answer(ASK("PATCH /a HTTP/1.1\r\nContent-Length: 3\r\n" CLOSES "abc"),
	    "PATCH /a host=c peer=127.0.0.1 head=68 body=3:abc x=- n=0");
	/* Trailers are ignored. */
	stream_expect_answer(ASK("DELETE /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" CLOSES
	                         "2\r\nab\r\n1\r\nc\r\n0\r\nX-Test: t\r\nConnection: keep-alive\r\n\r\n"),
	    "DELETE /a host=c peer=127.0.0.1 head=78 body=3:abc x=- n=0");
	stream_expect_answer(
	    ASK("OPTIONS * HTTP/1.1\r\n" CLOSES), "OPTIONS * host=c peer=127.0.0.1 head=50 body=0: x=- n=0");
}

TEST(test_targets)
{
	const char *out;

	edge_start(edge_config());
	stream_expect_answer(ASK("GET http://b:80/x?y HTTP/1.1\r\n" CLOSES),
	    "GET /x?y host=b:80 peer=127.0.0.1 head=60 body=0: x=- n=0");
	stream_expect_answer(
	    ASK("GET http://b HTTP/1.1\r\n" CLOSES), "GET / host=b peer=127.0.0.1 head=53 body=0: x=- n=0");
	stream_expect_answer(
	    ASK("GET http://b?y HTTP/1.1\r\n" CLOSES), "GET /?y host=b peer=127.0.0.1 head=55 body=0: x=- n=0");
	stream_expect_answer(
	    ASK("OPTIONS http://b HTTP/1.1\r\n" CLOSES), "OPTIONS * host=b peer=127.0.0.1 head=57 body=0: x=- n=0");
	stream_expect_answer(
	    ASK("GET //b/c HTTP/1.1\r\n" CLOSES), "GET //b/c host=c peer=127.0.0.1 head=50 body=0: x=- n=0");
	/* An absolute target does not close the connection. */
	out = ASK("GET http://b/1 HTTP/1.1\r\nHost: c\r\n\r\nGET /2 HTTP/1.1\r\n" CLOSES);
	stream_takes(&out, (struct edge_answer){.body = "GET /1 host=b peer=127.0.0.1 head=36 body=0: x=- n=0"});
	stream_expect_answer(out, "GET /2 host=c peer=127.0.0.1 head=47 body=0: x=- n=0");
	/* Requests accepted by the gate but refused by evhttp also get JSON. */
	stream_expect_refusal(ASK("GET //b:x^/c HTTP/1.1\r\nHost: c\r\n\r\n"), 400);
	stream_expect_refusal(ASK("GET http://[:::]/c HTTP/1.1\r\nHost: c\r\n\r\n"), 400);
}

/* Short bodies follow the head in one piece, longer ones are passed on without a copy: both are complete, with one
 * head. */
TEST(test_heads_and_bodies)
{
	static const size_t sizes[] = {1, 8191, 8192, 8193, 50000};
	char request[64], *body;
	const char *out;

	edge_start(edge_config());
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		snprintf(request, sizeof(request), "GET /big/%zu HTTP/1.1\r\n" CLOSES, sizes[i]);
		body = mem_zalloc(sizes[i] + 1);
		memset(body, 'b', sizes[i]);
		stream_expect_answer(edge_ask(request, strlen(request)), body);
		free(body);
	}
	/* A value with a line break is not sent. */
	out = ASK("GET /two-lines HTTP/1.1\r\n" CLOSES);
	stream_takes_bytes(&out, "HTTP/1.1 200 OK\r\nX-Whole: c\r\nDate: *\r\nContent-Length: 0\r\n"
	                         "Connection: close\r\n\r\n");
	stream_ends(out);
}

TEST(test_keep_alive)
{
	static char out[8192];
	const char *at;
	int fd;

	edge_start(edge_config());
	fd = edge_dial();
	for (int i = 0; i < 3; i++) {
		edge_puts(fd, "GET /a HTTP/1.0\r\nHost: a\r\nConnection: Keep-Alive\r\n\r\n");
		edge_get_until(fd, out, sizeof(out), "n=0");
		at = out;
		stream_takes(&at, (struct edge_answer){.version = "HTTP/1.0",
		                      .body = "GET /a host=a peer=127.0.0.1 head=52 body=0: x=- n=0",
		                      .connection = "keep-alive"});
		stream_ends(at);
	}
	edge_puts(fd, "GET /a HTTP/1.0\r\nHost: a\r\n\r\n");
	edge_get_until(fd, out, sizeof(out), NULL);
	at = out;
	stream_takes(&at, (struct edge_answer){.version = "HTTP/1.0",
	                      .body = "GET /a host=a peer=127.0.0.1 head=28 body=0: x=- n=0",
	                      .connection = "close"});
	stream_ends(at);
	close(fd);
	/* As sent by load balancers' probes: without Host, which HTTP/1.0 does not have. */
	at = ASK("GET /a HTTP/1.0\r\n\r\n");
	stream_takes(&at, (struct edge_answer){.version = "HTTP/1.0",
	                      .body = "GET /a host=- peer=127.0.0.1 head=19 body=0: x=- n=0",
	                      .connection = "close"});
	stream_ends(at);
	/* Whatever follows a request that closes is ignored. */
	stream_expect_answer(ASK("GET /1 HTTP/1.1\r\n" CLOSES "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n"),
	    "GET /1 host=c peer=127.0.0.1 head=47 body=0: x=- n=0");
}

/* Requests in every encoding on one connection: each gets its answer, nothing else. */
TEST(test_encodings)
{
	static const struct {
		const char *request, *body;
		bool head;
	} asked[] = {
	    {"POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
	        "POST /p host=a peer=127.0.0.1 head=57 body=3:abc x=- n=0", false},
	    {"GET /g HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	        "GET /g host=a peer=127.0.0.1 head=56 body=0: x=- n=0", false},
	    {"HEAD /h HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
	        "HEAD /h host=a peer=127.0.0.1 head=48 body=0: x=- n=0", true},
	    {"PATCH /t HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
	     "1\r\na\r\n0\r\nConnection: close\r\n\r\n",
	        "PATCH /t host=a peer=127.0.0.1 head=58 body=1:a x=- n=0", false},
	    {"GET /b HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nab",
	        "GET /b host=a peer=127.0.0.1 head=69 body=2:ab x=- n=0", false},
	    {"DELETE /d HTTP/1.1\r\nHost: a\r\nProxy-Connection: close\r\n\r\n",
	        "DELETE /d host=a peer=127.0.0.1 head=56 body=0: x=- n=0", false},
	    {"POST /z HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n",
	        "POST /z host=a peer=127.0.0.1 head=70 body=0: x=- n=0", false},
	};
	enum { KINDS = sizeof(asked) / sizeof(asked[0]), ROUNDS = 3 };
	static char out[65536];
	const char *at;

	edge_start(edge_config());
	/* Each after each, waiting for every answer; then all at once. */
	for (int at_once = 0; at_once < 2; at_once++) {
		int fd = edge_dial();
		for (int i = 0; i < ROUNDS * KINDS * KINDS; i++) {
			int kind = i % 2 ? i / 2 / KINDS % KINDS : i / 2 % KINDS;
			edge_puts(fd, asked[kind].request);
			if (at_once)
				continue;
			edge_get_until(fd, out, sizeof(out), asked[kind].head ? "\r\n\r\n" : "n=0");
			at = out;
			stream_takes(&at, (struct edge_answer){.body = asked[kind].body, .head = asked[kind].head});
			stream_ends(at);
		}
		if (!at_once) {
			edge_finish(fd);
			continue;
		}
		shutdown(fd, SHUT_WR);
		assert_true(edge_get_until(fd, out, sizeof(out), NULL) > 0);
		at = out;
		for (int i = 0; i < ROUNDS * KINDS * KINDS; i++) {
			int kind = i % 2 ? i / 2 / KINDS % KINDS : i / 2 % KINDS;
			stream_takes(&at, (struct edge_answer){.body = asked[kind].body, .head = asked[kind].head});
		}
		stream_ends(at);
		close(fd);
	}
}

TEST(test_pipeline)
{
	static const char *const order[] = {"delayed 80", "delayed 1",
	    "GET /c host=a peer=127.0.0.1 head=28 body=0: x=- n=0",
	    "POST /d host=a peer=127.0.0.1 head=48 body=3:abc x=- n=0",
	    "POST /e host=a peer=127.0.0.1 head=57 body=3:abc x=- n=0", "delayed 20"};
	static char out[65536];
	const char *at = out;
	int fd;

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
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		stream_takes(&at, (struct edge_answer){.body = order[i]});
	stream_expect_refusal(at, 501);
	close(fd);
	/* Many pipelined, each answer in its place, also when the input arrives in odd pieces. */
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
		char body[80];
		snprintf(body, sizeof(body), "GET /p%03d host=a peer=127.0.0.1 head=%d body=0: x=- n=0", i,
		    i == 499 ? 50 : 31);
		stream_takes(&at, (struct edge_answer){.body = body, .connection = i == 499 ? "close" : NULL});
	}
	stream_ends(at);
	close(fd);
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
    {"MKCALENDAR / HTTP/1.1\r\nHost: a\r\n\r\n", 501},
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

TEST(test_malformed)
{
	static char out[8192];
	const char *text;

	edge_start(edge_config());
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		size_t len = strlen(malformed[i].bytes);
		stream_expect_refusal(edge_ask(malformed[i].bytes, len), malformed[i].status);
		/* The same after a good request, and byte by byte. */
		int fd = edge_dial();
		edge_puts(fd, GET("/first"));
		for (size_t at = 0; at < len && edge_put(fd, malformed[i].bytes + at, 1); at++)
			;
		assert_true(edge_get_until(fd, out, sizeof(out), NULL) > 0);
		text = out;
		stream_takes(
		    &text, (struct edge_answer){.body = "GET /first host=a peer=127.0.0.1 head=32 body=0: x=- n=0"});
		stream_expect_refusal(text, malformed[i].status);
		close(fd);
		edge_canary();
	}
	/* A refused HEAD has no body. */
	text = ASK("HEAD / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
	stream_takes_refusal(&text, 400, "There is more than one Host header", true);
	stream_ends(text);
}

/* Methods that evhttp does not know reach the handler, with their targets and bodies as they were sent. */
TEST(test_webdav)
{
	static const struct {
		const char *bytes, *body;
	} cases[] = {
	    {"PROPFIND /d/ HTTP/1.1\r\nHost: a\r\n\r\n", "PROPFIND /d/ host=a peer=127.0.0.1 head=34 body=0: x=- n=0"},
	    {"PROPPATCH /d?x=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab",
	        "PROPPATCH /d?x=1 host=a peer=127.0.0.1 head=57 body=2:ab x=- n=0"},
	    {"REPORT http://b/d HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nc\r\n0\r\n\r\n",
	        "REPORT /d host=b peer=127.0.0.1 head=67 body=1:c x=- n=0"},
	    {"MKCOL / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n",
	        "MKCOL / host=a peer=127.0.0.1 head=53 body=0: x=- n=0"},
	    {"ACL / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nd",
	        "ACL / host=a peer=127.0.0.1 head=46 body=1:d x=- n=0"},
	    {"UNLOCK /?? HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	        "UNLOCK /?? host=a peer=127.0.0.1 head=51 body=0: x=- n=0"},
	};
	enum { LAST = sizeof cases / sizeof *cases - 1 };
	static char out[8192];
	const char *text;

	edge_start(edge_config());
	for (int bytewise = 0; bytewise < 2; bytewise++) {
		int fd = edge_dial();
		for (size_t i = 0; i <= LAST; i++)
			for (size_t at = 0, len = strlen(cases[i].bytes), n = bytewise ? 1 : len; at < len; at += n)
				edge_put(fd, cases[i].bytes + at, n);
		assert_true(edge_get_until(fd, out, sizeof(out), NULL) > 0);
		text = out;
		for (size_t i = 0; i <= LAST; i++)
			stream_takes(&text,
			    (struct edge_answer){.body = cases[i].body, .connection = i == LAST ? "close" : NULL});
		stream_ends(text);
		close(fd);
	}
}

/* The same bytes in each run. */
static size_t next_random(void)
{
	static unsigned long seed = 7;

	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return seed >> 40;
}

/* One byte of a good request is changed at random: whatever happens, the next client is served. */
TEST(test_mutated)
{
	static const char good[] = "POST /m HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nX-Test: "
	                           "1\r\n\r\n3\r\nabc\r\n0\r\nT: u\r\n\r\n"
	                           "PUT /n HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd";
	char copy[sizeof(good)], out[8192];

	edge_start(edge_config());
	for (int i = 0; i < 300; i++) {
		memcpy(copy, good, sizeof(copy));
		copy[next_random() % (sizeof(copy) - 1)] = (char)next_random();
		int fd = edge_dial();
		edge_put(fd, copy, sizeof(copy) - 1);
		shutdown(fd, SHUT_WR);
		edge_get_until(fd, out, sizeof(out), NULL);
		for (const char *at = out; *at != '\0';)
			stream_takes_any(&at);
		assert_null(strchr(out, '<'));
		close(fd);
		if (i % 10 == 0)
			edge_canary();
	}
}

/* A client that sends all of a refused body before reading must still get the answer. */
TEST(test_large_refused_body)
{
	static char out[8192], block[65536];
	int fd;

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
		stream_expect_refusal(out, 413);
		close(fd);
	}
	/* The batch limit; and a chunked body of 8 MiB in one chunk. */
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
		stream_answers(fd, chunked ? "POST /x/batch/y host=a peer=127.0.0.1 head=65 "
		                             "body=8388608:xxxxxxxxxxxxxxxxxxxx x=- n=0"
		                           : "POST /x/batch/y host=a peer=127.0.0.1 head=62 "
		                             "body=8388608:xxxxxxxxxxxxxxxxxxxx x=- n=0");
		edge_finish(fd);
	}
}

TEST(test_expect_continue)
{
	static char out[8192];
	int fd;

	edge_start(edge_config());
	fd = edge_dial();
	edge_puts(fd, "POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
	edge_get_until(fd, out, sizeof(out), "\r\n\r\n");
	assert_string_equal(out, "HTTP/1.1 100 Continue\r\n\r\n");
	edge_puts(fd, "abc");
	stream_answers(fd, "POST /a host=a peer=127.0.0.1 head=70 body=3:abc x=- n=0");
	edge_puts(fd, "POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
	edge_get_until(fd, out, sizeof(out), "\r\n\r\n");
	assert_string_equal(out, "HTTP/1.1 100 Continue\r\n\r\n");
	edge_puts(fd, "3\r\nab");
	edge_puts(fd, "cx\r\n");
	edge_get_until(fd, out, sizeof(out), NULL);
	stream_expect_refusal(out, 400);
	close(fd);
}
