/*
 * Many clients change the same objects, singly and in batches, while contacts, options,
 * fields and groups that these refer to are deleted and created, through two servers.
 * No update is lost, no request fails because of the server, data stored twice agree,
 * and nothing refers to deleted records.
 *   STORM_OPERATIONS=n   of each client
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/json.h"
#include "test/lib/db/consistency.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/model/deals.h"

enum { CLIENTS = 64, OBJECTS = 10, EXTRAS = 10, PEOPLE = 30, COMPANIES = 12, LABELS = 6, BODY_MAX = 1 << 20 };

#define OPTIONS                                                                                                        \
	"\"options\":[{\"label\":\"l0\"},{\"label\":\"l1\"},{\"label\":\"l2\"},{\"label\":\"l3\"},"                    \
	"{\"label\":\"l4\"},{\"label\":\"l5\"}]"

static void make_fields(void)
{
	static const char *const entities[] = {"person", "company", "deal"};

	for (int i = 0; i < 3; i++) {
		deals_field(entities[i], "note", "\"type\":\"textField\"");
		deals_field(entities[i], "who", "\"type\":\"contactField\"");
		deals_field(entities[i], "which", "\"type\":\"objectField\"");
		deals_field(entities[i], "one", "\"type\":\"singleSelect\"," OPTIONS);
		deals_field(entities[i], "many", "\"type\":\"multipleSelect\"," OPTIONS);
		deals_field(entities[i], "fleeting", "\"type\":\"textField\"");
	}
	for (int i = 0; i < CLIENTS; i++) /* a client's own field, in which it counts */
		deals_field("deal", TEXT("own%d", i), "\"type\":\"numericField\"");
}

DEALS("storm");

BEFORE_ALL()
{
	make_fields();
}

/* Things that are deleted and created: a slot has the id of one that exists or existed. */
struct pool {
	const char *target; /* where they are created */
	const char *name;
	int n;
	_Atomic(const char *) ids[PEOPLE];
};

struct storm_client {
	struct caller caller;
	uint64_t chance;
	int number;
	long counted, kept[OBJECTS]; /* in its own field: the last value written, the value each object must have */
	int failures;
};

static struct pool people, companies, extras;
static struct storm_client clients[CLIENTS];
static const char *objects[OBJECTS];
static _Atomic(const char *) passing; /* a group that is deleted and created again */

/* splitmix64 */
static unsigned draw_number(struct storm_client *c, unsigned below)
{
	uint64_t z = c->chance += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ (z >> 31)) % below);
}

static const char *any_of(struct storm_client *c, struct pool *p)
{
	return atomic_load(&p->ids[draw_number(c, (unsigned)p->n)]);
}

/* Any answer is accepted except a failure of the server. */
static struct caller_answer expect_taken(struct storm_client *c, struct caller_answer a)
{
	bool bad =
	    a.status == 0 || a.status >= 500 || strstr(a.reply.body ? a.reply.body : "", "INTERNAL_SERVER_ERROR");

	if (bad) {
		c->failures++;
		fprintf(
		    stderr, "client %d: %d %s %s\n", c->number, a.status, a.error, a.reply.body ? a.reply.body : "");
	}
	return a;
}

static void put_refs(struct storm_client *c, struct buf *b, const char *name, struct pool *first, struct pool *second)
{
	unsigned n = draw_number(c, 4);

	buf_printf(b, ",\"%s\":[", name);
	for (unsigned i = 0; i < n; i++)
		buf_printf(
		    b, "%s{\"id\":\"%s\"}", i ? "," : "", any_of(c, second && draw_number(c, 2) ? second : first));
	buf_addz(b, "]");
}

/* After a first member. */
static void put_values(struct storm_client *c, struct buf *b)
{
	switch (draw_number(c, 6)) {
	case 0:
		buf_printf(b, ",\"note\":\"n%u\"", draw_number(c, 9));
		return;
	case 1:
		put_refs(c, b, "who", &people, &companies);
		return;
	case 2:
		put_refs(c, b, "which", &extras, NULL);
		return;
	case 3:
		buf_printf(b, ",\"one\":\"l%u\"", draw_number(c, LABELS));
		return;
	case 4:
		buf_printf(b, ",\"many\":[\"l%u\",\"l%u\"]", draw_number(c, LABELS), draw_number(c, LABELS));
		return;
	default:
		buf_addz(b, draw_number(c, 2) ? ",\"fleeting\":\"f\"" : ",\"fleeting\":null");
		return;
	}
}

