/* Deletes of things that many records hold: hidden from everybody at once, removed from the records later, from each
 * once, whatever is killed meanwhile. */
#include <string.h>

#include "server/base/buf.h"
#include "test/lib/await.h"
#include "test/lib/db/consistency.h"
#include "test/lib/model/held.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"
#include "test/lib/test.h"

/* --- a group --------------------------------------------------------------------------------- */

static void group_is_gone(struct caller *c)
{
	held_expect(404, c, "GET", TEXT("/v1/groups/%s", held.group), NULL);
	held_expect(404, c, "GET", TEXT("/v1/groups/%s/Deal", held.group), NULL);
	held_expect(404, c, "GET", TEXT("/v1/groups/%s/Deal/%s", held.group, held.objects[0]), NULL);
	held_expect(404, c, "GET", TEXT("/v1/groups/%s/members", held.group), NULL);
	held_expect(404, c, "DELETE", TEXT("/v1/groups/%s", held.group), NULL);
	held_expect(404, c, "GET", TEXT("/v1/notes/%s", held.note), NULL);
	held_expect(404, c, "GET", TEXT("/v1/tasks/%s", held.task), NULL);
	held_expect(404, c, "PATCH", TEXT("/v1/tasks/%s", held.task), "{\"title\":\"u\"}");
	held_expect(422, c, "POST", "/v1/notes",
	    TEXT("{\"entity\":{\"id\":\"%s\"},\"content\":\"n\",\"visibility\":\"public\"}", held.objects[0]));
	held_expect(422, c, "POST", "/v1/people", TEXT("{\"groups\":[{\"id\":\"%s\"}]}", held.group));
	held_expect(422, c, "PATCH", TEXT("/v1/people/%s", held.people[2]),
	    TEXT("{\"customFieldValues\":{\"%s\":{\"Level\":\"m\"}}}", held.group));
	assert_false(held_says(c, "/v1/groups?limit=100", held.group));
	assert_false(held_says(c, TEXT("/v1/people/%s", held.people[0]), held.group));
	assert_false(held_says(c, TEXT("/v1/companies/%s", held.companies[0]), held.group));
	assert_false(held_says(c, "/v1/notes", held.note));
	assert_false(held_says(c, "/v1/tasks", held.task));
	held_expect(422, c, "GET", TEXT("/v1/people?filter[groups][in][id]=%s", held.group), NULL);
	held_expect(422, c, "GET", TEXT("/v1/people?filter[customFieldValues.%s.Level][eq]=l", held.group), NULL);
	assert_int_equal(
	    held_listed(c, TEXT("/v1/people?limit=100&filter[groups][all][id]=%s", held.kept)), HELD_PEOPLE - 1);
	assert_int_equal(held_listed(c, "/v1/people?limit=100&filter[groups][empty]"), 1);
	assert_int_equal(held_listed(c, "/v1/companies?limit=100&filter[groups][empty]"), 0);
	assert_int_equal(
	    held_listed(c, TEXT("/v1/companies?limit=100&filter[groups][all][id]=%s", held.kept)), HELD_COMPANIES);
}

AROUND_ALL(held_open, flow_close);

