/*
 * The largest input of every kind of route, one request after the other, and its effect on the server:
 *   largest PORT PID   PID: of the server, whose memory is measured
 * Prints for each "case <status> <milliseconds> <bytes in> <bytes out> <longest time the loop was blocked,
 * microseconds> <memory taken, KB> <seconds until the memory is back, or -1> <name>", at the end "result <p99.9 of the
 * blocked times, microseconds> <idle memory, KB>". The loop is observed from outside: another process requests /livez a
 * thousand times a second. Times during which others used this virtual machine's processors do not count. Memory is the
 * resident set: taken is its maximum since the request began, less the size before; back is one and a half times the
 * idle size. The API key is in BENCH_KEY, of an admin of a workspace of its own: what is created stays there.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/clock.h"
#include "test/lib/http/client.h"
#include "test/lib/server/child.h"
#include "test/lib/server/stolen.h"

enum {
	RECORDS = 100,
	BODY_MAX = 8 << 20,
	CUSTOM_FIELDS = 60,
	CUSTOM_TEXT = 4100, /* of each: together somewhat below 256 KiB */
	OPTIONS = 1000,
	OPTION_FIELDS = 19,
	BUCKET_US = 100,
	BUCKETS = 20000,
	BACK_S = 30
};

/* What the process that watches the loop has measured. */
struct largest_seen {
	uint32_t took[BUCKETS];
	int64_t longest_us; /* of this case; the other process resets it */
};

static char base[64], auth[256];
static struct client *client;
static struct arena arena; /* of a case */
static struct client_reply reply;
static struct largest_seen *seen;
static int server;
static long idle_kb;
static char group[64];

static _Noreturn void die_of(const char *what)
{
	fprintf(stderr, "largest: %s: %s\n", what, errno ? strerror(errno) : "failed");
	exit(1);
}

/* --- the server, from outside -------------------------------------------------------- */

static void watch_memory(void)
{
	struct client *c = client_new(base);
	struct client_request request = {.method = "GET", .target = "/livez"};
	struct client_reply answer;
	struct arena a;
	char error[256];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		long ticks = stolen_ticks();
		int64_t began_us = clock_mono_us(), took_us;
		arena_init(&a);
		if (!client_send(c, &a, &request, &answer, error))
			_exit(1);
		took_us = clock_mono_us() - began_us;
		arena_free(&a);
		if (stolen_ticks() == ticks) {
			int64_t bucket = took_us / BUCKET_US < BUCKETS ? took_us / BUCKET_US : BUCKETS - 1;
			__atomic_fetch_add(&seen->took[bucket], 1, __ATOMIC_RELAXED);
			if (took_us > __atomic_load_n(&seen->longest_us, __ATOMIC_RELAXED))
				__atomic_store_n(&seen->longest_us, took_us, __ATOMIC_RELAXED);
		}
		poll(NULL, 0, 1);
	}
}

static int64_t held_us(int permille)
{
	uint64_t all = 0, below = 0;
	int at = 0;

	for (int i = 0; i < BUCKETS; i++)
		all += seen->took[i];
	while (at < BUCKETS - 1 && (below += seen->took[at]) * 1000 < all * (uint64_t)permille)
		at++;
	return (int64_t)(at + 1) * BUCKET_US;
}

static long memory_kb(const char *name)
{
	char path[64], line[256];
	long kb = -1;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/status", server);
	if (!(f = fopen(path, "r")))
		die_of(path);
	while (fgets(line, sizeof line, f))
		if (strncmp(line, name, strlen(name)) == 0)
			kb = strtol(line + strlen(name) + 1, NULL, 10);
	fclose(f);
	return kb;
}

/* Resets the maximum of the resident set. */
static void memory_forget(void)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/clear_refs", server);
	if (!(f = fopen(path, "w")) || fputs("5", f) < 0 || fclose(f) != 0)
		die_of(path);
}

/* Seconds until it is back to one and a half times the idle size; -1: it was not. */
static double memory_back(void)
{
	int64_t began_us = clock_mono_us(), took_us;

	do {
		took_us = clock_mono_us() - began_us;
		if (memory_kb("VmRSS") * 2 <= idle_kb * 3)
			return (double)took_us / 1e6;
		poll(NULL, 0, 100);
	} while (took_us < BACK_S * INT64_C(1000000));
	return -1;
}

