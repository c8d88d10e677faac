/* Answers can be sent back: every field of every kind of record, with a value in each, is sent to every route that
 * accepts it exactly as a GET shows it, field by field and all at once. The status is 200, the record does not
 * change, and there is no event. The same as a user who may only read one of the record's groups and cannot see
 * another. Fields and routes are taken from the program's own tables. */
#include <string.h>

#include "server/base/json.h"
#include "test/lib/model/worlds.h"
#include "test/lib/rows.h"

enum { TEXT_MAX = 1 << 20 };

static struct world alma, guest; /* guest: the same data, by another user */

WORLDS("send_back");

static const char *text_of(const struct json *value)
{
	struct json_out o;
	struct buf buf;
	const char *text;

	buf_init(&buf, TEXT_MAX);
	json_out_init(&o, &buf);
	json_value(&o, value);
	text = arena_dup(&suite.arena, buf.data, buf.len);
	buf_free(&buf);
	return text;
}

/* --- records with a value in every field ------------------------------------------------ */

/* A value of each type of custom field, as written; options where the type has them. */
static const struct {
	const char *type, *options, *value;
} values[] = {
    {"textField", "", "\"text\""},
    {"numericField", "", "\"1.50\""},
    {"dateField", "", "\"2026-01-31\""},
    {"singleSelect", ", \"options\": [{\"label\": \"a\"}]", "\"a\""},
    {"multipleSelect", ", \"options\": [{\"label\": \"a\"}, {\"label\": \"b\"}]", "[\"b\", \"a\"]"},
    {"contactField", "", "[{\"id\": \"{{company}}\"}, {\"id\": \"{{person}}\"}]"},
    {"userField", "", "[{\"email\": \"{{email}}\"}]"},
    {"objectField", "", "[{\"id\": \"{{object}}\"}]"},
};

/* A field of every type for a kind of record; returns {name: value, …} with a value for each. */
static const char *make_fields(const char *group, const char *entity)
{
	const char *members = "";
	struct world w = alma;

	world_set(&w, "group", group, false);
	world_set(&w, "entity_type", entity, false);
	for (int i = 0; field_types[i]; i++) {
		size_t row = 0;
		while (row < sizeof values / sizeof *values && strcmp(values[row].type, field_types[i]) != 0)
			row++;
		assert_true(row < sizeof values / sizeof *values);
		world_must(&w, "POST /v1/groups/{groupId}/custom-fields/{entityType}",
		    arena_printf(&suite.arena, "{\"name\": \"my %s\", \"type\": \"%s\"%s}", values[row].type,
		        values[row].type, values[row].options));
		members = arena_printf(
		    &suite.arena, "%s%s\"my %s\": %s", members, i ? ", " : "", values[row].type, values[row].value);
	}
	return arena_printf(&suite.arena, "{%s}", members);
}

#define ENTITY "\"entity\": {\"id\": \"{{person}}\"}"
#define USERS "\"assignedUsers\": [{\"id\": \"{{user}}\"}, {\"id\": \"{{reader}}\"}]"
#define LISTS                                                                                                          \
	"\"addresses\": [\"A\"], \"emails\": [\"a@example.com\"], \"phones\": [\"1\", \"2\"], "                        \
	"\"urls\": [\"https://example.com\"], \"groups\": [{\"id\": \"{{hidden}}\"}, {\"id\": \"{{group}}\"}], "
#define VALUES "VALUES"

