/*
 * Deletes of what many records hold: gone for everybody at once, taken out of the records
 * later, each record once, whoever is killed meanwhile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/consistency.h"
#include "test/lib/deals.h"
#include "test/lib/follower.h"
#include "test/lib/patience.h"

enum { SERVERS = 2, PEOPLE = 7, COMPANIES = 5, OBJECTS = 7, WAIT_MS = 30000 };

/* As if three records were many; and as if the job never came by. */
#define SMALL "small_removals 1 errors\n"
#define WAITING SMALL "removals_wait 1 errors\n"

static struct rig rig;
static struct server *servers[SERVERS];
static struct caller ada, ben; /* admin, member */
static char orders[256];

/* What is to be deleted, and what holds it. */
static struct {
	const char *group, *kept; /* groups */
	const char *people[PEOPLE], *companies[COMPANIES], *objects[OBJECTS], *note, *task;
} big;

static void serve(const char *faults)
{
	rig_write(orders, faults);
	for (int i = 0; i < SERVERS; i++)
		servers[i] = rig_serve(&rig, false, NULL);
	caller_turn(&ada, servers[0]->base);
	caller_turn(&ben, servers[1]->base);
}

static int open_rig(void **state)
{
	(void)state;
	rig_open(&rig, "removals", false);
	snprintf(orders, sizeof orders, "%s/faults", rig.program->data_dir);
	setenv("FAULT_FILE", orders, 1);
	database_int(rig.program, "create table marks (mark bigint); insert into marks values (0); select 1");
	caller_init(&ada, "http://127.0.0.1:1", rig.ada.key);
	caller_init(&ben, "http://127.0.0.1:1", rig.ben.key);
	serve(WAITING);
	return 0;
}

static int close_rig(void **state)
{
	bool clean = true;

	(void)state;
	for (int i = 0; i < SERVERS; i++)
		clean = server_stop(servers[i]) && clean;
	caller_free(&ada);
	caller_free(&ben);
	rig_close(&rig);
	return clean ? 0 : -1;
}

/* --- the world ----------------------------------------------------------------------------- */

#define SEND(method, body, ...) caller_send(&ada, method, arena_printf(&ada.arena, __VA_ARGS__), NULL, body)
#define MAKE(body, ...) deals_good(SEND("POST", body, __VA_ARGS__))
#define POST(body, ...) MAKE(body, __VA_ARGS__).id
#define TEXT(...) arena_printf(&ada.arena, __VA_ARGS__)

static void make_fields(const char *entity)
{
	MAKE("{\"name\":\"Level\",\"type\":\"textField\"}", "/v1/groups/%s/custom-fields/%s", big.group, entity);
	MAKE("{\"name\":\"Tier\",\"type\":\"singleSelect\",\"options\":[{\"label\":\"a\"},{\"label\":\"b\"}]}",
	    "/v1/groups/%s/custom-fields/%s", big.group, entity);
	MAKE("{\"name\":\"Tags\",\"type\":\"multipleSelect\",\"options\":[{\"label\":\"x\"},{\"label\":\"y\"},"
	     "{\"label\":\"z\"}]}",
	    "/v1/groups/%s/custom-fields/%s", big.group, entity);
}

