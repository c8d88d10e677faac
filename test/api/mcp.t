# The Model Context Protocol: what answers with status 200. Other statuses are in mcp_refused.t.

# --- the protocol ----------------------------------------------------------------------

== a version that is known is agreed to
POST /mcp
{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
-- 200
Content-Type: application/json
X-Request-Id: <uuid>
!ETag
!Mcp-Session-Id
{"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
	"serverInfo": {"name": "kith", "title": "kith", "version": "<text>"}, "instructions": "<text>"}}

== in place of another one the newest is offered that begins so
@each 1999-01-01 2026-07-28 2030-01-01
POST /mcp {"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": "{{each}}"}}
-- 200 {"jsonrpc": "2.0", "id": "a", "result": {"protocolVersion": "2025-11-25", "...": 0}}

== a version is needed
POST /mcp {"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": 3}}
-- 200 {"jsonrpc": "2.0", "id": "a", "error": {"code": -32602, "message": "<has protocolVersion>"}}

== ids are repeated as they are
@rows body answer
| {"jsonrpc": "2.0", "id": -7.50e1, "method": "ping"}                                                    | -7.50e1    |
| {"id": "\u00e9\"\\ \n", "method": "ping", "jsonrpc": "2.0", "params": {"_meta": {"progressToken": 1}}} | "é\"\\ \n" |
| {"id": "", "method": "ping", "jsonrpc": "2.0"}                                                         | ""         |
POST /mcp
{{body}}
-- 200 {"jsonrpc": "2.0", "id": {{answer}}, "result": {}}

== unknown methods, and params that are not an object
@rows value answer
| "resources/subscribe"                   | -32601, "message": "<text>"       |
| "server/discover"                       | -32601, "message": "<text>"       |
| "notifications/initialized"             | -32601, "message": "<text>"       |
| "tools/list", "params": []              | -32602, "message": "<text>"       |
| "tools/list", "params": {"cursor": "x"} | -32602, "message": "<has cursor>" |
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": {{value}}} -- 200
{"jsonrpc": "2.0", "id": 1, "error": {"code": {{answer}}}}

== the tools
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
-- 200 {"jsonrpc": "2.0", "id": 1, "result": {"tools": [
	{"name": "describe", "...": 0},
	{"name": "search", "title": "Search", "description": "<has never orders>", "inputSchema": "<object>", "annotations": {"readOnlyHint": true, "openWorldHint": false}},
	{"name": "get", "...": 0}, {"name": "aggregate", "...": 0}, {"name": "duplicates", "...": 0}, {"name": "create", "annotations": {"destructiveHint": false, "openWorldHint": false}, "...": 0}, {"name": "update", "...": 0},
	{"name": "upsert", "...": 0}, {"name": "update_many", "...": 0}, {"name": "delete", "annotations": {"idempotentHint": true, "openWorldHint": false}, "...": 0},
	{"name": "merge", "...": 0}, {"name": "add_note", "...": 0}, {"name": "create_task", "...": 0}, {"name": "complete_task", "...": 0},
	{"name": "log_interaction", "...": 0}, {"name": "changes_since", "...": 0}]}}

== a key that may only read sees those that read
@readonly POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "tools/list"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "describe", "...": 0}, {"name": "search", "...": 0}, {"name": "get", "...": 0},
	{"name": "aggregate", "...": 0}, {"name": "duplicates", "...": 0}, {"name": "changes_since", "...": 0}]}}

# --- people, companies, objects --------------------------------------------------------

== a world to work with
@make g POST /v1/groups {"name": "Sales", "visibility": "public"}
POST /v1/groups/{{g}}/object-types {"name": "Big Deal/100%"}
POST /v1/groups/{{g}}/custom-fields/person
{"name": "Stage", "type": "singleSelect", "options": [{"label": "Lead"}, {"label": "Client"}]}
POST /v1/groups/{{g}}/custom-fields/Big%20Deal%2F100%25 {"name": "Value", "type": "numericField"}
-- 200

