/* Connections: the gate on their input, their states and deadlines, and the answers to refused connections.
 *
 * evhttp or this file turns reading off from the end of a request until its answer has been sent. So the gate sees one
 * request at a time. Pipelined requests wait, at most one read of them here and the rest in the kernel, and are judged
 * in turn. A refusal can therefore be answered at once, because everything before it has been answered. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "server/base/arena.h"
#include "server/base/fatal.h"
#include "server/base/log.h"
#include "server/http/conn.h"

enum {
	CLOSING_US = 5000000,   /* the time that a refused client has to read its answer */
	BODY_RATE = 1024,       /* the least bytes per second of a body */
	BODY_GRACE = 6,         /* the rate applies after this fraction of the body's time: 5 s of 30 s */
	CONTENDED_RATE = 65536, /* the least rate of a body from an unknown sender while others wait for room */
	CONTENDED_GRACE = 30,   /* the rate applies after 1 s of 30 s */
	ROOM_AGE_US = 1000000,  /* a connection idle for this long may be closed for a new one */
	ACCEPT_TURN = 64,       /* connections accepted in one turn of the loop; libevent would accept all that wait */
	LOG_PAUSE_US = 10000000
};

/* --- input ---------------------------------------------------------------------- */

/* Passes one contiguous run of bytes to the gate. Returns how many bytes it accepted. */
static size_t feed_run(struct http_conn *c, struct evbuffer *in, size_t len)
{
	struct evbuffer_ptr at;
	struct evbuffer_iovec run;
	size_t used = gate_skip(&c->gate, len - c->passed_len);

	if (used > 0)
		return used;
	if (evbuffer_ptr_set(in, &at, c->passed_len, EVBUFFER_PTR_SET) != 0 || evbuffer_peek(in, -1, &at, &run, 1) < 1)
		fatal_abort("an input buffer is shorter than it says");
	gate_feed(&c->gate, run.iov_base, run.iov_len, &used);
	return used;
}

/* evhttp refuses methods that it does not know. So it gets the request line with another method, and with a target that
 * begins with question marks: "PROPFIND /dav/" becomes "POST ????/dav/". The line keeps its length, so the framing
 * stays as the gate has seen it. read_target() in http.c cuts the question marks off. ACL becomes PUT, as POST is
 * longer. head: the length of the head before the gate read on; nothing happens unless it has just read the method. A
 * refused request has no input any more. */
static void conn_disguise(struct http_conn *c, struct evbuffer *in, size_t head)
{
	size_t len = c->gate.method >= 1U << HTTP_METHODS_OWN ? strlen(c->gate.method_name) : 0, as_len;
	const char *as = len > 3 ? "POST" : "PUT";
	char *line;

	if (len == 0 || head > len || c->refused)
		return;
	line = (char *)evbuffer_pullup(in, (ev_ssize_t)len + 1);
	if (!line)
		fatal_abort("an input buffer is shorter than it says");
	as_len = strlen(as);
	memcpy(line, as, as_len);
	line[as_len] = ' ';
	memset(line + as_len + 1, '?', len - as_len);
}

/* Passes input to the gate, up to the end of the current request. */
static void conn_feed_gate(struct http_conn *c)
{
	struct evbuffer *in = bufferevent_get_input(c->bev);
	size_t len = evbuffer_get_length(in), from = c->passed_len, head = c->gate.head_len;

	while (c->passed_len < len && c->gate.verdict == GATE_MORE) {
		bool body = c->gate.in_body;
		size_t used = feed_run(c, in, len);

		c->passed_len += used;
		if (body)
			c->body_in += used;
	}
	arrival_advance(c, from, head);
	conn_disguise(c, in, head);
}

/* Runs within the read, before evhttp is told about the bytes, and whenever evhttp removes bytes. */
static void on_input(struct evbuffer *in, const struct evbuffer_cb_info *info, void *arg)
{
	struct http_conn *c = arg;

	if (c->refused) {
		if (info->n_added > 0)
			conn_discard_input(c, in);
		return;
	}
	if (info->n_deleted > c->passed_len) {
		log_error("http", "framing differs: evhttp took %zu bytes, the gate had passed %zu", info->n_deleted,
		    c->passed_len);
		conn_refuse(c, 400, "The request is malformed");
		return;
	}
	c->passed_len -= info->n_deleted;
	if (info->n_added > 0 && c->state <= CONN_WAIT)
		conn_feed_gate(c);
}

/* --- output --------------------------------------------------------------------- */

