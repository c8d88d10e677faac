# Who did it, and what it was before: actor and previous in the feed, and the parameters that filter it.

== the actor is the key's user, by the way that the request says
GET /v1/people -- 200
> start = header X-Events-Cursor
@make ann POST /v1/people {"firstName": "Ann"}
PATCH /v1/people/{{ann}} (X-Kith-Via: console) {"jobTitle": "One"} -- 200
@bob PATCH /v1/people/{{ann}} (X-Kith-Via: import) {"jobTitle": "Two"} -- 200
# only programs of kith have names of their own
@rows via
| command |
| mcp     |
| Console |
| x       |
PATCH /v1/people/{{ann}} (X-Kith-Via: {{via}}) {"jobTitle": "{{via}}"} -- 200
@end
@poll 5 GET /v1/events?record={{ann}} -- 200
{"data": {"items": [
	{"type": "person.created", "id": "<evt>", "createdAt": "<time>", "data": "<object>", "actor": {"type": "user", "id": "{{ada_id}}",
		"fullName": "<text>", "keyId": "{{ada_key_id}}", "keyName": "<string>", "via": "api"}},
	{"actor": {"type": "user", "id": "{{ada_id}}", "fullName": "<text>", "keyId": "{{ada_key_id}}", "keyName": "<string>",
		"via": "console"}, "...": 0},
	{"actor": {"type": "user", "id": "{{bob_id}}", "fullName": "<text>", "keyId": null, "keyName": null, "via": "import"}, "...": 0},
	{"actor": {"via": "api", "...": 0}, "...": 0}, {"actor": {"via": "api", "...": 0}, "...": 0},
	{"actor": {"via": "api", "...": 0}, "...": 0}, {"actor": {"via": "api", "...": 0}, "...": 0}],
	"cursor": "<text>", "pagination": {}}}

== an admin sees everybody's key
@admin GET /v1/events?record={{ann}}&limit=3 -- 200
{"data": {"items": [{"actor": {"keyId": "{{ada_key_id}}", "...": 0}, "...": 0}, {"actor": {"keyId": "{{ada_key_id}}", "...": 0}, "...": 0},
	{"actor": {"keyId": "{{bob_key_id}}", "...": 0}, "...": 0}], "cursor": "<text>", "pagination": "<object>"}}

== a tool of /mcp
CALL update {"id": "{{ann}}", "fields": {"jobTitle": "By tool"}} -- 200
@poll 5 GET /v1/events?record={{ann}}&sort=-createdAt&limit=1 -- 200
{"data": {"items": [{"actor": {"type": "user", "id": "{{ada_id}}", "via": "mcp", "...": 0}, "data": {"changes": [
	{"path": ["jobTitle"], "type": "set", "value": "By tool", "previous": "x"}], "...": 0}, "...": 0}],
	"cursor": "<text>", "pagination": {"nextLink": "<string>"}}}

== previous: null at first, then the value before the request; not of long texts
@make ben POST /v1/people {"firstName": "Ben"}
PATCH /v1/people/{{ben}} {"birthday": "1990-01-31", "gender": "Female", "description": "One"} -- 200
PATCH /v1/people/{{ben}} {"birthday": null, "gender": "", "description": "Two"} -- 200
@poll 5 GET /v1/events?record={{ben}}&type=person.updated -- 200
{"data": {"items": [
	{"data": {"changes": [{"path": ["description"], "type": "set"},
		{"path": ["birthday"], "type": "set", "value": "1990-01-31", "previous": null},
		{"path": ["gender"], "type": "set", "value": "Female", "previous": "<any>"}], "...": 0}, "...": 0},
	{"data": {"changes": [{"path": ["description"], "type": "set"},
		{"path": ["birthday"], "type": "set", "value": null, "previous": "1990-01-31"},
		{"path": ["gender"], "type": "set", "value": "<any>", "previous": "Female"}], "...": 0}, "...": 0}],
	"cursor": "<text>", "pagination": {}}}

== the newest first, page by page, and on from the cursor of the first page
GET /v1/events?record={{ben}}&sort=-createdAt&limit=2 -- 200
{"data": {"items": [{"type": "person.updated", "...": 0}, {"type": "person.updated", "...": 0}], "cursor": "<text>",
	"pagination": {"nextLink": "<starts {{base}}/v1/events?record={{ben}}&sort=-createdAt&limit=2&after=>"}}}
> newest = data.cursor
> older = data.pagination.nextLink
GET {{older}} -- 200
{"data": {"items": [{"type": "person.created", "...": 0}], "cursor": "<text>", "pagination": {}}}
PATCH /v1/people/{{ben}} {"jobTitle": "New"} -- 200
@poll 5 GET /v1/events?record={{ben}}&after={{newest}} -- 200
{"data": {"items": [{"data": {"changes": [{"path": ["jobTitle"], "type": "set", "value": "New", "previous": "<any>"}], "...": 0}, "...": 0}],
	"cursor": "<text>", "pagination": {}}}

