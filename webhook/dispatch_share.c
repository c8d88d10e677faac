/* How places for attempts are shared. Most places are for webhooks that are known to answer soon, because these free
 * them quickly. Attempts of other webhooks may take the full time limit; the workspaces share the rest of the places
 * for these. Waiting webhooks come before new ones, and workspaces take turns, however many webhooks each has. */
#include "server/base/clock.h"
#include "webhook/dispatch_private.h"

/* --- places -------------------------------------------------------------------------------- */

bool dispatch_share_slow(const struct hook *h)
{
	return h->pace != PACE_PROMPT || schedule_in_flight(h->failures) == 1;
}

bool dispatch_share_has_place(const struct hook *h)
{
	const struct dispatcher *d = h->d;
	const struct tenant *t = h->tenant;
	int sharing = d->n_slow + (t->slow_in_flight == 0), share = SLOW_SHARE / (sharing + 1);

	if (d->in_flight >= ATTEMPTS_MAX || t->in_flight >= ATTEMPTS_SHARE)
		return false;
	if (!dispatch_share_slow(h))
		return true;
	return d->slow_in_flight < SLOW_MAX && t->slow_in_flight < (share > SLOW_LEAST ? share : SLOW_LEAST);
}

static void share_count_slow(struct hook *h, struct attempt_share *f)
{
	f->slow = true;
	h->d->slow_in_flight++;
	if (h->tenant->slow_in_flight++ == 0)
		h->d->n_slow++;
}

void dispatch_share_begin(struct hook *h, struct attempt_share *f)
{
	list_init(&f->link);
	f->hook = h;
	f->began_us = clock_mono_us();
	h->in_flight++;
	h->tenant->in_flight++;
	h->d->in_flight++;
	if (dispatch_share_slow(h)) {
		share_count_slow(h, f);
	} else {
		list_append(&h->d->prompt_attempts, &f->link);
		dispatch_at(h->d, f->began_us + SLOW_MS * 1000);
	}
}

void dispatch_share_end(struct attempt_share *f)
{
	struct hook *h = f->hook;

	list_remove(&f->link);
	h->pace = clock_mono_us() - f->began_us < SLOW_MS * 1000 ? PACE_PROMPT : PACE_SLOW;
	h->in_flight--;
	h->tenant->in_flight--;
	h->d->in_flight--;
	if (!f->slow)
		return;
	h->d->slow_in_flight--;
	if (--h->tenant->slow_in_flight == 0)
		h->d->n_slow--;
}

void dispatch_share_age(struct dispatcher *d)
{
	int64_t before_us = clock_mono_us() - SLOW_MS * 1000;

	while (!list_empty(&d->prompt_attempts)) {
		struct attempt_share *f = list_item(d->prompt_attempts.next, struct attempt_share, link);
		if (f->began_us > before_us) {
			dispatch_at(d, f->began_us + SLOW_MS * 1000);
			return;
		}
		list_remove(&f->link);
		f->hook->pace = PACE_SLOW;
		share_count_slow(f->hook, f);
	}
}

/* --- turns ----------------------------------------------------------------------------------- */

void dispatch_share_wait(struct hook *h, enum dispatch_queue queue)
{
	struct list *node = queue == QUEUE_READ ? &h->read_queued : &h->send_queued,
	            *tenant = &h->tenant->queues[queue].link;

	if (!list_empty(node))
		return;
	list_append(&h->tenant->queues[queue].hooks, node);
	if (list_empty(tenant)) {
		list_append(&h->d->queues[queue], tenant);
		h->d->n_queued[queue]++;
	}
}

void dispatch_share_leave(struct hook *h)
{
	list_remove(&h->send_queued);
	list_remove(&h->read_queued);
}

struct hook *dispatch_share_next(struct dispatcher *d, enum dispatch_queue queue)
{
	struct list *tenant, *node;

	while ((tenant = list_take(&d->queues[queue]))) {
		struct tenant *t = list_item(tenant, struct tenant, queues[queue].link);

		d->n_queued[queue]--;
		node = list_take(&t->queues[queue].hooks);
		if (!node)
			continue; /* those that waited have left */
		if (!list_empty(&t->queues[queue].hooks)) {
			list_append(&d->queues[queue], tenant);
			d->n_queued[queue]++;
		}
		return queue == QUEUE_READ ? list_item(node, struct hook, read_queued)
		                           : list_item(node, struct hook, send_queued);
	}
	return NULL;
}
