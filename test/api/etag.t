# ETag and If-Match. answer_rules.c looks at the tag of every answer: that it is there exactly where it belongs, and is the
# record's updatedAt. Here: when it changes, and what follows from a condition.

== things to work with
@make g POST /v1/groups {"name": "G", "visibility": "public"}
@make h POST /v1/groups {"name": "H", "visibility": "private"}
POST /v1/groups/{{g}}/object-types {"name": "Deal"} -- 200
POST /v1/groups/{{g}}/custom-fields/person
{"name": "Level", "type": "singleSelect", "options": [{"label": "high"}, {"label": "low"}]}
-- 200
> high = data.options.0.id
POST /v1/groups/{{g}}/custom-fields/person {"name": "Text", "type": "textField"}
POST /v1/groups/{{g}}/custom-fields/person {"name": "Friend", "type": "contactField"}
POST /v1/groups/{{g}}/members {"id": "{{bob_id}}", "role": "reader"}
-- 200
@make ann POST /v1/people {"firstName": "Ann", "groups": [{"id": "{{g}}"}]}
> created = header ETag

# --- the tag

== a create, a read and a change carry it, the same for every key
GET /v1/people/{{ann}}
@bob GET /v1/people/{{ann}}
@readonly HEAD /v1/people/{{ann}}
-- 200 (ETag: {{created}})
PATCH /v1/people/{{ann}} {"jobTitle": "a"} -- 200 (ETag: <not {{created}}>)
> changed = header ETag
GET /v1/people/{{ann}} -- 200 (ETag: {{changed}})

== a change of nothing leaves it
PATCH /v1/people/{{ann}} {"jobTitle": "a", "groups": [{"id": "{{g}}"}]}
PATCH /v1/people/{{ann}}
-- 200 (ETag: {{changed}})

== what counters and names show beside a record leaves it
POST /v1/interactions
{"entity": {"id": "{{ann}}"}, "title": "t", "dateTime": "2026-01-01T10:00:00Z", "activityType": "call"}
-- 200 (!ETag)
PATCH /v1/groups/{{g}} {"name": "GG"} -- 200
GET /v1/people/{{ann}} -- 200 (ETag: {{changed}})

== other resources, lists, batches and deletes have none
GET /v1/people
GET /v1/groups/{{g}}
POST /v1/notes/batch/create
{"records": [{"entity": {"id": "{{ann}}"}, "content": "b", "visibility": "public"}]}
-- 200 (!ETag)
POST /v1/people/batch/create {"records": [{"firstName": "b1"}, {"firstName": "b2"}, {"firstName": "b3"}]} -- 200 (!ETag)
> b1 = data.results.0.data.id
> b2 = data.results.1.data.id
> b3 = data.results.2.data.id
GET /v1/people/per_00000000-0000-7000-8000-000000000000 -- 404 (!ETag)

== If-None-Match is ignored
GET /v1/people/{{ann}} (If-None-Match: {{changed}}) -- 200 (ETag: {{changed}})
PATCH /v1/people/{{ann}} (If-None-Match: *) {"jobTitle": "b"} -- 200
> changed = header ETag
POST /v1/people (If-None-Match: *) {"firstName": "none"} -- 200

# --- the condition

== a change on condition
PATCH /v1/people/{{ann}} (If-Match: {{changed}}) {"jobTitle": "c"} -- 200 (ETag: <not {{changed}}>)
{"data": {"jobTitle": "c", "...": 0}}
> now = header ETag
PATCH /v1/people/{{ann}} (If-Match: {{changed}}) {"jobTitle": "d"} -- 412
ETag: {{now}}
Content-Type: <starts application/json>
!Retry-After
{"error": {"code": "PRECONDITION_FAILED", "message": "The record has changed since it was read", "...": 0}}
GET /v1/people/{{ann}} -- 200 (ETag: {{now}})
{"data": {"jobTitle": "c", "...": 0}}

== a condition with a change of nothing
PATCH /v1/people/{{ann}} (If-Match: {{now}}) {"jobTitle": "c"} -- 200 (ETag: {{now}})
PATCH /v1/people/{{ann}} (If-Match: {{changed}}) {"jobTitle": "c"} -- 412

