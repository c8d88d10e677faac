# createdAt and createdBy: what an imported record had where it came from. The id begins with the same time.

== what the records are about
@make g @admin POST /v1/groups {"name": "Sales", "visibility": "public"}
@admin POST /v1/groups/{{g}}/object-types {"name": "Deal"} -- 200
@make ann POST /v1/people {"fullName": "Ann"}
> ann_at = data.createdAt

# --- each kind

== a person
@admin POST /v1/people
{"fullName": "Old One", "createdAt": "2019-03-04T05:06:07.089Z", "createdBy": {"id": "{{bob_id}}"}}
-- 200
{"data": {"$person": {"id": "<starts per_01694718-4671-7>", "firstName": "Old", "lastName": "One", "fullName": "Old One",
	"createdAt": "2019-03-04T05:06:07.089Z", "createdBy": {{bob}}, "updatedAt": "<not 2019-03-04T05:06:07.089Z>"}}}
> old = data.id
> old_whole = data
GET /v1/people/{{old}} -- 200 {"data": {{old_whole}}}
# its event has who made it here
@poll 5 GET /v1/events?record={{old}} -- 200
{"data": {"items": [{"type": "person.created", "actor": {"type": "user", "id": "{{admin_id}}", "via": "api", "...": 0}, "...": 0}],
	"cursor": "<text>", "pagination": {}}}

== only one of the two
@admin POST /v1/people {"createdAt": "2019-03-04T07:06:07.089+02:00"} -- 200
{"data": {"$person": {"id": "<starts per_01694718-4671-7>", "createdAt": "2019-03-04T05:06:07.089Z", "createdBy": {{admin}}}}}
> second = data.id
@admin POST /v1/people {"createdBy": {"id": "{{bob_id}}", "fullName": "ignored", "email": 1}}
-- 200 {"data": {"$person": {"id": "<not {{ann}}>", "createdBy": {{bob}}}}}
> by_bob = data.id

== what was read can be sent back
@admin POST /v1/people {"createdAt": "{{ann_at}}", "createdBy": {{ada}}}
-- 200 {"data": {"$person": {"createdAt": "{{ann_at}}"}}}

== a company
@admin POST /v1/companies
{"name": "Acme", "createdAt": "2001-09-09T01:46:40Z", "createdBy": {"id": "{{bob_id}}"}}
-- 200
{"data": {"$company": {"id": "<starts com_00e8d4a5-1000-7>", "name": "Acme", "createdAt": "2001-09-09T01:46:40.000Z", "createdBy": {{bob}},
	"updatedAt": "<not 2001-09-09T01:46:40.000Z>"}}}
> acme = data.id

== a company that exists keeps its own
@admin POST /v1/companies
{"name": "Acme", "createdAt": "2019-03-04T05:06:07.089Z", "createdBy": {"id": "{{ada_id}}"}}
-- 200
{"data": {"$company": {"id": "{{acme}}", "name": "Acme", "createdAt": "2001-09-09T01:46:40.000Z", "createdBy": {{bob}}}},
	"warnings": [{"code": "record_existed", "path": ["name"], "message": "<ends : createdAt, createdBy>"}]}

== companies made by name in an imported person are new, and the caller's
@admin POST /v1/people
{"companies": [{"name": "By Name"}], "createdAt": "2001-09-09T01:46:40Z", "createdBy": {"id": "{{bob_id}}"}}
-- 200
> by_name = data.companies.0.id
GET /v1/companies/{{by_name}} -- 200
{"data": {"$company": {"id": "<not {{acme}}>", "name": "By Name", "createdAt": "<starts 20>", "createdBy": {{admin}}}}}
GET /v1/companies?filter[createdAt][gt]=2020-01-01
-- 200 {"data": {"items": [{"id": "{{by_name}}", "...": 0}], "pagination": {}}}

