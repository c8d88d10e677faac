# The Model Context Protocol: prompts, resources, searches over all kinds, several records, chosen fields.

== a world to work with
@make g POST /v1/groups {"name": "Sales", "visibility": "public"}
POST /v1/groups/{{g}}/object-types {"name": "Deal"} -- 200
@make ann POST /v1/people {"fullName": "Ann Lee", "emails": ["ann@example.com"], "companies": [{"name": "Looms"}], "jobTitle": "Weaver"}
@make bea POST /v1/people {"fullName": "Bea Lee"}
@make note POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "Likes looms <repeat x 2000>", "visibility": "public"}
@make deal POST /v1/groups/{{g}}/Deal {"name": "Engine"}
@make deal2 POST /v1/groups/{{g}}/Deal {"name": "Second engine"}

# --- prompts ----------------------------------------------------------------------------

== three prompts
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "prompts/list"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"prompts": [
	{"name": "prepare_meeting", "title": "<text>", "description": "<text>", "arguments": [{"name": "with", "description": "<text>", "required": true}, {"name": "when", "description": "<text>", "required": false}]},
	{"name": "weekly_summary", "...": 0}, {"name": "clean_duplicates", "...": 0}]}}

== one, with its arguments in the text
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "prepare_meeting", "arguments": {"with": "Ann {when} \"Lee\"", "when": "tomorrow"}}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"description": "<text>", "messages": [{"role": "user", "content": {"type": "text", "text": "<starts I meet Ann {when} \"Lee\" tomorrow. >"}}]}}
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "clean_duplicates"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"description": "<text>", "messages": [{"role": "user", "content": {"type": "text", "text": "<starts Find people in kith >"}}]}}

== what is wrong with a prompt
@rows params answer
| {"name": "weekly_sumary"}                                                       | "<has did you mean weekly_summary>" |
| {}                                                                              | "<has prepare_meeting>"             |
| {"name": "prepare_meeting"}                                                     | "<has arguments.with is required>"  |
| {"name": "prepare_meeting", "arguments": {"with": ""}}                          | "<has arguments.with is required>"  |
| {"name": "prepare_meeting", "arguments": {"with": 5}}                           | "<has arguments.with is a text>"    |
| {"name": "prepare_meeting", "arguments": {"with": "<repeat x 501>"}}            | "<has arguments.with is a text>"    |
| {"name": "prepare_meeting", "arguments": []}                                    | "<has arguments is an object>"      |
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {{params}}} -- 200
{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": {{answer}}}}

# --- resources ----------------------------------------------------------------------------

== templates for records; they are too many for a list
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "resources/list"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"resources": []}}
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "resources/templates/list"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"resourceTemplates": [
	{"uriTemplate": "<has /v1/people/{id}>", "name": "person", "description": "<text>", "mimeType": "application/json"}, "<any>",
	{"uriTemplate": "<has /v1/groups/{groupId}/{objectType}/{id}>", "name": "object", "...": 0}, "<any>", "<any>", "<any>", "<any>", "<any>", "<any>"]}}

== a record by its URL
@poll 5 GET /v1/events?record={{ann}} -- 200
{"data": {"items": [{"type": "person.created", "...": 0}], "...": 0}}
> url = data.items.0.data.url
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "{{url}}"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"contents": [{"uri": "{{url}}", "mimeType": "application/json", "text": "<has \"fullName\":\"Ann Lee\">"}]}}
@poll 5 GET /v1/events?record={{deal}} -- 200
{"data": {"items": [{"type": "object.created", "...": 0}], "...": 0}}
> deal_url = data.items.0.data.url
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "{{deal_url}}"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"contents": [{"uri": "{{deal_url}}", "mimeType": "application/json", "text": "<has \"name\":\"Engine\">"}]}}

== what is not a record of this server, or not of this workspace
@rows key uri
| ada   | https://elsewhere.example/v1/people/{{ann}} |
| ada   | {{url}}/notes                               |
| ada   | {{url}}0                                    |
| ada   | /v1/people/{{ann}}                          |
| ada   |                                             |
| other | {{url}}                                     |
| other | {{deal_url}}                                |
@{{key}} POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "{{uri}}"}} -- 200
{"jsonrpc": "2.0", "id": 1, "error": {"code": -32002, "message": "Resource not found", "data": {"uri": "{{uri}}"}}}
@end
# a long one is shortened
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "<repeat x 20000>"}} -- 200
{"jsonrpc": "2.0", "id": 1, "error": {"code": -32002, "message": "Resource not found", "data": {"uri": "<has xxxx>"}}}
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": 5}} -- 200
{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "<has uri>"}}
POST /mcp
MCP-Protocol-Version: 2026-07-28
Mcp-Method: resources/read
Mcp-Name: x:nothing
{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "x:nothing", "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
-- 200
{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Resource not found", "data": {"uri": "x:nothing"}}}
POST /mcp
MCP-Protocol-Version: 2026-07-28
Mcp-Method: resources/read
Mcp-Name: {{url}}
{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "{{url}}", "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete", "contents": "<array>", "ttlMs": 0, "cacheScope": "private", "_meta": "<object>"}}

# --- search over all kinds ------------------------------------------------------------------

== without a kind
CALL search {"text": "looms"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [
	{"id": "<text>", "kind": "companies", "title": "Looms", "...": 0}, {"id": "{{note}}", "kind": "notes", "...": 0}, {"id": "{{ann}}", "kind": "people", "title": "Ann Lee", "...": 0}]}}}}
