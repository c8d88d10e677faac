/*
 * Shared by the files of the dispatcher. Included by webhook/dispatch*.c only.
 *
 *  dispatch.c        start, stop, the main function, election of the sending process
 *  dispatch_hook.c   webhooks and workspaces in memory; what all other files call
 *  dispatch_poll.c   polling for new events and changed webhooks; scan for earlier work
 *  dispatch_load.c   a webhook's row, and its deliveries that hold up later events
 *  dispatch_read.c   its events and due deliveries
 *  dispatch_send.c   attempts, their fair distribution, what is counted
 *  dispatch_write.c  outcomes
 */
#ifndef KITH_WEBHOOK_DISPATCH_PRIVATE_H
#define KITH_WEBHOOK_DISPATCH_PRIVATE_H

#include "server/base/fair_queue.h"
#include "store/db_ask.h"
#include "webhook/dispatch.h"
#include "webhook/schedule.h"
#include "webhook/subscription.h"
#include "webhook/window.h"

enum {
	POLL_MS = 250,          /* interval between polls */
	POLL_AGAIN_MS = 5,      /* after a poll that saw events above the horizon; doubled each time, up to POLL_MS */
	POLL_PAUSE_MS = 2,      /* least pause between two polls */
	POLL_SHARE = 4,         /* pause after a poll, as a multiple of its duration */
	LEAD_MS = 1000,         /* interval of attempts to become the sender */
	POLL_ROWS = 2000,       /* events per poll, apart from those of its last transaction */
	SCAN_ROWS = 100,        /* webhooks per step of a scan */
	SCAN_SHARE = 2,         /* pause after a step, as a multiple of its duration */
	HOOKS_MAX = 16384,      /* webhooks that have work, or had recently */
	LOADED_MAX = 512,       /* of them with row, events and bodies in memory */
	READS_MAX = 2,          /* concurrent reads */
	READ_ROWS = 100,        /* events per read */
	READ_BYTES = 64 * 1024, /* and bytes of their data, the first not counted */
	ROOM_LIVE = 100,        /* a webhook reads no further events with this many unfinished entries, */
	ROOM_BYTES = 64 * 1024, /* or this many bytes of bodies, */
	ROOM_ENDED = 1000,      /* or this many entries to be written */
	ATTEMPTS_MAX = 256,     /* concurrent attempts */
	ATTEMPTS_SHARE = 96,    /* of these per workspace */
	SLOW_MAX = 192,         /* of these to webhooks that may not answer soon, */
	SLOW_SHARE = 96,        /* which are divided by the number of workspaces with any, plus one, */
	SLOW_LEAST = 12,        /* with at least this many for each */
	SLOW_MS = 1000,         /* an answer after this time is slow */
	DISPATCH_BATCH_MAX = 1000, /* outcomes per transaction */
	WRITE_MS = 20,             /* how long outcomes wait for further ones */
	AGAIN_MS = 200,            /* pause after a failed read or write */
	HOOK_SECRETS = 1 + VAULT_FORMER_MAX,
	SAVE_MS = 1000, /* interval for saving a position that only skips other webhooks' events */
	BUCKETS = 256
};

/* Queues in which the workspaces take turns. */
enum dispatch_queue { QUEUE_PROMPT, QUEUE_SLOW, QUEUE_READ, QUEUES };

/* What the webhooks of one workspace use, to limit its share. */
struct tenant {
	struct list bucket; /* by id */
	struct uuid id;
	int n_hooks, n_loaded, in_flight, slow_in_flight; /* attempts */
};

/* How fast a webhook's receiver answers. */
enum pace { PACE_UNKNOWN, PACE_PROMPT, PACE_SLOW };

/* A position in the deliveries ordered by due time. */
struct due_mark {
	int64_t due_us; /* by the database's clock; 0: before all */
	struct event_position position;
};

struct dispatch_timer {
	struct event *event;
	int64_t at_us; /* the time it is set to; 0: not set */
};

/* What dispatch_load.c has read of a webhook. */
struct hook_row {
	struct arena arena;
	struct uuid creator;
	struct uuid *groups; /* of the key that created it; n_groups 0: no restriction */
	size_t n_groups;
	struct subscriptions subscriptions;
	struct target *target; /* NULL: not loaded */
	enum target_verdict verdict;
	unsigned char secrets[HOOK_SECRETS][SIGN_SECRET_LEN]; /* the current one, then previous ones */
	int n_secrets;                                        /* 0: the current one cannot be decrypted */
	int64_t former_until_ms;                              /* the previous ones are valid, by clock_mono_ms() */
	struct event_position known;     /* events up to here may have rows in deliveries; unset: none have */
	struct event_position recovered; /* events up to here without a row are sent out of order, on request */
};

/* Its pending rows of deliveries that are not in the window. */
struct hook_due {
	int64_t at_ms;        /* when the first is due, at the earliest, by clock_mono_ms(); INT64_MAX: none */
	struct due_mark mark; /* rows up to here are in the window */
	bool more;            /* the last read of them stopped at its limit */
	/* Rows after this position may hold up others without the window's knowledge, so none of them is read yet.
	 * Unset: the window has all rows that hold up others. */
	struct event_position held_to;
};

