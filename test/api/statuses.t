# Answers that the description claims for an operation and no other file has a case for (test/openapi/statuses.mjs).

== things to work with
@make g POST /v1/groups {"name": "G", "visibility": "public"}
POST /v1/groups/{{g}}/object-types {"name": "Deal"} -- 200
@make com POST /v1/companies {"name": "A"}
@make per POST /v1/people {"firstName": "Ann"}

== a read-only key may not write
@readonly POST /v1/companies/batch/upsert {"match": "name", "records": []}
@readonly DELETE /v1/companies/{{com}}
@readonly POST /v1/companies/{{com}}/merge {"id": "{{com}}"}
@readonly PATCH /v1/notes/nte_00000000-0000-7000-8000-000000000000 {}
@readonly DELETE /v1/notes/nte_00000000-0000-7000-8000-000000000000
@readonly POST /v1/tasks/batch/create {"records": []}
@readonly PATCH /v1/tasks/tsk_00000000-0000-7000-8000-000000000000 {}
@readonly DELETE /v1/tasks/tsk_00000000-0000-7000-8000-000000000000
@readonly POST /v1/tasks/tsk_00000000-0000-7000-8000-000000000000/mark-as-done
{"completedAt": "2026-01-31T09:30:00.000Z"}
@readonly POST /v1/tasks/tsk_00000000-0000-7000-8000-000000000000/mark-as-todo
@readonly POST /v1/reminders
{"name": "A", "entity": {"id": "{{per}}"}, "recurrenceRule": "DTSTART:20300101T000000Z\nRRULE:FREQ=DAILY", "visibility": "public"}
@readonly PATCH /v1/reminders/rmd_00000000-0000-7000-8000-000000000000 {}
@readonly DELETE /v1/reminders/rmd_00000000-0000-7000-8000-000000000000
@readonly POST /v1/webhooks
{"name": "A", "targetUrl": "http://93.184.216.34/hook", "subscribedEvents": [{"eventType": "person.created"}]}
-- 403

== a version that there is not
GET /v1/companies/{{com}}/duplicates (X-API-Version: 1999-01-01)
POST /v1/groups/{{g}}/Deal/search (X-API-Version: 1999-01-01)
DELETE /v1/notes/nte_00000000-0000-7000-8000-000000000000 (X-API-Version: 1999-01-01)
GET /v1/tasks/tsk_00000000-0000-7000-8000-000000000000 (X-API-Version: 1999-01-01)
DELETE /v1/tasks/tsk_00000000-0000-7000-8000-000000000000 (X-API-Version: 1999-01-01)
GET /v1/reminders (X-API-Version: 1999-01-01)
DELETE /v1/reminders/rmd_00000000-0000-7000-8000-000000000000 (X-API-Version: 1999-01-01)
DELETE /v1/webhooks/wbk_00000000-0000-7000-8000-000000000000 (X-API-Version: 1999-01-01)
-- 422
* invalid_enum_value ["X-API-Version"] ...

== only admins of the workspace import
POST /v1/groups/{{g}}/Deal/batch/upsert
{"match": "name", "records": [{"name": "A", "createdAt": "2020-01-31T09:30:00.000Z"}]}
-- 403

== what is not there, or has changed
POST /v1/companies/com_00000000-0000-7000-8000-000000000000/merge {"id": "{{com}}"}
PATCH /v1/tasks/tsk_00000000-0000-7000-8000-000000000000 {}
-- 404
@make other POST /v1/companies {"name": "B"}
POST /v1/companies/{{com}}/merge (If-Match: "other") {"id": "{{other}}"}
DELETE /v1/companies/{{com}} (If-Match: "other")
-- 412

== a version that there is not, of what only some may read
@admin GET /v1/keys (X-API-Version: 1999-01-01)
GET /v1/webhooks/health (X-API-Version: 1999-01-01)
GET /v1/webhooks/wbk_00000000-0000-7000-8000-000000000000/deliveries/dlv_00000000-0000-7000-8000-000000000000
X-API-Version: 1999-01-01
-- 422
* invalid_enum_value ["X-API-Version"] ...
