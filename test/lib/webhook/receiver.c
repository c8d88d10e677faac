/* See receiver.h: the listener, received requests, and queries about them. receiver_answer.c answers. */
#include "test/lib/webhook/receiver.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/ssl.h>

#include "server/base/arena.h"
#include "test/lib/http/certificate.h"
#include "test/lib/patience.h"
#include "test/lib/server/neighbour.h"
#include "test/lib/webhook/receiver_private.h"

enum { THREAD_STACK = 512 << 10, BACKLOG = 512 };

static void must_work(bool worked, const char *what)
{
	if (worked)
		return;
	perror(what);
	abort();
}

/* --- requests --------------------------------------------------------------------- */

static void request_free(struct receiver_request *q)
{
	free(q->method);
	free(q->path);
	free(q->headers);
	free(q->body);
	free(q);
}

struct receiver_behaviour receiver_take(struct receiver *r, struct receiver_request *q)
{
	if (!r->config.of_neighbour && strstr(q->body, NEIGHBOUR_NAME)) {
		fprintf(stderr, "a delivery is another workspace's: %s\n", q->body);
		exit(1);
	}
	pthread_mutex_lock(&r->lock);
	q->open = r->open;
	struct receiver_behaviour b = r->config.decide ? r->config.decide(r->config.ctx, q) : r->config.behaviour;
	if (r->config.fail_percent && (int)patience_chance(100) < r->config.fail_percent)
		b.status = 500;
	q->status = b.status ? b.status : 200;
	if (r->config.forget) {
		request_free(q);
	} else {
		if (r->n_requests == r->room) {
			r->room = r->room ? 2 * r->room : 64;
			r->requests = mem_realloc(r->requests, (size_t)r->room * sizeof(struct receiver_request *));
		}
		r->requests[r->n_requests++] = q;
	}
	r->count++;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
	return b;
}

static void deadline_in(struct timespec *at, int ms)
{
	clock_gettime(CLOCK_MONOTONIC, at);
	at->tv_sec += ms / 1000;
	at->tv_nsec += (long)(ms % 1000) * 1000000;
	if (at->tv_nsec >= 1000000000) {
		at->tv_sec++;
		at->tv_nsec -= 1000000000;
	}
}

bool receiver_pause(struct receiver *r, int ms)
{
	struct timespec at;
	deadline_in(&at, ms);
	pthread_mutex_lock(&r->lock);
	while (!r->stop && pthread_cond_timedwait(&r->stopped, &r->lock, &at) == 0)
		continue;
	bool go_on = !r->stop;
	pthread_mutex_unlock(&r->lock);
	return go_on;
}

bool receiver_unheld(struct receiver *r)
{
	pthread_mutex_lock(&r->lock);
	for (int releases = r->releases; !r->stop && r->held && releases == r->releases;)
		pthread_cond_wait(&r->stopped, &r->lock);
	bool go_on = !r->stop;
	pthread_mutex_unlock(&r->lock);
	return go_on;
}

bool receiver_wait(struct receiver *r, int count, int ms)
{
	struct timespec at;
	deadline_in(&at, ms);
	pthread_mutex_lock(&r->lock);
	while (r->count < count && pthread_cond_timedwait(&r->changed, &r->lock, &at) == 0)
		continue;
	bool there = r->count >= count;
	pthread_mutex_unlock(&r->lock);
	return there;
}

static int read_locked(struct receiver *r, const int *value)
{
	pthread_mutex_lock(&r->lock);
	int out = *value;
	pthread_mutex_unlock(&r->lock);
	return out;
}

int receiver_count(struct receiver *r)
{
	return read_locked(r, &r->count);
}

int receiver_connections(struct receiver *r)
{
	return read_locked(r, &r->accepted);
}

int receiver_open(struct receiver *r)
{
	return read_locked(r, &r->open);
}

const struct receiver_request *receiver_request(struct receiver *r, int i)
{
	pthread_mutex_lock(&r->lock);
	struct receiver_request *q = i < r->n_requests ? r->requests[i] : NULL;
	pthread_mutex_unlock(&r->lock);
	return q;
}

