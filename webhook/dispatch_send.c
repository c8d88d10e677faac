/* Attempts: limited per webhook and in total; free places are given in turn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

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

/* --- outcomes -------------------------------------------------------------------------- */

static void attempt_delivered(struct hook *h, struct window_entry *e)
{
	h->failures = 0;
	h->backoff_until_us = 0;
	if (h->failing)
		h->failing_changed = true;
	h->failing = false;
	window_delivered(&h->window, e);
}

static void attempt_failed(struct hook *h, struct window_entry *e, const struct deliver_result *r)
{
	int scale = h->d->config.clock_scale;
	int64_t now_ms = clock_mono_ms();

	h->failures++;
	h->backoff_until_us = clock_mono_us() + schedule_pause_ms(h->failures, scale) * 1000;
	if (!h->failing) {
		h->failing = true;
		h->failing_since_ms = now_ms;
		h->failing_changed = true;
	}
	if (r->status == GONE)
		h->give_up = "gone";
	else if (schedule_given_up(h->failing_since_ms, now_ms, scale))
		h->give_up = "failing";
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
	dispatch_count_attempt(h, r->error == DELIVER_NONE, e->attempts > 0, r->duration_ms * INT64_C(1000));
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
	dispatch_share_end(&f->share);
	attempt_ended(h, f->entry, f->at_ms, r);
	free(f);
	if (h->give_up)
		hook_end(h, false);
	hook_go(h);
	dispatch_run(d);
}

/* --- sending ------------------------------------------------------------------------------ */

/* The signatures with the current secret and with previous ones that are still valid, separated by spaces. */
static void write_signatures(const struct hook *h, const struct window_entry *e, const char *id, int64_t now_ms,
    char out[(1 + VAULT_FORMER_MAX) * SIGN_SIGNATURE_TEXT])
{
	sign_signature(out, h->secret, SIGN_SECRET_LEN, id, now_ms / 1000, e->body, e->body_len);
	for (int i = 0; i < h->n_former && clock_mono_ms() < h->former_until_ms; i++) {
		size_t len = strlen(out);
		out[len] = ' ';
		sign_signature(out + len + 1, h->former[i], SIGN_SECRET_LEN, id, now_ms / 1000, e->body, e->body_len);
	}
}

static void send_out(struct hook *h, struct window_entry *e, int64_t now_ms)
{
	struct dispatcher *d = h->d;
	struct attempt *f = mem_zalloc(sizeof *f);
	char id[ID_SIZE], time[24], signature[(1 + VAULT_FORMER_MAX) * SIGN_SIGNATURE_TEXT], parent[TRACE_PARENT_SIZE];
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
	dispatch_share_begin(h, &f->share);
	deliver_start(d->config.deliverer, h->target, headers, n_headers, e->body, e->body_len, answer_arrived, f);
	FAULT_POINT(dispatch_sent);
}

/* The error if it cannot be sent at all, else DELIVER_NONE. */
static enum deliver_error send_refused(const struct hook *h)
{
	if (!h->has_secret)
		return DELIVER_CONNECTION;
	return h->verdict == TARGET_OK ? DELIVER_NONE : DELIVER_NOT_ALLOWED;
}

/* True when another attempt may start; the total limit is checked elsewhere. */
static bool send_allowed(struct hook *h)
{
	if (h->ending || h->d->stopping || h->window.n_ready == 0 || h->in_flight >= schedule_in_flight(h->failures) ||
	    h->window.n_ended >= ROOM_ENDED || !dispatch_leads(h->d))
		return false;
	if (h->backoff_until_us > clock_mono_us()) {
		dispatch_timer_set(&h->wake, h->backoff_until_us);
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
	return dispatch_share_slow(h) ? QUEUE_SLOW : QUEUE_PROMPT;
}

void dispatch_send_hook(struct hook *h)
{
	if (!h->loaded)
		return;
	while (send_allowed(h)) {
		if (!dispatch_share_has_place(h) || !list_empty(&h->send_queued) || h->d->n_queued[send_queue_of(h)]) {
			dispatch_share_wait(h, send_queue_of(h));
			break;
		}
		send_one(h);
	}
	if (h->give_up)
		hook_end(h, false);
}

/* Asks each waiting workspace once. Workspaces that get no place keep waiting, and the others proceed. */
static void send_from_queue(struct dispatcher *d, enum dispatch_queue queue)
{
	int refused = 0;

	while (refused < d->n_queued[queue] && d->in_flight < ATTEMPTS_MAX) {
		struct hook *h = dispatch_share_next(d, queue);

		if (!h)
			return;
		if (!send_allowed(h))
			continue;
		if (send_queue_of(h) != queue || !dispatch_share_has_place(h)) {
			refused += send_queue_of(h) == queue;
			dispatch_share_wait(h, send_queue_of(h));
			continue;
		}
		refused = 0;
		send_one(h);
		if (h->give_up)
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
