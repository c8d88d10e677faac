/*
 * The devices of one workspace, for the latency of another one beside them:
 *   phones PORT PHONES SECONDS
 * PHONES devices of one user ask every two seconds for the state of their book, and follow it with their token. One
 * more reads all cards, again and again. Prints the number of answers by status (0: none), and the longest of those of
 * the devices that only ask, in milliseconds. The API key, which makes the password of the devices, is in BENCH_KEY.
 */
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "test/lib/http/client.h"

enum { PHONES_MAX = 1000, STATUS_MAX = 600, EVERY_MS = 2000 };

#define STATE                                                                                                          \
	"<propfind xmlns=\"DAV:\" xmlns:s=\"http://calendarserver.org/ns/\"><prop><sync-token/><s:getctag/></prop>"    \
	"</propfind>"
#define CHANGES                                                                                                        \
	"<sync-collection xmlns=\"DAV:\"><sync-token>%s</sync-token><sync-level>1</sync-level><prop><getetag/></prop>" \
	"</sync-collection>"
#define EVERYTHING                                                                                                     \
	"<sync-collection xmlns=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:carddav\"><sync-token/>"                     \
	"<sync-level>1</sync-level><prop><getetag/><c:address-data/></prop></sync-collection>"

struct device {
	struct client *client;
	struct arena arena; /* of a round */
	char token[512];    /* of the book; "": not known */
	int64_t longest_us;
	int index;
};

static char auth[256], book[128];
static long counts[STATUS_MAX];
static int64_t until_us;

/* Returns the answer's body; NULL: it is not a success. */
static const char *device_ask(struct device *d, const char *method, const char *target, const char *body)
{
	struct client_request request = {
	    .method = method, .target = target, .n_headers = 2, .body = body, .body_len = body ? strlen(body) : 0};
	struct client_reply reply;
	char error[256];
	bool ok;

	request.headers[0] = (struct client_header){"Authorization", auth};
	request.headers[1] = (struct client_header){"Depth", "0"};
	ok = client_send(d->client, &d->arena, &request, &reply, error);
	__atomic_fetch_add(&counts[ok && reply.status < STATUS_MAX ? reply.status : 0], 1, __ATOMIC_RELAXED);
	return ok && reply.status / 100 == 2 ? reply.body : NULL;
}

static void device_follow(struct device *d)
{
	const char *state = device_ask(d, "PROPFIND", book, STATE), *at = state ? strstr(state, "sync-token>") : NULL;

	if (at && *d->token)
		device_ask(d, "REPORT", book, arena_printf(&d->arena, CHANGES, d->token));
	if (at)
		snprintf(d->token, sizeof d->token, "%.*s", (int)strcspn(at + 11, "<"), at + 11);
}

static int parse_number(const char *text)
{
	return (int)strtol(text, NULL, 10);
}

static void *device_run(void *ctx)
{
	struct device *d = ctx;

	if (d->index > 0)
		poll(NULL, 0, d->index * 37 % EVERY_MS); /* they do not all come at once */
	while (clock_mono_us() < until_us) {
		int64_t since_us = clock_mono_us(), took_us;
		arena_init(&d->arena);
		if (d->index == 0)
			device_ask(d, "REPORT", book, EVERYTHING);
		else
			device_follow(d);
		arena_free(&d->arena);
		took_us = clock_mono_us() - since_us;
		d->longest_us = took_us > d->longest_us ? took_us : d->longest_us;
		if (d->index > 0 && took_us < EVERY_MS * 1000)
			poll(NULL, 0, EVERY_MS - (int)(took_us / 1000));
	}
	return NULL;
}

/* The text of a member behind the first place of after; "" without. */
static void text_between(const char *body, const char *after, char *out, size_t size)
{
	const char *at = body ? strstr(body, after) : NULL;

	at = at ? at + strlen(after) : "";
	snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
}

/* Makes the password of the devices. */
static bool devices_prepare(const char *base)
{
	static const char body[] = "{\"name\":\"Bench\",\"scopes\":[\"contacts\"]}";
	struct device d = {.client = client_new(base)};
	const char *answer;
	char user[64], key[128];

	arena_init(&d.arena);
	snprintf(auth, sizeof auth, "Bearer %s", getenv("BENCH_KEY") ? getenv("BENCH_KEY") : "");
	answer = device_ask(&d, "POST", "/v1/keys", body);
	text_between(answer, "\"user\":{\"id\":\"", user, sizeof user);
	text_between(answer, "\"key\":\"", key, sizeof key);
	if (!*user || !*key)
		return false;
	snprintf(auth, sizeof auth, "Bearer %s", key);
	snprintf(book, sizeof book, "/dav/books/%s/people/", user);
	arena_free(&d.arena);
	memset(counts, 0, sizeof counts);
	return true;
}

int main(int argc, char **argv)
{
	static struct device devices[PHONES_MAX + 1];
	static pthread_t threads[PHONES_MAX + 1];
	int n = argc == 4 ? parse_number(argv[2]) : -1;
	int64_t longest_us = 0;
	char base[64];

	if (n < 0 || n > PHONES_MAX) {
		fprintf(stderr, "usage: the head of test/bench/phones.c\n");
		return 2;
	}
	snprintf(base, sizeof base, "http://127.0.0.1:%s", argv[1]);
	if (!devices_prepare(base)) {
		fprintf(stderr, "phones: no password was made\n");
		return 1;
	}
	until_us = clock_mono_us() + parse_number(argv[3]) * INT64_C(1000000);
	for (int i = 0; i <= n; i++) {
		devices[i] = (struct device){.client = client_new(base), .index = i};
		pthread_create(&threads[i], NULL, device_run, &devices[i]);
	}
	for (int i = 0; i <= n; i++) {
		pthread_join(threads[i], NULL);
		longest_us = i > 0 && devices[i].longest_us > longest_us ? devices[i].longest_us : longest_us;
	}
	printf("result");
	for (int i = 0; i < STATUS_MAX; i++)
		if (counts[i])
			printf(" %d:%ld", i, counts[i]);
	printf(", the longest of a device %" PRId64 " ms\n", longest_us / 1000);
	return 0;
}
