/* Writes lines of iCalendar. */
#include "server/calendar/ical.h"

#include <stdio.h>

#include "server/base/civil.h"

enum { LINE_MAX_BYTES = 75, DAY = 24 * 60 * 60 };

/* A line that is being written. */
struct ical_line {
	struct buf *out;
	size_t column; /* bytes of the current physical line */
};

/* Appends bytes that must not be separated. */
static void line_put(struct ical_line *l, const char *bytes, size_t len)
{
	if (l->column + len > LINE_MAX_BYTES) {
		buf_add(l->out, "\r\n ", 3);
		l->column = 1;
	}
	buf_add(l->out, bytes, len);
	l->column += len;
}

/* The bytes of a character of valid UTF-8. */
static size_t line_char_len(const char *text, size_t len)
{
	size_t n = 1;

	while (n < len && ((unsigned char)text[n] & 0xc0) == 0x80)
		n++;
	return n;
}

static void line_add(struct ical_line *l, const char *text, size_t len)
{
	while (len) {
		size_t n = line_char_len(text, len);
		line_put(l, text, n);
		text += n;
		len -= n;
	}
}

static struct ical_line line_begin(struct buf *out, const char *name)
{
	struct ical_line l = {.out = out};

	line_add(&l, name, strlen(name));
	line_add(&l, ":", 1);
	return l;
}

void ical_add(struct buf *out, const char *name, const char *value, size_t len)
{
	struct ical_line l = line_begin(out, name);

	line_add(&l, value, len);
	buf_add(out, "\r\n", 2);
}

void ical_add_text(struct buf *out, const char *name, const char *text, size_t len)
{
	struct ical_line l = line_begin(out, name);

	for (size_t n; len; text += n, len -= n) {
		n = line_char_len(text, len);
		if (*text == '\n')
			line_put(&l, "\\n", 2);
		else if (*text == '\\' || *text == ';' || *text == ',')
			line_put(&l, (char[]){'\\', *text}, 2);
		else if (*text == '\t' || ((unsigned char)*text >= ' ' && *text != 0x7f))
			line_put(&l, text, n);
	}
	buf_add(out, "\r\n", 2);
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
