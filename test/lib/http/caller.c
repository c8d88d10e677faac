/* See caller.h. A failed call gives an answer with status 0, for the test to judge. */
#include "test/lib/http/caller.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "test/lib/server/neighbour.h"

enum { STACK = 512 * 1024 };

void caller_init(struct caller *c, const char *base, const char *key)
{
	static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER; /* libcurl's initialisation is not thread-safe */

	c->key = key;
	c->if_match = NULL;
	c->more = NULL;
	c->is_neighbour = false;
	arena_init(&c->arena);
	pthread_mutex_lock(&starting);
	c->client = client_new(base);
	pthread_mutex_unlock(&starting);
}

void caller_free(struct caller *c)
{
	client_free(c->client);
	arena_free(&c->arena);
}

void caller_turn(struct caller *c, const char *base)
{
	client_free(c->client);
	c->client = client_new(base);
}

static const char *member_text(const struct json *body, const char *outer, const char *inner)
{
	const struct json *holder = body && body->type == JSON_OBJECT ? json_member(body, outer) : NULL;
	const struct json *value = holder && holder->type == JSON_OBJECT ? json_member(holder, inner) : NULL;

	return value && value->type == JSON_STRING ? value->text : "";
}

struct caller_answer caller_send(
    struct caller *c, const char *method, const char *target, const char *once, const char *body)
{
	struct client_request request = {.method = method, .target = target};
	struct caller_answer out = {.id = "", .code = ""};
	int64_t began_us = clock_mono_us();
	const char *error;

	if (c->key)
		request.headers[request.n_headers++] =
		    (struct client_header){"Authorization", arena_printf(&c->arena, "Bearer %s", c->key)};
	if (once)
		request.headers[request.n_headers++] = (struct client_header){"Idempotency-Key", once};
	if (c->if_match)
		request.headers[request.n_headers++] = (struct client_header){"If-Match", c->if_match};
	for (const struct client_header *h = c->more; h && h->name; h++)
		request.headers[request.n_headers++] = *h;
	if (body) {
		request.headers[request.n_headers++] = (struct client_header){"Content-Type", "application/json"};
		request.body = body;
		request.body_len = strlen(body);
	}
	bool came = client_send(c->client, &c->arena, &request, &out.reply, out.error);
	out.took_us = clock_mono_us() - began_us;
	if (!came)
		return out;
	if (!c->is_neighbour && strstr(out.reply.body, NEIGHBOUR_NAME)) {
		fprintf(
		    stderr, "an answer holds what is another workspace's: %s %s: %s\n", method, target, out.reply.body);
		exit(1);
	}
	out.status = out.reply.status;
	struct json *json = json_read(&c->arena, out.reply.body, out.reply.body_len, &error);
	out.id = member_text(json, "data", "id");
	out.code = member_text(json, "error", "code");
	out.replayed = client_header(&out.reply, "Idempotent-Replayed") != NULL;
	out.retry_after = client_header(&out.reply, "Retry-After");
	return out;
}

struct caller_answer caller_send_with(
    struct caller *c, const char *method, const char *target, const char *body, const struct client_header headers[])
{
	struct caller_answer a;

	c->more = headers;
	a = caller_send(c, method, target, NULL, body);
	c->more = NULL;
	return a;
}

struct caller_answer caller_sendf(
    struct caller *c, const char *method, const char *target, const char *once, const char *format, ...)
{
	char body[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(body, sizeof body, format, args);
	va_end(args);
	return caller_send(c, method, target, once, arena_dupz(&c->arena, body));
}

struct caller_answer caller_good(struct caller_answer a)
{
	if (a.status != 200) {
		fprintf(stderr, "%d %s %s\n", a.status, a.error, a.reply.body ? a.reply.body : "");
		exit(1);
	}
	return a;
}

struct caller_answer caller_get(struct caller *c, const char *target)
{
	return caller_good(caller_send(c, "GET", target, NULL, NULL));
}

int64_t caller_tag(const struct caller_answer *a)
{
	const char *tag = client_header(&a->reply, "ETag");

	return tag && *tag == '"' ? strtoll(tag + 1, NULL, 36) : -1;
}

/* --- crowds ------------------------------------------------------------------------ */

struct crowd {
	pthread_barrier_t start;
	void (*fn)(void *ctx, int i);
	void *ctx;
};

struct one {
	struct crowd *crowd;
	pthread_t thread;
	int i;
};

static void *run_one(void *arg)
{
	struct one *o = arg;

	pthread_barrier_wait(&o->crowd->start);
	o->crowd->fn(o->crowd->ctx, o->i);
	return NULL;
}

void caller_crowd_run(int n, void (*fn)(void *ctx, int i), void *ctx)
{
	struct crowd crowd = {.fn = fn, .ctx = ctx};
	struct one *all = mem_zalloc((size_t)n * sizeof *all);
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_barrier_init(&crowd.start, NULL, (unsigned)n);
	for (int i = 0; i < n; i++) {
		all[i] = (struct one){.crowd = &crowd, .i = i};
		if (pthread_create(&all[i].thread, &attr, run_one, &all[i]) != 0) {
			fprintf(stderr, "no thread\n");
			exit(1);
		}
	}
	for (int i = 0; i < n; i++)
		pthread_join(all[i].thread, NULL);
	pthread_barrier_destroy(&crowd.start);
	pthread_attr_destroy(&attr);
	free(all);
}
