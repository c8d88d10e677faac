/* Dates and timestamps as text, against tables and against the C library's calendar. */
#include <string.h>
#include <time.h>

#include "server/base/clock.h"
#include "test/lib/test.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

TEST(reads_timestamps)
{
	static const struct {
		const char *text, *utc;
	} cases[] = {
	    /* utc NULL: refused */
	    {"2026-01-31T23:59:59.123Z", "2026-01-31T23:59:59.123Z"},
	    {"1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"},
	    {"1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"},
	    {"2026-01-31t23:59:59z", "2026-01-31T23:59:59.000Z"},
	    {"2026-01-31T23:59:59+02:00", "2026-01-31T21:59:59.000Z"},
	    {"2026-01-31T23:59:59-00:30", "2026-02-01T00:29:59.000Z"},
	    {"2026-01-31T23:59:59-00:00", "2026-01-31T23:59:59.000Z"},
	    {"2026-01-31T23:59:59+23:59", "2026-01-31T00:00:59.000Z"},
	    {"2024-02-29T00:00:00.5Z", "2024-02-29T00:00:00.500Z"},
	    {"2024-02-29T00:00:00.12Z", "2024-02-29T00:00:00.120Z"},
	    {"2024-02-29T00:00:00.9999999999999999999Z", "2024-02-29T00:00:00.999Z"},
	    {"1900-01-01T00:00:00.0019-05:00", "1900-01-01T05:00:00.001Z"},
	    {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"},
	    {"9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"},
	    {"0000-12-31T23:30:00-00:30", "0001-01-01T00:00:00.000Z"},
	    {"0001-01-01T00:00:00+00:01", NULL},
	    {"9999-12-31T23:59:59-00:01", NULL},
	    {"0000-12-31T23:59:59Z", NULL},
	    {"2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"},
	    {"2017-01-01T00:59:60+01:00", "2017-01-01T00:00:00.000Z"},
	    {"2015-06-30T23:59:60.25Z", "2015-07-01T00:00:00.250Z"},
	    {"1969-12-31T23:59:60Z", "1970-01-01T00:00:00.000Z"},
	    {"9999-12-31T23:59:60Z", NULL},
	    {"2016-12-31T23:58:60Z", NULL},
	    {"2016-12-30T23:59:60Z", NULL},
	    {"2016-11-30T23:59:60Z", NULL},
	    {"2016-12-31T23:59:61Z", NULL},
	    {"2023-02-29T00:00:00Z", NULL},
	    {"1900-02-29T00:00:00Z", NULL},
	    {"2026-04-31T00:00:00Z", NULL},
	    {"2026-13-01T00:00:00Z", NULL},
	    {"2026-00-01T00:00:00Z", NULL},
	    {"2026-01-00T00:00:00Z", NULL},
	    {"2026-01-01T24:00:00Z", NULL},
	    {"2026-01-01T00:60:00Z", NULL},
	    {"2026-01-01 00:00:00Z", NULL},
	    {"2026-01-01T00:00Z", NULL},
	    {"2026-01-01T00:00:00", NULL},
	    {"2026-01-01T00:00:00.", NULL},
	    {"2026-01-01T00:00:00.Z", NULL},
	    {"2026-01-01T00:00:00,5Z", NULL},
	    {"2026-01-01T00:00:00+0200", NULL},
	    {"2026-01-01T00:00:00+02", NULL},
	    {"2026-01-01T00:00:00+24:00", NULL},
	    {"2026-01-01T00:00:00+02:60", NULL},
	    {"2026-01-01T00:00:00ZZ", NULL},
	    {"2026-01-01T00:00:00Z ", NULL},
	    {" 2026-01-01T00:00:00Z", NULL},
	    {"2026-1-01T00:00:00.0Z", NULL},
	    {"2026/01/01T00:00:00Z", NULL},
	    {"2026-01-01T00-00:00Z", NULL},
	    {"2026-01-01T00:00-00Z", NULL},
	    {"2026-01-01T0x:00:00Z", NULL},
	    {"-026-01-01T00:00:00Z", NULL},
	    {"12026-01-01T00:00:00Z", NULL},
	    {"2026-01-01", NULL},
	    {"", NULL},
	    {"Z", NULL},
	};
	char out[TIME_TEXT_SIZE];

	for (size_t i = 0; i < COUNT(cases); i++) {
		int64_t ms = -42;
		bool good = time_parse(cases[i].text, strlen(cases[i].text), &ms);
		if (good != (cases[i].utc != NULL))
			fail_msg("%s: %d", cases[i].text, good);
		if (good)
			assert_string_equal(time_format(ms, out), cases[i].utc);
		else
			assert_int_equal(ms, -42);
	}
}

TEST(writes_timestamps)
{
	static const struct {
		int64_t ms;
		const char *text;
	} cases[] = {
	    {0, "1970-01-01T00:00:00.000Z"},
	    {-1, "1969-12-31T23:59:59.999Z"},
	    {INT64_C(1769903999123), "2026-01-31T23:59:59.123Z"},
	    {INT64_C(-62135596800000), "0001-01-01T00:00:00.000Z"},
	    {INT64_C(253402300799999), "9999-12-31T23:59:59.999Z"},
	    {INT64_MAX, "9999-12-31T23:59:59.999Z"},
	    {INT64_MIN, "0001-01-01T00:00:00.000Z"},
	};
	char out[TIME_TEXT_SIZE];

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(time_format(cases[i].ms, out), cases[i].text);
}

/* Every day of the calendar there and back, with the C library as the judge. */
TEST(every_day_agrees_with_the_library)
{
	char ours[DATE_TEXT_SIZE];

	for (int32_t day = -719162; day <= 2932896; day++) {
		int32_t back;
		date_format(day, ours);
		if (!date_parse(ours, 10, &back) || back != day)
			fail_msg("day %d reads %s", day, ours);
		if (day % 7)
			continue; /* gmtime is slow */
		time_t seconds = (time_t)day * 86400;
		struct tm tm;
		gmtime_r(&seconds, &tm);
		int32_t value = (ours[0] - '0') * 1000 + (ours[1] - '0') * 100 + (ours[2] - '0') * 10 + (ours[3] - '0');
		int month = (ours[5] - '0') * 10 + (ours[6] - '0'), mday = (ours[8] - '0') * 10 + (ours[9] - '0');
		if (value != tm.tm_year + 1900 || month != tm.tm_mon + 1 || mday != tm.tm_mday)
			fail_msg("day %d is not %s", day, ours);
	}
	assert_string_equal(date_format(INT32_MIN, ours), "0001-01-01");
	assert_string_equal(date_format(INT32_MAX, ours), "9999-12-31");
}

TEST(refuses_dates_that_do_not_exist)
{
	static const char *const bad[] = {"", "2026-02-29", "2100-02-29", "2026-06-31", "2026-1-1", "2026-01-1",
	    "0000-01-01", "2026-01-32", "2026-13-01", "2026-00-10", "2026-10-00", "20260101", "2026-01-01T",
	    "2026-01-0a", "2026_01_01", "+026-01-01", "9999-99-99"};
	int32_t days;

	for (size_t i = 0; i < COUNT(bad); i++)
		if (date_parse(bad[i], strlen(bad[i]), &days))
			fail_msg("%s", bad[i]);
	assert_true(date_parse("2000-02-29", 10, &days));
	assert_int_equal(days, 11016);
}

TEST(reads_times_of_day)
{
	static const struct {
		const char *text;
		int minutes;
	} cases[] = {
	    {"00:00", 0},
	    {"23:59", 1439},
	    {"09:05", 545},
	    {"24:00", -1},
	    {"12:60", -1},
	    {"9:05", -1},
	    {"09:5", -1},
	    {"09:05:00", -1},
	    {"0905", -1},
	    {"09.05", -1},
	    {"", -1},
	    {"-9:05", -1},
	    {"09:0x", -1},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		int minutes = -1;
		bool good = clock_time_parse(cases[i].text, strlen(cases[i].text), &minutes);
		if (good != (cases[i].minutes >= 0) || minutes != cases[i].minutes)
			fail_msg("%s: %d", cases[i].text, minutes);
	}
}

TEST(writes_http_dates)
{
	static const struct {
		int64_t seconds;
		const char *text;
	} cases[] = {
	    {784111777, "Sun, 06 Nov 1994 08:49:37 GMT"},
	    {0, "Thu, 01 Jan 1970 00:00:00 GMT"},
	    {-1, "Wed, 31 Dec 1969 23:59:59 GMT"},
	    {1709164800, "Thu, 29 Feb 2024 00:00:00 GMT"},
	    {INT64_MAX, "Fri, 31 Dec 9999 23:59:59 GMT"},
	    {INT64_MIN, "Mon, 01 Jan 0001 00:00:00 GMT"},
	};
	char out[HTTP_DATE_SIZE];

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(http_date_format(cases[i].seconds, out), cases[i].text);
}

TEST(clocks_run)
{
	assert_in_range(clock_now_ms() / 1000, time(NULL) - 2, time(NULL) + 2);
	int64_t first = clock_mono_us(), next;
	do
		next = clock_mono_us();
	while (next == first);
	assert_true(next > first);
}