== an object
@admin POST /v1/groups/{{g}}/Deal
{"name": "Big", "createdAt": "2020-02-02T00:00:00Z", "createdBy": {"id": "{{bob_id}}"}}
-- 200
{"data": {"$object": {"id": "<starts obj_01700332-6800-7>", "name": "Big", "createdAt": "2020-02-02T00:00:00.000Z", "createdBy": {{bob}},
	"updatedAt": "<not 2020-02-02T00:00:00.000Z>"}}}

== a note: its author is who created it
@admin POST /v1/notes
{"entity": {"id": "{{ann}}"}, "content": "imported", "visibility": "public", "createdAt": "2020-02-02T00:00:00Z", "createdBy": {"id": "{{bob_id}}"}}
-- 200
{"data": {"$note": {"id": "<starts nte_01700332-6800-7>", "content": "imported", "createdAt": "2020-02-02T00:00:00.000Z",
	"author": {"type": "user", "id": "{{bob_id}}", "fullName": "<text>", "email": "{{bob_email}}", "deleted": false}}}}
> note = data.id
> note_whole = data
GET /v1/notes?query=imported&createdBefore=2020-02-03 -- 200 {"data": {"items": [{{note_whole}}], "pagination": {}}}

== a task
@admin POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "Call", "dueAt": "2020-03-01", "completedAt": "2020-03-02T00:00:00Z", "createdAt": "2020-02-02T00:00:00Z", "createdBy": {"id": "{{bob_id}}"}}
-- 200
{"data": {"$task": {"id": "<starts tsk_01700332-6800-7>", "dueAt": "2020-03-01", "completedAt": "2020-03-02T00:00:00.000Z", "assignedUsers": [{{admin}}],
	"createdAt": "2020-02-02T00:00:00.000Z", "createdBy": {{bob}}, "updatedAt": "<not 2020-02-02T00:00:00.000Z>"}}}
> task = data.id
GET /v1/tasks?filter[createdAt][lt]=2020-02-03
-- 200 {"data": {"items": [{"id": "{{task}}", "...": 0}], "pagination": {}}}

== an interaction: the time is in its id, and it counts for its user
@admin POST /v1/interactions
{"entity": {"id": "{{ann}}"}, "dateTime": "2020-01-01T00:00:00Z", "title": "T", "activityType": "call", "createdAt": "2020-02-02T00:00:00Z", "createdBy": {"id": "{{bob_id}}"}}
-- 200
{"data": {"$interaction": {"id": "<starts lit_01700332-6800-7>", "from": {"type": "user", "value": "{{bob_id}}", "name": "<text>"},
	"to": {"type": "person", "value": "{{ann}}", "name": "Ann"}, "dateTime": "2020-01-01T00:00:00.000Z"}}}
> met = data.id
GET /v1/interactions?userId={{bob_id}} -- 200 {"data": {"items": [{"id": "{{met}}", "...": 0}], "pagination": {}}}
@bob GET /v1/people/{{ann}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2020-01-01T00:00:00.000Z"},
	"workspace": {"approximateCount": 1, "lastInteractedAt": "2020-01-01T00:00:00.000Z", "lastInteractedBy": [{{bob}}]}}, "...": 0}}

== not a reminder, and nothing that is not a create
@admin POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "N", "recurrenceRule": "DTSTART:20990101T000000Z\nRRULE:COUNT=1", "visibility": "private", "createdAt": "2020-02-02T00:00:00Z", "createdBy": {"id": "{{bob_id}}"}}
-- 422 Invalid input
* unrecognized_keys [] keys=["createdAt","createdBy"]
@admin POST /v1/groups {"name": "G", "visibility": "public", "createdAt": "2020-02-02T00:00:00Z"} -- 422 Invalid input
* unrecognized_keys [] keys=["createdAt"]
@rows target body issue
| people/{{ann}}       | {"createdAt": "2020-02-02T00:00:00Z", "createdBy": {"id": "{{bob_id}}"}} | "createdAt","createdBy" |
| tasks/{{task}}       | {"createdAt": "2020-02-02T00:00:00Z"}                                    | "createdAt"             |
| interactions/{{met}} | {"entity": {"id": "{{ann}}"}, "createdBy": {"id": "{{bob_id}}"}}         | "createdBy"             |
@admin PATCH /v1/{{target}}
{{body}}
-- 422 Invalid input
* unrecognized_keys [] keys=[{{issue}}]

