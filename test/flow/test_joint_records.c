/* Members of a joint transaction (server/request/joint.h) whose records have to do with each other: notes and their
 * answers, a contact under the id of a merged one, a company and its name. And deletes of notes and tasks. */
#include <string.h>

#include "test/lib/http/members.h"
#include "test/lib/rows.h"

enum { ROUNDS = 4 };

RIG("joint_records", .faults = true);

static const char *note_body(const char *entity, const char *more)
{
	return TEXT("{\"entity\":{\"id\":\"%s\"},\"content\":\"words\"%s}", entity, more);
}

static const char *interaction_body(const char *entity)
{
	return TEXT("{\"entity\":{\"id\":\"%s\"},\"activityType\":\"call\",\"title\":\"t\",\"content\":\"c\","
	            "\"dateTime\":\"2026-01-01T00:00:00Z\"}",
	    entity);
}

static void member_does(int i, const char *method, const char *target, const char *body)
{
	members[i].method = method;
	members[i].target = target;
	members[i].body = body;
	members[i].caller.key = rig.ada.key;
}

/* --- deletes of notes and tasks -------------------------------------------------------------------------- */

/* Notes and tasks in turn; the last task is reopened. */
static void members_delete(const char *person)
{
	members_begin();
	for (int i = 0; i < MEMBERS; i++) {
		const char *id =
		    i % 2 ? POST(TEXT("{\"entity\":{\"id\":\"%s\"},\"title\":\"t\",\"dueAt\":\"2026-03-01\"}", person),
		                "/v1/tasks")
		          : POST(note_body(person, ",\"visibility\":\"public\""), "/v1/notes");
		member_does(i, "DELETE", TEXT("/v1/%s/%s", i % 2 ? "tasks" : "notes", id), NULL);
	}
	member_does(MEMBERS - 1, "POST", TEXT("%s/mark-as-todo", members[MEMBERS - 1].target), NULL);
}

static int64_t deleted_events(void)
{
	return rows_count("events where type in ('note.deleted', 'task.deleted')");
}

TEST(deletes_of_notes_and_tasks_share_a_transaction)
{
	members_order("");
	members_delete(POST("{}", "/v1/people"));
	members_give_keys("deletes", 3);
	members_send();
	for (int i = 0; i < MEMBERS; i++)
		caller_good(members[i].answer);
	assert_int_equal(deleted_events(), MEMBERS - 1);
	assert_true(rig_int(&rig, "select count(distinct xmin::text) from events where type in ('note.deleted', "
	                          "'task.deleted')") <= MEMBERS / 2);
	for (int i = 0; i < MEMBERS - 1; i++) {
		member_send(NULL, i);
		assert_int_equal(members[i].answer.status, i % 3 ? 404 : 200);
		assert_int_equal(members[i].answer.replayed, i % 3 == 0);
	}
	members_end();
}

/* Whether the answer to COMMIT is lost, or the connection before it. */
TEST(a_lost_answer_to_the_commit_of_deletes_is_found)
{
	const char *person = POST("{}", "/v1/people");

	for (int round = 0; round < ROUNDS; round++) {
		int64_t before = deleted_events(), deleted = 0;
		members_order(round % 2 ? "joint_ending 1 drop\n" : "joint_opening 1 drop\n");
		members_delete(person);
		members_give_keys(TEXT("lost-%d", round), 2);
		members_send();
		members_order("");
		for (int i = 0; i < MEMBERS - 1; i++) {
			int status = members[i].answer.status;
			int now = SEND("GET", NULL, "%s", members[i].target).status;
			assert_true(status == 200 || status == 503);
			assert_int_equal(now, status == 200 ? 404 : 200);
			deleted += status == 200;
		}
		assert_int_equal(deleted_events() - before, deleted);
		members_end();
	}
}

/* --- notes and their answers -------------------------------------------------------------------------------- */

/* A user who does not see the private note must not learn from an answer to it that it was deleted. */
TEST(an_answer_does_not_tell_that_a_private_note_was_deleted)
{
	const char *person = POST("{}", "/v1/people"), *private;

	for (int round = 0; round < ROUNDS; round++) {
		members_order("");
		members_begin();
		private = POST(note_body(person, ",\"visibility\":\"private\""), "/v1/notes");
		for (int i = 0; i < MEMBERS; i++)
			member_does(i, "POST", "/v1/notes",
			    note_body(
			        person, TEXT(",\"visibility\":\"public\",\"parentNote\":{\"id\":\"%s\"}", private)));
		member_does(MEMBERS / 2, "DELETE", TEXT("/v1/notes/%s", private), NULL);
		members_send();
		caller_good(members[MEMBERS / 2].answer);
		for (int i = 0; i < MEMBERS; i++) {
			struct caller_answer seen;
			if (i == MEMBERS / 2 || members[i].answer.status == 422)
				continue;
			seen = caller_get(&ben, TEXT("/v1/notes/%s", caller_good(members[i].answer).id));
			assert_non_null(strstr(seen.reply.body, "\"parentNote\":null"));
		}
		members_end();
	}
}