== a cursor of the other direction, or of another filter
GET /v1/events?after={{start}}&sort=-createdAt
GET /v1/events?record={{ben}}&sort=-createdAt&after={{newest}}
GET /v1/events?after={{newest}}
GET /v1/events?after={{newest}}&record={{ben}}&via=api
-- 422 Invalid query parameters
* invalid_string ["after"] validation=cursor

== by actor, way and type
@poll 5 GET /v1/events?after={{start}}&actor={{bob_id}} -- 200
{"data": {"items": [{"type": "person.updated", "actor": {"via": "import", "...": 0}, "...": 0}], "cursor": "<text>", "pagination": {}}}
GET /v1/events?after={{start}}&via=console -- 200
{"data": {"items": [{"actor": {"via": "console", "...": 0}, "...": 0}], "cursor": "<text>", "pagination": {}}}
GET /v1/events?after={{start}}&via=console&actor={{bob_id}}
GET /v1/events?after={{start}}&via=carddav
GET /v1/events?after={{start}}&actor=usr_00000000-0000-7000-8000-000000000000
GET /v1/events?after={{start}}&actor={{ann}}
-- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}
GET /v1/events?after={{start}}&type=person.created&type=company.created&limit=1 -- 200
{"data": {"items": [{"type": "person.created", "data": {"id": "{{ann}}", "...": 0}, "...": 0}], "cursor": "<text>",
	"pagination": {"nextLink": "<starts {{base}}/v1/events?type=person.created&type=company.created&limit=1&after=>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"type": "person.created", "data": {"id": "{{ben}}", "...": 0}, "...": 0}], "cursor": "<text>", "pagination": {}}}

== since and until
GET /v1/events?record={{ben}}&limit=1 -- 200
> made = data.items.0.createdAt
> second = data.cursor
GET /v1/events?record={{ben}}&since={{made}}&limit=1 -- 200
{"data": {"items": [{"type": "person.created", "...": 0}], "cursor": "<text>", "pagination": "<object>"}}
GET /v1/events?record={{ben}}&until={{made}} -- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}
GET /v1/events?since=9999-01-01
GET /v1/events?until=1970-01-01
GET /v1/events?since=9999-01-01&sort=-createdAt
-- 200 {"data": {"items": [], "cursor": "<text>", "pagination": {}}}
# with a cursor, since is ignored
GET /v1/events?record={{ben}}&since=9999-01-01&after={{second}}&limit=1 -- 200
{"data": {"items": [{"type": "person.updated", "...": 0}], "cursor": "<text>", "pagination": "<object>"}}

== bad parameters
GET /v1/events?via=web -- 422 Invalid query parameters
* invalid_enum_value ["via"] ...
GET /v1/events?type=person.created&type=person.renamed -- 422 Invalid query parameters
* invalid_enum_value ["type"] ...
GET /v1/events?type=webhook.test -- 422 Invalid query parameters
* invalid_enum_value ["type"] ...
GET /v1/events?sort=createdAt -- 422 Invalid query parameters
* invalid_enum_value ["sort"] ...
GET /v1/events?since=yesterday -- 422 Invalid query parameters
* invalid_string ["since"] ...
GET /v1/events?until=x -- 422 Invalid query parameters
* invalid_string ["until"] ...
GET /v1/events?actor=usr_1 -- 422 Invalid query parameters
* too_small ["actor"] minimum=40 type=string exact=true hint="<has UUID>"
GET /v1/events?sort=-createdAt&wait=1
GET /v1/events?until=9999-01-01&wait=0
-- 422 Invalid query parameters
* custom ["wait"]

== nobody learns what a record was before they could see it
@make task POST /v1/tasks {"entity": {"id": "{{ann}}"}, "title": "Mine", "dueAt": "2026-03-01", "isPublic": false}
PATCH /v1/tasks/{{task}} {"dueAt": "2026-03-02"} -- 200
PATCH /v1/tasks/{{task}} {"dueAt": "2026-03-03", "isPublic": true} -- 200
PATCH /v1/tasks/{{task}} {"dueAt": "2026-03-04"} -- 200
@poll 5 GET /v1/events?record={{task}}&type=task.updated -- 200
{"data": {"items": [
	{"data": {"changes": [{"path": ["dueAt"], "type": "set", "value": "<any>", "previous": "<string>"}], "...": 0}, "...": 0},
	{"data": {"changes": [{"path": ["dueAt"], "type": "set", "value": "<any>"},
		{"path": ["isPublic"], "type": "set", "value": true}], "...": 0}, "...": 0},
	{"data": {"changes": [{"path": ["dueAt"], "type": "set", "value": "<any>", "previous": "<string>"}], "...": 0}, "...": 0}],
	"cursor": "<text>", "pagination": {}}}
@bob GET /v1/events?record={{task}}&limit=1 -- 200
{"data": {"items": [{"data": {"changes": [{"path": ["dueAt"], "type": "set", "value": "<any>"},
	{"path": ["isPublic"], "type": "set", "value": true}], "...": 0}, "...": 0}], "cursor": "<text>", "pagination": "<object>"}}
