/* The server object, and a request's way from evhttp to the handler. Connections are in conn.c, listeners in
 * listener.c, answers in http_reply.c. */
#include "server/http/http.h"

#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/queue.h>
#include <sys/socket.h>

#include "server/base/arena.h"
#include "server/base/fatal.h"
#include "server/base/log.h"
#include "server/http/conn.h"

enum {
	STOP_IDLE_US = 200000, /* time without a request before a connection is closed while the server stops */
	/* evhttp's own limits are above those of the gate, so that the gate always answers first. */
	EVHTTP_HEAD_MAX = 65536,
	EVHTTP_BODY_SLACK = 1 << 20,
	TURN_REQUESTS = 128, /* after which a turn of the loop ends, though more may have come meanwhile */
	TICK_MAX_MS = 250,
	TICK_MIN_MS = 5
};

void http_config_default(struct http_config *c)
{
	*c = (struct http_config){.body_max = 1 << 20,
	    .body_max_batch = 8 << 20,
	    .max_connections = 10000,
	    .idle_ms = 75000,
	    .header_ms = 10000,
	    .body_ms = 30000,
	    .reply_ms = 30000,
	    .owner_max = 32 << 20,
	    .held_max = 256 << 20,
	    .strangers_max = 8 << 20,
	    .unread_max = 52 << 20};
}

/* A quarter of the shortest deadline, so that no deadline is exceeded by more than that. */
static struct timeval tick_interval(const struct http_config *c)
{
	const int deadlines[] = {c->idle_ms, c->header_ms, c->body_ms, c->reply_ms};
	int ms = TICK_MAX_MS;

	for (size_t i = 0; i < sizeof deadlines / sizeof *deadlines; i++)
		if (deadlines[i] / 4 < ms)
			ms = deadlines[i] / 4;
	return (struct timeval){0, (ms > TICK_MIN_MS ? ms : TICK_MIN_MS) * 1000};
}

static void http_request(struct evhttp_request *request, void *arg);

static void evhttp_setup(struct http_server *s)
{
	size_t largest = s->config.body_max > s->config.body_max_batch ? s->config.body_max : s->config.body_max_batch;

	evhttp_set_allowed_methods(s->evhttp, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD | EVHTTP_REQ_POST | EVHTTP_REQ_PUT |
	                                          EVHTTP_REQ_PATCH | EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS);
	evhttp_set_max_headers_size(s->evhttp, EVHTTP_HEAD_MAX);
	evhttp_set_max_body_size(s->evhttp, (ev_ssize_t)(largest + EVHTTP_BODY_SLACK));
	evhttp_set_default_content_type(s->evhttp, NULL);
	evhttp_set_bevcb(s->evhttp, conn_new, s);
	evhttp_set_gencb(s->evhttp, http_request, s);
}

struct http_server *http_new(struct event_base *base, const struct http_config *config)
{
	struct http_server *s = mem_zalloc(sizeof *s);

	s->base = base;
	s->config = *config;
	s->limits = (struct gate_limits){config->body_max, config->body_max_batch};
	s->tick_every = tick_interval(config);
	s->evhttp = evhttp_new(base);
	s->work_event = event_new(base, -1, 0, conn_work, s);
	s->tick = event_new(base, -1, EV_PERSIST, conn_tick, s);
	s->accept_timer = event_new(base, -1, 0, listen_accept_again, s);
	s->room_event = event_new(base, -1, 0, room_offer, s);
	s->unread_event = event_new(base, -1, 0, cut_unread, s);
	s->send_timer = event_new(base, -1, 0, send_turn, s);
	s->unread_next = config->unread_max;
	if (!s->room_event || !s->unread_event || !s->send_timer || !s->evhttp || !s->work_event || !s->tick ||
	    !s->accept_timer)
		fatal_abort("no memory for the HTTP server");
	list_init(&s->work);
	list_init(&s->left);
	list_init(&s->lingering);
	list_init(&s->listening);
	list_init(&s->sending[0]);
	list_init(&s->sending[1]);
	for (int i = 0; i < CONN_STATES; i++)
		list_init(&s->states[i]);
	for (int i = 0; i < HTTP_ROOM_BUCKETS; i++)
		list_init(&s->rooms[i]);
	evhttp_setup(s);
	return s;
}

/* A proxy that has just used a connection may be sending the next request on it, and may be unable to repeat a write.
 * So a busy connection is closed with an answer that says so. Only a connection that has been quiet is closed without
 * one. */
