/* UTF-8, percent encoding, base62, base64, number texts. Pure functions. */
#ifndef KITH_SERVER_BASE_TEXT_H
#define KITH_SERVER_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"

/* True when the bytes are UTF-8 by RFC 3629: shortest forms, no surrogates, at most U+10FFFF. */
bool text_utf8_valid(const char *text, size_t len);

/* The length of the longest prefix that is valid UTF-8. */
size_t text_utf8_span(const char *text, size_t len);

/* Unicode code points in valid UTF-8. */
size_t text_code_points(const char *text, size_t len);

/* Returns the value of a hexadecimal digit in any case; -1: it is not a digit. */
int text_hex_value(char c);

/* Writes two lower-case digits per byte, and a NUL: out has 2 * len + 1 bytes. */
void text_hex(char *out, const void *bytes, size_t len);

/* Decodes percent encoding (RFC 3986). plus turns '+' into a space, for query strings. A '%' without two hex digits is
 * kept. Returns text in the arena and its length; it may contain any byte, NUL included. */
char *text_percent_decode(struct arena *a, const char *text, size_t len, bool plus, size_t *out_len);

/* Appends the text, with everything except unreserved characters percent-encoded. */
void text_percent_encode(struct buf *out, const char *text, size_t len);

/* Base64 (RFC 4648 section 4) and base64url without padding (section 5). */
void text_base64(struct buf *out, const void *bytes, size_t len);
void text_base64url(struct buf *out, const void *bytes, size_t len);
/* Decodes base64url without padding. False on any other character or length. cap is the size of out. */
bool text_base64url_decode(const char *text, size_t len, unsigned char *out, size_t cap, size_t *out_len);

/* Normalises a number with sign, digits, fraction and exponent: a JSON number, or the same as a string. Returns plain
 * decimal without leading or trailing zeros ("-0" is "0"), in the arena. NULL when it is not a number, has over 100
 * characters, or would need more than 400 digits. */
char *text_decimal(struct arena *a, const char *text, size_t len);

/* Parses a decimal integer without sign or blanks. False when it is not one or does not fit. */
bool text_uint(const char *text, size_t len, uint64_t *out);

/* Lower-cases ASCII letters; other characters are unchanged. */
char text_lower(char c);

#endif
