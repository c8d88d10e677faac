/* A request: one struct, one arena, and its steps.
 *
 * A route's row names its steps. A step is a plain function that passes on, waits for one database exchange, or is
 * done with a reply set; long work returns AGAIN to continue in the next turn of the loop. A step asks at most once,
 * as its last act: return req_ask(r). One runner (runner.c) calls the steps, resumes after exchanges, handles every
 * failure of the database, and is the only place that frees a request. */
#ifndef KITH_SERVER_REQUEST_REQUEST_H
#define KITH_SERVER_REQUEST_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/query.h"
#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/cursor.h"
#include "server/base/issues.h"
#include "server/base/json.h"
#include "server/base/loop.h"
#include "server/base/trace.h"
#include "server/request/errors.h"
#include "server/http/server.h"
#include "server/request/statements.h"
#include "server/snapshot/workspace.h"
#include "store/admission.h"
#include "store/db.h"
#include "store/idempotency.h"
#include "store/resources.h"

struct batch;
struct event_out;
struct listing;
struct input;
struct names;
struct page;
struct page_walk;
struct record;
struct req;
struct route;
struct server;
struct coalesce;

/* AGAIN: run the same step in a later turn of the loop (server/request/slice.h). */
enum step { PASS, WAIT, DONE, AGAIN };
typedef enum step step_fn(struct req *r);

enum { PATH_PARAMS_MAX = 3, REPLY_HEADERS_MAX = 28, REPLY_PARTS_MAX = 4 };

/* A decoded path parameter. id is all zeros, which no record has, when the text has an id's length but is not an id
 * of that kind. */
struct path_value {
	const char *text;
	size_t len;
	struct uuid id;
};

enum { PARAMS_MAX = 12 };

/* A validated query parameter; number is also the index of a choice. */
struct param_value {
	bool given;
	int64_t number;
	const char *text;
	size_t len;
};

/* The runner's functions (runner.c), called by request_continue() and request_resume(). */
struct runner {
	void (*go_on)(struct req *r, enum step step), (*resume)(struct req *r);
};

enum req_phase {
	PHASE_RUN,      /* steps */
	PHASE_COMMIT,   /* the reply is rendered; COMMIT was sent, or a ROLLBACK, which is never DB_LOST */
	PHASE_ASK,      /* the answer to COMMIT was lost: finding out its outcome */
	PHASE_STORE_500 /* rolled back; storing the 500 under its key */
};

/* See server/request/outbox.h. */
struct outbox {
	struct arena arena; /* holds the events with their data until they are written */
	struct event_out *first, *last;
	size_t count;
	bool any;            /* some were written, by any statement */
	struct sql *carrier; /* a statement that may also write an event; NULL: none */
};

/* State passed between the steps of one kind of route: NULL at first, and when the transaction runs again. */
union req_state {
	struct feed *feed;
	struct field_change *field;
	struct interaction_work *interaction;
	struct merge *merge;
	struct recover_counting *recover;
	struct page_walk *walk;
	struct write *write;
};

/* State of a list. */
struct req_list {
	struct page *page;                 /* the page requested; NULL: not read yet */
	const char *column;                /* only rows with id in this column; NULL: all */
	struct uuid id;                    /* see column */
	int sort, limit;                   /* without these parameters: enum page_sort; rows, 0: the usual */
	bool more;                         /* it continues after the page */
	const struct filter_base *counted; /* the rows to count */
	/* Appends " and …" with the request as ctx: only these rows; NULL: all. */
	void (*conditions)(void *ctx, struct sql *s);
	int at_count;         /* index of the count's result */
	int64_t total;        /* if requested */
	bool total_estimated; /* in place of an exact count that takes too long */
};

/* What carries a request that arrived inside another one: a call of a tool (server/mcp/). */
struct carrier {
	void (*wrap)(struct req *r); /* puts the reply into the form in which it is sent */
	const char *tool;            /* for the log; NULL: none */
	const char *if_match;        /* in place of the header; NULL: none */
	int status;                  /* as it is sent; 0: the reply's */
};

