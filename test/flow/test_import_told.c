/* What kith import says, and never leaves unsaid: lost references, columns, refused values; and the files that it
 * writes beside others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test/lib/transferred.h"

#define DEALS "--as", "objects", "--group", "Sales", "--type", "Deal"
#define ABSENT "per_00000000-0000-7000-8000-000000000000"

static struct rig rig;
static struct server_process *server;
static struct transferred t;
static const char *group, *ada, *bob, *acme;

static int set_up(void **state)
{
	(void)state;
	rig_open(&rig, "told", false);
	server = rig_serve(&rig, false, NULL);
	return 0;
}

static int tear_down(void **state)
{
	bool ok = server_stop(server);

	(void)state;
	rig_close(&rig);
	return ok ? 0 : 1;
}

static const char *told_make(struct caller *c, const char *target, const char *body)
{
	return arena_printf(t.arena, "%.40s", caller_good(caller_send(c, "POST", target, NULL, body)).id);
}

/* A group with deals, Ada and Acme in it, Bob outside, and two people of one name. */
static int files_begin(void **state)
{
	struct caller c;

	(void)state;
	transferred_init(&t, &rig, server->base, rig_stranger(&rig, "teller").key);
	caller_init(&c, server->base, t.key);
	group = told_make(&c, "/v1/groups", "{\"name\":\"Sales\",\"visibility\":\"public\"}");
	caller_good(caller_send(
	    &c, "POST", arena_printf(t.arena, "/v1/groups/%s/object-types", group), NULL, "{\"name\":\"Deal\"}"));
	caller_good(caller_send(&c, "POST", arena_printf(t.arena, "/v1/groups/%s/custom-fields/Deal", group), NULL,
	    "{\"name\":\"Stage\",\"type\":\"singleSelect\",\"options\":[{\"label\":\"Open\"},{\"label\":\"Won\"}]}"));
	caller_good(caller_send(&c, "POST", arena_printf(t.arena, "/v1/groups/%s/custom-fields/Deal", group), NULL,
	    "{\"name\":\"Owner\",\"type\":\"userField\"}"));
	ada = told_make(
	    &c, "/v1/people", arena_printf(t.arena, "{\"fullName\":\"Ada\",\"groups\":[{\"id\":\"%s\"}]}", group));
	acme = told_make(
	    &c, "/v1/companies", arena_printf(t.arena, "{\"name\":\"Acme\",\"groups\":[{\"id\":\"%s\"}]}", group));
	bob = told_make(&c, "/v1/people", "{\"fullName\":\"Bob\"}");
	told_make(&c, "/v1/people", "{\"fullName\":\"Twin\"}");
	told_make(&c, "/v1/people", "{\"fullName\":\"Twin\"}");
	caller_free(&c);
	return 0;
}

static int files_end(void **state)
{
	(void)state;
	transferred_free(&t);
	return 0;
}

static const char *file_of(const char *name, const char *text)
{
	return transferred_write(&t, name, text, strlen(text));
}

static void told_says(const char *text)
{
	if (!strstr(t.err, text))
		fail_msg("no \"%s\" in\n%s", text, t.err);
}

/* --- references ------------------------------------------------------------------------------ */

