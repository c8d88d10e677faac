# Notes, tasks and interactions in batch: create.

== what they are about
@make ann POST /v1/people {"fullName": "Ann"}
@make ben POST /v1/people {"fullName": "Ben"}
@make acme POST /v1/companies {"name": "Acme"}
@make secret @bob POST /v1/groups {"name": "Bob's own", "visibility": "private"}
@bob POST /v1/groups/{{secret}}/object-types {"name": "Deal"} -- 200
@make deal @bob POST /v1/groups/{{secret}}/Deal {"name": "Big one"}
@make theirs @other POST /v1/people {"firstName": "Theirs"}

# --- the envelope

== an empty batch does nothing
POST /v1/notes/batch/create {"records": []}
POST /v1/tasks/batch/create {"records": []}
-- 200 {"data": {"results": []}}
POST /v1/interactions/batch/create {"records": []} -- 200 (!Deprecation) {"data": {"results": []}}

== what the body must be
POST /v1/notes/batch/create -- 422 Invalid input
* required ["records"] expected=array
POST /v1/tasks/batch/create {"records": {}, "foo": 1} -- 422 Invalid input
* invalid_type ["records"] expected=array received=object
* unrecognized_keys [] keys=["foo"]
POST /v1/interactions/batch/create {"records": [<list {} 101>]} -- 422 Invalid input
* too_big ["records"] maximum=100 type=array
@none POST /v1/notes/batch/create {"records": []} -- 401

== other operations and methods are not there
POST /v1/notes/batch/update {"records": []}
POST /v1/tasks/batch/delete {"records": []}
-- 404
GET /v1/interactions/batch/create -- 405 (Allow: <has POST>)

== a key that may only read
@readonly POST /v1/notes/batch/create {"records": []}
@readonly POST /v1/interactions/batch/create
{"records": [{"entity": {"id": "{{ann}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "T", "activityType": "call"}]}
-- 403 FORBIDDEN

# --- notes

== notes: results come in the order of the records
@make root POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "root", "visibility": "public"}
POST /v1/notes/batch/create
{"records": [{"entity": {"id": "{{ann}}"}, "content": "one", "visibility": "public"},
	{"entity": {"id": "{{acme}}"}, "content": "two", "visibility": "private"},
	{"entity": {"id": "{{ann}}"}, "content": "three", "visibility": "public", "parentNote": {"id": "{{root}}"}},
	{"entity": {"id": "{{ann}}"}, "content": "four", "visibility": "public", "parentNote": null}]}
-- 200 {"data": {"results": [{"status": "succeeded", "data": {"$note": {"content": "one"}}},
	{"status": "succeeded", "data": {"$note": {"content": "two", "visibility": "private", "entity": {"id": "{{acme}}", "entityType": "company", "fullName": "Acme"}}}},
	{"status": "succeeded", "data": {"$note": {"content": "three", "parentNote": {"id": "{{root}}", "content": "root", "deleted": false, "...": 0}}}},
	{"status": "succeeded", "data": {"$note": {"content": "four"}}}]}}
> one_whole = data.results.0.data
> two_whole = data.results.1.data
> three_whole = data.results.2.data
> three = data.results.2.data.id
> four_whole = data.results.3.data
GET /v1/notes?entity.id={{ann}} -- 200
{"data": {"items": [{"id": "{{root}}", "...": 0}, {{one_whole}}, {{three_whole}}, {{four_whole}}], "pagination": {}}}
GET /v1/notes?query=two -- 200 {"data": {"items": [{{two_whole}}], "pagination": {}}}
@bob GET /v1/notes?query=two -- 200 {"data": {"items": [], "pagination": {}}}

== a note that cannot be made fails by itself
@make bobs @bob POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "bobs", "visibility": "private"}
@make of_deal @bob POST /v1/notes {"entity": {"id": "{{deal}}"}, "content": "about the deal", "visibility": "public"}
POST /v1/notes/batch/create
{"records": [{"entity": {"id": "{{ann}}"}, "content": "good 1", "visibility": "public"},
	{"entity": {"id": "per_00000000-0000-7000-8000-000000000000"}, "content": "bad", "visibility": "public"},
	{"entity": {"id": "{{theirs}}"}, "content": "bad", "visibility": "public"},
	{"entity": {"id": "{{deal}}"}, "content": "bad", "visibility": "public"},
	{"entity": {"id": "{{ada_id}}"}, "content": "bad", "visibility": "public"},
	{"entity": {"id": "{{ann}}"}, "content": "bad", "visibility": "public", "parentNote": {"id": "nte_00000000-0000-7000-8000-000000000000"}},
	{"entity": {"id": "{{ann}}"}, "content": "bad", "visibility": "public", "parentNote": {"id": "{{bobs}}"}},
	{"entity": {"id": "{{ann}}"}, "content": "bad", "visibility": "public", "parentNote": {"id": "{{of_deal}}"}},
	{"entity": {"id": "{{ben}}"}, "content": "bad", "visibility": "public", "parentNote": {"id": "{{root}}"}},
	{"entity": {"id": "{{ann}}"}, "content": "good 2", "visibility": "public"}]}
-- 200 {"data": {"results": [{"status": "succeeded", "data": {"$note": {"content": "good 1"}}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "entity: Entity not found", "documentationUrl": "<text>"}},
	{"$invalid": {}}, {"$invalid": {}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "entity: Entity not found", "documentationUrl": "<text>"}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "parentNote: Note not found", "documentationUrl": "<text>"}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "parentNote: Note not found", "documentationUrl": "<text>"}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "parentNote: Note not found", "documentationUrl": "<text>"}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "parentNote: The note belongs to another entity", "documentationUrl": "<text>"}},
	{"status": "succeeded", "data": {"$note": {"content": "good 2"}}}]}}
