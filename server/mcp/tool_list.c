/* Writes the description of a tool for tools/list, from its row in the table of tools. Schemas are small: what a model
 * needs more is told by describe, or by the hints of issues. */
#include "server/mcp/call.h"

#include <string.h>

/* The schema of each type of argument, without its description. */
static const char *const schemas[ARGUMENT_TYPES] = {
    [ARGUMENT_PASSED] = "\"type\":\"string\"",
    [ARGUMENT_TEXT] = "\"type\":\"string\"",
    [ARGUMENT_CURSOR] = "\"type\":\"string\"",
    [ARGUMENT_INTEGER] = "\"type\":\"integer\"",
    [ARGUMENT_FLAG] = "\"type\":\"boolean\"",
    [ARGUMENT_OBJECT] = "\"type\":\"object\"",
    [ARGUMENT_FIELDS] = "\"type\":\"object\"",
    [ARGUMENT_FILTER] = "\"type\":\"object\"",
    [ARGUMENT_OBJECTS] = "\"type\":\"array\",\"items\":{\"type\":\"object\"}",
    [ARGUMENT_NAMES] = "\"type\":\"array\",\"items\":{\"type\":\"string\"}",
    [ARGUMENT_ID] = "\"type\":\"string\"",
    [ARGUMENT_IDS] = "\"type\":\"array\",\"items\":{\"type\":\"string\"}",
    [ARGUMENT_ENTITY] = "\"type\":\"string\"",
    [ARGUMENT_USERS] = "\"type\":\"array\",\"items\":{\"type\":\"string\"}",
    [ARGUMENT_USER] = "\"type\":\"string\"",
    [ARGUMENT_DAY] = "\"type\":\"string\"",
    [ARGUMENT_TIME] = "\"type\":\"string\"",
    [ARGUMENT_SINCE] = "\"type\":\"string\"",
    [ARGUMENT_KIND] = "\"type\":\"string\"",
    [ARGUMENT_TAG] = "\"type\":\"string\"",
};

static void put_argument(struct json_out *o, const struct argument *a)
{
	json_key(o, a->name);
	json_begin_object(o);
	/* the writer has begun the object, so that the first member needs no comma */
	json_raw(o, schemas[a->type], strlen(schemas[a->type]));
	if (a->about)
		json_add_string(o, "description", a->about);
	json_end_object(o);
}

static void put_input(struct json_out *o, const struct tool *tool)
{
	json_begin_object(o);
	json_add_string(o, "type", "object");
	json_key(o, "properties");
	json_begin_object(o);
	for (int i = 0; i < ARGUMENTS_MAX && tool->arguments[i].name; i++)
		put_argument(o, &tool->arguments[i]);
	json_end_object(o);
	json_key(o, "required");
	json_begin_array(o);
	for (int i = 0; i < ARGUMENTS_MAX && tool->arguments[i].name; i++)
		if (tool->arguments[i].required)
			json_string(o, tool->arguments[i].name);
	json_end_array(o);
	json_add_bool(o, "additionalProperties", false);
	json_end_object(o);
}

/* Hints that are not given have the values that the protocol assumes: a tool that writes destroys, is not repeatable
 * and reaches other systems. Those of a tool that only reads need no others. */
static void put_hints(struct json_out *o, const struct tool *tool)
{
	json_begin_object(o);
	if (tool->needs == SCOPE_READ)
		json_add_bool(o, "readOnlyHint", true);
	else if (!tool->destroys)
		json_add_bool(o, "destructiveHint", false);
	if (tool->needs != SCOPE_READ && tool->repeatable)
		json_add_bool(o, "idempotentHint", true);
	json_add_bool(o, "openWorldHint", false);
	json_end_object(o);
}

void tool_write(struct json_out *o, const struct tool *tool)
{
	json_begin_object(o);
	json_add_string(o, "name", tool->name);
	json_add_string(o, "title", tool->title);
	json_add_string(o, "description", tool->description);
	json_key(o, "inputSchema");
	put_input(o, tool);
	json_key(o, "annotations");
	put_hints(o, tool);
	json_end_object(o);
}