static void make_world(const char *visibility)
{
	const char *in;

	big.group = POST(TEXT("{\"name\":\"Big\",\"visibility\":\"%s\"}", visibility), "/v1/groups");
	big.kept = POST("{\"name\":\"Kept\",\"visibility\":\"public\"}", "/v1/groups");
	MAKE("{\"name\":\"Deal\"}", "/v1/groups/%s/object-types", big.group);
	MAKE("{\"name\":\"Thing\"}", "/v1/groups/%s/object-types", big.group);
	make_fields("person");
	make_fields("company");
	make_fields("Deal");
	MAKE("{\"name\":\"Deals\",\"type\":\"objectField\"}", "/v1/groups/%s/custom-fields/person", big.group);
	in = TEXT("\"groups\":[{\"id\":\"%s\"},{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{\"Level\":\"l\","
	          "\"Tier\":\"a\",\"Tags\":[\"x\",\"y\",\"z\"]}}",
	    big.group, big.kept, big.group);
	for (int i = 0; i < PEOPLE; i++)
		big.people[i] = POST(TEXT("{\"firstName\":\"P%d\",%s}", i, in), "/v1/people");
	for (int i = 0; i < COMPANIES; i++)
		big.companies[i] = POST(TEXT("{\"description\":\"C%d\",%s}", i, in), "/v1/companies");
	for (int i = 0; i < OBJECTS; i++)
		big.objects[i] = POST(TEXT("{\"name\":\"O%d\",\"people\":[{\"id\":\"%s\"}],\"customFieldValues\":{"
		                           "\"Level\":\"l\",\"Tier\":\"b\",\"Tags\":[\"x\"]}}",
		                          i, big.people[i % PEOPLE]),
		    "/v1/groups/%s/Deal", big.group);
	big.note =
	    POST(TEXT("{\"entity\":{\"id\":\"%s\"},\"content\":\"n\",\"visibility\":\"public\"}", big.objects[1]),
	        "/v1/notes");
	big.task = POST(
	    TEXT("{\"entity\":{\"id\":\"%s\"},\"title\":\"t\",\"dueAt\":\"2026-01-31\"}", big.objects[5]), "/v1/tasks");
	for (int i = 0; i < PEOPLE; i++)
		deals_good(SEND("PATCH",
		    TEXT("{\"customFieldValues\":{\"%s\":{\"Deals\":[{\"id\":\"%s\"}]}}}", big.group, big.objects[i]),
		    "/v1/people/%s", big.people[i]));
}

/* How many items the list has. */
static int listed(struct caller *c, const char *target)
{
	struct answer a = deals_good(caller_send(c, "GET", target, NULL, NULL));
	int n = 0;

	/* Every item begins with its id; what it refers to does so too, but stands within. */
	for (const char *at = strstr(a.reply.body, "\"items\":["); at && (at = strstr(at, "\"createdAt\"")); at++)
		n++;
	return n;
}

static bool says(struct caller *c, const char *target, const char *text)
{
	return strstr(deals_good(caller_send(c, "GET", target, NULL, NULL)).reply.body, text) != NULL;
}

static void expect_status(int status, struct caller *c, const char *method, const char *target, const char *body)
{
	struct answer a = caller_send(c, method, target, NULL, body);

	if (a.status != status)
		print_message("%s %s: %d %s\n", method, target, a.status, a.reply.body);
	assert_int_equal(a.status, status);
}

/* Lets the job come by, and waits until nothing is left to do. */
static void let_go(void)
{
	int64_t until_us = patience_ms(WAIT_MS);

	while (
	    rig_int(&rig, "select (select count(*) from groups where removed_at is not null) + (select count(*) from "
	                  "object_types where removed_at is not null) + (select count(*) from custom_fields where "
	                  "removed_at is not null or options_removed_at is not null)") > 0)
		assert_true(patience_pause(until_us));
}

static int64_t events(const char *record, const char *type)
{
	return rig_int(&rig,
	    "select count(*) from events where type = '%s' and record_id = '%s' and xid > '%lld'::xid8", type,
	    record + 4, (long long)rig_int(&rig, "select mark from marks"));
}

/* Events from here on are counted. */
static void mark(void)
{
	rig_int(&rig,
	    "with t as (update marks set mark = pg_current_xact_id()::text::bigint returning 1) select count(*) "
	    "from t");
}

static const char *first_base(void *ctx)
{
	(void)ctx;
	return servers[0]->base;
}

/* Who copied before holds what one holds who copies now. */
static void follows(struct follower *f)
{
	struct follower fresh;

	while (follower_step(f, 0) != 0)
		;
	follower_init(&fresh, rig.ada.key, first_base, NULL);
	assert_true(follower_copy(&fresh, patience_ms(WAIT_MS)));
	assert_int_equal(follower_differences(f, &fresh, true), 0);
	follower_free(&fresh);
	follower_free(f);
}

/* --- a group --------------------------------------------------------------------------------- */

