/* A request: one struct, one arena, and its steps.
 *
 * The route's row names its steps. A step is a plain function. It passes on to the next step, or waits for one database
 * exchange, or is done with a reply set. Long work returns AGAIN to continue in the next turn of the loop. A step sends
 * at most one exchange, as its last action: return req_ask(r). One runner (runner.c) calls the steps, resumes after
 * exchanges and handles every failure of the database. Only the runner frees a request. */
#ifndef KITH_SERVER_REQUEST_REQUEST_H
#define KITH_SERVER_REQUEST_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/query.h"
#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/cursor.h"
#include "server/base/fair_queue.h"
#include "server/base/issues.h"
#include "server/base/json.h"
#include "server/base/loop.h"
#include "server/base/trace.h"
#include "server/request/errors.h"
#include "server/request/joint.h"
#include "server/http/http.h"
#include "server/request/statements.h"
#include "server/snapshot/workspace.h"
#include "store/admission.h"
#include "store/db.h"
#include "store/idempotency.h"
#include "store/resources.h"
#include "webhook/actor.h"

struct aggregate_request;
struct aggregate_work;
struct batch;
struct calendar;
struct event_out;
struct listing;
struct input;
struct names;
struct oidc_work;
struct page;
struct page_walk;
struct record;
struct req;
struct route;
struct search_work;
struct server;
struct sign_in;
struct coalesce;
struct dav;

/* AGAIN: run the same step in a later turn of the loop (server/request/slice.h). */
enum step { PASS, WAIT, DONE, AGAIN };
typedef enum step step_fn(struct req *r);

enum { PATH_PARAMS_MAX = 3, REPLY_HEADERS_MAX = 28, REPLY_PARTS_MAX = 4 };

/* A decoded path parameter. If the text has an id's length but is not an id of that kind, id is all zeros, which no
 * record has. */
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
	uint64_t set;
	const char *text; /* of a PARAM_NAMES all of them, a line break between each */
	size_t len;
	const struct json *names; /* PARAM_NAMES: an array of texts */
};

/* Functions of the runner (runner.c) that request_continue() and request_resume() call. */
struct runner {
	void (*go_on)(struct req *r, enum step step), (*resume)(struct req *r);
};

/* See server/request/outbox.h. */
struct outbox {
	struct arena arena; /* holds the events with their data until they are written */
	struct event_out *first, *last;
	size_t count;
	bool any; /* some statement has written events */
	/* If the request makes only one event, this named statement may write it, too. It is an INSERT or UPDATE of the
	 * event's record and is sent with COMMIT. Saving a statement saves a third of the cost of an event. NULL: none.
	 */
	struct sql *carrier;
};

/* State that the steps of one kind of route pass on: NULL at first, and when the transaction runs again. */
union req_state {
	struct aggregate_work *aggregate;
	struct calendar *calendar;
	struct dav *dav;
	struct feed *feed;
	struct field_change *field;
	struct interaction_work *interaction;
	struct merge *merge;
	struct oidc_work *oidc;
	struct oauth_work *oauth;
	struct recover_counting *recover;
	struct search_work *search;
	struct session_work *session;
	struct page_walk *walk;
	struct write *write;
};

/* State of a list. */
struct req_list {
	struct page *page;                 /* the page requested; NULL: not read yet */
	const char *column;                /* the list has only rows with id in this column; NULL: all */
	struct uuid id;                    /* the value of column */
	int sort, limit;                   /* without the parameters: enum page_sort; rows, 0: the default */
	bool more;                         /* the list continues after the page */
	const struct filter_base *counted; /* the rows to count */
	const struct uuid *only;           /* only the rows with these ids, as far as they are in the list; NULL: all */
	size_t n_only;
	/* Appends " and …" that limits the list to some rows, with the request as ctx; NULL: all rows. */
	void (*conditions)(void *ctx, struct sql *s);
	int at_count;         /* index of the count's result in r->db.last */
	int64_t total;        /* valid if the request asks for it */
	bool total_estimated; /* the estimate that replaces an exact count which takes too long */
};

/* What a carrier saves beside the person or company that its request writes, in the same transaction. */
struct carrier_beside {
	const char *path; /* the change that the event names, and updatedAt moves; NULL: only the fields tell */
	/* Adds the statements. It runs again when the transaction does. */
	void (*save)(struct carrier_beside *b, struct req *r, const struct uuid *id, int64_t stamp_us);
	bool saved; /* it ran; false again when the transaction begins again */
};

