/* The grammar of JSON as a loop with one bit of state per level. Decodes nothing. */
#include "server/base/json_check.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "server/base/json.h"
#include "server/base/text.h"

_Static_assert(JSON_DEPTH_MAX < 64, "one bit a level");

static bool fail(struct json_check *c, const char *problem)
{
	c->problem = problem;
	return false;
}

/* Checks the length of a token that began at begin and ends here. */
static bool check_length(struct json_check *c, size_t begin)
{
	c->too_long = c->at - begin > c->token_max;
	return !c->too_long || fail(c, "a string or number is too long");
}

/* The next byte, or NUL at the end; no caller accepts a NUL in the text. */
static char peek(const struct json_check *c)
{
	return c->at < c->len ? c->text[c->at] : '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline void skip_space(struct json_check *c)
{
	while (c->at < c->len) {
		char ch = c->text[c->at];
		if (ch != ' ' && ch != '\n' && ch != '\r' && ch != '\t')
			return;
		c->at++;
	}
}

/* The code unit of "\uXXXX" at offset at, -1 when there is none. */
static int code_unit(const struct json_check *c, size_t at)
{
	int value = 0;
	if (c->len - at < 6 || c->text[at] != '\\' || c->text[at + 1] != 'u')
		return -1;
	for (size_t i = at + 2; i < at + 6; i++) {
		char ch = c->text[i];
		int digit;
		if (is_digit(ch))
			digit = ch - '0';
		else if ((ch >= 'a' && ch <= 'f') || (ch >= 'A' && ch <= 'F'))
			digit = (ch | 0x20) - 'a' + 10;
		else
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

/* c->at is at a backslash. */
static bool check_escape(struct json_check *c)
{
	if (c->len - c->at < 2)
		return fail(c, "a string without its end");
	char kind = c->text[c->at + 1];
	if (kind != 'u') {
		if (!kind || !strchr("\"\\/bfnrt", kind))
			return fail(c, "an unknown escape");
		c->at += 2;
		return true;
	}
	int unit = code_unit(c, c->at);
	if (unit < 0)
		return fail(c, "\\u without four hexadecimal digits");
	if (unit >= 0xdc00 && unit <= 0xdfff)
		return fail(c, "a lone low surrogate");
	if (unit >= 0xd800 && unit <= 0xdbff) {
		int low = code_unit(c, c->at + 6);
		if (low < 0xdc00 || low > 0xdfff)
			return fail(c, "a lone high surrogate");
		c->at += 6;
	}
	c->at += 6;
	return true;
}

/* c->at is at the opening quote. */
static bool check_string(struct json_check *c)
{
	size_t begin = c->at++;
	for (;;) {
		c->at += json_plain_run(c->text + c->at, c->len - c->at);
		if (c->at == c->len)
			return fail(c, "a string without its end");
		char ch = c->text[c->at];
		if (ch == '"') {
			c->at++;
			return check_length(c, begin);
		}
		if (ch != '\\')
			return fail(c, "a control character in a string");
		if (!check_escape(c))
			return false;
	}
}

static bool check_digits(struct json_check *c)
{
	if (!is_digit(peek(c)))
		return fail(c, "a number without a digit");
	while (is_digit(peek(c)))
		c->at++;
	return true;
}

static bool check_number(struct json_check *c)
{
	size_t begin = c->at;
	if (peek(c) == '-')
		c->at++;
	if (peek(c) == '0') {
		c->at++;
		if (is_digit(peek(c)))
			return fail(c, "a number with a leading zero");
	} else if (!check_digits(c)) {
		return false;
	}
	if (peek(c) == '.') {
		c->at++;
		if (!check_digits(c))
			return false;
	}
	if (peek(c) == 'e' || peek(c) == 'E') {
		c->at++;
		if (peek(c) == '+' || peek(c) == '-')
			c->at++;
		if (!check_digits(c))
			return false;
	}
	return check_length(c, begin);
}

static bool check_word(struct json_check *c, const char *word, size_t word_len)
{
	if (c->len - c->at < word_len || memcmp(c->text + c->at, word, word_len) != 0)
		return fail(c, "an unknown word");
	c->at += word_len;
	return true;
}

/* c->at is at '{' or '['. */
static bool check_open(struct json_check *c, bool object)
{
	if (c->depth == JSON_DEPTH_MAX)
		return fail(c, "nested too deep");
	uint64_t bit = UINT64_C(1) << c->depth++;
	c->objects = object ? c->objects | bit : c->objects & ~bit;
	c->at++;
	return true;
}

static bool in_object(const struct json_check *c)
{
	return c->depth && (c->objects >> (c->depth - 1) & 1);
}

/* A member's name and its colon. */
static bool check_key(struct json_check *c)
{
	if (peek(c) != '"')
		return fail(c, "expected the name of a member");
	if (!check_string(c))
		return false;
	skip_space(c);
	if (peek(c) != ':')
		return fail(c, "expected a colon");
	c->at++;
	skip_space(c);
	return true;
}

/* A scalar, or the beginning of an array or object; *opened tells which. */
static bool check_value(struct json_check *c, bool *opened)
{
	*opened = false;
	switch (peek(c)) {
	case '{':
	case '[':
		*opened = true;
		return check_open(c, peek(c) == '{');
	case '"':
		return check_string(c);
	case 't':
		return check_word(c, "true", 4);
	case 'f':
		return check_word(c, "false", 5);
	case 'n':
		return check_word(c, "null", 4);
	default:
		if (peek(c) == '-' || is_digit(peek(c)))
			return check_number(c);
		return fail(c, c->at == c->len ? "the text ends too early" : "expected a value");
	}
}

/* After a complete value: closes levels, then moves to the next value. */
static bool check_behind(struct json_check *c)
{
	for (;;) {
		if (c->depth == 0) {
			c->ended = true;
			return true;
		}
		skip_space(c);
		char ch = peek(c);
		if (ch == ',') {
			c->at++;
			skip_space(c);
			return !in_object(c) || check_key(c);
		}
		if (ch != (in_object(c) ? '}' : ']'))
			return fail(c, in_object(c) ? "expected a comma or }" : "expected a comma or ]");
		c->at++;
		c->depth--;
	}
}

/* One value or opening bracket, and the separators before the next value. */
static bool check_next(struct json_check *c)
{
	bool opened;
	if (!check_value(c, &opened))
		return false;
	skip_space(c);
	if (opened && peek(c) != (in_object(c) ? '}' : ']'))
		return !in_object(c) || check_key(c);
	return check_behind(c);
}

static bool continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Checks that the next bytes, up to a character boundary, are UTF-8. */
static bool check_characters(struct json_check *c, size_t bytes)
{
	const char *text = c->text + c->valid;
	size_t n = c->len - c->valid;
	if (bytes < n)
		for (size_t most = n, end = bytes + 4; bytes < most && bytes < end && continues(text[bytes]);)
			bytes++;
	if (bytes < n)
		n = bytes;
	size_t span = text_utf8_span(text, n);
	c->valid += span;
	if (span == n)
		return true;
	c->at = c->valid;
	return fail(c, "not UTF-8");
}

void json_check_begin(struct json_check *c, const char *text, size_t len)
{
	*c = (struct json_check){.text = text, .len = len, .token_max = SIZE_MAX};
}

bool json_check_some(struct json_check *c, size_t bytes)
{
	if (c->problem)
		return true;
	if (c->valid < c->len) {
		if (!check_characters(c, bytes))
			return true;
		if (c->valid < c->len || bytes < c->len)
			return false;
	}
	if (c->at == 0) {
		if (c->len >= 3 && memcmp(c->text, "\xef\xbb\xbf", 3) == 0)
			return !fail(c, "a byte order mark");
		skip_space(c);
	}
	for (size_t begin = c->at; !c->ended;) {
		if (c->at - begin > bytes)
			return false;
		if (!check_next(c))
			return true;
	}
	skip_space(c);
	if (c->at < c->len)
		fail(c, "unexpected text after the value");
	return true;
}

const char *json_check(const char *text, size_t len, size_t *offset)
{
	struct json_check c;
	json_check_begin(&c, text, len);
	json_check_some(&c, len);
	*offset = c.at;
	return c.problem;
}
