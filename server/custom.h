/*
 * Values of custom fields. A record keeps them as one json object, from field id
 * to value, so that reading needs nothing else; table field_values holds the same
 * once more, a row for each value, for filters and for cleaning up references.
 */
#ifndef KITH_SERVER_CUSTOM_H
#define KITH_SERVER_CUSTOM_H

#include "server/base/table.h"
#include "server/body.h"
#include "server/names.h"
#include "server/request.h"

/* Whose values: people's and companies' stand by group and name, those of an
 * object by name alone. */
struct custom_scope {
	const struct workspace *ws;
	const struct viewer *viewer;
	enum custom_entity entity;
	const struct group *group;      /* ENTITY_OBJECT */
	const struct object_type *type; /* ENTITY_OBJECT */
};

/* One item of a contact, user or object field, or a select's option. */
struct custom_ref {
	struct uuid id;
	enum id_kind kind; /* as the id says; a contact is a person or a company */
	const char *asked; /* the id or e-mail address as sent, for warnings */
	size_t index;      /* in the list as sent */
	bool unknown;      /* left out with a warning */
};

/* What a body says about one field. */
struct custom_change {
	const struct custom_field *field;
	bool unset;
	const char *text; /* text, number, date */
	size_t len;
	struct custom_ref *refs;
	size_t n_refs;
};

struct custom_changes {
	struct custom_change *items;
	size_t count;
};

/* Checks values in the order of the document (levels: 2 by group and name, 1 by name):
 * the shape that any value may have, with issues to rd->shape, and where rd looks at
 * references also groups, names and types. false when it is no object. */
bool custom_check(struct reading *rd, int levels, const struct json *value, const struct path *at);

/* The values of n bodies, later ones winning field by field; n is at least 1. */
const struct json *custom_merge(struct arena *a, int levels, const struct json *const *values, size_t n);

/* Looks the fields up and reads the values by their types; an issue in "issues" for
 * each unknown group, unknown field, wrong type or unknown option. */
void custom_read(struct arena *a, const struct custom_scope *scope, const struct json *value, const struct path *at,
    struct issues *issues, struct custom_changes *out);

/* --- applying ------------------------------------------------------------------ */

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

/* --- values as they are kept -------------------------------------------------------- */

/* The id of a list's item, or of a single option: contacts are kept with their prefix, all others bare. */
bool custom_ref_id(const struct json *item, enum custom_type type, enum id_kind *kind, struct uuid *id);
/* The label of the option that is kept there; NULL when the field has it no more. */
const char *custom_option_label(const struct custom_field *f, const struct json *item);

/* --- showing --------------------------------------------------------------------- */

/* Adds the contacts and objects that the values name to the wanted names. */
void custom_want(struct arena *a, const struct workspace *ws, const struct value *values, struct names *names);

/* Writes customFieldValues of a record: every field of every visible group that it is in, or of its type. */
void custom_render(struct json_out *o, const struct record *rec, const struct workspace *ws,
    const struct viewer *viewer, const struct names *names);

#endif
