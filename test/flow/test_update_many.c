/* The tool update_many beside other writers: what they change meanwhile is left as it is, and a call that must stop in
 * the middle tells what it has done. All else is in test/api/mcp_many.t. */
#include <libpq-fe.h>
#include <pthread.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum { PEOPLE = 250, BATCH = 100, WAIT_MS = 60000, RIGHTS_MS = 1500 };

RIG("many");

static PGconn *other;
static const struct json *data; /* of the last result */

BEFORE_ALL()
{
	const char *records = "";

	other = PQconnectdb(rig.program->database_url);
	assert_int_equal(PQstatus(other), CONNECTION_OK);
	for (int i = 0; i < PEOPLE; i++) {
		records = TEXT("%s%s{\"fullName\":\"P %d\"}", records, *records ? "," : "", i);
		if ((i + 1) % BATCH && i + 1 < PEOPLE)
			continue;
		SEND("POST", TEXT("{\"records\":[%s]}", records), "/v1/people/batch/create");
		records = "";
	}
	assert_rows(PEOPLE, "people where %s", rig.own);
}

AFTER_ALL()
{
	PQfinish(other);
}

static void other_runs(const char *sql)
{
	PGresult *result = PQexec(other, sql);

	if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
		fail_msg("%s", PQerrorMessage(other));
	PQclear(result);
}

static struct caller *user = &ada;

/* Calls update_many for all people; returns whether it is an error, and sets data. */
static bool call_many(const char *title, const char *rest)
{
	struct client_reply reply;
	const struct json *result, *text;
	const char *why;

	reply = caller_send(user, "POST", "/mcp", NULL,
	    TEXT("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
	         "call\",\"params\":{\"name\":\"update_many\",\"arguments\":"
	         "{\"kind\":\"people\",\"text\":\"p\",\"fields\":{\"jobTitle\":\"%s\"}%s}}}",
	        title, rest))
	            .reply;
	result = json_member(json_read(&ada.arena, reply.body, reply.body_len, &why), "result");
	text = json_items(json_member(result, "content"));
	data = json_read(&ada.arena, json_text(text, "text"), strlen(json_text(text, "text")), &why);
	data = json_member(data, "data");
	return json_true(result, "isError");
}

static const char *nth_person(int n)
{
	return database_text(rig.program, &ada.arena,
	    TEXT("select 'per_' || id from people where %s order by id offset %d limit 1", rig.own, n));
}

static void lock_person(int n)
{
	other_runs(TEXT("begin; select from people where 'per_' || id = '%s' for update", nth_person(n)));
}

/* When the first batch waits, Ben changes a person of the second one. Then the first batch may go on. */
static void *change_meanwhile(void *target)
{
	static const char waits[] =
	    "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = "
	    "current_database()";
	int64_t got;
	bool waited = database_until(rig.program, waits, 1, WAIT_MS, &got);
	int status = caller_send(&ben, "PATCH", target, NULL, "{\"firstName\":\"Theirs\"}").status;

	PQclear(PQexec(other, "rollback"));
	return waited && status == 200 ? target : NULL;
}

/* Somebody changes a record after it was listed and before its batch. Their change stays, and the result counts it. */
TEST(what_others_change_meanwhile_stays)
{
	char *target = TEXT("/v1/people/%s", nth_person(BATCH + 20));
	pthread_t thread;
	void *done;

	lock_person(0);
	assert_int_equal(pthread_create(&thread, NULL, change_meanwhile, target), 0);
	assert_false(call_many("Mine", TEXT(",\"dryRun\":false,\"expect\":%d", PEOPLE)));
	pthread_join(thread, &done);
	assert_ptr_equal(done, target);
	assert_int_equal(json_number(data, "updated", -1), PEOPLE - 1);
	assert_int_equal(json_number(data, "changedByOthers", -1), 1);
	assert_null(json_member(data, "stopped"));
	assert_rows(PEOPLE - 1, "people where %s and job_title = 'Mine'", rig.own);
	assert_rows(1, "people where %s and first_name = 'Theirs' and job_title = ''", rig.own);
}

