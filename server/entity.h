/* What hangs on a person, a company or an object, and goes with it. */
#ifndef KITH_SERVER_ENTITY_H
#define KITH_SERVER_ENTITY_H

#include "server/request.h"

/*
 * Adds the statements that remove everything that belongs or refers to entities
 * which the request's transaction deletes: notes, tasks, reminders, interactions,
 * values of custom fields that name them. The entities' own rows and links are
 * the caller's. Nothing when n is 0.
 */
void entity_forget(struct req *r, const struct uuid *ids, size_t n);

#endif
