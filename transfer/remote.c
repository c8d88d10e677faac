/* The client of the API. */
#include "transfer/remote.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/clock.h"
#include "server/base/fatal.h"
#include "transfer/throttle.h"

#ifndef KITH_VERSION
#define KITH_VERSION "unknown"
#endif

enum {
	CONNECT_S = 10,
	ANSWER_S = 120,
	TICK_MS = 500,
	PAUSE_FIRST_MS = 500,
	PAUSE_MOST_MS = 15 * 1000,
	ANSWER_MAX = 32 << 20, /* the server's own limit is 24 MiB */
	BODY_MAX = 16 << 20
};

struct remote_slot {
	struct remote_call *call; /* NULL: free */
	CURL *curl;
	struct curl_slist *headers;
	bool sent;
	int64_t place; /* see throttle_sent() */
	int64_t not_before_ms;
	int pause_ms;
};

struct remote {
	char *base_url, *authorization;
	const char *no_proxy;
	void (*tick)(void *ctx);
	void *ctx;
	CURLM *multi;
	struct remote_slot slots[REMOTE_SLOTS];
	struct remote_call *answered; /* while remote_run() waited for another one; oldest first */
	struct throttle throttle;
	int64_t away_since_ms; /* since when the server has not responded; 0: it responds */
	bool ever;             /* the server has responded at least once */
	bool failed;
};

/* --- calls ------------------------------------------------------------------------------ */

struct remote_call *remote_call_new(const char *method, const char *path_format, ...)
{
	struct remote_call *c = mem_zalloc(sizeof *c);
	va_list args;

	arena_init(&c->arena);
	buf_init(&c->body, BODY_MAX);
	buf_init(&c->answer, ANSWER_MAX);
	c->method = method;
	va_start(args, path_format);
	c->path = mem_dupz(arena_vprintf(&c->arena, path_format, args));
	va_end(args);
	return c;
}

void remote_call_free(struct remote_call *c)
{
	if (!c)
		return;
	buf_free(&c->body);
	buf_free(&c->answer);
	arena_free(&c->arena);
	free(c->path);
	free(c);
}

struct json *remote_data(const struct remote_call *c)
{
	return c->status == 200 ? json_member(c->json, "data") : NULL;
}

const char *remote_reason(struct remote_call *c)
{
	const struct json *error = json_member(c->json, "error"),
	                  *issue = json_items(json_member(json_member(error, "details"), "issues"));

	return arena_printf(&c->arena, "%ld %s%s%s", c->status, json_text(error, "message"), issue ? ": " : "",
	    issue ? json_text(issue, "message") : "");
}

const char *remote_next(struct remote_call *c)
{
	const char *link = json_text(json_member(remote_data(c), "pagination"), "nextLink");
	const char *host = strstr(link, "://"), *path = host ? strchr(host + 3, '/') : NULL;

	return path;
}

/* --- one request ---------------------------------------------------------------------------- */

static size_t remote_on_body(char *bytes, size_t size, size_t n, void *ctx)
{
	struct remote_call *c = ctx;

	buf_add(&c->answer, bytes, size * n);
	return c->answer.overflow ? 0 : size * n;
}

/* Copies the header's value when it is the named one. */
static bool remote_header(const char *line, size_t len, const char *name, char *out, size_t size)
{
	size_t at = strlen(name);

	if (len <= at || strncasecmp(line, name, at) != 0)
		return false;
	while (at < len && line[at] == ' ')
		at++;
	while (len > at && strchr("\r\n ", line[len - 1]))
		len--;
	snprintf(out, size, "%.*s", (int)(len - at), line + at);
	return true;
}

