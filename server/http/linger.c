/* Sockets that evhttp has closed while their clients were still sending: see http_linger(). */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/http/conn.h"

enum { LINGER_SECONDS = 2, LINGER_MAX = 1 << 20, LINGER_READS = 8, LINGER_SOCKETS = 1000 };

struct lingering {
	struct list node;
	struct http_server *server;
	struct event *event;
	int64_t since_us;
	size_t dropped;
	int fd;
};

static void linger_free(struct lingering *l)
{
	l->server->n_lingering--;
	list_remove(&l->node);
	event_free(l->event);
	close(l->fd);
	free(l);
}

static void linger_on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct lingering *l = arg;
	char drop[16384];

	/* Each byte restarts the timeout of the event, so the total time is checked as well. */
	if ((what & EV_TIMEOUT) != 0 || clock_mono_us() - l->since_us > LINGER_SECONDS * 1000000) {
		linger_free(l);
		return;
	}
	for (int i = 0; i < LINGER_READS; i++) {
		ssize_t got = recv(fd, drop, sizeof drop, MSG_DONTWAIT);
		if (got < 0 && (evutil_socket_geterror(fd) == EAGAIN || evutil_socket_geterror(fd) == EINTR))
			return;
		if (got > 0)
			l->dropped += (size_t)got;
		if (got <= 0 || l->dropped > LINGER_MAX) {
			linger_free(l);
			return;
		}
	}
}

void http_linger(struct http_server *s, int fd)
{
	static const struct timeval limit = {LINGER_SECONDS, 0};
	struct lingering *l;
	int copy = s->n_lingering < LINGER_SOCKETS ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;

	if (copy < 0)
		return; /* then the close is abrupt */
	l = mem_zalloc(sizeof *l);
	l->server = s;
	l->fd = copy;
	l->since_us = clock_mono_us();
	s->n_lingering++;
	l->event = event_new(s->base, copy, EV_READ | EV_PERSIST, linger_on_readable, l);
	list_append(&s->lingering, &l->node);
	event_add(l->event, &limit);
}

void http_linger_free_all(struct http_server *s)
{
	while (!list_empty(&s->lingering))
		linger_free(list_item(s->lingering.next, struct lingering, node));
}