== what there is: kinds, users, groups with their types
CALL describe {} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "<has Big Deal/100%>"}], "structuredContent": {"data": {
	"now": "<time>", "you": {{ada}}, "kinds": ["people", "companies", "<text>", "notes", "tasks", "reminders", "interactions", "users"],
	"users": "<array>", "groups": [{"id": "{{g}}", "name": "Sales", "role": "admin", "kinds": ["{{g}}/Big Deal/100%"]}]}}}}

== the fields of a kind, of a type, of a group
CALL describe {"about": "person"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"kind": "people",
	"fields": {"firstName": "text", "gender": "one of Male, Female, Other", "birthday": "YYYY-MM-DD", "emails": "[text]", "companies": "[{id} or {name}]", "...": 0},
	"filters": {"eq, not_eq, like, not_like, empty, not_empty": ["fullName", "firstName", "lastName", "jobTitle", "emails", "phones", "urls", "description", "addresses"], "...": 0},
	"customFieldValues": {"{{g}}": {"group": "Sales", "fields": {"Stage": {"a label of": ["Lead", "Client"]}}}}}}}}
@rows name
| {{g}}/Big Deal/100% |
| big deal/100%       |
| sales/big deal/100% |
CALL describe {"about": "{{name}}"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"fields": {"name": "text", "people": "[{id}]", "companies": "[{id}]"}, "filters": "<object>",
	"types": [{"kind": "{{g}}/Big Deal/100%", "group": "Sales", "customFieldValues": {"Value": "number"}}]}}}}
@end
@each {{g}} sales
CALL describe {"about": "{{each}}"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"id": "{{g}}", "name": "Sales", "visibility": "public", "role": "admin",
	"people": {"Stage": {"a label of": ["Lead", "Client"]}}, "types": [{"kind": "{{g}}/Big Deal/100%", "group": "Sales", "customFieldValues": {"Value": "number"}}]}}}}
@end
CALL describe {"about": "search"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"tool": "search", "does": "<text>", "arguments": {"filter": "<has onlyAssignedToMe>", "...": 0}, "examples": "<array>"}}}}
CALL describe {"about": "poeple"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has did you mean `people`>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["about"], "...": 0}]}}}

== a person is created, found, shown and changed
POST /mcp (MCP-Protocol-Version: 2025-11-25)
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create", "arguments": {"kind": "person", "fields":
	{"firstName": "Ada", "lastName": "Lovelace", "emails": ["ada@analytical.example"], "jobTitle": "Analyst", "groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {"Stage": "Lead"}}}}}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "<has \"fullName\":\"Ada Lovelace\">"}],
	"structuredContent": {"data": {"id": "<text>", "firstName": "Ada", "lastName": "Lovelace", "fullName": "Ada Lovelace", "emails": ["ada@analytical.example"], "jobTitle": "Analyst",
		"groups": [{"id": "{{g}}", "name": "Sales"}], "customFieldValues": {"{{g}}": {"Stage": "Lead"}}, "createdAt": "<time>", "createdBy": {{ada}}, "updatedAt": "<time>"}, "etag": "<text>"}}}
> ada_person = result.structuredContent.data.id
CALL search {"kind": "people", "text": " analyst  LOVE "} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{"id": "{{ada_person}}", "...": 0}]}}}}
CALL search {"kind": "person", "text": "ada nobody"}
POST /mcp (MCP-Protocol-Version: 2025-11-25)
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {"kind": "person", "text": "ada",
	"filter": {"and": [{"customFieldValues.{{g}}.Stage": {"in": ["Client"]}}]}}}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": []}}}}
CALL get {"id": "{{ada_person}}"} -- 200 (!ETag)
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "<text>"}], "structuredContent": {"data": {"id": "{{ada_person}}", "...": 0}, "etag": "<text>"}}}
> tag = result.structuredContent.etag
CALL update {"id": "{{ada_person}}", "fields": {"jobTitle": "Countess"}, "ifMatch": {{json tag}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "<text>"}], "structuredContent": {"data": {"jobTitle": "Countess", "...": 0}, "etag": "<text>"}}}
> tag2 = result.structuredContent.etag

