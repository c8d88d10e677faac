/* Applies changes of custom values to a record and to the rows of field_values. */
#ifndef KITH_SERVER_RESOURCE_CUSTOM_APPLY_H
#define KITH_SERVER_RESOURCE_CUSTOM_APPLY_H

#include "server/input/custom.h"
#include "server/request/request.h"

/* Rows of field_values to delete, update and insert, collected over all records of a request. */
struct value_row {
	struct value_row *next;
	struct uuid field, owner, ref;
	bool whole; /* delete all rows of the field, whatever their values */
	enum custom_type type;
	const char *text;
	size_t len;
};
struct value_list {
	struct value_row *first, *last;
	size_t count; /* valid rows, from first on; rows after them were discarded */
};
/* Only fields with a single value have changed rows, one each. To discard rows that were added since a copy of the
 * struct was made, restore the copy. */
enum { VALUES_DELETED, VALUES_CHANGED, VALUES_ADDED, VALUE_LISTS };
struct value_rows {
	struct value_list lists[VALUE_LISTS];
};

/* Applies the changes to a record's values and removes the values of groups that the record has left. groups NULL: the
 * record is an object, which the viewer may write. *out gets the new text, or the old value itself when nothing
 * differs. rows collects the changes of field_values. Returns false, with nothing done, when a value would change in a
 * group where the viewer is only a reader. Values sent back unchanged are allowed. changes->full reports a list that
 * has grown too long. */
bool custom_apply(struct arena *a, const struct custom_scope *scope, const struct uuid *owner, const struct value *old,
    struct custom_changes *changes, const struct value *groups, struct value *out, struct value_rows *rows);

/* Adds the statements for the collected rows, at most one of each kind. They write up to that many bytes of rows, which
 * are then removed from the collection. Returns true while there are more rows. */
bool custom_save(struct req *r, struct value_rows *rows, size_t bytes);

#endif
