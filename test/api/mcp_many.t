# Tools of /mcp about many records: update_many, upsert, aggregate, duplicates. Other writers beside update_many are in
# test/flow/test_update_many.c.

== a world to work with
@make g POST /v1/groups {"name": "Sales", "visibility": "public"}
@make g2 POST /v1/groups {"name": "Fair", "visibility": "public"}
POST /v1/groups/{{g}}/object-types {"name": "Deal"}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Stage", "type": "singleSelect", "options": [{"label": "Open"}, {"label": "Won"}]}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Value", "type": "numericField"}
-- 200
@make a POST /v1/people {"fullName": "Ann Fair", "jobTitle": "Dyer", "groups": [{"id": "{{g}}"}], "emails": ["ann@x.example"]}
@make b POST /v1/people {"fullName": "Bea Fair", "jobTitle": "Dyer"}
@make c POST /v1/people {"fullName": "Cleo Fair", "jobTitle": "Weaver"}
@make one POST /v1/groups/{{g}}/Deal {"name": "One", "customFieldValues": {"Stage": "Open", "Value": 10}}
@make two POST /v1/groups/{{g}}/Deal {"name": "Two", "customFieldValues": {"Stage": "Open", "Value": 2.5}}
@make three POST /v1/groups/{{g}}/Deal {"name": "Three", "customFieldValues": {"Stage": "Won", "Value": 100}}

# --- update_many -------------------------------------------------------------------------

== without dryRun false it only counts
CALL update_many {"kind": "people", "filter": {"jobTitle": {"eq": "Dyer"}}, "fields": {"jobTitle": "Colourist"}} -- 200
X-Dry-Run: true
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"matched": 2, "wouldUpdate": 2,
	"examples": [{"id": "{{a}}", "name": "Ann Fair"}, {"id": "{{b}}", "name": "Bea Fair"}]}, "dryRun": true}, "...": 0}}
GET /v1/people/{{a}} -- 200 {"data": {"jobTitle": "Dyer", "...": 0}}

== the number must be confirmed
@rows value code
|                | invalid_type |
| , "expect": 3  | custom       |
| , "expect": 0  | custom       |
| , "expect": -2 | custom       |
CALL update_many {"kind": "people", "filter": {"jobTitle": {"eq": "Dyer"}}, "fields": {"jobTitle": "Colourist"}, "dryRun": false{{value}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": "<array>", "_meta": {"status": 422, "code": "UNPROCESSABLE_ENTITY", "requestId": "<uuid>", "issues": [{"code": "{{code}}", "path": ["expect"], "...": 0}]}}}
@end
GET /v1/people/{{a}} -- 200 {"data": {"jobTitle": "Dyer", "...": 0}}

== then it is done
CALL update_many {"kind": "people", "filter": {"jobTitle": {"eq": "Dyer"}}, "fields": {"jobTitle": "Colourist"}, "dryRun": false, "expect": 2} -- 200 (!X-Dry-Run)
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"matched": 2, "updated": 2, "examples": "<array>"}, "dryRun": false}, "...": 0}}
GET /v1/people/{{a}}
GET /v1/people/{{b}}
-- 200 {"data": {"jobTitle": "Colourist", "...": 0}}
GET /v1/people/{{c}} -- 200 {"data": {"jobTitle": "Weaver", "...": 0}}
# a repeated call finds none of them
CALL update_many {"kind": "people", "filter": {"jobTitle": {"eq": "Dyer"}}, "fields": {"jobTitle": "Colourist"}, "dryRun": false, "expect": 2} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has 0 records match now>"}], "...": 0}}

== lists are added to, by names, and keep what they have
CALL update_many {"kind": "people", "text": "fair", "add": {"groups": ["Fair"], "emails": ["ann@x.example", "fair@x.example"]}, "dryRun": false, "expect": 3} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"matched": 3, "updated": 3, "...": 0}, "...": 0}, "...": 0}}
GET /v1/people/{{a}} -- 200
{"data": {"groups": [{"id": "{{g}}", "name": "Sales"}, {"id": "{{g2}}", "name": "Fair"}], "emails": ["ann@x.example", "fair@x.example"], "...": 0}}
GET /v1/people/{{c}} -- 200
{"data": {"groups": [{"id": "{{g2}}", "name": "Fair"}], "emails": ["ann@x.example", "fair@x.example"], "...": 0}}

