/* The data of the isolation suite: see isolation.h. */
#include <string.h>

#include "test/lib/model/isolation.h"

#define ENTITY "\"entity\": {\"id\": \"{{person}}\"}"
#define GROUPS "\"groups\": [{\"id\": \"{{group}}\"}]"
#define RULE "\"recurrenceRule\": \"DTSTART;TZID=Europe/Berlin:20300105T090000\\nRRULE:FREQ=WEEKLY;INTERVAL=1\""
#define WEBHOOK(filter)                                                                                                \
	"{\"name\": \"{{open}}\", \"targetUrl\": \"http://127.0.0.1:9/{{open}}\", \"subscribedEvents\": "              \
	"[{\"eventType\": \"object.created\", \"filter\": " filter "}]}"
#define TYPE "/v1/groups/{groupId}/{objectType}"
#define FIELDS "/v1/groups/{groupId}/custom-fields/{entityType}"

const struct seed seeds[] = {{"group", "POST /v1/groups", "{\"name\": \"{{canary}}\", \"visibility\": \"private\"}"},
    {NULL, "DELETE /v1/groups/{groupId}"},
    {"group", "POST /v1/groups", "{\"name\": \"{{canary}}\", \"visibility\": \"{{visibility}}\"}"},
    {"company", "POST /v1/companies", "{\"name\": \"{{open}}\", \"description\": \"{{open}}\"}", .open = true},
    {"person", "POST /v1/people",
        "{\"firstName\": \"{{open}}\", \"emails\": [\"{{open}}@example.com\"], \"companies\": [{\"id\": "
        "\"{{company}}\"}], " GROUPS "}",
        .open = true},
    {NULL, "PATCH /v1/companies/{companyId}", "{" GROUPS "}"},
    {NULL, "POST " FIELDS, "{\"name\": \"{{field}}\", \"type\": \"textField\"}"},
    {NULL, "PATCH /v1/people/{personId}", "{\"customFieldValues\": {\"{{group}}\": {\"{{field}}\": \"{{canary}}\"}}}"},
    {NULL, "POST /v1/groups/{groupId}/object-types", "{\"name\": \"{{type}}\"}"},
    {"object", "POST " TYPE,
        "{\"name\": \"{{canary}}\", \"people\": [{\"id\": \"{{person}}\"}], \"companies\": [{\"id\": "
        "\"{{company}}\"}]}"},
    {"note", "POST /v1/notes", "{" ENTITY ", \"content\": \"{{canary}}\", \"visibility\": \"{{visibility}}\"}"},
    {"task", "POST /v1/tasks",
        "{" ENTITY ", \"title\": \"{{canary}}\", \"dueAt\": \"2030-01-01\", \"isPublic\": {{isPublic}}}"},
    {"reminder", "POST /v1/reminders",
        "{" ENTITY ", \"name\": \"{{canary}}\", " RULE ", \"visibility\": \"{{visibility}}\"{{assigned}}}"},
    {"interaction", "POST /v1/interactions",
        "{" ENTITY ", \"title\": \"{{open}}\", \"content\": \"{{open}}\", \"dateTime\": \"2026-01-01T00:00:00.000Z\", "
        "\"activityType\": \"call\"}",
        .open = true},
    {"webhook", "POST /v1/webhooks", WEBHOOK("{}"), .open = true}, {NULL, "DELETE /v1/webhooks/{webhookId}"},
    {"webhook", "POST /v1/webhooks", WEBHOOK("{\"groupId\": \"{{group}}\", \"objectType\": \"{{type}}\"}"),
        .open = true},
    {"delivery", "POST /v1/webhooks/{webhookId}/test", "{}", .open = true},
    {"key", "POST /v1/keys", "{\"name\": \"{{canary}}\"}"},
    {"view", "POST /v1/views",
        "{\"name\": \"{{canary}}\", \"kind\": \"people\", \"visibility\": \"public\", \"query\": {\"filter\": "
        "{\"groups\": {\"in\": {\"id\": \"{{group}}\"}}}}}"},
    {0}};

const struct seed victims[] = {{"victim", "POST /v1/people", "{\"firstName\": \"victim\"}"},
    {"victim_company", "POST /v1/companies", "{}"}, {"victim_object", "POST " TYPE, "{\"name\": \"victim\"}"}, {0}};

