/* VEVENTs. All are transparent: a task does not make its user busy. */
#include <stdio.h>

#include "server/base/civil.h"
#include "server/base/text.h"
#include "server/calendar/calendar_private.h"
#include "server/calendar/ical.h"
#include "server/pages/asset.h"
#include "server/recurrence/expand.h"
#include "server/recurrence/zone.h"
#include "store/entity_kind.h"

enum {
	DAY = 24 * 60 * 60,
	EARLIEST_YEAR = 1900, /* of birthdays: many clients know no earlier year */
	LEAP_YEAR = 1904,     /* stands for earlier ones */
	DAILY_MAX = 100,      /* times in a day that are left to the client */
	OFTEN_MAX = 1000,     /* times in all that are left to it, however often they are */
	UID_SIZE = ID_SIZE + 20
};

/* --- parts of an event ------------------------------------------------------------------ */

/* uid: follows the id, for an event that is not the record itself. */
static void event_begin(struct req *r, int row, enum id_kind kind, const char *uid)
{
	struct buf *out = &r->reply.out;
	struct uuid id = db_uuid(r->db.last, r->at, row, ROW_ID);
	char text[ID_SIZE], time[ICAL_TIME_SIZE], line[UID_SIZE];

	snprintf(line, sizeof line, "%s%s@kith", id_format(kind, &id, text), uid);
	buf_addz(out, "BEGIN:VEVENT\r\n");
	ical_add(out, "UID", line, strlen(line));
	buf_printf(out, "DTSTAMP:%sZ\r\n",
	    ical_time(civil_floor(db_time_ms(r->db.last, r->at, row, ROW_UPDATED), 1000), time));
}

/* A time in UTC. */
static void event_at(struct buf *out, int64_t utc)
{
	char time[ICAL_TIME_SIZE];

	buf_printf(out, "DTSTART:%sZ\r\nDURATION:PT15M\r\n", ical_time(utc, time));
}

/* A local time in a zone. */
static void event_at_local(
    struct req *r, struct calendar *c, const struct zone *z, const char *name, size_t len, int64_t local)
{
	char time[ICAL_TIME_SIZE];
	const char *property = arena_printf(&r->arena, "DTSTART;TZID=%.*s", (int)len, name);

	calendar_zone_use(r, c, z, name, len, zone_instant(z, local));
	ical_add(&r->reply.out, property, ical_time(local, time), ICAL_TIME_SIZE - 2);
	buf_addz(&r->reply.out, "DURATION:PT15M\r\n");
}

/* The address of the record's page in the console; nothing for objects, whose pages are named by group and type. */
static void event_link(struct req *r, const struct calendar *c, int row, const struct entity_kind *kind)
{
	struct uuid id = db_uuid(r->db.last, r->at, row, ROW_ENTITY);
	const char *url;
	char text[ID_SIZE];

	if (!kind || kind->group || !n_assets)
		return;
	url =
	    arena_printf(&r->arena, "%s/console#/%s/%s", c->base_url, kind->table, id_format(kind->id_kind, &id, text));
	ical_add(&r->reply.out, "URL", url, strlen(url));
}

static void event_text(struct req *r, const char *property, int row, int column)
{
	size_t len;
	const char *text = db_text(r->db.last, r->at, row, column, &len);

	if (len || column == ROW_TITLE)
		ical_add_text(&r->reply.out, property, text, len);
}

/* What follows the times. alarm: at the beginning of the event. */
static void event_end(struct req *r, const struct calendar *c, int row, bool alarm)
{
	struct buf *out = &r->reply.out;
	size_t len;
	const char *type = db_text(r->db.last, r->at, row, ROW_TYPE, &len);

	event_text(r, "SUMMARY", row, ROW_TITLE);
	event_text(r, "DESCRIPTION", row, ROW_TEXT);
	event_link(r, c, row, entity_kind_named(type, len));
	if (!db_bool(r->db.last, r->at, row, ROW_PUBLIC))
		buf_addz(out, "CLASS:PRIVATE\r\n");
	buf_addz(out, "TRANSP:TRANSPARENT\r\n");
	if (alarm) {
		buf_addz(out, "BEGIN:VALARM\r\nACTION:DISPLAY\r\n");
		event_text(r, "DESCRIPTION", row, ROW_TITLE);
		buf_addz(out, "TRIGGER:PT0S\r\nEND:VALARM\r\n");
	}
	buf_addz(out, "END:VEVENT\r\n");
}

/* --- tasks ------------------------------------------------------------------------------- */

