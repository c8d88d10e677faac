/* Shared by the files of the store behind db.h. Included by store/db*.c and their tests only. */
#ifndef KITH_STORE_DB_PRIVATE_H
#define KITH_STORE_DB_PRIVATE_H

#include <event2/event.h>
#include <event2/event_struct.h>
#include <libpq-fe.h>

#include "store/db.h"

enum {
	TICK_MS = 50, /* precision of deadlines */
	CONNECT_TIMEOUT_MS = 5000,
	HOST_TIMEOUT_MS = 2000,   /* the same if the URL names further servers */
	SILENT_TIMEOUT_MS = 1000, /* the same for a server that did not answer the last attempt */
	HOSTS_LISTS = 3,          /* the lists of names, addresses and ports */
	HOSTS_SAID = 512,
	BACKOFF_FIRST_MS = 50,
	BACKOFF_MAX_MS = 1000,
	NO_CONNECTION_WAIT_MS = 1000, /* how long an exchange waits for a lane's first connection */
	OWN_COMMAND_MS = 5000,        /* time limit of our own ROLLBACK or LISTEN */
	SHARED_IN_FLIGHT_MAX = 512,   /* exchanges in one shared pipeline */
	RETRIES_MAX = 3,
	NAMES_MAX = 1024,
	VARIANTS_MAX = 128, /* of names with a variant */
	SIGNALS_MAX = 4     /* listeners to the signal connection */
};

/* What a connection's next result belongs to. */
enum op_kind {
	OP_PREPARE, /* of statement index of x */
	OP_WORKSPACE_PREPARE,
	OP_WORKSPACE, /* sets the workspace for statement index of x; see db_workspace.c */
	OP_TIMEOUT,   /* the time left for x, see db_write.c */
	OP_STATEMENT, /* statement index of x */
	OP_ROLLBACK,  /* our own, before a connection returns to its lane */
	OP_LISTEN,    /* our own, before the signal connection is used */
	OP_SYNC
};

struct op {
	enum op_kind kind;
	bool has_result;       /* its result has arrived; the terminating NULL has not */
	struct db_exchange *x; /* NULL once x has ended */
	int index;
	int name; /* OP_PREPARE: index of the name */
};

/* The server that connections with db_config.join lead to. */
struct server_seen {
	int64_t system, timeline;
	int64_t generation; /* 0: none yet */
};

enum conn_state { CONN_DOWN, CONN_CONNECTING, CONN_UP };

struct conn {
	struct db *db;
	enum db_lane lane;
	enum conn_state state;
	bool told;                 /* the server has said why it ends the connection: db->away */
	bool settings_sent;        /* connecting: logged in */
	bool refused;              /* connecting: the server must not be used, see db_setup.c */
	bool broken;               /* will be closed in the loop's next turn */
	bool leaving;              /* will be closed when its current work has ended */
	int host;                  /* index of its server in the URL */
	int backend_pid;           /* as reported by PostgreSQL itself; poolers report another */
	struct server_seen server; /* all zeros: not known */
	bool needs_sync;           /* shared: exchanges were written since the last Sync */
	PGconn *pg;
	struct event read_event, write_event, connect_event;
	int64_t since_us; /* start of connecting, or of our own command */
	int64_t up_us;    /* time of connection */

	struct op *ops; /* a ring: awaited results, in order */
	int ops_first, n_ops, cap_ops;
	struct list in_flight; /* exchanges sent, in order */
	int n_in_flight;
	bool group_failed; /* something failed since the last Sync result */

	/* exclusive lanes */
	struct db_exchange *x; /* the one in progress; also the only one in in_flight */
	struct db_session *session;
	struct uuid party; /* the party using it; see db_lane.c; on WORK the last byte is enum db_work */
	bool own_command;  /* a command of our own is running */
	int commit_from;   /* of x: the first op from which on something may be committed, see db_write.c */

	unsigned char prepared[NAMES_MAX / 8];

	/* the setting kith.workspace once everything sent so far has run */
	enum { WORKSPACE_UNKNOWN, WORKSPACE_ALL, WORKSPACE_ONE } workspace_set;
	struct uuid workspace;
	bool workspace_prepared;
	int n_suspect;      /* groups in flight that rely on a setting which a failure may have undone */
	bool group_suspect; /* the group whose results are being read is one of them */
};

