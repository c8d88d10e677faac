/* describe tells what a model must know before it uses other tools: the groups, types and users there are, the fields
 * of a kind, and what the short descriptions of tools leave out. All of it comes from the workspace's snapshot and the
 * tables of fields, filters and tools. */
#include "server/mcp/refer.h"

#include <string.h>
#include <strings.h>

#include "server/base/built_in.h"
#include "server/base/clock.h"
#include "server/request/validate.h"

enum { USERS_SHOWN = 50, GROUPS_WITH_FIELDS = 200 };

#define ALL_KINDS ((1u << MCP_KINDS) - 1)

static bool is_full(const struct req *r)
{
	return r->reply.out.len >= RESULT_BYTES;
}

static bool sees_group(const struct req *r, const struct group *g)
{
	return group_role(g, &r->caller.viewer) != ROLE_NONE;
}

/* --- without about ------------------------------------------------------------------------ */

static void put_group(struct req *r, const struct group *g)
{
	struct json_out *o = &r->reply.json;
	char id[ID_SIZE];

	json_begin_object(o);
	json_add_id(o, "id", ID_GROUP, &g->id);
	json_add_string(o, "name", g->name);
	if (g->private)
		json_add_string(o, "visibility", "private");
	json_add_string(o, "role", role_name(group_role(g, &r->caller.viewer)));
	if (g->n_types) {
		json_key(o, "kinds");
		json_begin_array(o);
		for (size_t i = 0; i < g->n_types; i++)
			json_string(
			    o, arena_printf(&r->arena, "%s/%s", id_format(ID_GROUP, &g->id, id), g->types[i].name));
		json_end_array(o);
	}
	json_end_object(o);
}

static void put_user(struct json_out *o, const struct user *u)
{
	json_begin_object(o);
	json_add_id(o, "id", ID_USER, &u->id);
	json_add_string(o, "fullName", u->full_name);
	json_add_string(o, "email", u->email);
	json_end_object(o);
}

static void put_beginning(struct req *r)
{
	struct json_out *o = &r->reply.json;
	const struct workspace *ws = r->caller.ws;
	const struct user *me = workspace_user(ws, &r->caller.viewer.user);
	const char *zone = words_zone_name(r);
	const char *names[MCP_KINDS + 1];
	char now[TIME_TEXT_SIZE];

	time_format(req_now_ms(r), now);
	json_add_string(o, "now", now);
	if (strcmp(zone, "UTC") != 0)
		json_add_string(o, "timeZone", zone);
	if (me) {
		json_key(o, "you");
		put_user(o, me);
	}
	kind_names(ALL_KINDS & ~MCP_BIT(MCP_GROUP), names);
	json_key(o, "kinds");
	json_begin_array(o);
	for (int i = 0; names[i]; i++)
		json_string(o, names[i]);
	json_end_array(o);
	json_key(o, "users");
	json_begin_array(o);
	for (size_t i = 0; i < ws->n_users && i < USERS_SHOWN; i++)
		put_user(o, &ws->users[i]);
	json_end_array(o);
	if (ws->n_users > USERS_SHOWN)
		json_add_int(o, "usersLeftOut", (int64_t)(ws->n_users - USERS_SHOWN));
}

/* Groups follow until the answer is full. The cursor is the id of the last group shown. */
static enum step describe_all(struct req *r)
{
	const struct json *cursor = call_given(r, "cursor");
	struct json_out *o = reply_begin(r);
	const struct group *last = NULL;
	struct uuid after;
	bool more = false, from_start = !cursor || !id_parse(ID_GROUP, cursor->text, cursor->len, &after);
	char id[ID_SIZE];

	json_begin_object(o);
	if (from_start)
		put_beginning(r);
	json_key(o, "groups");
	json_begin_array(o);
	for (size_t i = 0; i < r->caller.ws->n_groups && !more; i++) {
		const struct group *g = &r->caller.ws->groups[i];
		if (!sees_group(r, g) || (!from_start && memcmp(g->id.b, after.b, sizeof after.b) <= 0))
			continue;
		more = last && is_full(r);
		if (!more)
			put_group(r, last = g);
	}
	json_end_array(o);
	if (more) {
		json_key(o, "pagination");
		json_begin_object(o);
		json_add_string(o, "nextCursor", id_format(ID_GROUP, &last->id, id));
		json_end_object(o);
	}
	json_end_object(o);
	return reply_end(r);
}

