/*
 * Expands recurrence rules. A period (a year, a month, ... a second) gives a set of
 * days times a set of times of day; both are filtered as section 3.3.10 of RFC 5545
 * says, BYSETPOS picks from their product, and periods follow each other at INTERVAL.
 */
#include "server/recurrence.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/civil.h"
#include "server/zone.h"

enum {
	MINUTE = 60,
	HOUR = 60 * MINUTE,
	DAY = 24 * HOUR,
	WORK_MAX = 250 * 1000, /* days and periods looked at in one call: a few milliseconds */
	YEAR_MAX = 9999,
	YEAR_DAYS = 366,
	POSITIONS_MAX = 2 * YEAR_DAYS
};

/* What one period holds. */
struct period {
	int32_t days[YEAR_DAYS];
	int hours[24], minutes[60], seconds[60];
	int n_days, n_hours, n_minutes, n_seconds;
	bool picked; /* BYSETPOS */
	int64_t picks[POSITIONS_MAX];
	int n_picks;
};

struct walk {
	const struct recurrence *r;
	struct recurrence filled; /* with what DTSTART gives where the rule is silent */
	int64_t k;                /* number of the period: INTERVAL times k after DTSTART's */
	int64_t seen;             /* occurrences before the period, with COUNT */
	int64_t at, size;         /* within the period */
	int64_t work;
	bool over;
	struct period period;
};

/* --- sets ----------------------------------------------------------------------- */

static bool has(const uint64_t bits[6], int n)
{
	return bits[n / 64] >> n % 64 & 1;
}

static void set(struct number_set *s, int n)
{
	s->any = true;
	s->from_start[n / 64] |= UINT64_C(1) << n % 64;
}

/* The number-th of total things, counted from 1, or from the end. */
static bool holds(const struct number_set *s, int number, int total)
{
	return has(s->from_start, number) || has(s->from_end, total + 1 - number);
}

static int list(const struct number_set *s, int max, int *out)
{
	int n = 0;

	for (int i = 0; i <= max; i++)
		if (has(s->from_start, i))
			out[n++] = i;
	return n;
}

/* --- days ------------------------------------------------------------------------- */

/* The first day of week 1: the week with at least four days in the year. */
static int32_t first_week(int year, int week_start)
{
	int32_t january_4 = civil_days(year, 1, 4);
	return january_4 - (civil_weekday(january_4) - week_start + 7) % 7;
}

static bool week_fits(const struct recurrence *r, int32_t day, int year)
{
	int32_t first = first_week(year, r->week_start), next = first_week(year + 1, r->week_start);

	if (day < first) {
		next = first;
		first = first_week(year - 1, r->week_start);
	} else if (day >= next) {
		first = next;
		next = first_week(year + 2, r->week_start);
	}
	return holds(&r->weeks, (day - first) / 7 + 1, (next - first) / 7);
}

static bool weekday_fits(const struct recurrence *r, int32_t day, int year, int month, int day_of_month)
{
	int weekday = civil_weekday(day), in_month = civil_month_length(year, month);
	const struct number_set *nth = &r->nth_days[weekday];
	int in_year, day_of_year;

	if (has(r->weekdays.from_start, weekday))
		return true;
	if (!nth->any)
		return false;
	if (r->frequency == FREQ_MONTHLY || r->months.any)
		return has(nth->from_start, (day_of_month - 1) / 7 + 1) ||
		       has(nth->from_end, (in_month - day_of_month) / 7 + 1);
	in_year = civil_leap(year) ? 366 : 365;
	day_of_year = day - civil_days(year, 1, 1);
	return has(nth->from_start, day_of_year / 7 + 1) || has(nth->from_end, (in_year - 1 - day_of_year) / 7 + 1);
}

static bool names_weekdays(const struct recurrence *r)
{
	bool any = r->weekdays.any;

	for (int i = 0; i < 7; i++)
		any |= r->nth_days[i].any;
	return any;
}

static bool day_fits(const struct recurrence *r, int32_t day)
{
	int year, month, day_of_month;

	civil_from_days(day, &year, &month, &day_of_month);
	if (r->months.any && !has(r->months.from_start, month))
		return false;
	if (r->month_days.any && !holds(&r->month_days, day_of_month, civil_month_length(year, month)))
		return false;
	if (r->year_days.any && !holds(&r->year_days, day - civil_days(year, 1, 1) + 1, civil_leap(year) ? 366 : 365))
		return false;
	if (r->weeks.any && !week_fits(r, day, year))
		return false;
	return !names_weekdays(r) || weekday_fits(r, day, year, month, day_of_month);
}

