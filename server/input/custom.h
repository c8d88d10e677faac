/* Values of custom fields. A record stores them as one JSON object from field id to value, which is all that reading
 * needs. The table field_values stores them again, one row per value, for filters and for removing references. */
#ifndef KITH_SERVER_INPUT_CUSTOM_H
#define KITH_SERVER_INPUT_CUSTOM_H

#include "server/input/body.h"

/* The owner of values. Values of people and companies are grouped by group and name, those of an object only by
 * name. */
struct custom_scope {
	const struct workspace *ws;
	const struct viewer *viewer;
	enum custom_entity entity;
	const struct group *group;      /* for ENTITY_OBJECT */
	const struct object_type *type; /* for ENTITY_OBJECT */
};

enum { CUSTOM_ITEMS_MAX = 1000 }; /* items of a value that is a list */

/* An item of a contact, user or object field, or an option of a select. */
struct custom_ref {
	struct uuid id;
	enum id_kind kind; /* the kind of the id; a contact is a person or a company */
	const char *asked; /* the id or e-mail address as sent, for warnings */
	size_t index;      /* position in the list as sent */
	bool unknown;      /* the item is ignored with a warning */
};

/* The content of a body for one field. */
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
	bool append; /* adds items of lists to those that exist */
	/* set by custom_apply(): a list that has grown beyond CUSTOM_ITEMS_MAX, and its new length; NULL: none */
	const struct custom_field *full;
	size_t full_items;
};

/* Checks values in the order of the document: the shape that any value may have, with issues in rd->shape. If rd checks
 * references, also groups, names and types. An object becomes rd->input->custom; v does not change. */
field_read custom_values_read;

/* True when the values of the field are lists. */
bool custom_is_list(const struct custom_field *f);

/* Reads a single value, or an item of a list, outside a body. Returns false with an issue in rd->references. */
bool custom_read_item(struct reading *rd, const struct custom_field *f, const struct json *json, const struct path *at,
    struct custom_change *out);

/* Merges the values of n bodies, n at least 1. levels: 2 by group and name, 1 by name. Later values win, field by
 * field; with append, all lists of a field are joined. */
const struct json *custom_merge(struct arena *a, int levels, const struct json *const *values, size_t n, bool append);

/* Resolves the fields and reads the values by type. Adds an issue for each unknown group, unknown field, wrong type or
 * unknown option. */
void custom_read(struct arena *a, const struct custom_scope *scope, const struct json *value, const struct path *at,
    struct issues *issues, struct custom_changes *out);

#endif