static size_t remote_on_header(char *bytes, size_t size, size_t n, void *ctx)
{
	struct remote_call *c = ctx;
	char text[512];
	size_t len = size * n;

	remote_header(bytes, len, "ETag:", c->etag, sizeof c->etag);
	remote_header(bytes, len, "X-Events-Cursor:", c->cursor, sizeof c->cursor);
	if (remote_header(bytes, len, "X-Dry-Run:", text, sizeof text))
		c->dry = strcmp(text, "true") == 0;
	if (remote_header(bytes, len, "Date:", text, sizeof text))
		c->date_s = curl_getdate(text, NULL);
	if (remote_header(bytes, len, "Retry-After:", text, sizeof text))
		c->retry_after_s = throttle_retry_s(text);
	return len;
}

/* The rate limits of the answer. */
static size_t remote_on_any_header(char *bytes, size_t size, size_t n, void *ctx)
{
	struct remote_slot *s = ctx;
	struct throttle *throttle;
	char text[512];

	curl_easy_getinfo(s->curl, CURLINFO_PRIVATE, &throttle);
	if (remote_header(bytes, size * n, "RateLimit:", text, sizeof text))
		throttle_answered(throttle, s->place, text, clock_mono_ms());
	return remote_on_header(bytes, size, n, s->call);
}

static void remote_add_header(struct remote_slot *s, const char *name, const char *value)
{
	if (*value)
		s->headers = curl_slist_append(s->headers, arena_printf(&s->call->arena, "%s: %s", name, value));
}

static void remote_send(struct remote *r, struct remote_slot *s)
{
	struct remote_call *c = s->call;
	int running;

	arena_free(&c->arena);
	buf_clear(&c->answer);
	c->json = NULL;
	c->status = c->retry_after_s = 0;
	c->dry = false;
	curl_slist_free_all(s->headers);
	s->headers = NULL;
	remote_add_header(s, "Authorization", r->authorization);
	remote_add_header(s, "Idempotency-Key", c->key);
	remote_add_header(s, "If-Match", c->if_match);
	remote_add_header(s, "Content-Type", "application/json");
	remote_add_header(s, "X-Kith-Via", "import"); /* events say so; an export makes none */
	s->headers = curl_slist_append(s->headers, "Expect:");
	curl_easy_reset(s->curl);
	curl_easy_setopt(s->curl, CURLOPT_URL, arena_printf(&c->arena, "%s%s", r->base_url, c->path));
	curl_easy_setopt(s->curl, CURLOPT_USERAGENT, "kith/" KITH_VERSION);
	curl_easy_setopt(s->curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(s->curl, CURLOPT_NOPROXY, r->no_proxy);
	curl_easy_setopt(s->curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	curl_easy_setopt(s->curl, CURLOPT_TIMEOUT, (long)ANSWER_S);
	curl_easy_setopt(s->curl, CURLOPT_HTTPHEADER, s->headers);
	curl_easy_setopt(s->curl, CURLOPT_WRITEFUNCTION, remote_on_body);
	curl_easy_setopt(s->curl, CURLOPT_WRITEDATA, c);
	curl_easy_setopt(s->curl, CURLOPT_HEADERFUNCTION, remote_on_any_header);
	curl_easy_setopt(s->curl, CURLOPT_HEADERDATA, s);
	curl_easy_setopt(s->curl, CURLOPT_PRIVATE, &r->throttle);
	if (c->body.len || strcmp(c->method, "POST") == 0) {
		curl_easy_setopt(s->curl, CURLOPT_POSTFIELDS, c->body.len ? c->body.data : "");
		curl_easy_setopt(s->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)c->body.len);
	}
	curl_easy_setopt(s->curl, CURLOPT_CUSTOMREQUEST, c->method);
	curl_multi_add_handle(r->multi, s->curl);
	s->place = throttle_sent(&r->throttle);
	s->sent = true;
	/* Sends the request now, not only when the caller waits. */
	curl_multi_perform(r->multi, &running);
}

/* --- outcomes ---------------------------------------------------------------------------------- */

/* True for a mistake in the address, for which waiting does not help. */
static bool remote_hopeless(const struct remote *r, CURLcode code)
{
	return !r->ever && (code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_URL_MALFORMAT ||
	                       code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_PEER_FAILED_VERIFICATION ||
	                       code == CURLE_SSL_CONNECT_ERROR);
}

static bool remote_is_final(struct remote_call *c)
{
	bool in_progress = c->status == 409 && strcmp(json_text(json_member(c->json, "error"), "code"),
	                                           "IDEMPOTENCY_REQUEST_IN_PROGRESS") == 0;

	return !in_progress && c->status != 408 && c->status != 425 && c->status != 429 &&
	       (c->status < 502 || c->status > 504);
}

static void remote_again(struct remote *r, struct remote_slot *s, int64_t now)
{
	int64_t pause = s->call->retry_after_s ? s->call->retry_after_s * INT64_C(1000) : s->pause_ms;

	s->not_before_ms = now + pause;
	s->pause_ms = s->pause_ms * 2 < PAUSE_MOST_MS ? s->pause_ms * 2 : PAUSE_MOST_MS;
	if (s->call->status == 429)
		throttle_refused(&r->throttle, now + pause);
}

static void remote_is_away(struct remote *r, const char *why, bool hopeless, int64_t now)
{
	if (!r->away_since_ms) {
		r->away_since_ms = now;
		fprintf(stderr, "kith: %s: %s%s\n", r->base_url, why, hopeless ? "" : "; trying again");
	}
	if (!hopeless && now - r->away_since_ms < REMOTE_AWAY_S * INT64_C(1000))
		return;
	if (!hopeless)
		fprintf(stderr, "kith: %s has not responded for %d s; giving up\n", r->base_url, REMOTE_AWAY_S);
	r->failed = true;
}

/* True when the call has its answer. */
static bool remote_finish(struct remote *r, struct remote_slot *s, CURLcode code)
{
	int64_t now = clock_mono_ms();
	struct remote_call *c = s->call;
	const char *error;

	curl_multi_remove_handle(r->multi, s->curl);
	s->sent = false;
	throttle_done(&r->throttle);
	if (code == CURLE_OK)
		curl_easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &c->status);
	if (c->answer.len && c->status)
		c->json = json_read(&c->arena, c->answer.data, c->answer.len, &error);
	bool away = c->status == 0 || (c->status >= 502 && c->status <= 504);
	if (away) {
		bool hopeless = code != CURLE_OK && (remote_hopeless(r, code) || c->answer.overflow);
		remote_is_away(r, code == CURLE_OK ? remote_reason(c) : curl_easy_strerror(code), hopeless, now);
	} else {
		r->away_since_ms = 0;
		r->ever = true;
	}
	if (!away && remote_is_final(c))
		return true;
	remote_again(r, s, now);
	return false;
}