# --- lists

== the order of lists is that of createdAt
GET /v1/people?limit=3 -- 200
{"data": {"items": [{"createdAt": "2001-09-09T01:46:40.000Z", "...": 0}, {"id": "{{old}}", "...": 0}, {"id": "{{second}}", "...": 0}], "pagination": {"nextLink": "<text>"}}}
> next = data.pagination.nextLink
GET /v1/people?filter[createdAt][lt]=2019-03-05&filter[createdBy][in][id]={{bob_id}}&sort=-createdAt -- 200
{"data": {"items": [{"id": "{{old}}", "...": 0}, {"createdAt": "2001-09-09T01:46:40.000Z", "...": 0}], "pagination": {}}}
GET /v1/people?filter[createdAt][eq]=2019-03-04
-- 200 {"data": {"items": [{"id": "{{old}}", "...": 0}, {"id": "{{second}}", "...": 0}], "pagination": {}}}

== and that of updatedAt has the last import first
GET /v1/companies?sort=-updatedAt
-- 200 {"data": {"items": [{"id": "{{by_name}}", "...": 0}, {"id": "{{acme}}", "...": 0}], "pagination": {}}}

== a client that is reading the list keeps its place: what is imported before it is passed, what is behind it follows
@admin POST /v1/people/batch/create
{"records": [{"firstName": "Before", "createdAt": "1970-01-01T00:00:00Z"}, {"firstName": "Behind", "createdAt": "2019-03-04T05:06:07.089Z"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"id": "<starts per_00000000-0000-7>", "createdAt": "1970-01-01T00:00:00.000Z", "...": 0}},
	{"status": "succeeded", "data": {"createdAt": "2019-03-04T05:06:07.089Z", "...": 0}}]}}