/* --- about a tool, a kind, a group ----------------------------------------------------------- */

static enum step describe_tool(struct req *r, const struct tool *tool)
{
	struct json_out *o = reply_begin(r);
	const char *error, *text = built_in_text("tools.json");
	const struct json *more = json_member(json_read(&r->arena, text, strlen(text), &error), tool->name);

	json_begin_object(o);
	json_add_string(o, "tool", tool->name);
	json_add_string(o, "does", tool->description);
	json_key(o, "arguments");
	json_begin_object(o);
	for (int i = 0; i < ARGUMENTS_MAX && tool->arguments[i].name; i++) {
		const struct argument *a = &tool->arguments[i];
		const char *about = json_text(json_member(more, "arguments"), a->name);
		about = *about ? about : a->about ? a->about : "";
		json_add_string(o, a->name,
		    arena_printf(
		        &r->arena, "%s%s%s", a->required ? "required" : "optional", *about ? ": " : "", about));
	}
	json_end_object(o);
	json_each_member(m, more) {
		if (strcmp(m->key, "arguments") == 0)
			continue;
		json_key(o, m->key);
		json_value(o, m);
	}
	json_end_object(o);
	return reply_end(r);
}

/* Shows the fields that groups have for people or companies. */
static void put_groups_fields(struct req *r, enum custom_entity entity)
{
	struct json_out *o = &r->reply.json;
	int left_out = 0;

	json_key(o, "customFieldValues");
	json_begin_object(o);
	for (size_t i = 0; i < r->caller.ws->n_groups; i++) {
		const struct group *g = &r->caller.ws->groups[i];
		char id[ID_SIZE];
		if (!sees_group(r, g) || !kind_has_custom(g, entity, NULL))
			continue;
		if (is_full(r)) {
			left_out++;
			continue;
		}
		json_key(o, id_format(ID_GROUP, &g->id, id));
		json_begin_object(o);
		json_add_string(o, "group", g->name);
		json_key(o, "fields");
		kind_put_custom(r, g, entity, NULL);
		json_end_object(o);
	}
	json_end_object(o);
	if (left_out)
		json_add_int(o, "groupsLeftOut", left_out);
}

static enum step describe_kind(struct req *r, const struct kind *kind)
{
	struct json_out *o = reply_begin(r);

	json_begin_object(o);
	json_add_string(o, "kind", kind->plural);
	kind_put_fields(r, kind);
	if (kind == &kinds[MCP_PERSON] || kind == &kinds[MCP_COMPANY])
		put_groups_fields(r, kind == &kinds[MCP_PERSON] ? ENTITY_PERSON : ENTITY_COMPANY);
	json_end_object(o);
	return reply_end(r);
}

static void put_type(struct req *r, const struct group *g, const struct object_type *t)
{
	struct json_out *o = &r->reply.json;
	char id[ID_SIZE];

	json_begin_object(o);
	json_add_string(o, "kind", arena_printf(&r->arena, "%s/%s", id_format(ID_GROUP, &g->id, id), t->name));
	json_add_string(o, "group", g->name);
	json_key(o, "customFieldValues");
	kind_put_custom(r, g, ENTITY_OBJECT, &t->id);
	json_end_object(o);
}

/* Shows the type of each group that has one of this name: all have the fields of objects. */
static enum step describe_types(struct req *r, const char *const found[], int n)
{
	struct json_out *o = reply_begin(r);

	json_begin_object(o);
	kind_put_fields(r, &kinds[MCP_OBJECT]);
	json_key(o, "types");
	json_begin_array(o);
	for (int i = 0; i < n && (i == 0 || !is_full(r)); i++) {
		const struct group *g;
		struct uuid id;
		id_parse(ID_GROUP, found[i], ID_LEN, &id);
		g = visible_group(r->caller.ws, &id, &r->caller.viewer);
		put_type(r, g, group_type(g, found[i] + ID_LEN + 1, strlen(found[i]) - ID_LEN - 1));
	}
	json_end_array(o);
	json_end_object(o);
	return reply_end(r);
}

