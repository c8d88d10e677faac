/* Days, times, numbers and other values of other programs. */
#include "transfer/value.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/text.h"

/* --- days ------------------------------------------------------------------------------- */

struct value_day {
	int part[3];
	int digits[3];
	char separator;
	const char *rest; /* the text after the date */
};

/* Reads three numbers with one separator between them. */
static bool value_numbers(const char *text, struct value_day *d)
{
	memset(d, 0, sizeof *d);
	for (int i = 0; i < 3; i++) {
		while (isdigit((unsigned char)*text) && d->digits[i] < 4) {
			d->part[i] = d->part[i] * 10 + *text++ - '0';
			d->digits[i]++;
		}
		if (!d->digits[i] || (i < 2 && (!strchr("-/.", *text) || !*text || (i == 1 && *text != d->separator))))
			return false;
		if (i < 2)
			d->separator = *text++;
	}
	d->rest = text;
	return true;
}

/* YYYYMMDD. */
static bool value_compact(const char *text, struct value_day *d)
{
	static const int digits[] = {4, 2, 2};

	if (strspn(text, "0123456789") != 8)
		return false;
	memset(d, 0, sizeof *d);
	for (int i = 0; i < 3; i++)
		for (; d->digits[i] < digits[i]; d->digits[i]++)
			d->part[i] = d->part[i] * 10 + *text++ - '0';
	d->separator = '-';
	d->rest = text;
	return true;
}

/* The month that a word names, in English, in full or by three letters; 0: none. */
static int value_month(const char *word, size_t len)
{
	static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August",
	    "September", "October", "November", "December"};

	for (int i = 0; i < 12; i++)
		if (strncasecmp(word, months[i], len) == 0 && (len == 3 || len == strlen(months[i])))
			return i + 1;
	return 0;
}

/* "March 1, 2024", as Notion writes it, or "1 March 2024". */
static bool value_words(const char *text, struct value_day *d)
{
	int month = 0, numbers = 0;

	memset(d, 0, sizeof *d);
	for (int i = 0; i < 3; i++) {
		size_t digits = strspn(text, "0123456789"), len = digits;
		while (!digits && isalpha((unsigned char)text[len]))
			len++;
		if (len == 0 || digits > 4 || (!digits && month))
			return false;
		if (digits) {
			int at = numbers++ ? 0 : 2; /* the day comes before the year */
			d->part[at] = (int)strtol(text, NULL, 10);
			d->digits[at] = (int)digits;
		} else if (!(month = value_month(text, len))) {
			return false;
		}
		text += len;
		len = strspn(text, "., ");
		if (i < 2 && len == 0)
			return false;
		text += i < 2 ? len : 0;
	}
	d->part[1] = month;
	d->rest = text;
	return month && d->digits[0] == 4 && d->digits[2] <= 2;
}

bool value_is_empty_date(const char *text)
{
	return strncmp(text, "0/0/0", 5) == 0 || strncmp(text, "0.0.0", 5) == 0;
}

static enum value_state value_day(const char *text, bool day_first, char out[DATE_TEXT_SIZE], const char **rest)
{
	struct value_day d;
	char iso[16];
	int32_t days;

	*rest = "";
	text += strspn(text, " \t");
	if (!*text || strncmp(text, "--", 2) == 0 || value_is_empty_date(text))
		return VALUE_NONE;
	if (!value_numbers(text, &d) && !value_compact(text, &d) && !value_words(text, &d))
		return VALUE_BAD;
	/* Apple writes this year when there is none. */
	if (d.part[0] == 1604)
		return VALUE_NONE;
	if (d.digits[0] != 4) {
		bool first = day_first || d.separator == '.' || d.part[0] > 12;
		int day = d.part[first ? 0 : 1], month = d.part[first ? 1 : 0];
		if (d.digits[2] != 4)
			return VALUE_BAD;
		d.part[0] = d.part[2];
		d.part[1] = month;
		d.part[2] = day;
	}
	snprintf(iso, sizeof iso, "%04d-%02d-%02d", d.part[0] % 10000, d.part[1] % 100, d.part[2] % 100);
	if (!date_parse(iso, strlen(iso), &days))
		return VALUE_BAD;
	date_format(days, out);
	*rest = d.rest;
	return VALUE_GOOD;
}