/* The carrier of a request that arrived inside another one: a call of a tool (server/mcp/). */
struct carrier {
	void (*wrap)(struct req *r); /* puts the reply into the form that the carrier sends */
	/* Called before each record of a list: true when the page ends here. NULL: it ends at the usual size. */
	bool (*full)(const struct req *r);
	const char *tool;              /* for the log; NULL: none */
	const char *if_match;          /* replaces the header; NULL: none */
	struct carrier_beside *beside; /* NULL: nothing */
	int status;                    /* the status that is sent; 0: that of the reply */
};

/* A request that another one makes: its carrier. See runner_inside(). */
struct inside {
	struct carrier carrier;
	struct req *outer;
	const struct uuid *only; /* of a list: only the records with these ids; NULL: all */
	size_t n_only;
	/* Called with the complete reply, which is not sent. answer is its JSON, in the arena of the request; NULL: it
	 * could not be read. Returns how the outer request continues; WAIT after another runner_inside(). After AGAIN
	 * it is called with the same reply in a later turn. */
	enum step (*take)(struct req *outer, struct req *r, const struct json *answer);
	enum { INSIDE_RUNS, INSIDE_READS, INSIDE_READ } state; /* its reply is complete and being read, or was read */
};

/* What the client asks for. The runner and the steps that validate fill it (for a call of a tool server/mcp/call.c);
 * later steps only read it. */
struct req_given {
	struct path_value path[PATH_PARAMS_MAX];
	struct query query;
	const char *raw_query; /* after '?', not decoded */
	size_t raw_query_len;
	struct param_value params[PARAMS_MAX]; /* the values, in the order of the route's parameters */
	struct listing *listing;               /* filters of a list; NULL: no filters */
	struct aggregate_request *aggregate;   /* groupings and measures; NULL: no aggregate, or not valid */
	struct json_reader *reader;            /* while a large body is being parsed */
	struct json *body;                     /* NULL: none */
	struct input *input;                   /* the values of the body, if the route takes a body */
	struct batch *batch;                   /* or the bodies of a batch's records */
	const char *if_match;                  /* the condition, a valid list of ETags; NULL: none */
	bool dry; /* a write that is answered and then rolled back (docs/api.md, "Dry runs") */
	struct issues issues;
	const char *ignored; /* warnings about unknown parameters, as JSON (server/request/ignored.h); NULL: none */
};

/* Who asks. Admission fills it; a feed that waits or streams renews it before each page. */
struct req_caller {
	struct admission_ticket ticket;
	bool counted;   /* the request counts against the rate limits, and the answer says so */
	bool by_cookie; /* the key is that of a session, from the cookie of a browser */
	struct workspace_wait wait;
	struct workspace *ws; /* the request holds this snapshot */
	struct viewer viewer;
	enum event_via via; /* what the request says of where it comes from; a call of a tool is VIA_MCP */
};

/* The exchanges with the database. exchange.c, replica.c and coalesce.c change it. A step may set most_ms,
 * timed_out and unknown_value before it asks, and a feed clears last before its next page. */
struct req_db {
	struct db_exchange *last;        /* the last one that ended: a step reads its results here */
	struct req_exchange *sent;       /* exchanges that were sent: results are kept until the request ends */
	struct req_exchange *next;       /* statements to send next; NULL: none */
	const struct db_exchange *asked; /* the request's own running exchange; NULL: none */
	int n_exchanges;                 /* the request's own exchanges, without those that admission shares */
	int64_t us;                      /* how long they took */
	int most_ms;                     /* time limit of the next exchange, see store/db.h */
	step_fn *timed_out; /* the step that follows if the running exchange ends by a statement timeout; NULL: a 503 */
	step_fn *unknown_value;            /* the same if PostgreSQL does not know a setting's value; NULL: a 500 */
	struct replica_read *replica_read; /* the last exchange sent to a standby; NULL: none */
	struct coalesce *coalesced;        /* a statement shared with other requests (server/request/coalesce.h) */
	int member;                        /* index of the request among those that share the statement */
	int row;                           /* the request's row in the result; -1: none */
};