> behind = data.results.1.data.id
GET {{next}} -- 200
{"data": {"items": [{"id": "{{behind}}", "...": 0}, {"createdAt": "{{ann_at}}", "...": 0}, {"createdAt": "{{ann_at}}", "...": 0}], "pagination": {"nextLink": "<text>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{"id": "{{by_bob}}", "...": 0}], "pagination": {}}}

== records of one time are in the order of the batch
@admin POST /v1/companies/batch/create
{"records": [{"name": "C1", "createdAt": "2000-01-01T00:00:00Z"}, {"name": "C2", "createdAt": "2000-01-01T00:00:00Z"}, {"name": "C0", "createdAt": "1999-01-01T00:00:00Z"},
	{"name": "C3", "createdAt": "2000-01-01T00:00:00Z"}]}
-- 200
GET /v1/companies?filter[createdAt][lt]=2000-01-02 -- 200
{"data": {"items": [{"name": "C0", "...": 0}, {"name": "C1", "...": 0}, {"name": "C2", "...": 0}, {"name": "C3", "...": 0}], "pagination": {}}}

# --- rights

== others than workspace admins may not
POST /v1/people {"createdAt": "2020-02-02T00:00:00Z"}
POST /v1/companies {"createdBy": {"id": "{{ada_id}}"}}
@bob POST /v1/groups/{{g}}/Deal {"createdAt": "2020-02-02T00:00:00Z"}
POST /v1/notes
{"entity": {"id": "{{ann}}"}, "content": "x", "visibility": "public", "createdAt": "2020-02-02T00:00:00Z"}
POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "x", "dueAt": "2020-03-01", "createdBy": {"id": "{{ada_id}}"}}
POST /v1/interactions
{"entity": {"id": "{{ann}}"}, "dateTime": "2020-01-01T00:00:00Z", "title": "x", "activityType": "call", "createdAt": "2020-02-02T00:00:00Z"}
-- 403 FORBIDDEN

== one record of theirs refuses the whole batch
POST /v1/people/batch/create
{"records": [{"firstName": "Must not be"}, {"firstName": "Must not be", "createdAt": "2020-02-02T00:00:00Z"}]}
POST /v1/groups/{{g}}/Deal/batch/create
{"records": [{"name": "Must not be"}, {"createdBy": {"id": "{{ada_id}}"}}]}
POST /v1/notes/batch/create
{"records": [{"entity": {"id": "{{ann}}"}, "content": "Must not be", "visibility": "public"},
	{"entity": {"id": "{{ann}}"}, "content": "x", "visibility": "public", "createdBy": {"id": "{{ada_id}}"}}]}
-- 403 FORBIDDEN
GET /v1/people?filter[firstName][eq]=Must%20not%20be
GET /v1/notes?query=must
-- 200 {"data": {"items": [], "pagination": {}}}

== the refusal leaves no trace under a key
POST /v1/people (Idempotency-Key: import-1) {"createdAt": "2020-02-02T00:00:00Z"} -- 403 FORBIDDEN
POST /v1/people (Idempotency-Key: import-1) {"firstName": "Another"} -- 200 (!Idempotent-Replayed)
{"data": {"$person": {"firstName": "Another", "fullName": "Another"}}}

== a mistake is told first, as of a key that may only read
POST /v1/people {"createdAt": "yesterday", "createdBy": {"id": "usr_00000000-0000-7000-8000-000000000000"}}
-- 422 Invalid input
* invalid_string ["createdAt"] validation=datetime
* custom ["createdBy", "id"]
@readonly POST /v1/people {"createdAt": "2020-02-02T00:00:00Z"} -- 403 FORBIDDEN

== an admin of another workspace is not a user here
@admin POST /v1/people {"createdBy": {"id": "{{other_id}}"}} -- 422 Invalid input
* custom ["createdBy", "id"]

# --- values

== what they may be
@admin POST /v1/people {"createdAt": "1969-12-31T23:59:59.999Z"}
@admin POST /v1/people {"createdAt": "2999-01-01T00:00:00Z"}
-- 422 Invalid input
* custom ["createdAt"]
@admin POST /v1/people {"createdAt": null, "createdBy": null} -- 422 Invalid input
* invalid_type ["createdAt"] expected=string received=null
* invalid_type ["createdBy"] expected=object received=null
@admin POST /v1/people {"createdAt": 1580601600, "createdBy": "{{bob_id}}"} -- 422 Invalid input
* invalid_type ["createdAt"] expected=string received=number
* invalid_type ["createdBy"] expected=object received=string
@admin POST /v1/people {"createdAt": "2020-02-02", "createdBy": {"email": "{{bob_email}}"}} -- 422 Invalid input
* invalid_string ["createdAt"] validation=datetime
* required ["createdBy", "id"] expected=string
@admin POST /v1/people {"createdAt": "<repeat 1 41>", "createdBy": {"id": "usr_1", "name": "x"}} -- 422 Invalid input
* too_big ["createdAt"] maximum=40 type=string
* too_small ["createdBy", "id"] minimum=40 type=string exact=true
* unrecognized_keys ["createdBy"] keys=["name"]
@admin POST /v1/people {"createdAt": "2020-02-02T00:00:00.123456789123-00:00"}
-- 200 {"data": {"$person": {"createdAt": "2020-02-02T00:00:00.123Z", "createdBy": {{admin}}}}}

== an empty time is none, for everybody
POST /v1/people {"firstName": "Empty", "createdAt": ""}
-- 200 {"data": {"$person": {"firstName": "Empty", "fullName": "Empty"}}}

== a record of a batch fails by itself
@admin POST /v1/people/batch/create
{"records": [{"firstName": "Good 1", "createdAt": "2020-02-02T00:00:00Z"}, {"createdAt": "2999-01-01T00:00:00Z"}, {"createdAt": "1969-01-01T00:00:00Z"},
	{"createdBy": {"id": "usr_00000000-0000-7000-8000-000000000000"}}, {"firstName": "Good 2", "createdBy": {"id": "{{bob_id}}"}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"firstName": "Good 1", "createdAt": "2020-02-02T00:00:00.000Z", "...": 0}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "<starts createdAt: >", "documentationUrl": "<text>"}},
	{"$invalid": {}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "createdBy: User not found", "documentationUrl": "<text>"}},
	{"status": "succeeded", "data": {"firstName": "Good 2", "createdBy": {{bob}}, "...": 0}}]}}

