/*
 * Streams of events: how fast a backlog reaches many of them, and one event all of them.
 *   streams PORT AFTER EVENTS ROUNDS KEY...
 * Opens 20 streams with each key after that cursor; each must get that many events. Then creates a person
 * each round with the first key. Prints one line: events a second to all streams together, and in microseconds the
 * median and the longest time from the answer to a create until the last stream had its event.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/http/caller.h"
#include "test/lib/http/sse.h"

enum { STREAMS_OF_KEY = 20, STREAMS_MAX = 1000, ROUNDS_MAX = 1000, SILENT_MS = 20000, PAUSE_MS = 300 };

struct bench_stream {
	int fd;
	long events;
	char before; /* the last byte */
};

static struct bench_stream streams[STREAMS_MAX];
static int n_streams;

static void bench_fail(const char *what)
{
	fprintf(stderr, "streams: %s\n", what);
	exit(1);
}

/* A line that begins with "e" is the type of an event: there are also id, data, retry and comments. */
static void count_events(struct bench_stream *s, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; s->before = bytes[i++])
		s->events += bytes[i] == 'e' && s->before == '\n';
}

static void open_streams(const char *base, const char *key, const char *target)
{
	for (int i = 0; i < STREAMS_OF_KEY; i++) {
		struct bench_stream *s = &streams[n_streams++];
		struct sse opened;
		sse_init(&opened);
		/* HTTP/1.0: without chunks */
		if (n_streams > STREAMS_MAX || sse_open_as(&opened, base, key, "GET", target, "1.0", false) != 200)
			bench_fail("a stream was refused");
		s->fd = dup(opened.fd);
		s->before = '\n';
		if (opened.raw.len)
			count_events(s, opened.raw.data, opened.raw.len);
		sse_free(&opened);
	}
}

static bool have_all(long events)
{
	for (int i = 0; i < n_streams; i++)
		if (streams[i].events < events)
			return false;
	return true;
}

/* Reads until each stream has that many events. */
static void read_until(long events)
{
	static char bytes[1 << 18];
	static struct pollfd fds[STREAMS_MAX];

	while (!have_all(events)) {
		for (int i = 0; i < n_streams; i++)
			fds[i] = (struct pollfd){.fd = streams[i].fd, .events = POLLIN};
		if (poll(fds, (nfds_t)n_streams, SILENT_MS) <= 0)
			bench_fail("nothing comes any more");
		for (int i = 0; i < n_streams; i++) {
			ssize_t n = fds[i].revents ? recv(streams[i].fd, bytes, sizeof bytes, 0) : -1;
			if (n == 0)
				bench_fail("a stream ended");
			if (n > 0)
				count_events(&streams[i], bytes, (size_t)n);
		}
	}
}

static int compare_times(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

int main(int argc, char **argv)
{
	static int64_t times[ROUNDS_MAX];
	char base[64], target[1024];
	struct caller c;
	long events, rounds;
	int64_t began_us;

	if (argc < 6)
		bench_fail("usage: streams PORT AFTER EVENTS ROUNDS KEY...");
	snprintf(base, sizeof base, "http://127.0.0.1:%s", argv[1]);
	snprintf(target, sizeof target, "/v1/events/stream?after=%s", argv[2]);
	events = strtol(argv[3], NULL, 10);
	rounds = strtol(argv[4], NULL, 10);
	if (rounds < 1 || rounds > ROUNDS_MAX)
		bench_fail("1 to 1000 rounds");
	began_us = clock_mono_us();
	for (int i = 5; i < argc; i++)
		open_streams(base, argv[i], target);
	read_until(events);
	double rate = (double)events * n_streams * 1e6 / (double)(clock_mono_us() - began_us);
	caller_init(&c, base, argv[5]);
	for (int i = 0; i < rounds; i++) {
		poll(NULL, 0, PAUSE_MS); /* so that they wait again */
		caller_good(caller_send(&c, "POST", "/v1/people", NULL, "{\"firstName\": \"Streamed\"}"));
		began_us = clock_mono_us();
		read_until(++events);
		times[i] = clock_mono_us() - began_us;
	}
	caller_free(&c);
	qsort(times, (size_t)rounds, sizeof *times, compare_times);
	printf("result %.0f %lld %lld\n", rate, (long long)times[rounds / 2], (long long)times[rounds - 1]);
	return 0;
}