== a text is also the name of a company or a telephone number; words have any order
@make grace POST /v1/people
{"firstName": "Grace", "companies": [{"name": "Flow Matic"}], "phones": ["+1 (555) 0100-7"], "jobTitle": "One of the very first there were"}
> flow = data.companies.0.id
@rows value answer
| "people", "text": "grace matic"               | {"id": "{{grace}}", "...": 0}    |
| "people", "text": "1555 01007"                | {"id": "{{grace}}", "...": 0}    |
| "people", "text": " of the very first THERE " | {"id": "{{grace}}", "...": 0}    |
| "people", "text": "there first very the of"   | {"id": "{{grace}}", "...": 0}    |
| "people", "text": "\"there first\""               |                                  |
| "companies", "text": " \t "                   | {"name": "Flow Matic", "...": 0} |
CALL search {"kind": {{value}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{{answer}}]}}}}
@end
DELETE /v1/people/{{grace}}
DELETE /v1/companies/{{flow}}
-- 200

== what somebody else has changed is not overwritten
CALL update {"id": "{{ada_person}}", "fields": {"jobTitle": "Queen"}, "ifMatch": {{json tag}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has get it again>"}], "_meta": {"status": 412, "code": "PRECONDITION_FAILED", "requestId": "<uuid>"}}}
GET /v1/people/{{ada_person}} -- 200 {"data": {"jobTitle": "Countess", "...": 0}}

== a header If-Match, Idempotency-Key or X-API-Version of the carrying request means nothing
POST /mcp
If-Match: "x"
X-API-Version: 1999-01-01
Idempotency-Key: of the request, and no good
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "update", "arguments": {"id": "{{ada_person}}", "fields": {"jobTitle": "Analyst"}}}}
-- 200 {"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "...": 0}}
GET /v1/people/{{ada_person}} -- 200 {"data": {"jobTitle": "Analyst", "...": 0}}

== objects by the kind that describe shows, then only by their id
POST /mcp (MCP-Protocol-Version: 2025-11-25)
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create", "arguments": {"kind": "{{g}}/Big Deal/100%", "fields":
	{"name": "Engine", "people": [{"id": "{{ada_person}}"}], "customFieldValues": {"Value": 12.5}}}}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"id": "<text>", "name": "Engine",
	"people": [{"id": "{{ada_person}}", "fullName": "Ada Lovelace"}], "customFieldValues": {"Value": "12.5"}, "...": 0}, "etag": "<text>"}}}
> deal = result.structuredContent.data.id
CALL search {"kind": "{{g}}/Big Deal/100%", "filter": {"customFieldValues.Value": {"gt": 12}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{"id": "{{deal}}", "...": 0}]}}}}
CALL get {"id": "{{deal}}"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"name": "Engine", "...": 0}, "etag": "<text>"}}}
CALL update {"id": "{{deal}}", "fields": {"name": "Difference Engine"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"name": "Difference Engine", "...": 0}, "etag": "<text>"}}}