== lists, in one header or several, and *
PATCH /v1/people/{{ann}} (If-Match: "x", {{now}} ,, W/"y") {"jobTitle": "e"} -- 200
> now = header ETag
PATCH /v1/people/{{ann}}
If-Match: "x"
If-Match: {{now}}
{"jobTitle": "f"}
-- 200
> now = header ETag
PATCH /v1/people/{{ann}}
If-Match: "x", "y"
If-Match: "z"
{"jobTitle": "g"}
-- 412 (ETag: {{now}})
PATCH /v1/people/{{ann}} (If-Match: *) {"jobTitle": "h"} -- 200
> now = header ETag
PATCH /v1/people/{{ann}} (if-match: {{now}}) {"jobTitle": "i"} -- 200
> now = header ETag

== a weak tag matches none
PATCH /v1/people/{{ann}} (If-Match: W/{{now}}) {"jobTitle": "j"} -- 412 (ETag: {{now}})

== what is not a list of tags
@rows header
| abc        |
| "a" "b"    |
| {{now}}, * |
PATCH /v1/people/{{ann}} (If-Match: {{header}}) {"jobTitle": "k"} -- 422 Invalid headers
* invalid_string ["If-Match"] validation=regex
@end
PATCH /v1/people/{{ann}} (If-Match: ,) {"jobTitle": 1} -- 422 Invalid headers
* invalid_string ["If-Match"] validation=regex
* invalid_type ["jobTitle"] expected=string received=number
DELETE /v1/people/{{ann}} (If-Match: "a) -- 422 Invalid headers
* invalid_string ["If-Match"] validation=regex

== an unknown record and what one may not do come first, mistakes of the body too
PATCH /v1/people/per_00000000-0000-7000-8000-000000000000 (If-Match: "x") {"jobTitle": "k"} -- 404 (!ETag)
PATCH /v1/people/per_00000000-0000-7000-8000-000000000000 (If-Match: *) {"jobTitle": "k"} -- 404
@readonly PATCH /v1/people/{{ann}} (If-Match: "x") {"jobTitle": "k"} -- 403
PATCH /v1/people/{{ann}} (If-Match: "x") {"jobTitle": 1} -- 422 Invalid input
* invalid_type ["jobTitle"] expected=string received=number
PATCH /v1/people/{{ann}} (If-Match: "x") {"groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]}
-- 422 Invalid input
* custom ["groups", 0, "id"]
PATCH /v1/people/{{ann}} (If-Match: "x") {"companies": [{"id": "com_00000000-0000-7000-8000-000000000000"}]} -- 412
PATCH /v1/people/{{ann}} (If-Match: "x") {"customFieldValues": {"{{g}}": {"None": "x"}}} -- 422 Invalid input
* custom ["customFieldValues", "{{g}}", "None"]

== a condition on what has no tag is refused, not overlooked
POST /v1/people (If-Match: {{now}}) {"firstName": "x"}
POST /v1/people/batch/update (If-Match: {{now}}) {"records": []}
PATCH /v1/groups/{{g}} (If-Match: *) {"name": "x"}
DELETE /v1/groups/{{g}}/custom-fields/person/Text (If-Match: *)
-- 422 Invalid headers
* custom ["If-Match"]

== reads ignore it
GET /v1/people/{{ann}} (If-Match: "x")
GET /v1/people (If-Match: no list)
POST /v1/people/search (If-Match: "x") {}
-- 200

== a delete on condition
@make del POST /v1/people {"firstName": "Del"}
> tag = header ETag
DELETE /v1/people/{{del}} (If-Match: {{now}}) -- 412 (ETag: {{tag}})
DELETE /v1/people/{{del}} (If-Match: {{tag}}) -- 200
DELETE /v1/people/{{del}} (If-Match: {{tag}}) -- 404

# --- every record that has one

== companies
@make acme POST /v1/companies {"name": "Acme"}
> old = header ETag
PATCH /v1/companies/{{acme}} (If-Match: {{old}}) {"industry": "Iron"} -- 200 (ETag: <not {{old}}>)
> tag = header ETag
PATCH /v1/companies/{{acme}} (If-Match: {{old}}) {"industry": "Wood"} -- 412 (ETag: {{tag}})
POST /v1/companies {"name": "Acme"} -- 200 (ETag: {{tag}})
POST /v1/companies {"name": "Acme", "groups": [{"id": "{{g}}"}]} -- 200 (ETag: <not {{tag}}>)
> tag = header ETag
GET /v1/companies/{{acme}} -- 200 (ETag: {{tag}})

== objects
@make deal POST /v1/groups/{{g}}/Deal {"name": "One", "people": [{"id": "{{ann}}"}]}
> old = header ETag
PATCH /v1/groups/{{g}}/Deal/{{deal}} (If-Match: {{old}}) {"name": "Two"} -- 200
> tag = header ETag
PATCH /v1/groups/{{g}}/Deal/{{deal}} (If-Match: {{old}}) {"name": "Three"} -- 412 (ETag: {{tag}})
@bob PATCH /v1/groups/{{g}}/Deal/{{deal}} (If-Match: {{old}}) {"name": "Three"} -- 403
DELETE /v1/groups/{{g}}/Deal/{{deal}} (If-Match: {{old}}) -- 412 (ETag: {{tag}})
GET /v1/groups/{{g}}/Deal/{{deal}} -- 200 (ETag: {{tag}})

== notes, which show no updatedAt
@make note POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "one", "visibility": "public"}
> old = header ETag
GET /v1/notes/{{note}} -- 200 (ETag: {{old}})
PATCH /v1/notes/{{note}} (If-Match: {{old}}) {"content": "two"} -- 200 (ETag: <not {{old}}>)
> tag = header ETag
PATCH /v1/notes/{{note}} {"content": "two"} -- 200 (ETag: {{tag}})
PATCH /v1/notes/{{note}} (If-Match: {{old}}) {"content": "three"} -- 412 (ETag: {{tag}})
PATCH /v1/notes/{{note}} (If-Match: {{tag}}) {"visibility": "private"} -- 200
> tag = header ETag
@bob PATCH /v1/notes/{{note}} (If-Match: "x") {"content": "three"} -- 404
DELETE /v1/notes/{{note}} (If-Match: {{old}}) -- 412 (ETag: {{tag}})
DELETE /v1/notes/{{note}} (If-Match: {{tag}}) -- 200

== tasks and their actions
@make task POST /v1/tasks {"entity": {"id": "{{ann}}"}, "title": "t", "dueAt": "2030-01-01"}
> old = header ETag
PATCH /v1/tasks/{{task}} (If-Match: {{old}}) {"title": "u"} -- 200
> tag = header ETag
PATCH /v1/tasks/{{task}} (If-Match: {{old}}) {"title": "v"}
POST /v1/tasks/{{task}}/mark-as-done (If-Match: {{old}}) {"completedAt": "2026-01-01T00:00:00Z"}
-- 412 (ETag: {{tag}})
POST /v1/tasks/{{task}}/mark-as-done (If-Match: {{tag}}) {"completedAt": "2026-01-01T00:00:00Z"} -- 200
ETag: <not {{tag}}>
> old = header ETag
POST /v1/tasks/{{task}}/mark-as-done (If-Match: {{old}}) {"completedAt": "2026-01-01T00:00:00Z"} -- 200 (ETag: {{old}})
POST /v1/tasks/{{task}}/mark-as-todo (If-Match: {{tag}}) -- 412 (ETag: {{old}})
POST /v1/tasks/{{task}}/mark-as-todo (If-Match: {{old}}) -- 200 (ETag: <not {{old}}>)
> tag = header ETag
DELETE /v1/tasks/{{task}} (If-Match: {{old}}) -- 412 (ETag: {{tag}})
DELETE /v1/tasks/{{task}} (If-Match: {{tag}}) -- 200

== reminders, which show no updatedAt
@make reminder POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "r", "recurrenceRule": "DTSTART;TZID=Europe/Berlin:20300105T090000\nRRULE:FREQ=WEEKLY", "visibility": "private"}
> old = header ETag
GET /v1/reminders/{{reminder}} -- 200 (ETag: {{old}})
PATCH /v1/reminders/{{reminder}} (If-Match: {{old}}) {"name": "s"} -- 200
> tag = header ETag
PATCH /v1/reminders/{{reminder}} (If-Match: {{old}}) {"name": "t"} -- 412 (ETag: {{tag}})
PATCH /v1/reminders/{{reminder}}
If-Match: {{tag}}
{"recurrenceRule": "DTSTART;TZID=Europe/Berlin:20310105T090000\nRRULE:FREQ=WEEKLY"}
-- 200 (ETag: <not {{tag}}>)
> tag = header ETag
DELETE /v1/reminders/{{reminder}} (If-Match: {{old}}) -- 412 (ETag: {{tag}})
DELETE /v1/reminders/{{reminder}} (If-Match: {{tag}}) -- 200

