/*
 * Connections to receivers: evhttp's client, with restrictions on what it does by itself.
 *  - One connection per socket: evhttp would reconnect, so a closed one is discarded.
 *  - Reading ahead: without a watermark it reads while it writes, and aborts if what it
 *    read is followed by the end of the connection; so reading is off meanwhile.
 *  - 1xx answers: it treats all but 100 as the final answer, and keeps their headers.
 *  - Unsolicited bytes after an answer: it would take them for the next answer.
 *  - Headers that end the connection: it only compares Connection with "close".
 */
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/text.h"
#include "webhook/address.h"
#include "webhook/deliver_private.h"
#include "webhook/schedule.h"

/* --- the pool --------------------------------------------------------------------- */

unsigned connection_bucket(const struct target *t)
{
	uint32_t hash = 2166136261u ^ t->port ^ (t->tls ? 0x10000 : 0);

	for (const char *p = t->host; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 16777619u;
	return (hash ^ hash >> 16) % POOL_BUCKETS;
}

/* True when there is nothing to read: neither an end nor unsolicited bytes. A TLS message such as a session ticket
 * counts as bytes. That costs a new connection, but never a wrong verdict. */
static bool looks_alive(const struct connection *n)
{
	char byte;

	if (evbuffer_get_length(bufferevent_get_input(n->buffer)) > 0 || (n->tls && tls_holds_bytes(n->buffer)))
		return false;
	return recv(bufferevent_getfd(n->buffer), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

/* A connection that was made under other rules may lead to an address that these rules forbid. */
static bool leads_to(const struct connection *n, const struct call *c)
{
	return n->rules == c->rules && n->tls == c->target->tls && n->port == c->target->port &&
	       strcmp(n->host, c->target->host) == 0;
}

struct connection *connection_reuse(struct call *c)
{
	list_each(n, &c->deliverer->pool[c->bucket], struct connection, bucket) {
		if (!leads_to(n, c))
			continue;
		list_remove(&n->bucket);
		list_remove(&n->link);
		if (looks_alive(n))
			return n;
		n->failed = true;
		connection_settle_later(n);
	}
	return NULL;
}

void connection_make_idle(struct connection *n)
{
	struct list *first = n->deliverer->pool[n->in_bucket].next;

	n->used = true;
	n->call = NULL;
	n->since_us = clock_mono_us();
	list_remove(&n->link);
	list_append(&n->deliverer->idle, &n->link);
	list_append(first, &n->bucket); /* in front of it */
}

/* --- evhttp's callbacks ------------------------------------------------------------ */

/* True when a comma-separated list has the word. */
static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	while (list && *list) {
		list += strspn(list, " \t,");
		size_t n = strcspn(list, ", \t");
		if (n == len && strncasecmp(list, word, len) == 0)
			return true;
		list += n;
	}
	return false;
}

/* True when the answer's framing is unambiguous, so that the connection can be reused. */
static bool leaves_open(const struct evhttp_request *q)
{
	const char *length = NULL, *coding = NULL;
	int lengths = 0, codings = 0;

	for (const struct evkeyval *h = q->input_headers->tqh_first; h; h = h->next.tqe_next) {
		if (strcasecmp(h->key, "Content-Length") == 0) {
			length = h->value;
			lengths++;
		} else if (strcasecmp(h->key, "Transfer-Encoding") == 0) {
			coding = h->value;
			codings++;
		} else if (strcasecmp(h->key, "Connection") == 0 && has_word(h->value, "close")) {
			return false;
		}
	}
	uint64_t ignored;
	if (q->major != 1 || q->minor < 1 || lengths + codings > 1)
		return false;
	if (q->response_code == 204 || q->response_code == 304)
		return true;
	if (coding)
		return strcasecmp(coding, "chunked") == 0;
	return length && text_uint(length, strlen(length), &ignored);
}

/* Content-Type without its parameters. */
static void answer_read_type(struct deliver_answer *a, const char *value)
{
	size_t len = value ? strcspn(value, "; \t") : 0;

	if (len > DELIVER_TYPE_MAX)
		len = 0;
	for (size_t i = 0; i < len; i++)
		a->type[i] = text_lower(value[i]);
	a->type[len] = '\0';
}

/* How long caches need not ask again. */
static int64_t max_age_s(const char *control)
{
	static const char name[] = "max-age=";
	uint64_t seconds;

	if (!control)
		return -1;
	if (has_word(control, "no-store") || has_word(control, "no-cache"))
		return 0;
	for (const char *at = control; *at; at += strspn(at, " \t,")) {
		size_t len = strcspn(at, ", \t");
		if (len > sizeof name - 1 && strncasecmp(at, name, sizeof name - 1) == 0 &&
		    text_uint(at + sizeof name - 1, len - (sizeof name - 1), &seconds) && seconds <= INT32_MAX)
			return (int64_t)seconds;
		at += len;
	}
	return -1;
}

static void answer_begin(struct deliver_answer *a, const struct evhttp_request *q)
{
	a->status = q->response_code;
	answer_read_type(a, evhttp_find_header(q->input_headers, "Content-Type"));
	a->max_age_s = max_age_s(evhttp_find_header(q->input_headers, "Cache-Control"));
}

/* A negative result ends the connection. */
static int on_head(struct evhttp_request *q, void *ctx)
{
	struct connection *n = ctx;
	int status = q->response_code;

	if (status < 200) {
		/* Not the final answer. evhttp reads on only after a 100, and would keep these headers. */
		q->response_code = 100;
		evhttp_clear_headers(q->input_headers);
		n->interim = true;
		connection_settle_later(n);
		return status == 101 || status < 100 || ++n->n_interim > INTERIM_MAX ? -1 : 0;
	}
	n->reusable = leaves_open(q);
	if (!n->call || status > STATUS_MAX)
		return -1;
	if (n->call->answer)
		answer_begin(n->call->answer, q);
	else if (status < 300)
		call_decide(n->call, DELIVER_NONE, status, -1);
	else
		call_decide(n->call, DELIVER_HTTP, status,
		    schedule_retry_after_s(evhttp_find_header(q->input_headers, "Retry-After"), clock_now_ms() / 1000));
	return 0;
}

/* evhttp drains the buffer after the callback. A body that is not kept is only read to its end. */
static void connection_on_body(struct evhttp_request *q, void *ctx)
{
	const struct connection *n = ctx;
	struct evbuffer *piece = evhttp_request_get_input_buffer(q);
	size_t len = evbuffer_get_length(piece);
	struct buf *body = n->call && n->call->answer ? &n->call->answer->body : NULL;
	char *to = body && len ? buf_room(body, len) : NULL;

	if (!to)
		return;
	evbuffer_copyout(piece, to, len);
	body->len += len;
}

static void on_end(struct evhttp_request *q, void *ctx)
{
	struct connection *n = ctx;

	n->finished = true;
	/* 0: no connection was made */
	n->complete = q && q->response_code != 0;
	n->failed = n->failed || !n->complete;
	connection_settle_later(n);
}

static void on_close(struct evhttp_connection *http, void *ctx)
{
	struct connection *n = ctx;

	(void)http;
	/* evhttp does not call this for a connection that was never made. */
	n->established = n->failed = true;
	connection_settle_later(n);
}

static void connection_on_input(struct evbuffer *input, const struct evbuffer_cb_info *info, void *ctx)
{
	struct connection *n = ctx;

	(void)input;
	n->received += info->n_added;
}

/* evhttp begins to write a request. */
static void connection_on_output(struct evbuffer *output, const struct evbuffer_cb_info *info, void *ctx)
{
	struct connection *n = ctx;

	(void)output;
	if (info->n_added == 0 || n->write_begun)
		return;
	n->write_begun = true;
	connection_settle_later(n);
}

void connection_pause_reading(struct connection *n)
{
	if (n->write_begun && !n->failed && evbuffer_get_length(bufferevent_get_output(n->buffer)) > 0)
		bufferevent_disable(n->buffer, EV_READ);
}

/* --- making and freeing ------------------------------------------------------------- */

static bool make_buffer(struct connection *n, const struct target *t)
{
	struct deliverer *d = n->deliverer;

	if (t->tls) {
		n->buffer = tls_buffer_new(d->base, d->tls, t->host, t->literal);
	} else {
		n->buffer = bufferevent_socket_new(d->base, -1, BEV_OPT_CLOSE_ON_FREE);
	}
	if (!n->buffer)
		return false;
	bufferevent_set_max_single_write(n->buffer, WRITE_MAX);
	return evbuffer_add_cb(bufferevent_get_input(n->buffer), connection_on_input, n) &&
	       evbuffer_add_cb(bufferevent_get_output(n->buffer), connection_on_output, n);
}

struct connection *connection_open(struct call *c, const struct sockaddr *address)
{
	struct deliverer *d = c->deliverer;
	struct connection *n = mem_zalloc(sizeof *n);
	char text[INET6_ADDRSTRLEN];

	/* Our own timeout comes first; evhttp's is only a safety net. */
	int quiet_ms = (d->config.timeout_ms > d->config.idle_ms ? d->config.timeout_ms : d->config.idle_ms) + 1000;
	struct timeval quiet = {quiet_ms / 1000, quiet_ms % 1000 * 1000};
	n->deliverer = d;
	n->rules = c->rules;
	n->tls = c->target->tls;
	n->port = c->target->port;
	n->in_bucket = c->bucket;
	memcpy(n->host, c->target->host, sizeof n->host);
	list_init(&n->link);
	list_init(&n->to_settle);
	list_init(&n->bucket);
	if (evutil_inet_ntop(address->sa_family, address_bytes(address), text, sizeof text) &&
	    make_buffer(n, c->target))
		n->http = evhttp_connection_base_bufferevent_new(d->base, NULL, n->buffer, text, n->port);
	if (!n->http) {
		if (n->buffer)
			bufferevent_free(n->buffer);
		free(n);
		return NULL;
	}
	d->n_connections++;
	n->since_us = clock_mono_us();
	evhttp_connection_set_timeout_tv(n->http, &quiet);
	evhttp_connection_set_max_headers_size(n->http, HEADERS_MAX);
	evhttp_connection_set_max_body_size(n->http, DELIVER_ANSWER_MAX);
	evhttp_connection_set_closecb(n->http, on_close, n);
	return n;
}

static struct evhttp_request *make_request(struct connection *n, const struct call *c)
{
	struct evhttp_request *q = evhttp_request_new(on_end, n);

	if (!q)
		return NULL;
	struct evkeyvalq *headers = evhttp_request_get_output_headers(q);
	const char *text = c->text;
	evhttp_request_set_header_cb(q, on_head);
	evhttp_request_set_chunked_cb(q, connection_on_body);
	evhttp_add_header(headers, "Host", c->target->authority);
	evhttp_add_header(headers, "User-Agent", "kith/" KITH_VERSION);
	for (int i = 0; i < c->n_headers; i++) {
		const char *name = text, *value = text + strlen(text) + 1;
		evhttp_add_header(headers, name, value);
		text = value + strlen(value) + 1;
	}
	if (c->body)
		evbuffer_add(evhttp_request_get_output_buffer(q), c->body, c->body_len);
	return q;
}

void connection_send(struct connection *n, struct call *c)
{
	int on = 1;

	n->call = c;
	n->received = 0;
	n->n_interim = 0;
	n->finished = n->complete = n->reusable = n->interim = n->write_begun = false;
	c->connection = n;
	struct evhttp_request *q = make_request(n, c);
	bufferevent_setwatermark(n->buffer, EV_READ, 0, c->answer ? ANSWER_INPUT_MAX : INPUT_MAX);
	enum evhttp_cmd_type method = c->body ? EVHTTP_REQ_POST : EVHTTP_REQ_GET;
	if (!q || evhttp_make_request(n->http, q, method, c->target->path) != 0) {
		n->finished = n->failed = true;
		connection_settle_later(n);
		return;
	}
	evutil_socket_t fd = bufferevent_getfd(n->buffer);
	if (!n->used && fd >= 0)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* After a 100, evhttp reads on once told that everything is written. A TLS buffer does not report this when there
 * was nothing to write; the buffer's enabled events show whether evhttp was told. */
void connection_continue(struct connection *n)
{
	bufferevent_data_cb written;
	void *ctx;

	n->interim = false;
	bufferevent_getcb(n->buffer, NULL, &written, NULL, &ctx);
	if (!n->failed && !n->finished && written && bufferevent_get_enabled(n->buffer) & EV_WRITE &&
	    evbuffer_get_length(bufferevent_get_output(n->buffer)) == 0)
		written(n->buffer, ctx);
}

bool connection_established(const struct connection *n)
{
	struct sockaddr_storage peer;
	socklen_t len = sizeof peer;

	return n->received > 0 || getpeername(bufferevent_getfd(n->buffer), (struct sockaddr *)&peer, &len) == 0;
}

void connection_free(struct connection *n)
{
	list_remove(&n->link);
	list_remove(&n->to_settle);
	list_remove(&n->bucket);
	n->deliverer->n_connections--;
	evhttp_connection_set_closecb(n->http, NULL, NULL);
	/* The buffer may outlive this, until its own callbacks have run. */
	evbuffer_remove_cb(bufferevent_get_input(n->buffer), connection_on_input, n);
	evbuffer_remove_cb(bufferevent_get_output(n->buffer), connection_on_output, n);
	evhttp_connection_free(n->http);
	free(n);
}
