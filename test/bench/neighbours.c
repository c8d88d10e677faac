/*
 * The worst load of one workspace, and the latency of another one's writes beside it:
 *   neighbours prepare PORT                   creates what the others need; once per workspace
 *   neighbours WORST PORT CLIENTS SECONDS     CLIENTS clients do it all the time; prints the number of answers by
 *                                             status (0: none): batches, filters, totals, settings, rules, polls,
 *                                             hooks, nothing, or all of them
 *   neighbours writes PORT RATE SECONDS       creates people at a fixed rate; prints p50, p99 and maximum in
 *                                             microseconds, from when each was due, and how many failed
 * The API key is in BENCH_KEY, of an admin. BENCH_TOTALS: a file with the targets of totals, one per line.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/clock.h"
#include "test/lib/http/client.h"
#include "test/lib/server/child.h"

enum {
	BODY_MAX = 8 << 20,
	RECORDS = 100,
	OPTIONS = 1000,
	OPTION_FIELDS = 20,
	HOOKS = 100,
	TOTALS_MAX = 16,
	STATUS_MAX = 600
};

/* A client in a process of its own. */
struct worker {
	struct client *client;
	struct arena arena; /* of a round */
	int index;
	unsigned round;
	char person[64], group[64]; /* prepared ids */
	struct buf body;            /* a batch, built once */
	long *counts;               /* shared: answers by status; 0: none */
};

static char auth[256], totals[TOTALS_MAX][512];
static unsigned n_totals;

static void die_of(const char *what)
{
	perror(what);
	exit(1);
}

/* --- requests ------------------------------------------------------------------------ */

static bool worker_ask(
    struct worker *w, const char *method, const char *target, const char *body, size_t len, struct client_reply *reply)
{
	struct client_request request = {
	    .method = method, .target = target, .n_headers = 1, .body = body, .body_len = len};
	char error[256];
	bool ok;

	request.headers[0] = (struct client_header){"Authorization", auth};
	ok = client_send(w->client, &w->arena, &request, reply, error);
	if (w->counts)
		__atomic_fetch_add(
		    &w->counts[ok && reply->status < STATUS_MAX ? reply->status : 0], 1, __ATOMIC_RELAXED);
	return ok && reply->status == 200;
}

/* The last text in the answer that begins with begins, after a quotation mark. */
static bool text_of(const struct client_reply *reply, const char *begins, char *out, size_t size)
{
	char quoted[64];
	const char *at = NULL;

	snprintf(quoted, sizeof quoted, "\"%s", begins);
	for (const char *next = reply->body; (next = strstr(next, quoted)) != NULL; next++)
		at = next + 1;
	if (at)
		snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
	return at != NULL;
}

/* The id of an item of that kind in a list, as an earlier round may have used up a limit. */
static void any_id(struct worker *w, const char *target, const char *kind, char *out, size_t size)
{
	struct client_reply reply = {0};

	for (int i = 0; i < 70; i++) {
		if (worker_ask(w, "GET", target, NULL, 0, &reply) && text_of(&reply, kind, out, size))
			return;
		poll(NULL, 0, 1000);
	}
	fprintf(stderr, "neighbours: %s: %d\n", target, reply.status);
	exit(1);
}

/* --- the worst of each kind -------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void text_addf(struct buf *b, const char *format, ...)
{
	char text[256];
	va_list values;

	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	buf_addz(b, text);
}

static void text_add(struct buf *b, unsigned seed, size_t len)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	for (size_t i = 0; i < len; i++) {
		seed = seed * 1664525U + 1013904223U;
		buf_add(b, &letters[(seed >> 16) % (sizeof letters - 1)], 1);
	}
}

static void list_add(struct buf *b, const char *name, unsigned seed, size_t len)
{
	text_addf(b, ",\"%s\":[", name);
	for (unsigned i = 0; i < 20; i++) {
		buf_addz(b, i ? ",\"" : "\"");
		text_add(b, seed * 31 + i, len);
		text_addf(b, "\"");
	}
	text_addf(b, "]");
}

/* A hundred people with every list full. */
static void batch_make(struct worker *w)
{
	buf_init(&w->body, BODY_MAX);
	text_addf(&w->body, "{\"records\":[");
	for (unsigned i = 0; i < RECORDS; i++) {
		unsigned seed = (unsigned)w->index * 7919 + i;
		text_addf(&w->body, "%s{\"description\":\"", i ? "," : "");
		text_add(&w->body, seed, 5000);
		text_addf(&w->body, "\"");
		list_add(&w->body, "addresses", seed + 1, 490);
		list_add(&w->body, "emails", seed + 2, 250);
		list_add(&w->body, "urls", seed + 3, 2000);
		text_addf(&w->body, "}");
	}
	text_addf(&w->body, "]}");
}

static void send_batches(struct worker *w)
{
	struct client_reply reply;

	if (w->body.len == 0)
		batch_make(w);
	worker_ask(w, "POST", "/v1/people/batch/create", w->body.data, w->body.len, &reply);
}

