/* What changes of custom values make of a record, and of the rows of field_values. */
#ifndef KITH_SERVER_RESOURCE_CUSTOM_APPLY_H
#define KITH_SERVER_RESOURCE_CUSTOM_APPLY_H

#include "server/base/table.h"
#include "server/input/custom.h"
#include "server/request/request.h"

/* Rows of field_values to take away, to change and to add, gathered over all records of a request. */
struct value_row {
	struct uuid field, owner, ref;
	bool whole; /* all rows of the field, of whatever value */
	enum custom_type type;
	const char *text;
	size_t len;
};
enum { VALUE_CHUNK = 32 };
struct value_list {
	struct value_row **chunks; /* of VALUE_CHUNK each: there may be a hundred thousand, which are not copied */
	size_t first, end, cap;    /* the rows are those from first on; room for so many chunks */
};
struct value_rows {
	struct value_list gone, changed, added; /* changed: fields of one value, which have one row */
};

/*
 * The record's values with the changes, and without those of groups that it is not in
 * any more (groups NULL: an object, which the viewer may write). Answers the new text in
 * *out, or the old value itself when nothing differs; rows gather what changes in
 * field_values. False, and nothing done, when a value would change in a group in which
 * the viewer may only read: what he read there may be sent back.
 */
bool custom_apply(struct arena *a, const struct custom_scope *scope, const struct uuid *owner, const struct value *old,
    const struct custom_changes *changes, const struct value *groups, struct value *out, struct value_rows *rows);

/* Goes back to what rows held before: a record came to nothing. */
static inline void custom_forget(struct value_rows *rows, const struct value_rows *before)
{
	rows->gone.end = before->gone.end;
	rows->changed.end = before->changed.end;
	rows->added.end = before->added.end;
}

/* Without those of the owners, by id: all their rows. */
void custom_forget_owners(struct value_rows *rows, const struct table *owners);

/* Adds the statements for gathered rows: at most one of each kind, and rows of so many bytes, which are then taken
 * away. True while there are more. */
bool custom_save(struct req *r, struct value_rows *rows, size_t bytes);

#endif
