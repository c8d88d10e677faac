/* Finds the names and the dates in words in a call's arguments: see refer.h. The table of the tool says which argument
 * has ids, the tables of fields and filters say the same of what is inside. */
#include "server/mcp/refer.h"

#include <string.h>

#define CONTACTS (MCP_BIT(MCP_PERSON) | MCP_BIT(MCP_COMPANY))
#define ENTITIES (CONTACTS | MCP_BIT(MCP_OBJECT))

/* --- arguments that name the record -------------------------------------------------------------- */

static void refer_users(struct refer_places *p, struct json *value, const struct path *path)
{
	size_t n = 0;

	if (value->type == JSON_STRING && value->len)
		refer_wrap_list(p, value);
	for (struct json *item = refer_items(value); item; item = item->next) {
		struct json *id = item->type == JSON_OBJECT ? json_member(item, "id") : item;
		if (id)
			refer_text(p, id, MCP_BIT(MCP_USER), refer_path_index(p, path, n));
		n++;
	}
}

void refer_arguments(struct refer_places *p)
{
	const struct tool_call *c = call_of(p->r);
	const struct tool *tool = c->tool;

	for (int i = 0; i < ARGUMENTS_MAX && tool->arguments[i].name; i++) {
		const struct argument *a = &tool->arguments[i];
		struct json *value = json_member(c->arguments, a->name);
		const struct path *path = refer_path_named(p, NULL, a->name);
		if (!value)
			continue;
		if (a->type == ARGUMENT_ID)
			refer_text(p, value, tool->kinds, path);
		else if (a->type == ARGUMENT_IDS)
			refer_texts(p, value, tool->kinds, path);
		else if (a->type == ARGUMENT_ENTITY)
			refer_text(p,
			    value->type == JSON_OBJECT && json_member(value, "id") ? json_member(value, "id") : value,
			    tool->kinds, path);
		else if (a->type == ARGUMENT_USERS)
			refer_users(p, value, path);
		else if (a->type == ARGUMENT_USER)
			refer_text(p, value, MCP_BIT(MCP_USER), path);
	}
}

/* --- fields --------------------------------------------------------------------------------------- */

/* Finds the group and the type of "grp_…/Deal". */
static void scope_of_type(struct refer_places *p, struct refer_scope *s, const char *type)
{
	struct uuid id;

	if (!type || !id_parse(ID_GROUP, type, ID_LEN, &id))
		return;
	s->group = visible_group(p->r->caller.ws, &id, &p->r->caller.viewer);
	if (s->group)
		s->type = group_type(s->group, type + ID_LEN + 1, strlen(type) - ID_LEN - 1);
}

/* The same of the object that the call names by its id: refer_object_type() has asked for it. */
static void scope_of_object(struct refer_places *p, struct refer_scope *s)
{
	struct req *r = p->r;
	struct uuid group, type;

	if (!call_of(r)->type_asked || db_rows(r->db.last, r->at) != 1)
		return;
	group = db_uuid(r->db.last, r->at, 0, 0);
	type = db_uuid(r->db.last, r->at, 0, 1);
	s->group = visible_group(r->caller.ws, &group, &r->caller.viewer);
	for (size_t i = 0; s->group && i < s->group->n_types; i++)
		if (uuid_equal(&s->group->types[i].id, &type))
			s->type = &s->group->types[i];
}

/* The values of a group's fields: {name: value}. */
static void refer_custom(struct refer_places *p, const struct refer_scope *s, const struct group *g,
    struct json *values, const struct path *path)
{
	const struct custom_field *f;

	for (struct json *m = refer_members(values); m; m = m->next) {
		const struct path *at = refer_path_named(p, path, m->key);
		f = g ? group_field(g, refer_entity(s), s->type ? &s->type->id : NULL, m->key, m->key_len) : NULL;
		if (f && f->type == CUSTOM_DATE)
			words_replace(p->r, m, WORDS_DAY, WHEN_ANY, at, NULL);
		else if (f && f->type == CUSTOM_USER)
			refer_objects(p, m, MCP_BIT(MCP_USER), at);
		else if (f && f->type == CUSTOM_CONTACT)
			refer_objects(p, m, CONTACTS, at);
		else if (f && f->type == CUSTOM_OBJECT)
			refer_objects(p, m, MCP_BIT(MCP_OBJECT), at);
	}
}

/* People and companies have custom values for each group, and the group may be given by its name. */
static void refer_customs(
    struct refer_places *p, const struct refer_scope *s, struct json *values, const struct path *path)
{
	struct uuid id;

	if (s->kind == &kinds[MCP_OBJECT]) {
		if (s->type)
			refer_custom(p, s, s->group, values, path);
		return;
	}
	for (struct json *m = refer_members(values); m; m = m->next) {
		const struct path *at = refer_path_named(p, path, m->key);
		struct json *name = json_make_text(&p->r->arena, m->key, m->key_len);
		refer_text(p, name, MCP_BIT(MCP_GROUP), at);
		m->key = name->text;
		m->key_len = name->len;
		if (id_parse(ID_GROUP, m->key, m->key_len, &id))
			refer_custom(p, s, visible_group(p->r->caller.ws, &id, &p->r->caller.viewer), m, at);
	}
}

