/* The dispatcher's beginning and end, and what it does when. See dispatch_private.h for its parts. */
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

/* --- webhooks in memory --------------------------------------------------------------- */

static struct list *bucket_of(struct dispatcher *d, const struct uuid *id)
{
	return &d->buckets[id->b[15] % BUCKETS];
}

struct hook *hook_find(struct dispatcher *d, const struct uuid *id)
{
	struct list *bucket = bucket_of(d, id);

	for (struct list *node = bucket->next; node != bucket; node = node->next) {
		struct hook *h = list_item(node, struct hook, bucket);
		if (uuid_equal(&h->id, id))
			return h;
	}
	return NULL;
}

static void hook_free(struct hook *h)
{
	struct dispatcher *d = h->d;

	list_remove(&h->link);
	list_remove(&h->bucket);
	list_remove(&h->turn);
	list_remove(&h->reading);
	list_remove(&h->touched);
	d->n_hooks--;
	d->n_gone -= h->gone;
	if (h->loaded)
		window_free(&h->window);
	crypto_wipe(h->secret, sizeof h->secret);
	crypto_wipe(h->former, sizeof h->former);
	arena_free(&h->arena);
	free(h);
}

/* Nothing of it is under way or waits to be written. */
static bool at_rest(const struct hook *h)
{
	if (h->flying || h->read_under_way || h->writing)
		return false;
	return h->lost || !h->loaded || (h->window.n_ended == 0 && !h->give_up);
}

/* What waits in memory waits in the database as well. */
static bool can_be_put_away(const struct hook *h)
{
	const struct event_position *p;

	if (!h->loaded || !at_rest(h))
		return false;
	p = window_position(&h->window);
	if (event_position_compare(p, &h->saved) != 0)
		return false;
	return window_empty(&h->window) || h->rest_until_us > clock_mono_us();
}

static bool make_room(struct dispatcher *d)
{
	for (struct list *node = d->hooks.next; node != &d->hooks; node = node->next) {
		struct hook *h = list_item(node, struct hook, link);
		if (h->gone || can_be_put_away(h)) {
			if (!at_rest(h))
				continue;
			hook_free(h);
			return true;
		}
	}
	return false;
}

struct hook *hook_new(struct dispatcher *d, const struct uuid *workspace, const struct uuid *id, int64_t version)
{
	struct hook *h;

	if (d->n_hooks == HOOKS_MAX && !make_room(d))
		return NULL;
	h = mem_zalloc(sizeof *h);
	h->d = d;
	h->workspace = *workspace;
	h->id = *id;
	h->version = version;
	h->due_ms = INT64_MAX;
	h->mark.due_us = INT64_MIN;
	arena_init(&h->arena);
	list_init(&h->link);
	list_init(&h->bucket);
	list_init(&h->turn);
	list_init(&h->reading);
	list_init(&h->touched);
	list_append(&d->hooks, &h->link);
	list_append(bucket_of(d, id), &h->bucket);
	d->n_hooks++;
	return h;
}

void hook_end(struct hook *h, bool lost)
{
	if (!h->gone)
		h->d->n_gone++;
	h->gone = true;
	list_remove(&h->turn);
	list_remove(&h->reading);
	if (!lost)
		return;
	h->lost = true;
	h->give_up = NULL;
	list_remove(&h->touched);
}

void hook_touch(struct hook *h, int64_t mono_us)
{
	struct dispatcher *d = h->d;

	if (h->lost)
		return;
	if (list_empty(&h->touched)) {
		list_append(&d->touched, &h->touched);
		h->touched_us = mono_us;
	} else if (mono_us < h->touched_us)
		h->touched_us = mono_us;
	if (mono_us < d->write_us)
		d->write_us = mono_us;
}

void hook_go(struct hook *h)
{
	struct dispatcher *d = h->d;
	const struct event_position *p;

	if (h->gone)
		return;
	send_hook(h);
	if (read_wanted(h)) {
		if (list_empty(&h->reading)) {
			list_append(&d->readers, &h->reading);
			list_remove(&h->link); /* the one that was used last */
			list_append(&d->hooks, &h->link);
		}
	} else if (h->loaded && h->due_ms != INT64_MAX && !h->read_under_way) {
		int64_t wait_ms = h->due_ms - clock_now_ms();
		if (wait_ms > 0)
			dispatch_at(d, clock_mono_us() + wait_ms * 1000);
	}
	if (!h->loaded || !list_empty(&h->touched))
		return;
	p = window_position(&h->window);
	if (event_position_compare(p, &h->saved) != 0)
		hook_touch(h, h->saved_us + SAVE_MS * 1000);
}

static void free_gone(struct dispatcher *d)
{
	struct list *next;

	for (struct list *node = d->hooks.next; d->n_gone && node != &d->hooks; node = next) {
		struct hook *h = list_item(node, struct hook, link);
		next = node->next;
		if (h->gone && at_rest(h))
			hook_free(h);
	}
}

