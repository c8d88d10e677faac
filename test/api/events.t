# The feed of events: pages in commit order, the cursor, waiting, and what each user may see.

== nothing yet: the cursor is there all the same, and stays valid
GET /v1/events -- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}
> begin = data.cursor
GET /v1/events?after={{begin}} -- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}

== a change is there, after the cursor of before, and after that of a list
GET /v1/people -- 200 (X-Events-Cursor: <text>) {"data": {"items": [], "pagination": {}}}
> from_list = header X-Events-Cursor
POST /v1/people {"firstName": "Ann"} -- 200 {"data": {"$person": {"firstName": "Ann", "fullName": "Ann"}}}
> ann = data.id
@poll 5 GET /v1/events?after={{begin}} -- 200
{"data": {"items": [{"id": "<evt>", "type": "person.created", "createdAt": "<time>", "actor": "<object>", "data": {"id": "{{ann}}",
	"url": "{{base}}/v1/people/{{ann}}", "...": 0}}], "cursor": "<text>", "pagination": {}}}
> items = data.items
> after_ann = data.cursor
GET /v1/events?after={{from_list}}&wait=10
GET /v1/events
-- 200 {"data": {"items": {{items}}, "cursor": "<text>", "pagination": {}}}
GET /v1/events?after={{after_ann}} -- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}

== page by page
PATCH /v1/people/{{ann}} {"jobTitle": "Analyst"} -- 200 {"data": "<any>"}
DELETE /v1/people/{{ann}} -- 200 {"data": {"id": "{{ann}}"}}
@poll 5 GET /v1/events?after={{after_ann}} -- 200
{"data": {"items": [{"type": "person.updated", "...": 0}, {"type": "person.deleted", "...": 0}], "cursor": "<text>", "pagination": {}}}
> two = data.items
GET /v1/events?limit=1&after={{after_ann}}&wait=3&x=y -- 200
{"data": {"items": [{"type": "person.updated", "id": "<evt>", "createdAt": "<time>", "actor": "<object>", "data": {"id": "{{ann}}", "url": "<string>",
	"changes": [{"path": ["jobTitle"], "type": "set", "value": "Analyst", "previous": null}]}}],
	"cursor": "<text>", "pagination": {"nextLink": "<string>"}}, "warnings": [{"code": "unknown_parameter", "path": ["x"], "message": "<text>"}]}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"type": "person.deleted", "...": 0}], "cursor": "<text>", "pagination": {}}, "warnings": [{"code": "unknown_parameter", "path": ["x"], "message": "<text>"}]}
> end = data.cursor
GET /v1/events?limit=100&after={{end}} -- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}

== the cursor of one user is valid for another user, not for another workspace
@admin GET /v1/events?after={{after_ann}} -- 200 {"data": {"items": {{two}}, "cursor": "<text>", "pagination": {}}}
@bob GET /v1/events?after={{after_ann}} -- 200
{"data": {"items": [{"type": "person.updated", "...": 0}, {"type": "person.deleted", "...": 0}], "cursor": "<text>", "pagination": {}}}
@other GET /v1/events?after={{after_ann}} -- 422 Invalid query parameters
* invalid_string ["after"] validation=cursor
@other GET /v1/events -- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}

== bad parameters
GET /v1/events?after=abc -- 422 Invalid query parameters
* invalid_string ["after"] validation=cursor
GET /v1/events?limit=0&wait=31 -- 422 Invalid query parameters
* too_small ["limit"] minimum=1 type=number
* too_big ["wait"] maximum=30 type=number
GET /v1/events?limit=101&wait=x -- 422 Invalid query parameters
* too_big ["limit"] maximum=100 type=number
* invalid_type ["wait"] expected=number received=string
GET /v1/events?after=<repeat a 513> -- 422 Invalid query parameters
* too_big ["after"] maximum=512 type=string
GET /v1/events?after= -- 200 {"data": {"items": ["..."], "cursor": "<text>", "pagination": {}}}
POST /v1/events {} -- 405
@none GET /v1/events -- 401

== a cursor of a list is none of the feed, and the other way round
POST /v1/people {"firstName": "One"}
POST /v1/people {"firstName": "Two"}
-- 200 {"data": "<any>"}
@poll 5 GET /v1/events?after={{end}} -- 200
{"data": {"items": [{"type": "person.created", "...": 0}, {"type": "person.created", "...": 0}], "cursor": "<text>", "pagination": {}}}
> before = data.cursor
GET /v1/people?cursor={{before}} -- 422 Invalid query parameters
* invalid_string ["cursor"] validation=cursor