enum value_state value_date(const char *text, bool day_first, char out[DATE_TEXT_SIZE])
{
	const char *rest;
	enum value_state state = value_day(text, day_first, out, &rest);

	return state == VALUE_GOOD && *rest && !strchr("T ", *rest) ? VALUE_BAD : state;
}

bool value_is_date(const char *text, bool *day_first)
{
	char out[DATE_TEXT_SIZE];
	struct value_day d;
	const char *rest;

	/* A number of eight digits is more often a number than a date. */
	if ((!value_numbers(text, &d) && !value_words(text, &d)) ||
	    value_day(text, *day_first, out, &rest) != VALUE_GOOD || *rest)
		return false;
	*day_first |= d.digits[0] != 4 && d.part[0] > 12;
	return true;
}

/* "3:30 PM" after a date. False: the text is another one. */
static bool value_clock(const char *text, char out[TIME_TEXT_SIZE])
{
	size_t digits = strspn(text, "0123456789");
	const char *at = text + digits;
	long hour = strtol(text, NULL, 10), minute;

	if (digits < 1 || digits > 2 || hour < 1 || hour > 12 || *at != ':' || strspn(at + 1, "0123456789") != 2)
		return false;
	minute = strtol(at + 1, NULL, 10);
	at += 3;
	at += strspn(at, " ");
	if (minute > 59 || (strcasecmp(at, "AM") != 0 && strcasecmp(at, "PM") != 0))
		return false;
	hour = hour % 12 + (*at == 'P' || *at == 'p' ? 12 : 0);
	snprintf(out, TIME_TEXT_SIZE, "%02ld:%02ld", hour, minute);
	return true;
}

enum value_state value_time(const char *text, bool day_first, char out[TIME_TEXT_SIZE])
{
	char day[DATE_TEXT_SIZE], clock[TIME_TEXT_SIZE], iso[64];
	const char *rest;
	int64_t ms;
	enum value_state state;

	if (time_parse(text, strlen(text), &ms)) {
		time_format(ms, out);
		return VALUE_GOOD;
	}
	state = value_day(text, day_first, day, &rest);
	if (state != VALUE_GOOD)
		return state;
	rest += strspn(rest, "T ");
	rest = value_clock(rest, clock) ? clock : rest;
	if (!*rest)
		snprintf(iso, sizeof iso, "%sT00:00:00Z", day);
	else if (strlen(rest) == 5)
		snprintf(iso, sizeof iso, "%sT%s:00Z", day, rest);
	else
		snprintf(iso, sizeof iso, "%sT%.40s%s", day, rest, strpbrk(rest, "Zz+-") ? "" : "Z");
	if (!time_parse(iso, strlen(iso), &ms))
		return VALUE_BAD;
	time_format(ms, out);
	return VALUE_GOOD;
}

/* --- the rest ----------------------------------------------------------------------------- */

bool value_is_number(const char *text)
{
	const char *at = text + (*text == '-');
	size_t digits = strspn(at, "0123456789");

	if (!digits || digits > 30 || (*at == '0' && digits > 1))
		return false;
	at += digits;
	if (*at == '.') {
		digits = strspn(at + 1, "0123456789");
		if (!digits || digits > 30)
			return false;
		at += digits + 1;
	}
	return !*at;
}

/* Leaves out a currency and blanks at both ends of an amount. */
static void value_bare(const char **text, size_t *len)
{
	static const char *const around[] = {
	    "US$", "$", "€", "£", "¥", "EUR", "USD", "GBP", "CHF", "JPY", "\u00a0", "\u202f", " "};
	bool any = true;

	*len = strlen(*text);
	while (any) {
		any = false;
		for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
			size_t n = strlen(around[i]);
			bool before = *len >= n && strncmp(*text, around[i], n) == 0,
			     after = !before && *len >= n && strncmp(*text + *len - n, around[i], n) == 0;
			*text += before ? n : 0;
			*len -= before || after ? n : 0;
			any |= before || after;
		}
	}
}

