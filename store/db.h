/*
 * The database: connections in lanes, and exchanges that travel over them.
 *
 * An exchange is a list of statements sent in one libpq pipeline: one round
 * trip. It ends exactly once, by its done callback, which is always called from
 * the loop and never from inside db_send(). db.c and its neighbours db_*.c are
 * the only files that call libpq.
 */
#ifndef KITH_STORE_DB_H
#define KITH_STORE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/id.h"
#include "server/base/list.h"
#include "store/sql.h"

struct event_base;
struct db;         /* all lanes */
struct db_session; /* a write-lane connection bound to one open transaction */

/*
 * Which connections carry an exchange, and how:
 *  ADMIT, POINT  shared: many exchanges in one pipeline, one Sync a turn of the loop;
 *                read only, named statements; cheap by design
 *  LIST          one exchange at a time, statement_timeout; unnamed statements are planned with their values
 *  FEED          as LIST, for the feed of events, which no list shall stand before
 *  WRITE         one transaction at a time
 *  WORK          dispatcher, scheduler, clean-up, command line
 *  SIGNAL        one connection, which listens to DB_CHANNEL and notifies it; session advisory locks may be held on
 *                it: see db_on_signal(). Nothing durable is written there (synchronous_commit is off).
 */
enum db_lane { DB_ADMIT, DB_POINT, DB_LIST, DB_FEED, DB_WRITE, DB_WORK, DB_SIGNAL, DB_LANES };

#define DB_CHANNEL "kith_events" /* of LISTEN and NOTIFY: events were committed */

/* Who asks on WORK: each waits in a turn of its own, as a workspace does on other lanes. */
enum db_work {
	DB_WORK_SEND, /* the dispatcher, the command line */
	DB_WORK_DUE,  /* jobs that have to be in time */
	DB_WORK_CLEAN /* jobs that may take long, and may wait for a workspace's locks */
};

/*
 * Whose turn it is. Exchanges of POINT, LIST, FEED and WRITE that wait are taken in turn of their workspaces: that of
 * the first statement begun with sql_begin(); those without one are one party more. On WORK the parties are those of
 * enum db_work, and each but DB_WORK_SEND holds one connection at a time. On all but POINT a workspace that holds no
 * connection may have any that is free. One that holds some leaves lane_spare free for such, and gets no more than half
 * of the lane's while another one waits. A bound session holds its connection until it ends.
 */

/*
 * How an exchange ends. When its connection breaks under it:
 *  - on ADMIT and POINT it is sent again, up to three times, then DB_LOST (what
 *    it does must bear being done twice);
 *  - elsewhere DB_UNAVAILABLE when certainly nothing was committed: a transaction
 *    is open and this exchange has no COMMIT; or a statement before the COMMIT (without a transaction:
 *    any statement) failed, or was where the server said that it ends the connection. Such an
 *    exchange is first tried once more when it is not part of a bound session;
 *  - else DB_LOST, in particular always when COMMIT was sent and the server just went silent.
 * A deadline that passes after sending is DB_LOST; its connection is closed, and its backend ended if that waits
 * for the rest of what was sent or what it does can have no effect (db_orphan.c). On LIST and FEED a statement that
 * takes all that is left fails a little before that, and the connection stays. Before sending it is DB_BUSY, or
 * DB_UNAVAILABLE when the lane has no connection (for which an exchange waits at most 1 s). Statements outside BEGIN
 * and COMMIT are one implicit transaction an exchange.
 */
enum db_status {
	DB_OK,          /* every statement ran */
	DB_FAILED,      /* a statement failed: sqlstate, failed; with a transaction open it must be rolled back */
	DB_BUSY,        /* the lane's queue is full or it waited too long: nothing was sent */
	DB_UNAVAILABLE, /* no connection, the server is starting or stopping, or the bound session is gone: nothing was
	                 * done, and what its transaction did before is rolled back */
	DB_LOST         /* the connection broke, or the deadline passed, after it was sent: what it did is unknown */
};

struct db_result; /* PGresult */

