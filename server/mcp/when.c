/* Reads dates and times in words: see when.h. A text is a day and then, if it has one, a time of day. */
#include "server/mcp/when.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/text.h"
#include "server/recurrence/zone.h"

enum { WORDS_MAX = 6, DAY_S = 86400, DAYS_MOST = 3660, YEAR_DAYS_MOST = 2932896 /* 9999-12-31 */ };

/* A text that is being read: its words in lower case, and what is known so far. */
struct when_reading {
	const struct when_asked *asked;
	char text[WHEN_TEXT_MAX + 1];
	const char *words[WORDS_MAX];
	int n, at;
	int32_t today;
	struct when *out;
	char *why;
};

/* --- words -------------------------------------------------------------------------------- */

/* Splits at blanks and commas, and at the T of "2026-11-30T15:00". False: too long, or too many words. */
static bool when_split(struct when_reading *w, const char *text, size_t len)
{
	bool inside = false;

	if (len > WHEN_TEXT_MAX)
		return false;
	for (size_t i = 0; i < len; i++) {
		char c = text_lower(text[i]);
		bool blank =
		    c == ' ' || c == ',' || (c == 't' && i == 10 && len > 11 && text[0] >= '0' && text[0] <= '9');
		w->text[i] = blank ? '\0' : c;
		if (!blank && !inside && w->n == WORDS_MAX)
			return false;
		if (!blank && !inside)
			w->words[w->n++] = w->text + i;
		inside = !blank;
	}
	w->text[len] = '\0';
	return w->n > 0;
}

static const char *word_at(const struct when_reading *w, int offset)
{
	return w->at + offset < w->n ? w->words[w->at + offset] : "";
}

