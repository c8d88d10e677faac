/* What records have in common when they are written: values given, groups and
 * their rules, link tables. */
#ifndef KITH_SERVER_RESOURCE_CONTACT_H
#define KITH_SERVER_RESOURCE_CONTACT_H

#include "server/input/body.h"
#include "server/request/request.h"
#include "store/record.h"

/* A table that is the inverse of a list of ids in the row. */
struct link_table {
	const char *table, *owner, *other;
};

bool contact_holds(const struct value *list, const struct uuid *id);

/* Puts the values that the body gives into rec; lists of contacts and groups and
 * the custom values are left to others. */
void contact_take(struct record *rec, const struct input *in);

/* The new list of groups: what was given, then those of the old list that the viewer
 * cannot see. false: a group in which he may only read would be joined or left. */
bool contact_groups(struct req *r, const struct value *old, const struct value *given, struct value *out);

/* Every given group added to the old list; false as above. */
bool contact_join(struct req *r, const struct value *old, const struct value *given, struct value *out);

/* Pairs to take away from and to add to a link table, gathered over all records of a request. */
struct link_pairs {
	struct uuid *owners, *others;
	size_t count, cap;
};
struct links {
	struct link_pairs gone, added;
};

void contact_link(
    struct arena *a, struct links *l, const struct uuid *owner, const struct value *old, const struct value *new);
/* Adds the statements: at most one delete and one insert. */
void contact_save_links(struct req *r, const struct link_table *t, const struct links *l);

#endif