/* --- what DTSTART gives ------------------------------------------------------------- */

static void fill(struct recurrence *r)
{
	int64_t day = civil_floor(r->start, DAY);
	int second = (int)(r->start - day * DAY), year, month, day_of_month;
	bool days = r->weeks.any || r->year_days.any || r->month_days.any || names_weekdays(r);

	civil_from_days((int32_t)day, &year, &month, &day_of_month);
	if (!days && r->frequency == FREQ_YEARLY && !r->months.any)
		set(&r->months, month);
	if (!days && r->frequency <= FREQ_MONTHLY)
		set(&r->month_days, day_of_month);
	if ((!days && r->frequency == FREQ_WEEKLY) ||
	    (r->weeks.any && !names_weekdays(r) && !r->month_days.any && !r->year_days.any))
		set(&r->weekdays, civil_weekday((int32_t)day));
	if (r->frequency <= FREQ_DAILY && !r->hours.any)
		set(&r->hours, second / HOUR);
	if (r->frequency <= FREQ_HOURLY && !r->minutes.any)
		set(&r->minutes, second % HOUR / MINUTE);
	if (r->frequency <= FREQ_MINUTELY && !r->seconds.any)
		set(&r->seconds, second % MINUTE);
}

/* --- periods -------------------------------------------------------------------------- */

static const int unit_seconds[] = {[FREQ_HOURLY] = HOUR, [FREQ_MINUTELY] = MINUTE, [FREQ_SECONDLY] = 1};

static int32_t week_of(const struct recurrence *r, int64_t local)
{
	int32_t day = (int32_t)civil_floor(local, DAY);
	return day - (civil_weekday(day) - r->week_start + 7) % 7;
}

/* Which period, counted in units of the frequency, holds a local time. */
static int64_t unit_of(const struct recurrence *r, int64_t local)
{
	int year, month, day;

	civil_from_days((int32_t)civil_floor(local, DAY), &year, &month, &day);
	switch (r->frequency) {
	case FREQ_YEARLY:
		return year;
	case FREQ_MONTHLY:
		return (int64_t)year * 12 + month - 1;
	case FREQ_WEEKLY:
		return civil_floor((int64_t)week_of(r, local) + 3 - r->week_start, 7);
	case FREQ_DAILY:
		return civil_floor(local, DAY);
	default:
		return civil_floor(local, unit_seconds[r->frequency]);
	}
}

/* The days from first on, so many, that the rule takes. */
static void take_days(struct walk *w, int32_t first, int count)
{
	for (int i = 0; i < count; i++)
		if (day_fits(&w->filled, first + i))
			w->period.days[w->period.n_days++] = first + i;
	w->work += count;
}

/* A period of a day or longer. false: beyond the last year. */
static bool long_period(struct walk *w, int64_t unit)
{
	struct period *p = &w->period;
	int year = (int)civil_floor(unit, 12), month = (int)(unit - (int64_t)year * 12) + 1;

	switch (w->r->frequency) {
	case FREQ_YEARLY:
		if (unit > YEAR_MAX)
			return false;
		take_days(w, civil_days((int)unit, 1, 1), civil_leap((int)unit) ? 366 : 365);
		break;
	case FREQ_MONTHLY:
		if (unit >= (int64_t)(YEAR_MAX + 1) * 12)
			return false;
		take_days(w, civil_days(year, month, 1), civil_month_length(year, month));
		break;
	case FREQ_WEEKLY:
		if (unit > civil_days(YEAR_MAX, 12, 31) / 7)
			return false;
		take_days(w, (int32_t)(unit * 7 - 3 + w->r->week_start), 7); /* day -3 was a Monday */
		break;
	default:
		if (unit > civil_days(YEAR_MAX, 12, 31))
			return false;
		take_days(w, (int32_t)unit, 1);
		break;
	}
	p->n_hours = list(&w->filled.hours, 23, p->hours);
	p->n_minutes = list(&w->filled.minutes, 59, p->minutes);
	p->n_seconds = list(&w->filled.seconds, 59, p->seconds);
	return true;
}

/* The first number of the set from n on that is at most max; max + 1 when there is none. */
static int from_on(const struct number_set *s, int n, int max)
{
	while (s->any && n <= max && !has(s->from_start, n))
		n++;
	return n;
}