/* Times by clock_mono_ms() may be before the machine's start. */
struct hook_failing {
	int64_t since_ms; /* INT64_MAX: the last attempt succeeded */
	int times;        /* consecutive */
	/* Until then nothing is sent, and rows are read only while the webhook is loaded. It is also set while
	 * deliveries are queued, and while the workspace moves. */
	int64_t pause_until_us;
};

enum hook_batch { BATCH_NONE, BATCH_IN, BATCH_LOCKED /* its row was locked by another transaction */ };

/* What is written of it. */
struct hook_write {
	struct event_position saved;    /* the position stored in the database */
	int64_t saved_us;               /* when it was stored */
	int64_t by_us;                  /* when outcomes are to be written */
	enum hook_batch batch;          /* its place in the batch in progress */
	struct event_position position; /* in that batch */
	bool failing;                   /* failing.since_ms has changed */
	const char *give_up;            /* "gone", "failing": to be made inactive */
};

/* Events after window.read. Those reported during a read may be missing in its result. */
enum hook_events { EVENTS_NONE, EVENTS_MORE, EVENTS_REPORTED };

enum hook_state {
	HOOK_KNOWN,    /* on d->hooks */
	HOOK_LOADED,   /* on d->loaded: with its row, events and bodies */
	HOOK_ENDING,   /* on d->ended: changed, inactive or given up; freed when nothing is in progress */
	HOOK_DISCARDED /* on d->ended: deleted, or sent by another process; its outcomes must not be written */
};

/* A webhook in memory. */
struct hook {
	struct dispatcher *d;
	struct uuid workspace, id;
	int64_t version;
	struct tenant *tenant;
	enum hook_state state;    /* changed only by hook_set_state() in dispatch_hook.c */
	bool add_again;           /* ending, but active in another version: added again after it has ended */
	struct list link, bucket; /* the list of its state, least recently used first; by id */
	struct {
		struct fair_item send, read; /* while it waits for a place to send, or to be read */
		struct list write;           /* d->to_write, while it has something to be written */
	} queued;
	struct dispatch_timer wake; /* when hook_go() is to be called */

	struct hook_row row;
	struct window window; /* while it is loaded */
	enum hook_events events;
	bool reading;
	struct hook_due due;
	int in_flight; /* attempts */
	enum pace pace;
	struct hook_failing failing;
	struct dispatch_count *count; /* its place in d->counts; NULL: it is to be looked up */
	struct hook_write write;
};

static inline bool hook_is_ending(const struct hook *h)
{
	return h->state == HOOK_ENDING || h->state == HOOK_DISCARDED;
}
static inline bool hook_is_failing(const struct hook *h)
{
	return h->failing.since_ms != INT64_MAX;
}

struct batch_item {
	struct hook *hook;
	struct window_entry *entry;
};

enum lead { LEAD_NOT, LEAD_RAISING, LEAD_YES };

struct dispatcher {
	struct dispatch_config config;
	void (*run)(struct dispatcher *d); /* called by dispatch_run() and hook_go() */
	void (*go)(struct hook *h);
	bool stopping, stopped;
	loop_fn *stopped_fn;
	void *stopped_ctx;

	struct dispatch_timer timer;
	bool running;
	int64_t stop_us;
	struct db_ask stop_ask;

	/* leading */
	enum lead lead;
	int64_t term; /* 0: none; kept while the connection is down, because perhaps no other process has taken over */
	uint64_t generation; /* of the connection that holds the lock; 0: none */
	int64_t lead_us;     /* time of the next attempt */
	struct db_ask lead_ask;

	/* polling */
	bool woken, above_horizon, polling;
	uint64_t n_events; /* that polls have seen */
	int poll_again_ms;
	int64_t polled_us, poll_us; /* start of the last poll; earliest time of the next */
	struct event_position
	    seen; /* polls have seen all earlier transactions; unset: the next poll determines the start */
	struct db_ask poll_ask;

	/* scanning */
	bool scan_wanted, scan_on, scanning; /* on: a scan has not finished */
	bool poll_overtaken, scan_overtaken; /* this process became the sender again during it */
	struct uuid scan_workspace, scan_id; /* continues after this one */
	int64_t scan_us;                     /* time of the next step */
	struct db_ask scan_ask;

	struct list hooks, loaded, ended; /* webhooks by their state */
	struct list buckets[BUCKETS], tenants[BUCKETS], to_write;
	struct fair_queue queues[QUEUES]; /* webhooks by workspace */
	int64_t read_us;                  /* earliest time of the next read */
	int n_hooks, n_loaded, reads;
	int in_flight, slow_in_flight; /* attempts */
	int n_slow;                    /* workspaces with slow attempts */
	struct list prompt_attempts;   /* attempts that are not slow, oldest first */

