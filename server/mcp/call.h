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
	ARGUMENT_ID,     /* of one of the tool's kinds */
	ARGUMENT_ENTITY, /* an id, or {id} */
	ARGUMENT_KIND,
	ARGUMENT_TAG
};

struct argument {
	const char *name;
	enum argument_type type;
	bool required;
	const char *schema; /* in the notation of tool_list.c */
};

enum { ARGUMENTS_MAX = 6, ALIASES_MAX = 2 };

struct tool {
	const char *name, *title, *description;
	unsigned needs;            /* the scopes of a key: enum key_scope */
	bool destroys, repeatable; /* hints of its annotations; it only reads if it needs no more than that */
	bool tried;                /* has dryRun, and it is true unless given */
	bool now;                  /* its request holds the present time: no part of the fingerprint */
	unsigned kinds;            /* bits of MCP_…: of ids and kinds that it takes */
	const char *body_at;       /* the argument that is the request's body or filter; NULL: all of them are */
	struct {
		const char *api, *argument;
	} names[ALIASES_MAX]; /* what issues of the API call an argument, or a member of body_at */
	step_fn *compose;     /* makes it a request: ends with call_send() or an error */
	const char *output;   /* schema of structuredContent */
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
	const char *const *text;    /* the fields in which a search looks for a text; NULL: its list has no search */
	bool phones;                /* and telephone numbers, if the text can be one */
	const char *text_param;     /* or the parameter of its list; NULL: a text is not looked for */
	const char *const *members; /* of a filter that are parameters of its list, without a search */
	bool filters;               /* other members are filters of the list */
};
extern const struct kind kinds[MCP_KINDS];

/* The kind that an argument names, one of those: "person", "people", or "grp_…/Deal" for objects, whose object type
 * is then *type. NULL: none. */
const struct kind *kind_named(const char *text, size_t len, unsigned allowed, const char **type);
/* The kind of an id, which must be one of those; NULL: of none. */
const struct kind *kind_of_id(const char *text, size_t len, unsigned allowed);
/* The names of those kinds, ended by NULL; at most MCP_KINDS + 1. */
void kind_names(unsigned allowed, const char *names[MCP_KINDS + 1]);

/* --- argument.c ----------------------------------------------------------------------- */

/* Adds an issue for everything that the tool's schema does not allow. */
void argument_check(struct req *r, const struct tool *tool, const struct json *arguments);

/* --- call.c --------------------------------------------------------------------------- */

/* The message that a request carries. */
struct tool_call {
	struct carrier carrier;
	const struct json *id;   /* NULL: not known, or a notification */
	const struct tool *tool; /* NULL: no call of a tool, or not known yet */
	const struct json *arguments;
	const char *key; /* its idempotency key; NULL: none */
	bool answered;   /* the reply is a message already */
	bool own_issues; /* the paths of its issues name arguments, not members of the API */
	/* of a request about an object, while its type is being looked up */
	struct uuid object;
	enum http_method method;
	const char *rest; /* of the path behind the object's id, or of the query */
	struct json *body;
};

static inline struct tool_call *call_of(const struct req *r)
{
	return (struct tool_call *)r->carrier;
}

/* The argument of that name; NULL: not given. */
const struct json *call_argument(const struct req *r, const char *name);

/* Makes the request one of the API, and continues with its checks. */
enum step call_send(struct req *r, enum http_method method, const char *target, struct json *body);

/* Percent-encoded, for a segment of a path or a value of a query. */
const char *call_encoded(struct req *r, const char *text, size_t len);
/* The address of the records of a kind, for objects of that type ("grp_…/Deal"). */
const char *call_path(struct req *r, const struct kind *kind, const char *type);

/* Steps of the tools. */
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

/* Begins {"jsonrpc", "id", "result": and returns the writer; envelope_end() ends it. */
struct json_out *envelope_begin(struct req *r);
enum step envelope_end(struct req *r);
/* An error of JSON-RPC. code: what the log says; status: of the answer; data: a complete JSON value, or NULL. */
enum step envelope_error(
    struct req *r, int number, enum error_code code, int status, const char *text, const struct buf *data);
/* True when the member is that text. */
bool envelope_has(const struct json *message, const char *key, const char *text);
/* Keeps the id, a string or a number, which is repeated as it was written; false: there is another one. */
bool envelope_take_id(struct req *r, const struct json *message);
/* Reads a message's id and what is called, of a request that was refused before; false: it is no call of a tool. */
bool envelope_is_call(struct req *r);

/* --- result.c ------------------------------------------------------------------------- */

/* A result that says what is wrong with the arguments: r->issues. */
enum step result_bad_arguments(struct req *r);
/* The carrier's wrap(). */
void result_wrap(struct req *r);

#endif
