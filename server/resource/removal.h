/*
 * What a group, an object type, a custom field, an option, a person or a company leaves in records
 * when it is deleted: statements that take it out of them, and tell of it.
 *
 * What few records hold goes with its request. What many hold is only marked by the request
 * (removed_at, contacts_gone): from then on nobody sees it, and server/job/removals.c takes it out of the records by
 * and by, some in a transaction.
 */
#ifndef KITH_SERVER_RESOURCE_REMOVAL_H
#define KITH_SERVER_RESOURCE_REMOVAL_H

#include "server/request/statements.h"
#include "server/resource/removal_rows.h"

/* How many records may be changed by a request, and by each transaction of the job. */
struct removal_sizes {
	int at_once, chunk;
};
const struct removal_sizes *removal_sizes(void);

/* Contacts leave the group, with its values. */
void removal_leave(
    const struct statements *st, const struct contact_kind *c, const struct uuid *group, const struct owners *some);
/* Values go. */
void removal_values(const struct statements *st, const struct values_gone *gone, const struct owners *some);
/* Deleted people or companies leave the lists and values that name them. */
void removal_references(
    const struct statements *st, enum id_kind kind, const struct uuid *ids, size_t n, const struct owners *some);
/* Appends a select of (id, in how many records it is): numbers above removal_sizes()->at_once tell no more. */
void removal_held_sql(struct sql *s, enum id_kind kind, const struct uuid *ids, size_t n);
/* Objects of a group or type go, and what is linked to them; alone: so do the values that name them (those of a group
 * go with it). */
void removal_objects(
    const struct statements *st, const struct uuid *group, const struct uuid *ids, size_t n, bool alone);

#endif