/* Where the rule may go on after local, which it leaves out; local itself when it does not. */
static int64_t allowed_from(const struct walk *w, int64_t local)
{
	const struct recurrence *r = &w->filled;
	int64_t day = civil_floor(local, DAY);
	int second = (int)(local - day * DAY), hour = second / HOUR, minute = second % HOUR / MINUTE, next;

	if (!day_fits(r, (int32_t)day))
		return (day + 1) * DAY;
	next = from_on(&r->hours, hour, 23);
	if (next != hour)
		return day * DAY + (int64_t)next * HOUR;
	if (r->frequency == FREQ_HOURLY)
		return local;
	next = from_on(&r->minutes, minute, 59);
	if (next != minute)
		return day * DAY + (int64_t)hour * HOUR + (int64_t)next * MINUTE;
	if (r->frequency == FREQ_MINUTELY)
		return local;
	next = from_on(&r->seconds, second % MINUTE, 59);
	return local - second % MINUTE + next;
}

/* A period of an hour or shorter; goes on to a later one while the rule leaves it out. */
static bool short_period(struct walk *w, int64_t first)
{
	struct period *p = &w->period;
	int unit = unit_seconds[w->r->frequency], second;
	int64_t last = ((int64_t)civil_days(YEAR_MAX, 12, 31) + 1) * DAY, local, allowed, day;

	for (;; w->work++) {
		local = (first + w->k * w->r->interval) * unit;
		if (local >= last || w->work > WORK_MAX)
			return false;
		allowed = allowed_from(w, local);
		if (allowed == local)
			break;
		/* The first period that begins there or later. */
		w->k = (civil_floor(allowed - 1, unit) + 1 - first + w->r->interval - 1) / w->r->interval;
	}
	day = civil_floor(local, DAY);
	second = (int)(local - day * DAY);
	p->days[p->n_days++] = (int32_t)day;
	p->hours[p->n_hours++] = second / HOUR;
	if (w->r->frequency == FREQ_HOURLY)
		p->n_minutes = list(&w->filled.minutes, 59, p->minutes);
	else
		p->minutes[p->n_minutes++] = second % HOUR / MINUTE;
	if (w->r->frequency == FREQ_SECONDLY)
		p->seconds[p->n_seconds++] = second % MINUTE;
	else
		p->n_seconds = list(&w->filled.seconds, 59, p->seconds);
	return true;
}

/* --- occurrences of a period, in order ------------------------------------------------- */

static int64_t raw_size(const struct period *p)
{
	return (int64_t)p->n_days * p->n_hours * p->n_minutes * p->n_seconds;
}

