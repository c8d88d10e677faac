/* ETag and If-Match under concurrency: no change of a record is lost, and every 412 is true. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/json.h"
#include "test/lib/flow.h"
#include "test/lib/patience.h"

enum { CLIENTS = 64, RECORDS = 10, PAIR = 2, TWINS = 32, ROUNDS_OF_CALLER = 50, WAIT_MS = 60000 };

RIG("etag", .servers = 2);

static const char *post_one(const char *path, const char *body)
{
	return TEXT("%s/%s", path, caller_good(caller_send(&ada, "POST", path, NULL, body)).id);
}

/* --- read, modify, write ---------------------------------------------------------------- */

/* A record with a counter: a text member that holds "n" and a number. */
struct counted {
	const char *target, *member;
	int64_t first; /* its first tag */
};

/* The result of one read, modify, write. */
struct counted_try {
	int record;
	bool done;
	int64_t expected, present; /* the tag in the condition, and in the answer */
};

static struct {
	struct counted records[RECORDS];
	int rounds;
	struct counted_try *outcomes; /* rounds for each client */
	atomic_int odd;               /* answers that should not be */
} counting;

static void make_counted(void)
{
	const char *group = POST("{\"name\":\"G\",\"visibility\":\"public\"}", "/v1/groups");
	const char *entity = POST("{}", "/v1/people");
	const char *deals = TEXT("/v1/groups/%s/Deal", group);
	const struct {
		const char *path, *member, *rest;
		int n;
	} kinds[] = {
	    {"/v1/people", "jobTitle", "\"firstName\":\"p\"", 2},
	    {"/v1/companies", "industry", "\"description\":\"c\"", 2},
	    {deals, "name", "\"people\":[]", 2},
	    {"/v1/notes", "content", TEXT("\"entity\":{\"id\":\"%s\"},\"visibility\":\"public\"", entity), 1},
	    {"/v1/tasks", "title", TEXT("\"entity\":{\"id\":\"%s\"},\"dueAt\":\"2030-01-01\"", entity), 2},
	    {"/v1/reminders", "name",
	        TEXT("\"entity\":{\"id\":\"%s\"},\"visibility\":\"private\",\"recurrenceRule\":"
	             "\"DTSTART;TZID=Europe/Berlin:20300105T090000\\nRRULE:FREQ=WEEKLY\"",
	            entity),
	        1},
	};
	int made = 0;

	MAKE("{\"name\":\"Deal\"}", "/v1/groups/%s/object-types", group);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (int i = 0; i < kinds[k].n; i++) {
			struct counted *c = &counting.records[made++];
			c->member = kinds[k].member;
			c->target = post_one(kinds[k].path, TEXT("{\"%s\":\"n0\",%s}", c->member, kinds[k].rest));
			struct caller_answer a = caller_get(&ada, c->target);
			c->first = caller_tag(&a);
			assert_true(c->first > 0);
		}
	assert_int_equal(made, RECORDS);
}

/* The counter in an answer, -1 without one. */
static int counter_of(const struct counted *c, const struct caller_answer *a)
{
	char start[64];
	const char *at;

	snprintf(start, sizeof start, "\"%s\":\"n", c->member);
	at = strstr(a->reply.body, start);
	return at ? (int)strtol(at + strlen(start), NULL, 10) : -1;
}

static void read_modify_write(struct caller *c, struct counted_try *out)
{
	const struct counted *record = &counting.records[out->record];
	struct caller_answer seen = caller_send(c, "GET", record->target, NULL, NULL), a;
	int count = counter_of(record, &seen);

	c->if_match = client_header(&seen.reply, "ETag");
	a = caller_sendf(c, "PATCH", record->target, NULL, "{\"%s\":\"n%d\"}", record->member, count + 1);
	c->if_match = NULL;
	out->expected = caller_tag(&seen);
	out->present = caller_tag(&a);
	out->done = a.status == 200;
	if (count < 0 || (out->done ? counter_of(record, &a) != count + 1
	                            : a.status != 412 || strcmp(a.code, "PRECONDITION_FAILED") != 0)) {
		fprintf(stderr, "%s after %d: %d %s %s\n", record->target, count, a.status, a.error, a.reply.body);
		atomic_fetch_add(&counting.odd, 1);
	}
}