== a malformed one refuses the whole
@admin POST /v1/people/batch/create {"records": [{}, {"createdAt": "yesterday"}, {"createdBy": {}}]}
-- 422 Invalid input
* invalid_string ["records", 1, "createdAt"] validation=datetime
* required ["records", 2, "createdBy", "id"] expected=string

# --- privacy

== a private note belongs to its author, not to who imported it
@admin POST /v1/notes
{"entity": {"id": "{{ann}}"}, "content": "bobs secret", "visibility": "private", "createdAt": "2020-02-02T00:00:00Z", "createdBy": {"id": "{{bob_id}}"}}
-- 200 {"data": {"content": "bobs secret", "author": {"id": "{{bob_id}}", "...": 0}, "...": 0}}
> private = data.id
@admin GET /v1/notes/{{private}} -- 404
@admin GET /v1/notes?query=bobs -- 200 {"data": {"items": [], "pagination": {}}}
@bob GET /v1/notes/{{private}} -- 200 {"data": {"id": "{{private}}", "content": "bobs secret", "...": 0}}

== its thread can be imported, and is not shown to the importer
@admin POST /v1/notes
{"entity": {"id": "{{ann}}"}, "content": "bobs answer", "visibility": "private", "createdAt": "2020-02-03T00:00:00Z", "createdBy": {"id": "{{bob_id}}"}, "parentNote": {"id": "{{private}}"}}
-- 200 {"data": {"content": "bobs answer", "parentNote": null, "...": 0}}
> answer = data.id
@bob GET /v1/notes/{{answer}} -- 200
{"data": {"content": "bobs answer", "parentNote": {"id": "{{private}}", "content": "bobs secret", "...": 0}, "...": 0}}
@admin POST /v1/notes
{"entity": {"id": "{{ann}}"}, "content": "x", "visibility": "private", "createdBy": {"id": "{{ada_id}}"}, "parentNote": {"id": "{{private}}"}}
-- 422 Invalid input
* custom ["parentNote", "id"]

== a task that is not public belongs to its author and assignees
@make hidden @admin POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "bobs", "dueAt": "2020-03-01", "isPublic": false, "assignedUsers": [], "createdBy": {"id": "{{bob_id}}"}}
@admin GET /v1/tasks/{{hidden}} -- 404
@bob GET /v1/tasks/{{hidden}} -- 200 {"data": {"id": "{{hidden}}", "createdBy": {{bob}}, "...": 0}}

== events of a private note are for its author
@poll 5 @bob GET /v1/events?record={{hidden}} -- 200 {"data": {"items": [{"type": "task.created", "...": 0}], "...": 0}}
@admin GET /v1/events?limit=100 -- 200
> after = data.cursor
@make quiet @admin POST /v1/notes
{"entity": {"id": "{{ann}}"}, "content": "quiet", "visibility": "private", "createdBy": {"id": "{{bob_id}}"}}
@poll 5 @bob GET /v1/events?after={{after}}&wait=1 -- 200
{"data": {"items": [{"type": "note.created", "data": {"id": "{{quiet}}", "...": 0}, "...": 0}], "cursor": "<text>", "pagination": {}}}
@admin GET /v1/events?after={{after}} -- 200 {"data": {"items": [], "cursor": "<text>", "pagination": "<object>"}}

== a replay is the first answer
@admin POST /v1/people (Idempotency-Key: import-2) {"createdAt": "2020-02-02T00:00:00Z"} -- 200
> once = data
@admin POST /v1/people (Idempotency-Key: import-2) {"createdAt": "2020-02-02T00:00:00Z"} -- 200
Idempotent-Replayed: true
{"data": {{once}}}