static void group_is_gone(struct caller *c)
{
	expect_status(404, c, "GET", TEXT("/v1/groups/%s", big.group), NULL);
	expect_status(404, c, "GET", TEXT("/v1/groups/%s/Deal", big.group), NULL);
	expect_status(404, c, "GET", TEXT("/v1/groups/%s/Deal/%s", big.group, big.objects[0]), NULL);
	expect_status(404, c, "GET", TEXT("/v1/groups/%s/members", big.group), NULL);
	expect_status(404, c, "DELETE", TEXT("/v1/groups/%s", big.group), NULL);
	expect_status(404, c, "GET", TEXT("/v1/notes/%s", big.note), NULL);
	expect_status(404, c, "GET", TEXT("/v1/tasks/%s", big.task), NULL);
	expect_status(404, c, "PATCH", TEXT("/v1/tasks/%s", big.task), "{\"title\":\"u\"}");
	expect_status(422, c, "POST", "/v1/notes",
	    TEXT("{\"entity\":{\"id\":\"%s\"},\"content\":\"n\",\"visibility\":\"public\"}", big.objects[0]));
	expect_status(422, c, "POST", "/v1/people", TEXT("{\"groups\":[{\"id\":\"%s\"}]}", big.group));
	expect_status(422, c, "PATCH", TEXT("/v1/people/%s", big.people[2]),
	    TEXT("{\"customFieldValues\":{\"%s\":{\"Level\":\"m\"}}}", big.group));
	assert_false(says(c, "/v1/groups?limit=100", big.group));
	assert_false(says(c, TEXT("/v1/people/%s", big.people[0]), big.group));
	assert_false(says(c, TEXT("/v1/companies/%s", big.companies[0]), big.group));
	assert_false(says(c, "/v1/notes", big.note));
	assert_false(says(c, "/v1/tasks", big.task));
	expect_status(422, c, "GET", TEXT("/v1/people?filter[groups][in][id]=%s", big.group), NULL);
	expect_status(422, c, "GET", TEXT("/v1/people?filter[customFieldValues.%s.Level][eq]=l", big.group), NULL);
	assert_int_equal(listed(c, TEXT("/v1/people?limit=100&filter[groups][all][id]=%s", big.kept)), PEOPLE - 1);
	assert_int_equal(listed(c, "/v1/people?limit=100&filter[groups][empty]"), 1);
	assert_int_equal(listed(c, "/v1/companies?limit=100&filter[groups][empty]"), 0);
	assert_int_equal(listed(c, TEXT("/v1/companies?limit=100&filter[groups][all][id]=%s", big.kept)), COMPANIES);
}

static void test_group(void **state)
{
	struct follower follower;
	struct answer first, again;
	const char *next, *delete;

	(void)state;
	make_world("public");
	delete = TEXT("/v1/groups/%s", big.group);
	follower_init(&follower, rig.ada.key, first_base, NULL);
	assert_true(follower_copy(&follower, patience_ms(WAIT_MS)));
	/* Of nobody's but that group. */
	deals_good(SEND("PATCH", TEXT("{\"groups\":[{\"id\":\"%s\"}]}", big.group), "/v1/people/%s", big.people[1]));
	mark();
	first = caller_send(&ada, "DELETE", delete, "once", NULL);
	assert_int_equal(first.status, 200);
	assert_string_equal(first.id, big.group);
	assert_int_equal(
	    rig_int(&rig, "select count(*) from person_groups where group_id = '%s'", big.group + 4), PEOPLE);
	group_is_gone(&ada);
	group_is_gone(&ben);
	again = caller_send(&ada, "DELETE", delete, "once", NULL);
	assert_true(again.replayed);
	assert_string_equal(again.reply.body, first.reply.body);
	/* Its name is free. Writes go on, and tell nothing of it. */
	next = POST("{\"name\":\"Big\",\"visibility\":\"public\"}", "/v1/groups");
	deals_good(SEND(
	    "PATCH", TEXT("{\"jobTitle\":\"j\",\"groups\":[{\"id\":\"%s\"}]}", next), "/v1/people/%s", big.people[3]));
	assert_int_equal(rig_int(&rig,
	                     "select count(*) from events where xid > (select mark from marks)::text::xid8 and "
	                     "(group_ids || named_group_ids) @> array['%s'::uuid]",
	                     big.group + 4),
	    0);
	expect_status(200, &ben, "DELETE", TEXT("/v1/people/%s", big.people[4]), NULL);
	rig_write(orders, SMALL);
	let_go();
	for (int i = 0; i < PEOPLE; i++) {
		assert_int_equal(events(big.people[i], "person.groups_updated"), i == 4 ? 0 : i == 3 ? 2 : 1);
		assert_int_equal(events(big.people[i], "person.updated"), i == 4 ? 0 : i == 3 ? 2 : 1);
	}
	for (int i = 0; i < COMPANIES; i++) {
		assert_int_equal(events(big.companies[i], "company.groups_updated"), 1);
		assert_int_equal(events(big.companies[i], "company.updated"), 1);
	}
	for (int i = 0; i < OBJECTS; i++)
		assert_int_equal(events(big.objects[i], "object.deleted"), 1);
	assert_int_equal(events(big.note, "note.deleted"), 1);
	assert_int_equal(events(big.task, "task.deleted"), 1);
	assert_int_equal(consistency_broken(rig.program), 0);
	assert_int_equal(consistency_untold(rig.program), 0);
	again = caller_send(&ada, "DELETE", delete, "once", NULL);
	assert_string_equal(again.reply.body, first.reply.body);
	follows(&follower);
}

