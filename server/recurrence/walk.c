/* Expands recurrence rules over local times. A period (a year, a month, ... a second) yields a set of days times a
 * set of times of day, both filtered as section 3.3.10 of RFC 5545 says; BYSETPOS picks from their product. Periods
 * follow each other at INTERVAL. */
#include "server/recurrence/walk.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/civil.h"

enum {
	MINUTE = 60,
	HOUR = 60 * MINUTE,
	DAY = 24 * HOUR,
	YEAR_MAX = 9999,
	DAY_MAX = 2932896, /* the last day of the years that are supported, counted from 1970-01-01 */
	DAY_WORK = 1,
	WEEK_WORK = 3, /* work for a day that is compared with week numbers */
	PERIOD_WORK = 2
};

/* --- sets ----------------------------------------------------------------------- */

static bool number_bit(const uint64_t bits[6], int n)
{
	return bits[n / 64] >> n % 64 & 1;
}

static void number_set_only(struct number_set *s, int n)
{
	s->any = true;
	s->from_start[n / 64] |= UINT64_C(1) << n % 64;
}

/* True when the set holds the number-th of total items, counted from 1 or from the end. */
static bool number_set_holds(const struct number_set *s, int number, int total)
{
	return number_bit(s->from_start, number) || number_bit(s->from_end, total + 1 - number);
}

static int number_set_list(const struct number_set *s, int max, int *out)
{
	int n = 0;

	for (int i = 0; i <= max; i++)
		if (number_bit(s->from_start, i))
			out[n++] = i;
	return n;
}

/* --- days ------------------------------------------------------------------------- */

static int walk_year_length(int year)
{
	return civil_leap(year) ? YEAR_DAYS : YEAR_DAYS - 1;
}

/* The first day of week 1, which is the first week with at least four days in the year. */
static int32_t walk_first_week(int year, int week_start)
{
	int32_t january_4 = civil_days(year, 1, 4);

	return january_4 - (civil_weekday(january_4) - week_start + 7) % 7;
}

static bool walk_week_fits(const struct recurrence *r, int32_t day, int year)
{
	int32_t first = walk_first_week(year, r->week_start), next = walk_first_week(year + 1, r->week_start);

	if (day < first) {
		next = first;
		first = walk_first_week(year - 1, r->week_start);
	} else if (day >= next) {
		first = next;
		next = walk_first_week(year + 2, r->week_start);
	}
	return number_set_holds(&r->weeks, (day - first) / 7 + 1, (next - first) / 7);
}

static bool walk_weekday_fits(const struct recurrence *r, int32_t day, int year, int month, int day_of_month)
{
	int weekday = civil_weekday(day), number = day_of_month, last = civil_month_length(year, month);
	const struct number_set *nth = &r->nth_days[weekday];

	if (number_bit(r->weekdays.from_start, weekday))
		return true;
	if (!nth->any)
		return false;
	if (r->frequency != FREQ_MONTHLY && !r->months.any) {
		number = day - civil_days(year, 1, 1) + 1;
		last = walk_year_length(year);
	}
	return number_bit(nth->from_start, (number - 1) / 7 + 1) || number_bit(nth->from_end, (last - number) / 7 + 1);
}

static bool recurrence_names_weekdays(const struct recurrence *r)
{
	bool any = r->weekdays.any;

	for (int i = 0; i < 7; i++)
		any |= r->nth_days[i].any;
	return any;
}

static bool recurrence_day_fits(const struct recurrence *r, int32_t day)
{
	int year, month, day_of_month;

	civil_from_days(day, &year, &month, &day_of_month);
	if (r->months.any && !number_bit(r->months.from_start, month))
		return false;
	if (r->month_days.any && !number_set_holds(&r->month_days, day_of_month, civil_month_length(year, month)))
		return false;
	if (r->year_days.any &&
	    !number_set_holds(&r->year_days, day - civil_days(year, 1, 1) + 1, walk_year_length(year)))
		return false;
	if (r->weeks.any && !walk_week_fits(r, day, year))
		return false;
	return !recurrence_names_weekdays(r) || walk_weekday_fits(r, day, year, month, day_of_month);
}

/* --- defaults from DTSTART ------------------------------------------------------------- */

