/* VTIMEZONE. Times are written in the zone that a rule names, and clients that do not know the zone need its offsets.
 * They are those of the system's zone files, as for kith's own reminders: a yearly rule where the zone has one, and
 * else each change of the clock by itself, from the first event on. */
#include <stdio.h>
#include <stdlib.h>

#include "server/base/civil.h"
#include "server/calendar/calendar_private.h"
#include "server/calendar/ical.h"
#include "server/recurrence/zone.h"
#include "server/recurrence/zone_rule.h"

enum {
	DAY = 24 * 60 * 60,
	YEAR = 366 * DAY,
	CHANGES_YEARS = 20 /* into the future, for zones without a yearly rule */
};
static const int64_t FIRST_DAY = INT64_C(-62135510400); /* 0001-01-02, because there is no year 0 */

void calendar_zone_use(
    struct req *r, struct calendar *c, const struct zone *z, const char *name, size_t len, int64_t at)
{
	struct calendar_zone *known = c->zones;

	while (known && (known->len != len || memcmp(known->name, name, len) != 0))
		known = known->next;
	if (!known) {
		known = arena_alloc(&r->arena, sizeof *known);
		*known = (struct calendar_zone){z, arena_dup(&r->arena, name, len), len, at, c->zones};
		c->zones = known;
	}
	if (at < known->from)
		known->from = at;
}

/* --- yearly rules ------------------------------------------------------------------------ */

enum { RULE_SIZE = 100 };

/* Writes "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU". Returns false for a change that RRULE cannot express: one that is not in
 * the same month every year. */
static bool change_rule(const struct zone_change *c, char out[RULE_SIZE])
{
	static const char days[7][3] = {"SU", "MO", "TU", "WE", "TH", "FR", "SA"};
	/* A time before or after the day moves the change to another day. */
	int moved = (int)civil_floor(c->time, DAY), weekday = ((c->day + moved) % 7 + 7) % 7, length, first, n;

	if (c->kind != DAY_OF_MONTH)
		return false;
	if (moved == 0) {
		snprintf(out, RULE_SIZE, "FREQ=YEARLY;BYMONTH=%d;BYDAY=%d%s", c->month, c->week == 5 ? -1 : c->week,
		    days[weekday]);
		return true;
	}
	length = civil_month_length(2001, c->month);
	first = (c->week == 5 ? length - 6 : 7 * c->week - 6) + moved;
	if (first < 1 || first + 6 > length || (c->week == 5 && c->month == 2))
		return false;
	n = snprintf(out, RULE_SIZE, "FREQ=YEARLY;BYMONTH=%d;BYDAY=%s;BYMONTHDAY=%d", c->month, days[weekday], first);
	for (int i = 1; i < 7; i++)
		n += snprintf(out + n, (size_t)(RULE_SIZE - n), ",%d", first + i);
	return true;
}

/* --- writing ----------------------------------------------------------------------------- */

static void offset_add(struct buf *out, const char *name, int32_t offset)
{
	int seconds = abs(offset);

	buf_printf(out, "%s:%c%02d%02d", name, offset < 0 ? '-' : '+', seconds / 3600, seconds / 60 % 60);
	if (seconds % 60)
		buf_printf(out, "%02d", seconds % 60);
	buf_addz(out, "\r\n");
}

/* The offset "to" applies from a local time on, by the clock before it. rule NULL: the change is not repeated. */
static void observance_add(struct buf *out, int64_t local, int32_t from, int32_t to, const char *rule)
{
	const char *kind = to > from ? "DAYLIGHT" : "STANDARD";
	char time[ICAL_TIME_SIZE];

	buf_printf(out, "BEGIN:%s\r\nDTSTART:%s\r\n", kind, ical_time(local, time));
	offset_add(out, "TZOFFSETFROM", from);
	offset_add(out, "TZOFFSETTO", to);
	if (rule)
		ical_add(out, "RRULE", rule, strlen(rule));
	buf_printf(out, "END:%s\r\n", kind);
}

/* One of the two changes of a yearly rule, from its first time at or after since. */
static void yearly_add(
    struct buf *out, const struct zone_change *c, int32_t from, int32_t to, int64_t since, const char *rule)
{
	int year, month, day;

	civil_from_days((int32_t)civil_floor(since + from, DAY), &year, &month, &day);
	while (zone_change_local(c, year) - from < since)
		year++;
	observance_add(out, zone_change_local(c, year), from, to, rule);
}

void calendar_zone_write(struct buf *out, const struct calendar_zone *z, int64_t now)
{
	int64_t since = INT64_MAX, at = z->from > FIRST_DAY ? z->from - DAY : z->from,
	        end = now + CHANGES_YEARS * (int64_t)YEAR;
	const struct zone_rule *rule = zone_yearly_rule(z->zone, &since);
	char begin_rule[RULE_SIZE], end_rule[RULE_SIZE];

	if (rule && !(change_rule(&rule->begin, begin_rule) && change_rule(&rule->end, end_rule)))
		rule = NULL;
	buf_addz(out, "BEGIN:VTIMEZONE\r\n");
	ical_add(out, "TZID", z->name, z->len);
	if (!rule || since > at - YEAR)
		observance_add(
		    out, at + zone_offset(z->zone, at), zone_offset(z->zone, at), zone_offset(z->zone, at), NULL);
	else
		since = at - YEAR;
	while ((at = zone_next_change(z->zone, at)) < end && !(rule && at >= since)) {
		int32_t from = zone_offset(z->zone, at - 1), to = zone_offset(z->zone, at);
		if (from != to)
			observance_add(out, at + from, from, to, NULL);
	}
	if (rule) {
		yearly_add(out, &rule->begin, rule->standard, rule->summer, since, begin_rule);
		yearly_add(out, &rule->end, rule->summer, rule->standard, since, end_rule);
	}
	buf_addz(out, "END:VTIMEZONE\r\n");
}
