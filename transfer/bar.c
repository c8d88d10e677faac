/* The progress of a command on stderr. */
#include "transfer/bar.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/base/clock.h"

enum { BAR_MS = 200, LINE_MS = 10 * 1000, WIDTH = 30 };

void bar_begin(struct bar *b, const char *verb, int64_t total)
{
	memset(b, 0, sizeof *b);
	b->verb = verb;
	b->total = total;
	b->began_ms = b->shown_ms = clock_mono_ms();
	b->terminal = isatty(STDERR_FILENO);
}

void bar_hide(struct bar *b)
{
	if (b->drawn)
		dprintf(STDERR_FILENO, "\r\033[K");
	b->drawn = false;
}

static void bar_draw(const struct bar *b, const char *rate)
{
	char blocks[WIDTH + 1];
	int n = b->total > 0 ? (int)(b->done * WIDTH / b->total) : 0;

	for (int i = 0; i < WIDTH; i++)
		blocks[i] = i < n ? '#' : '.';
	blocks[WIDTH] = '\0';
	dprintf(STDERR_FILENO, "\r\033[K[%s] %s", blocks, rate);
}

void bar_show(struct bar *b)
{
	int64_t now = clock_mono_ms(), passed = now - b->began_ms, left = b->total - b->done;
	int64_t rate = passed > 0 ? (b->done - b->skipped) * 1000 / passed : 0;
	char text[160];
	int n;

	if (now - b->shown_ms < (b->terminal ? BAR_MS : LINE_MS))
		return;
	b->shown_ms = now;
	n = snprintf(text, sizeof text, "%lld", (long long)b->done);
	if (b->total)
		n += snprintf(text + n, sizeof text - (size_t)n, " of %lld", (long long)b->total);
	n += snprintf(text + n, sizeof text - (size_t)n, " %s, %lld a second", b->verb, (long long)rate);
	if (b->total && rate > 0)
		snprintf(text + n, sizeof text - (size_t)n, ", %lld:%02lld left", (long long)(left / rate / 60),
		    (long long)(left / rate % 60));
	if (b->terminal)
		bar_draw(b, text);
	else
		fprintf(stderr, "kith: %s\n", text);
	b->drawn = b->terminal;
}
