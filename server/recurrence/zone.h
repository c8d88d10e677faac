/*
 * Time zones: the offset of a zone of the IANA database at an instant, and the
 * instant of a local time. Reads the compiled files of the system (RFC 9636), the
 * footer for the years to come included, so that zones follow the system's updates.
 */
#ifndef KITH_SERVER_RECURRENCE_ZONE_H
#define KITH_SERVER_RECURRENCE_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zone;

/*
 * Reads all zones of the system, once, and answers how many names there are. They are kept until the process
 * ends: together they are small, no file is read while requests wait, and what one reader asks for takes no
 * room from another.
 */
size_t zone_read_all(void);

/* The zone of exactly that name, such as "Europe/Berlin"; NULL when the system has none. */
const struct zone *zone_find(const char *name, size_t len);

/* Always there. */
const struct zone *zone_utc(void);

/* Seconds east of UTC at that instant, in seconds since 1970. */
int32_t zone_offset(const struct zone *z, int64_t utc);

/* The instant of a local time (RFC 5545, section 3.3.5): of two the first; one that a
 * change of the clock leaves out is read with the offset before the change. */
int64_t zone_instant(const struct zone *z, int64_t local);

/* How much the clock was put forward in the 26 hours before that instant, in seconds; 0: it was not. */
int32_t zone_put_forward(const struct zone *z, int64_t utc);

#endif
