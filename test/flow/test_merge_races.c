/* Merges on two servers: races with writes and deletes of both records, limits, and beside removals that are not
 * finished. */
#include <stdatomic.h>
#include <string.h>

#include "server/base/buf.h"
#include "test/lib/db/consistency.h"
#include "test/lib/model/held.h"
#include "test/lib/rows.h"
#include "test/lib/test.h"

enum { BODY_MAX = 1 << 20 };

static void check_all(void)
{
	assert_int_equal(consistency_broken(rig.program), 0);
	assert_int_equal(consistency_untold(rig.program), 0);
}

static const char *make_record(const char *target, const char *body)
{
	return arena_dupz(&ada.arena, POST(body, "%s", target));
}

/* --- races ------------------------------------------------------------------------------------- */

enum { RACE_ROUNDS = 6, RACERS = 8, RACE_WRITES = 12 };

static struct {
	const char *ids[2], *deal, *group;
	const char *collection;
	bool deletes; /* one of them is deleted meanwhile */
	struct caller callers[RACERS];
	atomic_int merged, noted, met, other;
} race;

/* Both ways, so one of them at most. */
static void race_merge(struct caller *c, int way)
{
	struct caller_answer a =
	    caller_sendf(c, "POST", arena_printf(&c->arena, "/v1/%s/%s/merge", race.collection, race.ids[way]), NULL,
	        "{\"id\":\"%s\"}", race.ids[!way]);

	if (a.status == 200)
		atomic_fetch_add(&race.merged, 1);
	else if (a.status != 404 && a.status != 422)
		atomic_fetch_add(&race.other, 1);
}

static void race_link(struct caller *c, const char *id, bool note)
{
	struct caller_answer a =
	    note ? caller_sendf(c, "POST", "/v1/notes", NULL,
	               "{\"entity\":{\"id\":\"%s\"},\"content\":\"n\",\"visibility\":\"public\"}", id)
	         : caller_sendf(c, "POST", "/v1/interactions", NULL,
	               "{\"entity\":{\"id\":\"%s\"},\"dateTime\":\"2025-01-01T00:00:00Z\",\"title\":"
	               "\"i\",\"activityType\":\"call\"}",
	               id);

	if (a.status == 200)
		atomic_fetch_add(note ? &race.noted : &race.met, 1);
	else if (a.status != 422)
		atomic_fetch_add(&race.other, 1);
}

static void race_write(struct caller *c, int i, int n)
{
	const char *id = race.ids[n % 2], *body = arena_printf(&c->arena,
	                                      "{\"groups\":[{\"id\":\"%s\"}],\"emails\":[\"w%d-%d@x.org\"],"
	                                      "\"customFieldValues\":{\"%s\":{\"Text\":\"w%d\"}}}",
	                                      race.group, i, n, race.group, n);
	struct caller_answer a;

	if (i % 2)
		a = caller_send(c, "PATCH", arena_printf(&c->arena, "/v1/%s/%s", race.collection, id), NULL, body);
	else
		a = caller_sendf(c, "PATCH", race.deal, NULL, "{\"%s\":[{\"id\":\"%s\"}]}", race.collection, id);
	if (a.status != 200 && a.status != 404)
		atomic_fetch_add(&race.other, 1);
}

static void race_run(void *ctx, int i)
{
	struct caller *c = &race.callers[i];

	(void)ctx;
	for (int n = 0; n < RACE_WRITES; n++) {
		if (i < 2 && n == RACE_WRITES / 3 + i)
			race_merge(c, i);
		else if (i == 2 && race.deletes && n == RACE_WRITES / 3)
			caller_send(c, "DELETE", arena_printf(&c->arena, "/v1/%s/%s", race.collection, race.ids[n % 2]),
			    NULL, NULL);
		else if (i < 4)
			race_link(c, race.ids[n % 2], i % 2);
		else
			race_write(c, i, n);
	}
}