== others see nothing of a private group's objects, by the same answer as for what does not exist
@make p POST /v1/groups {"name": "Secret", "visibility": "private"}
POST /v1/groups/{{p}}/object-types {"name": "Deal"} -- 200
@make hidden POST /v1/groups/{{p}}/Deal {"name": "Hidden"}
@rows key value answer
| bob   | "{{hidden}}"     | "code": "RESOURCE_NOT_FOUND", "requestId": "<uuid>" |
| other | "{{deal}}"       | "...": 0                                            |
| other | "{{ada_person}}" | "...": 0                                            |
@{{key}} CALL get {"id": {{value}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<starts Resource not found>"}], "_meta": {"status": 404, {{answer}}}}}

== nor do those of another workspace change anything
@rows value answer
| "update", "arguments": {"id": "{{ada_person}}", "fields": {"firstName": "Eve"}} | "<array>", "_meta": {"status": 404, "...": 0} |
| "delete", "arguments": {"id": "{{deal}}", "dryRun": false} | "<array>", "_meta": {"status": 404, "...": 0} |
| "add_note", "arguments": {"entity": "{{ada_person}}", "content": "x"} | [{"type": "text", "text": "<has entity>"}], "_meta": {"status": 422, "...": 0} |
@other POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": {{value}}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": {{answer}}}}
@end
@other CALL search {"kind": "people"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": []}}}}
@other CALL search {"kind": "{{g}}/Big Deal/100%"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": "<array>", "_meta": {"status": 404, "...": 0}}}

== deletes are tried first
CALL delete {"id": "{{deal}}"} -- 200 (X-Dry-Run: true)
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "<text>"}, {"type": "text", "text": "<has dryRun false>"}],
	"structuredContent": {"data": {"id": "{{deal}}"}, "dryRun": true}}}
CALL delete {"id": "{{deal}}", "dryRun": true} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"id": "{{deal}}"}, "dryRun": true}}}
CALL delete {"id": "{{deal}}", "dryRun": false} -- 200 (!X-Dry-Run)
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "<text>"}], "structuredContent": {"data": {"id": "{{deal}}"}, "dryRun": false}}}
CALL delete {"id": "{{deal}}", "dryRun": false} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": "<array>", "_meta": {"status": 404, "...": 0}}}

== a merge is tried first; the id that is gone leads to the other
@make twin POST /v1/people {"fullName": "A. Lovelace", "emails": ["countess@example.com"]}
CALL merge {"id": "{{ada_person}}", "other": "{{twin}}"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"id": "{{ada_person}}",
	"emails": ["ada@analytical.example", "countess@example.com"], "...": 0}, "etag": "<text>", "dryRun": true}}}
GET /v1/people/{{twin}} -- 200
CALL merge {"id": "{{ada_person}}", "other": "{{twin}}", "dryRun": false} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"id": "{{ada_person}}", "...": 0}, "etag": "<text>", "dryRun": false}}}
CALL get {"id": "{{twin}}"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has {{ada_person}}>"}], "_meta": {"status": 404, "...": 0}}}

# --- notes, tasks, interactions, changes ------------------------------------------------

== where the changes begin
CALL changes_since {"since": "9999-01-01"} -- 200
> from = result.structuredContent.data.cursor

== a note, by an entity in either form
CALL add_note {"entity": "{{ada_person}}", "content": "Talked about looms"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"content": "Talked about looms", "visibility": "public", "...": 0}, "etag": "<text>"}}}
> note = result.structuredContent.data.id
CALL add_note {"entity": {"id": "{{ada_person}}"}, "content": "Mine alone", "visibility": "private"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"visibility": "private", "...": 0}, "etag": "<text>"}}}
CALL search {"kind": "notes", "text": "looms", "filter": {"entity": "{{ada_person}}", "createdAfter": "2020-01-01"}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{"id": "{{note}}", "...": 0}]}}}}

== a task is made, found, and done
CALL create_task {"entity": "{{ada_person}}", "title": "Call", "dueAt": "2030-01-31", "assignedUsers": [{"email": "{{bob_email}}"}]}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"title": "Call", "assignedUsers": [{{bob}}], "...": 0}, "etag": "<text>"}}}
> task = result.structuredContent.data.id
CALL search {"kind": "task", "filter": {"entity": "{{ada_person}}", "dueAt": {"gt": "2030-01-30", "lt": "2030-02-01"}, "completedAt": {"empty": true}}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{"id": "{{task}}", "...": 0}]}}}}
CALL complete_task {"id": "{{task}}"}, "_meta": {"idempotencyKey": "done-1"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"id": "{{task}}", "completedAt": "<time>", "...": 0}, "etag": "<text>"}}}
> done = result.structuredContent.data.completedAt