static bool word_is(const char *word, const char *one, const char *other)
{
	return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

static enum when_result when_refuse(struct when_reading *w, const char *why)
{
	snprintf(w->why, WHEN_WHY_SIZE, "%s", why);
	return WHEN_UNCERTAIN;
}

static enum when_result when_either(struct when_reading *w, int32_t one, int32_t other)
{
	char first[DATE_TEXT_SIZE], second[DATE_TEXT_SIZE];

	snprintf(w->why, WHEN_WHY_SIZE, "This may mean %s or %s: write the date", date_format(one, first),
	    date_format(other, second));
	return WHEN_UNCERTAIN;
}

/* --- days --------------------------------------------------------------------------------- */

/* Monday is 0. 1970-01-01 was a Thursday. */
static int weekday_of(int32_t day)
{
	return (int)(((int64_t)day % 7 + 10) % 7);
}

static int weekday_named(const char *word)
{
	static const char *const names[] = {
	    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};

	for (int i = 0; i < 7; i++)
		if (strcmp(names[i], word) == 0)
			return i;
	return -1;
}

/* "friday": people mean the coming one, or the one that is over. On a Friday they may mean today, too. */
static enum when_result weekday_plain(struct when_reading *w, int weekday)
{
	int ahead = (weekday - weekday_of(w->today) + 7) % 7;
	int32_t next = w->today + ahead, last = next - 7;

	if (ahead == 0)
		return when_either(w, w->today, w->asked->side == WHEN_BEHIND ? last : w->today + 7);
	if (w->asked->side == WHEN_ANY)
		return when_either(w, last, next);
	w->out->day = w->asked->side == WHEN_AHEAD ? next : last;
	return WHEN_READ;
}

/* "next friday" is the coming one for some people, and the one of the next week for others. "last friday" has two
 * readings, too. The text is certain if both readings are the same day. */
static enum when_result weekday_beside(struct when_reading *w, int weekday, bool next)
{
	int today = weekday_of(w->today), ahead = (weekday - today + 7) % 7;
	int32_t nearest = next ? w->today + (ahead ? ahead : 7) : w->today - 7 + ahead;
	int32_t of_week = w->today - today + (next ? 7 : -7) + weekday;

	if (nearest != of_week)
		return when_either(w, nearest, of_week);
	w->out->day = nearest;
	return WHEN_READ;
}

/* "this friday" is certain while it is to come in this week. */
static enum when_result weekday_this(struct when_reading *w, int weekday)
{
	int32_t day = w->today - weekday_of(w->today) + weekday;

	if (day < w->today)
		return when_either(w, day, day + 7);
	w->out->day = day;
	return WHEN_READ;
}

static enum when_result read_weekday(struct when_reading *w)
{
	static const char *const before[] = {"next", "last", "this"};
	int weekday = weekday_named(word_at(w, 0));

	if (weekday >= 0) {
		w->at++;
		return weekday_plain(w, weekday);
	}
	weekday = weekday_named(word_at(w, 1));
	for (int i = 0; i < 3 && weekday >= 0; i++) {
		if (strcmp(word_at(w, 0), before[i]) != 0)
			continue;
		w->at += 2;
		return i == 2 ? weekday_this(w, weekday) : weekday_beside(w, weekday, i == 0);
	}
	return WHEN_OTHER;
}

/* Takes this many seconds from now, which gives a day and a time. */
static void when_shift(struct when_reading *w, int64_t seconds)
{
	int64_t local;

	w->out->instant = w->asked->now + seconds;
	local = w->out->instant + zone_offset(w->asked->zone, w->out->instant);
	w->out->day = (int32_t)((local - (local % DAY_S + DAY_S) % DAY_S) / DAY_S);
	w->out->minute = (int)((local % DAY_S + DAY_S) % DAY_S / 60);
}

/* "in 3 days", "2 weeks ago", "in 2 hours". Months and years have no certain length. */
static enum when_result read_distance(struct when_reading *w)
{
	bool ahead = strcmp(word_at(w, 0), "in") == 0;
	const char *number = word_at(w, ahead), *unit = word_at(w, ahead + 1);
	uint64_t n;

	if (!text_uint(number, strlen(number), &n) || (!ahead && strcmp(word_at(w, 2), "ago") != 0))
		return WHEN_OTHER;
	w->at += 3;
	if (word_is(unit, "month", "months") || word_is(unit, "year", "years"))
		return when_refuse(w, "Months and years differ in length: write the date");
	if (n > DAYS_MOST)
		return when_refuse(w, "This is too far: write the date");
	if (word_is(unit, "day", "days") || word_is(unit, "week", "weeks"))
		w->out->day = w->today + (ahead ? 1 : -1) * (int32_t)n * (unit[0] == 'w' ? 7 : 1);
	else if (word_is(unit, "hour", "hours") || word_is(unit, "minute", "minutes"))
		when_shift(w, (ahead ? 1 : -1) * (int64_t)n * (unit[0] == 'h' ? 3600 : 60));
	else
		return WHEN_OTHER;
	return WHEN_READ;
}

static enum when_result read_day(struct when_reading *w)
{
	static const struct {
		const char *word;
		int days;
	} names[] = {{"today", 0}, {"tomorrow", 1}, {"yesterday", -1}};
	const char *word = word_at(w, 0);
	enum when_result found;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(names[i].word, word) != 0)
			continue;
		w->at++;
		w->out->day = w->today + names[i].days;
		return WHEN_READ;
	}
	if (strcmp(word, "now") == 0) {
		w->at++;
		when_shift(w, 0);
		return WHEN_READ;
	}
	if (date_parse(word, strlen(word), &w->out->day)) {
		w->at++;
		return WHEN_READ;
	}
	found = read_weekday(w);
	return found == WHEN_OTHER ? read_distance(w) : found;
}

/* --- times of day ------------------------------------------------------------------------- */

/* "15:00", "15:00:00", "9:30", "3pm", "3:30pm"; half: what follows as a word of its own, "am" or "pm". */
static enum when_result clock_read(struct when_reading *w, const char *word, const char *half)
{
	int hour = 0, minute = 0;
	size_t digits = strspn(word, "0123456789"), i = digits;
	bool colon = word[i] == ':';

