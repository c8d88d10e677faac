/* Writes outcomes in batches: rows of deliveries, positions, webhooks that are given up (dispatch_batch.c), in one
 * transaction that fails if another process has become the sender. A failed batch is repeated as it is, which is
 * idempotent. Outcomes of a webhook locked by a request return to it and are written with a later batch. */
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

enum { AT_POSITIONS = 2, AT_THERE, AT_ROWS };

static const char REFUSED[] = "22012"; /* division by zero: the guard of dispatch_batch_statements() */

/* --- a batch ---------------------------------------------------------------------------------- */

/* When its outcomes are to be written; INT64_MAX: none. */
static int64_t write_due_us(const struct hook *h)
{
	if (h->window.n_ended || h->give_up || h->failing_changed)
		return h->write_by_us;
	if (event_position_compare(&h->saved, window_position(&h->window)) == 0 || h->ending)
		return INT64_MAX;
	return h->d->stopping ? 0 : h->saved_us + SAVE_MS * 1000;
}

static void batch_take(struct dispatcher *d, struct hook *h)
{
	struct window_entry *e;

	while (d->n_batch < DISPATCH_BATCH_MAX && (e = window_ended(&h->window)))
		d->batch[d->n_batch++] = (struct batch_item){.hook = h, .entry = e};
	d->batch_hooks[d->n_batch_hooks++] = h;
	h->writing = true;
	h->failing_changed = false;
}

/* Collects the outcomes that are due, and sets the time for the remaining ones. */
static void batch_collect(struct dispatcher *d, int64_t now_us)
{
	struct list *next;

	d->write_us = INT64_MAX;
	for (struct list *node = d->to_write.next; node != &d->to_write; node = next) {
		struct hook *h = list_item(node, struct hook, to_write);
		int64_t due = write_due_us(h);
		next = node->next;
		if (due <= now_us && d->n_batch < DISPATCH_BATCH_MAX && d->n_batch_hooks < LOADED_MAX) {
			batch_take(d, h);
			due = write_due_us(h);
		}
		if (due == INT64_MAX || (h->writing && !h->window.n_ended))
			list_remove(node);
		else if (due < d->write_us)
			d->write_us = due;
	}
}

static void write_forget_batch(struct dispatcher *d)
{
	for (int i = 0; i < d->n_batch; i++)
		window_entry_free(d->batch[i].entry);
	for (int i = 0; i < d->n_batch_hooks; i++)
		d->batch_hooks[i]->writing = false;
	d->n_batch = d->n_batch_hooks = 0;
}

void dispatch_write_forget(struct dispatcher *d)
{
	d->batch_lost = d->writing;
	if (!d->writing)
		write_forget_batch(d);
}

/* The database counts from its own clock, so the delivery is due later by the time that the batch took. */
static void entry_is_written(struct hook *h, struct window_entry *e, int64_t took_ms)
{
	if ((e->end == WINDOW_RETRY || e->end == WINDOW_DEFERRED) && e->due_ms + took_ms < h->due_ms)
		h->due_ms = e->due_ms + took_ms;
	window_written(&h->window, e);
}

/* Finishes what was written and returns the rest to the webhooks that were locked, in order. */
static void end_batch(struct dispatcher *d)
{
	bool given_up = false;
	int64_t took_ms = clock_mono_ms() - d->writing_ms;

	for (int i = d->n_batch - 1; i >= 0; i--) {
		struct hook *h = d->batch[i].hook;

		if (h->locked)
			window_put_back(&h->window, d->batch[i].entry);
		else
			entry_is_written(h, d->batch[i].entry, took_ms);
	}
	d->n_batch = 0;
	for (int i = 0; i < d->n_batch_hooks; i++) {
		struct hook *h = d->batch_hooks[i];
		if (h->locked) {
			h->failing_changed = true; /* it may have been */
			list_remove(&h->to_write);
			hook_write_by(h, clock_mono_us() + AGAIN_MS * 1000);
			continue;
		}
		window_batch_written(&h->window);
		h->saved = h->writing_position;
		h->saved_us = clock_mono_us();
		given_up = given_up || h->give_up;
		h->give_up = NULL;
	}
	if (given_up)
		d->config.committed(d->config.ctx);
}

static bool hook_found(const struct hook *h, const struct db_exchange *x, int statement)
{
	for (int row = 0; row < db_rows(x, statement); row++) {
		struct uuid id = db_uuid(x, statement, row, 0);
		if (uuid_equal(&id, &h->id))
			return true;
	}
	return false;
}

/* True when all rows were written, apart from those of deleted and locked webhooks; otherwise the batch is repeated. */
static bool batch_complete(struct dispatcher *d, const struct db_exchange *x)
{
	int64_t expected = 0, rows = d->n_batch ? db_affected(x, AT_ROWS) : 0;

	for (int i = 0; i < d->n_batch_hooks; i++) {
		struct hook *h = d->batch_hooks[i];
		h->locked = db_rows(x, AT_POSITIONS) < d->n_batch_hooks && !hook_found(h, x, AT_POSITIONS);
		if (!h->locked || hook_found(h, x, AT_THERE))
			continue;
		h->locked = false;
		hook_end(h, true);
	}
	for (int i = 0; i < d->n_batch; i++)
		expected += !d->batch[i].hook->discarded && !d->batch[i].hook->locked;
	if (rows < expected)
		log_error("dispatch", "only %lld of %lld deliveries were written; they are written again",
		    (long long)rows, (long long)expected);
	return rows >= expected;
}

static void batch_written(struct db_exchange *x)
{
	struct dispatcher *d = x->owner;
	bool ok = x->status == DB_OK && (d->batch_lost || batch_complete(d, x));
	bool refused = x->status == DB_FAILED && strcmp(x->sqlstate, REFUSED) == 0;
	int n = d->n_batch_hooks;

	if (x->status == DB_FAILED && !refused)
		log_warn("dispatch", "deliveries cannot be written: %s %s", x->sqlstate, x->message);
	db_ask_end(&d->write_ask);
	FAULT_POINT(dispatch_written);
	if (ok && !d->batch_lost)
		end_batch(d);
	if (refused)
		dispatch_lead_lost(d);
	d->writing = false;
	if (ok || d->batch_lost) {
		write_forget_batch(d);
		for (int i = 0; i < n; i++)
			hook_go(d->batch_hooks[i]);
	} else
		d->write_us = clock_mono_us() + AGAIN_MS * 1000;
	dispatch_run(d);
}

static void send_batch(struct dispatcher *d)
{
	db_ask_begin(&d->write_ask);
	dispatch_batch_statements(d);
	d->writing = true;
	d->writing_ms = clock_mono_ms();
	d->batch_lost = false;
	db_ask_send(&d->write_ask, d->config.db, DB_WORK, batch_written, d);
}

void dispatch_write_run(struct dispatcher *d)
{
	int64_t now_us = clock_mono_us();

	if (list_empty(&d->to_write) && d->n_batch_hooks == 0)
		d->write_us = INT64_MAX;
	if (d->writing || d->term == 0 || d->write_us == INT64_MAX)
		return;
	if (now_us < d->write_us && !(d->stopping && d->n_batch_hooks == 0)) {
		dispatch_at(d, d->write_us);
		return;
	}
	if (d->n_batch_hooks == 0)
		batch_collect(d, now_us);
	if (d->n_batch_hooks)
		send_batch(d);
	else if (d->write_us != INT64_MAX)
		dispatch_at(d, d->write_us);
}
