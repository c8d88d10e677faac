/* Streams of events: what the feed has, once each, over restarts of servers and the database, with the current
 * rights of the key. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/id.h"
#include "test/lib/flow.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/http/sse.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum {
	SOON_MS = 60000,
	WRITERS = 3,
	WRITES = 60, /* of each */
	EVENTS = WRITERS * WRITES,
	CUTS = 17, /* the connection is cut each time after this many events */
	OLD_EVENTS = 4000,
	OLD_BYTES = 5000 /* of each */
};

static const char stream[] = "/v1/events/stream";

RIG("stream", .servers = 2, .own_cluster = true, .keep_little = true);

BEFORE_ALL()
{
	caller_turn(&ada, servers[1]->base);
}

/* The feed's items as they are written, from the cursor on, one after the other. */
static const char *feed_text(struct caller *c, const char *after)
{
	struct feed_page page;
	const char *items, *end;

	do {
		page = feed_get(c, after, 100, 10);
		caller_good(page.answer);
	} while (page.n == 0);
	items = strstr(page.answer.reply.body, "\"items\":[") + strlen("\"items\":[");
	end = strstr(items, "],\"cursor\":");
	return arena_dup(&c->arena, items, (size_t)(end - items));
}

/* --- what it tells ------------------------------------------------------------------------- */

/* From now on, through another process, byte for byte what the feed has; the id is the cursor after the event. */
TEST(test_live)
{
	const char *id, *before = feed_create_person(&ada, "Before"), *start;
	struct sse s;
	struct feed_page page;

	sse_init(&s);
	assert_int_equal(sse_open(&s, servers[0]->base, rig.ben.key, stream), 200);
	assert_int_equal(sse_next(&s, SOON_MS), SSE_FRAME);
	assert_string_equal(sse_header(&s, "Content-Type"), "text/event-stream");
	assert_string_equal(sse_header(&s, "Cache-Control"), "no-store");
	assert_string_equal(sse_header(&s, "X-Accel-Buffering"), "no");
	assert_non_null(sse_header(&s, "X-Request-Id"));
	assert_null(sse_header(&s, "Content-Length"));
	assert_null(sse_header(&s, "ETag"));
	assert_true(s.retry_ms > 0);
	start = arena_dupz(&ada.arena, s.last_id);
	id = feed_create_person(&ada, "Live");
	assert_int_equal(sse_next_event(&s, SOON_MS), SSE_EVENT);
	while (strstr(s.data.data, before)) /* "now" may stand a moment before it */
		assert_int_equal(sse_next_event(&s, SOON_MS), SSE_EVENT);
	assert_string_equal(s.type, "person.created");
	assert_non_null(strstr(s.data.data, id));
	caller_turn(&ben, servers[0]->base); /* whose address is in the event */
	assert_non_null(strstr(feed_text(&ben, start), s.data.data));
	caller_turn(&ben, servers[1]->base);
	page = feed_get(&ben, s.last_id, 100, 0);
	caller_good(page.answer);
	assert_int_equal(page.n, 0);
	sse_free(&s);
}

/* Behind what the header says was read; it is newer than the parameter, which stays in the address. */
TEST(test_goes_on)
{
	const char *ids[4];
	char target[1024], second[SSE_TEXT_MAX];
	struct sse s;

	sse_begin(&s, &ada, servers[0]->base, rig.ada.key, stream);
	snprintf(target, sizeof target, "%s?after=%s", stream, s.last_id);
	for (int i = 0; i < 4; i++)
		ids[i] = feed_create_person(&ada, "Numbered");
	for (int i = 0; i < 2; i++)
		sse_expect(&s, "person.created", ids[i]);
	snprintf(second, sizeof second, "%s", s.last_id);
	for (int i = 2; i < 4; i++)
		sse_expect(&s, "person.created", ids[i]);
	snprintf(s.last_id, sizeof s.last_id, "%s", second);
	assert_int_equal(sse_open(&s, servers[1]->base, rig.ada.key, target), 200);
	for (int i = 2; i < 4; i++)
		sse_expect(&s, "person.created", ids[i]);
	*s.last_id = '\0';
	assert_int_equal(sse_open(&s, servers[1]->base, rig.ada.key, target), 200);
	for (int i = 0; i < 4; i++)
		sse_expect(&s, "person.created", ids[i]);
	sse_free(&s);
}

