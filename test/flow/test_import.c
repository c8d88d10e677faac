/* kith import: what other programs write, exactly once, and back again. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "test/lib/flow.h"
#include "test/lib/patience.h"
#include "test/lib/server/transferred.h"

static struct transferred t;
static struct test_user mover;

RIG("import");

/* Each test has its own files, and begins with an empty workspace. */
BEFORE_EACH()
{
	mover = rig_stranger(&rig, "mover");
	transferred_init(&t, &rig, server->base, mover.key);
}

AFTER_EACH()
{
	transferred_free(&t);
}

/* A file of people with an e-mail address each. */
static const char *people_file(const char *name, int from, int n)
{
	struct buf text;
	const char *path;

	buf_init(&text, 64 << 20);
	buf_addz(&text, "First Name,Last Name,E-mail 1 - Value,Organization Name,Birthday\n");
	for (int i = from; i < from + n; i++)
		buf_printf(&text, "P%d,Person,p%d@people.example,Company %d,1990-01-%02d\n", i, i, i % 7, i % 28 + 1);
	path = transferred_write(&t, name, text.data, text.len);
	buf_free(&text);
	return path;
}

/* --- what other programs write ---------------------------------------------------------------- */

TEST(test_samples)
{
	static const struct {
		const char *file, *encoding, *says, *has[6];
	} samples[] = {
	    {"google_contacts.csv", "", "\"created\":3",
	        {"\"emails\":[\"ada@engines.example\",\"countess@home.example\",\"ada@home.example\"]",
	            "\"addresses\":[\"12 St James's Square, London SW1Y 4LB, United Kingdom\"]",
	            "\"description\":\"Met at the fair.\\r\\nLikes numbers.\"",
	            "\"fullName\":\"Dr. Grace Brewster Hopper\"", "Hof 2, Hauptstraße 1, Berlin, 10115, Deutschland",
	            "\"name\":\"Customers\""}},
	    {"google_contacts_2020.csv", "", "\"created\":1",
	        {"\"fullName\":\"Alan Turing\"", "\"birthday\":\"1912-06-23\"", "\"name\":\"Bletchley Park\"",
	            "\"jobTitle\":\"Cryptanalyst\"", "\"name\":\"Friends\""}},
	    {"outlook.csv", "windows-1252", "\"created\":2",
	        {"\"fullName\":\"Dr. Jürgen Müller\"", "\"jobTitle\":\"Leiter\"", "\"birthday\":\"1975-12-31\"",
	            "\"addresses\":[\"Werkstraße 5, München, Bayern, 80331, Deutschland\",\"Am See 7, Starnberg, "
	            "82319, "
	            "Deutschland\"]",
	            "\"gender\":\"Male\"", "\"name\":\"Kunden\""}},
	    {"apple.vcf", "", "{\"kind\":\"people\",\"records\":1,\"created\":1",
	        {"\"fullName\":\"Prof. Marie Salomea Curie\"",
	            "\"emails\":[\"marie@radium.example\",\"marie@home.example\"]",
	            "\"phones\":[\"+33 1 44 27 67 01\",\"+33 1 44 27 67 02\"]",
	            "physique, chimie.\\nUne note assez longue pour être pliée sur", "\"name\":\"Institut du Radium\"",
	            "\"addresses\":[\"1 rue Pierre et Marie Curie, Paris, 75005, France\"]"}},
	    {"android.vcf", "", "\"created\":1",
	        {"\"lastName\":\"Gödel\"", "\"description\":\"incomplete\\nbut consistent\"",
	            "\"addresses\":[\"Josefstädter Str. 43, Wien, 1080, Österreich\"]",
	            "\"name\":\"Universität Wien\""}},
	    {"hubspot.csv", "", "\"created\":2",
	        {"\"emails\":[\"kj@langley.example\",\"katherine@home.example\",\"k.johnson@nasa.example\"]",
	            "\"name\":\"Langley Research\"",
	            "\"addresses\":[\"1 Orbit Way, Hampton, VA, 23666, United States\"]"}},
	    {"attio.csv", "", "\"created\":1",
	        {"\"phones\":[\"+43 1 111\",\"+1 310 555\"]", "\"addresses\":[\"Vienna, Austria\"]",
	            "\"urls\":[\"https://linkedin.example/in/hedy\",\"https://twitter.example/hedy\"]"}},
	    {"pipedrive.csv", "", "\"created\":1",
	        {"\"emails\":[\"mary@tunnel.example\",\"mj@home.example\"]", "\"name\":\"Hot lead\"",
	            "\"name\":\"Customer\"", "\"name\":\"Wind Tunnel Ltd\""}},
	};

	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		const char *path = transferred_sample(&t, samples[i].file);
		TRANSFERRED(&t, "import", path, "--make-groups", "--encoding",
		    *samples[i].encoding ? samples[i].encoding : "UTF-8");
		transferred_expect(&t, 0, samples[i].says, "");
		const char *people = transferred_list(&t, "people");
		for (size_t k = 0; k < 6 && samples[i].has[k]; k++)
			if (!strstr(people, samples[i].has[k]))
				fail_msg("%s: no %s in\n%s", samples[i].file, samples[i].has[k], people);
	}
	/* Langley Research is one company. */
	assert_int_equal(transferred_lines(transferred_list(&t, "companies")), 11);
}