enum req_phase {
	PHASE_RUN,      /* steps are running */
	PHASE_COMMIT,   /* the reply is rendered; COMMIT was sent, or a ROLLBACK, which never ends as DB_LOST */
	PHASE_ASK,      /* the answer to COMMIT was lost: asking for its outcome */
	PHASE_STORE_500 /* rolled back; storing the 500 under the key */
};

/* The transaction and the idempotency key. The runner, transaction*.c, claim.c, commit_outcome.c and the files that
 * they call change it. A step sets config, exclusive and number_later before the transaction opens, and may set
 * open_step; validation, or the call of a tool, sets the key. */
struct req_tx {
	enum req_phase phase;
	struct db_session *session; /* the open transaction; NULL: none */
	step_fn *const *open_step;  /* the step to start with when the transaction must run again */
	int attempt;                /* runs that failed for a temporary reason */
	bool config;                /* a change of settings: it first raises the version of the snapshot */
	/* The request deletes what others may refer to, so it excludes other writers of the workspace. A dry run of it
	 * only reads and locks nothing; its last exchange therefore sends no changes. */
	bool exclusive;
	bool opening;   /* the running exchange opens the transaction */
	int at_version; /* indexes of results: the snapshot's version; the key's lock, which comes before its look-up */
	int at_lock;
	bool number_later;    /* see transaction_number() */
	struct outbox events; /* events that are sent with COMMIT */
	size_t n_events;      /* how many of them were sent so far */
	char xid[24];         /* the number of a transaction without a key; "" until known */
	struct {
		int64_t generation, system_identifier, timeline;
	} xid_of;             /* the server and timeline to which the number belongs */
	int64_t ask_until_us; /* time limit of PHASE_ASK */
	int ask_pause_ms;     /* pause before the next question; 0: nothing was asked yet */
	const char *key;      /* NULL: none */
	struct idempotency_claim claim;
	struct joint_part joint; /* the transaction is shared with other requests (server/request/joint.h) */
	bool claimed;            /* linked with the keys that this process is using */
	bool key_asked;          /* the stored answer of the key was looked up */
};

/* The lists of the server that the request is in. */
struct req_queue {
	struct list all;     /* running requests, in order of arrival */
	struct list running; /* claimed keys */
	struct list asking;  /* PHASE_ASK: requests that wait to ask again */
	struct list turn;    /* exclusive changes that wait for their turn or have it (server/request/turns.h) */
	enum { TURN_NONE, TURN_WAITS, TURN_REFUSED, TURN_RUNS } turn_of;
	int64_t turn_since_us;   /* when the wait began */
	struct fair_item large;  /* large batches that wait for their turn */
	int64_t large_since_us;  /* when the wait began */
	struct loop_slice slice; /* continues the request in another turn of the loop */
	int64_t slice_us;        /* when the request began to run in this turn; 0: not measured yet */
};

/* The answer. Steps write it with the functions reply_*(), and reply.c sends it. */
struct req_reply {
	int status;
	enum error_code error; /* the error code if status is not 200 */
	const char *why;       /* the cause of a 503, for the log */
	struct buf out;
	struct json_out json;
	struct http_part parts[REPLY_PARTS_MAX]; /* the body; n_parts 0: the body is in out */
	size_t n_parts;
	struct buf warnings;                           /* items of the list */
	const char *deprecation;                       /* text for "deprecations"; NULL: none */
	const char *deprecated_member;                 /* the deprecated member of the body; NULL: the route itself */
	struct http_header headers[REPLY_HEADERS_MAX]; /* the values are in the arena */
	size_t n_headers;
	bool replayed;
	struct compressing *compressing; /* the answer is complete and being compressed (server/request/compress.h) */
	/* For an answer that continues (server/event/feed_stream.c): called when the steps are done. True: the answer
	 * continues. False: the rest of the answer is sent and the request ends. NULL: the answer is complete at once.
	 */
	bool (*carry_on)(struct req *r);
	struct arena kept;  /* outlives the pieces of the answer, which are in r->arena */
	const char *stored; /* the answer without its secret, to be stored under the key; NULL: the answer itself */
	size_t stored_len;
	bool begun;        /* the head of the answer was sent */
	size_t bytes_sent; /* bytes sent of its body */
};

