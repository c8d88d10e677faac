/* The routes: one row tells an endpoint's whole story. The table is in server/routes.c. */
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
	PARAM_ID,  /* as long as an id; its text is for id_parse() or id_parse_any() */
	PARAM_TIME /* a timestamp, or a date that stands for its UTC midnight: number is in milliseconds */
};
struct param {
	const char *name;
	enum param_type type;
	int min, max; /* PARAM_INTEGER: value; PARAM_TEXT, PARAM_CURSOR: code points */
	const char *const *choices;
	bool required;
	bool filters; /* filter[name][eq] is the same, and for a name a.b also a[b] */
	bool shapes;  /* decides which rows a list holds and in which order: sealed into its cursors */
};

/* Which fields of the resource a body, or each record of a batch, may hold. */
enum body_kind {
	INPUT_NONE, /* no member at all */
	INPUT_CREATE,
	INPUT_UPDATE,
	INPUT_BATCH_CREATE,
	INPUT_BATCH_UPDATE,
	INPUT_BATCH_DELETE,
	INPUT_SEARCH /* the route's params and a filter, as members: a list that is asked for with POST */
};

/* What {data: …} holds. */
enum answer {
	ANSWER_ONE,   /* the resource */
	ANSWER_LIST,  /* items and pagination */
	ANSWER_ID,    /* {id} of what was deleted */
	ANSWER_NAME,  /* {name} of what was deleted */
	ANSWER_BATCH, /* results */
	ANSWER_PLAIN  /* something else */
};

enum route_flag {
	ROUTE_OPEN = 1,          /* needs no key, is not counted */
	ROUTE_RECORD_RIGHTS = 2, /* a key that may only read fails each record, not the request */
	ROUTE_SECRET = 4         /* its answers hold a secret: they are stored sealed */
};

enum { ROUTE_STEPS_MAX = 6 };

/* Announced with every answer of a deprecated route (RFC 9745, RFC 8594). */
struct deprecation {
	int64_t since, removal; /* unix seconds */
	const char *text;       /* for "deprecations" */
};

struct route {
	enum http_method method;
	const char *path;                /* "/v1/people/{personId}" */
	const struct resource *resource; /* what it answers, and whose fields a body may hold */
	const struct resource *body;     /* whose fields a body may hold when it is another one; NULL: resource */
	enum body_kind input;
	enum answer answer;
	const struct param *const *params;  /* at most PARAMS_MAX rows, NULL terminated; NULL: none */
	const struct filter_table *filters; /* a list's; NULL: it takes none */
	unsigned flags;
	const struct deprecation *deprecated; /* NULL: it stays */
	step_fn *steps[ROUTE_STEPS_MAX];      /* NULL terminated */
	const char *summary;                  /* for the API's description */
};

extern const struct route routes[];
extern const int n_routes;

/* Whether it changes anything: needs the right to write, and takes an Idempotency-Key. */
static inline bool route_writes(const struct route *route)
{
	return route->method != HTTP_GET && route->input != INPUT_SEARCH;
}

/* A segment in braces. The kind of an id, or a text with its maximum. */
struct path_param {
	const char *name;
	bool is_id;
	enum id_kind kind;
	int max; /* code points of a text */
};
const struct path_param *path_param_find(const char *name, size_t len);

struct route_match {
	const struct route *route; /* NULL: none for this method */
	unsigned methods;          /* those that the path knows; 0: unknown path */
	struct path_value values[PATH_PARAMS_MAX];
};

/* Finds the route of a path (decoded segment by segment into the arena). HEAD matches GET. */
void route_find(struct arena *a, enum http_method method, const char *path, size_t len, struct route_match *out);

/* "GET, HEAD, PATCH" for Allow, into out. */
void route_allow(unsigned methods, char out[64]);

#endif
