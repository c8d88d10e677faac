/*
 * Values of custom fields. A record keeps them as one json object, from field id
 * to value, so that reading needs nothing else; table field_values holds the same
 * once more, a row for each value, for filters and for cleaning up references.
 */
#ifndef KITH_SERVER_INPUT_CUSTOM_H
#define KITH_SERVER_INPUT_CUSTOM_H

#include "server/input/body.h"

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

#endif
