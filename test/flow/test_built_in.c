/* PostgreSQL accepts every statement of a .sql file that the build puts into the program, and psql runs such a file. */
#include <ctype.h>
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/built_in.h"
#include "test/lib/flow.h"
#include "test/lib/server/child.h"

enum { PARAMETERS_MAX = 20, OID_TEXT = 25 };

static PGconn *pg;

static void expect_accepted(const char *name, PGresult *result)
{
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		fail_msg("%s: %s", name, PQerrorMessage(pg));
	PQclear(result);
}

static void expect_runs(const char *name, const char *text)
{
	expect_accepted(name, PQexec(pg, text));
}

static bool text_begins(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

/* A variable that is left is a constant, which the program puts into the text. */
static const char *without_variables(const char *text)
{
	const char *out = "", *at;

	for (; (at = strstr(text, ":'")); text = strchr(at + 2, '\'') + 1)
		out = TEXT("%s%.*snull", out, (int)(at - text), text);
	return TEXT("%s%s", out, text);
}

/* The number of parameters. PostgreSQL finds the types of those that the text has; the others are texts. */
static int parameters_of(const char *text, Oid types[PARAMETERS_MAX])
{
	int most = 0;

	for (int i = 0; i < PARAMETERS_MAX; i++)
		types[i] = OID_TEXT;
	for (const char *at = text; (at = strchr(at, '$')); at++) {
		int n = isdigit((unsigned char)at[1]) ? (int)strtol(at + 1, NULL, 10) : 0;
		assert_true(n <= PARAMETERS_MAX);
		if (n > 0)
			types[n - 1] = 0;
		most = n > most ? n : most;
	}
	return most;
}

/* A statement is prepared. A block or a script runs, and is rolled back. What other statements need is made: functions,
 * views, and tables, which are empty because the parameters are null. */
static void expect_valid(const char *name, const char *text)
{
	static const char *const nulls[PARAMETERS_MAX];
	Oid types[PARAMETERS_MAX];
	int n;

	if (text_begins(text, "do ") || !strchr(name, ' ')) {
		expect_runs(name, "savepoint block");
		expect_runs(name, text);
		expect_runs(name, "rollback to block");
	} else if (text_begins(text, "create or replace ")) {
		expect_runs(name, text);
	} else if (text_begins(text, "create ")) {
		n = parameters_of(text, types);
		expect_accepted(name, PQexecParams(pg, text, n, types, nulls, NULL, NULL, 0));
	} else {
		n = parameters_of(text, types);
		expect_accepted(name, PQprepare(pg, "", without_variables(text), n, types));
	}
}

TEST(test_statements)
{
	int n = 0;

	pg = PQconnectdb(rig.program->database_url);
	expect_runs("begin", "begin; set client_min_messages = warning");
	/* Functions and views first: a statement of any file may use them. */
	for (const struct built_in *b = built_in_texts; b->name; b++)
		if (text_begins(b->text, "create or replace "))
			expect_valid(b->name, b->text);
	for (const struct built_in *b = built_in_texts; b->name; b++)
		if (!strstr(b->name, ".json")) {
			expect_valid(b->name, b->text);
			n++;
		}
	assert_true(n > 40);
	PQfinish(pg);
}

TEST(test_psql)
{
	const char *const argv[] = {"psql", "-q", "-X", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null", "-d",
	    rig.program->database_url, "-f", "server/command/doctor.sql", NULL};
	int status = child_wait(child_start(&(struct child){.argv = argv}));

	if (status == 127)
		skip(); /* npm's PostgreSQL has only the server */
	assert_int_equal(status, 0);
}

RIG("built_in", .servers = RIG_NO_SERVER);