# --- changes by other requests

== a removed option changes who held it
PATCH /v1/people/{{ann}}
{"customFieldValues": {"{{g}}": {"Level": "high", "Text": "t", "Friend": [{"id": "{{b1}}"}]}}}
-- 200
> old = header ETag
PATCH /v1/groups/{{g}}/custom-fields/person/Level {"removeOptions": ["{{high}}"]} -- 200
GET /v1/people/{{ann}} -- 200 (ETag: <not {{old}}>)
> now = header ETag

== so does a deleted field
DELETE /v1/groups/{{g}}/custom-fields/person/Text -- 200
GET /v1/people/{{ann}} -- 200 (ETag: <not {{now}}>)
> now = header ETag

== so does a deleted contact, in a value and in a list
GET /v1/groups/{{g}}/Deal/{{deal}} -- 200
> tag = header ETag
DELETE /v1/people/{{b1}} -- 200
GET /v1/people/{{ann}} -- 200 (ETag: <not {{now}}>)
> now = header ETag
GET /v1/groups/{{g}}/Deal/{{deal}} -- 200 (ETag: {{tag}})
PATCH /v1/people/{{ann}} {"companies": [{"id": "{{acme}}"}]} -- 200
> now = header ETag
DELETE /v1/companies/{{acme}} -- 200
GET /v1/people/{{ann}} -- 200 (ETag: <not {{now}}>)
> now = header ETag
DELETE /v1/people/{{b2}} -- 200
GET /v1/people/{{ann}} -- 200 (ETag: {{now}})

