/* See edge.h. The first part runs in the child, the second in the test. */
#include "test/lib/http/edge.h"

#include <errno.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "test/lib/http/edge_stream.h"
#include "test/lib/server/child.h"

enum { PATIENCE_MS = 60000 };

/* --- the server ------------------------------------------------------------------ */

struct edge {
	struct event_base *base;
	struct http_server *http;
	bool stop;
};

struct delayed {
	struct http_call *call;
	char text[64];
};

static void edge_answer(struct http_call *call, int status, const char *text, size_t len)
{
	enum { ADDED = 900 }; /* bytes at a time, so that the buffer grows as that of a rendered answer */
	struct http_header headers[] = {{"Content-Type", "application/json"}, {"X-Request-Id", "handler"}};
	struct buf body;

	if (!http_has_room(call, len)) {
		http_reply(call, 503, headers, 2, NULL);
		return;
	}
	buf_init(&body, 64 << 20);
	for (size_t at = 0; at < len; at += ADDED)
		buf_add(&body, text + at, len - at < ADDED ? len - at : ADDED);
	http_reply(call, status, headers, 2, &body);
}

static void answer_later(evutil_socket_t fd, short what, void *arg)
{
	struct delayed *d = arg;

	(void)fd;
	(void)what;
	edge_answer(d->call, 200, d->text, strlen(d->text));
	free(d);
}

/* --- answers that go on ------------------------------------------------------------- */

enum { PIECE = 50000, LOOK_MS = 20 };

struct going_on {
	struct edge *edge;
	struct http_call *call;
	long left;
	bool waits; /* until the client has taken the last piece */
};

static void go_on_send(void *arg)
{
	struct going_on *g = arg;
	struct buf piece;

	buf_init(&piece, PIECE);
	g->waits = g->left > 0;
	if (g->left-- > 0) {
		memset(buf_room(&piece, PIECE), 's', PIECE);
		piece.len = PIECE;
		http_stream_send(g->call, &piece);
	}
	buf_free(&piece);
}

/* Ends it when all is sent, or the client has gone. */
static void go_on_look(evutil_socket_t fd, short what, void *arg)
{
	static const struct timeval soon = {0, LOOK_MS * 1000};
	struct going_on *g = arg;

	(void)fd;
	(void)what;
	if (g->waits && !http_disconnected(g->call)) {
		event_base_once(g->edge->base, -1, EV_TIMEOUT, go_on_look, g, &soon);
		return;
	}
	http_stream_end(g->call, NULL);
	free(g);
}

static void go_on_begin(struct edge *s, struct http_call *call, long pieces)
{
	struct http_header headers[] = {{"Content-Type", "text/event-stream"}};
	struct going_on *g = mem_zalloc(sizeof(*g));

	*g = (struct going_on){s, call, pieces, true};
	http_stream_begin(call, 200, headers, 1, go_on_send, g);
	go_on_look(-1, 0, g);
}

static void tell_stats(struct edge *s, struct http_call *call)
{
	char line[128], text[256];
	long resident_kb = 0;
	struct rusage usage;
	FILE *file = fopen("/proc/self/status", "r");

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, "VmRSS:", 6) == 0)
			resident_kb = strtol(line + 6, NULL, 10);
	if (file != NULL)
		fclose(file);
	getrusage(RUSAGE_SELF, &usage);
	snprintf(text, sizeof(text), "rss %ld cpu %ld connections %zu flight %zu unread %zu", resident_kb,
	    (long)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
	        (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000,
	    http_connections(s->http), http_in_flight(s->http), http_unread(s->http));
	edge_answer(call, 200, text, strlen(text));
}

static void tell_input(struct http_call *call, const struct http_input *in)
{
	const char *x = http_header(call, "x-test");
	char text[9000];

	assert_int_equal(strlen(in->target), in->target_len);
	assert_int_equal(in->body[in->body_len], 0);
	snprintf(text, sizeof(text), "%s %s host=%s peer=%s head=%zu body=%zu:%.20s x=%s n=%d", in->method_name,
	    in->target, in->host == NULL ? "-" : in->host, in->peer, in->head_len, in->body_len, in->body,
	    x == NULL ? "-" : x, http_header_count(call, "X-Test"));
	edge_answer(call, 200, text, strlen(text));
}

/* "owner X", or "owner XY" of the tenant Y */
static bool owner_of(const char *authorization, unsigned char owner[HTTP_OWNER_SIZE])
{
	if (authorization == NULL || strncmp(authorization, "owner ", 6) != 0)
		return false;
	memset(owner, authorization[6], HTTP_OWNER_SIZE);
	return true;
}

