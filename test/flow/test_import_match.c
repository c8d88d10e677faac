/* kith import beside what is there: dry runs, updates of what matches, dates and authors, notes. */
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"
#include "test/lib/server/transferred.h"

static struct transferred t;
static struct test_workspace workspace;
static struct test_user admin, member;

RIG("match");

BEFORE_EACH()
{
	workspace = workspace_create(rig.program, &rig.arena, "moved");
	admin = user_create(rig.program, &rig.arena, &workspace, "ann", "Ann Admin", "ann@example.org", "admin");
	member = user_create(rig.program, &rig.arena, &workspace, "mel", "Mel Member", "mel@example.org", "member");
	transferred_init(&t, &rig, server->base, admin.key);
}

AFTER_EACH()
{
	transferred_free(&t);
}

/* How many such requests of this test's workspace the server has logged. */
static size_t count_requests(const char *method, const char *route)
{
	const char *wanted = arena_printf(t.arena, "\"method\":\"%s\",\"route\":\"%s\"", method, route);

	return transferred_logged(server, wanted, workspace.id);
}

/* People with an e-mail address each; some of them with another title. */
static const char *people_file(const char *name, int n, int changed)
{
	struct buf text;
	const char *path;

	buf_init(&text, 64 << 20);
	buf_addz(&text, "First Name,Last Name,E-mail 1 - Value,Organization Name,Organization Title,Labels\n");
	for (int i = 0; i < n; i++)
		buf_printf(&text, "P%d,Person,p%d@people.example,Company %d,%s,Moved ::: * myContacts\n", i, i, i % 7,
		    i < changed ? "Other" : "Title");
	path = transferred_write(&t, name, text.data, text.len);
	buf_free(&text);
	return path;
}

/* An interrupted --undo that runs again skips the records that are already deleted by whole batches. */
static void undo_again(const char *path, int gone)
{
	const char *progress = transferred_read(&t, "a.csv.kith"), *end = strstr(progress, "{\"undone\"");
	int before = count_requests("GET", "/v1/people/{personId}");

	assert_non_null(end);
	transferred_write(&t, "a.csv.kith", progress, (size_t)(end - progress));
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, arena_printf(t.arena, "\"deleted\":0,\"absent\":%d,\"left\":0", gone), "");
	assert_true(count_requests("GET", "/v1/people/{personId}") - before < 15);
}

/* Labels of Google may have commas. A message says that people without an e-mail address will be created again. */
TEST(test_unmatched)
{
	static const char file[] = "First Name,E-mail 1 - Value,Labels\n"
	                           "Ada,a@people.example,\"Friends, old ::: Kin ::: * myContacts\"\n"
	                           "Ben,,\"Kin, Press\"\n";
	const char *path = transferred_write(&t, "a.csv", file, sizeof file - 1);

	TRANSFERRED(&t, "import", path, "--make-groups");
	transferred_expect(&t, 0, "\"created\":2", "");
	assert_null(strstr(t.err, "to match by"));
	assert_non_null(strstr(transferred_list(&t, "people"), "\"name\":\"Friends, old\""));
	assert_non_null(strstr(transferred_list(&t, "people"), "\"name\":\"Press\""));
	TRANSFERRED(&t, "import", path, "--make-groups", "--match", "emails");
	transferred_expect(&t, 0, "\"created\":1,\"updated\":0,\"unchanged\":1",
	    "kith: 1 records have no value to match by; every import creates them again");
}

TEST(test_match)
{
	const char *path = people_file("a.csv", 500, 0), *before, *ambiguous;
	static const char two[] = "{\"fullName\":\"Twin\",\"emails\":[\"P1@people.example\",\"p2@people.example\"]}\n";

	before = transferred_list(&t, "people");
	TRANSFERRED(&t, "import", path, "--make-groups");
	transferred_expect(&t, 0, "\"created\":500", "");
	TRANSFERRED(&t, "import", path, "--match", "emails", "--make-groups");
	transferred_expect(&t, 0, "\"created\":0,\"updated\":0,\"unchanged\":500", "");
	people_file("a.csv", 510, 10);
	TRANSFERRED(&t, "import", path, "--match", "emails", "--make-groups");
	transferred_expect(&t, 0, "\"created\":10,\"updated\":10,\"unchanged\":490", "");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 510);
	ambiguous = transferred_write(&t, "two.ndjson", two, sizeof two - 1);
	TRANSFERRED(&t, "import", ambiguous, "--match", "emails");
	transferred_expect(&t, 1, "\"refused\":1", "");
	assert_non_null(strstr(strstr(transferred_read(&t, "two.ndjson.refused.ndjson"), "per_") + 40, "per_"));
	/* A change by a later import of the same file does not count as a change by somebody else. */
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0, "\"deleted\":510,\"absent\":0,\"left\":0", "");
	assert_string_equal(transferred_list(&t, "people"), before);
	/* The records of a batch are deleted together, except those that have another tag. */
	assert_true(count_requests("GET", "/v1/people/{personId}") < 30);
	assert_true(count_requests("DELETE", "/v1/people/{personId}") < 30);
	undo_again(path, 510);
	assert_int_equal(transferred_lines(transferred_list(&t, "companies")), 0);
}