static void count_up(void *ctx, int i)
{
	struct caller c = {NULL};

	(void)ctx;
	for (int n = 0; n < counting.rounds; n++) {
		struct counted_try *out = &counting.outcomes[i * counting.rounds + n];
		if (n % ROUNDS_OF_CALLER == 0)
			caller_init(&c, servers[(i + n / ROUNDS_OF_CALLER) % 2]->base, rig.ada.key);
		out->record = (i + n) % RECORDS;
		read_modify_write(&c, out);
		if (n + 1 == counting.rounds || (n + 1) % ROUNDS_OF_CALLER == 0)
			caller_free(&c);
	}
}

static int compare_outcomes(const void *left, const void *right)
{
	const struct counted_try *a = left, *b = right;

	return (a->present > b->present) - (a->present < b->present);
}

/* The changes of a record form one chain from its first tag, each made from the state that the one before left; a 412
 * names a later link of it than was expected. Returns the number of changes. */
static int judge_record(int record, int n)
{
	struct counted_try *chain = test_calloc((size_t)n + 1, sizeof *chain);
	int links = 0;

	chain[links++].present = counting.records[record].first;
	for (int i = 0; i < n; i++)
		if (counting.outcomes[i].record == record && counting.outcomes[i].done)
			chain[links++] = counting.outcomes[i];
	qsort(chain, (size_t)links, sizeof *chain, compare_outcomes);
	for (int i = 1; i < links; i++) {
		assert_true(chain[i].present > chain[i - 1].present);
		assert_int_equal(chain[i].expected, chain[i - 1].present);
	}
	for (int i = 0; i < n; i++) {
		const struct counted_try *o = &counting.outcomes[i];
		if (o->record != record || o->done)
			continue;
		assert_true(o->present > o->expected);
		assert_non_null(bsearch(o, chain, (size_t)links, sizeof *chain, compare_outcomes));
	}
	test_free(chain);
	return links - 1;
}

TEST(test_no_lost_update)
{
	int n, changes = 0;

	counting.rounds = rig_setting("ETAG_ROUNDS", 20);
	n = CLIENTS * counting.rounds;
	counting.outcomes = test_calloc((size_t)n, sizeof *counting.outcomes);
	make_counted();
	caller_crowd_run(CLIENTS, count_up, NULL);
	assert_int_equal(counting.odd, 0);
	for (int r = 0; r < RECORDS; r++) {
		struct caller_answer a = caller_get(&ada, counting.records[r].target);
		int made = judge_record(r, n);
		assert_int_equal(counter_of(&counting.records[r], &a), made);
		assert_true(made > 0);
		changes += made;
	}
	assert_true(changes < n); /* there was something to refuse */
	test_free(counting.outcomes);
}

/* --- in batches ---------------------------------------------------------------------------- */

static struct {
	const char *targets[PAIR], *ids[PAIR];
	atomic_int done[PAIR], refused, odd;
	int rounds;
} pairs;

/* Both records in one batch, each on its own condition. */
static void count_pair(void *ctx, int i)
{
	struct caller c;

	(void)ctx;
	caller_init(&c, servers[i % 2]->base, rig.ada.key);
	for (int n = 0; n < pairs.rounds; n++) {
		const struct counted counted = {.member = "jobTitle"};
		const char *parts[PAIR], *error;
		for (int k = 0; k < PAIR; k++) {
			struct caller_answer seen = caller_send(&c, "GET", pairs.targets[k], NULL, NULL);
			const char *tag = client_header(&seen.reply, "ETag");
			parts[k] = arena_printf(&c.arena,
			    "{\"id\":\"%s\",\"ifMatch\":\"\\\"%.*s\\\"\",\"jobTitle\":\"n%d\"}", pairs.ids[k],
			    tag ? (int)strlen(tag) - 2 : 0, tag ? tag + 1 : "", counter_of(&counted, &seen) + 1);
		}
		struct caller_answer a = caller_send(&c, "POST", "/v1/people/batch/update", NULL,
		    arena_printf(&c.arena, "{\"records\":[%s,%s]}", parts[i % 2], parts[1 - i % 2]));
		const struct json *body = json_read(&c.arena, a.reply.body, a.reply.body_len, &error);
		const struct json *results = json_member(json_member(body, "data"), "results");
		for (int k = 0; k < PAIR; k++) {
			const struct json *result = results ? k ? results->first->next : results->first : NULL;
			const struct json *status = json_member(result, "status"),
			                  *code = json_member(json_member(result, "error"), "code");
			if (status && strcmp(status->text, "succeeded") == 0)
				atomic_fetch_add(&pairs.done[(i + k) % 2], 1);
			else
				atomic_fetch_add(code && strcmp(code->text, "PRECONDITION_FAILED") == 0 ? &pairs.refused
				                                                                        : &pairs.odd,
				    1);
		}
	}
	caller_free(&c);
}

