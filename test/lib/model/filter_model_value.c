/* Single values; see filter_model.h. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

#include "server/base/clock.h"
#include "test/lib/model/filter_model.h"

enum { DAY_MS = 86400000, DIGITS_MAX = 1024 };

/* --- texts --------------------------------------------------------------------------- */

/* The next character of valid UTF-8. */
static unsigned next_character(const char **text)
{
	const unsigned char *p = (const unsigned char *)*text;
	int more = *p < 0x80 ? 0 : *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
	unsigned c = more == 0 ? *p : *p & (0x3fu >> more);

	for (int i = 1; i <= more; i++)
		c = c << 6 | (p[i] & 0x3f);
	*text += 1 + more;
	return c;
}

static size_t put_character(char *to, unsigned c)
{
	int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};

	to[0] = (char)(lead[more] | c >> (6 * more));
	for (int i = 1; i <= more; i++)
		to[i] = (char)(0x80 | (c >> (6 * (more - i)) & 0x3f));
	return (size_t)more + 1;
}

/* Unicode lower case. The one letter whose lower case has two characters (a Turkish I) gets both, and a final sigma
 * becomes a plain one: the text searched for need not end at the end of a word. */
char *model_fold(struct arena *a, const char *text)
{
	static locale_t unicode;
	char *out = arena_alloc(a, 4 * strlen(text) + 1);
	size_t len = 0;

	if (!unicode && !(unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL))) {
		fprintf(stderr, "no locale C.UTF-8\n");
		exit(1);
	}
	while (*text) {
		unsigned c = next_character(&text);
		if (c == 0x130) {
			len += put_character(out + len, 'i');
			len += put_character(out + len, 0x307);
		} else {
			unsigned lower = (unsigned)towlower_l((wint_t)c, unicode);
			len += put_character(out + len, lower == 0x3c2 ? 0x3c3 : lower);
		}
	}
	out[len] = '\0';
	return out;
}

bool model_contains(const char *text, const char *part)
{
	struct arena a;

	arena_init(&a);
	bool found = strstr(model_fold(&a, text), model_fold(&a, part)) != NULL;
	arena_free(&a);
	return found;
}

static bool equal_folded(const char *one, const char *other)
{
	struct arena a;

	arena_init(&a);
	bool equal = strcmp(model_fold(&a, one), model_fold(&a, other)) == 0;
	arena_free(&a);
	return equal;
}

/* Texts without digits equal only themselves. */
static bool equal_digits(const char *one, const char *other)
{
	if (!strpbrk(one, "0123456789"))
		return strcmp(one, other) == 0;
	for (;;) {
		one += strcspn(one, "0123456789");
		other += strcspn(other, "0123456789");
		if (*one != *other)
			return false;
		if (!*one)
			return true;
		one++, other++;
	}
}

/* --- numbers -------------------------------------------------------------------------- */

/* ±0.DIGITS × 10^point; the digits neither begin nor end with a zero, and zero has none. */
struct number {
	bool negative;
	char digits[DIGITS_MAX];
	long point;
};

static void read_number(const char *text, struct number *n)
{
	size_t len = 0;
	bool fraction = false;

	memset(n, 0, sizeof *n);
	n->negative = *text == '-';
	text += *text == '-' || *text == '+';
	for (; *text && *text != 'e' && *text != 'E' && len < DIGITS_MAX - 1; text++) {
		if (*text == '.') {
			fraction = true;
			continue;
		}
		if (len == 0 && *text == '0') { /* a leading zero */
			n->point -= fraction;
			continue;
		}
		n->digits[len++] = *text;
		n->point += !fraction;
	}
	if (*text == 'e' || *text == 'E')
		n->point += strtol(text + 1, NULL, 10);
	while (len > 0 && n->digits[len - 1] == '0')
		n->digits[--len] = '\0';
	if (len == 0)
		n->point = 0, n->negative = false;
}

static int compare_numbers(const char *a, const char *b)
{
	struct number x, y;
	int order;

	read_number(a, &x);
	read_number(b, &y);
	int sign_x = !*x.digits ? 0 : x.negative ? -1 : 1, sign_y = !*y.digits ? 0 : y.negative ? -1 : 1;
	if (sign_x != sign_y)
		return sign_x < sign_y ? -1 : 1;
	order = x.point != y.point ? (x.point < y.point ? -1 : 1) : strcmp(x.digits, y.digits);
	order = order < 0 ? -1 : order > 0;
	return x.negative ? -order : order;
}

/* --- times ------------------------------------------------------------------------------- */

/* The milliseconds covered by a text: a day's, or an instant's. */
static int64_t span_of(const char *text, int64_t *from)
{
	int32_t day;

	if (date_parse(text, strlen(text), &day)) {
		*from = day * (int64_t)DAY_MS;
		return DAY_MS;
	}
	if (!time_parse(text, strlen(text), from)) {
		fprintf(stderr, "'%s' is not a time\n", text);
		exit(1);
	}
	return 1;
}

static void widen_span(int64_t *from, int64_t *span)
{
	*from -= (*from % DAY_MS + DAY_MS) % DAY_MS;
	*span = DAY_MS;
}

static int compare_times(enum model_type type, const char *item, const char *value)
{
	int64_t at, from;

	span_of(item, &at);
	int64_t span = span_of(value, &from);
	if (type == MODEL_DAY)
		widen_span(&from, &span);
	return at < from ? -1 : at >= from + span;
}

const char *model_month(const char *day, char out[MODEL_MONTH_SIZE])
{
	snprintf(out, MODEL_MONTH_SIZE, "%d", (int)strtol(day + strlen("1990-"), NULL, 10));
	return out;
}

int model_compare(enum model_type type, const char *item, const char *value)
{
	char month[MODEL_MONTH_SIZE];

	if (type == MODEL_MONTH)
		return compare_numbers(model_month(item, month), value);
	return type == MODEL_NUMBER ? compare_numbers(item, value) : compare_times(type, item, value);
}

bool model_equal(enum model_type type, const struct model_item *item, const struct model_item *value)
{
	switch (type) {
	case MODEL_EMAIL:
		return equal_folded(item->text, value->text);
	case MODEL_PHONE:
		return equal_digits(item->text, value->text);
	case MODEL_NUMBER:
	case MODEL_MONTH:
	case MODEL_DATE:
	case MODEL_DAY:
	case MODEL_INSTANT:
		return model_compare(type, item->text, value->text) == 0;
	case MODEL_USER:
		return value->text ? strcmp(item->text, value->text) == 0 : equal_folded(item->email, value->email);
	case MODEL_TEXT:
	case MODEL_GENDER:
	case MODEL_LABEL:
	case MODEL_REF:
	case MODEL_TYPES:
		break;
	}
	return strcmp(item->text, value->text) == 0;
}