struct req {
	struct arena arena;
	const struct runner *runner;
	struct server *server;
	struct http_call *call; /* NULL once answered */
	const struct http_input *in;
	const struct route *route;
	char request_id[37];
	char trace[TRACE_SIZE]; /* that it is part of; "": none */
	const char *target;     /* its path, as it was sent */
	size_t target_len;
	const char *base_url; /* see req_base_url() */
	int64_t started_us, database_us, now_ms;
	int n_exchanges; /* its own; exchanges shared by admission are not counted */
	const char *method_name;
	size_t bytes_in;
	struct carrier *carrier; /* NULL: it arrived by itself */

	/* the request */
	struct path_value path[PATH_PARAMS_MAX];
	struct query query;
	struct param_value params[PARAMS_MAX]; /* in the order of the route's */
	struct listing *listing;               /* of a list; NULL: no filters */
	struct json_reader *reader;            /* while a large body is being parsed */
	struct json *body;                     /* NULL: none */
	struct input *input;                   /* its values, if the route takes a body */
	struct batch *batch;                   /* or its records */
	struct issues issues;
	const struct query_pair **ignored; /* unknown parameters, for warnings (server/request/ignored.h) */
	size_t n_ignored;
	const char *raw_query; /* after '?', not decoded */
	size_t raw_query_len;
	bool dry; /* a write that is answered and rolled back (docs/api.md, "Dry runs") */

	/* the caller */
	struct admission_ticket ticket;
	bool counted; /* against the rate limits: the answer says so */
	struct workspace_wait wait;
	struct workspace *ws; /* held */
	struct viewer viewer;

	/* its steps, and state passed between them */
	step_fn *const *next;
	int most_ms;        /* of the next exchange, see store/db.h */
	step_fn *timed_out; /* continues here when the exchange in progress ends by a statement timeout; NULL: a 503 */
	int at;             /* index of a step's own results */
	bool merged_asked;  /* where the record has gone that was not found (server/resource/merged.h) */
	bool followed;      /* the same for the contacts that its query names */
	union req_state state;
	struct req_list list;
	struct record **records;   /* loaded, to be rendered */
	size_t n_records;          /* their number */
	size_t done;               /* how many of them a step in slices has finished */
	struct names *names;       /* of what their custom values refer to */
	int64_t n_recovered;       /* events to be sent again: counted before the transaction, which may run again */
	bool recovered_estimated;  /* the exact count took too long */
	struct claiming *claiming; /* while the fingerprint is being computed (server/request/claim.c) */

	/* its exchanges */
	struct db_exchange *x;              /* the last one that ended */
	struct req_exchange *exchanges;     /* those sent: results are kept until the request ends */
	struct req_exchange *next_exchange; /* the statements to be sent next; NULL: none */
	struct replica_read *replica_read;  /* the last one sent to a standby; NULL: none */
	struct coalesce *coalesced;         /* a statement shared with other requests (server/request/coalesce.h) */
	int member;                         /* its index among those */
	int row;                            /* its row in the result; -1: none */

	/* its transaction */
	step_fn *const *open_step;  /* where to start when the transaction must run again */
	struct db_session *session; /* the open transaction; NULL: none */
	enum req_phase phase;
	int attempt; /* runs that failed for a temporary reason */
	bool config; /* a change of settings: begins by raising the snapshot's version */
	/* Deletes what others may refer to: excludes other writers of the workspace. A dry run of it only reads, locks
	 * nothing, and so sends no changes with its last exchange. */
	bool alone;
	bool opening;   /* the exchange in progress opens it */
	int at_version; /* indexes of results: the snapshot's version; the key's lock, before its look-up */
	int at_lock;
	bool number_later;    /* see transaction_number() */
	struct outbox events; /* written with COMMIT */
	size_t n_events;      /* of those, written so far */
	char xid[24];         /* its number when it has no key; "" until known */
	struct {
		int64_t generation, system_identifier, timeline;
	} xid_of;             /* what the number belongs to */
	int64_t ask_until_us; /* time limit of PHASE_ASK */
	int ask_pause_ms;     /* before it asks again; 0: it has not yet */