/* --- columns --------------------------------------------------------------------------------------- */

TEST(test_left_over)
{
	static const char file[] =
	    "First Name,Shoe size,Starts,emial,Empty\nAda,38,2024-05-01,a@x.org,\nBen,41.5,,b@x.org,\n";
	static const char map[] =
	    "# what it means\nShoe size = customFieldValues.Shoe size\nStarts = -\nemial = emails\n";
	const char *path = transferred_write(&t, "a.csv", file, sizeof file - 1), *maps;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "", "Shoe size = -\n");
	transferred_expect(&t, 1, "", "emial = emails\n");
	assert_null(strstr(t.err, "Empty"));
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 0);
	/* Lines of the map that name no field, or a column that the file does not have, are refused. */
	maps = transferred_write(&t, "map", "Shoe size =\n", 12);
	TRANSFERRED(&t, "import", path, "--map", maps);
	transferred_expect(&t, 1, "", "the column \"Shoe size\" has no field");
	maps = transferred_write(&t, "map", "Shoe sise = -\n", 14);
	TRANSFERRED(&t, "import", path, "--map", maps);
	transferred_expect(&t, 1, "", "--map: the file has no column \"Shoe sise\"");
	/* A custom field that there is not. */
	maps = transferred_write(&t, "map", map, sizeof map - 1);
	TRANSFERRED(&t, "import", path, "--map", maps);
	transferred_expect(&t, 1, "", "the field \"customFieldValues.Shoe size\" does not exist");
	TRANSFERRED(&t, "import", path, "--make-fields");
	transferred_expect(&t, 1, "", "--make-fields needs --group");
	TRANSFERRED(&t, "import", path, "--make-fields", "--group", "Runners", "--make-groups");
	transferred_expect(&t, 0, "\"created\":2", "");
	assert_non_null(
	    strstr(transferred_list(&t, "people"), "\"Shoe size\":\"41.5\",\"Starts\":null,\"emial\":\"b@x.org\""));
	/* Now the field is there. */
	path = transferred_write(&t, "b.csv", file, sizeof file - 1);
	TRANSFERRED(&t, "import", path, "--map", maps, "--group", "Runners");
	transferred_expect(&t, 0, "\"created\":2", "");
	assert_non_null(strstr(transferred_list(&t, "people"), "\"emails\":[\"b@x.org\"]"));
	assert_non_null(strstr(t.out, "\"Shoe size\":\"38\""));
}

