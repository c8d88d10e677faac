/* kith import of deals and their like: the files of other programs go in at the first try, records are found by name,
 * address or id in the other program, and what is lost is counted and named. */
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/server/transferred.h"

#define SALES "--group", "Sales"
#define DEALS "--as", "objects", "--group", "Sales", "--type", "Deal"

static struct transferred t;
static struct caller caller;
static const char *group;

RIG("deals");

static const char *deals_make(const char *target, const char *body)
{
	return arena_printf(t.arena, "%.40s", caller_good(caller_send(&caller, "POST", target, NULL, body)).id);
}

static void deals_field(const char *of, const char *body)
{
	caller_good(caller_send(
	    &caller, "POST", arena_printf(t.arena, "/v1/groups/%s/custom-fields/%s", group, of), NULL, body));
}

/* A group with deals, and a user "Olga Owner" who runs the imports. */
BEFORE_EACH()
{
	transferred_init(&t, &rig, server->base, rig_stranger(&rig, "Olga Owner").key);
	caller_init(&caller, server->base, t.key);
	group = deals_make("/v1/groups", "{\"name\":\"Sales\",\"visibility\":\"public\"}");
	caller_good(caller_send(
	    &caller, "POST", arena_printf(t.arena, "/v1/groups/%s/object-types", group), NULL, "{\"name\":\"Deal\"}"));
	deals_field("Deal", "{\"name\":\"Stage\",\"type\":\"singleSelect\",\"options\":[]}");
	deals_field("Deal", "{\"name\":\"Value\",\"type\":\"numericField\"}");
	deals_field("Deal", "{\"name\":\"Close date\",\"type\":\"dateField\"}");
	deals_field("Deal", "{\"name\":\"Owner\",\"type\":\"userField\"}");
}

AFTER_EACH()
{
	caller_free(&caller);
	transferred_free(&t);
}

static void deals_said(const char *text)
{
	if (!strstr(t.err, text))
		fail_msg("no \"%s\" in\n%s", text, t.err);
}

static void deals_has(const char *text)
{
	if (!strstr(t.out, text))
		fail_msg("no %s in\n%s", text, t.out);
}

static const char *deals_file(const char *name, const char *text)
{
	return transferred_write(&t, name, text, strlen(text));
}

static void deals_list(void)
{
	TRANSFERRED(&t, "export", "objects", "--group", "Sales", "--type", "Deal");
}

/* The line of a record. */
static const char *deals_line(const char *name)
{
	const char *at = strstr(t.out, name);

	if (!at)
		fail_msg("no %s in\n%s", name, t.out);
	while (at > t.out && at[-1] != '\n')
		at--;
	return arena_printf(t.arena, "%.*s", (int)strcspn(at, "\n"), at);
}

/* --- files of other programs ---------------------------------------------------------------------- */

TEST(test_hubspot)
{
	TRANSFERRED(&t, "import", transferred_sample(&t, "hubspot_companies.csv"), "--as", "companies", SALES,
	    "--keep-ids", "HubSpot");
	transferred_expect(&t, 0, "\"created\":2", "");
	TRANSFERRED(&t, "import", transferred_sample(&t, "hubspot_contacts.csv"), SALES, "--keep-ids", "HubSpot");
	transferred_expect(&t, 0, "\"created\":3", "kith has no field for it: Favourite colour (1 values)");
	TRANSFERRED(&t, "import", transferred_sample(&t, "hubspot_deals.csv"), DEALS, "--keep-ids", "HubSpot",
	    "--make-options");
	transferred_expect(&t, 0, "\"created\":3,\"updated\":0,\"unchanged\":0,\"existing\":0,\"refused\":0,\"lost\":2",
	    "kith has no field for it: Pipeline (3 values)");
	deals_said("left out: line 3, column \"Deal owner\", \"Nobody Known\": there is no user");
	deals_said(
	    "left out: line 4, column \"Associated Contact\", \"Charles Babbage (cb@engines.example)\": there is no");
	deals_list();
	deals_has("\"HubSpot\":\"9001\"");
	deals_has("\"Stage\":\"Closed Won\"");
	deals_has("\"Value\":\"12500\"");
	deals_has("\"Close date\":\"2024-06-30\"");
	assert_non_null(strstr(deals_line("Analytical engine"), "\"name\":\"Engines Ltd\""));
	assert_non_null(strstr(deals_line("Analytical engine"), "\"Owner\":[{"));
	/* Of two people with one name the other id and the address tell which one is meant. */
	assert_non_null(strstr(deals_line("\"Compiler\""), "Grace Hopper"));
	assert_non_null(strstr(deals_line("\"Compiler\""), "Ada Lovelace"));
	TRANSFERRED(&t, "import", transferred_sample(&t, "hubspot_notes.csv"), "--as", "notes", "--group", "Sales",
	    "--type", "Deal", "--keep-ids", "HubSpot");
	transferred_expect(&t, 0, "\"created\":2", "");
	transferred_list(&t, "notes");
	deals_has("\"fullName\":\"Analytical engine\"");
	deals_has("\"fullName\":\"Navy\"");
}