/* The day of a task may have a time, which is a field of its own. */
static void refer_day(
    struct refer_places *p, const struct refer_scope *s, struct json *fields, struct json *m, const struct path *path)
{
	bool due = s->kind == &kinds[MCP_TASK] && strcmp(m->key, "dueAt") == 0;
	const char *clock = NULL;

	words_replace(p->r, m, WORDS_DAY, due ? WHEN_AHEAD : WHEN_ANY, path, due ? &clock : NULL);
	if (clock && !json_member(fields, "dueTime"))
		json_attach(&p->r->arena, fields, "dueTime", json_make_text(&p->r->arena, clock, strlen(clock)));
}

static void refer_field(
    struct refer_places *p, const struct refer_scope *s, struct json *fields, struct json *m, const struct path *path)
{
	int i = field_find(s->kind->resource, m->key, m->key_len);

	switch (i < 0 ? FIELD_TYPES : s->kind->resource->fields[i].type) {
	case FIELD_GROUPS:
		refer_objects(p, m, MCP_BIT(MCP_GROUP), path);
		break;
	case FIELD_COMPANIES:
		refer_objects(p, m, MCP_BIT(MCP_COMPANY), path);
		break;
	case FIELD_PEOPLE:
		refer_objects(p, m, MCP_BIT(MCP_PERSON), path);
		break;
	case FIELD_USERS:
		refer_objects(p, m, MCP_BIT(MCP_USER), path);
		break;
	case FIELD_ENTITY:
		refer_object(p, m, ENTITIES, path);
		break;
	case FIELD_DATE:
		refer_day(p, s, fields, m, path);
		break;
	case FIELD_TIME:
		words_replace(p->r, m, WORDS_TIME, WHEN_ANY, path, NULL);
		break;
	case FIELD_CUSTOM:
		refer_customs(p, s, m, path);
		break;
	default:
		break;
	}
}

static void refer_fields(
    struct refer_places *p, const struct refer_scope *s, struct json *fields, const struct path *path)
{
	for (struct json *m = refer_members(fields); m; m = m->next)
		refer_field(p, s, fields, m, refer_path_named(p, path, m->key));
}

/* --- arguments --------------------------------------------------------------------------------------- */

/* The kind that the call is about: its argument kind, or that of the record. */
static bool scope_find(struct refer_places *p, struct refer_scope *s)
{
	const struct json *kind = call_argument(p->r, "kind"), *id = call_argument(p->r, "id");
	unsigned allowed = call_of(p->r)->tool->kinds;
	const char *type = NULL;

	*s = (struct refer_scope){0};
	if (kind)
		s->kind = kind_named(p->r, kind->text, kind->len, allowed, &type);
	else if (id && id->type == JSON_STRING)
		s->kind = kind_of_id(id->text, id->len, allowed);
	scope_of_type(p, s, type);
	if (s->kind == &kinds[MCP_OBJECT] && !s->type)
		scope_of_object(p, s);
	return s->kind;
}

static void refer_argument(
    struct refer_places *p, const struct argument *a, const struct refer_scope *s, struct json *value)
{
	const struct path *path = refer_path_named(p, NULL, a->name);
	const char *clock = NULL;
	size_t n = 0;

	switch (a->type) {
	case ARGUMENT_FILTER:
		if (s->kind)
			refer_filter(p, s, value, path);
		break;
	case ARGUMENT_FIELDS:
		if (s->kind)
			refer_fields(p, s, value, path);
		break;
	case ARGUMENT_OBJECTS:
		for (struct json *item = s->kind ? refer_items(value) : NULL; item; item = item->next)
			refer_fields(p, s, item, refer_path_index(p, path, n++));
		break;
	case ARGUMENT_PASSED:
		if (s->kind)
			refer_field_name(p, s, value, path);
		break;
	case ARGUMENT_NAMES:
		if (s->kind)
			refer_field_name(p, s, value, path);
		for (struct json *item = s->kind ? refer_items(value) : NULL; item; item = item->next)
			refer_field_name(p, s, item, refer_path_index(p, path, n++));
		break;
	case ARGUMENT_DAY:
		words_replace(p->r, value, WORDS_DAY, WHEN_AHEAD, path, &clock);
		if (clock)
			json_attach(&p->r->arena, (struct json *)call_of(p->r)->arguments, "dueTime",
			    json_make_text(&p->r->arena, clock, strlen(clock)));
		break;
	case ARGUMENT_TIME:
		words_replace(p->r, value, WORDS_TIME, WHEN_ANY, path, NULL);
		break;
	case ARGUMENT_SINCE:
		words_replace(p->r, value, WORDS_START, WHEN_BEHIND, path, NULL);
		break;
	default:
		break;
	}
}

void refer_contents(struct refer_places *p)
{
	const struct tool_call *c = call_of(p->r);
	struct refer_scope s;

	scope_find(p, &s);
	for (int i = 0; i < ARGUMENTS_MAX && c->tool->arguments[i].name; i++) {
		struct json *value = json_member(c->arguments, c->tool->arguments[i].name);
		if (value)
			refer_argument(p, &c->tool->arguments[i], &s, value);
	}
}
