/* The dispatcher's memory: the webhooks that have work, or had recently, and which of them have their row and events
 * loaded. Everything in memory is also in the database. So work that is not in progress can be dropped at any time and
 * read again later. This is the lowest file, so it also has what all others call: running the dispatcher, its timers,
 * a webhook's next step. */
#include <event2/event.h>
#include <stdlib.h>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "webhook/dispatch_private.h"

/* --- what all files call ------------------------------------------------------------------ */

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
	if (!hook_is_ending(h))
		h->d->go(h);
}

/* --- workspaces --------------------------------------------------------------------------- */

static struct tenant *tenant_of(struct dispatcher *d, const struct uuid *id)
{
	struct list *bucket = &d->tenants[id->b[15] % BUCKETS];
	struct tenant *t;

	list_each(known, bucket, struct tenant, bucket) {
		if (uuid_equal(&known->id, id))
			return known;
	}
	t = mem_zalloc(sizeof *t);
	t->id = *id;
	list_append(bucket, &t->bucket);
	return t;
}

static void tenant_free(struct tenant *t)
{
	list_remove(&t->bucket);
	free(t);
}

/* --- webhooks ----------------------------------------------------------------------------- */

static struct list *hook_bucket(struct dispatcher *d, const struct uuid *id)
{
	return &d->buckets[id->b[15] % BUCKETS];
}

struct hook *hook_find(struct dispatcher *d, const struct uuid *id)
{
	struct list *bucket = hook_bucket(d, id);

	list_each(h, bucket, struct hook, bucket) {
		if (uuid_equal(&h->id, id))
			return h;
	}
	return NULL;
}

/* The only function that changes the state. */
static void hook_set_state(struct hook *h, enum hook_state state)
{
	struct dispatcher *d = h->d;
	struct list *const lists[] = {[HOOK_KNOWN] = &d->hooks,
	    [HOOK_LOADED] = &d->loaded,
	    [HOOK_ENDING] = &d->ended,
	    [HOOK_DISCARDED] = &d->ended};

	list_remove(&h->link);
	list_append(lists[state], &h->link);
	h->state = state;
}

void hook_used(struct hook *h)
{
	hook_set_state(h, h->state);
}

/* Drops its row and events. */
static void hook_unload(struct hook *h)
{
	struct dispatcher *d = h->d;

	if (!h->row.target)
		return;
	if (!window_empty(&h->window) && h->events == EVENTS_NONE)
		h->events = EVENTS_MORE;
	window_free(&h->window);
	crypto_wipe(h->row.secrets, sizeof h->row.secrets);
	arena_free(&h->row.arena);
	h->row = (struct hook_row){0};
	arena_init(&h->row.arena);
	h->due.mark = (struct due_mark){0};
	h->due.held_to = (struct event_position){0};
	h->due.more = false;
	h->tenant->n_loaded--;
	d->n_loaded--;
	list_remove(&h->queued.write);
	dispatch_share_leave(h);
	hook_set_state(h, HOOK_KNOWN);
}

static void hook_free(struct hook *h)
{
	struct dispatcher *d = h->d;

	hook_unload(h);
	dispatch_share_leave(h);
	event_free(h->wake.event);
	list_remove(&h->link);
	list_remove(&h->bucket);
	list_remove(&h->queued.write);
	d->n_hooks--;
	if (--h->tenant->n_hooks == 0)
		tenant_free(h->tenant);
	arena_free(&h->row.arena);
	free(h);
}

/* True when nothing of it is in progress or waits to be written. */
static bool hook_quiescent(const struct hook *h)
{
	if (h->in_flight || h->reading || h->write.batch != BATCH_NONE)
		return false;
	return h->state == HOOK_DISCARDED || !h->row.target || (h->window.n_ended == 0 && !h->write.give_up);
}

static bool hook_idle(const struct hook *h)
{
	return h->events == EVENTS_NONE && h->due.at_ms == INT64_MAX &&
	       (h->state != HOOK_LOADED || window_empty(&h->window));
}

/* Forgets the least recently used webhook without work. */
static bool forget_one(struct dispatcher *d)
{
	list_each(h, &d->hooks, struct hook, link) {
		if (hook_quiescent(h) && hook_idle(h)) {
			hook_free(h);
			return true;
		}
	}
	return false;
}

static void hook_on_wake(evutil_socket_t fd, short what, void *ctx)
{
	struct hook *h = ctx;

	(void)fd;
	(void)what;
	h->wake.at_us = 0;
	hook_go(h);
	dispatch_at(h->d, clock_mono_us());
}

