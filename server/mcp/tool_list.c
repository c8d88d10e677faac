/* Makes the answer of tools/list during the build. The schemas of fields and everything that they refer to come from
 * the API's description, and so from the tables of fields. */
#include "server/mcp/call.h"

#include <string.h>

#include "server/base/fatal.h"

enum { LIST_MAX = 4 << 20, WANTED_MAX = 64 };

#define REFERENCE "#/components/schemas/"

struct tool_writing {
	const struct json *schemas; /* of the API's description */
	const struct tool *tool;
	struct arena *arena;
	struct buf out;
	const struct json *wanted[WANTED_MAX]; /* schemas that the tool refers to */
	int n_wanted;
};

/* --- schemas ------------------------------------------------------------------------------- */

static const struct json *schema_named(const struct tool_writing *w, const char *name, size_t len)
{
	json_each_member(s, w->schemas)
		if (s->key_len == len && memcmp(s->key, name, len) == 0)
			return s;
	fatal_abort("a tool refers to a schema that the API's description does not have");
}

/* Writes a reference to a schema. The schema is then written with the tool. */
static void put_reference(struct tool_writing *w, const char *name, size_t len)
{
	const struct json *schema = schema_named(w, name, len);
	int i = 0;

	buf_printf(&w->out, "{\"$ref\":\"#/$defs/%.*s\"}", (int)len, name);
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

static void put_schema(struct tool_writing *w, const struct json *value)
{
	const struct json *reference = json_member(value, "$ref");
	struct json_out o;
	bool comma = false;

	if (reference && strncmp(reference->text, REFERENCE, strlen(REFERENCE)) == 0) {
		put_reference(w, reference->text + strlen(REFERENCE), reference->len - strlen(REFERENCE));
		return;
	}
	if (value->type != JSON_OBJECT && value->type != JSON_ARRAY) {
		json_out_init(&o, &w->out);
		json_value(&o, value);
		return;
	}
	buf_addc(&w->out, value->type == JSON_OBJECT ? '{' : '[');
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
	buf_addc(&w->out, value->type == JSON_OBJECT ? '}' : ']');
}

/* --- the notation --------------------------------------------------------------------------- */

static void put_ids(struct tool_writing *w, const char *about, size_t len)
{
	const char *prefixes = "";

	for (int i = 0; i < MCP_KINDS; i++)
		if (w->tool->kinds & MCP_BIT(i))
			prefixes = arena_printf(
			    w->arena, "%s%s%s", prefixes, *prefixes ? "|" : "", id_prefix(kinds[i].id_kind));
	buf_addc(&w->out, '{');
	if (len)
		buf_printf(&w->out, "\"description\":\"%.*s\",", (int)len, about);
	buf_printf(&w->out,
	    "\"type\":\"string\",\"pattern\":\"^(%s)_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$\"}",
	    prefixes);
}

static void put_kinds(struct tool_writing *w)
{
	int n = 0;

	buf_addz(&w->out,
	    "{\"type\":\"string\",\"description\":\"For objects the kind that list_groups shows with their "
	    "type: <group id>/<object type>\",\"anyOf\":[{\"enum\":[");
	for (int i = 0; i < MCP_KINDS; i++)
		if (w->tool->kinds & MCP_BIT(i) && i != MCP_OBJECT)
			buf_printf(&w->out, "%s\"%s\",\"%s\"", n++ ? "," : "", kinds[i].name, kinds[i].plural);
	buf_addz(&w->out, "]},{\"pattern\":\"^grp_[0-9a-f-]{36}/.\"}]}");
}

/* Writes <filters PersonFilter>: the names of its fields, without those of related records. */
static void put_filter_names(struct tool_writing *w, const char *name, size_t len)
{
	static const char *const left_out[] = {"and", "or", "companies.", "people.", NULL};
	const struct json *fields = json_member(schema_named(w, name, len), "properties");
	int n = 0, i;

	json_each_member(f, fields) {
		for (i = 0; left_out[i]; i++)
			if (strncmp(f->key, left_out[i], strlen(left_out[i]) + (i < 2)) == 0)
				break;
		if (!left_out[i])
			buf_printf(&w->out, "%s%s", n++ ? ", " : "", f->key);
	}
}

/* Writes what stands between < and >. False: it is plain text. */
static bool put_term(struct tool_writing *w, const char *term, size_t len)
{
	const char *dot = memchr(term, '.', len);
	const struct json *members, *member;

	if (len == 3 && memcmp(term, "ids", 3) == 0) {
		put_ids(w, NULL, 0);
	} else if (len > 4 && memcmp(term, "ids ", 4) == 0) {
		put_ids(w, term + 4, len - 4);
	} else if (len == 5 && memcmp(term, "kinds", 5) == 0) {
		put_kinds(w);
	} else if (len > 8 && memcmp(term, "filters ", 8) == 0) {
		put_filter_names(w, term + 8, len - 8);
	} else if (dot) {
		members = json_member(schema_named(w, term, (size_t)(dot - term)), "properties");
		member = json_member(members, arena_dup(w->arena, dot + 1, len - (size_t)(dot - term) - 1));
		if (!member)
			fatal_abort("a tool refers to a field that the API's description does not have");
		put_schema(w, member);
	} else {
		return false;
	}
	return true;
}

static size_t name_length(const char *text)
{
	size_t len = 0;

	while ((text[len] >= 'A' && text[len] <= 'Z') || (text[len] >= 'a' && text[len] <= 'z'))
		len++;
	return len;
}

static void put_notation(struct tool_writing *w, const char *text)
{
	while (*text) {
		size_t plain = strcspn(text, "'@<"), len;
		const char *end;
		buf_add(&w->out, text, plain);
		text += plain;
		if (*text == '\'') {
			buf_addc(&w->out, '"');
			text++;
		} else if (*text == '@') {
			len = name_length(text + 1);
			put_reference(w, text + 1, len);
			text += 1 + len;
		} else if (*text == '<') {
			end = strchr(text, '>');
			if (!end || !put_term(w, text + 1, (size_t)(end - text - 1)))
				buf_add(&w->out, text, end ? (size_t)(end + 1 - text) : 1);
			text = end ? end + 1 : text + 1;
		}
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
		put_notation(w, a[i].schema);
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
	put_notation(w, t->output);
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
	w.schemas = document ? json_member(json_member(document, "components"), "schemas") : NULL;
	if (!w.schemas)
		fatal_abort("the API's description cannot be read");
	buf_init(&w.out, LIST_MAX);
	for (int i = 0; i < n_tools; i++) {
		w.tool = &tools[i];
		put_tool(&w);
		buf_addc(&w.out, '\n');
	}
	*out = w.out;
	arena_free(&arena);
}
