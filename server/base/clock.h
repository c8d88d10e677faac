/* Time: reads the clocks, and converts dates and timestamps to and from text (RFC 3339). */
#ifndef KITH_SERVER_BASE_CLOCK_H
#define KITH_SERVER_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Milliseconds since 1970-01-01 UTC. */
int64_t clock_now_ms(void);
/* Microseconds of the monotonic clock; only differences are meaningful. */
int64_t clock_mono_us(void);
/* The same clock in milliseconds, for due times: it is unaffected when the system's time is set back. */
int64_t clock_mono_ms(void);

enum { TIME_TEXT_SIZE = 28, DATE_TEXT_SIZE = 12, HTTP_DATE_SIZE = 32 };

/* Writes "2026-01-31T23:59:59.123Z" and returns out. Years outside 0001 to 9999 are clamped. */
char *time_format(int64_t unix_ms, char out[TIME_TEXT_SIZE]);

/* Reads RFC 3339 with 'Z' or an offset and any fraction, truncated to milliseconds. False for a date that does not
 * exist, or a year outside 0001-9999 in UTC. */
bool time_parse(const char *text, size_t len, int64_t *unix_ms);

/* Reads "YYYY-MM-DD", a day that exists in the years 0001-9999, as days since 1970-01-01. */
bool date_parse(const char *text, size_t len, int32_t *days);
char *date_format(int32_t days, char out[DATE_TEXT_SIZE]);

/* Reads "HH:MM", 00:00 to 23:59, as minutes since midnight. */
bool clock_time_parse(const char *text, size_t len, int *minutes);

/* Writes the format IMF-fixdate (RFC 9110 section 5.6.7). */
char *http_date_format(int64_t unix_seconds, char out[HTTP_DATE_SIZE]);

#endif
