# Tools of /mcp: names where ids are asked for, and dates in words. The words themselves are in test/unit/test_when.c,
# what a name means among candidates in test/unit/test_refer_name.c.

== a world to work with
@make g POST /v1/groups {"name": "Sales", "visibility": "public"}
@make p @bob POST /v1/groups {"name": "Secret", "visibility": "private"}
POST /v1/groups/{{g}}/object-types {"name": "Deal"}
POST /v1/groups/{{g}}/custom-fields/person {"name": "Contacted", "type": "dateField"}
POST /v1/groups/{{g}}/custom-fields/person {"name": "Owner", "type": "userField"}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Close", "type": "dateField"}
-- 200
@make acme POST /v1/companies {"name": "Acme", "emails": ["info@acme.example"], "groups": [{"id": "{{g}}"}]}
@make grace POST /v1/people {"fullName": "Grace Hopper", "emails": ["grace@navy.example"], "companies": [{"id": "{{acme}}"}]}
@make ann POST /v1/people {"fullName": "Ann Lee"}
@make anne POST /v1/people {"fullName": "Ann Lee Smith"}
@make twin POST /v1/people {"fullName": "Tom Twin"}
@make twin2 POST /v1/people {"fullName": "Tom Twin"}
@make engine POST /v1/groups/{{g}}/Deal {"name": "Engine"}

# --- records ---------------------------------------------------------------------------

== a record by its name, a part of it, or its e-mail address
@rows value answer
| "Grace Hopper"       | {{grace}}  |
| "grace hopper"       | {{grace}}  |
| "Hopper"             | {{grace}}  |
| "grace@navy.example" | {{grace}}  |
| "INFO@acme.example"  | {{acme}}   |
| "Acme"               | {{acme}}   |
| "Engine"             | {{engine}} |
| "Ann Lee"            | {{ann}}    |
CALL get {"id": {{value}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"id": "{{answer}}", "...": 0}, "...": 0}, "...": 0}}

== a name that is not certain lists the candidates
CALL get {"id": "Tom Twin"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has {{twin}}>"}], "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>",
	"issues": [{"code": "custom", "path": ["id"], "message": "Several are named \"Tom Twin\": give the id of one of them", "hint": "<has {{twin2}}>"}]}}}
CALL get {"id": "lee"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has Ann Lee Smith ({{anne}})>"}], "...": 0}}
@rows value
| "Nobody"             |
| "nobody@acme.example" |
| "<repeat x 300>"     |
| "-"                  |
CALL get {"id": {{value}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has find it with search>"}], "_meta": {"issues": [{"code": "custom", "path": ["id"], "...": 0}], "...": 0}}}
@end
# what looks like an id is none of these
CALL get {"id": "per_5"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "_meta": {"issues": [{"code": "invalid_string", "path": ["id"], "...": 0}], "...": 0}, "...": 0}}

== only the whole name will do for what deletes
CALL delete {"id": "Hopper"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has {{grace}}>"}], "...": 0}}
CALL delete {"id": "Grace Hopper"} -- 200 (X-Dry-Run: true)
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"id": "{{grace}}"}, "dryRun": true, "...": 0}, "...": 0}}

== names of another workspace and of hidden groups are none
@other CALL get {"id": "Grace Hopper"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has No >"}], "...": 0}}
CALL create {"kind": "person", "fields": {"firstName": "Zoe", "groups": ["Secret"]}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "_meta": {"issues": [{"code": "custom", "path": ["fields", "groups", 0], "...": 0}], "...": 0}, "...": 0}}

