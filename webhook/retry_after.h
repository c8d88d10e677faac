/* The Retry-After header (RFC 9110, section 10.2.3). */
#ifndef KITH_WEBHOOK_RETRY_AFTER_H
#define KITH_WEBHOOK_RETRY_AFTER_H

#include <stdint.h>

enum { RETRY_AFTER_MAX_S = 24 * 3600 };

/* Seconds from now, from a number or a date in any HTTP format; 0 for a past date, at most 24 h. -1: value is NULL
 * or neither. */
int64_t retry_after_parse(const char *value, int64_t now_s);

#endif
