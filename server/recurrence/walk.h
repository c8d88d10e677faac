/* Iterates over the local times of a recurrence rule; only for expand.c. */
#ifndef KITH_SERVER_RECURRENCE_WALK_H
#define KITH_SERVER_RECURRENCE_WALK_H

#include "server/recurrence/expand.h"

enum {
	/* Steps per call, of 7 to 15 ns each: two milliseconds in all, with the same result on every machine. */
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
	int64_t picked_of; /* the number of occurrences they were picked from; -1: none yet */
};

struct recurrence_walk {
	struct recurrence rule; /* completed from DTSTART */
	int64_t first;          /* the period of DTSTART, in units of the frequency */
	int64_t base;           /* a local time: occurrences before it are counted in seen, or not at all */
	int64_t k;              /* index of the period: k intervals after DTSTART's */
	int64_t seen;           /* with COUNT: occurrences before the period, or in it before base */
	int64_t skipped;        /* occurrences of the period before base */
	int64_t at, size;       /* position and number of occurrences in the period */
	int64_t work;
	bool over;
	bool counts;                 /* all occurrences must be counted */
	struct recurrence_mark mark; /* at the last period that has any */
	struct recurrence_period period;
};

/* Starts at the period of a local time; when all occurrences must be counted, at the mark or the first period. work:
 * work already done by the same call. */
void walk_begin(struct recurrence_walk *w, const struct recurrence *r, const struct recurrence_mark *mark, int64_t from,
    int64_t work);

/* The next occurrence at or after a local time, which must not decrease; false when there is none or the work does
 * not suffice. */
bool walk_next(struct recurrence_walk *w, int64_t from, int64_t *local);

#endif
