/* Limits of a workspace's content: exact with concurrent requests on two servers; what exceeds them can be reduced. */
#include <stdio.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/input/limits.h"
#include "test/lib/model/deals.h"
#include "test/lib/rows.h"

enum { CROWD = 12, ROOM = 5 };

DEALS("limits");

/* The same request from many at once, half of them to each server; returns how many were 200, the others being 422. */
struct limits_crowd {
	const char *method, *target, *body; /* body: '#' is the caller's letter */
	int status[CROWD];
	char message[CROWD][1024];
};

static void one_of(void *ctx, int i)
{
	struct limits_crowd *c = ctx;
	struct caller caller;
	struct caller_answer a;
	char body[1024];

	caller_init(&caller, servers[i % 2]->base, ada.key);
	snprintf(body, sizeof body, "%s", c->body);
	if (strchr(body, '#'))
		*strchr(body, '#') = (char)('a' + i);
	a = caller_send(&caller, c->method, c->target, NULL, body);
	c->status[i] = a.status;
	snprintf(c->message[i], sizeof c->message[i], "%s", a.reply.body);
	caller_free(&caller);
}

static int expect_accepted(const char *method, const char *target, const char *body)
{
	struct limits_crowd c = {.method = method, .target = target, .body = body};
	int good = 0;

	caller_crowd_run(CROWD, one_of, &c);
	for (int i = 0; i < CROWD; i++) {
		if (c.status[i] != 200 && (c.status[i] != 422 || !strstr(c.message[i], "has at most")))
			fail_msg("%d %s", c.status[i], c.message[i]);
		good += c.status[i] == 200;
	}
	return good;
}

/* 422 `custom`, whose message names the limit and the current number. */
static void expect_refused(struct caller_answer a, enum limit_name which, long long present)
{
	const struct limit *l = &limits[which];
	char expected[256];

	snprintf(expected, sizeof expected, "%s has at most %lld %s; this one has %lld", l->holder, (long long)l->most,
	    l->unit, present);
	if (a.status != 422 || !strstr(a.reply.body, expected) || !strstr(a.reply.body, "\"custom\""))
		fail_msg("%d %s, not: %s", a.status, a.reply.body, expected);
}

TEST(test_reminders)
{
	static const char far[] = "{\"entity\":{\"id\":\"%s\"},\"name\":\"#\",\"recurrenceRule\":"
	                          "\"DTSTART:20990101T000000Z\\nRRULE:FREQ=DAILY\",\"visibility\":\"private\"}";
	const char *person = deals_post("/v1/people", "{\"fullName\":\"Ann\"}").id, *over, *body = TEXT(far, person);
	const char *past = TEXT("{\"entity\":{\"id\":\"%s\"},\"name\":\"past\",\"recurrenceRule\":"
	                        "\"DTSTART:20200101T000000Z\\nRRULE:COUNT=1\",\"visibility\":\"private\"}",
	    person);

	rows_change("insert into reminders (workspace_id, id, entity_id, entity_type, name, recurrence_rule, "
	            "visibility, next_trigger_at, created_by, created_at) select w.workspace_id, gen_random_uuid(), "
	            "'%s', 'person', 'many', 'DTSTART:20990101T000000Z\\nRRULE:FREQ=DAILY', 'private', now() + "
	            "interval '9 years', w.workspace_id, now() from workspaces w, generate_series(1, %d)",
	    strchr(person, '_') + 1, (int)limits[LIMIT_REMINDERS].most - ROOM);
	assert_int_equal(expect_accepted("POST", "/v1/reminders", body), ROOM);
	assert_rows(limits[LIMIT_REMINDERS].most, "reminders");
	expect_refused(SEND("POST", body, "/v1/reminders"), LIMIT_REMINDERS, 10000);
	/* A reminder without a next time does not count; with one it does. */
	over = deals_post("/v1/reminders", past).id;
	expect_refused(SEND("PATCH", "{\"recurrenceRule\":\"DTSTART:20990101T000000Z\\nRRULE:FREQ=DAILY\"}",
	                   "/v1/reminders/%s", over),
	    LIMIT_REMINDERS, 10000);
	caller_good(SEND("PATCH", "{\"name\":\"later\"}", "/v1/reminders/%s", over));
	rows_change("delete from reminders where id in (select id from reminders where name = 'many' limit 1)");
	assert_int_equal(expect_accepted("PATCH", TEXT("/v1/reminders/%s", over),
	                     "{\"name\":\"#\",\"recurrenceRule\":\"DTSTART:20990101T000000Z\\nRRULE:FREQ=DAILY\"}"),
	    CROWD);
	expect_refused(SEND("POST", body, "/v1/reminders"), LIMIT_REMINDERS, 10000);
	caller_good(SEND("DELETE", NULL, "/v1/people/%s", person));
	assert_rows(0, "reminders");
}