static void walk_defaults(struct recurrence *r)
{
	int64_t day = civil_floor(r->start, DAY);
	int second = (int)(r->start - day * DAY), year, month, day_of_month;
	bool days = r->weeks.any || r->year_days.any || r->month_days.any || recurrence_names_weekdays(r);

	civil_from_days((int32_t)day, &year, &month, &day_of_month);
	if (!days && r->frequency == FREQ_YEARLY && !r->months.any)
		number_set_only(&r->months, month);
	if (!days && r->frequency <= FREQ_MONTHLY)
		number_set_only(&r->month_days, day_of_month);
	if ((!days && r->frequency == FREQ_WEEKLY) ||
	    (r->weeks.any && !recurrence_names_weekdays(r) && !r->month_days.any && !r->year_days.any))
		number_set_only(&r->weekdays, civil_weekday((int32_t)day));
	if (r->frequency <= FREQ_DAILY && !r->hours.any)
		number_set_only(&r->hours, second / HOUR);
	if (r->frequency <= FREQ_HOURLY && !r->minutes.any)
		number_set_only(&r->minutes, second % HOUR / MINUTE);
	if (r->frequency <= FREQ_MINUTELY && !r->seconds.any)
		number_set_only(&r->seconds, second % MINUTE);
}

/* Keeps those numbers of the set (or of all numbers below total) that start reaches by multiples of step. */
static void number_set_step(struct number_set *s, int total, int start, int step)
{
	struct number_set taken = {.any = true};

	for (int i = 0; i < total; i++)
		if ((!s->any || number_bit(s->from_start, i)) && i % step == start % step)
			number_set_only(&taken, i);
	*s = taken;
}

/* When the interval of an hourly, minutely or secondly rule divides a day, every day has the same times. Then the rule
 * becomes a daily one, so that whole days can be skipped or counted. */
static void walk_coarsen(struct recurrence *r)
{
	static const int totals[] = {24, 60, 60};
	struct number_set *sets[] = {&r->hours, &r->minutes, &r->seconds};
	int second = (int)(r->start - civil_floor(r->start, DAY) * DAY);
	const int starts[] = {second / HOUR, second % HOUR / MINUTE, second % MINUTE};

	if (r->positions.any)
		return;
	for (int i = (int)r->frequency - FREQ_HOURLY; i >= 0; i--) {
		int n = totals[i];
		if (n % r->interval != 0 && r->interval % n != 0)
			return;
		number_set_step(sets[i], n, starts[i], r->interval < n ? r->interval : n);
		r->interval = r->interval < n ? 1 : r->interval / n;
		r->frequency = (enum frequency)(FREQ_HOURLY + i - 1);
	}
}

/* --- periods -------------------------------------------------------------------------- */

static const int unit_seconds[] = {[FREQ_HOURLY] = HOUR, [FREQ_MINUTELY] = MINUTE, [FREQ_SECONDLY] = 1};

static int32_t walk_week_of(const struct recurrence *r, int64_t local)
{
	int32_t day = (int32_t)civil_floor(local, DAY);

	return day - (civil_weekday(day) - r->week_start + 7) % 7;
}

/* The period of a local time, in units of the frequency. */
static int64_t recurrence_unit_of(const struct recurrence *r, int64_t local)
{
	int year, month, day;

	civil_from_days((int32_t)civil_floor(local, DAY), &year, &month, &day);
	switch (r->frequency) {
	case FREQ_YEARLY:
		return year;
	case FREQ_MONTHLY:
		return (int64_t)year * 12 + month - 1;
	case FREQ_WEEKLY:
		return civil_floor((int64_t)walk_week_of(r, local) + 3 - r->week_start, 7);
	case FREQ_DAILY:
		return civil_floor(local, DAY);
	default:
		return civil_floor(local, unit_seconds[r->frequency]);
	}
}

static int recurrence_day_work(const struct recurrence *r)
{
	return r->weeks.any ? WEEK_WORK : DAY_WORK;
}

/* Adds the days that the rule allows, out of count days from first. */
static void walk_take_days(struct recurrence_walk *w, int32_t first, int count)
{
	for (int i = 0; i < count; i++)
		if (recurrence_day_fits(&w->rule, first + i))
			w->period.days[w->period.n_days++] = first + i;
	w->work += (int64_t)count * recurrence_day_work(&w->rule);
}

