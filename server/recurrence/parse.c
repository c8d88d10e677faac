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

/* Consumes the text before the separator, and the separator. Without a separator it consumes everything. */
static struct text parse_part(struct text *t, char separator)
{
	const char *at = memchr(t->p, separator, (size_t)(t->end - t->p));
	struct text taken = {t->p, at ? at : t->end};

	t->p = at ? at + 1 : t->end;
	return taken;
}

/* Digits only, at least one; else returns false. */
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

/* Reads 15 characters as "20260131T093000". A second of 60 becomes 59, because there are no leap seconds. */
static bool parse_date_time(struct text t, int64_t *seconds)
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

static bool parse_zone(struct recurrence *r, struct text name)
{
	if (name.end - name.p > 1 && name.p[0] == '"' && name.end[-1] == '"') {
		name.p++;
		name.end--;
	}
	if (r->zone)
		return false;
	r->zone_name = name.p;
	r->zone_name_len = (size_t)(name.end - name.p);
	r->zone = zone_find(r->zone_name, r->zone_name_len);
	return r->zone != NULL;
}

/* "DTSTART;TZID=<zone>:<local time>" or "DTSTART:<time>Z". */
static bool parse_start_line(struct recurrence *r, struct text line)
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
		if (parse_word(&one, "TZID=") ? !parse_zone(r, one)
		                              : !parse_word(&one, "VALUE=DATE-TIME") || one.p < one.end)
			return false;
	}
	if (!r->zone) {
		if (line.p == line.end || line.end[-1] != 'Z')
			return false;
		line.end--;
		r->zone = zone_utc();
	}
	return parse_date_time(line, &r->start);
}

/* --- RRULE ------------------------------------------------------------------------ */

static void number_set_add(struct number_set *s, int n)
{
	int bit = n < 0 ? -n : n;

	s->any = true;
	(n < 0 ? s->from_end : s->from_start)[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* Reads "[+-]n" in the range; a minus is allowed only if min is negative. */
static bool parse_signed(struct text t, int min, int max, int *out)
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
		if (!parse_signed(parse_part(&list, ','), min, max, &n))
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

static bool parse_by_day(struct recurrence *r, struct text list)
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
		if (day < 0 || (item.p < item.end && !parse_signed(item, -53, 53, &n)))
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

	if (value.end - value.p == 8) { /* a date: the rule ends with that day */
		r->until_kind = UNTIL_LOCAL;
		if (!parse_date(value.p, &days))
			return false;
		r->until = (int64_t)days * DAY_SECONDS + DAY_SECONDS - 1;
		return true;
	}
	r->until_kind = value.end > value.p && value.end[-1] == 'Z' ? UNTIL_UTC : UNTIL_LOCAL;
	if (r->until_kind == UNTIL_UTC)
		value.end--;
	return parse_date_time(value, &r->until);
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

static bool parse_interval(struct recurrence *r, struct text value)
{
	int64_t n;
	bool ok = parse_number(value, &n) && n > 0;

	r->interval = (int)n;
	return ok;
}

static bool parse_count(struct recurrence *r, struct text value)
{
	return parse_number(value, &r->count) && r->count > 0;
}

static bool parse_week_start(struct recurrence *r, struct text value)
{
	r->week_start = parse_weekday(value);
	return r->week_start >= 0;
}

static bool parse_by_second(struct recurrence *r, struct text value)
{
	if (!parse_numbers(&r->seconds, value, 0, 60))
		return false;
	if (r->seconds.from_start[0] & UINT64_C(1) << 60)
		number_set_add(&r->seconds, 59); /* there are no leap seconds: 60 becomes 59 */
	r->seconds.from_start[0] &= (UINT64_C(1) << 60) - 1;
	return true;
}

/* The parts of a rule: read by a function, or numbers in a range, for a set. */
static const struct rule_part {
	const char *name;
	bool (*read)(struct recurrence *r, struct text value);
	size_t set;
	int min, max;
} rule_parts[] = {
    {.name = "FREQ=", .read = parse_frequency},
    {.name = "INTERVAL=", .read = parse_interval},
    {.name = "COUNT=", .read = parse_count},
    {.name = "UNTIL=", .read = parse_until},
    {.name = "WKST=", .read = parse_week_start},
    {.name = "BYSECOND=", .read = parse_by_second},
    {.name = "BYDAY=", .read = parse_by_day},
    {"BYMINUTE=", NULL, offsetof(struct recurrence, minutes), 0, 59},
    {"BYHOUR=", NULL, offsetof(struct recurrence, hours), 0, 23},
    {"BYMONTHDAY=", NULL, offsetof(struct recurrence, month_days), -31, 31},
    {"BYYEARDAY=", NULL, offsetof(struct recurrence, year_days), -366, 366},
    {"BYWEEKNO=", NULL, offsetof(struct recurrence, weeks), -53, 53},
    {"BYMONTH=", NULL, offsetof(struct recurrence, months), 1, 12},
    {"BYSETPOS=", NULL, offsetof(struct recurrence, positions), -366, 366},
};
enum { RULE_PARTS = sizeof rule_parts / sizeof *rule_parts };

static bool parse_part_value(struct recurrence *r, const struct rule_part *part, struct text value)
{
	if (part->read)
		return part->read(r, value);
	return parse_numbers((struct number_set *)(void *)((char *)r + part->set), value, part->min, part->max);
}

/* Checks the combinations of parts that the RFC forbids. */
static bool rule_parts_fit(const struct recurrence *r, int n_parts)
{
	enum frequency f = r->frequency;
	bool nth = false;

	if (!r->rules) /* a single time: COUNT=1 and nothing else */
		return n_parts == 1 && r->count == 1;
	for (int i = 0; i < 7; i++)
		nth |= r->nth_days[i].any;
	if (r->count && r->until_kind != UNTIL_NEVER)
		return false;
	if (r->positions.any && !(r->seconds.any || r->minutes.any || r->hours.any || r->weekdays.any || nth ||
	                            r->month_days.any || r->year_days.any || r->weeks.any || r->months.any))
		return false;
	if (r->weeks.any && (f != FREQ_YEARLY || nth))
		return false;
	if (r->year_days.any && (f == FREQ_MONTHLY || f == FREQ_WEEKLY || f == FREQ_DAILY))
		return false;
	return !(r->month_days.any && f == FREQ_WEEKLY) && !(nth && f != FREQ_MONTHLY && f != FREQ_YEARLY);
}

static bool parse_rule_line(struct recurrence *r, struct text line)
{
	unsigned given = 0;
	int n = 0;

	if (!parse_word(&line, "RRULE:") || line.p == line.end || line.end[-1] == ';')
		return false;
	r->parts = line.p;
	r->parts_len = (size_t)(line.end - line.p);
	for (; line.p < line.end; n++) {
		struct text one = parse_part(&line, ';');
		int i = 0;
		while (i < RULE_PARTS && !parse_word(&one, rule_parts[i].name))
			i++;
		if (i == RULE_PARTS || (given & 1u << i) || !parse_part_value(r, &rule_parts[i], one))
			return false;
		given |= 1u << i;
	}
	return rule_parts_fit(r, n);
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
	return parse_start_line(r, first) && parse_rule_line(r, rest);
}
