/* Writes that share a transaction (server/request/joint.h). The fault point joint_hold makes each wait a little for
 * seven others. Nobody may notice that others share it: not by the answer, the events, the stored answers or the trace,
 * also when a member is refused or fails, when the answer to COMMIT is lost, and when the process dies. */
#include <libpq-fe.h>
#include <stdatomic.h>
#include <string.h>

#include "test/lib/http/members.h"
#include "test/lib/patience.h"

enum { ROUNDS = 4 };

RIG("joint", .faults = true);

TEST(each_gets_its_own_answer_of_one_transaction)
{
	members_order("");
	members_begin_people("Shared");
	members_give_keys("shared", 2);
	members_send();
	members_expect_own_answers();
	assert_int_equal(members_people("Shared"), MEMBERS);
	assert_int_equal(members_events("Shared"), MEMBERS);
	assert_true(members_transactions("Shared") <= MEMBERS / 2); /* a slow machine may divide them */
	/* the same keys again */
	for (int i = 0; i < MEMBERS; i += 2) {
		struct caller_answer first = members[i].answer;
		member_send(NULL, i);
		assert_true(members[i].answer.replayed);
		assert_string_equal(members[i].answer.id, first.id);
	}
	assert_int_equal(members_people("Shared"), MEMBERS);
	members_end();
}

/* Their keys are looked up by one statement. Members 0 and 4 ran before; member 2 comes with another body. */
TEST(stored_answers_go_to_the_members_that_own_them)
{
	const char *ids[MEMBERS];

	members_order("");
	members_begin_people("Stored");
	members_give_keys("stored", 2);
	for (int i = 0; i < 6; i += 2) {
		member_send(NULL, i);
		ids[i] = TEXT("%s", caller_good(members[i].answer).id);
	}
	members[2].body = "{\"lastName\":\"Stored\",\"firstName\":\"other\"}";
	members_send();
	for (int i = 0; i < MEMBERS; i++) {
		bool before = i == 0 || i == 4;
		assert_int_equal(members[i].answer.status, i == 2 ? 422 : 200);
		assert_int_equal(members[i].answer.replayed, before);
		if (i != 2)
			assert_non_null(strstr(members[i].answer.reply.body, TEXT("\"firstName\":\"%d\"", i)));
		if (before)
			assert_string_equal(members[i].answer.id, ids[i]);
	}
	assert_string_equal(members[2].answer.code, "IDEMPOTENCY_KEY_REUSED");
	assert_int_equal(members_people("Stored"), MEMBERS);
	assert_int_equal(members_events("Stored"), MEMBERS);
	members_end();
}

/* Nobody gets an expired answer, and the new answers of all take the places of these. */
TEST(expired_answers_are_replaced)
{
	const char *ids[MEMBERS];

	members_order("");
	members_begin_people("Expired");
	members_give_keys("expired", 2);
	members_send();
	members_expect_own_answers();
	SQL("update idempotency_keys set completed_at = completed_at - interval '2 days' where %s", rig.own);
	members_send();
	members_expect_own_answers();
	for (int i = 0; i < MEMBERS; i++) {
		assert_false(members[i].answer.replayed);
		ids[i] = TEXT("%s", members[i].answer.id);
	}
	assert_int_equal(members_people("Expired"), 2 * MEMBERS);
	for (int i = 0; i < MEMBERS; i += 2) {
		member_send(NULL, i);
		assert_true(members[i].answer.replayed);
		assert_string_equal(members[i].answer.id, ids[i]);
	}
	members_end();
}

static void fail_once(const char *name, const char *point)
{
	members_order(TEXT("%s 3 error\n", point));
	members_begin_people(name);
	members_give_keys(name, 2);
	members_send();
	members_expect_own_answers();
	assert_int_equal(members_people(name), MEMBERS);
	assert_int_equal(members_events(name), MEMBERS);
	members_end();
}

/* It runs again as well, so a failure that happens only once is not seen by anybody. */
TEST(one_that_fails_takes_nobody_along)
{
	fail_once("Changes", "changes_error");
	fail_once("Opening", "open_error");
	fail_once("Conflict", "conflict");
	fail_once("Outdated", "outdated");
	assert_true(members_transactions("Changes") > 2);
}