void http_stop(struct http_server *s)
{
	s->stopping = true;
	listen_close_all(s);
	send_drain(s);
	list_each(c, &s->states[CONN_IDLE], struct http_conn, node)
		if (c->since_us < clock_mono_us() - STOP_IDLE_US && !conn_has_unread(c))
			conn_close(c);
}

size_t http_in_flight(const struct http_server *s)
{
	return s->n_calls;
}
size_t http_connections(const struct http_server *s)
{
	return s->n_connections;
}

void http_free(struct http_server *s)
{
	s->stopping = true;
	conn_work(-1, 0, s); /* evhttp is about to free new connections, so attach to them first */
	listen_close_all(s);
	evhttp_free(s->evhttp);
	http_linger_free_all(s);
	event_free(s->work_event);
	event_free(s->tick);
	event_free(s->accept_timer);
	event_free(s->room_event);
	event_free(s->unread_event);
	event_free(s->send_timer);
	free(s->by_fd);
	free(s);
}

/* --- a request ------------------------------------------------------------------- */

/* Splits "http://host/path" into "/path" and "host" (RFC 9112 section 3.2.2). The gate has checked the form. */
static void cut_absolute(struct http_call *call, const char *uri)
{
	const char *authority = strstr(uri, "://") + 3;
	size_t host_len = strcspn(authority, "/?");
	const char *rest = authority + host_len;
	size_t size = host_len + strlen(rest) + 3;
	char *target;

	call->text = mem_alloc(size);
	memcpy(call->text, authority, host_len);
	call->text[host_len] = '\0';
	target = call->text + host_len + 1;
	if (*rest == '\0' && call->in.method == HTTP_OPTIONS) {
		memcpy(target, "*", 2);
	} else {
		size_t slash = *rest != '/';
		target[0] = '/';
		memcpy(target + slash, rest, strlen(rest) + 1);
		if (*rest == '\0')
			target[1] = '\0';
	}
	call->in.target = target;
	call->in.host = call->text;
}

static void read_target(struct http_call *call)
{
	const char *uri = evhttp_request_get_uri(call->request);

	if (call->in.method >= 1 << HTTP_METHODS_OWN) /* see conn_disguise() */
		uri += strspn(uri, "?");
	if (call->conn->gate.absolute) {
		cut_absolute(call, uri);
	} else {
		call->in.target = uri;
		call->in.host = http_header(call, "Host");
	}
	call->in.target_len = strlen(call->in.target);
	/* evhttp takes a request with an absolute target for a proxy request, and would close the connection after
	 * it. */
	call->request->flags &= ~EVHTTP_PROXY_REQUEST;
}

static void read_body(struct http_call *call)
{
	struct evbuffer *body = evhttp_request_get_input_buffer(call->request);

	call->in.body_len = evbuffer_get_length(body);
	call->in.body = "";
	if (call->in.body_len == 0)
		return;
	if (evbuffer_add(body, "", 1) != 0 || !(call->in.body = (const char *)evbuffer_pullup(body, -1)))
		fatal_abort("no memory for a request body");
}

static void read_peer(struct http_call *call)
{
	const struct sockaddr *address = evhttp_connection_get_addr(call->conn->evcon);

	call->in.peer = call->request->remote_host;
	if (address->sa_family == AF_UNIX)
		call->in.peer = "unix";
	/* An IPv4 client of a socket that takes IPv4 and IPv6. */
	else if (strncasecmp(call->in.peer, "::ffff:", 7) == 0 && strchr(call->in.peer, '.'))
		call->in.peer += 7;
}

/* The value of a header that may be sent once. NULL: it was sent before. */
static const char *read_once(const struct evkeyval *header, unsigned *seen)
{
	return (*seen)++ ? NULL : header->value + strspn(header->value, " \t");
}

/* Finds headers that few requests have, in the same pass over all headers. True for Connection. */
static bool read_header(struct http_input *in, const struct evkeyval *header, unsigned seen[3])
{
	switch (header->key[0] | 0x20) {
	case 'c':
		return strcasecmp(header->key, "Connection") == 0;
	case 't':
		if (strcasecmp(header->key, "traceparent") == 0)
			in->traceparent = read_once(header, &seen[0]);
		break;
	case 'x':
		if (strcasecmp(header->key, "X-Request-Id") == 0)
			in->client_request_id = read_once(header, &seen[1]);
		else if (strcasecmp(header->key, "X-Server-Timing") == 0)
			in->server_timing = header->value + strspn(header->value, " \t");
		else if (strcasecmp(header->key, "X-Forwarded-For") == 0)
			in->forwarded = true;
		else if (strcasecmp(header->key, "X-Kith-Via") == 0)
			in->via = read_once(header, &seen[2]);
		break;
	default:
		break;
	}
	return false;
}

