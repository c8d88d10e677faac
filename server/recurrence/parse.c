/* Parses recurrence rules; expand.c interprets them. */
#include <string.h>
#include <strings.h>

#include "server/base/civil.h"
#include "server/recurrence/expand.h"
#include "server/recurrence/zone.h"

enum { DAY_SECONDS = 24 * 60 * 60, DIGITS_MAX = 9 };

struct text {
	const char *p, *end;
};

/* Consumes word from the front, in any case. */
static bool parse_word(struct text *t, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(t->end - t->p) < len || strncasecmp(t->p, word, len) != 0)
		return false;
	t->p += len;
	return true;
}

/* Consumes the text before the separator, and the separator; all of it when there is none. */
static struct text parse_part(struct text *t, char separator)
{
	const char *at = memchr(t->p, separator, (size_t)(t->end - t->p));
	struct text taken = {t->p, at ? at : t->end};

	t->p = at ? at + 1 : t->end;
	return taken;
}

/* Digits only, at least one; false otherwise. */
static bool parse_number(struct text t, int64_t *out)
{
	*out = 0;
	if (t.p == t.end || t.end - t.p > DIGITS_MAX)
		return false;
	for (; t.p < t.end; t.p++) {
		if (*t.p < '0' || *t.p > '9')
			return false;
		*out = *out * 10 + (*t.p - '0');
	}
	return true;
}

static bool parse_digits(const char *p, int count, int *out)
{
	int64_t value;
	bool ok = parse_number((struct text){p, p + count}, &value);

	*out = (int)value;
	return ok;
}

/* --- DTSTART ---------------------------------------------------------------------- */

static bool parse_date(const char *p, int32_t *days)
{
	int year, month, day;

	if (!parse_digits(p, 4, &year) || !parse_digits(p + 4, 2, &month) || !parse_digits(p + 6, 2, &day))
		return false;
	if (year < 1 || month < 1 || month > 12 || day < 1 || day > civil_month_length(year, month))
		return false;
	*days = civil_days(year, month, day);
	return true;
}

/* "20260131T093000" of 15 characters; a second of 60 becomes 59, as there are no leap seconds. */
static bool date_time(struct text t, int64_t *seconds)
{
	int32_t days;
	int hour, minute, second;

	if (t.end - t.p != 15 || t.p[8] != 'T' || !parse_date(t.p, &days) || !parse_digits(t.p + 9, 2, &hour) ||
	    !parse_digits(t.p + 11, 2, &minute) || !parse_digits(t.p + 13, 2, &second))
		return false;
	if (hour > 23 || minute > 59 || second > 60)
		return false;
	*seconds = (int64_t)days * DAY_SECONDS + hour * 3600 + minute * 60 + (second == 60 ? 59 : second);
	return true;
}

static bool zone_parameter(struct recurrence *r, struct text name)
{
	if (name.end - name.p > 1 && name.p[0] == '"' && name.end[-1] == '"') {
		name.p++;
		name.end--;
	}
	if (r->zone)
		return false;
	r->zone = zone_find(name.p, (size_t)(name.end - name.p));
	return r->zone != NULL;
}

/* "DTSTART;TZID=<zone>:<local time>" or "DTSTART:<time>Z". */
static bool start_line(struct recurrence *r, struct text line)
{
	struct text parameters, name;

	if (!parse_word(&line, "DTSTART"))
		return false;
	parameters = parse_part(&line, ':');
	name = parse_part(&parameters, ';');
	if (name.p < name.end)
		return false;
	while (parameters.p < parameters.end) {
		struct text one = parse_part(&parameters, ';');
		if (parse_word(&one, "TZID=") ? !zone_parameter(r, one)
		                              : !parse_word(&one, "VALUE=DATE-TIME") || one.p < one.end)
			return false;
	}
	if (!r->zone) {
		if (line.p == line.end || line.end[-1] != 'Z')
			return false;
		line.end--;
		r->zone = zone_utc();
	}
	return date_time(line, &r->start);
}

/* --- RRULE ------------------------------------------------------------------------ */