/* True when the len bytes at the end of out begin with text. */
static bool added_begins_with(struct evbuffer *out, size_t len, const char *text)
{
	struct evbuffer_ptr at;

	return evbuffer_ptr_set(out, &at, evbuffer_get_length(out) - len, EVBUFFER_PTR_SET) == 0 &&
	       evbuffer_search(out, text, strlen(text), &at).pos == at.pos;
}

/* Counts what the kernel takes. It also replaces answers that evhttp makes itself, because they are HTML; "100
 * Continue" stays. The gate should have prevented all of them. */
static void on_output(struct evbuffer *out, const struct evbuffer_cb_info *info, void *arg)
{
	struct http_conn *c = arg;

	if (info->n_deleted > 0)
		unread_sent(c, info->n_deleted);
	if (info->n_added == 0 || c->replying || c->refused || added_begins_with(out, info->n_added, "HTTP/1.1 100 "))
		return;
	if (clock_mono_us() - c->server->evhttp_logged_us > LOG_PAUSE_US) {
		c->server->evhttp_logged_us = clock_mono_us();
		log_warn("http", "evhttp refused a request that had passed the gate");
	}
	c->evhttp_answered = true;
	conn_refuse(c, 400, "The request is malformed");
}

/* --- making and freeing ------------------------------------------------------------ */

struct bufferevent *conn_new(struct event_base *base, void *arg)
{
	struct http_server *s = arg;
	struct http_conn *c = mem_zalloc(sizeof *c);

	c->server = s;
	c->fd = -1;
	/* If this returned NULL, evhttp would make a bufferevent without a gate. */
	c->bev = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
	if (!c->bev)
		fatal_abort("no memory for a connection");
	bufferevent_incref(c->bev);
	gate_init(&c->gate, &s->limits);
	arrival_forget(c);
	c->in_cb = evbuffer_add_cb(bufferevent_get_input(c->bev), on_input, c);
	c->out_cb = evbuffer_add_cb(bufferevent_get_output(c->bev), on_output, c);
	if (!c->in_cb || !c->out_cb)
		fatal_abort("no memory for a connection");
	list_init(&c->node);
	list_init(&c->work);
	list_init(&c->turn);
	unread_owner(c, NULL);
	conn_set_state(c, CONN_IDLE);
	conn_todo_later(c, TODO_ATTACH);
	s->n_connections++;
	if (++s->n_accepted % ACCEPT_TURN == 0)
		listen_pause(s, 0);
	if (s->n_connections >= (size_t)s->config.max_connections && !conn_make_room(s)) {
		s->full = true;
		listen_update(s);
	}
	if (!event_pending(s->tick, EV_TIMEOUT, NULL))
		event_add(s->tick, &s->tick_every);
	return c->bev;
}

/* The client of an answer that continues will take nothing more. A request that waits for it is told so. */
static void call_left(struct http_call *call)
{
	call->conn = NULL;
	if (!call->stream.written)
		return;
	list_append(&call->server->left, &call->left);
	event_active(call->server->work_event, EV_TIMEOUT, 0);
}

static void conn_end(struct http_conn *c)
{
	struct http_server *s = c->server;

	if (c->call)
		call_left(c->call);
	arrival_forget(c);
	send_forget(c);
	hold_end(s, &c->hold);
	hold_end(s, &c->out);
	hold_end(s, &c->sent);
	if (c->fd >= 0 && s->by_fd[c->fd] == c)
		s->by_fd[c->fd] = NULL;
	evbuffer_remove_cb_entry(bufferevent_get_input(c->bev), c->in_cb);
	evbuffer_remove_cb_entry(bufferevent_get_output(c->bev), c->out_cb);
	list_remove(&c->node);
	list_remove(&c->work);
	bufferevent_decref(c->bev);
	free(c);
	s->n_connections--;
	if (s->full) {
		s->full = false;
		listen_update(s);
	}
}

static void on_evhttp_close(struct evhttp_connection *evcon, void *arg)
{
	(void)evcon;
	conn_end(arg);
}

/* Makes the kernel keep as little for a Unix socket as for a TCP socket. An accepted TCP socket inherits this from the
 * listener (listen_tune()); an accepted Unix socket does not. */
static void conn_tune_unix(const struct http_conn *c)
{
	int domain = 0, kept = HTTP_UNSENT_MAX;
	socklen_t len = sizeof domain;

	if (getsockopt(c->fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) == 0 && domain == AF_UNIX)
		setsockopt(c->fd, SOL_SOCKET, SO_SNDBUF, &kept, sizeof kept);
}

