/*
 * What of a value an index with trigrams is asked for. Each trigram costs as many entries as rows have it, and an
 * address has long parts that all rows share; so of a long value only the most telling stretch is looked for. Whether
 * the rest is there too, the exact condition beside it says.
 */
#include <string.h>

#include "filter/compile_parts.h"

enum { TELLING = 10, DIGIT = 3, LETTER = 1 };

struct piece {
	const char *text;
	size_t len;
};

static bool is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(unsigned char c)
{
	return c >= 0x80 || is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static bool is_inside(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

/* The stretch that all addresses of a host share: of an e-mail address from '@' on, of a URL up to its path. */
static struct piece shared(const struct filter_value *v)
{
	const char *at = memchr(v->text, '@', v->len), *scheme = strstr(v->text, "://");

	if (at && at > v->text)
		return (struct piece){at, v->len - (size_t)(at - v->text)};
	if (scheme && scheme[3 + strcspn(scheme + 3, "/")] == '/')
		return (struct piece){v->text, (size_t)(scheme - v->text) + 3 + strcspn(scheme + 3, "/")};
	return (struct piece){v->text, 0};
}

/* How much a character tells. */
static int weight(const struct piece *common, const char *c)
{
	if (c >= common->text && c < common->text + common->len)
		return 0;
	return is_digit((unsigned char)*c) ? DIGIT : is_word((unsigned char)*c) ? LETTER : 0;
}

/* Whether it has a trigram: three characters of a word, or two with the word's end or begin. */
static bool has_trigram(const struct piece *p)
{
	size_t run = 0, edges = 0;

	for (size_t i = 0; i <= p->len; i++) {
		if (i < p->len && is_word((unsigned char)p->text[i])) {
			run += !is_inside(p->text[i]);
			continue;
		}
		edges += i < p->len;
		if (run >= 3 || (run == 2 && edges))
			return true;
		run = 0;
		edges = i < p->len;
	}
	return false;
}

/* The most telling stretch of a long value, the last of several: numbers differ at their ends. */
static struct piece stretch_of(const struct filter_value *v)
{
	struct piece common = shared(v), best = {v->text, v->len};
	int most = -1;

	for (size_t from = 0; v->len > TELLING && from + TELLING <= v->len; from++) {
		size_t to = from + TELLING;
		int sum = 0;
		while (to > from && to < v->len && is_inside(v->text[to]))
			to--;
		for (size_t i = from; i < to; i++)
			sum += weight(&common, v->text + i);
		if (sum >= most && !is_inside(v->text[from])) {
			most = sum;
			best = (struct piece){v->text + from, to - from};
		}
	}
	/* One character of what tells nothing marks the end of a word. */
	while (best.len > 1 && !weight(&common, best.text) && !weight(&common, best.text + 1)) {
		best.text++;
		best.len--;
	}
	while (best.len > 1 && !weight(&common, best.text + best.len - 1) && !weight(&common, best.text + best.len - 2))
		best.len--;
	return best;
}

/*
 * A word with three digits tells more than the words beside it; the one with most, and the characters that end it. Two
 * that follow each other with equally many, as telephone numbers have them, tell more together.
 */
static struct piece number_in(const struct piece *p)
{
	struct piece best = *p;
	size_t from = 0, digits = 0, most = 2;
	bool last = false;

	for (size_t i = 0; i <= p->len; i++) {
		if (i < p->len && is_word((unsigned char)p->text[i])) {
			digits += is_digit((unsigned char)p->text[i]);
			continue;
		}
		if (digits > most) {
			most = digits;
			best = (struct piece){p->text + from, i - from + (i < p->len)};
			last = true;
		} else {
			last &= digits == most;
			if (last)
				best.len = (size_t)(p->text + i - best.text) + (i < p->len);
		}
		digits = 0;
		from = i;
	}
	return best;
}

static struct piece piece_of(const struct filter_value *v)
{
	struct piece stretch = stretch_of(v), number = number_in(&stretch);

	return has_trigram(&number) ? number : has_trigram(&stretch) ? stretch : (struct piece){v->text, v->len};
}

bool compile_has_trigrams(const struct filter_condition *f)
{
	for (size_t i = 0; i < f->n_values; i++) {
		struct piece piece = piece_of(&f->values[i]);
		if (!has_trigram(&piece))
			return false;
	}
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

bool compile_trigrams(const struct compile *c, const struct filter_condition *f, const char *indexed)
{
	bool whole = true;

	if (!compile_has_trigrams(f))
		return false;
	sql_add(c->s, "(");
	for (size_t i = 0; i < f->n_values; i++) {
		struct piece piece = piece_of(&f->values[i]);
		whole &= piece.len == f->values[i].len;
		sql_addf(c->s, "%s%s like ", i ? " or " : "", indexed);
		pattern(c->s, &piece);
	}
	sql_add(c->s, ")");
	return whole;
}
