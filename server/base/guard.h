/* What commands print for people: control characters, which may come from a file or a server, are shown and never
 * reach the terminal, where they could hide text, change its title or put words into the user's input. */
#ifndef KITH_SERVER_BASE_GUARD_H
#define KITH_SERVER_BASE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/buf.h"

/* The state between two pieces of a text. */
struct guard {
	int fd;
	unsigned len;          /* of what is held */
	unsigned char held[4]; /* a character, the rest of which is still to come */
};

/* Appends the text: control characters but line ends and tabs, those that turn the direction of writing, and bytes that
 * are not UTF-8, become "\u001b". In a JSON string that means the same character. */
void guard_text(struct guard *g, const char *text, size_t len, struct buf *out);

/* From now on stderr is guarded, and stdout, unless it is data that goes to a file or a pipe. A program's own control
 * characters are written to the descriptor. */
void guard_streams(bool data);

#endif