/* evhttp has no callback for a new connection. This finds it as the argument of the bufferevent's callbacks. evhttp
 * clears these when it drops a connection that was not ready yet. */
static bool conn_attach(struct http_conn *c)
{
	struct http_server *s = c->server;
	bufferevent_event_cb on_event;
	void *evcon;

	bufferevent_getcb(c->bev, NULL, NULL, &on_event, &evcon);
	if (!on_event) {
		conn_end(c);
		return false;
	}
	c->evcon = evcon;
	c->fd = bufferevent_getfd(c->bev);
	if ((size_t)c->fd >= s->by_fd_len) {
		size_t len = (size_t)c->fd + 256;
		s->by_fd = mem_realloc(s->by_fd, len * sizeof(struct http_conn *));
		memset(s->by_fd + s->by_fd_len, 0, (len - s->by_fd_len) * sizeof(struct http_conn *));
		s->by_fd_len = len;
	}
	s->by_fd[c->fd] = c;
	if (s->on_unix)
		conn_tune_unix(c);
	evhttp_connection_set_closecb(c->evcon, on_evhttp_close, c);
	return true;
}

struct http_conn *conn_of_request(struct http_server *s, struct evhttp_request *request)
{
	struct evhttp_connection *evcon = evhttp_request_get_connection(request);
	int fd = bufferevent_getfd(evhttp_connection_get_bufferevent(evcon));

	if (fd < 0 || (size_t)fd >= s->by_fd_len || !s->by_fd[fd] || s->by_fd[fd]->evcon != evcon)
		fatal_abort("a request came on a connection without a gate");
	return s->by_fd[fd];
}

void conn_close(struct http_conn *c)
{
	short what = BEV_EVENT_READING | BEV_EVENT_EOF;

	if ((c->todo & TODO_ATTACH) != 0 && !conn_attach(c))
		return;
	/* evhttp frees a connection whose client has disconnected, in any state. */
	if (c->on_event)
		c->on_event(c->bev, what, c->evcon);
	else
		bufferevent_trigger_event(c->bev, what, 0);
}

void conn_reset(struct http_conn *c)
{
	static const struct linger at_once = {.l_onoff = 1, .l_linger = 0};

	setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
	conn_close(c);
}

/* Closes one idle connection. */
static void conn_drop(struct http_conn *c)
{
	if (c->fd >= 0 && send_is_held(c))
		conn_reset(c);
	else
		conn_close(c);
}

bool conn_has_unread(const struct http_conn *c)
{
	int unread = 0;

	return evbuffer_get_length(bufferevent_get_input(c->bev)) > 0 ||
	       (ioctl(bufferevent_getfd(c->bev), FIONREAD, &unread) == 0 && unread > 0);
}

bool conn_make_room(struct http_server *s)
{
	struct list *first = s->states[CONN_IDLE].next;
	struct http_conn *c = list_item(first, struct http_conn, node);

	if (list_empty(&s->states[CONN_IDLE]) || clock_mono_us() - c->since_us < ROOM_AGE_US || conn_has_unread(c))
		return false;
	conn_drop(c);
	return true;
}

/* --- after an answer, or instead of one ------------------------------------------- */

void conn_answered(struct http_conn *c)
{
	if (c->last) {
		if (conn_has_unread(c))
			http_linger(c->server, c->fd);
		return;
	}
	gate_next(&c->gate);
	c->body_in = 0;
	conn_set_state(c, CONN_IDLE);
	conn_feed_gate(c);
}

static void on_refusal_written(struct bufferevent *bev, void *arg)
{
	struct http_conn *c = arg;

	if (evbuffer_get_length(bufferevent_get_output(bev)) > 0)
		return;
	shutdown(c->fd, SHUT_WR);
}

static void on_refusal_event(struct bufferevent *bev, short what, void *arg)
{
	(void)bev;
	(void)what;
	conn_close(arg);
}

