/* The dispatcher's start, stop and main function. dispatch_private.h lists its files. */
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

/* --- the main function -------------------------------------------------------------------- */

static void dispatch_unlocked(struct db_exchange *x)
{
	struct dispatcher *d = x->owner;

	db_ask_end(&d->stop_ask);
	if (!d->stopped) {
		d->stopped = true;
		d->stopped_fn(d->stopped_ctx);
	}
}

/* Releases the lock at once, so that another process need not wait until the connection is closed. */
static void dispatch_unlock(struct dispatcher *d)
{
	struct sql *s;

	if (d->stop_ask.busy || d->stopped)
		return;
	d->lead = LEAD_NOT;
	d->term = 0;
	db_ask_begin(&d->stop_ask);
	s = db_ask_add(&d->stop_ask);
	sql_begin_system(s, &d->stop_ask.arena, NULL);
	sql_add(s, "select pg_advisory_unlock_all()");
	db_ask_send(&d->stop_ask, d->config.db, DB_SIGNAL, dispatch_unlocked, d);
}

static void stop_run(struct dispatcher *d)
{
	bool late = clock_mono_us() >= d->stop_us;

	if (late && !d->stopped && !d->stop_ask.busy) {
		d->stopped = true;
		d->stopped_fn(d->stopped_ctx);
		return;
	}
	if (d->in_flight == 0 && d->reads == 0 && !d->scanning && !d->writing && d->n_batch == 0 &&
	    (d->write_us == INT64_MAX || d->term == 0))
		dispatch_unlock(d);
	else if (!late)
		dispatch_at(d, d->stop_us);
}

/* Sends what it may; otherwise waits for its turn to read, or for its timer. */
static void dispatch_hook_run(struct hook *h)
{
	struct dispatcher *d = h->d;

	dispatch_send_hook(h);
	if (h->ending)
		return;
	if (dispatch_read_wanted(h)) {
		dispatch_share_wait(h, QUEUE_READ);
		list_remove(&h->link); /* most recently used */
		list_append(h->loaded ? &d->loaded : &d->hooks, &h->link);
	} else if (!h->loaded && h->backoff_until_us > clock_mono_us()) {
		dispatch_timer_set(&h->wake, h->backoff_until_us);
	} else if (h->due_ms != INT64_MAX && !h->reading) {
		int64_t wait_ms = h->due_ms - clock_mono_ms();
		if (wait_ms > 0)
			dispatch_timer_set(&h->wake, clock_mono_us() + wait_ms * 1000);
	}
	if (h->loaded && list_empty(&h->to_write) &&
	    event_position_compare(window_position(&h->window), &h->saved) != 0)
		hook_write_by(h, h->saved_us + SAVE_MS * 1000);
}

/* Does all work that is due. */
static void run_parts(struct dispatcher *d)
{
	dispatch_lead_run(d);
	dispatch_poll_run(d);
	dispatch_scan_run(d);
	dispatch_read_run(d);
	dispatch_send_due(d);
	dispatch_write_run(d);
	hooks_free(d);
	if (d->stopping)
		stop_run(d);
}

static void dispatch_timer(evutil_socket_t fd, short what, void *ctx)
{
	struct dispatcher *d = ctx;

	(void)fd;
	(void)what;
	d->timer.at_us = 0;
	if (d->stopped)
		return;
	dispatch_share_age(d);
	dispatch_run(d);
}

void dispatch_wake(struct dispatcher *d)
{
	d->woken = true;
	dispatch_run(d);
}

/* --- start and stop ------------------------------------------------------------------------ */

struct dispatcher *dispatch_start(const struct dispatch_config *c)
{
	struct dispatcher *d = mem_zalloc(sizeof *d);

	d->config = *c;
	d->run = run_parts;
	d->go = dispatch_hook_run;
	list_init(&d->hooks);
	list_init(&d->loaded);
	list_init(&d->ended);
	list_init(&d->to_write);
	list_init(&d->prompt_attempts);
	for (int i = 0; i < QUEUES; i++)
		list_init(&d->queues[i]);
	for (int i = 0; i < BUCKETS; i++) {
		list_init(&d->buckets[i]);
		list_init(&d->tenants[i]);
	}
	d->write_us = INT64_MAX;
	d->timer.event = evtimer_new(loop_base(c->loop), dispatch_timer, d);
	dispatch_at(d, clock_mono_us());
	return d;
}

void dispatch_stop(struct dispatcher *d, int ms, loop_fn *stopped, void *ctx)
{
	d->stopping = true;
	d->stop_us = clock_mono_us() + (int64_t)ms * 1000;
	d->stopped_fn = stopped;
	d->stopped_ctx = ctx;
	dispatch_at(d, clock_mono_us()); /* stopped() is not called from here */
}

void dispatch_free(struct dispatcher *d)
{
	d->stopped = true;
	for (int i = 0; i < d->n_batch; i++)
		window_entry_free(d->batch[i].entry);
	hooks_free_all(d);
	event_free(d->timer.event);
	free(d);
}
