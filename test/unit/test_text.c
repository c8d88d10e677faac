/* Text functions against tables; UTF-8 against every relevant sequence of up to four bytes. */
#include <stdlib.h>
#include <string.h>

#include "server/base/digits.h"
#include "server/base/text.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* --- UTF-8 ------------------------------------------------------------------- */

static size_t encode_utf8(uint32_t c, char *out)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
	for (size_t i = n; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(lead[n] | c);
	return n;
}

TEST(every_code_point_is_valid_but_surrogates)
{
	char text[4];

	for (uint32_t c = 0; c < 0x140000; c++) {
		size_t len = encode_utf8(c, text);
		bool expected = c < 0x110000 && (c < 0xd800 || c > 0xdfff);
		if (text_utf8_valid(text, len) != expected)
			fail_msg("U+%04X", c);
		for (size_t cut = 1; cut < len; cut++) /* a part of it never is */
			if (text_utf8_valid(text, cut) || text_utf8_valid(text + cut, len - cut))
				fail_msg("part of U+%04X", c);
	}
}

TEST(refuses_invalid_utf8)
{
	static const struct {
		const char *bytes;
		size_t span;
	} cases[] = {
	    {"\x80", 0},
	    {"\xbf", 0},
	    {"abc\xff", 3},
	    {"abc\xfe"
	     "def",
	        3},
	    {"\xc0\x80", 0}, /* longer than needed */
	    {"\xc0\xaf", 0},
	    {"\xc1\xbf", 0},
	    {"\xe0\x80\xaf", 0},
	    {"\xe0\x9f\xbf", 0},
	    {"\xf0\x80\x80\xaf", 0},
	    {"\xf0\x8f\xbf\xbf", 0},
	    {"\xf8\x88\x80\x80\x80", 0}, /* five and six bytes */
	    {"\xfc\x84\x80\x80\x80\x80", 0},
	    {"\xed\xa0\x80", 0}, /* surrogates, also as a pair */
	    {"\xed\xbf\xbf", 0},
	    {"\xed\xa0\xbd\xed\xb8\x80", 0},
	    {"\xf4\x90\x80\x80", 0}, /* above U+10FFFF */
	    {"\xf5\x80\x80\x80", 0},
	    {"\xc3", 0}, /* cut short */
	    {"\xe2\x82", 0},
	    {"\xf0\x9f\x98", 0},
	    {"\xc3\x28", 0},
	    {"\xe2\x28\xa1", 0},
	    {"\xe2\x82\x28", 0},
	    {"\xf0\x28\x8c\xbc", 0},
	    {"\xf0\x90\x28\xbc", 0},
	    {"\xf0\x90\x8c\x28", 0},
	    {"\xc3\xa9\xa9", 2},
	    {"12345678\xc3\xa9"
	     "12345678\xc3",
	        18},
	    {"1234567\xe2\x82\xac"
	     "\xe2\x82",
	        10},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t len = strlen(cases[i].bytes);
		/* At every alignment, in a block of its own so that overreads are reported. */
		for (size_t shift = 0; shift < 17; shift++) {
			char *text = malloc(shift + len);
			memset(text, 'x', shift);
			memcpy(text + shift, cases[i].bytes, len);
			if (text_utf8_valid(text, shift + len) ||
			    text_utf8_span(text, shift + len) != shift + cases[i].span)
				fail_msg("case %zu shifted by %zu", i, shift);
			free(text);
		}
	}
	assert_true(text_utf8_valid("", 0));
	assert_true(text_utf8_valid("a\0b", 3));
}

