/* The largest request bodies, by route. */
#include <string.h>

#include "test/lib/model/largest_world.h"

enum { OPTIONS = 1000, TEXTS = 51 };

static const char *body_value(const char *name)
{
	return largest_value(name, strlen(name));
}

static void add_texts(const char *name, int n, int len)
{
	buf_printf(&largest.body, ",\"%s\":[", name);
	for (int i = 0; i < n; i++)
		buf_printf(&largest.body, "%s\"%0*d\"", i ? "," : "", len, i);
	buf_addc(&largest.body, ']');
}

static void add_values(int n)
{
	buf_printf(&largest.body, "{\"t0\":\"\"");
	for (int i = 1; i < n; i++)
		buf_printf(&largest.body, ",\"t%d\":\"%0*d\"", i, 4900, i);
	buf_addc(&largest.body, '}');
}

/* Without its closing brace. */
static void add_record(const char *id, bool object, int texts)
{
	buf_addz(&largest.body, "{");
	if (id)
		buf_printf(&largest.body, "\"id\":\"%s\",", id);
	if (object) {
		buf_printf(&largest.body, "\"name\":\"%0*d\",\"customFieldValues\":", 1000, 1);
		add_values(texts);
		return;
	}
	buf_printf(&largest.body, "\"groups\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":", body_value("groupId"),
	    body_value("groupId"));
	add_values(texts);
	buf_addz(&largest.body, "}");
	add_texts("addresses", 20, 480);
	add_texts("urls", 20, 1000);
}

static bool of_objects(const char *path)
{
	return strstr(path, "{objectType}") != NULL;
}

/* One record with everything at its limit. */
void largest_one_record(const char *path)
{
	add_record(NULL, of_objects(path), TEXTS);
	buf_addz(&largest.body, "}");
}

static void batch_of(const char *path, bool ids, int texts)
{
	buf_addz(&largest.body, "{\"records\":[");
	for (int i = 0; i < LARGEST_RECORDS; i++) {
		buf_addz(&largest.body, i ? "," : "");
		if (texts)
			add_record(ids ? largest.records[i] : NULL, of_objects(path), texts);
		else
			buf_printf(&largest.body, "{\"id\":\"%s\"", largest.records[i]);
		buf_addz(&largest.body, "}");
	}
	buf_addz(&largest.body, "]}");
}

void largest_batch_create(const char *path)
{
	batch_of(path, false, 7);
}

void largest_batch_update(const char *path)
{
	batch_of(path, true, 9);
}

/* Each record has values of its own to match by. */
void largest_batch_upsert(const char *path)
{
	bool object = of_objects(path);

	buf_printf(&largest.body, "{\"match\":\"%s\",\"records\":[", object ? "name" : "emails");
	for (int i = 0; i < LARGEST_RECORDS; i++) {
		buf_addz(&largest.body, i ? "," : "");
		if (object) {
			buf_printf(&largest.body, "{\"name\":\"%0*d\",\"customFieldValues\":", 1000, i);
			add_values(7);
		} else {
			add_record(NULL, false, 7);
			for (int k = 0; k < 20; k++)
				buf_printf(&largest.body, "%s\"%0*d@x\"", k ? "," : ",\"emails\":[", 250, 20 * i + k);
			buf_addz(&largest.body, "]");
		}
		buf_addz(&largest.body, "}");
	}
	buf_addz(&largest.body, "]}");
}

void largest_batch_delete(const char *path)
{
	batch_of(path, true, 0);
}

/* The label of option n of the fields "m0", "m1", … */
static const char *label_text(int n)
{
	char xs[495];

	memset(xs, 'x', sizeof xs - 1);
	xs[sizeof xs - 1] = '\0';
	return TEXT("%s%06d", xs, n);
}

/* A hundred minimal records with the group and some options. */
void largest_holders(const char *path)
{
	(void)path;
	buf_addz(&largest.body, "{\"records\":[");
	for (int i = 0; i < LARGEST_RECORDS; i++) {
		buf_printf(&largest.body, "%s{\"groups\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{\"m1\":[",
		    i ? "," : "", body_value("groupId"), body_value("groupId"));
		for (int k = 1; k <= 5; k++)
			buf_printf(&largest.body, "%s\"%s\"", k > 1 ? "," : "", label_text(i + k));
		buf_addz(&largest.body, "]}}}");
	}
	buf_addz(&largest.body, "]}");
}