TEST(the_refused_leave_the_others)
{
	members_order("");
	members_begin();
	for (int i = 0; i < MEMBERS; i++)
		members[i].body = TEXT("{\"firstName\":\"%d\",\"lastName\":\"Mixed\"}", i);
	members[1].body =
	    "{\"lastName\":\"Mixed\",\"companies\":[{\"id\":\"com_01900000-0000-7000-8000-000000000000\"}]}";
	members[2].body = "{\"lastName\":5}";
	members[3] = (struct joint_member){.method = "PATCH",
	    .target = "/v1/people/per_01900000-0000-7000-8000-000000000000",
	    .body = "{\"lastName\":\"Mixed\"}",
	    .once = "mixed-3",
	    .caller = members[3].caller};
	members[4].once = "mixed-4";
	members[5].body = members[1].body;
	members[5].once = "mixed-5";
	members_send();
	for (int i = 0; i < MEMBERS; i++)
		assert_int_equal(members[i].answer.status, i == 3 ? 404 : i == 1 || i == 2 || i == 5 ? 422 : 200);
	assert_int_equal(members_people("Mixed"), MEMBERS - 4);
	assert_int_equal(members_events("Mixed"), MEMBERS - 4);
	/* a refusal that leaves no trace: the key may be used again at once */
	members[5].body = "{\"lastName\":\"Mixed\"}";
	member_send(NULL, 5);
	assert_int_equal(members[5].answer.status, 200);
	/* a 404 is stored */
	member_send(NULL, 3);
	assert_int_equal(members[3].answer.status, 404);
	assert_true(members[3].answer.replayed);
	members_end();
}

TEST(companies_of_one_name_are_one_company)
{
	int made = 0;

	members_order("");
	members_begin();
	for (int i = 0; i < MEMBERS; i++) {
		members[i].target = i < 4 ? "/v1/companies" : "/v1/people";
		members[i].body = i < 4 ? "{\"name\":\"Only one\"}"
		                        : "{\"lastName\":\"Employed\",\"companies\":[{\"name\":\"Only one\"}]}";
	}
	members_send();
	for (int i = 0; i < MEMBERS; i++)
		made += members[i].answer.status == 200;
	assert_true(made >= MEMBERS - 4);
	assert_int_equal(rig_int(&rig, "select count(*) from companies where %s and name = 'Only one'", rig.own), 1);
	assert_int_equal(rig_int(&rig,
	                     "select count(*) from people p where %s and last_name = 'Employed' and company_ids = "
	                     "(select array_agg(c.id) from companies c where c.%s and name = 'Only one')",
	                     rig.own, rig.own),
	    4);
	members_end();
}

/* Each changes the one company, so nobody's group is lost. */
TEST(an_existing_company_joins_the_groups_of_all)
{
	members_order("");
	MAKE("{\"name\":\"Joined\"}", "/v1/companies");
	members_begin();
	for (int i = 0; i < MEMBERS; i++) {
		members[i].caller.key = rig.ada.key;
		members[i].target = "/v1/companies";
		members[i].body = TEXT("{\"name\":\"Joined\",\"groups\":[{\"id\":\"%s\"}]}",
		    POST("{\"name\":\"G\",\"visibility\":\"public\"}", "/v1/groups"));
	}
	members_send();
	for (int i = 0; i < MEMBERS; i++)
		assert_int_equal(members[i].answer.status, 200);
	assert_int_equal(
	    rig_int(&rig, "select cardinality(group_ids) from companies where %s and name = 'Joined'", rig.own),
	    MEMBERS);
	members_end();
}

static int times_in(const char *text, const char *part)
{
	int n = 0;

	for (text = strstr(text, part); text; text = strstr(text + 1, part))
		n++;
	return n;
}

/* The settings have changed since the admission of all. One is refused after that, so all run again. */
TEST(a_refusal_after_a_change_of_settings_is_as_if_alone)
{
	members_order("outdated 1 errors\nslow_rollback 1 errors\n");
	members_begin_people("Settings");
	members_give_keys("settings", 1);
	members[1].body = "{\"companies\":[{\"id\":\"com_01900000-0000-7000-8000-000000000000\"}]}";
	members_send();
	for (int i = 0; i < MEMBERS; i++)
		assert_int_equal(members[i].answer.status, i == 1 ? 422 : 200);
	assert_int_equal(members_people("Settings"), MEMBERS - 1);
	assert_int_equal(times_in(members[1].answer.reply.body, "\"path\""), 1);
	members_end();
}

