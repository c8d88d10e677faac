/* The database refuses writes (its disk is full, say) or cancels them: clients get a 503, and the log says why. */
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

#include "test/lib/await.h"
#include "test/lib/flow.h"

static PGconn *db;

RIG("refused");

BEFORE_ALL()
{
	db = PQconnectdb(rig.program->database_url);
	assert_true(PQstatus(db) == CONNECTION_OK);
}

AFTER_ALL()
{
	PQfinish(db);
}

static void execute_sql(const char *sql)
{
	PGresult *r = PQexec(db, sql);

	if (PQresultStatus(r) != PGRES_COMMAND_OK)
		fail_msg("%s: %s", sql, PQerrorMessage(db));
	PQclear(r);
}

/* The number of log lines that contain the text. */
static int count_logged(const char *text)
{
	char line[4096];
	FILE *f = fopen(server->log, "r");
	int n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof line, f))
		n += strstr(line, text) != NULL;
	fclose(f);
	return n;
}

static int request_status(const char *method, const char *target, const char *body)
{
	return caller_send(&ada, method, target, NULL, body).status;
}

static int write_status(void)
{
	return request_status("POST", "/v1/people", "{\"firstName\": \"X\"}");
}

static void refuse_writes(const char *sqlstate)
{
	char sql[400];

	snprintf(sql, sizeof sql,
	    "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused for a "
	    "test' using errcode = '%s'; end $$; create trigger refuse before insert on people for each row execute "
	    "function refuse()",
	    sqlstate);
	execute_sql(sql);
}

static void allow_writes(void)
{
	execute_sql("drop trigger refuse on people; drop function refuse()");
}

TEST(test_refused)
{
	static const char *const sqlstates[] = {"53100", "53200", "58030"};

	for (size_t i = 0; i < sizeof sqlstates / sizeof *sqlstates; i++) {
		char text[40];
		assert_int_equal(request_status("GET", "/readyz", NULL), 200);
		refuse_writes(sqlstates[i]);
		for (int k = 0; k < 30; k++)
			assert_int_equal(write_status(), 503);
		assert_int_equal(request_status("GET", "/readyz", NULL), 503);
		assert_int_equal(request_status("GET", "/livez", NULL), 200);
		snprintf(text, sizeof text, "%s refused for a test", sqlstates[i]);
		await_true(count_logged(text) > 0);
		assert_true(count_logged(text) < 30); /* counted, not one line each */
		allow_writes();
		assert_int_equal(write_status(), 200);
		assert_int_equal(request_status("GET", "/readyz", NULL), 200);
		await_true(count_logged("the database accepts writes again") > 0);
	}
}

/* A cancelled statement is logged; it does not affect the next one. */
TEST(test_cancelled)
{
	refuse_writes("57014");
	assert_int_equal(write_status(), 503);
	await_true(count_logged("57014 refused for a test") > 0);
	assert_int_equal(request_status("GET", "/readyz", NULL), 200);
	allow_writes();
	assert_int_equal(write_status(), 200);
}

/* A request's own mistakes are not reported as the database's. */
TEST(test_own_fault)
{
	refuse_writes("22012");
	assert_int_equal(write_status(), 500);
	assert_int_equal(request_status("GET", "/readyz", NULL), 200);
	allow_writes();
}

TEST(test_back_again)
{
	rig_int(&rig, "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'kith' "
	              "and datname = current_database() and pid <> pg_backend_pid()");
	await_true(count_logged("the database answers again") > 0);
}