/* --- settings ------------------------------------------------------------------------------- */

/* Inserts count rows, below the limit; values: of the columns after the workspace and a new id. */
static void fill_table(const char *table, const char *columns, const char *values, int count)
{
	rows_change("insert into %s (workspace_id, id, %s) select w.workspace_id, gen_random_uuid(), %s from "
	            "workspaces w, generate_series(1, %d) n",
	    table, columns, values, count);
}

/* Nobody adds a key between the count of another request and its end. Runs before fields are filled in behind the
 * servers' backs. */
TEST(test_keys)
{
	const char *user = strchr(rig.ada.id, '_') + 1;
	int keys = (int)rows_count("api_keys where %s", rig.own);

	fill_table("api_keys", "user_id, key_hash, name, last4",
	    TEXT("'%s', decode(md5(n::text) || md5('k' || n), 'hex'), '', 'last'", user),
	    (int)limits[LIMIT_KEYS].most - keys - ROOM);
	assert_int_equal(expect_accepted("POST", "/v1/keys", "{\"name\":\"#\"}"), ROOM);
	expect_refused(SEND("POST", "{}", "/v1/keys"), LIMIT_KEYS, 1000);
}

TEST(test_views)
{
	const char *user = strchr(rig.ada.id, '_') + 1;

	fill_table("views", "name, query, created_by, created_at, updated_at",
	    TEXT("'v' || n, '{}', '%s', now(), now()", user), (int)limits[LIMIT_VIEWS].most - ROOM);
	assert_int_equal(expect_accepted("POST", "/v1/views", "{\"name\":\"#\",\"kind\":\"people\"}"), ROOM);
	expect_refused(SEND("POST", "{\"name\":\"x\",\"kind\":\"people\"}", "/v1/views"), LIMIT_VIEWS, 500);
	rows_change("delete from views");
}

TEST(test_settings)
{
	const char *group = strchr(deals.group, '_') + 1, *user = strchr(rig.ada.id, '_') + 1;
	const char *types = TEXT("/v1/groups/%s/object-types", deals.group);
	const char *fields = TEXT("/v1/groups/%s/custom-fields/person", deals.group);
	int groups = (int)rows_count("groups");

	fill_table("groups", "name, visibility, created_by", TEXT("'g' || n, 'public', '%s'", user),
	    (int)limits[LIMIT_GROUPS].most - groups - ROOM);
	assert_int_equal(expect_accepted("POST", "/v1/groups", "{\"name\":\"#\",\"visibility\":\"public\"}"), ROOM);
	expect_refused(SEND("POST", "{\"name\":\"x\",\"visibility\":\"public\"}", "/v1/groups"), LIMIT_GROUPS, 1000);
	fill_table("object_types", "group_id, name, created_at", TEXT("'%s', 't' || n, now()", group), 49 - ROOM);
	assert_int_equal(expect_accepted("POST", types, "{\"name\":\"#\"}"), ROOM);
	expect_refused(caller_send(&ada, "POST", types, NULL, "{\"name\":\"x\"}"), LIMIT_TYPES, 50);
	fill_table("custom_fields", "group_id, entity, name, type",
	    TEXT("'%s', 'person', 'f' || n, 'textField'", group), 200 - ROOM);
	assert_int_equal(expect_accepted("POST", fields, "{\"name\":\"#\",\"type\":\"textField\"}"), ROOM);
	expect_refused(
	    caller_send(&ada, "POST", fields, NULL, "{\"name\":\"x\",\"type\":\"textField\"}"), LIMIT_FIELDS, 200);
	deals_field("company", "other", "\"type\":\"textField\""); /* of another kind */
}