/* An id of a company counts; when there is none of that id, the name beside it does. */
TEST(test_company_ids)
{
	struct caller c;
	const char *acme, *gone, *text, *people;

	caller_init(&c, server->base, t.key);
	acme = arena_dup(
	    t.arena, caller_good(caller_send(&c, "POST", "/v1/companies", NULL, "{\"name\":\"New name\"}")).id, 40);
	gone = arena_dup(
	    t.arena, caller_good(caller_send(&c, "POST", "/v1/companies", NULL, "{\"name\":\"Gone\"}")).id, 40);
	caller_good(caller_send(&c, "DELETE", arena_printf(t.arena, "/v1/companies/%s", gone), NULL, NULL));
	caller_free(&c);
	text = arena_printf(t.arena,
	    "{\"fullName\":\"Ada\",\"companies\":[{\"id\":\"%s\",\"name\":\"Old name\"}]}\n"
	    "{\"fullName\":\"Ben\",\"companies\":[{\"id\":\"%s\",\"name\":\"Gone\"}]}\n{\"fullName\":\"Cy\"}\n",
	    acme, gone);
	TRANSFERRED(&t, "import", transferred_write(&t, "a.ndjson", text, strlen(text)));
	transferred_expect(&t, 0, "\"created\":3,\"updated\":0,\"unchanged\":0,\"existing\":0,\"refused\":0", "");
	people = transferred_list(&t, "people");
	assert_int_equal(transferred_lines(people), 3);
	assert_non_null(
	    strstr(people, arena_printf(t.arena, "\"companies\":[{\"id\":\"%s\",\"name\":\"New name\"}]", acme)));
	assert_non_null(strstr(people, "\"name\":\"Gone\"}]"));
	assert_int_equal(transferred_lines(transferred_list(&t, "companies")), 2);
}

/* NDJSON of another program: its members have other names. */
TEST(test_members)
{
	static const char file[] = "{\"fullName\":\"Ada\",\"email\":\"a@x.org\",\"score\":7}\n";
	static const char map[] = "email = emails\nscore = -\n";
	const char *path = transferred_write(&t, "a.ndjson", file, sizeof file - 1), *maps;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "", "\nemail = emails\n");
	transferred_expect(&t, 1, "", "\nscore = ");
	maps = transferred_write(&t, "map", map, sizeof map - 1);
	TRANSFERRED(&t, "import", path, "--map", maps);
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_non_null(strstr(transferred_list(&t, "people"), "\"emails\":[\"a@x.org\"]"));
}

/* --- refused records --------------------------------------------------------------------------------- */

TEST(test_refused)
{
	static const char file[] = "fullName,emails,birthday\nAda,a@x.org,1990-01-01\nBen,b@x.org,31/31/1990\nCy,"
	                           "c@x.org,1990-01-02,surplus\n\"Dan \"\"D\"\"\",d@x.org,1990-01-03\n";
	static const char expected[] =
	    "fullName,emails,birthday,_refused\n"
	    "Ben,b@x.org,31/31/1990,\"line 3, column \"\"birthday\"\", \"\"31/31/1990\"\": is not a date\"\n"
	    "Cy,c@x.org,1990-01-02,line 4: has more values than the header has columns (3)\n";
	static const char mended[] = "fullName,emails,birthday,_refused\nBen,b@x.org,1990-01-31,whatever\n";
	const char *path = transferred_write(&t, "a.csv", file, sizeof file - 1);

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1,
	    "\"records\":4,\"created\":2,\"updated\":0,\"unchanged\":0,\"existing\":0,\"refused\":2",
	    "a.csv.refused.csv");
	assert_string_equal(transferred_read(&t, "a.csv.refused.csv"), expected);
	/* Again: nothing is sent, the file stays. */
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "\"refused\":2", "has been imported already");
	assert_string_equal(transferred_read(&t, "a.csv.refused.csv"), expected);
	path = transferred_write(&t, "m.csv", mended, sizeof mended - 1);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 3);
}

/* The server refuses a whole batch for one record of a wrong shape; the others of it are in. */
TEST(test_refused_by_shape)
{
	static const char file[] =
	    "{\"fullName\":\"Ada\"}\n{\"fullName\":7}\nnonsense\n{\"fullName\":\"Ben\",\"birthday\":"
	    "\"x\"}\n{\"fullName\":\"Cy\",\"groups\":[{\"id\":\"grp_0\"}]}\n[]\n{\"fullName\":\"Dan\"}\n";
	const char *path = transferred_write(&t, "a.ndjson", file, sizeof file - 1), *refused;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "\"records\":7,\"created\":3", "");
	transferred_expect(&t, 1, "\"refused\":4", "");
	refused = transferred_read(&t, "a.ndjson.refused.ndjson");
	assert_int_equal(transferred_lines(refused), 4);
	assert_non_null(strstr(refused, "{\"_refused\":\"line 2, fullName: "));
	assert_non_null(strstr(refused, "\"fullName\":7}\n"));
	assert_non_null(strstr(refused, "line 3: is not JSON"));
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 3);
}

