/* Calls, from deliver_start() to done. A call takes an idle connection to its target, or resolves the name, checks the
 * addresses and opens one. Connections report a verdict or a failure; deliver_settle(), in an event of its own, tells
 * the caller. */
#include "webhook/deliver.h"

#include <event2/event.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "webhook/deliver_private.h"

enum { SWEEP_MIN_MS = 10, SWEEP_MAX_MS = 250 };

static void call_open(struct call *c);
static void call_resolve(struct call *c);

const char *deliver_error_word(enum deliver_error e)
{
	static const char *const words[] = {
	    [DELIVER_NONE] = "",
	    [DELIVER_TIMEOUT] = "timeout",
	    [DELIVER_CONNECTION] = "connection",
	    [DELIVER_TLS] = "tls",
	    [DELIVER_NOT_ALLOWED] = "not_allowed",
	    [DELIVER_HTTP] = "http_error",
	    [DELIVER_STOPPED] = "",
	};

	return words[e];
}

/* --- verdicts --------------------------------------------------------------------- */

static void deliver_settle_soon(struct deliverer *d)
{
	event_active(d->settle, EV_TIMEOUT, 0);
}

void call_decide(struct call *c, enum deliver_error error, int status, int64_t retry_after_s)
{
	struct deliverer *d = c->deliverer;

	c->result = (struct deliver_result){.error = error, .status = status, .retry_after_s = retry_after_s};
	if (c->answer && status)
		c->result.answer = c->answer;
	if (c->started_us)
		c->result.duration_ms = (int)((clock_mono_us() - c->started_us) / 1000);
	list_remove(&c->link);
	list_append(&d->decided, &c->link);
	deliver_settle_soon(d);
}

static bool is_decided(const struct call *c)
{
	return c->result.error != DELIVER_NONE || c->result.status != 0;
}

void connection_settle_later(struct connection *n)
{
	list_remove(&n->to_settle);
	list_append(&n->deliverer->to_settle, &n->to_settle);
	deliver_settle_soon(n->deliverer);
}

/* The call has lost its connection; it may get another. */
static void call_connection_lost(struct call *c, const struct connection *n)
{
	bool tls = n->tls && tls_failed(n->buffer);

	if (!tls && n->used && n->received == 0 && !c->retried) {
		/* The receiver closed an idle connection without having seen this request. */
		c->retried = true;
		call_resolve(c);
	} else if (!tls && !n->established && c->next_address < c->n_addresses) {
		call_open(c);
	} else {
		call_decide(c, tls ? DELIVER_TLS : DELIVER_CONNECTION, 0, -1);
	}
}

/* The whole answer of a call that keeps it is there. An answer whose length was not announced ends with the connection.
 * If that was too early, the body is only a part of the document, which its reader must refuse. */
static void call_answered(struct call *c)
{
	int status = c->answer->status;

	if (c->answer->body.overflow)
		call_decide(c, DELIVER_CONNECTION, 0, -1);
	else
		call_decide(c, status < 300 ? DELIVER_NONE : DELIVER_HTTP, status, -1);
}

/* Processes a connection's events, most often the end of its request. */
static void connection_settle(struct connection *n)
{
	struct call *c = n->call;

	connection_pause_reading(n);
	if (n->interim)
		connection_continue(n);
	if (!n->finished && !n->failed)
		return;
	if (c) {
		c->connection = NULL;
		n->call = NULL;
		if (!is_decided(c) && c->answer && n->complete)
			call_answered(c);
		else if (!is_decided(c))
			call_connection_lost(c, n);
	}
	if (n->failed || !n->reusable || n->deliverer->stopping)
		connection_free(n);
	else
		connection_make_idle(n);
}

static void call_finish(struct call *c)
{
	struct deliver_result result = c->result;
	struct deliver_answer *answer = c->answer;
	deliver_fn *done = c->done;
	void *ctx = c->ctx;
	struct connection *n = c->connection;

	list_remove(&c->link);
	if (n) {
		n->call = NULL;
		n->since_us = clock_mono_us();
		list_append(&n->deliverer->draining, &n->link);
	}
	free(c->target);
	free(c->text);
	free(c);
	done(ctx, &result);
	if (answer)
		buf_free(&answer->body);
	free(answer);
}

/* --- starting --------------------------------------------------------------------- */

/* Makes room for one more connection, if need be by closing the one idle for longest. */
static bool deliver_make_room(struct deliverer *d)
{
	struct list *from[] = {&d->idle, &d->draining};

	for (int i = 0; i < 2 && d->n_connections + d->n_resolving >= d->config.connections_max; i++)
		if (!list_empty(from[i]))
			connection_free(list_item(from[i]->next, struct connection, link));
	return d->n_connections + d->n_resolving < d->config.connections_max;
}

