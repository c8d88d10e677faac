/* The event loop: turns, hooks at the end of each turn, timers and signals. Only this file and the files at the
 * program's edges use libevent. */
#ifndef KITH_SERVER_BASE_LOOP_H
#define KITH_SERVER_BASE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "fair_queue.h"
#include "id.h"

struct event_base;
struct loop;

struct loop *loop_new(void);
void loop_free(struct loop *l);
struct event_base *loop_base(struct loop *l);

typedef void loop_fn(void *ctx);

/* Calls fn after every turn; hooks run in the order in which they were added. At most 8. */
void loop_at_turn_end(struct loop *l, loop_fn *fn, void *ctx);

/* Calls fn once, after ms milliseconds. */
void loop_after(struct loop *l, int ms, loop_fn *fn, void *ctx);

/* Calls fn whenever the signal arrives. At most 8. */
void loop_on_signal(struct loop *l, int signal, loop_fn *fn, void *ctx);

/* Calls fn in every turn in which the descriptor can be read, until loop_unwatch(), which must come before the
 * descriptor is closed. */
struct loop_watch;
struct loop_watch *loop_watch(struct loop *l, int fd, loop_fn *fn, void *ctx);
void loop_unwatch(struct loop_watch *w);

/* Runs until loop_stop(). */
void loop_run(struct loop *l);
void loop_stop(struct loop *l);

/* Long work is done in slices of LOOP_SLICE_US. The queue runs one slice per turn of the loop, so a short request waits
 * for at most one slice, however much long work the process has. The parties (workspaces) with work take turns. */
struct loop_slice {
	struct fair_item turn; /* set by the loop */
	loop_fn *fn;
	void *ctx;
	struct uuid party;
};
enum { LOOP_SLICE_US = 2000 };

/* Calls fn in a later turn. s, with fn, ctx and party set, must stay valid until then. */
void loop_slice_later(struct loop *l, struct loop_slice *s);
/* Removes and returns a queued slice with this fn, without calling it. NULL when there is none. */
struct loop_slice *loop_slice_take(struct loop *l, loop_fn *fn);

/* True when LOOP_SLICE_US have passed since *since_us. If *since_us is 0, it is set to the current time. */
bool loop_slice_passed(int64_t *since_us);

#endif
