# Tasks: done and open, the next one of a recurring task, private ones, lists.

== the people that the tasks are about
POST /v1/people {"fullName": "Ann"} -- 200 {"data": {"$person": {"firstName": "Ann", "fullName": "Ann"}}}
> ann = data.id
POST /v1/people {"fullName": "Ben"} -- 200 {"data": {"$person": {"firstName": "Ben", "fullName": "Ben"}}}
> ben = data.id

== create and read
POST /v1/tasks {"entity": {"id": "{{ann}}"}, "title": "Call", "dueAt": "2026-03-01"} -- 200 {"data": {"$task": {}}}
> plain = data.id
> plain_whole = data
GET /v1/tasks/{{plain}} -- 200 {"data": {{plain_whole}}}
@other GET /v1/tasks/{{plain}} -- 404
POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "All", "dueAt": "2026-02-28", "dueTime": "23:59", "description": "d", "completedAt": "2026-02-01T10:00:00+02:00", "assignedUsers": [{"email": "{{bob_email}}"}, {"id": "{{ada_id}}"}, {"id": "{{bob_id}}"}], "isPublic": true, "recurrenceFrequency": "weekly"}
-- 200
{"data": {"$task": {"title": "All", "dueAt": "2026-02-28", "dueTime": "23:59", "description": "d", "completedAt": "2026-02-01T08:00:00.000Z", "recurrenceFrequency": "weekly", "assignedUsers": [{{bob}}, {{ada}}]}}}
> full = data.id
POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "Nulls", "dueAt": "2026-03-01", "dueTime": null, "description": null, "completedAt": null, "assignedUsers": [], "recurrenceFrequency": null}
-- 200 {"data": {"$task": {"title": "Nulls", "assignedUsers": []}}}
> nulls = data.id

== what a create needs, and its limits
POST /v1/tasks {} -- 422 Invalid input
* required ["title"] expected=string
* required ["entity"] expected=object
* required ["dueAt"] expected=string
POST /v1/tasks {"entity": {"id": "{{ann}}"}, "title": "<repeat é 255>", "dueAt": "2026-03-01"}
-- 200 {"data": {"$task": {"title": "<repeat é 255>"}}}
> long = data.id
DELETE /v1/tasks/{{long}} -- 200 {"data": {"id": "{{long}}"}}
GET /v1/tasks/{{long}} -- 404
POST /v1/tasks {"entity": {"id": "{{ann}}"}, "title": "<repeat n 256>", "dueAt": "2026-03-01"} -- 422 Invalid input
* too_big ["title"] maximum=255 type=string
POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "", "dueAt": "2026-02-30", "dueTime": "24:00", "completedAt": "2026-01-01T00:00:00.000000000Z", "isPublic": "yes", "recurrenceFrequency": "daily", "foo": 1}
-- 422 Invalid input
* too_small ["title"] minimum=1 type=string
* invalid_string ["dueAt"] validation=date
* invalid_string ["dueTime"] validation=time
* invalid_type ["isPublic"] expected=boolean received=string
* invalid_enum_value ["recurrenceFrequency"] options=["weekday","weekly","biweekly","monthly","quarterly","yearly"] received=daily
* unrecognized_keys [] keys=["foo"]
POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": null, "dueAt": "", "dueTime": 9, "completedAt": "2026-01-01T00:00:00.0000000000Z", "isPublic": null}
-- 422 Invalid input
* invalid_type ["title"] expected=string received=null
* invalid_string ["dueAt"] validation=date
* invalid_type ["dueTime"] expected=string received=number
* too_big ["completedAt"] maximum=30 type=string
* invalid_type ["isPublic"] expected=boolean received=null