enum { UNLOCK_MS = 6000, LOCKED = 3 };
static atomic_int answered;

/* The last of the crowd waits for the answers to all but the change of the locked person. */
static void send_or_unlock(void *ctx, int i)
{
	int64_t until_us = patience_ms(UNLOCK_MS);

	if (i < MEMBERS) {
		member_send(NULL, i);
		answered += i != LOCKED;
		return;
	}
	while (answered < MEMBERS - 1 && patience_pause(until_us))
		;
	answered += answered == MEMBERS - 1 ? MEMBERS : 0;
	PQclear(PQexec(ctx, "rollback"));
}

TEST(a_lock_holds_up_only_those_that_need_it)
{
	PGconn *holder = PQconnectdb(rig.program->database_url);
	const char *id = POST("{\"lastName\":\"Locked\"}", "/v1/people");

	PQclear(PQexec(holder, "begin"));
	PQclear(PQexec(holder, "select from people where last_name = 'Locked' for update"));
	members_order("");
	members_begin_people("Unlocked");
	members[LOCKED].method = "PATCH";
	members[LOCKED].target = TEXT("/v1/people/%s", id);
	answered = 0;
	caller_crowd_run(MEMBERS + 1, send_or_unlock, holder);
	for (int i = 0; i < MEMBERS; i++)
		assert_int_equal(members[i].answer.status, 200);
	assert_int_equal(answered, 2 * MEMBERS - 1); /* before the lock was released */
	members_end();
	PQfinish(holder);
}

TEST(changes_of_different_records_share_one_transaction)
{
	const char *ids[MEMBERS];

	members_order("");
	members_begin_people("Before");
	members_send();
	members_expect_own_answers();
	for (int i = 0; i < MEMBERS; i++)
		ids[i] = TEXT("%s", members[i].answer.id);
	for (int i = 0; i < MEMBERS; i++) {
		members[i].method = "PATCH";
		members[i].target = TEXT("/v1/people/%s", ids[i]);
		members[i].body = TEXT("{\"lastName\":\"After\",\"jobTitle\":\"%d\"}", i);
	}
	members_send();
	members_expect_own_answers();
	assert_int_equal(members_people("After"), MEMBERS);
	assert_true(members_transactions("After") <= MEMBERS / 2);
	for (int i = 0; i < MEMBERS; i++) {
		struct caller_answer now = caller_get(&ada, TEXT("/v1/people/%s", ids[i]));
		assert_int_equal(caller_tag(&now), caller_tag(&members[i].answer));
		assert_non_null(strstr(now.reply.body, TEXT("\"jobTitle\":\"%d\"", i)));
	}
	members_end();
}

TEST(of_changes_of_one_record_on_one_condition_one_succeeds)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct caller_answer a = MAKE("{\"lastName\":\"One\"}", "/v1/people");
		const char *tag = client_header(&a.reply, "ETag"), *target = TEXT("/v1/people/%s", a.id);
		int good = 0;

		members_begin();
		for (int i = 0; i < MEMBERS; i++) {
			members[i].method = "PATCH";
			members[i].target = target;
			members[i].if_match = tag;
			members[i].body = TEXT("{\"firstName\":\"%d\"}", i);
		}
		members_send();
		for (int i = 0; i < MEMBERS; i++) {
			good += members[i].answer.status == 200;
			assert_true(members[i].answer.status == 200 || members[i].answer.status == 412);
		}
		assert_int_equal(good, 1);
		members_end();
	}
}

TEST(events_have_the_trace_of_their_own_request)
{
	members_order("");
	members_begin_people("Traced");
	for (int i = 0; i < MEMBERS; i++)
		if (i >= 2)
			members[i].trace = TEXT("00-%032d-00f067aa0ba902b7-01", i);
	members_send();
	members_expect_own_answers();
	for (int i = 0; i < MEMBERS; i++)
		assert_int_equal(
		    rig_int(&rig,
		        "select count(*) from events e join people p on p.workspace_id = e.workspace_id and "
		        "p.id = e.record_id where e.%s and last_name = 'Traced' and first_name = '%d' and %s",
		        rig.own, i, i < 2 ? "coalesce(e.trace, '') = ''" : TEXT("e.trace like '%%%032d%%'", i)),
		    1);
	members_end();
}