GET /v1/notes?query=bad -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/notes?query=good -- 200
{"data": {"items": [{"content": "good 1", "...": 0}, {"content": "good 2", "...": 0}], "pagination": {}}}

== an object of a group that the caller sees
@bob POST /v1/notes/batch/create
{"records": [{"entity": {"id": "{{deal}}"}, "content": "x", "visibility": "public", "parentNote": {"id": "{{of_deal}}"}}, {"entity": {"id": "{{ann}}"}, "content": "y", "visibility": "private", "parentNote": {"id": "{{bobs}}"}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"entity": {"id": "{{deal}}", "entityType": "object", "fullName": "Big one"}, "parentNote": {"id": "{{of_deal}}", "...": 0}, "...": 0}},
	{"status": "succeeded", "data": {"content": "y", "parentNote": {"id": "{{bobs}}", "...": 0}, "...": 0}}]}}

== the wrong shape refuses the whole
POST /v1/notes/batch/create
{"records": [{"entity": {"id": "{{ann}}"}, "content": "whole", "visibility": "public"}, {}, {"entity": {"id": "per_1"}, "content": "", "visibility": "secret", "foo": 1}, 5]}
-- 422 Invalid input
* required ["records", 1, "entity"] expected=object
* required ["records", 1, "content"] expected=string
* required ["records", 1, "visibility"]
* too_small ["records", 2, "entity", "id"] minimum=40 type=string exact=true
* too_small ["records", 2, "content"] minimum=1 type=string
* invalid_enum_value ["records", 2, "visibility"] options=["public","private"] received=secret
* unrecognized_keys ["records", 2] keys=["foo"]
* invalid_type ["records", 3] expected=object received=number
GET /v1/notes?query=whole -- 200 {"data": {"items": [], "pagination": {}}}

