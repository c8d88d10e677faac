/* Lines of iCalendar, and the zones of calendars: what cannot be seen well from outside (test/flow/test_calendar.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/civil.h"
#include "server/base/text.h"
#include "server/calendar/calendar_private.h"
#include "server/calendar/ical.h"
#include "server/recurrence/zone.h"
#include "test/lib/test.h"

enum { BYTES = 8000, DAY = 24 * 60 * 60 };

static struct buf out;

BEFORE_EACH()
{
	buf_init(&out, 1 << 20);
}

AFTER_EACH()
{
	buf_free(&out);
}

/* Each line has at most 75 bytes of whole characters; returns them without their folds, in memory of malloc(). */
static char *unfold_out(void)
{
	char *text = malloc(out.len + 1), *to = text;

	for (const char *line = out.data, *end; *line; line = end + 2) {
		end = strstr(line, "\r\n");
		assert_non_null(end);
		assert_true(end - line <= 75);
		assert_true(text_utf8_valid(line, (size_t)(end - line)));
		memcpy(to, line, (size_t)(end - line));
		to += end - line;
		if (end[2] == ' ')
			end++;
		else
			*to++ = '\n';
	}
	*to = '\0';
	return text;
}

TEST(long_lines_are_folded_between_characters)
{
	static const char *const units[] = {
	    "a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x8e\x82", ",", "\n", "a\xf0\x9f\x8e\x82"};

	for (size_t u = 0; u < sizeof units / sizeof *units; u++)
		for (int n = 0; n < 200; n++) {
			const char *unit = units[u], *written = *unit == ',' ? "\\," : *unit == '\n' ? "\\n" : unit;
			char text[1200], wanted[1200], *found;
			int at = 0, to = snprintf(wanted, sizeof wanted, "SUMMARY:");
			for (int i = 0; i < n; i++) {
				at += snprintf(text + at, sizeof text - (size_t)at, "%s", unit);
				to += snprintf(wanted + to, sizeof wanted - (size_t)to, "%s", written);
			}
			snprintf(wanted + to, sizeof wanted - (size_t)to, "\n");
			buf_clear(&out);
			ical_add_text(&out, "SUMMARY", text, (size_t)at);
			found = unfold_out();
			assert_string_equal(found, wanted);
			free(found);
		}
}

TEST(texts_cannot_make_lines)
{
	static const struct {
		const char *text, *line;
	} cases[] = {
	    {"", "X:\r\n"},
	    {"a\r\nEND:VEVENT\r\nBEGIN:VEVENT", "X:a\\nEND:VEVENT\\nBEGIN:VEVENT\r\n"},
	    {"a\rb", "X:ab\r\n"},
	    {"a\vb\fc\x7f\x1b[0m", "X:abc[0m\r\n"},
	    {"a\tb", "X:a\tb\r\n"},
	    {"one; two, three: \\n \"four\"", "X:one\\; two\\, three: \\\\n \"four\"\r\n"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		buf_clear(&out);
		ical_add_text(&out, "X", cases[i].text, strlen(cases[i].text));
		assert_string_equal(out.data, cases[i].line);
	}
	buf_clear(&out);
	ical_add_text(&out, "X", "a\0b", 3);
	assert_string_equal(out.data, "X:ab\r\n");
}

TEST(times_have_their_form)
{
	char time[ICAL_TIME_SIZE], date[ICAL_DATE_SIZE];

	assert_string_equal(ical_time(0, time), "19700101T000000");
	assert_string_equal(ical_time(-1, time), "19691231T235959");
	assert_string_equal(ical_time((int64_t)civil_days(9999, 12, 31) * DAY + DAY - 1, time), "99991231T235959");
	assert_string_equal(ical_date(civil_days(1, 2, 3), date), "00010203");
}

/* --- zones ------------------------------------------------------------------------------- */

static const char *zone_text(const char *name, int year)
{
	struct calendar_zone z = {
	    zone_find(name, strlen(name)), name, strlen(name), (int64_t)civil_days(year, 6, 1) * DAY, NULL};

	assert_non_null(z.zone);
	buf_clear(&out);
	calendar_zone_write(&out, &z, (int64_t)civil_days(2026, 11, 27) * DAY);
	return out.data;
}

static int zone_count(const char *part)
{
	int n = 0;

	for (const char *at = out.data; (at = strstr(at, part)); at++)
		n++;
	return n;
}

TEST(a_yearly_rule_is_a_rule)
{
	assert_string_equal(zone_text("Europe/Berlin", 2026),
	    "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n"
	    "BEGIN:DAYLIGHT\r\nDTSTART:20260329T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n"
	    "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nEND:DAYLIGHT\r\n"
	    "BEGIN:STANDARD\r\nDTSTART:20251026T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n"
	    "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n");
	assert_non_null(strstr(zone_text("America/New_York", 2026), "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\r\n"));
	assert_non_null(strstr(out.data, "TZOFFSETTO:-0400\r\n"));
	/* The Friday before the last Sunday: a day and a time beyond 24 hours. */
	assert_non_null(
	    strstr(zone_text("Asia/Jerusalem", 2026), "BYMONTH=3;BYDAY=FR;BYMONTHDAY=23,24,25,26,27,28,29\r\n"));
	/* The day before the last Sunday, at 22 hours. */
	assert_non_null(
	    strstr(zone_text("America/Nuuk", 2026), "BYMONTH=3;BYDAY=SA;BYMONTHDAY=24,25,26,27,28,29,30\r\n"));
	assert_non_null(strstr(zone_text("Australia/Lord_Howe", 2026), "TZOFFSETFROM:+1030\r\nTZOFFSETTO:+1100\r\n"));
}

TEST(other_changes_are_listed)
{
	zone_text("Asia/Kolkata", 2026);
	assert_int_equal(zone_count("DTSTART"), 1);
	assert_int_equal(zone_count("RRULE"), 0);
	zone_text("Africa/Cairo", 2026); /* the day after the last Thursday is not always in October */
	assert_int_equal(zone_count("RRULE"), 0);
	assert_true(zone_count("DTSTART") > 30);
	zone_text("America/New_York", 2005); /* other rules until 2007 */
	assert_int_equal(zone_count("RRULE"), 2);
	assert_int_equal(zone_count("DTSTART"), 6);
}
