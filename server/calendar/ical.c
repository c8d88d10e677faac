/* Writes lines of iCalendar. */
#include "server/calendar/ical.h"

#include <stdio.h>

#include "server/base/civil.h"
#include "server/base/vcard_text.h"

enum { LINE_BYTES_MAX = 64 << 10, DAY = 24 * 60 * 60 };

void ical_add(struct buf *out, const char *name, const char *value, size_t len)
{
	struct buf line;

	buf_init(&line, LINE_BYTES_MAX);
	buf_printf(&line, "%s:", name);
	buf_add(&line, value, len);
	vcard_fold(out, line.data, line.len);
	buf_free(&line);
}

void ical_add_text(struct buf *out, const char *name, const char *text, size_t len)
{
	struct buf line;

	buf_init(&line, LINE_BYTES_MAX);
	buf_printf(&line, "%s:", name);
	for (const char *end = text + len; text < end; text++) {
		if (*text == '\\' || *text == ';' || *text == ',')
			buf_addc(&line, '\\');
		if (*text == '\n')
			buf_addz(&line, "\\n");
		else if (*text == '\t' || ((unsigned char)*text >= ' ' && *text != 0x7f))
			buf_addc(&line, *text);
	}
	vcard_fold(out, line.data, line.len);
	buf_free(&line);
}

char *ical_date(int32_t days, char out[ICAL_DATE_SIZE])
{
	int year, month, day;

	civil_from_days(days, &year, &month, &day);
	snprintf(
	    out, ICAL_DATE_SIZE, "%04u%02u%02u", (unsigned)year % 10000, (unsigned)month % 100, (unsigned)day % 100);
	return out;
}

char *ical_time(int64_t seconds, char out[ICAL_TIME_SIZE])
{
	int32_t days = (int32_t)civil_floor(seconds, DAY), rest = (int32_t)(seconds - (int64_t)days * DAY);

	ical_date(days, out);
	snprintf(out + 8, ICAL_TIME_SIZE - 8, "T%02u%02u%02u", (unsigned)rest / 3600 % 24, (unsigned)rest / 60 % 60,
	    (unsigned)rest % 60);
	return out;
}