== so does a deleted group
PATCH /v1/people/{{ann}} {"groups": [{"id": "{{g}}"}, {"id": "{{h}}"}]} -- 200
> now = header ETag
DELETE /v1/groups/{{h}} -- 200
GET /v1/people/{{ann}} -- 200 (ETag: <not {{now}}>)
> now = header ETag

== a note's replies stay as they are when it goes
@make parent POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "parent", "visibility": "private"}
@make child POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "child", "visibility": "public", "parentNote": {"id": "{{parent}}"}}
> tag = header ETag
DELETE /v1/notes/{{parent}} -- 200
GET /v1/notes/{{child}} -- 200 (ETag: {{tag}})

== a merge on condition, and what it does to those that refer to the other
@make kept POST /v1/people {"firstName": "Kept"}
> old = header ETag
@make gone POST /v1/people {"firstName": "Gone", "jobTitle": "g"}
@make note POST /v1/notes {"entity": {"id": "{{gone}}"}, "content": "n", "visibility": "public"}
> note_tag = header ETag
@make moved POST /v1/groups/{{g}}/Deal {"name": "Moved"}
> moved_tag = header ETag
PATCH /v1/people/{{kept}} {"lastName": "K"} -- 200
> tag = header ETag
POST /v1/people/{{kept}}/merge (If-Match: {{old}}) {"id": "{{gone}}"}
POST /v1/people/{{kept}}/merge (If-Match: {{old}}) {"id": "{{kept}}"}
-- 412 (ETag: {{tag}})
POST /v1/people/{{kept}}/merge (If-Match: "a) {"id": "{{gone}}"} -- 422 Invalid headers
* invalid_string ["If-Match"] validation=regex
POST /v1/people/{{kept}}/merge (If-Match: {{tag}}) {"id": "{{gone}}"} -- 200 (ETag: <not {{tag}}>)
> tag = header ETag
GET /v1/people/{{kept}} -- 200 (ETag: {{tag}})
GET /v1/notes/{{note}} -- 200 (ETag: <not {{note_tag}}>)
GET /v1/groups/{{g}}/Deal/{{moved}} -- 200 (ETag: {{moved_tag}})
POST /v1/people/{{gone}}/merge (If-Match: *) {"id": "{{kept}}"} -- 404

# --- batches

== a record of a batch fails by itself
POST /v1/people/batch/create {"records": [{"firstName": "c1"}, {"firstName": "c2"}, {"firstName": "c3"}]} -- 200
> c1 = data.results.0.data.id
> c2 = data.results.1.data.id
> c3 = data.results.2.data.id
GET /v1/people/{{c1}} -- 200
> t1 = header ETag
GET /v1/people/{{c2}} -- 200
> t2 = header ETag
POST /v1/people/batch/update
{"records": [{"id": "{{c1}}", "ifMatch": {{json t1}}, "jobTitle": "a"}, {"id": "{{c2}}", "ifMatch": "\"x\"", "jobTitle": "a"}, {"id": "{{c3}}", "jobTitle": "a"}]}
-- 200 {"data": {"results": [{"status": "succeeded", "data": {"jobTitle": "a", "...": 0}},
	{"status": "failed", "error": {"code": "PRECONDITION_FAILED", "message": "The record has changed since it was read", "documentationUrl": "{{base}}/docs/errors#precondition-failed"}},
	{"status": "succeeded", "data": {"jobTitle": "a", "...": 0}}]}}
GET /v1/people/{{c2}} -- 200 (ETag: {{t2}})
{"data": {"jobTitle": "", "...": 0}}

== lists and * there, too
POST /v1/people/batch/update
{"records": [{"id": "{{c1}}", "ifMatch": "*", "jobTitle": "b"}, {"ifMatch": " \"x\" , W/\"y\",*\"", "id": "{{c2}}"}]}
-- 422 Invalid input
* invalid_string ["records", 1, "ifMatch"] validation=regex
POST /v1/people/batch/update
{"records": [{"id": "{{c1}}", "ifMatch": "*", "jobTitle": "b"}, {"ifMatch": "\"x\", \"y\"", "id": "{{c2}}"}, {"id": "per_00000000-0000-7000-8000-000000000000", "ifMatch": "*"}]}
-- 200 {"data": {"results": [{"status": "succeeded", "data": {"jobTitle": "b", "...": 0}},
	{"status": "failed", "error": {"code": "PRECONDITION_FAILED", "...": 0}},
	{"status": "failed", "error": {"code": "NOT_FOUND", "...": 0}}]}}

== what ifMatch must be
POST /v1/people/batch/update
{"records": [{"id": "{{c1}}", "ifMatch": null}, {"id": "{{c1}}", "ifMatch": ""}, {"id": "{{c1}}", "ifMatch": "abc"}, {"id": "{{c1}}", "ifMatch": ["*"]}]}
-- 422 Invalid input
* invalid_type ["records", 0, "ifMatch"] expected=string received=null
* too_small ["records", 1, "ifMatch"] minimum=1 type=string
* invalid_string ["records", 2, "ifMatch"] validation=regex
* invalid_type ["records", 3, "ifMatch"] expected=string received=array
POST /v1/people/batch/update {"records": [{"id": "{{c1}}", "ifMatch": "\"<repeat x 1000>\""}]} -- 422 Invalid input
* too_big ["records", 0, "ifMatch"] maximum=1000 type=string
POST /v1/people/batch/create {"records": [{"firstName": "x", "ifMatch": "*"}]} -- 422 Invalid input
* unrecognized_keys ["records", 0] keys=["ifMatch"]
PATCH /v1/people/{{c1}} {"ifMatch": "*"} -- 422 Invalid input
* unrecognized_keys [] keys=["ifMatch"]

== records of one id are each held against the state before the request
GET /v1/people/{{c1}} -- 200
> t1 = header ETag
POST /v1/people/batch/update
{"records": [{"id": "{{c1}}", "ifMatch": {{json t1}}, "jobTitle": "c"}, {"id": "{{c1}}", "ifMatch": "\"x\"", "jobTitle": "lost", "firstName": "lost"},
	{"id": "{{c1}}", "ifMatch": {{json t1}}, "lastName": "d"}, {"id": "{{c1}}", "description": "e"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"firstName": "c1", "lastName": "d", "jobTitle": "c", "description": "e", "...": 0}},
	{"status": "failed", "error": {"code": "PRECONDITION_FAILED", "...": 0}},
	{"status": "succeeded", "data": {"firstName": "c1", "lastName": "d", "jobTitle": "c", "description": "e", "...": 0}},
	{"status": "succeeded", "data": {"firstName": "c1", "lastName": "d", "jobTitle": "c", "description": "e", "...": 0}}]}}
