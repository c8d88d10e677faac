/*
 * Latency of requests whose answers are checked:
 *   answers PORT COUNT SECONDS <CASES
 * A case is a line "label<tab>target<tab>text". The target is requested by GET; blanks, quotation marks and letters
 * beyond ASCII in it are encoded. The answer must be a 200 that has the text. If the text is "=" and a number, the
 * answer is a total: its parts are followed to the last one, the time is that of all of them, and their counts must add
 * up to the number. The first answers that are not as expected are reported on standard error.
 *
 * The cases follow each other on one connection, again from the first one after the last, until there are COUNT times
 * or SECONDS are over. A time does not count if others used a processor of this virtual machine for a twentieth of it.
 * Prints "label<tab>times<tab>p50<tab>p99<tab>longest<tab>not counted<tab>not as expected" in microseconds, for "all"
 * first, then for each label in the order of its first case. The API key is in BENCH_KEY.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/clock.h"
#include "test/lib/http/client.h"
#include "test/lib/server/stolen.h"

enum { TICK_US = 10000, STOLEN_PART = 20 };
enum {
	CASES_MAX = 4000,
	COUNT_MAX = 1000000,
	LABELS_MAX = 32,
	LINE_SIZE = 4096,
	TARGET_MAX = 16384,
	TIMEOUT_S = 60,
	REPORTED_MAX = 3
};

struct one_case {
	char *label, *target, *text;
	int number; /* of the label */
};

struct one_time {
	int64_t us;
	int label;
};

static struct one_case cases[CASES_MAX];
static struct one_time *times;
static const char *labels[LABELS_MAX];
static int n_cases, n_labels, n_times, stolen[LABELS_MAX], wrong[LABELS_MAX];
static struct client *client;
static char authorization[256];

__attribute__((noreturn)) static void die_of(const char *what, const char *detail)
{
	fprintf(stderr, "answers: %s: %.500s\n", what, detail);
	exit(1);
}

/* --- cases ------------------------------------------------------------------------ */

static char *encoded_target(const char *target)
{
	struct buf b;
	size_t len;

	buf_init(&b, TARGET_MAX);
	for (; *target; target++) {
		unsigned char byte = (unsigned char)*target;
		buf_printf(&b, byte <= ' ' || byte == '"' || byte > '~' ? "%%%02X" : "%c", byte);
	}
	return buf_take(&b, &len);
}

static int label_number(const char *label)
{
	for (int i = 0; i < n_labels; i++)
		if (strcmp(labels[i], label) == 0)
			return i;
	if (n_labels == LABELS_MAX)
		die_of("too many labels", label);
	labels[n_labels] = label;
	return n_labels++;
}

static void read_cases(void)
{
	char line[LINE_SIZE];

	while (fgets(line, sizeof line, stdin)) {
		struct one_case *c = &cases[n_cases];
		char *target = strchr(line, '\t'), *text = target ? strchr(target + 1, '\t') : NULL;
		line[strcspn(line, "\n")] = '\0';
		if (!text || n_cases == CASES_MAX)
			die_of(text ? "too many cases" : "no case", line);
		*target++ = *text++ = '\0';
		*c = (struct one_case){.label = strdup(line), .target = encoded_target(target), .text = strdup(text)};
		c->number = label_number(c->label);
		n_cases++;
	}
	if (n_cases == 0)
		die_of("no cases", "the standard input is empty");
}

/* --- answers ---------------------------------------------------------------------- */

/* Reports an answer that is not as expected; returns false. */
static bool report_wrong(const char *target, const char *what)
{
	static int reported;

	if (reported++ < REPORTED_MAX)
		fprintf(stderr, "answers: %s: %.500s\n", target, what);
	return false;
}

/* NULL: it is not a success, which is reported. */
static const char *get_answer(struct arena *a, const char *target)
{
	struct client_request q = {
	    .method = "GET", .target = target, .headers = {{"Authorization", authorization}}, .n_headers = 1};
	struct client_reply reply;
	char error[256];
	bool sent = client_send(client, a, &q, &reply, error);

	if (!sent || reply.status != 200)
		report_wrong(target, sent ? reply.body : error);
	return sent && reply.status == 200 ? reply.body : NULL;
}

