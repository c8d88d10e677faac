/*
 * What the files of the dispatcher share. Included by webhook/dispatch*.c alone.
 *
 *  dispatch.c        start, stop, what happens when
 *  dispatch_run.c    what the parts call without knowing each other
 *  dispatch_hook.c   memory of webhooks and of their workspaces
 *  dispatch_lead.c   which process sends
 *  dispatch_look.c   who has new events, or was changed
 *  dispatch_scan.c   who had something to do when this process began to send
 *  dispatch_load.c   a webhook's row and what waits for it
 *  dispatch_read.c   its events and due rows
 *  dispatch_send.c   attempts
 *  dispatch_share.c  places for them, and whose turn it is
 *  dispatch_write.c  what came of them
 *  dispatch_batch.c  the statements that write it
 */
#ifndef KITH_WEBHOOK_DISPATCH_PRIVATE_H
#define KITH_WEBHOOK_DISPATCH_PRIVATE_H

#include "store/db_ask.h"
#include "webhook/dispatch.h"
#include "webhook/schedule.h"
#include "webhook/subscription.h"
#include "webhook/window.h"

enum {
	LOOK_MS = 250,          /* a look at the latest after so long */
	LOOK_AGAIN_MS = 5,      /* after one that saw something above the horizon; doubled each time, up to LOOK_MS */
	LOOK_PAUSE_MS = 2,      /* between two looks */
	LOOK_SHARE = 4,         /* a look that took long is followed by a pause of so many times as long */
	LEAD_MS = 1000,         /* between two tries to become the one that sends */
	LOOK_ROWS = 2000,       /* events of one look, but for those of its last transaction */
	SCAN_ROWS = 100,        /* webhooks of one step of a scan */
	SCAN_SHARE = 2,         /* a step is followed by a pause of so many times as long */
	HOOKS_MAX = 16384,      /* webhooks that are known to have something to do, or had lately */
	LOADED_MAX = 512,       /* of them with their row, events and bodies */
	READS_MAX = 2,          /* reads under way */
	READ_ROWS = 100,        /* events of one read */
	READ_BYTES = 64 * 1024, /* and their data, but for the first */
	ROOM_LIVE = 100,        /* a webhook with as many entries that are not done, */
	ROOM_BYTES = 64 * 1024, /* or as many bytes of bodies, */
	ROOM_ENDED = 1000,      /* or as many that are to be written, reads no further */
	FLYING_MAX = 256,       /* attempts under way */
	FLYING_SHARE = 96,      /* of them of one workspace */
	DOUBTFUL_MAX = 192,     /* of them to webhooks that may not answer soon, */
	DOUBTFUL_SHARE = 96,    /* shared by so many workspaces as have some, and one more, */
	DOUBTFUL_LEAST = 12,    /* but so many for each */
	SLOW_MS = 1000,         /* an answer that takes longer is none that comes soon */
	BATCH_MAX = 1000,       /* outcomes written in one transaction */
	WRITE_MS = 20,          /* how long outcomes wait for others */
	AGAIN_MS = 200,         /* after a read or a write that failed */
	SAVE_MS = 1000,         /* a position that moves over events of others is written so often */
	BUCKETS = 256
};

/* Places and reads are given in turns, for each of these on its own. */
enum turn { TURN_PROMPT, TURN_DOUBTFUL, TURN_READ, TURNS };

/* What the webhooks of one workspace use, so that no workspace takes all. */
struct tenant {
	struct list bucket; /* by id */
	struct uuid id;
	int n_hooks, n_loaded, flying, doubtful;
	struct {
		struct list link;  /* d->turns, while some wait */
		struct list hooks; /* that wait */
	} turns[TURNS];
};

