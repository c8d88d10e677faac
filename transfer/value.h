/* Converts values that other programs write to the form of the API. */
#ifndef KITH_TRANSFER_VALUE_H
#define KITH_TRANSFER_VALUE_H

#include <stdbool.h>

#include "server/base/arena.h"
#include "server/base/clock.h"

/* True when a numeric custom field can hold the text: digits with a sign and a fraction, no leading zero. */
bool value_is_number(const char *text);
/* True for "0/0/00", which Outlook writes for an empty date, and "0.0.00", which its German version does. */
bool value_is_empty_date(const char *text);
/* True when the text is a date. Sets *day_first for one such as 31/12/2024, whose first number cannot be a month. */
bool value_is_date(const char *text, bool *day_first);

enum value_state { VALUE_GOOD, VALUE_NONE, VALUE_BAD };

/* Reads a date: 1985-04-12, 19850412, 1985/4/12, 12.4.1985, 4/12/1985 (12/4/1985 with day_first); a time may follow.
 * VALUE_NONE: empty, or a date without a year. */
enum value_state value_date(const char *text, bool day_first, char out[DATE_TEXT_SIZE]);
/* Reads a time: RFC 3339, or a date as above, which "HH:MM[:SS]" in UTC may follow. */
enum value_state value_time(const char *text, bool day_first, char out[TIME_TEXT_SIZE]);
/* "$1,200,000.50" is 1200000.50; with decimal_comma "1.200.000,50 €" is the same. NULL: not a number. */
const char *value_number(struct arena *a, const char *text, bool decimal_comma);
/* True when a comma is before the fraction, as in "12,50". */
bool value_has_decimal_comma(const char *text);
/* The range, such as "11-50", that a text or a number means; NULL: none of them. The last one has no upper end. */
const char *value_range(const char *const *ranges, const char *text);
/* True for "Done", "yes", "1" and the like. */
bool value_is_done(const char *text);
/* True for the label of a number that nobody can call: "Work Fax", "Pager". */
bool value_is_fax(const char *text);
/* The gender that a word or its first letter means; "": none of them. */
const char *value_gender(const char *const *genders, const char *text);

#endif
