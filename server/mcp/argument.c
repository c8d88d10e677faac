/* Checks the arguments that tools read themselves. The API's own rules check what the tools pass on. */
#include "server/mcp/call.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/etag.h"
#include "server/base/text.h"

enum { TEXT_MAX = 200, CURSOR_MAX = 512, KIND_MAX = 600, TAG_MAX = 100, KINDS_SHOWN = 10, INTEGER_MOST = 1000000000 };

static void argument_near(const void *ctx, struct near *n)
{
	const struct tool *tool = ctx;

	for (int i = 0; i < ARGUMENTS_MAX && tool->arguments[i].name; i++)
		near_try(n, tool->arguments[i].name, strlen(tool->arguments[i].name));
}

static bool argument_is_text(struct req *r, const struct json *value, const struct path *at, size_t max)
{
	if (value->type != JSON_STRING)
		issue_type(&r->given.issues, at, "string", value);
	else if (value->has_nul)
		issue_string_form(&r->given.issues, at, "no U+0000");
	else if (text_code_points(value->text, value->len) > max)
		issue_range(&r->given.issues, at, true, (long)max, "string", false);
	else
		return true;
	return false;
}

static void argument_check_id(struct req *r, const struct json *value, const struct path *at, unsigned allowed)
{
	struct buf list;

	if (value->type != JSON_STRING) {
		issue_type(&r->given.issues, at, "string", value);
		return;
	}
	if (kind_of_id(value->text, value->len, allowed))
		return;
	issue_string(&r->given.issues, at, "regex");
	buf_init(&list, 512);
	for (int i = 0, n = 0; i < MCP_KINDS; i++)
		if (allowed & MCP_BIT(i))
			buf_printf(&list, "%s%s (%s_…)", n++ ? ", " : "", kinds[i].name,
			    id_prefix(kinds[i].resource->id_kind));
	issue_hint(&r->given.issues, "the id of one of: %s", list.data);
	buf_free(&list);
}

static void argument_check_entity(
    struct req *r, const struct tool *tool, const struct json *value, const struct path *at)
{
	const struct json *id = value->type == JSON_OBJECT ? json_member(value, "id") : value;
	struct path at_id = PATH_NAME(at, "id");

	if (id == value && id->type != JSON_STRING)
		issue_type(&r->given.issues, at, "object", value);
	else if (id) /* the API reports a missing id */
		argument_check_id(r, id, id == value ? at : &at_id, tool->kinds);
}

/* Ids of one kind, or a single id: those of a list must be in one list of the API. */
static void argument_check_ids(struct req *r, const struct tool *tool, const struct json *value, const struct path *at)
{
	const struct kind *first;
	size_t n = 0;

	if (value->type != JSON_ARRAY) {
		argument_check_id(r, value, at, tool->kinds);
		return;
	}
	if (value->count < 1 || value->count > IDS_MOST)
		issue_range(&r->given.issues, at, value->count > 1, value->count > 1 ? IDS_MOST : 1, "array", false);
	first = value->first && value->first->type == JSON_STRING
	            ? kind_of_id(value->first->text, value->first->len, tool->kinds)
	            : NULL;
	json_each(item, value) {
		struct path here = PATH_INDEX(at, n++);
		if (n > IDS_MOST)
			break;
		argument_check_id(r, item, &here, tool->kinds);
		if (first && item->type == JSON_STRING && kind_of_id(item->text, item->len, tool->kinds) != first)
			issue_custom(&r->given.issues, &here, "The ids of one call are of one kind");
	}
}

static void argument_check_kind(struct req *r, const struct tool *tool, const struct json *value, const struct path *at)
{
	const char *names[MCP_KINDS + 1], *found[KINDS_SHOWN], *type, *list = "";
	int n;

	if (!argument_is_text(r, value, at, KIND_MAX) || kind_named(r, value->text, value->len, tool->kinds, &type))
		return;
	n = tool->kinds & MCP_BIT(MCP_OBJECT) ? kind_types(r, value->text, value->len, found, KINDS_SHOWN) : 0;
	if (n < 2) {
		kind_names(tool->kinds, names);
		issue_choice(&r->given.issues, at, names, value->text, value->len);
		return;
	}
	for (int i = 0; i < n; i++)
		list = arena_printf(&r->arena, "%s%s%s", list, i ? ", " : "", found[i]);
	issue_custom(&r->given.issues, at, "Several groups have a type of this name");
	issue_hint(&r->given.issues, "one of: %s", list);
}

/* A list of names, or one name. */
static void argument_check_names(struct req *r, const struct json *value, const struct path *at)
{
	size_t n = 0;

	if (value->type == JSON_STRING) {
		argument_is_text(r, value, at, TEXT_MAX);
		return;
	}
	if (value->type != JSON_ARRAY)
		issue_type(&r->given.issues, at, "array", value);
	else if (value->count > NAMES_MOST)
		issue_range(&r->given.issues, at, true, NAMES_MOST, "array", false);
	else
		json_each(item, value) {
			struct path here = PATH_INDEX(at, n++);
			argument_is_text(r, item, &here, TEXT_MAX);
		}
}