struct req {
	struct arena arena;
	const struct runner *runner;
	struct server *server;
	struct http_call *call; /* NULL once answered */
	const struct http_input *in;
	const struct route *route;
	char request_id[37];
	char trace[TRACE_SIZE]; /* the trace that the request is part of; "": none */
	const char *target;     /* the path as the client sent it */
	size_t target_len;
	const char *method_name;
	size_t bytes_in;
	const char *base_url; /* see req_base_url() */
	int64_t started_us, now_ms;
	struct carrier *carrier; /* NULL: the request arrived by itself */
	struct inside *inside;   /* the request is part of another one; NULL: it is not */

	struct req_given given;
	struct req_caller caller;
	struct req_db db;
	struct req_tx tx;
	struct req_queue queue;
	struct req_reply reply;

	/* the steps, and the state passed between them */
	step_fn *const *next;
	/* The index in r->db.last at which results begin. A step that asks sets it, mostly with req_sql(r, name,
	 * &r->at), and the next step reads it. Any later step, also a generic one, may set it anew. */
	int at;
	const char *waits_for; /* what the request last waited for, a constant; NULL: it has not waited */
	bool merged_asked;     /* the look-up for a merged record was sent (server/resource/merged.h) */
	bool followed;         /* the same for the contacts in the query */
	union req_state state;
	struct sign_in *sign_in; /* who signs in (server/signin/); it is kept when the transaction runs again */
	struct req_list list;
	struct record **records;       /* records loaded, to be rendered */
	size_t n_records;              /* their number */
	size_t done;                   /* how many of them a step in slices has finished */
	struct names *names;           /* names that their custom values refer to */
	int64_t n_recovered;           /* events to send again, counted before the transaction */
	bool recovered_estimated;      /* the exact count took too long */
	struct claiming *claiming;     /* while the fingerprint is being computed (server/request/claim.c) */
	void (*forget)(struct req *r); /* frees what is not in the arena; NULL: all is */
};

/* --- for steps: queries ------------------------------------------------------- */

/* Adds a statement for the request's workspace to the next exchange. If index is not NULL, it receives the index of the
 * result. name: see sql.h. */
struct sql *req_sql(struct req *r, const char *name, int *index);

/* The size of the statements' parameters so far, in bytes. */
size_t req_sql_bytes(struct req *r);

/* Sends the statements over the lane; the next step finds the results in r->db.last. */
enum step req_ask(struct req *r, enum db_lane lane);

/* The first step of a write calls transaction_begin(), adds its queries, and returns transaction_ask(). BEGIN and the
 * claim of the idempotency key are sent with the queries, and the next step runs only when the claim succeeded. Later
 * steps only add their changes, which are sent with COMMIT. A step that needs a result earlier returns
 * transaction_ask() again. The queries of the first step read and lock, and change nothing. They are sent a second time
 * in the same transaction when the workspace's settings have changed since the request was admitted. */
void transaction_begin(struct req *r);
enum step transaction_ask(struct req *r);

/* The same for a write that finds its records by values. Other writes that look for one of these values wait until it
 * has ended. A later statement sees what earlier ones have written. */
struct value_locks {
	const char *field;    /* names the field of the values */
	const char *compared; /* SQL: the forms in which u.value is compared */
	const char *const *values;
	const size_t *lens;
	size_t count;
};
void transaction_begin_with(struct req *r, const struct value_locks *values);
/* Adds a statement that locks these records, as the opening does for records that a request names. Adds a second one
 * that reads the number of the transaction, which must have no number before that: set r->tx.number_later before
 * it is opened. The step after that exchange calls transaction_numbered(). */
void transaction_lock_records(struct req *r, const struct uuid *ids, size_t n);
void transaction_number(struct req *r);
void transaction_numbered(struct req *r);
/* Returns the lock that a statement takes on the rows it reads: lock, or "" in a dry run of an exclusive change. */
const char *req_lock(const struct req *r, const char *lock);
/* Returns the name under which that statement is prepared. */
const char *req_lock_name(const struct req *r, const char *name);

/* A concurrent write came first: rolls back and runs the steps of the transaction again. After the third time the
 * answer is a 503. */
enum step transaction_again(struct req *r);

/* --- for steps: replies ---------------------------------------------------------- */

/* Begins {"data": and returns the writer. reply_end() ends it with warnings and deprecations. */
struct json_out *reply_begin(struct req *r);
enum step reply_end(struct req *r);

