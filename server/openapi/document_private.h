/* Shared by the files of the API's description; see document.h. */
#ifndef KITH_SERVER_OPENAPI_DOCUMENT_PRIVATE_H
#define KITH_SERVER_OPENAPI_DOCUMENT_PRIVATE_H

#include "server/base/arena.h"
#include "server/base/json.h"
#include "server/request/route.h"
#include "store/field.h"

enum { OPENAPI_PARTS_MAX = 64 };

struct openapi_doc {
	struct json_out out;
	struct arena arena; /* names, freed with the document */
	bool wanted_ids[ID_KINDS];
	bool wanted[OPENAPI_PARTS_MAX]; /* shared schemas that are referred to */
};

/* An object with exactly these members, of which some are required. For openapi_put(). */
#define OBJECT(required, properties)                                                                                   \
	"{'type':'object','additionalProperties':false,'required':[" required "],'properties':{" properties "}}"
/* A member that a reference has in answers; bodies may contain it. */
#define IGNORED "{'description':'As it is read: ignored'}"
#define TEXT "{'type':'string'}"
#define TEXTS "{'type':'array','items':" TEXT "}"
#define LIST_OF(item) "{'type':'array','items':" item "}"
#define TIME "{'type':'string','format':'date-time'}"
#define TIME_OR_NULL "{'type':['string','null'],'format':'date-time'}"

/* --- part.c ----------------------------------------------------------------- */

/* Writes one complete JSON value. In format and arguments ' stands for " and @Name for a reference to the schema of
 * that name (which begins with a capital). */
void openapi_put(struct openapi_doc *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void openapi_member(struct openapi_doc *d, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void openapi_text(struct openapi_doc *d, const char *key, const char *text); /* copied verbatim */

/* "PersonId"; "object type" with "Create" gives "ObjectTypeCreate". Allocated in the document's arena. */
const char *openapi_id_name(enum id_kind kind);
const char *openapi_name(struct openapi_doc *d, const char *name, const char *suffix);

/* Writes the members of components/schemas that were referred to. */
void openapi_parts(struct openapi_doc *d);

/* --- field.c ---------------------------------------------------------------- */

/* How a type of field is described: one row per type, empty for one that is neither shown nor read. */
struct openapi_type {
	const char *out, *out_text, *in;
	const char *(*out_of)(struct openapi_doc *d, const struct resource *res, const struct field *f);
	const char *(*in_of)(struct openapi_doc *d, const struct resource *res, const struct field *f);
	const char *example, *example_in, *example_of_object;
};
extern const struct openapi_type openapi_types[FIELD_TYPES];

/* The schema of a field in answers (server/output/render.c) and in bodies (server/input/body_fields.c). */
void openapi_field_out(struct openapi_doc *d, const struct resource *res, const struct field *f);
void openapi_field_in(struct openapi_doc *d, const struct resource *res, const struct field *f);

/* --- example.c -------------------------------------------------------------- */

void openapi_example_id(struct json_out *o, enum id_kind kind);
void openapi_example_out(struct json_out *o, const struct resource *res, const struct field *f);
void openapi_data_example(struct json_out *o, const struct route *r); /* of the "data" member */
void openapi_example_in(struct json_out *o, const struct resource *res, const struct field *f);

/* --- schema.c --------------------------------------------------------------- */

/* Writes the members of components/schemas of the resources. */
void openapi_resources(struct openapi_doc *d);

void openapi_resource_example(struct json_out *o, const struct resource *res);
void openapi_body(struct openapi_doc *d, const struct route *r); /* the requestBody of a route that takes one */

/* --- filter.c --------------------------------------------------------------- */

void openapi_filter_parameter(struct openapi_doc *d, const struct filter_table *t); /* of a list's query */
void openapi_searches(struct openapi_doc *d); /* members of components/schemas: the bodies of searches */
void openapi_search_body(struct openapi_doc *d, const struct route *r);

/* --- document.c ---------------------------------------------------------------------- */

/* Writes a member of that name: the schema of a parameter's value. */
void openapi_param(struct openapi_doc *d, const char *key, const struct param *p);

/* --- answer.c --------------------------------------------------------------- */

void openapi_responses(struct openapi_doc *d, const struct route *r); /* of an operation */
void openapi_components(struct openapi_doc *d);                       /* responses and headers */
void openapi_envelopes(struct openapi_doc *d); /* members of components/schemas: {data: …} and errors */

#endif
