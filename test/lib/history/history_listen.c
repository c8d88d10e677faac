/* See history_round.h: followers of the feed and receivers of webhooks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/history/history_round.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/http/sse.h"
#include "test/lib/patience.h"
#include "test/lib/webhook/hooked.h"

enum { PAGE = 100, WAIT_S = 1, PAGES_OF_COPY = 4, CATCH_UP_MS = 60000, STREAM_MS = 500, FRAMES_OF_STREAM = 40 };

/* --- followers ---------------------------------------------------------------------------------------- */

struct round_listener {
	struct round *r;
	struct round_caller at;
	struct history_steps steps;
	int who;
	char cursor[600];
	enum history_from from; /* of the next page */
	char newest[ID_SIZE];   /* the record of the last event that was heard */
	int events;
};

static const char *changed_value(const struct feed_event *e)
{
	const struct json *changes = json_member(e->data, "changes"),
	                  *one = changes && changes->type == JSON_ARRAY ? changes->first : NULL,
	                  *value = one && one->type == JSON_OBJECT ? json_member(one, "value") : NULL;

	return value && value->type == JSON_STRING ? value->text : NULL;
}

static void add_event(struct round_listener *l, const struct history_step *head, const struct feed_event *e)
{
	struct history_log *h = &l->r->h;
	struct history_step s = *head;

	s.kind = HISTORY_EVENT;
	s.from = FROM_BEFORE;
	s.change = strcmp(e->type, "person.created") == 0   ? CHANGE_CREATED
	           : strcmp(e->type, "person.updated") == 0 ? CHANGE_UPDATED
	                                                    : CHANGE_DELETED;
	s.event = history_name(h, &h->events, e->id);
	s.record = history_name(h, &h->records, e->record);
	s.value = s.change == CHANGE_UPDATED ? history_name(h, &h->values, changed_value(e)) : -1;
	history_add(&l->steps, &s);
	l->events++;
}

/* Whether everything has ended and the last event was heard. */
static bool is_last(struct round_listener *l)
{
	return atomic_load(&l->r->ended) && strcmp(l->newest, l->r->last) == 0;
}

/* Reads a page, at most up to the last event; returns its number of events, -1 on failure. */
static int read_page(struct round_listener *l, int process, int limit, int wait)
{
	struct history_step head = history_step_new(HISTORY_FEED, l->who, clock_mono_us());
	struct feed_page page = feed_get(round_caller_at(&l->at, process), l->cursor, limit, wait);

	if (page.answer.status != 200) {
		patience_rest(20);
		return -1;
	}
	head.end = clock_mono_us();
	head.status = 200;
	head.process = process;
	head.from = l->from;
	l->from = FROM_BEFORE;
	history_add(&l->steps, &head);
	for (size_t i = 0; i < page.n && !is_last(l); i++) {
		add_event(l, &head, &page.items[i]);
		snprintf(l->newest, sizeof l->newest, "%s", page.items[i].record);
	}
	snprintf(l->cursor, sizeof l->cursor, "%s", page.cursor);
	return (int)page.n;
}

static void listening_open(struct round_listener *l, struct round *r, int who)
{
	memset(l, 0, sizeof *l);
	l->r = r;
	l->who = who;
	l->from = FROM_START;
	round_caller_init(&l->at, r);
}

static void listening_close(struct round_listener *l)
{
	round_caller_free(&l->at);
	pthread_mutex_lock(&l->r->lock);
	history_gather(&l->r->h, &l->steps);
	pthread_mutex_unlock(&l->r->lock);
}

/* Begins anew with a list and its cursor. */
static bool copy_again(struct round_listener *l, uint64_t *seed)
{
	int process = (int)round_chance(seed, (unsigned)l->r->setup->processes);
	const char *cursor =
	    round_list(l->r, &l->steps, round_caller_at(&l->at, process), l->who, process, (int)round_chance(seed, 4));

	if (!*cursor)
		return false;
	snprintf(l->cursor, sizeof l->cursor, "%s", cursor);
	l->from = FROM_COPY;
	return true;
}