/* As many conditions and as long values as a filter may have; for people by options, which are looked up. */
void largest_search(const char *path)
{
	bool people = strstr(path, "people");

	buf_addz(&largest.body, "{\"filter\":{\"and\":[");
	for (int i = 0; i < 20 && !people; i++)
		buf_printf(&largest.body, "%s{\"name\":{\"like\":\"%0*d\"}}", i ? "," : "", 450, i);
	for (int i = 0; i < 18 && people; i++) {
		buf_printf(&largest.body, "%s{\"customFieldValues.%s.m%d\":{\"in\":[", i ? "," : "",
		    body_value("groupId"), i % 10);
		for (int k = 0; k < 100; k++)
			buf_printf(&largest.body, "%s\"%s\"", k ? "," : "", label_text(OPTIONS - k));
		buf_addz(&largest.body, "]}}");
	}
	buf_addz(&largest.body, "]}}");
}

/* A view of companies with the largest filter and all columns that it may have. */
void largest_view(const char *path)
{
	(void)path;
	buf_addz(&largest.body, "{\"name\":\"largest\",\"kind\":\"companies\",\"query\":");
	largest_search("companies");
	buf_addz(&largest.body, ",\"columns\":[");
	for (int i = 0; i < 100; i++)
		buf_printf(&largest.body, "%s\"%0500d\"", i ? "," : "", i);
	buf_addz(&largest.body, "]}");
}

void largest_group(const char *path)
{
	(void)path;
	buf_printf(&largest.body, "{\"name\":\"%0255d\",\"visibility\":\"private\"}", 1);
}

void largest_name(const char *path)
{
	(void)path;
	buf_printf(&largest.body, "{\"name\":\"%0255d\"}", 2);
}

void largest_account(const char *path)
{
	(void)path;
	buf_printf(
	    &largest.body, "{\"email\":\"%0240d@example.com\",\"fullName\":\"%0500d\",\"role\":\"admin\"}", 3, 4);
}

void largest_account_name(const char *path)
{
	(void)path;
	buf_printf(&largest.body, "{\"fullName\":\"%0500d\",\"timeZone\":\"America/Argentina/ComodRivadavia\"}", 5);
}

void largest_member(const char *path)
{
	(void)path;
	buf_printf(&largest.body, "{\"id\":\"%s\",\"role\":\"admin\"}", rig.ben.id);
}

void largest_role(const char *path)
{
	(void)path;
	buf_addz(&largest.body, "{\"role\":\"admin\"}");
}

void largest_field(const char *path)
{
	(void)path;
	buf_addz(&largest.body, "{\"name\":\"o\",\"type\":\"multipleSelect\",\"options\":[");
	for (int i = 0; i < OPTIONS; i++)
		buf_printf(&largest.body, "%s{\"label\":\"%0500d\"}", i ? "," : "", i);
	buf_addz(&largest.body, "]}");
}

/* Replaces all options. */
void largest_options(const char *path)
{
	(void)path;
	buf_printf(&largest.body, "{\"removeOptions\":%s,\"addOptions\":[",
	    database_text(rig.program, &rig.arena,
	        "select json_agg('gcfo_' || (o ->> 'id')) from custom_fields, json_array_elements(options) o where "
	        "name = "
	        "'m1'"));
	for (int i = 0; i < OPTIONS; i++)
		buf_printf(&largest.body, "%s{\"label\":\"%0500d\"}", i ? "," : "", i);
	buf_addz(&largest.body, "]}");
}

/* An activity's text of 100,000 four-byte characters. */
static void body_activity(const char *first, const char *name, const char *rest)
{
	buf_printf(&largest.body, "{%s\"%s\":\"", first, name);
	for (int i = 0; i < 100 * 1000; i++)
		buf_addz(&largest.body, "\xf0\x9f\x98\x80");
	buf_printf(&largest.body, "\"%s}", rest);
}

static const char *body_entity(void)
{
	return TEXT("\"entity\":{\"id\":\"%s\"},", body_value("personId"));
}

