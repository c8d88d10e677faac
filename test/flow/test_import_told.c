/* What kith import says, and never leaves unsaid: lost references, columns, refused values; and the files that it
 * writes beside others. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/lib/flow.h"
#include "test/lib/server/child.h"
#include "test/lib/server/transferred.h"

#define DEALS "--as", "objects", "--group", "Sales", "--type", "Deal"
#define ABSENT "per_00000000-0000-7000-8000-000000000000"

static struct transferred t;
static const char *group, *ada_id, *bob_id, *acme;

RIG("told");

static const char *told_make(struct caller *c, const char *target, const char *body)
{
	return arena_printf(t.arena, "%.40s", caller_good(caller_send(c, "POST", target, NULL, body)).id);
}

/* A group with deals, Ada and Acme in it, Bob outside, and two people of one name. */
BEFORE_EACH()
{
	struct caller c;

	transferred_init(&t, &rig, server->base, rig_stranger(&rig, "teller").key);
	caller_init(&c, server->base, t.key);
	group = told_make(&c, "/v1/groups", "{\"name\":\"Sales\",\"visibility\":\"public\"}");
	caller_good(caller_send(
	    &c, "POST", arena_printf(t.arena, "/v1/groups/%s/object-types", group), NULL, "{\"name\":\"Deal\"}"));
	caller_good(caller_send(&c, "POST", arena_printf(t.arena, "/v1/groups/%s/custom-fields/Deal", group), NULL,
	    "{\"name\":\"Stage\",\"type\":\"singleSelect\",\"options\":[{\"label\":\"Open\"},{\"label\":\"Won\"}]}"));
	caller_good(caller_send(&c, "POST", arena_printf(t.arena, "/v1/groups/%s/custom-fields/Deal", group), NULL,
	    "{\"name\":\"Owner\",\"type\":\"userField\"}"));
	ada_id = told_make(
	    &c, "/v1/people", arena_printf(t.arena, "{\"fullName\":\"Ada\",\"groups\":[{\"id\":\"%s\"}]}", group));
	acme = told_make(
	    &c, "/v1/companies", arena_printf(t.arena, "{\"name\":\"Acme\",\"groups\":[{\"id\":\"%s\"}]}", group));
	bob_id = told_make(&c, "/v1/people", "{\"fullName\":\"Bob\"}");
	told_make(&c, "/v1/people", "{\"fullName\":\"Twin\"}");
	told_make(&c, "/v1/people", "{\"fullName\":\"Twin\"}");
	caller_free(&c);
}

AFTER_EACH()
{
	transferred_free(&t);
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
TEST(test_lost)
{
	const char *path = file_of(
	    "d.ndjson", arena_printf(t.arena,
	                    "{\"name\":\"D1\",\"people\":[{\"id\":\"%s\"}]}\n"
	                    "{\"name\":\"D2\",\"people\":[{\"id\":\"%s\",\"fullName\":\"Bob\"}]}\n"
	                    "{\"name\":\"D3\",\"people\":[{\"fullName\":\"Nobody\"},{\"fullName\":\"Ada\"}]}\n"
	                    "{\"name\":\"D4\",\"people\":[{\"id\":\"" ABSENT "\"}],\"companies\":[{\"id\":\"\"}]}\n"
	                    "{\"name\":\"D5\",\"people\":[{\"fullName\":\"Twin\"}],\"companies\":[{\"name\":\"Acme\"}],"
	                    "\"customFieldValues\":{\"Owner\":[{\"email\":\"nobody@x.org\"}]}}\n",
	                    ada_id, bob_id));
	const char *deals;

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
		told_says("left out: line 4, companies.0: has neither id nor name");
		told_says("left out: line 5, people.0: there are several contacts with the name \"Twin\"");
		told_says("left out: line 5, customFieldValues.Owner.0: there is no user \"nobody@x.org\"");
	}
	TRANSFERRED(&t, "export", "objects", "--group", "Sales", "--type", "Deal");
	deals = t.out;
	assert_non_null(strstr(strstr(deals, "\"D1\""), ada_id));
	assert_non_null(strstr(strstr(deals, "\"D3\""), ada_id));
	assert_non_null(strstr(strstr(deals, "\"D5\""), acme));
	/* In a dry run, too. */
	TRANSFERRED(&t, "import", file_of("again.ndjson", transferred_read(&t, "d.ndjson")), DEALS, "--dry-run");
	transferred_expect(&t, 0, "\"lost\":6,\"matches\":0,\"dryRun\":true", "there is no contact with the name");
}

