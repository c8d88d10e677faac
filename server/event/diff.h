/*
 * What differs between two states of a record, as events tell it: member
 * "changes" of an event's data, [{path, type, value}]. A scalar is set, null
 * when it is unset now; lists have items added and removed, references as {id}.
 * A change without a value says only where: long texts, and a list whose items
 * only changed places.
 */
#ifndef KITH_SERVER_EVENT_DIFF_H
#define KITH_SERVER_EVENT_DIFF_H

#include "server/base/json.h"
#include "server/snapshot/workspace.h"
#include "store/field.h"

struct changes {
	struct arena *arena;
	struct buf buf; /* the list, complete after changes_end() */
	struct json_out out;
	size_t count;
	struct uuid *named; /* groups that paths or items name */
	size_t n_named, cap_named;
};

void changes_init(struct changes *c, struct arena *a);
void changes_end(struct changes *c);
void changes_free(struct changes *c);

/* Adds what differs between two values of a field that bodies may give. */
void changes_field(struct changes *c, const struct field *f, const struct value *old, const struct value *new);

/* Adds every difference of the records' fields that bodies may give, but for those in "without". */
void changes_record(struct changes *c, const struct record *old, const struct record *new, field_set without);

/* Adds what differs between custom values; deep: a group's id stands in the path (people and companies). */
void changes_custom(
    struct changes *c, const struct workspace *ws, const struct value *old, const struct value *new, bool deep);

/* Notes that the changes name a group. */
void changes_name(struct changes *c, const struct uuid *group);

/* --- between diff.c and diff_custom.c ------------------------------------- */

enum { CHANGE_PATH_MAX = 3 };
/* Opens a change; type "set", "add" or "remove". The caller writes a value with the key "value", or none. */
struct json_out *change_begin(struct changes *c, const char *const path[], int n_path, const char *type);
void change_end(struct changes *c);

#endif