/* Deals keep what is found by id or name; all that is lost is counted and named, however often the line is run. */
static void test_lost(void **state)
{
	const char *path = file_of(
	    "d.ndjson", arena_printf(t.arena,
	                    "{\"name\":\"D1\",\"people\":[{\"id\":\"%s\"}]}\n"
	                    "{\"name\":\"D2\",\"people\":[{\"id\":\"%s\",\"fullName\":\"Bob\"}]}\n"
	                    "{\"name\":\"D3\",\"people\":[{\"fullName\":\"Nobody\"},{\"fullName\":\"Ada\"}]}\n"
	                    "{\"name\":\"D4\",\"people\":[{\"id\":\"" ABSENT "\"}],\"companies\":[{\"id\":\"\"}]}\n"
	                    "{\"name\":\"D5\",\"people\":[{\"fullName\":\"Twin\"}],\"companies\":[{\"name\":\"Acme\"}],"
	                    "\"customFieldValues\":{\"Owner\":[{\"email\":\"nobody@x.org\"}]}}\n",
	                    ada, bob));
	const char *deals;
	(void)state;
	for (int i = 0; i < 2; i++) {
		TRANSFERRED(&t, "import", path, DEALS);
		transferred_expect(&t, 0, "\"created\":5", "");
		transferred_expect(&t, 0, "\"refused\":0,\"lost\":6,\"complete\":true", "");
		if (i)
			break;
		told_says("left out: line 2, people.0.id, \"per_");
		told_says("Person is not in the object's group");
		told_says("left out: line 3, people.0: there is no contact with the name \"Nobody\"");
		told_says("left out: line 4, people.0.id, \"" ABSENT "\": Person not found");
		told_says("left out: line 4, companies.0: has neither an id nor a name");
		told_says("left out: line 5, people.0: there are several contacts with the name \"Twin\"");
		told_says("left out: line 5, customFieldValues.Owner.0: there is no user \"nobody@x.org\"");
	}
	TRANSFERRED(&t, "export", "objects", "--group", "Sales", "--type", "Deal");
	deals = t.out;
	assert_non_null(strstr(strstr(deals, "\"D1\""), ada));
	assert_non_null(strstr(strstr(deals, "\"D3\""), ada));
	assert_non_null(strstr(strstr(deals, "\"D5\""), acme));
	/* In a dry run, too. */
	TRANSFERRED(&t, "import", file_of("again.ndjson", transferred_read(&t, "d.ndjson")), DEALS, "--dry-run");
	transferred_expect(&t, 0, "\"lost\":6,\"matches\":0,\"dryRun\":true", "there is no contact with the name");
}

/* In a file with columns they have a column; of many only the first are named. */
static void test_lost_columns(void **state)
{
	struct buf text;
	const char *path;
	(void)state;
	buf_init(&text, 1 << 20);
	buf_addz(&text, "name,people,Who\n");
	for (int i = 0; i < 30; i++)
		buf_printf(&text, "D%d,%s,nobody@x.org\n", i, i % 2 ? ada : bob);
	path = file_of("d.csv", text.data);
	buf_free(&text);
	TRANSFERRED(&t, "import", path, DEALS, "--map", file_of("map", "Who = Owner\n"));
	transferred_expect(&t, 0, "\"created\":30", "references that are lost: 45");
	transferred_expect(&t, 0, "\"lost\":45", "");
	told_says("left out: line 2, column \"people\", \"per_");
	told_says("left out: line 2, column \"Who\", \"nobody@x.org\": Not found");
	told_says("left out: line 14, column");
	assert_null(strstr(t.err, "line 16,"));
}

/* Exactly one contact of a name is found, of an id first; else the reason is said. */
static void test_named_entity(void **state)
{
	const char *path =
	    file_of("n.ndjson", "{\"entity\":{\"fullName\":\"Ada\"},\"content\":\"1\",\"visibility\":\"public\"}\n"
	                        "{\"entity\":{\"entityType\":\"company\",\"fullName\":\"Acme\"},\"content\":\"2\","
	                        "\"visibility\":\"public\"}\n"
	                        "{\"entity\":{\"fullName\":\"Twin\"},\"content\":\"3\",\"visibility\":\"public\"}\n"
	                        "{\"entity\":{\"fullName\":\"Nobody\"},\"content\":\"4\",\"visibility\":\"public\"}\n");
	const char *refused;
	(void)state;
	TRANSFERRED(&t, "import", path, "--as", "notes");
	transferred_expect(&t, 1, "\"created\":2", "");
	refused = transferred_read(&t, "n.ndjson.refused.ndjson");
	assert_non_null(strstr(refused, "line 3, entity: there are several contacts with the name \\\"Twin\\\""));
	assert_non_null(strstr(refused, "line 4, entity: there is no contact with the name \\\"Nobody\\\""));
	assert_non_null(strstr(transferred_list(&t, "notes"), ada));
	/* The first contact of the file is gone: it is not another workspace for all others. */
	path = file_of("m.ndjson",
	    arena_printf(t.arena,
	        "{\"entity\":{\"id\":\"" ABSENT
	        "\",\"fullName\":\"Gone\"},\"content\":\"5\",\"visibility\":\"public\"}\n"
	        "{\"entity\":{\"id\":\"%s\",\"fullName\":\"Twin\"},\"content\":\"6\",\"visibility\":\"public\"}\n",
	        arena_printf(t.arena, "%.40s", strstr(strstr(transferred_list(&t, "people"), "Bob"), "per_"))));
	TRANSFERRED(&t, "import", path, "--as", "notes");
	transferred_expect(&t, 1, "\"created\":1", "");
}

/* --- columns ----------------------------------------------------------------------------------- */