	const char *if_match; /* its condition, a valid list of tags; NULL: none */

	/* its idempotency key */
	const char *key; /* NULL: none */
	struct idempotency_claim claim;
	bool claimed;   /* listed among the keys in use by this process */
	bool key_asked; /* what is stored under the key was looked up */

	/* for /debug/requests */
	const char *waits_for;           /* a constant, once it has waited */
	const struct db_exchange *asked; /* its own exchange in progress; NULL: none */

	/* lists of the server */
	struct list all;     /* requests under way, in order of arrival */
	struct list running; /* claimed keys */
	struct list asking;  /* PHASE_ASK: waits to ask again */
	struct list turn;    /* an exclusive change: waits for its turn, or has it (server/request/turns.h) */
	enum { TURN_NONE, TURN_WAITS, TURN_REFUSED, TURN_RUNS } turn_of;
	int64_t turn_since_us;   /* since when it waits */
	struct list large;       /* a large batch: waits for its turn */
	int64_t large_since_us;  /* since when */
	struct loop_slice slice; /* continues in another turn of the loop */
	int64_t slice_us;        /* since when it has run in this turn; 0: not measured yet */

	/* an answer that goes on (server/event/stream.c): decides what follows when steps are done. True: it goes on;
	 * false: the answer, or what is left of it, is sent and the request ends. NULL: an answer at once */
	bool (*carry_on)(struct req *r);
	struct arena kept; /* outlives its pieces, which have r->arena */
	bool begun;        /* its head was sent */
	size_t bytes_sent; /* of its body */

	/* the reply */
	int status;
	struct buf out;
	struct http_part parts[REPLY_PARTS_MAX]; /* the body; n_parts 0: it is in out */
	size_t n_parts;
	struct json_out json;
	enum error_code error; /* if status is not 200 */
	const char *why;       /* of a 503, for the log */
	bool replayed;
	struct compressing *compressing; /* the answer is complete and being packed (server/request/compress.h) */
	struct buf warnings;             /* items of the list */
	const char *deprecation;         /* text for "deprecations", NULL: none */
	const char *deprecated_member;   /* of the body; NULL: the route itself */
	struct http_header headers[REPLY_HEADERS_MAX]; /* values in the arena */
	size_t n_headers;
};

/* --- for steps: queries ------------------------------------------------------- */

/* Adds a statement for the request's workspace to the next exchange; *index, when not NULL, is set to the index of
 * its result. name: see sql.h. */
struct sql *req_sql(struct req *r, const char *name, int *index);

/* The size of the statements' parameters so far. */
size_t req_sql_bytes(struct req *r);

/* Sends the statements over the lane; the next step finds the results in r->x. */
enum step req_ask(struct req *r, enum db_lane lane);

/* The first step of a write calls transaction_begin(), adds its queries, and returns transaction_ask(): BEGIN and the
 * claim of the idempotency key are sent with them, and the next step runs only when the claim succeeded. Later steps
 * just add their changes, which are sent with COMMIT; a step that needs a result before returns transaction_ask()
 * again. What the first step asks reads and locks, and changes nothing: it is asked a second time in the same
 * transaction when the workspace's settings have changed since the request was admitted. */
void transaction_begin(struct req *r);
enum step transaction_ask(struct req *r);

/* The same for a write that finds its records by values: others that find by one of these values wait until it has
 * ended. A later statement sees what those before it have written. */
struct value_locks {
	const char *field;    /* names what the values are of */
	const char *compared; /* SQL: the form in which u.value is compared, one for each form */
	const char *const *values;
	const size_t *lens;
	size_t count;
};
void transaction_begin_with(struct req *r, const struct value_locks *values);
/* Adds a statement that locks these records, as the opening does for those that a request names, and later one for the
 * transaction's number, which it must not have before: r->number_later is to be set when it is opened. The step after
 * that exchange calls transaction_numbered(). */
void transaction_lock_records(struct req *r, const struct uuid *ids, size_t n);
void transaction_number(struct req *r);
void transaction_numbered(struct req *r);
/* The lock that a statement takes of the rows it reads, "" in a dry run of what excludes others; and the statement's
 * name. */