/* --- once ------------------------------------------------------------------------------------------------ */

TEST(test_changed_file)
{
	static const char names[] =
	    "First Name=name\nLast Name=-\nBirthday=-\nOrganization Name=-\nE-mail 1 - Value=emails\n";
	const char *path = people_file("a.csv", 0, 5), *kith, *map;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":5", "");
	people_file("a.csv", 0, 6);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "", "a.csv has changed since its import ended: its SHA-256 was ");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 5);
	/* Nor does it come in twice with other options; as something else it does. */
	people_file("a.csv", 0, 5);
	TRANSFERRED(&t, "import", path, "--make-groups");
	transferred_expect(&t, 1, "", "has been imported already, with other options");
	map = transferred_write(&t, "map", names, sizeof names - 1);
	TRANSFERRED(&t, "import", path, "--as", "companies", "--map", map);
	transferred_expect(&t, 0, "\"created\":5", "");
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":5", "has been imported already; nothing was sent");
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":10", "");
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":5", "");
	/* An import that has not ended continues only with its own file and options. */
	people_file("a.csv", 0, 5);
	kith = transferred_read(&t, "a.csv.kith");
	transferred_write(&t, "a.csv.kith", kith, (size_t)(strstr(kith, "{\"done\"") - kith));
	TRANSFERRED(&t, "import", path, "--make-groups");
	transferred_expect(&t, 1, "", "began with other options");
	people_file("a.csv", 1, 5);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "", "has changed since its import began");
	people_file("a.csv", 0, 5);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":5", "");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 5);
	/* Without FILE.kith the idempotency keys are the same, so nothing is created twice. */
	unlink(transferred_path(&t, "a.csv.kith"));
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":5", "");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 5);
}

/* Whether each of n addresses is there once. */
static void expect_people(int n)
{
	const char *people = transferred_list(&t, "people");

	assert_int_equal(transferred_lines(people), n);
	for (int i = 0; i < n; i++) {
		const char *wanted = arena_printf(t.arena, "\"p%d@people.example\"", i);
		const char *at = strstr(people, wanted);
		if (!at || strstr(at + 1, wanted))
			fail_msg("%s is there %s", wanted, at ? "twice" : "not at all");
	}
}

TEST(test_killed)
{
	enum { PEOPLE = 900, KILLS = 8 };
	const char *path = people_file("a.csv", 0, PEOPLE);
	int killed = 0;

	for (int i = 0; i < KILLS; i++)
		killed += transferred_killed(&t, 800, (const char *const[]){"import", path, NULL});
	assert_true(killed > 0);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0,
	    "\"created\":900,\"updated\":0,\"unchanged\":0,\"existing\":0,\"refused\":0,\"lost\":0,\"complete\":true",
	    "");
	expect_people(PEOPLE);
	assert_int_equal(transferred_lines(transferred_list(&t, "companies")), 7);
}

/* Two imports of a file at once would both send the rest of it. Here the test holds the lock of the other one. */
TEST(test_one_at_a_time)
{
	const char *path = people_file("a.csv", 0, 5);
	int fd = open(transferred_path(&t, "a.csv.kith"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0 && flock(fd, LOCK_EX) == 0);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "", "is in use by another kith import");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 0);
	assert_int_equal(flock(fd, LOCK_UN), 0);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":5", "");
	assert_int_equal(flock(fd, LOCK_EX), 0);
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 1, "", "is in use by another kith import");
	close(fd);
	expect_people(5);
}