/* Those outside hear of the objects that a private group held as little as before. */
static void test_private(void **state)
{
	(void)state;
	rig_write(orders, WAITING);
	make_world("private");
	mark();
	expect_status(404, &ben, "GET", TEXT("/v1/groups/%s", big.group), NULL);
	expect_status(200, &ada, "DELETE", TEXT("/v1/groups/%s", big.group), NULL);
	expect_status(404, &ben, "GET", TEXT("/v1/groups/%s", big.group), NULL);
	assert_false(says(&ben, TEXT("/v1/people/%s", big.people[0]), big.group));
	rig_write(orders, SMALL);
	let_go();
	for (const char *cursor = NULL;;) {
		struct answer a = deals_good(caller_send(&ben, "GET",
		    TEXT("/v1/events?limit=100%s%s", cursor ? "&after=" : "", cursor ? cursor : ""), NULL, NULL));
		const char *at = strstr(a.reply.body, "\"cursor\":\"");
		assert_null(strstr(a.reply.body, big.group));
		if (strstr(a.reply.body, "\"items\":[]"))
			break;
		assert_non_null(at);
		at += strlen("\"cursor\":\"");
		cursor = TEXT("%.*s", (int)strcspn(at, "\""), at);
	}
	assert_int_equal(consistency_broken(rig.program), 0);
}

/* --- a field, options, a type ------------------------------------------------------------------- */

static void test_field(void **state)
{
	struct follower follower;
	const char *path;

	(void)state;
	rig_write(orders, WAITING);
	make_world("public");
	path = TEXT("/v1/groups/%s/custom-fields/person", big.group);
	follower_init(&follower, rig.ada.key, first_base, NULL);
	assert_true(follower_copy(&follower, patience_ms(WAIT_MS)));
	mark();
	expect_status(200, &ada, "DELETE", TEXT("%s/Level", path), NULL);
	assert_int_equal(rig_int(&rig, "select count(*) from custom_fields where removed_at is not null"), 1);
	for (int i = 0; i < SERVERS; i++) {
		struct caller *c = i ? &ben : &ada;
		expect_status(404, c, "GET", TEXT("%s/Level", path), NULL);
		assert_false(says(c, path, "Level"));
		assert_false(says(c, TEXT("/v1/people/%s", big.people[0]), "Level"));
		expect_status(
		    422, c, "GET", TEXT("/v1/people?filter[customFieldValues.%s.Level][eq]=l", big.group), NULL);
		expect_status(422, c, "PATCH", TEXT("/v1/people/%s", big.people[1]),
		    TEXT("{\"customFieldValues\":{\"%s\":{\"Level\":\"m\"}}}", big.group));
	}
	expect_status(404, &ada, "DELETE", TEXT("%s/Level", path), NULL);
	/* Its name is free, for a field of another kind, and its values are that one's alone. */
	MAKE("{\"name\":\"Level\",\"type\":\"numericField\"}", "%s", path);
	deals_good(SEND("PATCH", TEXT("{\"jobTitle\":\"j\",\"customFieldValues\":{\"%s\":{\"Level\":7}}}", big.group),
	    "/v1/people/%s", big.people[2]));
	assert_true(says(&ben, TEXT("/v1/people/%s", big.people[2]), "\"Level\":\"7\""));
	assert_true(says(&ben, TEXT("/v1/people/%s", big.people[3]), "\"Level\":null"));
	rig_write(orders, SMALL);
	let_go();
	for (int i = 0; i < PEOPLE; i++)
		assert_int_equal(events(big.people[i], "person.updated"), i == 2 ? 2 : 1);
	assert_true(says(&ben, TEXT("/v1/people/%s", big.people[2]), "\"Level\":\"7\""));
	assert_int_equal(consistency_broken(rig.program), 0);
	follows(&follower);
}