static void run_race(bool person, bool deletes)
{
	const char *body = TEXT("{\"groups\":[{\"id\":\"%s\"}],\"emails\":[\"a@x.org\"]}", race.group);

	race.collection = person ? "people" : "companies";
	race.deletes = deletes;
	race.merged = race.noted = race.met = race.other = 0;
	for (int i = 0; i < 2; i++)
		race.ids[i] = make_record(TEXT("/v1/%s", race.collection), body);
	race.deal = TEXT("/v1/groups/%s/Deal/%s", race.group,
	    make_record(TEXT("/v1/groups/%s/Deal", race.group),
	        TEXT("{\"%s\":[{\"id\":\"%s\"},{\"id\":\"%s\"}]}", race.collection, race.ids[0], race.ids[1])));
	caller_crowd_run(RACERS, race_run, NULL);
	assert_int_equal(race.other, 0);
	assert_true(race.merged <= 1);
	if (deletes)
		return;
	/* Every write that was answered with 200 is at the record that stayed. */
	assert_int_equal(race.merged, 1);
	assert_rows(race.noted, "notes where entity_id in ('%s', '%s')", race.ids[0] + 4, race.ids[1] + 4);
	assert_number(race.met,
	    "select coalesce(sum(count), 0) from interaction_counts where entity_id in ('%s', '%s')", race.ids[0] + 4,
	    race.ids[1] + 4);
	assert_rows(1, "%s where id in ('%s', '%s')", race.collection, race.ids[0] + 4, race.ids[1] + 4);
}

AROUND_ALL(held_open, flow_close);

TEST(test_races)
{
	rig_write(rig.orders, "");
	race.group = make_record("/v1/groups", "{\"name\":\"Race\",\"visibility\":\"public\"}");
	make_record(TEXT("/v1/groups/%s/object-types", race.group), "{\"name\":\"Deal\"}");
	make_record(
	    TEXT("/v1/groups/%s/custom-fields/person", race.group), "{\"name\":\"Text\",\"type\":\"textField\"}");
	make_record(
	    TEXT("/v1/groups/%s/custom-fields/company", race.group), "{\"name\":\"Text\",\"type\":\"textField\"}");
	for (int i = 0; i < RACERS; i++)
		caller_init(&race.callers[i], servers[i % HELD_SERVERS]->base, i % 3 ? rig.ada.key : rig.ben.key);
	for (int round = 0; round < RACE_ROUNDS; round++)
		run_race(round % 2, round % 3 == 2);
	for (int i = 0; i < RACERS; i++)
		caller_free(&race.callers[i]);
	check_all();
}

/* --- limits --------------------------------------------------------------------------------------------- */

static const char *make_many(const char *target, int n, const char *record)
{
	struct caller_answer a;
	struct buf body;

	buf_init(&body, BODY_MAX);
	for (int i = 0; i < n; i++)
		buf_printf(&body, "%s%s", i ? "," : "{\"records\":[", record);
	buf_addz(&body, "]}");
	a = caller_good(caller_send(&ada, "POST", target, NULL, body.data));
	buf_free(&body);
	return a.reply.body;
}

static void expect_refused(const char *target, const char *id, const char *path, const char *text)
{
	struct caller_answer a = caller_sendf(&ada, "POST", target, NULL, "{\"id\":\"%s\"}", id);

	assert_int_equal(a.status, 422);
	assert_non_null(strstr(a.reply.body, TEXT("\"path\":%s", path)));
	assert_non_null(strstr(a.reply.body, text));
}

/* Values of records that there are not: for counting. */
static void add_references(const char *id, int n)
{
	rows_change("insert into field_values (workspace_id, field_id, owner_id, ref_id) select workspace_id, "
	            "gen_random_uuid(), gen_random_uuid(), id from companies, generate_series(1, %d) where id = '%s'",
	    n, id + 4);
}

