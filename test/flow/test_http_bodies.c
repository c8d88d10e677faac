/* The HTTP edge over real sockets: which bodies are read, how many at a time, and how many answers may be unread. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/http/edge.h"
#include "test/lib/http/edge_stream.h"
#include "test/lib/patience.h"
#include "test/lib/test.h"

EDGE();

enum { BATCH = 8 << 20, QUIET_MS = 300, PATIENCE_MS = 60000 };

static const char zeros[1 << 20];

/* With small kernel buffers, so that what the server does not read stays here. */
static int dial_small(void)
{
	int fd = edge_dial(), size = 32768;

	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	return fd;
}

static void upload_begin(int fd, const char *target, const char *authorization, size_t len)
{
	char head[400];

	snprintf(head, sizeof(head), "POST %s HTTP/1.1\r\nHost: a\r\n%s%s%sContent-Length: %zu\r\n\r\n", target,
	    authorization != NULL ? "Authorization: " : "", authorization != NULL ? authorization : "",
	    authorization != NULL ? "\r\n" : "", len);
	assert_true(edge_puts(fd, head));
}

struct upload {
	int fd;
	size_t sent, len;
};

/* Sends on all of them as much as is accepted; returns how much. */
static size_t upload_push(struct upload *uploads, int n)
{
	int64_t last = clock_mono_us();
	size_t all = 0;

	while (clock_mono_us() - last < QUIET_MS * 1000) {
		bool moved = false;
		for (struct upload *u = uploads; u < uploads + n; u++) {
			size_t part = u->len - u->sent < 65536 ? u->len - u->sent : 65536;
			ssize_t got = part ? send(u->fd, zeros, part, MSG_NOSIGNAL | MSG_DONTWAIT) : 0;
			if (got <= 0)
				continue;
			u->sent += (size_t)got;
			all += (size_t)got;
			moved = true;
		}
		if (moved)
			last = clock_mono_us();
		else
			poll(NULL, 0, 5);
	}
	return all;
}

