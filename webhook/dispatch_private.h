/*
 * What the files of the dispatcher share. Included by webhook/dispatch*.c alone.
 *
 *  dispatch.c        start, stop, what happens when; memory of webhooks
 *  dispatch_lead.c   which process sends
 *  dispatch_look.c   which webhooks have something to do
 *  dispatch_load.c   a webhook's row and what waits for it
 *  dispatch_read.c   its events and due rows
 *  dispatch_send.c   attempts
 *  dispatch_write.c  what came of them
 */
#ifndef KITH_WEBHOOK_DISPATCH_PRIVATE_H
#define KITH_WEBHOOK_DISPATCH_PRIVATE_H

#include "webhook/dispatch.h"
#include "webhook/schedule.h"
#include "webhook/subscription.h"
#include "webhook/window.h"

enum {
	LOOK_MS = 250,            /* a look at the latest after so long */
	LOOK_AGAIN_MS = 5,        /* after one that saw something above the horizon; doubled each time, up to LOOK_MS */
	LOOK_PAUSE_MS = 2,        /* between two looks */
	LOOK_SHARE = 4,           /* a look that took long is followed by a pause of so many times as long */
	LEAD_MS = 1000,           /* between two tries to become the one that sends */
	HOOKS_MAX = 512,          /* webhooks in memory */
	READS_MAX = 2,            /* reads under way */
	READ_ROWS = 100,          /* events of one read */
	READ_BYTES = 64 * 1024,   /* and their data, but for the first */
	ROOM_LIVE = 100,          /* a webhook with as many entries that are not done, */
	ROOM_BYTES = 64 * 1024,   /* or as many bytes of bodies, */
	ROOM_ENDED = 1000,        /* or as many that are to be written, reads no further */
	FLYING_MAX = 256,         /* attempts under way */
	FLYING_FAILING_MAX = 128, /* of them to webhooks that fail */
	BATCH_MAX = 1000,         /* outcomes written in one transaction */
	WRITE_MS = 20,            /* how long outcomes wait for others */
	AGAIN_MS = 200,           /* after a read or a write that failed */
	SAVE_MS = 1000,           /* a position that moves over events of others is written so often */
	BUCKETS = 256
};

/* A row of deliveries in the order in which they become due. */
struct due_mark {
	int64_t due_us; /* of the database's clock; INT64_MIN: before all */
	int64_t generation;
	uint64_t xid;
	int64_t seq;
};

/* A webhook in memory. */
struct hook {
	struct dispatcher *d;
	struct list link;    /* d->hooks, the one that was used last at the end */
	struct list bucket;  /* by id */
	struct list turn;    /* d->turns, while it has something to send and all places are taken */
	struct list reading; /* d->readers, while it waits to be read */
	struct list touched; /* d->touched, while something of it is to be written */
	struct uuid workspace, id;
	int64_t version;
	uint64_t asked, told; /* looks: the last that asked for it, and that spoke of it */

	/* when loaded */
	bool loaded;
	struct arena arena;
	struct uuid creator;
	struct subscriptions subscriptions;
	int pass; /* of its rows */
	struct target *target;
	enum target_verdict verdict;
	unsigned char secret[SIGN_SECRET_LEN], former[SIGN_SECRET_LEN];
	bool has_secret, has_former;
	int64_t former_until_ms;
	struct window window;
	struct event_position saved;            /* that the database knows */
	int64_t saved_us;                       /* when */
	int64_t touched_us;                     /* when what came of attempts is to be written */
	struct event_position writing_position; /* of the batch under way */
	struct event_position known;            /* events up to here may have rows; unset: none has */
	int64_t failing_since_ms;               /* 0: not */
	bool failing_changed;

	bool has_events;      /* behind window.read */
	bool told_meanwhile;  /* while a read was under way */
	int64_t due_ms;       /* the next row is due; INT64_MAX: none */
	struct due_mark mark; /* rows up to here are in the window */
	int failures;         /* in a row */
	int64_t rest_until_us;
	const char *give_up; /* "gone", "failing": is to become inactive */

	int flying;   /* attempts under way */
	bool writing; /* it is in the batch under way */
	bool read_under_way;
	bool gone; /* changed, inactive, deleted, or not ours: ends when nothing is under way */
	bool lost; /* nothing of it may be written any more */
};