TEST(test_references)
{
	const char *kept = make_record("/v1/companies", "{}"), *gone = make_record("/v1/companies", "{}"), *more;
	const char *target = TEXT("/v1/companies/%s/merge", kept);

	for (int i = 0; i < 10; i++)
		make_many("/v1/people/batch/create", 100, TEXT("{\"companies\":[{\"id\":\"%s\"}]}", gone));
	more = make_record("/v1/people", TEXT("{\"companies\":[{\"id\":\"%s\"}]}", gone));
	add_references(gone, 9000);
	expect_refused(target, gone, "[\"id\"]", "this one has 10001");
	rows_change("delete from field_values where ref_id = '%s'", gone + 4);
	held_expect(200, &ada, "DELETE", TEXT("/v1/people/%s", more), NULL);
	rows_change("insert into notes (workspace_id, id, entity_id, entity_type, content, visibility, author_id, "
	            "words, created_at) select workspace_id, gen_random_uuid(), id, 'company', 'n', 'public', "
	            "created_by, '{}', now() from companies, generate_series(1, 10001) where id = '%s'",
	    gone + 4);
	expect_refused(target, gone, "[\"id\"]", "this one has more"); /* notes may be private */
	rows_change(
	    "delete from notes where id = (select max(id::text)::uuid from notes where entity_id = '%s')", gone + 4);
	caller_good(caller_sendf(&ada, "POST", target, NULL, "{\"id\":\"%s\"}", gone));
	assert_rows(10000, "notes where entity_id = '%s'", kept + 4);
	assert_rows(1000, "person_companies where company_id = '%s'", kept + 4);
	rows_change("delete from notes where entity_id = '%s'", kept + 4);
	check_all();
}

/* A record of this many fields of a group, each of 5,000 characters; those of a round begin with its letter. */
static const char *make_wide(const char *group, char round, int fields)
{
	char *text = arena_alloc(&ada.arena, 5001);
	struct buf body;
	const char *id;

	memset(text, round, 5000);
	for (int i = 0; i < fields; i++)
		make_record(TEXT("/v1/groups/%s/custom-fields/person", group),
		    TEXT("{\"name\":\"%c%d\",\"type\":\"textField\"}", round, i));
	buf_init(&body, BODY_MAX);
	buf_printf(&body, "{\"groups\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{", group, group);
	for (int i = 0; i < fields; i++)
		buf_printf(&body, "%s\"%c%d\":\"%s\"", i ? "," : "", round, i, text);
	buf_addz(&body, "}}}");
	id = make_record("/v1/people", body.data);
	buf_free(&body);
	return id;
}

static const char *make_friends(const char *group, const char *ids[], int n)
{
	struct buf body;
	const char *id;

	buf_init(&body, BODY_MAX);
	buf_printf(&body, "{\"groups\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{\"Friends\":[", group, group);
	for (int i = 0; i < n; i++)
		buf_printf(&body, "%s{\"id\":\"%s\"}", i ? "," : "", ids[i]);
	buf_addz(&body, "]}}}");
	id = make_record("/v1/people", body.data);
	buf_free(&body);
	return id;
}

TEST(test_values)
{
	enum { FRIENDS = 1010 };
	const char **ids = arena_alloc(&ada.arena, FRIENDS * sizeof *ids), *group, *a, *b;
	int n = 0;

	group = make_record("/v1/groups", "{\"name\":\"Wide\",\"visibility\":\"public\"}");
	make_record(
	    TEXT("/v1/groups/%s/custom-fields/person", group), "{\"name\":\"Friends\",\"type\":\"contactField\"}");
	a = make_wide(group, 'a', 30);
	b = make_wide(group, 'b', 30);
	expect_refused(TEXT("/v1/people/%s/merge", a), b, "[\"customFieldValues\"]", "at most 262144 bytes");
	while (n < FRIENDS) {
		const char *at = make_many("/v1/people/batch/create", 100, "{}");
		while (n < FRIENDS && (at = strstr(at, "\"id\":\"per_")) != NULL) {
			at += strlen("\"id\":\"");
			ids[n++] = arena_dup(&ada.arena, at, 40);
		}
	}
	a = make_friends(group, ids, 1000);
	b = make_friends(group, ids + 10, 1000);
	expect_refused(
	    TEXT("/v1/people/%s/merge", a), b, TEXT("[\"customFieldValues\",\"%s\",\"Friends\"]", group), "1010 items");
	check_all();
}