static void set_owner(struct http_call *call, const char *authorization)
{
	unsigned char owner[HTTP_OWNER_SIZE], tenant[HTTP_OWNER_SIZE];

	if (!owner_of(authorization, owner))
		return;
	memset(tenant, authorization[7], HTTP_OWNER_SIZE);
	http_owner(call, owner, authorization[7] != '\0' ? tenant : NULL);
}

void edge_judge(const struct http_head *head, struct http_verdict *verdict, void *ctx)
{
	static const char refused[] = "/refused/";

	(void)ctx;
	verdict->known = head->n_authorization == 1 && owner_of(head->authorization, verdict->owner);
	if (head->method != HTTP_POST || strncmp(head->target, refused, strlen(refused)) != 0)
		return;
	verdict->status = (int)strtol(head->target + strlen(refused), NULL, 10);
	verdict->message = "Refused";
	snprintf(verdict->value, sizeof(verdict->value), "of %.*s", (int)head->target_len, head->target);
	verdict->header = (struct http_header){"X-Refused", verdict->value};
}

void edge_handle(struct http_call *call, const struct http_input *in, void *arg)
{
	struct edge *s = arg;

	set_owner(call, http_header(call, "Authorization"));
	if (strncmp(in->target, "/delay/", 7) == 0) {
		struct delayed *d = mem_zalloc(sizeof(*d));
		long ms = strtol(in->target + 7, NULL, 10);
		struct timeval wait = {ms / 1000, ms % 1000 * 1000};

		d->call = call;
		snprintf(d->text, sizeof(d->text), "delayed %ld", ms);
		event_base_once(s->base, -1, EV_TIMEOUT, answer_later, d, &wait);
	} else if (strncmp(in->target, "/big/", 5) == 0) {
		size_t len = strtoul(in->target + 5, NULL, 10);
		char *text = mem_alloc(len);
		memset(text, 'b', len);
		edge_answer(call, 200, text, len);
		free(text);
	} else if (strncmp(in->target, "/stream/", 8) == 0) {
		go_on_begin(s, call, strtol(in->target + 8, NULL, 10));
	} else if (strcmp(in->target, "/nothing") == 0) {
		edge_answer(call, 204, "x", 1);
	} else if (strcmp(in->target, "/two-lines") == 0) {
		struct http_header headers[] = {{"X-Two", "a\r\nX-Smuggled: b"}, {"X-Whole", "c"}};
		http_reply(call, 200, headers, 2, NULL);
	} else if (strcmp(in->target, "/no-body") == 0) {
		http_reply(call, 200, NULL, 0, NULL);
	} else if (strcmp(in->target, "/stats") == 0) {
		tell_stats(s, call);
	} else {
		tell_input(call, in);
	}
}

void edge_write_error(struct buf *body, int status, const char *request_id, const char *message, void *ctx)
{
	(void)ctx;
	buf_printf(body, "{\"status\":%d,\"requestId\":\"%s\",\"message\":\"%s\"}", status, request_id, message);
}

static void on_term(evutil_socket_t fd, short what, void *arg)
{
	struct edge *s = arg;

	(void)fd;
	(void)what;
	s->stop = true;
	http_stop(s->http);
}

/* The child's main function. */
static int serve_edge(struct http_config config, const char *address, int files, int tell)
{
	struct event_config *settings = event_config_new();
	struct edge s = {0};
	char error[256], bound[128] = "";
	int64_t give_up;

	signal(SIGPIPE, SIG_IGN);
	log_set_level(LOG_ERROR);
	event_config_set_flag(settings, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST);
	s.base = event_base_new_with_config(settings);
	event_config_free(settings);
	config.handler = edge_handle;
	config.error_writer = edge_write_error;
	config.judge = edge_judge;
	config.ctx = &s;
	s.http = http_new(s.base, &config);
	if (!http_listen(s.http, address, error, bound)) {
		fprintf(stderr, "%s\n", error);
		return 3;
	}
	struct event *term = evsignal_new(s.base, SIGTERM, on_term, &s);
	event_add(term, NULL);
	if (files > 0)
		setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)files, (rlim_t)files});
	if (write(tell, bound, sizeof(bound)) != (ssize_t)sizeof(bound))
		return 4;
	close(tell);
	while (!s.stop)
		event_base_loop(s.base, EVLOOP_ONCE);
	/* What has no request is not waited for so long. */
	give_up = clock_mono_us() + 3000000;
	while ((http_in_flight(s.http) > 0 && clock_mono_us() < give_up + PATIENCE_MS * 1000) ||
	       (http_connections(s.http) > 0 && clock_mono_us() < give_up)) {
		event_base_loop(s.base, EVLOOP_ONCE);
		http_stop(s.http); /* also those that have become idle since */
	}
	if (http_in_flight(s.http) > 0)
		return 5;
	event_free(term);
	http_free(s.http);
	event_base_loop(s.base, EVLOOP_NONBLOCK);
	event_base_free(s.base);
	log_flush();
	return 0;
}

