/* Workspace files that somebody else made or changed. Without the key's HMAC they are refused. If the operator trusts
 * one all the same, it can do nothing to the installation: what is odd is refused with its table and row, and whatever
 * was taken, the server answers, and starts again. FORGED_FILES=2000: the long round. */
#include <libpq-fe.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "server/cell/cell_table.h"
#include "test/lib/await.h"
#include "test/lib/rows.h"
#include "test/lib/server/backed.h"
#include "test/lib/server/cells.h"
#include "test/lib/server/forged.h"
#include "test/lib/webhook/hooked.h"

enum { FILES = 8, CHANGES_MAX = 5, PEOPLE = 20, TRUNCATES_MAX = 5 };

static struct cell other;
static struct backed backed;
static struct receiver *receiver;
static struct forged good;
static const char *file, *bad, *key, *cursor, key_text[] = "0123456789abcdef0123456789abcdef";

#define RUN(program, ...) backed_run(&backed, program, (const char *const[]){__VA_ARGS__, NULL})

static int import_trusted(void)
{
	return RUN(&other.program, "workspace", "import", bad, "--trust-file");
}

static int64_t workspaces_there(void)
{
	return database_int(&other.program, "select count(*) from workspaces");
}

static void forget_all(void)
{
	const char *sql = "truncate ", *names = "";
	bool done = false;

	for (size_t i = 0; i < n_cell_tables; i++)
		names = TEXT("%s%s%s", names, i ? ", " : "", cell_tables[i].name);
	for (size_t i = 0; i < n_cell_exceptions; i++)
		names = TEXT("%s, %s", names, cell_exceptions[i].name);
	/* A job of the server may hold what this waits for, and wait itself: PostgreSQL ends one of them. */
	for (int i = 0; i < TRUNCATES_MAX && !done; i++)
		done = cluster_program(
		    other.cluster, (const char *const[]){"psql", "-X", "-q", "-d", other.program.database_url, "-c",
		                       TEXT("%s%s", sql, names), NULL});
	assert_true(done);
}

/* --- the workspace ------------------------------------------------------------------------ */

static void make_records(struct caller *c)
{
	const char *person, *group;

	database_run_file(rig.program, "test/lib/db/workspace_rows.sql");
	rows_count(
	    "(select seed.workspace_rows('%s', '%s', %d)) s", cells_uuid(rig.workspace.id), rig.ada.id + 4, PEOPLE);
	group = arena_dupz(&rig.arena,
	    caller_good(caller_send(c, "POST", "/v1/groups", NULL, "{\"name\": \"G\", \"visibility\": \"private\"}"))
	        .id);
	(void)hooked_make(c, receiver_url(receiver, "/hook"), "[{\"eventType\":\"person.created\",\"filter\":{}}]");
	person =
	    arena_dupz(&rig.arena, caller_good(caller_sendf(c, "POST", "/v1/people", NULL,
	                                           "{\"firstName\": \"P\", \"groups\": [{\"id\": \"%s\"}]}", group))
	                               .id);
	caller_good(caller_sendf(c, "PATCH", TEXT("/v1/people/%s", person), NULL, "{\"jobTitle\": \"J\"}"));
	caller_good(caller_sendf(c, "POST", "/v1/reminders", NULL,
	    "{\"entity\": {\"id\": \"%s\"}, \"name\": \"R\", \"visibility\": \"private\", \"recurrenceRule\": "
	    "\"DTSTART:20990101T000000Z\\nRRULE:FREQ=DAILY\"}",
	    person));
	caller_good(caller_sendf(c, "POST", "/v1/interactions", "once",
	    "{\"entity\": {\"id\": \"%s\"}, \"title\": \"I\", \"activityType\": \"call\", \"dateTime\": "
	    "\"2098-01-01T00:00:00Z\"}",
	    person));
	caller_good(caller_sendf(c, "POST", "/v1/views", NULL,
	    "{\"name\": \"V\", \"kind\": \"people\", \"chart\": {\"form\": \"number\"}, \"query\": {\"filter\": "
	    "{\"groups\": "
	    "{\"in\": {\"id\": [\"%s\"]}}}}}",
	    group));
	await_rows(1, "deliveries where state = 'delivered'");
}

RIG("forged");

