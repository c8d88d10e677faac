/* Splits a text into words and hashes them. */
#include "server/resource/note_words.h"

#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

/* The C library knows the letters of all scripts, and their upper and lower case. */
static locale_t locale_characters(void)
{
	static locale_t locale;

	if (!locale)
		locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	return locale;
}

/* The code point at *at of valid UTF-8; advances *at. */
static uint32_t code_point(const char *text, size_t len, size_t *at)
{
	unsigned char first = (unsigned char)text[(*at)++];
	int more = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
	uint32_t c = more ? first & (0x3Fu >> more) : first;

	for (; more && *at < len; more--)
		c = c << 6 | ((unsigned char)text[(*at)++] & 0x3F);
	return c;
}

static bool words_accent(uint32_t c)
{
	return c >= 0x300 && c <= 0x36F;
}

static bool words_letter(uint32_t c)
{
	locale_t l = locale_characters();

	if (c < 0x80)
		return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
	return words_accent(c) || (l ? iswalnum_l((wint_t)c, l) != 0 : true);
}

static bool words_emoji(uint32_t c)
{
	return c >= 0x1F000 && c <= 0x1FAFF && !(c >= 0x1F3FB && c <= 0x1F3FF); /* these are skin tones */
}

/* Converts to upper, then to lower case. This unifies letters that differ in only one direction. */
static uint32_t fold_character(uint32_t c)
{
	locale_t l = locale_characters();

	if (c < 0x80)
		return c >= 'A' && c <= 'Z' ? c + 32 : c;
	return l ? (uint32_t)towlower_l(towupper_l((wint_t)c, l), l) : c;
}

static uint64_t hash_mix(uint64_t h, uint32_t value)
{
	h = (h ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return h ^ h >> 32;
}

static uint64_t hash_seed(const struct uuid *workspace)
{
	uint64_t h = 0;

	for (size_t i = 0; i < sizeof workspace->b; i++)
		h = hash_mix(h, workspace->b[i]);
	return h;
}

static int words_compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void words_unique(struct note_words *w)
{
	size_t n = 0;

	if (w->count)
		qsort(w->hashes, w->count, sizeof *w->hashes, words_compare);
	for (size_t i = 0; i < w->count; i++)
		if (i == 0 || w->hashes[i] != w->hashes[i - 1])
			w->hashes[n++] = w->hashes[i];
	w->count = n;
}

void words_read(struct note_words *w, struct arena *a, const struct uuid *workspace, const char *text, size_t len)
{
	uint64_t begin = hash_seed(workspace), h = begin;
	bool open = false;

	w->count = 0;
	w->hashes = arena_alloc(a, (len + 1) * sizeof *w->hashes); /* a word has at least one byte */
	for (size_t i = 0; i < len;) {
		uint32_t c = code_point(text, len, &i);
		bool part = words_letter(c) && !words_emoji(c);
		if (part) {
			h = hash_mix(h, fold_character(c));
			open = true;
			continue;
		}
		if (open)
			w->hashes[w->count++] = (int64_t)h;
		if (words_emoji(c))
			w->hashes[w->count++] = (int64_t)hash_mix(begin, c);
		h = begin;
		open = false;
	}
	if (open)
		w->hashes[w->count++] = (int64_t)h;
	words_unique(w);
}
