/* Shared by the files of the API's description; see document.h. */
#ifndef KITH_SERVER_OPENAPI_DOCUMENT_PRIVATE_H
#define KITH_SERVER_OPENAPI_DOCUMENT_PRIVATE_H

#include "server/base/arena.h"
#include "server/base/json.h"
#include "server/request/route.h"
#include "store/field.h"

enum { OPENAPI_PARTS_MAX = 64 };

struct openapi_doc {
	struct buf out;
	struct arena arena; /* names, freed with the document */
	bool wanted_ids[ID_KINDS];
	bool wanted[OPENAPI_PARTS_MAX]; /* shared schemas that are referred to */
};

/* For openapi_put(): the start of an object with no members but those of its properties. */
#define OPEN_OBJECT "{'type':'object','additionalProperties':false,"
/* An object with exactly these members, of which some are required. */
#define OBJECT(required, properties) OPEN_OBJECT "'required':[" required "],'properties':{" properties "}}"
/* A member that a reference has in answers; bodies may contain it. */
#define IGNORED "{'description':'As it is read: ignored'}"
#define TEXT "{'type':'string'}"
#define ETAG_EXAMPLE "'\\'hoc5zclaak\\''"
#define TEXTS "{'type':'array','items':" TEXT "}"
#define LIST_OF(item) "{'type':'array','items':" item "}"
#define TIME "{'type':'string','format':'date-time'}"
#define TIME_OR_NULL "{'type':['string','null'],'format':'date-time'}"

/* --- part.c ----------------------------------------------------------------- */

/* Appends to the document. In format and arguments ' stands for ", @Name for a reference to the schema of that name
 * (which begins with a capital), $per for an example of an id with that prefix; a comma before a bracket that closes
 * is left out. So what is repeated may end with a comma. */
void openapi_put(struct openapi_doc *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void openapi_string(struct openapi_doc *d, const char *text);                /* copied verbatim */
void openapi_text(struct openapi_doc *d, const char *key, const char *text); /* a member, copied verbatim */

/* "'call','meeting',"; NULL: no words. */
const char *openapi_words(struct openapi_doc *d, const char *const *words);

/* "PersonId"; "object type" with "Create" gives "ObjectTypeCreate". Allocated in the document's arena. */
const char *openapi_id_name(enum id_kind kind);
const char *openapi_name(struct openapi_doc *d, const char *name, const char *suffix);

/* Writes the members of components/schemas that were referred to. */
void openapi_parts(struct openapi_doc *d);

/* --- field.c ---------------------------------------------------------------- */

/* How a type of field is described: one row per type, empty for one that is neither shown nor read. */
struct openapi_type {
	const char *out, *in, *example, *example_in;
};
extern const struct openapi_type openapi_types[FIELD_TYPES];

/* A text of a row as it is for this field, for openapi_put(). */
const char *openapi_field_text(
    struct openapi_doc *d, const struct resource *res, const struct field *f, const char *text);

/* --- example.c -------------------------------------------------------------- */

/* Writes the members of a record in answers, or in bodies with the fields accepted there (0: in answers). */
void openapi_example(struct openapi_doc *d, const struct resource *res, unsigned accepted);
void openapi_data_example(struct openapi_doc *d, const struct route *r); /* of the "data" member */

/* --- schema.c --------------------------------------------------------------- */

/* Writes the members of components/schemas of the resources. */
void openapi_resources(struct openapi_doc *d);

void openapi_body(struct openapi_doc *d, const struct route *r); /* the requestBody of a route that takes one */

/* --- filter.c --------------------------------------------------------------- */

void openapi_filter_parameter(struct openapi_doc *d, const struct filter_table *t); /* of a list's query */
void openapi_searches(struct openapi_doc *d); /* members of components/schemas: the bodies of searches */
void openapi_search_body(struct openapi_doc *d, const struct route *r);

/* --- document.c ---------------------------------------------------------------------- */

/* The schema of a parameter's value. */
const char *openapi_param(struct openapi_doc *d, const struct param *p);

/* --- answer.c --------------------------------------------------------------- */

void openapi_responses(struct openapi_doc *d, const struct route *r); /* of an operation */
void openapi_components(struct openapi_doc *d);                       /* responses and headers */
void openapi_envelopes(struct openapi_doc *d); /* members of components/schemas: {data: …} and errors */

#endif