/* Members of an object's update; plain: none of them can fail. */
static void put_object(struct storm_client *c, struct buf *b, bool plain)
{
	buf_printf(b, "\"customFieldValues\":{\"own%d\":%ld", c->number, c->counted);
	if (!plain)
		put_values(c, b);
	buf_addz(b, "}");
	if (draw_number(c, 3) == 0)
		buf_printf(b, ",\"name\":\"n%u\"", draw_number(c, 100));
	if (draw_number(c, 3) == 0)
		put_refs(c, b, "people", &people, NULL);
	if (draw_number(c, 3) == 0)
		put_refs(c, b, "companies", &companies, NULL);
}

static void change_object(struct storm_client *c)
{
	unsigned o = draw_number(c, OBJECTS);
	struct buf b;
	struct caller_answer a;

	buf_init(&b, BODY_MAX);
	buf_addz(&b, "{");
	c->counted++;
	put_object(c, &b, draw_number(c, 2));
	buf_addz(&b, "}");
	a = expect_taken(c, caller_send(&c->caller, "PATCH",
	                        arena_printf(&c->caller.arena, "%s/%s", deals.target, objects[o]), NULL, b.data));
	if (a.status == 200)
		c->kept[o] = c->counted;
	buf_free(&b);
}

/* Several, some of them twice, in any order. */
static void change_objects(struct storm_client *c)
{
	unsigned n = 1 + draw_number(c, 14), o[14];
	const struct json *result;
	struct buf b;
	struct caller_answer a;

	buf_init(&b, BODY_MAX);
	buf_addz(&b, "{\"records\":[");
	c->counted++;
	for (unsigned i = 0; i < n; i++) {
		o[i] = draw_number(c, OBJECTS);
		buf_printf(&b, "%s{\"id\":\"%s\",", i ? "," : "", objects[o[i]]);
		put_object(c, &b, draw_number(c, 3));
		buf_addz(&b, "}");
	}
	buf_addz(&b, "]}");
	a = expect_taken(c, caller_send(&c->caller, "POST",
	                        arena_printf(&c->caller.arena, "%s/batch/update", deals.target), NULL, b.data));
	buf_free(&b);
	if (a.status != 200)
		return;
	result = json_member(caller_data(&c->caller.arena, a), "results")->first;
	for (unsigned i = 0; i < n; i++, result = result->next)
		if (strcmp(json_member(result, "status")->text, "succeeded") == 0)
			c->kept[o[i]] = c->counted;
}

/* One or several are deleted, others replace them. */
static void replace_records(struct storm_client *c, struct pool *p)
{
	unsigned n = draw_number(c, 2) ? 1 : 2 + draw_number(c, 3), at[4];
	struct buf b;

	buf_init(&b, BODY_MAX);
	for (unsigned i = 0; i < n; i++) {
		at[i] = draw_number(c, (unsigned)p->n);
		buf_printf(&b, "%s{\"id\":\"%s\"}", i ? "," : "{\"records\":[", atomic_load(&p->ids[at[i]]));
	}
	buf_addz(&b, "]}");
	if (n == 1)
		expect_taken(c,
		    caller_send(&c->caller, "DELETE",
		        arena_printf(&c->caller.arena, "%s/%s", p->target, atomic_load(&p->ids[at[0]])), NULL, NULL));
	else
		expect_taken(c, caller_send(&c->caller, "POST",
		                    arena_printf(&c->caller.arena, "%s/batch/delete", p->target), NULL, b.data));
	buf_free(&b);
	for (unsigned i = 0; i < n; i++) {
		struct caller_answer a =
		    expect_taken(c, caller_sendf(&c->caller, "POST", p->target, NULL, "{\"%s\":\"m%u-%u\"%s}", p->name,
		                        draw_number(c, 1 << 30), draw_number(c, 1 << 30),
		                        p == &extras ? "" : arena_printf(&c->caller.arena, ",%s", deals.in_group)));
		if (a.status == 200)
			atomic_store(&p->ids[at[i]], a.id);
	}
}

