/*
 * What wrk does not measure:
 *   probe port                           prints a TCP port of the loopback interface that is free now
 *   probe ready PORT                     requests /readyz until it returns 200 (at most 10 s)
 *   probe rate PORT TARGETS RATE SECONDS requests at a fixed rate over 8 connections, over 64 when the first target is
 *                                        a write; prints p50, p99, p99.9 and maximum in microseconds, how many failed,
 *                                        and how many do not count because others used a processor of this virtual
 *                                        machine meanwhile. Latency counts from when the request was due, so that a
 *                                        stall shows in all requests it delayed.
 *   probe idle PORT TARGETS COUNT        opens COUNT connections, uses each once, prints "open" and holds
 *                                        them until its standard input ends
 *   probe walk PORT TARGET PAGE          follows nextLink from TARGET to that page; prints the page's target
 * TARGETS is a file, one per line; a tab and a body may follow, which is then posted. The API key is in BENCH_KEY.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/server/stolen.h"

enum { READERS = 8, WRITERS = 64, READY_S = 10, TARGET_MAX = 1024, TARGETS_MAX = 1000, ANSWER_MAX = 4 << 20 };

struct targets {
	char *line[TARGETS_MAX];
	size_t count;
};

static void die_of(const char *what)
{
	fprintf(stderr, "probe: %s: %s\n", what, errno ? strerror(errno) : "failed");
	exit(1);
}

static struct sockaddr_in loopback_address(int port)
{
	return (struct sockaddr_in){
	    .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

/* -1 when nothing listens. */
static int try_connect(int port)
{
	struct sockaddr_in address = loopback_address(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	if (fd < 0)
		die_of("socket");
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
		return fd;
	close(fd);
	return -1;
}

static int open_connection(int port)
{
	int fd = try_connect(port);
	if (fd < 0)
		die_of("connect");
	return fd;
}

static bool probe_send(int fd, const char *target)
{
	const char *key = getenv("BENCH_KEY"), *body = strchr(target, '\t');
	char text[TARGET_MAX + 512], type[96] = "";
	int len;

	if (body)
		snprintf(
		    type, sizeof type, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body + 1));
	len = snprintf(text, sizeof text, "%s %.*s HTTP/1.1\r\nHost: localhost\r\n%s%s%s%s\r\n%s",
	    body ? "POST" : "GET", (int)strcspn(target, "\t"), target, type, key ? "Authorization: Bearer " : "",
	    key ? key : "", key ? "\r\n" : "", body ? body + 1 : "");

	return len > 0 && (size_t)len < sizeof text && send(fd, text, (size_t)len, MSG_NOSIGNAL) == len;
}

/* --- answers --------------------------------------------------------------------- */

struct probe_answer {
	char *data;             /* ANSWER_MAX + 1 bytes */
	size_t len, head, want; /* head and want are 0 until the head is complete */
	int status;
};

static void answer_begin(struct probe_answer *a)
{
	if (!a->data && !(a->data = malloc(ANSWER_MAX + 1)))
		die_of("memory");
	a->len = a->head = a->want = 0;
}

static void read_head(struct probe_answer *a)
{
	const char *end = strstr(a->data, "\r\n\r\n"), *line;

	if (!end)
		return;
	a->head = (size_t)(end - a->data) + 4;
	a->want = a->head;
	a->status = (int)strtol(a->data + strcspn(a->data, " \r"), NULL, 10);
	for (line = a->data; line && line < end; line = strstr(line, "\r\n"), line = line ? line + 2 : NULL)
		if (strncasecmp(line, "Content-Length:", 15) == 0)
			a->want += strtoul(line + 15, NULL, 10);
}

/* Reads available data: 1 the answer is complete, 0 it is not, -1 the connection ended. */
static int answer_read(struct probe_answer *a, int fd, int flags)
{
	ssize_t n = recv(fd, a->data + a->len, ANSWER_MAX - a->len, flags);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0)
		return -1;
	a->len += (size_t)n;
	a->data[a->len] = '\0';
	if (!a->head)
		read_head(a);
	return a->head && a->len >= a->want;
}

/* Sends and waits; the status, 0 for no answer. */
static int ask_and_wait(int fd, const char *target, struct probe_answer *a)
{
	int state = 0;

	answer_begin(a);
	if (!probe_send(fd, target))
		return 0;
	while (state == 0)
		state = answer_read(a, fd, 0);
	return state > 0 ? a->status : 0;
}

static void read_targets(const char *path, struct targets *t)
{
	char line[TARGET_MAX];
	FILE *f = fopen(path, "r");

	if (!f)
		die_of(path);
	while (t->count < TARGETS_MAX && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = '\0';
		t->line[t->count++] = strdup(line);
	}
	fclose(f);
	if (t->count == 0)
		die_of("no targets");
}

/* --- the commands ------------------------------------------------------------------ */

static int print_port(void)
{
	struct sockaddr_in address = loopback_address(0);
	socklen_t len = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &len) != 0)
		die_of("port");
	printf("%d\n", ntohs(address.sin_port));
	return 0;
}

static int wait_ready(int port)
{
	int64_t until_us = clock_mono_us() + READY_S * INT64_C(1000000);
	struct probe_answer a = {0};

	while (clock_mono_us() < until_us) {
		int fd = try_connect(port);
		int status = fd < 0 ? 0 : ask_and_wait(fd, "/readyz", &a);
		if (fd >= 0)
			close(fd);
		if (status == 200)
			return 0;
		poll(NULL, 0, 1);
	}
	return 1;
}