TEST(test_pipedrive)
{
	TRANSFERRED(&t, "import", transferred_sample(&t, "pipedrive_organizations.csv"), "--as", "companies", SALES);
	transferred_expect(&t, 0, "\"created\":1", "kith has no field for it: Organization - Score (1 values)");
	TRANSFERRED(&t, "import", transferred_sample(&t, "pipedrive.csv"), SALES);
	transferred_expect(&t, 0, "\"created\":1", "");
	TRANSFERRED(&t, "import", transferred_sample(&t, "pipedrive_deals.csv"), DEALS, "--make-options");
	transferred_expect(&t, 0, "\"created\":2", "2 references were left out");
	deals_said("line 3, column \"Deal - Organization\", \"Nowhere Inc\": there is no company");
	deals_said("line 3, column \"Deal - Contact person\", \"Nobody At All\": there is no person");
	deals_list();
	assert_non_null(strstr(deals_line("Second test"), "Mary Jackson"));
	TRANSFERRED(&t, "import", transferred_sample(&t, "pipedrive_activities.csv"), "--as", "tasks", "--group",
	    "Sales", "--type", "Deal");
	transferred_expect(&t, 0, "\"created\":2", "kith has no field for it: Activity - Type (2 values)");
	transferred_list(&t, "tasks");
	deals_has("\"dueTime\":\"10:30\"");
	deals_has("\"completedAt\":\"2024-07-15T00:00:00.000Z\"");
	deals_has("\"fullName\":\"Tunnel test\"");
}

/* A task without a day: one that is done was due when it was done or made, another is due on the day of the import. */
TEST(test_no_due_date)
{
	const char *path = deals_file("a.csv",
	    "Activity - Subject,Activity - Due date,Activity - Done,Activity - Marked as done time,Activity - Add "
	    "time,Activity - Organization\n"
	    "Given,2024-08-02,To do,,2024-07-01 09:00:00,Acme\n"
	    "Done,,Done,2024-07-15 10:00:00,2024-07-01 09:00:00,Acme\n"
	    "Made,,Done,,2024-07-01 09:00:00,Acme\n"
	    "Empty,0.0.00,Done,0.0.00,2024-07-01 09:00:00,Acme\n"
	    "Open,,To do,,2024-07-01 09:00:00,Acme\n");
	const char *today;

	deals_make("/v1/companies", "{\"name\":\"Acme\"}");
	TRANSFERRED(&t, "import", path, "--as", "tasks");
	transferred_expect(&t, 0, "\"created\":5", "4 tasks have no due date: ");
	today = arena_printf(t.arena, "%.10s", strstr(t.err, "the others ") + strlen("the others "));
	transferred_list(&t, "tasks");
	assert_non_null(strstr(deals_line("\"Given\""), "\"dueAt\":\"2024-08-02\""));
	assert_non_null(strstr(deals_line("\"Done\""), "\"dueAt\":\"2024-07-15\""));
	assert_non_null(strstr(deals_line("\"Done\""), "\"completedAt\":\"2024-07-15T10:00:00.000Z\""));
	assert_non_null(strstr(deals_line("\"Made\""), "\"dueAt\":\"2024-07-01\""));
	assert_non_null(strstr(deals_line("\"Made\""), "\"completedAt\":\"2024-07-01T00:00:00.000Z\""));
	assert_non_null(strstr(deals_line("\"Empty\""), "\"dueAt\":\"2024-07-01\""));
	assert_non_null(strstr(deals_line("\"Empty\""), "\"completedAt\":\"2024-07-01T00:00:00.000Z\""));
	assert_non_null(strstr(deals_line("\"Open\""), arena_printf(t.arena, "\"dueAt\":\"%s\"", today)));
	assert_non_null(strstr(deals_line("\"Open\""), "\"completedAt\":null"));
}

