/* The kinds of records that tools use, and how each is found. */
#include "server/mcp/call.h"

#include <string.h>

static const char *const note_members[] = {"entity", "createdAfter", "createdBefore", NULL};
static const char *const task_members[] = {"onlyAssignedToMe", NULL};
static const char *const reminder_members[] = {"entity", NULL};
static const char *const interaction_members[] = {"entity", "from", "to", "userId", NULL};
static const char *const no_members[] = {NULL};

const struct kind kinds[MCP_KINDS] = {
    [MCP_PERSON] = {"person", "people", ID_PERSON, "/v1/people", .text_param = "search", .searched = true},
    [MCP_COMPANY] = {"company", "companies", ID_COMPANY, "/v1/companies", .text_param = "search", .searched = true},
    [MCP_OBJECT] = {"object", "objects", ID_OBJECT, NULL, .text_param = "search", .searched = true},
    [MCP_NOTE] = {"note", "notes", ID_NOTE, "/v1/notes", .text_param = "query", .members = note_members},
    [MCP_TASK] = {"task", "tasks", ID_TASK, "/v1/tasks", .text_param = "search", .members = task_members,
        .filters = true},
    [MCP_REMINDER] = {"reminder", "reminders", ID_REMINDER, "/v1/reminders", .members = reminder_members},
    [MCP_INTERACTION] = {"interaction", "interactions", ID_INTERACTION, "/v1/interactions",
        .members = interaction_members},
    [MCP_USER] = {"user", "users", ID_USER, "/v1/users", .members = no_members},
    [MCP_GROUP] = {"group", "groups", ID_GROUP, "/v1/groups", .members = no_members},
};

static bool is_word(const char *word, const char *text, size_t len)
{
	return strlen(word) == len && memcmp(word, text, len) == 0;
}

/* "grp_…/Deal" */
static bool names_type(const char *text, size_t len)
{
	struct uuid group;

	return len > ID_LEN + 1 && text[ID_LEN] == '/' && id_parse(ID_GROUP, text, ID_LEN, &group);
}

const struct kind *kind_named(const char *text, size_t len, unsigned allowed, const char **type)
{
	*type = NULL;
	if (allowed & MCP_BIT(MCP_OBJECT) && names_type(text, len)) {
		*type = text;
		return &kinds[MCP_OBJECT];
	}
	for (int i = 0; i < MCP_KINDS; i++)
		if (allowed & MCP_BIT(i) && i != MCP_OBJECT &&
		    (is_word(kinds[i].name, text, len) || is_word(kinds[i].plural, text, len)))
			return &kinds[i];
	return NULL;
}

const struct kind *kind_of_id(const char *text, size_t len, unsigned allowed)
{
	enum id_kind id_kind;
	struct uuid id;

	if (!id_parse_any(text, len, &id_kind, &id))
		return NULL;
	for (int i = 0; i < MCP_KINDS; i++)
		if (allowed & MCP_BIT(i) && kinds[i].id_kind == id_kind)
			return &kinds[i];
	return NULL;
}

void kind_names(unsigned allowed, const char *names[MCP_KINDS + 1])
{
	int n = 0;

	for (int i = 0; i < MCP_KINDS; i++)
		if (allowed & MCP_BIT(i))
			names[n++] = i == MCP_OBJECT ? "<group id>/<object type>" : kinds[i].name;
	names[n] = NULL;
}
