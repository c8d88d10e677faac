/* Guards the output of commands; see guard.h. */
#include "server/base/guard.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static void guard_show(struct buf *out, unsigned code)
{
	buf_printf(out, "\\u%04x", code);
}

/* Returns the number of bytes of the character that begins with this byte; 0: none begins with it. */
static unsigned guard_size(unsigned char c)
{
	return c >= 0xc2 && c <= 0xdf ? 2 : c >= 0xe0 && c <= 0xef ? 3 : c >= 0xf0 && c <= 0xf4 ? 4 : 0;
}

/* True when c continues the character that is held, by the table of well-formed UTF-8 (Unicode, table 3-7). That table
 * allows no control character in a longer form. */
static bool guard_follows(const struct guard *g, unsigned char c)
{
	unsigned char first = g->held[0];

	if (g->len == 0 || c < 0x80 || c > 0xbf)
		return false;
	if (g->len > 1)
		return true;
	return c >= (first == 0xe0      ? 0xa0
	                : first == 0xf0 ? 0x90
	                                : 0x80) &&
	       c <= (first == 0xed      ? 0x9f
	                : first == 0xf4 ? 0x8f
	                                : 0xbf);
}

/* True for control characters beyond ASCII, and for characters that change the order in which their neighbours are
 * shown. */
static bool guard_controls(unsigned code)
{
	return (code >= 0x80 && code <= 0x9f) || (code >= 0x202a && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

static void guard_whole(struct guard *g, struct buf *out)
{
	unsigned code = g->held[0] & (0x7fu >> g->len);

	for (unsigned i = 1; i < g->len; i++)
		code = code << 6 | (g->held[i] & 0x3fu);
	if (guard_controls(code))
		guard_show(out, code);
	else
		buf_add(out, g->held, g->len);
	g->len = 0;
}

static void guard_byte(struct guard *g, unsigned char c, struct buf *out)
{
	if (guard_follows(g, c)) {
		g->held[g->len++] = c;
		if (g->len == guard_size(g->held[0]))
			guard_whole(g, out);
		return;
	}
	for (unsigned i = 0; i < g->len; i++)
		guard_show(out, g->held[i]);
	g->len = 0;
	if (guard_size(c))
		g->held[g->len++] = c;
	else if (c == '\n' || c == '\t' || (c >= ' ' && c < 0x7f))
		buf_addc(out, (char)c);
	else
		guard_show(out, c);
}

void guard_text(struct guard *g, const char *text, size_t len, struct buf *out)
{
	for (size_t i = 0; i < len; i++)
		guard_byte(g, (unsigned char)text[i], out);
}

static ssize_t guard_write(void *cookie, const char *text, size_t len)
{
	struct guard *g = cookie;
	struct buf out;
	size_t at = 0;
	bool ok;

	buf_init(&out, SIZE_MAX);
	guard_text(g, text, len, &out);
	while (at < out.len) {
		ssize_t n = write(g->fd, out.data + at, out.len - at);
		if (n < 0 && errno != EINTR)
			break;
		at += n > 0 ? (size_t)n : 0;
	}
	ok = at == out.len;
	buf_free(&out);
	return ok ? (ssize_t)len : 0;
}

static void guard_stream(FILE **stream, struct guard *g, int buffering)
{
	FILE *guarded = fopencookie(g, "w", (cookie_io_functions_t){.write = guard_write});

	if (!guarded)
		return;
	setvbuf(guarded, NULL, buffering, BUFSIZ);
	*stream = guarded;
}

void guard_streams(bool data)
{
	static struct guard out = {.fd = STDOUT_FILENO}, err = {.fd = STDERR_FILENO};
	bool terminal = isatty(STDOUT_FILENO);

	guard_stream(&stderr, &err, _IONBF);
	if (terminal || !data)
		guard_stream(&stdout, &out, terminal ? _IOLBF : _IOFBF);
}
