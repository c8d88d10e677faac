/* Arbitrary bytes to the text functions; results are compared with the inverse function or with a slower, obviously
 * correct one. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/json_check.h"
#include "server/base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_hold(bool holds)
{
	if (!holds)
		abort();
}

/* UTF-8 by decoding: the value of the sequence must need its length and be a scalar value. */
static size_t slow_span(const unsigned char *s, size_t len)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t at = 0;
	while (at < len) {
		size_t n = s[at] < 0x80         ? 1
		           : (s[at] >> 5) == 6  ? 2
		           : (s[at] >> 4) == 14 ? 3
		           : (s[at] >> 3) == 30 ? 4
		                                : 0;
		if (n == 0 || n > len - at)
			return at;
		uint32_t value = n == 1 ? s[at] : s[at] & (0x7fU >> n);
		for (size_t i = 1; i < n; i++) {
			if (s[at + i] >> 6 != 2)
				return at;
			value = value << 6 | (s[at + i] & 0x3f);
		}
		if (value < least[n] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
			return at;
		at += n;
	}
	return len;
}

static void check_runs(const char *text, size_t len)
{
	size_t span = text_utf8_span(text, len), run = json_plain_run(text, len), i = 0;
	must_hold(span == slow_span((const unsigned char *)text, len));
	must_hold(text_utf8_valid(text, len) == (span == len));
	must_hold(text_code_points(text, len) <= len);
	while (i < len && (unsigned char)text[i] >= 0x20 && text[i] != '"' && text[i] != '\\')
		i++;
	must_hold(run == i);
}

static void check_encodings(struct arena *a, const char *text, size_t len)
{
	struct buf b;
	size_t back_len;
	unsigned char *bytes = arena_alloc(a, len);
	buf_init(&b, 8 * len + 16);
	text_percent_encode(&b, text, len);
	char *back = text_percent_decode(a, b.data, b.len, true, &back_len);
	must_hold(back_len == len && memcmp(back, text, len) == 0);
	text_percent_decode(a, text, len, false, &back_len);
	must_hold(back_len <= len);
	buf_clear(&b);
	text_base64(&b, text, len);
	must_hold(b.len == (len + 2) / 3 * 4);
	buf_clear(&b);
	text_base64url(&b, text, len);
	must_hold(text_base64url_decode(b.data ? b.data : "", b.len, bytes, len, &back_len));
	must_hold(back_len == len && memcmp(bytes, text, len) == 0);
	buf_clear(&b);
	if (text_base64url_decode(text, len, bytes, len, &back_len)) {
		text_base64url(&b, bytes, back_len);
		must_hold(b.len == len && (len == 0 || memcmp(b.data, text, len) == 0));
	}
	buf_free(&b);
}

static void check_numbers(struct arena *a, const char *text, size_t len)
{
	uint64_t value;
	char *plain = text_decimal(a, text, len);
	if (plain) {
		size_t n = strlen(plain), at = plain[0] == '-';
		must_hold(n <= 402 && n > at && strspn(plain + at, "0123456789.") == n - at);
		must_hold(plain[at] != '0' || plain[at + 1] == '.' || strcmp(plain, "0") == 0);
		must_hold(!strchr(plain, '.') || (plain[n - 1] != '0' && plain[n - 1] != '.'));
		char *again = n <= 100 ? text_decimal(a, plain, n) : plain;
		must_hold(again && strcmp(again, plain) == 0);
	}
	if (text_uint(text, len, &value))
		must_hold(len > 0 && strspn(arena_dup(a, text, len), "0123456789") == len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	arena_init(&a);
	/* Never NULL, as from a caller. */
	const char *text = arena_dup(&a, (const char *)data, size);
	check_runs(text, size);
	check_encodings(&a, text, size);
	check_numbers(&a, text, size);
	arena_free(&a);
	return 0;
}
