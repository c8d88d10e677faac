/* When a delivery is tried again, and how hard a webhook that fails is tried. Times are real milliseconds: the
 * setting clock_scale is already in them. */
#ifndef KITH_WEBHOOK_SCHEDULE_H
#define KITH_WEBHOOK_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* Milliseconds until the next attempt after so many that failed, ±10 % by random (0 to 1), unscaled; -1: there
 * is none. dispatch.h declares it too. */
int64_t dispatch_retry_ms(int failed, double random);

/* The same, scaled; a longer Retry-After of the answer (-1: none) is obeyed. */
int64_t schedule_again_ms(int failed, double random, int64_t retry_after_s, int clock_scale);

/* True when nothing but failures since then is enough to give the webhook up. */
bool schedule_given_up(int64_t failing_since_ms, int64_t now_ms, int clock_scale);

/* How many may be in flight to a webhook after so many failures in a row: its receiver may be dead, and each
 * attempt may hold its place for long. */
int schedule_in_flight(int failures);
/* How long it then rests before it is tried again, so that what waits for a dead receiver stays where it is. */
int64_t schedule_rest_ms(int failures, int clock_scale);

#endif
