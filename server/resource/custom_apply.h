/* Applying changes of custom values to a record and to the rows of field_values. */
#ifndef KITH_SERVER_RESOURCE_CUSTOM_APPLY_H
#define KITH_SERVER_RESOURCE_CUSTOM_APPLY_H

#include "server/input/custom.h"
#include "server/request/request.h"

/* Rows of field_values to delete, update and insert, collected over all records of a request. */
struct value_row {
	struct value_row *next;
	struct uuid field, owner, ref;
	bool whole; /* all rows of the field, whatever their values */
	enum custom_type type;
	const char *text;
	size_t len;
};
struct value_list {
	struct value_row *first, *last;
	size_t count; /* rows from the first on; there may be more, which were taken back */
};
/* Changed rows are those of single-value fields, which have one. To take rows back that were added since a copy of
 * the struct was made, restore the copy. */
enum { VALUES_DELETED, VALUES_CHANGED, VALUES_ADDED, VALUE_LISTS };
struct value_rows {
	struct value_list lists[VALUE_LISTS];
};

/* Applies the changes to a record's values and removes those of groups it has left (groups NULL: an object, which
 * the viewer may write). *out gets the new text, or the old value itself when nothing differs; rows collects the
 * changes of field_values. False, with nothing done, when a value would change in a group where the viewer is only a
 * reader; values sent back unchanged are allowed. changes->full tells of a list that has grown too long. */
bool custom_apply(struct arena *a, const struct custom_scope *scope, const struct uuid *owner, const struct value *old,
    struct custom_changes *changes, const struct value *groups, struct value *out, struct value_rows *rows);

/* Adds the statements for the collected rows: at most one of each kind, and rows of up to that many bytes, which are
 * then removed. True while there are more. */
bool custom_save(struct req *r, struct value_rows *rows, size_t bytes);

#endif