/* evhttp looks only at the first Connection header, and counts trailers among the headers. So this function leaves the
 * trailers out, and removes the Connection headers: the gate has decided whether the connection stays open. */
static void read_headers(struct http_call *call)
{
	struct evkeyvalq *headers = evhttp_request_get_input_headers(call->request);
	const struct evkeyval *header;
	unsigned at = 0, in_head = call->conn->gate.headers, seen[3] = {0};

	call->n_headers = in_head;
	TAILQ_FOREACH(header, headers, next)
	{
		if (at++ == in_head)
			break;
		call->n_headers -= read_header(&call->in, header, seen);
	}
	while (evhttp_remove_header(headers, "Connection") == 0)
		;
	call->conn->last = !gate_keeps_alive(&call->conn->gate);
	if (call->conn->gate.minor == 0 && !call->conn->last)
		evhttp_add_header(headers, "Connection", "keep-alive");
}

static void answer_mismatch(struct http_call *call)
{
	struct http_error error;

	log_error("http", "framing differs: evhttp has a request that the gate does not have");
	conn_unrefuse(call->conn);
	call->conn->last = true;
	http_error_make(call->server, &error, 400, "The request is malformed");
	http_reply(call, 400, error.headers, error.n_headers, &error.body);
}

/* Moves the body to the call. It counts with its real length from now on. */
static void take_body(struct http_call *call)
{
	struct http_conn *c = call->conn;

	if (c->hold.room) {
		hold_take(c->server, &call->hold, c->hold.room, HOLD_BODY, c->gate.body_len);
		hold_end(c->server, &c->hold);
	}
	arrival_forget(c);
}

/* libevent ends a turn of the loop when nothing is left to do. Connections that send one request after the other,
 * without waiting for answers, would prolong it for as long as they like. What others wait for happens at the end of a
 * turn. */
static void turn_limit(struct http_server *s)
{
	if (++s->n_requests % TURN_REQUESTS == 0)
		event_base_loopbreak(s->base);
}

/* evhttp's callback for every request. */
static void http_request(struct evhttp_request *request, void *arg)
{
	struct http_server *s = arg;
	struct http_call *call = mem_zalloc(sizeof *call);
	struct http_conn *c = conn_of_request(s, request);
	bool agreed = c->gate.verdict == GATE_DONE && c->passed_len == 0 && !c->refused;

	turn_limit(s);
	list_init(&call->left);
	call->server = s;
	call->conn = c;
	call->request = request;
	c->call = call;
	take_body(call);
	s->n_calls++;
	conn_set_state(c, CONN_CALL);
	/* evhttp stores the encoding of the request's body where it looks for the encoding of the answer. All answers
	 * have a length. Without this, evhttp would write the end of a chunked body after them. */
	request->chunked = 0;
	if (!agreed) {
		answer_mismatch(call);
		return;
	}
	call->in.method = (enum http_method)c->gate.method;
	call->in.method_name = c->gate.method_name;
	call->in.head_len = c->gate.head_len;
	read_headers(call);
	read_target(call);
	read_body(call);
	read_peer(call);
	s->config.handler(call, &call->in, s->config.ctx);
}

/* --- headers ---------------------------------------------------------------------- */

/* The number-th header of that name; NULL when there are fewer. If count is not NULL, it receives the number of headers
 * of that name. */
static const struct evkeyval *call_header_find(const struct http_call *call, const char *name, int number, int *count)
{
	struct evkeyvalq *headers = evhttp_request_get_input_headers(call->request);
	const struct evkeyval *header, *found = NULL;
	unsigned at = 0;
	int seen = 0;

	TAILQ_FOREACH(header, headers, next)
	{
		if (at++ == call->n_headers)
			break;
		if (strcasecmp(header->key, name) != 0)
			continue;
		if (seen++ == number)
			found = header;
		if (found && !count)
			break;
	}
	if (count)
		*count = seen;
	return found;
}

const char *http_header_at(const struct http_call *call, const char *name, int number)
{
	const struct evkeyval *header = call_header_find(call, name, number, NULL);

	/* evhttp strips blanks before a value, but not tabs. */
	return header ? header->value + strspn(header->value, " \t") : NULL;
}

const char *http_header(const struct http_call *call, const char *name)
{
	return http_header_at(call, name, 0);
}

int http_header_count(const struct http_call *call, const char *name)
{
	int count = 0;

	call_header_find(call, name, 0, &count);
	return count;
}

bool http_disconnected(const struct http_call *call)
{
	char byte;
	ssize_t n;

	if (!call->conn)
		return true;
	n = recv(bufferevent_getfd(call->conn->bev), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}
