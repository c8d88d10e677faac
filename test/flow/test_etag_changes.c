/* Every change of a record, by any user and at any time of the clock, raises its tag; updatedAt never falls. */
#include <string.h>
#include <unistd.h>

#include "server/base/json.h"
#include "test/lib/flow.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum { HOLDERS = 5, WAIT_MS = 60000 };

RIG("etag_changes");

static const char *post_one(const char *path, const char *body)
{
	return TEXT("%s/%s", path, caller_good(caller_send(&ada, "POST", path, NULL, body)).id);
}

/* --- other clocks ----------------------------------------------------------------------------- */

static const char *updated_of(const struct caller_answer *a)
{
	const char *at = strstr(a->reply.body, "\"updatedAt\":\"");

	assert_non_null(at);
	return TEXT("%.24s", at + strlen("\"updatedAt\":\""));
}

/* As if the last change had been made by a process whose clock was ahead; the tag that this gives. */
static int64_t put_ahead(const char *table, const char *target)
{
	rows_change("update %s set updated_at = date_trunc('milliseconds', now()) + interval '1 hour' where id = '%s'",
	    table, strrchr(target, '_') + 1);
	struct caller_answer a = caller_get(&ada, target);
	return caller_tag(&a);
}

/* A record that was changed by a process whose clock was ahead: tags go on rising, updatedAt does not fall. */
TEST(test_clock_ahead)
{
	const char *target = post_one("/v1/people", "{\"firstName\":\"a\"}"), *ahead;
	struct caller_answer a;
	int64_t tag;

	tag = put_ahead("people", target);
	a = caller_get(&ada, target);
	ahead = updated_of(&a);
	for (int n = 0; n < 3; n++) {
		a = caller_good(caller_sendf(&ada, "PATCH", target, NULL, "{\"jobTitle\":\"%d\"}", n));
		assert_int_equal(caller_tag(&a), tag + 1);
		assert_string_equal(updated_of(&a), ahead);
		tag = caller_tag(&a);
	}
	ada.if_match = TEXT("\"x\"");
	a = caller_send(&ada, "DELETE", target, NULL, NULL);
	ada.if_match = NULL;
	assert_int_equal(a.status, 412);
	assert_int_equal(caller_tag(&a), tag);
}

/* Walks a list page by page of one record; the ids in their order. */
static const char *walk_list(const char *target, int most)
{
	const char *ids = "", *error;

	for (int n = 0; target && n < most; n++) {
		struct caller_answer a = caller_get(&ada, target);
		const struct json *data =
		    json_member(json_read(&ada.arena, a.reply.body, a.reply.body_len, &error), "data");
		const struct json *link = json_member(json_member(data, "pagination"), "nextLink");
		for (const struct json *item = json_member(data, "items")->first; item; item = item->next)
			ids = TEXT("%s %s", ids, json_member(item, "id")->text);
		target = link ? strstr(link->text, "/v1/") : NULL;
	}
	return ids;
}

/* Changes within one millisecond are told apart by pages in the order of updatedAt. */
TEST(test_pages_within_a_millisecond)
{
	const char *up = "", *down = "", *list = NULL;

	for (int kind = 0; kind < 2; kind++) {
		const char *path = kind ? "/v1/tasks" : "/v1/companies", *table = kind ? "tasks" : "companies";
		const char *ids[HOLDERS], *person = POST("{}", "/v1/people");
		int64_t all = rows_count("%s", table);
		up = down = "";
		for (int i = 0; i < HOLDERS; i++) {
			const char *body =
			    kind ? TEXT("{\"entity\":{\"id\":\"%s\"},\"title\":\"t\",\"dueAt\":\"2030-01-01\"}", person)
			         : "{\"industry\":\"ms\"}";
			ids[i] = caller_good(caller_send(&ada, "POST", path, NULL, body)).id;
			/* later ones by earlier microseconds, so that ids are no help */
			rows_change(
			    "update %s set updated_at = timestamptz '2100-01-01' + %d * interval '1 microsecond' where "
			    "id = '%s'",
			    table, HOLDERS - i, ids[i] + 4);
			up = TEXT(" %s%s", ids[i], up);
			down = TEXT("%s %s", down, ids[i]);
		}
		list = kind ? TEXT("/v1/tasks?limit=1&filter[entity][in]=%s", person)
		            : "/v1/companies?limit=1&filter[industry][eq]=ms";
		assert_string_equal(walk_list(TEXT("%s&sort=updatedAt", list), 2 * HOLDERS), up);
		assert_string_equal(walk_list(TEXT("%s&sort=-updatedAt", list), 2 * HOLDERS), down);
		/* the whole list, without filters */
		assert_string_equal(walk_list(TEXT("%s?limit=1&sort=-updatedAt", path), HOLDERS), down);
		assert_true(strlen(walk_list(TEXT("%s?limit=1&sort=updatedAt", path), (int)all + 2 * HOLDERS)) ==
		            (size_t)(all + HOLDERS) * 41);
	}
}

/* --- changes by jobs ----------------------------------------------------------------------------- */

TEST(test_reminder_fires)
{
	const char *person = POST("{}", "/v1/people");
	const char *target = post_one("/v1/reminders",
	    TEXT("{\"entity\":{\"id\":\"%s\"},\"name\":\"r\",\"visibility\":\"private\",\"recurrenceRule\":"
	         "\"DTSTART;TZID=Europe/Berlin:20300105T090000\\nRRULE:FREQ=WEEKLY\"}",
	        person));
	int64_t tag = put_ahead("reminders", target);
	struct caller_answer before = caller_get(&ada, target), after = before;
	int64_t until_us = patience_ms(WAIT_MS);

	rows_change("update reminders set next_trigger_at = now() where id = '%s'", strrchr(target, '_') + 1);
	while (strstr(after.reply.body, "\"lastTriggerTime\":null")) {
		assert_true(patience_pause(until_us));
		after = caller_get(&ada, target);
	}
	assert_true(caller_tag(&after) > tag);
	ada.if_match = client_header(&before.reply, "ETag");
	struct caller_answer a = caller_send(&ada, "PATCH", target, NULL, "{\"name\":\"s\"}");
	ada.if_match = NULL;
	assert_int_equal(a.status, 412);
	assert_int_equal(caller_tag(&a), caller_tag(&after));
}

/* Records lose a deleted group in the background. */
TEST(test_removal)
{
	const char *group, *targets[HOLDERS];
	int64_t tags[HOLDERS];
	struct caller c;

	struct server_process *s = rig_serve_faulty(&rig, false, NULL);
	rig_write(rig.orders, "small_removals 1 errors\n");
	caller_init(&c, s->base, rig.ada.key);
	group =
	    caller_good(caller_send(&c, "POST", "/v1/groups", NULL, "{\"name\":\"R\",\"visibility\":\"public\"}")).id;
	for (int i = 0; i < HOLDERS; i++) {
		targets[i] = post_one("/v1/people", TEXT("{\"groups\":[{\"id\":\"%s\"}]}", group));
		tags[i] = put_ahead("people", targets[i]);
	}
	caller_good(caller_send(&c, "DELETE", TEXT("/v1/groups/%s", group), NULL, NULL));
	assert_true(rig_removed(&rig, WAIT_MS));
	for (int i = 0; i < HOLDERS; i++) {
		struct caller_answer a = caller_get(&ada, targets[i]);
		assert_true(caller_tag(&a) > tags[i]);
	}
	unlink(rig.orders);
	caller_free(&c);
	assert_true(server_stop(s));
}