TEST(test_group)
{
	struct follower follower;
	struct caller_answer first, again;
	const char *next, *delete;

	held_make("public");
	delete = TEXT("/v1/groups/%s", held.group);
	follower_init(&follower, rig.ada.key, held_base, NULL);
	assert_true(follower_copy(&follower, patience_ms(HELD_WAIT_MS)));
	/* Records of only that group. */
	caller_good(SEND("PATCH", TEXT("{\"groups\":[{\"id\":\"%s\"}]}", held.group), "/v1/people/%s", held.people[1]));
	held_mark();
	first = caller_send(&ada, "DELETE", delete, "once", NULL);
	assert_int_equal(first.status, 200);
	assert_string_equal(first.id, held.group);
	assert_rows(HELD_PEOPLE, "person_groups where group_id = '%s'", held.group + 4);
	group_is_gone(&ada);
	group_is_gone(&ben);
	again = caller_send(&ada, "DELETE", delete, "once", NULL);
	assert_true(again.replayed);
	assert_string_equal(again.reply.body, first.reply.body);
	/* Its name is free. Writes continue and do not mention it. */
	next = POST("{\"name\":\"Big\",\"visibility\":\"public\"}", "/v1/groups");
	caller_good(SEND(
	    "PATCH", TEXT("{\"jobTitle\":\"j\",\"groups\":[{\"id\":\"%s\"}]}", next), "/v1/people/%s", held.people[3]));
	assert_rows(0,
	    "events where xid > (select mark from marks) and (group_ids || named_group_ids) @> array['%s'::uuid]",
	    held.group + 4);
	held_expect(200, &ben, "DELETE", TEXT("/v1/people/%s", held.people[4]), NULL);
	/* Nor do its reminders that fall due. */
	rows_change("update reminders set next_trigger_at = now() where id = '%s'", held.reminder + 4);
	await_true(rows_count("reminders where id = '%s' and last_trigger_at is not null", held.reminder + 4) != 0);
	assert_int_equal(held_events(held.reminder, "reminder.triggered"), 0);
	rig_write(rig.orders, HELD_SMALL);
	held_let_go();
	for (int i = 0; i < HELD_PEOPLE; i++) {
		assert_int_equal(held_events(held.people[i], "person.groups_updated"), i == 4 ? 0 : i == 3 ? 2 : 1);
		assert_int_equal(held_events(held.people[i], "person.updated"), i == 4 ? 0 : i == 3 ? 2 : 1);
	}
	for (int i = 0; i < HELD_COMPANIES; i++) {
		assert_int_equal(held_events(held.companies[i], "company.groups_updated"), 1);
		assert_int_equal(held_events(held.companies[i], "company.updated"), 1);
	}
	for (int i = 0; i < HELD_OBJECTS; i++)
		assert_int_equal(held_events(held.objects[i], "object.deleted"), 1);
	assert_int_equal(held_events(held.note, "note.deleted"), 1);
	assert_int_equal(held_events(held.task, "task.deleted"), 1);
	assert_int_equal(consistency_broken(rig.program), 0);
	assert_int_equal(consistency_untold(rig.program), 0);
	again = caller_send(&ada, "DELETE", delete, "once", NULL);
	assert_string_equal(again.reply.body, first.reply.body);
	held_follows(&follower);
}

/* Non-members learn as little of the private group's objects as before. */
TEST(test_private)
{
	rig_write(rig.orders, HELD_WAITING);
	held_make("private");
	held_mark();
	held_expect(404, &ben, "GET", TEXT("/v1/groups/%s", held.group), NULL);
	held_expect(200, &ada, "DELETE", TEXT("/v1/groups/%s", held.group), NULL);
	held_expect(404, &ben, "GET", TEXT("/v1/groups/%s", held.group), NULL);
	assert_false(held_says(&ben, TEXT("/v1/people/%s", held.people[0]), held.group));
	rig_write(rig.orders, HELD_SMALL);
	held_let_go();
	for (const char *cursor = NULL;;) {
		struct caller_answer a = caller_good(caller_send(&ben, "GET",
		    TEXT("/v1/events?limit=100%s%s", cursor ? "&after=" : "", cursor ? cursor : ""), NULL, NULL));
		const char *at = strstr(a.reply.body, "\"cursor\":\"");
		assert_null(strstr(a.reply.body, held.group));
		if (strstr(a.reply.body, "\"items\":[]"))
			break;
		assert_non_null(at);
		at += strlen("\"cursor\":\"");
		cursor = TEXT("%.*s", (int)strcspn(at, "\""), at);
	}
	assert_int_equal(consistency_broken(rig.program), 0);
}

/* --- a field, options, a type ------------------------------------------------------------------- */

