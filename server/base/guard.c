/* Guarded streams. */
#include "server/base/guard.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void guard_show(struct buf *out, unsigned char c)
{
	buf_printf(out, "\\u%04x", c);
}

/* The bytes of a character that follow its first one; 0: it cannot begin one. */
static unsigned guard_more(unsigned char c)
{
	return c >= 0xc2 && c <= 0xdf ? 1 : c >= 0xe0 && c <= 0xef ? 2 : c >= 0xf0 && c <= 0xf4 ? 3 : 0;
}

static void guard_byte(struct guard *g, unsigned char c, struct buf *out)
{
	bool follows = c >= 0x80 && c <= 0xbf;

	if (g->held && follows && c <= 0x9f) {
		guard_show(out, c); /* U+0080 to U+009F are control characters, too */
		g->held = 0;
		return;
	}
	if (g->held && follows)
		buf_addc(out, (char)g->held);
	else if (g->held)
		guard_show(out, g->held);
	if (g->held && follows)
		g->more = 1;
	g->held = 0;
	if (g->more && follows) {
		g->more--;
		buf_addc(out, (char)c);
		return;
	}
	g->more = guard_more(c);
	if (c == 0xc2)
		g->held = c;
	else if (g->more || c == '\n' || c == '\t' || (c >= ' ' && c < 0x7f))
		buf_addc(out, (char)c);
	else
		guard_show(out, c);
	g->more = g->held ? 0 : g->more;
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
