/* Bytes to text and back. No state. */
#include "server/base/text.h"

#include <ctype.h> /* no locale is ever set, so this is ASCII */
#include <string.h>

/* --- UTF-8 ---------------------------------------------------------------- */

static bool utf8_is_continuation(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* Returns the length of the sequence of two to four bytes at s, 0 when it is not valid (RFC 3629 section 4). */
static size_t utf8_sequence_len(const unsigned char *s, size_t left)
{
	unsigned char lead = s[0];

	if (lead >= 0xc2 && lead <= 0xdf)
		return left >= 2 && utf8_is_continuation(s[1]) ? 2 : 0;
	if ((lead & 0xf0) == 0xe0) {
		unsigned char least = lead == 0xe0 ? 0xa0 : 0x80, most = lead == 0xed ? 0x9f : 0xbf;
		return left >= 3 && s[1] >= least && s[1] <= most && utf8_is_continuation(s[2]) ? 3 : 0;
	}
	if (lead >= 0xf0 && lead <= 0xf4) {
		unsigned char least = lead == 0xf0 ? 0x90 : 0x80, most = lead == 0xf4 ? 0x8f : 0xbf;
		return left >= 4 && s[1] >= least && s[1] <= most && utf8_is_continuation(s[2]) &&
		               utf8_is_continuation(s[3])
		           ? 4
		           : 0;
	}
	return 0;
}

size_t text_utf8_span(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t i = 0;

	while (i < len) {
		uint64_t word;
		while (len - i >= sizeof word) {
			memcpy(&word, s + i, sizeof word);
			if (word & UINT64_C(0x8080808080808080))
				break;
			i += sizeof word;
		}
		while (i < len && s[i] < 0x80)
			i++;
		while (i < len && s[i] >= 0x80) {
			size_t step = utf8_sequence_len(s + i, len - i);
			if (step == 0)
				return i;
			i += step;
		}
	}
	return len;
}

bool text_utf8_valid(const char *text, size_t len)
{
	return text_utf8_span(text, len) == len;
}

size_t text_code_points(const char *text, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++)
		count += !utf8_is_continuation((unsigned char)text[i]);
	return count;
}

/* --- percent encoding ------------------------------------------------------ */

int text_hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void text_hex(char *out, const void *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *from = bytes;

	for (size_t i = 0; i < len; i++) {
		*out++ = digits[from[i] >> 4];
		*out++ = digits[from[i] & 15];
	}
	*out = '\0';
}

char *text_percent_decode(struct arena *a, const char *text, size_t len, bool plus, size_t *out_len)
{
	char *out = arena_alloc(a, len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		char c = text[i];
		if (c == '%' && len - i > 2 && text_hex_value(text[i + 1]) >= 0 && text_hex_value(text[i + 2]) >= 0) {
			c = (char)(text_hex_value(text[i + 1]) << 4 | text_hex_value(text[i + 2]));
			i += 2;
		} else if (c == '+' && plus) {
			c = ' ';
		}
		out[n++] = c;
	}
	*out_len = n;
	return out;
}

void text_percent_encode(struct buf *out, const char *text, size_t len)
{
	static const char hex[] = "0123456789ABCDEF";

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (isalnum(c) || (c && strchr("-._~", c)))
			buf_addc(out, text[i]);
		else
			buf_add(out, (char[]){'%', hex[c >> 4], hex[c & 15]}, 3);
	}
}

/* --- base64 ---------------------------------------------------------------- */

static const char standard_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char url_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static void text_encode_base64(struct buf *out, const unsigned char *bytes, size_t len, const char *digits, bool padded)
{
	for (size_t i = 0; i < len; i += 3) {
		size_t have = len - i < 3 ? len - i : 3;
		uint32_t group = (uint32_t)bytes[i] << 16;
		if (have > 1)
			group |= (uint32_t)bytes[i + 1] << 8;
		if (have > 2)
			group |= bytes[i + 2];
		char four[4] = {digits[group >> 18], digits[group >> 12 & 63], '=', '='};
		if (have > 1)
			four[2] = digits[group >> 6 & 63];
		if (have > 2)
			four[3] = digits[group & 63];
		buf_add(out, four, padded ? 4 : have + 1);
	}
}

void text_base64(struct buf *out, const void *bytes, size_t len)
{
	text_encode_base64(out, bytes, len, standard_digits, true);
}

void text_base64url(struct buf *out, const void *bytes, size_t len)
{
	text_encode_base64(out, bytes, len, url_digits, false);
}

