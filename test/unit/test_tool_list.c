/* The description of the tools of /mcp: their arguments, hints, scopes and size. */
#include <string.h>

#include "server/base/json.h"
#include "server/mcp/call.h"
#include "server/routes.h"
#include "test/lib/test.h"

enum { LIST_MAX = 64 << 10, LIST_BYTES_MOST = 9000 }; /* ONLY=test_mcp_clients counts tokens */

static struct arena arena;
static const struct json *all;

/* Arguments in order, those that are required with a '*'; whether it only reads; an operation that it becomes. */
static const struct {
	const char *name, *arguments;
	bool reads;
	const char *operation;
} expected[] = {
    {"describe", "about cursor", true, "listGroups"},
    {"search", "kind text filter sort fields limit cursor", true, "searchPeople"},
    {"get", "id* fields cursor", true, "getPerson"},
    {"aggregate", "kind* text filter groupBy measures sort limit cursor", true, "queryPeopleAggregate"},
    {"duplicates", "id*", true, "listPersonDuplicates"},
    {"create", "kind* fields*", false, "createPerson"},
    {"update", "id* fields* ifMatch dryRun", false, "updatePerson"},
    {"upsert", "kind* match* records* dryRun", false, "batchUpsertPeople"},
    {"update_many", "kind* text filter fields add expect dryRun", false, "batchUpdatePeople"},
    {"delete", "id* dryRun", false, "deletePerson"},
    {"merge", "id* other* dryRun", false, "mergePerson"},
    {"add_note", "entity* content* visibility", false, "createNote"},
    {"create_task", "entity* title* dueAt* assignedUsers", false, "createTask"},
    {"complete_task", "id*", false, "markTaskAsDone"},
    {"log_interaction", "entity* dateTime* activityType* title* content", false, "createInteraction"},
    {"changes_since", "since record actor limit cursor", true, "listEvents"},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

BEFORE_ALL()
{
	const char *error = NULL;
	struct json_out o;
	struct buf list;

	routes_use();
	arena_init(&arena);
	buf_init(&list, LIST_MAX);
	json_out_init(&o, &list);
	json_begin_array(&o);
	for (int i = 0; i < n_tools; i++)
		tool_write(&o, &tools[i]);
	json_end_array(&o);
	assert_in_range(list.len, 1, LIST_BYTES_MOST);
	all = json_read(&arena, arena_dup(&arena, list.data, list.len), list.len, &error);
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
	json_each(r, json_member(schema, "required"))
		if (strcmp(r->text, name) == 0)
			return true;
	return false;
}

static const char *arguments_of(const struct json *schema)
{
	const char *text = "";

	assert_string_equal(json_member(schema, "type")->text, "object");
	assert_false(json_member(schema, "additionalProperties")->truth);
	json_each_member(p, json_member(schema, "properties")) {
		assert_true(*json_text(p, "type"));
		text = arena_printf(
		    &arena, "%s%s%s%s", text, *text ? " " : "", p->key, is_required(schema, p->key) ? "*" : "");
	}
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
		assert_int_equal(json_true(hints, "readOnlyHint"), expected[i].reads);
		assert_false(json_member(hints, "openWorldHint")->truth);
		assert_true(json_member(tool, "description")->len > 10);
	}
}

/* What a tool shows was written by others, unless it shows only names and definitions. */
TEST(test_records_are_data)
{
	json_each(tool, all) {
		bool shows = json_true(json_member(tool, "annotations"), "readOnlyHint") &&
		             strcmp(json_text(tool, "name"), "describe") != 0;
		assert_int_equal(strstr(json_text(tool, "description"), "never orders") != NULL, shows);
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