== a retry with its key is the same answer, whatever the time
POST /mcp (MCP-Protocol-Version: 2025-11-25)
{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "complete_task", "arguments": {"id": "{{task}}"}, "_meta": {"idempotencyKey": "done-1"}}}
-- 200 (Idempotent-Replayed: true)
{"jsonrpc": "2.0", "id": 2, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"id": "{{task}}", "completedAt": "{{done}}", "...": 0}, "etag": "<text>"}, "_meta": {"idempotentReplayed": true}}}

== an interaction is logged, and found
CALL log_interaction {"entity": "{{ada_person}}", "dateTime": "2026-01-31T09:30:00Z", "activityType": "call", "title": "First call", "content": "Looms"}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"title": "First call", "activityType": "call", "...": 0}}}}
> interaction = result.structuredContent.data.id
CALL search {"kind": "interactions", "filter": {"entity": "{{ada_person}}", "from": "2026-01-01", "userId": "{{ada_id}}"}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{"id": "{{interaction}}", "...": 0}]}}}}

== users can be found, to be given tasks; next has the arguments of the call that continues
CALL search {"limit": 2, "kind": "users"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "<has cursor>"}], "structuredContent": {"data": {"items": ["<any>", {{ada}}]}, "next": {"limit": 2, "kind": "users", "cursor": "<text>"}}}}

== changes since a cursor, page by page
@poll 5 CALL changes_since {"cursor": "{{from}}", "limit": 2} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": ["<any>", "<any>"], "cursor": "<text>"}, "next": "<object>"}}}
> next = result.structuredContent.data.cursor
CALL changes_since {"cursor": "{{next}}", "limit": 1} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": ["<any>"], "cursor": "<not {{next}}>"}, "...": 0}}}

== changes since a time, by whom, and what was before
POST /mcp (MCP-Protocol-Version: 2025-11-25) {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create", "arguments": {"kind": "company", "fields": {"name": "Before"}}}}
-- 200
> changed = result.structuredContent.data.id
# at least a millisecond later
@repeat 20 GET /v1/companies/{{changed}} -- 200
PATCH /v1/companies/{{changed}} {"name": "After"} -- 200
@poll 5 GET /v1/events?record={{changed}} -- 200
{"data": {"items": [{"type": "company.created", "...": 0}, {"type": "company.updated", "...": 0}], "...": 0}}
> updated_at = data.items.1.createdAt
@poll 5 CALL changes_since {"since": "{{updated_at}}", "limit": 1} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [
	{"type": "company.updated", "actor": {"type": "user", "id": "{{ada_id}}", "via": "api", "...": 0},
		"data": {"changes": [{"path": ["name"], "type": "set", "value": "After", "previous": "Before"}], "...": 0}, "...": 0}],
	"cursor": "<text>"}, "...": 0}}}
CALL changes_since {"since": "9999-01-01"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [], "cursor": "<text>"}}}}
# a cursor takes precedence
CALL changes_since {"cursor": "{{next}}", "since": "9999-01-01", "limit": 1} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": ["<any>"], "cursor": "<text>"}, "...": 0}}}
@rows value
| "soon" |
| 5           |
CALL changes_since {"since": {{value}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has since>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["since"], "...": 0}]}}}
@end
DELETE /v1/companies/{{changed}} -- 200

