/* A workspace with large settings, contacts, activities and webhooks. */
#include "test/lib/model/grant_made.h"
#include "test/lib/model/largest_world.h"

#include <stdio.h>
#include <string.h>

enum {
	OPTIONS = 1000,
	SELECTS = 10,
	TEXTS = 51, /* custom texts of 5,000 characters: the most that a record may hold */
	USERS = 2000,
	GROUPS = 40 /* of 200 fields and 50 types each */
};

struct largest largest;

/* Values of path parameters. */
static struct {
	const char *name;
	char value[LARGEST_VALUE];
} values[] = {{"personId", ""}, {"companyId", ""}, {"groupId", ""}, {"userId", ""}, {"objectType", "deal"},
    {"entityType", "person"}, {"customFieldName", "m1"}, {"objectId", ""}, {"noteId", ""}, {"taskId", ""},
    {"reminderId", ""}, {"interactionId", ""}, {"webhookId", ""}, {"deliveryId", ""}, {"keyId", ""}, {"grantId", ""},
    {"viewId", ""}};
enum { N_VALUES = sizeof values / sizeof *values };

static char *value_of(const char *name, size_t len)
{
	for (size_t i = 0; i < N_VALUES; i++)
		if (strlen(values[i].name) == len && memcmp(values[i].name, name, len) == 0)
			return values[i].value;
	fail_msg("no value of %s", name);
	return NULL;
}

static void largest_set(const char *name, const char *value)
{
	snprintf(value_of(name, strlen(name)), LARGEST_VALUE, "%s", value);
}

static const char *largest_get(const char *name)
{
	return value_of(name, strlen(name));
}

/* The id as stored in the database. */
static const char *uuid_of(const char *name)
{
	return strchr(largest_get(name), '_') + 1;
}

/* --- the workspace ------------------------------------------------------------------ */

static void largest_fill(const char *table, const char *columns, int count, const char *row)
{
	assert_int_equal(rig_int(&rig,
	                     "with w as (update workspaces set version = version + 1 returning workspace_id), made as "
	                     "(insert into %s (workspace_id, %s) select w.workspace_id, %s from w, generate_series(0, "
	                     "%d) n returning 1) select count(*) from made",
	                     table, columns, row, count - 1),
	    count);
}

static void make_settings(void)
{
	const char *group, *options = TEXT("(select json_agg(json_build_object('id', gen_random_uuid(), 'label', "
	                                   "repeat('x', 494) || lpad(o::text, 6, '0'), 'color', '#000000')) from "
	                                   "generate_series(1, %d) o where n >= 0)",
	                       OPTIONS);
	static const char *const entities[] = {"person", "company"};

	largest_set(
	    "groupId", caller_send(&ada, "POST", "/v1/groups", NULL, "{\"name\":\"G\",\"visibility\":\"private\"}").id);
	group = uuid_of("groupId");
	caller_send(
	    &ada, "POST", TEXT("/v1/groups/%s/object-types", largest_get("groupId")), NULL, "{\"name\":\"deal\"}");
	largest_fill("custom_fields", "id, group_id, entity, name, type, options", SELECTS,
	    TEXT("gen_random_uuid(), '%s', 'person', 'm' || n, 'multipleSelect', %s", group, options));
	for (int i = 0; i < 2; i++)
		largest_fill("custom_fields", "id, group_id, entity, name, type", TEXTS,
		    TEXT("gen_random_uuid(), '%s', '%s', 't' || n, 'textField'", group, entities[i]));
	largest_fill("custom_fields", "id, group_id, entity, name, type, type_id", TEXTS,
	    TEXT("gen_random_uuid(), '%s', 'object', 't' || n, 'textField', (select id from object_types where name = "
	         "'deal')",
	        group));
	largest_fill("groups", "id, name, visibility, created_by", GROUPS,
	    TEXT("gen_random_uuid(), 'many' || n, 'private', '%s'", strchr(rig.ada.id, '_') + 1));
	largest_fill("custom_fields", "id, group_id, entity, name, type", GROUPS * 200,
	    "gen_random_uuid(), (select id from groups where name = 'many' || n / 200), 'person', 'f' || n, "
	    "'textField'");
	largest_fill("object_types", "id, group_id, name, created_at", GROUPS * 50,
	    "gen_random_uuid(), (select id from groups where name = 'many' || n / 50), 'y' || n, now()");
	largest_fill("users", "id, email, full_name, role", USERS,
	    "gen_random_uuid(), 'somebody-' || n || '@example.org', repeat('U', 200) || n, 'member'");
	largest_fill("group_members", "group_id, user_id, role", USERS,
	    TEXT("'%s', (select id from users where email = 'somebody-' || n || '@example.org'), 'reader'", group));
	largest_set("userId", TEXT("usr_%s", database_text(rig.program, &rig.arena,
	                                         "select id from users where email = 'somebody-7@example.org'")));
}

