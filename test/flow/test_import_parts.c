/* kith import of files that tell people from companies: each becomes what it is, the companies first, and counts, dry
 * runs, undo and continuing are right for both. */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/patience.h"
#include "test/lib/server/child.h"
#include "test/lib/server/transferred.h"

#define CAPSULE "ID,Type,First Name,Last Name,Organisation,About,Email Address,Work Phone,Fax,Address Street,City\n"
#define CARD "BEGIN:VCARD\r\nVERSION:4.0\r\n"
#define END "END:VCARD\r\n"

static struct transferred t;

RIG("parts");

BEFORE_EACH()
{
	transferred_init(&t, &rig, server->base, rig_stranger(&rig, "mover").key);
}

AFTER_EACH()
{
	transferred_free(&t);
}

static const char *file_of(const char *name, const char *text)
{
	return transferred_write(&t, name, text, strlen(text));
}

static void expect_there(size_t people, size_t companies)
{
	const char *listed = transferred_list(&t, "people");

	if (transferred_lines(listed) != people)
		fail_msg("not %zu people:\n%s", people, listed);
	listed = transferred_list(&t, "companies");
	if (transferred_lines(listed) != companies)
		fail_msg("not %zu companies:\n%s", companies, listed);
}

static void expect_has(const char *kind, const char *text)
{
	const char *listed = transferred_list(&t, kind);

	if (!strstr(listed, text))
		fail_msg("no %s in\n%s", text, listed);
}

/* The counts of each kind are on a line of their own. */
static void expect_counts(int status, int companies, int people)
{
	transferred_expect(&t, status,
	    arena_printf(t.arena, "{\"kind\":\"companies\",\"records\":%d,\"created\":%d,", companies, companies), "");
	transferred_expect(&t, status,
	    arena_printf(t.arena, "{\"kind\":\"people\",\"records\":%d,\"created\":%d,", people, people), "");
}

#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Both kinds were imported. In the end there are two companies, with these texts. */
static void expect_imported(int companies, int people, const char *const messages[], const char *const texts[])
{
	expect_counts(0, companies, people);
	for (; *messages; messages++)
		transferred_expect(&t, 0, "", *messages);
	expect_there((size_t)people, 2);
	for (; *texts; texts++)
		expect_has("companies", *texts);
}

static const char capsule[] = CAPSULE "1,Person,Owen,Jones,Jones & Co,Nice,owen@j.example,01,,1 High St,Leeds\n"
                                      "2,Organisation,,,Jones & Co,Buys much,info@j.example,02,03,2 Low St,York\n"
                                      "3,Person,Ann,Lee,Solo Ltd,,ann@s.example,,,,\n\nMade by Ada\n";

TEST(test_capsule)
{
	TRANSFERRED(&t, "import", file_of("c.csv", capsule));
	expect_imported(1, 2,
	    TEXTS("c.csv has 1 companies and 2 people; the companies are imported first",
	        "1 lines were left out because they are no records; the first is line 6: Made by Ada",
	        "kith has no field for it: Fax (1 values)"),
	    TEXTS("\"name\":\"Jones & Co\"", "\"description\":\"Buys much\"", "\"emails\":[\"info@j.example\"]",
	        "2 Low St, York"));
	expect_has("people", "\"fullName\":\"Owen Jones\"");
	assert_null(strstr(transferred_list(&t, "people"), "info@j.example"));
}

/* Apple's cards, and those of vCard 4. A card that names a person, too, is of a company. */
TEST(test_cards)
{
	TRANSFERRED(&t, "import",
	    file_of("c.vcf", CARD "N:Kay;Bob;;;\r\nFN:Bob Kay\r\nORG:Globex\r\n" END CARD
	                          "KIND:org\r\nFN:Globex\r\nTEL:+1 555\r\nNOTE:Big\r\nCATEGORIES:Buyers\r\n" END CARD
	                          "N:Doe;Jane;;;\r\nFN:Acme\r\nORG:Acme;Sales\r\nX-ABShowAs:COMPANY\r\n" END CARD
	                          "KIND:individual\r\nFN:Eve\r\n" END CARD "KIND:thing\r\nFN:Odd\r\n" END),
	    "--make-groups");
	expect_imported(2, 3,
	    TEXTS("left out because kith has no field for it: First Name (1 values)",
	        "the field recordKind has no such choice: KIND (1 values)"),
	    TEXTS("\"phones\":[\"+1 555\"]", "\"name\":\"Buyers\""));
}

