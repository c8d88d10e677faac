/* Shared by the files of /mcp; see mcp.h. */
#ifndef KITH_SERVER_MCP_CALL_H
#define KITH_SERVER_MCP_CALL_H

#include "server/mcp/mcp.h"
#include "server/request/route.h"

/* --- tool.c ------------------------------------------------------------------------- */

enum argument_type {
	ARGUMENT_ANY, /* the API checks it */
	ARGUMENT_TEXT,
	ARGUMENT_CURSOR,
	ARGUMENT_INTEGER,
	ARGUMENT_FLAG,
	ARGUMENT_OBJECT,
	ARGUMENT_ID,     /* the id of one of the tool's kinds */
	ARGUMENT_ENTITY, /* an id, or {id} */
	ARGUMENT_KIND,
	ARGUMENT_TAG
};

struct argument {
	const char *name;
	enum argument_type type;
	bool required;
};

enum { ARGUMENTS_MAX = 6, ALIASES_MAX = 3 };

struct tool {
	const char *name, *title, *description;
	unsigned needs;            /* the scopes of a key: enum key_scope */
	bool destroys, repeatable; /* hints of its annotations; a tool that needs only SCOPE_READ only reads */
	bool tried;                /* the tool has dryRun, which is true unless given */
	bool now;                  /* its request contains the present time, which is not part of the fingerprint */
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
	enum id_kind id_kind;
	const char *path;           /* of its list; NULL: depends on the object type */
	bool searched;              /* records are found by the search of its list, which takes a body */
	const char *text_param;     /* the parameter of its list for a text; NULL: texts are not searched for */
	const char *const *members; /* members of a filter that are parameters of its list, without a search */
	bool filters;               /* other members are filters of the list */
};
extern const struct kind kinds[MCP_KINDS];

/* Returns the kind that an argument names, if it is allowed: "person", "people", or "grp_…/Deal" for objects, which
 * sets *type to the object type. NULL: none. */
const struct kind *kind_named(const char *text, size_t len, unsigned allowed, const char **type);
/* Returns the kind of an id, if it is allowed; NULL: otherwise. */
const struct kind *kind_of_id(const char *text, size_t len, unsigned allowed);
/* Writes the names of the allowed kinds, ended by NULL; at most MCP_KINDS + 1. */
void kind_names(unsigned allowed, const char *names[MCP_KINDS + 1]);

/* --- argument.c ----------------------------------------------------------------------- */

/* Adds an issue for everything that the tool's schema does not allow. */
void argument_check(struct req *r, const struct tool *tool, const struct json *arguments);

/* --- call.c --------------------------------------------------------------------------- */

/* The message that a request carries. */
struct tool_call {
	struct carrier carrier;
	const struct json *id;   /* NULL: unknown, or a notification */
	const struct tool *tool; /* NULL: not a call of a tool, or not known yet */
	const struct json *arguments;
	const char *key; /* its idempotency key; NULL: none */
	bool answered;   /* the reply is a message already */
	bool own_issues; /* the paths of its issues name arguments, not members of the API */
	/* of a request about an object, while its type is being looked up */
	struct uuid object;
	enum http_method method;
	const char *rest; /* the path after the object's id, or the query */
	struct json *body;
};

static inline struct tool_call *call_of(const struct req *r)
{
	return (struct tool_call *)r->carrier;
}

/* Returns the argument of that name; NULL: not given. */
const struct json *call_argument(const struct req *r, const char *name);

/* Turns the request into a request of the API, and continues with its checks. */
enum step call_send(struct req *r, enum http_method method, const char *target, struct json *body);

/* Percent-encodes a segment of a path or a value of a query. */
const char *call_encoded(struct req *r, const char *text, size_t len);
/* Returns the address of the records of a kind; for objects, of that type ("grp_…/Deal"). */
const char *call_path(struct req *r, const struct kind *kind, const char *type);

/* The steps of the tools. */
step_fn call_search, call_get, call_groups, call_create, call_update, call_delete, call_merge, call_note, call_task,
    call_complete, call_interaction, call_changes;

/* --- envelope.c ----------------------------------------------------------------------- */

enum {
	MESSAGE_NOT_JSON = -32700,
	MESSAGE_INVALID = -32600,
	MESSAGE_NO_METHOD = -32601,
	MESSAGE_BAD_PARAMS = -32602,
	MESSAGE_FAILED = -32000
};

/* Begins {"jsonrpc", "id", "result": and returns the writer. envelope_end() ends it. */
struct json_out *envelope_begin(struct req *r);
enum step envelope_end(struct req *r);
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

/* --- result.c ------------------------------------------------------------------------- */

/* Answers with a result that says what is wrong with the arguments: r->given.issues. */
enum step result_bad_arguments(struct req *r);
/* The wrap() of the carrier: it turns the API's answer into a result. */
void result_wrap(struct req *r);

#endif