== assigned users
POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "a", "dueAt": "2026-03-01", "assignedUsers": [{"id": "{{ada_id}}", "email": "{{ada_email}}"}, {"id": "usr_00000000-0000-7000-8000-000000000000"}, {"email": "nobody@x.example"}, {"id": "{{other_id}}"}, {}, 5, {"id": "usr_1"}, {"email": ""}, {"id": "{{bob_id}}", "name": "x"}]}
-- 422 Invalid input
* custom ["assignedUsers", 1, "id"]
* custom ["assignedUsers", 2, "email"]
* custom ["assignedUsers", 3, "id"]
* required ["assignedUsers", 4, "id"] expected=string
* invalid_type ["assignedUsers", 5] expected=object received=number
* too_small ["assignedUsers", 6, "id"] minimum=40 type=string exact=true
* too_small ["assignedUsers", 7, "email"] minimum=1 type=string
* unrecognized_keys ["assignedUsers", 8] keys=["name"]
POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "a", "dueAt": "2026-03-01", "assignedUsers": [<list {"id": "{{bob_id}}"} 50>]}
-- 200 {"data": {"$task": {"title": "a", "assignedUsers": [{{bob}}]}}}
> fifty = data.id
DELETE /v1/tasks/{{fifty}} -- 200 {"data": {"id": "{{fifty}}"}}
POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "a", "dueAt": "2026-03-01", "assignedUsers": [<list {"id": "{{bob_id}}"} 51>]}
-- 422 Invalid input
* too_big ["assignedUsers"] maximum=50 type=array

== change, and move to another entity
PATCH /v1/tasks/{{plain}}
{"title": "Write", "dueTime": "08:05", "description": "more", "assignedUsers": [{"id": "{{bob_id}}"}]}
-- 200
{"data": {"$task": {"id": "{{plain}}", "title": "Write", "dueTime": "08:05", "description": "more", "assignedUsers": [{{bob}}]}}}
PATCH /v1/tasks/{{plain}} {"entity": {"id": "{{ben}}"}, "dueTime": "", "description": ""} -- 200
{"data": {"$task": {"id": "{{plain}}", "title": "Write", "entity": {"id": "{{ben}}", "entityType": "person", "fullName": "Ben"}, "assignedUsers": [{{bob}}]}}}
> moved = data
PATCH /v1/tasks/{{plain}} {"title": "Write"} -- 200 {"data": {{moved}}}
@rows target body status issue
| {{plain}} | {"entity": {"id": "per_00000000-0000-7000-8000-000000000000"}} | input | custom ["entity", "id"] |
| {{plain}} | {"completedAt": null} | input | unrecognized_keys [] keys=["completedAt"] |
| tsk_1 | {} | path parameters | too_small ["taskId"] minimum=40 type=string exact=true |
PATCH /v1/tasks/{{target}}
{{body}}
-- 422 Invalid {{status}}
* {{issue}}

== done, done again, open again
POST /v1/tasks/{{plain}}/mark-as-done {"completedAt": "2026-03-02T12:00:00.123Z"}
-- 200 {"data": {"id": "{{plain}}", "completedAt": "2026-03-02T12:00:00.123Z", "...": 0}}
POST /v1/tasks/{{plain}}/mark-as-done {"completedAt": "2026-03-03T12:00:00Z"}
-- 200 {"data": {"id": "{{plain}}", "completedAt": "2026-03-03T12:00:00.000Z", "...": 0}}
POST /v1/tasks/{{plain}}/mark-as-todo
POST /v1/tasks/{{plain}}/mark-as-todo {}
-- 200 {"data": {"id": "{{plain}}", "completedAt": null, "...": 0}}
@rows target body issue
| mark-as-todo | {"completedAt": null}            | unrecognized_keys [] keys=["completedAt"]                  |
| mark-as-done | {}                               | required ["completedAt"] expected=string                   |
| mark-as-done | {"completedAt": null}            | invalid_type ["completedAt"] expected=string received=null |
| mark-as-done | {"completedAt": "2026-03-02"}    | invalid_string ["completedAt"] validation=datetime         |
| mark-as-done | {"completedAt": "<repeat 1 31>"} | too_big ["completedAt"] maximum=30 type=string             |
POST /v1/tasks/{{plain}}/{{target}}
{{body}}
-- 422 Invalid input
* {{issue}}
@end
POST /v1/tasks/tsk_00000000-0000-7000-8000-000000000000/mark-as-done {"completedAt": "2026-03-02T12:00:00Z"} -- 404