/* --- requests ------------------------------------------------------------------------ */

static void send_request(const char *method, const char *target, const struct buf *body)
{
	struct client_request request = {.method = method,
	    .target = target,
	    .n_headers = 1,
	    .body = body ? body->data : NULL,
	    .body_len = body ? body->len : 0};
	char error[256] = "";

	if (body && body->overflow)
		die_of(target);
	request.headers[0] = (struct client_header){"Authorization", auth};
	memset(&reply, 0, sizeof reply);
	if (!client_send(client, &arena, &request, &reply, error))
		fprintf(stderr, "largest: %s %s: %s\n", method, target, error); /* status 0 */
}

/* Runs a case; its answer is valid until the next. */
static void measure_case(const char *name, const char *method, const char *target, const struct buf *body)
{
	char *path = strdup(target);
	int64_t took_us;
	long before_kb;

	arena_free(&arena);
	arena_init(&arena);
	memory_forget();
	before_kb = memory_kb("VmRSS");
	__atomic_store_n(&seen->longest_us, 0, __ATOMIC_RELAXED);
	took_us = clock_mono_us();
	send_request(method, path, body);
	took_us = clock_mono_us() - took_us;
	poll(NULL, 0, 50);
	printf("case %d %" PRId64 " %zu %zu %" PRId64 " %ld %.1f %s\n", reply.status, took_us / 1000,
	    body ? body->len : 0, reply.body_len, __atomic_load_n(&seen->longest_us, __ATOMIC_RELAXED),
	    memory_kb("VmHWM") - before_kb, memory_back(), name);
	fflush(stdout);
	free(path);
}

/* --- bodies --------------------------------------------------------------------------- */

static unsigned seed = 1;

__attribute__((format(printf, 2, 3))) static void buf_addf(struct buf *b, const char *format, ...)
{
	char text[512];
	va_list values;

	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	buf_addz(b, text);
}

static void add_letters(struct buf *b, size_t len)
{
	static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789  ";

	for (size_t i = 0; i < len; i++) {
		seed = seed * 1664525U + 1013904223U;
		buf_addc(b, all[(seed >> 16) % (sizeof all - 1)]);
	}
}

static void add_text(struct buf *b, const char *name, size_t len)
{
	buf_addf(b, ",\"%s\":\"", name);
	add_letters(b, len);
	buf_addc(b, '"');
}

static void add_texts(struct buf *b, const char *name, int n, size_t len)
{
	buf_addf(b, ",\"%s\":[", name);
	for (int i = 0; i < n; i++) {
		buf_addz(b, i ? ",\"" : "\"");
		add_letters(b, len);
		buf_addc(b, '"');
	}
	buf_addc(b, ']');
}

static char ids[RECORDS][48];

/* The ids of a batch's answer, in order. */
static void keep_ids(const char *kind)
{
	char mark[32];
	int n = 0;

	snprintf(mark, sizeof mark, "{\"id\":\"%s_", kind);
	for (const char *at = reply.body; n < RECORDS && (at = strstr(at, mark)) != NULL; n++) {
		at += strlen("{\"id\":\"");
		snprintf(ids[n], sizeof ids[n], "%.*s", (int)strcspn(at, "\""), at);
	}
	if (n == 0) {
		fprintf(stderr, "largest: no ids: %d %.300s\n", reply.status, reply.body ? reply.body : "");
		exit(1);
	}
	for (int i = n; i < RECORDS; i++)
		memcpy(ids[i], ids[i % n], sizeof ids[i]);
}

static void batch_begin(struct buf *b)
{
	buf_init(b, BODY_MAX);
	buf_addz(b, "{\"records\":[");
}

enum largest_shape { LISTS, CUSTOM, TITLE, ONLY_ID };

