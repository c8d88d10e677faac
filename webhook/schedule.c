/* The parameters of the retry schedule: see schedule.h. */
#include "webhook/schedule.h"

#include <curl/curl.h>
#include <stddef.h>
#include <string.h>

enum {
	IN_FLIGHT_MAX = 4, /* per webhook */
	FEW = 4,           /* consecutive failures after which attempts are made one at a time */
	MANY = 16,         /* after which there are pauses */
	REST_FIRST_MS = 5,
	REST_MAX_MS = 100,
	RETRY_AFTER_MAX_S = 24 * 60 * 60,
	DATE_MAX = 64
};

static const int64_t SECOND = 1000, MINUTE = 60 * 1000, HOUR = 60 * 60 * 1000;

int64_t schedule_backoff_ms(int failed, double random)
{
	const int64_t waits[] = {
	    5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR};
	int64_t wait;

	if (failed < 1 || (size_t)failed > sizeof waits / sizeof *waits)
		return failed < 1 ? 0 : -1;
	wait = waits[failed - 1];
	return (int64_t)((double)wait * (0.9 + 0.2 * random));
}

static int64_t schedule_scaled(int64_t ms, int clock_scale)
{
	int64_t out = ms / (clock_scale > 1 ? clock_scale : 1);

	return out > 0 ? out : 1;
}

int64_t schedule_retry_ms(int failed, double random, int64_t retry_after_s, int clock_scale)
{
	int64_t wait = schedule_backoff_ms(failed, random);

	if (wait < 0)
		return -1;
	if (retry_after_s * SECOND > wait)
		wait = retry_after_s * SECOND;
	return schedule_scaled(wait, clock_scale);
}

bool schedule_given_up(int64_t failing_since_ms, int64_t now_ms, int clock_scale)
{
	return now_ms - failing_since_ms >= schedule_scaled(5 * 24 * HOUR, clock_scale);
}

int schedule_in_flight(int failures)
{
	return failures < FEW ? IN_FLIGHT_MAX : 1;
}

int64_t schedule_pause_ms(int failures, int clock_scale)
{
	int64_t rest = REST_FIRST_MS;

	if (failures < MANY)
		return 0;
	for (int i = MANY; i < failures && rest < REST_MAX_MS; i++)
		rest *= 2;
	return schedule_scaled(rest < REST_MAX_MS ? rest : REST_MAX_MS, clock_scale);
}

static int64_t retry_after_limited(int64_t seconds)
{
	return seconds < 0 ? 0 : seconds > RETRY_AFTER_MAX_S ? RETRY_AFTER_MAX_S : seconds;
}

/* Numbers are parsed here, dates by libcurl, which knows HTTP's three formats. */
int64_t schedule_retry_after_s(const char *value, int64_t now_s)
{
	if (!value)
		return -1;
	value += strspn(value, " \t");
	size_t len = strlen(value), digits = strspn(value, "0123456789");
	if (digits && value[digits + strspn(value + digits, " \t")] == '\0') {
		int64_t seconds = 0;
		for (size_t i = 0; i < digits && seconds <= RETRY_AFTER_MAX_S; i++)
			seconds = 10 * seconds + (value[i] - '0');
		return retry_after_limited(seconds);
	}
	/* All HTTP dates begin with the weekday and have a time. */
	if (digits || len > DATE_MAX || !strchr("MTWFSmtwfs", value[0]) || !strchr(value, ':'))
		return -1;
	time_t at = curl_getdate(value, NULL);
	return at == -1 ? -1 : retry_after_limited((int64_t)at - now_s);
}
