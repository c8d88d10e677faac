/* Reads requests and answers them, well or badly. Blocking: each connection has a thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "test/lib/webhook/receiver_private.h"

enum { HEAD_MAX = 16 << 10, BODY_MAX = 4 << 20, PACE_MS = 10, BLOCK = 16 << 10 };

/* --- bytes ------------------------------------------------------------------------ */

static bool put_bytes(struct receiver_connection *c, const void *bytes, size_t len)
{
	const char *from = bytes;
	while (len) {
		long n = c->ssl ? SSL_write(c->ssl, from, (int)(len < 16384 ? len : 16384))
		                : (long)send(c->fd, from, len, MSG_NOSIGNAL);
		if (n <= 0)
			return false;
		from += n;
		len -= (size_t)n;
	}
	return true;
}

static bool puts_all(struct receiver_connection *c, const char *text)
{
	return put_bytes(c, text, strlen(text));
}

static long get_bytes(struct receiver_connection *c, char *out, size_t cap)
{
	return c->ssl ? SSL_read(c->ssl, out, (int)cap) : (long)recv(c->fd, out, cap, 0);
}

static bool send_drip(struct receiver_connection *c, const char *text, int pace_ms)
{
	for (; *text; text++)
		if (!put_bytes(c, text, 1) || !receiver_pause(c->receiver, pace_ms ? pace_ms : PACE_MS))
			return false;
	return true;
}

/* Writes until the other side closes; without a pace as much at once as it accepts. */
static void without_end(struct receiver_connection *c, const char *text, int pace_ms)
{
	char block[BLOCK];
	size_t len = strlen(text), n = 0;
	do {
		memcpy(block + n, text, len);
		n += len;
	} while (!pace_ms && n + len <= sizeof(block));
	while (put_bytes(c, block, n) && receiver_pause(c->receiver, pace_ms))
		continue;
}

static void send_nothing(struct receiver_connection *c)
{
	char bytes[512];
	while (get_bytes(c, bytes, sizeof(bytes)) > 0)
		continue;
}

/* --- requests --------------------------------------------------------------------- */

static size_t body_length(const char *headers)
{
	for (const char *line = headers; *line; line += strcspn(line, "\n") + 1)
		if (strncasecmp(line, "Content-Length:", 15) == 0)
			return strtoul(line + 15, NULL, 10);
	return 0;
}

/* "POST /path HTTP/1.1\r\nheaders\r\n\r\n" */
static struct receiver_request *take_apart(const char *head)
{
	size_t method = strcspn(head, " "), path = strcspn(head + method + 1, " \r");
	const char *headers = strstr(head, "\r\n") + 2;
	struct receiver_request *q = mem_zalloc(sizeof(*q));
	q->method = strndup(head, method);
	q->path = strndup(head + method + 1, path);
	q->headers = strndup(headers, (size_t)(strstr(headers - 2, "\r\n\r\n") + 2 - headers));
	q->body_len = body_length(q->headers);
	return q;
}

/* NULL when the connection ended before a complete request. */
static struct receiver_request *read_request(struct receiver_connection *c)
{
	char head[HEAD_MAX];
	size_t have = 0;
	char *end = NULL;
	while (!end && have < sizeof(head) - 1) {
		long n = get_bytes(c, head + have, sizeof(head) - 1 - have);
		if (n <= 0)
			return NULL;
		have += (size_t)n;
		head[have] = '\0';
		end = strstr(head, "\r\n\r\n");
	}
	if (!end)
		return NULL;
	struct receiver_request *q = take_apart(head);
	size_t head_len = (size_t)(end + 4 - head), body = have - head_len;
	bool whole = q->body_len <= BODY_MAX && body <= q->body_len;
	q->body = mem_zalloc((whole ? q->body_len : 0) + 1);
	if (whole)
		memcpy(q->body, head + head_len, body);
	while (whole && body < q->body_len) {
		long n = get_bytes(c, q->body + body, q->body_len - body);
		whole = n > 0;
		body += whole ? (size_t)n : 0;
	}
	q->connection = c->number;
	q->at_us = clock_mono_us();
	if (whole)
		return q;
	free(q->method);
	free(q->path);
	free(q->headers);
	free(q->body);
	free(q);
	return NULL;
}

/* --- answers ---------------------------------------------------------------------- */

/* Status line and headers, then headers of framing. */
static char *head_of(const struct receiver_behaviour *b, const char *framing, char out[2048])
{
	snprintf(out, 2048, "HTTP/1.1 %d Status\r\nContent-Type: text/plain\r\n%s%s%s\r\n", b->status ? b->status : 200,
	    b->headers ? b->headers : "", b->say_close ? "Connection: close\r\n" : "", framing);
	return out;
}