TEST(test_field)
{
	struct follower follower;
	const char *path;

	rig_write(rig.orders, HELD_WAITING);
	held_make("public");
	path = TEXT("/v1/groups/%s/custom-fields/person", held.group);
	follower_init(&follower, rig.ada.key, held_base, NULL);
	assert_true(follower_copy(&follower, patience_ms(HELD_WAIT_MS)));
	held_mark();
	held_expect(200, &ada, "DELETE", TEXT("%s/Level", path), NULL);
	assert_rows(1, "custom_fields where removed_at is not null");
	for (int i = 0; i < HELD_SERVERS; i++) {
		struct caller *c = i ? &ben : &ada;
		held_expect(404, c, "GET", TEXT("%s/Level", path), NULL);
		assert_false(held_says(c, path, "Level"));
		assert_false(held_says(c, TEXT("/v1/people/%s", held.people[0]), "Level"));
		held_expect(
		    422, c, "GET", TEXT("/v1/people?filter[customFieldValues.%s.Level][eq]=l", held.group), NULL);
		held_expect(422, c, "PATCH", TEXT("/v1/people/%s", held.people[1]),
		    TEXT("{\"customFieldValues\":{\"%s\":{\"Level\":\"m\"}}}", held.group));
	}
	held_expect(404, &ada, "DELETE", TEXT("%s/Level", path), NULL);
	/* Its name is free, for a field of another kind, which has only its own values. */
	MAKE("{\"name\":\"Level\",\"type\":\"numericField\"}", "%s", path);
	caller_good(SEND("PATCH", TEXT("{\"jobTitle\":\"j\",\"customFieldValues\":{\"%s\":{\"Level\":7}}}", held.group),
	    "/v1/people/%s", held.people[2]));
	assert_true(held_says(&ben, TEXT("/v1/people/%s", held.people[2]), "\"Level\":\"7\""));
	assert_true(held_says(&ben, TEXT("/v1/people/%s", held.people[3]), "\"Level\":null"));
	rig_write(rig.orders, HELD_SMALL);
	held_let_go();
	for (int i = 0; i < HELD_PEOPLE; i++)
		assert_int_equal(held_events(held.people[i], "person.updated"), i == 2 ? 2 : 1);
	assert_true(held_says(&ben, TEXT("/v1/people/%s", held.people[2]), "\"Level\":\"7\""));
	assert_int_equal(consistency_broken(rig.program), 0);
	held_follows(&follower);
}

/* The ids of the field's options with that label. */
static const char *option_ids(const char *entity, const char *field, const char *label)
{
	const char *id = rows_text("select o ->> 'id' from custom_fields f, json_array_elements(f.options) o where "
	                           "f.group_id = '%s' and f.entity = '%s' and f.name = '%s' and o ->> 'label' = '%s'",
	    held.group + 4, entity, field, label);

	assert_non_null(id);
	return TEXT("%s_%s", strcmp(entity, "object") == 0 ? "grpo" : "gcfo", id);
}

