# Interactions: every field, limits, emoji, the deprecated name and the deprecated lists.

== whom to interact with
@make grace POST /v1/people {"firstName": "Grace", "lastName": "Hopper"}
@make max POST /v1/people {"firstName": "Max"}
@make acme POST /v1/companies {"name": "Acme"}

== no interactions yet
GET /v1/interactions -- 200 (!Deprecation) {"data": {"items": [], "pagination": {}}}

== an interaction with a person
POST /v1/interactions
{"entity": {"id": "{{grace}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "content": "line 1\nline 2", "activityType": "call"}
-- 200
{"data": {"$interaction": {"content": "line 1\nline 2", "to": {"type": "person", "value": "{{grace}}", "name": "Grace Hopper"},
	"entity": {"id": "{{grace}}", "entityType": "person", "fullName": "Grace Hopper"}}}}
> call = data.id
> whole = data
GET /v1/interactions/{{call}}
@bob GET /v1/interactions/{{call}}
-- 200 {"data": {{whole}}}

== an interaction with a company, content left out
@bob POST /v1/interactions
{"entity": {"id": "{{acme}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "activityType": "call"}
-- 200 {"data": {"$interaction": {"from": {"type": "user", "value": "{{bob_id}}", "name": "<text>"},
	"to": {"type": "company", "value": "{{acme}}", "name": "Acme"},
	"entity": {"id": "{{acme}}", "entityType": "company", "fullName": "Acme"}}}}
> with_acme = data.id

== a new name of the person is read at once
PATCH /v1/people/{{grace}} {"lastName": "Murray"} -- 200
GET /v1/interactions/{{call}} -- 200
{"data": {"$interaction": {"id": "{{call}}", "content": "<string>", "to": {"type": "person", "value": "{{grace}}", "name": "Grace Murray"},
	"entity": {"id": "{{grace}}", "entityType": "person", "fullName": "Grace Murray"}}}}

== timestamps: offsets and fractions are kept as milliseconds in UTC
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-01T01:30+02:00", "title": "T", "activityType": "call"}
-- 422
* invalid_string ["dateTime"] validation=datetime
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-01T01:30:00Z", "title": "T", "activityType": "call"}
-- 200 {"data": {"$interaction": {"dateTime": "2025-01-01T01:30:00.000Z"}}}
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-01T01:30:00.1Z", "title": "T", "activityType": "call"}
-- 200 {"data": {"$interaction": {"dateTime": "2025-01-01T01:30:00.100Z"}}}

== dateTime at its limit of 24 characters, and beyond
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-01T01:30:00.123Z", "title": "T", "activityType": "call"}
-- 200 {"data": {"$interaction": {"dateTime": "2025-01-01T01:30:00.123Z"}}}
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-01T01:30:00.1234Z", "title": "T", "activityType": "call"}
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-01T01:30:00+02:00", "title": "T", "activityType": "call"}
-- 422
* too_big ["dateTime"] maximum=24 type=string

== title and content at their limits
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "<repeat é 255>", "content": "<repeat é 100000>", "activityType": "call"}
-- 200 {"data": {"$interaction": {"title": "<repeat é 255>", "content": "<repeat é 100000>"}}}

== and one beyond
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "<repeat é 256>", "content": "<repeat é 100001>", "activityType": "<repeat x 51>", "type": "<repeat x 51>"}
-- 422
* too_big ["title"] maximum=255 type=string
* too_big ["content"] maximum=100000 type=string
* too_big ["activityType"] maximum=50 type=string
* too_big ["type"] maximum=50 type=string

== fifty characters that are not activity
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "type": "<repeat x 50>", "activityType": "<repeat y 50>"}
-- 422
* invalid_enum_value ["type"] options=["call","meeting","message","coffee","lunch","event","drink","whatsapp","twitter","linkedin","hangout","skype","slack","iMessage","fbMessenger","signal","discord","wechat","telegram","viber"] received="<repeat x 50>"
* invalid_enum_value ["activityType"] options=["call","meeting","message","coffee","lunch","event","drink","whatsapp","twitter","linkedin","hangout","skype","slack","iMessage","fbMessenger","signal","discord","wechat","telegram","viber"] received="<repeat y 50>"

== what a create needs
POST /v1/interactions {}
POST /v1/interactions
-- 422
* required ["title"] expected=string
* required ["entity"] expected=object
* required ["dateTime"] expected=string
* required ["activityType"] expected=string
POST /v1/interactions {"entity": {}, "dateTime": "", "title": "", "activityType": ""} -- 422
* required ["entity", "id"] expected=string
* invalid_string ["dateTime"] validation=datetime
* too_small ["title"] minimum=1 type=string
* too_small ["activityType"] minimum=1 type=string

== wrong types
POST /v1/interactions
{"entity": "{{max}}", "dateTime": 5, "title": null, "content": null, "activityType": ["call"], "type": true}
-- 422
* invalid_type ["entity"] expected=object received=string
* invalid_type ["dateTime"] expected=string received=number
* invalid_type ["title"] expected=string received=null
* invalid_type ["content"] expected=string received=null
* invalid_type ["activityType"] expected=string received=array
* invalid_type ["type"] expected=string received=boolean

== unknown members
POST /v1/interactions
{"entity": {"id": "{{max}}", "fullName": "Max", "name": "Max"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "activityType": "call", "from": {}, "interactionType": "logged", "privacyLevel": "sharedFull", "id": "x", "": 1}
-- 422
* unrecognized_keys ["entity"] keys=["name"]
* unrecognized_keys [] keys=["from","interactionType","privacyLevel","id",""]

== entities that there are not
@rows value status issue
| "per_00000000-0000-7000-8000-000000000000" | 422 Invalid input | custom ["entity", "id"]                                      |
| "obj_00000000-0000-7000-8000-000000000000" | 422               | custom ["entity", "id"] hint="the id of a person or company" |
| "{{ada_id}}"                               | 422               | custom ["entity", "id"]                                      |
| "{{max}}0"                                 | 422               | too_big ["entity", "id"] maximum=40 type=string exact=true   |
| "per_1"                                    | 422               | too_small ["entity", "id"] minimum=40 type=string exact=true |
POST /v1/interactions
{"entity": {"id": {{value}}}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "activityType": "call"}
-- {{status}}
* {{issue}}

== another workspace's person is none
@other POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "activityType": "call"}
-- 422
* custom ["entity", "id"]
@other GET /v1/interactions/{{call}}
@other PATCH /v1/interactions/{{call}} {"entity": {"id": "{{grace}}"}}
@other DELETE /v1/interactions/{{call}}
-- 404
@other GET /v1/interactions?entity.id={{grace}} -- 200 {"data": {"items": [], "pagination": {}}}

== a key that may only read
@readonly POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "activityType": "call"}
-- 403
@readonly GET /v1/interactions/{{call}} -- 200
@readonly DELETE /v1/interactions/{{call}}
@readonly PATCH /v1/interactions/{{call}} {"entity": {"id": "{{grace}}"}}
-- 403

