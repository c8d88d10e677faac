/* The events of notes, tasks, reminders and interactions that a request writes. */
#ifndef KITH_SERVER_EVENT_ACTIVITY_EVENT_H
#define KITH_SERVER_EVENT_ACTIVITY_EVENT_H

#include "server/request/request.h"
#include "store/field.h"

/*
 * The record came to be (old NULL), went (new NULL), or changed: then nothing when
 * no field differs that a body may give. Whoever might see it before or after may know of it. A task that becomes
 * done is completed. Of texts the event tells only that they changed.
 */
void activity_event(struct req *r, const struct record *old, const struct record *new);

#endif