TEST(counts_code_points)
{
	static const struct {
		const char *text;
		size_t count;
	} cases[] = {
	    {"", 0},
	    {"abc", 3},
	    {"h\xc3\xa9", 2},
	    {"\xe2\x82\xac", 1},
	    {"\xf0\x9f\x98\x80x", 2},
	    {"e\xcc\x81", 2},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(text_code_points(cases[i].text, strlen(cases[i].text)), cases[i].count);
}

/* --- encodings ----------------------------------------------------------------- */

TEST(decodes_percent)
{
	static const struct {
		const char *in, *out;
		bool plus;
	} cases[] = {
	    {"", "", true},
	    {"a+b", "a b", true},
	    {"a+b", "a+b", false},
	    {"%41%42", "AB", false},
	    {"%c3%A9", "\xc3\xa9", false},
	    {"%2B%2b+", "++ ", true},
	    {"100%", "100%", true},
	    {"%", "%", true},
	    {"%4", "%4", true},
	    {"%4g", "%4g", true},
	    {"%g4", "%g4", true},
	    {"%%41", "%A", true},
	    {"%2541", "%41", true},
	    {"%41%", "A%", true},
	};
	size_t len;

	for (size_t i = 0; i < COUNT(cases); i++) {
		char *out = text_percent_decode(&a, cases[i].in, strlen(cases[i].in), cases[i].plus, &len);
		assert_string_equal(out, cases[i].out);
		assert_int_equal(len, strlen(cases[i].out));
	}
	char *out = text_percent_decode(&a, "a%00b", 5, false, &len);
	assert_int_equal(len, 3);
	assert_memory_equal(out, "a\0b", 4);
}

TEST(percent_there_and_back)
{
	char all[256];
	struct buf b;
	size_t len;

	buf_init(&b, 10000);
	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	text_percent_encode(&b, all, 256);
	for (size_t i = 0; i < b.len; i++)
		assert_true(strchr("%-._~", b.data[i]) || (b.data[i] >= '0' && b.data[i] <= '9') ||
		            (b.data[i] >= 'A' && b.data[i] <= 'Z') || (b.data[i] >= 'a' && b.data[i] <= 'z'));
	char *back = text_percent_decode(&a, b.data, b.len, true, &len);
	assert_int_equal(len, 256);
	assert_memory_equal(back, all, 256);
	buf_clear(&b);
	text_percent_encode(&b, "aZ09-._~ /?&=+%\xc3\xa9", 17);
	assert_string_equal(b.data, "aZ09-._~%20%2F%3F%26%3D%2B%25%C3%A9");
	buf_free(&b);
}

TEST(test_base64)
{
	static const struct {
		const char *in, *padded, *url;
	} cases[] = {
	    /* RFC 4648 section 10 */
	    {"", "", ""},
	    {"f", "Zg==", "Zg"},
	    {"fo", "Zm8=", "Zm8"},
	    {"foo", "Zm9v", "Zm9v"},
	    {"foob", "Zm9vYg==", "Zm9vYg"},
	    {"fooba", "Zm9vYmE=", "Zm9vYmE"},
	    {"foobar", "Zm9vYmFy", "Zm9vYmFy"},
	    {"\xfb\xff\xfe", "+//+", "-__-"},
	};
	unsigned char back[16];
	struct buf b;
	size_t len;

	buf_init(&b, 1000);
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t in_len = strlen(cases[i].in);
		buf_clear(&b);
		text_base64(&b, cases[i].in, in_len);
		assert_string_equal(b.data ? b.data : "", cases[i].padded);
		buf_clear(&b);
		text_base64url(&b, cases[i].in, in_len);
		assert_string_equal(b.data ? b.data : "", cases[i].url);
		assert_true(text_base64url_decode(cases[i].url, strlen(cases[i].url), back, in_len, &len));
		assert_int_equal(len, in_len);
		assert_memory_equal(back, cases[i].in, len);
		if (in_len)
			assert_false(text_base64url_decode(cases[i].url, strlen(cases[i].url), back, in_len - 1, &len));
	}
	buf_free(&b);
}

TEST(base64url_refuses)
{
	static const char *const bad[] = {
	    "Z", "Zm9vY", "Zg==", "Zm8=", "+//+", "Zm 9v", "Zm9v\n", "Zm9\xc3", "Zh", "Zm9=", "Zm9", "----Z", ".AAA"};
	unsigned char out[16];
	size_t len;

	for (size_t i = 0; i < COUNT(bad); i++)
		if (text_base64url_decode(bad[i], strlen(bad[i]), out, sizeof(out), &len))
			fail_msg("%s", bad[i]);
	assert_false(text_base64url_decode("AA\0A", 4, out, sizeof(out), &len));
}

/* --- numbers, names --------------------------------------------------------------- */