struct sql *plan_once(struct arena *a)
{
	struct sql *s = arena_alloc(a, sizeof *s);

	sql_begin_system(s, a, "dispatch_plan");
	sql_add(s, "select set_config('plan_cache_mode', 'force_generic_plan', true)");
	/* A plan that was made while a day's partition was empty serves it when it is full: along its keys alone. */
	sql_add(s, ", set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true), "
	           "set_config('enable_bitmapscan', 'off', true)");
	return s;
}

/* --- what happens when ------------------------------------------------------------------ */

void dispatch_at(struct dispatcher *d, int64_t mono_us)
{
	int64_t wait_us = mono_us - clock_mono_us();
	struct timeval tv;

	if (d->timer_us && d->timer_us <= mono_us)
		return;
	if (wait_us < 0)
		wait_us = 0;
	tv = (struct timeval){.tv_sec = wait_us / 1000000, .tv_usec = wait_us % 1000000};
	d->timer_us = mono_us;
	event_add(d->timer, &tv);
}

static void unlocked(struct db_exchange *x)
{
	struct dispatcher *d = x->owner;

	db_exchange_clear(x);
	arena_free(&d->stop_arena);
	d->unlocking = false;
	if (!d->stopped) {
		d->stopped = true;
		d->stopped_fn(d->stopped_ctx);
	}
}

/* Gives the lock back at once, so that another process need not wait until the connection closes. */
static void unlock(struct dispatcher *d)
{
	if (d->unlocking || d->stopped)
		return;
	d->unlocking = true;
	d->lead = LEAD_NOT;
	d->term = 0;
	arena_init(&d->stop_arena);
	sql_begin_system(&d->stop_sql, &d->stop_arena, NULL);
	sql_add(&d->stop_sql, "select pg_advisory_unlock_all()");
	d->stop_statements[0] = &d->stop_sql;
	d->stop_x = (struct db_exchange){
	    .lane = DB_SIGNAL, .statements = d->stop_statements, .n_statements = 1, .done = unlocked, .owner = d};
	db_send(d->config.db, &d->stop_x);
}

static void stop_run(struct dispatcher *d)
{
	bool late = clock_mono_us() >= d->stop_us;

	if (late && !d->stopped && !d->unlocking) {
		d->stopped = true;
		d->stopped_fn(d->stopped_ctx);
		return;
	}
	if (d->flying == 0 && d->reads == 0 && !d->writing && d->n_batch == 0 &&
	    (d->write_us == INT64_MAX || d->term == 0))
		unlock(d);
	else if (!late)
		dispatch_at(d, d->stop_us);
}

void dispatch_run(struct dispatcher *d)
{
	if (d->running || d->stopped)
		return;
	d->running = true;
	lead_run(d);
	look_run(d);
	read_run(d);
	write_run(d);
	if (d->n_gone)
		free_gone(d);
	if (d->stopping)
		stop_run(d);
	d->running = false;
}

static void timer(evutil_socket_t fd, short what, void *ctx)
{
	struct dispatcher *d = ctx;

	(void)fd;
	(void)what;
	d->timer_us = 0;
	if (d->stopped)
		return;
	for (struct list *node = d->hooks.next, *next; node != &d->hooks; node = next) {
		next = node->next;
		hook_go(list_item(node, struct hook, link));
	}
	send_turns(d);
	dispatch_run(d);
}

void dispatch_wake(struct dispatcher *d)
{
	d->woken = true;
	dispatch_run(d);
}

/* --- beginning and end --------------------------------------------------------------------- */

struct dispatcher *dispatch_start(const struct dispatch_config *c)
{
	struct dispatcher *d = mem_zalloc(sizeof *d);

	d->config = *c;
	list_init(&d->hooks);
	list_init(&d->turns);
	list_init(&d->readers);
	list_init(&d->touched);
	for (int i = 0; i < BUCKETS; i++)
		list_init(&d->buckets[i]);
	d->next_due_ms = INT64_MAX;
	d->write_us = INT64_MAX;
	d->timer = evtimer_new(loop_base(c->loop), timer, d);
	dispatch_at(d, clock_mono_us());
	return d;
}

void dispatch_stop(struct dispatcher *d, int ms, loop_fn *stopped, void *ctx)
{
	d->stopping = true;
	d->stop_us = clock_mono_us() + (int64_t)ms * 1000;
	d->stopped_fn = stopped;
	d->stopped_ctx = ctx;
	dispatch_at(d, clock_mono_us()); /* stopped() is not called from in here */
}

void dispatch_free(struct dispatcher *d)
{
	d->stopped = true;
	for (int i = 0; i < d->n_batch; i++)
		window_entry_free(d->batch[i].entry);
	while (!list_empty(&d->hooks))
		hook_free(list_item(d->hooks.next, struct hook, link));
	event_free(d->timer);
	free(d);
}