/* A hundred values of two letters, for which no index can be used. */
static void send_filters(struct worker *w)
{
	struct client_reply reply;
	struct buf target;

	buf_init(&target, 8000);
	text_addf(&target, "/v1/people?limit=100");
	for (unsigned i = 0; i < 100; i++)
		text_addf(&target, "&filter[fullName][like]=%c%c", 'a' + (int)(i + w->round) % 26, 'q' + (int)(i % 10));
	worker_ask(w, "GET", arena_dup(&w->arena, target.data, target.len + 1), NULL, 0, &reply);
	buf_free(&target);
}

static void totals_read(const char *path)
{
	FILE *f = path ? fopen(path, "r") : NULL;

	while (f && n_totals < TOTALS_MAX && fgets(totals[n_totals], sizeof *totals, f)) {
		totals[n_totals][strcspn(totals[n_totals], "\n")] = '\0';
		n_totals++;
	}
	if (f)
		fclose(f);
}

static void send_totals(struct worker *w)
{
	struct client_reply reply;

	worker_ask(w, "GET", totals[((unsigned)w->index + w->round) % n_totals], NULL, 0, &reply);
}

static void send_settings(struct worker *w)
{
	struct client_reply reply;
	char *target = arena_printf(&w->arena, "/v1/groups/%s", w->group),
	     *body = arena_printf(&w->arena, "{\"name\":\"Bench %d %u\"}", w->index, w->round);

	worker_ask(w, "PATCH", target, body, strlen(body), &reply);
}

static const char *const costly[] = {
    "FREQ=HOURLY;COUNT=999999999;BYMINUTE=0,10,20,30,40,50;BYSETPOS=1,2,3,4,5,6",
    "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=MINUTELY;COUNT=1000000;BYDAY=MO,TU,WE,TH,FR",
    "FREQ=SECONDLY",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
};

static void send_rules(struct worker *w)
{
	struct client_reply reply;
	char id[64], *body = arena_printf(&w->arena,
	                 "{\"entity\":{\"id\":\"%s\"},\"name\":\"x\",\"visibility\":\"private\","
	                 "\"recurrenceRule\":\"DTSTART:1998060%uT000000Z\\nRRULE:%s\"}",
	                 w->person, w->round % 9 + 1, costly[w->round % (sizeof costly / sizeof *costly)]);

	if (worker_ask(w, "POST", "/v1/reminders", body, strlen(body), &reply) && w->round % 2 &&
	    text_of(&reply, "rmd_", id, sizeof id))
		worker_ask(w, "DELETE", arena_printf(&w->arena, "/v1/reminders/%s", id), NULL, 0, &reply);
}

static void send_polls(struct worker *w)
{
	struct client_reply reply;
	const char *cursor;

	if (worker_ask(w, "GET", "/v1/groups?limit=1", NULL, 0, &reply) &&
	    (cursor = client_header(&reply, "X-Events-Cursor")))
		worker_ask(
		    w, "GET", arena_printf(&w->arena, "/v1/events?limit=100&wait=5&after=%s", cursor), NULL, 0, &reply);
}

/* Each creates an event for a hundred webhooks that hang. */
static void send_hooks(struct worker *w)
{
	static const char body[] = "{\"records\":[{\"firstName\":\"a\"},{\"firstName\":\"b\"},{\"firstName\":\"c\"}]}";
	struct client_reply reply;

	worker_ask(w, "POST", "/v1/people/batch/create", body, strlen(body), &reply);
}

/* For comparison. */
static void send_nothing(struct worker *w)
{
	(void)w;
	poll(NULL, 0, 100);
}

typedef void worst_fn(struct worker *w);
static const struct {
	const char *name;
	worst_fn *fn;
} worsts[] = {{"batches", send_batches}, {"filters", send_filters}, {"totals", send_totals},
    {"settings", send_settings}, {"rules", send_rules}, {"polls", send_polls}, {"hooks", send_hooks},
    {"nothing", send_nothing}};
enum { WORSTS = sizeof worsts / sizeof *worsts, HARM = WORSTS - 1 };

/* --- running them ------------------------------------------------------------------ */

static void worker_init(struct worker *w, int port, int index)
{
	char base[64];

	snprintf(base, sizeof base, "http://127.0.0.1:%d", port);
	*w = (struct worker){.client = client_new(base), .index = index};
	arena_init(&w->arena);
}

/* Accepts connections and never answers; ends with the clients' processes. */
static int hang_server(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) != 0 || listen(fd, 1024) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &len) != 0)
		die_of("a receiver");
	return ntohs(address.sin_port); /* connections not accepted hang as well */
}

static void hooks_make(struct worker *w, int port)
{
	struct client_reply reply;

	for (int i = 0; i < HOOKS; i++) {
		char *body = arena_printf(&w->arena,
		    "{\"name\":\"h%d\",\"targetUrl\":\"http://127.0.0.1:%d/%d\",\"subscribedEvents\":"
		    "[{\"eventType\":\"person.created\",\"filter\":{}}]}",
		    i, port, i);
		if (!worker_ask(w, "POST", "/v1/webhooks", body, strlen(body), &reply))
			break; /* the limit is reached */
	}
}

