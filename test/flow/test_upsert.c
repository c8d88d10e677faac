/*
 * Many clients upsert the same things through two servers: each is made once, has everything that was given for it, and
 * no request fails or deadlocks.
 *   UPSERT_ROWS=n    of all clients together
 *   UPSERT_KILLS=n   servers and backends killed meanwhile, in a second run; there clients repeat their requests with
 *                    the same keys
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/json.h"
#include "test/lib/await.h"
#include "test/lib/db/consistency.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/model/deals.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum {
	CLIENTS = 32,
	THINGS = 24,
	EXTRAS = 8,
	BATCH = 10,
	ROWS = 2560,
	ROWS_KILLED = 1280,
	KILLS = 4,
	BODY_MAX = 1 << 20,
	PATIENCE_MS = 60000
};

/* Kinds of things, each with its own way to be found. */
enum upsert_kind { BY_EMAIL, BY_PHONE, BY_COMPANY, BY_NAME, BY_CODE, KINDS };

static unsigned first_thing; /* of this run */
static atomic_int created[KINDS][THINGS];
static atomic_uint given[KINDS][THINGS]; /* which extras were given and answered */

/* Where the servers are; they may be killed and started again. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int generation;
static atomic_int finished; /* clients */

static struct upsert_client {
	struct caller caller;
	uint64_t chance;
	int number, generation, failures, rows;
} clients[CLIENTS];

DEALS("upsert");

BEFORE_ALL()
{
	deals_field("person", "code", "\"type\":\"textField\"");
	deals_field("deal", "code", "\"type\":\"numericField\"");
	deals_field("deal", "extra",
	    "\"type\":\"multipleSelect\",\"options\":[{\"label\":\"0\"},{\"label\":\"1\"},{\"label\":\"2\"},"
	    "{\"label\":\"3\"},{\"label\":\"4\"},{\"label\":\"5\"},{\"label\":\"6\"},{\"label\":\"7\"}]");
}

/* splitmix64 */
static unsigned draw_number(struct upsert_client *c, unsigned below)
{
	uint64_t z = c->chance += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ (z >> 31)) % below);
}

/* --- clients ----------------------------------------------------------------------------------- */

static const char *target_of(struct upsert_client *c, enum upsert_kind kind)
{
	return kind <= BY_PHONE     ? "/v1/people/batch/upsert"
	       : kind == BY_COMPANY ? "/v1/companies/batch/upsert"
	                            : arena_printf(&c->caller.arena, "%s/batch/upsert", deals.target);
}

static const char *const matches[KINDS] = {"emails", "phones", "name", "name", "customFieldValues.code"};

/* The same value is written in several ways. */
static void put_row(struct upsert_client *c, struct buf *b, enum upsert_kind kind, unsigned thing, unsigned extra)
{
	bool other = draw_number(c, 2);

	switch (kind) {
	case BY_EMAIL:
		buf_printf(b, "{\"emails\":[\"%s%u@x.example\",\"e%u-%u@x.example\"],\"firstName\":\"E%u\"}",
		    other ? "E" : "e", thing, thing, extra, thing);
		break;
	case BY_PHONE:
		buf_printf(b,
		    "{\"phones\":[\"9%s%u\"],\"urls\":[\"https://p%u/%u\"],\"companies\":[{\"name\":\"P %u\"}]}",
		    other ? " - " : "", 100 + thing, thing, extra, extra);
		break;
	case BY_COMPANY:
		buf_printf(b, "{\"name\":\"Company %u\",\"urls\":[\"https://c%u/%u\"]}", thing, thing, extra);
		break;
	case BY_NAME:
		buf_printf(b, "{\"name\":\"Deal %u\",\"customFieldValues\":{\"extra\":[\"%u\"]}}", thing, extra);
		break;
	default:
		buf_printf(b, "{\"customFieldValues\":{\"code\":%s,\"extra\":[\"%u\"]}}",
		    arena_printf(&c->caller.arena, other ? "%u" : "\"%u.0\"", thing), extra);
		break;
	}
}

static void follow_servers(struct upsert_client *c)
{
	char base[64];
	int now;

	pthread_mutex_lock(&lock);
	now = generation;
	snprintf(base, sizeof base, "%s", servers[c->number % 2]->base);
	pthread_mutex_unlock(&lock);
	if (now != c->generation)
		caller_turn(&c->caller, base);
	c->generation = now;
}

/* With kills a request is repeated with its key until it has an answer. */
static struct caller_answer send_batch(struct upsert_client *c, enum upsert_kind kind, const char *body, bool killed)
{
	const char *once = killed ? arena_printf(&c->caller.arena, "upsert-%d-%d", c->number, c->rows) : NULL;
	int64_t until_us = patience_ms(PATIENCE_MS);
	struct caller_answer a;