TEST(test_options)
{
	const char *group = strchr(deals.group, '_') + 1;
	const char *fields = TEXT("/v1/groups/%s/custom-fields/company", deals.group);
	const char *one = "{\"addOptions\":[{\"label\":\"#\"}]}";

	fill_table("custom_fields", "group_id, entity, name, type, options",
	    TEXT("'%s', 'company', 's' || n, 'singleSelect', (select json_agg(json_build_object('id', "
	         "gen_random_uuid(), "
	         "'label', 'label' || k, 'color', '#4f86f7')) from generate_series(1, 999) k)",
	        group),
	    20);
	assert_int_equal(expect_accepted("PATCH", TEXT("%s/s1", fields), one), 1);
	expect_refused(SEND("PATCH", one, "%s/s1", fields), LIMIT_OPTIONS, 1000);
	deals_field("company", "rest", "\"type\":\"singleSelect\",\"options\":[{\"label\":\"1\"}]");
	rows_change("update workspaces set version = version + 1");
	rows_change("update custom_fields set options = (select json_agg(json_build_object('id', gen_random_uuid(), "
	            "'label', 'l' || k, 'color', '#4f86f7')) from generate_series(1, 14) k) where name = 'rest'");
	assert_int_equal(expect_accepted("PATCH", TEXT("%s/rest", fields), one), ROOM);
	expect_refused(SEND("PATCH", one, "%s/rest", fields), LIMIT_ALL_OPTIONS, 20000);
	caller_good(SEND("PATCH", "{\"name\":\"renamed\"}", "%s/rest", fields));
}

/* --- records, and pages of them ---------------------------------------------------------------- */

/* "fN":"aaa…" for count fields, 5,000 characters each. */
static const char *field_values(int count)
{
	struct buf b;
	const char *text;

	buf_init(&b, 4 << 20);
	for (int i = 1; i <= count; i++) {
		buf_printf(&b, "%s\"f%d\":\"", i > 1 ? "," : "", i);
		for (int k = 0; k < 50; k++)
			buf_addz(&b, "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeaaaaaaaaaabbbbbbbbbbccccccccccd"
			             "dddddddddeeeeeeeeee");
		buf_addz(&b, "\"");
	}
	text = arena_dup(&ada.arena, b.data, b.len + 1);
	buf_free(&b);
	return text;
}

/* Somebody who does not see all groups is not told a number that may count what they hold. */
static void expect_untold(const char *target, const char *body)
{
	struct caller_answer a;

	rig_int(&rig,
	    "with g as (update groups set visibility = 'private' where name = 'g1' and %s returning workspace_id) "
	    "update workspaces w set version = version + 1 from g where w.workspace_id = g.workspace_id returning 1",
	    rig.own);
	a = caller_send(&ben, "PATCH", target, NULL, body);
	if (a.status != 422 || !strstr(a.reply.body, "bytes of custom field values; this one has more\""))
		fail_msg("%d %s", a.status, a.reply.body);
}