/* Each route that changes a record which can also be read. */
static struct full {
	const char *route, *body;
} full[] = {
    {"PATCH /v1/people/{personId}",
        "{\"firstName\": \"Ann\", \"lastName\": \"Lee\", \"description\": \"d\", \"birthday\": \"1990-01-31\", "
        "\"gender\": \"Other\", \"jobTitle\": \"CEO\", \"companies\": [{\"id\": \"{{company}}\"}], " LISTS VALUES "}"},
    {"PATCH /v1/companies/{companyId}",
        "{\"name\": \"Acme\", \"description\": \"d\", \"industry\": \"i\", \"fundingRaised\": \"1.5\", "
        "\"lastFundingDate\": \"2020-01-31\", \"foundationYear\": \"1999\", \"employeeRange\": "
        "\"1-10\", " LISTS VALUES "}"},
    {"PATCH /v1/groups/{groupId}/{objectType}/{objectId}",
        "{\"name\": \"Deal\", \"companies\": [{\"id\": \"{{company}}\"}], \"people\": [{\"id\": "
        "\"{{person}}\"}], " VALUES "}"},
    {"PATCH /v1/notes/{noteId}", "{\"content\": \"c\", \"visibility\": \"public\", " ENTITY "}"},
    {"PATCH /v1/tasks/{taskId}",
        "{" ENTITY ", \"title\": \"t\", \"description\": \"d\", \"dueAt\": \"2030-01-31\", \"dueTime\": \"09:30\", "
        "\"recurrenceFrequency\": \"monthly\", \"isPublic\": true, " USERS "}"},
    {"PATCH /v1/reminders/{reminderId}", "{" ENTITY ", \"visibility\": \"public\", " USERS "}"},
    {"PATCH /v1/interactions/{interactionId}", "{" ENTITY ", \"title\": \"t\", \"content\": \"c\"}"},
    {"PATCH /v1/webhooks/{webhookId}",
        "{\"name\": \"w\", \"subscribedEvents\": ["
        "{\"eventType\": \"person.updated\", \"filter\": {\"groupId\": \"{{group}}\", \"path\": "
        "[\"customFieldValues\", \"{{group}}\", \"my userField\"], \"value\": [{\"id\": \"{{user}}\", \"fullName\": "
        "\"x\", \"email\": \"y\"}]}}, "
        "{\"eventType\": \"person.updated\", \"filter\": {\"groupId\": \"{{group}}\", \"path\": "
        "[\"customFieldValues\", \"{{group}}\", \"my contactField\"], \"value\": [{\"id\": \"{{company}}\", "
        "\"fullName\": \"x\", \"entityType\": \"company\"}]}}]}"},
    {"PATCH /v1/groups/{groupId}", "{\"visibility\": \"public\"}"},
    {"PATCH /v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", "{}"},
    {"PATCH /v1/views/{viewId}", "{\"name\": \"v\", \"columns\": [\"fullName\"], \"chart\": {\"form\": \"number\"}, "
                                 "\"board\": {\"groupBy\": \"gender\"}, "
                                 "\"visibility\": \"public\"}"},
};
enum { FULL = sizeof full / sizeof *full };

static void fill_record(void)
{
	const char *hidden = world_must(&alma, "POST /v1/groups", "{\"name\": \"hidden\", \"visibility\": \"private\"}")
	                         ->first->text; /* "id" is the first member */
	const char *group = world_get(&alma, "group"), *people = make_fields(group, "person"),
	           *companies = make_fields(group, "company"), *objects = make_fields(group, world_get(&alma, "type")),
	           *secret = make_fields(hidden, "person");

	make_fields(hidden, "company");
	world_set(&alma, "hidden", hidden, false);
	world_must(&alma, "POST /v1/groups/{groupId}/members", "{\"id\": \"{{reader}}\", \"role\": \"reader\"}");
	for (int i = 0; i < FULL; i++) {
		bool object = strstr(full[i].route, "object") != NULL,
		     company = strstr(full[i].route, "company") != NULL;
		const char *fields = object ? objects : company ? companies : people;
		const char *at = strstr(full[i].body, VALUES);
		if (!object)
			fields = arena_printf(&suite.arena, "{\"%s\": %s}", group, fields);
		world_must(&alma, full[i].route,
		    !at ? full[i].body
		        : arena_printf(&suite.arena, "%.*s\"customFieldValues\": %s%s", (int)(at - full[i].body),
		              full[i].body, fields, at + strlen(VALUES)));
	}
	world_must(&alma, "PATCH /v1/people/{personId}",
	    arena_printf(&suite.arena, "{\"customFieldValues\": {\"%s\": %s}}", hidden, secret));
	world_must(&alma, "POST /v1/interactions",
	    "{" ENTITY ", \"title\": \"x\", \"dateTime\": \"2026-01-01T00:00:00Z\", \"type\": \"call\"}");
}

BEFORE_ALL()
{
	world_init(&suite, &alma, "alma", &rig.ada, false);
	world_seed(&suite, &alma);
	world_set(&alma, "reader", rig.ben.id, false);
	fill_record();
	guest = alma;
	guest.label = "guest";
	guest.key = rig.ben.key;
}

/* --- the routes of a record -------------------------------------------------------------- */