BEFORE_ALL()
{
	backed_open(&backed, &rig.arena);
	cell_open(&other, &rig.arena, command_binary(), NULL, "other");
	file = TEXT("%s/workspace.kith", rig.program->data_dir);
	bad = TEXT("%s/bad.kith", rig.program->data_dir);
	key = TEXT("%s/file-key", rig.program->data_dir);
	rig_write(key, TEXT("%s\n", key_text));
	receiver = receiver_start(&(struct receiver_config){0});
	make_records(&ada);
	cursor = arena_dupz(&rig.arena, caller_get(&ada, "/v1/events?limit=1").reply.body);
	cursor = strstr(cursor, "\"cursor\":\"") + strlen("\"cursor\":\"");
	cursor = arena_dup(&rig.arena, cursor, strcspn(cursor, "\""));
	assert_true(server_stop(server));
	/* Both have one secret file, so that nothing needs --seal. */
	backed_tool((const char *const[]){
	    "cp", TEXT("%s/secret", rig.program->data_dir), TEXT("%s/secret", other.program.data_dir), NULL});
	backed_done(&backed, RUN(rig.program, "workspace", "export", rig.workspace.id, "-o", file, "--file-key", key));
	good = forged_read(&rig.arena, file);
}

AFTER_ALL()
{
	receiver_stop(receiver);
	cell_close(&other);
	backed_close(&backed);
}

/* --- refused ------------------------------------------------------------------------------ */

TEST(test_unauthenticated)
{
	const char *wrong = TEXT("%s/wrong-key", rig.program->data_dir);

	rig_write(wrong, "another key of 32 characters ....\n");
	backed_refused(
	    &backed, RUN(&other.program, "workspace", "import", file), "repeat the command with --trust-file");
	backed_refused(&backed, RUN(&other.program, "workspace", "import", file, "--file-key", wrong, "--trust-file"),
	    "another key");
	rig_write(wrong, "too short\n");
	backed_refused(
	    &backed, RUN(&other.program, "workspace", "import", file, "--file-key", wrong), "at least 32 characters");
	rig_write(wrong, "\n");
	backed_refused(
	    &backed, RUN(&other.program, "workspace", "import", file, "--file-key", wrong), "at least 32 characters");
	forged_write(&good, bad);
	backed_refused(
	    &backed, RUN(&other.program, "workspace", "import", bad, "--file-key", key), "without --file-key");
	assert_int_equal(workspaces_there(), 0);
	/* The same rows are taken, with and without the key. */
	backed_done(&backed, import_trusted());
	forget_all();
	backed_done(&backed, RUN(&other.program, "workspace", "import", file, "--file-key", key));
	assert_int_equal(cells_differ(&rig.arena, rig.program, &other.program, rig.workspace.id), 0);
	forget_all();
}