# --- activities

@rows name value
| activity call                       | "call"        |
| activity meeting                    | "meeting"     |
| activity message                    | "message"     |
| activity coffee                     | "coffee"      |
| activity lunch                      | "lunch"       |
| activity event                      | "event"       |
| activity drink                      | "drink"       |
| activity whatsapp                   | "whatsapp"    |
| activity twitter                    | "twitter"     |
| activity linkedin                   | "linkedin"    |
| activity hangout                    | "hangout"     |
| activity skype                      | "skype"       |
| activity slack                      | "slack"       |
| activity iMessage                   | "iMessage"    |
| activity fbMessenger                | "fbMessenger" |
| activity signal                     | "signal"      |
| activity discord                    | "discord"     |
| activity wechat                     | "wechat"      |
| activity telegram                   | "telegram"    |
| activity viber                      | "viber"       |
| emoji: a face                       | "😀"           |
| emoji: a sign in emoji style        | "❤️"          |
| emoji: a sign as text               | "❤"           |
| emoji: a skin tone                  | "👋🏽"          |
| emoji: a family                     | "👨‍👩‍👧‍👦"     |
| emoji: a flag                       | "🇩🇪"          |
| emoji: a flag of tags               | "🏴󠁧󠁢󠁥󠁮󠁧󠁿"     |
| emoji: a keycap                     | "1️⃣"         |
| emoji: ten characters that make one | "🧑🏻‍❤️‍💋‍🧑🏿"  |
== {{name}}
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "activityType": {{value}}}
-- 200 {"data": {"$interaction": {"activityType": {{value}}, "type": {{value}}}}}