== pages of a search
@make one POST /v1/companies {"name": "One"}
@make two POST /v1/companies {"name": "Two"}
CALL search {"kind": "company", "limit": 1} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{"id": "{{one}}", "...": 0}]}, "next": {"kind": "company", "limit": 1, "cursor": "<text>"}}}}
> cursor = result.structuredContent.next.cursor
CALL search {"kind": "company", "limit": 1, "cursor": "{{cursor}}"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{"id": "{{two}}", "...": 0}]}}}}
CALL search {"kind": "people", "limit": 1, "cursor": "{{cursor}}"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has cursor>"}], "_meta": {"status": 422, "...": 0}}}

# --- idempotency ------------------------------------------------------------------------

== a key does a thing once, whether by a tool or by the API
CALL create {"kind": "person", "fields": {"firstName": "Once"}}, "_meta": {"idempotencyKey": "once-1"} -- 200
> once = result.structuredContent.data.id
POST /mcp (MCP-Protocol-Version: 2025-11-25)
{"jsonrpc": "2.0", "id": "again", "method": "tools/call", "params": {"_meta": {"idempotencyKey": "once-1"}, "arguments": {"fields": {"firstName": "Once"}, "kind": "people"}, "name": "create"}}
-- 200 (Idempotent-Replayed: true)
{"jsonrpc": "2.0", "id": "again", "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"id": "{{once}}", "...": 0}, "etag": "<text>"}, "_meta": {"idempotentReplayed": true}}}
POST /v1/people (Idempotency-Key: once-1) {"firstName": "Once"} -- 200 (Idempotent-Replayed: true)
{"data": {"id": "{{once}}", "...": 0}}
CALL create {"kind": "person", "fields": {"firstName": "Twice"}}, "_meta": {"idempotencyKey": "once-1"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has new idempotencyKey>"}], "_meta": {"status": 422, "code": "IDEMPOTENCY_KEY_REUSED", "requestId": "<uuid>"}}}
CALL create {"kind": "person", "fields": {}}, "_meta": {"idempotencyKey": "not good"}
CALL create {"kind": "person", "fields": {}}, "_meta": {"idempotencyKey": "cut\u0000off"}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": "<array>", "_meta": {"status": 400, "code": "IDEMPOTENCY_KEY_INVALID", "requestId": "<uuid>"}}}
CALL create {"kind": "person", "fields": {}}, "_meta": {"idempotencyKey": 5} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has idempotencyKey>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["_meta", "idempotencyKey"], "...": 0}]}}}

# --- what is wrong ----------------------------------------------------------------------

== unknown tools
@rows body answer
| , "params": {"name": "drop_tables", "arguments": {}} | "<has log_interaction>" |
| , "params": {"name": ["get"]}                        | "<starts Unknown tool>" |
|                                                      | "<starts Unknown tool>" |
POST /mcp (MCP-Protocol-Version: 2025-11-25) {"jsonrpc": "2.0", "id": 1, "method": "tools/call"{{body}}} -- 200
{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": {{answer}}}}
@end
POST /mcp (MCP-Protocol-Version: 2025-11-25) {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get", "arguments": "{}"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has arguments>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["arguments"], "...": 0}]}}}

== arguments that break the schema: each is listed
CALL search {"kind": "aliens", "text": 5, "filter": [], "limit": "10", "cursor": {}, "limt": 1} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has limt>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [
	{"code": "invalid_enum_value", "path": ["kind"], "...": 0}, {"code": "invalid_type", "path": ["text"], "...": 0}, {"code": "invalid_type", "path": ["filter"], "...": 0},
	{"code": "invalid_type", "path": ["limit"], "...": 0}, {"code": "invalid_type", "path": ["cursor"], "...": 0}, {"code": "unrecognized_keys", "path": [], "...": 0}]}}}
CALL search {"kind": "people", "text": "<repeat a 201>", "cursor": "<repeat a 512>"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has text>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"code": "too_big", "path": ["text"], "...": 0}]}}}
CALL changes_since {"cursor": "<repeat a 513>"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has cursor>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"code": "too_big", "path": ["cursor"], "...": 0}]}}}
CALL search {"kind": "people", "limit": 101} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has limit>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"code": "too_big", "path": ["limit"], "...": 0}]}}}
CALL search {"kind": "notes", "limit": 0} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has limit>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"code": "too_small", "path": ["limit"], "...": 0}]}}}
CALL get {} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has id: Required>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"code": "invalid_type", "path": ["id"], "...": 0}]}}}
@rows value answer
| "complete_task", "arguments": {"id": "{{ada_person}}"}                                | "<has tsk_>"    |
| "delete", "arguments": {"id": "{{ada_person}}", "dryRun": "false"}                    | "<has dryRun>"  |
| "delete", "arguments": {"id": "{{ada_person}}", "dryRun": null}                       | "<has dryRun>"  |
| "update", "arguments": {"id": "{{ada_person}}", "fields": {}, "ifMatch": "two words"} | "<has ifMatch>" |
POST /mcp (MCP-Protocol-Version: 2025-11-25) {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": {{value}}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": {{answer}}}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": "<array>"}}}
@end
CALL add_note {"entity": 5} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has entity>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": ["<any>", {"path": ["content"], "...": 0}]}}}