/* Builds a period of a day or longer. Returns false beyond the last year. */
static bool walk_long_period(struct recurrence_walk *w, int64_t unit)
{
	static const int last[] = {[FREQ_YEARLY] = YEAR_MAX,
	    [FREQ_MONTHLY] = YEAR_MAX * 12 + 11,
	    [FREQ_WEEKLY] = DAY_MAX / 7,
	    [FREQ_DAILY] = DAY_MAX};
	int year = (int)civil_floor(unit, 12), month = (int)(unit - (int64_t)year * 12) + 1;

	if (unit > last[w->rule.frequency])
		return false;
	if (w->rule.frequency == FREQ_YEARLY)
		walk_take_days(w, civil_days((int)unit, 1, 1), walk_year_length((int)unit));
	else if (w->rule.frequency == FREQ_MONTHLY)
		walk_take_days(w, civil_days(year, month, 1), civil_month_length(year, month));
	else if (w->rule.frequency == FREQ_WEEKLY)
		walk_take_days(w, (int32_t)(unit * 7 - 3 + w->rule.week_start), 7); /* day -3 was a Monday */
	else
		walk_take_days(w, (int32_t)unit, 1);
	return true;
}

/* The first number of the set in n..max; max + 1 when there is none. */
static int number_set_from(const struct number_set *s, int n, int max)
{
	while (s->any && n <= max && !number_bit(s->from_start, n))
		n++;
	return n;
}

/* The earliest local time, at local or later, that the day and time sets of the rule allow. The result may be too
 * early, never too late. */
static int64_t walk_allowed_from(const struct recurrence_walk *w, int64_t local)
{
	const struct recurrence *r = &w->rule;
	int64_t day = civil_floor(local, DAY);
	int second = (int)(local - day * DAY), hour = second / HOUR, minute = second % HOUR / MINUTE, next;

	if (!recurrence_day_fits(r, (int32_t)day))
		return (day + 1) * DAY;
	next = number_set_from(&r->hours, hour, 23);
	if (next != hour)
		return day * DAY + (int64_t)next * HOUR;
	if (r->frequency == FREQ_HOURLY)
		return local;
	next = number_set_from(&r->minutes, minute, 59);
	if (next != minute)
		return day * DAY + (int64_t)hour * HOUR + (int64_t)next * MINUTE;
	if (r->frequency == FREQ_MINUTELY)
		return local;
	next = number_set_from(&r->seconds, second % MINUTE, 59);
	return local - second % MINUTE + next;
}

/* Builds a period of an hour or shorter, and skips those that the rule excludes. Returns false beyond the last year or
 * when the work is used up. */
static bool walk_short_period(struct recurrence_walk *w)
{
	struct recurrence_period *p = &w->period;
	const struct recurrence *r = &w->rule;
	int unit = unit_seconds[r->frequency], second;
	int64_t last = (DAY_MAX + INT64_C(1)) * DAY, local, allowed, day;

	for (;; w->work += PERIOD_WORK) {
		local = (w->first + w->k * r->interval) * unit;
		if (local >= last || w->work > RECURRENCE_WORK_MAX)
			return false;
		w->work += recurrence_day_work(r);
		allowed = walk_allowed_from(w, local);
		if (allowed == local)
			break;
		/* Finds the first period that begins at allowed or later. */
		w->k = (civil_floor(allowed - 1, unit) + 1 - w->first + r->interval - 1) / r->interval;
	}
	day = civil_floor(local, DAY);
	second = (int)(local - day * DAY);
	p->days[p->n_days++] = (int32_t)day;
	p->hours[0] = second / HOUR;
	if (r->frequency != FREQ_HOURLY)
		p->minutes[0] = second % HOUR / MINUTE;
	if (r->frequency == FREQ_SECONDLY)
		p->seconds[0] = second % MINUTE;
	return true;
}

/* Fills in the times of day that are the same in all periods. */
static void walk_set_times(struct recurrence_walk *w)
{
	const struct recurrence *r = &w->rule;
	struct recurrence_period *p = &w->period;

	p->n_hours = r->frequency < FREQ_HOURLY ? number_set_list(&r->hours, 23, p->hours) : 1;
	p->n_minutes = r->frequency < FREQ_MINUTELY ? number_set_list(&r->minutes, 59, p->minutes) : 1;
	p->n_seconds = r->frequency < FREQ_SECONDLY ? number_set_list(&r->seconds, 59, p->seconds) : 1;
}

/* --- occurrences of a period, in order ------------------------------------------------- */

static int64_t walk_raw_size(const struct recurrence_period *p)
{
	return (int64_t)p->n_days * p->n_hours * p->n_minutes * p->n_seconds;
}

static int64_t walk_raw_at(const struct recurrence_period *p, int64_t i)
{
	int second = p->seconds[i % p->n_seconds], minute = p->minutes[i / p->n_seconds % p->n_minutes];
	int hour = p->hours[i / p->n_seconds / p->n_minutes % p->n_hours];
	int32_t day = p->days[i / p->n_seconds / p->n_minutes / p->n_hours];

	return (int64_t)day * DAY + hour * HOUR + minute * MINUTE + second;
}

