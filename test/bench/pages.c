/*
 * Latency of pages of filtered lists and searches:
 *   pages PORT walk <CASES >WALKED
 *   pages PORT SAMPLES <WALKED
 * A case is a line "label<tab>PAGE<tab>target", the target without limit and cursor; for a search followed by a space
 * and its body: a non-empty object, also without them. A walk adds "<tab>pages<tab>cursor": of page PAGE by 20, or of
 * the last one when the list ends before, and its number. PAGE 1: the first page only. The walks take most of the time,
 * and several may run at once.
 * For each case the second form prints label<tab>pages<tab>p50 p99 least stolen of the first page by 20<tab>… by
 * 100<tab>… of the page at the cursor by 20<tab>… by 100 in microseconds. Requests follow each other on one connection;
 * each page is requested SAMPLES times, less often when that takes long. The API key is in BENCH_KEY.
 *
 * On a virtual machine others may use a processor while we want it, for tens of milliseconds at a time. An answer
 * during which this happens is measured again, up to STOLEN_MAX of them per page; stolen is their number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/http/client.h"
#include "test/lib/server/stolen.h"

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

static void die_of(const char *what, const char *detail)
{
	fprintf(stderr, "pages: %s: %s\n", what, detail);
	exit(1);
}

/* The text between the mark and one of the ends, in the arena; NULL when the mark is absent. */
static const char *text_behind(struct arena *a, const char *text, const char *mark, const char *ends)
{
	const char *at = strstr(text, mark);
	return at ? arena_dup(a, at + strlen(mark), strcspn(at + strlen(mark), ends)) : NULL;
}

/* *cursor gets the next page's cursor, in the arena, NULL on the last page. */
static void get_page(struct arena *a, const struct client_request *q, const char **cursor)
{
	struct client_reply reply;
	char error[256];

	if (!client_send(client, a, q, &reply, error))
		die_of(q->target, error);
	if (reply.status != 200)
		die_of(arena_printf(a, "%s %s", q->target, q->body ? q->body : ""),
		    arena_printf(a, "%d %s", reply.status, reply.body));
	if (q->body) {
		*cursor = text_behind(a, reply.body, "\"nextCursor\":\"", "\"");
	} else {
		const char *link = strstr(reply.body, "\"nextLink\":");
		*cursor = link ? text_behind(a, link, "cursor=", "\"&") : NULL;
	}
}

/* The request for a page of a list or, with a body after its target, of a search. */
static struct client_request page_of(struct arena *a, const char *list, int limit, const char *cursor)
{
	struct client_request q = {.method = "GET", .headers = {{"Authorization", authorization}}, .n_headers = 1};
	const char *body = strstr(list, " {");
	if (!body) {
		q.target = arena_printf(a, "%s%climit=%d%s%s", list, strchr(list, '?') ? '&' : '?', limit,
		    cursor ? "&cursor=" : "", cursor ? cursor : "");
		return q;
	}
	q.method = "POST";
	q.target = arena_dup(a, list, (size_t)(body - list));
	q.body = cursor ? arena_printf(a, "{\"limit\": %d, \"cursor\": \"%s\", %s", limit, cursor, body + 2)
	                : arena_printf(a, "{\"limit\": %d, %s", limit, body + 2);
	q.body_len = strlen(q.body);
	q.headers[q.n_headers++] = (struct client_header){"Content-Type", "application/json"};
	return q;
}

static int by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

static void measure_page(const char *list, int limit, const char *cursor, int samples)
{
	int64_t times[SAMPLES_MAX], spent = 0;
	const char *ignored;
	struct arena a;
	int n = 0, stolen = 0;

	arena_init(&a);
	struct client_request q = page_of(&a, list, limit, cursor);
	while (n < samples && (n < SAMPLES_LEAST || spent < LONG_US)) {
		struct arena answer;
		long ticks = stolen_ticks();
		int64_t at = clock_mono_us();
		arena_init(&answer);
		get_page(&answer, &q, &ignored);
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

/* The cursor of page PAGE by SMALL, reached by LARGE; *reached: the number of pages by SMALL before it. */
static char *walk_pages(const char *list, int page, int *reached)
{
	char *last = NULL;
	int at = 0;

	while (at < page - 1) {
		struct arena a;
		const char *cursor;
		arena_init(&a);
		struct client_request q = page_of(&a, list, LARGE, last);
		get_page(&a, &q, &cursor);
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

/* Splits the line at its tabs; returns the number of fields, at most n. */
static int fields_of(char *line, char *fields[], int n)
{
	int count = 0;
	while (count < n && line) {
		fields[count++] = line;
		line = strchr(line, '\t');
		if (line)
			*line++ = '\0';
	}
	return count;
}

static void walk_case(char *line)
{
	char *fields[3];
	int reached;
	if (fields_of(line, fields, 3) != 3)
		die_of("no case", line);
	long page = strtol(fields[1], NULL, 10);
	if (page < 1 || page > PAGE_MAX)
		die_of("no page", fields[1]);
	char *cursor = walk_pages(fields[2], (int)page, &reached);
	printf("%s\t%ld\t%s\t%d\t%s\n", fields[0], page, fields[2], reached, cursor ? cursor : "");
	free(cursor);
}

static void measure_case(char *line, int samples)
{
	char *fields[5];
	if (fields_of(line, fields, 5) != 5)
		die_of("not walked", line);
	const char *list = fields[2], *cursor = fields[4];
	printf("%s\t%s", fields[0], fields[3]);
	for (int deep = 0; deep <= (*cursor != '\0'); deep++) {
		measure_page(list, SMALL, deep ? cursor : NULL, samples);
		measure_page(list, LARGE, deep ? cursor : NULL, samples);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	static char line[LINE_MAX_SIZE];
	bool walks = argc == 3 && strcmp(argv[2], "walk") == 0;
	long samples = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
	char base[64];

	if (!walks && (samples < 1 || samples > SAMPLES_MAX)) {
		fprintf(stderr, "usage: pages PORT walk <CASES, or pages PORT SAMPLES <WALKED\n");
		return 2;
	}
	snprintf(base, sizeof base, "http://127.0.0.1:%s", argv[1]);
	snprintf(authorization, sizeof authorization, "Bearer %s", getenv("BENCH_KEY") ? getenv("BENCH_KEY") : "");
	client = client_new(base);
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line && walks)
			walk_case(line);
		else if (*line)
			measure_case(line, (int)samples);
		fflush(stdout);
	}
	client_free(client);
	return 0;
}
