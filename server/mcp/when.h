/* Dates and times as people say them, in their time zone: "tomorrow", "monday 15:00", "2026-11-30 15:00", "3 days ago".
 * A text whose meaning is not certain is refused, with what it may mean. */
#ifndef KITH_SERVER_MCP_WHEN_H
#define KITH_SERVER_MCP_WHEN_H

#include <stddef.h>
#include <stdint.h>

struct zone;

enum when_side {
	WHEN_ANY,   /* it may be over or to come: "monday" is not certain */
	WHEN_AHEAD, /* it is to come: "monday" is the next one */
	WHEN_BEHIND /* it is over: "monday" is the last one */
};

struct when_asked {
	const struct zone *zone;
	int64_t now; /* seconds since 1970 */
	enum when_side side;
};

struct when {
	int32_t day;     /* days since 1970-01-01, in the zone */
	int minute;      /* of the day, in the zone; -1: the text has no time of day */
	int64_t instant; /* seconds since 1970; of a text without a time the beginning of the day */
};

enum when_result {
	WHEN_READ,
	WHEN_OTHER,    /* not of these forms: a date or a timestamp as the API takes it, or anything else */
	WHEN_UNCERTAIN /* why says what it may mean */
};

enum { WHEN_WHY_SIZE = 160, WHEN_TEXT_MAX = 40 };

enum when_result when_read(
    const struct when_asked *asked, const char *text, size_t len, struct when *out, char why[WHEN_WHY_SIZE]);

#endif
