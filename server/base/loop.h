/* The event loop: turns, hooks at the end of each, timers and signals. Only this
 * file and the edges of the program know libevent. */
#ifndef KITH_BASE_LOOP_H
#define KITH_BASE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct event_base;
struct loop;

struct loop *loop_new(void);
void loop_free(struct loop *l);
struct event_base *loop_base(struct loop *l);

typedef void loop_fn(void *ctx);

/* Called after every turn, in the order they were added. At most 8. */
void loop_at_turn_end(struct loop *l, loop_fn *fn, void *ctx);

/* Calls fn once, so many milliseconds from now. */
void loop_after(struct loop *l, int ms, loop_fn *fn, void *ctx);

/* Calls fn whenever the signal arrives. At most 8. */
void loop_on_signal(struct loop *l, int signal, loop_fn *fn, void *ctx);

/* Turns until loop_stop(). */
void loop_run(struct loop *l);
void loop_stop(struct loop *l);

/* What takes longer than this at a stretch goes on in a later turn. */
enum { LOOP_SLICE_US = 4000 };

/* True when so much time has passed; the first look, at 0, only begins to count. */
bool loop_slice_passed(int64_t *since_us);

#endif