== fields are checked as in the API, with its hints
CALL create {"kind": "person", "fields": {"emails": "ada@example.com", "firstNam": "Ada"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has fields.emails>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["fields", "emails"], "...": 0}, {"path": ["fields"], "hint": "<has firstName>", "...": 0}]}}}
@rows value answer
| "people", "filter": {"email": {"eq": "x"}}           | "<has emails>" |
| "notes", "filter": {"entty": "{{ada_person}}"}       | "<has entity>" |
| "tasks", "filter": {"dueAt": {"near": "2026-01-31"}} | "<has near>"   |
CALL search {"kind": {{value}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": {{answer}}}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": "<array>"}}}

== what is empty in a filter is refused as by the API, not left out
CALL search {"kind": "tasks", "filter": {"dueAtt": {}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has did you mean `dueAt`>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": "<array>"}}}
CALL search {"kind": "tasks", "filter": {"dueAt": {"gt": []}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has filter.dueAt.gt>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": "<array>"}}}
CALL search {"kind": "tasks", "filter": {"<repeat k 20000>": {"a": {}, "b": {}}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has too long>"}], "_meta": {"status": 422, "...": 0}}}
CALL search {"kind": "notes", "filter": {"entity": {"id": "{{ada_person}}"}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has filter.entity: Expected string>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": "<array>"}}}

== issues name the arguments of the tool, whatever the API calls them
CALL search {"kind": "notes", "filter": {"createdAfter": "x", "entity": "per_y"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has filter.entity: >"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["filter", "createdAfter"], "...": 0}, {"path": ["filter", "entity"], "...": 0}]}}}
CALL search {"kind": "tasks", "filter": {"onlyAssignedToMe": 1}, "limit": 500} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has filter.onlyAssignedToMe>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["filter", "onlyAssignedToMe"], "...": 0}, {"path": ["limit"], "...": 0}]}}}
CALL changes_since {"cursor": "x"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has - cursor: >"}], "_meta": {"status": 422, "...": 0}}}
CALL update {"id": "{{interaction}}", "fields": {"title": "x"}, "ifMatch": "*"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has - fields.entity: Required>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["ifMatch"], "...": 0}, {"path": ["fields", "entity"], "...": 0}]}}}
CALL merge {"id": "{{ada_person}}", "other": "{{ada_person}}"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has - other: >"}], "_meta": {"status": 422, "...": 0}}}

== a whole number in another form, and texts that say nothing
@rows value
| "company", "text": " ", "filter": {}, "limit": 1.0, "cursor": "" |
| "users", "text": "", "limit": 1e0, "cursor": ""                  |
| "notes", "text": "", "limit": 1                                  |
CALL search {"kind": {{value}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": ["<any>"]}, "...": 0}}}
@end
CALL search {"kind": "users", "limit": -1e300} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has limit>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"code": "too_small", "path": ["limit"], "...": 0}]}}}
CALL changes_since {"limit": 1.5} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has limit>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"code": "invalid_type", "path": ["limit"], "...": 0}]}}}

