/* The event loop. */
#include "loop.h"

#include <event2/event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "arena.h"
#include "clock.h"
#include "fatal.h"
#include "guarded.h"
#include "list.h"
#include "log.h"
#include "pool.h"

enum { HOOKS_MAX = 8, LONG_US = 1000 };

struct loop_hook {
	loop_fn *fn;
	void *ctx;
	struct event *event;
};
struct timer {
	struct list link;
	struct loop_hook hook;
};

struct loop {
	struct event_base *base;
	struct loop_hook turn_end[HOOKS_MAX], signals[HOOKS_MAX];
	int n_turn_end, n_signals;
	struct list timers;       /* timers that have not run yet */
	struct fair_queue slices; /* slices that wait for their turn, by party */
	bool slicing;             /* a timer is set for the next slice */
	struct uuid party;        /* the party of the last slice */
	bool stop;
};

/* libevent's messages go to the log. Only errors are above debug level, because any peer that closes a connection
 * causes some messages. */
static void log_libevent(int severity, const char *message)
{
	if (severity == EVENT_LOG_ERR)
		log_error("libevent", "%s", message);
	else
		log_debug("libevent", "%s", message);
}

struct loop *loop_new(void)
{
	struct event_config *config;
	struct loop *l = mem_zalloc(sizeof *l);

#ifndef KITH_GUARDED
	event_set_mem_functions(pool_malloc, pool_realloc, pool_free);
#endif
	config = event_config_new();
	/* Requests change the same descriptors repeatedly. The change list merges these changes into one system call
	 * per turn. It is safe because no descriptor is ever duplicated with dup(). */
	if (config)
		event_config_set_flag(config, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST);
	l->base = config ? event_base_new_with_config(config) : NULL;
	event_set_log_callback(log_libevent);
	list_init(&l->timers);
	fair_queue_init(&l->slices);
	if (!l->base)
		fatal_abort("cannot make an event loop");
	event_config_free(config);
	return l;
}

void loop_free(struct loop *l)
{
	struct list *node;

	while ((node = list_take(&l->timers))) {
		struct timer *t = list_item(node, struct timer, link);
		event_free(t->hook.event);
		free(t);
	}
	for (int i = 0; i < l->n_signals; i++)
		event_free(l->signals[i].event);
	event_base_free(l->base);
	free(l);
}

struct event_base *loop_base(struct loop *l)
{
	return l->base;
}

void loop_at_turn_end(struct loop *l, loop_fn *fn, void *ctx)
{
	if (l->n_turn_end == HOOKS_MAX)
		fatal_abort("too many hooks");
	l->turn_end[l->n_turn_end++] = (struct loop_hook){.fn = fn, .ctx = ctx};
}

static void call_timer(evutil_socket_t fd, short what, void *ctx)
{
	struct timer *t = ctx;
	struct loop_hook hook = t->hook;

	(void)fd;
	(void)what;
	list_remove(&t->link);
	event_free(hook.event);
	free(t);
	hook.fn(hook.ctx);
}

void loop_after(struct loop *l, int ms, loop_fn *fn, void *ctx)
{
	struct timeval tv = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
	struct timer *t = mem_alloc(sizeof *t);

	t->hook = (struct loop_hook){.fn = fn, .ctx = ctx, .event = evtimer_new(l->base, call_timer, t)};
	list_init(&t->link);
	list_append(&l->timers, &t->link);
	if (!t->hook.event || evtimer_add(t->hook.event, &tv) != 0)
		fatal_abort("cannot set a timer");
}

static void call_hook(evutil_socket_t fd, short what, void *ctx)
{
	struct loop_hook *hook = ctx;

	(void)fd;
	(void)what;
	hook->fn(hook->ctx);
}

void loop_on_signal(struct loop *l, int signal, loop_fn *fn, void *ctx)
{
	struct loop_hook *hook = &l->signals[l->n_signals];

	if (l->n_signals == HOOKS_MAX)
		fatal_abort("too many signals");
	l->n_signals++;
	*hook = (struct loop_hook){.fn = fn, .ctx = ctx, .event = evsignal_new(l->base, signal, call_hook, hook)};
	if (!hook->event || event_add(hook->event, NULL) != 0)
		fatal_abort("cannot watch a signal");
}

struct loop_watch {
	struct loop_hook hook;
};

struct loop_watch *loop_watch(struct loop *l, int fd, loop_fn *fn, void *ctx)
{
	struct loop_watch *w = mem_alloc(sizeof *w);

	w->hook = (struct loop_hook){.fn = fn, .ctx = ctx};
	w->hook.event = event_new(l->base, fd, EV_READ | EV_PERSIST, call_hook, &w->hook);
	if (!w->hook.event || event_add(w->hook.event, NULL) != 0)
		fatal_abort("cannot watch a descriptor");
	return w;
}

void loop_unwatch(struct loop_watch *w)
{
	event_free(w->hook.event);
	free(w);
}

static int64_t processor_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Logs long turns of the loop at debug level. It measures processor time, so waiting and other processes do not count.
 */
static void loop_log_long_turn(int64_t *before_us)
{
	int64_t now_us = log_enabled(LOG_DEBUG) ? processor_us() : 0;

	if (*before_us && now_us - *before_us >= LONG_US)
		log_debug("loop", "a turn of the loop took %lld us", (long long)(now_us - *before_us));
	*before_us = now_us;
}

void loop_run(struct loop *l)
{
	int64_t before_us = 0;

	while (!l->stop) {
		if (event_base_loop(l->base, EVLOOP_ONCE) < 0)
			fatal_abort("the event loop failed");
		for (int i = 0; i < l->n_turn_end; i++)
			l->turn_end[i].fn(l->turn_end[i].ctx);
		loop_log_long_turn(&before_us);
	}
}

void loop_stop(struct loop *l)
{
	l->stop = true;
}

static void run_slice(void *ctx)
{
	struct loop *l = ctx;
	struct loop_slice *s;

	/* A party that queues again during its slice is still behind a party that comes later. */
	fair_queue_go_behind(&l->slices, &l->party);
	s = fair_as(fair_queue_take(&l->slices, NULL, NULL), struct loop_slice, turn);
	l->slicing = l->slices.n_items > 0;
	if (l->slicing) /* set the timer before the slice runs, because the slice may queue itself again */
		loop_after(l, 0, run_slice, l);
	if (!s)
		return;
	l->party = s->party;
	s->fn(s->ctx);
}

void loop_slice_later(struct loop *l, struct loop_slice *s)
{
	fair_queue_add(&l->slices, &s->party, &s->turn);
	if (l->slicing)
		return;
	l->slicing = true;
	loop_after(l, 0, run_slice, l);
}

struct loop_slice *loop_slice_take(struct loop *l, loop_fn *fn)
{
	fair_each(s, &l->slices, struct loop_slice, turn) {
		if (s->fn != fn)
			continue;
		fair_item_leave(&s->turn);
		return s;
	}
	return NULL;
}

bool loop_slice_passed(int64_t *since_us)
{
	int64_t now = clock_mono_us();

	if (!*since_us)
		*since_us = now;
	return now - *since_us >= LOOP_SLICE_US;
}
