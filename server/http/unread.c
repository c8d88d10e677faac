/* Counts what clients have not read yet, over all connections: answers in memory, and bytes in the kernel. Bytes of the
 * program itself (struct http_part) are sent without a copy, and count only once the kernel has them.
 *
 * Memory is counted exactly. For the kernel, the bytes given to it are counted, which is too much as soon as clients
 * read. When the sum passes the limit, cut.c asks the kernel. */
#include "server/http/conn.h"

size_t unread_most(const struct http_server *s)
{
	return s->held[HOLD_ANSWER] + s->held[HOLD_SENT];
}

void unread_owner(struct http_conn *c, const struct http_call *call)
{
	struct http_server *s = c->server;
	struct http_room *room = !call || !call->owned ? &s->strangers[0] : room_of_call(call);

	if (c->out.room == room)
		return;
	hold_take(s, &c->out, room, HOLD_ANSWER, c->out.bytes);
	hold_take(s, &c->sent, room, HOLD_SENT, c->sent.bytes);
}

static void unread_add(struct http_conn *c, struct http_hold *h, size_t bytes)
{
	struct http_server *s = c->server;

	hold_resize(s, h, h->bytes + bytes);
	if (unread_most(s) > s->unread_next)
		event_active(s->unread_event, EV_TIMEOUT, 0);
}

void unread_put(struct http_conn *c, size_t bytes)
{
	unread_add(c, &c->out, bytes);
}

/* A body that was handed over is freed with its last byte. */
void unread_sent(struct http_conn *c, size_t bytes)
{
	if (evbuffer_get_length(bufferevent_get_output(c->bev)) == 0)
		hold_resize(c->server, &c->out, 0);
	unread_add(c, &c->sent, bytes);
}
