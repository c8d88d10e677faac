/* The database: connections in lanes, and exchanges sent over them.
 *
 * An exchange is a list of statements sent in one libpq pipeline: one round trip. It ends exactly once, with its
 * done callback, which is always called from the loop and never from inside db_send(). Only db.c and db_*.c call
 * libpq. */
#ifndef KITH_STORE_DB_H
#define KITH_STORE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/fair_queue.h"
#include "server/base/histogram.h"
#include "server/base/id.h"
#include "server/base/list.h"
#include "store/sql.h"

struct event_base;
struct db;         /* all lanes */
struct db_session; /* a write-lane connection bound to one open transaction */

/*
 * The lanes of connections:
 *  ADMIT, POINT  shared: many exchanges in one pipeline, one Sync per turn of the loop;
 *                read only, named statements; cheap by design. ADMIT writes, but nothing durable: synchronous_commit
 *                is off there
 *  LIST          one exchange at a time, statement_timeout; unnamed statements are planned with their values
 *  FEED          as LIST, for the feed of events, so that it does not wait behind lists
 *  WRITE         one transaction at a time
 *  WORK          dispatcher, scheduler, clean-up, command line
 *  SIGNAL        one connection, which listens to DB_CHANNEL and notifies it; session advisory locks may be held on
 *                it: see db_on_signal(). Nothing durable is written there (synchronous_commit is off).
 *  REPLICA       as LIST, on a standby: the only lane of a struct db of its own (db_config_replica()), which has no
 *                others; comes last
 */
enum db_lane { DB_ADMIT, DB_POINT, DB_LIST, DB_FEED, DB_WRITE, DB_WORK, DB_SIGNAL, DB_REPLICA, DB_LANES };

/* "admit", "point" and so on. */
const char *lane_name(enum db_lane lane);

#define DB_CHANNEL "kith_events" /* for LISTEN and NOTIFY: events were committed */

/* The parties that use WORK. Each has its own queue there, as each workspace has on the other lanes. */
enum db_work {
	DB_WORK_SEND, /* the dispatcher, the command line */
	DB_WORK_DUE,  /* jobs that must run on time */
	DB_WORK_CLEAN /* jobs that may take long or wait for a workspace's locks */
};

/* Fair turns. On POINT, LIST, REPLICA, FEED and WRITE the workspaces take turns: each waiting workspace sends one
 * exchange, then the next workspace is served. The first statement begun with sql_begin() names an exchange's
 * workspace. Exchanges without a workspace form one further party. On WORK the parties are those of enum db_work; each
 * but DB_WORK_SEND holds at most one connection.
 *
 * On all lanes but POINT a workspace that holds no connection may take any free one. A workspace that holds some must
 * leave lane_spare connections free for the others. While others wait it gets at most half of the lane. A bound session
 * holds its connection until it ends. */

/*
 * How an exchange ends. When its connection breaks:
 *  - on ADMIT and POINT it is sent again, up to three times, then DB_LOST (its
 *    statements must be safe to repeat);
 *  - on other lanes DB_UNAVAILABLE if certainly nothing was committed: a transaction is
 *    open and this exchange has no COMMIT; or a statement before the COMMIT (without a
 *    transaction: any statement) failed, or the server's fatal error came there. Outside a
 *    bound session such an exchange is first tried once more;
 *  - else DB_LOST, in particular whenever COMMIT was sent and the server stopped responding.
 * A deadline that passes after sending gives DB_LOST, and the connection is closed. db_orphan.c ends its backend if
 * that waits for input that will not come, or if its work can have no effect. On LIST, REPLICA and FEED
 * statement_timeout ends a statement shortly before the deadline, so that the connection can be kept. Before sending,
 * the result is DB_BUSY, or DB_UNAVAILABLE when the lane has no connection (for which an exchange waits at most 1 s).
 * Statements outside BEGIN and COMMIT form one implicit transaction per exchange.
 */
