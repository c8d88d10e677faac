/* The pass that validates JSON text before yajl: strict RFC 8259, UTF-8 by RFC 3629, paired surrogates, bounded depth.
 * Duplicate keys are found later, after unescaping. */
#ifndef KITH_SERVER_BASE_JSON_CHECK_H
#define KITH_SERVER_BASE_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A pass in progress. */
struct json_check {
	const char *text;
	size_t len;
	size_t valid;     /* length of the prefix that is checked as UTF-8 */
	size_t at;        /* length of the prefix that is checked as JSON */
	uint64_t objects; /* one bit per level: the level is an object */
	unsigned depth;
	size_t token_max;    /* largest number of bytes of a string or number as sent */
	bool ended;          /* the outermost value is complete */
	bool too_long;       /* the problem is token_max */
	const char *problem; /* static text; NULL while there is no problem; at is its offset */
};

void json_check_begin(struct json_check *c, const char *text, size_t len);
/* Checks about this many more bytes, to the end of a value or name. True when finished; c->problem has the result. */
bool json_check_some(struct json_check *c, size_t bytes);

/* Returns the length of the prefix that needs no escape in a JSON string: up to a quote, a backslash or a control
 * character. */
static inline size_t json_plain_run(const char *text, size_t len);

/* Sets the high bit of each byte that is a quote, a backslash or a control character. A byte equal to x is zero after
 * the xor, and a zero (or small) byte borrows into its high bit. A borrow may also mark the byte above, so only the
 * lowest mark is reliable. */
static inline uint64_t json_marks(const char *text)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word;

	memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word); /* the first byte is the lowest */
#endif
	uint64_t quote = word ^ ones * '"', slash = word ^ ones * '\\';
	uint64_t found = ((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((word - ones * 0x20) & ~word);
	return found & ones << 7;
}

static inline size_t json_plain_run(const char *text, size_t len)
{
	size_t i = 0;

	if (len >= 8) {
		uint64_t found;
		for (; len - i >= 8; i += 8) {
			found = json_marks(text + i);
			if (found)
				return i + (size_t)__builtin_ctzll(found) / 8;
		}
		/* The last bytes, overlapping some that are known to be plain. */
		found = json_marks(text + len - 8);
		return found ? len - 8 + (size_t)__builtin_ctzll(found) / 8 : len;
	}
	while (i < len && (unsigned char)text[i] >= 0x20 && text[i] != '"' && text[i] != '\\')
		i++;
	return i;
}

#endif