/* The lines that are printed are what --map takes; none is a guess that leads astray. */
static void test_suggested(void **state)
{
	const char *path = file_of("d.csv", "Deal - Name,Stage of deal,Deal - ID,# of = seats,Owner name\n"
	                                    "One,Open,17,3,Joe\n");
	struct buf map;
	(void)state;
	TRANSFERRED(&t, "import", path, DEALS);
	transferred_expect(&t, 1, "", "  Stage of deal = customFieldValues.Stage\n");
	told_says("  Deal - Name = name\n");
	told_says("  Deal - ID = \n");
	told_says("  \"# of = seats\" = \n");
	told_says("  Owner name = customFieldValues.Owner\n");
	buf_init(&map, 1 << 16);
	for (const char *line = t.err; *line; line += strcspn(line, "\n") + 1) {
		size_t len = strcspn(line, "\n");
		if (*line != ' ')
			continue;
		buf_add(&map, line, len);
		buf_addz(&map, line[len - 1] == ' ' ? "-\n" : "\n");
	}
	path = file_of("e.csv", transferred_read(&t, "d.csv"));
	TRANSFERRED(&t, "import", path, DEALS, "--map", file_of("map", map.data));
	transferred_expect(&t, 0, "\"created\":1", "");
	buf_free(&map);
}

/* A refused value has its column and itself, whoever refused it. */
static void test_refused_value(void **state)
{
	const char *path = file_of("d.csv", "name,Stage of deal\nOne,Opne\nTwo,Won\n"), *refused;
	(void)state;
	TRANSFERRED(&t, "import", path, DEALS, "--map", file_of("map", "Stage of deal = Stage\n"));
	transferred_expect(&t, 1, "\"created\":1", "");
	refused = transferred_read(&t, "d.csv.refused.csv");
	assert_non_null(
	    strstr(refused, "line 2, column \"\"Stage of deal\"\", \"\"Opne\"\": Unknown option; did you mean"));
	/* Of several columns the one that has the value; it is refused by the shape of the whole request. */
	path = file_of("p.csv",
	    arena_printf(t.arena, "fullName,E-mail 1 - Value,E-mail 2 - Value\nAda,a@x.org,%0300d@x.org\n", 1));
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "\"refused\":1", "");
	refused = transferred_read(&t, "p.csv.refused.csv");
	assert_non_null(strstr(refused, "line 2, column \"\"E-mail 2 - Value\"\", \"\"0000"));
}

/* What --make-fields fills is not left out. */
static void test_made_fields(void **state)
{
	const char *path = file_of("a.csv", "fullName,Nickname,Shoe size\nEve,Evie,38\n");
	(void)state;
	TRANSFERRED(&t, "import", path, "--group", "Sales", "--make-fields");
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_null(strstr(t.err, "left out"));
	assert_non_null(strstr(transferred_list(&t, "people"), "\"Nickname\":\"Evie\""));
}

static void test_nameless(void **state)
{
	(void)state;
	TRANSFERRED(&t, "import", file_of("a.csv", "emails,firstName\na@x.org,\nb@x.org,Ben\n"));
	transferred_expect(&t, 0, "\"created\":2", "line 2 has no name");
	told_says("records without a name: 1");
	assert_null(strstr(t.err, "line 3"));
}

/* Properties that programs add to vCards are counted, and stop nothing. */
static void test_card_properties(void **state)
{
	static const char card[] = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Eve\r\nX-SHOE:38\r\nX-SHOE:39\r\nHOBBY:chess\r\n"
	                           "END:VCARD\r\n";
	(void)state;
	TRANSFERRED(&t, "import", file_of("a.vcf", card));
	transferred_expect(&t, 0, "\"created\":1", "X-SHOE (2 values)");
	told_says("HOBBY (1 values)");
	TRANSFERRED(&t, "import", file_of("b.vcf", card), "--group", "Sales", "--make-fields");
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_non_null(strstr(transferred_list(&t, "people"), "\"HOBBY\":\"chess\""));
}

/* --- terminal and files --------------------------------------------------------------------------- */

