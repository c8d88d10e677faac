/* Refuses passwords that are tried first: the most common ones, repetitions, and what everybody knows of the user.
 *
 * common_passwords.json has the passwords of at least PASSWORD_MIN characters among the most frequent 150,000 of the
 * "10 million passwords" that Mark Burnett published, in the order of SecLists, and some of today's. In lower case;
 * repetitions are left out, because the rule finds them. */
#include "server/signin/password_rule.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "server/base/built_in.h"
#include "server/base/crypto.h"
#include "server/base/text.h"
#include "server/signin/password_hash.h"

enum {
	BYTES_MAX = 4 * PASSWORD_MAX,
	REPEATED_MAX = 6, /* characters of a part that repeats */
	WORD_MIN = 3,     /* characters of a word of the user's name or address that counts */
	OWN_MIN = 8       /* characters that a password needs beside such words */
};

static bool is_common(const char *small, size_t len)
{
	char quoted[BYTES_MAX + 3];
	bool found;

	if (strpbrk(small, "\"\\")) /* no entry of the list has them */
		return false;
	snprintf(quoted, sizeof quoted, "\"%.*s\"", (int)len, small);
	found = strstr(built_in_text("common_passwords.json"), quoted) != NULL;
	crypto_wipe(quoted, sizeof quoted);
	return found;
}

/* True for "abcabcabcabca": the text is its own first characters again and again. */
static bool is_repeated(const char *small, size_t len)
{
	for (size_t part = 1; part <= REPEATED_MAX && part < len; part++)
		if (memcmp(small, small + part, len - part) == 0)
			return true;
	return false;
}

/* Removes each occurrence of a word; returns the length that remains. */
static size_t take_word(char *small, size_t len, const char *word, size_t word_len)
{
	for (size_t i = 0; i + word_len <= len;) {
		if (strncasecmp(small + i, word, word_len) != 0) {
			i++;
			continue;
		}
		memmove(small + i, small + i + word_len, len - i - word_len);
		len -= word_len;
	}
	return len;
}

/* Removes the words of a text. Bytes of other scripts are parts of words. */
static size_t take_words(char *small, size_t len, const char *text)
{
	while (*text) {
		size_t n = 0;
		while (text[n] && (isalnum((unsigned char)text[n]) || (unsigned char)text[n] >= 0x80))
			n++;
		if (n >= WORD_MIN)
			len = take_word(small, len, text, n);
		text += n ? n : 1;
	}
	return len;
}

/* True when little remains without the words of the user's name and address. */
static bool is_known_of(char *small, size_t len, const char *email, const char *name)
{
	size_t left = take_words(small, take_words(small, len, email), name);

	return left < len && left < OWN_MIN;
}

const char *password_rule_broken(const char *password, size_t len, const char *email, const char *name)
{
	char small[BYTES_MAX + 1];
	const char *why = NULL;

	if (len > BYTES_MAX)
		return "It is too long";
	for (size_t i = 0; i < len; i++)
		small[i] = text_lower(password[i]);
	small[len] = '\0';
	if (is_common(small, len))
		why = "This password is one of the most common ones, which attackers try first";
	else if (is_repeated(small, len))
		why = "This password only repeats a few characters";
	else if (is_known_of(small, len, email, name))
		why = "This password consists of the user's name or e-mail address";
	crypto_wipe(small, sizeof small);
	return why;
}
