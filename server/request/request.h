/*
 * A request: one struct, one arena, and the steps it goes through.
 *
 * A route row names its steps. A step is a plain function that passes on, waits
 * for one database exchange, or is done with a reply set; what would take long
 * goes on AGAIN in the next turn of the loop. A step asks at most
 * once, as its last act: return ask(r). One runner (runner.c) calls the steps,
 * resumes after an exchange, meets every failure of the database, and is the
 * only place where a request is freed.
 */
#ifndef KITH_SERVER_REQUEST_REQUEST_H
#define KITH_SERVER_REQUEST_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/query.h"
#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/issues.h"
#include "server/base/json.h"
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
struct filtering;
struct input;
struct names;
struct page;
struct record;
struct req;
struct route;
struct server;
struct together;

/* AGAIN: the same step, in a later turn of the loop (server/request/slice.h). */
enum step { PASS, WAIT, DONE, AGAIN };
typedef enum step step_fn(struct req *r);

enum { PATH_PARAMS_MAX = 3, REPLY_HEADERS_MAX = 20 };

/* A parameter of the path, decoded. id is all zeros, which is nobody's, when the
 * text has an id's length but is none of that kind. */
struct path_value {
	const char *text;
	size_t len;
	struct uuid id;
};

enum { PARAMS_MAX = 12 };

/* A parameter of the query, checked; number is also the index of a choice. */
struct param_value {
	bool given;
	int64_t number;
	const char *text;
	size_t len;
};

/* Who calls the steps (runner.c): the next one, after an exchange, and commits or sends once a reply is set. */
struct runner {
	void (*run)(struct req *r), (*resume)(struct req *r), (*finish)(struct req *r);
};

enum req_phase {
	PHASE_RUN,      /* steps */
	PHASE_COMMIT,   /* the reply is rendered; COMMIT was sent */
	PHASE_ASK,      /* the answer to COMMIT was lost: asking what became of it */
	PHASE_STORE_500 /* rolled back; storing the 500 under its key */
};

/* See server/request/outbox.h. */
struct event_list {
	struct arena arena; /* they lie in it, with their data, until they are written */
	struct event_out *first, *last;
	size_t count;
	bool any;            /* some were written, by whatever statement */
	struct sql *carrier; /* a statement that may write one more row; NULL: none */
};

/* What the steps of one kind of route keep for those behind them: NULL before, and when the transaction runs again. */
union req_state {
	struct activity_listing *activities;
	struct delivery_listing *deliveries;
	struct feed *feed;
	struct field_change *field;
	struct values_gone *gone_field; /* of a field that is deleted */
	struct interaction_page *interactions;
	struct interaction_work *interaction;
	struct note_work *note;
	struct recover_counting *recover;
	struct reminder_opened *reminder;
	struct task_work *task;
	struct write *write;
};

/* A list. */
struct req_list {
	struct page *page;                 /* what of it was asked for; NULL: not read yet */
	const char *column;                /* it holds the rows with id in this column; NULL: all */
	struct uuid id;                    /* see column */
	bool more;                         /* it goes on behind the page */
	const struct filter_base *counted; /* what its count is of */
	int at_count;                      /* the result of its count */
	int64_t total;                     /* when asked for */
	bool total_estimated;              /* in place of an exact one that takes too long */
};

struct req {
	struct arena arena;
	const struct runner *runner;
	struct server *server;
	struct http_call *call; /* NULL once answered */
	const struct http_input *in;
	const struct route *route;
	char request_id[37];
	const char *base_url; /* see req_base_url() */
	int64_t started_us, database_us, now_ms;
	int n_exchanges; /* of its own: those that admission shares are not among them */
	const char *method_name;
	size_t bytes_in;

	/* what was asked */
	struct path_value path[PATH_PARAMS_MAX];
	struct query query;
	struct param_value params[PARAMS_MAX]; /* parallel to the route's */
	struct filtering *filtering;           /* of a list; NULL: without filters */
	struct json_reader *reader;            /* while a large body is being read */
	struct json *body;                     /* NULL: none */
	struct input *input;                   /* its values, when the route takes a body */
	struct batch *batch;                   /* or its records */
	struct issues issues;
	const char *raw_query; /* behind '?', not decoded */
	size_t raw_query_len;

	/* who asks */
	struct admission_ticket ticket;
	bool counted; /* by the rate limits: the answer says so */
	struct workspace_wait wait;
	struct workspace *ws; /* held */
	struct viewer viewer;

	/* its steps, and what they keep from one to the next */
	step_fn *const *next;
	int most_ms;        /* of the exchange that is being put together, see store/db.h */
	step_fn *timed_out; /* goes on when the exchange under way ends with a statement's timeout; NULL: a 503 */
	int at;             /* where a step's own results begin */
	union req_state state;
	struct req_list list;
	struct record **records;  /* loaded, to be shown */
	size_t n_records;         /* of them */
	size_t done;              /* with so many of them, in a step that goes on in another turn */
	struct names *names;      /* what their custom values name */
	int64_t n_recovered;      /* events to be sent again: counted before the transaction, which may run again */
	bool recovered_estimated; /* it took too long */
	struct workspace_loading *loading; /* while the settings are being read afresh */
	struct claiming *claiming;         /* while the fingerprint is being made (server/request/claim.c) */

