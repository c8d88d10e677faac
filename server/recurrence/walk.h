/* Iterates over the local times of a recurrence rule. Only expand.c uses it. */
#ifndef KITH_SERVER_RECURRENCE_WALK_H
#define KITH_SERVER_RECURRENCE_WALK_H

#include "server/recurrence/expand.h"

enum {
	/* Steps per call, of 7 to 15 ns each: two milliseconds in all. The result is the same on every machine. */
	RECURRENCE_WORK_MAX = 150 * 1000,
	YEAR_DAYS = 366,
	POSITIONS_MAX = 2 * YEAR_DAYS
};

/* The contents of one period. */
struct recurrence_period {
	int32_t days[YEAR_DAYS];
	int hours[24], minutes[60], seconds[60];
	int n_days, n_hours, n_minutes, n_seconds;
	int64_t picks[POSITIONS_MAX]; /* BYSETPOS */
	int n_picks;
	int64_t picked_of; /* the number of occurrences from which they were picked; -1: none yet */
};

struct recurrence_walk {
	struct recurrence rule; /* the rule, completed from DTSTART */
	int64_t first;          /* the period of DTSTART, in units of the frequency */
	int64_t base;           /* a local time: occurrences before it are counted in seen, or not at all */
	int64_t k;              /* index of the period, which is k intervals after that of DTSTART */
	int64_t seen;           /* with COUNT: occurrences before the period, or before base in the period */
	int64_t skipped;        /* occurrences of the period before base */
	int64_t at, size;       /* position in the occurrences of the period, and their number */
	int64_t work;
	bool over;
	bool counts;                 /* all occurrences must be counted */
	struct recurrence_mark mark; /* at the last period that has occurrences */
	struct recurrence_period period;
};

/* Starts at the period of a local time. When all occurrences must be counted, it starts at the mark or the first
 * period. work: steps that the same call has already used. */
void walk_begin(struct recurrence_walk *w, const struct recurrence *r, const struct recurrence_mark *mark, int64_t from,
    int64_t work);

/* The next occurrence at or after a local time, which must not decrease. Returns false when there is none or the work
 * does not suffice. */
bool walk_next(struct recurrence_walk *w, int64_t from, int64_t *local);

#endif
