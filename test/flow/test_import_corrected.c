/* What an import leaves behind: refused records that come in again as they are, and undoing only what is its own. */
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/flow.h"
#include "test/lib/patience.h"
#include "test/lib/server/transferred.h"

static struct transferred t;

RIG("corrected");

BEFORE_EACH()
{
	transferred_init(&t, &rig, server->base, rig_stranger(&rig, "mover").key);
}

AFTER_EACH()
{
	transferred_free(&t);
}

/* --- refused records ------------------------------------------------------------------------ */

/* A card is refused with all that it holds. */
TEST(test_card)
{
	static const char file[] = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nBDAY:circa 1815\r\nEMAIL:a@x.org\r\n"
	                           "TEL:+44 1\r\nORG:Acme\r\nEND:VCARD\r\n";
	const char *path = transferred_write(&t, "a.vcf", file, sizeof file - 1), *text;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "\"created\":0,\"updated\":0,\"unchanged\":0,\"existing\":0,\"refused\":1", "");
	text = transferred_read(&t, "a.vcf.refused.ndjson");
	assert_non_null(
	    strstr(text, "{\"_refused\":\"line 1, column \\\"BDAY\\\", \\\"circa 1815\\\": is not a date\","));
	assert_non_null(strstr(text, "\"fullName\":\"Ada\",\"birthday\":\"circa 1815\",\"emails\":[\"a@x.org\"],"
	                             "\"phones\":[\"+44 1\"],\"companies\":[{\"name\":\"Acme\"}]}\n"));
}

/* A line that cannot be read is kept as it is, and refused again until it is corrected. */
TEST(test_line)
{
	static const char file[] = "{\"fullName\":\"Ada\"\n{\"fullName\":\"Ben\"}\n";
	const char *path = transferred_write(&t, "a.ndjson", file, sizeof file - 1), *text;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "\"created\":1", "");
	text = transferred_read(&t, "a.ndjson.refused.ndjson");
	assert_non_null(strstr(text, "\"_line\":\"{\\\"fullName\\\":\\\"Ada\\\"\"}\n"));
	TRANSFERRED(&t, "import", transferred_path(&t, "a.ndjson.refused.ndjson"));
	transferred_expect(&t, 1, "\"created\":0,\"updated\":0,\"unchanged\":0,\"existing\":0,\"refused\":1", "");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 1);
}

/* Refused records of our own CSV are not formulas, and lose no apostrophe. */
TEST(test_own_csv)
{
	static const char file[] = "id,fullName,description,birthday,createdAt\nx,'=cmd(),''quoted,never,\n",
	                  mended[] = "1990-01-02";
	const char *path = transferred_write(&t, "a.csv", file, sizeof file - 1), *text, *people;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "\"refused\":1", "");
	text = transferred_read(&t, "a.csv.refused.csv");
	assert_non_null(strstr(text, "\nx,'=cmd(),''quoted,never,,"));
	text = arena_printf(
	    t.arena, "%.*s%s%s", (int)(strstr(text, "never") - text), text, mended, strstr(text, "never") + 5);
	TRANSFERRED(&t, "import", transferred_write(&t, "m.csv", text, strlen(text)));
	transferred_expect(&t, 0, "\"created\":1", "");
	people = transferred_list(&t, "people");
	assert_non_null(strstr(people, "\"fullName\":\"=cmd()\""));
	assert_non_null(strstr(people, "\"description\":\"'quoted\""));
}

/* Files of refused records are UTF-8, whatever the encoding of the imported file. */
TEST(test_encoding)
{
	static const char file[] = "fullName,birthday\nJ\xfcrgen,never\n";
	const char *path = transferred_write(&t, "a.csv", file, sizeof file - 1), *text;

	TRANSFERRED(&t, "import", path, "--encoding", "windows-1252");
	transferred_expect(&t, 1, "\"refused\":1", "");
	text = transferred_read(&t, "a.csv.refused.csv");
	text = arena_printf(t.arena, "%.*s%s", (int)(strstr(text, "never") - text), text, strstr(text, "never") + 5);
	TRANSFERRED(&t, "import", transferred_write(&t, "m.csv", text, strlen(text)), "--encoding", "windows-1252");
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_non_null(strstr(transferred_list(&t, "people"), "\"fullName\":\"Jürgen\""));
}

/* What Excel writes by itself gets the advice that helps. */
TEST(test_workbook)
{
	static const char *const begins[] = {"PK\003\004\024", "\320\317\021\340\241"};

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
		TRANSFERRED(&t, "import", transferred_write(&t, "book.xlsx", begins[i], 5));
		transferred_expect(
		    &t, 1, "", "is a workbook or an archive, and not text; open it, and save it as CSV in UTF-8");
	}
}