void receiver_clear(struct receiver *r)
{
	pthread_mutex_lock(&r->lock);
	for (int i = 0; i < r->n_requests; i++)
		request_free(r->requests[i]);
	r->n_requests = r->count = 0;
	pthread_mutex_unlock(&r->lock);
}

char *receiver_header(const struct receiver_request *q, const char *name)
{
	size_t len = strlen(name);
	for (const char *line = q->headers; *line; line += strcspn(line, "\n") + 1) {
		if (strncasecmp(line, name, len) != 0 || line[len] != ':')
			continue;
		const char *value = line + len + 1 + strspn(line + len + 1, " ");
		return strndup(value, strcspn(value, "\r"));
	}
	return NULL;
}

void receiver_behave(struct receiver *r, struct receiver_behaviour b)
{
	pthread_mutex_lock(&r->lock);
	r->config.behaviour = b;
	pthread_mutex_unlock(&r->lock);
}

void receiver_hold(struct receiver *r, bool hold)
{
	pthread_mutex_lock(&r->lock);
	r->held = hold;
	r->releases += !hold;
	pthread_cond_broadcast(&r->stopped);
	pthread_mutex_unlock(&r->lock);
}

void receiver_fail(struct receiver *r, int percent)
{
	pthread_mutex_lock(&r->lock);
	r->config.fail_percent = percent;
	pthread_mutex_unlock(&r->lock);
}

/* --- connections ------------------------------------------------------------------ */

static void *connection_thread(void *arg)
{
	struct receiver_connection *c = arg;
	struct receiver *r = c->receiver;
	receiver_serve(c);
	if (c->ssl)
		SSL_free(c->ssl);
	pthread_mutex_lock(&r->lock);
	if (c->reset) {
		struct linger at_once = {1, 0};
		setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	}
	close(c->fd);
	c->fd = -1;
	r->open--;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

static void add_connection(struct receiver *r, int fd)
{
	struct receiver_connection *c = mem_zalloc(sizeof(*c));
	pthread_attr_t attributes;
	int on = 1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	c->receiver = r;
	c->fd = fd;
	pthread_mutex_lock(&r->lock);
	c->number = r->accepted++;
	c->next = r->connections;
	r->connections = c;
	r->open++;
	pthread_mutex_unlock(&r->lock);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, THREAD_STACK);
	must_work(pthread_create(&c->thread, &attributes, connection_thread, c) == 0, "a thread");
	pthread_attr_destroy(&attributes);
}

static void *listener_thread(void *arg)
{
	struct receiver *r = arg;
	while (receiver_pause(r, 0)) {
		int fd = accept4(r->listener, NULL, NULL, SOCK_CLOEXEC);
		if (fd >= 0)
			add_connection(r, fd);
	}
	return NULL;
}

/* --- starting and stopping -------------------------------------------------------- */

