/* The events of notes, tasks, reminders and interactions that a request writes. */
#ifndef KITH_SERVER_EVENT_ACTIVITY_EVENT_H
#define KITH_SERVER_EVENT_ACTIVITY_EVENT_H

#include "server/request/request.h"
#include "store/field.h"

/* Adds the event of a record that is created (old NULL), deleted (new NULL) or changed. It adds nothing when no field
 * that a body may give differs. The audience are the users that may see the record before or after the change. For a
 * task that becomes done the event is "completed". For texts the event says only that they changed. */
void activity_event(struct req *r, const struct record *old, const struct record *new);

#endif