/* A batch that was sent again without records of a wrong shape, and not noted before the importer was killed. */
TEST(test_resent)
{
	static const char file[] = "{\"fullName\":\"Ada\"}\n{\"fullName\":7}\n{\"fullName\":\"Ben\"}\n";
	const char *path = transferred_write(&t, "a.ndjson", file, sizeof file - 1), *kith;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "\"created\":2", "");
	kith = transferred_read(&t, "a.ndjson.kith");
	transferred_write(&t, "a.ndjson.kith", kith, (size_t)(strstr(kith, "{\"batch\"") - kith));
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "\"created\":2,\"updated\":0,\"unchanged\":0,\"existing\":0,\"refused\":1", "");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 2);
	assert_int_equal(transferred_lines(transferred_read(&t, "a.ndjson.refused.ndjson")), 1);
}

/* The import reports what the server has left out. */
TEST(test_left_out)
{
	const char *group, *text, *path;
	struct caller c;

	caller_init(&c, server->base, t.key);
	text =
	    caller_good(caller_send(&c, "POST", "/v1/groups", NULL, "{\"name\":\"G\",\"visibility\":\"public\"}")).id;
	group = arena_printf(t.arena, "%.40s", text);
	caller_good(caller_send(&c, "POST", arena_printf(t.arena, "/v1/groups/%s/custom-fields/person", group), NULL,
	    "{\"name\":\"who\",\"type\":\"contactField\"}"));
	caller_free(&c);
	text = arena_printf(t.arena,
	    "{\"fullName\":\"Ada\",\"groups\":[{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{\"who\":["
	    "{\"id\":\"per_00000000-0000-7000-8000-000000000000\"}]}}}\n",
	    group, group);
	path = transferred_write(&t, "a.ndjson", text, strlen(text));
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"lost\":1", "1 references were left out");
}

/* --- undoing ----------------------------------------------------------------------------------- */

/* Another workspace has none of the records: that is no reason to call them gone. */
TEST(test_elsewhere)
{
	static const char file[] = "fullName\nAda\n";
	const char *path = transferred_write(&t, "a.csv", file, sizeof file - 1), *key = t.key;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":1", "");
	t.key = rig_stranger(&rig, "elsewhere").key;
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 1, "", "another workspace");
	t.key = key;
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":1,\"absent\":0", "");
	/* A run that was undone does not matter for later imports. */
	t.key = rig_stranger(&rig, "later").key;
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":1", "");
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":1,\"absent\":0", "");
}

/* The progress of an earlier version has server, kind and user only in the text of the options. */
TEST(test_older_progress)
{
	static const char file[] = "fullName\nAda\n";
	const char *path = transferred_write(&t, "a.csv", file, sizeof file - 1), *key = t.key, *progress, *from, *to;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":1", "");
	progress = transferred_read(&t, "a.csv.kith");
	from = strstr(progress, "\"server\":");
	to = strstr(progress, "\"options\":");
	assert_true(from && to && from < to);
	progress = arena_printf(t.arena, "%.*s%s", (int)(from - progress), progress, to);
	transferred_write(&t, "a.csv.kith", progress, strlen(progress));
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":1", "has been imported already");
	TRANSFERRED(&t, "import", path, "--map", transferred_write(&t, "map", "x=-\n", 4));
	transferred_expect(&t, 1, "", "has been imported already, with other options");
	t.key = rig_stranger(&rig, "older").key;
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 1, "", "another workspace");
	t.key = key;
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":1,\"absent\":0", "");
}

/* A record that an import updated is listed when that import is undone, and not again by a later --undo. */
TEST(test_updates_of_undone)
{
	static const char before[] = "fullName,emails\nAda,updated@people.example\n",
	                  after[] = "fullName,emails\nAda Byron,updated@people.example\n";
	const char *path = transferred_write(&t, "before.csv", before, sizeof before - 1);

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":1", "");
	path = transferred_write(&t, "a.csv", after, sizeof after - 1);
	TRANSFERRED(&t, "import", path, "--match", "emails");
	transferred_expect(&t, 0, "\"created\":0,\"updated\":1", "");
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":0,\"absent\":0,\"left\":0,\"updated\":1", "was updated by an import");
	TRANSFERRED(&t, "import", path, "--match", "emails");
	transferred_expect(&t, 0, "\"created\":0,\"updated\":0,\"unchanged\":1", "");
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":0,\"absent\":0,\"left\":0,\"updated\":0", "");
}

