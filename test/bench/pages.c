/*
 * How long pages of filtered lists take:
 *   pages PORT SAMPLES <CASES
 * A case is a line "label<tab>PAGE<tab>target", the target without limit and cursor; PAGE 1: the first page alone. For
 * each one prints label<tab>status<tab>pages<tab>p50 p99 least stolen of the first page by 20<tab>… by 100<tab>… of
 * the page PAGE (by 20)<tab>… by 100 in microseconds; pages is how far the walk came when the list ends before. Requests
 * follow each other on one connection; a page is asked for SAMPLES times, fewer when that takes long. The API key is in
 * BENCH_KEY.
 *
 * On a virtual machine others may have a processor while we want it, for tens of milliseconds at a time. An answer
 * during which they did is timed again, up to STOLEN_MAX of them for a page; stolen is how many those were.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/client.h"

enum {
	SAMPLES_MAX = 1000,
	PAGE_MAX = 100000,
	SAMPLES_LEAST = 8,
	LONG_US = 150000,
	STOLEN_MAX = 500,
	LINE_MAX_SIZE = 16384,
	SMALL = 20,
	LARGE = 100
};

static struct client *client;
static char authorization[256];

static void die(const char *what, const char *detail)
{
	fprintf(stderr, "pages: %s: %s\n", what, detail);
	exit(1);
}

/* Answers the status; *cursor gets the next page's, in the arena, NULL on the last one. */
static int get(struct arena *a, const char *target, const char **cursor)
{
	struct client_request q = {
	    .method = "GET", .target = target, .headers = {{"Authorization", authorization}}, .n_headers = 1};
	struct client_reply reply;
	const char *link;
	char error[256];

	if (!client_send(client, a, &q, &reply, error))
		die(target, error);
	if (reply.status != 200)
		fprintf(stderr, "pages: %s: %d %.300s\n", target, reply.status, reply.body);
	link = strstr(reply.body, "\"nextLink\":");
	link = link ? strstr(link, "cursor=") : NULL;
	*cursor = link ? arena_dup(a, link + 7, strcspn(link + 7, "\"&")) : NULL;
	return reply.status;
}

static const char *page_target(struct arena *a, const char *list, int limit, const char *cursor)
{
	return arena_printf(a, "%s%climit=%d%s%s", list, strchr(list, '?') ? '&' : '?', limit, cursor ? "&cursor=" : "",
	    cursor ? cursor : "");
}

/* The time that others had of the processors, in the kernel's ticks (proc(5), /proc/stat, "steal"); 0 where none is told. */
static long stolen_ticks(void)
{
	static int fd = -1;
	char text[256];
	long ticks = 0;
	if (fd < 0 && (fd = open("/proc/stat", O_RDONLY | O_CLOEXEC)) < 0)
		return 0;
	ssize_t len = pread(fd, text, sizeof text - 1, 0);
	text[len > 0 ? len : 0] = '\0';
	return sscanf(text, "cpu %*u %*u %*u %*u %*u %*u %*u %ld", &ticks) == 1 ? ticks : 0;
}

static int by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

static void measure(const char *list, int limit, const char *cursor, int samples)
{
	int64_t times[SAMPLES_MAX], spent = 0;
	const char *ignored;
	struct arena a;
	int n = 0, stolen = 0;

	arena_init(&a);
	const char *target = page_target(&a, list, limit, cursor);
	while (n < samples && (n < SAMPLES_LEAST || spent < LONG_US)) {
		struct arena answer;
		long ticks = stolen_ticks();
		int64_t at = clock_mono_us();
		arena_init(&answer);
		get(&answer, target, &ignored);
		times[n] = clock_mono_us() - at;
		arena_free(&answer);
		if (stolen_ticks() != ticks && ++stolen <= STOLEN_MAX)
			continue;
		spent += times[n++];
	}
	arena_free(&a);
	qsort(times, (size_t)n, sizeof *times, by_time);
	printf("\t%lld %lld %lld %d", (long long)times[n / 2], (long long)times[(n * 99 + 99) / 100 - 1],
	    (long long)times[0], stolen);
}

/* The cursor of page PAGE by SMALL, reached by LARGE; *reached: how many pages by SMALL lie before it. */
static char *walk(const char *list, int page, int *reached)
{
	char *last = NULL;
	int at = 0;

	while (at < page - 1) {
		struct arena a;
		const char *cursor;
		arena_init(&a);
		get(&a, page_target(&a, list, LARGE, last), &cursor);
		if (cursor) {
			free(last);
			last = strdup(cursor);
			at += LARGE / SMALL;
		}
		bool more = cursor != NULL;
		arena_free(&a);
		if (!more)
			break;
	}
	*reached = at + 1;
	return last;
}

static void run(char *line, int samples)
{
	char *number = strchr(line, '\t'), *list;
	const char *ignored;
	struct arena a;
	int status, reached;
	long page = number ? strtol(number, &list, 10) : 0;

	if (page < 1 || page > PAGE_MAX || *list++ != '\t')
		die("no page", line);
	*number = '\0';
	arena_init(&a);
	status = get(&a, page_target(&a, list, SMALL, NULL), &ignored);
	arena_free(&a);
	char *deep = status == 200 ? walk(list, (int)page, &reached) : NULL;
	printf("%s\t%d\t%d", line, status, status == 200 ? reached : 0);
	if (status == 200) {
		measure(list, SMALL, NULL, samples);
		measure(list, LARGE, NULL, samples);
	}
	if (deep) {
		measure(list, SMALL, deep, samples);
		measure(list, LARGE, deep, samples);
	}
	putchar('\n');
	fflush(stdout);
	free(deep);
}

int main(int argc, char **argv)
{
	static char line[LINE_MAX_SIZE];
	long samples = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
	char base[64];

	if (samples < 1 || samples > SAMPLES_MAX) {
		fprintf(stderr, "usage: pages PORT SAMPLES <CASES\n");
		return 2;
	}
	snprintf(base, sizeof base, "http://127.0.0.1:%s", argv[1]);
	snprintf(authorization, sizeof authorization, "Bearer %s", getenv("BENCH_KEY") ? getenv("BENCH_KEY") : "");
	client = client_new(base);
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line)
			run(line, (int)samples);
	}
	client_free(client);
	return 0;
}