GET /v1/people/{{c1}} -- 200 (ETag: <not {{t1}}>)
{"data": {"firstName": "c1", "lastName": "d", "jobTitle": "c", "description": "e", "...": 0}}
> t1 = header ETag

== custom values of a record that fails are not written
PATCH /v1/people/{{c1}} {"groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {"Level": "low"}}} -- 200
> t1 = header ETag
POST /v1/people/batch/update
{"records": [{"id": "{{c1}}", "ifMatch": "\"x\"", "customFieldValues": {"{{g}}": {"Level": null}}, "groups": [], "companies": [{"name": "Never Made"}]},
	{"id": "{{c2}}", "jobTitle": "f"}]}
-- 200
{"data": {"results": [{"status": "failed", "error": {"code": "PRECONDITION_FAILED", "...": 0}}, {"status": "succeeded", "data": {"jobTitle": "f", "...": 0}}]}}
GET /v1/people/{{c1}} -- 200 (ETag: {{t1}})
{"data": {"customFieldValues": {"{{g}}": {"Level": "low", "Friend": null}}, "...": 0}}
GET /v1/companies?filter[name][eq]=Never%20Made -- 200 {"data": {"items": [], "pagination": {}}}

== deletes
POST /v1/people/batch/delete
{"records": [{"id": "{{c1}}", "ifMatch": "\"x\""}, {"id": "{{c2}}", "ifMatch": "*"}, {"id": "{{c2}}"}, {"id": "{{c2}}", "ifMatch": "\"x\""}]}
-- 200 {"data": {"results": [{"status": "failed", "error": {"code": "PRECONDITION_FAILED", "...": 0}},
	{"status": "succeeded", "data": {"id": "{{c2}}"}},
	{"status": "failed", "error": {"code": "NOT_FOUND", "...": 0}},
	{"status": "failed", "error": {"code": "PRECONDITION_FAILED", "...": 0}}]}}
GET /v1/people/{{c2}} -- 404
POST /v1/people/batch/delete {"records": [{"id": "{{c1}}", "ifMatch": {{json t1}}}]}
-- 200 {"data": {"results": [{"status": "succeeded", "data": {"id": "{{c1}}"}}]}}

== companies and objects
@make inc POST /v1/companies {"name": "Batch Inc"}
> tag = header ETag
POST /v1/companies/batch/update
{"records": [{"id": "{{inc}}", "ifMatch": {{json now}}, "name": "Lost"}, {"id": "{{inc}}", "ifMatch": {{json tag}}, "industry": "x"}]}
-- 200 {"data": {"results": [{"status": "failed", "error": {"code": "PRECONDITION_FAILED", "...": 0}},
	{"status": "succeeded", "data": {"name": "Batch Inc", "industry": "x", "...": 0}}]}}
POST /v1/companies/batch/delete {"records": [{"id": "{{inc}}", "ifMatch": {{json tag}}}]}
-- 200 {"data": {"results": [{"status": "failed", "error": {"code": "PRECONDITION_FAILED", "...": 0}}]}}
GET /v1/groups/{{g}}/Deal/{{deal}} -- 200
> tag = header ETag
@bob POST /v1/groups/{{g}}/Deal/batch/update
{"records": [{"id": "{{deal}}", "ifMatch": "\"x\"", "name": "Lost"}]}
@readonly POST /v1/groups/{{g}}/Deal/batch/delete {"records": [{"id": "{{deal}}", "ifMatch": "\"x\""}]}
-- 200 {"data": {"results": [{"status": "failed", "error": {"code": "FORBIDDEN", "...": 0}}]}}
POST /v1/groups/{{g}}/Deal/batch/update
{"records": [{"id": "{{deal}}", "ifMatch": "\"x\"", "name": "Lost"}, {"id": "{{deal}}", "ifMatch": {{json tag}}, "name": "Kept"}]}
-- 200 {"data": {"results": [{"status": "failed", "error": {"code": "PRECONDITION_FAILED", "...": 0}},
	{"status": "succeeded", "data": {"name": "Kept", "...": 0}}]}}
POST /v1/groups/{{g}}/Unknown/batch/update
{"records": [{"id": "{{deal}}", "ifMatch": "\"x\"", "name": "Lost"}]}
-- 404
POST /v1/groups/{{g}}/Deal/batch/delete {"records": [{"id": "{{deal}}", "ifMatch": "*"}]}
-- 200 {"data": {"results": [{"status": "succeeded", "data": {"id": "{{deal}}"}}]}}

# --- with a key

== a 412 leaves no trace: the key may be used again, for the same or anything else
PATCH /v1/people/{{c3}}
Idempotency-Key: cond-1
If-Match: "x"
{"jobTitle": "k"}
-- 412 (!Idempotent-Replayed)
> now = header ETag
PATCH /v1/people/{{c3}}
Idempotency-Key: cond-1
If-Match: {{now}}
{"jobTitle": "k"}
-- 200 (!Idempotent-Replayed)
> done = header ETag
> whole = data
POST /v1/people (Idempotency-Key: cond-2) {"firstName": "n"} -- 200
> other = data.id
DELETE /v1/people/{{other}}
Idempotency-Key: cond-3
If-Match: "x"
-- 412
POST /v1/people (Idempotency-Key: cond-3) {"firstName": "other"} -- 200 (!Idempotent-Replayed)

== a retry of what was done is a replay with its tag, whatever it expects
PATCH /v1/people/{{c3}}
Idempotency-Key: cond-1
If-Match: {{now}}
{"jobTitle": "k"}
-- 200
Idempotent-Replayed: true
ETag: {{done}}
{"data": {{whole}}}
PATCH /v1/people/{{c3}}
Idempotency-Key: cond-1
If-Match: "y"
{"jobTitle": "k"}
PATCH /v1/people/{{c3}} (Idempotency-Key: cond-1) {"jobTitle": "k"}
-- 200
Idempotent-Replayed: true
ETag: {{done}}
PATCH /v1/people/{{c3}} {"jobTitle": "l"} -- 200
> after = header ETag
PATCH /v1/people/{{c3}}
Idempotency-Key: cond-1
If-Match: {{after}}
{"jobTitle": "k"}
-- 200
Idempotent-Replayed: true
ETag: {{done}}
PATCH /v1/people/{{c3}} (If-Match: {{done}}) {"jobTitle": "m"} -- 412 (ETag: {{after}})

== nor is ifMatch a part of the request
POST /v1/people/batch/update
Idempotency-Key: cond-4
{"records": [{"id": "{{c3}}", "ifMatch": {{json after}}, "jobTitle": "n"}, {"id": "{{other}}", "ifMatch": "\"x\"", "jobTitle": "o"}]}
-- 200 (!Idempotent-Replayed)
{"data": {"results": [{"status": "succeeded", "data": {"jobTitle": "n", "...": 0}}, {"status": "failed", "error": {"code": "PRECONDITION_FAILED", "...": 0}}]}}
> whole = data
POST /v1/people/batch/update
Idempotency-Key: cond-4
{"records": [{"id": "{{c3}}", "jobTitle": "n"}, {"jobTitle": "o", "ifMatch": "*", "id": "{{other}}"}]}
-- 200 (Idempotent-Replayed: true) {"data": {{whole}}}
POST /v1/people/batch/update
Idempotency-Key: cond-4
{"records": [{"id": "{{c3}}", "ifMatch": {{json after}}, "jobTitle": "p"}, {"id": "{{other}}", "ifMatch": "\"x\"", "jobTitle": "o"}]}
-- 422 IDEMPOTENCY_KEY_REUSED

== the tag of a replay is there without a condition, too
POST /v1/notes (Idempotency-Key: cond-5) {"entity": {"id": "{{c3}}"}, "content": "n", "visibility": "public"} -- 200
!Idempotent-Replayed
> tag = header ETag
POST /v1/notes (Idempotency-Key: cond-5) {"entity": {"id": "{{c3}}"}, "content": "n", "visibility": "public"} -- 200
Idempotent-Replayed: true
ETag: {{tag}}
