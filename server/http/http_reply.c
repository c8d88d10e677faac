/* Sends the handler's answers through evhttp. */
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/fatal.h"
#include "server/base/log.h"
#include "server/base/digits.h"
#include "server/http/conn.h"

enum {
	HEAD_FIXED_MAX = 256, /* bytes of a head without the handler's headers: about 120, and the reason phrase */
	BODY_COPY_MAX = 8192  /* bytes; a longer body is passed on without a copy */
};

/* Stands for the length of a body whose length is not known in advance. */
#define ENDLESS SIZE_MAX

static void body_free(const void *data, size_t len, void *unused)
{
	(void)len;
	(void)unused;
	free((void *)(uintptr_t)data);
}

static bool reply_has_body(int status)
{
	return status >= 200 && status != 204 && status != 304;
}

static char *reply_put_text(char *to, const char *text)
{
	size_t len = strlen(text);

	memcpy(to, text, len);
	return to + len;
}

static char *reply_put_header(char *to, const char *name, const char *value)
{
	return reply_put_text(reply_put_text(reply_put_text(reply_put_text(to, name), ": "), value), "\r\n");
}

/* A request may be refused before its version arrives. */
static char *put_status(char *to, const struct http_conn *c, int status)
{
	to = reply_put_text(to, c->gate.minor == 0 && !c->refused ? "HTTP/1.0 " : "HTTP/1.1 ");
	to = digits_uint(to, (unsigned)status);
	*to++ = ' ';
	return reply_put_text(reply_put_text(to, http_phrase(status)), "\r\n");
}

/* The Connection header, where it differs from the default of the client's HTTP version. */
static const char *connection_of(const struct http_conn *c)
{
	if (c->last)
		return "close";
	return c->gate.minor == 0 ? "keep-alive" : NULL;
}

static char *put_head(
    char *to, struct http_conn *c, int status, const struct http_header *headers, size_t n, size_t body_len)
{
	const char *connection = connection_of(c);

	to = put_status(to, c, status);
	for (size_t i = 0; i < n; i++) {
		if (!strpbrk(headers[i].value, "\r\n"))
			to = reply_put_header(to, headers[i].name, headers[i].value);
		else
			log_error(
			    "http", "an answer's header %s was left out: its value is not one line", headers[i].name);
	}
	to = reply_put_header(to, "X-Content-Type-Options", "nosniff");
	to = reply_put_header(to, "Date", http_date(c->server));
	if (body_len == ENDLESS) {
		if (c->gate.minor != 0)
			to = reply_put_header(to, "Transfer-Encoding", "chunked");
	} else if (reply_has_body(status)) {
		to = digits_uint(reply_put_text(to, "Content-Length: "), body_len);
		to = reply_put_text(to, "\r\n");
	}
	if (connection)
		to = reply_put_header(to, "Connection", connection);
	return reply_put_text(to, "\r\n");
}

/* The size of a head with these headers. */
static size_t head_room(const struct http_header *headers, size_t n)
{
	size_t room = HEAD_FIXED_MAX;

	for (size_t i = 0; i < n; i++)
		room += strlen(headers[i].name) + strlen(headers[i].value) + 4;
	return room;
}

/* The body of an answer. owned: its only part, which is passed on or freed with it. */
struct reply_body {
	const struct http_part *parts;
	size_t n, len;
	struct buf *owned;
};

/* Returns how much memory the body uses until it is sent. */
static size_t reply_pass_on(struct evbuffer *out, const struct reply_body *body)
{
	size_t bytes = body->owned ? body->owned->cap : 0;

	if (body->owned)
		buf_take(body->owned, NULL);
	for (size_t i = 0; i < body->n; i++) {
		const struct http_part *part = &body->parts[i];
		bool copied = !body->owned && !part->stays;

		if ((copied ? evbuffer_add(out, part->data, part->len)
		            : evbuffer_add_reference(
		                  out, part->data, part->len, body->owned ? body_free : NULL, NULL)) != 0)
			fatal_abort("no memory for an answer");
		bytes += copied ? part->len : 0;
	}
	return bytes;
}

/* Writes the head as contiguous bytes. evhttp would print each header and allocate it in three pieces. Here all headers
 * and a short body are one piece. */
static void reply_put_body(
    struct http_conn *c, int status, const struct http_header *headers, size_t n, const struct reply_body *body)
{
	struct evbuffer *out = bufferevent_get_output(c->bev);
	size_t body_len = body->len;
	bool shown = body_len > 0 && c->gate.method != HTTP_HEAD && reply_has_body(status);
	bool copied = shown && body_len <= BODY_COPY_MAX;
	struct evbuffer_iovec piece;
	char *end;