	/* its exchanges */
	struct db_exchange *x;          /* the last one that ended */
	struct req_exchange *exchanges; /* all of them: results stay until the request ends */
	struct sql **statements;        /* being put together */
	struct arena sql;               /* they lie in it, with their parameters, until their exchange has ended */
	int n_statements, cap_statements;
	struct together *together; /* the statement that it shares with others (server/request/coalesce.h) */
	int member;                /* its place among those */
	int row;                   /* of the result that is its own; -1: none */

	/* its transaction */
	step_fn *const *open_step;  /* where one that must run again starts */
	struct db_session *session; /* the open one; NULL: none */
	enum req_phase phase;
	int attempt;    /* runs that failed for a passing reason */
	bool config;    /* a change of settings, which reads them under a lock */
	bool alone;     /* takes away what others may refer to: nobody else writes in the workspace meanwhile */
	bool opening;   /* the exchange under way opens it */
	int at_version; /* where its results of these are: the snapshot's version, the key's lock */
	int at_lock;
	struct event_list events; /* written with COMMIT */
	char xid[24];             /* its number when it has no key; "" until known */
	struct {
		int64_t generation, system_identifier, timeline;
	} xid_of;             /* what the number belongs to */
	int64_t ask_until_us; /* PHASE_ASK gives up */

	/* its idempotency key */
	const char *key; /* NULL: none */
	struct idempotency_claim claim;
	bool claimed;  /* listed among the running keys of this process */
	int at_lookup; /* PHASE_STORE_500: the result of its look-up */

	/* what it waits in: lists of the server */
	struct list running;    /* keys that are claimed */
	struct list asking;     /* PHASE_ASK: to ask again */
	struct list large;      /* a large batch: for its turn */
	int64_t large_since_us; /* since then */
	struct list slices;     /* for another turn of the loop, to go on */
	int64_t slice_us;       /* since when it has held this one; 0: nobody has asked yet */

	/* the reply */
	int status;
	struct buf out;
	struct json_out json;
	enum error_code error; /* when status is not 200 */
	bool replayed;
	struct buf warnings;                           /* items of the list */
	const char *deprecation;                       /* text for "deprecations", NULL: none */
	struct http_header headers[REPLY_HEADERS_MAX]; /* values in the arena */
	size_t n_headers;
};

/* --- for steps: asking the database ------------------------------------------- */

/* A new statement of the request's workspace in the exchange that is being put
 * together; *index, when not NULL, is where its result will be. name: see sql.h. */
struct sql *req_sql(struct req *r, const char *name, int *index);

/* The parameters of what is being put together, in bytes. */
size_t req_sql_bytes(const struct req *r);

/* Sends what was put together over the lane; the next step finds the results in r->x. */
enum step ask(struct req *r, enum db_lane lane);

/* The first step of a write calls write_begin(), adds its loads, and returns
 * ask_write(): BEGIN and the claim of the idempotency key travel with the loads,
 * and the next step runs only when the claim is ours. Later steps just add their
 * changes: they go out with COMMIT; one that needs an answer before returns
 * ask_write() again. */
void write_begin(struct req *r);
enum step ask_write(struct req *r);
/* Rolls back and runs the transaction's steps again (somebody else was faster);
 * after the third time the answer is a 503. */
enum step write_again(struct req *r);

/* --- for steps: replies ---------------------------------------------------------- */

/* Opens {"data": and answers the writer; reply_end() closes it with warnings and deprecations. */
struct json_out *reply_begin(struct req *r);
enum step reply_end(struct req *r);

/* An error; message NULL: the code's own. Answers DONE. */
enum step reply_error(struct req *r, enum error_code code, const char *message);
enum step reply_error_status(struct req *r, enum error_code code, int status, const char *message);
enum step reply_not_found(struct req *r);
/* 422 with r->issues. */
enum step reply_issues(struct req *r, const char *message);
/* {"data": {"id": …}} */
enum step reply_id(struct req *r, enum id_kind kind, const struct uuid *id);

void reply_header(struct req *r, const char *name, const char *value); /* value is copied */

/* {path, message} of a warning as JSON; adds it to the answer's "warnings". */
void warning_write(struct buf *out, const struct path *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void reply_warning_json(struct req *r, const char *json, size_t len);

/* The route's query parameter of that name; one that is not given when the route has none. */
const struct param_value *req_param(const struct req *r, const char *name);

/* The request as one for whom statements are put together, planned with their values; r lives longer. */
struct statements req_statements(struct req *r);

/* The public URL for links, without a slash at its end; until the reply is sent. */
const char *req_base_url(struct req *r);

/* Milliseconds since 1970 for createdAt and updatedAt of this request. */
int64_t req_now_ms(struct req *r);

/* --- for the server ---------------------------------------------------------------- */

/* The message of a 405. */
extern const char request_no_method[];

/* The http_handler of the API; ctx is the struct server. */
void request_start(struct http_call *call, const struct http_input *in, void *ctx);
/* Goes on with the next step; called by whoever ended a wait. */
void request_run(struct req *r);
/* The same, when what ended is an exchange. */
void request_resume(struct req *r);
/* Commits or sends: for callbacks that end with a reply set. */
void request_finish(struct req *r);

#endif