static const struct {
	const char *table, *column, *text, *said;
} odd[] = {
    {"events", "generation", "9223372036854775807", "row 1: generation is later than the file"},
    {"deliveries", "generation", "4503599627370495", "row 1: generation is later than the file"},
    {"webhooks", "position_generation", "9223372036854775806", "row 1: position_generation is later"},
    {"events", "generation", "-1", "row 1: has no position"},
    {"events", "xid", "-1", "row 1: has no position"},
    {"events", "actor_via", "0", "row 1: actor_via is unknown"},
    {"events", "created_at", "infinity", "row 1: created_at is not a time"},
    {"events", "created_at", "2999-01-01 00:00:00+00", "row 1: created_at is in the future"},
    {"events", "data", "1", "row 1: data is not JSON of the expected shape"},
    {"events", "data", "[]", "row 1: data is not JSON of the expected shape"},
    {"events", "data", "{\"changes\":[null]}", "row 1: data is not JSON of the expected shape"},
    {"events", "data", "{]", "row 1: data is not JSON of the expected shape"},
    {"custom_fields", "options", "null", "row 1: options is not JSON of the expected shape"},
    {"people", "custom_values", "[1]", "row 1: custom_values is not JSON of the expected shape"},
    {"webhooks", "subscribed_events", "[{\"eventType\":null}]", "row 1: subscribed_events is not JSON"},
    {"deliveries", "attempts", "[{\"at\":null}]", "row 1: attempts is not JSON of the expected shape"},
    {"interactions", "date_time", "-infinity", "row 1: date_time is not a time"},
    {"reminders", "next_trigger_at", "infinity", "row 1: next_trigger_at is not a time"},
    {"people", "emails", "{NULL}", "row 1: emails is not a list"},
    {"people", "emails", "[2:2]={a@example.com}", "row 1: emails is not a list"},
    {"deliveries", "created_at", "2099-01-01 00:00:00+00", "row 1: created_at is in the future"},
    {"people", "id", "x", "table people, row 1: invalid input syntax for type uuid"},
    {"people", "workspace_id", "00000000-0000-0000-0000-000000000000", "row 1: workspace_id is of another"},
    {"views", "query", "[]", "row 1: query is not JSON"},
    {"views", "chart", "5", "row 1: chart is not JSON"},
    {"views", "kind", "notes", "row 1: kind is not an allowed value"},
    {"webhooks", "version", "9223372036854775807", "row 1: version is out of range"},
    {"idempotency_keys", "content_type", "a\\r\\nSet-Cookie: b", "row 1: is not a stored answer"},
    {"users", "role", "root", "table users, row"},
    {"custom_fields", "type", "noField", "row 1: type is not an allowed value"},
    {"people", "gender", "it", "row 1: gender is not an allowed value"},
    {"companies", "foundation_year", "-1073741824", "row 1: foundation_year is not a year"},
    {"tasks", "due_time", "-1", "row 1: due_time is not a time of day"},
    {"tasks", "entity_type", "user", "row 1: entity_type is unknown"},
    {"people", "interaction_users", "{00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000001}",
        "row 1: interaction_numbers are not"},
    {"people", "interaction_numbers", "{1,2,3,4,5,6}", "row 1: interaction_numbers are not"},
    /* One more of them ends the job that counts those of all workspaces. */
    {"interaction_counts", "count", "9007199254740991", "row 1: count is out of range"},
    /* So does an invalid id, of the job that removes options. */
    {"custom_fields", "options", "[{\"id\":\"x\",\"label\":\"x\",\"removed\":true}]", "row 1: options is not JSON"},
    {"people", "custom_values", "{\"x\":\"y\"}", "row 1: custom_values is not JSON of the expected shape"},
    {"people", "custom_values", "{\"01234567-89ab-7cde-8f01-23456789abcd\":1e200000}",
        "row 1: custom_values is not JSON"},
    {"events", "data", " {\"changes\":[]} ", "row 1: data is not JSON of the expected shape"},
    {"events", "data", "{ }", "row 1: data is not JSON of the expected shape"},
    {"events", "data", "{\\n\"changes\":[]}", "row 1: data is not JSON of the expected shape"},
    /* To COPY the tab is part of the type, and what follows it is another column. */
    {"events", "type", "person.created\\\tx", "row 1: is not in the form that COPY writes"},
    {"people", "job_title", "a\rb", "row 1: is not in the form that COPY writes"},
    {"people", "job_title", "\\x41", "row 1: is not in the form that COPY writes"},
};

TEST(test_odd_rows)
{
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct forged f = forged_copy(&good, "", "");
		forged_set(&f, odd[i].table, 0, odd[i].column, odd[i].text);
		forged_write(&f, bad);
		backed_refused(&backed, import_trusted(), odd[i].said);
		assert_non_null(strstr(backed.text, odd[i].table));
		assert_int_equal(workspaces_there(), 0);
	}
}

static void set_generation(struct forged *f, const char *number)
{
	const char *at = strstr(f->lines[0], "\"generation\":") + strlen("\"generation\":");

	f->lines[0] = TEXT("%.*s%s%s", (int)(at - f->lines[0]), f->lines[0], number, at + strspn(at, "0123456789"));
}

/* The header's generation: of no year, and of next week; with the key's HMAC of a hundred years to come. */
TEST(test_generation_of_file)
{
	int64_t now = database_int(&other.program, "select generation from event_generation");
	const char *numbers[] = {"9223372036854775806", "-1", "4503599627370495",
	    TEXT("%lld", (long long)now + 7LL * 86400 * 1000)},
	           *said[] = {"is not a workspace exported", "is not a workspace exported",
	               "is not a workspace exported", "is in the future"};
	struct forged f;

	for (int i = 0; i < 4; i++) {
		f = forged_copy(&good, "", "");
		set_generation(&f, numbers[i]);
		forged_write(&f, bad);
		backed_refused(&backed, import_trusted(), said[i]);
	}
	f = forged_copy(&good, "", "");
	set_generation(&f, "4398046511103");
	forged_seal(&f, bad, key_text);
	backed_refused(&backed, RUN(&other.program, "workspace", "import", bad, "--file-key", key), "is in the future");
	assert_int_equal(database_int(&other.program, "select generation from event_generation"), now);
}

