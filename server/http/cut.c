/* The limit on what clients have not read yet (unread.c), over all connections. When the count passes it, this asks the
 * kernel how much it really has, connection by connection. If it is too much, connections are closed. Connections of
 * unknown senders come first, then those of owners, beginning with the owners that have the most unread. Among similar
 * connections the oldest is closed. */
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include "server/base/log.h"
#include "server/http/conn.h"

enum {
	COUNT_EACH = 16, /* this part of the limit must be added between two exact counts */
	LITTLE = 4096,   /* bytes; all connections with less have less than the limit together */
	LOG_PAUSE_US = 10000000
};

uint64_t http_cut(const struct http_server *s)
{
	return s->cut;
}

static void count_sent(struct http_conn *c)
{
	int bytes = 0;

	if (c->sent.bytes > 0)
		hold_resize(c->server, &c->sent, ioctl(c->fd, SIOCOUTQ, &bytes) == 0 && bytes > 0 ? (size_t)bytes : 0);
}

size_t http_unread(struct http_server *s)
{
	for (int i = 0; i < CONN_STATES; i++)
		for (struct list *node = s->states[i].next; node != &s->states[i]; node = node->next)
			count_sent(list_item(node, struct http_conn, node));
	return unread_most(s);
}

/* While the handler has the request, only a stream can be ended. */
static bool may_cut(const struct http_conn *c)
{
	return c->out.bytes + c->sent.bytes > LITTLE &&
	       (c->state != CONN_CALL || (c->call != NULL && c->call->stream.written != NULL));
}

static bool is_enough(const struct http_server *s)
{
	return unread_most(s) <= s->config.unread_max / 8 * 7;
}

/* Closes connections with more than that unread, of unknown senders or of owners, until enough is free. */
static void cut_some(struct http_server *s, bool strangers, size_t over)
{
	static const enum http_conn_state order[] = {
	    CONN_DRAIN, CONN_REPLY, CONN_CLOSING, CONN_CALL, CONN_IDLE, CONN_HEAD, CONN_WAIT, CONN_BODY};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		struct list *head = &s->states[order[i]], *next;
		for (struct list *node = head->next; node != head; node = next) {
			struct http_conn *c = list_item(node, struct http_conn, node);
			const struct http_room *room = c->out.room;
			size_t unread =
			    strangers ? c->out.bytes + c->sent.bytes : room->held[HOLD_ANSWER] + room->held[HOLD_SENT];

			next = node->next;
			if (is_enough(s))
				return;
			if (room_is_strangers(s, room) != strangers || unread <= over || !may_cut(c))
				continue;
			s->cut++;
			conn_reset(c);
		}
	}
}

static void cut_log(struct http_server *s, uint64_t before, size_t unread)
{
	int64_t now = clock_mono_us();

	if (now - s->cut_logged_us < LOG_PAUSE_US && s->cut_logged_us != 0)
		return;
	s->cut_logged_us = now;
	log_warn("http", "clients do not read their answers: %zu bytes were unread, so %llu connections were closed",
	    unread, (unsigned long long)(s->cut - before));
}

void cut_unread(evutil_socket_t fd, short what, void *server)
{
	struct http_server *s = server;
	size_t unread;
	uint64_t before = s->cut;

	(void)fd;
	(void)what;
	unread = http_unread(s);
	for (int strangers = 1; strangers >= 0 && unread > s->config.unread_max; strangers--)
		for (size_t over = s->config.unread_max / 2; over >= LITTLE && !is_enough(s); over /= 2)
			cut_some(s, strangers, over);
	if (s->cut != before)
		cut_log(s, before, unread);
	s->unread_next = unread_most(s) + s->config.unread_max / COUNT_EACH;
	if (s->unread_next < s->config.unread_max)
		s->unread_next = s->config.unread_max;
}
