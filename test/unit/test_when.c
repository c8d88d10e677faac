/* Dates and times in words: what is read, and what is refused because it may mean two things. */
#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/mcp/when.h"
#include "server/recurrence/zone.h"
#include "test/lib/test.h"

BEFORE_ALL()
{
	assert_true(zone_read_all() > 0);
}

/* now is a Friday, 2026-11-27, at 02:30 UTC: still Thursday evening in New York, noon in Tokyo. */
#define NOW "2026-11-27T02:30:00Z"

/* Reads a text. Returns its day, time and instant, "other", or what it may mean. */
static const char *words_say(const char *zone, const char *now, enum when_side side, const char *text)
{
	static char answer[WHEN_WHY_SIZE];
	struct when_asked asked = {.zone = zone_find(zone, strlen(zone)), .side = side};
	char day[DATE_TEXT_SIZE], instant[TIME_TEXT_SIZE], clock[32] = "";
	int64_t now_ms;
	struct when when;

	assert_non_null(asked.zone);
	assert_true(time_parse(now, strlen(now), &now_ms));
	asked.now = now_ms / 1000;
	switch (when_read(&asked, text, strlen(text), &when, answer)) {
	case WHEN_OTHER:
		return "other";
	case WHEN_UNCERTAIN:
		assert_true(*answer);
		return answer;
	case WHEN_READ:
		break;
	}
	if (when.minute >= 0)
		snprintf(clock, sizeof clock, " %02d:%02d", when.minute / 60, when.minute % 60);
	time_format(when.instant * 1000, instant);
	instant[16] = '\0';
	snprintf(answer, sizeof answer, "%s%s = %s", date_format(when.day, day), clock, instant);
	return answer;
}

struct when_row {
	const char *zone;
	enum when_side side;
	const char *text, *answer;
};

static void check_rows(const char *now, const struct when_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *answer = words_say(rows[i].zone, now, rows[i].side, rows[i].text);
		if (strcmp(answer, rows[i].answer) != 0)
			fail_msg(
			    "%s in %s: \"%s\", expected \"%s\"", rows[i].text, rows[i].zone, answer, rows[i].answer);
	}
}
#define CHECK(now, rows) check_rows(now, rows, sizeof rows / sizeof *rows)

TEST(test_days)
{
	static const struct when_row rows[] = {
	    {"UTC", WHEN_ANY, "today", "2026-11-27 = 2026-11-27T00:00"},
	    {"America/New_York", WHEN_ANY, "today", "2026-11-26 = 2026-11-26T05:00"},
	    {"Asia/Tokyo", WHEN_ANY, "Today", "2026-11-27 = 2026-11-26T15:00"},
	    {"Europe/Berlin", WHEN_ANY, " tomorrow ", "2026-11-28 = 2026-11-27T23:00"},
	    {"Europe/Berlin", WHEN_ANY, "YESTERDAY", "2026-11-26 = 2026-11-25T23:00"},
	    {"UTC", WHEN_ANY, "in 3 days", "2026-11-30 = 2026-11-30T00:00"},
	    {"UTC", WHEN_ANY, "in 1 week", "2026-12-04 = 2026-12-04T00:00"},
	    {"UTC", WHEN_ANY, "30 days ago", "2026-10-28 = 2026-10-28T00:00"},
	    {"UTC", WHEN_ANY, "2 weeks ago, 9:00", "2026-11-13 09:00 = 2026-11-13T09:00"},
	};

	CHECK(NOW, rows);
}

