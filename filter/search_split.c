/* Splits the text of a search into terms; see search.h. */
#include "filter/search.h"

#include <string.h>

struct split {
	struct arena *arena;
	const char *at, *end;
	struct filter_search *out;
};

/* The length of a blank or comma at this place, also of those that other scripts use; 0: there is none. */
static size_t separator_len(const char *at, const char *end)
{
	static const char *const wide[] = {"\u00A0", "\u3000", "\uFF0C", "\u3001"};

	if (at < end && (strchr(" \t\r\n\v\f,", *at) && *at))
		return 1;
	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
		size_t len = strlen(wide[i]);
		if ((size_t)(end - at) >= len && memcmp(at, wide[i], len) == 0)
			return len;
	}
	return 0;
}

static size_t blanks_len(const char *at, const char *end)
{
	const char *from = at;

	while (at < end && *at != ',' && separator_len(at, end) == 1)
		at++;
	return (size_t)(at - from);
}

/* The length of the word at this place, up to a separator or quotation mark. */
static size_t word_len(const char *at, const char *end)
{
	const char *from = at;

	while (at < end && *at != '"' && !separator_len(at, end))
		at++;
	return (size_t)(at - from);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* --- telephone numbers -------------------------------------------------------------------------- */

/* The length of the country code that these digits begin with. */
static size_t country_len(const char *digits)
{
	static const char two[] =
	    " 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 "
	    "63 64 65 66 81 82 84 86 90 91 92 93 94 95 98 ";
	char code[5] = {' ', digits[0], digits[0] ? digits[1] : '\0', ' ', '\0'};

	if (digits[0] == '0')
		return 0;
	if (digits[0] == '1' || digits[0] == '7')
		return 1;
	return strstr(two, code) ? 2 : 3;
}

/* The shortest form of a number that has enough digits: without "+" or "00", without the country code after those, and
 * without leading zeros. A stored number that ends with a longer form ends with this one, too. */
static const char *number_shortest(const char *digits, bool international)
{
	const char *at = digits;
	size_t skip = 0;

	if (strncmp(at, "00", 2) == 0 && strlen(at) >= 2 + SEARCH_DIGITS_LEAST) {
		at += 2;
		international = true;
	}
	if (international)
		skip = country_len(at);
	if (strlen(at) >= skip + SEARCH_DIGITS_LEAST)
		at += skip;
	while (*at == '0' && strlen(at) > SEARCH_DIGITS_LEAST)
		at++;
	return at;
}

/* Copies the digits of a number; dropped: without a zero in brackets. */
static char *number_digits(struct arena *a, const char *from, const char *end, bool dropped)
{
	char *out = arena_alloc(a, (size_t)(end - from) + 1);
	size_t n = 0;

	for (; from < end; from++) {
		if (dropped && end - from >= 3 && memcmp(from, "(0)", 3) == 0)
			from += 2;
		else if (is_digit(*from))
			out[n++] = *from;
	}
	out[n] = '\0';
	return out;
}

static void number_ends(struct split *p, struct search_term *term, const char *from, const char *end)
{
	const char *first = from + strspn(from, "("), *digits, *shortest;

	for (int dropped = 0; dropped < SEARCH_ENDS_MAX; dropped++) {
		digits = number_digits(p->arena, from, end, dropped);
		if (strlen(digits) < SEARCH_DIGITS_LEAST)
			continue;
		shortest = number_shortest(digits, *first == '+');
		if (term->n_ends == 0 || strcmp(term->ends[0], shortest) != 0)
			term->ends[term->n_ends++] = shortest;
	}
}

/* The end of the number that begins here; NULL: there is none. A number consists of words that have nothing but digits
 * and the signs between them, and it begins and ends with words that have a digit. */
static const char *number_end(const struct split *p)
{
	const char *at = p->at, *found = NULL;
	int digits = 0, before = 0;

	while (at < p->end) {
		size_t len = word_len(at, p->end), signs = strspn(at, "0123456789+()-./");
		if (len == 0 || signs < len || (at + len < p->end && at[len] == '"'))
			break;
		before = digits;
		for (size_t i = 0; i < len; i++)
			digits += is_digit(at[i]);
		if (before == 0 && digits == 0)
			break;
		at += len;
		if (digits > before)
			found = at;
		at += blanks_len(at, p->end);
	}
	return digits >= SEARCH_DIGITS_LEAST ? found : NULL;
}

/* --- terms ------------------------------------------------------------------------------------------ */

/* Line breaks separate the texts of a record, so a term has none. */
static struct search_part part_of(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_dup(a, text, len);

	for (size_t i = 0; i < len; i++)
		if (copy[i] == '\n' || copy[i] == '\x02')
			copy[i] = ' ';
	return (struct search_part){copy, len};
}

/* The next term; NULL: there is no room. */
static struct search_term *term_next(struct split *p)
{
	size_t n = p->out->n_terms++;

	if (n >= SEARCH_TERMS_MAX)
		return NULL;
	p->out->terms[n] = (struct search_term){.n_parts = 0};
	return &p->out->terms[n];
}

static void term_text(struct split *p, const char *text, size_t len)
{
	struct search_part *part;
	struct search_term *term = term_next(p);

	if (!term)
		return;
	part = arena_alloc(p->arena, sizeof *part);
	*part = part_of(p->arena, text, len);
	term->parts = part;
	term->n_parts = 1;
}

static void term_number(struct split *p, const char *end)
{
	struct search_part *parts = arena_alloc(p->arena, SEARCH_PARTS_MAX * sizeof *parts);
	struct search_term *term = term_next(p);

	if (!term)
		return;
	number_ends(p, term, p->at, end);
	for (const char *at = p->at; at < end && term->n_parts < SEARCH_PARTS_MAX; at += blanks_len(at, end)) {
		size_t len = word_len(at, end);
		parts[term->n_parts++] = part_of(p->arena, at, len);
		at += len;
	}
	term->parts = parts;
}

/* A text in quotation marks is one term; the second mark may be missing. Blanks around it are not part of it. */
static void term_quoted(struct split *p)
{
	const char *from = p->at + 1, *close = memchr(from, '"', (size_t)(p->end - from)), *to = close ? close : p->end;

	p->at = close ? close + 1 : p->end;
	from += blanks_len(from, to);
	while (to > from && blanks_len(to - 1, to))
		to--;
	if (to > from)
		term_text(p, from, (size_t)(to - from));
}

void search_split(struct arena *a, const char *text, size_t len, struct filter_search *out)
{
	const char *copy = arena_dup(a, text, len), *end;
	struct split p = {a, copy, copy + len, out};

	memset(out, 0, sizeof *out);
	while (p.at < p.end) {
		size_t separator = separator_len(p.at, p.end);
		if (separator) {
			p.at += separator;
		} else if (*p.at == '"') {
			term_quoted(&p);
		} else if ((end = number_end(&p))) {
			term_number(&p, end);
			p.at = end;
		} else {
			size_t n = word_len(p.at, p.end);
			term_text(&p, p.at, n);
			p.at += n;
		}
	}
}
