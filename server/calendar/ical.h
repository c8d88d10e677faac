/* Lines of iCalendar (RFC 5545, section 3.1). They are folded as those of vCards. */
#ifndef KITH_SERVER_CALENDAR_ICAL_H
#define KITH_SERVER_CALENDAR_ICAL_H

#include <stdint.h>

#include "server/base/buf.h"

enum { ICAL_TIME_SIZE = 17, ICAL_DATE_SIZE = 9 };

/* Appends "name:value". The value must have no control characters. */
void ical_add(struct buf *out, const char *name, const char *value, size_t len);

/* The same for a text of users: escapes it, and leaves out control characters. */
void ical_add_text(struct buf *out, const char *name, const char *text, size_t len);

/* Writes "20260131T093000" for seconds since 1970, and "20260131" for days. Years are 0001 to 9999. */
char *ical_time(int64_t seconds, char out[ICAL_TIME_SIZE]);
char *ical_date(int32_t days, char out[ICAL_DATE_SIZE]);

#endif
