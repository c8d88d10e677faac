/* The limit on what clients have not read yet (unread.c), over all connections. When the count passes it, this asks the
 * kernel how much it really has, connection by connection. If it is too much, connections are closed. Connections of
 * unknown senders come first, beginning with those that have the most unread. Connections of owners follow, beginning
 * with the tenants that have the most unread, and in a tenant with the owners that have the most. Among similar
 * connections the oldest is closed. So no tenant loses a connection because another one makes many users, and no user
 * because another user of the workspace does not read. */
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include "server/base/log.h"
#include "server/http/conn.h"

enum {
	COUNT_EACH = 16, /* this part of the limit must be added between two exact counts */
	LITTLE = 4096,   /* bytes; all connections with less have less than the limit together */
	/* Within a tenant, connections of owners with over half of its share are closed first, then a sixteenth, then
	   any. */
	OWNERS_STEP = 8,
	OWNERS_PARTS = 64,
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
		list_each(c, &s->states[i], struct http_conn, node)
			count_sent(c);
	return unread_most(s);
}

static size_t unread_of(const struct http_conn *c)
{
	return c->out.bytes + c->sent.bytes;
}

static size_t unread_in(const struct http_room *room)
{
	return room->held[HOLD_ANSWER] + room->held[HOLD_SENT];
}

/* True when the connection belongs to strangers (else: to owners) and may be closed for its unread bytes. While the
 * handler has the request, only a stream can be ended. */
static bool may_cut(const struct http_server *s, const struct http_conn *c, bool strangers)
{
	return room_is_strangers(s, c->out.room) == strangers && unread_of(c) > LITTLE &&
	       (c->state != CONN_CALL || (c->call && c->call->stream.written));
}

/* What decides when it is its turn: its own bytes if it is a stranger's, else its tenant's. */
static size_t cut_weight(const struct http_conn *c, bool strangers)
{
	return strangers ? unread_of(c) : unread_in(c->out.room->tenant ? c->out.room->tenant : c->out.room);
}

static bool is_enough(const struct http_server *s)
{
	return unread_most(s) <= s->config.unread_max / 8 * 7;
}

static size_t cut_heaviest(struct http_server *s, bool strangers)
{
	size_t most = 0;

	for (int i = 0; i < CONN_STATES; i++)
		list_each(c, &s->states[i], const struct http_conn, node)
			if (may_cut(s, c, strangers) && cut_weight(c, strangers) > most)
				most = cut_weight(c, strangers);
	return most;
}

/* Closes connections that weigh more than over and whose owners have more than owners_over, until enough is free. */
static void cut_some(struct http_server *s, bool strangers, size_t over, size_t owners_over)
{
	static const enum http_conn_state order[] = {
	    CONN_DRAIN, CONN_REPLY, CONN_CLOSING, CONN_CALL, CONN_IDLE, CONN_HEAD, CONN_WAIT, CONN_BODY};

	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		list_each(c, &s->states[order[i]], struct http_conn, node) {
			if (is_enough(s))
				return;
			if (!may_cut(s, c, strangers) || cut_weight(c, strangers) <= over ||
			    (!strangers && unread_in(c->out.room) <= owners_over))
				continue;
			s->cut++;
			conn_reset(c);
		}
}

/* Beginning with half of what the heaviest has, each pass over the connections frees something; as all of them together
 * have little more than the budget, few passes are enough. */
static void cut_until_enough(struct http_server *s, bool strangers)
{
	for (size_t over = cut_heaviest(s, strangers) / 2; over >= LITTLE / 2 && !is_enough(s); over /= 2)
		for (size_t part = 1; part <= OWNERS_PARTS && !is_enough(s); part *= OWNERS_STEP)
			cut_some(s, strangers, over, part == OWNERS_PARTS ? 0 : over / part / 2);
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
		cut_until_enough(s, strangers);
	if (s->cut != before)
		cut_log(s, before, unread);
	s->unread_next = unread_most(s) + s->config.unread_max / COUNT_EACH;
	if (s->unread_next < s->config.unread_max)
		s->unread_next = s->config.unread_max;
}
