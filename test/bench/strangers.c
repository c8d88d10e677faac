/*
 * Clients without a key: many connections at once, each sending a body of 8 MiB less a byte.
 *   strangers PORT COUNT SECONDS none|made-up
 * "none" sends no key, "made-up" a well-formed one that does not exist. All connect first, for at most five seconds;
 * then each sends as much of its body as is accepted, and one that is answered or closed starts again. Prints "result
 * <most connections open at once> <bytes sent> <answers>".
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/apikey.h"
#include "server/base/clock.h"

enum { OPEN_S = 5, BODY = (8 << 20) - 1, CHUNK = 64 << 10, EVENTS = 256 };

struct stranger {
	int fd; /* -1: not open */
	size_t sent;
	bool head;
};

static int port, poller;
static const char *kind;
static char chunk[CHUNK];
static int64_t sent_bytes, answers;
static int open_now, open_most;
static bool started; /* all are open and start to send */

static void die_of(const char *what)
{
	fprintf(stderr, "strangers: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void stranger_close(struct stranger *s)
{
	close(s->fd);
	s->fd = -1;
	open_now--;
}

static void stranger_open(struct stranger *s)
{
	struct sockaddr_in address = {
	    .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct epoll_event e = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = s};

	*s = (struct stranger){.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
	if (s->fd < 0)
		die_of("socket");
	if (connect(s->fd, (struct sockaddr *)&address, sizeof address) != 0 && errno != EINPROGRESS) {
		close(s->fd); /* no free port at the moment */
		s->fd = -1;
		return;
	}
	if (epoll_ctl(poller, EPOLL_CTL_ADD, s->fd, &e) != 0)
		die_of("epoll");
	if (++open_now > open_most)
		open_most = open_now;
}

static bool send_head(struct stranger *s)
{
	char text[512], key[APIKEY_SIZE] = "";
	int len;

	if (strcmp(kind, "none") != 0)
		apikey_new(key);
	len = snprintf(text, sizeof text,
	    "POST /v1/people/batch/create HTTP/1.1\r\nHost: localhost\r\n%s%s%sContent-Length: %d\r\n\r\n",
	    *key ? "Authorization: Bearer " : "", key, *key ? "\r\n" : "", BODY);
	s->head = send(s->fd, text, (size_t)len, MSG_NOSIGNAL) == len;
	return s->head;
}

/* False: the connection has ended. */
static bool stranger_go_on(struct stranger *s, uint32_t events)
{
	char answer[4096];
	ssize_t n;

	if (events & (EPOLLERR | EPOLLHUP))
		return false;
	if (events & EPOLLIN) {
		while ((n = recv(s->fd, answer, sizeof answer, 0)) > 0)
			answers += memcmp(answer, "HTTP/1.1", 8) == 0;
		if (n == 0 || errno != EAGAIN)
			return false;
	}
	if (!(events & EPOLLOUT) || !started)
		return true;
	if (!s->head && !send_head(s))
		return errno == EAGAIN;
	for (int i = 0; i < 4 && s->sent < BODY; i++) { /* then others have their turn */
		size_t left = BODY - s->sent;
		n = send(s->fd, chunk, left < CHUNK ? left : CHUNK, MSG_NOSIGNAL);
		if (n < 0)
			return errno == EAGAIN;
		s->sent += (size_t)n;
		sent_bytes += n;
	}
	if (s->sent < BODY) { /* get another event if it is still writable */
		struct epoll_event e = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = s};
		epoll_ctl(poller, EPOLL_CTL_MOD, s->fd, &e);
	}
	return true;
}

int main(int argc, char **argv)
{
	struct epoll_event events[EVENTS];
	struct rlimit files;
	struct stranger *all;
	int64_t until_us, all_open_us;
	int count;

	if (argc != 5) {
		fprintf(stderr, "usage: the head of test/bench/strangers.c\n");
		return 2;
	}
	port = (int)strtol(argv[1], NULL, 10);
	count = (int)strtol(argv[2], NULL, 10);
	kind = argv[4];
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	memset(chunk, ' ', sizeof chunk);
	poller = epoll_create1(EPOLL_CLOEXEC);
	all = calloc((size_t)count, sizeof *all);
	for (int i = 0; i < count; i++)
		all[i].fd = -1;
	all_open_us = clock_mono_us() + OPEN_S * INT64_C(1000000);
	until_us = all_open_us + strtol(argv[3], NULL, 10) * INT64_C(1000000);
	for (int next = 0; clock_mono_us() < until_us;) {
		if (!started && (open_now == count || clock_mono_us() > all_open_us)) {
			started = true;
			for (int i = 0; i < count; i++)
				if (all[i].fd >= 0 && !stranger_go_on(&all[i], EPOLLOUT))
					stranger_close(&all[i]);
		}
		/* A hundred per turn: the accept queue is short. */
		for (int i = 0; i < 100; i++, next = (next + 1) % count)
			if (all[next].fd < 0)
				stranger_open(&all[next]);
		int n = epoll_wait(poller, events, EVENTS, 1);
		for (int i = 0; i < n; i++)
			if (!stranger_go_on(events[i].data.ptr, events[i].events))
				stranger_close(events[i].data.ptr);
	}
	printf("result %d %" PRId64 " %" PRId64 "\n", open_most, sent_bytes, answers);
	return 0;
}
