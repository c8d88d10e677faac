/*
 * Deliveries per second to a fast receiver on this machine, and the cost of each here:
 * signing, sending, the verdict. The receiver is a process of its own that only answers.
 *   deliver [COUNT [IN_FLIGHT [BODY_BYTES]]]
 * Prints one line: deliveries, in flight, per second, microseconds of this process each.
 */
#include <arpa/inet.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/base/loop.h"
#include "test/lib/server/child.h"
#include "webhook/deliver.h"
#include "webhook/sign.h"

enum { FDS_MAX = 4096, CHUNK = 65536 };

/* --- the receiver ----------------------------------------------------------------- */

static const char ANSWER[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/* All requests have the length of the first one. */
static size_t request_length(const char *text, size_t len)
{
	const char *end = memmem(text, len, "\r\n\r\n", 4), *length = memmem(text, len, "Content-Length: ", 16);
	return end && length ? (size_t)(end + 4 - text) + strtoul(length + 16, NULL, 10) : 0;
}

static void answer_all(int fd)
{
	static size_t have[FDS_MAX], whole;
	static char bytes[CHUNK];
	ssize_t n = recv(fd, bytes, sizeof(bytes) - 1, 0);
	if (n <= 0) {
		close(fd);
		have[fd] = 0;
		return;
	}
	bytes[n] = '\0';
	whole = whole ? whole : request_length(bytes, (size_t)n);
	for (have[fd] += (size_t)n; whole && have[fd] >= whole; have[fd] -= whole)
		if (send(fd, ANSWER, sizeof(ANSWER) - 1, MSG_NOSIGNAL) < 0)
			return;
}

static void receive_hooks(int listener)
{
	struct epoll_event events[256], add = {.events = EPOLLIN, .data.fd = listener};
	int poll = epoll_create1(0), on = 1;
	epoll_ctl(poll, EPOLL_CTL_ADD, listener, &add);
	while (true) {
		int n = epoll_wait(poll, events, 256, -1);
		for (int i = 0; i < n; i++) {
			if (events[i].data.fd != listener) {
				answer_all(events[i].data.fd);
				continue;
			}
			add.data.fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
			if (add.data.fd < 0 || add.data.fd >= FDS_MAX)
				_exit(1);
			setsockopt(add.data.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
			epoll_ctl(poll, EPOLL_CTL_ADD, add.data.fd, &add);
		}
	}
}

static int start_receiver(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(fd, (struct sockaddr *)&at, len) != 0 || listen(fd, 512) != 0)
		abort();
	getsockname(fd, (struct sockaddr *)&at, &len);
	if (child_fork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		receive_hooks(fd);
	}
	close(fd);
	return ntohs(at.sin_port);
}

/* --- the deliveries --------------------------------------------------------------- */

static struct {
	struct loop *loop;
	struct deliverer *deliverer;
	struct target target;
	char *body;
	size_t body_len;
	long begun, done, failed, count;
} bench;

static void on_done(void *ctx, const struct deliver_result *result);

static void begin_deliveries(void)
{
	static const unsigned char secret[SIGN_SECRET_LEN] = {1, 2, 3};
	char signature[SIGN_SIGNATURE_TEXT], id[64];
	snprintf(id, sizeof(id), "evt_01890a5d-ac96-774b-bcce-%012ld", bench.begun++);
	sign_signature(signature, secret, SIGN_SECRET_LEN, id, 1700000000, bench.body, bench.body_len);
	const struct deliver_header headers[] = {{"Content-Type", "application/json"}, {"webhook-id", id},
	    {"webhook-timestamp", "1700000000"}, {"webhook-signature", signature}};
	deliver_start(bench.deliverer,
	    &(struct deliver_request){.target = &bench.target,
	        .headers = headers,
	        .n_headers = 4,
	        .body = bench.body,
	        .body_len = bench.body_len},
	    on_done, NULL);
}

static void on_done(void *ctx, const struct deliver_result *result)
{
	(void)ctx;
	bench.done++;
	bench.failed += result->error != DELIVER_NONE;
	if (bench.begun < bench.count)
		begin_deliveries();
	else if (bench.done == bench.count)
		loop_stop(bench.loop);
}

static int64_t cpu_us(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * INT64_C(1000000) + usage.ru_utime.tv_usec +
	       usage.ru_stime.tv_usec;
}

int main(int argc, char **argv)
{
	const char *error = NULL;
	char url[128];
	signal(SIGPIPE, SIG_IGN);
	bench.count = argc > 1 ? strtol(argv[1], NULL, 10) : 200000;
	long in_flight = argc > 2 ? strtol(argv[2], NULL, 10) : 64;
	bench.body_len = argc > 3 ? strtoul(argv[3], NULL, 10) : 500;
	bench.body = malloc(bench.body_len + 1);
	memset(bench.body, 'x', bench.body_len);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/hook", start_receiver());
	struct target_rules *rules = target_rules_parse("127.0.0.0/8", &error);
	if (target_parse(&bench.target, rules, url, strlen(url)) != TARGET_OK)
		return 1;
	bench.loop = loop_new();
	struct resolver *resolver = resolver_new(loop_base(bench.loop), NULL);
	bench.deliverer = deliverer_new(&(struct deliver_config){.loop = bench.loop,
	    .rules = rules,
	    .resolver = resolver,
	    .timeout_ms = 20000,
	    .connections_max = 512,
	    .idle_ms = 30000});
	int64_t began = clock_mono_us(), cpu = cpu_us();
	for (long i = 0; i < in_flight && i < bench.count; i++)
		begin_deliveries();
	loop_run(bench.loop);
	double took_s = (double)(clock_mono_us() - began) / 1e6;
	printf("%ld deliveries, %ld in flight: %.0f/s, %.1f us each, %ld failed\n", bench.count, in_flight,
	    (double)bench.count / took_s, (double)(cpu_us() - cpu) / (double)bench.count, bench.failed);
	deliverer_free(bench.deliverer);
	resolver_free(resolver);
	free(rules);
	loop_free(bench.loop);
	free(bench.body);
	return bench.failed != 0;
}
