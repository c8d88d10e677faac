/* The dispatcher's start, stop and main function, and the election of the sending process. dispatch_private.h lists its
 * files. */
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

/* --- election ----------------------------------------------------------------------------- */

/* The sender holds an advisory lock on its signal connection and has raised the term. Every transaction that it writes
 * checks the term. So writes of a process that has lost the lock without noticing it are refused.
 *
 * When the connection breaks, the sender tries to get the lock back. If no other process has raised the term meanwhile,
 * its state in memory is still valid, and nothing is sent twice. */

static void lead_raise_term(struct dispatcher *d);

static struct sql *lead_begin(struct dispatcher *d, const char *name)
{
	struct sql *s;

	db_ask_begin(&d->lead_ask);
	s = db_ask_add(&d->lead_ask);
	sql_begin_system(s, &d->lead_ask.arena, name);
	return s;
}

static void lead_ask(struct dispatcher *d, enum db_lane lane, void (*done)(struct db_exchange *x))
{
	db_ask_send(&d->lead_ask, d->config.db, lane, done, d);
}

void dispatch_lead_lost(struct dispatcher *d)
{
	if (d->term)
		log_info("dispatch", "another process delivers webhooks now");
	d->lead = LEAD_NOT;
	d->term = 0;
	d->generation = 0;
	dispatch_write_forget(d);
	hooks_discard(d);
}

static void term_raised(struct db_exchange *x)
{
	struct dispatcher *d = x->owner;
	bool ok = x->status == DB_OK, mine = ok && db_rows(x, 0) == 1;
	int64_t term = mine ? db_int(x, 0, 0, 0) : 0;

	db_ask_end(&d->lead_ask);
	if (mine) {
		d->lead = LEAD_YES;
		d->term = term;
		dispatch_poll_restart(d);
		dispatch_at(d, clock_mono_us()); /* webhooks in memory continue */
		log_info("dispatch", "this process delivers webhooks, term %lld", (long long)term);
	} else if (ok && d->term) {
		uint64_t generation = d->generation;
		dispatch_lead_lost(d);
		d->generation = generation;
		if (!d->stopping) {
			lead_raise_term(d);
			return;
		}
	} else {
		d->lead = LEAD_NOT;
		d->lead_us = clock_mono_us() + LEAD_MS * 1000;
	}
	dispatch_run(d);
}

/* A process that had a term before gets one only if no other process has had one since. */
static void lead_raise_term(struct dispatcher *d)
{
	struct sql *s = lead_begin(d, d->term ? "dispatch_term_again" : "dispatch_term");

	d->lead = LEAD_RAISING;
	sql_add(s, "update dispatcher_term set term = term + 1");
	if (d->term)
		sql_add_int8(s, " where term = ", d->term);
	sql_add(s, " returning term");
	lead_ask(d, DB_WORK, term_raised);
}

static void lock_asked(struct db_exchange *x)
{
	struct dispatcher *d = x->owner;
	bool mine = x->status == DB_OK && db_bool(x, 0, 0, 0);
	uint64_t generation = x->generation;

	db_ask_end(&d->lead_ask);
	if (mine) {
		d->generation = generation;
		lead_raise_term(d);
		return;
	}
	dispatch_run(d);
}

static void lead_run(struct dispatcher *d)
{
	uint64_t there = db_signal_generation(d->config.db);
	struct sql *s;

	if (d->lead == LEAD_YES && d->generation != there) {
		d->lead = LEAD_NOT;
		d->generation = 0;
		d->lead_us = 0;
	}
	if (d->lead != LEAD_NOT || d->lead_ask.busy || d->stopping || there == 0)
		return;
	if (clock_mono_us() < d->lead_us) {
		dispatch_at(d, d->lead_us);
		return;
	}
	if (d->generation == there) {
		lead_raise_term(d);
		return;
	}
	d->lead_us = clock_mono_us() + LEAD_MS * 1000;
	dispatch_at(d, d->lead_us);
	s = lead_begin(d, "dispatch_lock");
	sql_add(s, "select pg_try_advisory_lock(hashtextextended('kith_dispatcher', 0))");
	lead_ask(d, DB_SIGNAL, lock_asked);
}

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
	dispatch_send_hook(h);
	if (hook_is_ending(h))
		return;
	if (dispatch_read_wanted(h)) {
		dispatch_share_wait(h, QUEUE_READ);
		hook_used(h);
	} else if (h->state != HOOK_LOADED && h->failing.pause_until_us > clock_mono_us()) {
		dispatch_timer_set(&h->wake, h->failing.pause_until_us);
	} else if (h->due.at_ms != INT64_MAX && !h->reading) {
		int64_t wait_ms = h->due.at_ms - clock_mono_ms();
		if (wait_ms > 0)
			dispatch_timer_set(&h->wake, clock_mono_us() + wait_ms * 1000);
	}
	if (h->state == HOOK_LOADED && list_empty(&h->queued.write) &&
	    event_position_compare(window_position(&h->window), &h->write.saved) != 0)
		hook_write_by(h, h->write.saved_us + SAVE_MS * 1000);
}

/* Does all work that is due. */
static void run_parts(struct dispatcher *d)
{
	lead_run(d);
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

/* --- start and stop ----------------------------------------------------------------------- */

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
		fair_queue_init(&d->queues[i]);
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