/* Connects to the next allowed address. */
static void call_open(struct call *c)
{
	while (c->next_address < c->n_addresses) {
		const struct sockaddr *address = (const struct sockaddr *)&c->addresses[c->next_address++];
		/* Checked again, although the resolver has checked them: the code in between is not trusted with
		 * this. */
		if (!target_address_allowed(c->rules, c->target, address)) {
			call_decide(c, DELIVER_NOT_ALLOWED, 0, -1);
			return;
		}
		struct connection *n = connection_open(c, address);
		if (n) {
			connection_send(n, c);
			return;
		}
	}
	call_decide(c, DELIVER_CONNECTION, 0, -1);
}

/* Keeps some of the addresses, IPv4 first: more receivers are reachable that way. */
static void keep_addresses(struct call *c, const struct sockaddr_storage *addresses, size_t n)
{
	static const int families[] = {AF_INET, AF_INET6};

	c->n_addresses = c->next_address = 0;
	for (int f = 0; f < 2; f++)
		for (size_t i = 0, of_family = 0; i < n && of_family < CALL_ADDRESSES_MAX / 2; i++)
			if (addresses[i].ss_family == families[f]) {
				c->addresses[c->n_addresses++] = addresses[i];
				of_family++;
			}
}

static void on_resolved(void *ctx, enum resolve_status status, const struct sockaddr_storage *addresses, size_t n)
{
	struct call *c = ctx;

	c->resolution = NULL;
	c->deliverer->n_resolving--;
	if (status == RESOLVE_OK) {
		keep_addresses(c, addresses, n);
		call_open(c);
	} else {
		call_decide(c, status == RESOLVE_FORBIDDEN ? DELIVER_NOT_ALLOWED : DELIVER_CONNECTION, 0, -1);
	}
}

static void call_resolve(struct call *c)
{
	struct deliverer *d = c->deliverer;

	d->n_resolving++;
	c->resolution = resolve_start(d->config.resolver, c->rules, c->target, on_resolved, c);
}

static void deliver_arm_sweep(struct deliverer *d)
{
	int ms = d->config.timeout_ms / 20;

	ms = ms < SWEEP_MIN_MS ? SWEEP_MIN_MS : ms > SWEEP_MAX_MS ? SWEEP_MAX_MS : ms;
	struct timeval tv = {0, ms * 1000};
	if (!evtimer_pending(d->sweep, NULL))
		evtimer_add(d->sweep, &tv);
}

/* False when it has to wait for another connection to end. */
static bool call_begin(struct call *c)
{
	struct deliverer *d = c->deliverer;
	struct connection *n = connection_reuse(c);

	if (!n && !deliver_make_room(d))
		return false;
	c->started_us = clock_mono_us();
	list_remove(&c->link);
	list_append(&d->running, &c->link);
	deliver_arm_sweep(d);
	if (n)
		connection_send(n, c);
	else
		call_resolve(c);
	return true;
}

/* In an event of its own: see deliver_private.h. */
static void deliver_settle(evutil_socket_t fd, short what, void *ctx)
{
	struct deliverer *d = ctx;
	struct list *node;

	(void)fd;
	(void)what;
	while ((node = list_take(&d->to_settle)))
		connection_settle(list_item(node, struct connection, to_settle));
	while (!list_empty(&d->decided))
		call_finish(list_item(d->decided.next, struct call, link));
	while (!d->stopping && !list_empty(&d->waiting) && call_begin(list_item(d->waiting.next, struct call, link)))
		continue;
}

/* --- time ------------------------------------------------------------------------- */

/* Cancels what is in progress for the call. */
static void call_abort(struct call *c)
{
	if (c->resolution) {
		resolve_cancel(c->resolution);
		c->resolution = NULL;
		c->deliverer->n_resolving--;
	}
	if (c->connection) {
		connection_free(c->connection);
		c->connection = NULL;
	}
}

/* Gives up an address that does not answer, early enough to try the others. */
static void try_next_address(struct call *c, int64_t now_us)
{
	struct connection *n = c->connection;

	if (!n || c->next_address >= c->n_addresses || connection_established(n))
		return;
	if (now_us - n->since_us < c->timeout_us / CALL_ADDRESSES_MAX)
		return;
	call_abort(c);
	call_open(c);
}

/* Frees the connections of a list that are older than since_us. */
static void connections_free_older(struct list *head, int64_t since_us)
{
	while (!list_empty(head)) {
		struct connection *n = list_item(head->next, struct connection, link);
		if (n->since_us > since_us)
			return;
		connection_free(n);
	}
}