enum db_status {
	DB_OK,          /* every statement ran */
	DB_FAILED,      /* a statement failed: sqlstate, failed; an open transaction must be rolled back */
	DB_BUSY,        /* the lane's queue was full or the wait too long: nothing was sent */
	DB_UNAVAILABLE, /* no connection, the server is starting or stopping, or the bound session is gone: nothing was
	                   done, and its transaction is rolled back */
	DB_LOST         /* the connection broke, or the deadline passed, after sending: the effect is unknown */
};

struct db_result; /* PGresult */

struct db_exchange {
	/* set by the owner; zero everything first */
	enum db_lane lane;
	enum db_work work; /* for WORK */
	/* LIST, REPLICA, FEED, WRITE, WORK: stay bound to the connection after DB_OK or DB_FAILED; session is then set.
	 * After any other status, and without keep, session is NULL (and an open transaction is rolled back). A
	 * transaction that is idle for too long is rolled back: the session's next db_send() ends with
	 * DB_UNAVAILABLE. */
	bool keep;
	struct db_session *session; /* continue on this bound connection; NULL: any of the lane */
	struct sql **statements;    /* in order of execution; they and their arena must live until done */
	int n_statements;
	void (*done)(struct db_exchange *x);
	void *owner;
	bool bulk;       /* POINT: results may be megabytes; kept off the connections of small reads */
	int deadline_ms; /* 0: the lane's own */
	int most_ms;     /* LIST, REPLICA, FEED: limit on each statement, if less than the lane's; 0: the lane's */
	/* Called before sending, after a longer wait for a connection. Returns true when the result is no longer
	 * needed; the exchange then ends with DB_BUSY. NULL: the result is always needed. */
	bool (*given_up)(const struct db_exchange *x);

	/* set by the store */
	enum db_status status;
	struct db_result **results; /* one per statement if DB_OK; up to the failed one if DB_FAILED */
	char sqlstate[6];
	char constraint[64]; /* name, when a constraint was violated */
	char message[256];   /* primary message, for the log */
	int failed;          /* index of the failed statement; -1: none */
	int64_t took_us;     /* from db_send() to done */
	uint64_t generation; /* SIGNAL: of the connection that ran it, see db_signal_generation() */
	int n_retries;       /* how often it was sent again after its connection broke */

	/* private to the store */
	struct list link;
	struct fair_item turn; /* while it waits for a connection */
	int64_t sent_us, deadline_us;
	int position;
	void *connection;
	struct uuid party;
};

struct db_config {
	const char *url;             /* libpq connection string or URL */
	const char *nameservers;     /* "address:port" for tests; NULL: of /etc/resolv.conf */
	const char *roles[DB_LANES]; /* constants: the role of a lane's connections; NULL: the login's own */
	bool join;                   /* each connection first checks the generation of events, see db_setup.c */
	const char *identity;        /* REPLICA: what DB_IDENTITY yields where the standby's primary is */
	int lane_size[DB_LANES];     /* SIGNAL: 0 or 1 */
	int lane_spare[DB_LANES]; /* kept free for workspaces without a connection; at most half of those connected */
	int queue_max[DB_LANES];  /* exchanges waiting for a connection; beyond it the party with most of them gets
	                             DB_BUSY */
	int statement_timeout_ms[DB_LANES];
	int deadline_ms[DB_LANES];  /* of an exchange, waiting included */
	int idle_in_transaction_ms; /* idle time after which a bound session is rolled back */
};

/* Lane sizes, caps and times for a machine with this many cores; without roles. */
void db_config_default(struct db_config *c, const char *url, int cores);

/*
 * Sets the roles for which row-level security separates workspaces (migrations/0009_row_security.sql). A statement
 * then sees:
 *  - begun with sql_begin(): rows of its workspace only, whatever its text, on every lane;
 *  - begun with sql_begin_system(): on WORK every row; on ADMIT every row of the tables of admission, and no others;
 *    elsewhere at most the workspace that the connection served before: BEGIN, COMMIT and the like.
 * kith migrate connects without them.
 *
 * Connections with these roles also join the generation of events.
 */
void db_config_roles(struct db_config *c);

/* A database among those of all clusters, of the pg_control_system() c and the pg_database d; its standbys and copies
 * yield the same. */