TEST(changes_of_a_note_and_of_its_answers_may_share_a_transaction)
{
	const char *person = POST("{}", "/v1/people"), *notes[MEMBERS] = {NULL};

	members_order("");
	members_begin();
	for (int i = 0; i < MEMBERS; i++) {
		notes[i] = POST(note_body(person,
		                    i ? TEXT(",\"visibility\":\"public\",\"parentNote\":{\"id\":\"%s\"}", notes[i - 1])
		                      : ",\"visibility\":\"public\""),
		    "/v1/notes");
		member_does(i, "PATCH", TEXT("/v1/notes/%s", notes[i]), TEXT("{\"content\":\"changed %d\"}", i));
	}
	members_send();
	for (int i = 0; i < MEMBERS; i++) {
		assert_non_null(strstr(caller_good(members[i].answer).reply.body, TEXT("changed %d", i)));
		assert_rows(1, "notes where id = '%s' and content = 'changed %d'", notes[i] + 4, i);
		assert_rows(1, "events where record_id = '%s' and type = 'note.updated'", notes[i] + 4);
	}
	members_end();
}

/* --- merged contacts ------------------------------------------------------------------------------------------ */

TEST(a_merged_contact_counts_what_comes_under_both_ids)
{
	const char *kept = POST("{\"lastName\":\"Kept\"}", "/v1/people"), *gone = POST("{}", "/v1/people");

	MAKE(TEXT("{\"id\":\"%s\"}", gone), "/v1/people/%s/merge", kept);
	for (int round = 1; round <= ROUNDS; round++) {
		members_order("");
		members_begin();
		for (int i = 0; i < 4; i++)
			member_does(i, "POST", "/v1/interactions", interaction_body(i % 2 ? kept : gone));
		member_does(4, "PATCH", TEXT("/v1/people/%s", kept), TEXT("{\"jobTitle\":\"%d\"}", round));
		member_does(5, "PATCH", TEXT("/v1/people/%s", gone), "{\"jobTitle\":\"gone\"}");
		member_does(6, "POST", "/v1/notes", note_body(gone, ",\"visibility\":\"public\""));
		member_does(7, "POST", "/v1/notes", note_body(kept, ",\"visibility\":\"public\""));
		members_give_keys(TEXT("merged-%d", round), 3);
		members_send();
		for (int i = 0; i < MEMBERS; i++)
			assert_int_equal(members[i].answer.status, i == 5 ? 404 : 200);
		assert_non_null(strstr(members[5].answer.reply.body, TEXT("\"mergedInto\":\"%s\"", kept)));
		assert_rows(1, "people where id = '%s' and job_title = '%d' and interaction_numbers[1] = %d", kept + 4,
		    round, 4 * round);
		assert_rows(2 * round, "notes where entity_id = '%s'", kept + 4);
		members_end();
	}
}

/* The answer to a change of the contact and the contact's events agree on the interactions before the change. */
TEST(interactions_with_a_merged_contact_come_before_or_after_a_change)
{
	const char *kept = POST("{}", "/v1/people"), *gone[MEMBERS - 1];

	for (int i = 0; i < MEMBERS - 1; i++) {
		gone[i] = POST("{}", "/v1/people");
		MAKE(TEXT("{\"id\":\"%s\"}", gone[i]), "/v1/people/%s/merge", kept);
	}
	for (int round = 1; round <= ROUNDS; round++) {
		int64_t before;
		members_order("");
		members_begin();
		for (int i = 0; i < MEMBERS - 1; i++)
			member_does(i, "POST", "/v1/interactions", interaction_body(gone[i]));
		member_does(MEMBERS - 1, "PATCH", TEXT("/v1/people/%s", kept), TEXT("{\"jobTitle\":\"%d\"}", round));
		members_give_keys(TEXT("apart-%d", round), 2);
		members_send();
		for (int i = 0; i < MEMBERS; i++)
			caller_good(members[i].answer);
		assert_rows(
		    1, "people where id = '%s' and interaction_numbers[1] = %d", kept + 4, round * (MEMBERS - 1));
		before =
		    rows_count("events e where record_id = '%s' and type = '%s' and exists (select from events u where "
		               "u.record_id = e.record_id and u.type = 'person.updated' and "
		               "(u.generation, u.xid, u.seq) > (e.generation, e.xid, e.seq))",
		        kept + 4, "person.workspace_interaction_metadata_updated");
		assert_non_null(strstr(members[MEMBERS - 1].answer.reply.body,
		    TEXT("\"workspace\":{\"approximateCount\":%d,", (int)before)));
		for (int i = 0; i < MEMBERS; i += 2) {
			member_send(NULL, i);
			assert_true(members[i].answer.replayed);
		}
		members_end();
	}
}

/* --- companies ------------------------------------------------------------------------------------------------- */