== a batch runs once under a key
POST /v1/notes/batch/create
Idempotency-Key: notes-1
{"records": [{"entity": {"id": "{{ann}}"}, "content": "once", "visibility": "public"}, {"entity": {"id": "{{theirs}}"}, "content": "once", "visibility": "public"}]}
-- 200
> first = data
POST /v1/notes/batch/create
Idempotency-Key: notes-1
{"records": [{"entity": {"id": "{{ann}}"}, "content": "once", "visibility": "public"}, {"entity": {"id": "{{theirs}}"}, "content": "once", "visibility": "public"}]}
-- 200 (Idempotent-Replayed: true) {"data": {{first}}}
GET /v1/notes?query=once -- 200 {"data": {"items": ["<object>"], "pagination": {}}}

== more than the body of a single request may hold
POST /v1/notes/batch/create
{"records": [{"entity": {"id": "{{ben}}"}, "content": "<repeat é, 50000>", "visibility": "public"},
	{"entity": {"id": "{{ben}}"}, "content": "<repeat é, 50000>", "visibility": "public"},
	{"entity": {"id": "{{ben}}"}, "content": "<repeat é, 50000>", "visibility": "public"},
	{"entity": {"id": "{{ben}}"}, "content": "<repeat é, 50000>", "visibility": "public"},
	{"entity": {"id": "{{ben}}"}, "content": "<repeat é, 50000>", "visibility": "public"},
	{"entity": {"id": "{{ben}}"}, "content": "<repeat é, 50000>", "visibility": "public"},
	{"entity": {"id": "{{ben}}"}, "content": "<repeat é, 50000>", "visibility": "public"},
	{"entity": {"id": "{{ben}}"}, "content": "<repeat é, 50000>", "visibility": "public"}]}
-- 200 {"data": {"results": [<list {"status": "succeeded", "data": "<object>"} 8>]}}
GET /v1/notes?entity.id={{ben}}&query=%C3%89&limit=100
-- 200 {"data": {"items": [<list {"id": "<nte>", "...": 0} 8>], "pagination": {}}}

# --- tasks

== tasks
POST /v1/tasks/batch/create
{"records": [{"entity": {"id": "{{ann}}"}, "title": "Call", "dueAt": "2026-03-01"},
	{"entity": {"id": "{{acme}}"}, "title": "All", "dueAt": "2026-02-28", "dueTime": "23:59", "description": "d", "completedAt": "2026-02-01T10:00:00Z",
		"assignedUsers": [{"email": "{{bob_email}}"}], "isPublic": false, "recurrenceFrequency": "weekly"},
	{"entity": {"id": "{{ann}}"}, "title": "Unknown user", "dueAt": "2026-03-01", "assignedUsers": [{"id": "{{ada_id}}"}, {"email": "nobody@example.com"}]},
	{"entity": {"id": "{{ann}}"}, "title": "Nobody's", "dueAt": "2026-03-01", "assignedUsers": []},
	{"entity": {"id": "{{theirs}}"}, "title": "Unknown entity", "dueAt": "2026-03-01"}]}
-- 200 {"data": {"results": [{"status": "succeeded", "data": {"$task": {}}},
	{"status": "succeeded", "data": {"$task": {"entity": {"id": "{{acme}}", "entityType": "company", "fullName": "Acme"}, "title": "All", "dueAt": "2026-02-28", "dueTime": "23:59",
		"description": "d", "completedAt": "2026-02-01T10:00:00.000Z", "assignedUsers": [{{bob}}], "isPublic": false, "recurrenceFrequency": "weekly"}}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "assignedUsers: User not found", "documentationUrl": "<text>"}},
	{"status": "succeeded", "data": {"$task": {"title": "Nobody's", "assignedUsers": []}}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "entity: Entity not found", "documentationUrl": "<text>"}}]}}