TEST(writes_plain_decimals)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
	    {"0", "0"},
	    {"-0", "0"},
	    {"+0", "0"},
	    {"0.0", "0"},
	    {"-0.000", "0"},
	    {"0e5", "0"},
	    {"0e99999999999999999999", "0"},
	    {"000", "0"},
	    {"1", "1"},
	    {"+1", "1"},
	    {"-1", "-1"},
	    {"007", "7"},
	    {"-007.50", "-7.5"},
	    {"10", "10"},
	    {"1.0", "1"},
	    {"1.50", "1.5"},
	    {"100", "100"},
	    {"100.00", "100"},
	    {"0.5", "0.5"},
	    {"0.05", "0.05"},
	    {"00.050", "0.05"},
	    {"1e2", "100"},
	    {"1E2", "100"},
	    {"1e+2", "100"},
	    {"1e-2", "0.01"},
	    {"1.5e1", "15"},
	    {"1.5e0", "1.5"},
	    {"15e-1", "1.5"},
	    {"123.456e2", "12345.6"},
	    {"123.456e-4", "0.0123456"},
	    {"0.001e3", "1"},
	    {"100e-2", "1"},
	    {"1200e-1", "120"},
	    {"99999999999999999999999999", "99999999999999999999999999"},
	    {"0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"},
	    {"", NULL},
	    {"-", NULL},
	    {"+", NULL},
	    {".", NULL},
	    {".5", NULL},
	    {"5.", NULL},
	    {"-.5", NULL},
	    {"1.e5", NULL},
	    {"1e", NULL},
	    {"1e+", NULL},
	    {"e5", NULL},
	    {"1e5.5", NULL},
	    {"1.2.3", NULL},
	    {"--1", NULL},
	    {"+-1", NULL},
	    {"1 ", NULL},
	    {" 1", NULL},
	    {"1,000", NULL},
	    {"1_000", NULL},
	    {"0x10", NULL},
	    {"NaN", NULL},
	    {"inf", NULL},
	    {"1e401", NULL},
	    {"1e400", NULL},
	    {"1e99999999999999999999", NULL},
	    {"1e-99999999999999999999", NULL},
	    {"1e-400", NULL},
	    {"\xd9\xa1", NULL},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char *out = text_decimal(&a, cases[i].in, strlen(cases[i].in));
		if (!cases[i].out != !out || (out && strcmp(out, cases[i].out) != 0))
			fail_msg(
			    "%s reads %s, not %s", cases[i].in, out ? out : "-", cases[i].out ? cases[i].out : "-");
		char *again = out ? text_decimal(&a, out, strlen(out)) : NULL;
		if (again)
			assert_string_equal(again, out);
	}
}

TEST(bounds_decimals)
{
	char text[102];

	memset(text, '9', sizeof(text));
	assert_non_null(text_decimal(&a, text, 100));
	assert_null(text_decimal(&a, text, 101));
	char *most = text_decimal(&a, "1e399", 5), *least = text_decimal(&a, "-1e-399", 7);
	assert_int_equal(strlen(most), 400);
	assert_int_equal(strlen(least), 1 + 400 + 1); /* sign, digits, point */
	assert_null(text_decimal(&a, "12e399", 6));
	assert_null(text_decimal(&a, "1.2e-399", 8));
	assert_null(text_decimal(&a, "1\0", 2));
}

TEST(reads_whole_numbers)
{
	static const struct {
		const char *text;
		bool good;
		uint64_t value;
	} cases[] = {
	    {"0", true, 0},
	    {"7", true, 7},
	    {"0042", true, 42},
	    {"18446744073709551615", true, UINT64_MAX},
	    {"000000000000000000000000000001", true, 1},
	    {"18446744073709551616", false, 0},
	    {"18446744073709551620", false, 0},
	    {"99999999999999999999", false, 0},
	    {"184467440737095516150", false, 0},
	    {"", false, 0},
	    {"-1", false, 0},
	    {"+1", false, 0},
	    {" 1", false, 0},
	    {"1 ", false, 0},
	    {"1.0", false, 0},
	    {"0x1", false, 0},
	    {"1e3", false, 0},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t value = 0;
		if (text_uint(cases[i].text, strlen(cases[i].text), &value) != cases[i].good || value != cases[i].value)
			fail_msg("%s", cases[i].text);
	}
}

TEST(writes_whole_numbers)
{
	static const struct {
		uint64_t number;
		const char *text;
	} cases[] = {{0, "0"}, {7, "7"}, {10, "10"}, {1234567890, "1234567890"}, {UINT64_MAX, "18446744073709551615"}};
	char text[DIGITS_MAX + 1];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		*digits_uint(text, cases[i].number) = '\0';
		assert_string_equal(text, cases[i].text);
	}
}