/* Two lines about one person are applied in their order, also when they are in different batches: only one is under
 * way. */
TEST(test_order)
{
	enum { PEOPLE = 150, TURNS = 20 };
	static const char waiting[] = "select count(*) from pg_stat_activity where datname = current_database() and "
	                              "wait_event_type = 'Lock'";
	int64_t until = patience_ms(60000);
	struct caller c;
	struct buf text;
	const char *path;
	pid_t holder, pid;

	path = people_file("a.csv", 1, 0);
	TRANSFERRED(&t, "import", path);
	buf_init(&text, 1 << 20);
	buf_addz(&text, "First Name,E-mail 1 - Value,Organization Title\n");
	for (int i = 0; i < PEOPLE; i++)
		buf_printf(&text, "P%d,p%d@people.example,Title %d\n", i % (PEOPLE - 1), i % (PEOPLE - 1), i);
	path = transferred_write(&t, "b.csv", text.data, text.len);
	buf_free(&text);
	holder = rig_hold(&rig, "people");
	pid = transferred_start(&t, (const char *const[]){"import", path, "--match", "emails", NULL});
	while (rig_int(&rig, waiting) == 0)
		assert_true(patience_pause(until));
	caller_init(&c, server->base, t.key);
	for (int i = 0; i < TURNS; i++)
		caller_good(caller_send(&c, "GET", "/v1/groups", NULL, NULL));
	caller_free(&c);
	assert_int_equal(rig_int(&rig, waiting), 1);
	rig_release(&rig, holder);
	transferred_end(&t, pid);
	transferred_expect(&t, 0, "\"records\":150,\"created\":148,\"updated\":2", "");
	assert_non_null(strstr(transferred_list(&t, "people"), "\"Title 149\""));
	assert_null(strstr(t.out, "\"Title 0\""));
}

TEST(test_dry_run)
{
	static const char more[] =
	    "{\"fullName\":\"New\"}\n{\"fullName\":\"Old\",\"emails\":[\"P3@people.example\"]}\n{\"fullName\":3}\n";
	const char *path = people_file("a.csv", 250, 0);

	TRANSFERRED(&t, "import", path, "--dry-run", "--make-groups");
	transferred_expect(&t, 0,
	    "\"created\":250,\"updated\":0,\"unchanged\":0,\"existing\":0,\"refused\":0,\"lost\":0,\"matches\":0,"
	    "\"dryRun\":true",
	    "would create the group \"Moved\"");
	/* It shows the first five records as they would be created. */
	assert_non_null(strstr(t.err, "\"fullName\":\"P4 Person\""));
	assert_null(strstr(t.err, "\"fullName\":\"P5 Person\""));
	assert_null(transferred_read(&t, "a.csv.kith"));
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 0);
	assert_int_equal(transferred_lines(transferred_list(&t, "companies")), 0);
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":250", "");
	path = transferred_write(&t, "more.ndjson", more, sizeof more - 1);
	TRANSFERRED(&t, "import", path, "--dry-run");
	transferred_expect(&t, 1, "\"created\":2", "line 2: ");
	transferred_expect(&t, 1, "\"refused\":1,\"lost\":0,\"matches\":1", "exists already");
	assert_null(transferred_read(&t, "more.ndjson.refused.ndjson"));
	TRANSFERRED(&t, "import", path, "--dry-run", "--match", "emails");
	transferred_expect(&t, 1, "\"created\":1,\"updated\":1", "");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 250);
}

TEST(test_authors)
{
	static const char people[] =
	    "{\"fullName\":\"Ada\",\"createdAt\":\"2020-03-01T10:00:00.000Z\",\"createdBy\":{\"id\":"
	    "\"usr_01a20780-330a-7116-8e00-edf853f59ecc\",\"fullName\":\"Mel\",\"email\":\"mel@example.org\"}}\n"
	    "{\"fullName\":\"Ben\",\"createdBy\":{\"email\":\"nobody@example.org\"}}\n";
	const char *path = transferred_write(&t, "a.ndjson", people, sizeof people - 1), *key = t.key, *out;

	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":2", "1 authors were left out: they are not users of this workspace");
	out = transferred_list(&t, "people");
	/* Older than what is there: it comes first. */
	assert_non_null(strstr(out, "\"createdAt\":\"2020-03-01T10:00:00.000Z\",\"createdBy\":{\"id\":\""));
	assert_non_null(strstr(strstr(out, "\"createdBy\":{"), member.id));
	/* The user who imports did it. createdBy only says whose the record is. */
	assert_rows(1,
	    "events e join people p on p.workspace_id = e.workspace_id and p.id = e.record_id where p.created_by = "
	    "'%s' and e.actor_id = '%s' and e.actor_via = 5",
	    member.id + 4, admin.id + 4);
	path = transferred_write(&t, "b.ndjson", people, sizeof people - 1);
	t.key = member.key;
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":2", "only the key of a workspace admin may set them");
	t.key = key;
	path = transferred_sample(&t, "pipedrive.csv");
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_non_null(strstr(transferred_list(&t, "people"), "\"createdAt\":\"2023-03-01T10:00:00.000Z\""));
	/* An interaction names its author in no other member. */
	out = arena_printf(t.arena,
	    "{\"entity\":{\"id\":\"%s\"},\"title\":\"Lunch\",\"dateTime\":\"2024-05-01T12:00:00.000Z\","
	    "\"activityType\":"
	    "\"lunch\",\"from\":{\"type\":\"user\",\"value\":\"%s\",\"name\":\"Mel Member\"}}\n",
	    arena_dup(t.arena, strstr(out, "per_"), 40), member.id);
	path = transferred_write(&t, "i.ndjson", out, strlen(out));
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_non_null(strstr(transferred_list(&t, "interactions"), member.id));
}

