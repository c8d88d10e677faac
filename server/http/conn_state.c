/* States of connections, work deferred until no callback is running, and refusals. */
#include "server/http/conn.h"

enum { CLOSING_MAX = 16 << 20 /* bytes of input discarded from a refused client */ };

void conn_todo_later(struct http_conn *c, enum conn_todo what)
{
	if (c->todo == 0)
		list_append(&c->server->work, &c->work);
	c->todo |= (uint8_t)what;
	event_active(c->server->work_event, EV_TIMEOUT, 0);
}

void conn_set_state(struct http_conn *c, enum http_conn_state state)
{
	list_remove(&c->node);
	list_append(&c->server->states[state], &c->node);
	c->state = (uint8_t)state;
	c->since_us = clock_mono_us();
}

void conn_discard_input(struct http_conn *c, struct evbuffer *in)
{
	size_t len = evbuffer_get_length(in);

	c->body_in += len;
	c->passed_len = 0;
	evbuffer_drain(in, len);
	if (c->body_in > CLOSING_MAX)
		conn_todo_later(c, TODO_CLOSE);
}

void conn_refuse(struct http_conn *c, int status, const char *message)
{
	c->refused = true;
	c->refuse_status = (uint16_t)status;
	c->refuse_message = message;
	c->body_in = 0;
	hold_end(c->server, &c->hold);
	conn_set_state(c, CONN_CLOSING);
	conn_discard_input(c, bufferevent_get_input(c->bev));
	conn_todo_later(c, TODO_REFUSE);
}

void conn_unrefuse(struct http_conn *c)
{
	c->refused = c->evhttp_answered = false;
	c->todo = 0;
	list_remove(&c->work);
}

void conn_read_on(struct http_conn *c)
{
	conn_set_state(c, CONN_BODY);
	bufferevent_enable(c->bev, EV_READ);
}
