/*
 * Counters of interactions: how often and when last each user interacted with
 * an entity. Whoever changes them has the entity's row locked, and of two
 * entities that of the smaller id first, so that they are exact and nobody
 * waits for each other in a ring.
 */
#ifndef KITH_SERVER_RESOURCE_INTERACTION_COUNT_H
#define KITH_SERVER_RESOURCE_INTERACTION_COUNT_H

#include "server/request/request.h"

/* Adds the statements for one interaction more, at that time. */
void interaction_counted(struct req *r, const struct uuid *entity, const struct uuid *user, int64_t time_ms);

/* ... and one less; the interaction's own row must say so already. */
void interaction_uncounted(struct req *r, const struct uuid *entity, const struct uuid *user);

/* Adds the statement that brings the entity's row up to its counters: the last of each change. */
void interaction_totals(struct req *r, const struct uuid *entity);

#endif
