/* Guards what commands print for people. Control characters, which may come from a file or a server, are shown as text
 * and never reach the terminal. There they could hide text, change its title or put words into the user's input. */
#ifndef KITH_SERVER_BASE_GUARD_H
#define KITH_SERVER_BASE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/buf.h"

/* The state between two pieces of a text. */
struct guard {
	int fd;
	unsigned len;          /* bytes that are held */
	unsigned char held[4]; /* the beginning of a character whose rest has not come yet */
};

/* Appends the text. Control characters except line ends and tabs, characters that change the direction of writing, and
 * bytes that are not UTF-8 become "\u001b". In a JSON string that means the same character. */
void guard_text(struct guard *g, const char *text, size_t len, struct buf *out);

/* Guards stderr from now on. It guards stdout too, unless stdout is data that goes to a file or a pipe. The program
 * writes its own control characters directly to the descriptor. */
void guard_streams(bool data);

#endif