TEST(test_options)
{
	struct follower follower;
	const char *path, *tags, *filter;

	rig_write(rig.orders, HELD_WAITING);
	held_make("public");
	path = TEXT("/v1/groups/%s/custom-fields/person", held.group);
	filter = TEXT("/v1/people?limit=100&filter[customFieldValues.%s.", held.group);
	caller_good(SEND("PATCH", TEXT("{\"customFieldValues\":{\"%s\":{\"Tags\":[\"y\"]}}}", held.group),
	    "/v1/people/%s", held.people[1]));
	follower_init(&follower, rig.ada.key, held_base, NULL);
	assert_true(follower_copy(&follower, patience_ms(HELD_WAIT_MS)));
	held_mark();
	caller_good(
	    SEND("PATCH", TEXT("{\"removeOptions\":[\"%s\"]}", option_ids("person", "Tier", "a")), "%s/Tier", path));
	tags = TEXT("{\"removeOptions\":[\"%s\",\"%s\"]}", option_ids("person", "Tags", "x"),
	    option_ids("person", "Tags", "y"));
	caller_good(SEND("PATCH", tags, "%s/Tags", path));
	held_expect(422, &ada, "PATCH", TEXT("%s/Tags", path), tags);
	assert_rows(2, "custom_fields where options_removed_at is not null");
	assert_false(held_says(&ben, TEXT("%s/Tier", path), "\"a\""));
	assert_true(held_says(&ben, TEXT("/v1/people/%s", held.people[0]), "\"Tier\":null"));
	assert_true(held_says(&ben, TEXT("/v1/people/%s", held.people[0]), "\"Tags\":[\"z\"]"));
	assert_true(held_says(&ben, TEXT("/v1/people/%s", held.people[1]), "\"Tags\":null"));
	held_expect(422, &ben, "GET", TEXT("%sTier][in]=a", filter), NULL);
	assert_int_equal(held_listed(&ben, TEXT("%sTier][not_empty]", filter)), 0);
	assert_true(held_listed(&ben, TEXT("%sTier][empty]", filter)) >= HELD_PEOPLE);
	assert_int_equal(held_listed(&ben, TEXT("%sTags][not_empty]", filter)), HELD_PEOPLE - 1);
	assert_int_equal(held_listed(&ben, TEXT("%sTags][all]=z", filter)), HELD_PEOPLE - 1);
	/* The label is free; writes continue. */
	caller_good(SEND("PATCH", "{\"addOptions\":[{\"label\":\"a\"}]}", "%s/Tier", path));
	caller_good(SEND("PATCH", TEXT("{\"customFieldValues\":{\"%s\":{\"Tier\":\"a\"}}}", held.group),
	    "/v1/people/%s", held.people[2]));
	caller_good(SEND("PATCH", TEXT("{\"customFieldValues\":{\"%s\":{\"Level\":\"m\"}}}", held.group),
	    "/v1/people/%s", held.people[3]));
	assert_int_equal(held_listed(&ben, TEXT("%sTier][in]=a", filter)), 1);
	rig_write(rig.orders, HELD_SMALL);
	held_let_go();
	assert_rows(0, "custom_fields, json_array_elements(options) o where o ->> 'removed' is not null");
	for (int i = 0; i < HELD_PEOPLE; i++)
		assert_int_equal(held_events(held.people[i], "person.updated"), i == 3 ? 3 : 2);
	assert_int_equal(held_listed(&ben, TEXT("%sTier][in]=a", filter)), 1);
	assert_true(held_says(&ben, TEXT("/v1/people/%s", held.people[0]), "\"Tags\":[\"z\"]"));
	assert_int_equal(consistency_broken(rig.program), 0);
	held_follows(&follower);
}

