/* Answers that continue: a head without a length, then pieces as they come. While the answer continues, this file owns
 * the callbacks of the connection, because evhttp would take the first sent piece for the whole answer. At the end
 * evhttp gets them back. */
#include <stdio.h>

#include "server/base/fatal.h"
#include "server/http/conn.h"

static void stream_on_written(struct bufferevent *bev, void *arg)
{
	struct http_conn *c = arg;

	if (evbuffer_get_length(bufferevent_get_output(bev)) > 0)
		return;
	conn_set_state(c, CONN_CALL);
	c->call->stream.written(c->call->stream.ctx);
}

static void stream_on_event(struct bufferevent *bev, short what, void *arg)
{
	(void)bev;
	(void)what;
	conn_close(arg);
}

/* The deadline for a client that reads nothing begins with the first piece that is not sent yet. */
static void stream_sends(struct http_conn *c)
{
	if (c->state != CONN_REPLY)
		conn_set_state(c, CONN_REPLY);
	conn_todo_later(c, TODO_WRITE);
}

void http_stream_begin(struct http_call *call, int status, const struct http_header *headers, size_t n_headers,
    void (*written)(void *ctx), void *ctx)
{
	struct http_conn *c = call->conn;

	http_forget_body(call);
	hold_end(call->server, &call->hold);
	call->stream.written = written;
	call->stream.ctx = ctx;
	if (!c)
		return;
	c->last = true;
	bufferevent_getcb(c->bev, NULL, &call->stream.on_written, &c->on_event, NULL);
	bufferevent_setcb(c->bev, NULL, stream_on_written, stream_on_event, c);
	unread_owner(c, call);
	c->replying = true;
	reply_put_endless(c, status, headers, n_headers);
	c->replying = false;
	stream_sends(c);
}

static bool stream_is_chunked(const struct http_conn *c)
{
	return c->gate.minor != 0;
}

static void stream_put(struct http_conn *c, const struct buf *piece)
{
	struct evbuffer *out = bufferevent_get_output(c->bev);
	char size[24];
	int len = snprintf(size, sizeof size, "%zx\r\n", piece->len);

	if (c->gate.method == HTTP_HEAD || piece->len == 0)
		return;
	if ((stream_is_chunked(c) && evbuffer_add(out, size, (size_t)len) != 0) ||
	    evbuffer_add(out, piece->data, piece->len) != 0 ||
	    (stream_is_chunked(c) && evbuffer_add(out, "\r\n", 2) != 0))
		fatal_abort("no memory for an answer");
	unread_put(c, piece->len);
}

void http_stream_send(struct http_call *call, const struct buf *piece)
{
	struct http_conn *c = call->conn;

	if (!c)
		return;
	c->replying = true;
	stream_put(c, piece);
	c->replying = false;
	stream_sends(c);
}

void http_stream_end(struct http_call *call, const struct buf *piece)
{
	static const struct buf none;
	struct http_conn *c = call->conn;

	if (!c) {
		http_reply(call, 200, NULL, 0, NULL);
		return;
	}
	c->replying = true;
	stream_put(c, piece ? piece : &none);
	if (stream_is_chunked(c) && c->gate.method != HTTP_HEAD &&
	    evbuffer_add(bufferevent_get_output(c->bev), "0\r\n\r\n", 5) != 0)
		fatal_abort("no memory for an answer");
	c->replying = false;
	c->call = NULL;
	bufferevent_setcb(c->bev, NULL, call->stream.on_written, c->on_event, c->evcon);
	if (evbuffer_get_length(bufferevent_get_output(c->bev)) > 0) {
		/* The client can connect again, so the end of the server need not wait long. */
		conn_set_state(c, CONN_CLOSING);
		conn_todo_later(c, TODO_WRITE);
	}
	reply_hand_over(call, c); /* if nothing is left to send, c is freed */
	call_free(call);
}