/* Fills all custom texts of these records with four-byte characters. */
static void fill_values(const char *table, const char *entity)
{
	rig_int(&rig,
	    "with v as materialized (select json_object_agg(id, repeat(e'\\U0001F600', 1250)) as texts from "
	    "custom_fields "
	    "where entity = '%s' and name like 't%%'), u as (update %s set custom_values = v.texts from v returning 1) "
	    "select count(*) from u",
	    entity, table);
}

/* Returns the id. */
static const char *largest_post(const char *target, const char *text)
{
	struct caller_answer a = caller_send(&ada, "POST", target, NULL, text);

	if (a.status != 200)
		fail_msg("%s: %d %s %.900s", target, a.status, a.error, a.reply.body);
	return a.id;
}

static void make_contacts(void)
{
	const char *in_group = TEXT("{\"groups\":[{\"id\":\"%s\"}]}", largest_get("groupId"));
	const char *objects = TEXT("/v1/groups/%s/deal", largest_get("groupId"));

	/* Small records with the group and options of a field: 500 are removed in one transaction, the rest by a
	 * job. */
	for (int i = 0; i < 2; i++) {
		largest_holders(NULL);
		largest_post("/v1/people/batch/create", largest.body.data);
		buf_clear(&largest.body);
	}
	largest_fill("objects", "id, group_id, type_id, name, created_at, created_by, updated_at", 150,
	    TEXT("gen_random_uuid(), '%s', (select id from object_types where name = 'deal'), 'small', now(), '%s', "
	         "'2020-01-01'",
	        uuid_of("groupId"), strchr(rig.ada.id, '_') + 1));
	for (int i = 0; i < 40; i++) {
		largest_set("personId", largest_post("/v1/people", in_group));
		largest_set("companyId", largest_post("/v1/companies", in_group));
		largest_set("objectId", largest_post(objects, "{}"));
	}
	fill_values("people", "person");
	fill_values("companies", "company");
	fill_values("objects", "object");
}