== a key that may not write learns nothing of names
@readonly CALL add_note {"entity": "Grace Hopper", "content": "x"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has lacks the scope>"}], "...": 0}}

# --- names inside of fields and filters --------------------------------------------------

== references in fields are names, too
CALL create {"kind": "person", "fields": {"fullName": "New Lead", "companies": ["Acme"], "groups": ["sales"], "customFieldValues": {"Sales": {"Owner": ["bob"], "Contacted": "2026-01-31"}}}}
-- 200 {"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "...": 0}}
> lead = result.structuredContent.data.id
GET /v1/people/{{lead}} -- 200
{"data": {"companies": [{"id": "{{acme}}", "name": "Acme"}], "groups": [{"id": "{{g}}", "name": "Sales"}], "customFieldValues": {"{{g}}": {"Owner": [{{bob}}], "Contacted": "2026-01-31"}}, "...": 0}}
CALL create {"kind": "{{g}}/Deal", "fields": {"name": "Ship", "people": "New Lead", "companies": [{"id": "Acme"}]}}
-- 200 {"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "...": 0}}
> ship = result.structuredContent.data.id
GET /v1/groups/{{g}}/Deal/{{ship}} -- 200
{"data": {"people": [{"id": "{{lead}}", "fullName": "New Lead"}], "companies": [{"id": "{{acme}}", "name": "Acme"}], "...": 0}}

== an object's own fields, by its name only
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Seller", "type": "userField"}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Signer", "type": "contactField"}
-- 200
CALL update {"id": "Ship", "fields": {"customFieldValues": {"Seller": "Bob", "Signer": ["New Lead"], "Close": "2026-12-24"}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "...": 0}}
GET /v1/groups/{{g}}/Deal/{{ship}} -- 200
{"data": {"customFieldValues": {"Seller": [{{bob}}], "Signer": [{"id": "{{lead}}", "...": 0}], "Close": "2026-12-24"}, "...": 0}}
CALL update {"id": "{{ship}}", "fields": {"customFieldValues": {"Close": "24.12.2026"}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "_meta": {"issues": [{"path": ["fields", "customFieldValues", "Close"], "...": 0}], "...": 0}, "...": 0}}

== fields of a group by its name
CALL aggregate {"kind": "people", "groupBy": ["customFieldValues.Sales.Owner"], "measures": "min:customFieldValues.sales.Contacted"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"total": {"min": {"customFieldValues.{{g}}.Contacted": "2026-01-31"}, "...": 0}, "...": 0}, "...": 0}, "...": 0}}
CALL aggregate {"kind": "people", "groupBy": "customFieldValues.Nothing.Owner"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "_meta": {"issues": [{"path": ["groupBy"], "message": "<has No group>", "...": 0}], "...": 0}, "...": 0}}

== in filters, too
@rows value answer
| "people", "filter": {"companies": {"in": "Acme"}, "groups": {"in": ["Sales"]}}    | {{lead}} |
| "people", "filter": {"groups": {"in": {"id": "sales"}}}                           | {{lead}} |
| "people", "filter": {"or": [{"customFieldValues.Sales.Owner": {"in": ["Bob"]}}]}  | {{lead}} |
| "{{g}}/Deal", "filter": {"people": {"all": "New Lead"}}                            | {{ship}} |
CALL search {"kind": {{value}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"items": [{"id": "{{answer}}", "...": 0}], "...": 0}, "...": 0}, "...": 0}}

== a call looks up only ten names
CALL create {"kind": "{{g}}/Deal", "fields": {"name": "Many", "companies": [<list "Acme" 20>]}}
-- 200 {"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "...": 0}}
CALL create {"kind": "{{g}}/Deal", "fields": {"name": "Many", "people": ["Ann Lee", "Ann Lee Smith", "Grace", "Hopper", "Grace Hopper", "grace@navy.example", "New Lead", "Lead", "new", "grace hopper", "GRACE"]}}
-- 200 {"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has at most 10 names>"}], "...": 0}}

# --- tasks, notes, interactions ------------------------------------------------------------

== a task for a colleague next week, found by its title and done
CALL create_task {"entity": "Grace Hopper", "title": "Send the plans", "dueAt": "tomorrow 15:00", "assignedUsers": ["Bob"]}
-- 200 {"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "...": 0}}
> task = result.structuredContent.data.id
> due = result.structuredContent.data.dueAt
GET /v1/tasks/{{task}} -- 200
{"data": {"entity": {"id": "{{grace}}", "...": 0}, "dueAt": "<date>", "dueTime": "15:00", "assignedUsers": [{{bob}}], "...": 0}}
CALL search {"kind": "tasks", "text": "plans", "filter": {"dueAt": {"eq": "tomorrow"}, "assigneeUserId": "Bob", "entity": "Hopper", "completedAt": {"empty": true}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"items": [{"id": "{{task}}", "...": 0}], "...": 0}, "...": 0}, "...": 0}}
CALL search {"kind": "tasks", "filter": {"dueAt": {"lt": "today"}, "assigneeUserId": {"in": ["Bob Stone", "me"]}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"items": [], "...": 0}, "...": 0}, "...": 0}}
# 51 open tasks of nearly this name: there may be another one of exactly this name beyond the first 50
@repeat 50 POST /v1/tasks {"entity": {"id": "{{grace}}"}, "title": "Send the plans {{n}}", "dueAt": "2099-01-02"} -- 200
@bob CALL complete_task {"id": "send the plans"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has Several may be named>"}], "...": 0}}
CALL update_many {"kind": "tasks", "filter": {"dueAt": {"eq": "2099-01-02"}}, "fields": {"title": "Another"}, "dryRun": false, "expect": 50} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "...": 0}}
@bob CALL complete_task {"id": "send the plans"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"id": "{{task}}", "completedAt": "<time>", "...": 0}, "...": 0}, "...": 0}}
# it is not an open task any more
@bob CALL complete_task {"id": "send the plans"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "...": 0}}