/* "PATCH /v1/people/{personId}" as "GET …", or as that of the list with a suffix. */
static const char *sibling_route(const char *patch, const char *method, const char *behind)
{
	const char *path = strchr(patch, ' ') + 1, *end = behind ? strrchr(path, '/') : path + strlen(path);
	return arena_printf(&suite.arena, "%s %.*s%s", method, (int)(end - path), path, behind ? behind : "");
}

/* The record's fields that the route accepts, as members: all of them, or only one and those required. */
static const char *record_members(const struct json *record, const struct endpoint *e, const char *only)
{
	const char *text = "";

	for (int i = 0; e->fields[i]; i++) {
		const struct json *value = json_member(record, e->fields[i]);
		if (value && (!only || e->needed[i] || strcmp(only, e->fields[i]) == 0))
			text = arena_printf(
			    &suite.arena, "%s%s\"%s\": %s", text, *text ? ", " : "", e->fields[i], text_of(value));
	}
	return text;
}

static int64_t count_events(void)
{
	return rows_count("events where %s", rig.own);
}

/* The body leaves the record unchanged, and there is no event. */
static void expect_unchanged(struct world *w, const char *patch, const char *route, const char *body)
{
	const char *get = sibling_route(patch, "GET", NULL), *before = text_of(world_must(w, get, NULL)), *after;
	int64_t told = count_events();
	struct client_reply reply = world_ask(w, route, body);

	after = text_of(world_must(w, get, NULL));
	if (reply.status != 200 || strstr(reply.body, "\"failed\"") || strstr(reply.body, "\"warnings\"") ||
	    strcmp(before, after) != 0 || count_events() != told)
		suite_fail(&suite, "%s by %s, %d events: %s\n -> %d %s\nbefore %s\nafter  %s", route, w->label,
		    (int)(count_events() - told), body, reply.status, reply.body, before, after);
}

static const struct json *first_of_batch(const struct json *data)
{
	const struct json *result = json_member(data, "results")->first;
	return json_member(result, "data");
}

/* A new record with the values: it reads the same. */
static void expect_made(struct world *w, const char *patch, const char *route)
{
	const struct endpoint *e = route_named(route);
	const struct json *record = world_must(w, sibling_route(patch, "GET", NULL), NULL), *made;
	const char *body = record_members(record, e, NULL);

	made = world_must(w, route, arena_printf(&suite.arena, e->batch ? "{\"records\": [{%s}]}" : "{%s}", body));
	if (e->batch)
		made = first_of_batch(made);
	if (!made)
		suite_fail(&suite, "%s {%s} failed", route, body);
	else if (strcmp(record_members(made, e, NULL), body) != 0)
		suite_fail(&suite, "%s: sent {%s}, made {%s}", route, body, record_members(made, e, NULL));
}

static void send_back(struct world *w, const char *patch)
{
	const struct endpoint *e = route_named(patch);
	const struct json *record = world_must(w, sibling_route(patch, "GET", NULL), NULL);
	const char *batch = sibling_route(patch, "POST", "/batch/update");

	for (int i = 0; i == 0 || e->fields[i - 1]; i++) {
		const char *body = record_members(record, e, e->fields[i]); /* finally all */
		expect_unchanged(w, patch, patch, arena_printf(&suite.arena, "{%s}", body));
		if (route_named(batch))
			expect_unchanged(w, patch, batch,
			    arena_printf(&suite.arena, "{\"records\": [{\"id\": %s%s%s}]}",
			        text_of(json_member(record, "id")), *body ? ", " : "", body));
	}
}

/* --- the cases ------------------------------------------------------------------------------ */

static bool is_set(const struct json *value)
{
	return value && value->type != JSON_NULL && !(value->type == JSON_STRING && value->len == 0) &&
	       !((value->type == JSON_ARRAY || value->type == JSON_OBJECT) && !value->first);
}

