/* Calendars: GET /calendar/<token>.ics, an iCalendar file (RFC 5545, RFC 7986) of a user's open tasks, their reminders,
 * and the birthdays in some groups. The token is the text of a key of the kind calendar, because calendar programs send
 * no headers (docs/calendars.md). */
#ifndef KITH_SERVER_CALENDAR_CALENDAR_H
#define KITH_SERVER_CALENDAR_CALENDAR_H

#include "server/request/request.h"

step_fn calendar_admit;    /* takes the key from the path */
step_fn calendar_admitted; /* whatever is wrong with the key is the same 404 */
step_fn calendar_begin;    /* reads the parameters and asks for the first rows */
step_fn calendar_rows;     /* writes the rows and asks for the next ones, or answers */
step_fn calendar_describe; /* answers PROPFIND */

#endif