/* --- streams -------------------------------------------------------------------------------------------- */

/* The event of a frame, which is a page of its own. */
static void add_frame(struct round_listener *l, const struct sse *s, int process)
{
	struct history_step head = history_step_new(HISTORY_FEED, l->who, clock_mono_us());
	struct feed_event e = {.type = s->type};
	const struct json *id, *record;
	const char *error;
	struct arena a;

	arena_init(&a);
	const struct json *item = json_read(&a, s->data.data, s->data.len, &error);
	id = item ? json_member(item, "id") : NULL;
	e.data = item ? json_member(item, "data") : NULL;
	record = e.data ? json_member(e.data, "id") : NULL;
	if (id && record) {
		e.id = id->text;
		e.record = record->text;
		head.end = head.begin;
		head.status = 200;
		head.process = process;
		head.from = l->from;
		l->from = FROM_BEFORE;
		history_add(&l->steps, &head);
		add_event(l, &head, &e);
		snprintf(l->newest, sizeof l->newest, "%s", e.record);
	}
	arena_free(&a);
}

/* A list, then its cursor's stream, which is read at another process now and then. */
static void follow_stream(struct round_listener *l, uint64_t *seed)
{
	struct round *r = l->r;
	int64_t until_us = 0;
	bool open = false, copied = false;
	int process = 0, generation;
	char base[64];
	struct sse s;

	sse_init(&s);
	while (!is_last(l) && (!until_us || clock_mono_us() < until_us)) {
		if (atomic_load(&r->ended) && !until_us)
			until_us = patience_ms(CATCH_UP_MS);
		if (!copied && (copied = copy_again(l, seed)))
			snprintf(s.last_id, sizeof s.last_id, "%.*s", SSE_TEXT_MAX - 1, l->cursor);
		if (copied && !open) {
			process = (int)round_chance(seed, (unsigned)r->setup->processes);
			round_base(r, process, base, &generation);
			open = sse_open(&s, base, r->key, "/v1/events/stream") == 200;
		}
		enum sse_news news = open ? sse_next_event(&s, STREAM_MS) : SSE_END;
		if (news == SSE_EVENT)
			add_frame(l, &s, process);
		else if (news != SSE_SILENT)
			patience_rest(20);
		if (news == SSE_END || news == SSE_CUT || round_chance(seed, FRAMES_OF_STREAM) == 0) {
			sse_close(&s);
			open = false;
		}
	}
	sse_free(&s);
}

/* --- all followers -------------------------------------------------------------------------------------- */

static void follow_pages(struct round_listener *l, bool copies, uint64_t *seed)
{
	struct round *r = l->r;
	int64_t until_us = 0;
	bool copied = !copies;

	while (!is_last(l) && (!until_us || clock_mono_us() < until_us)) {
		if (atomic_load(&r->ended) && !until_us)
			until_us = patience_ms(CATCH_UP_MS);
		if (copies && !atomic_load(&r->stop) && (!copied || round_chance(seed, PAGES_OF_COPY) == 0))
			copied = copy_again(l, seed) || copied; /* or it goes on as before */
		if (copied)
			read_page(l, (int)round_chance(seed, (unsigned)r->setup->processes),
			    1 + (int)round_chance(seed, PAGE), WAIT_S);
		else if (until_us)
			break; /* it never got a list */
	}
}

/* The first one reads from the oldest event, the last one a stream, the others copy again and again. */
void round_follower(struct round *r, int i)
{
	uint64_t seed = (r->seed + (uint64_t)i + 77) * UINT64_C(0x9e3779b97f4a7c15) | 1;
	struct round_listener l;

	listening_open(&l, r, ROUND_FOLLOWER + i);
	if (i == ROUND_FOLLOWERS - 1)
		follow_stream(&l, &seed);
	else
		follow_pages(&l, i > 0, &seed);
	listening_close(&l);
}