void event_of_task(struct req *r, struct calendar *c, int row)
{
	int32_t day = db_date(r->db.last, r->at, row, ROW_DUE_DAY);
	bool timed = !db_null(r->db.last, r->at, row, ROW_DUE_TIME);
	char date[ICAL_DATE_SIZE];

	event_begin(r, row, ID_TASK, "");
	if (timed)
		event_at_local(r, c, c->home, c->home_name, strlen(c->home_name),
		    (int64_t)day * DAY + db_int(r->db.last, r->at, row, ROW_DUE_TIME) * 60);
	else
		buf_printf(&r->reply.out, "DTSTART;VALUE=DATE:%s\r\n", ical_date(day, date));
	event_end(r, c, row, timed);
}

/* --- reminders --------------------------------------------------------------------------- */

/* RRULE in the form that all clients read: capital letters, and UNTIL in UTC. */
static void event_rule(struct buf *out, const struct recurrence *rule)
{
	const char *p = rule->parts, *end = p + rule->parts_len;
	struct buf text;
	char time[ICAL_TIME_SIZE];

	buf_init(&text, 2 * RECURRENCE_MAX);
	while (p < end) {
		const char *stop = memchr(p, ';', (size_t)(end - p));
		size_t len = (size_t)((stop ? stop : end) - p);
		if (text.len)
			buf_addc(&text, ';');
		if (len && text_lower(*p) == 'u') /* UNTIL */
			buf_printf(&text, "UNTIL=%sZ", ical_time(recurrence_until(rule), time));
		else
			for (size_t i = 0; i < len; i++)
				buf_addc(&text, p[i] >= 'a' && p[i] <= 'z' ? (char)(p[i] - 'a' + 'A') : p[i]);
		p += len + (stop ? 1 : 0);
	}
	ical_add(out, "RRULE", text.data, text.len);
	buf_free(&text);
}

/* Counts the numbers in a BYHOUR, BYMINUTE or BYSECOND. A rule without that part has n of them. */
static int set_count(const struct number_set *s, int n)
{
	return s->any ? __builtin_popcountll(s->from_start[0]) : n;
}

/* True for a rule that could stop a phone, which expands all times. */
static bool rule_is_frequent(const struct recurrence *rule)
{
	int in_day = set_count(&rule->hours, rule->frequency == FREQ_HOURLY ? 24 : 1) * set_count(&rule->minutes, 1) *
	             set_count(&rule->seconds, 1);

	return rule->rules && (rule->frequency >= FREQ_MINUTELY || in_day > DAILY_MAX) &&
	       !(rule->count && rule->count <= OFTEN_MAX);
}

/* DTSTART and RRULE. Clients take DTSTART for the first time, also where the rule does not have it. So it is moved to
 * the first time that kith's own expansion finds, which leaves all others as they are. */
static void event_recurs(struct req *r, struct calendar *c, const struct recurrence *rule, int64_t first)
{
	if (rule->zone_name)
		event_at_local(r, c, rule->zone, rule->zone_name, rule->zone_name_len, first);
	else
		event_at(&r->reply.out, first);
	if (rule->rules)
		event_rule(&r->reply.out, rule);
}

void event_of_reminder(struct req *r, struct calendar *c, int row)
{
	struct recurrence rule;
	size_t len;
	const char *text = db_text(r->db.last, r->at, row, ROW_RULE, &len);
	int64_t first;
	bool recurs = recurrence_parse(&rule, text, len) && !rule_is_frequent(&rule) && recurrence_first(&rule, &first);

	if (!recurs && db_null(r->db.last, r->at, row, ROW_NEXT))
		return;
	event_begin(r, row, ID_REMINDER, "");
	if (recurs)
		event_recurs(r, c, &rule, first);
	else
		event_at(&r->reply.out, civil_floor(db_time_ms(r->db.last, r->at, row, ROW_NEXT), 1000));
	event_end(r, c, row, true);
}

/* --- birthdays --------------------------------------------------------------------------- */

void event_of_birthday(struct req *r, struct calendar *c, int row)
{
	struct buf *out = &r->reply.out;
	int year, month, day;
	char date[ICAL_DATE_SIZE];

	civil_from_days(db_date(r->db.last, r->at, row, ROW_BIRTHDAY), &year, &month, &day);
	event_begin(r, row, ID_PERSON, "-birthday");
	buf_printf(out, "DTSTART;VALUE=DATE:%s\r\n",
	    ical_date(civil_days(year < EARLIEST_YEAR ? LEAP_YEAR : year, month, day), date));
	/* Somebody born on February 29 has their birthday on the last day of February. */
	buf_addz(
	    out, month == 2 && day == 29 ? "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1\r\n" : "RRULE:FREQ=YEARLY\r\n");
	event_end(r, c, row, false);
}