/* The ids of the field's options of that label. */
static const char *option(const char *entity, const char *field, const char *label)
{
	const char *id = database_text(rig.program, &ada.arena,
	    TEXT("select o ->> 'id' from custom_fields f, json_array_elements(f.options) o where f.group_id = '%s' and "
	         "f.entity = '%s' and f.name = '%s' and o ->> 'label' = '%s'",
	        big.group + 4, entity, field, label));

	assert_non_null(id);
	return TEXT("%s_%s", strcmp(entity, "object") == 0 ? "grpo" : "gcfo", id);
}

static void test_options(void **state)
{
	struct follower follower;
	const char *path, *tags, *filter;

	(void)state;
	rig_write(orders, WAITING);
	make_world("public");
	path = TEXT("/v1/groups/%s/custom-fields/person", big.group);
	filter = TEXT("/v1/people?limit=100&filter[customFieldValues.%s.", big.group);
	deals_good(SEND("PATCH", TEXT("{\"customFieldValues\":{\"%s\":{\"Tags\":[\"y\"]}}}", big.group),
	    "/v1/people/%s", big.people[1]));
	follower_init(&follower, rig.ada.key, first_base, NULL);
	assert_true(follower_copy(&follower, patience_ms(WAIT_MS)));
	mark();
	deals_good(SEND("PATCH", TEXT("{\"removeOptions\":[\"%s\"]}", option("person", "Tier", "a")), "%s/Tier", path));
	tags =
	    TEXT("{\"removeOptions\":[\"%s\",\"%s\"]}", option("person", "Tags", "x"), option("person", "Tags", "y"));
	deals_good(SEND("PATCH", tags, "%s/Tags", path));
	expect_status(422, &ada, "PATCH", TEXT("%s/Tags", path), tags);
	assert_int_equal(rig_int(&rig, "select count(*) from custom_fields where options_removed_at is not null"), 2);
	assert_false(says(&ben, TEXT("%s/Tier", path), "\"a\""));
	assert_true(says(&ben, TEXT("/v1/people/%s", big.people[0]), "\"Tier\":null"));
	assert_true(says(&ben, TEXT("/v1/people/%s", big.people[0]), "\"Tags\":[\"z\"]"));
	assert_true(says(&ben, TEXT("/v1/people/%s", big.people[1]), "\"Tags\":null"));
	expect_status(422, &ben, "GET", TEXT("%sTier][in]=a", filter), NULL);
	assert_int_equal(listed(&ben, TEXT("%sTier][not_empty]", filter)), 0);
	assert_true(listed(&ben, TEXT("%sTier][empty]", filter)) >= PEOPLE);
	assert_int_equal(listed(&ben, TEXT("%sTags][not_empty]", filter)), PEOPLE - 1);
	assert_int_equal(listed(&ben, TEXT("%sTags][all]=z", filter)), PEOPLE - 1);
	/* The label is free; writes go on. */
	deals_good(SEND("PATCH", "{\"addOptions\":[{\"label\":\"a\"}]}", "%s/Tier", path));
	deals_good(SEND("PATCH", TEXT("{\"customFieldValues\":{\"%s\":{\"Tier\":\"a\"}}}", big.group), "/v1/people/%s",
	    big.people[2]));
	deals_good(SEND("PATCH", TEXT("{\"customFieldValues\":{\"%s\":{\"Level\":\"m\"}}}", big.group), "/v1/people/%s",
	    big.people[3]));
	assert_int_equal(listed(&ben, TEXT("%sTier][in]=a", filter)), 1);
	rig_write(orders, SMALL);
	let_go();
	assert_int_equal(rig_int(&rig, "select count(*) from custom_fields, json_array_elements(options) o where "
	                               "o ->> 'removed' is not null"),
	    0);
	for (int i = 0; i < PEOPLE; i++)
		assert_int_equal(events(big.people[i], "person.updated"), i == 3 ? 3 : 2);
	assert_int_equal(listed(&ben, TEXT("%sTier][in]=a", filter)), 1);
	assert_true(says(&ben, TEXT("/v1/people/%s", big.people[0]), "\"Tags\":[\"z\"]"));
	assert_int_equal(consistency_broken(rig.program), 0);
	follows(&follower);
}

