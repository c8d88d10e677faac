/* Events of users, for admins of the workspace and the user, and what ends with a password. */
#ifndef KITH_SERVER_SIGNIN_USER_EVENT_H
#define KITH_SERVER_SIGNIN_USER_EVENT_H

#include "server/request/request.h"
#include "webhook/event.h"

struct changes;

/* Adds an event without data to the request's transaction. */
void user_event(struct req *r, enum event_type type, const struct uuid *user);
/* The same with changes, which are ended here. */
void user_event_changes(struct req *r, enum event_type type, const struct uuid *user, struct changes *c);

/* Adds the statement that ends all sessions of a user whose password changes, and a link that was not used: it may be
 * the reason for the change. */
void user_end_sessions(struct req *r, const struct uuid *user);

#endif