/* A stream with "wait" ends properly by itself. HTTP/1.0 gets it without chunks, HEAD without a body. A stream can be
 * the history of one record. */
TEST(test_ends)
{
	const char *id = feed_create_person(&ada, "One"), *other = feed_create_person(&ada, "Two");
	char target[1024];
	struct sse s;
	enum sse_news news;
	int n = 0;

	sse_begin(&s, &ada, servers[0]->base, rig.ada.key, "/v1/events/stream?wait=1");
	assert_int_equal(sse_next(&s, SOON_MS), SSE_END);
	snprintf(target, sizeof target, "%s?wait=0&record=%s", stream, other);
	*s.last_id = '\0';
	assert_int_equal(sse_open(&s, servers[0]->base, rig.ada.key, target), 200);
	assert_int_equal(sse_next_event(&s, SOON_MS), SSE_END);
	snprintf(target, sizeof target, "%s?record=%s&wait=0", stream, id);
	snprintf(s.last_id, sizeof s.last_id, "%s", feed_get(&ada, "", 1, 0).cursor);
	assert_int_equal(sse_open_as(&s, servers[0]->base, rig.ada.key, "GET", target, "1.0", false), 200);
	assert_null(sse_header(&s, "Transfer-Encoding"));
	sse_expect(&s, "person.created", id);
	assert_int_equal(sse_next_event(&s, SOON_MS), SSE_END);
	*s.last_id = '\0';
	assert_int_equal(
	    sse_open_as(&s, servers[0]->base, rig.ada.key, "HEAD", "/v1/events/stream?wait=30", "1.1", false), 200);
	assert_string_equal(sse_header(&s, "Content-Type"), "text/event-stream");
	while ((news = sse_next(&s, SOON_MS)) == SSE_FRAME)
		n++;
	assert_int_not_equal(news, SSE_SILENT); /* it does not wait either */
	assert_int_equal(n, 0);
	assert_int_equal((int)s.raw.len, 0);
	sse_free(&s);
}

/* --- once each ------------------------------------------------------------------------------- */

struct writers {
	char ids[WRITERS][WRITES][ID_SIZE];
	atomic_int done;
};

static void write_many(void *ctx, int i)
{
	struct writers *w = ctx;
	struct caller c;

	caller_init(&c, servers[1]->base, rig.ada.key);
	for (int k = 0; k < WRITES; k++)
		snprintf(w->ids[i][k], ID_SIZE, "%s", feed_create_person(&c, "Busy"));
	caller_free(&c);
	atomic_fetch_add(&w->done, 1);
}

static void *write_all(void *ctx)
{
	caller_crowd_run(WRITERS, write_many, ctx);
	return NULL;
}

static int count_event(const struct sse *s, char (*seen)[64], int n)
{
	const char *id = strstr(s->data.data, "\"id\":\"evt_");

	assert_non_null(id);
	for (int i = 0; i < n; i++)
		if (strncmp(seen[i], id, 46) == 0)
			fail_msg("%.46s came twice", id);
	snprintf(seen[n], 64, "%.46s", id);
	return n + 1;
}

/* While others write: connections that are cut, both servers, and restarts of the one that the stream is from. */
TEST(test_once_each)
{
	struct writers *w = calloc(1, sizeof *w);
	char(*seen)[64] = calloc(EVENTS + 1, sizeof *seen);
	int n = 0, opened = 0, restarts = 0;
	struct sse s;
	pthread_t thread;
	char start[SSE_TEXT_MAX];

	sse_begin(&s, &ada, servers[0]->base, rig.ben.key, stream);
	snprintf(start, sizeof start, "%s", s.last_id);
	pthread_create(&thread, NULL, write_all, w);
	for (int64_t until_us = patience_ms(60000); n < EVENTS && clock_mono_us() < until_us;) {
		enum sse_news news = sse_next_event(&s, SOON_MS);
		if (news == SSE_EVENT && (n = count_event(&s, seen, n)) % CUTS != 0)
			continue;
		assert_true(news == SSE_EVENT || news == SSE_END);
		if (n > EVENTS / 4 * (restarts + 1) && restarts < 2) {
			restarts++;
			assert_true(server_stop(servers[0]));
			servers[0] = rig_serve(&rig, false, NULL);
		}
		assert_int_equal(sse_open(&s, servers[opened++ % 2]->base, rig.ben.key, stream), 200);
	}
	pthread_join(thread, NULL);
	assert_int_equal(n, EVENTS);
	assert_int_equal(restarts, 2);
	for (int i = 0; i < n; i += 100) { /* in the order of the feed */
		struct feed_page page = feed_get(&ben, start, 100, 0);
		caller_good(page.answer);
		for (size_t k = 0; k < page.n; k++)
			assert_memory_equal(page.items[k].id, seen[i + (int)k] + 6, 40);
		snprintf(start, sizeof start, "%s", page.cursor);
	}
	sse_free(&s);
	free(seen);
	free(w);
}

