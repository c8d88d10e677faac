/* Functions that the parts of the dispatcher call without depending on each other: running it, its timer, a
 * webhook's next step. */
#include <event2/event.h>

#include "server/base/clock.h"
#include "webhook/dispatch_private.h"

void dispatch_plan_once(struct db_ask *a)
{
	struct sql *s = db_ask_add(a);

	sql_begin_system(s, &a->arena, "dispatch_plan");
	sql_add(s, "select set_config('plan_cache_mode', 'force_generic_plan', true)");
	/* A plan made while a day's partition was empty is also used when the partition is full, so only index scans
	 * are allowed. */
	sql_add(s, ", set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true), "
	           "set_config('enable_bitmapscan', 'off', true)");
}

void dispatch_timer_set(struct dispatch_timer *t, int64_t mono_us)
{
	int64_t wait_us = mono_us - clock_mono_us();
	struct timeval tv;

	if (t->at_us && t->at_us <= mono_us)
		return;
	if (wait_us < 0)
		wait_us = 0;
	tv = (struct timeval){.tv_sec = wait_us / 1000000, .tv_usec = wait_us % 1000000};
	t->at_us = mono_us;
	event_add(t->event, &tv);
}

void dispatch_at(struct dispatcher *d, int64_t mono_us)
{
	dispatch_timer_set(&d->timer, mono_us);
}

bool dispatch_leads(const struct dispatcher *d)
{
	return d->lead == LEAD_YES && d->generation == db_signal_generation(d->config.db);
}

void dispatch_run(struct dispatcher *d)
{
	if (d->running || d->stopped)
		return;
	d->running = true;
	d->run(d);
	d->running = false;
}

void hook_go(struct hook *h)
{
	if (!h->ending)
		h->d->go(h);
}