> call_whole = data.results.0.data
> call = data.results.0.data.id
> all_whole = data.results.1.data
> nobodys_whole = data.results.3.data
GET /v1/tasks/{{call}} -- 200 {"data": {{call_whole}}}
GET /v1/tasks -- 200 {"data": {"items": [{{call_whole}}, {{all_whole}}, {{nobodys_whole}}], "pagination": {}}}
@bob GET /v1/tasks?onlyAssignedToMe=true -- 200 {"data": {"items": [{{all_whole}}], "pagination": {}}}
POST /v1/tasks/batch/create
{"records": [{"entity": {"id": "{{ann}}"}, "title": "<repeat t 256>", "dueAt": "soon", "isPublic": 1}]}
-- 422 Invalid input
* too_big ["records", 0, "title"] maximum=255 type=string
* invalid_string ["records", 0, "dueAt"] validation=date
* invalid_type ["records", 0, "isPublic"] expected=boolean received=number

# --- interactions

== interactions: the counters follow
POST /v1/interactions/batch/create
{"records": [{"entity": {"id": "{{ann}}"}, "dateTime": "2025-01-02T00:00:00Z", "title": "a", "activityType": "call"},
	{"entity": {"id": "{{ben}}"}, "dateTime": "2025-01-03T00:00:00Z", "title": "b", "activityType": "☕"},
	{"entity": {"id": "{{ann}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "c", "activityType": "lunch", "content": "words"},
	{"entity": {"id": "{{acme}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "d", "activityType": "call"},
	{"entity": {"id": "{{ann}}"}, "dateTime": "2999-01-01T00:00:00Z", "title": "not yet", "activityType": "call"},
	{"entity": {"id": "{{deal}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "no", "activityType": "call"},
	{"entity": {"id": "{{theirs}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "no", "activityType": "call"}]}
-- 200 (!Deprecation)
{"data": {"results": [
	{"status": "succeeded", "data": {"$interaction": {"title": "a", "to": {"type": "person", "value": "{{ann}}", "name": "Ann"}, "dateTime": "2025-01-02T00:00:00.000Z"}}},
	{"status": "succeeded", "data": {"title": "b", "type": "☕", "activityType": "☕", "...": 0}},
	{"status": "succeeded", "data": {"title": "c", "content": "words", "...": 0}},
	{"status": "succeeded", "data": {"title": "d", "entity": {"id": "{{acme}}", "entityType": "company", "fullName": "Acme"}, "...": 0}},
	{"status": "succeeded", "data": {"title": "not yet", "...": 0}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "entity: Entity not found", "documentationUrl": "<text>"}},
	{"$invalid": {}}]}}
> a_whole = data.results.0.data
> a = data.results.0.data.id
GET /v1/interactions/{{a}} -- 200 {"data": {{a_whole}}}
GET /v1/people/{{ann}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 2, "lastInteractedAt": "2025-01-02T00:00:00.000Z"},
	"workspace": {"approximateCount": 2, "lastInteractedAt": "2025-01-02T00:00:00.000Z", "lastInteractedBy": [{{ada}}]}}, "...": 0}}
GET /v1/people/{{ben}} -- 200
{"data": {"interactionMetadata": {"user": {"approximateCount": 1, "lastInteractedAt": "2025-01-03T00:00:00.000Z"}, "workspace": "<object>"}, "...": 0}}
GET /v1/interactions?entity.id={{acme}} -- 200 {"data": {"items": [{"title": "d", "...": 0}], "pagination": {}}}

== a second batch adds to them, and an older one leaves the latest
@bob POST /v1/interactions/batch/create
{"records": [{"entity": {"id": "{{ann}}"}, "dateTime": "2024-01-01T00:00:00Z", "title": "e", "activityType": "call"}, {"entity": {"id": "{{ann}}"}, "dateTime": "2024-01-02T00:00:00Z", "title": "f", "activityType": "call"}]}
-- 200
@bob GET /v1/people/{{ann}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 2, "lastInteractedAt": "2024-01-02T00:00:00.000Z"},
	"workspace": {"approximateCount": 4, "lastInteractedAt": "2025-01-02T00:00:00.000Z", "lastInteractedBy": [{{ada}}]}}, "...": 0}}

== the deprecated name, in one record
POST /v1/interactions/batch/create
{"records": [{"entity": {"id": "{{acme}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "g", "activityType": "call"}, {"entity": {"id": "{{acme}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "h", "type": "lunch"}]}
-- 200 (!Deprecation)
{"data": {"results": [{"status": "succeeded", "data": {"activityType": "call", "...": 0}}, {"status": "succeeded", "data": {"activityType": "lunch", "type": "lunch", "...": 0},
	"warnings": [{"code": "deprecated", "path": ["type"], "message": "<has activityType>"}]}]},
	"deprecations": ["<text>"], "warnings": [{"code": "deprecated", "path": ["type"], "message": "<has activityType>"}]}

== times and authors of their own, of admins
@admin POST /v1/interactions/batch/create
{"records": [{"entity": {"id": "{{acme}}"}, "dateTime": "2020-01-01T00:00:00Z", "title": "old", "activityType": "call", "createdAt": "2020-02-02T00:00:00Z", "createdBy": {"id": "{{bob_id}}"}},
	{"entity": {"id": "{{acme}}"}, "dateTime": "2020-01-01T00:00:00Z", "title": "older", "activityType": "call", "createdAt": "2001-09-09T01:46:40Z"},
	{"entity": {"id": "{{acme}}"}, "dateTime": "2020-01-01T00:00:00Z", "title": "no", "activityType": "call", "createdAt": "2999-01-01T00:00:00Z"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"id": "<starts lit_01700332-6800-7>", "from": {"type": "user", "value": "{{bob_id}}", "name": "<text>"}, "...": 0}},
	{"status": "succeeded", "data": {"id": "<starts lit_00e8d4a5-1000-7>", "from": {"type": "user", "value": "{{admin_id}}", "name": "<text>"}, "...": 0}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "<starts createdAt: >", "documentationUrl": "<text>"}}]}}
GET /v1/interactions?entity.id={{acme}} -- 200
{"data": {"items": [{"title": "older", "...": 0}, {"title": "old", "...": 0}, {"title": "d", "...": 0}, {"title": "g", "...": 0}, {"title": "h", "...": 0}], "pagination": {}}}
@admin POST /v1/tasks/batch/create
{"records": [{"entity": {"id": "{{ben}}"}, "title": "old", "dueAt": "2020-03-01", "createdAt": "2020-02-02T00:00:00Z", "createdBy": {"id": "{{bob_id}}"}, "assignedUsers": [{"id": "{{bob_id}}"}]}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"id": "<starts tsk_01700332-6800-7>", "createdAt": "2020-02-02T00:00:00.000Z", "createdBy": {{bob}}, "updatedAt": "<not 2020-02-02T00:00:00.000Z>", "assignedUsers": [{{bob}}], "...": 0}}]}}
@admin POST /v1/notes/batch/create
{"records": [{"entity": {"id": "{{ann}}"}, "content": "imported", "visibility": "private", "createdAt": "2020-02-02T00:00:00Z", "createdBy": {"id": "{{bob_id}}"}, "parentNote": {"id": "{{bobs}}"}},
	{"entity": {"id": "{{ann}}"}, "content": "imported", "visibility": "private", "createdBy": {"id": "{{ada_id}}"}, "parentNote": {"id": "{{bobs}}"}},
	{"entity": {"id": "{{ann}}"}, "content": "imported", "visibility": "public", "createdAt": "2020-02-02T00:00:00Z"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"author": {"id": "{{bob_id}}", "...": 0}, "parentNote": null, "createdAt": "2020-02-02T00:00:00.000Z", "...": 0}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "parentNote: Note not found", "documentationUrl": "<text>"}},
	{"status": "succeeded", "data": {"author": {"id": "{{admin_id}}", "...": 0}, "createdAt": "2020-02-02T00:00:00.000Z", "...": 0}}]}}
> imported = data.results.0.data.id
@bob GET /v1/notes/{{imported}} -- 200 {"data": {"parentNote": {"id": "{{bobs}}", "...": 0}, "...": 0}}