TEST(test_only_companies)
{
	const char *path = file_of("c.vcf", CARD "KIND:org\r\nFN:Globex\r\n" END);

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "{\"kind\":\"companies\",\"records\":1,\"created\":1,", "");
	assert_null(strstr(t.out, "people"));
	/* What kith exports comes back as what it was. */
	TRANSFERRED(&t, "export", "companies", "--format", "vcard", "-o", transferred_path(&t, "out.vcf"));
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":1,", "");
	TRANSFERRED(&t, "import", transferred_path(&t, "out.vcf"));
	transferred_expect(&t, 0, "{\"kind\":\"companies\",\"records\":1,\"created\":1,", "");
	expect_there(0, 1);
}

/* A list of contacts is no contact, whatever its name and version. */
TEST(test_lists_of_cards)
{
	TRANSFERRED(&t, "import",
	    file_of("c.vcf", CARD "FN:Ann\r\n" END CARD "FN:Friends\r\nX-ADDRESSBOOKSERVER-KIND:group\r\n"
	                          "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:1\r\n" END CARD
	                          "KIND:Group\r\nFN:Family\r\nMEMBER:urn:uuid:1\r\n" END CARD "FN:Ben\r\n" END));
	transferred_expect(&t, 0, "\"records\":2,\"created\":2",
	    "2 cards were left out because they are lists of contacts; the first begins in line 5");
	assert_null(strstr(t.err, "MEMBER"));
	expect_there(2, 0);
}

/* What the user says about all records counts. */
TEST(test_as)
{
	TRANSFERRED(&t, "import", file_of("c.csv", capsule), "--as", "people");
	transferred_expect(
	    &t, 0, "{\"records\":3,\"created\":3,", "mean nothing outside of the program that wrote them: Type");
	expect_there(3, 2);
	/* In the files of other programs such a column may mean anything. */
	TRANSFERRED(&t, "import", file_of("d.csv", "Name,Type\nAnn,Organisation\n"));
	transferred_expect(&t, 0, "{\"records\":1,\"created\":1,", "kith has no field for it: Type (1 values)");
}

/* The column tells the kinds of Capsule's file, whatever field the group has. */
TEST(test_own_field)
{
	TRANSFERRED(&t, "import", file_of("f.csv", "Name,Type\nEve,Friend\n"), "--group", "Sales", "--make-groups",
	    "--make-fields");
	transferred_expect(&t, 0, "\"created\":1", "");
	TRANSFERRED(&t, "import", file_of("c.csv", capsule), "--group", "Sales");
	expect_counts(0, 1, 2);
}