/* Outlives its connection: dead (conn NULL) until its owner uses it again. */
struct db_session {
	struct list link;
	struct conn *conn;
	int64_t idle_since_us;
};

/* Failed exchanges of a lane and status, see db_trouble.c. */
struct trouble {
	char text[300]; /* of the latest */
	int n;          /* since it was logged */
	int64_t logged_us;
};

struct lane {
	struct conn *conns;
	int n_conns, n_up, n_spare;
	struct fair_queue waiting; /* exchanges; see db_lane.c */
	int64_t down_since_us;     /* when n_up became 0 */
	uint64_t ended[DB_LOST + 1];
	struct histogram waits, durations; /* see struct lane_stats */
};

struct name {
	char *name, *text;
	size_t len;
};

struct db_host {
	struct db *db;
	char *lists[HOSTS_LISTS]; /* of the URL or the environment; NULL: not given, libpq decides */
	bool by_name;             /* looked up by kith, because libpq would block */
	char *found;              /* its addresses, with commas, as last found; NULL: none yet */
	int n_found;
	struct dns_query *query; /* in progress */
	char *address;           /* the address in found that db_survey.c has chosen; NULL: any */
	bool silent;             /* did not answer the last attempt */
	bool asked;              /* by the survey in progress */
};

struct hosts {
	struct db_host *list;
	int n;                 /* number of servers, as far as known */
	int first;             /* index of the one to try next, or in use */
	int n_tried;           /* servers tried without success since one was reached, or since the last pause */
	char said[HOSTS_SAID]; /* why they failed */
	struct dns *dns;       /* NULL: not needed yet */
};

struct db {
	struct event_base *base;
	struct db_config config;
	struct hosts hosts;
	struct server_seen server;
	bool heard;                              /* something arrived since the last tick */
	struct silence *silence;                 /* see db_silence.c */
	struct stall *stall;                     /* see db_stall.c */
	struct survey *survey;                   /* see db_survey.c */
	const struct db_stall_cause *stalled_by; /* NULL: COMMIT does not hang */
	bool pooled;                             /* there is a pooler */
	struct lane lanes[DB_LANES];
	struct list sessions;
	struct list finished; /* ended, done not called yet */
	int n_finished;
	struct event tick, later;
	bool later_pending;
	int depth; /* nesting of deliveries */
	bool closing, free_me;

	/* reconnecting: after a failure a single connection tries */
	bool healthy;
	struct conn *prober;
	int backoff_ms;
	int64_t retry_at_us;
	int64_t away_us; /* since when a lane has no connection, or none could be made; 0: all lanes are connected */
	char away[HOSTS_SAID]; /* why the last connection was lost, or not made */
	int64_t lost_us;       /* when the loss of one was last logged */
	int n_lost;            /* further ones since */

	/* the signal lane, see db_signal.c */
	struct {
		db_signal_fn *fn;
		void *ctx;
	} signals[SIGNALS_MAX];
	int n_signals;
	bool signalled[DB_SIGNAL_NOTIFY + 1]; /* to be delivered */
	uint64_t generations, generation;     /* number made so far; number of the listening connection, 0: none */

	int64_t seen_generation, seen_xid; /* see db_seen() */
	struct orphans *orphans;           /* see db_orphan.c */

	struct trouble troubles[DB_LANES][DB_LOST + 1];
	enum db_status last_trouble[DB_LANES];
	int64_t refused_us; /* last write refused by the database, 0: it accepts writes */
	char refused_for[300];

	struct name *names;
	int n_names, n_variants;
	struct db_stats stats;
	uint64_t errors[DB_ERROR_CLASSES];
};

static inline bool lane_shared(enum db_lane lane)
{
	return lane == DB_ADMIT || lane == DB_POINT;
}

/* Lanes of lists and filters. */
static inline bool lane_lists(enum db_lane lane)
{
	return lane == DB_LIST || lane == DB_REPLICA;
}

/* Lanes whose statements are planned with their values and find rows by the views of kith_search. */
static inline bool lane_plans(enum db_lane lane)
{
	return lane_lists(lane) || lane == DB_FEED;
}

/* The lane whose system statements see every workspace. */
static inline bool lane_system(enum db_lane lane)
{
	return lane == DB_WORK;
}