TEST(test_attio_and_folk)
{
	TRANSFERRED(&t, "import", transferred_sample(&t, "folk_people.csv"), SALES);
	transferred_expect(&t, 0, "\"created\":2", "Last interaction (1 values)");
	TRANSFERRED(
	    &t, "import", transferred_sample(&t, "attio_deals.csv"), DEALS, "--make-options", "--group-contacts");
	transferred_expect(&t, 0, "\"created\":1", "1 contacts were added to the group");
	transferred_expect(&t, 0, "\"lost\":0", "");
	deals_list();
	deals_has("Hedy Lamarr");
	deals_has("George Antheil");
	deals_has("Frequency Hop");
	deals_has("\"Value\":\"5000\"");
	TRANSFERRED(&t, "import", transferred_sample(&t, "folk_deals.csv"), DEALS, "--make-options");
	transferred_expect(&t, 0, "\"created\":1", "");
	transferred_expect(&t, 0, "\"lost\":0", "");
}

TEST(test_languages)
{
	static const struct {
		const char *file, *has[5];
	} samples[] = {
	    {"german_people.csv", {"\"emails\":[\"jm@werk.example\"]", "\"birthday\":\"1975-12-31\"",
	                              "\"addresses\":[\"Werkstraße 5, München, 80331, Deutschland\"]",
	                              "\"jobTitle\":\"Leiter\"", "\"description\":\"Stammkunde\""}},
	    {"french_people.csv", {"\"firstName\":\"Marie\"", "\"lastName\":\"Curie\"", "\"jobTitle\":\"Directrice\"",
	                              "\"urls\":[\"https://radium.example\"]", "\"name\":\"Institut du Radium\""}},
	    {"spanish_people.csv",
	        {"\"firstName\":\"Severo\"", "\"emails\":[\"so@arn.example\"]", "\"birthday\":\"1905-09-24\"",
	            "\"name\":\"ARN SA\"", "\"description\":\"premio\""}},
	};

	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		TRANSFERRED(&t, "import", transferred_sample(&t, samples[i].file), SALES);
		transferred_expect(&t, 0, "\"created\":1", "");
		transferred_list(&t, "people");
		for (size_t k = 0; k < 5; k++)
			deals_has(samples[i].has[k]);
	}
	TRANSFERRED(
	    &t, "import", transferred_sample(&t, "german_deals.csv"), DEALS, "--make-options", "--group-contacts");
	transferred_expect(&t, 0, "\"created\":1", "");
	deals_list();
	deals_has("\"Value\":\"12500.5\"");
	deals_has("\"Close date\":\"2024-09-30\"");
	deals_has("Werk GmbH");
}

/* --- contacts and options that are made -------------------------------------------------------------- */

TEST(test_make)
{
	const char *path = deals_file("d.csv", "Deal,Contact,Company,Stage\n"
	                                       "One,New Person,New Company,Open\n"
	                                       "Two,new@x.example;Twin,New Company,Won\n"
	                                       "Three,New Person,,Open\n");

	deals_make("/v1/people", "{\"fullName\":\"Twin\"}");
	deals_make("/v1/people", "{\"fullName\":\"Twin\"}");
	TRANSFERRED(&t, "import", path, DEALS, "--make-contacts", "--make-options", "--dry-run");
	transferred_expect(&t, 0, "\"created\":3", "would create the person \"New Person\"");
	deals_said("would create the company \"New Company\"");
	deals_said("would create the option \"Open\" of the field \"Stage\"");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 2);
	TRANSFERRED(&t, "import", path, DEALS, "--make-contacts");
	transferred_expect(&t, 1, "\"refused\":3", "");
	TRANSFERRED(&t, "import", "--undo", path);
	path = deals_file("e.csv", transferred_read(&t, "d.csv"));
	TRANSFERRED(&t, "import", path, DEALS, "--make-contacts", "--make-options");
	/* No record is made for a name that several have. */
	transferred_expect(&t, 0, "\"lost\":1", "several of the people have the name");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 4);
	assert_int_equal(transferred_lines(transferred_list(&t, "companies")), 1);
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":3", "");
	deals_has("\"contacts\":3");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 2);
}