	do {
		follow_servers(c);
		a = caller_send(&c->caller, "POST", target_of(c, kind), once, body);
	} while (killed && (a.status == 0 || a.status == 409 || a.status == 503) && patience_pause(until_us));
	return a;
}

static void upsert_some(struct upsert_client *c, bool killed)
{
	enum upsert_kind kind = (enum upsert_kind)draw_number(c, KINDS);
	unsigned things[BATCH], extras[BATCH], n = 1 + draw_number(c, BATCH);
	const struct json *result;
	struct caller_answer a;
	struct buf b;

	buf_init(&b, BODY_MAX);
	buf_printf(&b, "{\"match\":\"%s\",\"records\":[", matches[kind]);
	for (unsigned i = 0; i < n; i++) {
		buf_addz(&b, i ? "," : "");
		things[i] = draw_number(c, THINGS);
		extras[i] = draw_number(c, EXTRAS);
		put_row(c, &b, kind, first_thing + things[i], extras[i]);
	}
	buf_addz(&b, "]}");
	a = send_batch(c, kind, b.data, killed);
	buf_free(&b);
	c->rows += (int)n;
	if (a.status != 200) {
		c->failures++;
		fprintf(
		    stderr, "client %d: %d %s %s\n", c->number, a.status, a.error, a.reply.body ? a.reply.body : "");
		return;
	}
	result = json_member(caller_data(&c->caller.arena, a), "results")->first;
	for (unsigned i = 0; i < n; i++, result = result->next) {
		const struct json *operation = json_member(result, "operation");
		if (!operation) {
			c->failures++;
			fprintf(stderr, "client %d: %s\n", c->number, a.reply.body);
			return;
		}
		atomic_fetch_or(&given[kind][things[i]], 1u << extras[i]);
		if (strcmp(operation->text, "created") == 0)
			atomic_fetch_add(&created[kind][things[i]], 1);
	}
}

/* --- kills ---------------------------------------------------------------------------------------- */

static void kill_server(int i)
{
	struct server_process *next;

	kill(servers[i]->pid, SIGKILL);
	next = rig_serve(&rig, false, NULL);
	pthread_mutex_lock(&lock);
	assert_true(server_kill(servers[i]));
	servers[i] = next;
	generation++;
	pthread_mutex_unlock(&lock);
}

static void kill_some(int kills)
{
	for (int i = 0; i < kills && finished < CLIENTS; i++) {
		patience_chance_us(200000);
		if (patience_chance(3))
			kill_server((int)patience_chance(2));
		else
			rig_int(&rig, "select count(pg_terminate_backend(pid)) from pg_stat_activity where "
			              "application_name = 'kith' and random() < 0.7");
	}
}

struct upsert_run {
	int rows, kills;
};

static void be_busy(void *ctx, int i)
{
	const struct upsert_run *run = ctx;
	struct upsert_client *c = &clients[i];

	while (c->rows < run->rows / CLIENTS && c->failures == 0)
		upsert_some(c, run->kills > 0);
	atomic_fetch_add(&finished, 1);
}

static void *run_clients(void *ctx)
{
	caller_crowd_run(CLIENTS, be_busy, ctx);
	return NULL;
}

/* --- what there must be ------------------------------------------------------------------------------ */

/* Rows with the thing's value, whatever else they have. */
static const char *rows_with(enum upsert_kind kind, unsigned thing)
{
	struct arena *a = &rig.arena;

	switch (kind) {
	case BY_EMAIL:
		return arena_printf(a, "people where kith_fold_items(emails) && array['e%u@x.example']", thing);
	case BY_PHONE:
		return arena_printf(a, "people where kith_phone_keys(phones) && array['9%u']", 100 + thing);
	case BY_COMPANY:
		return arena_printf(a, "companies where name = 'Company %u'", thing);
	case BY_NAME:
		return arena_printf(a, "objects o where name = 'Deal %u'", thing);
	default:
		return arena_printf(a,
		    "objects o join field_values n on n.workspace_id = o.workspace_id and n.owner_id = o.id where "
		    "n.number_value = %u",
		    thing);
	}
}

#define VALUES_OF "(select count(*) from field_values v where v.workspace_id = o.workspace_id and v.owner_id = o.id)"

/* How many extras it has, and that it has nothing twice. */
static const char *const extras_of[KINDS] = {"cardinality(emails)",
    "cardinality(phones) = 1 and cardinality(company_ids) = cardinality(urls) and cardinality(urls)",
    "cardinality(urls)", VALUES_OF, VALUES_OF};