/* What a colleague has imported can be undone. */
TEST(test_colleague)
{
	static const char file[] = "fullName\nAda\n";
	const char *path = transferred_write(&t, "a.csv", file, sizeof file - 1);
	t.key = rig.ben.key;
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":1", "");
	t.key = rig.ada.key;
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":1,\"absent\":0", "");
}

/* Companies that were made by naming them stay when they were changed since. */
TEST(test_companies)
{
	static const char file[] = "fullName,Company,createdAt\nAda,Free,2020-01-01\nBen,Changed,2020-01-01\n";
	const char *path = transferred_write(&t, "a.csv", file, sizeof file - 1), *companies, *id;
	struct caller c;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":2", "");
	companies = transferred_list(&t, "companies");
	id = strstr(companies, "\"name\":\"Changed\"");
	while (strncmp(id, "com_", 4) != 0)
		id--;
	caller_init(&c, server->base, t.key);
	caller_good(caller_sendf(
	    &c, "PATCH", arena_printf(t.arena, "/v1/companies/%.40s", id), NULL, "{\"fundingRaised\":\"1000\"}"));
	caller_free(&c);
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(
	    &t, 0, "\"deleted\":2,\"absent\":0,\"left\":0,\"updated\":0,\"companies\":1", "is in use and was kept");
	companies = transferred_list(&t, "companies");
	assert_null(strstr(companies, "\"Free\""));
	assert_non_null(strstr(companies, "\"Changed\""));
}

/* A company that gets a note while --undo runs stays, too. The test locks its row, so that the deletion waits. */
TEST(test_used_meanwhile)
{
	static const char file[] = "fullName,Company\nAda,Late\nBen,Free\n";
	const char *path = transferred_write(&t, "a.csv", file, sizeof file - 1), *id;
	int64_t until_us = patience_ms(60000);
	pid_t holder, undoing;
	struct caller c;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":2", "");
	id = strstr(transferred_list(&t, "companies"), "\"name\":\"Late\"");
	while (strncmp(id, "com_", 4) != 0)
		id--;
	holder = rig_hold_row(&rig, "companies", "name = 'Late'");
	undoing = transferred_start(&t, (const char *const[]){"import", "--undo", path, NULL});
	while (rig_int(&rig,
	           "select count(*) from pg_stat_activity a, pg_stat_activity h where h.application_name = 'psql' "
	           "and h.pid = any (pg_blocking_pids(a.pid))") == 0)
		assert_true(patience_pause(until_us));
	caller_init(&c, server->base, t.key);
	caller_good(caller_sendf(&c, "POST", "/v1/notes", NULL,
	    "{\"entity\":{\"id\":\"%.40s\"},\"content\":\"new\",\"visibility\":\"public\"}", id));
	rig_release(&rig, holder);
	transferred_end(&t, undoing);
	transferred_expect(
	    &t, 0, "\"deleted\":2,\"absent\":0,\"left\":0,\"updated\":0,\"companies\":1", "is in use and was kept");
	assert_int_equal(
	    caller_send(&c, "GET", arena_printf(t.arena, "/v1/companies/%.40s", id), NULL, NULL).status, 200);
	caller_free(&c);
}

/* A company that was there before stays, also when nothing but the import has used it, and when the import began in the
 * same second. */
TEST(test_older_company)
{
	bool same = false;
	struct caller c;

	caller_init(&c, server->base, t.key);
	for (int i = 0; i < 10 && !same; i++) {
		const char *name = arena_printf(t.arena, "Bare %d", i),
		           *file = arena_printf(t.arena, "fullName,Company\nAda,%s\nBen,New\n", name),
		           *path = transferred_write(&t, arena_printf(t.arena, "%d.csv", i), file, strlen(file)),
		           *second;
		caller_good(caller_sendf(&c, "POST", "/v1/companies", NULL, "{\"name\":\"%s\"}", name));
		second = arena_printf(t.arena, "\"beganMs\":%lld000,", (long long)clock_now_ms() / 1000);
		TRANSFERRED(&t, "import", path);
		transferred_expect(&t, 0, "\"created\":2", "");
		same = strstr(transferred_read(&t, arena_printf(t.arena, "%d.csv.kith", i)), second);
		TRANSFERRED(&t, "import", "--undo", path);
		transferred_expect(&t, 0, "\"deleted\":2,\"absent\":0,\"left\":0,\"updated\":0,\"companies\":1", "");
		assert_non_null(
		    strstr(transferred_list(&t, "companies"), arena_printf(t.arena, "\"name\":\"%s\"", name)));
	}
	caller_free(&c);
}