/* Another deal refers to a contact that the import has made. */
TEST(test_undo_in_use)
{
	const char *path = deals_file("d.csv", "Deal,Contact\nOne,Kept Person\nTwo,Other Person\n"), *id;

	TRANSFERRED(&t, "import", path, DEALS, "--make-contacts");
	transferred_expect(&t, 0, "\"created\":2", "");
	id = strstr(strstr(transferred_read(&t, "d.csv.kith"), "\"contact\":"), "per_");
	deals_make(arena_printf(t.arena, "/v1/groups/%s/Deal", group),
	    arena_printf(t.arena, "{\"name\":\"By hand\",\"people\":[{\"id\":\"%.40s\"}]}", id));
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"contacts\":1", "is in use and was kept");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 1);
	deals_list();
	deals_has("\"fullName\":\"Kept Person\"");
}

/* A cell is tried as a whole before it is split. */
TEST(test_cells)
{
	deals_make(
	    "/v1/companies", arena_printf(t.arena, "{\"name\":\"Smith; Sons\",\"groups\":[{\"id\":\"%s\"}]}", group));
	deals_make("/v1/companies", arena_printf(t.arena, "{\"name\":\"Alpha\",\"groups\":[{\"id\":\"%s\"}]}", group));
	deals_make(
	    "/v1/companies", arena_printf(t.arena, "{\"name\":\"Beta, Inc.\",\"groups\":[{\"id\":\"%s\"}]}", group));
	TRANSFERRED(&t, "import",
	    deals_file("d.csv", "Deal,Company\nOne,Smith; Sons\nTwo,\"Alpha; Beta, Inc.\"\nThree,\"Alpha, Gamma\"\n"),
	    DEALS);
	transferred_expect(&t, 0, "\"lost\":1", "line 4, column \"Company\", \"Gamma\"");
	deals_list();
	assert_non_null(strstr(deals_line("\"One\""), "Smith; Sons"));
	assert_non_null(strstr(deals_line("\"Two\""), "Beta, Inc."));
	assert_non_null(strstr(deals_line("\"Three\""), "Alpha"));
}

/* NDJSON names the same in its own form. */
TEST(test_lines)
{
	static const char people[] = "Full name,Email,Record ID\nAda,,101\nBob,bob@x.example,102\n";
	static const char file[] =
	    "{\"name\":\"One\",\"people\":[\"Ada\",\"Robert (Bob) (bob@x.example)\"],\"companies\":\"Acme\","
	    "\"customFieldValues\":{\"Owner\":\"Olga Owner\"}}\n"
	    "{\"name\":\"Two\",\"people\":[{\"email\":\"bob@x.example\"},{\"fullName\":\"Ada\"}],"
	    "\"customFieldValues\":{\"Owner\":[{\"fullName\":\"Olga Owner\"}]}}\n"
	    "{\"name\":\"Three\",\"people\":[\"102\",{\"otherId\":\"101\"}],"
	    "\"customFieldValues\":{\"Owner\":\"Olga Owner\"}}\n";
	static const char *const names[] = {"\"One\"", "\"Two\"", "\"Three\""};

	TRANSFERRED(&t, "import", deals_file("p.csv", people), SALES, "--keep-ids", "Other");
	transferred_expect(&t, 0, "\"created\":2", "");
	deals_make("/v1/companies", arena_printf(t.arena, "{\"name\":\"Acme\",\"groups\":[{\"id\":\"%s\"}]}", group));
	TRANSFERRED(&t, "import", deals_file("d.ndjson", file), DEALS, "--keep-ids", "Other");
	transferred_expect(&t, 0, "\"created\":3", "");
	transferred_expect(&t, 0, "\"lost\":0", "");
	deals_list();
	for (int i = 0; i < 3; i++) {
		const char *line = deals_line(names[i]);
		assert_non_null(strstr(line, "\"Ada\""));
		assert_non_null(strstr(line, "\"Bob\""));
		assert_non_null(strstr(line, "\"Owner\":[{"));
	}
	assert_non_null(strstr(deals_line("\"One\""), "Acme"));
	/* A part of a field, which only columns have. */
	TRANSFERRED(&t, "import", deals_file("e.ndjson", "{\"name\":\"Four\",\"otherId\":\"9\"}\n"), DEALS);
	transferred_expect(&t, 1, "", "columns that kith does not know");
}

/* --- what a dry run would make ------------------------------------------------------------------------ */

