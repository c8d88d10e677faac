/* Removing a deleted group, object type, custom field, option, person or company from records: the statements, with
 * their events.
 *
 * References in few records are removed by the deleting request itself. If there are many, the request only marks
 * them (removed_at, contacts_gone), which hides them from everybody, and server/job/removals.c removes them later,
 * some per transaction. */
#ifndef KITH_SERVER_RESOURCE_REMOVAL_H
#define KITH_SERVER_RESOURCE_REMOVAL_H

#include "server/request/statements.h"
#include "server/resource/removal_rows.h"

/* How many records a request may change, and each transaction of the job. */
struct removal_sizes {
	int at_once, chunk;
};
const struct removal_sizes *removal_sizes(void);

/* Removes contacts from the group, with its values. */
void removal_leave(
    const struct statements *st, const struct contact_kind *c, const struct uuid *group, const struct owners *some);
/* Removes values. */
void removal_values(const struct statements *st, const struct values_gone *gone, const struct owners *some);
/* Removes deleted people or companies from lists and values. */
void removal_references(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct owners *some);
/* Appends a select of (id, number of records that refer to it), not exact above removal_sizes()->at_once. */
void removal_held_sql(struct sql *s, enum id_kind kind, const struct uuid *ids, size_t n);
/* Deletes objects of a group or type, and what is linked to them; alone: also the values that refer to them (those
 * of a group are deleted with it). */
void removal_objects(
    const struct statements *st, const struct uuid *group, const struct uuid *ids, size_t n, bool alone);

#endif
