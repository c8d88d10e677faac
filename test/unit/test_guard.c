/* Control characters never reach the terminal. */
#include <string.h>

#include "server/base/guard.h"
#include "test/lib/test.h"

static const struct {
	const char *in, *out;
} cases[] = {
    {"kith: a.csv\n\tline 2\n", "kith: a.csv\n\tline 2\n"},
    {"\x1b[2J\x1b]0;title\x07", "\\u001b[2J\\u001b]0;title\\u0007"},
    {"a\rb\bc\x7f", "a\\u000db\\u0008c\\u007f"},
    {"Zoë Ωμέγα 漢字 😀", "Zoë Ωμέγα 漢字 😀"},
    /* the same as ESC [ in one character, and as one byte */
    {"\xc2\x9b"
     "31m \x9b"
     "31m",
        "\\u009b31m \\u009b31m"},
    {"\xc2\xa0\xc2\xc2\x85", "\xc2\xa0\\u00c2\\u0085"},
    /* a character that is cut hides nothing */
    {"\xe6\xbc\x1b[0m \xf0\x9f\xc2\x9b", "\\u00e6\\u00bc\\u001b[0m \\u00f0\\u009f\\u009b"},
    {"\xff\xc0\x9b", "\\u00ff\\u00c0\\u009b"},
    /* longer forms of U+009B and ESC, which some decoders take; a surrogate; beyond the last character */
    {"\xe0\x82\x9b \xf0\x80\x82\x9b \xe0\x80\x9b",
        "\\u00e0\\u0082\\u009b \\u00f0\\u0080\\u0082\\u009b \\u00e0\\u0080\\u009b"},
    {"\xed\xa0\x80 \xf4\x90\x80\x80", "\\u00ed\\u00a0\\u0080 \\u00f4\\u0090\\u0080\\u0080"},
    {"\xef\xbf\xbd \xf4\x8f\xbf\xbf", "\xef\xbf\xbd \xf4\x8f\xbf\xbf"},
    /* the order in which the text is shown */
    {"a\xe2\x80\xaegnp.exe \xe2\x81\xa6\xe2\x81\xa9", "a\\u202egnp.exe \\u2066\\u2069"},
};

/* Whatever the pieces are in which a text comes. */
TEST(test_text)
{
	struct buf out;

	buf_init(&out, 4096);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t piece = 1; piece <= 8; piece++) {
			struct guard g = {.fd = -1};
			size_t len = strlen(cases[i].in);
			buf_clear(&out);
			for (size_t at = 0; at < len; at += piece)
				guard_text(&g, cases[i].in + at, len - at < piece ? len - at : piece, &out);
			buf_addc(&out, '\0');
			assert_string_equal(out.data, cases[i].out);
		}
	buf_free(&out);
}