/* --- exports ------------------------------------------------------------------------------------- */

/* An interrupted export continues only with its own file, format and filter. */
TEST(test_continued)
{
	static const char cut[] = "{\"export\":9,\"records\":1,\"list\":\"csv /v1/people?limit=100\",\"next\":"
	                          "\"/v1/people?limit=100\",\"cursor\":\"\"}\n";
	const char *path = transferred_write(&t, "out", "id,first\n", 9);

	transferred_write(&t, "out.kith", cut, sizeof cut - 1);
	TRANSFERRED(&t, "export", "people", "-o", path, "--continue");
	transferred_expect(&t, 1, "", "belongs to an export with other options");
	TRANSFERRED(
	    &t, "export", "people", "--format", "csv", "--filter", "filter[name][eq]=A", "-o", path, "--continue");
	transferred_expect(&t, 1, "", "belongs to an export with other options");
	TRANSFERRED(&t, "export", "people", "--format", "csv", "-o", path, "--continue");
	transferred_expect(&t, 0, "", "1 people exported");
	transferred_write(&t, "out.kith", cut, sizeof cut - 1);
	transferred_write(&t, "out", "id", 2);
	TRANSFERRED(&t, "export", "people", "--format", "csv", "-o", path, "--continue");
	transferred_expect(&t, 1, "", "is shorter than what was written to it");
	assert_string_equal(transferred_read(&t, "out"), "id");
}

/* --- companies that were made by name ------------------------------------------------------------- */

enum { MANY = 30 };

/* The id of the company "Unmade NUMBER". */
static const char *many_id(const char *companies, int number)
{
	const char *at = strstr(companies, arena_printf(t.arena, "\"name\":\"Unmade %02d\"", number));

	assert_non_null(at);
	while (strncmp(at, "com_", 4) != 0)
		at--;
	return arena_printf(t.arena, "%.40s", at);
}

static int64_t many_requests(struct caller *c)
{
	const char *at = strstr(caller_get(c, "/v1/usage").reply.body, "\"requests\":");

	assert_non_null(at);
	return strtoll(at + strlen("\"requests\":"), NULL, 10);
}

static void many_uses(struct caller *c, const char *companies)
{
	caller_good(caller_sendf(c, "POST", "/v1/people", NULL,
	    "{\"fullName\":\"User\",\"companies\":[{\"id\":\"%s\"},{\"id\":\"%s\"}]}", many_id(companies, 0),
	    many_id(companies, 1)));
	caller_good(caller_sendf(c, "POST", "/v1/notes", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"content\":\"x\",\"visibility\":\"public\"}", many_id(companies, 2)));
	caller_good(caller_sendf(c, "POST", "/v1/tasks", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"title\":\"x\",\"dueAt\":\"2031-01-01\"}", many_id(companies, 3)));
	caller_good(caller_sendf(c, "POST", "/v1/interactions", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"title\":\"x\",\"activityType\":\"call\","
	    "\"dateTime\":\"2024-01-01T00:00:00.000Z\"}",
	    many_id(companies, 4)));
	caller_good(caller_sendf(c, "POST", "/v1/reminders", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"name\":\"x\",\"visibility\":\"private\","
	    "\"recurrenceRule\":\"DTSTART:20310101T000000Z\\nRRULE:FREQ=YEARLY\"}",
	    many_id(companies, 5)));
	caller_good(caller_sendf(c, "PATCH", arena_printf(t.arena, "/v1/companies/%s", many_id(companies, 6)), NULL,
	    "{\"industry\":\"Kept\"}"));
}

/* They are checked and deleted together. Those that something refers to stay, and so do those that somebody changed. */
TEST(test_many_companies)
{
	const char *path, *companies;
	struct caller c;
	struct buf file;
	int64_t before;

	buf_init(&file, 1 << 16);
	buf_addz(&file, "fullName,Company\n");
	for (int i = 0; i < 2 * MANY; i++)
		buf_printf(&file, "Uma %d,Unmade %02d\n", i, i % MANY);
	path = transferred_write(&t, "a.csv", file.data, file.len);
	buf_free(&file);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":60", "");
	companies = transferred_list(&t, "companies");
	caller_init(&c, server->base, t.key);
	many_uses(&c, companies);
	before = many_requests(&c);
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":60,\"absent\":0,\"left\":0,\"updated\":0,\"companies\":23", "in use");
	assert_true(many_requests(&c) - before < 30);
	caller_free(&c);
	companies = transferred_list(&t, "companies");
	assert_int_equal(transferred_lines(companies), 7);
	for (int i = 0; i < 7; i++)
		many_id(companies, i);
}