/* What is known of how it answers. */
enum pace { PACE_UNKNOWN, PACE_PROMPT, PACE_SLOW };

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
	struct list link;    /* d->hooks or d->loaded, the one that was used last at the end; d->ended */
	struct list bucket;  /* by id */
	struct list turn;    /* of its tenant, while it has something to send and waits for a place */
	struct list reading; /* of its tenant, while it waits to be read */
	struct list touched; /* d->touched, while something of it is to be written */
	struct tenant *tenant;
	struct uuid workspace, id;
	int64_t version;
	bool again;      /* gone, but active in another version: known anew when it has ended */
	int wake;        /* place in d->wakes; -1: none */
	int64_t wake_us; /* when hook_go() is called */
	enum pace pace;

	/* when loaded */
	bool loaded;
	struct arena arena;
	struct uuid creator;
	struct subscriptions subscriptions;
	struct target *target;
	enum target_verdict verdict;
	unsigned char secret[SIGN_SECRET_LEN], former[VAULT_FORMER_MAX][SIGN_SECRET_LEN];
	bool has_secret;
	int n_former;
	int64_t former_until_ms; /* of clock_mono_ms(), as the next two */
	struct window window;
	struct event_position saved;            /* that the database knows */
	int64_t saved_us;                       /* when */
	int64_t touched_us;                     /* when what came of attempts is to be written */
	struct event_position writing_position; /* of the batch under way */
	struct event_position known;            /* events up to here may have rows; unset: none has */
	bool failing, failing_changed;
	int64_t failing_since_ms; /* may be before the machine's start */

	bool has_events;     /* behind window.read */
	bool told_meanwhile; /* while a read was under way */
	int64_t due_ms; /* a row that is not in the window is due then, at the earliest; INT64_MAX: there is none */
	struct due_mark mark; /* rows up to here are in the window */
	bool due_more;        /* the last read of them ended by its rows */
	int failures;         /* in a row */
	int64_t rest_until_us;
	const char *give_up; /* "gone", "failing": is to become inactive */

	int flying;   /* attempts under way */
	bool writing; /* it is in the batch under way */
	bool locked;  /* when that was written, by somebody else */
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
	void (*run)(struct dispatcher *d); /* dispatch_run() and hook_go() call them */
	void (*go)(struct hook *h);
	bool stopping, stopped;
	loop_fn *stopped_fn;
	void *stopped_ctx;

	struct event *timer;
	int64_t timer_us; /* when it comes; 0: it is not set */
	bool running;
	int64_t stop_us;
	struct db_ask stop_ask;

	/* leading */
	enum lead lead;
	int64_t term;        /* 0: none; kept while the connection is away, as nobody else may have come */
	uint64_t generation; /* of the connection that has the lock; 0: none */
	int64_t lead_us;     /* when to try again */
	struct db_ask lead_ask;

	/* looking */
	bool woken, above, looking;
	int look_again_ms;
	int64_t looked_us, look_us; /* the last began; not before */
	struct event_position
	    seen; /* transactions before are looked at; unset: none is, the next look tells where to begin */
	struct db_ask look_ask;

	/* scanning */
	bool scan_wanted, scan_on, scanning; /* on: it has not come to its end */
	bool look_overtaken, scan_overtaken; /* this process began to send anew meanwhile */
	struct uuid scan_workspace, scan_id; /* behind this one */
	int64_t scan_us;                     /* not before */
	struct db_ask scan_ask;

	struct list hooks, loaded, ended, buckets[BUCKETS], tenants[BUCKETS], touched;
	struct list turns[TURNS]; /* tenants */
	int n_turns[TURNS];
	struct hook **wakes; /* a heap: the one that comes first is the first */
	int n_wakes, cap_wakes;
	int64_t read_us; /* nothing is read before */
	int n_hooks, n_loaded, reads;
	int flying, doubtful, n_doubtful; /* attempts; of them doubtful; workspaces that have such */
	struct list flights;              /* those that are not doubtful, the oldest first */

	/* writing */
	bool writing;
	int64_t write_us; /* when to write next; INT64_MAX: there is nothing */
	struct batch_item batch[BATCH_MAX];
	int n_batch;
	struct db_ask write_ask;
	int64_t writing_ms; /* when it was sent, of clock_mono_ms() */
	bool batch_lost;    /* while it is under way: it is not written again */
	bool batch_rows;    /* it has some */
	struct hook *batch_hooks[LOADED_MAX];
	int n_batch_hooks;
};

/* --- dispatch_run.c */
/* Does what there is to do; safe to call from anywhere. */
void dispatch_run(struct dispatcher *d);
/* Sees to it that it is called at that moment. */
void dispatch_at(struct dispatcher *d, int64_t mono_us);
/* The first statement of exchanges that run often: over many partitions, planning takes far longer than what is
 * planned. Until the exchange's end. */
