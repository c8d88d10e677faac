/*
 * Bodies: from JSON to values, by the rows of the field table. Every issue is
 * listed, in the order of the document: present values, then missing ones, then
 * unknown members, object by object.
 */
#ifndef KITH_SERVER_INPUT_BODY_H
#define KITH_SERVER_INPUT_BODY_H

#include "server/base/issues.h"
#include "server/snapshot/workspace.h"
#include "store/field.h"

struct target_rules;

/* A contact in a list: by id, or a company by name, to be made when there is none. */
struct contact_ref {
	struct uuid id;
	const char *asked; /* the id as sent, for warnings */
	const char *name;  /* NULL: by id */
	size_t len;
	size_t index; /* in the list as sent, for paths */
};

struct contact_refs {
	struct contact_ref *items; /* repeats collapsed */
	size_t count;
};

/* What a body says: the values of the fields that it gives. */
struct input {
	const struct resource *resource;
	field_set given;
	struct value values[FIELDS_MAX];
	struct contact_refs companies, people; /* FIELD_COMPANIES, FIELD_PEOPLE */
	struct uuid id;                        /* a batch record's own */
	const struct json *json[FIELDS_MAX];   /* as sent, of every given field */
	const struct json *custom;             /* FIELD_CUSTOM, its shape checked */
};

/* Where a reader puts what it finds. In a single request both lists are the
 * same; in a batch a wrong shape refuses the whole, a reference only its record. */
struct reading {
	struct arena *arena;
	struct issues *shape;
	struct issues *references; /* NULL: references are not looked at yet */
	const struct workspace *ws;
	const struct viewer *viewer;
	const struct custom_scope *scope;   /* whose custom fields; NULL: not looked at */
	const struct target_rules *targets; /* exceptions for the targets of webhooks */
	struct input *input;                /* the body, or a batch's record, that is read: body_read() sets it */
};

/*
 * Reads the object body (NULL: empty) as one of res. accepted: FIELD_IN_CREATE,
 * FIELD_IN_UPDATE, or 0 for a body that holds no field; with_id: it also holds the
 * record's "id". Issues go to rd; the answer lives in its arena.
 */
struct input *body_read(struct reading *rd, const struct resource *res, unsigned accepted, bool with_id,
    const struct json *body, const struct path *at);

/* Any JSON that is an object, else an issue and false. */
bool body_object(struct reading *rd, const struct json *value, const struct path *at);

/* A string of min to max code points without U+0000, else an issue and false. */
bool body_text(struct issues *is, const struct json *json, int min, int max, const struct path *at);

/* An array of at most max items, else an issue and false. */
bool body_array(struct reading *rd, const struct json *value, int max, const struct path *at);

/* A string as long as an id, else an issue and false. */
bool body_id_text(struct reading *rd, const struct json *value, const struct path *at);

/*
 * What an object that names a record by its id may hold: "id" and whatever else the
 * record is read with there, so that what was read can be sent back. All but the id is
 * ignored, whatever it holds. NULL terminated.
 */
extern const char *const reference_named[];    /* a group, a company: {id, name} */
extern const char *const reference_person[];   /* of an object: {id, fullName} */
extern const char *const reference_user[];     /* {id, fullName, email} */
extern const char *const reference_entity[];   /* a contact, an object, what something is linked to: {id, fullName,
                                                * entityType} */
extern const char *const reference_any[];      /* any of the values of custom fields */
extern const char *const reference_by_email[]; /* a user without an id */

/* Adds an issue for the members of an object that are none of the names. */
void body_unknown(struct issues *is, const struct json *object, const char *const *names, const struct path *at);

/* An id in the text of a JSON string: an issue at its path when it is no string or
 * not of an id's length; nobody's id when it is of another kind. false: an issue was added. */
bool body_id(struct reading *rd, enum id_kind kind, const struct json *value, const struct path *at, struct uuid *out);

#endif
