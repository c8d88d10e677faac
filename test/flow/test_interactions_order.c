/* The events of a person keep the order of its changes while the job of due interactions counts others. */
#include <libpq-fe.h>

#include "server/base/clock.h"
#include "test/lib/await.h"
#include "test/lib/flow.h"
#include "test/lib/http/raw.h"
#include "test/lib/rows.h"

RIG("interactions_order", .settings = {"clock_scale=20"});

static const char *person_with_call(int64_t at)
{
	const char *person = POST("{}", "/v1/people");
	char text[TIME_TEXT_SIZE];

	MAKE(TEXT("{\"entity\":{\"id\":\"%s\"},\"dateTime\":\"%s\",\"title\":\"T\",\"activityType\":\"call\"}", person,
	         time_format(at, text)),
	    "/v1/interactions");
	return person;
}

/* A lock holds the job at the first of two people. Meanwhile the second one is changed. The last change of a row is
 * that of its last event. */
TEST(a_change_beside_the_job_has_its_place)
{
	int64_t soon = clock_now_ms() + 4000;
	const char *first = person_with_call(soon), *second = person_with_call(soon);
	PGconn *db = PQconnectdb(rig.program->database_url);
	int fd, status = 0;

	assert_int_equal(PQstatus(db), CONNECTION_OK);
	PQclear(PQexec(db, "begin"));
	PQclear(PQexec(db, TEXT("select from interactions where entity_id = '%s' for update", first + 4)));
	await_rows(1, "pg_stat_activity where query like '%%interactions_due%%' and wait_event_type = 'Lock'");
	fd = raw_open(server->base);
	assert_true(raw_send(fd, "PATCH", TEXT("/v1/people/%s", second), rig.ada.key, NULL, "{\"jobTitle\": \"T\"}"));
	await_true((status = raw_status(fd)) || rows_count("pg_locks where locktype = 'advisory' and not granted"));
	PQclear(PQexec(db, "commit"));
	PQfinish(db);
	await_true(status || (status = raw_status(fd)));
	assert_int_equal(status, 200);
	raw_reset(fd);
	await_rows(0, "interactions where not counted");
	assert_rows(1,
	    "people p where p.id = '%s' and job_title = 'T' and p.xmin::text::bigint = (select max(e.xid) from events "
	    "e where "
	    "e.record_id = p.id)",
	    second + 4);
	assert_rows(2,
	    "events where record_id = '%s' and type in ('person.updated', "
	    "'person.workspace_interaction_metadata_updated')",
	    second + 4);
}