bool text_base64url_decode(const char *text, size_t len, unsigned char *out, size_t cap, size_t *out_len)
{
	size_t need = len / 4 * 3 + (len % 4 ? len % 4 - 1 : 0), n = 0;
	uint32_t bits = 0;
	int count = 0;

	if (len % 4 == 1 || need > cap)
		return false;
	for (size_t i = 0; i < len; i++) {
		const char *digit = memchr(url_digits, text[i], 64);
		if (!digit)
			return false;
		bits = (bits << 6 | (uint32_t)(digit - url_digits)) & 0xffff;
		count += 6;
		if (count >= 8) {
			count -= 8;
			out[n++] = (unsigned char)(bits >> count);
		}
	}
	/* Left-over bits must be zero, so that each value has only one encoding. */
	if (bits & ((1U << count) - 1))
		return false;
	*out_len = n;
	return true;
}

/* --- numbers, names -------------------------------------------------------- */

enum { DECIMAL_TEXT_MAX = 100, DECIMAL_DIGITS_MAX = 400, EXPONENT_CAP = 100000 };

/* A parsed number: 0.d1d2…dn times ten to the power of point. d1 and dn are not 0. n is 0 for zero. */
struct decimal {
	bool negative;
	char digits[DECIMAL_TEXT_MAX];
	int n, point;
};

static size_t decimal_read_digits(struct decimal *d, const char *text, size_t len, size_t i)
{
	while (i < len && isdigit((unsigned char)text[i]))
		d->digits[d->n++] = text[i++];
	return i;
}

/* Reads an optional "e+5" at i. Returns the offset after it, 0 when it is malformed. */
static size_t decimal_read_exponent(const char *text, size_t len, size_t i, int *exponent)
{
	*exponent = 0;
	if (i >= len || (text[i] != 'e' && text[i] != 'E'))
		return i;
	bool negative = ++i < len && text[i] == '-';
	if (i < len && (text[i] == '-' || text[i] == '+'))
		i++;
	size_t first = i;
	for (; i < len && isdigit((unsigned char)text[i]); i++)
		if (*exponent < EXPONENT_CAP)
			*exponent = *exponent * 10 + (text[i] - '0');
	if (negative)
		*exponent = -*exponent;
	return i > first ? i : 0;
}

static bool text_read_decimal(struct decimal *d, const char *text, size_t len)
{
	size_t i = 0;
	int exponent;

	d->n = 0;
	d->negative = len && text[0] == '-';
	if (len && (text[0] == '-' || text[0] == '+'))
		i++;
	i = decimal_read_digits(d, text, len, i);
	if (d->n == 0)
		return false;
	d->point = d->n;
	if (i < len && text[i] == '.') {
		i = decimal_read_digits(d, text, len, i + 1);
		if (d->n == d->point)
			return false;
	}
	i = decimal_read_exponent(text, len, i, &exponent);
	if (i != len || len == 0)
		return false;
	int zeros = 0;
	while (zeros < d->n && d->digits[zeros] == '0')
		zeros++;
	memmove(d->digits, d->digits + zeros, (size_t)(d->n - zeros));
	d->n -= zeros;
	d->point += exponent - zeros;
	while (d->n && d->digits[d->n - 1] == '0')
		d->n--;
	return true;
}

char *text_decimal(struct arena *a, const char *text, size_t len)
{
	struct decimal d;

	if (len > DECIMAL_TEXT_MAX || !text_read_decimal(&d, text, len))
		return NULL;
	if (d.n == 0)
		return arena_dup(a, "0", 1);
	int whole = d.point > 0 ? d.point : 1, fraction = d.n > d.point ? d.n - d.point : 0;
	if (whole + fraction > DECIMAL_DIGITS_MAX)
		return NULL;
	char *out = arena_alloc(a, (size_t)(whole + fraction) + 3), *p = out;
	if (d.negative)
		*p++ = '-';
	for (int at = d.point > 0 ? 0 : d.point - 1; at < d.point || at < d.n; at++) {
		if (at == d.point)
			*p++ = '.';
		*p++ = at >= 0 && at < d.n ? d.digits[at] : '0';
	}
	return out;
}

bool text_uint(const char *text, size_t len, uint64_t *out)
{
	uint64_t value = 0;

	if (len == 0)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!isdigit((unsigned char)text[i]) || value > UINT64_MAX / 10)
			return false;
		value *= 10;
		unsigned digit = (unsigned)(text[i] - '0');
		if (value > UINT64_MAX - digit)
			return false;
		value += digit;
	}
	*out = value;
	return true;
}

char text_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}
