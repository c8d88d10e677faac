/* What people and companies have in common when they are written: fields given,
 * groups and their rules, link tables. */
#ifndef KITH_SERVER_CONTACT_H
#define KITH_SERVER_CONTACT_H

#include "server/body.h"
#include "server/request.h"
#include "store/record.h"

/* A table that is the inverse of a list of ids in the row. */
struct link_table {
	const char *table, *owner, *other;
};
extern const struct link_table person_group_links, person_company_links, company_group_links;

/* Puts the values that the body gives into rec; groups and companies are left to the functions below. */
void contact_take(struct record *rec, const struct input *in);

/* The new list of groups: what was given, then those of the old list that the viewer
 * cannot see. PASS, or DONE with a 403 when a group in which he may only read would
 * be joined or left. */
enum step contact_groups(struct req *r, const struct value *old, const struct value *given, struct value *out);

/* Every given group added to the old list. */
enum step contact_join(struct req *r, const struct value *old, const struct value *given, struct value *out);

/* Adds the statements that bring a link table from the old list to the new one. */
void contact_links(struct req *r, const struct link_table *t, const struct uuid *owner, const struct value *old,
    const struct value *new);

/* createdAt, createdBy, updatedAt, id of a new record; column numbers of its resource. */
struct contact_fields {
	int created_at, created_by, updated_at;
};
void contact_stamp(struct req *r, struct record *rec, const struct contact_fields *f);

bool contact_holds(const struct value *list, const struct uuid *id);

#endif
