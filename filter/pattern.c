/*
 * Patterns for trigram indexes; see pattern.h.
 *
 * Each trigram costs as many entries as rows have it, and an address has long parts that all rows share. So of a long
 * value only the most telling stretch is looked for: digits tell more than letters, and the host of an e-mail address
 * or of a URL tells nothing.
 */
#include "filter/pattern.h"

#include <string.h>

enum { TELLING = 12, DIGIT = 3, LETTER = 1 };

struct piece {
	const char *text;
	size_t len;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return (unsigned char)c >= 0x80 || is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static bool is_inside(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

/* Three characters of a word, or fewer with its begin or its end, which are known where another character is. */
static bool has_trigram(const struct piece *p, bool whole)
{
	size_t run = 0, edges = whole;

	for (size_t i = 0; i <= p->len; i++) {
		bool end = i == p->len;
		if (!end && is_word(p->text[i])) {
			run += !is_inside(p->text[i]);
			continue;
		}
		edges += !end || whole;
		if (run && run + edges >= 3)
			return true;
		run = 0;
		edges = 1;
	}
	return false;
}

/* What all addresses of a host have: of an e-mail address from '@' on, of a URL up to its path. */
static struct piece shared(const struct piece *v)
{
	const char *at = memchr(v->text, '@', v->len), *scheme = memmem(v->text, v->len, "://", 3);
	size_t host = scheme ? (size_t)(scheme - v->text) + 3 : 0;

	if (at && at > v->text)
		return (struct piece){at, v->len - (size_t)(at - v->text)};
	while (host && host < v->len && v->text[host] != '/')
		host++;
	return (struct piece){v->text, host < v->len ? host : 0};
}

static int weight(const struct piece *common, const char *c)
{
	if (c >= common->text && c < common->text + common->len)
		return 0;
	return is_digit(*c) ? DIGIT : is_word(*c) ? LETTER : 0;
}

/* The last of several: numbers differ at their ends. */
static struct piece telling(const struct piece *v)
{
	struct piece common = shared(v), best = *v;
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
	return has_trigram(&best, false) ? best : *v;
}

bool pattern_exists(const struct filter_value *v, bool whole)
{
	struct piece all = {v->text, v->len};

	return has_trigram(&all, whole);
}

static void put(struct sql *s, const struct piece *p, bool whole)
{
	char *text = arena_alloc(s->arena, 2 * p->len + 4);
	size_t len = 0;

	text[len++] = '%';
	if (whole)
		text[len++] = '\n';
	for (size_t i = 0; i < p->len; i++) {
		if (p->text[i] == '%' || p->text[i] == '_' || p->text[i] == '\\')
			text[len++] = '\\';
		text[len++] = p->text[i];
	}
	if (whole)
		text[len++] = '\n';
	text[len++] = '%';
	sql_add(s, "kith_fold(");
	sql_text(s, text, len);
	sql_add(s, ")");
}

void pattern_sql(struct sql *s, const char *text, const struct filter_condition *f, bool whole)
{
	for (size_t i = 0; i < f->n_values; i++) {
		struct piece all = {f->values[i].text, f->values[i].len};
		bool is_short = all.len <= TELLING || (whole && !has_trigram(&all, false));
		struct piece piece = is_short ? all : telling(&all);
		sql_addf(s, "%s%s like ", i ? " or " : "(", text);
		put(s, &piece, whole && piece.len == all.len);
	}
	sql_add(s, ")");
}