static void check_thing(enum upsert_kind kind, unsigned thing)
{
	int extras = __builtin_popcount(given[kind][thing]);
	bool any = extras > 0;
	const char *rows = rows_with(kind, first_thing + thing);

	assert_int_equal(created[kind][thing], any);
	assert_rows(any, "%s", rows);
	extras += kind == BY_EMAIL || kind == BY_CODE; /* the value itself is in the same list */
	if (any)
		assert_rows(1, "%s and %s = %d", rows, extras_of[kind], extras);
}

static void meet_rows(struct upsert_run run)
{
	int failures = 0, rows = 0;
	int64_t deadlocks;
	pthread_t thread;

	memset(clients, 0, sizeof clients);
	memset(created, 0, sizeof created);
	memset(given, 0, sizeof given);
	finished = 0;
	first_thing += THINGS;
	for (int i = 0; i < CLIENTS; i++) {
		clients[i].number = i;
		clients[i].chance = (uint64_t)i + 1;
		clients[i].generation = generation;
		caller_init(&clients[i].caller, servers[i % 2]->base, rig.ada.key);
	}
	assert_int_equal(pthread_create(&thread, NULL, run_clients, &run), 0);
	kill_some(run.kills); /* here, because a server ends with the thread that started it */
	pthread_join(thread, NULL);
	for (int i = 0; i < CLIENTS; i++) {
		failures += clients[i].failures;
		rows += clients[i].rows;
		caller_free(&clients[i].caller);
	}
	deadlocks = rig_int(&rig, "select deadlocks from pg_stat_database where datname = current_database()");
	print_message("%d rows, %d failures, %lld deadlocks\n", rows, failures, (long long)deadlocks);
	assert_int_equal(failures, 0);
	assert_int_equal(deadlocks, 0);
	for (enum upsert_kind kind = 0; kind < KINDS; kind++)
		for (unsigned thing = 0; thing < THINGS; thing++)
			check_thing(kind, thing);
	assert_int_equal(consistency_broken(rig.program), 0);
	assert_int_equal(consistency_untold(rig.program), 0);
}

TEST(test_meeting_rows)
{
	meet_rows((struct upsert_run){rig_setting("UPSERT_ROWS", ROWS), 0});
}

TEST(test_meeting_rows_killed)
{
	meet_rows((struct upsert_run){rig_setting("UPSERT_ROWS", ROWS_KILLED), rig_setting("UPSERT_KILLS", KILLS)});
	caller_turn(&ada, servers[0]->base); /* the servers are others now */
}

/* --- many records ------------------------------------------------------------------------------------ */

/* Names of objects are looked up while locks are held: by an index of their own. */
TEST(test_names_of_objects)
{
	const char *used =
	    "select coalesce(max(idx_scan), 0) from pg_stat_user_indexes where indexrelname = 'objects_name'";
	int64_t before;

	rig_int(&rig, "insert into objects (workspace_id, id, group_id, type_id, name, created_at, created_by, "
	              "updated_at) select t.workspace_id, gen_random_uuid(), t.group_id, t.id, 'Many ' || k, now(), "
	              "u.id, now() from object_types t join users u on u.workspace_id = t.workspace_id and u.email "
	              "like 'ada%%', generate_series(1, 3000) k; analyze objects; select 1");
	caller_turn(&ada, servers[0]->base);
	before = rig_int(&rig, "%s", used);
	assert_non_null(strstr(deals_post(arena_printf(&rig.arena, "%s/batch/upsert", deals.target),
	                           "{\"match\":\"name\",\"records\":[{\"name\":\"Many 77\"}]}")
	                           .reply.body,
	    "\"operation\":\"unchanged\""));
	await_true(rig_int(&rig, "%s", used) != before);
}

/* --- round trips --------------------------------------------------------------------------------- */

static struct caller_answer upsert_all(int n, const char *title)
{
	struct buf b;
	struct caller_answer a;

	buf_init(&b, BODY_MAX);
	for (int i = 0; i < n; i++)
		buf_printf(&b,
		    "%s{\"emails\":[\"round%d@x.example\"],\"jobTitle\":\"%s\",%s,\"companies\":[{\"name\":\"C%d\"}]}",
		    i ? "," : "{\"match\":\"emails\",\"records\":[", i, title, deals.in_group, i);
	buf_addz(&b, "]}");
	a = deals_post("/v1/people/batch/upsert", b.data);
	buf_free(&b);
	assert_null(strstr(a.reply.body, "\"failed\""));
	return a;
}

TEST(test_constant_round_trips_of_upserts)
{
	struct caller_answer one = upsert_all(1, "one"), all = upsert_all(100, "all"), again = upsert_all(100, "again");
	int trips = deals_exchanges(&one);

	assert_int_equal(deals_exchanges(&all), trips);
	assert_int_equal(deals_exchanges(&again), trips);
	assert_rows(100, "people where job_title = 'again'");
	assert_rows(100, "people where emails[1] like 'round%%'");
}