int round_read_all(struct round *r)
{
	int64_t until_us = patience_ms(CATCH_UP_MS);
	struct round_listener l;

	listening_open(&l, r, 0);
	for (int i = 0; !is_last(&l) && clock_mono_us() < until_us; i++)
		read_page(&l, i % r->setup->processes, PAGE, WAIT_S);
	if (!is_last(&l))
		fprintf(stderr, "the last event is not in the feed\n");
	listening_close(&l);
	return is_last(&l) ? l.events : -1;
}

/* --- webhooks ------------------------------------------------------------------------------------------- */

/* Fails the first attempt of some deliveries, and accepts every further one. */
static struct receiver_behaviour decide_delivery(void *ctx, const struct receiver_request *q)
{
	struct round *r = ctx;
	char *id = receiver_header(q, "webhook-id"), name[128];
	struct receiver_behaviour out = {0};

	snprintf(name, sizeof name, "%s %s", q->path, id ? id : "");
	free(id);
	int n = history_name(&r->h, &r->heard, name);
	if (n >= r->cap_attempts) {
		r->attempts = mem_realloc(r->attempts, 2 * (size_t)n + 1024);
		memset(r->attempts + r->cap_attempts, 0, 2 * (size_t)n + 1024 - (size_t)r->cap_attempts);
		r->cap_attempts = 2 * n + 1024;
	}
	/* the first webhook's receiver never fails */
	if (r->attempts[n] == 0 && strcmp(q->path, "/1") != 0 &&
	    round_chance(&r->receiver_seed, 1000) < (unsigned)r->delivery_fails) {
		r->attempts[n] = 1;
		out.status = 500;
	} else if (r->attempts[n] < 2) {
		r->attempts[n] = 2;
		pthread_mutex_lock(&r->lock);
		r->delivered++;
		pthread_mutex_unlock(&r->lock);
	}
	return out;
}

void round_hooks_open(struct round *r)
{
	static const char events[] =
	    "[{\"eventType\":\"person.created\",\"filter\":{}},{\"eventType\":"
	    "\"person.updated\",\"filter\":{}},{\"eventType\":\"person.deleted\",\"filter\":{}}]";
	struct caller c;

	r->receiver_seed = r->seed;
	r->receiver = receiver_start(&(struct receiver_config){.decide = decide_delivery, .ctx = r});
	caller_init(&c, r->processes[0].base, r->key);
	for (int i = 1; i <= ROUND_HOOKS; i++) {
		char path[16];
		snprintf(path, sizeof path, "/%d", i);
		(void)hooked_make(&c, receiver_url(r->receiver, path), events);
	}
	caller_free(&c);
	r->h.hooks = ROUND_HOOKS;
}

static int hooks_delivered(struct round *r)
{
	pthread_mutex_lock(&r->lock);
	int n = r->delivered;
	pthread_mutex_unlock(&r->lock);
	return n;
}

bool round_hooks_close(struct round *r, int n)
{
	int64_t until_us = patience_ms(CATCH_UP_MS);
	bool all = true;

	while (all && hooks_delivered(r) < n * ROUND_HOOKS)
		all = patience_pause(until_us);
	for (int i = 0; i < receiver_count(r->receiver); i++) {
		const struct receiver_request *q = receiver_request(r->receiver, i);
		char *id = receiver_header(q, "webhook-id");
		struct history_step s = history_step_new(HISTORY_HOOK, (int)strtol(q->path + 1, NULL, 10), q->at_us);
		s.end = q->at_us;
		s.status = q->status;
		s.event = history_name(&r->h, &r->h.events, id);
		history_add(&r->h.steps, &s);
		free(id);
	}
	receiver_stop(r->receiver);
	return all;
}