static void make_activities(void)
{
	const char *entity = uuid_of("personId"), *user = strchr(rig.ada.id, '_') + 1;
	const char *large = "repeat(e'\\U0001F600', 100000)",
	           *of = TEXT("{\"entity\":{\"id\":\"%s\"}", largest_get("personId"));

	largest_set("noteId", largest_post("/v1/notes", TEXT("%s,\"content\":\"x\",\"visibility\":\"public\"}", of)));
	largest_set("taskId",
	    largest_post("/v1/tasks", TEXT("%s,\"title\":\"x\",\"dueAt\":\"2030-01-01\",\"isPublic\":true}", of)));
	largest_set("reminderId",
	    largest_post("/v1/reminders", TEXT("%s,\"name\":\"x\",\"visibility\":\"private\",\"recurrenceRule\":"
	                                       "\"DTSTART:20990101T000000Z\\nRRULE:FREQ=DAILY\"}",
	                                      of)));
	largest_set("interactionId",
	    largest_post("/v1/interactions", TEXT("%s,\"title\":\"x\",\"dateTime\":\"2026-01-01T00:00:00Z\","
	                                          "\"activityType\":\"call\"}",
	                                         of)));
	/* Replies, so that each shows its parent too. */
	rig_int(&rig, "with u as (update notes set content = %s returning 1) select count(*) from u", large);
	largest_fill("notes",
	    "id, entity_id, entity_type, content, visibility, author_id, words, created_at, parent_id, parent_seen_by",
	    30,
	    TEXT("gen_random_uuid(), '%s', 'person', %s, 'public', '%s', '{}', now(), '%s', '%s'", entity, large, user,
	        uuid_of("noteId"), user));
	rig_int(&rig, "with u as (update tasks set description = %s returning 1) select count(*) from u", large);
	largest_fill("tasks",
	    "id, entity_id, entity_type, title, description, due_at, is_public, created_by, created_at, updated_at", 30,
	    TEXT("gen_random_uuid(), '%s', 'person', 'x', %s, now(), true, '%s', now(), now()", entity, large, user));
	rig_int(&rig, "with u as (update interactions set content = %s returning 1) select count(*) from u", large);
	largest_fill("interactions",
	    "id, entity_id, entity_type, user_id, title, content, date_time, activity_type, counted", 30,
	    TEXT("gen_random_uuid(), '%s', 'person', '%s', 'x', %s, now() - n * interval '1 s', 'call', true", entity,
	        user, large));
	largest_fill("interactions",
	    "id, entity_id, entity_type, user_id, title, content, date_time, activity_type, counted", 30,
	    TEXT("gen_random_uuid(), '%s', 'person', '%s', 'x', %s, now() + interval '9 y', 'call', false", entity,
	        user, large));
	largest_fill("reminders",
	    "id, entity_id, entity_type, name, recurrence_rule, visibility, assigned_user_ids, next_trigger_at, "
	    "created_by, "
	    "created_at",
	    100,
	    TEXT("gen_random_uuid(), '%s', 'person', repeat('x', 255), repeat('R', 500), 'public', (select "
	         "array_agg(id) from (select id from users order by id limit 50) u), now() + interval '9 y', '%s', "
	         "now()",
	        entity, user));
	rig_int(&rig, "with gone as (delete from events returning 1) select count(*) from gone");
	largest_fill("events", "id, type, record_id, data, created_at", 100,
	    TEXT("gen_random_uuid(), 'person.updated', '%s', json_build_object('changes', "
	         "json_build_array(json_build_object('path', json_build_array('jobTitle'), 'type', 'set', 'value', "
	         "%s))), "
	         "now()",
	        entity, large));
}

static void make_webhooks(void)
{
	largest_webhook(NULL);
	for (int i = 0; i < 100; i++)
		largest_set("webhookId", largest_post("/v1/webhooks", largest.body.data));
	buf_clear(&largest.body);
	largest_fill("deliveries",
	    "webhook_id, generation, xid, seq, created_at, id, event_id, event_type, record_id, state, n_attempts, "
	    "attempts",
	    200,
	    TEXT("'%s', 1, 1, n, now(), gen_random_uuid(), gen_random_uuid(), 'person.updated', '%s', 'failed', 100, "
	         "(select "
	         "json_agg(json_build_object('at', now(), 'status', 500, 'error', repeat('x', 200))) from "
	         "generate_series(1, 100) k where n >= 0)",
	        uuid_of("webhookId"), uuid_of("personId")));
	largest_set("deliveryId", TEXT("dlv_%s", database_text(rig.program, &rig.arena,
	                                             "select id from deliveries where seq = 0 and xid = 1")));
}

static void make_views(void)
{
	largest_view(NULL);
	for (int i = 0; i < 100; i++)
		largest_set("viewId", largest_post("/v1/views", largest.body.data));
	buf_clear(&largest.body);
}

static void make_keys(void)
{
	largest_set("keyId", largest_post("/v1/keys", "{}"));
	for (int i = 0; i < 100; i++)
		largest_set("grantId", grant_made(rig.program, &ada.arena, rig.ada.id, TEXT("%0100d", i)));
	largest_fill("api_keys", "key_hash, id, user_id, name, last4", 100,
	    TEXT("sha256(n::text::bytea), gen_random_uuid(), '%s', repeat(e'\\U0001F600', 255), 'abcd'",
	        uuid_of("userId")));
}

const char *largest_value(const char *name, size_t len)
{
	return value_of(name, len);
}

void largest_make(void)
{
	buf_init(&largest.body, LARGEST_BODY);
	make_settings();
	make_contacts();
	make_activities();
	make_webhooks();
	make_views();
	make_keys();
}
