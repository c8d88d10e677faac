/* The HTTP edge over real sockets: deadlines, caps, clients that disconnect, starting and stopping. */
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/http/edge.h"
#include "test/lib/http/edge_stream.h"
#include "test/lib/test.h"

EDGE();

/* LONG_MS: longer than a busy machine takes for anything. ACK_US: below the 40 ms of a delayed acknowledgement. */
enum { BIG = 148 * 1024, LONG_MS = 20000, ACK_US = 30000 };

static struct http_config short_deadlines(void)
{
	struct http_config c = edge_config();

	c.idle_ms = 400;
	c.header_ms = 200;
	c.body_ms = 1500;
	c.reply_ms = 500;
	return c;
}

/* Sends start, then drop repeatedly until the server answers. Returns after how many microseconds. */
static int64_t drip_until_answer(const char *start, const char *drop, char *out, size_t cap)
{
	int64_t begin = clock_mono_us();
	int fd = edge_dial();

	edge_puts(fd, start);
	for (int i = 0; i < 2000 && (drop == NULL || edge_puts(fd, drop)); i++) {
		struct pollfd p = {fd, POLLIN, 0};
		if (poll(&p, 1, 20) > 0)
			break;
	}
	edge_get_until(fd, out, cap, NULL);
	close(fd);
	return clock_mono_us() - begin;
}

TEST(test_slow_requests)
{
	static char out[8192], start[101000] = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n";
	struct http_config c = short_deadlines();

	c.body_ms = LONG_MS;
	edge_start(c);
	assert_in_range(drip_until_answer("GET / HTTP/1.1\r\n", "A: b\r\n", out, sizeof(out)), 150000, LONG_MS * 1000);
	stream_expect_refusal(out, 408);
	/* A body below the minimum rate fails long before its deadline ... */
	assert_in_range(
	    drip_until_answer("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n", "x", out, sizeof(out)),
	    200000, LONG_MS * 1000 - 1000000);
	stream_expect_refusal(out, 408);
	edge_stop();
	/* ... one that was fast and stops does not. */
	c = short_deadlines();
	c.header_ms = LONG_MS;
	edge_start(c);
	memset(start + strlen(start), 'x', 100000);
	assert_in_range(drip_until_answer(start, NULL, out, sizeof(out)), 1400000, LONG_MS * 1000);
	stream_expect_refusal(out, 408);
}

