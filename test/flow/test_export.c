/* kith export: out, and in again. */
#include <stdio.h>
#include <string.h>

#include "server/base/json.h"
#include "test/lib/flow.h"
#include "test/lib/server/transferred.h"

static struct transferred t;

RIG("export");

/* Each test has a workspace with groups, fields, companies, people and a deal; every kind of value, and hostile ones.
 */
BEFORE_EACH()
{
	static const char people[] =
	    "{\"firstName\":\"Ada\",\"lastName\":\"Lovelace\",\"description\":\"line 1\\nline 2; with, \\\"all\\\" "
	    "\\\\\",\"birthday\":\"1815-12-10\",\"gender\":\"Female\",\"jobTitle\":\"Analyst\",\"addresses\":[\"12 St "
	    "James's "
	    "Square, London\",\"Paris\"],\"emails\":[\"ada@x.org\",\"a@y.org\"],\"phones\":[\"+44 20 1\",\"020 "
	    "2\"],\"urls\":[\"https://x.org/a;b,c\"],\"companies\":[{\"name\":\"Acme, "
	    "Inc.\"},{\"name\":\"Z\"}],\"groups\":"
	    "[{\"name\":\"First\"}]}\n"
	    "{\"fullName\":\"=cmd()\",\"jobTitle\":\"+A1\",\"description\":\"'quoted\",\"emails\":[\"@b\"],\"phones\":["
	    "\"+1 "
	    "2\"]}\n"
	    "{\"fullName\":\"Zoë Ünal the Third\",\"firstName\":\"Zoë\",\"lastName\":\"Ünal\"}\n"
	    "{\"emails\":[\"nobody@x.org\"]}\n";
	struct test_user user = rig_stranger(&rig, "mover");

	transferred_init(&t, &rig, server->base, user.key);
	TRANSFERRED(&t, "import", transferred_write(&t, "start.ndjson", people, sizeof people - 1), "--make-groups");
	transferred_expect(&t, 0, "\"created\":4", "");
}

AFTER_EACH()
{
	transferred_free(&t);
}

/* The records without what another workspace cannot have the same: ids, times and users. */
static const char *strip_own(const char *ndjson)
{
	static const char *const left_out[] = {"id", "createdAt", "updatedAt", "createdBy", "customFieldValues"};
	struct json_out o;
	struct buf out;
	const char *error;

	buf_init(&out, 16 << 20);
	for (const char *line = ndjson; *line; line = strchr(line, '\n') + 1) {
		struct json *record = json_read(t.arena, line, strcspn(line, "\n"), &error);
		assert_non_null(record);
		json_out_init(&o, &out);
		json_begin_object(&o);
		for (const struct json *m = record->first; m; m = m->next) {
			bool leave = false;
			for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
				leave |= strcmp(m->key, left_out[i]) == 0;
			if (leave)
				continue;
			json_key(&o, m->key);
			if (m->type == JSON_ARRAY && m->first && m->first->type == JSON_OBJECT)
				json_string(&o, json_member(m->first, "name")->text);
			else
				json_value(&o, m);
		}
		json_end_object(&o);
		buf_addc(&out, '\n');
	}
	const char *text = arena_dup(t.arena, out.len ? out.data : "", out.len);
	buf_free(&out);
	return text;
}

static void move_to(const char *name)
{
	t.key = rig_stranger(&rig, name).key;
}

