/* Sending: see soak_load.h. */
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "test/soak/soak_load.h"

enum { SETTLE_MS = 60000, AGAIN_MS = 100, SHOWN = 600 };

void load_client_init(struct load_client *c, const struct soak_space *space, const char *key, int number)
{
	*c = (struct load_client){
	    .space = space, .key = key, .side = number % SOAK_SIDES, .chance = 7919u * (unsigned)(number + 1)};
	c->generation = side_generation(c->side);
	c->client = client_new(side_base(c->side));
}

void load_client_free(struct load_client *c)
{
	client_free(c->client);
}

unsigned load_draw(struct load_client *c, unsigned below)
{
	c->chance = c->chance * 1664525u + 1013904223u;
	return (c->chance >> 8) % below;
}

static void load_connect(struct load_client *c)
{
	client_free(c->client);
	c->generation = side_generation(c->side);
	c->client = client_new(side_base(c->side));
}

void load_turn(struct load_client *c)
{
	c->side = (c->side + 1) % SOAK_SIDES;
	load_connect(c);
}

/* A text with the mark of another workspace. */
static bool load_holds_others(const struct load_client *c, const char *body)
{
	for (int i = 0; i < SOAK_SPACES; i++)
		if (&soak.spaces[i] != c->space && strstr(body, soak.spaces[i].mark))
			return true;
	return false;
}

static void load_judge(struct load_client *c, const char *method, const char *target, const struct client_reply *reply,
    int64_t sent_ms, const char *error)
{
	int64_t now_ms = clock_now_ms();
	bool failed = reply->status == 0 || reply->status >= 500;

	if (load_holds_others(c, reply->body))
		finding_add(
		    "tenants", "%s %s shows another workspace's texts: %.*s", method, target, SHOWN, reply->body);
	c->outage = failed || reply->status == 409;
	if (!failed)
		return;
	atomic_fetch_add(&soak.lost, 1);
	if (!outage_between(sent_ms, now_ms))
		finding_add(reply->status ? "answers: 5xx" : "answers: none", "%s %s after %lld ms: %d %s %.*s", method,
		    target, (long long)(now_ms - sent_ms), reply->status, error, SHOWN, reply->body);
}

static bool load_once(
    struct load_client *c, struct arena *a, const struct client_request *request, struct client_reply *reply)
{
	int64_t sent_ms = clock_now_ms();
	char error[256] = "";

	if (c->generation != side_generation(c->side))
		load_connect(c);
	bool came = client_send(c->client, a, request, reply, error);
	if (!came) {
		reply->status = 0;
		reply->body = "";
	}
	atomic_fetch_add(&soak.requests, 1);
	load_judge(c, request->method, request->target, reply, sent_ms, error);
	return reply->status != 429;
}

void load_send(struct load_client *c, struct arena *a, const char *method, const char *target, const char *once,
    const char *body, struct client_reply *reply)
{
	struct client_request request = {.method = method, .target = target, .body = body};

	request.body_len = body ? strlen(body) : 0;
	request.headers[request.n_headers++] =
	    (struct client_header){"Authorization", arena_printf(a, "Bearer %s", c->key)};
	if (body)
		request.headers[request.n_headers++] = (struct client_header){"Content-Type", "application/json"};
	if (once)
		request.headers[request.n_headers++] = (struct client_header){"Idempotency-Key", once};
	if (strcmp(target, "/mcp") == 0)
		request.headers[request.n_headers++] =
		    (struct client_header){"Accept", "application/json, text/event-stream"};
	if (soak.pause_ms)
		soak_pause(soak.pause_ms);
	while (!load_once(c, a, &request, reply)) {
		atomic_fetch_add(&soak.limited, 1);
		const char *after = client_header(reply, "Retry-After");
		soak_pause(after ? 1000 * (int)strtol(after, NULL, 10) : 1000);
	}
	if (reply->status == 0 || reply->status == 503)
		load_turn(c);
}

bool load_settle(struct load_client *c, struct arena *a, const char *method, const char *target, const char *once,
    const char *body, struct client_reply *reply)
{
	int64_t until_ms = clock_now_ms() + SETTLE_MS;

	do {
		load_send(c, a, method, target, once, body, reply);
		bool unknown = reply->status == 500 && strstr(reply->body, "unknown");
		if (reply->status && reply->status != 503 && reply->status != 409 && !unknown)
			return true;
		soak_pause(AGAIN_MS);
	} while (clock_now_ms() < until_ms);
	finding_add("stuck", "%s %s has no outcome within %d s: %d %.*s", method, target, SETTLE_MS / 1000,
	    reply->status, SHOWN, reply->body);
	return false;
}

const char *load_id(struct arena *a, const struct client_reply *reply)
{
	const char *error;
	const struct json *v = json_read(a, reply->body, reply->body_len, &error);

	v = v && v->type == JSON_OBJECT ? json_member(v, "data") : NULL;
	v = v && v->type == JSON_OBJECT ? json_member(v, "id") : NULL;
	return v && v->type == JSON_STRING ? v->text : "";
}