/* A name is taken once, and everybody who named it has the company. */
TEST(a_name_is_given_away_and_taken_at_once)
{
	for (int round = 0; round < ROUNDS; round++) {
		const char *name = TEXT("Name %d", round), *old, *last;
		members_order("");
		members_begin();
		old = POST(TEXT("{\"name\":\"%s\"}", name), "/v1/companies");
		last = POST("{}", "/v1/companies");
		member_does(0, "PATCH", TEXT("/v1/companies/%s", old), TEXT("{\"name\":\"%s, new\"}", name));
		for (int i = 1; i < MEMBERS - 1; i++)
			member_does(i, "POST", i % 2 ? "/v1/companies" : "/v1/people",
			    i % 2 ? TEXT("{\"name\":\"%s\"}", name)
			          : TEXT("{\"lastName\":\"%s\",\"companies\":[{\"name\":\"%s\"}]}", name, name));
		member_does(MEMBERS - 1, "PATCH", TEXT("/v1/companies/%s", last), TEXT("{\"name\":\"%s\"}", name));
		members_send();
		for (int i = 0; i < MEMBERS; i++) {
			int status = members[i].answer.status;
			assert_true(status == 200 || (status == 503 && i) || (status == 422 && i == MEMBERS - 1));
		}
		assert_rows(1, "companies where id = '%s' and name = '%s, new'", old + 4, name);
		assert_true(rows_count("companies where name = '%s'", name) <= 1);
		assert_rows(0,
		    "people p where last_name = '%s' and not exists (select from companies c where "
		    "c.workspace_id = p.workspace_id and c.id = p.company_ids[1])",
		    name);
		/* every company of the people was created or existed, with one event */
		assert_rows(0,
		    "companies c where name like '%s%%' and (select count(*) from events e where "
		    "e.workspace_id = c.workspace_id and e.record_id = c.id and type = 'company.created') <> 1",
		    name);
		members_end();
	}
}

/* --- large records ------------------------------------------------------------------------------------------------ */

enum { LARGE = 200000 };

/* The first ones change a large person each, the others a small one. */
static void members_begin_large(const char *name, int n_large)
{
	members_begin_people(name);
	for (int i = 0; i < MEMBERS; i++) {
		const char *id = POST("{}", "/v1/people");
		members[i].method = "PATCH";
		members[i].target = TEXT("/v1/people/%s", id);
		if (i < n_large)
			rows_change("update people set description = repeat('x', %d) where id = '%s'", LARGE, id + 4);
	}
}

static void change_large(const char *name, int n_large, int key_step)
{
	members_order("");
	members_begin_large(name, n_large);
	members_give_keys(name, key_step);
	members_send();
	members_expect_own_answers();
	assert_int_equal(members_events(name), 2 * MEMBERS); /* created and updated */
	assert_rows(n_large, "people where last_name = '%s' and length(description) = %d", name, LARGE);
	for (int i = 0; i < MEMBERS; i += key_step) {
		member_send(NULL, i);
		assert_true(members[i].answer.replayed);
	}
	members_end();
}

/* Nobody waits while a large record is changed. */
TEST(a_large_record_is_changed_in_a_transaction_of_its_own)
{
	change_large("Two-large", 2, 1);
	assert_rows(0,
	    "people a join people b on b.last_name = a.last_name and b.xmin = a.xmin and b.id <> a.id where "
	    "a.last_name = 'Two-large' and length(a.description) = %d",
	    LARGE);
	assert_true(members_transactions("Two-large") <= 2 + MEMBERS / 2);
	change_large("All-large", MEMBERS, 2);
	assert_int_equal(members_transactions("All-large"), MEMBERS);
}

/* The answer to COMMIT is lost, or the connection before it. */
TEST(a_large_record_is_changed_once_or_not_at_all)
{
	for (int round = 0; round < ROUNDS; round++) {
		members_order(round % 2 ? "joint_ending 1 drop\n" : "joint_opening 1 drop\n");
		members_begin_large(TEXT("Lost-%d", round), 2);
		members_give_keys(TEXT("lost-large-%d", round), 3);
		members_send();
		for (int i = 0; i < MEMBERS; i++) {
			int status = members[i].answer.status;
			assert_true(status == 200 || status == 503);
			assert_rows(status == 200, "people where id = '%s' and last_name = 'Lost-%d'",
			    strrchr(members[i].target, '_') + 1, round);
		}
		members_end();
	}
}

/* --- the end of the process ----------------------------------------------------------------------------------------
 */

TEST(a_server_that_is_stopped_ends_what_is_open)
{
	static const char *const points[] = {"open 8", "joint_opening 1", "joint_ending 1"};

	for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
		const char *name = TEXT("Stopped-%zu", p);
		members_begin_people(name);
		members_give_keys(name, 2);
		for (int i = 0; i < MEMBERS; i += 3)
			members[i].body =
			    TEXT("{\"firstName\":\"%d\",\"lastName\":\"%s\",\"companies\":[{\"name\":\"%s\"}]}", i,
			        name, name);
		members_order(TEXT("%s term\n", points[p]));
		members_send();
		assert_true(server_stop(server));
		members_order("");
		server = servers[0] = rig_serve_faulty(&rig, false, NULL);
		members_expect_own_answers();
		members_expect_outcomes(name);
		assert_rows(1, "companies where name = '%s'", name);
		members_end();
		caller_turn(&ada, server->base);
		caller_turn(&ben, server->base);
	}
}