const char *req_lock(const struct req *r, const char *lock);
const char *req_lock_name(const struct req *r, const char *name);

/* Rolls back and runs the transaction's steps again (a concurrent write came first); after the third time the answer
 * is a 503. */
enum step transaction_again(struct req *r);

/* --- for steps: replies ---------------------------------------------------------- */

/* Begins {"data": and returns the writer; reply_end() ends it with warnings and deprecations. */
struct json_out *reply_begin(struct req *r);
enum step reply_end(struct req *r);

/* Sets an error; message NULL: the code's default. Returns DONE. */
enum step reply_error(struct req *r, enum error_code code, const char *message);
enum step reply_error_status(struct req *r, enum error_code code, int status, const char *message);
enum step reply_not_found(struct req *r);
/* A 503, of which the log says why: this, or how the last exchange of that lane failed. */
enum step reply_unavailable(struct req *r, enum error_code code, const char *why);
extern const char reply_stopping[];
enum step reply_no_database(struct req *r, enum error_code code, enum db_lane lane);
/* details: a complete JSON value. */
enum step reply_error_details(struct req *r, enum error_code code, const struct buf *details);
/* 422 with r->issues. */
enum step reply_issues(struct req *r, const char *message);
/* {"data": record}, with its ETag if it has one; names: of what its custom values refer to, or NULL. */
enum step reply_record(struct req *r, const struct record *rec);
enum step reply_record_named(struct req *r, const struct record *rec, const struct names *names);
/* True unless the request has an If-Match that the record, locked as it is now, does not fulfil; and the 412 for
 * that. */
bool request_matches(const struct req *r, const struct record *rec);
enum step reply_unmatched(struct req *r, const struct record *rec);
/* {"data": {"id": …}} */
enum step reply_id(struct req *r, enum id_kind kind, const struct uuid *id);

void reply_header(struct req *r, const char *name, const char *value); /* value is copied */

/* Adds a warning to the answer's "warnings", as warning_write() makes it (server/request/warning.h). */
void reply_warning_json(struct req *r, const char *json, size_t len);

/* The route's query parameter of that name; if the route has none, one that is not given. */
const struct param_value *req_param(const struct req *r, const char *name);

/* The value of a header that is a list, which may be sent in several lines (RFC 9110, section 5.3); NULL: absent. */
const char *req_header_list(struct req *r, const char *name);

/* The interface by which other files add the statements of deletions and their events to the request, planned with
 * their values; r must outlive it. */
struct statements req_statements(struct req *r);

/* The public URL for links (public_url.c), without a slash at its end; valid until the reply is sent. */
const char *req_base_url(struct req *r);

/* Seal and open cursors of its workspace, with the workspace's own key. Those that an earlier level sealed with the
 * installation's key, or with that of the installation the workspace came from, are opened too. */
char *req_cursor_seal(const struct req *r, char out[CURSOR_SIZE], const unsigned char context[CURSOR_CONTEXT_SIZE],
    const struct cursor *c);
bool req_cursor_open(const struct req *r, struct cursor *c, const unsigned char context[CURSOR_CONTEXT_SIZE],
    const char *text, size_t len);

/* The time of this request for createdAt and updatedAt, in milliseconds since 1970. */
int64_t req_now_ms(struct req *r);

/* --- for the server ---------------------------------------------------------------- */

/* The message of a 405. */
extern const char request_no_method[];

/* The http_handler of the API; ctx is the struct server. */
void runner_start(struct http_call *call, const struct http_input *in, void *ctx);
/* Makes an admitted request one for another target, a path and query; its carrier is set, and its steps from
 * step_check() on are the caller's to run. False: there is no such route. */
bool runner_redirect(struct req *r, enum http_method method, const char *method_name, const char *target, size_t len);
/* For when a wait has ended: PASS runs the next step, DONE sends the reply that was set, after COMMIT. */
void request_continue(struct req *r, enum step step);
/* For the end of an exchange. */
void request_resume(struct req *r);

#endif
