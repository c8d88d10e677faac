/*
 * The receiver's side of deliveries:
 *   hooks drain COUNT                prints its port, answers deliveries, and after COUNT of them prints the rate per
 *                                    second from the first to the last, and how many were of an event received before
 *   hooks latency PORT RATE SECONDS  prints its port, waits for a line on standard input, then creates people at a
 *                                    fixed rate through the server at PORT; prints p50, p99 and maximum in
 *                                    microseconds from the answer to a write (it is committed) to the first byte
 *                                    of its delivery, and how many never arrived
 * The API key is in BENCH_KEY.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/clock.h"

enum { FDS_MAX = 2048, CHUNK = 65536, CLIENTS = 16, ID_LEN = 40, GRACE_US = 5 * 1000000, SLOTS = 1 << 22 };

static const char answer_text[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

struct peer {
	bool client; /* our connection to the server */
	bool busy;
	char *have;
	size_t len;
	int64_t first_us; /* of the request in progress */
};

struct hooks_seen {
	char id[ID_LEN + 1];
	int64_t written_us, arrived_us;
};

static struct {
	int poll, listener, port;
	struct peer peers[FDS_MAX];
	int clients[CLIENTS];
	struct hooks_seen *seen; /* by id */
	long count, wanted, twice;
	int64_t first_us, last_us;
	bool latency;
	long sent, arrived, lost_clients;
} w;

static void die_of(const char *what)
{
	perror(what);
	exit(1);
}

static struct hooks_seen *seen_of(const char *id)
{
	uint64_t hash = 1469598103934665603ull;

	for (int i = 0; i < ID_LEN; i++)
		hash = (hash ^ (unsigned char)id[i]) * 1099511628211ull;
	for (size_t slot = hash % SLOTS;; slot = (slot + 1) % SLOTS) {
		if (!w.seen[slot].id[0])
			memcpy(w.seen[slot].id, id, ID_LEN);
		if (memcmp(w.seen[slot].id, id, ID_LEN) == 0)
			return &w.seen[slot];
	}
}

static void peer_watch(int fd, bool client)
{
	struct epoll_event add = {.events = EPOLLIN, .data.fd = fd};
	int on = 1;

	if (fd >= FDS_MAX)
		die_of("too many connections");
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	w.peers[fd] = (struct peer){.client = client, .have = mem_alloc(CHUNK)};
	epoll_ctl(w.poll, EPOLL_CTL_ADD, fd, &add);
}

static void start_listening(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	struct epoll_event add = {.events = EPOLLIN};

	w.poll = epoll_create1(0);
	w.listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (w.listener < 0 || bind(w.listener, (struct sockaddr *)&address, size) != 0 ||
	    listen(w.listener, 512) != 0 || getsockname(w.listener, (struct sockaddr *)&address, &size) != 0)
		die_of("listen");
	add.data.fd = w.listener;
	epoll_ctl(w.poll, EPOLL_CTL_ADD, w.listener, &add);
	w.seen = mem_zalloc(SLOTS * sizeof *w.seen);
	printf("%d\n", ntohs(address.sin_port));
	fflush(stdout);
}

/* The length of the first message, 0 when it is incomplete. */
static size_t whole_message(const struct peer *p)
{
	const char *end = memmem(p->have, p->len, "\r\n\r\n", 4), *length;
	size_t size;

	if (!end)
		return 0;
	length = strcasestr(p->have, "\r\ncontent-length:");
	size = (size_t)(end + 4 - p->have) + (length && length < end ? strtoul(length + 17, NULL, 10) : 0);
	return size <= p->len ? size : 0;
}

static void request_delivered(const struct peer *p, size_t size)
{
	const char *key = w.latency ? "\"data\":{\"id\":\"" : "{\"id\":\"",
	           *id = memmem(p->have, size, key, strlen(key));
	struct hooks_seen *s;

	if (!id)
		return;
	s = seen_of(id + strlen(key));
	w.twice += s->arrived_us != 0;
	if (!s->arrived_us)
		s->arrived_us = p->first_us;
	w.count++;
	w.first_us = w.first_us ? w.first_us : p->first_us;
	w.last_us = p->first_us;
}

static void reply_read(struct peer *p, size_t size)
{
	const char *id = memmem(p->have, size, "{\"data\":{\"id\":\"", 15);

	p->busy = false;
	if (strncmp(p->have, "HTTP/1.1 200", 12) != 0 || !id)
		w.lost_clients++;
	else
		seen_of(id + 15)->written_us = clock_mono_us();
}

