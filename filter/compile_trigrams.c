/*
 * What of a value an index with trigrams is asked for. Each trigram costs as many entries as rows have it, and an
 * address has long parts that all rows share; so of a long value only some telling words are looked for. Whether
 * the rest is there too, the exact condition beside it says.
 */
#include <string.h>

#include "filter/compile_parts.h"

enum { TELLING = 12, PIECES_MAX = 2, TRIGRAM = 3, DIGITS = 8 };

struct piece {
	const char *text;
	size_t len;
};

static bool is_word(unsigned char c)
{
	return c >= 0x80 || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The next word of at least three characters at or behind p; NULL: none. */
static const char *next_word(const char *p, const char *end, size_t *len)
{
	while (p < end) {
		const char *from;
		size_t characters = 0;
		while (p < end && !is_word((unsigned char)*p))
			p++;
		for (from = p; p < end && is_word((unsigned char)*p); p++)
			characters += ((unsigned char)*p & 0xC0) != 0x80;
		*len = (size_t)(p - from);
		if (characters >= TRIGRAM)
			return from;
	}
	return NULL;
}

/* How much a word tells: digits and length; not what stands in all addresses. */
static size_t tells(const struct filter_value *v, const char *word, size_t len)
{
	const char *at = memchr(v->text, '@', v->len), *scheme = strstr(v->text, "://");
	size_t score = len > TELLING ? TELLING : len;

	for (size_t i = 0; i < len; i++)
		score += is_digit(word[i]);
	if (at && word > at)
		return 1;
	if (scheme && word < scheme + 3 + strcspn(scheme + 3, "/"))
		return 1;
	return score;
}

/* Cuts to whole characters. */
static size_t cut(const char *text, size_t len)
{
	if (len <= TELLING)
		return len;
	len = TELLING;
	while (len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80)
		len--;
	return len;
}

static size_t pieces_of(const struct filter_value *v, struct piece out[PIECES_MAX])
{
	const char *end = v->text + v->len, *word;
	size_t best[PIECES_MAX] = {0}, n = 0, len;

	for (word = next_word(v->text, end, &len); word; word = next_word(word + len, end, &len)) {
		size_t score = tells(v, word, len), at = n < PIECES_MAX ? n : PIECES_MAX - 1;
		if (n == PIECES_MAX && score <= best[at])
			continue;
		if (n < PIECES_MAX)
			n++;
		while (at > 0 && best[at - 1] < score) {
			best[at] = best[at - 1];
			out[at] = out[at - 1];
			at--;
		}
		best[at] = score;
		out[at] = (struct piece){word, cut(word, len)};
	}
	if (n > 1 && (best[1] == 1 || out[0].len >= TELLING))
		n = 1;
	if (v->len <= TELLING && n > 0) {
		out[0] = (struct piece){v->text, v->len};
		n = 1;
	}
	return n;
}

/* The last digits of a number tell it from others. */
static size_t digits_of(struct arena *a, const struct filter_value *v, struct piece *out)
{
	char *digits = arena_alloc(a, v->len + 1);
	size_t n = 0;

	for (size_t i = 0; i < v->len; i++)
		if (is_digit(v->text[i]))
			digits[n++] = v->text[i];
	*out = (struct piece){n > DIGITS ? digits + n - DIGITS : digits, n > DIGITS ? DIGITS : n};
	return n >= TRIGRAM && !memchr(v->text, '\n', v->len);
}

static size_t pieces(struct arena *a, const struct filter_condition *f, size_t i, struct piece out[PIECES_MAX])
{
	if (f->field->type == FILTER_PHONES)
		return digits_of(a, &f->values[i], out);
	return pieces_of(&f->values[i], out);
}

bool compile_has_trigrams(struct arena *a, const struct filter_condition *f)
{
	struct piece found[PIECES_MAX];

	for (size_t i = 0; i < f->n_values; i++)
		if (pieces(a, f, i, found) == 0)
			return false;
	return f->n_values > 0;
}

static void pattern(struct sql *s, const struct piece *piece)
{
	char *text = arena_alloc(s->arena, 2 * piece->len + 3);
	size_t len = 0;

	text[len++] = '%';
	for (size_t i = 0; i < piece->len; i++) {
		if (piece->text[i] == '%' || piece->text[i] == '_' || piece->text[i] == '\\')
			text[len++] = '\\';
		text[len++] = piece->text[i];
	}
	text[len++] = '%';
	sql_add(s, "kith_fold(");
	sql_text(s, text, len);
	sql_add(s, ")");
}

void compile_trigrams(const struct compile *c, const struct filter_condition *f, const char *indexed)
{
	struct piece found[PIECES_MAX];

	if (!compile_has_trigrams(c->s->arena, f))
		return;
	sql_add(c->s, "(");
	for (size_t i = 0; i < f->n_values; i++) {
		size_t n = pieces(c->s->arena, f, i, found);
		sql_add(c->s, i ? " or (" : "(");
		for (size_t k = 0; k < n; k++) {
			sql_addf(c->s, "%s%s like ", k ? " and " : "", indexed);
			pattern(c->s, &found[k]);
		}
		sql_add(c->s, ")");
	}
	sql_add(c->s, ") and ");
}
