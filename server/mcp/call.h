/* Shared by the files of /mcp; see mcp.h. */
#ifndef KITH_SERVER_MCP_CALL_H
#define KITH_SERVER_MCP_CALL_H

#include "filter/filter.h"
#include "server/mcp/mcp.h"
#include "server/request/route.h"

/* --- tool.c ------------------------------------------------------------------------- */

enum argument_type {
	ARGUMENT_PASSED, /* a text that the API checks */
	ARGUMENT_TEXT,
	ARGUMENT_CURSOR,
	ARGUMENT_INTEGER,
	ARGUMENT_FLAG,
	ARGUMENT_OBJECT,
	ARGUMENT_FIELDS,  /* the fields of a record */
	ARGUMENT_OBJECTS, /* a list of those, which the API checks */
	ARGUMENT_FILTER,
	ARGUMENT_NAMES,  /* a list of names, or one name */
	ARGUMENT_ID,     /* the id of one of the tool's kinds */
	ARGUMENT_IDS,    /* a list of ids of one of its kinds, or one id */
	ARGUMENT_ENTITY, /* an id, or {id} */
	ARGUMENT_USERS,  /* a list of users that the API checks */
	ARGUMENT_USER,
	ARGUMENT_DAY,   /* a day to come */
	ARGUMENT_TIME,  /* a time, with a time of day */
	ARGUMENT_SINCE, /* a time that is over */
	ARGUMENT_KIND,
	ARGUMENT_TAG,
	ARGUMENT_TYPES /* a new one needs a row in tool_list.c, and a case in argument.c */
};

struct argument {
	const char *name;
	enum argument_type type;
	bool required;
	const char *about; /* what its name does not say; NULL: nothing */
};

enum { ARGUMENTS_MAX = 8, ALIASES_MAX = 4, IDS_MOST = 50, NAMES_MOST = 50 };

struct tool {
	const char *name, *title, *description;
	unsigned needs;            /* the scopes of a key: enum key_scope */
	bool destroys, repeatable; /* hints of its annotations; a tool that needs only SCOPE_READ only reads */
	bool tried;                /* dryRun is true unless given */
	bool now;                  /* its request contains the current time, which is not part of the fingerprint */
	unsigned kinds;            /* bits of MCP_…: the kinds whose ids it takes */
	const char *body_at;       /* the argument that becomes the request's body or filter; NULL: all arguments do */
	struct {
		const char *api, *argument;
	} names[ALIASES_MAX]; /* how issues of the API name an argument, or a member of body_at */
	step_fn *compose;     /* turns the call into a request: ends with call_send() or an error */
	struct argument arguments[ARGUMENTS_MAX];
};

extern const struct tool tools[];
extern const int n_tools;

/* Returns the tool of that name; NULL: none. */
const struct tool *tool_named(const char *name, size_t len);
/* True if the scopes of the caller's key allow the tool. */
bool tool_allowed(const struct req *r, const struct tool *tool);

/* --- tool_list.c ---------------------------------------------------------------------- */

/* Writes the tool as tools/list shows it. */
void tool_write(struct json_out *o, const struct tool *tool);

/* --- kind.c: kinds of records --------------------------------------------------------- */

enum kind_number {
	MCP_PERSON,
	MCP_COMPANY,
	MCP_OBJECT,
	MCP_NOTE,
	MCP_TASK,
	MCP_REMINDER,
	MCP_INTERACTION,
	MCP_USER,
	MCP_GROUP,
	MCP_KINDS
};
#define MCP_BIT(kind) (1u << (kind))

struct kind {
	const char *name, *plural;
	const struct resource *resource;
	const char *path;                   /* of its list; NULL: depends on the object type */
	bool searched;                      /* records are found by the search of its list, which takes a body */
	bool sorted;                        /* the list takes sort */
	const char *text_param;             /* the parameter of its list for a text; NULL: texts are not searched for */
	const char *const *members;         /* members of a filter that are parameters of its list, without a search */
	const struct filter_table *filters; /* other members are filters of the list; NULL: none are */
};
extern const struct kind kinds[MCP_KINDS];

