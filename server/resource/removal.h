/* Removes a deleted group, object type, custom field, option, person or company from records: the statements, with
 * their events.
 *
 * The deleting request itself removes references in few records. If there are many, the request only marks the deleted
 * thing (removed_at, contacts_gone), which hides it from everybody. server/job/removals.c removes the references later,
 * some in each transaction. */
#ifndef KITH_SERVER_RESOURCE_REMOVAL_H
#define KITH_SERVER_RESOURCE_REMOVAL_H

#include "server/request/request.h"
#include "server/resource/removal_rows.h"

/* How many records a request may change, and how many each transaction of the job. */
struct removal_sizes {
	int at_once, chunk;
};
const struct removal_sizes *removal_sizes(void);

/* Deletes a group, object type or custom field, which is a row of that table. If not now, hides it from everybody, and
 * server/job/removals.c does the rest. */
void removal_definition(struct req *r, const char *table, const struct uuid *id, bool now);

/* Removes contacts from the group, with their values in the group. */
void removal_leave(
    const struct statements *st, const struct link_table *l, const struct uuid *group, const struct owners *some);
/* Removes values. */
void removal_values(const struct statements *st, const struct removed_values *removed, const struct owners *some);
/* Removes deleted people or companies from lists and values. */
void removal_references(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct owners *some);
/* Deletes people or companies with everything that belongs to them. References to the first now of them are removed at
 * once; the job removes those to the others. The caller adds their own events. In contact_remove.c. */
void contact_delete(const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, size_t now);
/* Appends a select of (id, number of records that refer to it). Counting stops at most. activities: kinds of notes and
 * the like that it has count as well. */
void removal_held_sql(
    struct sql *s, enum id_kind kind, const struct uuid *ids, size_t n, int64_t most, bool activities);
/* Deletes objects of a group, and what is linked to them. With group_stays this also deletes the values that refer
 * to the objects. A deleted group takes such values with it. */
void removal_objects(
    const struct statements *st, const struct uuid *group, const struct uuid *ids, size_t n, bool group_stays);

/* --- removal_events.c: the events of records deleted with something else, or changed by its deletion -----------------
 *
 * SQL makes these events from the rows themselves, in the same transaction, before the rows change. So one statement
 * is enough for a hundred thousand rows. */

/* For people, companies or objects that will be deleted. Adds the events of the records that refer to them (some: only
 * of these records; NULL: of all). Also adds the events of their notes, tasks, reminders and interactions (within: the
 * group of objects, else NULL). The caller adds the events of the deleted records themselves. */
void removal_events_references(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct owners *some);
void removal_events_activities(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct uuid *within);
/* For a person or company that will be merged into another one: adds the events of the records that refer to it, except
 * these two. Each of these records refers to the other person or company instead. */
void removal_events_moved(
    const struct statements *st, enum id_kind kind, const struct uuid *gone, const struct uuid *kept);
/* For objects that will be deleted: only their own events. */
void removal_events_objects(const struct statements *st, const struct uuid *ids, size_t n);
/* For contacts that will leave a group that is being deleted, and lose their values in it. */
void removal_events_leave(
    const struct statements *st, const struct link_table *l, const struct uuid *group, const struct owners *some);
/* For values of a custom field that will be removed. */
void removal_events_values(
    const struct statements *st, const struct removed_values *removed, const struct owners *some);

#endif
