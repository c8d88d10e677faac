/*
 * The validating pass over JSON text that json_read() makes before yajl sees
 * it: RFC 8259 to the letter, UTF-8 by RFC 3629, paired surrogates, bounded
 * depth. Whether keys repeat is for the reader to find, after unescaping.
 */
#ifndef KITH_BASE_JSON_CHECK_H
#define KITH_BASE_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A pass under way. */
struct json_check {
	const char *text;
	size_t len;
	size_t valid;     /* so many bytes at the front are UTF-8 */
	size_t at;        /* and so many are JSON */
	uint64_t objects; /* bit of a level: it is an object */
	unsigned depth;
	size_t token_max;    /* bytes of a string or number, as they are written */
	bool ended;          /* the outermost value has */
	bool too_long;       /* the problem is token_max */
	const char *problem; /* static; NULL while all is well; at tells where */
};

void json_check_begin(struct json_check *c, const char *text, size_t len);
/* Goes on for that many bytes, and to the end of a value or name. True when it is through: c->problem says how. */
bool json_check_some(struct json_check *c, size_t bytes);
/* Answers NULL when text is exactly one JSON value, else what is wrong (static text) and its byte offset. */
const char *json_check(const char *text, size_t len, size_t *offset);

/* The bytes at the front that a JSON string holds unescaped: before a quote, a backslash or a control character. */
static inline size_t json_plain_run(const char *text, size_t len);

/* The high bits of bytes that are a quote, a backslash or a control character. Bytes equal to x are zero after the
 * xor; a zero (or small) byte borrows into its high bit. A borrow may mark a byte above one that is truly marked, so
 * only the lowest mark is to be trusted. */
static inline uint64_t json_marks(const char *text)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word;
	memcpy(&word, text, sizeof(word));
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
		/* The last bytes together with some before them, which are known to be plain. */
		found = json_marks(text + len - 8);
		return found ? len - 8 + (size_t)__builtin_ctzll(found) / 8 : len;
	}
	while (i < len && (unsigned char)text[i] >= 0x20 && text[i] != '"' && text[i] != '\\')
		i++;
	return i;
}

#endif