TEST(test_type)
{
	struct follower follower;
	const char *types, *deals;

	rig_write(rig.orders, HELD_WAITING);
	held_make("public");
	types = TEXT("/v1/groups/%s/object-types", held.group);
	deals = TEXT("/v1/people?limit=100&filter[customFieldValues.%s.Deals]", held.group);
	follower_init(&follower, rig.ada.key, held_base, NULL);
	assert_true(follower_copy(&follower, patience_ms(HELD_WAIT_MS)));
	held_mark();
	held_expect(422, &ada, "DELETE", TEXT("%s/Deal", types), NULL);
	assert_true(held_says(&ada, TEXT("%s", types), "Deal"));
	assert_int_equal(held_listed(&ben, TEXT("%s[not_empty]", deals)), HELD_PEOPLE);
	held_expect(200, &ada, "DELETE", TEXT("%s/Deal?force=true", types), NULL);
	assert_rows(1, "object_types where removed_at is not null");
	for (int i = 0; i < HELD_SERVERS; i++) {
		struct caller *c = i ? &ben : &ada;
		assert_false(held_says(c, types, "Deal"));
		held_expect(404, c, "GET", TEXT("/v1/groups/%s/Deal", held.group), NULL);
		held_expect(404, c, "PATCH", TEXT("/v1/groups/%s/Deal/%s", held.group, held.objects[0]), "{}");
		held_expect(404, c, "GET", TEXT("/v1/notes/%s", held.note), NULL);
		assert_false(held_says(c, "/v1/notes", held.note));
		assert_false(held_says(c, "/v1/tasks", held.task));
		assert_false(held_says(c, TEXT("/v1/people/%s", held.people[0]), held.objects[0]));
		assert_int_equal(held_listed(c, TEXT("%s[not_empty]", deals)), 0);
		assert_int_equal(held_listed(c, TEXT("%s[in][id]=%s", deals, held.objects[0])), 0);
		held_expect(422, c, "POST", "/v1/notes",
		    TEXT("{\"entity\":{\"id\":\"%s\"},\"content\":\"n\",\"visibility\":\"public\"}", held.objects[0]));
	}
	MAKE("{\"name\":\"Deal\"}", "%s", types);
	assert_int_equal(held_listed(&ben, TEXT("/v1/groups/%s/Deal", held.group)), 0);
	rig_write(rig.orders, HELD_SMALL);
	held_let_go();
	for (int i = 0; i < HELD_OBJECTS; i++)
		assert_int_equal(held_events(held.objects[i], "object.deleted"), 1);
	for (int i = 0; i < HELD_PEOPLE; i++)
		assert_int_equal(held_events(held.people[i], "person.updated"), 1);
	assert_int_equal(consistency_broken(rig.program), 0);
	held_follows(&follower);
}

/* --- people and companies ------------------------------------------------------------------------- */

/* A person and a company to which all others refer. */
static void make_known(const char **person, const char **company)
{
	const char *in = TEXT("\"groups\":[{\"id\":\"%s\"}]", held.group), *friend;

	for (int i = 0; i < 3; i++)
		MAKE("{\"name\":\"Friends\",\"type\":\"contactField\"}", "/v1/groups/%s/custom-fields/%s", held.group,
		    i == 0   ? "person"
		    : i == 1 ? "company"
		             : "Deal");
	*company = POST(TEXT("{\"name\":\"Known\",%s}", in), "/v1/companies");
	*person =
	    POST(TEXT("{\"firstName\":\"Known\",\"companies\":[{\"id\":\"%s\"}],%s}", *company, in), "/v1/people");
	friend = TEXT("\"Friends\":[{\"id\":\"%s\"},{\"id\":\"%s\"}]", *person, *company);
	for (int i = 0; i < HELD_PEOPLE; i++)
		caller_good(SEND("PATCH",
		    TEXT("{\"companies\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{%s}}}", *company, held.group,
		        friend),
		    "/v1/people/%s", held.people[i]));
	for (int i = 0; i < HELD_COMPANIES; i++)
		caller_good(SEND("PATCH", TEXT("{\"customFieldValues\":{\"%s\":{%s}}}", held.group, friend),
		    "/v1/companies/%s", held.companies[i]));
	for (int i = 0; i < HELD_OBJECTS; i++)
		caller_good(SEND("PATCH",
		    TEXT("{\"companies\":[{\"id\":\"%s\"}],\"people\":[{\"id\":\"%s\"}],\"customFieldValues\":{%s}}",
		        *company, *person, friend),
		    "/v1/groups/%s/Deal/%s", held.group, held.objects[i]));
	MAKE(TEXT("{\"entity\":{\"id\":\"%s\"},\"content\":\"n\",\"visibility\":\"public\"}", *company), "/v1/notes");
}

