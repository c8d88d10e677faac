/* What hangs on a person, a company or an object, and goes with it. */
#ifndef KITH_SERVER_ENTITY_H
#define KITH_SERVER_ENTITY_H

#include "server/request.h"

/*
 * Adds the statements that remove everything that belongs or refers to entities
 * which the request's transaction deletes: notes, tasks, reminders, interactions,
 * values of custom fields, theirs and those that name them. The entities' own rows
 * and links are the caller's. Nothing when n is 0.
 */
void entity_forget(struct req *r, const struct uuid *ids, size_t n);

/* Adds the statements that take ids out of the lists of another table's rows, and out
 * of the link table that is the lists' inverse (its columns: owner of the list, other). */
void entity_unlink(struct req *r, const struct uuid *ids, size_t n, const char *table, const char *list,
    const char *links, const char *owner, const char *other);

#endif
