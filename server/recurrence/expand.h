/*
 * Recurrence rules (RFC 5545, sections 3.3.10 and 3.8.5.3): "DTSTART…\nRRULE:…".
 *
 * The rule is expanded over local times, which then become instants in their zone, so
 * that it follows daylight saving. Expansion is ours: libraries step through a rule
 * one occurrence at a time, and "every second of February 30th" holds them for
 * minutes; here whole days, months and years are passed over, and the work of a call is bounded.
 */
#ifndef KITH_SERVER_RECURRENCE_EXPAND_H
#define KITH_SERVER_RECURRENCE_EXPAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	RECURRENCE_MAX = 500,           /* characters of a rule */
	RECURRENCE_LEAST_MS = 60 * 1000 /* from one time at which a reminder fires to the next */
};

enum frequency { FREQ_YEARLY, FREQ_MONTHLY, FREQ_WEEKLY, FREQ_DAILY, FREQ_HOURLY, FREQ_MINUTELY, FREQ_SECONDLY };

/* A set of small numbers that may be counted from the end: BYMONTHDAY=1,-1. */
struct number_set {
	uint64_t from_start[6], from_end[6]; /* bit n */
	bool any;
};

struct zone;

struct recurrence {
	const struct zone *zone;
	int64_t start; /* DTSTART, local seconds since 1970 */
	enum frequency frequency;
	int interval;
	int64_t count; /* 0: no end by number */
	enum { UNTIL_NEVER, UNTIL_LOCAL, UNTIL_UTC } until_kind;
	int64_t until;  /* inclusive */
	int week_start; /* 0 is Monday */
	bool rules;     /* false: one time only */
	/* what the rule names; "any" is false where it does not */
	struct number_set seconds, minutes, hours, month_days, year_days, weeks, months, positions;
	struct number_set weekdays;    /* every such day */
	struct number_set nth_days[7]; /* the n-th of month or year */
};

/* Reads a rule; false when it is none, or names an unknown zone. */
bool recurrence_parse(struct recurrence *r, const char *text, size_t len);

enum recurrence_found {
	RECURRENCE_FOUND,
	RECURRENCE_OVER,      /* no time is left */
	RECURRENCE_TOO_LONG,  /* not found within the work that a call may do */
	RECURRENCE_UNREADABLE /* no rule, or none of a zone that the system has */
};

/*
 * How far the times of a rule with COUNT have been counted: so many lie before that local second. Who keeps it between
 * calls need not count from DTSTART each time. Of other rules it stays unknown.
 */
struct recurrence_mark {
	bool known;
	int64_t local, count;
};

/*
 * The first time strictly after an instant, which is never before that of the call that left the mark; both in
 * milliseconds since 1970; *next_ms is set when it is found. The mark moves on, also when the work did not suffice:
 * another call goes on there.
 */
enum recurrence_found recurrence_next(
    const struct recurrence *r, struct recurrence_mark *mark, int64_t after_ms, int64_t *next_ms);

/* Where a rule that is given now begins. */
struct recurrence_times {
	bool over; /* all its times have passed */
	int64_t next_ms;
	struct recurrence_mark mark;
};

/* The check of a body: false when text is no rule, has no time at all, or none that is found within the work of a call.
 */
bool recurrence_start(struct recurrence_times *times, const char *text, size_t len, int64_t now_ms);

/* recurrence_next() of a rule's text. */
enum recurrence_found recurrence_next_of(
    const char *text, size_t len, struct recurrence_mark *mark, int64_t after_ms, int64_t *next_ms);

#endif
