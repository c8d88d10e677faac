/* When a delivery is retried, and how many attempts a failing webhook gets. Times are real milliseconds: clock_scale
 * is already applied. */
#ifndef KITH_WEBHOOK_SCHEDULE_H
#define KITH_WEBHOOK_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* Milliseconds until the next attempt after that many failures, ±10 % by random (0 to 1), unscaled; -1: no further
 * attempt. */
int64_t schedule_backoff_ms(int failed, double random);

/* Seconds from now in a Retry-After header (RFC 9110, section 10.2.3), a number or a date in any HTTP format; 0 for a
 * past date, at most 24 h. -1: value is NULL or neither. */
int64_t schedule_retry_after_s(const char *value, int64_t now_s);

/* As schedule_backoff_ms(), scaled; a longer Retry-After (-1: none) is honoured. */
int64_t schedule_retry_ms(int failed, double random, int64_t retry_after_s, int clock_scale);

/* True when the webhook has failed for so long that kith gives it up. */
bool schedule_given_up(int64_t failing_since_ms, int64_t now_ms, int clock_scale);

/* How many attempts may be in progress after that many consecutive failures. The receiver may be dead, and each attempt
 * may then occupy its place for long. */
int schedule_in_flight(int failures);
/* Pause before the next attempt, so that a dead receiver's backlog stays in the database. */
int64_t schedule_pause_ms(int failures, int clock_scale);

#endif
