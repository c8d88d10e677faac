/* Who listens: followers of each workspace's feed, and of the stream of one. Each must hear every event once, in
 * order. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/http/sse.h"
#include "test/soak/ledger.h"
#include "test/soak/soak.h"

enum { LISTENERS = SOAK_SPACES + 1, STREAM = SOAK_SPACES, QUIET_MS = 4000, TURN_MS = 8000 };

static struct listener {
	pthread_t thread;
	char name[16];
	const struct soak_space *space;
	int side;
	char cursor[600];
	atomic_llong heard_ms; /* when there was an event last */
} listeners[LISTENERS];
static atomic_bool ending; /* they stop when nothing comes any more */

static bool listener_goes_on(const struct listener *l)
{
	return !atomic_load(&ending) || clock_now_ms() - atomic_load(&l->heard_ms) < QUIET_MS;
}

static void listener_hears(struct listener *l, const char *event)
{
	ledger_heard(l->name, event);
	atomic_store(&l->heard_ms, clock_now_ms());
}

static void *follow_feed(void *arg)
{
	struct listener *l = arg;
	struct caller c;

	caller_init(&c, side_base(l->side), l->space->admin.key);
	while (listener_goes_on(l)) {
		int64_t sent_ms = clock_now_ms();
		struct feed_page page = feed_get(&c, l->cursor, 100, 1);
		if (page.answer.status == 200) {
			for (size_t i = 0; i < page.n; i++)
				listener_hears(l, page.items[i].id);
			snprintf(l->cursor, sizeof l->cursor, "%s", page.cursor);
		} else {
			if (page.answer.status != 429 && !outage_between(sent_ms, clock_now_ms()))
				finding_add("feed", "%s: %d %s %.300s", l->name, page.answer.status, page.answer.error,
				    page.answer.status ? page.answer.reply.body : "");
			soak_pause(100);
			l->side = (l->side + 1) % SOAK_SIDES;
			caller_turn(&c, side_base(l->side));
		}
		arena_free(&c.arena);
	}
	caller_free(&c);
	return NULL;
}

static void stream_read(struct listener *l, struct sse *s)
{
	int64_t until_ms = clock_now_ms() + TURN_MS;
	struct arena a;

	arena_init(&a);
	while (listener_goes_on(l) && clock_now_ms() < until_ms) {
		enum sse_news news = sse_next_event(s, 500);
		if (news == SSE_EVENT) {
			const char *error;
			const struct json *event = json_read(&a, s->data.data, s->data.len, &error);
			listener_hears(l, event && json_member(event, "id") ? json_member(event, "id")->text : "");
			arena_free(&a);
		} else if (news != SSE_SILENT) {
			break;
		}
	}
	arena_free(&a);
}

/* Comes again now and then, to the other server. */
static void *follow_stream(void *arg)
{
	struct listener *l = arg;
	struct sse s;

	sse_init(&s);
	while (listener_goes_on(l)) {
		int64_t sent_ms = clock_now_ms();
		l->side = (l->side + 1) % SOAK_SIDES;
		if (sse_open(&s, side_base(l->side), l->space->admin.key, "/v1/events/stream") == 200) {
			stream_read(l, &s);
		} else {
			if (s.status != 429 && !outage_between(sent_ms, clock_now_ms()))
				finding_add("stream", "no stream: %d", s.status);
			soak_pause(100);
		}
		sse_close(&s);
	}
	sse_free(&s);
	return NULL;
}

void listen_begin(void)
{
	for (int i = 0; i < LISTENERS; i++) {
		struct listener *l = &listeners[i];
		l->space = &soak.spaces[i % SOAK_SPACES];
		snprintf(l->name, sizeof l->name, "%s%d", i == STREAM ? "stream" : "feed", i % SOAK_SPACES);
		l->side = i % SOAK_SIDES;
		atomic_store(&l->heard_ms, clock_now_ms());
		rig_int(&soak.rig,
		    "with l as (insert into soak.listeners values ('%s', '%s', '%s') returning 1) select count(*) from "
		    "l",
		    l->name, l->space->workspace, l->space->admin.id + 4);
		pthread_create(&l->thread, NULL, i == STREAM ? follow_stream : follow_feed, l);
	}
}

void listen_end(void)
{
	atomic_store(&ending, true);
	for (int i = 0; i < LISTENERS; i++)
		pthread_join(listeners[i].thread, NULL);
}