TEST(test_ndjson)
{
	const char *before = transferred_list(&t, "people"),
	           *path = transferred_write(&t, "p.ndjson", before, strlen(before));
	const char *last = strrchr(t.err, '\n');

	/* The last line is only the cursor. */
	while (last > t.err && last[-1] != '\n')
		last--;
	assert_int_equal(
	    strspn(last, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"), strlen(last) - 1);
	move_to("other");
	TRANSFERRED(&t, "import", path, "--make-groups");
	transferred_expect(&t, 0, "\"created\":4", "");
	assert_string_equal(strip_own(transferred_list(&t, "people")), strip_own(before));
	assert_non_null(strstr(transferred_list(&t, "companies"), "\"name\":\"Acme, Inc.\""));
	TRANSFERRED(&t, "export", "events", "--format", "ndjson");
	transferred_expect(&t, 0, "\"type\":\"person.created\"", "events exported");
}

/* Custom fields of a group: values of each type, without which the file cannot be imported elsewhere. */
TEST(test_custom_fields)
{
	static const char *const fields[] = {"{\"name\":\"Size\",\"type\":\"numericField\"}",
	    "{\"name\":\"Since\",\"type\":\"dateField\"}", "{\"name\":\"Text\",\"type\":\"textField\"}",
	    "{\"name\":\"Hues\",\"type\":\"multipleSelect\",\"options\":[{\"label\":\"dark "
	    "red\"},{\"label\":\"blue\"}]}"};
	static const char values[] =
	    "\"Size\":\"41.5\",\"Since\":\"2024-05-01\",\"Text\":\"=1;2\",\"Hues\":[\"dark red\",\"blue\"]";
	const char *people = transferred_list(&t, "people"), *person = arena_dup(t.arena, strstr(people, "per_"), 40);
	const char *group = arena_dup(t.arena, strstr(people, "grp_"), 40), *before;
	struct caller c;

	caller_init(&c, server->base, t.key);
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		caller_good(caller_send(
		    &c, "POST", arena_printf(t.arena, "/v1/groups/%s/custom-fields/person", group), NULL, fields[i]));
	caller_good(caller_sendf(&c, "PATCH", arena_printf(t.arena, "/v1/people/%s", person), NULL,
	    "{\"customFieldValues\":{\"%s\":{%s}}}", group, values));
	caller_free(&c);
	before = transferred_list(&t, "people");
	const char *path = transferred_write(&t, "p.ndjson", before, strlen(before)), *csv;
	TRANSFERRED(&t, "export", "people", "--format", "csv", "--group", "First");
	transferred_expect(&t, 0, ",41.5,2024-05-01,'=1;2,dark red; blue\r\n", "");
	csv = transferred_write(&t, "p.csv", t.out, strlen(t.out));
	move_to("other");
	TRANSFERRED(&t, "import", path, "--make-groups");
	transferred_expect(&t, 1, "", "Size of group First (1 values)");
	TRANSFERRED(&t, "import", path, "--make-groups", "--make-fields");
	transferred_expect(&t, 0, "\"created\":4", "");
	assert_non_null(strstr(transferred_list(&t, "people"), values));
	assert_string_equal(strip_own(t.out), strip_own(before));
	/* CSV into a group that has the fields. */
	TRANSFERRED(&t, "import", csv, "--group", "First");
	transferred_expect(&t, 0, "\"created\":1", "");
	const char *again = transferred_list(&t, "people");
	assert_non_null(strstr(strstr(again, values) + 1, values));
}

/* The group "First" gets a type of objects. */
static const char *make_type(struct caller *c)
{
	const char *group = arena_dup(t.arena, strstr(transferred_list(&t, "people"), "grp_"), 40);

	caller_init(c, server->base, t.key);
	caller_good(caller_send(
	    c, "POST", arena_printf(t.arena, "/v1/groups/%s/object-types", group), NULL, "{\"name\":\"Big Deals\"}"));
	return group;
}

/* Objects refer to people by id; elsewhere to the one of the same name. */
TEST(test_objects)
{
	const char *const objects[] = {"export", "objects", "--group", "First", "--type", "Big Deals", NULL};
	const char *people = transferred_list(&t, "people"), *by_ada = arena_dup(t.arena, strstr(people, "per_"), 40),
	           *group, *path, *deals;
	struct caller c;

	path = transferred_write(&t, "p.ndjson", people, strlen(people));
	group = make_type(&c);
	caller_good(caller_sendf(&c, "POST", arena_printf(t.arena, "/v1/groups/%s/Big%%20Deals", group), NULL,
	    "{\"name\":\"One\",\"people\":[{\"id\":\"%s\"}]}", by_ada));
	caller_free(&c);
	transferred_run(&t, objects);
	transferred_expect(&t, 0, "\"name\":\"One\"", "1 objects exported");
	deals = transferred_write(&t, "d.ndjson", t.out, strlen(t.out));
	move_to("other");
	TRANSFERRED(&t, "import", path, "--make-groups");
	group = make_type(&c);
	caller_free(&c);
	TRANSFERRED(&t, "import", deals, "--group", "First", "--type", "Big Deals");
	transferred_expect(&t, 0, "\"created\":1", "");
	transferred_run(&t, objects);
	transferred_expect(&t, 0, "\"fullName\":\"Ada Lovelace\"", "");
	assert_null(strstr(t.out, by_ada));
	TRANSFERRED(&t, "import", "--undo", deals);
	transferred_expect(&t, 0, "\"deleted\":1", "");
	TRANSFERRED(&t, "import", deals, "--as", "objects", "--group", "First");
	transferred_expect(&t, 1, "", "add --group and --type");
}

TEST(test_csv)
{
	const char *before = transferred_list(&t, "people"), *csv, *path;

	TRANSFERRED(&t, "export", "people", "--format", "csv");
	csv = t.out;
	assert_int_equal(strncmp(csv, "id,firstName,lastName,fullName,description,", 42), 0);
	assert_non_null(strstr(csv, ",'=cmd(),'"));
	assert_non_null(strstr(csv, ",'+A1,"));
	assert_non_null(strstr(csv, ",'@b,"));
	assert_non_null(strstr(csv, ",+1 2,"));
	assert_non_null(strstr(csv, "\r\n"));
	assert_non_null(strstr(csv, "\"line 1\nline 2; with, \"\"all\"\" \\\""));
	path = transferred_write(&t, "p.csv", csv, strlen(csv));
	move_to("other");
	TRANSFERRED(&t, "import", path, "--make-groups");
	transferred_expect(&t, 0, "\"created\":4", "");
	assert_string_equal(strip_own(transferred_list(&t, "people")), strip_own(before));
}

TEST(test_vcard)
{
	const char *path, *people;

	TRANSFERRED(&t, "export", "people", "--format", "vcard");
	assert_non_null(strstr(t.out, "BEGIN:VCARD\r\nVERSION:4.0\r\n"));
	assert_non_null(strstr(t.out, "\r\nORG;PREF=1:Acme\\, Inc.\r\n"));
	assert_non_null(strstr(t.out, "NOTE:line 1\\nline 2; with\\, \"all\" \\\\\r\n"));
	/* ical.js and vobject read this as one URL; of an unescaped comma vobject drops what follows. */
	assert_non_null(strstr(t.out, "\r\nURL:https://x.org/a;b\\,c\r\n"));
	for (const char *line = t.out; *line; line = strchr(line, '\n') + 1)
		assert_true(strcspn(line, "\r") <= 75);
	path = transferred_write(&t, "p.vcf", t.out, strlen(t.out));
	move_to("other");
	TRANSFERRED(&t, "import", path, "--make-groups");
	transferred_expect(&t, 0, "\"created\":4", "");
	people = transferred_list(&t, "people");
	assert_non_null(
	    strstr(people, "\"description\":\"line 1\\nline 2; with, \\\"all\\\" \\\\\",\"birthday\":\"1815-12-10\","
	                   "\"gender\":\"Female\",\"jobTitle\":\"Analyst\""));
	assert_non_null(
	    strstr(people, "\"addresses\":[\"12 St James's Square, London\",\"Paris\"],\"emails\":[\"ada@x.org\","
	                   "\"a@y.org\"],\"phones\":[\"+44 20 1\",\"020 2\"],\"urls\":[\"https://x.org/a;b,c\"]"));
	assert_non_null(strstr(people, "\"fullName\":\"Zoë Ünal the Third\""));
	TRANSFERRED(&t, "export", "companies", "--format", "vcard");
	transferred_expect(&t, 0, "KIND:org\r\n", "");
	TRANSFERRED(&t, "export", "tasks", "--format", "vcard");
	transferred_expect(&t, 2, "", "works only for people and companies");
}

TEST(test_chosen)
{
	TRANSFERRED(&t, "export", "people", "--filter", "filter[fullName][like]=Zoë Ü");
	transferred_expect(&t, 0, "\"lastName\":\"Ünal\"", "1 people exported");
	TRANSFERRED(&t, "export", "people", "--group", "First", "--format", "csv");
	transferred_expect(&t, 0, "Lovelace", "1 people exported");
	TRANSFERRED(&t, "export", "people", "--filter", "filter[shoes][eq]=1");
	transferred_expect(&t, 1, "", "422 Invalid query parameters");
	TRANSFERRED(&t, "export", "people", "--group", "None");
	transferred_expect(&t, 1, "", "the group does not exist");
	TRANSFERRED(&t, "export", "deals");
	transferred_expect(&t, 2, "", "must be one of people, companies");
}

/* A cut export goes on; together it is the whole. */
TEST(test_continue)
{
	static const char unbegun[] = "{\"export\":0,\"records\":0,\"list\":\"csv "
	                              "/v1/people?limit=100\",\"next\":\"/v1/people?limit=100\",\"cursor\":\"\"}\n";
	const char *path = transferred_path(&t, "whole.csv"), *start, *state_file;
	const char *const again[] = {"export", "people", "--format", "csv", "-o", path, "--continue", NULL};
	struct buf text;
	int cut = 0;

	buf_init(&text, 16 << 20);
	for (int i = 0; i < 3000; i++)
		buf_printf(&text, "{\"fullName\":\"Person %d\"}\n", i);
	start = transferred_write(&t, "many.ndjson", text.data, text.len);
	buf_free(&text);
	TRANSFERRED(&t, "import", start);
	transferred_expect(&t, 0, "\"created\":3000", "");
	TRANSFERRED(&t, "export", "people", "--format", "csv");
	const char *whole = t.out;
	for (int i = 0; i < 12; i++) {
		cut += transferred_killed(&t, 400, again);
		/* What follows the last whole page is written again. */
		state_file = transferred_read(&t, "whole.csv.kith");
		FILE *f = state_file ? fopen(path, "a") : NULL;
		if (f) {
			fputs("half a li", f);
			fclose(f);
		}
	}
	assert_true(cut > 0);
	transferred_run(&t, again);
	assert_int_equal(t.status, 0);
	assert_string_equal(transferred_read(&t, "whole.csv"), whole);
	transferred_run(&t, again);
	transferred_expect(&t, 0, "", "is complete already");
	assert_string_equal(transferred_read(&t, "whole.csv"), whole);
	/* Killed before its first page was written. */
	transferred_write(&t, "whole.csv.kith", unbegun, sizeof unbegun - 1);
	transferred_write(&t, "whole.csv", "", 0);
	transferred_run(&t, again);
	assert_string_equal(transferred_read(&t, "whole.csv"), whole);
}
