/* The progress of a long command: a bar on a terminal, else a line every ten seconds. */
#ifndef KITH_TRANSFER_BAR_H
#define KITH_TRANSFER_BAR_H

#include <stdbool.h>
#include <stdint.h>

struct bar {
	const char *verb;      /* "imported" */
	int64_t total;         /* 0: not known */
	int64_t done, skipped; /* skipped: done by an earlier part, not counted in the rate */
	int64_t began_ms, shown_ms;
	bool terminal, drawn;
};

void bar_begin(struct bar *b, const char *verb, int64_t total);
/* Shows the bar if it is time for an update. */
void bar_show(struct bar *b);
/* Removes it from the terminal, so that a message can be printed. */
void bar_hide(struct bar *b);

#endif