TEST(test_stdin)
{
	static const char file[] = "fullName\nAda\n";
	const char *path = transferred_write(&t, "a.csv", file, sizeof file - 1);
	char command[512];

	snprintf(command, sizeof command, "cd %s && \"$0\" import - --url %s --key %s <%s", t.dir, t.url, t.key, path);
	struct program shell = {.path = "/bin/sh", .data_dir = "/tmp"};
	char real[4096];
	assert_non_null(realpath(rig.program->path, real));
	assert_int_equal(command_run(&shell, t.arena, (const char *const[]){"-c", command, real, NULL}, &t.out), 0);
	assert_non_null(strstr(t.out, "\"created\":1"));
	assert_int_equal(command_run(&shell, t.arena, (const char *const[]){"-c", command, real, NULL}, &t.out), 0);
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 1);
}

/* --- pace ---------------------------------------------------------------------------------------------- */

TEST(test_pace)
{
	const char *path = people_file("a.csv", 0, 900);
	const char *const limits[] = {"rate_burst=3/1", "rate_default=1000/60", NULL};
	struct server_process *slow = rig_serve(&rig, false, limits);

	t.url = slow->base;
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":900", "");
	assert_true(transferred_logged(slow, "batch/create", "") >= 9);
	assert_int_equal(transferred_logged(slow, "\"status\":429", ""), 0);
	t.url = server->base;
	expect_people(900);
	assert_true(server_stop(slow));
}

/* What the server refused leaves nothing to undo, and does not keep a later import from working. */
TEST(test_read_only)
{
	const char *path = people_file("a.csv", 0, 500), *key = t.key, *id;
	int64_t until = patience_ms(60000);
	pid_t pid;

	t.key = api_key_create(rig.program, t.arena, mover.id, true, &id);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "\"created\":0", "the server refused the batch that begins in line 2: 403");
	t.key = key;
	TRANSFERRED(&t, "import", path, "--make-groups");
	transferred_expect(&t, 0, "\"created\":500", "");
	t.key = "kith_no";
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 1, "", "the server refused the key");
	t.key = key;
	t.url = "http://127.0.0.1:1";
	pid = transferred_start(&t, (const char *const[]){"import", path, NULL});
	while (!strstr(transferred_read(&t, "stderr"), "; trying again"))
		assert_true(patience_pause(until));
	assert_true(transferred_runs(pid));
	kill(pid, SIGKILL);
	transferred_end(&t, pid);
	t.url = server->base;
}

/* --- undoing ---------------------------------------------------------------------------------------------- */

TEST(test_undo)
{
	static const char other[] = "fullName\nOther\n";
	const char *path = transferred_write(&t, "other.csv", other, sizeof other - 1), *people, *companies, *changed;
	struct caller c;

	TRANSFERRED(&t, "import", path);
	people = transferred_list(&t, "people");
	companies = transferred_list(&t, "companies");
	path = transferred_sample(&t, "google_contacts.csv");
	TRANSFERRED(&t, "import", path, "--make-groups", "--make-fields", "--group", "Moved");
	transferred_expect(&t, 0, "\"created\":3", "");
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":3,\"absent\":0,\"left\":0", "");
	assert_string_equal(transferred_list(&t, "people"), people);
	assert_string_equal(transferred_list(&t, "companies"), companies);
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 1, "", "this import was undone already");
	/* The file can be imported again. A record that somebody then changes stays, and so does its company. */
	TRANSFERRED(&t, "import", path, "--make-groups");
	transferred_expect(&t, 0, "\"created\":3", "");
	changed = strstr(transferred_list(&t, "people"), "Lovelace");
	assert_non_null(changed);
	while (changed[-1] != '\n')
		changed--;
	changed = arena_dup(t.arena, strstr(changed, "per_"), 40);
	caller_init(&c, server->base, t.key);
	caller_good(caller_sendf(
	    &c, "PATCH", arena_printf(t.arena, "/v1/people/%s", changed), NULL, "{\"jobTitle\":\"Countess\"}"));
	caller_free(&c);
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 1, "\"deleted\":2,\"absent\":0,\"left\":1", "has changed since its import and was kept");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 2);
	assert_int_equal(transferred_lines(transferred_list(&t, "companies")), 1);
}