/* More webhooks, keys and users than a workspace may have. */
TEST(test_too_many)
{
	struct forged f = forged_copy(&good, "", "");

	for (int i = 0; i < 101; i++) {
		forged_repeat(&f, "webhooks", 0);
		forged_set(&f, "webhooks", 0, "id", TEXT("00000000-0000-0000-0000-%012d", i));
	}
	forged_write(&f, bad);
	backed_refused(&backed, import_trusted(), "table webhooks has 102 rows");
	f = forged_copy(&good, "", "");
	forged_set(&f, "users", 0, "full_name", TEXT("%05000d", 0));
	forged_write(&f, bad);
	backed_refused(&backed, import_trusted(), "row 1: full_name is too long");
	f = forged_copy(&good, "", "");
	for (int i = 0; i < 1001; i++) {
		forged_repeat(&f, "api_keys", 0);
		forged_set(&f, "api_keys", 0, "id", TEXT("00000000-0000-0000-0000-%012d", i));
		forged_set(&f, "api_keys", 0, "key_hash", TEXT("\\\\x%064d", i));
	}
	forged_write(&f, bad);
	backed_refused(&backed, import_trusted(), "A workspace has at most 1000 API keys");
	assert_int_equal(workspaces_there(), 0);
}

static void *import_while_held(void *status)
{
	*(int *)status = import_trusted();
	return NULL;
}

/* Another file takes the place of the one that was checked, before its rows are read: both are whole. */
TEST(test_replaced)
{
	PGconn *holder = PQconnectdb(other.program.database_url);
	const char *later = TEXT("%s/later.kith", rig.program->data_dir);
	struct forged f = forged_copy(&good, "", "");
	pthread_t thread;
	int status;

	forged_write(&f, bad);
	forged_set(&f, "people", 0, "first_name", "Replaced");
	forged_write(&f, later);
	PQclear(PQexec(holder, "begin; lock table workspaces"));
	assert_int_equal(PQtransactionStatus(holder), PQTRANS_INTRANS);
	pthread_create(&thread, NULL, import_while_held, &status);
	await_true(database_int(&other.program,
	               "select count(*) from pg_locks where relation = 'workspaces'::regclass and not granted") != 0);
	assert_int_equal(rename(later, bad), 0);
	PQfinish(holder);
	pthread_join(thread, NULL);
	backed_refused(&backed, status, "the file has changed");
	assert_int_equal(workspaces_there(), 0);
}

/* The second wall: tables refuse it when nothing has looked. */
TEST(test_tables)
{
	static const char *const sqls[] = {"update event_generation set generation = 9223372036854775806",
	    "select kith_generation_after(9223372036854775806)",
	    "insert into events (workspace_id, id, type, record_id, generation) select gen_random_uuid(), "
	    "gen_random_uuid(), 'person.created', gen_random_uuid(), 9223372036854775807",
	    "insert into events (workspace_id, id, type, record_id, data) select gen_random_uuid(), gen_random_uuid(), "
	    "'person.created', gen_random_uuid(), '1'"};

	for (size_t i = 0; i < sizeof sqls / sizeof *sqls; i++)
		assert_false(
		    cluster_program(other.cluster, (const char *const[]){"psql", "-X", "-q", "-v", "ON_ERROR_STOP=1",
		                                       "-d", other.program.database_url, "-c", sqls[i], NULL}));
}

/* --- taken, or not ------------------------------------------------------------------------ */

static const char *const values[] = {"\\N", "", "x", "{}", "-1", "9223372036854775807", "2147483647", "infinity",
    "-infinity", "0001-01-01 00:00:00+00 BC", "{NULL}", "{a,b}", "{{a},{b}}", "[2:3]={a,b}", "\\\\x",
    "4714-01-01 00:00:00+00 BC", "NaN", "99999999999999999999", "1970-01-01", "00000000-0000-0000-0000-000000000000",
    "{00000000-0000-0000-0000-000000000000}", "294276-12-31 23:59:59+00", "true", "null", "[]", "[null]", "[{}]",
    "[[]]", "{\"a\":null}", "{\"changes\":[]}", "{\"changes\":{}}", "{\"changes\":[{\"path\":[],\"type\":\"set\"}]}",
    "{\"changes\":[{\"path\":[\"groups\"],\"type\":\"add\",\"value\":null}]}", "{\"details\":{\"entity\":{\"id\":5}}}",
    "{\"details\":{\"entity\":null}}", "[{\"eventType\":\"person.updated\",\"filter\":{\"path\":[]}}]",
    "[{\"eventType\":\"none\",\"filter\":{}}]", "[{\"id\":\"\",\"label\":\"\"}]", "{\"\":{\"\":{\"\":[]}}}", "1e400",
    "-0", "{\"\\\\u0001\":\"\\\\u0001\"}", "{\"\\\\u0000\":1}"};

static uint64_t draw_below(uint64_t *seed, uint64_t below)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*seed >> 33) % below;
}

