/* See sse.h. */
#include "test/lib/http/sse.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/http/raw.h"
#include "test/lib/patience.h"

enum { TEXT_MAX = 64 << 20, HEAD_MS = 60000, EVENT_MS = 60000, SMALL = 4096 };

void sse_init(struct sse *s)
{
	*s = (struct sse){.fd = -1, .retry_ms = -1};
	buf_init(&s->data, TEXT_MAX);
	buf_init(&s->raw, TEXT_MAX);
	buf_init(&s->text, TEXT_MAX);
}

void sse_close(struct sse *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	s->ended = false;
	s->has_data = false;
	buf_clear(&s->raw);
	buf_clear(&s->text);
}

void sse_free(struct sse *s)
{
	sse_close(s);
	buf_free(&s->data);
	buf_free(&s->raw);
	buf_free(&s->text);
}

static void buf_drop(struct buf *b, size_t n)
{
	memmove(b->data, b->data + n, b->len - n + 1);
	b->len -= n;
}

/* False when nothing came in time, or the connection has ended. */
static bool sse_receive(struct sse *s, int64_t until_us)
{
	int64_t left_us = until_us - clock_mono_us();
	struct pollfd p = {.fd = s->fd, .events = POLLIN};
	char piece[65536];
	ssize_t n;

	if (poll(&p, 1, left_us > 0 ? (int)(left_us / 1000) + 1 : 0) <= 0)
		return false;
	n = recv(s->fd, piece, sizeof piece, 0);
	if (n <= 0) {
		close(s->fd);
		s->fd = -1;
		return false;
	}
	buf_add(&s->raw, piece, (size_t)n);
	return true;
}

int sse_open(struct sse *s, const char *base, const char *key, const char *target)
{
	return sse_open_as(s, base, key, "GET", target, "1.1", false);
}

static bool sse_read_head(struct sse *s)
{
	int64_t until_us = patience_ms(HEAD_MS);
	const char *end;

	while (!s->raw.len || !(end = strstr(s->raw.data, "\r\n\r\n")))
		if (!sse_receive(s, until_us))
			return false;
	snprintf(s->head, sizeof s->head, "%.*s", (int)(end - s->raw.data + 2), s->raw.data);
	buf_drop(&s->raw, (size_t)(end - s->raw.data) + 4);
	return true;
}