== members and types of a group are not objects
CALL create {"kind": "{{g}}/members", "fields": {"id": "{{bob_id}}", "role": "reader"}}
CALL create {"kind": "{{g}}/object-types", "fields": {"name": "Other"}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": "<array>", "_meta": {"status": 404, "...": 0}}}

== mistakes in arguments are results that say what is wrong, by the names of the arguments
CALL get {} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has id: Required>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["id"], "...": 0}]}}}
CALL get {"id": 5} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has Invalid arguments for get>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["id"], "...": 0}]}}}
CALL merge {"id": "{{ada_person}}", "other": "x"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has Invalid arguments for merge>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["other"], "...": 0}]}}}
CALL merge {"id": "per_x", "other": "{{ada_person}}"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has the id of one of: person>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["id"], "...": 0}]}}}
CALL get {"id": "{{ada_person}}", "idd": 1} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has idd>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": [], "...": 0}]}}}
CALL create {"kind": "person", "fields": {"emails": 5}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has fields.emails>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["fields", "emails"], "...": 0}]}}}
CALL create {"kind": "person", "fields": {"frstName": "x"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has firstName>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["fields"], "...": 0}]}}}
POST /mcp (MCP-Protocol-Version: 2025-11-25) {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get", "arguments": []}}
POST /mcp (MCP-Protocol-Version: 2025-11-25) {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get", "arguments": "x"}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has object>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["arguments"], "...": 0}]}}}
CALL get {"id": "{{ada_person}}"}, "_meta": {"idempotencyKey": 5} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has idempotencyKey>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["_meta", "idempotencyKey"], "...": 0}]}}}

== a misspelt dry run is never ignored
@rows value answer
| "delete", "arguments": {"id": "{{ada_person}}", "dryrun": true}                              |           |
| "delete", "arguments": {"id": "{{ada_person}}", "dryRun": "false"}                           | "dryRun"  |
| "update", "arguments": {"id": "{{ada_person}}", "fields": {"jobTitle": "x"}, "dry_run": true} |          |
| "delete", "arguments": {"id": "{{ada_person}}", "dryRun": false}, "dryRun": true             | "dryRun"  |
| "delete", "arguments": {"id": "{{ada_person}}", "dryRun": false}, "_meta": {"dry_run": true} | "dry_run" |
POST /mcp (MCP-Protocol-Version: 2025-11-25) {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": {{value}}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has dryRun>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": [{{answer}}], "...": 0}]}}}
@each dryRun=true dryrun=true dryRun[]=true
POST /mcp?{{each}}
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "delete", "arguments": {"id": "{{ada_person}}", "dryRun": false}}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has argument>"}], "_meta": {"status": 422, "...": 0}}}
@end
POST /mcp?session=1
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get", "arguments": {"id": "{{ada_person}}"}}}
-- 200 {"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "...": 0}}

== what is not a call at all is an error of the protocol
@rows value answer
| {"name": "list_groups"}                      | "<has did you mean describe>"    |
| {"name": "serch"}                            | "<has did you mean search>"      |
| {"arguments": {}}                            | "<text>"                         |
| {"name": "get", "arguments": {}, "_meta": 5} | "<has _meta>"                    |
POST /mcp (MCP-Protocol-Version: 2025-11-25) {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{value}}} -- 200
{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": {{answer}}}}

== all else that goes wrong is a result that says what to do
CALL add_note {"entity": "per_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30", "content": "x"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has entity>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": "<array>"}}}
@rows value answer
| "search", "arguments": {"kind": "{{g}}/Big Dael/100%"}   | [{"type": "text", "text": "<has Big Deal/100%>"}], "_meta": {"status": 404, "...": 0} |
| "changes_since", "arguments": {"cursor": "forged"}       | "<array>", "_meta": {"status": 422, "...": 0}                                         |
POST /mcp (MCP-Protocol-Version: 2025-11-25) {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": {{value}}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": {{answer}}}}

== a key that may only read does not write, not even on trial
@readonly CALL create {"kind": "person", "fields": {"firstName": "No"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has lacks the scope write>"}], "_meta": {"status": 403, "code": "FORBIDDEN", "requestId": "<uuid>"}}}
@readonly CALL delete {"id": "{{ada_person}}"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": "<array>", "_meta": {"status": 403, "...": 0}}}
@readonly CALL get {"id": "{{ada_person}}"} -- 200 {"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "...": 0}}