== objects, by a field of their type
CALL update_many {"kind": "{{g}}/Deal", "filter": {"customFieldValues.Stage": {"in": ["Open"]}}, "fields": {"customFieldValues": {"Stage": "Won"}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"matched": 2, "wouldUpdate": 2, "...": 0}, "dryRun": true}, "...": 0}}

== records that cannot be changed are named, the others are changed
@bob POST /v1/companies {"name": "Taken"} -- 200
@make x POST /v1/companies {"name": "x 1", "industry": "Test"}
@make y POST /v1/companies {"name": "x 2", "industry": "Test"}
CALL update_many {"kind": "companies", "filter": {"industry": {"eq": "Test"}}, "fields": {"name": "Taken"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"matched": 2, "refused": 2, "failures": [{"id": "{{x}}", "code": "UNPROCESSABLE_ENTITY", "message": "<text>"}, "<any>"], "...": 0}, "...": 0}, "...": 0}}

== fields that are wrong are issues
CALL update_many {"kind": "people", "text": "fair", "fields": {"jobTitel": "x", "emails": 5}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has jobTitle>"}], "_meta": {"status": 422, "issues": [{"path": ["fields", "emails"], "...": 0}, {"path": ["fields"], "...": 0}], "...": 0}}}
CALL update_many {"kind": "people", "text": "fair", "filter": {"jobTitel": {"eq": "x"}}, "fields": {"jobTitle": "x"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has jobTitle>"}], "_meta": {"status": 422, "issues": [{"path": ["filter"], "...": 0}], "...": 0}}}

== what it does not do
@rows value path
| "people", "fields": {"jobTitle": "x"}                                                              | "filter"             |
| "people", "filter": {}, "fields": {"jobTitle": "x"}                                                | "filter"             |
| "tasks", "text": " ", "fields": {"title": "x"}                                                      | "filter"             |
| "people", "text": "fair"                                                                            | "fields"             |
| "people", "text": "fair", "fields": {"id": "{{a}}"}                                                | "fields", "id"       |
| "people", "text": "fair", "fields": {"jobTitle": "x"}, "add": {"firstName": ["x"]}                  | "add", "firstName"   |
| "people", "text": "fair", "fields": {"emails": []}, "add": {"emails": ["x"]}                        | "add", "emails"      |
| "people", "text": "fair", "add": {"emails": {}}                                                     | "add", "emails"      |
| "notes", "text": "fair", "fields": {"content": "x"}                                                 | "kind"               |
CALL update_many {"kind": {{value}}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "_meta": {"issues": [{"path": [{{path}}], "...": 0}], "...": 0}, "...": 0}}
@end
@readonly CALL update_many {"kind": "people", "text": "fair", "fields": {"jobTitle": "x"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has lacks the scope>"}], "...": 0}}
CALL update_many {"kind": "{{g}}/Nothing", "text": "x", "fields": {"name": "x"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "...": 0}}

== tasks, one by one
@make t1 POST /v1/tasks {"entity": {"id": "{{a}}"}, "title": "Call", "dueAt": "2026-01-01"}
@make t2 POST /v1/tasks {"entity": {"id": "{{b}}"}, "title": "Call again", "dueAt": "2026-01-02"}
@make t3 POST /v1/tasks {"entity": {"id": "{{b}}"}, "title": "Call later", "dueAt": "2099-01-02"}
CALL update_many {"kind": "tasks", "text": "call", "filter": {"dueAt": {"lt": "today"}, "onlyAssignedToMe": true}, "fields": {"dueAt": "in 3 days"}, "add": {"assignedUsers": ["Bob"]}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"matched": 2, "wouldUpdate": 2, "examples": [{"id": "{{t1}}", "name": "Call"}, {"id": "{{t2}}", "name": "Call again"}]}, "dryRun": true}, "...": 0}}
CALL update_many {"kind": "tasks", "text": "call", "filter": {"dueAt": {"lt": "today"}}, "fields": {"dueAt": "in 3 days"}, "add": {"assignedUsers": ["Bob"]}, "dryRun": false, "expect": 2} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"matched": 2, "updated": 2, "...": 0}, "...": 0}, "...": 0}}
GET /v1/tasks/{{t2}} -- 200 {"data": {"dueAt": "<not 2026-01-02>", "assignedUsers": [{{ada}}, {{bob}}], "...": 0}}
GET /v1/tasks/{{t3}} -- 200 {"data": {"dueAt": "2099-01-02", "assignedUsers": [{{ada}}], "...": 0}}
CALL update_many {"kind": "tasks", "text": "call", "fields": {"title": "", "recurrenceFrequency": "often"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "_meta": {"issues": [{"path": ["fields", "title"], "...": 0}, {"path": ["fields", "recurrenceFrequency"], "...": 0}], "...": 0}, "...": 0}}