/* --- db_workspace.c */
/* Sends the setting with which statement index of x sees its workspace's rows only, or all rows on the lane of system
 * statements. Sends nothing where the setting is in effect or not needed. */
bool conn_workspace(struct conn *c, struct db_exchange *x, int index);
/* A rollback may have undone the setting. */
void conn_workspace_forget(struct conn *c);
/* On a shared lane, when a group's Sync has arrived and before group_failed is reset: after a failure forgets the
 * setting and marks the groups sent since as suspect. */
void conn_workspace_synced(struct conn *c);
/* The result of setting the workspace; its value does not matter. */
void conn_workspace_result(struct conn *c, const struct op *op, const PGresult *r);

/* --- db_exchange.c */
void exchange_failed(struct db_exchange *x, int index, const PGresult *r);
/* True when x failed because of its prepared statement: the name is unknown to the server (26000; its preparation
 * was skipped), or the schema has changed since (0A000). */
bool exchange_name_trouble(const struct db_exchange *x);
/* Ends x: removes it from its list and delivers it from the loop. */
void db_finish(struct db *db, struct db_exchange *x, enum db_status status);
void db_later(struct db *db); /* db_deliver() and closing of broken connections, in the loop's next round */

/* --- db_deliver.c */
/* The only caller of done. No state is held across the call, so that it may send, abandon or close. */
void db_deliver(struct db *db);
/* Frees a closed database. */
void db_free(struct db *db);

/* --- db_trouble.c */
/* To be called for every ended exchange. */
void trouble_note(struct db *db, const struct db_exchange *x);
void trouble_tick(struct db *db, int64_t now_us);
/* A connection was lost: logs it once per second, with the number of the others. */
void trouble_lost(struct db *db, enum db_lane lane);
/* To be called when a transaction of WRITE was committed. */
void trouble_written(struct db *db);

/* --- db_lane.c */
/* Queues x for a connection of its lane. False when the queue is full, then for x's workspace. */
bool lane_wait(struct db *db, struct db_exchange *x);
/* Queues x at the front, because it had its turn already. */
void lane_wait_again(struct db *db, struct db_exchange *x);
/* Puts a sent exchange back to the front of its lane's queue. */
void lane_ask_again(struct db *db, struct db_exchange *x);
/* Takes an exchange of the next party for whose first exchange may() is true, with the lane (NULL: of the next party).
 * Returns NULL when there is none. */
struct db_exchange *lane_take(struct lane *l, fair_may_fn *may);
/* Ends all exchanges for which end() is true, with the status it sets; NULL: all, with DB_UNAVAILABLE. */
typedef bool lane_end_fn(const struct lane *l, const struct db_exchange *x, int64_t now_us, enum db_status *status);
void lane_end(struct db *db, struct lane *l, lane_end_fn *end, int64_t now_us);

/* --- db_connect.c */
void conn_init(struct conn *c, struct db *db, enum db_lane lane);
/* Starts connections that are due: the prober, or all that are down. */
void conn_start_due(struct db *db, int64_t now_us);
/* Closes a connection that has failed. The lane's rule decides whether its exchanges in flight are sent again or end.
 * error: the server's error for the oldest of them; NULL: the server did not respond. */
void conn_lost(struct conn *c, const PGresult *error);
void db_conn_close(struct conn *c);
/* Time limit of the attempt to connect. */
int connect_timeout_ms(const struct conn *c);
/* Continues the prober's attempt when the look-up of its server's name has ended. */
void connect_looked_up(struct db *db);
/* No server can be connected to, for the reason in db->hosts.said: the next attempt is after a pause. */
void connect_pause(struct db *db, enum db_lane lane, int64_t since_us);
/* The server refused a write: closes this connection, and all others as soon as they are not in use. */
void conn_read_only(struct conn *c, const PGresult *error);
/* Closes the connection, now or when its current work has ended. It gets no new work. */
void conn_leave(struct conn *c);

/* --- db_hosts.c */
void hosts_init(struct hosts *h, struct db *db);
void hosts_free(struct hosts *h);
/* libpq's host, hostaddr and port of a server, in the arena; NULL where the URL's own values suffice. address: the
 * index of its address; -1: the chosen address, or all addresses. False when its addresses are not known yet. */
