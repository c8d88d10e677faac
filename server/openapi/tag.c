/* Tags of operations: one per kind of record. */
#include <string.h>

#include "server/openapi/document_private.h"

/* The first row that begins an operation's path counts. */
static const struct tag {
	const char *path, *name, *about;
} tags[] = {
    {"/v1/people", "People", "The people of a workspace: finding, writing and merging them, single or in batches."},
    {"/v1/companies", "Companies",
        "The companies of a workspace: finding, writing and merging them, single or in batches."},
    {"/v1/groups/{groupId}/members", "Group members", "Who may do what in a group."},
    {"/v1/groups/{groupId}/object-types", "Object types", "The kinds of objects that a group has, such as Deals."},
    {"/v1/groups/{groupId}/custom-fields", "Custom fields",
        "Fields that a group adds to its people, companies or objects."},
    {"/v1/groups/{groupId}/{objectType}", "Objects", "The objects of a type, such as the deals of a group."},
    {"/v1/groups", "Groups",
        "Groups of contacts, public or private, which have custom fields and objects of their own."},
    {"/v1/notes", "Notes", "Texts about a person, company or object, public or private."},
    {"/v1/tasks", "Tasks", "Things to do about a person, company or object, by when, and by whom."},
    {"/v1/reminders", "Reminders", "Times at which users are reminded of a person, company or object."},
    {"/v1/interactions", "Interactions", "Logged calls, meetings and messages with a person or company."},
    {"/v1/users", "Users", "The users of the workspace."},
    {"/v1/search", "Search", "The best matches among all kinds of records, for what people type."},
    {"/v1/views", "Views", "Saved lists, boards and charts, private or for everybody."},
    {"/v1/usage", "Usage", "How many requests the keys of a workspace make."},
    {"/v1/keys", "Keys", "Keys, sessions of browsers and passwords of devices: everybody's own, and all for admins."},
    {"/v1/session", "Session", "Who is signed in, and signing out."},
    {"/v1/grants", "Grants", "The applications that users have connected by OAuth."},
    {"/v1/events", "Events", "The changes of a workspace, in the order of their commits, for those who keep a copy."},
    {"/v1/webhooks", "Webhooks", "Addresses to which changes are posted, and the results."},
    {"/", "Service", "The server itself. Needs no key."},
};

enum { N_TAGS = sizeof tags / sizeof *tags };

static const struct tag *tag_of(const struct route *r)
{
	const struct tag *tag = tags;

	while (strncmp(tag->path, r->path, strlen(tag->path)) != 0)
		tag++;
	return tag;
}

const char *openapi_tag(const struct route *r)
{
	return tag_of(r)->name;
}

void openapi_tags(struct openapi_doc *d)
{
	openapi_put(d, "'tags':[");
	for (int i = 0; i < N_TAGS; i++) {
		openapi_put(d, "{");
		openapi_text(d, "name", tags[i].name);
		openapi_text(d, "description", tags[i].about);
		openapi_put(d, "},");
	}
	openapi_put(d, "],");
}
