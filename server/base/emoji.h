/* Emoji: whether a text is a single emoji as displayed. */
#ifndef KITH_SERVER_BASE_EMOJI_H
#define KITH_SERVER_BASE_EMOJI_H

#include <stdbool.h>
#include <stddef.h>

/* True when the text is exactly one emoji (Unicode Technical Standard #51). That is: one character with or without the
 * emoji variation selector U+FE0F or a skin tone; a keycap (0-9 # *); a flag of two regional indicators; a flag made of
 * tags (England); or several joined with U+200D (a family). It does not check which pairs and sequences fonts support.
 * It covers Unicode 14 and the ranges reserved for later emoji. The text variation selector U+FE0E, a single digit and
 * a single regional indicator do not count. text must be valid UTF-8. */
bool emoji_is_one(const char *text, size_t len);

#endif