/* A row of the second batch stays locked until the batch gives up. */
TEST(a_call_that_stops_tells_what_it_has_done)
{
	lock_person(BATCH + 20);
	assert_false(call_many("Half", TEXT(",\"dryRun\":false,\"expect\":%d", PEOPLE)));
	assert_int_equal(json_number(data, "updated", -1), BATCH);
	assert_int_equal(json_number(data, "notTried", -1), PEOPLE - BATCH);
	assert_non_null(strstr(json_text(data, "stopped"), "SERVICE_UNAVAILABLE"));
	other_runs("rollback");
	assert_rows(BATCH, "people where %s and job_title = 'Half'", rig.own);
	assert_false(call_many("Whole", TEXT(",\"dryRun\":false,\"expect\":%d", PEOPLE)));
	assert_int_equal(json_number(data, "updated", -1), PEOPLE);
}

/* While the first batch waits, an admin ends Ben's key. */
static void *end_meanwhile(void *of_ben)
{
	static const char waits[] =
	    "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = "
	    "current_database()";
	int64_t got, since_ms;
	bool waited = database_until(rig.program, waits, 1, WAIT_MS, &got);

	since_ms = clock_mono_ms();
	while (clock_mono_ms() - since_ms < RIGHTS_MS)
		patience_rest(10);
	PQclear(PQexec(other, of_ben));
	PQclear(PQexec(other, "commit"));
	return waited ? of_ben : NULL;
}

/* A call may take a minute, and ends about a second after its key: also when its user is disabled. */
TEST(a_call_ends_with_its_key)
{
	const char *of_ben = TEXT("%s and user_id in (select id from users where email like 'ben%%')", rig.own);
	char *end = TEXT("update api_keys set revoked_at = now() where %s", of_ben);
	pthread_t thread;
	void *done;

	lock_person(0);
	assert_int_equal(pthread_create(&thread, NULL, end_meanwhile, end), 0);
	user = &ben;
	assert_false(call_many("Leaver", TEXT(",\"dryRun\":false,\"expect\":%d", PEOPLE)));
	user = &ada;
	pthread_join(thread, &done);
	assert_ptr_equal(done, end);
	rows_change("update api_keys set revoked_at = null where %s", of_ben);
	assert_int_equal(json_number(data, "updated", -1), BATCH);
	assert_string_equal(json_text(data, "stopped"), "The key has ended, or has other rights now");
	assert_rows(BATCH, "people where %s and job_title = 'Leaver'", rig.own);
}

/* Long fields make small batches, because they stand in each record of one: the locked row is in the second one. */
TEST(long_fields_go_in_small_batches)
{
	static char text[5001];
	int sent;

	memset(text, 'x', sizeof text - 1);
	lock_person(BATCH - 20);
	assert_false(
	    call_many(TEXT("Long\",\"description\":\"%s", text), TEXT(",\"dryRun\":false,\"expect\":%d", PEOPLE)));
	other_runs("rollback");
	sent = (int)json_number(data, "updated", -1);
	assert_true(sent > 0 && sent < BATCH - 20);
	assert_int_equal(json_number(data, "notTried", -1), PEOPLE - sent);
	assert_rows(sent, "people where %s and job_title = 'Long'", rig.own);
}

/* What matches is counted again: somebody has added a match since the dry run. */
TEST(another_number_of_matches_changes_nothing)
{
	assert_false(call_many("Dry", ""));
	assert_int_equal(json_number(data, "matched", -1), PEOPLE);
	assert_int_equal(json_number(data, "wouldUpdate", -1), PEOPLE);
	MAKE("{\"fullName\":\"P new\"}", "/v1/people");
	assert_true(call_many("Dry", TEXT(",\"dryRun\":false,\"expect\":%d", PEOPLE)));
	assert_rows(0, "people where %s and job_title = 'Dry'", rig.own);
	assert_false(call_many("Dry", TEXT(",\"dryRun\":false,\"expect\":%d", PEOPLE + 1)));
	assert_rows(PEOPLE + 1, "people where %s and job_title = 'Dry'", rig.own);
}
