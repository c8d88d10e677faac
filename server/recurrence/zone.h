/* Time zones: the offset of an IANA zone at an instant, and the instant of a local time. Reads the system's compiled
 * files (RFC 9636), with their footers for future years, so that zones follow system updates. */
#ifndef KITH_SERVER_RECURRENCE_ZONE_H
#define KITH_SERVER_RECURRENCE_ZONE_H

#include <stddef.h>
#include <stdint.h>

struct zone;
struct zone_rule;

/* Reads all zones of the system once, and returns the number of names. They are kept until the process ends. Together
 * they are small, no file is read while requests wait, and no user's zones can evict another user's. */
size_t zone_read_all(void);

/* The zone of exactly that name, such as "Europe/Berlin"; NULL when the system has none. */
const struct zone *zone_find(const char *name, size_t len);

/* This zone always exists. */
const struct zone *zone_utc(void);

/* Seconds east of UTC at an instant (seconds since 1970). */
int32_t zone_offset(const struct zone *z, int64_t utc);

/* The instant of a local time (RFC 5545, section 3.3.5). If the local time occurs twice, it is the first instant. A
 * time that a change of the clock skips is read with the offset before the change. */
int64_t zone_instant(const struct zone *z, int64_t local);

/* The seconds by which the clock was put forward in the 26 hours before an instant; 0: it was not. */
int32_t zone_put_forward(const struct zone *z, int64_t utc);

/* The first change of the clock after an instant; INT64_MAX: there is none. The offset may be the same before and
 * after. */
int64_t zone_next_change(const struct zone *z, int64_t utc);

/* The rule by which the clock is changed every year, and the instant of the first such change; NULL: there is none. */
const struct zone_rule *zone_yearly_rule(const struct zone *z, int64_t *since);

#endif
