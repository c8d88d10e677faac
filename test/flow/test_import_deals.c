/* kith import of deals and their like: the files of other programs go in at the first try, records are found by name,
 * address or old id, and what is lost is counted and named. */
#include <stdio.h>
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
	/* Of two people with one name the old id and the address tell which one is meant. */
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
	static const char file[] =
	    "{\"name\":\"One\",\"people\":[\"Ada\",\"bob@x.example\"],\"companies\":\"Acme\","
	    "\"customFieldValues\":{\"Owner\":\"Olga Owner\"}}\n"
	    "{\"name\":\"Two\",\"people\":[{\"email\":\"bob@x.example\"},{\"fullName\":\"Ada\"}],"
	    "\"customFieldValues\":{\"Owner\":[{\"fullName\":\"Olga Owner\"}]}}\n";

	TRANSFERRED(&t, "import", deals_file("p.csv", "Full name,Email\nAda,\nBob,bob@x.example\n"), SALES);
	transferred_expect(&t, 0, "\"created\":2", "");
	deals_make("/v1/companies", arena_printf(t.arena, "{\"name\":\"Acme\",\"groups\":[{\"id\":\"%s\"}]}", group));
	TRANSFERRED(&t, "import", deals_file("d.ndjson", file), DEALS);
	transferred_expect(&t, 0, "\"created\":2", "");
	transferred_expect(&t, 0, "\"lost\":0", "");
	deals_list();
	for (int i = 0; i < 2; i++) {
		const char *line = deals_line(i ? "\"Two\"" : "\"One\"");
		assert_non_null(strstr(line, "\"Ada\""));
		assert_non_null(strstr(line, "\"Bob\""));
		assert_non_null(strstr(line, "\"Owner\":[{"));
	}
	assert_non_null(strstr(deals_line("\"One\""), "Acme"));
}
