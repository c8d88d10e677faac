/* Gives the kernel the output of the connections. libevent would give it all that every socket takes in one turn of the
 * loop. Here a connection gets one piece at a time, and all connections together get a limited number of bytes in a
 * turn. So readers of large answers take turns and do not delay short answers, which are sent at once. Unknown senders
 * and owners alternate. */
#include <errno.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "server/base/fatal.h"
#include "server/http/conn.h"

enum {
	PIECE = 16 << 10,     /* bytes of a connection in a turn; the kernel keeps up to twice as much unsent */
	TURN_MAX = 256 << 10, /* bytes of all connections in a turn of the loop: a fraction of a millisecond */
	PIECE_LEAST = 2 << 10 /* a shorter piece counts as this many bytes in a turn, because the call costs more
	                       * than the bytes */
};

/* The next turn begins in the next turn of the loop; an event made active would run in this one. */
static void send_go_on(struct http_server *s)
{
	static const struct timeval at_once = {0, 0};

	if (!event_pending(s->send_timer, EV_TIMEOUT, NULL))
		event_add(s->send_timer, &at_once);
}

static void send_later(struct http_conn *c)
{
	struct http_server *s = c->server;

	list_remove(&c->turn);
	list_append(&s->sending[!room_is_strangers(s, c->out.room)], &c->turn);
	send_go_on(s);
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	send_later(arg);
}

static void send_when_writable(struct http_conn *c)
{
	if (!c->writable)
		c->writable = event_new(c->server->base, c->fd, EV_WRITE, on_writable, c);
	if (!c->writable || event_add(c->writable, NULL) != 0)
		fatal_abort("no memory for an answer");
}

void send_forget(struct http_conn *c)
{
	list_remove(&c->turn);
	if (c->writable)
		event_free(c->writable);
	c->writable = NULL;
}

bool send_is_held(const struct http_conn *c)
{
	int unsent = 0;
	char byte;

	if (ioctl(c->fd, SIOCOUTQNSD, &unsent) != 0 || unsent == 0)
		return false;
	return recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || errno == EAGAIN || errno == EINTR;
}

/* A closed socket still holds what its client does not take, where nobody can count or end it. So when the kernel has
 * the last answer of a connection, the connection is closed only after the kernel has sent it. */
static void send_end(struct http_conn *c)
{
	if (c->last && !c->call && !c->refused && !c->server->stopping && send_is_held(c)) {
		if (c->state != CONN_DRAIN)
			conn_set_state(c, CONN_DRAIN);
		return;
	}
	bufferevent_trigger(c->bev, EV_WRITE, 0);
}

void send_drain(struct http_server *s)
{
	list_each(c, &s->states[CONN_DRAIN], struct http_conn, node)
		send_end(c);
}

/* Returns how many bytes the kernel took. It may free c. evhttp is told as if the socket were writable. */
static size_t send_piece(struct http_conn *c)
{
	struct evbuffer *out = bufferevent_get_output(c->bev);
	int n, error;

	/* libevent itself may have sent the rest after its "100 Continue", and have told evhttp. */
	if (evbuffer_get_length(out) == 0)
		return 0;
	evbuffer_unfreeze(out, 1);
	n = evbuffer_write_atmost(out, c->fd, PIECE);
	error = errno;
	evbuffer_freeze(out, 1);
	if (evbuffer_get_length(out) == 0)
		send_end(c);
	else if (n == PIECE)
		send_later(c);
	else if (n >= 0 || error == EAGAIN || error == EINTR)
		send_when_writable(c);
	else
		conn_todo_later(c, TODO_CLOSE);
	return n > 0 ? (size_t)n : 0;
}

/* Nearly every answer is one piece and fits into the buffer of the socket. Writing at once saves two changes of the
 * epoll set and a turn of the loop. */
void send_begin(struct http_conn *c)
{
	if (!list_empty(&c->turn) || (c->writable && event_pending(c->writable, EV_WRITE, NULL)))
		return;
	if (evbuffer_get_length(bufferevent_get_output(c->bev)) <= PIECE)
		send_piece(c);
	else
		send_later(c);
}

void send_turn(evutil_socket_t fd, short what, void *server)
{
	struct http_server *s = server;
	struct list *node;

	(void)fd;
	(void)what;
	for (size_t left = TURN_MAX, which = 0; left >= PIECE; which = !which) {
		if (!(node = list_take(&s->sending[which])) && !(node = list_take(&s->sending[!which])))
			return;
		size_t sent = send_piece(list_item(node, struct http_conn, turn));
		left -= sent > PIECE_LEAST ? sent : PIECE_LEAST;
	}
	send_go_on(s);
}
