/* Numbers are parsed here, dates by libcurl, which knows HTTP's three formats. */
#include "webhook/retry_after.h"

#include <curl/curl.h>
#include <stddef.h>
#include <string.h>

enum { VALUE_MAX = 64 };

static int64_t retry_after_limited(int64_t seconds)
{
	return seconds < 0 ? 0 : seconds > RETRY_AFTER_MAX_S ? RETRY_AFTER_MAX_S : seconds;
}

int64_t retry_after_parse(const char *value, int64_t now_s)
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
	if (digits || len > VALUE_MAX || !strchr("MTWFSmtwfs", value[0]) || !strchr(value, ':'))
		return -1;
	time_t at = curl_getdate(value, NULL);
	return at == -1 ? -1 : retry_after_limited((int64_t)at - now_s);
}