static char *whole_answer(const struct receiver_behaviour *b, char out[4096])
{
	const char *body = b->body ? b->body : "ok";
	char head[2048], framing[64];
	if (b->status == 204 || b->status == 304) {
		body = "";
		framing[0] = '\0';
	} else {
		snprintf(framing, sizeof(framing), "Content-Length: %zu\r\n", strlen(body));
	}
	snprintf(out, 4096, "%s%s", head_of(b, framing, head), body);
	return out;
}

static void send_endless(struct receiver_connection *c, const struct receiver_behaviour *b)
{
	static const struct {
		enum receiver_mode mode;
		const char *framing; /* NULL: no status line either */
		const char *again;
	} rows[] = {
	    {RECEIVER_ENDLESS_BODY, "", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
	    {RECEIVER_ENDLESS_CHUNKS, "Transfer-Encoding: chunked\r\n", "20\r\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n"},
	    {RECEIVER_ENDLESS_CHUNK, "Transfer-Encoding: chunked\r\n", "7fffffffffff\r\nxxxxxxxxxxxxxxx"},
	    {RECEIVER_HUGE_LENGTH, "Content-Length: 9000000000000\r\n", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
	    {RECEIVER_ENDLESS_HEADERS, NULL, "X-Again: and again and again and again and again\r\n"},
	    {RECEIVER_ENDLESS_HEADER, NULL, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
	    {RECEIVER_ENDLESS_100, NULL, "HTTP/1.1 100 Continue\r\n\r\n"},
	};
	char head[2048];
	if (b->mode == RECEIVER_ENDLESS_HEADER || b->mode == RECEIVER_ENDLESS_HEADERS)
		puts_all(c, "HTTP/1.1 200 OK\r\n");
	if (b->mode == RECEIVER_ENDLESS_HEADER)
		puts_all(c, "X-Long: ");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].mode != b->mode)
			continue;
		if (rows[i].framing)
			puts_all(c, head_of(b, rows[i].framing, head));
		without_end(c, rows[i].again, b->pace_ms);
	}
}

static void endless_big_100(struct receiver_connection *c, int pace_ms)
{
	char text[4200];
	int n = snprintf(text, sizeof(text), "HTTP/1.1 100 Continue\r\n");
	for (int i = 0; i < 40; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "X-%d: %090d\r\n", i, i);
	snprintf(text + n, sizeof(text) - (size_t)n, "\r\n");
	without_end(c, text, pace_ms);
}

static void send_half(struct receiver_connection *c, const struct receiver_behaviour *b)
{
	char head[2048];
	if (b->mode == RECEIVER_HALF_HEAD)
		puts_all(c, "HTTP/1.1 200 OK\r\nContent-Le");
	else if (puts_all(c, head_of(b, "Content-Length: 100\r\n", head)))
		puts_all(c, "only this");
}

static void drip_body(struct receiver_connection *c, const struct receiver_behaviour *b)
{
	char head[2048];
	if (puts_all(c, head_of(b, "Content-Length: 100000\r\n", head)))
		without_end(c, "x", b->pace_ms ? b->pace_ms : PACE_MS);
}

static bool send_interim(struct receiver_connection *c, const char *answer)
{
	return puts_all(c, "HTTP/1.1 100 Continue\r\n\r\n") &&
	       puts_all(c, "HTTP/1.1 102 Processing\r\nX-A: b\r\n\r\n") &&
	       puts_all(c, "HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\nRetry-After: 77\r\n\r\n") &&
	       puts_all(c, answer);
}

static bool send_raw(struct receiver_connection *c, const struct receiver_behaviour *b)
{
	size_t len = strlen(b->body), first = b->pace_ms ? len / 2 : len;
	return put_bytes(c, b->body, first) && (first == len || receiver_pause(c->receiver, b->pace_ms)) &&
	       put_bytes(c, b->body + first, len - first);
}

