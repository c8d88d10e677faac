/* Imports through two processes, while one of them is killed again and again. Batches are sent under keys until they
 * are answered. Every record then exists once, with its time in its id, with its event, and with exact counters. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/clock.h"
#include "test/lib/db/consistency.h"
#include "test/lib/flow.h"
#include "test/lib/patience.h"

enum { CLIENTS = 6, ROUNDS = 4, EACH = 12, PEOPLE = 5, ANSWER_MS = 60000, BODY_MAX = 1 << 20 };

static struct server_process *mortal;
static const char *people[PEOPLE];

static const struct import_kind {
	const char *target, *table, *column;
	const char *member, *rest; /* the member with the record's text; further members, behind the entity */
} kinds[] = {
    {"/v1/people/batch/create", "people", "first_name", "firstName", ""},
    {"/v1/notes/batch/create", "notes", "content", "content", ",\"visibility\":\"private\""},
    {"/v1/tasks/batch/create", "tasks", "title", "title", ",\"dueAt\":\"2026-01-01\""},
    {"/v1/interactions/batch/create", "interactions", "title", "title",
        ",\"dateTime\":\"2026-01-01T00:00:00Z\",\"activityType\":\"call\""},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct importer {
	struct caller caller;
	int number, round;
	bool failed;
};

static struct importer importers[CLIENTS];
static const char *company;

/* Records of any times since 1970, by ben. */
static void write_batch(struct buf *b, const struct importer *m, const struct import_kind *k, int batch)
{
	char text[64], time[TIME_TEXT_SIZE];

	buf_addz(b, "{\"records\":[");
	for (int i = 0; i < EACH; i++) {
		int64_t ms =
		    (INT64_C(7919) * (m->number + 1) * (batch + 1) * (i % 4 + 1) * 1000003) % INT64_C(1700000000000);
		snprintf(text, sizeof text, "import %d %d %d %d", m->round, m->number, batch, i);
		buf_printf(b, "%s{\"%s\":\"%s\"%s", i ? "," : "", k->member, text, k->rest);
		if (k == kinds)
			buf_printf(b, ",\"companies\":[{\"id\":\"%s\"}]", company);
		else
			buf_printf(b, ",\"entity\":{\"id\":\"%s\"}", people[(m->number + i) % PEOPLE]);
		buf_printf(
		    b, ",\"createdAt\":\"%s\",\"createdBy\":{\"id\":\"%s\"}}", time_format(ms, time), rig.ben.id);
	}
	buf_addz(b, "]}");
}

/* Sends it until it is answered; where the server has gone, to the other one. */
static void send_batch(struct importer *m, const struct import_kind *k, int batch)
{
	int64_t until_us = patience_ms(ANSWER_MS);
	char once[64];
	struct caller_answer a;
	struct buf b;

	buf_init(&b, BODY_MAX);
	write_batch(&b, m, k, batch);
	snprintf(once, sizeof once, "%s-%d-%d-%d", k->table, m->round, m->number, batch);
	for (;;) {
		a = caller_send(&m->caller, "POST", k->target, once, b.data);
		if (a.status == 0)
			caller_turn(&m->caller, server->base);
		else if (a.status != 409 && a.status != 503)
			break;
		if (!patience_pause(until_us))
			break;
	}
	buf_free(&b);
	if (a.status == 200 && !strstr(a.reply.body, "\"failed\""))
		return;
	m->failed = true;
	fprintf(stderr, "%s: %d %s %.300s\n", once, a.status, a.error, a.reply.body ? a.reply.body : "");
}

/* The last one kills. */
static void run_importer(void *ctx, int i)
{
	(void)ctx;
	if (i == CLIENTS) {
		patience_chance_us(400 * 1000);
		kill(mortal->pid, SIGKILL);
		return;
	}
	for (int batch = 0; batch < KINDS; batch++)
		send_batch(&importers[i], &kinds[(i + batch) % KINDS], batch);
}

/* Imported records of the table, as often as their texts differ. */
static void check_table(const struct import_kind *k, int expected)
{
	static const char begins[] = "('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint";

	assert_int_equal(
	    rig_int(&rig, "select count(*) from %s where %s like 'import %%'", k->table, k->column), expected);
	assert_int_equal(rig_int(&rig, "select count(distinct %s) from %s where %s like 'import %%'", k->column,
	                     k->table, k->column),
	    expected);
	assert_int_equal(rig_int(&rig, "select count(*) from %s where %s like 'import %%' and %s >= 1700000000000",
	                     k->table, k->column, begins),
	    0);
	if (strcmp(k->table, "interactions") != 0)
		assert_int_equal(rig_int(&rig,
		                     "select count(*) from %s where %s like 'import %%' and "
		                     "%s <> (extract(epoch from created_at) * 1000)::bigint",
		                     k->table, k->column, begins),
		    0);
}

TEST(test_killed)
{
	int all = ROUNDS * CLIENTS * EACH; /* of each kind: a client sends a batch of each in a round */

	for (int round = 0; round < ROUNDS; round++) {
		mortal = rig_serve(&rig, false, NULL);
		for (int i = 0; i < CLIENTS; i++) {
			importers[i] = (struct importer){.number = i, .round = round};
			caller_init(&importers[i].caller, (i % 2 ? mortal : server)->base, rig.ada.key);
		}
		caller_crowd_run(CLIENTS + 1, run_importer, NULL);
		assert_true(server_kill(mortal));
		for (int i = 0; i < CLIENTS; i++) {
			caller_free(&importers[i].caller);
			assert_false(importers[i].failed);
		}
	}
	for (int k = 0; k < KINDS; k++)
		check_table(&kinds[k], all);
	assert_int_equal(rig_int(&rig, "select sum(count) from interaction_counts"), all);
	assert_int_equal(
	    rig_int(&rig, "select count(*) from interaction_counts where user_id <> '%s'", rig.ben.id + 4), 0);
	assert_int_equal(
	    rig_int(&rig, "select sum(interaction_numbers[1]) from people where interaction_users is not null"), all);
	assert_int_equal(consistency_broken(rig.program), 0);
	assert_int_equal(consistency_untold(rig.program), 0);
}

/* A list that is read while records are imported into it: each of those that were there before is read once. */
TEST(test_reading)
{
	enum { BEFORE = 30 };
	const char *target = "/v1/companies?limit=7&sort=createdAt";
	char seen[BEFORE] = {0};
	struct caller c;
	int pages = 0;

	caller_init(&c, server->base, rig.ada.key);
	for (int i = 0; i < BEFORE; i++)
		caller_good(caller_sendf(&c, "POST", "/v1/companies", NULL,
		    "{\"name\":\"before %d\",\"createdAt\":\"2010-01-%02dT00:00:00Z\"}", i, i + 1));
	while (target) {
		struct caller_answer a = caller_good(caller_send(&c, "GET", target, NULL, NULL));
		const char *at = a.reply.body;
		while ((at = strstr(at, "\"before "))) {
			int i = (int)strtol(at + 8, NULL, 10);
			assert_in_range(i, 0, BEFORE - 1);
			assert_int_equal(seen[i]++, 0);
			at++;
		}
		at = strstr(a.reply.body, "\"nextLink\":\"");
		at = at ? strstr(at, "/v1/") : NULL;
		target = at ? arena_printf(&c.arena, "%.*s", (int)strcspn(at, "\""), at) : NULL;
		caller_good(caller_sendf(&c, "POST", "/v1/companies/batch/create", NULL,
		    "{\"records\":[{\"name\":\"a %d\",\"createdAt\":\"2009-01-01T00:00:00Z\"},"
		    "{\"name\":\"b %d\",\"createdAt\":\"2010-01-%02dT12:00:00Z\"},"
		    "{\"name\":\"c %d\",\"createdAt\":\"2010-01-%02dT12:00:00Z\"}]}",
		    pages, pages, 1 + pages * 5 % 28, pages, 20 + pages % 10));
		assert_true(++pages < 20);
	}
	for (int i = 0; i < BEFORE; i++)
		assert_int_equal(seen[i], 1);
	caller_free(&c);
}

RIG("imports");

BEFORE_ALL()
{
	for (int i = 0; i < PEOPLE; i++)
		people[i] = arena_dupz(&rig.arena, POST("{}", "/v1/people"));
	company = arena_dupz(&rig.arena, POST("{}", "/v1/companies"));
}