const struct isolation_sample samples[] = {{"GET /v1/people", "limit=100&count=exact"},
    {"GET /v1/people", "search={{open}}"}, {"GET /v1/search", "q={{canary}}"},
    {"GET /v1/search", "q={{open}}&kinds=people,companies,objects,notes,tasks"},
    {"GET /v1/people", "filter[groups][in][id]={{group}}"},
    {"GET /v1/people", "filter[customFieldValues.{{group}}.{{field}}][not_empty]"},
    {"GET /v1/people", "filter[groups][in][id]={{group}}&filter[companies][in][id]={{company}}&combinator=or"},
    {"POST /v1/people", NULL,
        "{\"firstName\": \"{{open}}\", " GROUPS
        ", \"companies\": [{\"id\": \"{{company}}\"}], \"customFieldValues\": {}}"},
    {"PATCH /v1/people/{personId}", NULL, "{\"jobTitle\": \"{{open}}\"}"},
    {"PATCH /v1/people/{personId}", NULL, "{" GROUPS ", \"companies\": [{\"id\": \"{{company}}\"}]}"},
    {"PATCH /v1/people/{personId}", NULL, "{\"companies\": [{\"name\": \"{{open}}\"}]}"},
    {"PATCH /v1/people/{personId}", NULL, "{\"customFieldValues\": {\"{{group}}\": {\"{{field}}\": \"x\"}}}"},
    {"POST /v1/people/search", NULL,
        "{\"filter\": {\"or\": [{\"groups\": {\"in\": {\"id\": \"{{group}}\"}}}, {\"companies\": {\"in\": {\"id\": "
        "\"{{company}}\"}}}, {\"createdBy\": {\"in\": {\"email\": \"{{email}}\"}}}]}}"},
    {"POST /v1/people/search", NULL,
        "{\"filter\": {\"customFieldValues.{{group}}.{{field}}\": {\"not_empty\": true}}}"},
    {"GET /v1/people/aggregate", "groupBy=groups,companies&measures=max:birthday&filter[groups][in][id]={{group}}"},
    {"POST /v1/people/aggregate", NULL,
        "{\"groupBy\": [\"createdBy\", \"groups\"], \"measures\": \"max:birthday\", \"filter\": {\"companies\": "
        "{\"in\": {\"id\": "
        "\"{{company}}\"}}}}"},
    {"POST /v1/people/search", NULL, "{\"search\": \"{{open}}\"}"}, {"GET /v1/people/aggregate", "search={{open}}"},
    {"POST /v1/people/aggregate", NULL, "{\"search\": \"{{open}}\"}"},
    {"POST /v1/people/aggregate", NULL,
        "{\"filter\": {\"customFieldValues.{{group}}.{{field}}\": {\"not_empty\": true}}}"},
    {"GET /v1/companies", "search={{open}}"}, {"POST /v1/companies/search", NULL, "{\"search\": \"{{open}}\"}"},
    {"GET /v1/companies/aggregate", "search={{open}}"},
    {"POST /v1/companies/aggregate", NULL, "{\"search\": \"{{open}}\"}"}, {"GET /v1/tasks", "search={{canary}}"},
    {"GET /v1/tasks/aggregate", "search={{canary}}"},
    {"POST /v1/tasks/aggregate", NULL, "{\"search\": \"{{canary}}\"}"},
    {"GET /v1/companies/aggregate", "groupBy=groups&measures=sum:fundingRaised&filter[groups][in][id]={{group}}"},
    {"POST /v1/companies/aggregate", NULL,
        "{\"groupBy\": [\"groups\", \"createdBy\"], \"measures\": [\"max:createdAt\"]}"},
    {"GET /v1/tasks/aggregate", "groupBy=assigneeUserId&measures=max:dueAt"},
    {"POST /v1/tasks/aggregate", NULL,
        "{\"groupBy\": [\"assigneeUserId\", \"dueAt:day\"], \"measures\": \"max:dueAt\"}"},
    {"POST /v1/people/batch/create", NULL,
        "{\"records\": [{\"firstName\": \"x\"}, {\"firstName\": \"y\", " GROUPS
        ", \"companies\": [{\"id\": \"{{company}}\"}]}]}"},
    {"POST /v1/people/batch/update", NULL,
        "{\"records\": [{\"id\": \"{{person}}\", \"jobTitle\": \"x\"}, {\"id\": \"{{person}}\", " GROUPS "}]}"},
    {"POST /v1/people/batch/upsert", NULL,
        "{\"match\": \"emails\", \"records\": [{\"emails\": [\"{{open}}@example.com\"], \"jobTitle\": \"x\"}, "
        "{\"emails\": [\"{{fresh}}@example.com\"], " GROUPS ", \"companies\": [{\"id\": \"{{company}}\"}]}]}"},
    {"POST /v1/people/batch/upsert", NULL,
        "{\"match\": \"customFieldValues.{{group}}.{{field}}\", \"records\": [{\"customFieldValues\": {\"{{group}}\": "
        "{\"{{field}}\": \"{{canary}}\"}}}]}"},
    {"POST /v1/people/batch/delete", NULL, "{\"records\": [{\"id\": \"{{victim}}\"}, {\"id\": \"{{person}}\"}]}"},
    {"POST /v1/people/{personId}/merge", NULL, "{\"id\": \"{{victim}}\"}"},
    {"GET /v1/companies", "limit=100&count=exact"}, {"GET /v1/companies", "filter[groups][in][id]={{group}}"},
    {"POST /v1/companies", NULL, "{\"name\": \"{{fresh}}\", " GROUPS "}"},
    {"PATCH /v1/companies/{companyId}", NULL, "{\"description\": \"{{open}}\", " GROUPS "}"},
    {"PATCH /v1/companies/{companyId}", NULL, "{\"name\": \"{{company_name}}\"}"},
    {"POST /v1/companies/search", NULL,
        "{\"filter\": {\"people.companies\": {\"in\": {\"id\": \"{{company}}\"}}, \"people.createdBy\": {\"in\": "
        "{\"id\": "
        "\"{{user}}\"}}}}"},
    {"POST /v1/companies/batch/create", NULL, "{\"records\": [{\"name\": \"{{fresh}}\"}, {" GROUPS "}]}"},
    {"POST /v1/companies/batch/update", NULL,
        "{\"records\": [{\"id\": \"{{company}}\", \"industry\": \"x\"}, {\"id\": \"{{company}}\", " GROUPS "}]}"},
    {"POST /v1/companies/batch/upsert", NULL,
        "{\"match\": \"name\", \"records\": [{\"name\": \"{{open}}\", \"industry\": \"x\"}, {\"name\": "
        "\"{{fresh}}\", " GROUPS "}]}"},
    {"POST /v1/companies/batch/delete", NULL,
        "{\"records\": [{\"id\": \"{{victim_company}}\"}, {\"id\": \"{{company}}\"}]}"},
    {"POST /v1/companies/{companyId}/merge", NULL, "{\"id\": \"{{victim_company}}\"}"},
    {"POST /v1/groups", NULL, "{\"name\": \"{{canary}}\", \"visibility\": \"{{visibility}}\"}"},
    {"PATCH /v1/groups/{groupId}", NULL, "{\"name\": \"{{canary}}\"}"},
    {"POST /v1/groups/{groupId}/members", NULL, "{\"id\": \"{{user}}\", \"role\": \"admin\"}"},
    {"PATCH /v1/groups/{groupId}/members/{userId}", NULL, "{\"role\": \"admin\"}"},
    {"POST " FIELDS, NULL, "{\"name\": \"{{fresh}}\", \"type\": \"userField\"}"},
    {"PATCH " FIELDS "/{customFieldName}", NULL, "{\"name\": \"{{same_field}}\"}"},
    {"POST /v1/groups/{groupId}/object-types", NULL, "{\"name\": \"{{fresh}}\"}"},
    {"PATCH /v1/groups/{groupId}/object-types/{objectType}", NULL, "{\"name\": \"{{same_type}}\"}"},
    {"PATCH /v1/groups/{groupId}/object-types/{name}", NULL, "{\"name\": \"{{same_type}}\"}"},
    {"DELETE /v1/groups/{groupId}/object-types/{objectType}", "force=true"},
    {"POST " TYPE, NULL,
        "{\"name\": \"x\", \"people\": [{\"id\": \"{{person}}\"}], \"companies\": [{\"id\": \"{{company}}\"}]}"},
    {"PATCH " TYPE "/{objectId}", NULL,
        "{\"people\": [{\"id\": \"{{person}}\"}], \"companies\": [{\"id\": \"{{company}}\"}]}"},
    {"GET " TYPE, "search={{canary}}"}, {"POST " TYPE "/search", NULL, "{\"search\": \"{{canary}}\"}"},
    {"GET " TYPE "/aggregate", "search={{canary}}"}, {"POST " TYPE "/aggregate", NULL, "{\"search\": \"{{canary}}\"}"},
    {"GET " TYPE "/aggregate", "groupBy=people,companies&measures=max:createdAt&filter[people][in][id]={{person}}"},
    {"POST " TYPE "/aggregate", NULL, "{\"groupBy\": [\"people\"], \"measures\": \"max:createdAt\"}"},
    {"POST " TYPE "/search", NULL, "{\"filter\": {\"people\": {\"all\": {\"id\": \"{{person}}\"}}}}"},
    {"GET " TYPE, "filter[people][in][id]={{person}}&count=exact"},
    {"POST " TYPE "/batch/create", NULL,
        "{\"records\": [{\"name\": \"x\"}, {\"name\": \"y\", \"people\": [{\"id\": \"{{person}}\"}]}]}"},
    {"POST " TYPE "/batch/update", NULL,
        "{\"records\": [{\"id\": \"{{object}}\", \"name\": \"{{canary}}\"}, {\"id\": \"{{object}}\", \"companies\": "
        "[{\"id\": \"{{company}}\"}]}]}"},
    {"POST " TYPE "/batch/upsert", NULL,
        "{\"match\": \"name\", \"records\": [{\"name\": \"{{canary}}\", \"people\": [{\"id\": \"{{person}}\"}]}, "
        "{\"name\": "
        "\"{{fresh}}\"}]}"},
    {"POST " TYPE "/batch/delete", NULL, "{\"records\": [{\"id\": \"{{victim_object}}\"}, {\"id\": \"{{object}}\"}]}"},
    {"GET /v1/events", "actor={{user}}&via=api&type=person.created&since=2026-01-01&until=2100-01-01"},
    {"GET /v1/notes", "entity.id={{person}}"}, {"GET /v1/notes", "query={{canary}}"},
    {"POST /v1/notes", NULL,
        "{" ENTITY ", \"content\": \"x\", \"visibility\": \"public\", \"parentNote\": {\"id\": \"{{note}}\"}}"},
    {"POST /v1/notes/batch/create", NULL,
        "{\"records\": [{" ENTITY ", \"content\": \"x\", \"visibility\": \"public\"}, {" ENTITY
        ", \"content\": \"x\", \"visibility\": \"public\", \"parentNote\": {\"id\": \"{{note}}\"}}]}"},
    {"PATCH /v1/notes/{noteId}", NULL, "{\"content\": \"{{canary}}\"}"}, {"GET /v1/tasks", "limit=100"},
    {"GET /v1/tasks", "filter[entity][in]={{person}}"}, {"GET /v1/tasks", "filter[assigneeUserId][in]={{user}}"},
    {"POST /v1/tasks", NULL,
        "{" ENTITY ", \"title\": \"x\", \"dueAt\": \"2030-01-01\", \"assignedUsers\": [{\"id\": \"{{user}}\"}]}"},
    {"POST /v1/tasks", NULL,
        "{" ENTITY ", \"title\": \"x\", \"dueAt\": \"2030-01-01\", \"assignedUsers\": [{\"email\": \"{{email}}\"}]}"},
    {"POST /v1/tasks/batch/create", NULL,
        "{\"records\": [{" ENTITY ", \"title\": \"x\", \"dueAt\": \"2030-01-01\"}, {" ENTITY
        ", \"title\": \"x\", \"dueAt\": \"2030-01-01\", \"assignedUsers\": [{\"id\": \"{{user}}\"}]}]}"},
    {"PATCH /v1/tasks/{taskId}", NULL, "{" ENTITY "}"},
    {"POST /v1/tasks/{taskId}/mark-as-done", NULL, "{\"completedAt\": \"2026-01-01T00:00:00.000Z\"}"},
    {"POST /v1/tasks/{taskId}/mark-as-todo", NULL, "{}"}, {"GET /v1/reminders", "entity.id={{person}}"},
    {"POST /v1/reminders", NULL,
        "{" ENTITY ", \"name\": \"x\", " RULE
        ", \"visibility\": \"public\", \"assignedUsers\": [{\"id\": \"{{user}}\"}]}"},
    {"PATCH /v1/reminders/{reminderId}", NULL, "{\"name\": \"{{canary}}\"}"},
    {"GET /v1/interactions", "entity.id={{person}}"}, {"GET /v1/interactions", "userId={{user}}"},
    {"GET /v1/interactions/past", "entity.id={{person}}"}, {"GET /v1/interactions/upcoming", "entity.id={{person}}"},
    {"GET /v1/interactions/{interactionId}", "entity.id={{person}}"},
    {"DELETE /v1/interactions/{interactionId}", "entity.id={{person}}"},
    {"POST /v1/interactions", NULL,
        "{" ENTITY ", \"title\": \"x\", \"dateTime\": \"2026-01-01T00:00:00.000Z\", \"activityType\": \"call\"}"},
    {"POST /v1/interactions/batch/create", NULL,
        "{\"records\": [{" ENTITY ", \"title\": \"x\", \"dateTime\": \"2026-01-01T00:00:00.000Z\", \"activityType\": "
        "\"call\"}]}"},
    {"PATCH /v1/interactions/{interactionId}", NULL, "{" ENTITY "}"}, {"GET /v1/keys", "limit=100"},
    {"POST /v1/keys", NULL, "{\"name\": \"x\", \"user\": {\"id\": \"{{user}}\"}}"},
    {"POST /v1/keys/{keyId}/rotate", NULL, "{\"formerExpiresAt\": \"2999-01-01T00:00:00.000Z\"}"},
    {"GET /v1/address-books", "limit=100"}, {"PATCH /v1/address-books/{addressBook}", NULL, "{\"shown\": true}"},
    {"GET /v1/users/accounts", "limit=100"}, {"POST /v1/users", NULL, "{\"email\": \"{{fresh}}@example.com\"}"},
    {"PATCH /v1/users/{userId}", NULL, "{\"timeZone\": \"Europe/Berlin\"}"},
    {"POST /v1/session/password", NULL,
        "{\"currentPassword\": \"eleven green llamas\", \"newPassword\": \"nine yellow yaks\"}"},
    {"POST /v1/webhooks", NULL, WEBHOOK("{\"groupId\": \"{{group}}\", \"objectType\": \"{{type}}\"}")},
    {"PATCH /v1/webhooks/{webhookId}", NULL, "{\"name\": \"x\"}"},
    {"POST /v1/webhooks/{webhookId}/recover", NULL, "{\"since\": \"{{since}}\"}"},
    {"GET /v1/webhooks/{webhookId}/deliveries", "state=pending"}, {"GET /v1/events", "limit=100"},
    {"GET /v1/views", "limit=100"}, {"GET /v1/views", "kind=objects&groupId={{group}}&objectType={{type}}"},
    {"POST /v1/views", NULL,
        "{\"name\": \"x\", \"kind\": \"people\", \"columns\": [\"customFieldValues.{{group}}.x\"]}"},
    {"POST /v1/views", NULL,
        "{\"name\": \"x\", \"kind\": \"objects\", \"groupId\": \"{{group}}\", \"objectType\": \"{{type}}\"}"},
    {"PATCH /v1/views/{viewId}", NULL, "{\"name\": \"{{canary}}\"}"}, {"GET /v1/events", "record={{person}}"},
    {"GET /v1/events", "record={{object}}"}, {"GET /v1/events", "record={{note}}"}, {"GET /v1/events/stream", "wait=0"},
    {"GET /v1/events/stream", "wait=0&record={{person}}"}, {"GET /v1/events/stream", "wait=0&record={{note}}"}, {0}};

const char *isolation_path_variable(const char *name, size_t len)
{
	static const struct {
		const char *parameter, *variable;
	} known[] = {
	    {"personId", "person"},
	    {"companyId", "company"},
	    {"groupId", "group"},
	    {"userId", "user"},
	    {"objectId", "object"},
	    {"taskId", "task"},
	    {"reminderId", "reminder"},
	    {"interactionId", "interaction"},
	    {"noteId", "note"},
	    {"webhookId", "webhook"},
	    {"deliveryId", "delivery"},
	    {"keyId", "key"},
	    {"grantId", "grant"},
	    {"viewId", "view"},
	    {"addressBook", "group"},
	    {"objectType", "type"},
	    {"name", "type"},
	    {"entityType", "entity_type"},
	    {"customFieldName", "field"},
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strlen(known[i].parameter) == len && memcmp(known[i].parameter, name, len) == 0)
			return known[i].variable;
	return NULL;
}