static void contacts_are_gone(struct caller *c, const char *person, const char *company)
{
	const char *people = "/v1/people?limit=100&filter[companies]", *deals = TEXT("/v1/groups/%s/Deal", held.group),
	           *field = TEXT("filter[customFieldValues.%s.Friends]", held.group);

	held_expect(404, c, "GET", TEXT("/v1/companies/%s", company), NULL);
	held_expect(404, c, "GET", TEXT("/v1/people/%s", person), NULL);
	assert_true(held_says(c, TEXT("/v1/people/%s", held.people[0]), "\"companies\":[]"));
	assert_true(held_says(c, TEXT("/v1/people/%s", held.people[0]), "\"Friends\":null"));
	assert_true(held_says(c, TEXT("/v1/companies/%s", held.companies[0]), "\"Friends\":null"));
	assert_true(held_says(c, TEXT("%s/%s", deals, held.objects[0]), "\"companies\":[],\"people\":[]"));
	assert_false(held_says(c, "/v1/notes", company));
	assert_int_equal(held_listed(c, TEXT("%s[in][id]=%s", people, company)), 0);
	assert_int_equal(held_listed(c, TEXT("%s[all][id]=%s", people, company)), 0);
	assert_int_equal(held_listed(c, TEXT("%s[not_empty]", people)), 0);
	assert_true(held_listed(c, TEXT("%s[empty]", people)) >= HELD_PEOPLE);
	assert_int_equal(held_listed(c, TEXT("%s?filter[people][in][id]=%s", deals, person)), 0);
	assert_int_equal(held_listed(c, TEXT("%s?filter[people][empty]", deals)), HELD_OBJECTS);
	assert_int_equal(held_listed(c, TEXT("%s?filter[companies][not_empty]", deals)), 0);
	assert_int_equal(held_listed(c, TEXT("/v1/people?limit=100&%s[not_empty]", field)), 0);
	assert_int_equal(held_listed(c, TEXT("/v1/people?limit=100&%s[in][id]=%s", field, company)), 0);
}

TEST(test_contacts)
{
	struct follower follower;
	const char *person, *company, *known;
	struct caller_answer first, again;

	rig_write(rig.orders, HELD_WAITING);
	held_make("public");
	make_known(&person, &company);
	follower_init(&follower, rig.ada.key, held_base, NULL);
	assert_true(follower_copy(&follower, patience_ms(HELD_WAIT_MS)));
	held_mark();
	first = caller_send(&ada, "DELETE", TEXT("/v1/companies/%s", company), "known", NULL);
	assert_int_equal(first.status, 200);
	MAKE(TEXT("{\"records\":[{\"id\":\"%s\"}]}", person), "/v1/people/batch/delete");
	assert_rows(2, "contacts_gone");
	contacts_are_gone(&ada, person, company);
	contacts_are_gone(&ben, person, company);
	again = caller_send(&ada, "DELETE", TEXT("/v1/companies/%s", company), "known", NULL);
	assert_true(again.replayed);
	assert_string_equal(again.reply.body, first.reply.body);
	/* Its name is free. Writes continue. */
	known = POST("{\"name\":\"Known\"}", "/v1/companies");
	assert_string_not_equal(known, company);
	caller_good(SEND("PATCH", "{\"jobTitle\":\"j\"}", "/v1/people/%s", held.people[1]));
	caller_good(SEND("PATCH", TEXT("{\"companies\":[{\"id\":\"%s\"}]}", known), "/v1/people/%s", held.people[2]));
	assert_int_equal(held_listed(&ben, TEXT("/v1/people?filter[companies][all][id]=%s", known)), 1);
	rig_write(rig.orders, HELD_SMALL);
	held_let_go();
	for (int i = 0; i < HELD_PEOPLE; i++) /* once for each of the two */
		assert_int_equal(held_events(held.people[i], "person.updated"), i == 1 || i == 2 ? 3 : 2);
	for (int i = 0; i < HELD_COMPANIES; i++)
		assert_int_equal(held_events(held.companies[i], "company.updated"), 2);
	for (int i = 0; i < HELD_OBJECTS; i++)
		assert_int_equal(held_events(held.objects[i], "object.updated"), 2);
	assert_int_equal(held_events(person, "person.deleted"), 1);
	assert_int_equal(held_events(company, "company.deleted"), 1);
	assert_rows(
	    0, "events where data::text like '%%per_%s%%' or data::text like '%%com_%s%%'", company + 4, person + 4);
	assert_int_equal(consistency_broken(rig.program), 0);
	held_follows(&follower);
}