/* The bytes of a character that stands between thousands; 0: it is another one. */
static size_t value_thousands(const char *text, bool decimal_comma)
{
	const char *const separators[] = {decimal_comma ? "." : ",", " ", "'", "’", "\u00a0", "\u202f"};

	for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
		size_t len = strlen(separators[i]);
		if (strncmp(text, separators[i], len) == 0 && strspn(text + len, "0123456789") == 3)
			return len;
	}
	return 0;
}

bool value_has_decimal_comma(const char *text)
{
	const char *comma = strrchr(text, ',');
	size_t digits = comma ? strspn(comma + 1, "0123456789") : 0, len;

	value_bare(&text, &len);
	return digits && comma + 1 + digits == text + len && !memchr(comma, '.', digits) &&
	       strchr(text, ',') == comma && (digits != 3 || strchr(text, '.'));
}

const char *value_number(struct arena *a, const char *text, bool decimal_comma)
{
	char *out, *to;
	size_t len;

	value_bare(&text, &len);
	out = to = arena_alloc(a, len + 1);
	for (const char *end = text + len; text < end; text++) {
		size_t skip = value_thousands(text, decimal_comma);
		if (skip)
			text += skip - 1;
		else
			*to++ = *text == ',' && decimal_comma ? '.' : *text;
	}
	return text_decimal(a, out, (size_t)(to - out));
}

const char *value_range(const char *const *ranges, const char *text)
{
	char digits[64];
	size_t n = 0;

	/* as in "1,001 - 5,000" */
	for (const char *p = text; *p && n < sizeof digits - 1; p++)
		if (*p != ',' && *p != ' ')
			digits[n++] = *p;
	digits[n] = '\0';
	for (size_t i = 0; ranges[i]; i++)
		if (strcmp(digits, ranges[i]) == 0)
			return ranges[i];
	if (!n || strspn(digits, "0123456789") != n || strtoul(digits, NULL, 10) == 0)
		return NULL;
	for (size_t i = 0; ranges[i]; i++) {
		const char *most = strchr(ranges[i], '-');
		if (!most || strtoul(digits, NULL, 10) <= strtoul(most + 1, NULL, 10))
			return ranges[i];
	}
	return NULL;
}

const char *value_gender(const char *const *genders, const char *text)
{
	for (size_t i = 0; genders[i]; i++)
		if (strcasecmp(text, genders[i]) == 0 || (strlen(text) == 1 && (*text & ~32) == *genders[i]))
			return genders[i];
	return "";
}

bool value_is_done(const char *text)
{
	static const char *const words[] = {"done", "completed", "yes", "true", "1", "x", "closed", "erledigt", "ja",
	    "oui", "fait", "terminé", "sí", "hecho", "completado"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(text, words[i]) == 0)
			return true;
	return false;
}

static bool value_is_among(const char *word, size_t len, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == len && strncasecmp(word, *words, len) == 0)
			return true;
	return false;
}

bool value_is_fax(const char *text)
{
	static const char *const silent[] = {
	    "pager", "workpager", "beeper", "télécopie", "télécopieur", "bipeur", "buscapersonas", NULL};
	static const char *const voices[] = {"phone", "telephone", "tel", "voice", "mobile", "cell", "telefon", "handy",
	    "mobil", "téléphone", "teléfono", "móvil", NULL};
	bool fax = false;

	while (*text) {
		size_t len = 0;
		while (isalpha((unsigned char)text[len]) || (unsigned char)text[len] >= 0x80)
			len++;
		if (value_is_among(text, len, voices))
			return false;
		fax |= value_is_among(text, len, silent) || (len >= 3 && strncasecmp(text + len - 3, "fax", 3) == 0);
		text += len ? len : 1;
	}
	return fax;
}