/* The end of a server is a proper end, with a time to come again. */
TEST(test_stop)
{
	struct server_process *third = rig_serve(&rig, false, NULL);
	struct sse s;
	enum sse_news news;
	const char *id;

	sse_init(&s);
	sse_to_end(&s, &ada);
	assert_int_equal(sse_open(&s, third->base, rig.ada.key, stream), 200);
	assert_int_equal(sse_next(&s, SOON_MS), SSE_FRAME);
	s.retry_ms = -1;
	int64_t began_us = clock_mono_us();
	assert_true(server_stop(third));
	assert_true(clock_mono_us() - began_us < 20 * 1000000); /* 25 s if it waits for the stream */
	while ((news = sse_next(&s, SOON_MS)) == SSE_FRAME)
		;
	assert_int_equal(news, SSE_END);
	assert_in_range(s.retry_ms, 1, 10000);
	id = feed_create_person(&ada, "Meanwhile");
	assert_int_equal(sse_open(&s, servers[0]->base, rig.ada.key, stream), 200);
	sse_expect(&s, "person.created", id);
	sse_free(&s);
}

/* The database goes away and comes again: the same stream goes on. */
TEST(test_database)
{
	struct sse s;
	const char *id;

	sse_begin(&s, &ada, servers[0]->base, rig.ada.key, stream);
	id = feed_create_person(&ada, "Before");
	sse_expect(&s, "person.created", id);
	assert_true(cluster_restart(rig.cluster, true));
	int64_t until_us = patience_ms(SOON_MS);
	struct caller_answer a;
	do {
		a = SEND("POST", "{\"firstName\": \"After\"}", "/v1/people");
	} while (a.status != 200 && patience_pause(until_us));
	caller_good(a);
	sse_expect(&s, "person.created", a.id);
	sse_free(&s);
}

/* The same in the middle of much that is to be read: nothing is lost, nothing comes twice. */
TEST(test_database_between)
{
	struct sse s;
	char target[1024];
	enum sse_news news;
	int n = 0;

	sse_begin(&s, &ada, servers[0]->base, rig.ada.key, stream);
	snprintf(target, sizeof target, "%s?after=%s", stream, s.last_id);
	rows_make_events(OLD_EVENTS, OLD_BYTES);
	*s.last_id = '\0';
	assert_int_equal(sse_open(&s, servers[0]->base, rig.ada.key, target), 200);
	assert_int_equal(sse_next_event(&s, SOON_MS), SSE_EVENT);
	n++;
	assert_true(cluster_halt(rig.cluster, true));
	while ((news = sse_next_event(&s, 1500)) == SSE_EVENT)
		n++;
	assert_int_equal(news, SSE_SILENT);
	assert_true(n < OLD_EVENTS); /* more than sockets hold */
	assert_true(cluster_go(rig.cluster));
	while (n < OLD_EVENTS && sse_next_event(&s, SOON_MS) == SSE_EVENT)
		n++;
	assert_int_equal(n, OLD_EVENTS);
	if (sse_next_event(&s, 300) == SSE_EVENT)
		fail_msg("one more: %.300s", s.data.data);
	sse_free(&s);
}