/* --- killed ------------------------------------------------------------------------------------------ */

TEST(test_killed)
{
	static const char *const points[] = {"removal_chunk", "removal_sent", "removal_committed", "removal_end"};

	for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
		rig_write(rig.orders, HELD_WAITING);
		held_make(i % 2 ? "private" : "public");
		held_mark();
		held_expect(200, &ada, "DELETE", TEXT("/v1/groups/%s", held.group), NULL);
		rig_write(rig.orders, TEXT(HELD_SMALL "%s %d kill\n", points[i], i == 3 ? 1 : 2));
		await_true(!server_alive(servers[0]) || !server_alive(servers[1]));
		rig_write(rig.orders, HELD_SMALL);
		for (int k = 0; k < HELD_SERVERS; k++)
			assert_true(server_kill(servers[k]));
		held_serve(HELD_SMALL);
		held_let_go();
		for (int k = 0; k < HELD_PEOPLE; k++)
			assert_int_equal(held_events(held.people[k], "person.groups_updated"), 1);
		for (int k = 0; k < HELD_COMPANIES; k++)
			assert_int_equal(held_events(held.companies[k], "company.groups_updated"), 1);
		for (int k = 0; k < HELD_OBJECTS; k++)
			assert_int_equal(held_events(held.objects[k], "object.deleted"), 1);
		assert_int_equal(consistency_broken(rig.program), 0);
	}
}

/* A group of that many people. */
static const char *crowded_group(struct caller *c, int people)
{
	const char *id =
	    caller_good(caller_send(c, "POST", "/v1/groups", NULL, "{\"name\": \"Crowd\", \"visibility\": \"public\"}"))
	        .id;
	struct buf b;

	buf_init(&b, 1 << 16);
	for (int i = 0; i < people; i++)
		buf_printf(&b, "%s{\"groups\":[{\"id\":\"%s\"}]}", i ? "," : "{\"records\":[", id);
	buf_addz(&b, "]}");
	caller_good(caller_send(c, "POST", "/v1/people/batch/create", NULL, b.data));
	buf_free(&b);
	return id;
}

/* One workspace has large groups to remove, more than there are processes; another one's small group does not wait
 * for them. */
TEST(test_turns)
{
	enum { GROUPS = HELD_SERVERS + 1 };
	struct test_user eve = rig_stranger(&rig, "eve");
	struct caller other;
	const char *ids[GROUPS], *own,
	    *theirs = "workspace_id = (select workspace_id from workspaces where name = 'eve')";
	int64_t before;

	rig_write(rig.orders, HELD_WAITING);
	caller_init(&other, servers[0]->base, eve.key);
	for (int i = 0; i < GROUPS; i++)
		ids[i] = crowded_group(&ada, 100);
	own = crowded_group(&other, 5);
	for (int i = 0; i < GROUPS; i++)
		held_expect(200, &ada, "DELETE", TEXT("/v1/groups/%s", ids[i]), NULL);
	held_expect(200, &other, "DELETE", TEXT("/v1/groups/%s", own), NULL);
	rig_write(rig.orders, HELD_SMALL);
	held_let_go();
	assert_rows(
	    5, "events where type = 'person.groups_updated' and actor_via = 1 and actor_id is null and %s", theirs);
	assert_rows(0, "events where actor_via is null");
	before = rows_count("events where type = 'person.groups_updated' and not %s and xid between (select max(xid) "
	                    "from events where type = 'person.created' and %s) and (select max(xid) from events where "
	                    "type = 'person.groups_updated' and %s)",
	    theirs, theirs, theirs);
	assert_in_range(before, 0, 180); /* of 300; each process does 64 in a run */
	caller_free(&other);
}