== a recurring task goes on, once
DELETE /v1/tasks/{{plain}} -- 200 {"data": {"id": "{{plain}}"}}
DELETE /v1/tasks/{{full}} -- 200 {"data": {"id": "{{full}}"}}
DELETE /v1/tasks/{{nulls}} -- 200 {"data": {"id": "{{nulls}}"}}
POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "Monthly", "dueAt": "2026-01-31", "dueTime": "09:00", "description": "d", "isPublic": true, "recurrenceFrequency": "monthly", "assignedUsers": [{"id": "{{bob_id}}"}]}
-- 200
{"data": {"$task": {"title": "Monthly", "dueAt": "2026-01-31", "dueTime": "09:00", "description": "d", "recurrenceFrequency": "monthly", "assignedUsers": [{{bob}}]}}}
> monthly = data.id
@bob POST /v1/tasks/{{monthly}}/mark-as-done {"completedAt": "2026-01-31T23:59:59Z"} -- 200
{"data": {"$task": {"id": "{{monthly}}", "title": "Monthly", "dueAt": "2026-01-31", "dueTime": "09:00", "description": "d", "completedAt": "2026-01-31T23:59:59.000Z", "recurrenceFrequency": "monthly", "assignedUsers": [{{bob}}]}}}
GET /v1/tasks -- 200
{"data": {"items": [{"id": "{{monthly}}", "...": 0}, {"$task": {"id": "<not {{monthly}}>", "title": "Monthly", "dueAt": "2026-02-28", "dueTime": "09:00", "description": "d", "recurrenceFrequency": "monthly", "assignedUsers": [{{bob}}]}}], "pagination": {}}}
> next = data.items.1.id
POST /v1/tasks/{{monthly}}/mark-as-done {"completedAt": "2026-02-01T00:00:00Z"}
POST /v1/tasks/{{monthly}}/mark-as-todo
POST /v1/tasks/{{monthly}}/mark-as-done {"completedAt": "2026-02-01T00:00:00Z"}
-- 200 {"data": {"id": "{{monthly}}", "...": 0}}
GET /v1/tasks?count=exact -- 200
{"data": {"items": [{"id": "{{monthly}}", "...": 0}, {"id": "{{next}}", "...": 0}], "pagination": {"count": 2}}}
DELETE /v1/tasks/{{monthly}} -- 200 {"data": {"id": "{{monthly}}"}}
POST /v1/tasks/{{next}}/mark-as-done {"completedAt": "2026-06-28T00:00:00Z"}
-- 200 {"data": {"id": "{{next}}", "...": 0}}
DELETE /v1/tasks/{{next}} -- 200 {"data": {"id": "{{next}}"}}
GET /v1/tasks -- 200 {"data": {"items": [{"dueAt": "2026-07-28", "...": 0}], "pagination": {}}}
> last = data.items.0.id
PATCH /v1/tasks/{{last}} {"recurrenceFrequency": "weekday", "dueAt": "2026-11-20"}
-- 200 {"data": {"dueAt": "2026-11-20", "...": 0}}
POST /v1/tasks/{{last}}/mark-as-done {"completedAt": "2026-11-01T00:00:00Z"}
-- 200 {"data": {"id": "{{last}}", "...": 0}}
DELETE /v1/tasks/{{last}} -- 200 {"data": {"id": "{{last}}"}}
GET /v1/tasks -- 200 {"data": {"items": [{"dueAt": "2026-11-23", "...": 0}], "pagination": {}}}
> last = data.items.0.id
PATCH /v1/tasks/{{last}} {"recurrenceFrequency": "biweekly"}
POST /v1/tasks/{{last}}/mark-as-done {"completedAt": "2026-12-07T00:00:00Z"}
-- 200 {"data": {"id": "{{last}}", "...": 0}}
DELETE /v1/tasks/{{last}} -- 200 {"data": {"id": "{{last}}"}}
GET /v1/tasks -- 200 {"data": {"items": [{"dueAt": "2026-12-21", "...": 0}], "pagination": {}}}
> last = data.items.0.id
PATCH /v1/tasks/{{last}} {"recurrenceFrequency": "yearly", "dueAt": "2024-02-29"}
POST /v1/tasks/{{last}}/mark-as-done {"completedAt": "2024-02-29T00:00:00Z"}
-- 200 {"data": {"id": "{{last}}", "...": 0}}
DELETE /v1/tasks/{{last}} -- 200 {"data": {"id": "{{last}}"}}
GET /v1/tasks -- 200 {"data": {"items": [{"dueAt": "2025-02-28", "...": 0}], "pagination": {}}}
> last = data.items.0.id
PATCH /v1/tasks/{{last}} {"recurrenceFrequency": ""}
-- 200 {"data": {"id": "{{last}}", "recurrenceFrequency": null, "...": 0}}
POST /v1/tasks/{{last}}/mark-as-done {"completedAt": "2024-02-29T00:00:00Z"}
-- 200 {"data": {"id": "{{last}}", "...": 0}}
GET /v1/tasks -- 200 {"data": {"items": [{"id": "{{last}}", "...": 0}], "pagination": {}}}
DELETE /v1/tasks/{{last}} -- 200 {"data": {"id": "{{last}}"}}