@rows name value
| two emoji             | "😀😀"    |
| an emoji and a letter | "😀a"    |
| half a flag           | "🇩"     |
| a digit               | "1"     |
| a letter              | "x"     |
| another case          | "Call"  |
| a blank behind        | "call " |
== no activity: {{name}}
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "activityType": {{value}}}
-- 422
* invalid_enum_value ["activityType"] options=["call","meeting","message","coffee","lunch","event","drink","whatsapp","twitter","linkedin","hangout","skype","slack","iMessage","fbMessenger","signal","discord","wechat","telegram","viber"] received={{value}}

== type is an older name of activityType
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "type": "coffee"}
-- 200
!Deprecation
!Sunset
{"data": {"$interaction": {"type": "coffee", "activityType": "coffee"}}, "deprecations": ["<has activityType>"], "warnings": [{"code": "deprecated", "path": ["type"], "message": "<has activityType>"}]}

== activityType wins, and using type is told all the same
POST /v1/interactions
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "type": "coffee", "activityType": "lunch"}
-- 200
{"data": {"$interaction": {"type": "lunch", "activityType": "lunch"}}, "deprecations": ["<has activityType>"], "warnings": [{"code": "deprecated", "path": ["type"], "message": "<has activityType>"}]}

== what a stored answer told is told again
POST /v1/interactions
Idempotency-Key: deprecated-type
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "type": "coffee"}
-- 200 (!Idempotent-Replayed)
> once = data
POST /v1/interactions
Idempotency-Key: deprecated-type
{"entity": {"id": "{{max}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "T", "type": "coffee"}
-- 200 (Idempotent-Replayed: true)
{"data": {{once}}, "deprecations": ["<has activityType>"], "warnings": [{"code": "deprecated", "path": ["type"], "message": "<has activityType>"}]}

# --- one

== ids
GET /v1/interactions/lit_1 -- 422 Invalid path parameters
* too_small ["interactionId"] minimum=40 type=string exact=true
GET /v1/interactions/lit_00000000-0000-7000-8000-000000000000
GET /v1/interactions/{{max}}
PATCH /v1/interactions/lit_00000000-0000-7000-8000-000000000000 {"entity": {"id": "{{max}}"}}
DELETE /v1/interactions/lit_00000000-0000-7000-8000-000000000000
-- 404

== an entity.id in the query is checked
GET /v1/interactions/{{call}}?entity.id={{grace}} -- 200 {"data": {"id": "{{call}}", "...": 0}}
GET /v1/interactions/{{call}}?entity.id={{max}}
GET /v1/interactions/{{call}}?entity.id={{acme}}
-- 404
GET /v1/interactions/{{call}}?entity.id=per_1 -- 422 Invalid query parameters
* too_small ["entity.id"] minimum=40 type=string exact=true
DELETE /v1/interactions/{{call}}?entity.id={{max}} -- 404
DELETE /v1/interactions/{{call}}?entity.id={{max}}0 -- 422
* too_big ["entity.id"] maximum=40 type=string exact=true
GET /v1/interactions/{{call}} -- 200

== a change touches only what it names
PATCH /v1/interactions/{{call}} {"entity": {"id": "{{grace}}"}, "title": "Changed"}
-- 200 {"data": {"$interaction": {"id": "{{call}}", "title": "Changed", "content": "line 1\nline 2",
	"to": {"type": "person", "value": "{{grace}}", "name": "Grace Murray"},
	"entity": {"id": "{{grace}}", "entityType": "person", "fullName": "Grace Murray"}}}}
PATCH /v1/interactions/{{call}}
{"entity": {"id": "{{grace}}"}, "content": "", "activityType": "🎉", "dateTime": "2024-02-29T12:00:00Z"}
-- 200
{"data": {"$interaction": {"id": "{{call}}", "title": "Changed", "content": "", "activityType": "🎉", "type": "🎉", "dateTime": "2024-02-29T12:00:00.000Z"}}}
> changed = data
PATCH /v1/interactions/{{call}} {"entity": {"id": "{{grace}}"}}
GET /v1/interactions/{{call}}
-- 200 {"data": {{changed}}}

== who changes it is not who logged it
@bob PATCH /v1/interactions/{{call}} {"entity": {"id": "{{grace}}"}, "title": "By Bob"} -- 200
{"data": {"title": "By Bob", "from": {"type": "user", "value": "{{ada_id}}", "name": "Ada Lovelace"}, "...": 0}}

== another entity moves it
PATCH /v1/interactions/{{call}} {"entity": {"id": "{{acme}}"}}
-- 200 {"data": {"id": "{{call}}", "to": {"type": "company", "value": "{{acme}}", "name": "Acme"},
	"entity": {"id": "{{acme}}", "entityType": "company", "fullName": "Acme"}, "...": 0}}
GET /v1/interactions/{{call}}?entity.id={{grace}} -- 404
PATCH /v1/interactions/{{call}} {"entity": {"id": "{{grace}}"}}
-- 200 {"data": {"entity": {"id": "{{grace}}", "entityType": "person", "fullName": "Grace Murray"}, "...": 0}}

== a change needs the entity
PATCH /v1/interactions/{{call}} {"title": "x"} -- 422
* required ["entity"] expected=object
PATCH /v1/interactions/{{call}} {"entity": {"id": "per_00000000-0000-7000-8000-000000000000"}} -- 422
* custom ["entity", "id"]

== type in a change is unknown
PATCH /v1/interactions/{{call}} {"entity": {"id": "{{grace}}"}, "type": "call"} -- 422
* unrecognized_keys [] keys=["type"]

== limits of a change
PATCH /v1/interactions/{{call}}
{"entity": {"id": "{{grace}}"}, "title": "<repeat x 255>", "content": "<repeat x 100000>", "dateTime": "2024-02-29T12:00:00.000Z"}
-- 200
PATCH /v1/interactions/{{call}}
{"entity": {"id": "{{grace}}"}, "title": "<repeat x 256>", "content": "<repeat x 100001>", "dateTime": "2024-02-29T12:00:00.0000Z", "activityType": "<repeat x 51>"}
-- 422
* too_big ["title"] maximum=255 type=string
* too_big ["content"] maximum=100000 type=string
* too_big ["dateTime"] maximum=24 type=string
* too_big ["activityType"] maximum=50 type=string
PATCH /v1/interactions/{{call}}
{"entity": {"id": "{{grace}}"}, "title": "", "dateTime": "", "activityType": ""}
-- 422
* too_small ["title"] minimum=1 type=string
* invalid_string ["dateTime"] validation=datetime
* too_small ["activityType"] minimum=1 type=string

== a delete
DELETE /v1/interactions/{{call}}?entity.id={{grace}} -- 200 {"data": {"id": "{{call}}"}}
GET /v1/interactions/{{call}}
DELETE /v1/interactions/{{call}}
-- 404
DELETE /v1/interactions/{{with_acme}} -- 200 {"data": {"id": "{{with_acme}}"}}

# --- lists

== interactions to list
@make list POST /v1/people {"firstName": "List"}
@make third POST /v1/interactions
{"entity": {"id": "{{list}}"}, "dateTime": "2025-03-03T00:00:00Z", "title": "third", "activityType": "call"}
@bob POST /v1/interactions
{"entity": {"id": "{{list}}"}, "dateTime": "2025-03-01T00:00:00Z", "title": "first", "activityType": "call"}
-- 200
@rows value
| {"id": "{{list}}"}, "dateTime": "2025-03-02T00:00:00Z", "title": "second"    |
| {"id": "{{list}}"}, "dateTime": "2999-01-02T00:00:00Z", "title": "later"     |
| {"id": "{{list}}"}, "dateTime": "2999-01-01T00:00:00Z", "title": "soon"      |
| {"id": "{{acme}}"}, "dateTime": "2025-03-02T00:00:00Z", "title": "elsewhere" |
POST /v1/interactions {"entity": {{value}}, "activityType": "call"} -- 200

== by creation, oldest first
GET /v1/interactions?entity.id={{list}} -- 200
!Deprecation
!Sunset
{"data": {"items": [{"id": "{{third}}", "title": "third", "...": 0}, {"title": "first", "...": 0}, {"title": "second", "...": 0},
	{"title": "later", "...": 0}, {"title": "soon", "...": 0}], "pagination": {}}}
GET /v1/interactions?filter[entity.id][eq]={{list}}&limit=2
-- 200 {"data": {"items": [{"title": "third", "...": 0}, {"title": "first", "...": 0}],
	"pagination": {"nextLink": "<link {{base}}/v1/interactions?filter%5Bentity.id%5D%5Beq%5D={{list}}&limit=2>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"title": "second", "...": 0}, {"title": "later", "...": 0}], "pagination": {"nextLink": "<text>"}}}

== from is inclusive, to is exclusive
GET /v1/interactions?entity.id={{list}}&from=2025-03-02T00:00:00Z&to=2025-03-03T00:00:00Z
-- 200 {"data": {"items": [{"title": "second", "...": 0}], "pagination": {}}}
GET /v1/interactions?entity.id={{list}}&from=2025-03-02&to=2025-03-03T00:00:00.001Z
-- 200 {"data": {"items": [{"title": "third", "...": 0}, {"title": "second", "...": 0}], "pagination": {}}}
GET /v1/interactions?from=2025-03-02&to=2025-03-03 -- 200
{"data": {"items": [{"title": "second", "...": 0}, {"title": "elsewhere", "...": 0}], "pagination": {}}}

== by user
GET /v1/interactions?entity.id={{list}}&userId={{bob_id}}
-- 200 {"data": {"items": [{"title": "first", "...": 0}], "pagination": {}}}
GET /v1/interactions?entity.id={{list}}&userId={{admin_id}}
GET /v1/interactions?entity.id={{list}}&userId={{grace}}
-- 200 {"data": {"items": [], "pagination": {}}}

== entities without interactions, and of other kinds
GET /v1/interactions?entity.id=per_00000000-0000-7000-8000-000000000000
GET /v1/interactions?entity.id={{ada_id}}
-- 200 {"data": {"items": [], "pagination": {}}}

== what a list does not take
GET /v1/interactions?entity.id=x&userId=y&from=yesterday&to=2025-02-30&limit=101 -- 422 Invalid query parameters
* too_small ["entity.id"] minimum=40 type=string exact=true
* too_small ["userId"] minimum=40 type=string exact=true
* invalid_string ["from"] validation=datetime
* invalid_string ["to"] validation=datetime
* too_big ["limit"] maximum=100 type=number

== a cursor belongs to its filters
GET /v1/interactions?limit=1&entity.id={{list}} -- 200
> next = data.pagination.nextLink
GET {{next}}&from=2025-03-01 -- 422
* invalid_string ["cursor"] validation=cursor

# --- the deprecated lists

== past: newest first
GET /v1/interactions/past?entity.id={{list}} -- 200
Deprecation: @1790640000
Sunset: Mon, 29 Mar 2027 00:00:00 GMT
{"data": {"items": [{"title": "third", "...": 0}, {"title": "second", "...": 0}, {"title": "first", "...": 0}], "pagination": {}},
	"deprecations": ["<has /v1/interactions>"], "warnings": [{"code": "deprecated", "path": [], "message": "<has /v1/interactions>"}]}

== upcoming: soonest first
GET /v1/interactions/upcoming?filter[entity.id][eq]={{list}} -- 200
Deprecation: @1790640000
Sunset: Mon, 29 Mar 2027 00:00:00 GMT
{"data": {"items": [{"title": "soon", "...": 0}, {"title": "later", "...": 0}], "pagination": {}}, "deprecations": ["<has 2027-03-29>"], "warnings": [{"code": "deprecated", "path": [], "message": "<has 2027-03-29>"}]}

== both need the entity
GET /v1/interactions/past -- 422 Invalid query parameters
* required ["entity.id"] expected=string
GET /v1/interactions/upcoming?entity.id= -- 422
* too_small ["entity.id"] minimum=40 type=string exact=true
GET /v1/interactions/upcoming?filter[entity.id][in]={{list}} -- 422
* required ["entity.id"] expected=string

== pages of thirty, whatever limit says
@make pages POST /v1/people {"firstName": "Pages"}
@repeat 32 POST /v1/interactions
{"entity": {"id": "{{pages}}"}, "dateTime": "2025-01-02T03:04:05.678Z", "title": "P{{n}}", "activityType": "call"}
-- 200
@repeat 32 POST /v1/interactions
{"entity": {"id": "{{pages}}"}, "dateTime": "2999-01-02T03:04:05.678Z", "title": "U{{n}}", "activityType": "call"}
-- 200
GET /v1/interactions/past?entity.id={{pages}}&limit=5 -- 200
{"data": {"items": [{"title": "P32", "...": 0}, {"title": "P31", "...": 0}, <list {"dateTime": "2025-01-02T03:04:05.678Z", "...": {n}} 28>],
	"pagination": {"nextLink": "<link {{base}}/v1/interactions/past?entity.id={{pages}}&limit=30>"}}, "deprecations": ["<text>"], "warnings": [{"code": "deprecated", "path": [], "message": "<text>"}]}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"title": "P2", "...": 0}, {"title": "P1", "...": 0}], "pagination": {}}, "deprecations": ["<text>"], "warnings": [{"code": "deprecated", "path": [], "message": "<text>"}]}
GET /v1/interactions/upcoming?entity.id={{pages}}&limit=abc
-- 200 {"data": {"items": [<list {"title": "U{n}", "...": 0} 30>],
	"pagination": {"nextLink": "<link {{base}}/v1/interactions/upcoming?entity.id={{pages}}&limit=30>"}}, "deprecations": ["<text>"], "warnings": [{"code": "deprecated", "path": [], "message": "<text>"}]}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"title": "U31", "...": 0}, {"title": "U32", "...": 0}], "pagination": {}}, "deprecations": ["<text>"], "warnings": [{"code": "deprecated", "path": [], "message": "<text>"}]}

# --- deleting an entity

== a deleted person takes its interactions along
DELETE /v1/people/{{list}} -- 200
GET /v1/interactions/{{third}} -- 404
GET /v1/interactions?entity.id={{list}} -- 200 {"data": {"items": [], "pagination": {}}}

== so does a company
DELETE /v1/companies/{{acme}} -- 200
GET /v1/interactions?from=2025-03-02&to=2025-03-03 -- 200 {"data": {"items": [], "pagination": {}}}