/* What was changed, for a failure's message. */
static const char *change_rows(struct forged *f, uint64_t *seed)
{
	const char *said = "";

	for (uint64_t i = draw_below(seed, CHANGES_MAX) + 1; i-- > 0;) {
		const struct cell_table *t = &cell_tables[draw_below(seed, n_cell_tables)];
		const char *columns = forged_columns(f, t->name),
		           *value = values[draw_below(seed, sizeof values / sizeof *values)];
		size_t rows, n_columns = 1, column, row;
		(void)forged_rows(f, t->name, &rows);
		for (const char *at = columns; (at = strstr(at, ", ")) != NULL; at += 2)
			n_columns++;
		if (rows == 0 || n_columns < 2)
			continue;
		row = draw_below(seed, rows);
		column = 1 + draw_below(seed, n_columns - 1);
		forged_set_nth(f, t->name, row, column, value);
		said = TEXT("%s %s row %zu column %zu: %s;", said, t->name, row, column, value);
	}
	return said;
}

static void expect_answer(const char *method, const char *target, const char *body, const char *changed)
{
	struct caller_answer a = caller_send(&ada, method, target, NULL, body);
	const char *error;

	if (a.status == 0 || a.status >= 500)
		fail_msg("%s %s: %d %s after%s", method, target, a.status, a.error, changed);
	if (a.reply.body_len && !json_read(&ada.arena, a.reply.body, a.reply.body_len, &error))
		fail_msg("%s %s: the answer is not JSON: %s after%s", method, target, error, changed);
}

static void expect_answers(const char *changed)
{
	static const char *const targets[] = {"/v1/groups?limit=100", "/v1/people?limit=100", "/v1/companies?limit=100",
	    "/v1/notes", "/v1/tasks", "/v1/reminders", "/v1/interactions", "/v1/webhooks", "/v1/webhooks/health",
	    "/v1/keys?limit=100", "/v1/users", "/v1/usage", "/v1/events?limit=100"};

	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		expect_answer("GET", targets[i], NULL, changed);
	expect_answer("GET", TEXT("/v1/events?limit=100&after=%s", cursor), NULL, changed);
	expect_answer("POST", "/v1/people", "{\"firstName\": \"New\"}", changed);
}

TEST(test_mutations)
{
	int files = rig_setting("FORGED_FILES", FILES), taken = 0;
	uint64_t seed = (uint64_t)rig_setting("FORGED_SEED", 1);
	const char *out;

	cell_serve(&other, NULL);
	caller_turn(&ada, other.server->base);
	for (int i = 0; i < files; i++) {
		/* Another id each time: the server keeps what it knows of one. */
		const char *id = TEXT("%.24s%012d", cells_uuid(rig.workspace.id), i), *changed;
		struct forged f = forged_copy(&good, cells_uuid(rig.workspace.id), id);
		changed = change_rows(&f, &seed);
		forged_write(&f, bad);
		int status = import_trusted();
		assert_true(status == 0 || status == 1);
		if (status == 0) {
			expect_answers(changed);
			taken++;
		}
		forget_all();
	}
	print_message("%d of %d were taken\n", taken, files);
	assert_true(server_stop(other.server));
	assert_int_equal(command_run(&other.program, &rig.arena, (const char *const[]){"migrate", NULL}, &out), 0);
	cell_serve(&other, NULL);
	assert_true(server_stop(other.server));
}

/* Of somebody who has the key: rows are not looked at, and the server answers all the same. */
TEST(test_sealed)
{
	struct forged f = forged_copy(&good, "", "");
	struct caller_answer groups;
	int n = 0;

	forged_set(&f, "custom_fields", 0, "type", "noField");
	forged_set(&f, "custom_fields", 4, "type", "noField");
	forged_set(&f, "people", 0, "interaction_users",
	    "{00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000001}");
	forged_set(&f, "people", 1, "interaction_numbers", "\\N");
	forged_seal(&f, bad, key_text);
	forget_all();
	backed_done(&backed, RUN(&other.program, "workspace", "import", bad, "--file-key", key));
	cell_serve(&other, NULL);
	caller_turn(&ada, other.server->base);
	groups = caller_get(&ada, "/v1/groups?limit=100");
	for (const char *at = groups.reply.body; (at = strstr(at, "\"id\":\"grp_")) != NULL; at += 10, n++)
		expect_answer("GET", TEXT("/v1/groups/%.40s/custom-fields/person", at + 6), NULL, " sealing");
	assert_true(n > 0);
	expect_answers(" sealing");
	assert_true(server_stop(other.server));
	forget_all();
}
