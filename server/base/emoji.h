/* Emoji: whether a text is one, as people see one on the screen. */
#ifndef KITH_BASE_EMOJI_H
#define KITH_BASE_EMOJI_H

#include <stdbool.h>
#include <stddef.h>

/*
 * True when the text is exactly one emoji (Unicode Technical Standard #51):
 * one character with or without the emoji variation selector U+FE0F, with a
 * skin tone, a keycap (0-9 # *), a flag of two regional indicators, a flag
 * made of tags (England), or several joined with U+200D (a family). Which
 * pairs and joins some font really draws is not asked. Characters are those of
 * Unicode 14 and the places that later versions fill with further emoji.
 * The text variation selector U+FE0E, a lone digit and a lone regional
 * indicator make none. text is valid UTF-8.
 */
bool emoji_is_one(const char *text, size_t len);

#endif