== a private group: those outside of it get no event that names it
@bob POST /v1/groups {"name": "Bob's own", "visibility": "private"}
-- 200 {"data": {"$group": {"name": "Bob's own", "visibility": "private", "createdBy": {{bob}}}}}
> secret = data.id
@bob POST /v1/groups/{{secret}}/object-types {"name": "Big Deals"} -- 200 {"data": "<any>"}
@bob POST /v1/groups/{{secret}}/Big%20Deals {"name": "Big one"} -- 200 {"data": {"id": "<obj>", "...": 0}}
> deal = data.id
POST /v1/people {"firstName": "Cy"} -- 200 {"data": {"id": "<per>", "...": 0}}
> cy = data.id
@bob PATCH /v1/people/{{cy}} {"groups": [{"id": "{{secret}}"}]}
@bob PATCH /v1/people/{{cy}} {"groups": [], "jobTitle": "Boss"}
-- 200 {"data": "<any>"}
@poll 5 @bob GET /v1/events?after={{before}}
-- 200 {"data": {"items": [
	{"type": "object.created", "data": {"id": "{{deal}}", "url": "{{base}}/v1/groups/{{secret}}/Big%20Deals/{{deal}}", "...": 0}, "...": 0},
	{"type": "person.created", "...": 0},
	{"type": "person.groups_updated", "data": {"id": "{{cy}}", "url": "<string>", "changes": [{"path": ["groups"], "type": "add", "value": [{"id": "{{secret}}"}]}]}, "...": 0},
	{"type": "person.updated", "...": 0},
	{"type": "person.groups_updated", "...": 0}
	], "cursor": "<text>", "pagination": {}}}
> before_notes = data.cursor
GET /v1/events?after={{before}}
-- 200 {"data": {"items": [
	{"type": "person.created", "...": 0},
	{"type": "person.updated", "data": {"id": "{{cy}}", "url": "<string>", "changes": [{"path": ["jobTitle"], "type": "set", "value": "Boss", "previous": null}]}, "...": 0}
	], "cursor": "<text>", "pagination": {}}}

== a private note is its author's
@bob POST /v1/notes {"entity": {"id": "{{cy}}"}, "content": "Between us", "visibility": "private"}
-- 200 {"data": {"id": "<nte>", "...": 0}}
> hidden = data.id
@bob POST /v1/notes {"entity": {"id": "{{cy}}"}, "content": "For all", "visibility": "public"}
-- 200 {"data": {"id": "<nte>", "...": 0}}
> shown = data.id
@poll 5 @bob GET /v1/events?after={{before_notes}}
-- 200 {"data": {"items": [{"type": "note.created", "data": {"id": "{{hidden}}", "...": 0}, "...": 0},
	{"type": "note.created", "data": {"id": "{{shown}}", "...": 0}, "...": 0}], "cursor": "<text>", "pagination": {}}}
GET /v1/events?after={{before_notes}} -- 200
{"data": {"items": [{"type": "note.created", "id": "<evt>", "createdAt": "<time>", "actor": "<object>", "data": {"id": "{{shown}}", "url": "{{base}}/v1/notes/{{shown}}",
	"details": {"entity": "<object>"}}}], "cursor": "<text>", "pagination": {}}}

== a stream: the cursor of now, then what follows; with wait it ends
GET /v1/events/stream?wait=0 -- 200
Content-Type: text/event-stream
Cache-Control: no-store
X-Accel-Buffering: no
!ETag
!Content-Length
GET /v1/events/stream?wait=0&after={{begin}}
HEAD /v1/events/stream
-- 200 (Content-Type: text/event-stream)

== refusals before it begins are as those of the feed; the header is what counts
GET /v1/events/stream?after=abc -- 422 Invalid query parameters
* invalid_string ["after"] validation=cursor
GET /v1/events/stream?after={{begin}} (Last-Event-ID: abc) -- 422 Invalid headers
* invalid_string ["Last-Event-ID"] validation=cursor
GET /v1/events/stream?after=abc&wait=0 (Last-Event-ID: {{begin}}) -- 200
@other GET /v1/events/stream (Last-Event-ID: {{begin}}) -- 422 Invalid headers
* invalid_string ["Last-Event-ID"] validation=cursor
GET /v1/events/stream?wait=31 -- 422 Invalid query parameters
* too_big ["wait"] maximum=30 type=number
@none GET /v1/events/stream -- 401
POST /v1/events/stream {} -- 405
