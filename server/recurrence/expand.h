/* Recurrence rules (RFC 5545, sections 3.3.10 and 3.8.5.3): "DTSTART…\nRRULE:…".
 *
 * A rule is expanded over local times. These are then converted to instants in their zone, so that the rule follows
 * daylight saving. kith has its own expansion, because libraries step through a rule one occurrence at a time: "every
 * second of February 30th" blocks them for minutes. Here whole days, months and years are skipped, and the work of a
 * call is limited. */
#ifndef KITH_SERVER_RECURRENCE_EXPAND_H
#define KITH_SERVER_RECURRENCE_EXPAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	RECURRENCE_MAX = 500,           /* characters of a rule */
	RECURRENCE_LEAST_MS = 60 * 1000 /* the least time between two firings of a reminder */
};

enum frequency { FREQ_YEARLY, FREQ_MONTHLY, FREQ_WEEKLY, FREQ_DAILY, FREQ_HOURLY, FREQ_MINUTELY, FREQ_SECONDLY };

/* A set of small numbers that may count from the end: BYMONTHDAY=1,-1. */
struct number_set {
	uint64_t from_start[6], from_end[6]; /* bit n */
	bool any;
};

struct zone;

struct recurrence {
	const struct zone *zone;
	const char *zone_name; /* as the text names it; NULL: the time is in UTC */
	size_t zone_name_len;
	const char *parts; /* those of RRULE, in the text */
	size_t parts_len;
	int64_t start; /* DTSTART, local seconds since 1970 */
	enum frequency frequency;
	int interval;
	int64_t count; /* 0: not limited */
	enum { UNTIL_NEVER, UNTIL_LOCAL, UNTIL_UTC } until_kind;
	int64_t until;  /* inclusive */
	int week_start; /* 0 is Monday */
	bool rules;     /* false: the rule is a single time */
	/* the parts of the rule; "any" is false for parts that are not given */
	struct number_set seconds, minutes, hours, month_days, year_days, weeks, months, positions;
	struct number_set weekdays;    /* every such weekday */
	struct number_set nth_days[7]; /* the n-th such weekday of the month or year */
};

/* Parses a rule. Returns false when it is not valid or names an unknown zone. */
bool recurrence_parse(struct recurrence *r, const char *text, size_t len);

/* The local time of the first occurrence, which need not be DTSTART. Returns false when there is none, or none is found
 * within the work of a call. */
bool recurrence_first(const struct recurrence *r, int64_t *local);

/* Returns the last instant at which the rule, which has an UNTIL, may have an occurrence. */
int64_t recurrence_until(const struct recurrence *r);

enum recurrence_found {
	RECURRENCE_FOUND,
	RECURRENCE_OVER,      /* no occurrence is left */
	RECURRENCE_TOO_LONG,  /* not found within the work that a call may use */
	RECURRENCE_UNREADABLE /* not a rule, or in a zone that the system does not have */
};

/* How far the occurrences of a rule with COUNT have been counted: count of them are before the local second. A mark
 * that is kept between calls saves counting from DTSTART. Other rules have no mark. */
struct recurrence_mark {
	bool known;
	int64_t local, count;
};

/* The first occurrences of a new rule. */
struct recurrence_times {
	bool over; /* all occurrences are in the past */
	int64_t next_ms;
	struct recurrence_mark mark;
};

/* Validates the rule in a body. Returns false when the text is not a rule, has no occurrence, or none is found within
 * the work of a call. */
bool recurrence_start(struct recurrence_times *times, const char *text, size_t len, int64_t now_ms);

/* Finds the first occurrence strictly after after_ms, in milliseconds since 1970. after_ms must not decrease between
 * calls with the same mark. *next_ms is set on RECURRENCE_FOUND. The mark advances, even when the work did not suffice:
 * the next call continues there. */
enum recurrence_found recurrence_next(
    const char *text, size_t len, struct recurrence_mark *mark, int64_t after_ms, int64_t *next_ms);

#endif