TEST(test_dry_runs)
{
	static const char nothing_refused[] = ",\"updated\":0,\"unchanged\":0,\"existing\":0,\"refused\":0";

	TRANSFERRED(&t, "import", deals_file("n.csv", "Note body,Associated Contact\nOne,New Person\nTwo,New Person\n"),
	    "--as", "notes", "--make-contacts", "--dry-run");
	transferred_expect(&t, 0, arena_printf(t.arena, "\"created\":2%s", nothing_refused), "1 contacts would be");
	TRANSFERRED(&t, "import",
	    deals_file("d.ndjson", "{\"name\":\"One\",\"customFieldValues\":{\"Stage\":\"Open\",\"Value\":\"5\"}}\n"),
	    DEALS, "--make-options", "--dry-run");
	transferred_expect(&t, 0, arena_printf(t.arena, "\"created\":1%s", nothing_refused),
	    "would create the option \"Open\" of the field \"Stage\"");
	deals_said("\"Value\":\"5\"");
}

TEST(test_missing_places)
{
	const char *path = deals_file("d.csv", "Deal\nOne\n");

	TRANSFERRED(&t, "import", path, "--as", "objects", "--group", "New", "--type", "Deal", "--make-groups");
	transferred_expect(&t, 1, "", "create the group and its type \"Deal\" first");
	TRANSFERRED(&t, "import", path, "--as", "objects", "--group", "New", "--type", "Deal");
	transferred_expect(&t, 1, "", "the group \"New\" does not exist");
	/* A search that is refused has not found that a record is missing. */
	TRANSFERRED(&t, "import", deals_file("n.csv", "Note body,Associated Deal\nOne,Any\n"), "--as", "notes",
	    "--group", "Sales", "--type", "Nothing");
	transferred_expect(&t, 1, "\"complete\":false", "refused to search for the objects");
}

/* --- several batches, and kills ------------------------------------------------------------------------- */

/* Contacts are read and changed between batches. */
TEST(test_grouped)
{
	struct buf text;
	const char *id = NULL;

	buf_init(&text, 1 << 20);
	for (int i = 0; i < 500; i++) {
		if (i % 50 == 0)
			id = deals_make("/v1/people", arena_printf(t.arena, "{\"fullName\":\"P %d\"}", i));
		buf_printf(&text, "{\"name\":\"D %d\",\"people\":[{\"id\":\"%s\"}]}\n", i, id);
	}
	TRANSFERRED(&t, "import", transferred_write(&t, "d.ndjson", text.data, text.len), DEALS, "--group-contacts");
	buf_free(&text);
	transferred_expect(&t, 0, "\"created\":500", "10 contacts were added to the group");
	transferred_expect(&t, 0, "\"lost\":0", "");
	deals_list();
	assert_int_equal(transferred_lines(t.out), 500);
}

TEST(test_kills)
{
	const char *path;
	struct buf text;
	int kills = 0;

	buf_init(&text, 1 << 20);
	buf_addz(&text, "Deal,Contact,Company\n");
	for (int i = 0; i < 300; i++)
		buf_printf(&text, "D %d,P %d (p%d@x.example),C %d\n", i, i / 3, i / 3, i / 5);
	path = transferred_write(&t, "d.csv", text.data, text.len);
	buf_free(&text);
	const char *const args[] = {"import", path, DEALS, "--make-contacts", NULL};
	for (int i = 0; i < 10; i++)
		kills += transferred_killed(&t, 400, args);
	assert_true(kills > 0);
	transferred_run(&t, args);
	transferred_expect(&t, 0, "\"created\":300", "");
	transferred_expect(&t, 0, "\"lost\":0", "");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 100);
	assert_int_equal(transferred_lines(transferred_list(&t, "companies")), 60);
	deals_list();
	assert_int_equal(transferred_lines(t.out), 300);
}

/* The import was killed after it had sent a batch, and since then a contact exists that it did not find. */
TEST(test_answers_change)
{
	const char *path = deals_file("d.csv", "Deal,Contact\nOne,Late Person\nTwo,\n"), *progress, *end;

	TRANSFERRED(&t, "import", path, DEALS);
	transferred_expect(&t, 0, "\"lost\":1", "");
	progress = transferred_read(&t, "d.csv.kith");
	end = strstr(progress, "{\"batch\":");
	assert_non_null(end);
	transferred_write(&t, "d.csv.kith", progress, (size_t)(end - progress));
	deals_make("/v1/people", "{\"fullName\":\"Late Person\"}");
	TRANSFERRED(&t, "import", path, DEALS);
	transferred_expect(
	    &t, 0, "\"created\":2", "the records of lines 2 to 3 before, but what they refer to has changed");
	transferred_expect(&t, 0, "\"complete\":true", "");
	deals_list();
	assert_int_equal(transferred_lines(t.out), 2);
}