/* Every record that can be changed and read exists, and every field that it accepts has a value. */
TEST(test_all_are_there)
{
	for (int i = 0; i < n_endpoints; i++) {
		const char *patch = route_name(&suite, &endpoints[i]);
		int row = 0;
		if (strcmp(endpoints[i].method, "PATCH") != 0 || !route_named(sibling_route(patch, "GET", NULL)))
			continue;
		if (strcmp(patch, "PATCH /v1/users/{userId}") == 0)
			continue; /* only an account has all that it changes (test/api/accounts.t) */
		while (row < FULL && strcmp(full[row].route, patch) != 0)
			row++;
		if (row == FULL) {
			suite_fail(&suite, "%s is not tried", patch);
			continue;
		}
		const struct json *record = world_must(&alma, sibling_route(patch, "GET", NULL), NULL);
		for (int k = 0; endpoints[i].fields[k]; k++)
			if (json_member(record, endpoints[i].fields[k]) &&
			    !is_set(json_member(record, endpoints[i].fields[k])))
				suite_fail(
				    &suite, "%s: no value of %s: %s", patch, endpoints[i].fields[k], text_of(record));
	}
}

TEST(test_update)
{
	for (int i = 0; i < FULL; i++)
		send_back(&alma, full[i].route);
}

/* Users who do not see all of a record send back what they see. */
TEST(test_update_by_reader)
{
	for (int i = 0; i < FULL; i++)
		if (!strstr(full[i].route, "/groups/") && !strstr(full[i].route, "webhook") &&
		    !strstr(full[i].route, "view")) /* a view belongs to its maker */
			send_back(&guest, full[i].route);
}

TEST(test_create)
{
	int n = 0;

	for (int i = 0; i < FULL; i++) {
		const char *one = sibling_route(full[i].route, "POST", ""),
		           *batch = sibling_route(full[i].route, "POST", "/batch/create");
		if (strstr(full[i].route, "custom-fields"))
			continue; /* its name is taken */
		n++;
		expect_made(&alma, full[i].route, one);
		if (route_named(batch))
			expect_made(&alma, full[i].route, batch);
	}
	assert_int_equal(n, FULL - 1);
}

/* Members that an item is never read with are still unknown, and an id takes precedence over other ways of naming. */
TEST(test_what_is_unknown)
{
	static const char *const refused[] = {"{\"groups\": [{\"id\": \"{{group}}\", \"visibility\": \"public\"}]}",
	    "{\"companies\": [{\"id\": \"{{company}}\", \"fullName\": \"x\"}]}",
	    "{\"companies\": [{\"fullName\": \"x\"}]}",
	    "{\"customFieldValues\": {\"{{group}}\": {\"my userField\": [{\"id\": \"{{user}}\", \"entityType\": "
	    "\"x\"}]}}}",
	    "{\"customFieldValues\": {\"{{group}}\": {\"my objectField\": [{\"id\": \"{{object}}\", \"name\": "
	    "\"x\"}]}}}",
	    "{\"customFieldValues\": {\"{{group}}\": {\"my contactField\": [{\"id\": \"{{person}}\", \"email\": "
	    "\"x\"}]}}}",
	    "{\"customFieldValues\": {\"{{group}}\": {\"my userField\": [{\"email\": \"{{email}}\", \"fullName\": "
	    "\"x\"}]}}}",
	    "{\"updatedAt\": \"2026-01-01T00:00:00.000Z\"}"};

	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct client_reply reply = world_ask(&alma, "PATCH /v1/people/{personId}", refused[i]);
		if (reply.status != 422 || !strstr(reply.body, "unrecognized_keys"))
			suite_fail(&suite, "%s: %d %s", refused[i], reply.status, reply.body);
	}
	expect_unchanged(&alma, "PATCH /v1/people/{personId}", "PATCH /v1/people/{personId}",
	    "{\"companies\": [{\"name\": [1], \"id\": \"{{company}}\"}], \"customFieldValues\": {\"{{group}}\": "
	    "{\"my userField\": [{\"email\": null, \"id\": \"{{user}}\", \"fullName\": {}}]}}}");
	expect_unchanged(&alma, "PATCH /v1/tasks/{taskId}", "PATCH /v1/tasks/{taskId}",
	    "{\"assignedUsers\": [{\"id\": \"{{user}}\", \"email\": \"other@example.com\"}, {\"id\": \"{{reader}}\", "
	    "\"fullName\": 1}], \"entity\": {\"id\": \"{{person}}\", \"entityType\": 0}}");
}

/* An object still shows a contact that has left its group. */
TEST(test_contact_that_left)
{
	world_must(&alma, "PATCH /v1/people/{personId}", "{\"groups\": []}");
	world_must(&alma, "PATCH /v1/companies/{companyId}", "{\"groups\": []}");
	send_back(&alma, "PATCH /v1/groups/{groupId}/{objectType}/{objectId}");
}