/* A record: every list of a contact full, or all custom fields, or minimal. */
static void add_record(struct buf *b, int n, const char *id, enum largest_shape shape)
{
	buf_addz(b, n ? ",{" : "{");
	if (id)
		buf_addf(b, "\"id\":\"%s\"", id);
	else
		buf_addf(b, "\"birthday\":\"1970-01-01\"");
	if (shape == LISTS) {
		add_text(b, "description", 4900);
		add_texts(b, "addresses", 20, 480);
		add_texts(b, "emails", 20, 250);
		add_texts(b, "urls", 20, 2000);
	} else if (shape == CUSTOM) {
		buf_addf(b, ",\"groups\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{\"f0\":\"\"", group, group);
		for (int i = 1; i < CUSTOM_FIELDS; i++) {
			char name[16];
			snprintf(name, sizeof name, "f%d", i);
			add_text(b, name, CUSTOM_TEXT);
		}
		buf_addz(b, "}}");
	} else if (shape == TITLE) {
		add_text(b, "jobTitle", 20);
	}
	buf_addc(b, '}');
}

static void run_batch(
    const char *name, const char *what, enum largest_shape shape, int records, bool of_ids, bool of_one)
{
	char target[64];
	struct buf b;

	snprintf(target, sizeof target, "/v1/people/batch/%s", what);
	batch_begin(&b);
	for (int i = 0; i < records; i++)
		add_record(&b, i, of_ids ? ids[of_one ? 0 : i] : NULL, shape);
	buf_addz(&b, "]}");
	measure_case(name, "POST", target, &b);
	buf_free(&b);
}

/* A case with n times the same item in a list of the body. */
static void run_repeated(
    const char *name, const char *target, const char *begin, const char *item, int n, const char *end)
{
	struct buf b;

	buf_init(&b, BODY_MAX);
	buf_addz(&b, begin);
	for (int i = 0; i < n; i++) {
		buf_addz(&b, i ? "," : "");
		buf_addz(&b, item);
	}
	buf_addz(&b, end);
	measure_case(name, "POST", target, &b);
	buf_free(&b);
}

/* --- the cases ---------------------------------------------------------------------- */

/* A group with text fields, for which the records have values. */
static void make_group(void)
{
	struct buf b;
	const char *at;

	buf_init(&b, 1 << 20);
	buf_addz(&b, "{\"name\":\"Largest\",\"visibility\":\"public\"}");
	send_request("POST", "/v1/groups", &b);
	if (reply.status != 200 || !(at = strstr(reply.body, "\"grp_")))
		die_of("no group");
	snprintf(group, sizeof group, "%.*s", (int)strcspn(at + 1, "\""), at + 1);
	for (int i = 0; i < CUSTOM_FIELDS; i++) {
		buf_clear(&b);
		buf_addf(&b, "{\"name\":\"f%d\",\"type\":\"textField\"}", i);
		send_request("POST", arena_printf(&arena, "/v1/groups/%s/custom-fields/person", group), &b);
		if (reply.status != 200)
			die_of("no field");
	}
	buf_free(&b);
}

static void of_contacts(void)
{
	run_batch("100 people with all lists full, created", "create", LISTS, RECORDS, false, false);
	keep_ids("per");
	run_batch("the same, updated", "update", LISTS, RECORDS, true, false);
	run_batch("one of them, updated 100 times", "update", LISTS, RECORDS, true, true);
	measure_case("a page of them", "GET", "/v1/people?limit=100&sort=-updatedAt", NULL);
	run_batch("the same, deleted", "delete", ONLY_ID, RECORDS, true, false);
	run_batch("people with most custom values, created", "create", CUSTOM, 32, false, false);
	keep_ids("per");
	measure_case("a page of them", "GET", "/v1/people?limit=100&sort=-updatedAt", NULL);
	run_batch("the same, all values updated", "update", CUSTOM, 32, true, false);
	run_batch("the same, jobTitle updated", "update", TITLE, 32, true, false);
	measure_case("one of them", "GET", arena_printf(&arena, "/v1/people/%s", ids[0]), NULL);
	measure_case("events of them", "GET", "/v1/events?limit=100", NULL);
}