bool hosts_values(const struct hosts *h, int i, int address, struct arena *a, const char *values[HOSTS_LISTS]);
/* The server as shown to people: its name and port, and which of several addresses. */
void hosts_name(const struct hosts *h, int i, int address, char *out, size_t size);
/* Looks up the name of the server, if it has one. */
void hosts_look_up(struct hosts *h, int i);
/* Makes it the server to be tried next, at this address. */
void hosts_choose(struct hosts *h, int i, const char *address);
/* Records that an attempt at this server has failed, and why; the next server is tried next. True when all have been
 * tried. */
bool hosts_failed(struct hosts *h, int host, bool silent, const char *reason);
void hosts_reached(struct hosts *h, int host);

/* --- db_survey.c */
struct survey *survey_new(struct db *db);
void survey_free(struct survey *s); /* also a survey in progress */
/* Whether the servers of the URL are compared before one is connected to. */
bool survey_wanted(const struct db *db);
/* True when the chosen server may be connected to, by the next attempt only. Otherwise a survey begins or is in
 * progress, and conn_start_due() is called when it ends. */
bool survey_done(struct db *db);
void survey_poll(struct db *db);
void survey_tick(struct db *db, int64_t now_us);

/* --- db_silence.c */
struct silence *silence_new(struct db *db); /* freed by free() */
void silence_tick(struct db *db, int64_t now_us);

/* --- db_stall.c */
struct stall *stall_new(struct db *db); /* freed by free() */
void stall_tick(struct db *db, int64_t now_us);

/* --- db_setup.c */
#define DB_POOL_ADVICE "set its pool_mode to session for this database, or name PostgreSQL itself in database_url"
/* Sends a connection's settings, right after the login. */
bool setup_send(struct conn *c);
/* True when the database has moved from this server to another one, on a later timeline. */
bool setup_superseded(const struct conn *c);
/* Continues the setup. Returns what it waits for, or how it ended. */
enum setup { SETUP_READING, SETUP_WRITING, SETUP_DONE, SETUP_FAILED };
enum setup setup_poll(struct conn *c);

/* --- db_write.c */
struct op *conn_op_push(struct conn *c, enum op_kind kind, struct db_exchange *x, int index);
struct op *conn_op_head(struct conn *c);
void conn_op_pop(struct conn *c);
/* Sets the time limit of the exchange sent next, if it is below the lane's. */
bool conn_timeout(struct conn *c, struct db_exchange *x, int ms);
bool conn_write(struct conn *c, struct db_exchange *x);
bool conn_sync(struct conn *c);
bool conn_rollback(struct conn *c);
/* Sends buffered data; waits for writability when the socket is full. */
void conn_flush(struct conn *c);
/* Marks the connection as lost; it is closed in the loop's next round. */
void conn_break(struct conn *c);
void statement_check(struct db *db, const struct sql *s);
bool statement_rolls_back(const struct sql *s);
int statement_commit_from(const struct db_exchange *x, bool in_transaction);

/* --- db_input.c */
void conn_input(struct conn *c);
bool conn_result_fatal(const PGresult *r);

/* --- db_signal.c */
/* Starts listening, as the connection's first command. */
void signal_connected(struct conn *c);
/* To be called when LISTEN has succeeded or failed. */
void signal_listening(struct conn *c);
void signal_lost(struct conn *c);
/* Notifications arrived on any connection. */
void signal_notified(struct conn *c);
/* Delivers pending signals; called from the loop. */
void signal_deliver(struct db *db);

/* --- db_orphan.c */
struct orphans *orphans_new(struct db *db); /* freed by free() */
/* Watches the backend of a lost connection until it is gone. */
void orphan_add(struct conn *c);
void orphans_tick(struct db *db, int64_t now_us);

/* --- db_shared.c */
void shared_flush(struct db *db, enum db_lane lane);
void shared_statement_ended(struct conn *c, struct db_exchange *x);
void shared_sync(struct conn *c);
void shared_lost(struct conn *c);

/* --- db_exclusive.c */
void exclusive_run(struct db *db, enum db_lane lane);
void exclusive_send(struct conn *c, struct db_exchange *x);
void exclusive_sync(struct conn *c);
void exclusive_lost(struct conn *c, const PGresult *error);
void session_free(struct db_session *s);
void session_tick(struct db *db, int64_t now_us);

#endif