static void deliver_sweep(evutil_socket_t fd, short what, void *ctx)
{
	struct deliverer *d = ctx;
	int64_t now = clock_mono_us();

	(void)fd;
	(void)what;
	list_each(c, &d->running, struct call, link) {
		if (now - c->started_us < c->timeout_us) {
			try_next_address(c, now);
			continue;
		}
		call_abort(c);
		call_decide(c, DELIVER_TIMEOUT, 0, -1);
	}
	connections_free_older(&d->idle, now - d->config.idle_ms * INT64_C(1000));
	connections_free_older(&d->draining, now - DRAIN_MS * INT64_C(1000));
	if (!list_empty(&d->running) || !list_empty(&d->idle) || !list_empty(&d->draining))
		deliver_arm_sweep(d);
	if (!list_empty(&d->waiting))
		deliver_settle_soon(d);
}

/* --- the interface ---------------------------------------------------------------- */

struct deliverer *deliverer_new(const struct deliver_config *config)
{
	struct ssl_ctx_st *tls = tls_new(config->ca_file);

	if (!tls) {
		log_error("deliver", "TLS cannot be set up");
		return NULL;
	}
	struct deliverer *d = mem_zalloc(sizeof *d);
	struct list *const lists[] = {&d->waiting, &d->running, &d->decided, &d->to_settle, &d->idle, &d->draining};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		list_init(lists[i]);
	for (int i = 0; i < POOL_BUCKETS; i++)
		list_init(&d->pool[i]);
	d->config = *config;
	d->base = loop_base(config->loop);
	d->tls = tls;
	d->settle = event_new(d->base, -1, 0, deliver_settle, d);
	d->sweep = evtimer_new(d->base, deliver_sweep, d);
	return d;
}

void deliverer_free(struct deliverer *d)
{
	struct list *const calls[] = {&d->running, &d->waiting};
	struct list *const connections[] = {&d->idle, &d->draining};

	d->stopping = true;
	for (int i = 0; i < 2; i++)
		while (!list_empty(calls[i])) {
			struct call *c = list_item(calls[i]->next, struct call, link);
			call_abort(c);
			call_decide(c, DELIVER_STOPPED, 0, -1);
		}
	deliver_settle(-1, 0, d);
	for (int i = 0; i < 2; i++)
		while (!list_empty(connections[i]))
			connection_free(list_item(connections[i]->next, struct connection, link));
	event_free(d->settle);
	event_free(d->sweep);
	SSL_CTX_free(d->tls);
	free(d);
}

/* Copies only the part in use, because most of a target is room for a long path. */
static struct target *copy_target(const struct target *target)
{
	size_t size = offsetof(struct target, path) + strlen(target->path) + 1;

	return memcpy(mem_alloc(size), target, size);
}

/* Headers, then the body, in one piece of memory. */
static void copy_texts(struct call *c, const struct deliver_request *q)
{
	const struct deliver_header *headers = q->headers;
	size_t size = q->body_len + 1;

	for (int i = 0; i < q->n_headers; i++)
		size += strlen(headers[i].name) + strlen(headers[i].value) + 2;
	char *to = c->text = mem_alloc(size);
	for (int i = 0; i < q->n_headers; i++) {
		to = (char *)memcpy(to, headers[i].name, strlen(headers[i].name) + 1) + strlen(headers[i].name) + 1;
		to = (char *)memcpy(to, headers[i].value, strlen(headers[i].value) + 1) + strlen(headers[i].value) + 1;
	}
	if (q->body_len)
		memcpy(to, q->body, q->body_len);
	c->body = q->body ? to : NULL;
	c->body_len = q->body_len;
	c->n_headers = q->n_headers;
}

void deliver_start(struct deliverer *d, const struct deliver_request *q, deliver_fn *done, void *ctx)
{
	struct call *c = mem_zalloc(sizeof *c);

	c->deliverer = d;
	c->target = copy_target(q->target);
	c->rules = q->rules ? q->rules : d->config.rules;
	c->bucket = connection_bucket(q->target);
	c->timeout_us = (q->timeout_ms ? q->timeout_ms : d->config.timeout_ms) * INT64_C(1000);
	c->done = done;
	c->ctx = ctx;
	copy_texts(c, q);
	if (q->answer_max) {
		c->answer = mem_zalloc(sizeof *c->answer);
		buf_init(&c->answer->body, q->answer_max);
	}
	list_init(&c->link);
	list_append(&d->waiting, &c->link);
	if (d->waiting.next == &c->link)
		call_begin(c);
}