/* In a file with columns they have a column; of many only the first are named. */
TEST(test_lost_columns)
{
	struct buf text;
	const char *path;

	buf_init(&text, 1 << 20);
	buf_addz(&text, "name,people,Who\n");
	for (int i = 0; i < 30; i++)
		buf_printf(&text, "D%d,%s,nobody@x.org\n", i, i % 2 ? ada_id : bob_id);
	path = file_of("d.csv", text.data);
	buf_free(&text);
	TRANSFERRED(&t, "import", path, DEALS, "--map", file_of("map", "Who = Owner\n"));
	transferred_expect(&t, 0, "\"created\":30", "45 references were left out");
	transferred_expect(&t, 0, "\"lost\":45", "");
	told_says("left out: line 2, column \"people\", \"per_");
	told_says("left out: line 2, column \"Who\", \"nobody@x.org\": Not found");
	told_says("left out: line 14, column");
	assert_null(strstr(t.err, "line 16,"));
}

/* A contact is found by its id first, then by a name that only one contact has. Otherwise the message says why not. */
TEST(test_named_entity)
{
	const char *path =
	    file_of("n.ndjson", "{\"entity\":{\"fullName\":\"Ada\"},\"content\":\"1\",\"visibility\":\"public\"}\n"
	                        "{\"entity\":{\"entityType\":\"company\",\"fullName\":\"Acme\"},\"content\":\"2\","
	                        "\"visibility\":\"public\"}\n"
	                        "{\"entity\":{\"fullName\":\"Twin\"},\"content\":\"3\",\"visibility\":\"public\"}\n"
	                        "{\"entity\":{\"fullName\":\"Nobody\"},\"content\":\"4\",\"visibility\":\"public\"}\n");
	const char *refused;

	TRANSFERRED(&t, "import", path, "--as", "notes");
	transferred_expect(&t, 1, "\"created\":2", "");
	refused = transferred_read(&t, "n.ndjson.refused.ndjson");
	assert_non_null(strstr(refused, "line 3, entity: there are several contacts with the name \\\"Twin\\\""));
	assert_non_null(strstr(refused, "line 4, entity: there is no contact with the name \\\"Nobody\\\""));
	assert_non_null(strstr(transferred_list(&t, "notes"), ada_id));
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

/* Runs what was printed from the text from on, to the end of the line that has the text to, as if somebody had pasted
 * it into a shell in the folder of the files. */
static void told_paste(const char *from, const char *to)
{
	const char *begin = strstr(t.err, from), *end = begin ? strstr(begin, to) : NULL;
	char program[PATH_MAX], **environment;
	const char *script;

	/* A line that ends with from only introduces the command. */
	if (end && from[strlen(from) - 1] == '\n')
		begin += strlen(from);
	if (!end)
		fail_msg("no %s … %s in\n%s", from, to, t.err);
	end += 1 + strcspn(end + 1, "\n");
	assert_non_null(realpath(rig.program->path, program));
	script = arena_printf(
	    t.arena, "kith() { %s \"$@\"; }\nexec >stdout 2>stderr\n%.*s\n", program, (int)(end - begin), begin);
	environment = child_environment("KITH_KEY", (char *const[]){arena_printf(t.arena, "KITH_KEY=%s", t.key), NULL});
	t.status = child_wait(child_start(&(struct child){
	    .argv = (const char *const[]){"sh", "-c", script, NULL}, .directory = t.dir, .environment = environment}));
	free(environment);
	t.out = transferred_read(&t, "stdout");
	t.err = transferred_read(&t, "stderr");
}

/* The lines that are printed are what --map takes; none is a guess that leads astray. */
TEST(test_suggested)
{
	const char *path = file_of("d.csv", "Main name,Stage of deal,Deal number,# of = seats,Owner name\n"
	                                    "One,Open,17,3,Joe\n");

	TRANSFERRED(&t, "import", path, DEALS);
	transferred_expect(&t, 1, "", "\nStage of deal = customFieldValues.Stage\n");
	told_says("\nMain name = name\n");
	told_says("\nDeal number = -\n");
	told_says("\n\"# of = seats\" = -\n");
	told_says("\nOwner name = customFieldValues.Owner\n");
	told_paste("cat >", "\n  kith import");
	transferred_expect(&t, 0, "\"created\":1", "");
}

/* A mapping that is there is completed, whatever its last line ends with, and the file's name may have blanks. */
TEST(test_suggested_again)
{
	const char *path =
	    file_of("it's a file.csv", "Main name,Shoe size,No of = seats,a\u202eb,c\x1b[2J\nOne,38,3,4,5\n");

	TRANSFERRED(&t, "import", path, DEALS, "--map", file_of("my map", "Main name = name"));
	transferred_expect(&t, 1, "", "nothing was imported");
	told_paste("cat >>", "\n  kith import");
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_string_equal(transferred_read(&t, "my map"), "Main name = name\nShoe size = -\n\"No of = seats\" = -\n"
	                                                    "\"a\\u202eb\" = -\n\"c\\u001b[2J\" = -\n");
}

/* The other command makes the fields, in a group that is there, or in a new one. Notes have no fields. */
TEST(test_suggested_fields)
{
	const char *path = file_of("p.csv", "Name,Shoe size\nGil,38\n");

	TRANSFERRED(&t, "import", path);
	told_paste("group for them:\n", "--make-fields");
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_non_null(strstr(transferred_list(&t, "people"), "\"Shoe size\":\"38\""));
	path = file_of("n.csv", "Content,Shoe size,Contact\nText,38,Ada\n");
	for (int i = 0; i < 2; i++) {
		TRANSFERRED(&t, "import", path, "--as", "notes", "--group", "Sales", i ? "--make-fields" : "--dry-run");
		transferred_expect(&t, 1, "", "Shoe size = -\n");
		assert_null(strstr(t.err, "Or make"));
	}
	transferred_free(&t);
	transferred_init(&t, &rig, server->base, rig_stranger(&rig, "loner").key);
	path = file_of("q.csv", "Name,Shoe size\nGil,38\n");
	TRANSFERRED(&t, "import", path);
	told_paste("group for them:\n", "--make-fields --make-groups");
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_non_null(strstr(transferred_list(&t, "people"), "\"Shoe size\":\"38\""));
}

/* The message for a refused value names its column and the value, whether kith import or the server refused it. */
TEST(test_refused_value)
{
	const char *path = file_of("d.csv", "name,Stage of deal\nOne,Opne\nTwo,Won\n"), *refused;

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
TEST(test_made_fields)
{
	const char *path = file_of("a.csv", "fullName,Nickname,Shoe size\nEve,Evie,38\n");

	TRANSFERRED(&t, "import", path, "--group", "Sales", "--make-fields");
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_null(strstr(t.err, "left out"));
	assert_non_null(strstr(transferred_list(&t, "people"), "\"Nickname\":\"Evie\""));
}

TEST(test_nameless)
{
	TRANSFERRED(&t, "import", file_of("a.csv", "emails,firstName\na@x.org,\nb@x.org,Ben\n"));
	transferred_expect(&t, 0, "\"created\":2", "line 2 has no name");
	told_says("1 records have no name");
	assert_null(strstr(t.err, "line 3"));
}

/* Properties that programs add to vCards are counted, and stop nothing. */
TEST(test_card_properties)
{
	static const char card[] = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Eve\r\nX-SHOE:38\r\nX-SHOE:39\r\nHOBBY:chess\r\n"
	                           "END:VCARD\r\n";

	TRANSFERRED(&t, "import", file_of("a.vcf", card));
	transferred_expect(&t, 0, "\"created\":1", "X-SHOE (2 values)");
	told_says("HOBBY (1 values)");
	TRANSFERRED(&t, "import", file_of("b.vcf", card), "--group", "Sales", "--make-fields");
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_non_null(strstr(transferred_list(&t, "people"), "\"HOBBY\":\"chess\""));
}

/* --- terminal and files --------------------------------------------------------------------------- */

/* Whatever a file holds, no control character is printed. */
TEST(test_escapes)
{
	static const char *const files[] = {"\x1b[2J,fullName\nx,\x1b]0;t\x07\n",
	    "fullName,birthday\nA,\x1b[31m\xc2\x9b\n", "fullName,Labels\n\x1b[0m,\x1b[1m\n",
	    "emails,companies\n\x1b[5m,\x1b[7m\n"};

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
TEST(test_foreign_progress)
{
	static const char *const texts[] = {"precious", "precious\n", "{\"a\":1}\n", "{\"done\":true}\n",
	    "{\"run\":{\"sha256\":\"1\"}}\n", "precious\nand more\n"};
	const char *path = file_of("a.csv", "fullName\nEve\n"), *kith = transferred_path(&t, "a.csv.kith");

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
	/* A link to a file that does not exist is refused, too, and the file is not created. */
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

TEST(test_linked_outputs)
{
	const char *path = file_of("a.csv", "fullName,birthday\nEve,never\n"), *out = transferred_path(&t, "out");

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
	transferred_expect(&t, 1, "", "is not the state of an export");
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":1", "");
}