/* Returns the kind that an argument names, if it is allowed: "person", "people", or an object type, which sets *type to
 * "grp_…/Deal": the type is named by that text, or as "Deal" or "Sales/Deal" if only one visible group has it. NULL:
 * none. */
const struct kind *kind_named(struct req *r, const char *text, size_t len, unsigned allowed, const char **type);
/* The same without object types. */
const struct kind *kind_word(const char *text, size_t len, unsigned allowed);
/* Finds the visible object types that are named "Deal" or "Sales/Deal", as "grp_…/Deal". Returns their number. */
int kind_types(struct req *r, const char *text, size_t len, const char *found[], int most);
/* True if the type "grp_…/Deal" exists and is visible. */
bool kind_type_exists(struct req *r, const char *type);
/* Returns the kind of an id, if it is allowed; NULL: otherwise. */
const struct kind *kind_of_id(const char *text, size_t len, unsigned allowed);
/* Writes the names of the allowed kinds, ended by NULL; at most MCP_KINDS + 1. */
void kind_names(unsigned allowed, const char *names[MCP_KINDS + 1]);

/* --- kind_fields.c -------------------------------------------------------------------- */

/* Write members of an object: how the fields of the kind are written, and what its lists can be filtered by. */
void kind_put_fields(struct req *r, const struct kind *kind);
/* True if the records have the fields that are wanted; otherwise it adds issues. */
bool kind_has_fields(struct req *r, const struct resource *res);
/* Writes an object with the custom fields of a group, of objects only those of that type. */
void kind_put_custom(struct req *r, const struct group *g, enum custom_entity entity, const struct uuid *type);
bool kind_has_custom(const struct group *g, enum custom_entity entity, const struct uuid *type);

/* --- argument.c ----------------------------------------------------------------------- */

/* Adds an issue for everything that the tool's schema does not allow. */
void argument_check(struct req *r, const struct tool *tool, const struct json *arguments);

/* --- call.c --------------------------------------------------------------------------- */

/* The message that a request carries. */
struct tool_call {
	struct carrier carrier;
	const struct revision *revision;
	const struct json *id;   /* NULL: unknown, or a notification */
	const struct tool *tool; /* NULL: not a call of a tool, or not known yet */
	const struct json *arguments;
	const struct json *fields; /* the members of records that are wanted, a list of names or one name; NULL: all */
	const char *key;           /* its idempotency key; NULL: none */
	const struct json *said;   /* the arguments as they came, as a text; NULL: without a key */
	bool worded;               /* words such as "tomorrow" became dates, which differ in a later repetition */
	const char *uri;           /* the resource that is read; NULL: no resource is */
	size_t measured, bytes;    /* result_full(): the length of the answer so far, and of its items made small */
	bool answered;             /* the reply is a message already */
	bool own_issues;           /* the paths of its issues name arguments, not members of the API */
	/* of a request about an object, while its type is being looked up */
	struct uuid object;
	enum http_method method;
	const char *rest; /* the path after the object's id, or the query */
	struct json *body;
	bool type_asked; /* result r->at has the group and the type of the object */
};

static inline struct tool_call *call_of(const struct req *r)
{
	return (struct tool_call *)r->carrier;
}

/* Returns the argument of that name; NULL: not given. */
const struct json *call_argument(const struct req *r, const char *name);
/* The same; NULL also for an empty text, because many clients send every argument and leave it empty. */
const struct json *call_given(const struct req *r, const char *name);

/* Turns the request into a request for the record with that id, which is of one of the kinds. */
enum step call_read(struct req *r, const char *id);

/* Turns the request into a request of the API, and continues with its checks. */
enum step call_send(struct req *r, enum http_method method, const char *target, struct json *body);

/* Percent-encodes a segment of a path or a value of a query. */
const char *call_encoded(struct req *r, const char *text, size_t len);
/* Returns the address of the records of a kind; for objects, of that type ("grp_…/Deal"). */
const char *call_path(struct req *r, const struct kind *kind, const char *type);

/* Makes a request to the address of the record that the argument id names. rest: what follows the id. */
enum step call_record(struct req *r, enum http_method method, const char *rest, struct json *body);
/* Returns the argument text; NULL also for a text without a word, because many clients send every argument and leave it
 * empty. */