static void run_work(struct worker *w, worst_fn *fn, int64_t until_us)
{
	for (; clock_mono_us() < until_us; w->round++) {
		fn(w);
		arena_free(&w->arena);
		arena_init(&w->arena);
	}
}

static int worst_of(const char *name, int port, int clients, int seconds)
{
	bool all = strcmp(name, "all") == 0;
	long *counts =
	    mmap(NULL, STATUS_MAX * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct worker w, first;
	size_t at = 0;
	char base[64];

	snprintf(base, sizeof base, "http://127.0.0.1:%d", port);
	while (!all && at < WORSTS && strcmp(worsts[at].name, name) != 0)
		at++;
	totals_read(getenv("BENCH_TOTALS"));
	if (at == WORSTS || counts == MAP_FAILED || (n_totals == 0 && (all || worsts[at].fn == send_totals)))
		return 2;
	worker_init(&first, port, 0);
	any_id(&first, "/v1/people?limit=1", "per_", first.person, sizeof first.person);
	any_id(&first, "/v1/groups?limit=100", "grp_", first.group, sizeof first.group);
	if (all || worsts[at].fn == send_hooks)
		hooks_make(&first, hang_server());
	for (int i = 0; i < clients; i++) {
		if (child_fork() != 0)
			continue;
		w = (struct worker){.index = i, .counts = counts, .client = client_new(base)};
		memcpy(w.person, first.person, sizeof w.person);
		memcpy(w.group, first.group, sizeof w.group);
		arena_init(&w.arena);
		run_work(&w, worsts[all ? (size_t)i % HARM : at].fn, clock_mono_us() + seconds * INT64_C(1000000));
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	printf("result");
	for (int i = 0; i < STATUS_MAX; i++)
		if (counts[i])
			printf(" %d:%ld", i, counts[i]);
	printf("\n");
	return 0;
}

/* A group with as many options as allowed. */
static int prepare_data(int port)
{
	struct worker w;
	struct client_reply reply;
	struct buf body;
	char group[64];
	static const char named[] = "{\"name\":\"Bench worst\",\"visibility\":\"public\"}";

	worker_init(&w, port, 0);
	if (!worker_ask(&w, "POST", "/v1/groups", named, strlen(named), &reply) ||
	    !text_of(&reply, "grp_", group, sizeof group))
		return 1;
	for (int f = 0; f < OPTION_FIELDS; f++) {
		buf_init(&body, 1 << 20);
		text_addf(&body, "{\"name\":\"big%d\",\"type\":\"multipleSelect\",\"options\":[", f);
		for (int i = 0; i < OPTIONS; i++) {
			text_addf(&body, "%s{\"label\":\"%04d", i ? "," : "", i);
			text_add(&body, (unsigned)i, 400);
			text_addf(&body, "\"}");
		}
		text_addf(&body, "]}");
		worker_ask(&w, "POST", arena_printf(&w.arena, "/v1/groups/%s/custom-fields/person", group), body.data,
		    body.len, &reply);
		if (reply.status != 200)
			fprintf(stderr, "neighbours: field %d: %d\n", f, reply.status);
		buf_free(&body);
	}
	return 0;
}

/* --- the neighbour's writes ---------------------------------------------------------- */

static int compare_items(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

static int measure_writes(int port, int rate, int seconds)
{
	static const char body[] =
	    "{\"firstName\":\"Bench\",\"lastName\":\"Victim\",\"emails\":[\"victim@mail.example\"]}";
	int total = rate * seconds, failed = 0;
	int64_t *took_us = calloc((size_t)total, sizeof *took_us), begin_us;
	struct client_reply reply;
	struct worker w;

	worker_init(&w, port, 0);
	begin_us = clock_mono_us();
	for (int i = 0; i < total; i++) {
		int64_t due_us = begin_us + i * INT64_C(1000000) / rate, wait_us;
		while ((wait_us = due_us - clock_mono_us()) > 0)
			poll(NULL, 0, (int)(wait_us / 1000) + 1);
		failed += !worker_ask(&w, "POST", "/v1/people", body, strlen(body), &reply);
		took_us[i] = clock_mono_us() - due_us;
	}
	qsort(took_us, (size_t)total, sizeof *took_us, compare_items);
	printf("result %" PRId64 " %" PRId64 " %" PRId64 " %d\n", took_us[total / 2], took_us[total * 99 / 100],
	    took_us[total - 1], failed);
	return 0;
}

static int parse_number(const char *text)
{
	return (int)strtol(text, NULL, 10);
}

int main(int argc, char **argv)
{
	const char *key = getenv("BENCH_KEY");
	int port = argc > 2 ? parse_number(argv[2]) : 0;

	snprintf(auth, sizeof auth, "Bearer %s", key ? key : "");
	if (argc == 3 && strcmp(argv[1], "prepare") == 0)
		return prepare_data(port);
	if (argc == 5 && strcmp(argv[1], "writes") == 0)
		return measure_writes(port, parse_number(argv[3]), parse_number(argv[4]));
	if (argc == 5)
		return worst_of(argv[1], port, parse_number(argv[3]), parse_number(argv[4]));
	fprintf(stderr, "usage: the head of test/bench/neighbours.c\n");
	return 2;
}
