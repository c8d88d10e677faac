/* Clocks and RFC 3339 text (proleptic Gregorian calendar, UTC). Time zones are in server/recurrence/. */
#include "server/base/clock.h"

#include <string.h>
#include <time.h>

#include "server/base/civil.h"
#include "server/base/fault.h"
#include "server/base/digits.h"

enum { MS_PER_DAY = 86400000, SECONDS_PER_DAY = 86400, DAYS_MIN = -719162, DAYS_MAX = 2932896 };

/* 0001-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z. */
static const int64_t ms_min = (int64_t)DAYS_MIN * MS_PER_DAY;
static const int64_t ms_max = ((int64_t)DAYS_MAX + 1) * MS_PER_DAY - 1;

int64_t clock_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (FAULT_ERROR(clock_behind))
		now.tv_sec -= 91 * SECONDS_PER_DAY;
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t clock_mono_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_mono_ms(void)
{
	return clock_mono_us() / 1000;
}

/* Returns the value of count digits, -1 when a character is not a digit. */
static int clock_read_digits(const char *text, int count)
{
	int value = 0;

	for (int i = 0; i < count; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		value = value * 10 + (text[i] - '0');
	}
	return value;
}

static void clock_make_date(char *out, int32_t days)
{
	int year, month, day;

	civil_from_days(days, &year, &month, &day);
	out = digits_padded(out, (unsigned)year, 4);
	*out++ = '-';
	out = digits_padded(out, (unsigned)month, 2);
	*out++ = '-';
	digits_padded(out, (unsigned)day, 2);
}

/* The date is cached, because log lines and the rows of a page mostly have the same day. */
static char *clock_put_date(char *out, int32_t days)
{
	static char latest[10];
	static int32_t latest_days;

	if (!*latest || latest_days != days) {
		clock_make_date(latest, days);
		latest_days = days;
	}
	memcpy(out, latest, sizeof latest);
	return out + sizeof latest;
}

static char *clock_put_time(char *out, int second_of_day)
{
	out = digits_padded(out, (unsigned)second_of_day / 3600, 2);
	*out++ = ':';
	out = digits_padded(out, (unsigned)second_of_day / 60 % 60, 2);
	*out++ = ':';
	return digits_padded(out, (unsigned)second_of_day % 60, 2);
}

static int64_t clock_clamp(int64_t value, int64_t least, int64_t most)
{
	return value < least ? least : value > most ? most : value;
}

char *time_format(int64_t unix_ms, char out[TIME_TEXT_SIZE])
{
	int64_t since_min =
	    clock_clamp(unix_ms, ms_min, ms_max) - ms_min; /* not negative: division truncates downwards */
	int ms_of_day = (int)(since_min % MS_PER_DAY);
	char *p = clock_put_date(out, (int32_t)(since_min / MS_PER_DAY) + DAYS_MIN);

	*p++ = 'T';
	p = clock_put_time(p, ms_of_day / 1000);
	*p++ = '.';
	p = digits_padded(p, (unsigned)ms_of_day % 1000, 3);
	*p++ = 'Z';
	*p = '\0';
	return out;
}

/* Reads "YYYY-MM-DD" with a year from least_year to 9999. */
static bool clock_read_date(const char *text, int least_year, int32_t *days)
{
	int year = clock_read_digits(text, 4), month = clock_read_digits(text + 5, 2),
	    day = clock_read_digits(text + 8, 2);

	if (year < least_year || text[4] != '-' || text[7] != '-' || month < 1 || month > 12)
		return false;
	if (day < 1 || day > civil_month_length(year, month))
		return false;
	*days = civil_days(year, month, day);
	return true;
}

/* Reads an optional ".123456" at *at, truncated to milliseconds. False when no digit follows the point. */
static bool read_fraction(const char *text, size_t len, size_t *at, int *ms)
{
	size_t i = *at;

	*ms = 0;
	if (i >= len || text[i] != '.')
		return true;
	size_t first = ++i;
	for (int weight = 100; i < len && text[i] >= '0' && text[i] <= '9'; i++, weight /= 10)
		*ms += (text[i] - '0') * weight;
	*at = i;
	return i > first;
}

/* Reads 'Z' or "+hh:mm", which must end the text. */
static bool read_offset(const char *text, size_t len, int *minutes)
{
	if (len == 1 && (*text == 'Z' || *text == 'z')) {
		*minutes = 0;
		return true;
	}
	if (len != 6 || (*text != '+' && *text != '-') || !clock_time_parse(text + 1, 5, minutes))
		return false;
	if (*text == '-')
		*minutes = -*minutes;
	return true;
}

/* True when seconds is the second after a possible leap second: the last one of June or December in UTC. */
static bool after_leap_second(int64_t seconds)
{
	int year, month, day;

	if (seconds % SECONDS_PER_DAY != 0)
		return false;
	civil_from_days((int32_t)(seconds / SECONDS_PER_DAY), &year, &month, &day);
	return day == 1 && (month == 1 || month == 7);
}

bool time_parse(const char *text, size_t len, int64_t *unix_ms)
{
	int32_t days;
	int minute_of_day, second, ms, offset;
	size_t at = 19;

	if (len < 20 || !clock_read_date(text, 0, &days) || (text[10] != 'T' && text[10] != 't'))
		return false;
	if (!clock_time_parse(text + 11, 5, &minute_of_day) || text[16] != ':')
		return false;
	second = clock_read_digits(text + 17, 2);
	if (second < 0 || second > 60 || !read_fraction(text, len, &at, &ms))
		return false;
	if (!read_offset(text + at, len - at, &offset))
		return false;
	int64_t seconds = (int64_t)days * SECONDS_PER_DAY + (minute_of_day - offset) * 60 + second;
	if (second == 60 && !after_leap_second(seconds))
		return false;
	int64_t value = seconds * 1000 + ms;
	if (value < ms_min || value > ms_max)
		return false;
	*unix_ms = value;
	return true;
}

bool date_parse(const char *text, size_t len, int32_t *days)
{
	return len == 10 && clock_read_date(text, 1, days);
}

char *date_format(int32_t days, char out[DATE_TEXT_SIZE])
{
	*clock_put_date(out, (int32_t)clock_clamp(days, DAYS_MIN, DAYS_MAX)) = '\0';
	return out;
}

bool clock_time_parse(const char *text, size_t len, int *minutes)
{
	if (len != 5 || text[2] != ':')
		return false;
	int hour = clock_read_digits(text, 2), minute = clock_read_digits(text + 3, 2);
	if (hour < 0 || hour > 23 || minute < 0 || minute > 59)
		return false;
	*minutes = hour * 60 + minute;
	return true;
}

char *http_date_format(int64_t unix_seconds, char out[HTTP_DATE_SIZE])
{
	time_t seconds = (time_t)clock_clamp(unix_seconds, ms_min / 1000, ms_max / 1000);
	struct tm date;

	strftime(out, HTTP_DATE_SIZE, "%a, %d %b %04Y %H:%M:%S GMT", gmtime_r(&seconds, &date));
	return out;
}
