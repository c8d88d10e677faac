/* The kinds of records that tools use, and how each is found. */
#include "server/mcp/call.h"

#include <string.h>
#include <strings.h>

static const char *const note_members[] = {"entity", "createdAfter", "createdBefore", NULL};
static const char *const task_members[] = {"onlyAssignedToMe", NULL};
static const char *const reminder_members[] = {"entity", NULL};
static const char *const interaction_members[] = {"entity", "from", "to", "userId", NULL};
static const char *const no_members[] = {NULL};

const struct kind kinds[MCP_KINDS] = {
    [MCP_PERSON] = {"person", "people", &person_resource, "/v1/people", .text_param = "search", .searched = true,
        .sorted = true, .filters = &people_filters},
    [MCP_COMPANY] = {"company", "companies", &company_resource, "/v1/companies", .text_param = "search",
        .searched = true, .sorted = true, .filters = &company_filters},
    [MCP_OBJECT] = {"object", "objects", &object_resource, NULL, .text_param = "search", .searched = true,
        .sorted = true, .filters = &object_filters},
    [MCP_NOTE] = {"note", "notes", &note_resource, "/v1/notes", .text_param = "query", .members = note_members},
    [MCP_TASK] = {"task", "tasks", &task_resource, "/v1/tasks", .text_param = "search", .members = task_members,
        .sorted = true, .filters = &task_filters},
    [MCP_REMINDER] = {"reminder", "reminders", &reminder_resource, "/v1/reminders", .members = reminder_members},
    [MCP_INTERACTION] = {"interaction", "interactions", &interaction_resource, "/v1/interactions",
        .members = interaction_members},
    [MCP_USER] = {"user", "users", &user_resource, "/v1/users", .members = no_members},
    [MCP_GROUP] = {"group", "groups", &group_resource, "/v1/groups", .members = no_members},
};

static bool is_word(const char *word, const char *text, size_t len)
{
	return strlen(word) == len && strncasecmp(word, text, len) == 0;
}

/* "grp_…/Deal" */
static bool names_type(const char *text, size_t len)
{
	struct uuid group;

	return len > ID_LEN + 1 && text[ID_LEN] == '/' && id_parse(ID_GROUP, text, ID_LEN, &group);
}

/* True for "Deal" and "Sales/Deal". */
static bool type_is(const struct group *g, const struct object_type *t, const char *text, size_t len)
{
	size_t n = strlen(g->name);

	if (len > n && text[n] == '/' && is_word(g->name, text, n))
		return is_word(t->name, text + n + 1, len - n - 1);
	return is_word(t->name, text, len);
}

int kind_types(struct req *r, const char *text, size_t len, const char *found[], int most)
{
	const struct workspace *ws = r->caller.ws;
	char id[ID_SIZE];
	int n = 0;

	for (size_t i = 0; i < ws->n_groups && n < most; i++) {
		const struct group *g = &ws->groups[i];
		if (group_role(g, &r->caller.viewer) == ROLE_NONE)
			continue;
		for (size_t k = 0; k < g->n_types && n < most; k++)
			if (type_is(g, &g->types[k], text, len))
				found[n++] =
				    arena_printf(&r->arena, "%s/%s", id_format(ID_GROUP, &g->id, id), g->types[k].name);
	}
	return n;
}

bool kind_type_exists(struct req *r, const char *type)
{
	const struct group *g;
	struct uuid id;

	if (!names_type(type, strlen(type)) || !id_parse(ID_GROUP, type, ID_LEN, &id))
		return false;
	g = visible_group(r->caller.ws, &id, &r->caller.viewer);
	return g && group_type(g, type + ID_LEN + 1, strlen(type) - ID_LEN - 1);
}

const struct kind *kind_word(const char *text, size_t len, unsigned allowed)
{
	for (int i = 0; i < MCP_KINDS; i++)
		if (allowed & MCP_BIT(i) && i != MCP_OBJECT &&
		    (is_word(kinds[i].name, text, len) || is_word(kinds[i].plural, text, len)))
			return &kinds[i];
	return NULL;
}

const struct kind *kind_named(struct req *r, const char *text, size_t len, unsigned allowed, const char **type)
{
	const struct kind *kind = kind_word(text, len, allowed);
	const char *found[2];

	*type = NULL;
	if (kind || !(allowed & MCP_BIT(MCP_OBJECT)))
		return kind;
	if (names_type(text, len))
		*type = text;
	else if (kind_types(r, text, len, found, 2) == 1)
		*type = found[0];
	return *type ? &kinds[MCP_OBJECT] : NULL;
}

const struct kind *kind_of_id(const char *text, size_t len, unsigned allowed)
{
	enum id_kind id_kind;
	struct uuid id;

	if (!id_parse_any(text, len, &id_kind, &id))
		return NULL;
	for (int i = 0; i < MCP_KINDS; i++)
		if (allowed & MCP_BIT(i) && kinds[i].resource->id_kind == id_kind)
			return &kinds[i];
	return NULL;
}

void kind_names(unsigned allowed, const char *names[MCP_KINDS + 1])
{
	int n = 0;

	for (int i = 0; i < MCP_KINDS; i++)
		if (allowed & MCP_BIT(i))
			names[n++] = i == MCP_OBJECT ? "<group id>/<object type>" : kinds[i].plural;
	names[n] = NULL;
}
