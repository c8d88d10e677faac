/* Single values as other programs write them, to the form that the API takes. */
#ifndef KITH_TRANSFER_VALUE_H
#define KITH_TRANSFER_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/arena.h"
#include "server/base/clock.h"

/* Whether a custom field of numbers can hold it: digits with a sign and a fraction, no leading zero. */
bool value_is_number(const char *text);
/* Whether it is a day; *day_first is set by one such as 31/12/2024, whose first number can be no month. */
bool value_is_date(const char *text, bool *day_first);

enum value_state { VALUE_GOOD, VALUE_NONE, VALUE_BAD };

/* A day: 1985-04-12, 19850412, 1985/4/12, 12.4.1985, 4/12/1985 (12/4/1985 with day_first), with a time behind it or
 * not. VALUE_NONE: empty, or a day without its year. */
enum value_state value_date(const char *text, bool day_first, char out[DATE_TEXT_SIZE]);
/* A time: RFC 3339, or a day as above with "HH:MM[:SS]" behind it, which is UTC, or alone. */
enum value_state value_time(const char *text, bool day_first, char out[TIME_TEXT_SIZE]);
/* "$1,200,000.50" is 1200000.50. NULL: no number. */
const char *value_number(struct arena *a, const char *text);
/* A range of employees, also for a number of them; NULL: none. */
const char *value_range(const char *text);
/* "Male", "Female", "Other", "" for unknown. */
const char *value_gender(const char *text);

#endif
