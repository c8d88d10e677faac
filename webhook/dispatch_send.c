/* Attempts: limited per webhook and in total, and counted for /metrics.
 *
 * Most places for attempts are for webhooks that are known to answer soon, because these free them quickly. Attempts of
 * other webhooks may take the full time limit; the workspaces share the rest of the places for these. Waiting webhooks
 * come before new ones, and workspaces take turns, however many webhooks each has.
 *
 * The counts are of attempts by webhook, and of the webhooks that are furthest behind. Their memory has a limit,
 * however many webhooks there are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

/* The place that an attempt occupies; on d->prompt_attempts while it is not slow. */
struct attempt_share {
	struct list link;
	struct hook *hook;
	int64_t began_us;
	bool slow;
};

/* --- places ------------------------------------------------------------------------------- */

/* True when its receiver may answer slowly: it has not answered yet, its last answer was slow, or it fails. */
static bool share_is_slow(const struct hook *h)
{
	return h->pace != PACE_PROMPT || schedule_in_flight(h->failing.times) == 1;
}

/* True when another attempt to it may start. */
static bool share_has_place(const struct hook *h)
{
	const struct dispatcher *d = h->d;
	const struct tenant *t = h->tenant;
	int sharing = d->n_slow + (t->slow_in_flight == 0), share = SLOW_SHARE / (sharing + 1);

	if (d->in_flight >= ATTEMPTS_MAX || t->in_flight >= ATTEMPTS_SHARE)
		return false;
	if (!share_is_slow(h))
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

static void share_begin(struct hook *h, struct attempt_share *f)
{
	list_init(&f->link);
	f->hook = h;
	f->began_us = clock_mono_us();
	h->in_flight++;
	h->tenant->in_flight++;
	h->d->in_flight++;
	if (share_is_slow(h)) {
		share_count_slow(h, f);
	} else {
		list_append(&h->d->prompt_attempts, &f->link);
		dispatch_at(h->d, f->began_us + SLOW_MS * 1000);
	}
}

static void share_end(struct attempt_share *f)
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

/* --- turns -------------------------------------------------------------------------------- */

void dispatch_share_wait(struct hook *h, enum dispatch_queue queue)
{
	struct fair_item *turn = queue == QUEUE_READ ? &h->queued.read : &h->queued.send;

	if (!fair_item_waits(turn))
		fair_queue_add(&h->d->queues[queue], &h->tenant->id, turn);
}

void dispatch_share_leave(struct hook *h)
{
	fair_item_leave(&h->queued.send);
	fair_item_leave(&h->queued.read);
}

struct hook *dispatch_share_next(struct dispatcher *d, enum dispatch_queue queue)
{
	struct fair_item *turn = fair_queue_take(&d->queues[queue], NULL, NULL);

	return queue == QUEUE_READ ? fair_as(turn, struct hook, queued.read) : fair_as(turn, struct hook, queued.send);
}

static const int64_t UNUSED_US = 3600 * INT64_C(1000000);

/* --- counts ------------------------------------------------------------------------------- */

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

/* An attempt has ended; retry: it was not the event's first. */
static void count_attempt(struct hook *h, bool delivered, bool retry, int64_t took_us)
{
	struct dispatch_count *c = h->count;

	/* Another webhook may have got its place, and a place may have become free. */
	if (!c || !uuid_equal(&c->id, &h->id))
		h->count = c = count_find(h->d, h);
	c->used_us = clock_mono_us();
	c->retries += retry;
	histogram_add(delivered ? &c->delivered : &c->failed, took_us);
}

/* --- webhooks with work ------------------------------------------------------------------- */

static bool hook_has_work(const struct hook *h)
{
	return !hook_is_ending(h) && (h->events != EVENTS_NONE || hook_is_failing(h) || h->due.at_ms != INT64_MAX ||
	                                 (h->state == HOOK_LOADED && !window_empty(&h->window)));
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

	list_each(h, hooks, const struct hook, link) {
		struct dispatch_behind b = {.workspace = h->tenant->id, .id = h->id, .failing_ms = -1};
		if (!hook_has_work(h))
			continue;
		if (hook_is_failing(h))
			b.failing_ms = mono_ms - h->failing.since_ms;
		if (h->write.saved.at_ms)
			b.behind_ms = now_ms - h->write.saved.at_ms;
		if (b.behind_ms < b.failing_ms)
			b.behind_ms = b.failing_ms;
		out->n_behind++;
		out->n_failing += hook_is_failing(h);
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

/* An attempt in progress. */
struct attempt {
	struct attempt_share share;
	struct window_entry *entry;
	int64_t at_ms;
};

enum { GONE = 410, SENT_HEADERS = 7 };

/* A random number from 0 to 1. */
static double random_fraction(void)
{
	uint32_t bits;

	random_bytes(&bits, sizeof bits);
	return (double)bits / UINT32_MAX;
}

/* --- outcomes ----------------------------------------------------------------------------- */

static void attempt_delivered(struct hook *h, struct window_entry *e)
{
	h->failing.times = 0;
	h->failing.pause_until_us = 0;
	if (hook_is_failing(h))
		h->write.failing = true;
	h->failing.since_ms = INT64_MAX;
	window_delivered(&h->window, e);
}

static void attempt_failed(struct hook *h, struct window_entry *e, const struct deliver_result *r)
{
	int scale = h->d->config.clock_scale;
	int64_t now_ms = clock_mono_ms();

	h->failing.times++;
	h->failing.pause_until_us = clock_mono_us() + schedule_pause_ms(h->failing.times, scale) * 1000;
	if (!hook_is_failing(h)) {
		h->failing.since_ms = now_ms;
		h->write.failing = true;
	}
	if (r->status == GONE)
		h->write.give_up = "gone";
	else if (schedule_given_up(h->failing.since_ms, now_ms, scale))
		h->write.give_up = "failing";
	window_failed(
	    &h->window, e, now_ms, schedule_retry_ms(e->attempts + 1, random_fraction(), r->retry_after_s, scale));
}

static void attempt_ended(struct hook *h, struct window_entry *e, int64_t at_ms, const struct deliver_result *r)
{
	e->attempt = (struct window_attempt){
	    .at_ms = at_ms, .duration_ms = r->duration_ms, .status = r->status, .error = deliver_error_word(r->error)};
	if (r->error == DELIVER_STOPPED) {
		e->attempt.at_ms = 0;
		window_returned(&h->window, e);
		return;
	}
	count_attempt(h, r->error == DELIVER_NONE, e->attempts > 0, r->duration_ms * INT64_C(1000));
	if (r->error == DELIVER_NONE)
		attempt_delivered(h, e);
	else
		attempt_failed(h, e, r);
	hook_write_by(h, clock_mono_us() + WRITE_MS * 1000);
}

static void answer_arrived(void *ctx, const struct deliver_result *r)
{
	struct attempt *f = ctx;
	struct hook *h = f->share.hook;
	struct dispatcher *d = h->d;

	FAULT_POINT(dispatch_arrived);
	share_end(&f->share);
	attempt_ended(h, f->entry, f->at_ms, r);
	free(f);
	if (h->write.give_up)
		hook_end(h, false);
	hook_go(h);
	dispatch_run(d);
}

/* --- sending ------------------------------------------------------------------------------ */

/* The signatures with the current secret and with previous ones that are still valid, separated by spaces. */
static void write_signatures(const struct hook *h, const struct window_entry *e, const char *id, int64_t now_ms,
    char out[HOOK_SECRETS * SIGN_SIGNATURE_TEXT])
{
	sign_signature(out, h->row.secrets[0], SIGN_SECRET_LEN, id, now_ms / 1000, e->body, e->body_len);
	for (int i = 1; i < h->row.n_secrets && clock_mono_ms() < h->row.former_until_ms; i++) {
		size_t len = strlen(out);
		out[len] = ' ';
		sign_signature(
		    out + len + 1, h->row.secrets[i], SIGN_SECRET_LEN, id, now_ms / 1000, e->body, e->body_len);
	}
}

static void send_out(struct hook *h, struct window_entry *e, int64_t now_ms)
{
	struct dispatcher *d = h->d;
	struct attempt *f = mem_zalloc(sizeof *f);
	char id[ID_SIZE], time[24], signature[HOOK_SECRETS * SIGN_SIGNATURE_TEXT], parent[TRACE_PARENT_SIZE];
	struct deliver_header headers[SENT_HEADERS] = {{"content-type", "application/json"},
	    {"user-agent", "kith-webhooks"}, {"webhook-id", id}, {"webhook-timestamp", time},
	    {"webhook-signature", signature}};
	int n_headers = 5;

	id_format(ID_EVENT, &e->event, id);
	snprintf(time, sizeof time, "%lld", (long long)(now_ms / 1000));
	write_signatures(h, e, id, now_ms, signature);
	if (trace_child(e->trace, parent))
		headers[n_headers++] = (struct deliver_header){"traceparent", parent};
	if (e->manual)
		headers[n_headers++] = (struct deliver_header){"x-kith-retry", "manual"};
	*f = (struct attempt){.entry = e, .at_ms = now_ms};
	share_begin(h, &f->share);
	deliver_start(d->config.deliverer,
	    &(struct deliver_request){.target = h->row.target,
	        .headers = headers,
	        .n_headers = n_headers,
	        .body = e->body,
	        .body_len = e->body_len},
	    answer_arrived, f);
	FAULT_POINT(dispatch_sent);
}

/* The error if it cannot be sent at all, else DELIVER_NONE. */
static enum deliver_error send_refused(const struct hook *h)
{
	if (!h->row.n_secrets)
		return DELIVER_CONNECTION;
	return h->row.verdict == TARGET_OK ? DELIVER_NONE : DELIVER_NOT_ALLOWED;
}

/* True when another attempt may start; the total limit is checked elsewhere. */
static bool send_allowed(struct hook *h)
{
	if (hook_is_ending(h) || h->d->stopping || h->window.n_ready == 0 ||
	    h->in_flight >= schedule_in_flight(h->failing.times) || h->window.n_ended >= ROOM_ENDED ||
	    !dispatch_leads(h->d))
		return false;
	if (h->failing.pause_until_us > clock_mono_us()) {
		dispatch_timer_set(&h->wake, h->failing.pause_until_us);
		return false;
	}
	return true;
}

static void send_one(struct hook *h)
{
	struct window_entry *e = window_take(&h->window);
	struct deliver_result r = {.error = send_refused(h), .retry_after_s = -1};
	int64_t now_ms = clock_now_ms();

	if (r.error == DELIVER_NONE)
		send_out(h, e, now_ms);
	else
		attempt_ended(h, e, now_ms, &r);
}

static enum dispatch_queue send_queue_of(const struct hook *h)
{
	return share_is_slow(h) ? QUEUE_SLOW : QUEUE_PROMPT;
}

void dispatch_send_hook(struct hook *h)
{
	if (h->state != HOOK_LOADED)
		return;
	while (send_allowed(h)) {
		if (!share_has_place(h) || fair_item_waits(&h->queued.send) || h->d->queues[send_queue_of(h)].n_items) {
			dispatch_share_wait(h, send_queue_of(h));
			break;
		}
		send_one(h);
	}
	if (h->write.give_up)
		hook_end(h, false);
}

/* Asks each waiting workspace once. Workspaces that get no place keep waiting, and the others proceed. */
static void send_from_queue(struct dispatcher *d, enum dispatch_queue queue)
{
	int refused = 0;

	while (refused < d->queues[queue].n_tenants && d->in_flight < ATTEMPTS_MAX) {
		struct hook *h = dispatch_share_next(d, queue);

		if (!h)
			return;
		if (!send_allowed(h))
			continue;
		if (send_queue_of(h) != queue || !share_has_place(h)) {
			refused += send_queue_of(h) == queue;
			dispatch_share_wait(h, send_queue_of(h));
			continue;
		}
		refused = 0;
		send_one(h);
		if (h->write.give_up)
			hook_end(h, false);
		else if (send_allowed(h))
			dispatch_share_wait(h, send_queue_of(h));
	}
}

void dispatch_send_due(struct dispatcher *d)
{
	send_from_queue(d, QUEUE_PROMPT);
	send_from_queue(d, QUEUE_SLOW);
}