static void number_set_add(struct number_set *s, int n)
{
	int bit = n < 0 ? -n : n;

	s->any = true;
	(n < 0 ? s->from_end : s->from_start)[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* "[+-]n" in the range; a sign of minus only if min is negative. */
static bool signed_number(struct text t, int min, int max, int *out)
{
	bool negative = min < 0 && parse_word(&t, "-");
	int64_t value;

	if (min < 0 && !negative)
		parse_word(&t, "+");
	if (!parse_number(t, &value))
		return false;
	if (value > max || (value == 0 && min != 0))
		return false;
	*out = negative ? -(int)value : (int)value;
	return true;
}

static bool parse_numbers(struct number_set *s, struct text list, int min, int max)
{
	int n;

	if (list.p == list.end || list.end[-1] == ',')
		return false;
	while (list.p < list.end) {
		if (!signed_number(parse_part(&list, ','), min, max, &n))
			return false;
		number_set_add(s, n);
	}
	return true;
}

static int parse_weekday(struct text t)
{
	static const char names[7][3] = {"MO", "TU", "WE", "TH", "FR", "SA", "SU"};

	for (int i = 0; i < 7; i++)
		if (t.end - t.p == 2 && strncasecmp(t.p, names[i], 2) == 0)
			return i;
	return -1;
}

static bool by_day(struct recurrence *r, struct text list)
{
	if (list.p == list.end || list.end[-1] == ',')
		return false;
	while (list.p < list.end) {
		struct text item = parse_part(&list, ','), name = item;
		int day, n;
		if (item.end - item.p < 2)
			return false;
		name.p = item.end - 2;
		item.end -= 2;
		day = parse_weekday(name);
		if (day < 0 || (item.p < item.end && !signed_number(item, -53, 53, &n)))
			return false;
		if (item.p < item.end)
			number_set_add(&r->nth_days[day], n);
		else
			number_set_add(&r->weekdays, day);
	}
	return true;
}

static bool parse_until(struct recurrence *r, struct text value)
{
	int32_t days;

	if (value.end - value.p == 8) { /* a date: to the end of the day */
		r->until_kind = UNTIL_LOCAL;
		if (!parse_date(value.p, &days))
			return false;
		r->until = (int64_t)days * DAY_SECONDS + DAY_SECONDS - 1;
		return true;
	}
	r->until_kind = value.end > value.p && value.end[-1] == 'Z' ? UNTIL_UTC : UNTIL_LOCAL;
	if (r->until_kind == UNTIL_UTC)
		value.end--;
	return date_time(value, &r->until);
}

static bool parse_frequency(struct recurrence *r, struct text value)
{
	static const char *const names[] = {"YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"};

	for (int i = 0; i <= FREQ_SECONDLY; i++) {
		struct text t = value;
		if (parse_word(&t, names[i]) && t.p == t.end) {
			r->frequency = (enum frequency)i;
			r->rules = true;
			return true;
		}
	}
	return false;
}

static bool parse_positive(struct text value, int64_t *out)
{
	return parse_number(value, out) && *out > 0;
}

enum rule_part {
	PART_FREQ,
	PART_INTERVAL,
	PART_COUNT,
	PART_UNTIL,
	PART_WKST,
	PART_BYSECOND,
	PART_BYMINUTE,
	PART_BYHOUR,
	PART_BYDAY,
	PART_BYMONTHDAY,
	PART_BYYEARDAY,
	PART_BYWEEKNO,
	PART_BYMONTH,
	PART_BYSETPOS,
	PARTS
};

static bool by_second(struct recurrence *r, struct text value)
{
	if (!parse_numbers(&r->seconds, value, 0, 60))
		return false;
	if (r->seconds.from_start[0] & UINT64_C(1) << 60)
		number_set_add(&r->seconds, 59); /* there are no leap seconds: 60 becomes 59 */
	r->seconds.from_start[0] &= (UINT64_C(1) << 60) - 1;
	return true;
}

static bool read_part(struct recurrence *r, enum rule_part which, struct text value)
{
	int64_t n;
	bool ok;

	switch (which) {
	case PART_FREQ:
		return parse_frequency(r, value);
	case PART_INTERVAL:
		ok = parse_positive(value, &n);
		r->interval = (int)n;
		return ok;
	case PART_COUNT:
		return parse_positive(value, &r->count);
	case PART_UNTIL:
		return parse_until(r, value);
	case PART_WKST:
		r->week_start = parse_weekday(value);
		return r->week_start >= 0;
	case PART_BYSECOND:
		return by_second(r, value);
	case PART_BYMINUTE:
		return parse_numbers(&r->minutes, value, 0, 59);
	case PART_BYHOUR:
		return parse_numbers(&r->hours, value, 0, 23);
	case PART_BYDAY:
		return by_day(r, value);
	case PART_BYMONTHDAY:
		return parse_numbers(&r->month_days, value, -31, 31);
	case PART_BYYEARDAY:
		return parse_numbers(&r->year_days, value, -366, 366);
	case PART_BYWEEKNO:
		return parse_numbers(&r->weeks, value, -53, 53);
	case PART_BYMONTH:
		return parse_numbers(&r->months, value, 1, 12);
	case PART_BYSETPOS:
		return parse_numbers(&r->positions, value, -366, 366);
	case PARTS:
		break;
	}
	return false;
}

/* Checks the combinations of parts that the RFC forbids. */
static bool parts_fit(const struct recurrence *r, unsigned given)
{
	static const unsigned by = 1 << PART_BYSECOND | 1 << PART_BYMINUTE | 1 << PART_BYHOUR | 1 << PART_BYDAY |
	                           1 << PART_BYMONTHDAY | 1 << PART_BYYEARDAY | 1 << PART_BYWEEKNO | 1 << PART_BYMONTH;
	enum frequency f = r->frequency;
	bool nth = false;

	if (!r->rules) /* a single time: COUNT=1 and nothing else */
		return given == 1 << PART_COUNT && r->count == 1;
	for (int i = 0; i < 7; i++)
		nth |= r->nth_days[i].any;
	if ((given & 1 << PART_COUNT) && (given & 1 << PART_UNTIL))
		return false;
	if ((given & 1 << PART_BYSETPOS) && !(given & by))
		return false;
	if (r->weeks.any && (f != FREQ_YEARLY || nth))
		return false;
	if (r->year_days.any && (f == FREQ_MONTHLY || f == FREQ_WEEKLY || f == FREQ_DAILY))
		return false;
	return !(r->month_days.any && f == FREQ_WEEKLY) && !(nth && f != FREQ_MONTHLY && f != FREQ_YEARLY);
}

static bool rule_line(struct recurrence *r, struct text line)
{
	static const char *const names[PARTS] = {"FREQ=", "INTERVAL=", "COUNT=", "UNTIL=", "WKST=", "BYSECOND=",
	    "BYMINUTE=", "BYHOUR=", "BYDAY=", "BYMONTHDAY=", "BYYEARDAY=", "BYWEEKNO=", "BYMONTH=", "BYSETPOS="};
	unsigned given = 0;

	if (!parse_word(&line, "RRULE:") || line.p == line.end || line.end[-1] == ';')
		return false;
	while (line.p < line.end) {
		struct text one = parse_part(&line, ';');
		int i = 0;
		while (i < PARTS && !parse_word(&one, names[i]))
			i++;
		if (i == PARTS || (given & 1u << i) || !read_part(r, (enum rule_part)i, one))
			return false;
		given |= 1u << i;
	}
	return parts_fit(r, given);
}

bool recurrence_parse(struct recurrence *r, const char *text, size_t len)
{
	struct text rest = {text, text + len}, first;

	memset(r, 0, sizeof *r);
	r->interval = 1;
	if (memchr(text, '\0', len))
		return false;
	first = parse_part(&rest, '\n');
	if (first.end > first.p && first.end[-1] == '\r')
		first.end--;
	if (rest.end > rest.p && rest.end[-1] == '\n')
		rest.end--;
	if (rest.end > rest.p && rest.end[-1] == '\r')
		rest.end--;
	return start_line(r, first) && rule_line(r, rest);
}