int sse_open_as(struct sse *s, const char *base, const char *key, const char *method, const char *target,
    const char *version, bool small)
{
	const char *encoding;
	char head[2048];
	int size = SMALL;

	sse_close(s);
	s->status = 0;
	s->fd = raw_open(base);
	if (s->fd < 0)
		return 0;
	if (small)
		setsockopt(s->fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
	snprintf(head, sizeof head,
	    "%s %s HTTP/%s\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: text/event-stream\r\n%s%s%s\r\n", method,
	    target, version, base + strlen("http://"), key, *s->last_id ? "Last-Event-ID: " : "", s->last_id,
	    *s->last_id ? "\r\n" : "");
	if (send(s->fd, head, strlen(head), MSG_NOSIGNAL) != (ssize_t)strlen(head) || !sse_read_head(s))
		return 0;
	encoding = sse_header(s, "Transfer-Encoding");
	s->chunked = encoding && strcmp(encoding, "chunked") == 0;
	s->status = (int)strtol(s->head + 9, NULL, 10);
	return s->status;
}

const char *sse_header(const struct sse *s, const char *name)
{
	static char value[1024];
	size_t len = strlen(name);

	for (const char *line = s->head; (line = strstr(line, "\r\n")) && line[2];) {
		line += 2;
		if (strncasecmp(line, name, len) != 0 || line[len] != ':')
			continue;
		snprintf(value, sizeof value, "%.*s", (int)strcspn(line + len + 2, "\r"), line + len + 2);
		return value;
	}
	return NULL;
}

/* Moves complete chunks to the text. */
static void sse_unframe(struct sse *s)
{
	char *end;

	if (!s->chunked) {
		buf_add(&s->text, s->raw.len ? s->raw.data : "", s->raw.len);
		buf_clear(&s->raw);
		return;
	}
	while (s->raw.len && (end = strstr(s->raw.data, "\r\n"))) {
		size_t len = strtoul(s->raw.data, NULL, 16), head = (size_t)(end - s->raw.data) + 2;
		if (s->raw.len < head + len + 2)
			return;
		buf_add(&s->text, s->raw.data + head, len);
		s->ended |= len == 0;
		buf_drop(&s->raw, head + len + 2);
	}
}

/* --- lines ------------------------------------------------------------------------------- */

static void sse_read_field(struct sse *s, const char *line, size_t len)
{
	size_t name = strcspn(line, ":\n");
	const char *value = line + name + (name < len) + (name + 1 < len && line[name + 1] == ' ');
	int n = (int)(line + len - value);

	if (name == 0)
		s->comments++;
	else if (strncmp(line, "id:", 3) == 0)
		snprintf(s->last_id, sizeof s->last_id, "%.*s", n, value);
	else if (strncmp(line, "retry:", 6) == 0)
		s->retry_ms = (int)strtol(value, NULL, 10);
	else if (strncmp(line, "event:", 6) == 0)
		snprintf(s->type, sizeof s->type, "%.*s", n, value);
	else if (strncmp(line, "data:", 5) == 0) {
		buf_clear(&s->data);
		buf_add(&s->data, value, (size_t)n);
		s->has_data = true;
	}
}

/* A complete frame, if there is one. */
static bool sse_read_frame(struct sse *s, enum sse_news *news)
{
	const char *end = s->text.len ? strstr(s->text.data, "\n\n") : NULL;
	size_t all;

	if (!end)
		return false;
	all = (size_t)(end - s->text.data) + 2;
	s->has_data = false;
	for (const char *line = s->text.data; line <= end;) {
		size_t len = strcspn(line, "\n");
		sse_read_field(s, line, len);
		line += len + 1;
	}
	*news = s->has_data ? SSE_EVENT : SSE_FRAME;
	buf_drop(&s->text, all);
	return true;
}

enum sse_news sse_next(struct sse *s, int64_t ms)
{
	int64_t until_us = patience_ms(ms);
	enum sse_news news;

	while (true) {
		sse_unframe(s);
		if (sse_read_frame(s, &news))
			return news;
		if (s->ended)
			return SSE_END;
		if (s->fd < 0)
			return s->chunked || s->text.len ? SSE_CUT : SSE_END;
		if (!sse_receive(s, until_us) && s->fd >= 0)
			return SSE_SILENT;
	}
}

enum sse_news sse_next_event(struct sse *s, int64_t ms)
{
	int64_t until_us = patience_ms(ms);
	enum sse_news news;

	do {
		int64_t left_us = until_us - clock_mono_us();
		news = sse_next(s, left_us > 0 ? left_us / 1000 : 0);
	} while (news == SSE_FRAME);
	return news;
}

void sse_expect(struct sse *s, const char *type, const char *record)
{
	enum sse_news news = sse_next_event(s, EVENT_MS);

	if (news == SSE_EVENT && strcmp(s->type, type) == 0 && strstr(s->data.data, record))
		return;
	fprintf(stderr, "not %s of %s, but (%d) %s\n", type, record, (int)news, news == SSE_EVENT ? s->data.data : "");
	exit(1);
}

void sse_to_end(struct sse *s, struct caller *c)
{
	struct caller_answer list = caller_get(c, "/v1/people?limit=1");
	struct feed_page page = {.cursor = feed_cursor_of(&list)};

	do {
		page = feed_get(c, page.cursor, 100, 0);
		caller_good(page.answer);
	} while (page.n);
	snprintf(s->last_id, sizeof s->last_id, "%s", page.cursor);
}

void sse_begin(struct sse *s, struct caller *c, const char *base, const char *key, const char *target)
{
	sse_init(s);
	sse_to_end(s, c);
	if (sse_open(s, base, key, target) == 200 && sse_next(s, EVENT_MS) == SSE_FRAME && *s->last_id)
		return;
	fprintf(stderr, "%s does not begin: status %d\n", target, s->status);
	exit(1);
}
