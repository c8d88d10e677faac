/* Events of records that are deleted with something else, or changed by its deletion: made by SQL from the rows
 * themselves, in the same transaction, before they are changed, so that a hundred thousand take one statement. */
#ifndef KITH_SERVER_RESOURCE_REMOVAL_EVENTS_H
#define KITH_SERVER_RESOURCE_REMOVAL_EVENTS_H

#include "server/request/statements.h"
#include "server/resource/removal_rows.h"

/* For people, companies or objects about to be deleted: events of their notes, tasks, reminders and interactions,
 * and of the records that refer to them. The records' own events are left to the caller. within: the group of
 * objects, else NULL. */
void removal_events_entities(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct uuid *within);
/* Its halves. some: only these of the records that refer to them; NULL: all. */
void removal_events_references(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct owners *some);
void removal_events_activities(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct uuid *within);

/* For objects about to be deleted with their group or type: their own events only. */
void removal_events_objects(const struct statements *st, const struct uuid *ids, size_t n);

/* For contacts about to leave a group that is being deleted, and to lose its values. */
void removal_events_leave(
    const struct statements *st, const struct contact_kind *c, const struct uuid *group, const struct owners *some);
/* For values of a custom field about to be removed. */
void removal_events_values(const struct statements *st, const struct values_gone *gone, const struct owners *some);

#endif