/* A person's or a company's groups, values and, by id and by name, companies. */
static void change_contact(struct storm_client *c)
{
	struct pool *p = draw_number(c, 3) ? &people : &companies;
	struct buf b;

	buf_init(&b, BODY_MAX);
	buf_addz(&b, "{\"description\":\"d\"");
	switch (draw_number(c, 4)) {
	case 0:
		buf_addz(&b, ",\"groups\":[]");
		break;
	case 1:
		buf_printf(&b, ",\"groups\":[{\"id\":\"%s\"},{\"id\":\"%s\"}]", atomic_load(&passing), deals.group);
		break;
	default:
		buf_printf(&b, ",%s,\"customFieldValues\":{\"%s\":{\"note\":\"n\"", deals.in_group, deals.group);
		put_values(c, &b);
		buf_addz(&b, "}}");
		break;
	}
	if (p == &people && draw_number(c, 3) == 0)
		put_refs(c, &b, "companies", &companies, NULL);
	else if (p == &people && draw_number(c, 3) == 0)
		buf_printf(&b, ",\"companies\":[{\"name\":\"named %u\"},{\"name\":\"named %u\"}]", draw_number(c, 9),
		    draw_number(c, 9));
	else if (p == &companies && draw_number(c, 3) == 0)
		buf_printf(&b, ",\"name\":\"named %u\"", draw_number(c, 30));
	buf_addz(&b, "}");
	expect_taken(c, caller_send(&c->caller, "PATCH",
	                    arena_printf(&c->caller.arena, "%s/%s", p->target, any_of(c, p)), NULL, b.data));
	buf_free(&b);
}

static void make_named(struct storm_client *c)
{
	struct buf b;

	buf_init(&b, BODY_MAX);
	for (unsigned i = 0, n = 1 + draw_number(c, 5); i < n; i++)
		buf_printf(
		    &b, "%s{\"name\":\"named %u\",%s}", i ? "," : "{\"records\":[", draw_number(c, 30), deals.in_group);
	buf_addz(&b, "]}");
	expect_taken(c, caller_send(&c->caller, "POST", "/v1/companies/batch/create", NULL, b.data));
	buf_free(&b);
}

/* The id of an option of the field. */
static const char *option_id(struct storm_client *c, const char *field, unsigned index)
{
	struct caller_answer a = expect_taken(c, caller_send(&c->caller, "GET", field, NULL, NULL));
	const char *error;
	const struct json *body = json_read(&c->caller.arena, a.reply.body, a.reply.body_len, &error), *o = NULL;

	if (a.status == 200)
		for (o = json_member(json_member(body, "data"), "options")->first; o && index; index--)
			o = o->next;
	return o ? json_member(o, "id")->text : "";
}

/* Deletes what values refer to: an option, a field, a group. */
static void change_settings(struct storm_client *c)
{
	static const char *const entities[] = {"person", "company", "deal"};
	struct arena *a = &c->caller.arena;
	const char *fields =
	    arena_printf(a, "/v1/groups/%s/custom-fields/%s", deals.group, entities[draw_number(c, 3)]);
	const char *field = arena_printf(a, "%s/%s", fields, draw_number(c, 2) ? "one" : "many");
	const char *old = atomic_load(&passing);
	unsigned label = draw_number(c, LABELS);
	struct caller_answer made;

	switch (draw_number(c, 3)) {
	case 0:
		expect_taken(c, caller_sendf(&c->caller, "PATCH", field, NULL, "{\"removeOptions\":[\"%s\"]}",
		                    option_id(c, field, draw_number(c, LABELS))));
		expect_taken(
		    c, caller_sendf(&c->caller, "PATCH", field, NULL, "{\"addOptions\":[{\"label\":\"l%u\"}]}", label));
		return;
	case 1:
		expect_taken(c, caller_send(&c->caller, "DELETE", arena_printf(a, "%s/fleeting", fields), NULL, NULL));
		expect_taken(
		    c, caller_send(&c->caller, "POST", fields, NULL, "{\"name\":\"fleeting\",\"type\":\"textField\"}"));
		return;
	default:
		made = expect_taken(c,
		    caller_send(&c->caller, "POST", "/v1/groups", NULL, "{\"name\":\"H\",\"visibility\":\"public\"}"));
		if (made.status == 200)
			atomic_store(&passing, made.id);
		expect_taken(c, caller_send(&c->caller, "DELETE", arena_printf(a, "/v1/groups/%s", old), NULL, NULL));
	}
}