static struct hook *hook_new(struct dispatcher *d, const struct uuid *workspace, const struct uuid *id, int64_t version)
{
	struct hook *h = mem_zalloc(sizeof *h);

	h->d = d;
	h->workspace = *workspace;
	h->id = *id;
	h->version = version;
	h->wake.event = evtimer_new(loop_base(d->config.loop), hook_on_wake, h);
	h->due.at_ms = INT64_MAX;
	h->failing.since_ms = INT64_MAX;
	arena_init(&h->row.arena);
	list_init(&h->link);
	list_init(&h->queued.write);
	hook_set_state(h, HOOK_KNOWN);
	list_append(hook_bucket(d, id), &h->bucket);
	h->tenant = tenant_of(d, workspace);
	h->tenant->n_hooks++;
	d->n_hooks++;
	return h;
}

struct hook *hook_add(struct dispatcher *d, const struct uuid *workspace, const struct uuid *id, int64_t version)
{
	struct hook *h = hook_find(d, id);

	if (h && !hook_is_ending(h) && h->version >= version)
		return h;
	if (h && hook_quiescent(h)) {
		hook_free(h);
		h = NULL;
	}
	if (h) {
		hook_end(h, false);
		h->add_again = true;
		return h;
	}
	if (d->n_hooks >= HOOKS_MAX && (d->scan_wanted || !forget_one(d))) {
		d->scan_wanted = true;
		return NULL;
	}
	return hook_new(d, workspace, id, version);
}

bool hook_room(struct hook *h)
{
	struct dispatcher *d = h->d;
	struct hook *most = NULL;

	if (d->n_loaded + d->reads < LOADED_MAX)
		return true;
	list_each(other, &d->loaded, struct hook, link) {
		if (!hook_quiescent(other) || other->write.failing)
			continue;
		if (hook_idle(other) || other->failing.pause_until_us > clock_mono_us()) {
			most = other;
			break;
		}
		/* A workspace gets room only from one that has more webhooks loaded. */
		if (other->tenant->n_loaded > h->tenant->n_loaded + 1 &&
		    (!most || other->tenant->n_loaded > most->tenant->n_loaded))
			most = other;
	}
	if (!most)
		return false;
	hook_unload(most);
	hook_go(most);
	return true;
}

void hook_loaded(struct hook *h)
{
	h->tenant->n_loaded++;
	h->d->n_loaded++;
	hook_set_state(h, HOOK_LOADED);
}

void hook_end(struct hook *h, bool discard)
{
	hook_set_state(h, discard || h->state == HOOK_DISCARDED ? HOOK_DISCARDED : HOOK_ENDING);
	dispatch_share_leave(h);
	event_del(h->wake.event);
	if (!discard)
		return;
	h->add_again = false;
	h->write.give_up = NULL;
	list_remove(&h->queued.write);
}

void hook_write_by(struct hook *h, int64_t mono_us)
{
	struct dispatcher *d = h->d;

	if (h->state == HOOK_DISCARDED)
		return;
	if (list_empty(&h->queued.write)) {
		list_append(&d->to_write, &h->queued.write);
		h->write.by_us = mono_us;
	} else if (mono_us < h->write.by_us)
		h->write.by_us = mono_us;
	if (mono_us < d->write_us)
		d->write_us = mono_us;
}

void hooks_discard(struct dispatcher *d)
{
	struct list ended, *node, *all[] = {&ended, &d->hooks, &d->loaded};

	/* Each moves to d->ended, also those that are there already. */
	list_init(&ended);
	while ((node = list_take(&d->ended)))
		list_append(&ended, node);
	for (int i = 0; i < 3; i++)
		while (!list_empty(all[i]))
			hook_end(list_item(all[i]->next, struct hook, link), true);
}

void hooks_free(struct dispatcher *d)
{
	list_each(ended, &d->ended, struct hook, link) {
		struct uuid workspace = ended->workspace, id = ended->id;
		bool again = ended->add_again;
		struct hook *h;

		if (!hook_quiescent(ended))
			continue;
		hook_free(ended);
		if (!again)
			continue;
		h = hook_new(d, &workspace, &id, 0); /* its row has the version */
		h->events = EVENTS_MORE;
		hook_go(h);
	}
}

void hooks_free_all(struct dispatcher *d)
{
	struct list *all[] = {&d->hooks, &d->loaded, &d->ended};

	for (int i = 0; i < 3; i++)
		while (!list_empty(all[i]))
			hook_free(list_item(all[i]->next, struct hook, link));
}
