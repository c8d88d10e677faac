/* Counters of interactions: how often and when last each user interacted with an entity. Changing them requires a
 * lock on the entity's row, and of two entities the smaller id is locked first: counters are exact, and no deadlock
 * is possible. */
#ifndef KITH_SERVER_RESOURCE_INTERACTION_COUNT_H
#define KITH_SERVER_RESOURCE_INTERACTION_COUNT_H

#include "server/request/request.h"

/* Adds the statements that count one more interaction, at that time. */
void interaction_counted(struct req *r, const struct uuid *entity, const struct uuid *user, int64_t time_ms);

/* ... and one less; the interaction's own row must be changed before. */
void interaction_uncounted(struct req *r, const struct uuid *entity, const struct uuid *user);

/* Adds the statement that updates the entity's row from its counters: the last one of each change. */
void interaction_totals(struct req *r, const struct uuid *entity);

#endif
