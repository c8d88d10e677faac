/* The local times of a recurrence rule, one after the other; of expand.c alone. */
#ifndef KITH_SERVER_RECURRENCE_WALK_H
#define KITH_SERVER_RECURRENCE_WALK_H

#include "server/recurrence/expand.h"

enum {
	/* Steps of a call, each of 7 to 15 ns: two milliseconds in all, and the same answer on every machine. */
	RECURRENCE_WORK_MAX = 150 * 1000,
	YEAR_DAYS = 366,
	POSITIONS_MAX = 2 * YEAR_DAYS
};

/* What one period holds. */
struct recurrence_period {
	int32_t days[YEAR_DAYS];
	int hours[24], minutes[60], seconds[60];
	int n_days, n_hours, n_minutes, n_seconds;
	int64_t picks[POSITIONS_MAX]; /* BYSETPOS */
	int n_picks;
	int64_t picked_of; /* they are those of a period of that size; -1: of none */
};

struct recurrence_walk {
	struct recurrence rule; /* with what DTSTART gives where it is silent */
	int64_t first;          /* the unit of DTSTART's period */
	int64_t base;           /* a local time: what lies before it is counted in seen, or not at all */
	int64_t k;              /* number of the period: INTERVAL times k after DTSTART's */
	int64_t seen;           /* occurrences before the period, or in it before base, with COUNT */
	int64_t skipped;        /* those of the period before base */
	int64_t at, size;       /* within the period */
	int64_t work;
	bool over;
	bool counts;                 /* all occurrences must be counted */
	struct recurrence_mark mark; /* the last period that holds any */
	struct recurrence_period period;
};

/*
 * Begins with the period that holds a local time; when all must be counted, with the mark's, or the first one.
 * work: of the same call, done before.
 */
void walk_begin(struct recurrence_walk *w, const struct recurrence *r, const struct recurrence_mark *mark, int64_t from,
    int64_t work);

/* The next occurrence from a local time on, which never decreases; false when there is none, or the work does not
 * suffice. */
bool walk_next(struct recurrence_walk *w, int64_t from, int64_t *local);

#endif