== a day in a filter of moments is the user's day
@each Pacific/Kiritimati Pacific/Pago_Pago
PATCH /v1/users/{{ada_id}} {"timeZone": "{{each}}"} -- 200
CALL search {"kind": "tasks", "filter": {"completedAt": {"gt": "yesterday", "lt": "tomorrow"}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"items": [{"id": "{{task}}", "...": 0}], "...": 0}, "...": 0}, "...": 0}}
CALL search {"kind": "tasks", "filter": {"completedAt": {"gt": "today"}}} -- 200
CALL search {"kind": "tasks", "filter": {"completedAt": {"lt": "today"}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"items": [], "...": 0}, "...": 0}, "...": 0}}
@end
PATCH /v1/users/{{ada_id}} {"timeZone": "UTC"} -- 200

== a note, and yesterday's call
CALL add_note {"entity": "grace@navy.example", "content": "Wants the plans"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"entity": {"id": "{{grace}}", "...": 0}, "...": 0}, "...": 0}, "...": 0}}
CALL log_interaction {"entity": {"id": "Grace Hopper"}, "dateTime": "yesterday 9:30", "activityType": "call", "title": "Plans"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"dateTime": "<ends T09:30:00.000Z>", "...": 0}, "...": 0}, "...": 0}}
CALL search {"kind": "interactions", "filter": {"entity": "Hopper", "from": "yesterday", "to": "today", "userId": "me"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"items": [{"title": "Plans", "...": 0}], "...": 0}, "...": 0}, "...": 0}}

== changes since a day in words, by somebody
@poll 5 CALL changes_since {"since": "yesterday", "actor": "me", "limit": 1} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"items": ["<any>"], "...": 0}, "...": 0}, "...": 0}}

# --- words that are not certain --------------------------------------------------------------

== a day or a time that may mean two things is refused
@rows value path text
| "create_task", "arguments": {"entity": "{{grace}}", "title": "x", "dueAt": "11/12/2026"}                                        | "dueAt"          | read in two orders |
| "create_task", "arguments": {"entity": "{{grace}}", "title": "x", "dueAt": "in 1 month"}                                        | "dueAt"          | write the date     |
| "log_interaction", "arguments": {"entity": "{{grace}}", "dateTime": "yesterday", "activityType": "call", "title": "x"}           | "dateTime"       | time of day        |
| "update", "arguments": {"id": "{{grace}}", "fields": {"birthday": "tomorrow 15:00"}}                                            | "fields", "birthday" | without a time |
| "changes_since", "arguments": {"since": "15:00"}                                                                                | "since"          | day is missing     |
| "search", "arguments": {"kind": "people", "filter": {"createdAt": {"gt": "today 15:00"}}}                                      | "filter", "createdAt", "gt" | without a time |
POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": {{value}}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has {{text}}>"}], "_meta": {"status": 422, "issues": [{"path": [{{path}}], "...": 0}], "...": 0}}}

== texts that only look like words stay as they are
CALL create {"kind": "company", "fields": {"name": "Tomorrow"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"name": "Tomorrow", "...": 0}, "...": 0}, "...": 0}}
CALL search {"kind": "companies", "filter": {"name": {"eq": "Tomorrow"}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"items": [{"name": "Tomorrow", "...": 0}], "...": 0}, "...": 0}, "...": 0}}