@rows arguments
| {}                                                 |
| {"text": " "}                                      |
| {"text": "x", "filter": {"emails": {"eq": "x"}}}   |
| {"text": "x", "sort": "createdAt"}                 |
| {"text": "x", "cursor": "x"}                       |
CALL search {{arguments}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has kind: Required>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["kind"], "...": 0}]}}}

== an object type by its name; one that two groups have needs the group
CALL search {"kind": "deal"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{"id": "{{deal}}", "...": 0}, {"id": "{{deal2}}", "...": 0}]}}}}
@make h POST /v1/groups {"name": "Partners", "visibility": "public"}
POST /v1/groups/{{h}}/object-types {"name": "Deal"} -- 200
CALL search {"kind": "Deal"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has {{g}}/Deal, {{h}}/Deal>"}], "_meta": {"status": 422, "...": 0}}}
CALL search {"kind": "Partners/Deal"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": []}}}}

== an order
CALL search {"kind": "people", "sort": "-createdAt", "fields": ["fullName"]} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{"id": "{{bea}}", "fullName": "Bea Lee"}, {"id": "{{ann}}", "fullName": "Ann Lee"}]}}}}
CALL search {"kind": "notes", "sort": "-createdAt"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has sort: >"}], "_meta": {"status": 422, "...": 0}}}

# --- several records, chosen fields -----------------------------------------------------------

== several ids are a list
CALL get {"id": ["{{bea}}", "{{ann}}", "per_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30"], "fields": ["fullName", "companies.name"]} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [
	{"id": "{{ann}}", "fullName": "Ann Lee", "companies": [{"id": "<text>", "name": "Looms"}]}, {"id": "{{bea}}", "fullName": "Bea Lee"}]}}}}
CALL get {"id": ["{{deal2}}", "{{deal}}"], "fields": "name"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{"id": "{{deal}}", "name": "Engine"}, {"id": "{{deal2}}", "name": "Second engine"}]}}}}
CALL get {"id": ["{{ann}}"], "fields": []} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"id": "{{ann}}", "fullName": "Ann Lee", "...": 0}, "etag": "<text>"}}}
@other CALL get {"id": ["{{ann}}", "{{bea}}"]} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": []}}}}
@make big POST /v1/people {"description": "<repeat a 5000>"}
@make big2 POST /v1/people {"description": "<repeat b 5000>"}
@make big3 POST /v1/people {"description": "<repeat c 5000>"}
CALL get {"id": ["{{big}}", "{{big2}}", "{{big3}}"], "fields": ["description"]} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "<starts 2 items are in structuredContent. There are more>"}], "structuredContent": {"data": {"items": [{"id": "{{big}}", "...": 0}, {"id": "{{big2}}", "...": 0}]},
	"next": {"id": ["{{big}}", "{{big2}}", "{{big3}}"], "fields": ["description"], "cursor": "<text>"}}}}
> rest = result.structuredContent.next
CALL get {{rest}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{"id": "{{big3}}", "...": 0}]}}}}
@rows id answer
| []                                       | "<has id: >"   |
| ["{{ann}}", "{{deal}}"]                  | "<has id.1: >" |
| ["{{ann}}", 5]                           | "<has id.1: >" |
| [<list "{{ann}}" 51>]                    | "<has id: >"   |
| ["{{ada_id}}", "{{bob_id}}"]             | "<has one by one>" |
CALL get {"id": {{id}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": {{answer}}}], "_meta": {"status": 422, "...": 0}}}

== fields that do not exist
CALL search {"kind": "people", "fields": ["fullName", "emial"]} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has did you mean `emails`>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"path": ["fields", 1], "...": 0}]}}}
CALL get {"id": "{{ann}}", "fields": "fullname"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has did you mean `fullName`>"}], "_meta": {"status": 422, "...": 0}}}

== lists cut long texts, unless they are asked for
CALL search {"kind": "notes"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"items": [{"id": "{{note}}", "content": "<has (2012 characters; get shows all)>", "...": 0}]}}}}
CALL search {"kind": "notes", "fields": ["content"]} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "1 item is in structuredContent."}], "structuredContent": {"data": {"items": [{"id": "{{note}}", "content": "Likes looms <repeat x 2000>"}]}}}}
CALL get {"id": "{{note}}"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": "<array>", "structuredContent": {"data": {"content": "Likes looms <repeat x 2000>", "...": 0}, "etag": "<text>"}}}

== an update can be tried
CALL update {"id": "{{ann}}", "fields": {"jobTitle": "Dyer"}, "dryRun": true} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "<text>"}, {"type": "text", "text": "<has dryRun false>"}], "structuredContent": {"data": {"jobTitle": "Dyer", "...": 0}, "etag": "<text>", "dryRun": true}}}
GET /v1/people/{{ann}} -- 200 {"data": {"jobTitle": "Weaver", "...": 0}}