struct db_exchange {
	/* the owner fills in these; zero the whole first */
	enum db_lane lane;
	enum db_work work; /* on WORK */
	/* LIST, FEED, WRITE, WORK: stay bound to the connection after DB_OK or DB_FAILED; session is then set. It is
	 * NULL after any other status, and without keep (what is still open is then rolled back). A transaction that
	 * stays idle for too long is rolled back: the next db_send() on the session ends with DB_UNAVAILABLE. */
	bool keep;
	struct db_session *session; /* continue on this bound connection; NULL: any of the lane */
	struct sql **statements;    /* in the order they run; they and their arena live until done */
	int n_statements;
	void (*done)(struct db_exchange *x);
	void *owner;
	int deadline_ms; /* 0: the lane's own */
	int most_ms; /* LIST, FEED: a statement of it may take so long, where the lane allows more; 0: as the lane */
	/* Asked when it has waited for a connection for a while, before it is sent: nobody needs it any more. It ends
	 * with DB_BUSY. NULL: never. */
	bool (*given_up)(const struct db_exchange *x);

	/* the store fills in these */
	enum db_status status;
	struct db_result **results; /* one a statement when DB_OK; up to the failed one when DB_FAILED */
	char sqlstate[6];
	char constraint[64]; /* name, when a constraint was violated */
	char message[256];   /* primary message, for the log */
	int failed;          /* index of the statement that failed; -1 when none did */
	int64_t took_us;     /* from db_send() to done */
	uint64_t generation; /* SIGNAL: of the connection that ran it, see db_signal_generation() */
	int n_retries;       /* how often it was sent again after its connection had broken */

	/* the store's own */
	struct list link;
	int64_t sent_us, deadline_us;
	int position;
	void *connection;
	struct uuid party;
};

struct db_config {
	const char *url;             /* libpq connection string or URL */
	const char *roles[DB_LANES]; /* constants: the role a lane's connections act as; NULL: the login's own */
	bool join;                   /* each connection makes sure of the generation of events first, see db_join.c */
	int lane_size[DB_LANES];     /* SIGNAL: 0 or 1 */
	int lane_spare[DB_LANES]; /* of them kept free for workspaces that have none; at most half of those there are */
	int queue_max[DB_LANES];  /* exchanges waiting for a connection; over it DB_BUSY for who has the most */
	int statement_timeout_ms[DB_LANES];
	int deadline_ms[DB_LANES];  /* of an exchange, waiting included */
	int idle_in_transaction_ms; /* a bound session unused for so long is rolled back */
};

/* The lanes' sizes, caps and times for a machine with so many cores; without roles. */
void db_config_default(struct db_config *c, const char *url, int cores);

/*
 * The roles behind which row-level security keeps workspaces apart (migrations/0009_row_security.sql). What a statement
 * may see then:
 *  - begun with sql_begin(): rows of its workspace, whatever its text says, on every lane;
 *  - begun with sql_begin_system(): every row on WORK, and on ADMIT of the tables of admission, which has no others;
 *    elsewhere at most those of the workspace that the connection served before: BEGIN, COMMIT and the like.
 * kith migrate connects without them.
 *
 * Connections that act as these also join the generation of events.
 */
void db_config_roles(struct db_config *c);

/* Starts connecting; never blocks. Connections that fail are tried again with
 * back-off from 50 ms to 1 s, one prober at a time. A server that only reads counts as failing unless the URL has
 * target_session_attrs; one that refuses to write later on is left. The config is copied. */
struct db *db_open(struct event_base *base, const struct db_config *config);

/* Ends every exchange that is still there with DB_UNAVAILABLE or DB_LOST (calling
 * done), closes, frees; sessions are gone with it. May be called from a done. */
void db_close(struct db *db);

/* Sends what was queued on the shared pipelines this turn, with one Sync a
 * connection. The main loop calls it at the end of every turn. */
void db_flush(struct db *db);

/* Hands an exchange over. done is called later, from the loop, whatever happens.
 * Ends the process when a statement begun with sql_begin() does not mention workspace_id and $1, when two texts share
 * one name, or when its session already works: errors of ours. */
void db_send(struct db *db, struct db_exchange *x);

/* Frees the results; the exchange may be used again. */
void db_exchange_clear(struct db_exchange *x);

/* Gives a bound session back without a further exchange: rolls back and returns
 * the connection to its lane. For owners that give up. */