/* Sets an error and returns DONE. message NULL: the default message of the code. */
enum step reply_error(struct req *r, enum error_code code, const char *message);
enum step reply_error_status(struct req *r, enum error_code code, int status, const char *message);
enum step reply_not_found(struct req *r);
/* Sets a 503. The log gives the reason: this text, or how the last exchange of that lane failed. */
enum step reply_unavailable(struct req *r, enum error_code code, const char *why);
extern const char reply_stopping[];
enum step reply_no_database(struct req *r, enum error_code code, enum db_lane lane);
/* details: a complete JSON value. */
enum step reply_error_details(struct req *r, enum error_code code, const struct buf *details);
/* Sets a 422 with r->given.issues. */
enum step reply_issues(struct req *r, const char *message);
/* Sets {"data": record}, with the ETag of the record if it has one. names: what its custom values refer to, or NULL. */
enum step reply_record(struct req *r, const struct record *rec);

/* As reply_record(). An answer that is stored under an idempotency key has null in these fields (FIELD_BIT), because a
 * secret is shown once. */
enum step reply_record_once(struct req *r, struct record *rec, field_set secrets);
enum step reply_record_named(struct req *r, const struct record *rec, const struct names *names);
/* Returns false when the request has an If-Match without the tag of the locked record. */
bool request_matches(const struct req_given *given, const struct record *rec);
/* Sets the 412 for a record whose tag does not match, and that for another reason. Both show the tag. */
enum step reply_unmatched(struct req *r, const struct record *rec);
enum step reply_precondition(struct req *r, const struct record *rec, const char *message);
/* Sets {"data": {"id": …}}, or {"data": {"name": …}}. */
enum step reply_id(struct req *r, enum id_kind kind, const struct uuid *id);
enum step reply_name(struct req *r, const char *name);

void reply_header(struct req *r, const char *name, const char *value); /* value is copied */

/* Adds a warning to "warnings" in the answer, in the form of warning_write() (server/request/warning.h). */
void reply_warning_json(struct req_reply *reply, const char *json, size_t len);

/* The query parameter of that name. If the route does not have it, the result is a parameter that is not given. */
const struct param_value *req_param(const struct req *r, const char *name);

/* The value of a header that is a list. The client may send it in several lines (RFC 9110, section 5.3). NULL:
 * absent. */
const char *req_header_list(struct req *r, const char *name);

/* The interface for other files that add statements of deletions and their events to the request. The statements are
 * planned with their values. r must outlive the interface. */
struct statements req_statements(struct req *r);

/* The public URL for links (public_url.c), without a slash at its end. It is valid until the reply is sent. */
const char *req_base_url(struct req *r);

/* Seal and open cursors of the request's workspace with the workspace's own key. Also opens cursors that an older
 * version sealed with the installation's key, or with the key of the installation that the workspace came from. */
char *req_cursor_seal(const struct req *r, char out[CURSOR_SIZE], const unsigned char context[CURSOR_CONTEXT_SIZE],
    const struct cursor *c);
bool req_cursor_open(const struct req *r, struct cursor *c, const unsigned char context[CURSOR_CONTEXT_SIZE],
    const char *text, size_t len);

/* The time of this request for createdAt and updatedAt, in milliseconds since 1970. */
int64_t req_now_ms(struct req *r);

/* Who makes the events of the request. */
struct event_actor req_actor(const struct req *r);

/* --- for the server ---------------------------------------------------------------- */

/* The message of a 405. */
extern const char request_no_method[];

/* The http_handler of the API; ctx is the struct server. */
void runner_start(struct http_call *call, const struct http_input *in, void *ctx);
/* Turns an admitted request into a request for another target, a path and query. Its carrier is set. The caller runs
 * its steps from step_check() on. False: there is no such route. */
bool runner_redirect(struct req *r, enum http_method method, const char *method_name, const char *target, size_t len);
/* Makes a request inside an admitted one, with the same rights. It counts as part of the outer one for the rate limits
 * and the usage, and has a line in the log with the same request id. The caller returns WAIT; inside->take() is called
 * in a later turn of the loop. inside, target and body must outlive it. tool: for the log. */
void runner_inside(
    struct req *outer, struct inside *inside, enum http_method method, const char *target, struct json *body);
/* Call it when a wait has ended. PASS runs the next step. DONE sends the reply that is set, after COMMIT. */
void request_continue(struct req *r, enum step step);
/* Call it when an exchange has ended. */
void request_resume(struct req *r);

#endif
