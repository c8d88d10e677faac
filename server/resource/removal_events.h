/*
 * Events of what goes with something else, or is changed by its end: made by
 * SQL out of the rows themselves, in the same transaction and before they are
 * changed, so that a hundred thousand of them cost one statement.
 */
#ifndef KITH_SERVER_RESOURCE_REMOVAL_EVENTS_H
#define KITH_SERVER_RESOURCE_REMOVAL_EVENTS_H

#include "server/request/statements.h"
#include "server/resource/removal_rows.h"

/*
 * People, companies or objects are about to be deleted: their notes, tasks,
 * reminders and interactions are, too, and who refers to them is updated. The
 * records' own events are the caller's. within: the group of objects, else NULL.
 */
void cascade_entities(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct uuid *within);
/* Its halves. some: of those who refer to them alone, NULL: of all. */
void cascade_references(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct owners *some);
void cascade_activities(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct uuid *within);

/* Objects are about to be deleted with their group or type: theirs alone. */
void cascade_objects(const struct statements *st, const struct uuid *ids, size_t n);

/* Contacts are about to leave a group that is deleted, and lose its values. */
void cascade_leave(
    const struct statements *st, const struct contact_kind *c, const struct uuid *group, const struct owners *some);
/* Values of a custom field are about to go. */
void cascade_values(const struct statements *st, const struct values_gone *gone, const struct owners *some);

#endif