/* The member's events of that type: whose they are, by which key, by which way. */
static int64_t own_events(int i, const char *name, const char *type)
{
	return rig_int(&rig,
	    "select count(*) from events e join people p on p.workspace_id = e.workspace_id and p.id = e.record_id "
	    "join api_keys k on k.workspace_id = e.workspace_id and k.id = e.actor_key_id and k.user_id = e.actor_id "
	    "where e.%s and last_name = '%s' and first_name = '%d' and type = '%s' and e.actor_id = '%s' and "
	    "e.actor_via = %d",
	    rig.own, name, i, type, (i % 2 ? rig.ada.id : rig.ben.id) + 4, i < 4 ? 3 : 2);
}

TEST(events_have_the_actor_of_their_own_request)
{
	members_order("joint_always 1 errors\n");
	members_begin_people("Acted");
	for (int i = 0; i < 4; i++)
		members[i].via = "console";
	members_send();
	members_expect_own_answers();
	assert_true(members_transactions("Acted") <= MEMBERS / 2);
	for (int i = 0; i < MEMBERS; i++)
		assert_int_equal(own_events(i, "Acted", "person.created"), 1);
	for (int i = 0; i < MEMBERS; i++) {
		members[i].method = "PATCH";
		members[i].target = TEXT("/v1/people/%s", members[i].answer.id);
		members[i].body = TEXT("{\"jobTitle\":\"%d\"}", i);
	}
	members_send();
	members_expect_own_answers();
	assert_true(members_transactions("Acted") <= MEMBERS / 2);
	for (int i = 0; i < MEMBERS; i++)
		assert_int_equal(own_events(i, "Acted", "person.updated"), 1);
	members_end();
}

static void lose_commit(const char *name, const char *order)
{
	members_order(order);
	members_begin_people(name);
	members_give_keys(name, 2);
	members_send();
	members_expect_outcomes(name);
	members_end();
}

/* Some ask for more before their COMMIT, and the connection breaks meanwhile. */
TEST(a_connection_that_breaks_between_is_a_503)
{
	const char *name = "Broken";

	members_order("joint_opening 2 drop\n");
	members_begin_people(name);
	members_give_keys(name, 1);
	for (int i = 0; i < MEMBERS; i += 2)
		members[i].body =
		    TEXT("{\"firstName\":\"%d\",\"lastName\":\"%s\",\"companies\":[{\"name\":\"%s %d\"}]}", i, name,
		        name, i);
	members_send();
	members_expect_outcomes(name);
	members_end();
}

TEST(a_lost_answer_to_the_shared_commit_is_found)
{
	lose_commit("Lost", "joint_ending 1 drop\n");
	lose_commit("Lost-opening", "joint_opening 1 drop\n");
	for (int round = 0; round < ROUNDS; round++)
		lose_commit(TEXT("Lost-%d", round),
		    TEXT("joint_ending 1 drop\ncommit_answered %d drop\n", 1 + round % MEMBERS));
}

TEST(a_death_at_the_shared_commit_runs_nothing_twice)
{
	for (int round = 0; round < 2; round++) {
		const char *name = TEXT("Dead-%d", round);

		members_order(round ? "joint_ending 1 kill\n" : "commit_answered 4 kill\n");
		members_begin_people(name);
		members_give_keys(name, 1);
		members_send();
		server_kill(server);
		members_order("");
		server = servers[0] = rig_serve_faulty(&rig, false, NULL);
		for (int i = 0; i < MEMBERS; i++) {
			caller_turn(&members[i].caller, server->base);
			member_send(NULL, i);
			assert_int_equal(members[i].answer.status, 200);
		}
		assert_int_equal(members_people(name), MEMBERS);
		assert_int_equal(members_events(name), MEMBERS);
		members_end();
		caller_turn(&ada, server->base);
		caller_turn(&ben, server->base);
	}
}
