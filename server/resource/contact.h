/* Shared by writes of records: values, groups and their rules, link tables. */
#ifndef KITH_SERVER_RESOURCE_CONTACT_H
#define KITH_SERVER_RESOURCE_CONTACT_H

#include "server/input/body.h"
#include "server/request/request.h"
#include "server/resource/removal_rows.h"
#include "store/record.h"

/* Copies the body's values into rec, except lists of contacts, groups and custom values. */
void contact_take(struct record *rec, const struct input *in);

/* The new list of groups: the given ones, then those of the old list that the viewer cannot see. Returns false when a
 * group would be joined or left in which the viewer is only a reader. */
bool contact_groups(const struct req_caller *caller, struct arena *a, const struct value *old,
    const struct value *given, struct value *out);

/* Adds every given group to the old list. Returns false in the same case. */
bool contact_join(const struct req_caller *caller, struct arena *a, const struct value *old, const struct value *given,
    struct value *out);

/* Returns a list of contacts with the items of from (NULL: no items) and room for some more. */
struct value contact_list(struct arena *a, const struct value *from, size_t more);
/* Adds an item unless it is in the list. */
void contact_list_add(struct value *list, const struct uuid *id, const char *name);

/* Pairs of ids in a link table, of all records of a request. */
struct links {
	struct uuid *owners, *others;
	size_t count;
};

/* Adds the statements: at most one delete and one insert. */
void contact_save_links(
    struct req *r, const struct link_table *t, const struct links *deleted, const struct links *added);

#endif