TEST(test_records)
{
	const char *person = deals_post("/v1/people", TEXT("{%s}", deals.in_group)).id, *target, *fields;
	const char *other = deals_post("/v1/people", TEXT("{%s}", deals.in_group)).id;
	struct caller_answer a;
	int64_t rows;

	target = TEXT("/v1/people/%s", person);
	caller_good(caller_send(
	    &ada, "PATCH", target, NULL, TEXT("{\"customFieldValues\":{\"%s\":{%s}}}", deals.group, field_values(51))));
	a = caller_send(
	    &ada, "PATCH", target, NULL, TEXT("{\"customFieldValues\":{\"%s\":{%s}}}", deals.group, field_values(52)));
	expect_refused(a, LIMIT_CUSTOM_BYTES, 52 * 5042 + 1);
	assert_non_null(strstr(a.reply.body, "\"path\":[\"customFieldValues\"]"));
	expect_untold(target, TEXT("{\"customFieldValues\":{\"%s\":{%s}}}", deals.group, field_values(52)));
	/* In a batch only this record fails, and leaves nothing. */
	rows = rows_count("field_values");
	a = caller_good(caller_send(&ada, "POST", "/v1/people/batch/update", NULL,
	    TEXT("{\"records\":[{\"id\":\"%s\",\"customFieldValues\":{\"%s\":{%s}}},"
	         "{\"id\":\"%s\",\"customFieldValues\":{\"%s\":{\"f1\":\"x\"}}}]}",
	        person, deals.group, field_values(52), other, deals.group)));
	assert_non_null(strstr(a.reply.body, "UNPROCESSABLE_ENTITY"));
	assert_rows(rows + 1, "field_values");
	/* What was larger before can be read, changed and reduced. */
	fields = TEXT("(select json_object_agg(f.id, repeat('x', 5000)) from custom_fields f where f.entity = 'person' "
	              "and f.workspace_id = p.workspace_id)");
	rows_change("update people p set custom_values = %s where id = '%s'", fields, strchr(person, '_') + 1);
	a = caller_good(caller_send(&ada, "GET", target, NULL, NULL));
	assert_true(a.reply.body_len > 1000 * 1000);
	caller_good(caller_send(&ada, "PATCH", target, NULL, "{\"jobTitle\":\"x\"}"));
	caller_good(caller_send(
	    &ada, "PATCH", target, NULL, TEXT("{\"customFieldValues\":{\"%s\":{\"f1\":\"shorter\"}}}", deals.group)));
	assert_int_equal(caller_send(&ada, "PATCH", target, NULL,
	                     TEXT("{\"customFieldValues\":{\"%s\":{\"f1\":\"longer than it was\"}}}", deals.group))
	                     .status,
	    422);
}

/* Follows nextLink to the end: the expected number of items, on more than one page. No page is much larger than 8 MiB.
 */
static void whole_list(const char *target, int expected, size_t single)
{
	int items = 0, pages = 0;

	while (target) {
		struct caller_answer a = caller_good(caller_send(&ada, "GET", target, NULL, NULL));
		const char *next = strstr(a.reply.body, "\"nextLink\":\"");
		if (a.reply.body_len > (8u << 20) + 2 * single)
			fail_msg("%s: %zu bytes", target, a.reply.body_len);
		for (const char *p = a.reply.body; (p = strstr(p, "\"createdAt\":")); p++)
			items++;
		pages++;
		target = NULL;
		if (next) {
			next = strstr(next + 12, "/v1/");
			target = TEXT("%.*s", (int)strcspn(next, "\""), next);
		}
	}
	print_message("%d items on %d pages\n", items, pages);
	assert_int_equal(items, expected);
	assert_true(pages > 1);
}

/* A page of small records and one with a single large value shows all of it. */
TEST(test_one_large)
{
	struct caller_answer a;

	deals_post("/v1/people", TEXT("{%s}", deals.in_group));
	rows_change(
	    "update people set urls = array(select md5(n::text) from generate_series(1, 100) n) where id = '%s'",
	    strchr(deals_post("/v1/people", TEXT("{%s}", deals.in_group)).id, '_') + 1);
	a = caller_good(SEND("GET", NULL, "/v1/people?limit=100"));
	assert_non_null(strstr(a.reply.body, "f899139df5e1059396431415e770c6dd")); /* of 100 */
	assert_null(strstr(a.reply.body, "nextLink"));
	a = caller_good(SEND("GET", NULL, "/v1/people?limit=100&filter[urls][like]=9396431415"));
	assert_non_null(strstr(a.reply.body, "f899139df5e1059396431415e770c6dd"));
}