struct rated {
	int connections;
	int fd[WRITERS];
	bool busy[WRITERS];
	int64_t due_us[WRITERS]; /* of the request in progress */
	long ticks[WRITERS];     /* stolen_ticks() before it was due */
	struct probe_answer answers[WRITERS];
	int64_t *took_us;
	size_t n_took, failed, stolen;
};

static int compare_items(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

/* Waits until that time or an answer. */
static void rated_wait(struct rated *s, int64_t until_us)
{
	struct pollfd fds[WRITERS];
	int64_t left_us = until_us - clock_mono_us();
	struct timespec wait = {.tv_nsec = left_us > 0 ? left_us * 1000 : 0};

	if (left_us > 999999)
		wait.tv_nsec = 999999999;
	for (int i = 0; i < s->connections; i++)
		fds[i] = (struct pollfd){.fd = s->busy[i] ? s->fd[i] : -1, .events = POLLIN};
	if (ppoll(fds, (nfds_t)s->connections, &wait, NULL) < 0 && errno != EINTR)
		die_of("poll");
	for (int i = 0; i < s->connections; i++) {
		int state = fds[i].fd >= 0 && fds[i].revents ? answer_read(&s->answers[i], s->fd[i], MSG_DONTWAIT) : 0;
		if (state < 0)
			die_of("an answer");
		if (state == 0)
			continue;
		s->busy[i] = false;
		s->failed += s->answers[i].status != 200;
		if (stolen_ticks() != s->ticks[i])
			s->stolen++;
		else
			s->took_us[s->n_took++] = clock_mono_us() - s->due_us[i];
	}
}

static int idle_one(const struct rated *s)
{
	for (int i = 0; i < s->connections; i++)
		if (!s->busy[i])
			return i;
	return -1;
}

/* Asks for short time slices, so that the kernel schedules this process soon (Linux 6.12; without effect before). A
 * latency must not include the time until a busy machine lets this program read the answer. */
static void run_soon(void)
{
	struct { /* struct sched_attr, which the C library does not have */
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime_ns, deadline, period;
	} wanted = {.size = sizeof wanted, .runtime_ns = 100000};

	(void)syscall(SYS_sched_setattr, 0, &wanted, 0);
}

static int run_rate(int port, const struct targets *t, int64_t rate, int64_t seconds)
{
	struct rated s = {0};
	int64_t total = rate * seconds, begin_us;

	run_soon();
	s.connections = strchr(t->line[0], '\t') ? WRITERS : READERS;
	s.took_us = calloc((size_t)total, sizeof *s.took_us);
	for (int i = 0; i < s.connections; i++)
		s.fd[i] = open_connection(port);
	begin_us = clock_mono_us();
	for (int64_t n = 0; n < total; n++) {
		int64_t due_us = begin_us + n * 1000000 / rate;
		long ticks = stolen_ticks();
		int at;
		while (clock_mono_us() < due_us || idle_one(&s) < 0)
			rated_wait(&s, clock_mono_us() < due_us ? due_us : clock_mono_us() + 1000000);
		at = idle_one(&s);
		s.busy[at] = true;
		s.due_us[at] = due_us;
		s.ticks[at] = ticks;
		answer_begin(&s.answers[at]);
		if (!probe_send(s.fd[at], t->line[(size_t)n % t->count]))
			die_of("send");
	}
	while ((int64_t)(s.n_took + s.stolen) < total)
		rated_wait(&s, clock_mono_us() + 1000000);
	if (s.n_took == 0)
		die_of("others had a processor all the time");
	qsort(s.took_us, s.n_took, sizeof *s.took_us, compare_items);
	printf("result %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %zu %zu\n", s.took_us[s.n_took / 2],
	    s.took_us[s.n_took * 99 / 100], s.took_us[s.n_took * 999 / 1000], s.took_us[s.n_took - 1], s.failed,
	    s.stolen);
	return 0;
}

static int hold_idle(int port, const struct targets *t, int64_t count)
{
	struct probe_answer a = {0};
	char byte;

	for (int64_t i = 0; i < count; i++)
		if (ask_and_wait(open_connection(port), t->line[(size_t)i % t->count], &a) != 200)
			die_of("an answer");
	printf("open\n");
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	return 0;
}

static int probe_walk(int port, const char *from, int64_t page)
{
	static const char mark[] = "\"nextLink\":\"";
	char target[TARGET_MAX];
	struct probe_answer a = {0};
	int fd = open_connection(port);

	snprintf(target, sizeof target, "%s", from);
	for (int64_t n = 1; n < page; n++) {
		if (ask_and_wait(fd, target, &a) != 200)
			die_of("a page");
		const char *link = strstr(a.data + a.head, mark),
		           *path = link ? strstr(link + sizeof mark, "/v1/") : NULL;
		if (!path || strcspn(path, "\"") >= sizeof target)
			die_of("no further page");
		snprintf(target, sizeof target, "%.*s", (int)strcspn(path, "\""), path);
	}
	printf("%s\n", target);
	return 0;
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";
	int port = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;
	struct targets t = {0};

	if (strcmp(command, "port") == 0)
		return print_port();
	if (strcmp(command, "ready") == 0 && argc == 3)
		return wait_ready(port);
	if (strcmp(command, "walk") == 0 && argc == 5)
		return probe_walk(port, argv[3], strtoll(argv[4], NULL, 10));
	if ((strcmp(command, "rate") == 0 && argc == 6) || (strcmp(command, "idle") == 0 && argc == 5)) {
		read_targets(argv[3], &t);
		return argc == 6 ? run_rate(port, &t, strtoll(argv[4], NULL, 10), strtoll(argv[5], NULL, 10))
		                 : hold_idle(port, &t, strtoll(argv[4], NULL, 10));
	}
	fprintf(stderr, "usage: the head of test/bench/probe.c\n");
	return 2;
}