static void of_refused(void)
{
	static const char create[] = "/v1/people/batch/create";

	run_repeated("199,990 numbers", create, "{\"records\":[", "1", 199990, "]}");
	run_repeated("95,000 objects", create, "{\"records\":[", "{\"a\":{}}", 95000, "]}");
	run_repeated("4 million numbers", create, "{\"records\":[", "1", 4000000, "]}");
	run_repeated("900,000 escapes in one text", create, "{\"records\":[\"", "\\u00e9", 900000, "\"]}");
	run_repeated("a person with 190,000 addresses", "/v1/people", "{\"emails\":[", "1", 190000, "]}");
	run_repeated("a note with a large text", "/v1/notes", "{\"content\":[", "\"xxxxxxxx\"", 90000, "]}");
	run_repeated("a search with 190,000 unknown values", "/v1/people/search", "{\"x\":[", "1", 190000, "]}");
	run_repeated("a search with 9,000 conditions", "/v1/people/search", "{\"filter\":{\"and\":[",
	    "{\"fullName\":{\"like\":\"ab\"}}", 9000, "]}}");
	run_repeated("a webhook of 9,000 subscriptions", "/v1/webhooks", "{\"subscribedEvents\":[",
	    "{\"eventType\":\"person.created\",\"filter\":{}}", 9000, "]}");
}

static void of_queries(void)
{
	struct buf b;

	buf_init(&b, 64 << 10);
	buf_addz(&b, "/v1/people?limit=100");
	for (int i = 0; i < 100; i++)
		buf_addf(&b, "&filter[fullName][like]=%c%c", 'a' + i % 26, 'q' + i % 10);
	buf_addc(&b, 0);
	measure_case("100 conditions of a query", "GET", b.data, NULL);
	buf_clear(&b);
	buf_addz(&b, "/v1/people?limit=100");
	for (int i = 0; i < 500; i++)
		buf_addf(&b, "&p%d=%d", i, i);
	buf_addc(&b, 0);
	measure_case("500 parameters of a query", "GET", b.data, NULL);
	buf_free(&b);
	measure_case("the description of the API", "GET", "/openapi.json", NULL);
}

static void of_settings(void)
{
	char fields[128];
	struct buf b;

	snprintf(fields, sizeof fields, "/v1/groups/%s/custom-fields/person", group);
	for (int f = 0; f < OPTION_FIELDS; f++) {
		bool last = f == OPTION_FIELDS - 1;
		buf_init(&b, 1 << 20);
		buf_addf(&b, "{\"name\":\"big%d\",\"type\":\"multipleSelect\",\"options\":[", f);
		for (int i = 0; i < OPTIONS; i++) {
			buf_addf(&b, "%s{\"label\":\"%04d", i ? "," : "", i);
			add_letters(&b, 400);
			buf_addz(&b, "\"}");
		}
		buf_addz(&b, "]}");
		if (last)
			measure_case("a field of 1,000 options, beside 18 such", "POST", fields, &b);
		else
			send_request("POST", fields, &b);
		buf_free(&b);
	}
	measure_case("a page of fields", "GET", arena_printf(&arena, "%s?limit=100", fields), NULL);
	buf_init(&b, 1 << 20);
	buf_addz(&b, "{\"name\":\"Largest still\"}");
	measure_case(
	    "a group's name, with 19,000 options beside it", "PATCH", arena_printf(&arena, "/v1/groups/%s", group), &b);
	buf_free(&b);
}

int main(int argc, char **argv)
{
	const char *key = getenv("BENCH_KEY");
	pid_t watcher;

	if (argc != 3 || !key) {
		fprintf(stderr, "usage: the head of test/bench/largest.c\n");
		return 2;
	}
	snprintf(base, sizeof base, "http://127.0.0.1:%s", argv[1]);
	snprintf(auth, sizeof auth, "Bearer %s", key);
	server = (int)strtol(argv[2], NULL, 10);
	seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		die_of("memory");
	if ((watcher = child_fork()) == 0)
		watch_memory();
	client = client_new(base);
	client_timeout(client, 120); /* for a hundred large people, whose texts take long to index */
	arena_init(&arena);
	send_request("GET", "/v1/people?limit=1", NULL);
	idle_kb = memory_kb("VmRSS");
	make_group();
	of_contacts();
	of_refused();
	of_queries();
	of_settings();
	kill(watcher, SIGKILL);
	waitpid(watcher, NULL, 0);
	printf("result %" PRId64 " %ld\n", held_us(999), idle_kb);
	return 0;
}