/* Takes over the callbacks of the bufferevent, because evhttp would wait for a request that will never be complete. */
static void answer_refusal(struct http_conn *c)
{
	struct evbuffer *out = bufferevent_get_output(c->bev);
	struct http_error error;

	bufferevent_getcb(c->bev, NULL, NULL, &c->on_event, NULL);
	bufferevent_setcb(c->bev, NULL, on_refusal_written, on_refusal_event, c);
	if (c->evhttp_answered) {
		evbuffer_unfreeze(out, 1);
		evbuffer_drain(out, evbuffer_get_length(out));
		evbuffer_freeze(out, 1);
	}
	c->replying = c->last = true;
	http_error_make(c->server, &error, c->refuse_status, c->refuse_message);
	if (c->verdict && c->verdict->status == c->refuse_status && c->verdict->header.name)
		error.headers[error.n_headers++] = c->verdict->header;
	else if (c->refuse_status == 503)
		error.headers[error.n_headers++] = (struct http_header){"Retry-After", "1"};
	for (int i = 0; c->verdict && i < c->verdict->n_more; i++)
		error.headers[error.n_headers++] = c->verdict->more[i];
	reply_put(c, c->refuse_status, error.headers, error.n_headers, &error.body);
	buf_free(&error.body);
	arrival_forget(c);
	bufferevent_enable(c->bev, EV_READ);
	send_begin(c);
}

void conn_work(evutil_socket_t fd, short what, void *server)
{
	struct http_server *s = server;
	struct list *node;

	(void)fd;
	(void)what;
	while ((node = list_take(&s->work))) {
		struct http_conn *c = list_item(node, struct http_conn, work);
		unsigned todo = c->todo;

		c->todo = 0;
		if ((todo & TODO_ATTACH) != 0 && !conn_attach(c))
			continue;
		if ((todo & TODO_CLOSE) != 0)
			conn_close(c);
		else if ((todo & TODO_REFUSE) != 0)
			answer_refusal(c);
		else if ((todo & TODO_WRITE) != 0)
			send_begin(c);
	}
	while ((node = list_take(&s->left))) {
		struct http_call *call = list_item(node, struct http_call, left);
		call->stream.written(call->stream.ctx);
	}
}

/* --- deadlines ---------------------------------------------------------------------- */

static void conn_give_up(struct http_conn *c)
{
	switch ((enum http_conn_state)c->state) {
	case CONN_HEAD:
	case CONN_BODY:
		conn_refuse(c, 408, "The request did not arrive in time");
		break;
	case CONN_WAIT:
		conn_refuse(c, 503, "Too many request bodies are being received");
		break;
	case CONN_REPLY:
	case CONN_DRAIN:
		conn_reset(c);
		break;
	case CONN_IDLE:
		conn_drop(c);
		break;
	default:
		conn_close(c);
	}
}

static void conn_expire_state(struct http_server *s, enum http_conn_state state, int64_t now, int64_t limit_us)
{
	struct list *head = &s->states[state];

	while (!list_empty(head)) {
		struct http_conn *c = list_item(head->next, struct http_conn, node);
		if (now - c->since_us < limit_us)
			return;
		conn_give_up(c);
	}
}

static bool conn_too_slow(const struct http_conn *c, int64_t age, int64_t limit_us)
{
	bool contended = room_is_contended(c);
	int64_t rate = contended ? CONTENDED_RATE : BODY_RATE;

	if (contended && age > limit_us / BODY_GRACE)
		return true;
	return age > limit_us / (contended ? CONTENDED_GRACE : BODY_GRACE) &&
	       (int64_t)c->body_in < age * rate / 1000000;
}

static void expire_slow_bodies(struct http_server *s, int64_t now, int64_t limit_us)
{
	list_each(c, &s->states[CONN_BODY], struct http_conn, node)
		if (conn_too_slow(c, now - c->since_us, limit_us))
			conn_give_up(c);
}

void conn_tick(evutil_socket_t fd, short what, void *server)
{
	struct http_server *s = server;
	int64_t now = clock_mono_us();

	(void)fd;
	(void)what;
	send_drain(s);
	conn_expire_state(s, CONN_IDLE, now, (int64_t)s->config.idle_ms * 1000);
	conn_expire_state(s, CONN_HEAD, now, (int64_t)s->config.header_ms * 1000);
	expire_slow_bodies(s, now, (int64_t)s->config.body_ms * 1000);
	conn_expire_state(s, CONN_BODY, now, (int64_t)s->config.body_ms * 1000);
	conn_expire_state(s, CONN_WAIT, now, (int64_t)s->config.body_ms * 1000);
	conn_expire_state(s, CONN_REPLY, now, (int64_t)s->config.reply_ms * 1000);
	conn_expire_state(s, CONN_DRAIN, now, (int64_t)s->config.reply_ms * 1000);
	conn_expire_state(s, CONN_CLOSING, now, CLOSING_US);
	if (s->full)
		conn_make_room(s);
	if (s->n_connections == 0)
		event_del(s->tick);
}