/* --- several at once ----------------------------------------------------------------------------- */

/* Takes the oldest call that was answered while remote_run() waited; NULL: there is none. */
static struct remote_call *remote_answered(struct remote *r)
{
	struct remote_call *c = r->answered;

	if (c)
		r->answered = c->next;
	return c;
}

struct remote *remote_new(
    const char *base_url, const char *key, const char *no_proxy, void (*tick)(void *ctx), void *ctx)
{
	struct remote *r = mem_zalloc(sizeof *r);
	size_t size = strlen(key) + sizeof "Bearer ";

	r->base_url = mem_dupz(base_url);
	r->authorization = mem_alloc(size);
	snprintf(r->authorization, size, "Bearer %s", key);
	r->no_proxy = no_proxy;
	r->tick = tick;
	r->ctx = ctx;
	throttle_init(&r->throttle);
	r->multi = curl_multi_init();
	for (int i = 0; i < REMOTE_SLOTS; i++)
		r->slots[i].curl = curl_easy_init();
	if (!r->multi || !r->slots[REMOTE_SLOTS - 1].curl)
		fatal_abort("libcurl cannot start");
	return r;
}

void remote_free(struct remote *r)
{
	struct remote_call *c;

	while ((c = remote_answered(r)) || (c = remote_cancel(r)))
		remote_call_free(c);
	for (int i = 0; i < REMOTE_SLOTS; i++) {
		curl_easy_cleanup(r->slots[i].curl);
		curl_slist_free_all(r->slots[i].headers);
	}
	curl_multi_cleanup(r->multi);
	free(r->base_url);
	free(r->authorization);
	free(r);
}

