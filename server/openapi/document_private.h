/* Shared by the files of the API's description; see document.h. */
#ifndef KITH_SERVER_OPENAPI_DOCUMENT_PRIVATE_H
#define KITH_SERVER_OPENAPI_DOCUMENT_PRIVATE_H

#include "server/base/arena.h"
#include "server/base/json.h"
#include "server/request/route.h"
#include "store/field.h"

enum { OPENAPI_PARTS_MAX = 96 };

#define OPENAPI_SCHEMAS "#/components/schemas/"

struct openapi_doc {
	struct buf out;
	struct arena arena; /* names, freed with the document */
	struct openapi_named *named;
	const struct json *parts; /* part.json */
	bool wanted_ids[ID_KINDS];
	bool wanted[OPENAPI_PARTS_MAX]; /* the parts that something refers to */
};

/* For openapi_put(): the start of an object whose only members are its properties. */
#define OPEN_OBJECT "{'type':'object','additionalProperties':false,"
/* An object with exactly these members; some of them are required. */
#define OBJECT(required, properties) OPEN_OBJECT "'required':[" required "],'properties':{" properties "}}"
/* The same as a schema of its own, with a reference to it in its place. */
#define NAMED(name, about, required, properties)                                                                       \
	"#" name OPEN_OBJECT "'description':'" about "','required':[" required "],'properties':{" properties "}}"
/* A member that answers show in a reference; bodies may contain it. */
#define IGNORED "{'description':'Answers have it; in bodies it is ignored'}"
#define TEXT "{'type':'string'}"
#define TEXT_OF(about) "{'type':'string','description':'" about "'}"
/* A text that is always this word. */
#define WORD(word, about) "{'type':'string','const':'" word "','description':'" about "'}"
#define ETAG_EXAMPLE "'\\'hoc5zclaak\\''"
#define LIST_OF(item) "{'type':'array','items':" item "}"
#define TIME "{'type':'string','format':'date-time'}"

/* --- notation.c --------------------------------------------------------------- */

/* Appends to the document. In format and arguments ' stands for ". @Name is a reference to the schema of that name
 * (which begins with a capital), and @Name(text) is one with a description. #Name{…} is a reference to that schema,
 * which is written later. $per is an example of an id with that prefix. A comma before a closing bracket is left out,
 * so repeated parts may end with a comma. */
void openapi_put(struct openapi_doc *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void openapi_string(struct openapi_doc *d, const char *text);                /* copied verbatim */
void openapi_text(struct openapi_doc *d, const char *key, const char *text); /* a member, copied verbatim */

/* Reads a file of JSON that the build has put into the program. */
const struct json *openapi_read(struct openapi_doc *d, const char *name);

/* Writes a member that is a schema, in the notation. description is copied verbatim; NULL: none. */
void openapi_schema(struct openapi_doc *d, const char *name, const char *about, const char *schema);

/* Returns "'call','meeting',"; NULL: no words. */
const char *openapi_words(struct openapi_doc *d, const char *const *words);

/* Makes "ObjectTypeCreate" from "object type" and "Create". Allocated in the document's arena. */
const char *openapi_name(struct openapi_doc *d, const char *name, const char *suffix);
/* The same for the name that the resource has in the description. */
const char *openapi_schema_name(struct openapi_doc *d, const struct resource *res, const char *suffix);

/* Writes the schemas of #Name{…} that are not written yet. False when there was none. */
bool openapi_named(struct openapi_doc *d);

/* --- part.c ----------------------------------------------------------------- */

const char *openapi_id_name(enum id_kind kind); /* "PersonId" */

/* Marks a shared schema as referred to. Other names are ignored. */
void openapi_want(struct openapi_doc *d, const char *name, size_t len);

/* Reads the shared schemas. Call it before anything is written. */
void openapi_parts_read(struct openapi_doc *d);

/* Writes a member as it is, and marks the schemas to which it refers. */
void openapi_member(struct openapi_doc *d, const struct json *member);

/* Writes the members of components/schemas that something refers to. */
void openapi_parts(struct openapi_doc *d);

/* --- schema_field.c ---------------------------------------------------------------- */

/* How a type of field is described. There is one row per type; a row is empty if the type is neither shown nor read. */
struct openapi_type {
	const char *out, *in;
};
extern const struct openapi_type openapi_types[FIELD_TYPES];

/* Returns a text of a row, adapted to this field, for openapi_put(). */
const char *openapi_field_text(
    struct openapi_doc *d, const struct resource *res, const struct field *f, const char *text);

/* --- recorded.c ------------------------------------------------------------- */

/* Writes "example": with a part of the operation's executed example (recorded.h). False when there is none. */
bool openapi_example_recorded(struct openapi_doc *d, const struct route *r, const char *part);

/* --- schema.c --------------------------------------------------------------- */

/* Writes the members of components/schemas of the resources. */
void openapi_resources(struct openapi_doc *d);

void openapi_body(struct openapi_doc *d, const struct route *r); /* the requestBody of a route that takes one */

/* --- schema_filter.c --------------------------------------------------------------- */

void openapi_filter_parameter(struct openapi_doc *d, const struct route *r); /* of a list's query */
void openapi_searches(struct openapi_doc *d); /* members of components/schemas: the bodies of searches */
void openapi_search_body(struct openapi_doc *d, const struct route *r);

/* --- operation.c --------------------------------------------------------------- */

void openapi_paths(struct openapi_doc *d);
void openapi_parameters(struct openapi_doc *d); /* member of components */

/* Returns the schema of a parameter's value. */
const char *openapi_param(struct openapi_doc *d, const struct param *p);

/* --- schema_event.c -------------------------------------------------------------------- */

void openapi_webhooks(struct openapi_doc *d);           /* the member "webhooks" */
void openapi_webhook_parameters(struct openapi_doc *d); /* members of components/parameters */
void openapi_event_schemas(struct openapi_doc *d);      /* members of components/schemas */

/* --- tag.c ---------------------------------------------------------------------- */

const char *openapi_tag(const struct route *r); /* of an operation */
void openapi_tags(struct openapi_doc *d);

/* --- error.c -------------------------------------------------------------------- */

/* Sets of answers, by the headers that they have. */
enum {
	ON_ALL = 1,
	ON_COUNTED = 2,
	ON_WRITES = 4,
	ON_RETRY = 8,
	ON_LISTS = 16,
	ON_NO_KEY = 32,
	ON_LIVEZ = 64,
	ON_RECORD = 128,
	ON_STREAM = 256,
	ON_PAGE = 512
};

void openapi_headers(struct openapi_doc *d, unsigned on); /* the member "headers" */

/* Returns the next status that is described as an error; 0: there is none. */
int openapi_next_status(int status);

void openapi_error_schemas(struct openapi_doc *d); /* members of components/schemas */
void openapi_components(struct openapi_doc *d);    /* headers and responses, members of components */

/* --- answer.c --------------------------------------------------------------- */

void openapi_responses(struct openapi_doc *d, const struct route *r); /* of an operation */
void openapi_envelopes(struct openapi_doc *d); /* members of components/schemas: {data: …} and errors */

#endif