TEST(test_pages)
{
	int people;
	const char *entity;

	for (int i = 0; i < 30; i++)
		entity = deals_post("/v1/people", TEXT("{%s}", deals.in_group)).id;
	rows_change("update people p set custom_values = (select json_object_agg(f.id, repeat(e'\\U0001F600', 2500)) "
	            "from custom_fields f where f.entity = 'person' and f.workspace_id = p.workspace_id)");
	people = (int)rows_count("people");
	whole_list("/v1/people?limit=100", people, 2100 * 1000);
	whole_list("/v1/people?limit=100&sort=-createdAt", people, 2100 * 1000);
	whole_list("/v1/people?limit=100&sort=updatedAt", people, 2100 * 1000);
	whole_list(TEXT("/v1/people?limit=100&filter[groups][in][id]=%s", deals.group), people, 2100 * 1000);
	fill_table("notes", "entity_id, entity_type, content, visibility, author_id, words, created_at",
	    TEXT("'%s', 'person', repeat('x', 100000), 'public', '%s', '{}', now()", strchr(entity, '_') + 1,
	        strchr(rig.ada.id, '_') + 1),
	    100);
	whole_list(TEXT("/v1/notes?limit=100&entity.id=%s", entity), 100, 100 * 1000);
	rows_change("delete from events");
	fill_table("events", "type, record_id, data, created_at",
	    "'person.updated', gen_random_uuid(), json_build_object('changes', json_build_array(json_build_object("
	    "'path', json_build_array('jobTitle'), 'type', 'set', 'value', repeat('x', 400000)))), now()",
	    100);
	whole_list("/v1/events?limit=100", 100, 400 * 1000);
}

/* --- lists that upserts append to ---------------------------------------------------------------------- */

/* Gives the deal people of these numbers, in several batch records for the one deal; returns whether it was done. */
static bool upsert_people(const char *name, int from, int to, int records)
{
	struct caller_answer a;
	struct buf b;

	buf_init(&b, 1 << 20);
	buf_addz(&b, "{\"match\":\"name\",\"records\":[");
	for (int i = 0; i < records; i++) {
		buf_printf(&b, "%s{\"name\":\"%s\",\"customFieldValues\":{\"who\":[", i ? "," : "", name);
		for (int k = from + (to - from) * i / records; k < from + (to - from) * (i + 1) / records; k++)
			buf_printf(&b, "{\"id\":\"per_00000000-0000-7000-8000-%012d\"},", k);
		b.data[b.len - 1] = ']';
		buf_addz(&b, "}}");
	}
	buf_addz(&b, "]}");
	a = deals_post(TEXT("%s/batch/upsert", deals.target), b.data);
	buf_free(&b);
	assert_null(strstr(a.reply.body, "warnings"));
	assert_true(strstr(a.reply.body, "\"operation\"") || strstr(a.reply.body, "who: at most 1000 items"));
	return strstr(a.reply.body, "\"operation\"") != NULL;
}

TEST(test_appended)
{
	deals_field("deal", "who", "\"type\":\"contactField\"");
	rig_int(&rig, "insert into people (workspace_id, id, created_at, created_by, updated_at) select "
	              "u.workspace_id, ('00000000-0000-7000-8000-' || lpad(k::text, 12, '0'))::uuid, now(), u.id, "
	              "now() from users u, generate_series(0, 1000) k where u.email like 'ada%%'; select 1");
	assert_false(upsert_people("Never", 0, 1001, 2));
	assert_rows(0, "objects where name = 'Never'");
	assert_true(upsert_people("Full", 0, 600, 1));
	assert_false(upsert_people("Full", 590, 1001, 1));
	assert_true(upsert_people("Full", 590, 1000, 2));
	assert_false(upsert_people("Full", 1000, 1001, 1));
	assert_true(upsert_people("Full", 0, 1000, 1));
	assert_rows(1000, "field_values v join objects o on o.workspace_id = v.workspace_id and o.id = v.owner_id "
	                  "where o.name = 'Full'");
}