static int remote_in_progress(const struct remote *r)
{
	int n = 0;

	for (int i = 0; i < REMOTE_SLOTS; i++)
		n += r->slots[i].call != NULL;
	return n;
}

int remote_busy(const struct remote *r)
{
	int n = remote_in_progress(r);

	for (const struct remote_call *c = r->answered; c; c = c->next)
		n++;
	return n;
}

void remote_start(struct remote *r, struct remote_call *c)
{
	for (int i = 0; i < REMOTE_SLOTS; i++) {
		struct remote_slot *s = &r->slots[i];
		if (s->call)
			continue;
		s->call = c;
		s->not_before_ms = 0;
		s->pause_ms = PAUSE_FIRST_MS;
		if (throttle_allows(&r->throttle, clock_mono_ms()))
			remote_send(r, s);
		return;
	}
	fatal_abort("transfer: more requests at once than slots");
}

/* Sends the requests that may be sent now; returns the longest time to wait for events. */
static int remote_send_due(struct remote *r)
{
	int64_t now = clock_mono_ms(), wait = TICK_MS;

	for (int i = 0; i < REMOTE_SLOTS; i++) {
		struct remote_slot *s = &r->slots[i];
		if (!s->call || s->sent)
			continue;
		if (s->not_before_ms <= now && throttle_allows(&r->throttle, now))
			remote_send(r, s);
		else if (s->not_before_ms > now && s->not_before_ms - now < wait)
			wait = s->not_before_ms - now;
	}
	int64_t pace = throttle_wait_ms(&r->throttle, now);
	return (int)(pace > 0 && pace < wait ? pace : wait);
}

/* Returns the next call that is answered; NULL when the server does not respond. */
static struct remote_call *remote_wait_slots(struct remote *r)
{
	while (!r->failed && remote_in_progress(r)) {
		int wait = remote_send_due(r), running = 0, left;
		CURLMsg *message;

		curl_multi_perform(r->multi, &running);
		while ((message = curl_multi_info_read(r->multi, &left))) {
			struct remote_slot *s = r->slots;
			while (s->curl != message->easy_handle)
				s++;
			if (remote_finish(r, s, message->data.result)) {
				struct remote_call *c = s->call;
				s->call = NULL;
				return c;
			}
			wait = 0;
		}
		curl_multi_poll(r->multi, NULL, 0, wait, NULL);
		if (r->tick)
			r->tick(r->ctx);
	}
	return NULL;
}

struct remote_call *remote_wait(struct remote *r)
{
	struct remote_call *c = remote_answered(r);

	return c ? c : remote_wait_slots(r);
}

/* Takes back the call of a slot; NULL: the slot is free. */
static struct remote_call *remote_take_back(struct remote *r, struct remote_slot *s)
{
	struct remote_call *c = s->call;

	if (s->sent)
		curl_multi_remove_handle(r->multi, s->curl);
	s->sent = false;
	s->call = NULL;
	return c;
}

struct remote_call *remote_cancel(struct remote *r)
{
	struct remote_call *c = NULL;

	for (int i = 0; i < REMOTE_SLOTS && !c; i++)
		c = remote_take_back(r, &r->slots[i]);
	return c;
}

struct remote_call *remote_run(struct remote *r, struct remote_call *c)
{
	struct remote_call *other, **last = &r->answered;

	remote_start(r, c);
	while (*last)
		last = &(*last)->next;
	while ((other = remote_wait_slots(r)) && other != c) {
		*last = other;
		last = &other->next;
	}
	for (int i = 0; i < REMOTE_SLOTS && !other; i++)
		if (r->slots[i].call == c)
			remote_call_free(remote_take_back(r, &r->slots[i]));
	return other;
}
