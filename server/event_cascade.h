/*
 * Events of what goes with something else, or is changed by its end: made by
 * SQL out of the rows themselves, in the same transaction and before they are
 * changed, so that a hundred thousand of them cost one statement.
 */
#ifndef KITH_SERVER_EVENT_CASCADE_H
#define KITH_SERVER_EVENT_CASCADE_H

#include "server/request.h"

/*
 * People, companies or objects are about to be deleted: their notes, tasks,
 * reminders and interactions are, too, and who refers to them is updated. The
 * records' own events are the caller's. within: the group of objects, else NULL.
 */
void cascade_entities(struct req *r, enum id_kind kind, const struct uuid *ids, size_t n, const struct uuid *within);
/* The first half alone. */
void cascade_activities(struct req *r, enum id_kind kind, const struct uuid *ids, size_t n, const struct uuid *within);

/* The objects with that value in their column "group_id" or "type_id" are about to be deleted. */
void cascade_objects(struct req *r, const char *column, const struct uuid *id);

/* A group is about to be deleted: contacts leave it and lose its values. */
void cascade_group(struct req *r, const struct uuid *group);

/* Values of a custom field are about to go: all of them, or with options only those. */
void cascade_field(struct req *r, const struct custom_field *f, const struct uuid *options, size_t n);

#endif
