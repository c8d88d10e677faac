/* Applying changes of custom values to a record and to the rows of field_values. */
#ifndef KITH_SERVER_RESOURCE_CUSTOM_APPLY_H
#define KITH_SERVER_RESOURCE_CUSTOM_APPLY_H

#include "server/base/table.h"
#include "server/input/custom.h"
#include "server/request/request.h"

/* Rows of field_values to delete, update and insert, collected over all records of a request. */
struct value_row {
	struct uuid field, owner, ref;
	bool whole; /* all rows of the field, whatever their values */
	enum custom_type type;
	const char *text;
	size_t len;
};
enum { VALUE_CHUNK = 32 };
struct value_list {
	struct value_row **chunks; /* of VALUE_CHUNK each, so that up to a hundred thousand rows are never copied */
	size_t first, end, cap;    /* the rows from first to end; number of chunks allocated */
};
struct value_rows {
	struct value_list gone, changed, added; /* changed: single-value fields, which have one row */
};

/* Applies the changes to a record's values and removes those of groups it has left (groups NULL: an object, which
 * the viewer may write). *out gets the new text, or the old value itself when nothing differs; rows collects the
 * changes of field_values. False, with nothing done, when a value would change in a group where the viewer is only a
 * reader; values sent back unchanged are allowed. */
bool custom_apply(struct arena *a, const struct custom_scope *scope, const struct uuid *owner, const struct value *old,
    const struct custom_changes *changes, const struct value *groups, struct value *out, struct value_rows *rows);

/* Restores the state of rows: a record has failed. */
static inline void custom_forget(struct value_rows *rows, const struct value_rows *before)
{
	rows->gone.end = before->gone.end;
	rows->changed.end = before->changed.end;
	rows->added.end = before->added.end;
}

/* Removes all rows of these owners. */
void custom_forget_owners(struct value_rows *rows, const struct table *owners);

/* Adds the statements for the collected rows: at most one of each kind, and rows of up to that many bytes, which are
 * then removed. True while there are more. */
bool custom_save(struct req *r, struct value_rows *rows, size_t bytes);

#endif
