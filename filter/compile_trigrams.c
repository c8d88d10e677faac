/*
 * What of a value an index with trigrams is asked for. Each trigram costs as many entries as rows have it, and an
 * address has long parts that all rows share; so of a long value only the most telling stretch is looked for. Whether
 * the rest is there too, the exact condition beside it says.
 *
 * Which of several words tells most, the value does not say: in one column all rows have "street", in another few. So
 * the statement asks some rows, and takes the two words that the fewest of them have, if a list has that one filter.
 */
#include <string.h>

#include "filter/compile_parts.h"

enum { TELLING = 10, DIGIT = 3, LETTER = 1 };

/* Digits that tell enough without the letters of their word, and without other words; words that are compared, and how
 * many characters of one without digits; rows that are asked, and how many of them may have a second word. */
enum { MANY = 5, ENOUGH = 4, WORDS = 8, WORD = 6, ASKED = 200, SOME = 25 };

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

static bool has_letter(const struct piece *p)
{
	for (size_t i = 0; i < p->len; i++)
		if (is_word((unsigned char)p->text[i]) && !is_digit((unsigned char)p->text[i]))
			return true;
	return false;
}

/* Many digits tell more than letters of the same word, which may be those of all rows; of these the one beside them is
 * kept. */
static struct piece digits_of(const struct piece *p)
{
	struct piece best = *p;
	size_t run = 0, most = MANY - 1;

	for (size_t i = 0; i < p->len && has_letter(p); i++) {
		run = is_digit((unsigned char)p->text[i]) ? run + 1 : 0;
		if (run > most) {
			size_t from = i + 1 - run, to = i + 1;
			most = run;
			from -= from > 0 && (unsigned char)p->text[from - 1] < 0x80;
			to += to < p->len && (unsigned char)p->text[to] < 0x80;
			best = (struct piece){p->text + from, to - from};
		}
	}
	return best;
}

static struct piece piece_of(const struct filter_value *v)
{
	struct piece stretch = stretch_of(v), number = number_in(&stretch);

	number = digits_of(&number);
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

/* The piece as a part of a pattern, in the arena. */
static struct piece literal(struct arena *a, const struct piece *piece)
{
	char *text = arena_alloc(a, 2 * piece->len + 1);
	size_t len = 0;

	for (size_t i = 0; i < piece->len; i++) {
		if (piece->text[i] == '%' || piece->text[i] == '_' || piece->text[i] == '\\')
			text[len++] = '\\';
		text[len++] = piece->text[i];
	}
	return (struct piece){text, len};
}

static void pattern(struct sql *s, const struct piece *piece)
{
	struct piece inner = literal(s->arena, piece);
	char *text = arena_alloc(s->arena, inner.len + 2);

	text[0] = '%';
	memcpy(text + 1, inner.text, inner.len);
	text[inner.len + 1] = '%';
	sql_add(s, "kith_fold(");
	sql_text(s, text, inner.len + 2);
	sql_add(s, ")");
}

/* Of the longest number. */
static size_t digits_in(const struct piece *p)
{
	size_t run = 0, most = 0;

	for (size_t i = 0; i < p->len; i++) {
		run = is_digit((unsigned char)p->text[i]) ? run + 1 : 0;
		most = run > most ? run : most;
	}
	return most;
}

/*
 * The word from i on, of which *end gets the end: its first characters; of one with digits all, and what is beside it,
 * from least on. All that is asked for is there in this order, so no two may have a character in common.
 */
static struct piece word_at(const struct filter_value *v, size_t i, size_t least, size_t *end)
{
	struct piece word = {v->text + i, 0};

	while (i + word.len < v->len && is_word((unsigned char)word.text[word.len]))
		word.len++;
	*end = i + word.len;
	if (digits_in(&word)) {
		if (i > least && !is_word((unsigned char)v->text[i - 1])) {
			word.text--;
			word.len++;
		}
		word.len += *end < v->len;
		return word;
	}
	if (word.len > WORD) {
		word.len = WORD;
		while (is_inside(word.text[word.len]))
			word.len--;
	}
	return word;
}

/* The words that an index could be asked for, in order. */
static size_t words_of(const struct filter_value *v, struct piece words[WORDS])
{
	struct piece common = shared(v);
	size_t n = 0, least = 0, end;

	for (size_t i = 0; i < v->len && n < WORDS; i++) {
		if (!is_word((unsigned char)v->text[i]) || !weight(&common, v->text + i))
			continue;
		words[n] = word_at(v, i, least, &end);
		if (has_trigram(&words[n])) {
			least = (size_t)(words[n].text - v->text) + words[n].len;
			n++;
		}
		i = end;
	}
	return n;
}

/* How many words there are to choose from; 0 where there is nothing to choose, or the list's own rows cannot be asked.
 */
static size_t choice(const struct compile *c, const struct filter_condition *f, struct piece words[WORDS])
{
	struct piece piece;
	size_t n;

	if (f->op != FILTER_LIKE || f->n_values != 1 || f->field->source != FILTER_COLUMN || f->relation ||
	    c->base->more)
		return 0;
	piece = piece_of(&f->values[0]);
	if (!has_trigram(&piece) || piece.len == f->values[0].len || digits_in(&piece) >= ENOUGH)
		return 0;
	n = words_of(&f->values[0], words);
	return n > 1 ? n : 0;
}

bool compile_choose(struct compile *c, const struct filter_condition *f)
{
	struct piece words[WORDS], usual;
	struct page_plan rows = {.c = *c};
	size_t n = choice(c, f, words);
	struct sql *s = c->s;

	if (n == 0)
		return false;
	usual = piece_of(&f->values[0]);
	sql_addf(s, "k as materialized (with s as materialized (select %s as x", compile_folded(c, f));
	page_rows(&rows, "");
	sql_addf(s,
	    " order by t.id limit %d) select coalesce('%%' || string_agg(w.word, '%%' order by w.n) "
	    "filter (where w.rows <= %d) || '%%', ",
	    ASKED, SOME);
	pattern(s, &usual);
	sql_add(s,
	    ") as pattern from (select u.word, u.n, (select count(*) from s where s.x like '%' || u.word || '%') as "
	    "rows from unnest(array[");
	for (size_t i = 0; i < n; i++) {
		struct piece word = literal(s->arena, &words[i]);
		sql_add(s, i ? ", kith_fold(" : "kith_fold(");
		sql_text(s, word.text, word.len);
		sql_add(s, ")");
	}
	sql_add(s, "]) with ordinality u(word, n) order by rows, length(u.word) desc, u.n limit 2) w), ");
	c->chosen = f;
	return true;
}

bool compile_trigrams(const struct compile *c, const struct filter_condition *f, const char *indexed)
{
	bool whole = true;

	if (!compile_has_trigrams(f))
		return false;
	if (c->chosen == f) {
		sql_addf(c->s, "(%s like (select pattern from k))", indexed);
		return false;
	}
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