/* True when all parts of a total have that many records. */
static bool follow_parts(struct arena *a, const char *target, long long expected)
{
	static const char total[] = "\"total\":{\"count\":", link[] = "\"nextLink\":\"";
	long long count = 0;

	for (const char *next = target; next;) {
		const char *body = get_answer(a, next), *at = body ? strstr(body, total) : NULL, *more;
		if (!at)
			return body ? report_wrong(next, "the answer has no total") : false;
		count += strtoll(at + sizeof total - 1, NULL, 10);
		more = strstr(at, link);
		next = more ? strstr(more, "/v1/") : NULL;
		if (next)
			next = arena_dup(a, next, strcspn(next, "\""));
	}
	if (count == 0 || count != expected)
		return report_wrong(target, arena_printf(a, "counts %lld of %lld records", count, expected));
	return true;
}

static bool is_expected(struct arena *a, const struct one_case *c)
{
	if (*c->text == '=')
		return follow_parts(a, c->target, strtoll(c->text + 1, NULL, 10));
	const char *body = get_answer(a, c->target);
	if (!body || strstr(body, c->text))
		return body != NULL;
	return report_wrong(c->target, arena_printf(a, "%s is not in the answer: %s", c->text, body));
}

static void ask_case(const struct one_case *c)
{
	struct arena a;
	long ticks = stolen_ticks();
	int64_t at_us = clock_mono_us();

	arena_init(&a);
	if (!is_expected(&a, c))
		wrong[c->number]++;
	at_us = clock_mono_us() - at_us;
	arena_free(&a);
	if ((stolen_ticks() - ticks) * TICK_US * STOLEN_PART > at_us)
		stolen[c->number]++;
	else
		times[n_times++] = (struct one_time){at_us, c->number};
}

/* --- figures ---------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
	const struct one_time *x = a, *y = b;
	return x->us < y->us ? -1 : x->us > y->us;
}

/* The figures of a label, of all with -1; the times are in order. */
static void print_figures(int label)
{
	int64_t *own = calloc((size_t)n_times, sizeof *own);
	int n = 0, left_out = 0, failed = 0;

	for (int i = 0; i < n_times; i++)
		if (label < 0 || times[i].label == label)
			own[n++] = times[i].us;
	for (int i = 0; i < n_labels; i++) {
		left_out += label < 0 || label == i ? stolen[i] : 0;
		failed += label < 0 || label == i ? wrong[i] : 0;
	}
	if (n)
		printf("%s\t%d\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%d\t%d\n", label < 0 ? "all" : labels[label], n,
		    own[n / 2], own[(n * 99 + 99) / 100 - 1], own[n - 1], left_out, failed);
	free(own);
}

int main(int argc, char **argv)
{
	int count = argc == 4 ? (int)strtol(argv[2], NULL, 10) : 0;
	int64_t until_us = clock_mono_us() + (argc == 4 ? strtoll(argv[3], NULL, 10) : 0) * 1000000;
	char base[64];

	if (count < 1 || count > COUNT_MAX) {
		fprintf(stderr, "usage: answers PORT COUNT SECONDS <CASES\n");
		return 2;
	}
	snprintf(base, sizeof base, "http://127.0.0.1:%s", argv[1]);
	snprintf(authorization, sizeof authorization, "Bearer %s", getenv("BENCH_KEY") ? getenv("BENCH_KEY") : "");
	client = client_new(base);
	client_timeout(client, TIMEOUT_S);
	times = calloc((size_t)count, sizeof *times);
	read_cases();
	for (int i = 0; n_times < count && clock_mono_us() < until_us; i++)
		ask_case(&cases[i % n_cases]);
	if (n_times == 0)
		die_of("nothing was measured", "others had a processor all the time");
	qsort(times, (size_t)n_times, sizeof *times, by_time);
	for (int label = -1; label < n_labels; label++)
		print_figures(label);
	client_free(client);
	return 0;
}