TEST(test_idle_and_slow_readers)
{
	static char out[8192];
	int64_t begin;
	int fd, size = 4096;

	edge_start(short_deadlines());
	/* Between requests: closed silently. */
	fd = edge_dial();
	begin = clock_mono_us();
	edge_puts(fd, GET("/a"));
	edge_get_until(fd, out, sizeof(out), "n=0");
	assert_int_equal(edge_get_until(fd, out, sizeof(out), NULL), 0);
	assert_in_range(clock_mono_us() - begin, 300000, LONG_MS * 1000);
	close(fd);
	/* A client that does not read its answer. */
	fd = edge_dial();
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	edge_puts(fd, GET("/big/30000000"));
	for (begin = clock_mono_us(); edge_stat_of("connections") > 1 && clock_mono_us() - begin < LONG_MS * 1000;)
		poll(NULL, 0, 20);
	assert_int_equal(edge_stat_of("connections"), 1);
	close(fd);
	/* A slow handler is not the client's fault. */
	stream_expect_answer(ASK("GET /delay/900 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), "delayed 900");
}

/* Waits until only the connection that asks is left, with its request. */
static void expect_alone(void)
{
	for (int64_t begin = clock_mono_us(); clock_mono_us() - begin < LONG_MS * 1000; poll(NULL, 0, 20))
		if (edge_stat_of("connections") == 1 && edge_stat_of("flight") == 1)
			return;
	fail_msg("%ld connections, %ld requests", edge_stat_of("connections"), edge_stat_of("flight"));
}

/* All that comes back for a request on a connection of its own. */
static void ask_whole(char *out, size_t cap, const char *request)
{
	int fd = edge_dial();

	edge_puts(fd, request);
	edge_get_until(fd, out, cap, NULL);
	close(fd);
}

static size_t count_bytes(const char *text, char byte)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == byte;
	return n;
}

/* Answers that go on: complete for a client that reads; cut off when nothing is taken; over when the client goes. */
TEST(test_streams)
{
	static char out[2000000];
	int fd, size = 4096;

	edge_start(short_deadlines());
	/* Longer than the deadline of an answer, as the client reads. A pipelined request is not answered. */
	fd = edge_dial();
	edge_puts(fd, GET("/stream/20") GET("/a"));
	edge_get_until(fd, out, sizeof(out), NULL);
	close(fd);
	assert_non_null(strstr(out, "Transfer-Encoding: chunked\r\n"));
	assert_non_null(strstr(out, "Connection: close\r\n"));
	assert_null(strstr(out, "Content-Length"));
	assert_int_equal(count_bytes(strstr(out, "\r\n\r\n"), 's'), 20 * 50000);
	assert_string_equal(out + strlen(out) - 8, "s\r\n0\r\n\r\n");
	/* Without chunks, and without a body. */
	ask_whole(out, sizeof(out), "GET /stream/3 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
	assert_null(strstr(out, "Transfer-Encoding"));
	assert_int_equal(strlen(strstr(out, "\r\n\r\n") + 4), 3 * 50000);
	ask_whole(out, sizeof(out), "HEAD /stream/3 HTTP/1.1\r\nHost: a\r\n\r\n");
	assert_string_equal(strstr(out, "\r\n\r\n"), "\r\n\r\n");
	/* A client that takes nothing. */
	fd = edge_dial();
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	edge_puts(fd, GET("/stream/100000"));
	expect_alone();
	close(fd);
	/* A client that goes. */
	fd = edge_dial();
	edge_puts(fd, GET("/stream/100000"));
	edge_get_until(fd, out, 100000, "sss");
	close(fd);
	expect_alone();
}

TEST(test_disconnect_while_pending)
{
	struct linger reset = {1, 0};
	int64_t begin = clock_mono_us();

	edge_start(edge_config());
	for (int i = 0; i < 40; i++) {
		int fd = edge_dial();
		edge_puts(fd, i % 4 == 3 ? GET("/delay/60") GET("/delay/1") : GET("/delay/60"));
		if (i % 2)
			setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
		close(fd);
	}
	edge_canary();
	while (
	    (edge_stat_of("flight") > 1 || edge_stat_of("connections") > 1) && clock_mono_us() - begin < LONG_MS * 1000)
		poll(NULL, 0, 10);
	assert_int_equal(edge_stat_of("flight"), 1);
	assert_int_equal(edge_stat_of("connections"), 1);
	/* A client that shuts down sending still gets its answer. */
	int fd = edge_dial();
	static char out[4096];
	const char *at;
	edge_puts(fd, GET("/delay/50"));
	shutdown(fd, SHUT_WR);
	edge_get_until(fd, out, sizeof(out), NULL);
	at = out;
	stream_takes(&at, (struct edge_answer){.body = "delayed 50"});
	stream_ends(at);
	close(fd);
}

/* While an answer waits to be read, further input stays in the kernel. */
TEST(test_input_cap)
{
	static char junk[65536];
	size_t sent = 0;
	long before, after;
	int fd;

	edge_start(edge_config());
	edge_canary();
	before = edge_stat_of("rss");
	fd = edge_dial();
	fcntl(fd, F_SETFL, O_NONBLOCK);
	memset(junk, 'x', sizeof(junk));
	edge_puts(fd, GET("/big/30000000"));
	for (int64_t begin = clock_mono_us(); clock_mono_us() - begin < 300000;) {
		ssize_t n = send(fd, junk, sizeof(junk), MSG_NOSIGNAL);
		if (n > 0)
			sent += (size_t)n;
		else
			poll(NULL, 0, 5);
	}
	after = edge_stat_of("rss");
	print_message(
	    "client sent %zu bytes behind a blocked answer of 30 MB; server grew by %ld KiB\n", sent, after - before);
#if !defined(__SANITIZE_ADDRESS__)
	assert_true(after - before < 2 * 30000 + 1000);
#endif
	/* Only the kernel's buffers took it. */
	assert_true(sent < 12 << 20);
	close(fd);
}

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* The time of three in four large answers; at_once: received data is acknowledged at once. */
static int64_t usual_answer(bool at_once)
{
	enum { N = 50 };
	static char out[BIG + 4096];
	int64_t took[N];
	int fd = edge_dial(), on = 1;

	for (int i = 0; i < N; i++) {
		size_t want = 0, len = 0;
		int64_t begin = clock_mono_us();
		edge_puts(fd, GET("/big/151552"));
		while (want == 0 || len < want) {
			if (at_once)
				setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof(on));
			ssize_t n = recv(fd, out + len, sizeof(out) - len - 1, 0);
			assert_true(n > 0);
			len += (size_t)n;
			out[len] = '\0';
			char *end = strstr(out, "\r\n\r\n");
			if (end != NULL)
				want = (size_t)(end - out) + 4 + BIG;
		}
		assert_int_equal(len, want);
		took[i] = clock_mono_us() - begin;
	}
	close(fd);
	qsort(took, N, sizeof(*took), compare_times);
	return took[N * 3 / 4];
}

TEST(test_large_answers)
{
	enum { TRIES = 3 }; /* for a busy machine */
	int64_t usual, at_once;
	int tries = 0;

	edge_start(edge_config());
	do {
		usual = usual_answer(false);
		at_once = usual_answer(true);
		print_message(
		    "an answer of 148 KiB: %ld us, acknowledged at once %ld us\n", (long)usual, (long)at_once);
	} while (usual >= at_once + ACK_US && ++tries < TRIES);
	assert_true(tries < TRIES); /* without TCP_NODELAY most answers wait for an acknowledgement */
}

TEST(test_idle_connections)
{
	enum { N = 2000 };
	static int fds[N];
	static char out[4096];
	long before, fresh, used;

	setrlimit(RLIMIT_NOFILE, &(struct rlimit){N + 500, N + 500});
	edge_start(edge_config());
	edge_canary();
	before = edge_stat_of("rss");
	for (int i = 0; i < N; i++)
		fds[i] = edge_dial();
	fresh = edge_stat_of("rss");
	for (int i = 0; i < N; i++) {
		edge_puts(fds[i], GET("/a"));
		edge_get_until(fds[i], out, sizeof(out), "n=0");
	}
	used = edge_stat_of("rss");
	print_message("%d idle connections: %ld bytes each when fresh, %ld after a request\n", N,
	    (fresh - before) * 1024 / N, (used - before) * 1024 / N);
	assert_int_equal(edge_stat_of("connections"), N + 1);
#if !defined(__SANITIZE_ADDRESS__)
	assert_true((used - before) * 1024 / N < 6500);
#endif
	edge_canary();
	for (int i = 0; i < N; i++)
		close(fds[i]);
}

TEST(test_max_connections)
{
	struct http_config c = edge_config();
	static char out[4096];
	int fds[12], fd;
	int64_t begin;

	c.max_connections = 10;
	c.header_ms = 700;
	edge_start(c);
	/* Ten busy ones: the next one waits until they time out. */
	begin = clock_mono_us();
	for (int i = 0; i < 10; i++) {
		fds[i] = edge_dial();
		edge_puts(fds[i], "GET / HT");
	}
	edge_canary();
	assert_true(clock_mono_us() - begin > 600000);
	for (int i = 0; i < 10; i++)
		close(fds[i]);
	/* Ten idle ones: the oldest is closed. */
	for (int i = 0; i < 10; i++) {
		fds[i] = edge_dial();
		edge_puts(fds[i], GET("/a"));
		edge_get_until(fds[i], out, sizeof(out), "n=0");
	}
	fd = edge_dial();
	edge_puts(fd, GET("/b"));
	stream_answers(fd, "GET /b host=a peer=127.0.0.1 head=28 body=0: x=- n=0");
	assert_true(edge_closed(fds[0]));
	close(fd);
	for (int i = 0; i < 10; i++)
		close(fds[i]);
}

TEST(test_no_descriptors)
{
	enum { N = 100 };
	int fds[N];
	long before, after;

	edge_start_at(edge_config(), "127.0.0.1:0", 40);
	before = edge_stat_of("cpu");
	for (int i = 0; i < N; i++) {
		fds[i] = edge_dial();
		edge_puts(fds[i], "GET / HT");
	}
	poll(NULL, 0, 1000); /* during this time the server must not spin */
	for (int i = 0; i < N; i++)
		close(fds[i]);
	after = edge_stat_of("cpu");
	print_message("a second without file descriptors took %ld ms of processor time\n", after - before);
	assert_true(after - before < 300);
}

TEST(test_stop)
{
	static char out[4096];
	int idle, busy, half, status = -1;

	edge_start(edge_config());
	idle = edge_dial();
	edge_puts(idle, GET("/a"));
	edge_get_until(idle, out, sizeof(out), "n=0");
	busy = edge_dial();
	edge_puts(busy, GET("/delay/400"));
	half = edge_dial();
	edge_puts(half, "GET /half HTTP/1.1\r\n");
	edge_canary();
	kill(edge_child.pid, SIGTERM);
	assert_true(edge_closed(idle));
	edge_puts(half, "Host: a\r\n\r\n");
	edge_get_until(half, out, sizeof(out), NULL);
	stream_expect_answer(out, "GET /half host=a peer=127.0.0.1 head=31 body=0: x=- n=0");
	edge_get_until(busy, out, sizeof(out), NULL);
	stream_expect_answer(out, "delayed 400");
	waitpid(edge_child.pid, &status, 0);
	edge_child.pid = 0;
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	close(idle);
	close(busy);
	close(half);
}

TEST(test_unix_socket)
{
	char directory[] = "/tmp/kith_edge_XXXXXX", address[128], error[256];
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	struct stat file;
	struct event_base *base;
	struct http_server *http;
	struct http_config c = edge_config();

	assert_non_null(mkdtemp(directory));
	snprintf(un.sun_path, sizeof(un.sun_path), "%s/s", directory);
	snprintf(address, sizeof(address), "unix:%s", un.sun_path);
	edge_start_at(edge_config(), address, 0);
	assert_string_equal(edge_child.bound, address);
	for (int i = 0; i < 2; i++) {
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);
		assert_int_equal(connect(fd, (struct sockaddr *)&un, sizeof(un)), 0);
		edge_puts(fd, GET("/a"));
		stream_answers(fd, "GET /a host=a peer=unix head=28 body=0: x=- n=0");
		edge_finish(fd);
	}
	/* In use: refused, and the file is kept. */
	base = event_base_new();
	c.handler = edge_handle;
	c.error_writer = edge_write_error;
	http = http_new(base, &c);
	assert_false(http_listen(http, address, error, NULL));
	assert_non_null(strstr(error, "Address already in use"));
	assert_int_equal(stat(un.sun_path, &file), 0);
	edge_stop();
	assert_int_equal(stat(un.sun_path, &file), -1);
	/* Left by a dead process: taken over. */
	edge_start_at(edge_config(), address, 0);
	kill(edge_child.pid, SIGKILL);
	waitpid(edge_child.pid, NULL, 0);
	edge_child.pid = 0;
	assert_true(http_listen(http, address, error, NULL));
	static const char *const bad[] = {
	    "127.0.0.1", "127.0.0.1:", ":80", "127.0.0.1:99999", "1:2:3", "[::1:80", "unix:", "host:x", ""};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(http_listen(http, bad[i], error, NULL));
	http_free(http);
	event_base_free(base);
	rmdir(directory);
}