/* A few bytes that are not an answer. */
static void last_words(struct receiver_connection *c, enum receiver_mode mode)
{
	if (mode == RECEIVER_SWITCH)
		puts_all(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
	if (mode == RECEIVER_GARBAGE)
		puts_all(c, "\x16\x03\x01\x02 SSH-2.0-OpenSSH_9.2\r\n\r\nnot HTTP\r\n\r\n");
	send_nothing(c);
}

/* True when the connection can take another request. */
static bool answer_request(struct receiver_connection *c, const struct receiver_behaviour *b)
{
	char text[2 * 4096], again[4096], head[2048];
	whole_answer(b, text);
	switch (b->mode) {
	case RECEIVER_ANSWER:
		return puts_all(c, text) && !b->say_close;
	case RECEIVER_TWICE:
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s", whole_answer(b, again));
		return puts_all(c, text);
	case RECEIVER_RAW:
		return send_raw(c, b);
	case RECEIVER_INTERIM:
		return send_interim(c, text);
	case RECEIVER_CHUNKED:
		/* In one piece: the verdict is known after the head, and the next request would not wait for the rest.
		 */
		snprintf(
		    text, sizeof(text), "%s2\r\nok\r\n0\r\n\r\n", head_of(b, "Transfer-Encoding: chunked\r\n", head));
		return puts_all(c, text);
	case RECEIVER_DRIP:
		return send_drip(c, text, b->pace_ms);
	case RECEIVER_DRIP_BODY:
		drip_body(c, b);
		return false;
	case RECEIVER_NO_LENGTH:
		puts_all(c, head_of(b, "", head));
		puts_all(c, b->body ? b->body : "ok");
		return false;
	case RECEIVER_SWITCH:
	case RECEIVER_NEVER:
	case RECEIVER_GARBAGE:
		last_words(c, b->mode);
		return false;
	case RECEIVER_RESET:
		c->reset = true;
		return false;
	case RECEIVER_HALF_HEAD:
	case RECEIVER_HALF_BODY:
		send_half(c, b);
		return false;
	case RECEIVER_ENDLESS_100_BIG:
		endless_big_100(c, b->pace_ms);
		return false;
	case RECEIVER_ENDLESS_HEADER:
	case RECEIVER_ENDLESS_HEADERS:
	case RECEIVER_ENDLESS_BODY:
	case RECEIVER_ENDLESS_CHUNKS:
	case RECEIVER_ENDLESS_CHUNK:
	case RECEIVER_HUGE_LENGTH:
	case RECEIVER_ENDLESS_100:
		send_endless(c, b);
		return false;
	case RECEIVER_CLOSE:
	case RECEIVER_RESET_EARLY:
	case RECEIVER_FLOOD:
	case RECEIVER_EARLY:
	case RECEIVER_EARLY_END:
		return false;
	}
	return false;
}

/* Behaviour before anything is read; true when that was all. */
static bool answer_early(struct receiver_connection *c)
{
	pthread_mutex_lock(&c->receiver->lock);
	struct receiver_behaviour b = c->receiver->config.behaviour;
	pthread_mutex_unlock(&c->receiver->lock);
	c->reset = b.mode == RECEIVER_RESET_EARLY;
	if (b.mode == RECEIVER_FLOOD)
		without_end(c, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 0);
	if (b.mode == RECEIVER_EARLY) {
		char text[4096];
		puts_all(c, whole_answer(&b, text));
		receiver_pause(c->receiver, b.pace_ms);
		c->reset = true;
	}
	if (b.mode == RECEIVER_EARLY_END) {
		char text[4096];
		receiver_pause(c->receiver, b.pace_ms);
		puts_all(c, whole_answer(&b, text));
		shutdown(c->fd, SHUT_WR);
		send_nothing(c);
	}
	return b.mode == RECEIVER_FLOOD || b.mode == RECEIVER_RESET_EARLY || b.mode == RECEIVER_EARLY ||
	       b.mode == RECEIVER_EARLY_END;
}

static bool begin_tls(struct receiver_connection *c)
{
	if (!c->receiver->tls)
		return true;
	if (c->receiver->config.tls == RECEIVER_TLS_SILENT) {
		send_nothing(c);
		return false;
	}
	SSL *ssl = SSL_new(c->receiver->tls);
	SSL_set_fd(ssl, c->fd);
	bool good = SSL_accept(ssl) == 1;
	ERR_clear_error();
	if (good)
		c->ssl = ssl;
	else
		SSL_free(ssl);
	return good;
}

void receiver_serve(struct receiver_connection *c)
{
	bool good = begin_tls(c) && !answer_early(c);
	for (int n = 1; good; n++) {
		struct receiver_request *q = read_request(c);
		if (!q)
			return;
		struct receiver_behaviour b = receiver_take(c->receiver, q);
		if (!receiver_unheld(c->receiver) || (b.delay_ms && !receiver_pause(c->receiver, b.delay_ms)))
			return;
		good = answer_request(c, &b) && n != b.close_after;
	}
}