# --- upsert --------------------------------------------------------------------------------

== leads from a text: what is there is updated, what is not is made
CALL upsert {"kind": "people", "match": "emails", "records": [{"fullName": "Ann Fair", "emails": ["ann@x.example"], "phones": ["+49 89 1"]}, {"fullName": "Dora New", "emails": ["dora@x.example"]}]}, "_meta": {"idempotencyKey": "leads-1"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"results": [{"status": "failed", "error": {"code": "AMBIGUOUS_MATCH", "...": 0}}, {"status": "succeeded", "operation": "created", "...": 0}]}, "...": 0}, "...": 0}}
CALL upsert {"kind": "people", "match": "emails", "records": [{"fullName": "Dora New", "emails": ["dora@x.example"], "companies": ["x 1"]}]} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"results": [{"status": "succeeded", "operation": "updated", "data": {"companies": [{"id": "{{x}}", "name": "x 1"}], "...": 0}}]}, "...": 0}, "...": 0}}
CALL upsert {"kind": "tasks", "match": "title", "records": []} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "_meta": {"issues": [{"path": ["kind"], "...": 0}], "...": 0}, "...": 0}}

# --- aggregate -------------------------------------------------------------------------------

== the sum of open deals by stage
CALL aggregate {"kind": "{{g}}/Deal", "groupBy": ["customFieldValues.Stage"], "measures": ["sum:customFieldValues.Value"]} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"items": [
	{"group": [{"value": "Open", "label": "Open"}], "count": 2, "sum": {"customFieldValues.Value": "12.5"}, "...": 0},
	{"group": [{"value": "Won", "label": "Won"}], "count": 1, "sum": {"customFieldValues.Value": "100"}, "...": 0}],
	"total": {"count": 3, "sum": {"customFieldValues.Value": "112.5"}, "...": 0}, "...": 0}, "...": 0}, "...": 0}}
CALL aggregate {"kind": "people", "text": "fair", "filter": {"createdAt": {"gt": "yesterday"}}, "groupBy": "createdAt:month"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"items": [{"count": 3, "...": 0}], "...": 0}, "...": 0}, "...": 0}}
CALL aggregate {"kind": "tasks", "filter": {"onlyAssignedToMe": "true"}} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"total": {"count": 3, "...": 0}, "...": 0}, "...": 0}, "...": 0}}
CALL aggregate {"kind": "{{g}}/Deal", "measures": ["sum:customFieldValues.Valeu"]} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "_meta": {"issues": [{"path": ["measures", 0], "...": 0}], "...": 0}, "...": 0}}

# --- duplicates --------------------------------------------------------------------------------

== who may be the same
CALL duplicates {"id": "Bea Fair"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"data": {"items": [
	{"id": "<per>", "fullName": "<text>", "reasons": [{"field": "emails", "value": "<text>"}, {"field": "emails", "value": "<text>"}]}, "<any>"], "...": 0}, "...": 0}, "...": 0}}
CALL duplicates {"id": "One"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "...": 0}}
