/* The dispatcher's counts for /metrics: attempts by webhook, and which webhooks are furthest behind. Their memory has a
 * limit, however many webhooks there are. */
#include <string.h>

#include "server/base/clock.h"
#include "webhook/dispatch_private.h"

static const int64_t UNUSED_US = 3600 * INT64_C(1000000);

/* --- attempts ------------------------------------------------------------------------------ */

static struct dispatch_count *count_find(struct dispatcher *d, const struct hook *h)
{
	struct dispatch_count *others = &d->counts[DISPATCH_COUNTED], *found = others;
	int64_t before_us = clock_mono_us() - UNUSED_US;

	for (struct dispatch_count *c = d->counts; c < others; c++) {
		if (uuid_equal(&c->id, &h->id))
			return c;
		if (found == others && (c->used_us == 0 || c->used_us < before_us))
			found = c;
	}
	if (found != others)
		*found = (struct dispatch_count){.workspace = h->workspace, .id = h->id};
	return found;
}

void dispatch_count_attempt(struct hook *h, bool delivered, bool retry, int64_t took_us)
{
	struct dispatch_count *c = h->count;

	/* Another webhook may have got its place, and a place may have become free. */
	if (!c || !uuid_equal(&c->id, &h->id))
		h->count = c = count_find(h->d, h);
	c->used_us = clock_mono_us();
	c->retries += retry;
	histogram_add(delivered ? &c->delivered : &c->failed, took_us);
}

/* --- webhooks with work ----------------------------------------------------------------------- */

static bool hook_has_work(const struct hook *h)
{
	return !h->ending &&
	       (h->has_events || h->failing || h->due_ms != INT64_MAX || (h->loaded && !window_empty(&h->window)));
}

static void stats_insert(struct dispatch_stats *out, const struct dispatch_behind *b)
{
	int i = out->n_named < DISPATCH_BEHIND + 1 ? out->n_named++ : DISPATCH_BEHIND;

	if (i == DISPATCH_BEHIND && out->n_behind > DISPATCH_BEHIND + 1 && out->behind[i].behind_ms >= b->behind_ms)
		return;
	for (; i > 0 && out->behind[i - 1].behind_ms < b->behind_ms; i--)
		out->behind[i] = out->behind[i - 1];
	out->behind[i] = *b;
}

static void stats_add(struct dispatch_stats *out, const struct list *hooks)
{
	int64_t now_ms = clock_now_ms(), mono_ms = clock_mono_ms();

	for (const struct list *node = hooks->next; node != hooks; node = node->next) {
		const struct hook *h = list_item(node, const struct hook, link);
		struct dispatch_behind b = {.workspace = h->tenant->id, .id = h->id, .failing_ms = -1};
		if (!hook_has_work(h))
			continue;
		if (h->failing)
			b.failing_ms = mono_ms - h->failing_since_ms;
		if (h->saved.at_ms)
			b.behind_ms = now_ms - h->saved.at_ms;
		if (b.behind_ms < b.failing_ms)
			b.behind_ms = b.failing_ms;
		out->n_behind++;
		out->n_failing += h->failing;
		stats_insert(out, &b);
	}
}

void dispatch_stats_get(const struct dispatcher *d, struct dispatch_stats *out)
{
	*out = (struct dispatch_stats){.leads = dispatch_leads(d),
	    .events = d->n_events,
	    .n_in_flight = d->in_flight,
	    .counts = d->counts,
	    .n_counts = DISPATCH_COUNTED + 1};
	if (!out->leads)
		return;
	stats_add(out, &d->hooks);
	stats_add(out, &d->loaded);
}