/* Whatever a file holds, no control character is printed. */
static void test_escapes(void **state)
{
	static const char *const files[] = {"\x1b[2J,fullName\nx,\x1b]0;t\x07\n",
	    "fullName,birthday\nA,\x1b[31m\xc2\x9b\n", "fullName,Labels\n\x1b[0m,\x1b[1m\n",
	    "emails,companies\n\x1b[5m,\x1b[7m\n"};
	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		for (int dry = 0; dry < 2; dry++) {
			const char *path = file_of(dry ? "\x1b[4m.csv" : "a.csv", files[i]);
			unlink(transferred_path(&t, "a.csv.kith"));
			TRANSFERRED(&t, "import", path, dry ? "--dry-run" : "--make-groups");
			if (strpbrk(t.err, "\x1b\x07\r") || strstr(t.err, "\xc2\x9b") || strpbrk(t.out, "\x1b\x07"))
				fail_msg("%zu: %s%s", i, t.out, t.err);
			assert_true(i || strstr(t.err, "\\u001b[2J"));
		}
}

/* Beside a.csv stands a file that is not the import's, or a link to one: it is as it was. */
static void test_foreign_progress(void **state)
{
	static const char *const texts[] = {"precious", "precious\n", "{\"a\":1}\n", "{\"done\":true}\n",
	    "{\"run\":{\"sha256\":\"1\"}}\n", "precious\nand more\n"};
	const char *path = file_of("a.csv", "fullName\nEve\n"), *kith = transferred_path(&t, "a.csv.kith");
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		for (int linked = 0; linked < 2; linked++) {
			file_of(linked ? "other" : "a.csv.kith", texts[i]);
			assert_true(!linked || symlink(transferred_path(&t, "other"), kith) == 0);
			TRANSFERRED(&t, "import", path);
			transferred_expect(&t, 1, "", linked ? "is a symbolic link" : "was not written by kith");
			TRANSFERRED(&t, "import", "--undo", path);
			transferred_expect(&t, 1, "", linked ? "is a symbolic link" : "was not written by kith");
			assert_string_equal(transferred_read(&t, linked ? "other" : "a.csv.kith"), texts[i]);
			unlink(kith);
		}
	/* A link to nothing makes nothing. */
	unlink(transferred_path(&t, "other"));
	assert_int_equal(symlink(transferred_path(&t, "other"), kith), 0);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "", "is a symbolic link");
	assert_null(transferred_read(&t, "other"));
	unlink(kith);
	/* A first line that was cut is ours. */
	file_of("a.csv.kith", "{\"run\":{\"sh");
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":1", "");
}

static void test_linked_outputs(void **state)
{
	const char *path = file_of("a.csv", "fullName,birthday\nEve,never\n"), *out = transferred_path(&t, "out");
	(void)state;
	file_of("other", "precious");
	assert_int_equal(symlink(transferred_path(&t, "other"), transferred_path(&t, "a.csv.refused.csv")), 0);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "", "a.csv.refused.csv: is a symbolic link");
	assert_int_equal(symlink(transferred_path(&t, "other"), out), 0);
	TRANSFERRED(&t, "export", "people", "-o", out);
	transferred_expect(&t, 1, "", "out: is a symbolic link");
	unlink(out);
	unlink(transferred_path(&t, "out.kith"));
	assert_int_equal(symlink(transferred_path(&t, "other"), transferred_path(&t, "out.kith.new")), 0);
	TRANSFERRED(&t, "export", "people", "-o", out);
	transferred_expect(&t, 1, "", "is a symbolic link");
	assert_string_equal(transferred_read(&t, "other"), "precious");
	unlink(transferred_path(&t, "out.kith.new"));
	/* An export does not replace what an import needs to be undone. */
	path = file_of("out", "fullName\nEve\n");
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":1", "");
	TRANSFERRED(&t, "export", "people", "-o", path);
	transferred_expect(&t, 1, "", "is no state of an export");
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":1", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_lost, files_begin, files_end),
	    cmocka_unit_test_setup_teardown(test_lost_columns, files_begin, files_end),
	    cmocka_unit_test_setup_teardown(test_named_entity, files_begin, files_end),
	    cmocka_unit_test_setup_teardown(test_suggested, files_begin, files_end),
	    cmocka_unit_test_setup_teardown(test_refused_value, files_begin, files_end),
	    cmocka_unit_test_setup_teardown(test_made_fields, files_begin, files_end),
	    cmocka_unit_test_setup_teardown(test_nameless, files_begin, files_end),
	    cmocka_unit_test_setup_teardown(test_card_properties, files_begin, files_end),
	    cmocka_unit_test_setup_teardown(test_escapes, files_begin, files_end),
	    cmocka_unit_test_setup_teardown(test_foreign_progress, files_begin, files_end),
	    cmocka_unit_test_setup_teardown(test_linked_outputs, files_begin, files_end),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
