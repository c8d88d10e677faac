/* The difference between two states of a record, as events report it: the member "changes" of an event's data, [{path,
 * type, value, previous}]. A single value is "set", with null when it is now unset, and has the previous one. Lists
 * have items added and removed, and references as {id}. A change without a value says only what changed: long texts,
 * and lists that were only reordered. */
#ifndef KITH_SERVER_EVENT_DIFF_H
#define KITH_SERVER_EVENT_DIFF_H

#include "server/base/json.h"
#include "server/snapshot/workspace.h"
#include "store/field.h"

struct changes {
	struct arena *arena;
	struct buf buf; /* the event's data */
	struct json_out out;
	size_t count;
	struct uuid *named; /* groups that paths or items name */
	size_t n_named, cap_named;
	bool conceals; /* not everybody who gets the event could see the previous values: it has none */
};

/* Begins the data, an object. changes_end() ends its member "changes", which exists if there are changes. The caller
 * may add other members, and ends the object. */
void changes_init(struct changes *c, struct arena *a);
void changes_end(struct changes *c);
void changes_free(struct changes *c);

/* Adds the difference between two values of a field, if any. */
void changes_field(struct changes *c, const struct field *f, const struct value *old, const struct value *new);

/* Adds all differences between the records in fields that bodies may give, except the fields in "without". */
void changes_record(struct changes *c, const struct record *old, const struct record *new, field_set without);

/* Adds the differences between custom values. deep: paths begin with the id of the group (people and companies). */
void changes_custom(
    struct changes *c, const struct workspace *ws, const struct value *old, const struct value *new, bool deep);

/* Notes that the changes name a group. */
void changes_name(struct changes *c, const struct uuid *group);

/* --- shared by diff.c and diff_custom.c ----------------------------------- */

enum { CHANGE_PATH_MAX = 3 };
/* Begins a change, an object that the caller ends. type is "set", "add" or "remove". The caller may add the member
 * "value". */
struct json_out *change_begin(struct changes *c, const char *const path[], int n_path, const char *type);

#endif