#define DB_PLACE "concat_ws(' ', c.system_identifier, d.oid, current_schema())"

/* A value that only this database and its standbys have. The secret is not enough, because a copy of the database has
 * the same one; nor is system_identifier, which all databases of the cluster share. */
#define DB_IDENTITY "encode(sha256(v.value || convert_to(" DB_PLACE ", 'UTF8')), 'hex')"
#define DB_IDENTITY_FROM                                                                                               \
	"from server_secrets v, pg_control_system() c, pg_database d where v.name = 'cursor' and d.datname = "         \
	"current_database()"

/* Makes this the configuration of connections to a standby: only the lane REPLICA, as large as LIST was. Only a server
 * in recovery is connected to, unless the URL has target_session_attrs. identity is not copied. */
void db_config_replica(struct db_config *c, const char *url, const char *identity);

/* Starts to connect, and never blocks. Failed connections are retried with backoff from 50 ms to 1 s, by one prober at
 * a time, which tries one server after the other. A read-only server counts as failed unless the URL has
 * target_session_attrs. When the server in use refuses writes, its connections are closed. When it stops
 * responding, they are closed as soon as another server accepts writes. The config is copied. */
struct db *db_open(struct event_base *base, const struct db_config *config);

/* Ends every remaining exchange with DB_UNAVAILABLE or DB_LOST (calling done), closes, frees, sessions included. May
 * be called from a done. */
void db_close(struct db *db);

/* Sends what was queued on the shared pipelines in this turn, with one Sync per connection. Called by the main loop
 * at the end of every turn. */
void db_flush(struct db *db);

/* Queues an exchange; done is called later, from the loop, in every case. Ends the process on a programming error: a
 * statement begun with sql_begin() that does not mention workspace_id and $1, two texts with one name, or a session
 * that is in use. */
void db_send(struct db *db, struct db_exchange *x);

/* True while a sent exchange waits for a connection. */
bool db_exchange_waits(const struct db_exchange *x);

/* Frees the results; the exchange may be reused. */
void db_exchange_clear(struct db_exchange *x);

/* The memory that the results take. */
size_t db_exchange_bytes(const struct db_exchange *x);

/* A copy of a result, for another exchange; row -1: all rows. */
struct db_result *db_result_copy(const struct db_result *result, int row);

/* Ends a bound session without a further exchange: rolls back and returns the connection to its lane. */
void db_session_abandon(struct db *db, struct db_session *session);

/* Whether there is a pooler such as PgBouncer; known once connected. */
bool db_pooled(const struct db *db);

/* Runs the loop until the database is ready, or every server of the URL was tried without success. For a server that
 * does not answer this takes longer than an exchange waits for a connection. */
void db_await(struct db *db);

/* True when every lane has at least one working connection. */
bool db_ready(const struct db *db);

/* Why the database refused a write in the last seconds, for example because its disk is full. NULL if it did not, or if
 * a write has succeeded since. */
const char *db_refuses(const struct db *db);

/* What a COMMIT waits for. */
struct db_stall_cause {
	const char *name, *waits, *advice;
};
enum { DB_STALL_CAUSES = 2 };
extern const struct db_stall_cause db_stall_causes[DB_STALL_CAUSES];

/* Why a COMMIT of this login has had no answer for over 4 s, and for how long (us may be NULL). NULL: every COMMIT was
 * answered in time, or this struct db has no lane SIGNAL. While a COMMIT hangs, nothing new begins on WORK, and the
 * caller should begin no writes. */
const struct db_stall_cause *db_stalls(const struct db *db, int64_t *us);

/* The last failure on the lane that was not the fault of a statement, for the log. */
const char *db_trouble(const struct db *db, enum db_lane lane);

/* Why the last connection was lost or could not be made; "" if neither has happened. */
const char *db_away(const struct db *db);

/* Runs the loop until the exchange has ended: for the command line and tests, where nothing is served. Returns
 * x->status. */
enum db_status db_run(struct db *db, struct db_exchange *x);

