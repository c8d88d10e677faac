/* The routes: one row per endpoint, in server/routes_*.inc. */
#ifndef KITH_SERVER_REQUEST_ROUTE_H
#define KITH_SERVER_REQUEST_ROUTE_H

#include "filter/filter.h"
#include "server/request/request.h"

/* A query parameter. */
enum param_type {
	PARAM_INTEGER,
	PARAM_TEXT,
	PARAM_CHOICE,
	PARAM_CURSOR,
	PARAM_ID,  /* of an id's length; to be parsed by id_parse() or id_parse_any() */
	PARAM_TIME /* a timestamp, or a date for its UTC midnight: number is in milliseconds */
};
struct param {
	const char *name;
	enum param_type type;
	int min, max; /* PARAM_INTEGER: value; PARAM_TEXT, PARAM_CURSOR: code points */
	const char *const *choices;
	bool required;
	bool filters;       /* filter[name][eq] is an alias, and for a name a.b also a[b] */
	bool shapes;        /* decides which rows a list has, or their order: sealed into its cursors */
	const char *absent; /* the value that means the same as none; NULL: none does */
	const char *about;  /* for the API's description */
};

/* The fields of the resource that a body, or each record of a batch, may hold. */
enum body_kind {
	INPUT_NONE, /* no members */
	INPUT_CREATE,
	INPUT_UPDATE,
	INPUT_BATCH_CREATE,
	INPUT_BATCH_UPDATE,
	INPUT_BATCH_DELETE,
	INPUT_BATCH_UPSERT,
	INPUT_SEARCH /* the route's params and a filter as members: a list requested with POST */
};

/* The content of {data: …}. */
enum answer {
	ANSWER_ONE,   /* the resource */
	ANSWER_LIST,  /* {id} of what was deleted */
	ANSWER_ID,    /* {id} of what was deleted */
	ANSWER_NAME,  /* {name} of what was deleted */
	ANSWER_BATCH, /* results */
	ANSWER_PLAIN  /* something else */
};

enum route_flag {
	ROUTE_OPEN = 1,          /* needs no key, not rate limited */
	ROUTE_RECORD_RIGHTS = 2, /* a scope that the key lacks fails each record, not the request */
	ROUTE_SECRET = 4,        /* answers contain a secret: they are stored sealed */
	ROUTE_NOT_DRY = 8,       /* its work is to send: a dry run is refused */
	ROUTE_OWNED = 16,        /* only admins, and a webhook's creator, may read */
	ROUTE_CARRIER = 32,      /* carries other requests: all steps are its own */
	ROUTE_STREAM = 64,       /* the answer goes on */
	ROUTE_PROBE = 128        /* asked every few seconds: only changes of its status are logged */
};

enum { ROUTE_STEPS_MAX = 7 };

/* Announced with every answer of a deprecated route (RFC 9745, RFC 8594). */
struct deprecation {
	int64_t since, removal; /* unix seconds */
	const char *text;       /* for "deprecations" */
};

struct route {
	enum http_method method;
	const char *path;                /* "/v1/people/{personId}" */
	const struct resource *resource; /* in answers, and in bodies */
	const struct resource *body;     /* the resource in bodies, if another; NULL: the same */
	unsigned needs;                  /* the scopes of a key, all of these: enum key_scope; 0: it needs no key */
	enum body_kind input;
	enum answer answer;
	const struct param *const *params;  /* fewer than PARAMS_MAX rows, NULL terminated; NULL: none */
	const struct filter_table *filters; /* of a list; NULL: none */
	unsigned flags;
	const struct deprecation *deprecated; /* NULL: not deprecated */
	step_fn *steps[ROUTE_STEPS_MAX];      /* the last one replies */
	/* for the API's description: its operationId, a line, the rest */
	const char *id, *summary, *about;
	const char *near; /* the message of a 404 for a path that is nearly this one */
};

extern const struct route routes[];
extern const int n_routes;               /* of the API: those that its description has */
extern const int n_routes_all;           /* those and, behind them, the pages and /mcp */
extern const struct param route_dry_run; /* of every write */

/* True when it writes: takes an Idempotency-Key, and can be tried. */
static inline bool route_writes(const struct route *route)
{
	return route->method != HTTP_GET && route->input != INPUT_SEARCH;
}

/* The i-th parameter of its query: those of its row, then that of every write; NULL: there are no more. */
const struct param *route_query_param(const struct route *route, int i);

/* True when it answers with one record that has an ETag. */
static inline bool route_answers_etag(const struct route *route)
{
	return route->answer == ANSWER_ONE && route->resource && route->resource->stamp;
}

/* True when it changes or deletes one such record, which the path names: takes If-Match, and its steps must ask
 * request_matches() under the record's lock. */
static inline bool route_takes_condition(const struct route *route)
{
	return route_writes(route) && (route->answer == ANSWER_ONE || route->answer == ANSWER_ID) && route->resource &&
	       route->resource->stamp && route->input != INPUT_CREATE;
}

/* A path segment in braces: an id of a kind, or a text with a maximum length. */
struct path_param {
	const char *name;
	bool is_id;
	enum id_kind kind;
	int max;           /* code points of a text */
	const char *about; /* for the API's description */
};
const struct path_param *route_param_find(const char *name, size_t len);

struct route_match {
	const struct route *route; /* NULL: none for this method */
	unsigned methods;          /* supported by the path; 0: unknown path */
	const char *near;          /* of an unknown path: the 404's message, which names a similar one; NULL: none */
	struct path_value values[PATH_PARAMS_MAX];
};

/* Finds the route of a path (segments are decoded into the arena). HEAD matches GET. */
void route_find(struct arena *a, enum http_method method, const char *path, size_t len, struct route_match *out);

/* Writes "GET, HEAD, PATCH" for Allow. */
void route_allow(unsigned methods, char out[64]);

#endif
