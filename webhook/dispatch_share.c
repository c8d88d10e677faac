/* How places for attempts are shared. Most are for webhooks known to answer soon, which free them quickly. The
 * others, whose attempts may take the full time limit, share the rest by workspace. Waiting webhooks go before new
 * ones, and workspaces take turns, however many webhooks each has. */
#include "server/base/clock.h"
#include "webhook/dispatch_private.h"

/* --- places -------------------------------------------------------------------------------- */

bool dispatch_share_doubtful(const struct hook *h)
{
	return h->pace != PACE_PROMPT || schedule_in_flight(h->failures) == 1;
}

bool dispatch_share_has_place(const struct hook *h)
{
	const struct dispatcher *d = h->d;
	const struct tenant *t = h->tenant;
	int sharing = d->n_doubtful + (t->doubtful == 0), share = DOUBTFUL_SHARE / (sharing + 1);

	if (d->flying >= FLYING_MAX || t->flying >= FLYING_SHARE)
		return false;
	if (!dispatch_share_doubtful(h))
		return true;
	return d->doubtful < DOUBTFUL_MAX && t->doubtful < (share > DOUBTFUL_LEAST ? share : DOUBTFUL_LEAST);
}

static void share_count_doubtful(struct hook *h, struct flight_share *f)
{
	f->doubtful = true;
	h->d->doubtful++;
	if (h->tenant->doubtful++ == 0)
		h->d->n_doubtful++;
}

void dispatch_share_begin(struct hook *h, struct flight_share *f)
{
	list_init(&f->link);
	f->hook = h;
	f->began_us = clock_mono_us();
	h->flying++;
	h->tenant->flying++;
	h->d->flying++;
	if (dispatch_share_doubtful(h)) {
		share_count_doubtful(h, f);
	} else {
		list_append(&h->d->flights, &f->link);
		dispatch_at(h->d, f->began_us + SLOW_MS * 1000);
	}
}

void dispatch_share_end(struct flight_share *f)
{
	struct hook *h = f->hook;

	list_remove(&f->link);
	h->pace = clock_mono_us() - f->began_us < SLOW_MS * 1000 ? PACE_PROMPT : PACE_SLOW;
	h->flying--;
	h->tenant->flying--;
	h->d->flying--;
	if (!f->doubtful)
		return;
	h->d->doubtful--;
	if (--h->tenant->doubtful == 0)
		h->d->n_doubtful--;
}

void dispatch_share_age(struct dispatcher *d)
{
	int64_t before_us = clock_mono_us() - SLOW_MS * 1000;

	while (!list_empty(&d->flights)) {
		struct flight_share *f = list_item(d->flights.next, struct flight_share, link);
		if (f->began_us > before_us) {
			dispatch_at(d, f->began_us + SLOW_MS * 1000);
			return;
		}
		list_remove(&f->link);
		f->hook->pace = PACE_SLOW;
		share_count_doubtful(f->hook, f);
	}
}

/* --- turns ----------------------------------------------------------------------------------- */

void dispatch_share_wait(struct hook *h, enum dispatch_queue queue)
{
	struct list *node = queue == QUEUE_READ ? &h->reading : &h->queued, *tenant = &h->tenant->queues[queue].link;

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
	list_remove(&h->queued);
	list_remove(&h->reading);
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
		return queue == QUEUE_READ ? list_item(node, struct hook, reading)
		                           : list_item(node, struct hook, queued);
	}
	return NULL;
}