/* --- beside removals that are not finished ------------------------------------------------------------ */

static void remove_option(const char *field, const char *name)
{
	const char *x = rows_text("select o ->> 'id' from custom_fields f, json_array_elements(f.options) o where "
	                          "f.group_id = '%s' and f.name = '%s' and o ->> 'label' = 'x'",
	    held.kept + 4, name);

	caller_good(SEND("PATCH", TEXT("{\"removeOptions\":[\"gcfo_%s\"]}", x), "%s/%s", field, name));
}

/* What is being removed is left behind: the job may have passed the record already. */
TEST(test_removals)
{
	const char *friend, *field;

	rig_write(rig.orders, HELD_WAITING);
	held_make("public");
	field = TEXT("/v1/groups/%s/custom-fields/person", held.kept);
	MAKE("{\"name\":\"Friends\",\"type\":\"contactField\"}", "%s", field);
	MAKE("{\"name\":\"Out\",\"type\":\"textField\"}", "%s", field);
	MAKE("{\"name\":\"Pick\",\"type\":\"multipleSelect\",\"options\":[{\"label\":\"x\"},{\"label\":\"y\"}]}", "%s",
	    field);
	MAKE("{\"name\":\"One\",\"type\":\"singleSelect\",\"options\":[{\"label\":\"x\"},{\"label\":\"y\"}]}", "%s",
	    field);
	friend = POST("{\"name\":\"Gone\"}", "/v1/companies");
	for (int i = 2; i < HELD_PEOPLE; i++)
		caller_good(SEND("PATCH",
		    TEXT(
		        "{\"companies\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{\"Friends\":[{\"id\":\"%s\"}],"
		        "\"Out\":\"o\",\"Pick\":[\"x\",\"y\"],\"One\":\"x\"}}}",
		        friend, held.kept, friend),
		    "/v1/people/%s", held.people[i]));
	caller_good(SEND("PATCH", TEXT("{\"groups\":[{\"id\":\"%s\"}]}", held.kept), "/v1/people/%s", held.people[1]));
	/* Of all of these only the request's part is done. */
	held_expect(200, &ada, "DELETE", TEXT("/v1/groups/%s", held.group), NULL);
	held_expect(200, &ada, "DELETE", TEXT("/v1/companies/%s", friend), NULL);
	held_expect(200, &ada, "DELETE", TEXT("%s/Out", field), NULL);
	remove_option(field, "Pick");
	remove_option(field, "One");
	MAKE(TEXT("{\"id\":\"%s\"}", held.people[6]), "/v1/people/%s/merge", held.people[1]);
	assert_rows(0,
	    "people where id = '%s' and (company_ids <> '{}' or cardinality(group_ids) <> 1 or (select count(*) from "
	    "json_object_keys(custom_values)) <> 1)",
	    held.people[1] + 4);
	assert_rows(1, "field_values where owner_id = '%s'", held.people[1] + 4);
	assert_true(held_says(&ben, TEXT("/v1/people/%s", held.people[1]), "\"Pick\":[\"y\"]"));
	MAKE(TEXT("{\"id\":\"%s\"}", held.people[5]), "/v1/people/%s/merge", held.people[4]);
	rig_write(rig.orders, HELD_SMALL);
	held_let_go();
	assert_int_equal(consistency_broken(rig.program), 0);
	assert_int_equal(consistency_untold(rig.program), 0);
}
