/* A webhook's events in memory: those read and not finished, the order among events of one record, and the position
 * up to which everything is finished. No I/O: dispatch_*.c read, send and write.
 *
 * An entry comes from the events (without a row in deliveries), or from a row that is due again. It waits while an
 * earlier entry of its record is unfinished. While an earlier event of its record has failed once or twice and waits
 * for its next attempt, it is put off: it becomes a row due just after the other. After three failures an event does
 * not hold up others.
 *
 * So the window knows every row that holds up others and that it has not read again. It forgets such a row only when
 * the row was read, or when a look into the table did not find it. Times only decide when to look: after a pause of
 * this process every row was due long ago and still exists.
 *
 * An event that a request sends out of order (manual) neither waits for the other events of its record nor holds them
 * up. The manual entries of a record keep their order among themselves.
 *
 * now_ms and due_ms are by clock_mono_ms(), hence independent of changes to the system's time; an attempt's at_ms is
 * for display. */
#ifndef KITH_WEBHOOK_WINDOW_H
#define KITH_WEBHOOK_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/list.h"
#include "server/base/trace.h"
#include "webhook/event.h"

enum {
	WINDOW_HOLDING_ATTEMPTS = 3, /* failures after which later events of the record do not wait any more */
	WINDOW_HELD_MAX = 4096,      /* rows that hold up others; beyond it no further events are read */
	WINDOW_DEFER_MS = 5 /* an entry that is put off becomes due this long after the one that it waits for */
};

enum window_end {
	WINDOW_DELIVERED,
	WINDOW_RETRY,    /* failed; due_ms is the time of the next attempt */
	WINDOW_DEFERRED, /* not tried; due_ms */
	WINDOW_FAILED,   /* failed, without further attempts */
	WINDOW_CANCELLED /* the webhook may not see it any more */
};

/* A row that holds up others, as far as the window knows it. */
struct window_row {
	struct uuid record;
	bool manual;
	struct event_position position;
};

struct window_attempt {
	int64_t at_ms; /* 0: none was made */
	int duration_ms, status;
	const char *error; /* constant; "" when delivered */
};

struct window_entry {
	/* set by the caller of window_add(); zero everything first */
	bool has_row; /* it has a row in deliveries */
	bool manual;  /* sent out of order on request */
	struct event_position position;
	struct event_position before; /* !has_row: of the event read before this one */
	struct uuid event, record;
	enum event_type type;
	int64_t created_us;     /* of the event; determines its partition */
	int attempts;           /* since it was queued */
	char trace[TRACE_SIZE]; /* of the request that made the event; "": it had none */
	char *body;             /* malloc()ed */
	size_t body_len;

	/* the outcome */
	enum window_end end;
	int64_t due_ms;
	struct window_attempt attempt;

	/* private to the window */
	struct list order; /* entries from the events, until they are in a batch */
	struct list live;  /* ready, in flight or waiting */
	struct list turn;  /* ready or ended */
	struct window_entry *next_of_record;
};

struct window {
	struct event_position read; /* how far events have been read */
	struct list order, live, ready, ended;
	int n_live, n_ready, n_ended, n_with_row; /* n_with_row: entries with a row, until they are written */
	size_t bytes;                             /* of bodies */
	struct list *holds;                       /* pending rows that hold up others, by record */
	int n_held;
	struct list doubts; /* holds whose row may be gone: the row was not read, but a row that waits for it was */
	/* Holds by number: the last made, taken by a batch, written, and written when the table was looked at. */
	uint64_t n_made, n_taken, n_written, n_asked;
};

void window_init(struct window *w, const struct event_position *read);
/* Frees its content; entries taken by a batch belong to the batch. */
void window_free(struct window *w);
void window_entry_free(struct window_entry *e);

/* Adds a pending row that the window has never had. It holds up others because it had fewer than three attempts. */
void window_hold(struct window *w, const struct window_row *row, int64_t due_ms);

/* Returns at most max rows that should have been read by now, so that the caller can look for them in the table. Call
 * it before each read of due rows: the next three functions do not change rows that were not yet written at that time.
 */
int window_doubts(struct window *w, struct window_row *rows, int max);
/* Sets when a row that is in the table is due: the database's clock may have been set back since it was written. */
void window_still_due(struct window *w, const struct window_row *row, int64_t due_ms);
/* Forgets a row that is not in the table, or no longer holds up others. */
void window_gone(struct window *w, const struct window_row *row);
/* The same for all rows: the table has no pending row. */
void window_gone_all(struct window *w);

/* Takes over an entry, which becomes ready, waits, or ends at once as WINDOW_DEFERRED. Entries from the events must be
 * added in order. */
void window_add(struct window *w, struct window_entry *e, int64_t now_ms);

/* Takes over an entry with a row that is not to be sent: it ends as WINDOW_CANCELLED. */
void window_add_cancelled(struct window *w, struct window_entry *e);

/* The next entry to send, in the order in which they became ready; NULL: none. It must be returned by one of the
 * following: */
struct window_entry *window_take(struct window *w);
void window_delivered(struct window *w, struct window_entry *e);
/* The attempt failed. retry_ms: time until the next attempt, -1: none. Entries that wait for this one become ready or
 * are put off. */
void window_failed(struct window *w, struct window_entry *e, int64_t now_ms, int64_t retry_ms);
/* No attempt was made: the entry is ready again, before all others. */
void window_returned(struct window *w, struct window_entry *e);

/* True when every entry has ended and is in a batch. */
bool window_empty(const struct window *w);

/* The next ended entry, for a batch; NULL: none. A batch may end before. */
struct window_entry *window_ended(struct window *w);
/* An entry of a batch could not be written: it is returned by window_ended() again, and holds the position back. */
void window_put_back(struct window *w, struct window_entry *e);
/* An entry of a batch is written: frees it. */
void window_written(struct window *w, struct window_entry *e);

/* A batch was written completely: none of its entries was put back. */
void window_batch_written(struct window *w);

/* The position to write together with the batches: every event up to it is finished or has a row. */
const struct event_position *window_position(const struct window *w);

#endif