void db_session_abandon(struct db *db, struct db_session *session);

/* Whether a pooler such as PgBouncer is in between, once a connection is there. */
bool db_pooled(const struct db *db);

/* Blocks the caller in the loop until the database is ready or every server that the URL names was tried in vain:
 * one that does not answer at all takes longer than an exchange waits for a connection. */
void db_await(struct db *db);

/* True when every lane has at least one working connection. */
bool db_ready(const struct db *db);

/* Why the database refused a write in the last seconds, when none has succeeded since (its disk is full, say); NULL: it
 * has not. */
const char *db_refuses(const struct db *db);

/* Blocks the caller in the loop until the exchange has ended: for the command
 * line and tests, where nothing is served. Answers x->status. */
enum db_status db_run(struct db *db, struct db_exchange *x);

/* What the signal connection tells. */
enum db_signal {
	DB_SIGNAL_DOWN,  /* it was lost, and with it the session's locks */
	DB_SIGNAL_UP,    /* it is there, a new one, and listens; notifications between the two were missed */
	DB_SIGNAL_NOTIFY /* one or more notifications of other connections came; its own are passed over */
};
typedef void db_signal_fn(void *ctx, enum db_signal what);

/* Calls fn from the loop on each of these until db_close(). At most 4. */
void db_on_signal(struct db *db, db_signal_fn *fn, void *ctx);

/* How far the database was seen by somebody who was told: one that is not there yet when we connect again was put back
 * to an earlier time, and begins a new generation of events (migrations/0006_events.sql). */
void db_seen(struct db *db, int64_t generation, int64_t xid);

/* A number that every new signal connection raises; 0 while there is none. What an exchange locked is
 * held for as long as this equals the exchange's generation. */
uint64_t db_signal_generation(const struct db *db);

/* Counters, for tests, logs and the bench. */
struct db_stats {
	uint64_t exchanges, statements, syncs, retried, lost, busy, connects, connect_failures;
	int connected[DB_LANES], waiting[DB_LANES];
};
void db_stats_get(const struct db *db, struct db_stats *out);

/* --- results; row and column count from 0; binary format ------------------- */

int db_rows(const struct db_exchange *x, int statement);
int db_columns(const struct db_exchange *x, int statement);
/* Rows changed by INSERT, UPDATE, DELETE. */
int64_t db_affected(const struct db_exchange *x, int statement);
bool db_null(const struct db_exchange *x, int statement, int row, int column);
/* Bytes in place, valid until db_exchange_clear(); NUL terminated; also for json. */
const char *db_text(const struct db_exchange *x, int statement, int row, int column, size_t *len);
int64_t db_int(const struct db_exchange *x, int statement, int row, int column); /* int2, int4, int8 */
bool db_bool(const struct db_exchange *x, int statement, int row, int column);
struct uuid db_uuid(const struct db_exchange *x, int statement, int row, int column);
/* The same into out, which stays as it is when the value is null: then false. */
bool db_uuid_read(const struct db_exchange *x, int statement, int row, int column, struct uuid *out);
/* A column of them, all rows', in the arena; answers how many. */
size_t db_uuid_column(const struct db_exchange *x, int statement, int column, struct arena *a, struct uuid **out);
int64_t db_time_ms(const struct db_exchange *x, int statement, int row, int column); /* timestamptz, unix ms */
int32_t db_date(const struct db_exchange *x, int statement, int row, int column);    /* days since 1970-01-01 */
/* numeric as plain decimal without trailing zeros, in the arena. */
const char *db_numeric(const struct db_exchange *x, int statement, int row, int column, struct arena *a);
/* One-dimensional arrays; null reads as empty. Lists lie in the arena, texts there or in place; they are NUL
 * terminated. */
size_t db_uuid_array(
    const struct db_exchange *x, int statement, int row, int column, struct arena *a, struct uuid **out);
size_t db_text_array(const struct db_exchange *x, int statement, int row, int column, struct arena *a,
    const char ***out, size_t **lens); /* a null item reads as NULL */
size_t db_int8_array(const struct db_exchange *x, int statement, int row, int column, struct arena *a, int64_t **out);

#endif
