/*
 * Bodies: from JSON to values, by the rows of the field table. Every issue is
 * listed, in the order of the document: present values, then missing ones, then
 * unknown members, object by object.
 */
#ifndef KITH_SERVER_BODY_H
#define KITH_SERVER_BODY_H

#include "server/issues.h"
#include "server/workspace.h"
#include "store/field.h"

/* A company in a list: by id, or by name, to be made when there is none. */
struct company_ref {
	struct uuid id;
	const char *name; /* NULL: by id */
	size_t len;
	size_t index; /* in the list as sent, for paths */
};

/* What a body says: the values of the fields that it gives. */
struct input {
	const struct resource *resource;
	field_set given;
	struct value values[FIELDS_MAX];
	struct company_ref *companies; /* FIELD_COMPANIES, repeats collapsed */
	size_t n_companies;
	const struct json *custom; /* FIELD_CUSTOM, its shape checked */
};

/* Where a reader puts what it finds. In a single request both lists are the
 * same; in a batch a wrong shape refuses the whole, a reference only its record. */
struct reading {
	struct arena *arena;
	struct issues *shape;
	struct issues *references;
	const struct workspace *ws;
	const struct viewer *viewer;
};

/*
 * Reads the object body (NULL: empty) as a create (with create) or an update of
 * res. extra, when not NULL, names a member that the caller reads himself.
 * Issues go to rd; the answer lives in its arena.
 */
struct input *body_read(struct reading *rd, const struct resource *res, bool create, const struct json *body,
    const struct path *at, const char *extra);

/* An id in the text of a JSON string: an issue at its path when it is no string or
 * not of an id's length; nobody's id when it is of another kind. false: an issue was added. */
bool body_id(struct reading *rd, enum id_kind kind, const struct json *value, const struct path *at, struct uuid *out);

#endif