/* Sends all of it, and waits until that is accepted. */
static void upload_all(struct upload *u)
{
	int64_t until_us = patience_ms(PATIENCE_MS);

	while (u->sent < u->len) {
		ssize_t got = send(u->fd, zeros, u->len - u->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (got > 0)
			u->sent += (size_t)got;
		else
			assert_true(patience_pause(until_us));
	}
}

static void expect_early(const char *text, int status, const char *target)
{
	char header[200], *with = strstr(text, "\r\nX-Refused: of "), *end;

	snprintf(header, sizeof(header), "\r\nX-Refused: of %s\r\n", target);
	if (with == NULL || strncmp(with, header, strlen(header)) != 0)
		fail_msg("no%sin: %.400s", header, text);
	end = with + strlen(header) - 2;
	memmove(with, end, strlen(end) + 1);
	stream_takes_refusal(&text, status, "Refused", false);
	stream_ends(text);
}

/* Nothing of an unwanted body is read: the answer comes first. */
TEST(test_refused)
{
	static const char *const heads[] = {
	    "POST /refused/401 HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n",
	    "POST /refused/401 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 900000\r\n\r\n",
	    "POST http://b/refused/401 HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n",
	    "POST /refused/401 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n",
	};
	static char out[8192];
	int fd;

	edge_start(edge_config());
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		for (int pieces = 0; pieces < 2; pieces++) {
			fd = edge_dial();
			for (const char *p = heads[i]; pieces && *p != '\0'; p++)
				edge_put(fd, p, 1);
			if (!pieces)
				edge_puts(fd, heads[i]);
			edge_get_until(fd, out, sizeof(out), NULL);
			expect_early(out, 401, "/refused/401");
			close(fd);
		}
	/* A small one is read and answered by the handler; the connection continues. */
	fd = edge_dial();
	for (int chunked = 0; chunked < 2; chunked++) {
		edge_puts(fd, chunked
		                  ? "POST /refused/401 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n"
		                  : "POST /refused/401 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n");
		poll(NULL, 0, 20);
		edge_puts(fd, chunked ? "abc\r\n0\r\n\r\n" : "abc");
		stream_answers(fd, chunked ? "POST /refused/401 host=a peer=127.0.0.1 head=67 body=3:abc x=- n=0"
		                           : "POST /refused/401 host=a peer=127.0.0.1 head=58 body=3:abc x=- n=0");
	}
	edge_finish(fd);
}

/* Unknown senders: little of all their bodies is accepted in total, and known users are not delayed. */
TEST(test_strangers)
{
	enum { N = 60 };
	struct upload uploads[N];
	size_t taken;
	int fd;

	edge_start(edge_config());
	for (int i = 0; i < N; i++) {
		uploads[i] = (struct upload){.fd = dial_small(), .len = BATCH - 1};
		upload_begin(uploads[i].fd, "/x/batch/y", NULL, BATCH);
	}
	taken = upload_push(uploads, N);
	print_message("%d strangers with 8 MiB each: %zu KiB were taken\n", N, taken >> 10);
	assert_true(taken < (size_t)BATCH + N * (1 << 20));
	fd = edge_dial();
	upload_begin(fd, "/k", "owner k", 100000);
	edge_put(fd, zeros, 100000);
	stream_answers(fd, "POST /k host=a peer=127.0.0.1 head=77 body=100000: x=- n=0");
	edge_finish(fd);
	for (int i = 0; i < N; i++)
		close(uploads[i].fd);
}

/* With room for one: bodies are read one after the other in order of arrival, each to its end. */
static void in_turn(const char *authorization, const char *body)
{
	enum { N = 5, LEN = 900000 };
	struct upload uploads[N];

	for (int i = 0; i < N; i++) {
		uploads[i] = (struct upload){.fd = dial_small(), .len = LEN - 1};
		upload_begin(uploads[i].fd, "/t", authorization, LEN);
		edge_canary(); /* so that this one has arrived before the next */
	}
	for (int i = 0; i < N; i++) {
		upload_all(&uploads[i]);
		upload_push(uploads + i, N - i);
		for (int j = i; j < N; j++)
			assert_int_equal(uploads[j].sent == LEN - 1, j == i);
		edge_put(uploads[i].fd, zeros, 1);
		stream_answers(uploads[i].fd, body);
		edge_finish(uploads[i].fd);
	}
}

TEST(test_in_turn)
{
	struct http_config config = edge_config();

	config.owner_max = config.strangers_max = 1 << 20;
	edge_start(config);
	in_turn(NULL, "POST /t host=a peer=127.0.0.1 head=53 body=900000: x=- n=0");
	in_turn("owner k", "POST /t host=a peer=127.0.0.1 head=77 body=900000: x=- n=0");
}

/* A stranger who stops sending holds room that others wait for no longer than a sixth of a body's time. */
TEST(test_stalled)
{
	enum { LEN = 900000 };
	struct http_config config = edge_config();
	static char out[4096];
	struct upload stalled, next;
	int64_t begin_us = clock_mono_us();

	config.strangers_max = 1 << 20;
	config.body_ms = 15000;
	edge_start(config);
	stalled = (struct upload){.fd = dial_small(), .len = LEN - 1};
	upload_begin(stalled.fd, "/t", NULL, LEN);
	upload_push(&stalled, 1);
	next = (struct upload){.fd = dial_small(), .len = LEN};
	upload_begin(next.fd, "/t", NULL, LEN);
	edge_get_until(stalled.fd, out, sizeof(out), NULL);
	stream_expect_refusal(out, 408);
	assert_in_range(clock_mono_us() - begin_us, 2400000, 14500000);
	upload_all(&next);
	stream_answers(next.fd, "POST /t host=a peer=127.0.0.1 head=53 body=900000: x=- n=0");
	edge_finish(next.fd);
	close(stalled.fd);
}

/* Even less if it has hardly begun: a thirtieth. */
TEST(test_stalled_at_once)
{
	enum { LEN = 900000 };
	struct http_config config = edge_config();
	static char out[4096];
	struct upload stalled, next;
	int64_t begin_us = clock_mono_us();

	config.strangers_max = 1 << 20;
	config.body_ms = 90000;
	edge_start(config);
	stalled = (struct upload){.fd = dial_small(), .len = 1};
	upload_begin(stalled.fd, "/t", NULL, LEN);
	upload_push(&stalled, 1);
	next = (struct upload){.fd = dial_small(), .len = LEN};
	upload_begin(next.fd, "/t", NULL, LEN);
	edge_get_until(stalled.fd, out, sizeof(out), NULL);
	stream_expect_refusal(out, 408);
	assert_true(clock_mono_us() - begin_us < 14500000); /* a sixth is 15 s */
	close(next.fd);
	close(stalled.fd);
}

/* A stalled large body of a stranger does not hold up a small one that arrives later. */
TEST(test_small_beside_large)
{
	enum { LEN = 1048000 };
	struct http_config config = edge_config();
	struct upload large;
	int fd;

	config.strangers_max = 1 << 20;
	edge_start(config);
	large = (struct upload){.fd = dial_small(), .len = LEN - 1};
	upload_begin(large.fd, "/t", NULL, LEN);
	upload_push(&large, 1);
	fd = edge_dial();
	upload_begin(fd, "/t", NULL, 1000);
	edge_canary();
	edge_put(fd, zeros, 1000);
	stream_answers(fd, "POST /t host=a peer=127.0.0.1 head=51 body=1000: x=- n=0");
	edge_finish(fd);
	edge_put(large.fd, zeros, 1);
	stream_answers(large.fd, "POST /t host=a peer=127.0.0.1 head=54 body=1048000: x=- n=0");
	edge_finish(large.fd);
}

/* Some bodies of one owner wait, and leave or keep waiting; another owner's are read at once, even when all room is
 * taken. */
TEST(test_owners)
{
	enum { N = 4, LEN = 900000 };
	struct http_config config = edge_config();
	static char out[4096];
	struct upload uploads[N];
	const char *at = out;
	int fd;

	config.owner_max = config.held_max = 1 << 20;
	config.body_ms = 3000;
	edge_start(config);
	for (int i = 0; i < N; i++) {
		uploads[i] = (struct upload){.fd = dial_small(), .len = LEN - 1};
		upload_begin(uploads[i].fd, "/t", "owner k", LEN);
		edge_canary();
	}
	upload_push(uploads, N);
	fd = edge_dial();
	upload_begin(fd, "/o", "owner o", LEN);
	edge_put(fd, zeros, LEN);
	stream_answers(fd, "POST /o host=a peer=127.0.0.1 head=77 body=900000: x=- n=0");
	edge_finish(fd);
	/* The one being read and a waiting one leave: the next continues. */
	close(uploads[0].fd);
	close(uploads[1].fd);
	upload_all(&uploads[2]);
	/* A body that has waited for as long as a body may take is refused. */
	edge_get_until(uploads[3].fd, out, sizeof(out), NULL);
	at = strstr(out, "Retry-After: 1\r\n");
	assert_non_null(at);
	memmove(out + (at - out), at + 16, strlen(at + 16) + 1);
	stream_expect_refusal(out, 503);
	close(uploads[2].fd);
	close(uploads[3].fd);
}

/* Unread answers: an owner gets a limited number, then is told to read them; another owner is not affected. */
TEST(test_unread)
{
	enum { N = 30, LEN = 4000000 };
	static char out[64];
	int fds[N], other, answered = 0;

	edge_start(edge_config());
	for (int i = 0; i < N; i++) {
		fds[i] = dial_small();
		edge_puts(fds[i], "GET /big/4000000 HTTP/1.1\r\nHost: a\r\nAuthorization: owner k\r\n\r\n");
		edge_get_until(fds[i], out, 16, NULL);
		assert_true(strncmp(out, "HTTP/1.1 200 OK", 15) == 0 || strncmp(out, "HTTP/1.1 503 Se", 15) == 0);
		answered += out[9] == '2';
	}
	assert_int_equal(answered, (32 << 20) / LEN);
	other = dial_small();
	edge_puts(other, "GET /big/4000000 HTTP/1.1\r\nHost: a\r\nAuthorization: owner o\r\n\r\n");
	edge_get_until(other, out, 16, NULL);
	assert_string_equal(out, "HTTP/1.1 200 OK");
	close(other);
	/* Once one of them is gone there is room again. */
	close(fds[0]);
	edge_canary();
	other = dial_small();
	edge_puts(other, "GET /big/4000000 HTTP/1.1\r\nHost: a\r\nAuthorization: owner k\r\n\r\n");
	edge_get_until(other, out, 16, NULL);
	assert_string_equal(out, "HTTP/1.1 200 OK");
	close(other);
	for (int i = 1; i < N; i++)
		close(fds[i]);
}