void plan_once(struct db_ask *a);
/* This process sends. */
bool lead_now(const struct dispatcher *d);
/* It may have something to read, to send, to write. */
void hook_go(struct hook *h);

/* --- dispatch_hook.c */
struct hook *hook_find(struct dispatcher *d, const struct uuid *id);
/* One that is told of; may be known already, also in another version: it then ends, and comes again. NULL: no more
 * are taken in; a scan comes back for it. */
struct hook *hook_known(struct dispatcher *d, const struct uuid *workspace, const struct uuid *id, int64_t version);
/* Makes room for its row and events; false: there is none now. */
bool hook_room(struct hook *h);
/* Its row has come. */
void hook_loaded(struct hook *h);
/* Nothing more begins for it; dispatch_run() frees it when nothing is under way. lost: nothing is written either. */
void hook_end(struct hook *h, bool lost);
/* hook_go() is called at that moment, unless it is called before. */
void hook_wake_at(struct hook *h, int64_t mono_us);
/* Wakes those whose time has come. */
void hooks_wake(struct dispatcher *d);
/* Something of it is to be written, by then. */
void hook_touch(struct hook *h, int64_t mono_us);
/* Ends all of them, lost. */
void hooks_lose(struct dispatcher *d);
/* Frees those that have ended, when nothing of them is under way. */
void hooks_free(struct dispatcher *d);
/* Frees all, whatever is under way. */
void hooks_forget(struct dispatcher *d);

/* --- dispatch_lead.c */
void lead_run(struct dispatcher *d);
/* Another process sends: what is in memory is forgotten. */
void lead_lost(struct dispatcher *d);

/* --- dispatch_look.c */
void look_run(struct dispatcher *d);
/* This process begins to send: what came before is the scan's. */
void look_anew(struct dispatcher *d);

/* --- dispatch_scan.c */
void scan_run(struct dispatcher *d);
void scan_anew(struct dispatcher *d);

/* --- dispatch_load.c */
/* Adds the statements that load it. */
void load_statements(const struct hook *h, struct db_ask *ask);
/* True: there is more to be put into the queue before it is loaded, so it is to be loaded anew. */
bool load_waits(struct hook *h, const struct db_exchange *x, int first);
/* Reads their results, which begin at that statement; false: it is not there, or not active. */
bool load_result(struct hook *h, const struct db_exchange *x, int first);

/* --- dispatch_read.c */
bool read_wanted(const struct hook *h);
/* Starts as many reads as may be under way. */
void read_run(struct dispatcher *d);

/* --- dispatch_send.c */
/* Sends as many as it may, waits for its turn with the others. */
void send_hook(struct hook *h);
/* Gives free places to those that wait for one. */
void send_turns(struct dispatcher *d);

/* --- dispatch_share.c */
/* It may not answer soon: nothing is known of it, its last answer took long, or it fails. */
bool share_doubtful(const struct hook *h);
/* One more attempt to it may be under way. */
bool share_has_place(const struct hook *h);
/* An attempt's use of a place. While it is not doubtful it is on d->flights. */
struct flight_share {
	struct list link;
	struct hook *hook;
	int64_t began_us;
	bool doubtful;
};
void share_begin(struct hook *h, struct flight_share *f);
void share_end(struct flight_share *f);
/* Attempts that have taken long so far are doubtful from now on. */
void share_age(struct dispatcher *d);
/* Waits for its turn; nothing happens when it waits already. */
void turn_wait(struct hook *h, enum turn turn);
/* It waits no more. */
void turn_leave(struct hook *h);
/* Whose turn it is, off the list, the other webhooks of its workspace behind those of others; NULL: nobody waits. */
struct hook *turn_next(struct dispatcher *d, enum turn turn);

/* --- dispatch_write.c */
void write_run(struct dispatcher *d);
/* What is to be written is given up. */
void write_forget(struct dispatcher *d);

/* --- dispatch_batch.c */
/* Puts the statements that write the batch into d->write_ask: settings, the guard, positions (the webhooks that
 * are written), those that are there, then rows when there are some, then those that are given up; how many. */
void batch_statements(struct dispatcher *d);

#endif