const struct json *search_text(const struct req *r);
/* Returns the path and the query of the list that a search of this kind becomes, if it has no body. NULL: the
 * reply is set. */
const char *search_target(struct req *r, const struct kind *kind);
/* Returns "?dryRun=true" unless the call is meant to change something. */
const char *call_dry(const struct req *r);

/* The steps of the tools. */
step_fn call_search, call_get, call_describe, call_create, call_update, call_delete, call_merge, call_note, call_task,
    call_complete, call_interaction, call_changes, call_aggregate, call_duplicates, call_upsert, call_update_many;

/* --- envelope.c ----------------------------------------------------------------------- */

enum {
	MESSAGE_NOT_JSON = -32700,
	MESSAGE_INVALID = -32600,
	MESSAGE_NO_METHOD = -32601,
	MESSAGE_BAD_PARAMS = -32602,
	MESSAGE_INTERNAL = -32603,
	MESSAGE_FAILED = -32000,
	MESSAGE_NO_RESOURCE = -32002,
	MESSAGE_HEADERS = -32020,
	MESSAGE_NO_VERSION = -32022
};

/* Begins {"jsonrpc", "id", "result": {} with the members that every result of the revision has, and returns the writer.
 * envelope_end() ends it. */
struct json_out *envelope_begin(struct req *r);
enum step envelope_end(struct req *r);
/* Begins the member _meta of the result. The caller adds to it, ends it, and then ends the result by
 * envelope_end_meta(). */
void envelope_meta(struct req *r);
enum step envelope_end_meta(struct req *r);
/* Adds how long a client may keep the result, in revisions that say so. own: it depends on the key. */
void envelope_keep(struct req *r, int64_t ms, bool own);
/* Answers with an error of JSON-RPC. code: for the log; status: of the answer; data: a complete JSON value, or NULL. */
enum step envelope_error(
    struct req *r, int number, enum error_code code, int status, const char *text, const struct buf *data);
/* True when the member is that text. */
bool envelope_has(const struct json *message, const char *key, const char *text);
/* Keeps the id, a string or a number, to repeat it exactly. False: it is of another type. */
bool envelope_take_id(struct req *r, const struct json *message);
/* Reads a message's id and the called tool from a request that was already refused. False: it is not a call of a tool.
 */
bool envelope_is_call(struct req *r);

/* --- revision.c ----------------------------------------------------------------------- */

struct revision {
	const char *name;
	/* There is no initialize: each request says what it needs in _meta, headers repeat parts of its body, and
	 * results say what they are. */
	bool stateless;
	bool structured;         /* results of tools have structured content */
	int no_resource, failed; /* numbers of errors */
};
/* The newest comes first. */
extern const struct revision revisions[];
extern const int n_revisions;

/* NULL: there is no such revision. */
const struct revision *revision_named(const char *text, size_t len);
/* The revision that the header names; without a known one the oldest. */
const struct revision *revision_of_header(const struct req *r);
/* Answers with an error unless the headers and _meta of the message are those of a known revision. named: the member of
 * params that a header repeats; NULL: none. */
enum step revision_check(struct req *r, const struct json *message, const char *named);

/* --- prompt.c, resource.c -------------------------------------------------------------- */

step_fn prompt_list, prompt_get, resource_list, resource_templates, resource_read;
/* The wrap() of a resource that is read. */
void resource_wrap(struct req *r);

/* --- result.c ------------------------------------------------------------------------- */

enum {
	RESULT_BYTES = 8 << 10, /* a result ends after this many bytes, if it can be continued */
	RESULT_MAX = 64 << 20   /* largest total size */
};

struct result_shown {
	bool list, more; /* it is a list, and it can be continued */
	size_t items;
};
/* Writes the API's answer as a small object, with what its headers add. */
void result_compact(struct req *r, struct buf *out, struct result_shown *shown);
/* The full() of the carrier: true when the items of a list, made small, have reached RESULT_BYTES. */
bool result_full(const struct req *r);
/* Keeps only the headers that are about the HTTP request. */
void result_headers(struct req *r);

/* Answers with a result that says what is wrong with the arguments: r->given.issues. */
enum step result_bad_arguments(struct req *r);
/* The wrap() of the carrier: it turns the API's answer into a result. */
void result_wrap(struct req *r);

#endif