TEST(test_times)
{
	static const struct when_row rows[] = {
	    {"Europe/Berlin", WHEN_ANY, "tomorrow 15:00", "2026-11-28 15:00 = 2026-11-28T14:00"},
	    {"Europe/Berlin", WHEN_ANY, "tomorrow at 3pm", "2026-11-28 15:00 = 2026-11-28T14:00"},
	    {"Europe/Berlin", WHEN_ANY, "today, 3:30 PM", "2026-11-27 15:30 = 2026-11-27T14:30"},
	    {"Asia/Tokyo", WHEN_ANY, "2026-11-30 15:00", "2026-11-30 15:00 = 2026-11-30T06:00"},
	    {"Asia/Tokyo", WHEN_ANY, "2026-11-30T15:00", "2026-11-30 15:00 = 2026-11-30T06:00"},
	    {"Asia/Tokyo", WHEN_ANY, "2026-11-30T15:00:00", "2026-11-30 15:00 = 2026-11-30T06:00"},
	    {"Asia/Kolkata", WHEN_ANY, "now", "2026-11-27 08:00 = 2026-11-27T02:30"},
	    {"America/New_York", WHEN_ANY, "in 2 hours", "2026-11-26 23:30 = 2026-11-27T04:30"},
	    {"UTC", WHEN_ANY, "90 minutes ago", "2026-11-27 01:00 = 2026-11-27T01:00"},
	    {"UTC", WHEN_ANY, "today 00:00", "2026-11-27 00:00 = 2026-11-27T00:00"},
	    {"UTC", WHEN_ANY, "today 9am", "2026-11-27 09:00 = 2026-11-27T09:00"},
	};

	CHECK(NOW, rows);
}

/* It is Friday. */
TEST(test_weekdays)
{
	static const struct when_row rows[] = {
	    {"UTC", WHEN_AHEAD, "monday", "2026-11-30 = 2026-11-30T00:00"},
	    {"UTC", WHEN_AHEAD, "Monday 15:00", "2026-11-30 15:00 = 2026-11-30T15:00"},
	    {"UTC", WHEN_BEHIND, "monday", "2026-11-23 = 2026-11-23T00:00"},
	    {"UTC", WHEN_ANY, "monday", "This may mean 2026-11-23 or 2026-11-30: write the date"},
	    {"UTC", WHEN_AHEAD, "friday", "This may mean 2026-11-27 or 2026-12-04: write the date"},
	    {"UTC", WHEN_BEHIND, "friday", "This may mean 2026-11-27 or 2026-11-20: write the date"},
	    {"America/New_York", WHEN_AHEAD, "friday", "2026-11-27 = 2026-11-27T05:00"},
	    {"UTC", WHEN_ANY, "next monday", "2026-11-30 = 2026-11-30T00:00"},
	    {"UTC", WHEN_ANY, "next friday 15:00", "2026-12-04 15:00 = 2026-12-04T15:00"},
	    {"UTC", WHEN_ANY, "next saturday", "This may mean 2026-11-28 or 2026-12-05: write the date"},
	    {"UTC", WHEN_ANY, "last sunday", "2026-11-22 = 2026-11-22T00:00"},
	    {"UTC", WHEN_ANY, "last monday", "This may mean 2026-11-23 or 2026-11-16: write the date"},
	    {"UTC", WHEN_ANY, "this saturday", "2026-11-28 = 2026-11-28T00:00"},
	    {"UTC", WHEN_ANY, "this friday", "2026-11-27 = 2026-11-27T00:00"},
	    {"UTC", WHEN_ANY, "this monday", "This may mean 2026-11-23 or 2026-11-30: write the date"},
	};

	CHECK(NOW, rows);
}

/* What the API takes, or refuses itself. */
TEST(test_other_texts)
{
	static const struct when_row rows[] = {
	    {"UTC", WHEN_ANY, "2026-11-30", "other"},
	    {"UTC", WHEN_ANY, "2026-11-30T15:00:00Z", "other"},
	    {"UTC", WHEN_ANY, "2026-11-30T15:00:00+01:00", "other"},
	    {"UTC", WHEN_ANY, "2026-11-31 15:00", "other"},
	    {"UTC", WHEN_ANY, "", "other"},
	    {"UTC", WHEN_ANY, " , ", "other"},
	    {"UTC", WHEN_ANY, "soon", "other"},
	    {"UTC", WHEN_ANY, "tomorrow evening", "other"},
	    {"UTC", WHEN_ANY, "tomorrow 15:00 sharp", "other"},
	    {"UTC", WHEN_ANY, "now 15:00", "other"},
	    {"UTC", WHEN_ANY, "in three days", "other"},
	    {"UTC", WHEN_ANY, "in 3 moons", "other"},
	    {"UTC", WHEN_ANY, "3 days", "other"},
	    {"UTC", WHEN_ANY, "next", "other"},
	    {"UTC", WHEN_ANY, "a b c d e f g", "other"},
	    {"UTC", WHEN_ANY, "tomorrow tomorrow tomorrow tomorrow tomorrow", "other"},
	    {"UTC", WHEN_ANY, "in 99999999999999999999 days", "other"},
	};

	CHECK(NOW, rows);
}