== none follows a task that is created done
POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "Done", "dueAt": "2026-01-31", "recurrenceFrequency": "quarterly", "completedAt": "2026-01-31T00:00:00Z"}
-- 200 {"data": {"id": "<tsk>", "...": 0}}
> done = data.id
POST /v1/tasks/{{done}}/mark-as-done {"completedAt": "2026-01-31T00:00:00Z"}
-- 200 {"data": {"id": "{{done}}", "...": 0}}
GET /v1/tasks -- 200 {"data": {"items": [{"id": "{{done}}", "...": 0}], "pagination": {}}}
DELETE /v1/tasks/{{done}} -- 200 {"data": {"id": "{{done}}"}}

== private tasks: author and assignees
@bob POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "Secret", "dueAt": "2026-01-31", "isPublic": false, "assignedUsers": []}
-- 200 {"data": {"title": "Secret", "isPublic": false, "assignedUsers": [], "...": 0}}
> secret = data.id
GET /v1/tasks/{{secret}}
@admin GET /v1/tasks/{{secret}}
-- 404
GET /v1/tasks -- 200 {"data": {"items": [], "pagination": {}}}
POST /v1/tasks/{{secret}}/mark-as-done {"completedAt": "2026-01-31T00:00:00Z"}
POST /v1/tasks/{{secret}}/mark-as-todo
DELETE /v1/tasks/{{secret}}
-- 404
@bob PATCH /v1/tasks/{{secret}} {"assignedUsers": [{"id": "{{ada_id}}"}]}
-- 200 {"data": {"id": "{{secret}}", "...": 0}}
GET /v1/tasks/{{secret}}
-- 200 {"data": {"id": "{{secret}}", "assignedUsers": [{{ada}}], "createdBy": {{bob}}, "...": 0}}

== lists: mine, in order
POST /v1/tasks
{"entity": {"id": "{{ben}}"}, "title": "Two", "dueAt": "2026-01-31", "assignedUsers": [{"id": "{{bob_id}}"}]}
-- 200 {"data": {"id": "<tsk>", "...": 0}}
> two = data.id
GET /v1/tasks?onlyAssignedToMe=true -- 200 {"data": {"items": [{"id": "{{secret}}", "...": 0}], "pagination": {}}}
GET /v1/tasks?onlyAssignedToMe=false&sort=-createdAt
-- 200 {"data": {"items": [{"id": "{{two}}", "...": 0}, {"id": "{{secret}}", "...": 0}], "pagination": {}}}
PATCH /v1/tasks/{{secret}} {"title": "Newer"} -- 200 {"data": {"id": "{{secret}}", "...": 0}}
GET /v1/tasks?sort=updatedAt&limit=1 -- 200
{"data": {"items": [{"id": "{{two}}", "...": 0}], "pagination": {"nextLink": "<link {{base}}/v1/tasks?sort=updatedAt&limit=1>"}}}
> more = data.pagination.nextLink
GET {{more}} -- 200 {"data": {"items": [{"id": "{{secret}}", "...": 0}], "pagination": {}}}
GET /v1/tasks?onlyAssignedToMe=yes -- 422 Invalid query parameters
* invalid_enum_value ["onlyAssignedToMe"] options=["true","false"] received=yes

== an entity takes its tasks with it
DELETE /v1/people/{{ben}} -- 200 {"data": {"id": "{{ben}}"}}
GET /v1/tasks/{{two}} -- 404