/* Events of the signal connection. */
enum db_signal {
	DB_SIGNAL_DOWN,  /* it was lost, and with it the session's locks */
	DB_SIGNAL_UP,    /* a new one is connected and listens; notifications since DOWN were missed */
	DB_SIGNAL_NOTIFY /* notifications of other connections arrived; its own are ignored */
};
typedef void db_signal_fn(void *ctx, enum db_signal what);

/* Calls fn from the loop for each of these until db_close(). At most 4. */
void db_on_signal(struct db *db, db_signal_fn *fn, void *ctx);

/* Records the newest state of the database that a client was told of. If a later connection finds an older state,
 * the database was restored, and a new generation of events begins (migrations/0006_events.sql). */
void db_seen(struct db *db, int64_t generation, int64_t xid);

/* A number that is raised with every new signal connection; 0 while there is none. What an exchange has locked stays
 * locked while this equals the exchange's generation. */
uint64_t db_signal_generation(const struct db *db);

/* Counters, for tests, logs and benchmarks. */
struct db_stats {
	uint64_t exchanges, statements, syncs, retried, lost, busy, connects, connect_failures;
	int connected[DB_LANES], waiting[DB_LANES];
};
void db_stats_get(const struct db *db, struct db_stats *out);

/* What a lane has done, and its state. */
struct lane_stats {
	uint64_t ended[DB_LOST + 1]; /* exchanges, by enum db_status */
	struct histogram waits;      /* for a connection, of exchanges outside bound sessions */
	struct histogram durations;  /* of exchanges, waiting included */
	int connections, connected, waiting, queue_max, in_flight;
};
void db_lane_stats(const struct db *db, enum db_lane lane, struct lane_stats *out);

/* Failed statements by the class of their SQLSTATE: "53" and so on, at last "other". */
enum { DB_ERROR_CLASSES = 16 };
extern const char *const db_error_classes[DB_ERROR_CLASSES];
const uint64_t *db_errors(const struct db *db);

/* --- results; rows and columns count from 0; binary format ------------------ */

int db_rows(const struct db_exchange *x, int statement);
int db_columns(const struct db_exchange *x, int statement);
/* Rows changed by INSERT, UPDATE, DELETE. */
int64_t db_affected(const struct db_exchange *x, int statement);
bool db_null(const struct db_exchange *x, int statement, int row, int column);
/* In place, valid until db_exchange_clear(); NUL terminated; also for json. */
const char *db_text(const struct db_exchange *x, int statement, int row, int column, size_t *len);
int64_t db_int(const struct db_exchange *x, int statement, int row, int column); /* int2, int4, int8 */
bool db_bool(const struct db_exchange *x, int statement, int row, int column);
struct uuid db_uuid(const struct db_exchange *x, int statement, int row, int column);
/* The row that has this id in its first column; -1: there is none, or statement is -1. */
int db_row_of(const struct db_exchange *x, int statement, const struct uuid *id);
/* The same as db_uuid(); false, with out unchanged, when the value is null. */
bool db_uuid_read(const struct db_exchange *x, int statement, int row, int column, struct uuid *out);
/* A column of uuids over all rows, in the arena; returns their number. */
size_t db_uuid_column(const struct db_exchange *x, int statement, int column, struct arena *a, struct uuid **out);
int64_t db_time_ms(const struct db_exchange *x, int statement, int row, int column); /* timestamptz, unix ms */
int64_t db_time_us(const struct db_exchange *x, int statement, int row, int column); /* of our own clocks, unix us */
int32_t db_date(const struct db_exchange *x, int statement, int row, int column);    /* days since 1970-01-01 */
/* One-dimensional arrays; null reads as empty. Lists are allocated in the arena, texts there or in place, NUL
 * terminated. */
size_t db_uuid_array(
    const struct db_exchange *x, int statement, int row, int column, struct arena *a, struct uuid **out);
size_t db_text_array(const struct db_exchange *x, int statement, int row, int column, struct arena *a,
    const char ***out, size_t **lens); /* a null item reads as NULL */
size_t db_int8_array(const struct db_exchange *x, int statement, int row, int column, struct arena *a, int64_t **out);

#endif
