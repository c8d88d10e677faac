/* The Retry-After header of answers (RFC 9110, section 10.2.3). */
#ifndef KITH_WEBHOOK_RETRY_AFTER_H
#define KITH_WEBHOOK_RETRY_AFTER_H

#include <stdint.h>

enum { RETRY_AFTER_MAX_S = 24 * 3600 };

/* Seconds from now, by a number of them or by a date in any form that HTTP knows; 0 for a date
 * that has passed, at most 24 h. -1: the value, or NULL, is neither. */
int64_t retry_after_parse(const char *value, int64_t now_s);

#endif
