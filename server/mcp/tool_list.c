/* Makes the answer of tools/list during the build. tools.json has the schemas of arguments and results. The schemas of
 * fields and everything that they refer to come from the API's description, and so from the tables of fields. In
 * tools.json an object with one of these members stands for something else:
 *	$ref: a schema of the API's description
 *	$member: the schema of a member of one, such as "NoteCreate.content"
 *	$ids, $kinds: the ids and the kinds that the tool takes; the text describes them
 *	$use: a definition of tools.json */
#include "server/mcp/call.h"

#include <string.h>

#include "server/base/built_in.h"
#include "server/base/fatal.h"

enum { LIST_MAX = 4 << 20, WANTED_MAX = 64 };

#define REFERENCE "#/components/schemas/"
#define FILTERS "<filters "

struct tool_writing {
	const struct json *schemas; /* of the API's description */
	const struct json *file;    /* tools.json */
	const struct tool *tool;
	struct arena *arena;
	struct buf out;
	const struct json *wanted[WANTED_MAX]; /* schemas that the tool refers to */
	int n_wanted;
};

static _Noreturn void tool_refuse(struct tool_writing *w, const char *what, const char *name)
{
	fatal_abort(arena_printf(w->arena, "the tools of /mcp: %s: %s", what, name));
}

/* --- schemas ------------------------------------------------------------------------------- */

static const struct json *schema_named(struct tool_writing *w, const char *name)
{
	const struct json *schema = json_member(w->schemas, name);

	if (!schema)
		tool_refuse(w, "no schema has this name", name);
	return schema;
}

/* Returns a part of tools.json. */
static const struct json *tool_part(struct tool_writing *w, const char *where, const char *name)
{
	const struct json *part = json_member(json_member(w->file, where), name);

	if (!part)
		tool_refuse(w, "tools.json has no such member", name);
	return part;
}

/* Writes a reference to a schema. The schema is then written with the tool. */
static void put_reference(struct tool_writing *w, const char *name)
{
	const struct json *schema = schema_named(w, name);
	int i = 0;

	buf_printf(&w->out, "{\"$ref\":\"#/$defs/%s\"}", name);
	while (i < w->n_wanted && w->wanted[i] != schema)
		i++;
	if (i == WANTED_MAX)
		fatal_abort("a tool refers to too many schemas");
	if (i == w->n_wanted)
		w->wanted[w->n_wanted++] = schema;
}

/* Examples help readers of the API's description, but a model pays for each word. */
static bool is_left_out(const struct json *member)
{
	return strcmp(member->key, "example") == 0 || strcmp(member->key, "examples") == 0;
}

static void put_schema(struct tool_writing *w, const struct json *value);

/* Returns the schema of a member by its name, such as "NoteCreate.content". */
static const struct json *schema_of_member(struct tool_writing *w, const char *name)
{
	size_t len = strcspn(name, ".");
	const struct json *members = json_member(schema_named(w, arena_dup(w->arena, name, len)), "properties");
	const struct json *member = name[len] ? json_member(members, name + len + 1) : NULL;

	if (!member)
		tool_refuse(w, "no schema has this member", name);
	return member;
}

static void put_ids(struct tool_writing *w, const struct json *about)
{
	const char *prefixes = "";

	for (int i = 0; i < MCP_KINDS; i++)
		if (w->tool->kinds & MCP_BIT(i))
			prefixes = arena_printf(
			    w->arena, "%s%s%s", prefixes, *prefixes ? "|" : "", id_prefix(kinds[i].id_kind));
	buf_addc(&w->out, '{');
	if (about->len)
		buf_printf(&w->out, "\"description\":\"%s\",", about->text);
	buf_printf(&w->out,
	    "\"type\":\"string\",\"pattern\":\"^(%s)_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$\"}",
	    prefixes);
}

static void put_kinds(struct tool_writing *w, const struct json *about)
{
	int n = 0;

	buf_printf(&w->out, "{\"type\":\"string\",\"description\":\"%s\",\"anyOf\":[{\"enum\":[", about->text);
	for (int i = 0; i < MCP_KINDS; i++)
		if (w->tool->kinds & MCP_BIT(i) && i != MCP_OBJECT)
			buf_printf(&w->out, "%s\"%s\",\"%s\"", n++ ? "," : "", kinds[i].name, kinds[i].plural);
	buf_addz(&w->out, "]},{\"pattern\":\"^grp_[0-9a-f-]{36}/.\"}]}");
}

/* Returns the names of a filter's fields, without those of related records. */
static const char *filter_names(struct tool_writing *w, const char *name)
{
	static const char *const left_out[] = {"and", "or", "companies.", "people.", NULL};
	const struct json *fields = json_member(schema_named(w, name), "properties");
	const char *names = "";
	int i;

	json_each_member(f, fields) {
		for (i = 0; left_out[i]; i++)
			if (strncmp(f->key, left_out[i], strlen(left_out[i]) + (i < 2)) == 0)
				break;
		if (!left_out[i])
			names = arena_printf(w->arena, "%s%s%s", names, *names ? ", " : "", f->key);
	}
	return names;
}

/* Writes a text. <filters PersonFilter> in it stands for the names of that filter's fields. */
static void put_text(struct tool_writing *w, const char *text)
{
	const char *out = "", *at;
	struct json_out o;

	for (; (at = strstr(text, FILTERS)); text = strchr(at, '>') + 1) {
		const char *name = at + strlen(FILTERS);
		name = arena_dup(w->arena, name, strcspn(name, ">"));
		out = arena_printf(w->arena, "%s%.*s%s", out, (int)(at - text), text, filter_names(w, name));
	}
	json_out_init(&o, &w->out);
	json_string(&o, arena_printf(w->arena, "%s%s", out, text));
}