	if (digits < 1 || digits > 2)
		return WHEN_OTHER;
	for (size_t k = 0; k < digits; k++)
		hour = hour * 10 + word[k] - '0';
	if (colon) {
		if (strspn(word + i + 1, "0123456789") != 2)
			return WHEN_OTHER;
		minute = (word[i + 1] - '0') * 10 + word[i + 2] - '0';
		i += strncmp(word + i + 3, ":00", 3) == 0 ? 6 : 3;
	}
	if (word[i])
		half = word + i;
	if (*half && !word_is(half, "am", "pm"))
		return WHEN_OTHER;
	if (!colon && !*half)
		return when_refuse(w, "A time of day is written 15:00 or 3pm");
	if (*half && hour == 12)
		return when_refuse(w, "12 am and 12 pm are read in two ways: write 00:00 or 12:00");
	if (minute > 59 || hour > (*half ? 11 : 23) || (*half && hour == 0))
		return when_refuse(w, "There is no such time of day");
	w->out->minute = (hour + (*half == 'p' ? 12 : 0)) * 60 + minute;
	return WHEN_READ;
}

static enum when_result read_clock(struct when_reading *w)
{
	const char *half;
	enum when_result found;

	if (strcmp(word_at(w, 0), "at") == 0)
		w->at++;
	half = word_is(word_at(w, 1), "am", "pm") ? word_at(w, 1) : "";
	found = clock_read(w, word_at(w, 0), half);
	w->at += *half ? 2 : 1;
	return found;
}

/* --- instants ------------------------------------------------------------------------------- */

/* A local time that a change of the clock skips or repeats is not certain. */
static enum when_result when_locate(struct when_reading *w)
{
	const struct zone *zone = w->asked->zone;
	int64_t local = (int64_t)w->out->day * DAY_S + (w->out->minute < 0 ? 0 : w->out->minute * 60);
	int64_t one = local - zone_offset(zone, local - DAY_S), other = local - zone_offset(zone, local + DAY_S);
	bool one_is = zone_offset(zone, one) == local - one, other_is = zone_offset(zone, other) == local - other;

	w->out->instant = zone_instant(zone, local);
	if (w->out->minute < 0 || (one_is && one == other))
		return WHEN_READ;
	if (!one_is && !other_is)
		return when_refuse(w, "The clock is put forward then, so this time does not exist");
	if (one_is && other_is)
		return when_refuse(
		    w, "The clock is put back then, so this time occurs twice: write it with its offset from UTC");
	return WHEN_READ;
}

/* What people write and what has several readings. */
static enum when_result when_unread(struct when_reading *w)
{
	const char *word = word_at(w, 0);

	if (w->at == 0 && w->n <= 2 && strchr(word, ':') && clock_read(w, word, word_at(w, 1)) == WHEN_READ)
		return when_refuse(w, "The day is missing, such as: today 15:00");
	if (w->n && strspn(w->words[0], "0123456789./") == strlen(w->words[0]) && strpbrk(w->words[0], "./"))
		return when_refuse(w, "Day and month are read in two orders: write YYYY-MM-DD");
	return WHEN_OTHER;
}

enum when_result when_read(
    const struct when_asked *asked, const char *text, size_t len, struct when *out, char why[WHEN_WHY_SIZE])
{
	struct when_reading w = {.asked = asked, .out = out, .why = why};
	struct when now;
	enum when_result found;

	*why = '\0';
	if (!when_split(&w, text, len))
		return WHEN_OTHER;
	w.out = &now;
	when_shift(&w, 0);
	w.today = now.day;
	w.out = out;
	*out = (struct when){.minute = -1};
	found = read_day(&w);
	if (found == WHEN_OTHER)
		return when_unread(&w);
	if (found != WHEN_READ)
		return found;
	if (out->day > YEAR_DAYS_MOST)
		return when_refuse(&w, "This is too far: write the date");
	if (out->minute >= 0)
		return w.at == w.n ? WHEN_READ : WHEN_OTHER;
	if (w.at < w.n && (found = read_clock(&w)) != WHEN_READ)
		return found;
	if (w.at < w.n || (out->minute < 0 && w.n == 1 && w.words[0][0] >= '0' && w.words[0][0] <= '9'))
		return WHEN_OTHER; /* the API takes a date without a time */
	return when_locate(&w);
}