TEST(test_batches)
{
	const struct counted counted = {.member = "jobTitle"};

	pairs.rounds = rig_setting("ETAG_ROUNDS", 20);
	for (int k = 0; k < PAIR; k++) {
		pairs.targets[k] = post_one("/v1/people", "{\"jobTitle\":\"n0\"}");
		pairs.ids[k] = pairs.targets[k] + strlen("/v1/people/");
	}
	caller_crowd_run(CLIENTS / 8, count_pair, NULL);
	assert_int_equal(pairs.odd, 0);
	assert_true(pairs.refused > 0);
	for (int k = 0; k < PAIR; k++) {
		struct caller_answer a = caller_get(&ada, pairs.targets[k]);
		assert_int_equal(counter_of(&counted, &a), pairs.done[k]);
		assert_true(pairs.done[k] > 0);
	}
}

/* --- with a key ------------------------------------------------------------------------------ */

static struct {
	struct caller callers[TWINS];
	struct caller_answer answers[TWINS];
	const char *target;
} twins;

static void send_twin(void *ctx, int i)
{
	(void)ctx;
	twins.answers[i] = caller_send(&twins.callers[i], "PATCH", twins.target, "twins", "{\"jobTitle\":\"t\"}");
}

/* What one request changes is no reason to refuse the same request. */
TEST(test_twins)
{
	const char *tag, *changed = NULL;
	int ran = 0;

	twins.target = post_one("/v1/people", "{\"firstName\":\"t\"}");
	struct caller_answer seen = caller_get(&ada, twins.target);
	tag = client_header(&seen.reply, "ETag");
	for (int i = 0; i < TWINS; i++) {
		caller_init(&twins.callers[i], servers[i % 2]->base, rig.ada.key);
		twins.callers[i].if_match = tag;
	}
	caller_crowd_run(TWINS, send_twin, NULL);
	struct caller_answer after = caller_get(&ada, twins.target);
	changed = client_header(&after.reply, "ETag");
	assert_string_not_equal(changed, tag);
	for (int i = 0; i < TWINS; i++) {
		const struct caller_answer *a = &twins.answers[i];
		if (a->status != 200 && a->status != 409)
			fail_msg("twin %d: %d %s", i, a->status, a->reply.body);
		if (a->status == 200)
			assert_string_equal(client_header(&a->reply, "ETag"), changed);
		ran += a->status == 200 && !a->replayed;
		caller_free(&twins.callers[i]);
	}
	assert_int_equal(ran, 1);
}

static struct {
	struct caller callers[2];
	struct caller_answer answers[2];
	const char *target;
} race;

static void race_key(void *ctx, int i)
{
	int64_t until_us = patience_ms(WAIT_MS);

	(void)ctx;
	while (i && !proxy_hit(rig.proxy)) /* the first one's COMMIT is lost by now */
		assert_true(patience_pause(until_us));
	do {
		race.answers[i] = caller_send(&race.callers[i], "PATCH", race.target, "raced", "{\"content\":\"two\"}");
	} while (race.answers[i].status == 409 && patience_pause(until_us));
}

/* The first server's COMMIT never arrives. By the time it asks, the same request has run in the other one, with an
 * answer that differs only in its tag, because notes show no updatedAt. */
TEST(test_tag_after_lost_commit)
{
	const char *person = POST("{}", "/v1/people");

	race.target = post_one(
	    "/v1/notes", TEXT("{\"entity\":{\"id\":\"%s\"},\"content\":\"one\",\"visibility\":\"public\"}", person));
	struct server_process *s = rig_serve_faulty(&rig, true, NULL);
	caller_init(&race.callers[0], s->base, rig.ada.key);
	caller_init(&race.callers[1], servers[0]->base, rig.ada.key);
	rig_write(rig.orders, "outcome 1 sleep=1000\n");
	proxy_set(rig.proxy, PROXY_CUT_BEFORE);
	caller_crowd_run(2, race_key, NULL);
	struct caller_answer after = caller_get(&ada, race.target);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(race.answers[i].status, 200);
		assert_int_equal(caller_tag(&race.answers[i]), caller_tag(&after));
		caller_free(&race.callers[i]);
	}
	unlink(rig.orders);
	assert_true(server_stop(s));
}
