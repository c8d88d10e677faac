/* Checks the grammar of JSON in a loop, with one bit of state per level. It decodes nothing. */
#include "server/base/json_check.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "server/base/json.h"
#include "server/base/text.h"

_Static_assert(JSON_DEPTH_MAX < 64, "one bit a level");

static bool check_fail(struct json_check *c, const char *problem)
{
	c->problem = problem;
	return false;
}

/* Checks the length of a token that began at begin and ends here. */
static bool check_length(struct json_check *c, size_t begin)
{
	c->too_long = c->at - begin > c->token_max;
	return !c->too_long || check_fail(c, "a string or number is too long");
}

/* Returns the next byte, or NUL at the end. No caller accepts a NUL in the text. */
static char check_peek(const struct json_check *c)
{
	return c->at < c->len ? c->text[c->at] : '\0';
}

static inline void check_skip_space(struct json_check *c)
{
	while (c->at < c->len) {
		char ch = c->text[c->at];
		if (ch != ' ' && ch != '\n' && ch != '\r' && ch != '\t')
			return;
		c->at++;
	}
}

/* Returns the code unit of "\uXXXX" at the offset, -1 when there is none. */
static int check_code_unit(const struct json_check *c, size_t at)
{
	int value = 0;

	if (c->len - at < 6 || c->text[at] != '\\' || c->text[at + 1] != 'u')
		return -1;
	for (size_t i = at + 2; i < at + 6; i++) {
		int digit = text_hex_value(c->text[i]);
		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

/* c->at is at a backslash. */
static bool check_escape(struct json_check *c)
{
	if (c->len - c->at < 2)
		return check_fail(c, "a string without its end");
	char kind = c->text[c->at + 1];
	if (kind != 'u') {
		if (!kind || !strchr("\"\\/bfnrt", kind))
			return check_fail(c, "an unknown escape");
		c->at += 2;
		return true;
	}
	int unit = check_code_unit(c, c->at);
	if (unit < 0)
		return check_fail(c, "\\u without four hexadecimal digits");
	if (unit >= 0xdc00 && unit <= 0xdfff)
		return check_fail(c, "a lone low surrogate");
	if (unit >= 0xd800 && unit <= 0xdbff) {
		int low = check_code_unit(c, c->at + 6);
		if (low < 0xdc00 || low > 0xdfff)
			return check_fail(c, "a lone high surrogate");
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
			return check_fail(c, "a string without its end");
		char ch = c->text[c->at];
		if (ch == '"') {
			c->at++;
			return check_length(c, begin);
		}
		if (ch != '\\')
			return check_fail(c, "a control character in a string");
		if (!check_escape(c))
			return false;
	}
}

static bool check_digits(struct json_check *c)
{
	if (!isdigit((unsigned char)check_peek(c)))
		return check_fail(c, "a number without a digit");
	while (isdigit((unsigned char)check_peek(c)))
		c->at++;
	return true;
}

static bool check_number(struct json_check *c)
{
	size_t begin = c->at;

	if (check_peek(c) == '-')
		c->at++;
	if (check_peek(c) == '0') {
		c->at++;
		if (isdigit((unsigned char)check_peek(c)))
			return check_fail(c, "a number with a leading zero");
	} else if (!check_digits(c)) {
		return false;
	}
	if (check_peek(c) == '.') {
		c->at++;
		if (!check_digits(c))
			return false;
	}
	if (check_peek(c) == 'e' || check_peek(c) == 'E') {
		c->at++;
		if (check_peek(c) == '+' || check_peek(c) == '-')
			c->at++;
		if (!check_digits(c))
			return false;
	}
	return check_length(c, begin);
}

static bool check_word(struct json_check *c, const char *word, size_t word_len)
{
	if (c->len - c->at < word_len || memcmp(c->text + c->at, word, word_len) != 0)
		return check_fail(c, "an unknown word");
	c->at += word_len;
	return true;
}

/* c->at is at '{' or '['. */
static bool check_open(struct json_check *c, bool object)
{
	if (c->depth == JSON_DEPTH_MAX)
		return check_fail(c, "nested too deep");
	uint64_t bit = UINT64_C(1) << c->depth++;
	c->objects = object ? c->objects | bit : c->objects & ~bit;
	c->at++;
	return true;
}

static bool check_in_object(const struct json_check *c)
{
	return c->depth && (c->objects >> (c->depth - 1) & 1);
}

/* Checks a member's name and its colon. */
static bool check_key(struct json_check *c)
{
	if (check_peek(c) != '"')
		return check_fail(c, "expected the name of a member");
	if (!check_string(c))
		return false;
	check_skip_space(c);
	if (check_peek(c) != ':')
		return check_fail(c, "expected a colon");
	c->at++;
	check_skip_space(c);
	return true;
}

/* Checks a scalar, or the beginning of an array or object. *opened tells which one it was. */
static bool check_any_value(struct json_check *c, bool *opened)
{
	*opened = false;
	switch (check_peek(c)) {
	case '{':
	case '[':
		*opened = true;
		return check_open(c, check_peek(c) == '{');
	case '"':
		return check_string(c);
	case 't':
		return check_word(c, "true", 4);
	case 'f':
		return check_word(c, "false", 5);
	case 'n':
		return check_word(c, "null", 4);
	default:
		if (check_peek(c) == '-' || isdigit((unsigned char)check_peek(c)))
			return check_number(c);
		return check_fail(c, c->at == c->len ? "the text ends too early" : "expected a value");
	}
}

/* Runs after a complete value: closes levels, then moves to the next value. */
static bool check_behind(struct json_check *c)
{
	for (;;) {
		if (c->depth == 0) {
			c->ended = true;
			return true;
		}
		check_skip_space(c);
		char ch = check_peek(c);
		if (ch == ',') {
			c->at++;
			check_skip_space(c);
			return !check_in_object(c) || check_key(c);
		}
		if (ch != (check_in_object(c) ? '}' : ']'))
			return check_fail(c, check_in_object(c) ? "expected a comma or }" : "expected a comma or ]");
		c->at++;
		c->depth--;
	}
}

/* Checks one value or opening bracket, and the separators before the next value. */
static bool check_next(struct json_check *c)
{
	bool opened;

	if (!check_any_value(c, &opened))
		return false;
	check_skip_space(c);
	if (opened && check_peek(c) != (check_in_object(c) ? '}' : ']'))
		return !check_in_object(c) || check_key(c);
	return check_behind(c);
}

static bool check_is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Checks that the next bytes, up to a character boundary, are UTF-8. */
static bool check_characters(struct json_check *c, size_t bytes)
{
	const char *text = c->text + c->valid;
	size_t n = c->len - c->valid;

	if (bytes < n)
		for (size_t most = n, end = bytes + 4;
		     bytes < most && bytes < end && check_is_continuation(text[bytes]);)
			bytes++;
	if (bytes < n)
		n = bytes;
	size_t span = text_utf8_span(text, n);
	c->valid += span;
	if (span == n)
		return true;
	c->at = c->valid;
	return check_fail(c, "not UTF-8");
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
			return !check_fail(c, "a byte order mark");
		check_skip_space(c);
	}
	for (size_t begin = c->at; !c->ended;) {
		if (c->at - begin > bytes)
			return false;
		if (!check_next(c))
			return true;
	}
	check_skip_space(c);
	if (c->at < c->len)
		check_fail(c, "unexpected text after the value");
	return true;
}