struct batch_item {
	struct hook *hook;
	struct window_entry *entry;
};

enum lead { LEAD_NOT, LEAD_RAISING, LEAD_YES };

struct dispatcher {
	struct dispatch_config config;
	bool stopping, unlocking, stopped;
	loop_fn *stopped_fn;
	void *stopped_ctx;

	struct event *timer;
	int64_t timer_us; /* when it comes; 0: it is not set */
	bool running;
	int64_t stop_us;
	struct arena stop_arena;
	struct sql stop_sql, *stop_statements[1];
	struct db_exchange stop_x;

	/* leading */
	enum lead lead;
	int64_t term;        /* 0: none; kept while the connection is away, as nobody else may have come */
	uint64_t generation; /* of the connection that has the lock; 0: none */
	int64_t lead_us;     /* when to try again */
	bool lead_asking;
	struct arena lead_arena;
	struct sql lead_sql, *lead_statements[1];
	struct db_exchange lead_x;

	/* looking */
	bool woken, above, looking;
	int look_again_ms;
	int64_t looked_us, look_us; /* the last began; not before */
	int64_t next_due_ms;        /* of webhooks that are not in memory */
	uint64_t looks;
	struct arena look_arena;
	struct sql look_sql, *look_statements[2];
	struct db_exchange look_x;

	struct list hooks, buckets[BUCKETS], turns, readers, touched;
	int64_t read_us; /* nothing is read before */
	int n_hooks, n_gone, reads, flying, flying_failing;

	/* writing */
	bool writing;
	int64_t write_us; /* when to write next; INT64_MAX: there is nothing */
	struct batch_item batch[BATCH_MAX];
	int n_batch;
	struct arena write_arena;
	struct sql *write_statements[5];
	struct db_exchange write_x;
	bool batch_lost; /* while it is under way: it is not written again */
	struct hook *batch_hooks[HOOKS_MAX];
	int n_batch_hooks;
};

/* --- dispatch.c */
/* Does what there is to do; safe to call from anywhere. */
void dispatch_run(struct dispatcher *d);
/* Sees to it that it is called at that moment. */
void dispatch_at(struct dispatcher *d, int64_t mono_us);
struct hook *hook_find(struct dispatcher *d, const struct uuid *id);
/* NULL: no more may be in memory, none can be put away. */
struct hook *hook_new(struct dispatcher *d, const struct uuid *workspace, const struct uuid *id, int64_t version);
/* Nothing more begins for it; dispatch_run() frees it when nothing is under way. lost: nothing is written either. */
void hook_end(struct hook *h, bool lost);
/* It may have something to read, to send, to write. */
void hook_go(struct hook *h);
/* The first statement of exchanges that run often: over many partitions, planning takes far longer than what is
 * planned. Until the exchange's end. */
struct sql *plan_once(struct arena *a);
/* Something of it is to be written, by then. */
void hook_touch(struct hook *h, int64_t mono_us);

/* --- dispatch_lead.c */
bool lead_now(const struct dispatcher *d);
void lead_run(struct dispatcher *d);
/* Another process sends: what is in memory is forgotten. */
void lead_lost(struct dispatcher *d);

/* --- dispatch_look.c */
void look_run(struct dispatcher *d);

/* --- dispatch_load.c */
/* Appends the statements that load it, n of them. */
enum { LOAD_STATEMENTS = 3 };
void load_statements(const struct hook *h, struct arena *a, struct sql *s[LOAD_STATEMENTS]);
/* Reads their results; false: it is not there, not active, or another version. */
bool load_result(struct hook *h, const struct db_exchange *x);

/* --- dispatch_read.c */
bool read_wanted(const struct hook *h);
/* Starts as many reads as may be under way. */
void read_run(struct dispatcher *d);

/* --- dispatch_send.c */
void send_hook(struct hook *h);
/* Gives free places to those that wait for one. */
void send_turns(struct dispatcher *d);

/* --- dispatch_write.c */
void write_run(struct dispatcher *d);
/* What is to be written is given up. */
void write_forget(struct dispatcher *d);

#endif
