/* See proxy.h. One thread, poll(), at most a few dozen connections. */
#include "test/lib/db/proxy.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/clock.h"

enum { PAIRS_MAX = 100, CHUNK = 65536, TURN_MS = 5, LATE_US = 200000, KEEPALIVE_MS = 20000 };

struct proxy_pair {
	int client, database; /* -1: free */
	bool deaf;            /* PostgreSQL's output is dropped */
	bool mute;            /* so is the client's */
	int64_t due_us;       /* PROXY_LATE: when the client's bytes are forwarded; 0: none wait */
	int64_t end_us;       /* when PostgreSQL notices that the silent client is gone; 0: it is not */
};

struct proxy {
	pthread_t thread;
	int listener;
	char *upstream, *path;
	struct proxy_pair pairs[PAIRS_MAX];
	_Atomic int mode;
	atomic_bool hit, stop;
};

static int unix_socket(const char *path, bool listening)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
	if (fd >= 0 && (listening ? bind(fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(fd, 64) == 0
	                          : connect(fd, (struct sockaddr *)&at, sizeof at) == 0))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void pair_close(struct proxy_pair *c)
{
	if (c->client >= 0)
		close(c->client);
	if (c->database >= 0)
		close(c->database);
	*c = (struct proxy_pair){-1, -1, false, false, 0, 0};
}

static void pair_open(struct proxy *p)
{
	int client = accept4(p->listener, NULL, NULL, SOCK_CLOEXEC);

	for (int i = 0; client >= 0 && i < PAIRS_MAX; i++) {
		if (p->pairs[i].client >= 0 || p->pairs[i].database >= 0)
			continue;
		p->pairs[i] = (struct proxy_pair){client, unix_socket(p->upstream, false), false, false, 0, 0};
		if (p->pairs[i].database < 0)
			pair_close(&p->pairs[i]);
		return;
	}
	if (client >= 0)
		close(client);
}

static bool write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = send(fd, data, len, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
}

static bool meets_commit(int mode)
{
	return mode == PROXY_SWALLOW || mode == PROXY_CUT_AFTER || mode == PROXY_CUT_BEFORE || mode == PROXY_HOLE ||
	       mode == PROXY_HALF;
}

/* Applies the mode to a connection whose data have a COMMIT at byte at of n; returns how many bytes to forward. */
static size_t meet_commit(struct proxy *p, struct proxy_pair *c, size_t at, size_t n, bool *closing)
{
	int mode = atomic_load(&p->mode);

	if (!meets_commit(mode))
		return n;
	atomic_store(&p->mode, PROXY_PASS);
	atomic_store(&p->hit, true);
	c->deaf = true;
	c->mute = mode == PROXY_HOLE || mode == PROXY_HALF;
	*closing = mode == PROXY_CUT_AFTER || mode == PROXY_CUT_BEFORE;
	if (mode == PROXY_HALF)
		return at;
	return mode == PROXY_SWALLOW || mode == PROXY_CUT_AFTER ? n : 0;
}

static void move_bytes(struct proxy *p, struct proxy_pair *c, bool from_client)
{
	char chunk[CHUNK];
	ssize_t n = recv(from_client ? c->client : c->database, chunk, sizeof chunk, MSG_DONTWAIT);
	bool closing = false;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		/* The other end of a silent connection is not closed: PostgreSQL's keepalives end it
		 * (store/db_setup.c). */
		if (from_client ? !c->mute : !c->deaf) {
			pair_close(c);
			return;
		}
		int *end = from_client ? &c->client : &c->database;
		close(*end);
		*end = -1;
		if (from_client)
			c->end_us = clock_mono_us() + KEEPALIVE_MS * INT64_C(1000);
		return;
	}
	bool lost = from_client ? c->mute : c->deaf;
	size_t forward = lost ? 0 : (size_t)n;
	/* With its end: settings of a connection have "read committed". */
	const char *commit = from_client && !lost ? memmem(chunk, forward, "commit", sizeof "commit") : NULL;
	if (commit)
		forward = meet_commit(p, c, (size_t)(commit - chunk), forward, &closing);
	if (forward && !write_all(from_client ? c->database : c->client, chunk, forward))
		closing = true;
	if (closing && c->client >= 0 && forward) { /* PostgreSQL reads what came before the end */
		shutdown(c->client, SHUT_RDWR);
		shutdown(c->database, SHUT_WR);
	}
	if (closing)
		pair_close(c);
}

