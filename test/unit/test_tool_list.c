/* The description of the tools of /mcp: their arguments, and that each schema is whole. */
#include <stdlib.h>
#include <string.h>

#include "server/base/json.h"
#include "server/mcp/call.h"
#include "server/routes.h"
#include "test/lib/test.h"

enum { LIST_BYTES_MOST = 80 << 10 }; /* a model reads all of it: some ten thousand words of its memory */

static struct arena arena;
static const struct json *all;

/* Arguments in order, those that are required with a '*'; whether it only reads; an operation that it becomes. */
static const struct {
	const char *name, *arguments;
	bool reads;
	const char *operation;
} expected[] = {
    {"search", "kind* text filter limit cursor", true, "searchPeople"},
    {"get", "id*", true, "getPerson"},
    {"list_groups", "limit cursor", true, "listGroups"},
    {"create", "kind* fields*", false, "createPerson"},
    {"update", "id* fields* ifMatch", false, "updatePerson"},
    {"delete", "id* dryRun", false, "deletePerson"},
    {"merge", "id* other* dryRun", false, "mergePerson"},
    {"add_note", "entity* content* visibility", false, "createNote"},
    {"create_task", "entity* title* dueAt* assignedUsers", false, "createTask"},
    {"complete_task", "id*", false, "markTaskAsDone"},
    {"log_interaction", "entity* dateTime* activityType* title* content", false, "createInteraction"},
    {"changes_since", "cursor since limit", true, "listEvents"},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

BEFORE_ALL()
{
	const char *error = NULL;
	struct buf list;

	routes_use();
	arena_init(&arena);
	buf_init(&list, 2 * LIST_BYTES_MOST);
	buf_printf(&list, "[%s", mcp_tools);
	for (char *end = list.data; (end = strchr(end, '\n')) != NULL;)
		*end = end[1] ? ',' : ']';
	/* the reader refuses duplicate members */
	all = json_read(&arena, list.data, list.len, &error);
	buf_free(&list);
	if (!all)
		print_error("%s\n", error);
	assert_true(all);
}

AFTER_ALL()
{
	arena_free(&arena);
}

static bool is_required(const struct json *schema, const char *name)
{
	for (const struct json *r = json_member(schema, "required")->first; r; r = r->next)
		if (strcmp(r->text, name) == 0)
			return true;
	return false;
}

static const char *arguments_of(const struct json *schema)
{
	const char *text = "";

	assert_string_equal(json_member(schema, "type")->text, "object");
	assert_false(json_member(schema, "additionalProperties")->truth);
	for (const struct json *p = json_member(schema, "properties")->first; p; p = p->next)
		text = arena_printf(
		    &arena, "%s%s%s%s", text, *text ? " " : "", p->key, is_required(schema, p->key) ? "*" : "");
	return text;
}

TEST(test_tools_and_arguments)
{
	const struct json *tool = all->first;

	assert_int_equal(all->count, EXPECTED);
	for (size_t i = 0; i < EXPECTED; i++, tool = tool->next) {
		const struct json *hints = json_member(tool, "annotations");
		assert_string_equal(json_member(tool, "name")->text, expected[i].name);
		assert_string_equal(arguments_of(json_member(tool, "inputSchema")), expected[i].arguments);
		assert_string_equal(json_member(json_member(tool, "outputSchema"), "type")->text, "object");
		assert_int_equal(json_member(hints, "readOnlyHint")->truth, expected[i].reads);
		assert_non_null(json_member(hints, "destructiveHint"));
		assert_non_null(json_member(hints, "idempotentHint"));
		assert_true(json_member(tool, "description")->len > 10);
		assert_int_equal(
		    strstr(json_member(tool, "description")->text, "never orders") != NULL, expected[i].reads);
	}
}

/* A model reads nothing else about an argument. */
TEST(test_descriptions)
{
	for (const struct json *tool = all->first; tool; tool = tool->next) {
		const struct json *members = json_member(json_member(tool, "inputSchema"), "properties");
		for (const struct json *p = members->first; p; p = p->next)
			if (!json_member(p, "description") && !json_member(p, "$ref"))
				fail_msg("%s: %s has no description", json_member(tool, "name")->text, p->key);
	}
}

/* A key is shown exactly the tools whose requests it may make. */
TEST(test_scopes)
{
	for (size_t i = 0; i < EXPECTED; i++) {
		int k = 0;
		while (k < n_routes && strcmp(routes[k].id, expected[i].operation) != 0)
			k++;
		assert_in_range(k, 0, n_routes - 1);
		assert_string_equal(tools[i].name, expected[i].name);
		assert_int_equal(tools[i].needs, routes[k].needs);
	}
}

/* Each reference leads to a definition of the same tool. */
static void references_resolve(const struct json *value, const struct json *definitions, int *count)
{
	for (const struct json *m = value->first; m; m = m->next) {
		if (m->key && strcmp(m->key, "$ref") == 0) {
			assert_int_equal(strncmp(m->text, "#/$defs/", 8), 0);
			if (!json_member(definitions, m->text + 8))
				fail_msg("%s", m->text);
			++*count;
		}
		if (m->type == JSON_OBJECT || m->type == JSON_ARRAY)
			references_resolve(m, definitions, count);
	}
}

TEST(test_references)
{
	int count = 0;

	for (const struct json *tool = all->first; tool; tool = tool->next) {
		const struct json *schema = json_member(tool, "inputSchema");
		references_resolve(schema, json_member(schema, "$defs"), &count);
	}
	assert_true(count > 10);
}

/* Fields come from the tables: a schema of a create has what the API's has. */
TEST(test_fields)
{
	const struct json *create = all->first;
	const struct json *person;

	while (strcmp(json_member(create, "name")->text, "create") != 0)
		create = create->next;
	person = json_member(json_member(json_member(create, "inputSchema"), "$defs"), "PersonCreate");
	assert_non_null(json_member(json_member(person, "properties"), "jobTitle"));
	assert_non_null(strstr(mcp_tools, "Fields of people: fullName, firstName, "));
	assert_non_null(strstr(mcp_tools, "companies, groups, createdAt, createdBy, interactionMetadata"));
	assert_null(strstr(mcp_tools, "companies.emails"));
	assert_null(strstr(mcp_tools, "\"example\""));
	assert_null(strstr(mcp_tools, "components/schemas"));
}

TEST(test_size)
{
	assert_in_range(mcp_tools_len, 1, LIST_BYTES_MOST);
}