static void listen_at(struct receiver *r)
{
	const char *address = r->config.address ? r->config.address : "127.0.0.1";
	struct sockaddr_storage at = {0};
	struct sockaddr_in *v4 = (struct sockaddr_in *)&at;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&at;
	socklen_t len = sizeof(*v4);
	int on = 1;
	at.ss_family = AF_INET;
	v4->sin_port = htons((uint16_t)r->config.port);
	if (inet_pton(AF_INET, address, &v4->sin_addr) != 1) {
		at.ss_family = AF_INET6;
		len = sizeof(*v6);
		must_work(inet_pton(AF_INET6, address, &v6->sin6_addr) == 1, address);
	}
	r->listener = socket(at.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(r->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	must_work(bind(r->listener, (struct sockaddr *)&at, len) == 0, "bind");
	must_work(listen(r->listener, BACKLOG) == 0, "listen");
	must_work(getsockname(r->listener, (struct sockaddr *)&at, &len) == 0, "getsockname");
	r->port = ntohs(v4->sin_port); /* at the same offset for IPv6 */
}

static void make_tls(struct receiver *r)
{
	const char *names = r->config.names ? r->config.names : "DNS:hooks.test,IP:127.0.0.1";
	const char *dir = getenv("KITH_TEST_DIR");
	struct authority *authority = authority_new();
	X509 *certificate;
	EVP_PKEY *key;
	int days = r->config.tls == RECEIVER_TLS_EXPIRED ? -1 : 10;
	certificate_make(r->config.tls == RECEIVER_TLS_SELF ? NULL : authority, names, days, &certificate, &key);
	r->tls = SSL_CTX_new(TLS_server_method());
	must_work(
	    r->tls && SSL_CTX_use_certificate(r->tls, certificate) == 1 && SSL_CTX_use_PrivateKey(r->tls, key) == 1,
	    "a certificate");
	if (r->config.tls == RECEIVER_TLS_OLD) {
		SSL_CTX_set_security_level(r->tls, 0);
		SSL_CTX_set_min_proto_version(r->tls, TLS1_VERSION);
		SSL_CTX_set_max_proto_version(r->tls, TLS1_1_VERSION);
	}
	snprintf(r->ca_file, sizeof(r->ca_file), "%s/ca-%d-%d.pem", dir ? dir : "/tmp", (int)getpid(), r->port);
	authority_write(authority, r->ca_file);
	X509_free(certificate);
	EVP_PKEY_free(key);
	authority_free(authority);
}

struct receiver *receiver_start(const struct receiver_config *c)
{
	struct receiver *r = mem_zalloc(sizeof(*r));
	pthread_condattr_t monotonic;
	r->config = *c;
	signal(SIGPIPE, SIG_IGN); /* SSL_write() has no MSG_NOSIGNAL */
	pthread_mutex_init(&r->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&r->changed, &monotonic);
	pthread_cond_init(&r->stopped, &monotonic);
	pthread_condattr_destroy(&monotonic);
	listen_at(r);
	if (c->tls != RECEIVER_PLAIN)
		make_tls(r);
	must_work(pthread_create(&r->thread, NULL, listener_thread, r) == 0, "a thread");
	return r;
}

void receiver_stop(struct receiver *r)
{
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_cond_broadcast(&r->stopped);
	shutdown(r->listener, SHUT_RDWR);
	for (struct receiver_connection *c = r->connections; c; c = c->next)
		if (c->fd >= 0)
			shutdown(c->fd, SHUT_RDWR);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->thread, NULL);
	while (r->connections) {
		struct receiver_connection *c = r->connections;
		pthread_mutex_lock(&r->lock);
		if (c->fd >= 0)
			shutdown(c->fd, SHUT_RDWR); /* accepted meanwhile */
		pthread_mutex_unlock(&r->lock);
		pthread_join(c->thread, NULL);
		r->connections = c->next;
		free(c);
	}
	receiver_clear(r);
	close(r->listener);
	if (r->tls) {
		SSL_CTX_free(r->tls);
		unlink(r->ca_file);
	}
	pthread_mutex_destroy(&r->lock);
	pthread_cond_destroy(&r->changed);
	pthread_cond_destroy(&r->stopped);
	free(r->requests);
	free(r);
}

int receiver_port(const struct receiver *r)
{
	return r->port;
}

const char *receiver_url(struct receiver *r, const char *path)
{
	const char *address = r->config.address ? r->config.address : "127.0.0.1";
	const char *form = r->tls ? "https://hooks.test:" : "http://";
	if (r->tls)
		snprintf(r->url, sizeof(r->url), "%s%d%s", form, r->port, path);
	else if (strchr(address, ':'))
		snprintf(r->url, sizeof(r->url), "%s[%s]:%d%s", form, address, r->port, path);
	else
		snprintf(r->url, sizeof(r->url), "%s%s:%d%s", form, address, r->port, path);
	return r->url;
}

const char *receiver_ca_file(const struct receiver *r)
{
	return r->ca_file;
}