static int64_t raw_at(const struct period *p, int64_t i)
{
	int second = p->seconds[i % p->n_seconds], minute = p->minutes[i / p->n_seconds % p->n_minutes];
	int hour = p->hours[i / p->n_seconds / p->n_minutes % p->n_hours];
	int32_t day = p->days[i / p->n_seconds / p->n_minutes / p->n_hours];

	return (int64_t)day * DAY + hour * HOUR + minute * MINUTE + second;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static void pick(struct period *p, const struct number_set *positions)
{
	int64_t size = raw_size(p);
	int n = 0, kept = 0;

	p->picked = true;
	for (int i = 1; i <= YEAR_DAYS; i++) {
		if (has(positions->from_start, i) && i <= size)
			p->picks[n++] = i - 1;
		if (has(positions->from_end, i) && i <= size)
			p->picks[n++] = size - i;
	}
	qsort(p->picks, (size_t)n, sizeof *p->picks, compare);
	for (int i = 0; i < n; i++)
		if (i == 0 || p->picks[i] != p->picks[i - 1])
			p->picks[kept++] = p->picks[i];
	p->n_picks = kept;
}

static int64_t local_at(const struct period *p, int64_t i)
{
	return raw_at(p, p->picked ? p->picks[i] : i);
}

/* How many occurrences lie before a local time. */
static int64_t before(const struct period *p, int64_t size, int64_t local)
{
	int64_t low = 0, high = size;

	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		if (local_at(p, middle) < local)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Makes period k, or the next one that the rule takes, and goes to its first
 * occurrence from DTSTART on. */
static void open_period(struct walk *w)
{
	const struct recurrence *r = w->r;
	int64_t first = unit_of(r, r->start);
	struct period *p = &w->period;
	bool there;

	p->n_days = p->n_hours = p->n_minutes = p->n_seconds = 0;
	p->picked = false;
	w->at = w->size = 0;
	w->work++;
	there = r->frequency >= FREQ_HOURLY ? short_period(w, first) : long_period(w, first + w->k * r->interval);
	if (!there || w->work > WORK_MAX) {
		w->over = true;
		return;
	}
	if (r->positions.any)
		pick(p, &r->positions);
	w->size = p->picked ? p->n_picks : raw_size(p);
	w->at = before(p, w->size, r->start);
	w->seen -= w->at; /* what lies before DTSTART is not counted */
}

/* A rule with nothing but a frequency of a day or less has one occurrence in each period. */
static bool plain(const struct recurrence *r)
{
	return r->frequency >= FREQ_DAILY && !r->seconds.any && !r->minutes.any && !r->hours.any &&
	       !r->month_days.any && !r->year_days.any && !r->months.any && !names_weekdays(r);
}

/* Begins with the period that holds a local time, or with the first one when all must be counted. */
static void begin(struct walk *w, const struct recurrence *r, int64_t from)
{
	int64_t first = unit_of(r, r->start), unit = unit_of(r, from > r->start ? from : r->start);

	memset(w, 0, offsetof(struct walk, period));
	w->r = r;
	w->filled = *r;
	fill(&w->filled);
	if (r->count && !plain(r))
		unit = first;
	w->k = (unit - first) / r->interval;
	w->seen = r->count ? w->k : 0;
	open_period(w);
}

/* The next occurrence from a local time on; false when there is none. */
static bool next(struct walk *w, int64_t from, int64_t *local)
{
	while (!w->over) {
		int64_t at = before(&w->period, w->size, from);
		if (at > w->at)
			w->at = at;
		if (w->r->count && w->seen + w->at >= w->r->count)
			return false;
		if (w->at < w->size) {
			*local = local_at(&w->period, w->at++);
			return true;
		}
		w->seen += w->size;
		w->k++;
		open_period(w);
	}
	return false;
}

/* --- instants --------------------------------------------------------------------------- */

/* The last local time that may still be due: instants of a gap come after those behind it. */
static int64_t last_local(const struct recurrence *r)
{
	switch (r->until_kind) {
	case UNTIL_LOCAL:
		return r->until;
	case UNTIL_UTC:
		return r->until + zone_offset(r->zone, r->until);
	case UNTIL_NEVER:
		break;
	}
	return INT64_MAX;
}

static enum recurrence_found one_time(const struct recurrence *r, int64_t after_ms, int64_t *next_ms)
{
	*next_ms = zone_instant(r->zone, r->start) * 1000;
	return *next_ms > after_ms ? RECURRENCE_FOUND : RECURRENCE_OVER;
}

enum recurrence_found recurrence_next(const struct recurrence *r, int64_t after_ms, int64_t *next_ms)
{
	int64_t after = civil_floor(after_ms, 1000), from, local, utc, last = last_local(r), best = 0, best_local = 0;
	bool found = false;
	struct walk w;

	if (!r->rules)
		return one_time(r, after_ms, next_ms);
	/* Times that a change of the clock left out come after local times that lie behind them. */
	from = after + zone_offset(r->zone, after) - zone_put_forward(r->zone, after);
	begin(&w, r, from);
	while (next(&w, from, &local)) {
		if (local > last || (found && local > best_local))
			break;
		utc = zone_instant(r->zone, local);
		if (utc > after && (r->until_kind != UNTIL_UTC || utc <= r->until) && (!found || utc < best)) {
			best = utc;
			best_local = utc + zone_offset(r->zone, utc);
			found = true;
		}
		if (++w.work > WORK_MAX)
			break;
	}
	*next_ms = best * 1000;
	if (found)
		return RECURRENCE_FOUND;
	return w.work > WORK_MAX ? RECURRENCE_TOO_LONG : RECURRENCE_OVER;
}

bool recurrence_valid(const char *text, size_t len, int64_t now_ms)
{
	struct recurrence r;
	int64_t ms;

	return recurrence_parse(&r, text, len) && recurrence_next(&r, now_ms, &ms) != RECURRENCE_TOO_LONG;
}

enum recurrence_found recurrence_next_of(const char *text, size_t len, int64_t after_ms, int64_t *next_ms)
{
	struct recurrence r;

	return recurrence_parse(&r, text, len) ? recurrence_next(&r, after_ms, next_ms) : RECURRENCE_UNREADABLE;
}