/* The database fails in the middle of a page, whose first part was read: all of it comes, once. */
TEST(test_failed_page)
{
	enum { ROWS = 150, HIDDEN = 10, SHOWN = ROWS - HIDDEN + 1 };
	struct sse s;
	int n = 0;

	struct server_process *third = rig_serve_faulty(&rig, false, NULL);
	sse_init(&s);
	sse_to_end(&s, &ada);
	assert_int_equal(sse_open(&s, third->base, rig.ben.key, stream), 200);
	rig_write(rig.orders, "feed_more 1 error\n");
	rows_change(
	    "insert into events (workspace_id, id, type, record_id, audience) select '%s', gen_random_uuid(), "
	    "'person.deleted', gen_random_uuid(), case when n %% %d = 0 then '{}'::uuid[] end from generate_series(1, "
	    "%d) n",
	    rig.workspace.id + 4, ROWS / HIDDEN, ROWS);
	/* A write of the program wakes the stream. */
	MAKE("{\"firstName\":\"Wake\"}", "/v1/people");
	while (sse_next_event(&s, n < SHOWN ? SOON_MS : 300) == SSE_EVENT)
		n++;
	assert_int_equal(n, SHOWN);
	assert_true(server_stop(third));
	sse_free(&s);
}

/* --- rights ---------------------------------------------------------------------------------- */

static void set_member(const char *group, const char *method)
{
	const char *target = TEXT("/v1/groups/%s/members%s%s", group, strcmp(method, "POST") == 0 ? "" : "/",
	    strcmp(method, "POST") == 0 ? "" : rig.ben.id);

	caller_good(caller_sendf(&ada, method, target, NULL,
	    strcmp(method, "POST") == 0 ? "{\"id\": \"%s\", \"role\": \"reader\"}" : "{}", rig.ben.id));
}

/* Private groups, as the user may see them at that moment; other workspaces not at all. */
TEST(test_rights)
{
	struct test_user stranger = rig_stranger(&rig, "elsewhere");
	const char *group = POST("{\"name\": \"Secret\", \"visibility\": \"private\"}", "/v1/groups"),
	           *person = feed_create_person(&ada, "Known"), *shown;
	struct sse mine, other;

	sse_init(&other);
	assert_int_equal(sse_open(&other, servers[0]->base, stranger.key, stream), 200);
	assert_int_equal(sse_next(&other, SOON_MS), SSE_FRAME);
	sse_begin(&mine, &ada, servers[0]->base, rig.ben.key, stream);
	for (int i = 0; i < 3; i++) {
		if (i == 1)
			set_member(group, "POST");
		if (i == 2)
			set_member(group, "DELETE");
		caller_good(caller_sendf(&ada, "PATCH", TEXT("/v1/people/%s", person), NULL, "{\"groups\": [%s%s%s]}",
		    i == 1 ? "" : "{\"id\": \"", i == 1 ? "" : group, i == 1 ? "" : "\"}"));
		shown = feed_create_person(&ada, "Public");
		if (i == 1)
			sse_expect(&mine, "person.groups_updated", person);
		do {
			assert_int_equal(sse_next_event(&mine, SOON_MS), SSE_EVENT);
			assert_string_equal(mine.type, "person.created");
		} while (!strstr(mine.data.data, shown));
	}
	assert_int_equal(sse_open(&mine, servers[0]->base, stranger.key, stream), 422);
	*mine.last_id = '\0';
	assert_int_equal(sse_open(&mine, servers[0]->base, "kith_nothing", stream), 401);
	assert_int_equal(sse_next(&other, 100), SSE_SILENT);
	sse_free(&mine);
	sse_free(&other);
}

/* A key that is revoked gets no further event: the stream ends instead. */
TEST(test_revoked)
{
	const char *id, *key, *out;
	struct sse s, still;
	struct arena a;

	arena_init(&a);
	key = api_key_create(rig.program, &a, rig.ben.id, true, &id);
	sse_begin(&s, &ada, servers[0]->base, key, stream);
	sse_begin(&still, &ada, servers[0]->base, rig.ben.key, stream);
	assert_int_equal(command_run(rig.program, &a, (const char *const[]){"key", "revoke", id, NULL}, &out), 0);
	id = feed_create_person(&ada, "Too late");
	sse_expect(&still, "person.created", id);
	assert_int_equal(sse_next_event(&s, SOON_MS), SSE_END);
	assert_int_equal(sse_open(&s, servers[0]->base, key, stream), 401);
	sse_free(&s);
	sse_free(&still);
	arena_free(&a);
}