/* Writes what an object with one of these members stands for. False: it stands for itself. */
static bool put_named(struct tool_writing *w, const struct json *value)
{
	const struct json *is = value->type == JSON_OBJECT ? value->first : NULL;

	if (!is || *is->key != '$' || is->type != JSON_STRING)
		return false;
	if (strcmp(is->key, "$ref") == 0 && strncmp(is->text, REFERENCE, strlen(REFERENCE)) == 0)
		put_reference(w, is->text + strlen(REFERENCE));
	else if (strcmp(is->key, "$member") == 0)
		put_schema(w, schema_of_member(w, is->text));
	else if (strcmp(is->key, "$ids") == 0)
		put_ids(w, is);
	else if (strcmp(is->key, "$kinds") == 0)
		put_kinds(w, is);
	else if (strcmp(is->key, "$use") == 0)
		put_schema(w, tool_part(w, "definitions", is->text));
	else
		tool_refuse(w, "no such member", is->key);
	return true;
}

static void put_members(struct tool_writing *w, const struct json *value)
{
	struct json_out o;
	bool comma = false;

	for (const struct json *m = value->first; m; m = m->next) {
		if (value->type == JSON_OBJECT && is_left_out(m) && m->type != JSON_OBJECT)
			continue;
		if (comma)
			buf_addc(&w->out, ',');
		comma = true;
		if (value->type == JSON_OBJECT) {
			json_out_init(&o, &w->out);
			json_key_len(&o, m->key, m->key_len);
		}
		put_schema(w, m);
	}
}

static void put_schema(struct tool_writing *w, const struct json *value)
{
	struct json_out o;

	if (put_named(w, value))
		return;
	if (value->type == JSON_OBJECT || value->type == JSON_ARRAY) {
		buf_addc(&w->out, value->type == JSON_OBJECT ? '{' : '[');
		put_members(w, value);
		buf_addc(&w->out, value->type == JSON_OBJECT ? '}' : ']');
	} else if (value->type == JSON_STRING) {
		put_text(w, value->text);
	} else {
		json_out_init(&o, &w->out);
		json_value(&o, value);
	}
}

/* --- tools ---------------------------------------------------------------------------------- */

static void put_member(struct tool_writing *w, const char *key, const char *text)
{
	struct json_out o;

	buf_printf(&w->out, "\"%s\":", key);
	json_out_init(&o, &w->out);
	json_string(&o, text);
	buf_addc(&w->out, ',');
}

static const struct json *tool_argument(struct tool_writing *w, const char *name)
{
	const struct json *argument = json_member(tool_part(w, w->tool->name, "arguments"), name);

	if (!argument)
		tool_refuse(w, "tools.json lacks an argument", name);
	return argument;
}

static void put_input(struct tool_writing *w)
{
	const struct argument *a = w->tool->arguments;
	int n = 0;

	buf_addz(&w->out, "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[");
	for (int i = 0; i < ARGUMENTS_MAX && a[i].name; i++)
		if (a[i].required)
			buf_printf(&w->out, "%s\"%s\"", n++ ? "," : "", a[i].name);
	buf_addz(&w->out, "],\"properties\":{");
	for (int i = 0; i < ARGUMENTS_MAX && a[i].name; i++) {
		buf_printf(&w->out, "%s\"%s\":", i ? "," : "", a[i].name);
		put_schema(w, tool_argument(w, a[i].name));
	}
	buf_addc(&w->out, '}');
	for (int i = 0; i < w->n_wanted; i++) { /* each schema may refer to others */
		buf_printf(&w->out, "%s\"%s\":", i ? "," : ",\"$defs\":{", w->wanted[i]->key);
		put_schema(w, w->wanted[i]);
	}
	buf_addz(&w->out, w->n_wanted ? "}}" : "}");
}

static void put_tool(struct tool_writing *w)
{
	const struct tool *t = w->tool;

	w->n_wanted = 0;
	buf_addc(&w->out, '{');
	put_member(w, "name", t->name);
	put_member(w, "title", t->title);
	put_member(w, "description", t->description);
	buf_addz(&w->out, "\"inputSchema\":");
	put_input(w);
	buf_addz(&w->out, ",\"outputSchema\":");
	put_schema(w, tool_part(w, t->name, "output"));
	buf_addz(&w->out, ",\"annotations\":{");
	put_member(w, "title", t->title);
	buf_printf(&w->out,
	    "\"readOnlyHint\":%s,\"destructiveHint\":%s,\"idempotentHint\":%s,\"openWorldHint\":false}}",
	    t->needs == SCOPE_READ ? "true" : "false", t->destroys ? "true" : "false",
	    t->repeatable ? "true" : "false");
}

void tool_list_make(const struct buf *description, struct buf *out)
{
	struct tool_writing w = {0};
	struct arena arena;
	const char *error;
	const struct json *document;

	arena_init(&arena);
	document = json_read(&arena, description->data, description->len, &error);
	w.arena = &arena;
	w.file = json_read(&arena, built_in_text("tools.json"), strlen(built_in_text("tools.json")), &error);
	w.schemas = document ? json_member(json_member(document, "components"), "schemas") : NULL;
	if (!w.schemas || !w.file)
		fatal_abort("the API's description or tools.json cannot be read");
	buf_init(&w.out, LIST_MAX);
	for (int i = 0; i < n_tools; i++) {
		w.tool = &tools[i];
		put_tool(&w);
		buf_addc(&w.out, '\n');
	}
	*out = w.out;
	arena_free(&arena);
}