static const char *any_note(struct storm_client *c)
{
	return arena_printf(&c->caller.arena,
	    "{\"entity\":{\"id\":\"%s\"},\"content\":\"x\",\"visibility\":\"public\"}",
	    any_of(c, draw_number(c, 2) ? &people : &extras));
}

static void note_down(struct storm_client *c)
{
	if (draw_number(c, 2))
		expect_taken(c, caller_send(&c->caller, "POST", "/v1/notes", NULL, any_note(c)));
	else
		expect_taken(c, caller_sendf(&c->caller, "POST", "/v1/notes/batch/create", NULL,
		                    "{\"records\":[%s,%s,%s]}", any_note(c), any_note(c), any_note(c)));
}

static void be_busy(void *ctx, int i)
{
	struct storm_client *c = &clients[i];
	int operations = *(int *)ctx;

	for (int n = 0; n < operations; n++) {
		unsigned what = draw_number(c, 100);
		if (what < 25)
			change_object(c);
		else if (what < 50)
			change_objects(c);
		else if (what < 70)
			change_contact(c);
		else if (what < 77)
			replace_records(c, &people);
		else if (what < 83)
			replace_records(c, &companies);
		else if (what < 88)
			replace_records(c, &extras);
		else if (what < 93)
			make_named(c);
		else if (what < 96)
			note_down(c);
		else
			change_settings(c);
	}
}

static void fill_pool(struct pool *p, const char *target, const char *name, int n)
{
	p->target = target;
	p->name = name;
	p->n = n;
	for (int i = 0; i < n; i++) {
		struct caller_answer a = caller_good(caller_sendf(&ada, "POST", target, NULL, "{\"%s\":\"first %d\"%s}",
		    name, i, p == &extras ? "" : TEXT(",%s", deals.in_group)));
		atomic_store(&p->ids[i], a.id);
	}
}

/* Each object has each client's last value of its own field. */
static void assert_nothing_lost(void)
{
	struct buf b;
	int64_t lost;

	buf_init(&b, BODY_MAX);
	buf_addz(&b, "with w (object, field, n) as (values ");
	for (int i = 0; i < CLIENTS; i++)
		for (int o = 0; o < OBJECTS; o++)
			buf_printf(&b, "%s('%s'::uuid, 'own%d', '%ld')", i + o ? "," : "", objects[o] + 4, i,
			    clients[i].kept[o]);
	buf_addz(&b,
	    ") select count(*) from w join custom_fields f on f.name = w.field join objects o on o.id = w.object "
	    "where coalesce(o.custom_values ->> f.id::text, '0') <> w.n");
	lost = database_int(rig.program, b.data);
	buf_free(&b);
	assert_int_equal(lost, 0);
}

TEST(test_storm)
{
	int operations = rig_setting("STORM_OPERATIONS", 25), failures = 0;
	int64_t deadlocks;

	fill_pool(&people, "/v1/people", "firstName", PEOPLE);
	fill_pool(&companies, "/v1/companies", "name", COMPANIES);
	fill_pool(&extras, deals.target, "name", EXTRAS);
	for (int i = 0; i < OBJECTS; i++)
		objects[i] = caller_good(caller_sendf(&ada, "POST", deals.target, NULL, "{\"name\":\"o%d\"}", i)).id;
	atomic_store(&passing, deals_post("/v1/groups", "{\"name\":\"H\",\"visibility\":\"public\"}").id);
	for (int i = 0; i < CLIENTS; i++) {
		clients[i].number = i;
		clients[i].chance = (uint64_t)i + 1;
		caller_init(&clients[i].caller, servers[i % 2]->base, rig.ada.key);
	}
	caller_crowd_run(CLIENTS, be_busy, &operations);
	for (int i = 0; i < CLIENTS; i++)
		failures += clients[i].failures;
	deadlocks = rig_int(&rig, "select deadlocks from pg_stat_database where datname = current_database()");
	print_message(
	    "%d operations, %d failures, %lld deadlocks\n", CLIENTS * operations, failures, (long long)deadlocks);
	assert_int_equal(failures, 0);
	assert_nothing_lost();
	assert_int_equal(consistency_broken(rig.program), 0);
	assert_int_equal(consistency_untold(rig.program), 0);
	for (int i = 0; i < CLIENTS; i++)
		caller_free(&clients[i].caller);
}