/* A tag is accepted without its quotes too, because models often drop them. */
static void argument_check_tag(struct req *r, const struct json *value, const struct path *at)
{
	char quoted[TAG_MAX + 3];
	size_t n;

	if (!argument_is_text(r, value, at, TAG_MAX) || etag_list_valid(value->text, value->len))
		return;
	n = value->len < sizeof quoted - 2 ? value->len : sizeof quoted - 2;
	quoted[0] = '"';
	memcpy(quoted + 1, value->text, n);
	quoted[n + 1] = '"';
	if (!etag_list_valid(quoted, n + 2))
		issue_string_form(&r->given.issues, at, "an etag, as get shows it");
}

/* Accepts a whole number in any form, because some clients write every 20 as 20.0. The API gets digits. */
static void argument_check_integer(struct req *r, struct json *value, const struct path *at)
{
	double number = value->type == JSON_NUMBER ? strtod(value->text, NULL) : 0;
	int64_t whole = number > INTEGER_MOST ? INTEGER_MOST : number < -INTEGER_MOST ? -INTEGER_MOST : (int64_t)number;

	if (value->type != JSON_NUMBER) {
		issue_type(&r->given.issues, at, "number", value);
	} else if ((double)whole != number && whole > -INTEGER_MOST && whole < INTEGER_MOST) {
		issue_type(&r->given.issues, at, "integer", value);
	} else {
		value->text = arena_printf(&r->arena, "%lld", (long long)whole);
		value->len = strlen(value->text);
	}
}

static void argument_check_one(struct req *r, const struct tool *tool, const struct argument *a, struct json *value)
{
	struct path at = PATH_NAME(NULL, a->name);

	switch (a->type) {
	case ARGUMENT_PASSED:
	case ARGUMENT_OBJECTS:
	case ARGUMENT_USERS:
	case ARGUMENT_DAY:
	case ARGUMENT_TIME:
	case ARGUMENT_TYPES:
		break;
	case ARGUMENT_TEXT:
	case ARGUMENT_USER:
	case ARGUMENT_SINCE:
		argument_is_text(r, value, &at, TEXT_MAX);
		break;
	case ARGUMENT_CURSOR:
		argument_is_text(r, value, &at, CURSOR_MAX);
		break;
	case ARGUMENT_INTEGER:
		argument_check_integer(r, value, &at);
		break;
	case ARGUMENT_FLAG:
		if (value->type != JSON_BOOL)
			issue_type(&r->given.issues, &at, "boolean", value);
		break;
	case ARGUMENT_OBJECT:
	case ARGUMENT_FIELDS:
	case ARGUMENT_FILTER:
		if (value->type != JSON_OBJECT)
			issue_type(&r->given.issues, &at, "object", value);
		break;
	case ARGUMENT_NAMES:
		argument_check_names(r, value, &at);
		break;
	case ARGUMENT_IDS:
		argument_check_ids(r, tool, value, &at);
		break;
	case ARGUMENT_ID:
		argument_check_id(r, value, &at, tool->kinds);
		break;
	case ARGUMENT_ENTITY:
		argument_check_entity(r, tool, value, &at);
		break;
	case ARGUMENT_KIND:
		argument_check_kind(r, tool, value, &at);
		break;
	case ARGUMENT_TAG:
		argument_check_tag(r, value, &at);
		break;
	}
}

static bool argument_known(const struct tool *tool, const struct json *member)
{
	for (int i = 0; i < ARGUMENTS_MAX && tool->arguments[i].name; i++)
		if (strlen(tool->arguments[i].name) == member->key_len &&
		    memcmp(tool->arguments[i].name, member->key, member->key_len) == 0)
			return true;
	return false;
}

void argument_check(struct req *r, const struct tool *tool, const struct json *arguments)
{
	struct issue_keys unknown;

	for (int i = 0; i < ARGUMENTS_MAX && tool->arguments[i].name; i++) {
		const struct argument *a = &tool->arguments[i];
		struct json *value = json_member(arguments, a->name);
		struct path at = PATH_NAME(NULL, a->name);
		if (value)
			argument_check_one(r, tool, a, value);
		else if (a->required)
			issue_required(&r->given.issues, &at,
			    a->type == ARGUMENT_FIELDS || a->type == ARGUMENT_ENTITY ? "object" : "string");
	}
	issue_keys_begin(&unknown, &r->given.issues, argument_near, tool, "arguments");
	json_each_member(m, arguments)
		if (!argument_known(tool, m))
			issue_keys_add(&unknown, m->key, m->key_len);
	issue_keys_end(&unknown, NULL);
}
