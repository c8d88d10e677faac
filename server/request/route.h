/* The routes: one row per endpoint. The rows are in server/routes_*.inc, above this room. */
#ifndef KITH_SERVER_REQUEST_ROUTE_H
#define KITH_SERVER_REQUEST_ROUTE_H

#include <string.h>

#include "filter/filter.h"
#include "server/request/request.h"

/* A query parameter. */
enum param_type {
	PARAM_INTEGER,
	PARAM_TEXT,
	PARAM_CHOICE,
	PARAM_CURSOR,
	PARAM_ID,     /* a text of an id's length; parse it with id_parse() or id_parse_any() */
	PARAM_EVENTS, /* names of event types, in any number of pairs; set has their bits */
	PARAM_NAMES,  /* texts: separated by commas, or the parameter repeated, or an array; their reader splits them */
	PARAM_TIME    /* a timestamp, or a date that means its midnight in UTC; number is in milliseconds */
};
struct param {
	const char *name;
	enum param_type type;
	int min, max; /* limits: the value of a PARAM_INTEGER, the code points of a PARAM_TEXT, PARAM_CURSOR, or of
	               * each text of PARAM_NAMES */
	const char *const *choices;
	bool required;
	bool filters;       /* filter[name][eq] is an alias, for a name a.b also a[b] */
	bool shapes;        /* decides which rows a list has, or their order, so cursors seal it */
	const char *absent; /* the value that means the same as no parameter; NULL: no value does */
	const char *about;  /* for the API's description */
};

/* The fields of the resource that a body, or each record of a batch, may hold. */
enum body_kind {
	INPUT_NONE, /* no body */
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
	ANSWER_ONE, /* the resource */
	/* A list of the resource. The answer has X-Events-Cursor, a standby may give it (replica_takes()), and the
	 * API's description explains pages. */
	ANSWER_LIST,
	ANSWER_ID,     /* {id} of what was deleted */
	ANSWER_NAME,   /* {name} of what was deleted */
	ANSWER_BATCH,  /* results */
	ANSWER_TOTALS, /* groups and figures */
	ANSWER_PLAIN   /* anything else */
};

enum route_flag {
	ROUTE_OPEN = 1,          /* needs no key and is not rate limited */
	ROUTE_RECORD_RIGHTS = 2, /* a missing scope fails the record, not the whole request */
	ROUTE_SECRET = 4, /* answers show a secret once; what is stored for retries lacks it, and is encrypted as v0.3.0
	                     expects it */
	ROUTE_NOT_DRY = 8,      /* the route only sends something, so it has no dry run */
	ROUTE_OWNED = 16,       /* only admins and the creator of a webhook may read */
	ROUTE_CARRIER = 32,     /* carries other requests and has only steps of its own */
	ROUTE_STREAM = 64,      /* the answer has no end (server/event/feed_stream.c) */
	ROUTE_PROBE = 128,      /* called every few seconds: the log has only changes of its status */
	ROUTE_OWN_RIGHTS = 256, /* its steps decide which scopes it needs, which may be fewer */
	ROUTE_NOT_KEPT = 512,   /* the body has a password, so not even a digest of it is kept for retries */
	ROUTE_DAV = 1024        /* of address books: it has only steps of its own, and takes its key by Basic */
};

enum { ROUTE_STEPS_MAX = 7 };

/* Announced with every answer of a deprecated route (RFC 9745, RFC 8594). */
struct deprecation {
	int64_t since, removal; /* Unix seconds */
	const char *text;       /* for "deprecations" in the answer */
};

struct route {
	enum http_method method;
	const char *path;                /* "/v1/people/{personId}" */
	const struct resource *resource; /* the resource in answers and in bodies */
	const struct resource *body;     /* the resource in bodies, if it is another; NULL: the same */
	unsigned needs;                  /* scopes that the key needs, all of them: enum key_scope; 0: no key needed */
	enum body_kind input;
	enum answer answer;
	const struct param *const *params;  /* fewer than PARAMS_MAX rows, NULL terminated; NULL: none */
	const struct filter_table *filters; /* filters of a list; NULL: none */
	unsigned flags;
	const struct deprecation *deprecated; /* NULL: not deprecated */
	step_fn *steps[ROUTE_STEPS_MAX];      /* the last step replies */
	/* for the API's description: operationId, summary, description */
	const char *id, *summary, *about;
	const char *near; /* the message of the 404 for a path that resembles this one */
};

/* The table of routes, which the program gives once at start; empty until then. */
extern const struct route *routes;
extern int n_routes;                     /* routes of the API: those in its description */
extern int n_routes_all;                 /* the same, then the pages and /mcp */
extern const struct param route_dry_run; /* parameter of every write */
void route_table_use(const struct route *rows, int n_described, int n);

/* True when the route writes: it takes an Idempotency-Key and has dry runs, unless its flags say otherwise. */
static inline bool route_writes(const struct route *route)
{
	return route->method != HTTP_GET && route->input != INPUT_SEARCH;
}

/* True when the route takes an Idempotency-Key. Others ignore the header. */
static inline bool route_takes_retries(const struct route *route)
{
	return route_writes(route) && !(route->flags & ROUTE_NOT_KEPT);
}

/* True when the cookie of a session may replace a key. */
static inline bool route_takes_cookie(const struct route *route)
{
	return strncmp(route->path, "/v1/", 4) == 0;
}

/* The i-th parameter of the query: first those of the route's row, then that of every write. NULL: there are no
 * more. */
const struct param *route_query_param(const struct route *route, int i);

/* True when the answer is made of a list's records: a page, or their figures. It says where to follow their events, and
 * a standby may give it. */
static inline bool route_reads_list(const struct route *route)
{
	return route->answer == ANSWER_LIST || route->answer == ANSWER_TOTALS;
}

/* True when the answer is one record that has an ETag. */
static inline bool route_answers_etag(const struct route *route)
{
	return route->answer == ANSWER_ONE && route->resource && route->resource->stamp;
}

/* True when the route changes or deletes one such record, which the path names. It takes If-Match, and its steps must
 * call request_matches() under the record's lock. */
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
	const struct route *route; /* NULL: the path does not have this method */
	unsigned methods;          /* methods of the path; 0: unknown path */
	const char *near;          /* for an unknown path: the message of the 404; NULL: none */
	struct path_value values[PATH_PARAMS_MAX];
};

/* Finds the route of a path; decoded segments are in the arena. HEAD matches GET. */
void route_find(struct arena *a, enum http_method method, const char *path, size_t len, struct route_match *out);

/* Writes the value of Allow, as "GET, HEAD, PATCH". */
enum { ROUTE_ALLOW_SIZE = 128 };
void route_allow(unsigned methods, char out[ROUTE_ALLOW_SIZE]);

#endif