static void test_type(void **state)
{
	struct follower follower;
	const char *types, *deals;

	(void)state;
	rig_write(orders, WAITING);
	make_world("public");
	types = TEXT("/v1/groups/%s/object-types", big.group);
	deals = TEXT("/v1/people?limit=100&filter[customFieldValues.%s.Deals]", big.group);
	follower_init(&follower, rig.ada.key, first_base, NULL);
	assert_true(follower_copy(&follower, patience_ms(WAIT_MS)));
	mark();
	expect_status(422, &ada, "DELETE", TEXT("%s/Deal", types), NULL);
	assert_true(says(&ada, TEXT("%s", types), "Deal"));
	assert_int_equal(listed(&ben, TEXT("%s[not_empty]", deals)), PEOPLE);
	expect_status(200, &ada, "DELETE", TEXT("%s/Deal?force=true", types), NULL);
	assert_int_equal(rig_int(&rig, "select count(*) from object_types where removed_at is not null"), 1);
	for (int i = 0; i < SERVERS; i++) {
		struct caller *c = i ? &ben : &ada;
		assert_false(says(c, types, "Deal"));
		expect_status(404, c, "GET", TEXT("/v1/groups/%s/Deal", big.group), NULL);
		expect_status(404, c, "PATCH", TEXT("/v1/groups/%s/Deal/%s", big.group, big.objects[0]), "{}");
		expect_status(404, c, "GET", TEXT("/v1/notes/%s", big.note), NULL);
		assert_false(says(c, "/v1/notes", big.note));
		assert_false(says(c, "/v1/tasks", big.task));
		assert_false(says(c, TEXT("/v1/people/%s", big.people[0]), big.objects[0]));
		assert_int_equal(listed(c, TEXT("%s[not_empty]", deals)), 0);
		assert_int_equal(listed(c, TEXT("%s[in][id]=%s", deals, big.objects[0])), 0);
		expect_status(422, c, "POST", "/v1/notes",
		    TEXT("{\"entity\":{\"id\":\"%s\"},\"content\":\"n\",\"visibility\":\"public\"}", big.objects[0]));
	}
	MAKE("{\"name\":\"Deal\"}", "%s", types);
	assert_int_equal(listed(&ben, TEXT("/v1/groups/%s/Deal", big.group)), 0);
	rig_write(orders, SMALL);
	let_go();
	for (int i = 0; i < OBJECTS; i++)
		assert_int_equal(events(big.objects[i], "object.deleted"), 1);
	for (int i = 0; i < PEOPLE; i++)
		assert_int_equal(events(big.people[i], "person.updated"), 1);
	assert_int_equal(consistency_broken(rig.program), 0);
	follows(&follower);
}

/* --- killed ------------------------------------------------------------------------------------------ */

static void test_killed(void **state)
{
	static const char *const points[] = {"removal_chunk", "removal_sent", "removal_committed", "removal_end"};

	(void)state;
	for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
		int64_t until_us = patience_ms(WAIT_MS);
		rig_write(orders, WAITING);
		make_world(i % 2 ? "private" : "public");
		mark();
		expect_status(200, &ada, "DELETE", TEXT("/v1/groups/%s", big.group), NULL);
		rig_write(orders, TEXT(SMALL "%s %d kill\n", points[i], i == 3 ? 1 : 2));
		while (server_alive(servers[0]) && server_alive(servers[1]))
			assert_true(patience_pause(until_us));
		rig_write(orders, SMALL);
		for (int k = 0; k < SERVERS; k++)
			assert_true(server_kill(servers[k]));
		serve(SMALL);
		let_go();
		for (int k = 0; k < PEOPLE; k++)
			assert_int_equal(events(big.people[k], "person.groups_updated"), 1);
		for (int k = 0; k < COMPANIES; k++)
			assert_int_equal(events(big.companies[k], "company.groups_updated"), 1);
		for (int k = 0; k < OBJECTS; k++)
			assert_int_equal(events(big.objects[k], "object.deleted"), 1);
		assert_int_equal(consistency_broken(rig.program), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_group),
	    cmocka_unit_test(test_private),
	    cmocka_unit_test(test_field),
	    cmocka_unit_test(test_options),
	    cmocka_unit_test(test_type),
	    cmocka_unit_test(test_killed),
	};
	return cmocka_run_group_tests(tests, open_rig, close_rig);
}