	/* writing */
	bool writing;
	int64_t write_us; /* time of the next write; INT64_MAX: nothing to write */
	struct batch_item batch[DISPATCH_BATCH_MAX];
	int n_batch;
	struct db_ask write_ask;
	int64_t writing_ms; /* when it was sent, by clock_mono_ms() */
	bool batch_lost;    /* set while the batch is in progress: it must not be repeated */
	struct hook *batch_hooks[LOADED_MAX];
	int n_batch_hooks;

	struct dispatch_count counts[DISPATCH_COUNTED + 1]; /* see dispatch_send.c */
};

/* --- dispatch_hook.c */
/* Does all work that is due; may be called from anywhere. */
void dispatch_run(struct dispatcher *d);
/* Makes sure that the timer fires at that time, or before. */
void dispatch_timer_set(struct dispatch_timer *t, int64_t mono_us);
/* Makes sure that dispatch_run() is called at that time. */
void dispatch_at(struct dispatcher *d, int64_t mono_us);
/* Adds the first statement of frequent exchanges, which sets generic plans until the exchange's end. With many
 * partitions, planning takes far longer than execution. */
void dispatch_plan_once(struct db_ask *a);
/* True when this process sends. */
bool dispatch_leads(const struct dispatcher *d);
/* Reads, sends or writes for it if there is anything to do. */
void hook_go(struct hook *h);

struct hook *hook_find(struct dispatcher *d, const struct uuid *id);
/* Adds a webhook that was reported. If another version of it is in memory, that one ends first, and the webhook is then
 * added again. NULL: no room; a scan will find it later. */
struct hook *hook_add(struct dispatcher *d, const struct uuid *workspace, const struct uuid *id, int64_t version);
/* Makes room for its row and events; false when there is no room now. */
bool hook_room(struct hook *h);
/* It becomes the most recently used of its list. */
void hook_used(struct hook *h);
/* Called when its row has been read. */
void hook_loaded(struct hook *h);
/* Starts no further work for it; dispatch_run() frees it when nothing is in progress. With discard its outcomes are not
 * written. */
void hook_end(struct hook *h, bool discard);
/* Schedules writing for it, by that time. */
void hook_write_by(struct hook *h, int64_t mono_us);
/* Ends all webhooks, and discards what is to be written. */
void hooks_discard(struct dispatcher *d);
/* Frees ended webhooks that have nothing in progress. */
void hooks_free(struct dispatcher *d);
/* Frees all webhooks, also those with work in progress. */
void hooks_free_all(struct dispatcher *d);

/* --- dispatch.c */
/* Another process is sending: drops everything in memory. */
void dispatch_lead_lost(struct dispatcher *d);

/* --- dispatch_poll.c */
void dispatch_poll_run(struct dispatcher *d);
/* This process begins to send: earlier events are found by the scan. */
void dispatch_poll_restart(struct dispatcher *d);
void dispatch_scan_run(struct dispatcher *d);

/* --- dispatch_load.c */
/* Adds the statements that load a webhook. */
void dispatch_load_statements(const struct hook *h, struct db_ask *ask);
/* True when more deliveries must be queued before it is loaded: load it again. */
bool dispatch_load_waits(struct hook *h, const struct db_exchange *x, int first);
/* Reads their results, starting at statement first; false: it does not exist or is inactive. */
bool dispatch_load_result(struct hook *h, const struct db_exchange *x, int first);
/* Adds the statement that reads those after h->due.held_to. */
void dispatch_held_statement(const struct hook *h, struct db_ask *ask);
void dispatch_held_result(struct hook *h, const struct db_exchange *x, int statement);
/* True when the next part is to be read. */
bool dispatch_held_wanted(const struct hook *h);
/* Looks for rows of window_doubts() in the table. */
void dispatch_gone_statement(const struct hook *h, struct db_ask *ask, const struct window_row *rows, int n);
void dispatch_gone_result(
    struct hook *h, const struct db_exchange *x, int statement, const struct window_row *rows, int n);

/* --- dispatch_read.c */
bool dispatch_read_wanted(const struct hook *h);
/* Starts reads up to the limit. */
void dispatch_read_run(struct dispatcher *d);

/* --- dispatch_send.c */
/* Sends as much as it may, then waits for its turn. */
void dispatch_send_hook(struct hook *h);
/* Gives free places to waiting webhooks. */
void dispatch_send_due(struct dispatcher *d);
/* Counts attempts that have already taken long as slow. */
void dispatch_share_age(struct dispatcher *d);
/* Queues the webhook for its turn; no effect if it waits already. */
void dispatch_share_wait(struct hook *h, enum dispatch_queue queue);
/* Removes it from the queue. */
void dispatch_share_leave(struct hook *h);
/* Takes the next webhook; others of its workspace move behind other workspaces. NULL: none waits. */
struct hook *dispatch_share_next(struct dispatcher *d, enum dispatch_queue queue);

/* --- dispatch_write.c */
void dispatch_write_run(struct dispatcher *d);
/* Drops everything that is to be written. */
void dispatch_write_forget(struct dispatcher *d);

#endif