/* True when the client's bytes, which are there, have to wait. */
static bool is_early(struct proxy *p, struct proxy_pair *c)
{
	bool early = atomic_load(&p->mode) == PROXY_LATE && c->due_us == 0;

	c->due_us = early ? clock_mono_us() + LATE_US : 0;
	return early;
}

static void proxy_turn(struct proxy *p)
{
	struct pollfd fds[1 + 2 * PAIRS_MAX];
	struct proxy_pair *owners[1 + 2 * PAIRS_MAX];
	int n = 0;
	bool stalled = atomic_load(&p->mode) == PROXY_STALL;
	int64_t now_us = clock_mono_us();

	fds[n] = (struct pollfd){.fd = stalled ? -1 : p->listener, .events = POLLIN};
	owners[n++] = NULL;
	for (int i = 0; i < PAIRS_MAX && !stalled; i++) {
		struct proxy_pair *c = &p->pairs[i];
		if (c->end_us && c->end_us <= now_us)
			pair_close(c);
		fds[n] = (struct pollfd){.fd = c->due_us > now_us ? -1 : c->client, .events = POLLIN};
		owners[n++] = c;
		fds[n] = (struct pollfd){.fd = c->database, .events = POLLIN};
		owners[n++] = c;
	}
	if (poll(fds, (nfds_t)n, TURN_MS) <= 0)
		return;
	for (int i = 1; i < n; i++)
		if (fds[i].revents && fds[i].fd >= 0 &&
		    (i % 2 ? owners[i]->client : owners[i]->database) == fds[i].fd &&
		    !(i % 2 && is_early(p, owners[i])))
			move_bytes(p, owners[i], i % 2);
	if (fds[0].revents)
		pair_open(p);
}

static void *proxy_run(void *arg)
{
	struct proxy *p = arg;

	while (!atomic_load(&p->stop)) {
		if (atomic_load(&p->mode) == PROXY_RESET) {
			atomic_store(&p->mode, PROXY_PASS);
			for (int i = 0; i < PAIRS_MAX; i++)
				pair_close(&p->pairs[i]);
		}
		proxy_turn(p);
	}
	return NULL;
}

struct proxy *proxy_start(const char *dir, const char *upstream)
{
	struct proxy *p = mem_zalloc(sizeof *p);
	char path[256];

	snprintf(path, sizeof path, "%s/.s.PGSQL.5432", dir);
	p->path = mem_dupz(path);
	snprintf(path, sizeof path, "%s/.s.PGSQL.5432", upstream);
	p->upstream = mem_dupz(path);
	for (int i = 0; i < PAIRS_MAX; i++)
		p->pairs[i] = (struct proxy_pair){-1, -1, false, false, 0, 0};
	p->listener = unix_socket(p->path, true);
	if (p->listener < 0 || pthread_create(&p->thread, NULL, proxy_run, p) != 0) {
		fprintf(stderr, "proxy: cannot listen on %s\n", p->path);
		exit(1);
	}
	return p;
}

void proxy_set(struct proxy *p, enum proxy_mode mode)
{
	atomic_store(&p->hit, false);
	atomic_store(&p->mode, mode);
}

bool proxy_hit(struct proxy *p)
{
	return atomic_load(&p->hit);
}

void proxy_stop(struct proxy *p)
{
	atomic_store(&p->stop, true);
	pthread_join(p->thread, NULL);
	for (int i = 0; i < PAIRS_MAX; i++)
		pair_close(&p->pairs[i]);
	close(p->listener);
	unlink(p->path);
	free(p->path);
	free(p->upstream);
	free(p);
}

/* In a URL the directory is percent-encoded; it has no other special characters than slashes. */
static void add_encoded(struct buf *out, const char *text, bool encoded)
{
	for (; *text; text++)
		if (*text == '/' && encoded)
			buf_addz(out, "%2F");
		else
			buf_addc(out, *text);
}

char *proxy_url(const char *url, const char *upstream, const char *dir)
{
	for (int encoded = 0; encoded < 2; encoded++) {
		struct buf from, to;
		buf_init(&from, 4096);
		buf_init(&to, 4096);
		add_encoded(&from, upstream, encoded);
		const char *at = strstr(url, from.data);
		if (at) {
			buf_add(&to, url, (size_t)(at - url));
			add_encoded(&to, dir, encoded);
			buf_addz(&to, at + from.len);
		}
		buf_free(&from);
		if (at)
			return buf_take(&to, NULL);
		buf_free(&to);
	}
	fprintf(stderr, "proxy: %s is not in %s\n", upstream, url);
	exit(1);
}