static void hear_events(int fd)
{
	struct peer *p = &w.peers[fd];
	ssize_t n = recv(fd, p->have + p->len, CHUNK - 1 - p->len, 0);
	size_t size;

	if (n <= 0) {
		close(fd);
		free(p->have);
		p->have = NULL;
		return;
	}
	if (p->len == 0)
		p->first_us = clock_mono_us();
	p->len += (size_t)n;
	p->have[p->len] = '\0';
	while ((size = whole_message(p))) {
		if (p->client)
			reply_read(p, size);
		else {
			request_delivered(p, size);
			if (send(fd, answer_text, sizeof answer_text - 1, MSG_NOSIGNAL) < 0)
				return;
		}
		memmove(p->have, p->have + size, p->len - size + 1);
		p->len -= size;
	}
}

static void loop_turn(int ms)
{
	struct epoll_event events[256];
	int n = epoll_wait(w.poll, events, 256, ms);

	for (int i = 0; i < n; i++) {
		int fd = events[i].data.fd;
		if (fd != w.listener)
			hear_events(fd);
		else if ((fd = accept4(w.listener, NULL, NULL, SOCK_NONBLOCK)) >= 0)
			peer_watch(fd, false);
	}
}

/* --- latency ------------------------------------------------------------------------------ */

static void open_clients(int port)
{
	struct sockaddr_in address = {
	    .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	for (int i = 0; i < CLIENTS; i++) {
		w.clients[i] = socket(AF_INET, SOCK_STREAM, 0);
		if (w.clients[i] < 0 || connect(w.clients[i], (struct sockaddr *)&address, sizeof address) != 0)
			die_of("connect");
		peer_watch(w.clients[i], true);
	}
}

static bool send_post(void)
{
	char body[128], text[1024];
	int len, size;

	for (int i = 0; i < CLIENTS; i++) {
		struct peer *p = &w.peers[w.clients[i]];
		if (p->busy)
			continue;
		size = snprintf(body, sizeof body, "{\"firstName\":\"Bench\",\"lastName\":\"%ld\"}", w.sent++);
		len = snprintf(text, sizeof text,
		    "POST /v1/people HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: "
		    "%d\r\n\r\n%s",
		    getenv("BENCH_KEY"), size, body);
		p->busy = true;
		if (send(w.clients[i], text, (size_t)len, MSG_NOSIGNAL) != len)
			die_of("send");
		return true;
	}
	return false;
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

static void report_latency(void)
{
	int64_t *took = mem_alloc((size_t)(w.sent + 1) * sizeof *took);
	long n = 0;

	for (size_t i = 0; i < SLOTS; i++)
		if (w.seen[i].written_us && w.seen[i].arrived_us)
			took[n++] = w.seen[i].arrived_us > w.seen[i].written_us
			                ? w.seen[i].arrived_us - w.seen[i].written_us
			                : 0;
	qsort(took, (size_t)n, sizeof *took, by_size);
	if (n)
		printf("result %lld %lld %lld %ld\n", (long long)took[n / 2], (long long)took[n * 99 / 100],
		    (long long)took[n - 1], w.sent - n);
	free(took);
}

static void measure_latency(int port, int rate, int seconds)
{
	int64_t began = 0, now, end;
	char line[8];

	w.latency = true;
	if (!fgets(line, sizeof line, stdin))
		exit(1);
	open_clients(port);
	began = clock_mono_us();
	end = began + (int64_t)seconds * 1000000;
	while ((now = clock_mono_us()) < end) {
		while (w.sent < (now - began) * rate / 1000000 && send_post())
			continue;
		loop_turn(1);
	}
	end += GRACE_US;
	while (clock_mono_us() < end && w.count < w.sent)
		loop_turn(10);
	report_latency();
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	start_listening();
	if (strcmp(argv[1], "latency") == 0 && argc == 5) {
		measure_latency(
		    (int)strtol(argv[2], NULL, 10), (int)strtol(argv[3], NULL, 10), (int)strtol(argv[4], NULL, 10));
		return 0;
	}
	w.wanted = strtol(argv[2], NULL, 10);
	while (w.count < w.wanted)
		loop_turn(1000);
	printf("result %.0f %ld\n", (double)w.count * 1e6 / (double)(w.last_us - w.first_us), w.twice);
	return 0;
}
