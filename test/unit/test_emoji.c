/* What counts as one emoji. */
#include <string.h>

#include "server/base/emoji.h"
#include "test/lib/test.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *const ones[] = {
    "\U0001F600", /* a face */
    "\u2764",
    "\u2764\ufe0f", /* a heart, as text by default and in emoji style */
    "\u00a9\ufe0f",
    "\u2122",
    "\u3299\ufe0f", /* signs */
    "\u23f0",
    "\u2615", /* alarm clock, hot drink */
    "\U0001F44B\U0001F3FD",
    "\U0001F3FB", /* a hand with a skin tone, a skin tone by itself */
    "\u270c\ufe0f",
    "\u270c\U0001F3FF", /* victory hand, styled and toned */
    "1\ufe0f\u20e3",
    "#\ufe0f\u20e3",
    "*\u20e3", /* keycaps, also without the selector */
    "\U0001F1E9\U0001F1EA",
    "\U0001F1FA\U0001F1F3",                                                   /* flags of two letters */
    "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", /* England */
    "\U0001F468\u200d\U0001F469\u200d\U0001F467\u200d\U0001F466",             /* a family */
    "\U0001F469\U0001F3FE\u200d\U0001F4BB",                                   /* a programmer with a skin tone */
    "\U0001F3F3\ufe0f\u200d\U0001F308",
    "\U0001F3F4\u200d\u2620\ufe0f",                                                     /* rainbow and pirate flag */
    "\U0001F441\ufe0f\u200d\U0001F5E8\ufe0f",                                           /* eye in a speech bubble */
    "\U0001F9D1\U0001F3FB\u200d\u2764\ufe0f\u200d\U0001F48B\u200d\U0001F9D1\U0001F3FF", /* ten code points, one kiss */
    "\U0001FAE8",
    "\U0001FAE9",
    "\U0001F6DC", /* newer than the table */
    "\U0001F004",
    "\U0001F0CF",
};

static const char *const others[] = {
    "",
    "a",
    "ab",
    "1",
    "#",
    "*",
    "call",
    " ",
    "\u00e9",
    "\u4e2d",
    "\u20e3",
    "\ufe0f",
    "\u200d",
    "\U0001F600\U0001F600", /* two */
    "\U0001F600 ",
    " \U0001F600", /* and a blank */
    "\U0001F600a",
    "a\U0001F600",
    "\U0001F1E9",                     /* half a flag */
    "\U0001F1E9\U0001F1EA\U0001F1EB", /* and a half */
    "\U0001F1E9\U0001F600",
    "\u2764\ufe0e", /* a heart in text style */
    "\u2764\ufe0f\ufe0f",
    "\U0001F44B\U0001F3FD\U0001F3FD",
    "\U0001F468\u200d",
    "\u200d\U0001F468",
    "\U0001F468\u200d\u200d\U0001F469",
    "\U0001F468\u200da",
    "1\ufe0f",
    "12\u20e3",
    "1\u20e3\u20e3",
    "a\u20e3",
    "\U0001F3F4\U000E0067\U000E0062",
    "\U0001F3F4\U000E007F",
    "\U000E0067\U000E007F", /* tags without end, without start */
    "\U0001F000",
    "\U0001F02C", /* tiles that are not emoji */
    "\u2190",
    "\u2612",
};

TEST(one_emoji)
{
	for (size_t i = 0; i < COUNT(ones); i++)
		if (!emoji_is_one(ones[i], strlen(ones[i])))
			fail_msg("case %zu is one: %s", i, ones[i]);
}

TEST(anything_else)
{
	for (size_t i = 0; i < COUNT(others); i++)
		if (emoji_is_one(others[i], strlen(others[i])))
			fail_msg("case %zu is not an emoji: %s", i, others[i]);
}

/* The length counts, not a NUL, and nothing after it is read. */
TEST(by_length)
{
	assert_false(emoji_is_one("\U0001F600\0", 5));
	assert_false(emoji_is_one("\0", 1));
	assert_true(emoji_is_one("\U0001F600\U0001F600", 4));
	assert_false(emoji_is_one("\U0001F600", 3));
}