/* --- the test's side --------------------------------------------------------------- */

struct edge_child edge_child;

void edge_start_at(struct http_config config, const char *address, int files)
{
	int pipes[2];

	assert_int_equal(pipe(pipes), 0);
	edge_child.pid = child_fork();
	assert_true(edge_child.pid >= 0);
	if (edge_child.pid == 0) {
		close(pipes[0]);
		exit(serve_edge(config, address, files, pipes[1]));
	}
	close(pipes[1]);
	assert_int_equal(read(pipes[0], edge_child.bound, sizeof(edge_child.bound)), sizeof(edge_child.bound));
	close(pipes[0]);
}

struct http_config edge_config(void)
{
	struct http_config c;

	http_config_default(&c);
	return c;
}

void edge_start(struct http_config config)
{
	edge_start_at(config, "127.0.0.1:0", 0);
}

void edge_stop(void)
{
	int status = -1;

	kill(edge_child.pid, SIGTERM);
	assert_int_equal(waitpid(edge_child.pid, &status, 0), edge_child.pid);
	edge_child.pid = 0;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

void edge_ready(void)
{
	signal(SIGPIPE, SIG_IGN);
}

void edge_end(void)
{
	if (edge_child.pid > 0) {
		edge_canary();
		edge_stop();
	}
}

void edge_reap(void)
{
	if (edge_child.pid > 0) {
		kill(edge_child.pid, SIGKILL);
		waitpid(edge_child.pid, NULL, 0);
		edge_child.pid = 0;
	}
}

int edge_dial(void)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	assert_true(fd >= 0);
	in.sin_port = htons((uint16_t)strtoul(strrchr(edge_child.bound, ':') + 1, NULL, 10));
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	assert_int_equal(connect(fd, (struct sockaddr *)&in, sizeof(in)), 0);
	return fd;
}

/* False when the peer has closed. */
bool edge_put(int fd, const void *bytes, size_t len)
{
	for (size_t at = 0; at < len;) {
		ssize_t n = send(fd, (const char *)bytes + at, len - at, MSG_NOSIGNAL);
		if (n < 0)
			return false;
		at += (size_t)n;
	}
	return true;
}

bool edge_puts(int fd, const char *text)
{
	return edge_put(fd, text, strlen(text));
}

/* Reads until len bytes have arrived, the peer closes, or want is found. Returns the length; -1 on a reset. */
ssize_t edge_get_until(int fd, char *out, size_t cap, const char *want)
{
	int64_t end = clock_mono_us() + PATIENCE_MS * 1000;
	size_t len = 0;

	out[0] = '\0';
	while (len < cap - 1 && clock_mono_us() < end) {
		struct pollfd p = {fd, POLLIN, 0};
		if (poll(&p, 1, 1000) <= 0)
			continue;
		ssize_t n = recv(fd, out + len, cap - 1 - len, 0);
		if (n < 0)
			return -1;
		if (n == 0)
			return (ssize_t)len;
		len += (size_t)n;
		out[len] = '\0';
		if (want != NULL && strstr(out, want) != NULL)
			return (ssize_t)len;
	}
	return (ssize_t)len;
}

bool edge_closed(int fd)
{
	char c;
	struct pollfd p = {fd, POLLIN, 0};

	return poll(&p, 1, PATIENCE_MS) == 1 && recv(fd, &c, 1, 0) <= 0;
}

void edge_finish(int fd)
{
	char rest[512];

	shutdown(fd, SHUT_WR);
	if (edge_get_until(fd, rest, sizeof(rest), NULL) != 0)
		fail_msg("after the last answer: %.300s", rest);
	close(fd);
}

/* Sends one request on a new connection; returns everything received. */
char *edge_ask(const char *request, size_t len)
{
	static char out[65536];
	int fd = edge_dial();

	edge_put(fd, request, len);
	if (edge_get_until(fd, out, sizeof(out), NULL) < 0)
		fail_msg("reset after: %.60s", request);
	close(fd);
	return out;
}

void edge_canary(void)
{
	static char out[4096];
	const char *at = out;
	int fd = edge_dial();

	edge_puts(fd, GET("/canary"));
	edge_get_until(fd, out, sizeof(out), "n=0");
	stream_takes(&at, (struct edge_answer){.body = "GET /canary host=a peer=127.0.0.1 head=33 body=0: x=- n=0"});
	stream_ends(at);
	edge_finish(fd);
}

long edge_stat_of(const char *name)
{
	char *out = ASK("GET /stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), *at = strstr(out, name);

	assert_non_null(at);
	return strtol(at + strlen(name) + 1, NULL, 10);
}