	if (evbuffer_reserve_space(out, (ev_ssize_t)(head_room(headers, n) + (copied ? body_len : 0)), &piece, 1) != 1)
		fatal_abort("no memory for an answer");
	end = put_head(piece.iov_base, c, status, headers, n, body_len);
	for (size_t i = 0; copied && i < body->n; i++) {
		memcpy(end, body->parts[i].data, body->parts[i].len);
		end += body->parts[i].len;
	}
	piece.iov_len = (size_t)(end - (char *)piece.iov_base);
	if (evbuffer_commit_space(out, &piece, 1) != 0)
		fatal_abort("no memory for an answer");
	unread_put(c, piece.iov_len + (shown && !copied ? reply_pass_on(out, body) : 0));
}

void reply_put(struct http_conn *c, int status, const struct http_header *headers, size_t n, struct buf *body)
{
	struct http_part part = {body ? body->data : NULL, body ? body->len : 0, false};

	reply_put_body(c, status, headers, n, &(struct reply_body){&part, part.len > 0, part.len, body});
}

void reply_put_endless(struct http_conn *c, int status, const struct http_header *headers, size_t n)
{
	struct evbuffer *out = bufferevent_get_output(c->bev);
	size_t room = head_room(headers, n);
	char *head = mem_alloc(room), *end = put_head(head, c, status, headers, n, ENDLESS);

	if (evbuffer_add(out, head, (size_t)(end - head)) != 0)
		fatal_abort("no memory for an answer");
	unread_put(c, (size_t)(end - head));
	free(head);
}

static void on_sent(struct evhttp_request *request, void *arg)
{
	(void)request;
	conn_answered(arg);
}

void reply_hand_over(struct http_call *call, struct http_conn *c)
{
	struct bufferevent *bev = c->bev;
	bufferevent_data_cb on_written;
	bufferevent_event_cb on_event;
	void *evcon;

	if (c->last && evhttp_add_header(evhttp_request_get_output_headers(call->request), "Connection", "close") != 0)
		fatal_abort("no memory for an answer");
	evhttp_request_set_on_complete_cb(call->request, on_sent, c);
	bufferevent_getcb(bev, NULL, &on_written, &on_event, &evcon);
	bufferevent_setcb(bev, NULL, on_written, on_event, evcon);
	evhttp_send_reply_end(call->request);
}

static void send_answer(
    struct http_call *call, int status, const struct http_header *headers, size_t n, const struct reply_body *body)
{
	struct http_conn *c = call->conn;

	c->last |= call->server->stopping;
	conn_set_state(c, CONN_REPLY);
	c->call = NULL;
	c->replying = true;
	unread_owner(c, call);
	reply_put_body(c, status, headers, n, body);
	reply_hand_over(call, c);
	c->replying = false;
	conn_todo_later(c, TODO_WRITE);
}

void call_free(struct http_call *call)
{
	list_remove(&call->left);
	call->server->n_calls--;
	free(call->text);
	free(call);
}

void http_forget_body(struct http_call *call)
{
	struct evbuffer *input = evhttp_request_get_input_buffer(call->request);

	evbuffer_drain(input, evbuffer_get_length(input));
	call->in.body = "";
}

/* Answers and ends the call. */
static void reply_end_call(struct http_call *call, int status, const struct http_header *headers, size_t n_headers,
    const struct reply_body *body)
{
	http_forget_body(call);
	hold_end(call->server, &call->hold);
	if (call->conn)
		send_answer(call, status, headers, n_headers, body);
	else
		evhttp_request_free(call->request);
	call_free(call);
}

/* A long body that is passed on counts with the memory that it uses. */
void http_reply(
    struct http_call *call, int status, const struct http_header *headers, size_t n_headers, struct buf *body)
{
	struct http_part part;

	if (body && body->len > BODY_COPY_MAX)
		buf_fit(body);
	part = (struct http_part){body ? body->data : NULL, body ? body->len : 0, false};
	reply_end_call(call, status, headers, n_headers, &(struct reply_body){&part, part.len > 0, part.len, body});
	if (body)
		buf_free(body);
}

void http_reply_parts(struct http_call *call, int status, const struct http_header *headers, size_t n_headers,
    const struct http_part *parts, size_t n_parts)
{
	struct reply_body body = {parts, n_parts, 0, NULL};

	for (size_t i = 0; i < n_parts; i++)
		body.len += parts[i].len;
	reply_end_call(call, status, headers, n_headers, &body);
}
