/* The events of a reminder keep the order of its changes while the job of due reminders takes others. */
#include <libpq-fe.h>

#include "test/lib/flow.h"
#include "test/lib/rows.h"

RIG("reminders_order", .servers = RIG_NO_SERVER);

/* The job reads and locks one reminder after the other, and waits after the first while the test holds this lock. */
#define LOCK "4712"
#define LOOKS "current_setting(''test.looks'', true)"

static const char pauses[] =
    "do $$ declare setting text; begin "
    "foreach setting in array array['seqscan', 'sort', 'hashjoin', 'mergejoin', 'material', 'memoize'] loop "
    "execute format('alter database %I set enable_%s = off', current_database(), setting); end loop; "
    "alter function kith_at_home(text, timestamptz) rename to kith_at_home_now; "
    "create function kith_at_home(moving text, held_until timestamptz) returns boolean language plpgsql as 'begin "
    "if current_query() like ''%for update of r skip%'' then "
    "perform set_config(''test.looks'', coalesce(" LOOKS ", '''') || ''x'', true); "
    "if " LOOKS " = ''xx'' then perform pg_advisory_xact_lock_shared(" LOCK "); end if; end if; "
    "return kith_at_home_now(moving, held_until); end'; end $$";

static const char *reminder_of(const char *person)
{
	return POST(TEXT("{\"entity\":{\"id\":\"%s\"},\"name\":\"Call\",\"visibility\":\"private\",\"recurrenceRule\":"
	                 "\"DTSTART:20990101T000000Z\\nRRULE:FREQ=WEEKLY\"}",
	                person),
	    "/v1/reminders");
}

TEST(a_change_beside_the_job_has_its_place)
{
	PGconn *db = PQconnectdb(rig.program->database_url);
	struct server_process *s;

	assert_int_equal(PQstatus(db), CONNECTION_OK);
	PQclear(PQexec(db, pauses));
	assert_string_equal(PQerrorMessage(db), "");
	PQclear(PQexec(db, "begin; select pg_advisory_xact_lock(" LOCK ")"));
	s = rig_serve(&rig, false, NULL);
	caller_turn(&ada, s->base);

	const char *person = POST("{}", "/v1/people"), *first = reminder_of(person), *second = reminder_of(person);
	assert_int_equal(
	    rows_change("update reminders set next_trigger_at = now() - case when id = '%s' then 2 else 1 end "
	                "* interval '1 s'",
	        first + 4),
	    2);
	await_rows(1, "pg_stat_activity where query like '%%for update of r skip%%' and wait_event_type = 'Lock' and "
	              "backend_xid is not null");
	assert_int_equal(SEND("PATCH", "{\"name\":\"Visit\"}", "/v1/reminders/%s", second).status, 200);
	PQclear(PQexec(db, "commit"));
	PQfinish(db);
	await_rows(2, "events where type = 'reminder.triggered'");
	assert_rows(1,
	    "reminders r where r.id = '%s' and name = 'Visit' and r.xmin::text::bigint = (select max(e.xid) from "
	    "events e "
	    "where e.record_id = r.id)",
	    second + 4);
	assert_true(server_stop(s));
}