/* Notes, tasks and interactions go out and come in to another workspace, where their contact has another id. */
TEST(test_activities)
{
	static const char *const kinds[] = {"notes", "tasks", "interactions"};
	static const char person[] = "{\"fullName\":\"Ada Lovelace\"}\n";
	const char *files[3], *names[] = {"n.ndjson", "t.ndjson", "i.ndjson"}, *ada_id, *path;
	struct caller c;

	path = transferred_write(&t, "p.ndjson", person, sizeof person - 1);
	TRANSFERRED(&t, "import", path);
	ada_id = arena_dup(t.arena, strstr(transferred_list(&t, "people"), "per_"), 40);
	caller_init(&c, server->base, admin.key);
	caller_good(caller_sendf(&c, "POST", "/v1/notes", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"content\":\"Met her\",\"visibility\":\"public\"}", ada_id));
	caller_good(caller_sendf(&c, "POST", "/v1/tasks", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"title\":\"Call her\",\"dueAt\":\"2024-05-01\"}", ada_id));
	caller_good(caller_sendf(&c, "POST", "/v1/interactions", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"title\":\"Lunch\",\"dateTime\":\"2024-05-01T12:00:00.000Z\","
	    "\"activityType\":\"lunch\"}",
	    ada_id));
	caller_free(&c);
	for (int i = 0; i < 3; i++) {
		const char *text = transferred_list(&t, kinds[i]);
		assert_int_equal(transferred_lines(text), 1);
		files[i] = transferred_write(&t, names[i], text, strlen(text));
	}
	t.key = rig_stranger(&rig, "elsewhere").key;
	TRANSFERRED(&t, "import", files[0]);
	transferred_expect(&t, 1, "\"refused\":1", "");
	TRANSFERRED(&t, "import", "--undo", files[0]);
	TRANSFERRED(&t, "import", path);
	for (int i = 0; i < 3; i++) {
		TRANSFERRED(&t, "import", files[i]);
		transferred_expect(&t, 0, "\"created\":1", "");
		assert_non_null(strstr(transferred_list(&t, kinds[i]), "\"fullName\":\"Ada Lovelace\""));
		assert_null(strstr(t.out, ada_id));
	}
	TRANSFERRED(&t, "import", "--undo", files[0]);
	transferred_expect(&t, 0, "\"deleted\":1", "");
	assert_int_equal(transferred_lines(transferred_list(&t, "notes")), 0);
}

/* Notes have no batch delete; those that were made together have one tag, and only the first and a changed one are
 * read.
 */
TEST(test_undo_notes)
{
	const char *ada_id, *path, *text = "", *notes;
	size_t read = count_requests("GET", "/v1/notes/{noteId}"),
	       deleted = count_requests("DELETE", "/v1/notes/{noteId}");
	struct caller c;

	caller_init(&c, server->base, admin.key);
	ada_id = arena_printf(t.arena, "%.40s", caller_good(caller_send(&c, "POST", "/v1/people", NULL, "{}")).id);
	for (int i = 0; i < 6; i++)
		text = arena_printf(t.arena,
		    "%s{\"entity\":{\"id\":\"%s\"},\"content\":\"%d\",\"visibility\":\"public\"}\n", text, ada_id, i);
	path = transferred_write(&t, "n.ndjson", text, strlen(text));
	TRANSFERRED(&t, "import", path);
	transferred_expect(&t, 0, "\"created\":6", "");
	notes = strstr(transferred_list(&t, "notes"), "\"content\":\"3\"");
	while (strncmp(notes, "nte_", 4) != 0)
		notes--;
	caller_good(
	    caller_send(&c, "PATCH", arena_printf(t.arena, "/v1/notes/%.40s", notes), NULL, "{\"content\":\"mine\"}"));
	caller_free(&c);
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 1, "\"deleted\":5,\"absent\":0,\"left\":1", "has changed since its import and was kept");
	assert_int_equal(transferred_lines(transferred_list(&t, "notes")), 1);
	assert_non_null(strstr(t.out, "\"content\":\"mine\""));
	assert_int_equal(count_requests("GET", "/v1/notes/{noteId}") - read, 2);
	assert_int_equal(count_requests("DELETE", "/v1/notes/{noteId}") - deleted, 6);
}