/* A dry run changes nothing, and an import after an undo is like the first one. */
TEST(test_undo_between)
{
	const char *path = file_of("c.csv", capsule);

	TRANSFERRED(&t, "import", path, "--dry-run");
	expect_counts(0, 1, 2);
	expect_there(0, 0);
	for (int i = 0; i < 2; i++) {
		TRANSFERRED(&t, "import", path);
		expect_counts(0, 1, 2);
		TRANSFERRED(&t, "import", path);
		expect_counts(0, 1, 2);
		transferred_expect(&t, 0, "", "(its companies) has been imported already; nothing was sent");
		transferred_expect(&t, 0, "", "(its people) has been imported already; nothing was sent");
		expect_there(2, 2);
		TRANSFERRED(&t, "import", "--undo", path);
		transferred_expect(&t, 0, "\"deleted\":3,\"absent\":0,\"left\":0,\"updated\":0,\"companies\":1,", "");
		expect_there(0, 0);
	}
	TRANSFERRED(&t, "import", path);
	TRANSFERRED(&t, "import", path, "--match", "emails");
	transferred_expect(
	    &t, 0, "{\"kind\":\"companies\",\"records\":1,\"created\":0,\"updated\":0,\"unchanged\":1,", "");
	transferred_expect(
	    &t, 0, "{\"kind\":\"people\",\"records\":2,\"created\":0,\"updated\":0,\"unchanged\":2,", "");
	/* Companies are found by their names, also those without an e-mail address. */
	path =
	    file_of("n.csv", CAPSULE "2,Organisation,,,Jones & Co,Buys more,,,,,\n3,Organisation,,,Solo Ltd,,,,,,\n");
	TRANSFERRED(&t, "import", path, "--match", "emails");
	transferred_expect(
	    &t, 0, "{\"kind\":\"companies\",\"records\":2,\"created\":0,\"updated\":1,\"unchanged\":1,", "");
}

/* The same organisation twice, and one that is there already. Each kind has a file of refused records, which goes in as
 * it is once it is corrected. */
TEST(test_refused)
{
	const char *path = file_of("c.csv",
	    "Created," CAPSULE ",1,Organisation,,,Twice,a,t@t.example,,,,\n,2,Organisation,,,Twice,b,,,,,\n"
	    "never,3,Organisation,,,Late,,,,,,\n,4,Organisation,,,There,,,,,,\n"
	    "never,5,Person,Ann,Lee,Twice,,,,,,\n,6,,Ben,Lee,There,,,,,,\n");
	struct caller c;

	caller_init(&c, server->base, t.key);
	caller_good(caller_send(
	    &c, "POST", "/v1/companies", NULL, "{\"name\":\"There\",\"urls\":[\"https://there.example\"]}"));
	caller_free(&c);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1,
	    "{\"kind\":\"companies\",\"records\":4,\"created\":1,\"updated\":0,\"unchanged\":0,\"existing\":2,"
	    "\"refused\":1,",
	    "c.csv.companies.refused.csv has them");
	transferred_expect(&t, 1,
	    "{\"kind\":\"people\",\"records\":2,\"created\":1,\"updated\":0,\"unchanged\":0,\"existing\":0,\"refused\":"
	    "1,",
	    "c.csv.refused.csv has them");
	assert_non_null(strstr(transferred_read(&t, "c.csv.companies.refused.csv"), "3,Organisation,"));
	assert_non_null(strstr(transferred_read(&t, "c.csv.refused.csv"), "5,Person,"));
	assert_null(strstr(transferred_read(&t, "c.csv.refused.csv"), "3,Organisation,"));
	file_of("d.csv", "Created," CAPSULE "2024-05-06,3,Organisation,,,Late,,,,,,\n");
	TRANSFERRED(&t, "import", transferred_path(&t, "d.csv"));
	transferred_expect(&t, 0, "{\"kind\":\"companies\",\"records\":1,\"created\":1,", "");
	expect_there(1, 3);
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":2,", "");
	expect_there(0, 2);
}

/* Killed anywhere, the same line goes on, and nothing exists twice. The first kill is among the people, when the import
 * of their companies has ended. command begins with "import" and the file. */
static void expect_continued(const char *const command[], int each, int kills)
{
	const char *noted, *note = arena_printf(t.arena, "%s.kith", strrchr(command[1], '/') + 1);
	int64_t until_us = patience_ms(60000);
	pid_t pid = transferred_start(&t, command);

	while (!(noted = transferred_read(&t, note)) || !strstr(noted, "\"kind\":\"people\""))
		assert_true(patience_pause(until_us));
	kill(pid, SIGKILL);
	transferred_end(&t, pid);
	for (int i = 0; i < kills; i++)
		transferred_killed(&t, 700, command);
	transferred_run(&t, command);
	expect_counts(0, each, each);
	expect_there((size_t)each, (size_t)each);
	TRANSFERRED(&t, "import", "--undo", command[1]);
	transferred_expect(&t, 0, "\"left\":0,", "");
	expect_there(0, 0);
}

