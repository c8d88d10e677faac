# The history of one record: GET /v1/events?record=.

== nothing of a record that there is not, but a cursor
GET /v1/events?record=per_00000000-0000-7000-8000-000000000000
GET /v1/events?record=<repeat x 40>
-- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}
# users, groups and the like have no events
GET /v1/events?record={{ada_id}} -- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}
GET /v1/events?record=per_1 -- 422 Invalid query parameters
* too_small ["record"] minimum=40 type=string exact=true hint="<has UUID>"
GET /v1/events?record= -- 422 Invalid query parameters
* too_small ["record"] minimum=40 type=string exact=true

== only the record's own events, the newest last
GET /v1/people -- 200
> list_cursor = header X-Events-Cursor
@make ann POST /v1/people {"firstName": "Ann"}
@make ben POST /v1/people {"firstName": "Ben"}
PATCH /v1/people/{{ann}} {"jobTitle": "One"}
PATCH /v1/people/{{ben}} {"jobTitle": "Other"}
PATCH /v1/people/{{ann}} {"jobTitle": "Two"}
-- 200
@make note POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "About Ann", "visibility": "public"}
@poll 5 GET /v1/events?record={{ann}}
-- 200 {"data": {"items": [
	{"type": "person.created", "id": "<evt>", "createdAt": "<time>", "actor": "<object>", "data": {"id": "{{ann}}", "url": "{{base}}/v1/people/{{ann}}", "...": 0}},
	{"type": "person.updated", "id": "<evt>", "createdAt": "<time>", "actor": "<object>", "data": {"id": "{{ann}}", "url": "<string>",
		"changes": [{"path": ["jobTitle"], "type": "set", "value": "One", "previous": null}]}},
	{"type": "person.updated", "id": "<evt>", "createdAt": "<time>", "actor": "<object>", "data": {"id": "{{ann}}", "url": "<string>",
		"changes": [{"path": ["jobTitle"], "type": "set", "value": "Two", "previous": "One"}]}}
	], "cursor": "<text>", "pagination": {}}}
> anns = data.items
> end = data.cursor
@poll 5 GET /v1/events?record={{note}} -- 200
{"data": {"items": [{"type": "note.created", "data": {"id": "{{note}}", "...": 0}, "...": 0}], "cursor": "<text>", "pagination": {}}}

== page by page, and on
GET /v1/events?record={{ann}}&limit=2 -- 200
{"data": {"items": ["<object>", {"data": {"changes": [{"path": ["jobTitle"], "type": "set", "value": "One", "previous": null}], "...": 0}, "...": 0}],
	"cursor": "<text>", "pagination": {"nextLink": "<starts {{base}}/v1/events?record={{ann}}&limit=2&after=>"}}}
> cursor = data.cursor
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"data": {"changes": [{"path": ["jobTitle"], "type": "set", "value": "Two", "previous": "One"}], "...": 0}, "...": 0}],
	"cursor": "<text>", "pagination": {}}}
GET /v1/events?after={{end}}&record={{ann}} -- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}
PATCH /v1/people/{{ben}} {"jobTitle": "Not Ann's"}
PATCH /v1/people/{{ann}} {"jobTitle": "Three"}
-- 200
GET /v1/events?after={{end}}&record={{ann}}&wait=10 -- 200
{"data": {"items": [{"data": {"changes": [{"path": ["jobTitle"], "type": "set", "value": "Three", "previous": "Two"}], "...": 0}, "...": 0}],
	"cursor": "<text>", "pagination": {}}}

== its cursors continue only in that history, those of the feed in any
GET /v1/events?after={{cursor}}
GET /v1/events?after={{cursor}}&record={{ben}}
-- 422 Invalid query parameters
* invalid_string ["after"] validation=cursor
GET /v1/events?after={{list_cursor}}&record={{ann}}&limit=3
-- 200 {"data": {"items": {{anns}}, "cursor": "<text>", "pagination": {"nextLink": "<string>"}}}
@other GET /v1/events?after={{cursor}}&record={{ann}} -- 422 Invalid query parameters
* invalid_string ["after"] validation=cursor

== what is not a record's id has none of the workspace's events
GET /v1/events?record=<repeat x 40>
GET /v1/events?record={{ada_id}}
-- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}

== a deleted record keeps its history
DELETE /v1/people/{{ann}} -- 200
@poll 5 GET /v1/events?record={{ann}} -- 200
{"data": {"items": ["<object>", "<object>", "<object>", "<object>", {"type": "person.deleted", "data": {"id": "{{ann}}", "...": 0}, "...": 0}],
	"cursor": "<text>", "pagination": {}}}
# deleted with the person
@poll 5 GET /v1/events?record={{note}} -- 200
{"data": {"items": [{"type": "note.created", "...": 0}, {"type": "note.deleted", "...": 0}], "cursor": "<text>", "pagination": {}}}

== another workspace sees none of it
@other GET /v1/events?record={{ann}} -- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}

== a private note, and what is in a private group, for those who see it
@make secret @bob POST /v1/groups {"name": "Bob's own", "visibility": "private"}
@bob POST /v1/groups/{{secret}}/object-types {"name": "Deal"} -- 200
@make deal @bob POST /v1/groups/{{secret}}/Deal {"name": "Big one"}
@make hidden @bob POST /v1/notes {"entity": {"id": "{{ben}}"}, "content": "Between us", "visibility": "private"}
@bob PATCH /v1/people/{{ben}} {"groups": [{"id": "{{secret}}"}]} -- 200
@poll 5 @bob GET /v1/events?record={{ben}} -- 200
{"data": {"items": ["<object>", "<object>", "<object>", {"type": "person.groups_updated", "...": 0}], "cursor": "<text>", "pagination": {}}}
@bob GET /v1/events?record={{deal}}
-- 200 {"data": {"items": [{"type": "object.created", "...": 0}], "cursor": "<text>", "pagination": {}}}
@bob GET /v1/events?record={{hidden}}
-- 200 {"data": {"items": [{"type": "note.created", "...": 0}], "cursor": "<text>", "pagination": {}}}
GET /v1/events?record={{ben}}
-- 200 {"data": {"items": ["<object>", "<object>", "<object>"], "cursor": "<text>", "pagination": {}}}
GET /v1/events?record={{deal}}
GET /v1/events?record={{hidden}}
-- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}
@admin GET /v1/events?record={{deal}}
-- 200 {"data": {"items": [{"type": "object.created", "...": 0}], "cursor": "<text>", "pagination": {}}}

== with a read-only key, too
@readonly GET /v1/events?record={{ben}}&limit=1 -- 200
{"data": {"items": [{"type": "person.created", "...": 0}], "cursor": "<text>", "pagination": {"nextLink": "<string>"}}}