TEST(test_uncertain_texts)
{
	static const char order[] = "Day and month are read in two orders: write YYYY-MM-DD";
	static const char none[] = "There is no such time of day",
	                  length[] = "Months and years differ in length: write the date";
	static const struct when_row rows[] = {
	    {"UTC", WHEN_ANY, "11/12/2026", order},
	    {"UTC", WHEN_ANY, "30.11.2026 15:00", order},
	    {"UTC", WHEN_ANY, "15:00", "The day is missing, such as: today 15:00"},
	    {"UTC", WHEN_ANY, "3:30 pm", "The day is missing, such as: today 15:00"},
	    {"UTC", WHEN_ANY, "today 24:00", none},
	    {"UTC", WHEN_ANY, "today 9:60", none},
	    {"UTC", WHEN_ANY, "today 15:00 pm", none},
	    {"UTC", WHEN_ANY, "today 0am", none},
	    {"UTC", WHEN_ANY, "today 12pm", "12 am and 12 pm are read in two ways: write 00:00 or 12:00"},
	    {"UTC", WHEN_ANY, "today 3", "A time of day is written 15:00 or 3pm"},
	    {"UTC", WHEN_ANY, "in 1 month", length},
	    {"UTC", WHEN_ANY, "2 years ago", length},
	    {"UTC", WHEN_ANY, "in 3661 days", "This is too far: write the date"},
	};

	CHECK(NOW, rows);
}

/* Berlin puts the clock forward at 02:00 on 2026-03-29, and back at 03:00 on 2026-10-25. */
TEST(test_changes_of_the_clock)
{
	static const char skipped[] = "The clock is put forward then, so this time does not exist";
	static const char twice[] =
	    "The clock is put back then, so this time occurs twice: write it with its offset from UTC";
	static const struct when_row spring[] = {
	    {"Europe/Berlin", WHEN_ANY, "tomorrow 01:59", "2026-03-29 01:59 = 2026-03-29T00:59"},
	    {"Europe/Berlin", WHEN_ANY, "tomorrow 02:00", skipped},
	    {"Europe/Berlin", WHEN_ANY, "2026-03-29 02:59", skipped},
	    {"Europe/Berlin", WHEN_ANY, "tomorrow 03:00", "2026-03-29 03:00 = 2026-03-29T01:00"},
	    {"Europe/Berlin", WHEN_ANY, "in 24 hours", "2026-03-29 13:00 = 2026-03-29T11:00"},
	};
	static const struct when_row autumn[] = {
	    {"Europe/Berlin", WHEN_ANY, "tomorrow 01:59", "2026-10-25 01:59 = 2026-10-24T23:59"},
	    {"Europe/Berlin", WHEN_ANY, "tomorrow 02:00", twice},
	    {"Europe/Berlin", WHEN_ANY, "tomorrow 2:59", twice},
	    {"Europe/Berlin", WHEN_ANY, "tomorrow 03:00", "2026-10-25 03:00 = 2026-10-25T02:00"},
	    {"UTC", WHEN_ANY, "tomorrow 02:00", "2026-10-25 02:00 = 2026-10-25T02:00"},
	    {"America/Sao_Paulo", WHEN_ANY, "today", "2026-10-24 = 2026-10-24T03:00"},
	};

	CHECK("2026-03-28T11:00:00Z", spring);
	CHECK("2026-10-24T11:00:00Z", autumn);
}