static const char note_rest[] = ",\"visibility\":\"public\"",
                  task_rest[] = ",\"title\":\"x\",\"dueAt\":\"2030-01-01\",\"isPublic\":true",
                  interaction_rest[] =
                      ",\"title\":\"x\",\"dateTime\":\"2026-01-01T00:00:00Z\",\"activityType\":\"call\"";

/* As many as fit into a body. */
static void body_activities(const char *name, const char *rest)
{
	buf_addz(&largest.body, "{\"records\":[");
	for (int i = 0; i < 20; i++) {
		buf_addz(&largest.body, i ? "," : "");
		body_activity(body_entity(), name, rest);
	}
	buf_addz(&largest.body, "]}");
}

void largest_batch_notes(const char *path)
{
	(void)path;
	body_activities("content", note_rest);
}

void largest_batch_tasks(const char *path)
{
	(void)path;
	body_activities("description", task_rest);
}

void largest_batch_interactions(const char *path)
{
	(void)path;
	body_activities("content", interaction_rest);
}

void largest_note(const char *path)
{
	body_activity(strchr(path, '{') ? "" : body_entity(), "content", strchr(path, '{') ? "" : note_rest);
}

void largest_task(const char *path)
{
	body_activity(strchr(path, '{') ? "" : body_entity(), "description", strchr(path, '{') ? "" : task_rest);
}

void largest_interaction(const char *path)
{
	body_activity(body_entity(), "content", strchr(path, '{') ? "" : interaction_rest);
}

void largest_reminder(const char *path)
{
	bool update = strchr(path, '{');

	buf_printf(&largest.body, "{%s\"name\":\"%0255d\"%s,\"recurrenceRule\":\"DTSTART:20260101T000000Z\\n",
	    update ? "" : body_entity(), 1, update ? "" : ",\"visibility\":\"public\"");
	buf_addz(&largest.body,
	    "RRULE:FREQ=YEARLY;COUNT=9999;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYDAY=MO,TU,WE,TH,FR;BYHOUR=0");
	for (int i = 1; i < 24; i++)
		buf_printf(&largest.body, ",%d", i);
	buf_addz(&largest.body, ";BYMINUTE=0,5,10,15,20,25,30,35,40,45,50,55\"");
	for (int i = 0; i < 50 && !update; i++)
		buf_printf(
		    &largest.body, "%s{\"email\":\"somebody-%d@example.org\"}", i ? "," : ",\"assignedUsers\":[", i);
	buf_addz(&largest.body, update ? "}" : "]}");
}

/* Twenty subscriptions with the longest paths. */
void largest_webhook(const char *path)
{
	(void)path;
	buf_addz(&largest.body, "{\"name\":\"h\",\"targetUrl\":\"http://127.0.0.1:9/h\",\"subscribedEvents\":[");
	for (int i = 0; i < 20; i++)
		buf_printf(&largest.body,
		    "%s{\"eventType\":\"person.updated\",\"filter\":{\"path\":[\"customFieldValues\",\"%s\",\"t%d\"],"
		    "\"value\":\"%0*d\"}}",
		    i ? "," : "", body_value("groupId"), i, 2500, i);
	buf_addz(&largest.body, "]}");
}

void largest_since(const char *path)
{
	(void)path;
	buf_addz(&largest.body, "{\"since\":\"");
	buf_addz(&largest.body,
	    database_text(rig.program, &rig.arena,
	        "select to_char(now() at time zone 'UTC' - interval '1 day', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"));
	buf_addz(&largest.body, "\"}");
}

/* A record with all values as well: the one made by a single create. */
void largest_other(const char *path)
{
	bool people = strstr(path, "/people/") != NULL;

	buf_printf(&largest.body, "{\"id\":\"%s%s\"}", people ? "per_" : "com_",
	    database_text(rig.program, &rig.arena,
	        arena_printf(&rig.arena,
	            "select id from %s where workspace_id = '%s' and id <> '%s' order by id desc limit 1",
	            people ? "people" : "companies", rig.workspace.id + 4,
	            largest_value(people ? "personId" : "companyId", people ? 8 : 9) + 4)));
}
