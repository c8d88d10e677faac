/* POSIX TZ strings. */
#include "server/recurrence/zone_rule.h"

#include "server/base/civil.h"

enum { HOUR = 60 * 60, DAY = 24 * HOUR };

struct rule_reader {
	const char *p, *end;
	bool bad;
};

static bool rule_take(struct rule_reader *r, char c)
{
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static int rule_number(struct rule_reader *r, int max)
{
	int value = 0, digits = 0;

	for (; r->p < r->end && *r->p >= '0' && *r->p <= '9' && digits < 3; r->p++, digits++)
		value = value * 10 + (*r->p - '0');
	r->bad |= digits == 0 || value > max;
	return value;
}

/* [+-]hh[:mm[:ss]] */
static int32_t rule_clock_time(struct rule_reader *r, int hours_max)
{
	int sign = rule_take(r, '-') ? -1 : 1;
	int32_t seconds;

	if (sign > 0)
		rule_take(r, '+');
	seconds = rule_number(r, hours_max) * HOUR;
	if (rule_take(r, ':'))
		seconds += rule_number(r, 59) * 60;
	if (rule_take(r, ':'))
		seconds += rule_number(r, 59);
	return sign * seconds;
}

/* An abbreviation: letters, or anything in angle brackets. */
static void rule_name(struct rule_reader *r)
{
	const char *from = r->p;

	if (rule_take(r, '<')) {
		while (r->p < r->end && *r->p != '>')
			r->p++;
		r->bad |= !rule_take(r, '>');
		return;
	}
	while (r->p < r->end && ((*r->p | 0x20) >= 'a' && (*r->p | 0x20) <= 'z'))
		r->p++;
	r->bad |= r->p == from;
}

static void rule_change(struct rule_reader *r, struct zone_change *c)
{
	r->bad |= !rule_take(r, ',');
	if (rule_take(r, 'M')) {
		c->kind = DAY_OF_MONTH;
		c->month = rule_number(r, 12);
		r->bad |= !rule_take(r, '.') || c->month < 1;
		c->week = rule_number(r, 5);
		r->bad |= !rule_take(r, '.') || c->week < 1;
		c->day = rule_number(r, 6);
	} else {
		c->kind = rule_take(r, 'J') ? DAY_JULIAN : DAY_COUNTED;
		c->day = rule_number(r, 365);
	}
	c->time = rule_take(r, '/') ? rule_clock_time(r, 167) : 2 * HOUR;
}

bool zone_rule_parse(struct zone_rule *rule, const char *text, size_t len)
{
	struct rule_reader r = {.p = text, .end = text + len};

	*rule = (struct zone_rule){0};
	rule_name(&r);
	rule->standard = -rule_clock_time(&r, 24);
	if (r.p == r.end)
		return !r.bad;
	rule_name(&r);
	rule->changes = true;
	rule->summer = r.p < r.end && *r.p != ',' ? -rule_clock_time(&r, 24) : rule->standard + HOUR;
	rule_change(&r, &rule->begin);
	rule_change(&r, &rule->end);
	return !r.bad && r.p == r.end;
}

int64_t zone_change_local(const struct zone_change *c, int year)
{
	int32_t first = civil_days(year, 1, 1), day;

	switch (c->kind) {
	case DAY_JULIAN: /* from 1; February 29 is never counted */
		day = first + c->day - 1 + (civil_leap(year) && c->day > 59);
		break;
	case DAY_COUNTED:
		day = first + c->day;
		break;
	default: /* the week-th such weekday of the month; 5 is the last one */
		first = civil_days(year, c->month, 1);
		day = first + (c->day - (civil_weekday(first) + 1) % 7 + 7) % 7 + 7 * (c->week - 1);
		if (day >= first + civil_month_length(year, c->month))
			day -= 7;
		break;
	}
	return (int64_t)day * DAY + c->time;
}

int32_t zone_rule_offset(const struct zone_rule *rule, int64_t utc)
{
	int64_t begin, end;
	int year, month, day;

	if (!rule->changes)
		return rule->standard;
	civil_from_days((int32_t)civil_floor(utc + rule->standard, DAY), &year, &month, &day);
	begin = zone_change_local(&rule->begin, year) - rule->standard;
	end = zone_change_local(&rule->end, year) - rule->summer;
	if (begin < end)
		return utc >= begin && utc < end ? rule->summer : rule->standard;
	return utc >= end && utc < begin ? rule->standard : rule->summer;
}

int64_t zone_rule_next(const struct zone_rule *rule, int64_t utc)
{
	int64_t next = INT64_MAX;
	int year, month, day;

	civil_from_days((int32_t)civil_floor(utc, DAY), &year, &month, &day);
	for (int y = year - 1; y <= year + 1; y++) {
		int64_t begin = zone_change_local(&rule->begin, y) - rule->standard,
		        end = zone_change_local(&rule->end, y) - rule->summer;
		if (begin > utc && begin < next)
			next = begin;
		if (end > utc && end < next)
			next = end;
	}
	return next;
}