TEST(test_killed)
{
	enum { EACH = 250 };
	struct buf text;
	const char *path;

	buf_init(&text, 1 << 20);
	buf_addz(&text, CAPSULE);
	for (int i = 0; i < EACH; i++)
		buf_printf(&text, "1,Organisation,,,C%d,,,,,,\n2,Person,P%d,Q,C%d,,,,,,\n", i, i, (i + 7) % EACH);
	path = file_of("c.csv", text.data);
	expect_continued((const char *const[]){"import", path, NULL}, EACH, 4);
	/* These people have no address by which they would be found, so an import that has ended would make them again.
	 */
	path = file_of("m.csv", text.data);
	expect_continued((const char *const[]){"import", path, "--match", "emails", NULL}, EACH, 0);
	buf_free(&text);
}

/* A file that cannot be read to its end is refused once, before anything is sent. */
TEST(test_cut)
{
	const char *message;

	TRANSFERRED(&t, "import", file_of("c.csv", arena_printf(t.arena, "%s4,Person,\"Eve", capsule)));
	message = strstr(t.err, "the quotation mark in this line has no closing one");
	assert_int_equal(t.status, 1);
	if (!message || strstr(message + sizeof "the quotation mark", "quotation mark"))
		fail_msg("not refused once: %s", t.err);
	expect_there(0, 0);
}

/* Any file can tell the kinds by --map. A field of one kind fits its records only. */
TEST(test_mapped)
{
	const char *path = file_of(
	    "m.csv", "What,Name,Job Title,Branch,Odd\nFirma,Acme,,Tools,\nPerson,Ann Lee,Cook,,\nperson,Bo,,Toys,\n");

	/* A column that only people have values of stops the companies, too. */
	TRANSFERRED(&t, "import", file_of("o.csv", "What,Name,Quirk\nFirma,Acme,\nPerson,Ann,odd\n"), "--map",
	    file_of("map", "What = recordKind\n"));
	transferred_expect(&t, 1, "", "\nQuirk = -\nEND\n");
	expect_there(0, 0);
	TRANSFERRED(&t, "import", path, "--map", file_of("map", "What = recordKind\nBranch = industry\n"));
	expect_counts(0, 1, 2);
	transferred_expect(&t, 0, "", "left out because kith has no field for it: Branch (1 values)");
	expect_has("companies", "\"industry\":\"Tools\"");
	expect_has("people", "\"jobTitle\":\"Cook\"");
	/* Where nothing tells of companies, such a line is a mistake. */
	TRANSFERRED(
	    &t, "import", file_of("n.csv", "Name,Branch\nAnn,Toys\n"), "--map", file_of("map", "Branch = industry\n"));
	transferred_expect(&t, 1, "", "--map: the field \"industry\" does not exist");
}

/* stdin is read for each kind. */
TEST(test_stdin)
{
	char program[PATH_MAX], **environment;
	struct buf text;

	assert_non_null(realpath(rig.program->path, program));
	buf_init(&text, 1 << 16);
	buf_printf(&text, "%s import - --url %s <%s >%s 2>%s", program, t.url, file_of("c.csv", capsule),
	    transferred_path(&t, "stdout"), transferred_path(&t, "stderr"));
	environment = child_environment("KITH_", (char *const[]){arena_printf(t.arena, "KITH_KEY=%s", t.key), NULL});
	assert_int_equal(
	    child_wait(child_start(&(struct child){.argv = (const char *const[]){"sh", "-c", text.data, NULL},
	        .directory = t.dir,
	        .environment = environment})),
	    0);
	free(environment);
	t.status = 0;
	t.out = transferred_read(&t, "stdout");
	t.err = transferred_read(&t, "stderr");
	expect_counts(0, 1, 2);
	expect_there(2, 2);
	buf_free(&text);
}