static enum step describe_group(struct req *r, const struct group *g)
{
	struct json_out *o = reply_begin(r);
	size_t shown = 0;

	json_begin_object(o);
	json_add_id(o, "id", ID_GROUP, &g->id);
	json_add_string(o, "name", g->name);
	json_add_string(o, "visibility", g->private ? "private" : "public");
	json_add_string(o, "role", role_name(group_role(g, &r->caller.viewer)));
	json_key(o, "people");
	kind_put_custom(r, g, ENTITY_PERSON, NULL);
	json_key(o, "companies");
	kind_put_custom(r, g, ENTITY_COMPANY, NULL);
	json_key(o, "types");
	json_begin_array(o);
	for (; shown < g->n_types && !is_full(r); shown++)
		put_type(r, g, &g->types[shown]);
	json_end_array(o);
	if (shown < g->n_types)
		json_add_int(o, "typesLeftOut", (int64_t)(g->n_types - shown));
	json_end_object(o);
	return reply_end(r);
}

/* --- what is asked ----------------------------------------------------------------------------- */

static const struct group *group_asked(struct req *r, const char *text, size_t len)
{
	const struct workspace *ws = r->caller.ws;
	struct uuid id;

	if (id_parse(ID_GROUP, text, len, &id))
		return visible_group(ws, &id, &r->caller.viewer);
	for (size_t i = 0; i < ws->n_groups; i++)
		if (sees_group(r, &ws->groups[i]) && strlen(ws->groups[i].name) == len &&
		    strncasecmp(ws->groups[i].name, text, len) == 0)
			return &ws->groups[i];
	return NULL;
}

/* The names that describe knows. */
static void describe_near(const void *ctx, struct near *n)
{
	const struct req *r = ctx;

	for (int i = 0; i < MCP_KINDS; i++)
		near_try(n, kinds[i].plural, strlen(kinds[i].plural));
	for (int i = 0; i < n_tools; i++)
		near_try(n, tools[i].name, strlen(tools[i].name));
	for (size_t i = 0; i < r->caller.ws->n_groups; i++) {
		const struct group *g = &r->caller.ws->groups[i];
		if (!sees_group(r, g))
			continue;
		near_try(n, g->name, strlen(g->name));
		for (size_t k = 0; k < g->n_types; k++)
			near_try(n, g->types[k].name, strlen(g->types[k].name));
	}
}

static enum step describe_show(struct req *r)
{
	const struct json *about = call_given(r, "about");
	struct path at = PATH_NAME(NULL, "about");
	const char *found[GROUPS_WITH_FIELDS], *type;
	const struct group *g;
	const struct kind *kind;
	int n;

	if (!about)
		return describe_all(r);
	if (tool_named(about->text, about->len))
		return describe_tool(r, tool_named(about->text, about->len));
	kind = kind_word(about->text, about->len, ALL_KINDS & ~MCP_BIT(MCP_GROUP));
	if (kind)
		return describe_kind(r, kind);
	n = kind_types(r, about->text, about->len, found, GROUPS_WITH_FIELDS);
	if (n)
		return describe_types(r, found, n);
	g = group_asked(r, about->text, about->len);
	if (g)
		return describe_group(r, g);
	kind = kind_named(r, about->text, about->len, MCP_BIT(MCP_OBJECT), &type);
	if (kind && kind_type_exists(r, type))
		return describe_types(r, &type, 1);
	issue_custom(&r->given.issues, &at, "Nothing here has this name");
	issue_hint_near(&r->given.issues, about->text, about->len, describe_near, r, "names");
	return result_bad_arguments(r);
}

static enum step describe_enter(struct req *r)
{
	static step_fn *const steps[] = {describe_show};

	r->next = steps;
	return PASS;
}

/* Runs the API's list of groups, except the step that shows it. The route stays a row of the table, because metrics
 * count by route. */
enum step call_describe(struct req *r)
{
	static step_fn *const steps[] = {step_check, step_body, describe_enter};
	enum step step = call_send(r, HTTP_GET, "/v1/groups", NULL);

	if (step == PASS)
		r->next = steps;
	return step;
}
