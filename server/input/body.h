/* Bodies: from JSON to values, by the field tables. Issues are listed in the order of the document, object by object:
 * first the members that are there, then missing ones, then unknown members. */
#ifndef KITH_SERVER_INPUT_BODY_H
#define KITH_SERVER_INPUT_BODY_H

#include "server/base/issues.h"
#include "server/snapshot/workspace.h"
#include "store/field.h"

struct target_rules;

/* A contact in a list: by id, or a company by name, which is created when there is none. */
struct contact_ref {
	struct uuid id;
	const char *asked; /* the id as sent, for warnings */
	const char *name;  /* NULL: given by id */
	size_t len;
	size_t index; /* position in the list as sent, for paths */
};

struct contact_refs {
	struct contact_ref *items; /* without duplicates */
	size_t count;
};

/* The content of a body: the values of the fields that it gives. */
struct input {
	const struct resource *resource;
	field_set given;
	struct value values[FIELDS_MAX];
	struct contact_refs companies, people; /* FIELD_COMPANIES, FIELD_PEOPLE */
	struct uuid id;                        /* the id of a batch record */
	const char *if_match;                  /* the condition, a valid list of ETags; NULL: none */
	size_t if_match_len;
	const struct json *json[FIELDS_MAX]; /* as sent, for each given field */
	const struct json *custom;           /* FIELD_CUSTOM after its shape was checked */
	const char *refused;                 /* the message with which a batch record fails; NULL: not known yet */
};

enum { IF_MATCH_MAX = 1000 }; /* code points of a batch record's condition */

/* The context of a reader. In a single request both lists of issues are the same. In a batch, a wrong shape refuses the
 * whole batch, and a wrong reference only its record. */
struct reading {
	struct arena *arena;
	struct issues *shape;
	struct issues *references; /* NULL: references are not checked yet */
	const struct workspace *ws;
	const struct viewer *viewer;
	const struct custom_scope *scope;   /* which custom fields there are; NULL: not checked */
	const struct target_rules *targets; /* exceptions for webhook targets */
	struct input *input;                /* the body or batch record that is being read; body_read() sets it */
};

/* Reads a value of one type of field. It sets v, which is all zero, or adds issues; texts point into json. v is usually
 * in rd->input, but may also be a value outside a body. */
typedef void field_read(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v);

/* Reads an object (NULL: empty) as a body of res. accepted: FIELD_IN_CREATE, FIELD_IN_UPDATE, or 0 for a body without
 * fields. with_id: the body also has the record's "id", and may have "ifMatch". Issues go to rd. The result is
 * allocated in rd's arena. */
struct input *body_read(struct reading *rd, const struct resource *res, unsigned accepted, bool with_id,
    const struct json *body, const struct path *at);

/* Copies the values that a body gives to a record. */
void body_take(struct record *rec, const struct input *in);

/* Adds an issue. It refuses a single request; in a batch it refuses only the record. */
void body_refuse(struct reading *rd, const struct path *at, const char *text);

/* True for a JSON object; else adds an issue. */
bool body_object(struct reading *rd, const struct json *value, const struct path *at);

/* True for a string of min to max code points without U+0000; else adds an issue. */
bool body_text(struct issues *is, const struct json *json, int min, int max, const struct path *at);

/* True for an array of at most max items; else adds an issue. */
bool body_array(struct reading *rd, const struct json *value, int max, const struct path *at);

/* True for a string of an id's length; else adds an issue. */
bool body_id_text(struct reading *rd, const struct json *value, const struct path *at);

/* The members allowed in an object that names a record by its id: "id", and the members that answers have for this
 * record, so that a client can send back what it read. Everything but the id is ignored. NULL terminated. */
extern const char *const reference_named[];    /* group, company: {id, name} */
extern const char *const reference_person[];   /* object: {id, fullName} */
extern const char *const reference_user[];     /* user: {id, fullName, email} */
extern const char *const reference_entity[];   /* contact, object, linked entity: {id, fullName, entityType} */
extern const char *const reference_any[];      /* any value of a custom field */
extern const char *const reference_by_email[]; /* user without an id */

/* Adds an issue for the members of an object that are not among names. */
void body_unknown(struct issues *is, const struct json *object, const char *const *names, const struct path *at);

/* Reads an id from a JSON string. Returns false with an issue at its path when it is not a string or does not have an
 * id's length. An id of another kind becomes an id that no record has. */
bool body_id(struct reading *rd, enum id_kind kind, const struct json *value, const struct path *at, struct uuid *out);

#endif
