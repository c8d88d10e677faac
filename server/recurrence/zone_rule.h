/* The rule for the offset of a zone in future years: a POSIX TZ string, with the hours that RFC 9636 allows. */
#ifndef KITH_SERVER_RECURRENCE_ZONE_RULE_H
#define KITH_SERVER_RECURRENCE_ZONE_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A day of the year and a local time on it. */
struct zone_change {
	enum { DAY_JULIAN, DAY_COUNTED, DAY_OF_MONTH } kind; /* the forms Jn; n; Mm.w.d */
	int day, month, week;
	int32_t time; /* seconds; may be before or after the day */
};

struct zone_rule {
	int32_t standard, summer;      /* seconds east of UTC */
	bool changes;                  /* false: standard time all year */
	struct zone_change begin, end; /* the start and the end of summer time */
};

/* Parses "CET-1CEST,M3.5.0,M10.5.0/3". Returns false when it is malformed. */
bool zone_rule_parse(struct zone_rule *rule, const char *text, size_t len);

/* Seconds east of UTC at that instant. */
int32_t zone_rule_offset(const struct zone_rule *rule, int64_t utc);

/* The local time of the change in a year, by the clock before the change. */
int64_t zone_change_local(const struct zone_change *c, int year);

/* The first change of the clock after an instant, for a rule with changes. */
int64_t zone_rule_next(const struct zone_rule *rule, int64_t utc);

#endif