static int walk_compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void walk_pick_positions(struct recurrence_walk *w)
{
	const struct number_set *positions = &w->rule.positions;
	struct recurrence_period *p = &w->period;
	int64_t size = walk_raw_size(p);
	int n = 0, kept = 0;

	if (p->picked_of == size)
		return;
	for (int i = 1; i <= YEAR_DAYS; i++) {
		if (number_bit(positions->from_start, i) && i <= size)
			p->picks[n++] = i - 1;
		if (number_bit(positions->from_end, i) && i <= size)
			p->picks[n++] = size - i;
	}
	qsort(p->picks, (size_t)n, sizeof *p->picks, walk_compare_times);
	for (int i = 0; i < n; i++)
		if (i == 0 || p->picks[i] != p->picks[i - 1])
			p->picks[kept++] = p->picks[i];
	p->n_picks = kept;
	p->picked_of = size;
	w->work += YEAR_DAYS / 8 + n * 4;
}

static int64_t walk_local_at(const struct recurrence_walk *w, int64_t i)
{
	return walk_raw_at(&w->period, w->rule.positions.any ? w->period.picks[i] : i);
}

/* The number of the period's occurrences before a local time. */
static int64_t walk_count_before(struct recurrence_walk *w, int64_t local)
{
	int64_t low = 0, high = w->size;

	if (high == 0 || walk_local_at(w, 0) >= local) /* nearly always true */
		return 0;
	for (; low < high; w->work++) {
		int64_t middle = low + (high - low) / 2;
		if (walk_local_at(w, middle) < local)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Builds period k; of periods shorter than a day, it builds the next one that the rule allows. Then it moves to the
 * first occurrence in that period that is not before base. */
static void walk_open_period(struct recurrence_walk *w)
{
	const struct recurrence *r = &w->rule;
	struct recurrence_period *p = &w->period;
	bool there;

	p->n_days = 0;
	w->at = w->size = 0;
	w->work += PERIOD_WORK;
	there = r->frequency >= FREQ_HOURLY ? walk_short_period(w) : walk_long_period(w, w->first + w->k * r->interval);
	if (!there || w->work > RECURRENCE_WORK_MAX) {
		w->over = true;
		return;
	}
	if (r->positions.any)
		walk_pick_positions(w);
	w->size = r->positions.any ? p->n_picks : walk_raw_size(p);
	w->at = w->skipped = walk_count_before(w, w->base);
	if (w->at < w->size)
		w->mark =
		    (struct recurrence_mark){.known = w->counts, .local = walk_local_at(w, w->at), .count = w->seen};
}

/* A rule with only a frequency of a day or less has exactly one occurrence per period. */
static bool recurrence_is_plain(const struct recurrence *r)
{
	return r->frequency >= FREQ_DAILY && !r->seconds.any && !r->minutes.any && !r->hours.any &&
	       !r->month_days.any && !r->year_days.any && !r->months.any && !recurrence_names_weekdays(r);
}

void walk_begin(struct recurrence_walk *w, const struct recurrence *r, const struct recurrence_mark *mark, int64_t from,
    int64_t work)
{
	bool counts = r->count && !recurrence_is_plain(r), marked = counts && mark->known;

	memset(w, 0, offsetof(struct recurrence_walk, period));
	w->counts = counts;
	w->work = work;
	w->period.picked_of = -1;
	w->rule = *r;
	walk_defaults(&w->rule);
	if (!recurrence_is_plain(r))
		walk_coarsen(&w->rule);
	w->base = marked ? mark->local : r->start;
	w->first = recurrence_unit_of(&w->rule, r->start);
	w->k = (recurrence_unit_of(&w->rule, counts || from < w->base ? w->base : from) - w->first) / w->rule.interval;
	w->seen = marked ? mark->count : counts ? 0 : w->k;
	walk_set_times(w);
	if (w->period.n_hours && w->period.n_minutes && w->period.n_seconds)
		walk_open_period(w);
	else
		w->over = true;
}

bool walk_next(struct recurrence_walk *w, int64_t from, int64_t *local)
{
	int64_t at;

	while (!w->over) {
		at = walk_count_before(w, from);
		if (at > w->at)
			w->at = at;
		if (w->rule.count && w->seen + w->at - w->skipped >= w->rule.count)
			return false;
		if (w->at < w->size) {
			*local = walk_local_at(w, w->at++);
			return true;
		}
		w->seen += w->size - w->skipped;
		w->k++;
		walk_open_period(w);
	}
	return false;
}
