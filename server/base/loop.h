/* The event loop: turns, hooks at the end of each, timers and signals. Only this file and the files at the program's
 * edges use libevent. */
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

/* Calls fn once, after ms milliseconds. */
void loop_after(struct loop *l, int ms, loop_fn *fn, void *ctx);

/* Calls fn whenever the signal arrives. At most 8. */
void loop_on_signal(struct loop *l, int signal, loop_fn *fn, void *ctx);

/* Runs until loop_stop(). */
void loop_run(struct loop *l);
void loop_stop(struct loop *l);

/* Work that takes longer than this continues in a later turn. */
enum { LOOP_SLICE_US = 4000 };

/* True when LOOP_SLICE_US have passed since *since_us; a *since_us of 0 is set to the present. */
bool loop_slice_passed(int64_t *since_us);

#endif
