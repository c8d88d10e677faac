# Notes: threads, private ones, and lists by entity, words and time.

== the people, the company and the object that the notes are about
POST /v1/people {"fullName": "Ann"} -- 200 {"data": {"$person": {"firstName": "Ann", "fullName": "Ann"}}}
> ann = data.id
POST /v1/people {"fullName": "Ben Bolt"}
-- 200 {"data": {"$person": {"firstName": "Ben", "lastName": "Bolt", "fullName": "Ben Bolt"}}}
> ben = data.id
POST /v1/companies {"name": "Acme"} -- 200 {"data": {"$company": {"name": "Acme"}}}
> acme = data.id
@bob POST /v1/groups {"name": "Bob's own", "visibility": "private"}
-- 200 {"data": {"$group": {"name": "Bob's own", "visibility": "private", "createdBy": {{bob}}}}}
> secret = data.id
@bob POST /v1/groups/{{secret}}/object-types {"name": "Deals"} -- 200 {"data": {"name": "Deals", "createdAt": "<time>"}}
@bob POST /v1/groups/{{secret}}/Deals {"name": "Big one"} -- 200 {"data": {"id": "<obj>", "name": "Big one", "...": 0}}
> deal = data.id

== create and read
POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "First\nline", "visibility": "public"} -- 200
{"data": {"$note": {"entity": {"id": "{{ann}}", "entityType": "person", "fullName": "Ann"}, "content": "First\nline"}}}
> first = data.id
> first_whole = data
GET /v1/notes/{{first}}
@bob GET /v1/notes/{{first}}
-- 200 {"data": {{first_whole}}}
@other GET /v1/notes/{{first}} -- 404
POST /v1/notes
{"entity": {"id": "{{acme}}"}, "content": "About the company", "visibility": "public", "parentNote": null}
-- 200
{"data": {"$note": {"entity": {"id": "{{acme}}", "entityType": "company", "fullName": "Acme"}, "content": "About the company"}}}
> about_acme = data.id

== what a create needs, and its limits
POST /v1/notes {} -- 422 Invalid input
* required ["entity"] expected=object
* required ["content"] expected=string
* required ["visibility"]
POST /v1/notes
{"foo": 1, "entity": {"id": "{{ann}}", "name": "x"}, "content": "", "visibility": "secret", "author": {}}
-- 422 Invalid input
* unrecognized_keys ["entity"] keys=["name"]
* too_small ["content"] minimum=1 type=string
* invalid_enum_value ["visibility"] options=["public","private"] received=secret
* unrecognized_keys [] keys=["foo","author"]
POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "<repeat é 100000>", "visibility": "private"}
-- 200 {"data": {"$note": {"visibility": "private", "content": "<repeat é 100000>"}}}
> long = data.id
POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "<repeat n 100001>", "visibility": "private"}
-- 422 Invalid input
* too_big ["content"] maximum=100000 type=string
DELETE /v1/notes/{{long}} -- 200 {"data": {"id": "{{long}}"}}
POST /v1/notes {"entity": "{{ann}}", "content": 5, "visibility": null, "parentNote": "x"} -- 422 Invalid input
* invalid_type ["entity"] expected=object received=string
* invalid_type ["content"] expected=string received=number
* invalid_type ["visibility"] received=null
* invalid_type ["parentNote"] expected=object received=string
POST /v1/notes {"entity": {"id": "per_1"}, "content": "a", "visibility": "public", "parentNote": {}}
-- 422 Invalid input
* too_small ["entity", "id"] minimum=40 type=string exact=true
* required ["parentNote", "id"] expected=string

== entities that do not exist, or not for the caller
@each "per_00000000-0000-7000-8000-000000000000" "{{ada_id}}" "{{deal}}"
POST /v1/notes {"entity": {"id": {{each}}}, "content": "a", "visibility": "public"} -- 422 Invalid input
* custom ["entity", "id"]
@end
@other POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "a", "visibility": "public"} -- 422 Invalid input
* custom ["entity", "id"]

== a note about an object of a private group is absent for those outside
@bob POST /v1/notes {"entity": {"id": "{{deal}}"}, "content": "Hidden deal", "visibility": "public"} -- 200
{"data": {"$note": {"entity": {"id": "{{deal}}", "entityType": "object", "fullName": "Big one"}, "content": "Hidden deal", "author": {"type": "user", "id": "{{bob_id}}", "fullName": "<string>", "email": "{{bob_email}}", "deleted": false}}}}
> hidden = data.id
GET /v1/notes/{{hidden}}
PATCH /v1/notes/{{hidden}} {"content": "x"}
DELETE /v1/notes/{{hidden}}
-- 404
GET /v1/notes?query=hidden
GET /v1/notes?entity.id={{deal}}
-- 200 {"data": {"items": [], "pagination": {}}}
@bob GET /v1/notes?entity.id={{deal}} -- 200 {"data": {"items": [{"id": "{{hidden}}", "...": 0}], "pagination": {}}}
@admin GET /v1/notes/{{hidden}} -- 200 {"data": {"id": "{{hidden}}", "...": 0}}

== private notes
@bob POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "Mine alone", "visibility": "private"} -- 200
{"data": {"$note": {"visibility": "private", "content": "Mine alone", "author": {"type": "user", "id": "{{bob_id}}", "fullName": "<string>", "email": "{{bob_email}}", "deleted": false}}}}
> private = data.id
GET /v1/notes/{{private}}
@admin GET /v1/notes/{{private}}
PATCH /v1/notes/{{private}} {"visibility": "public"}
DELETE /v1/notes/{{private}}
-- 404
GET /v1/notes?query=alone -- 200 {"data": {"items": [], "pagination": {}}}
@bob GET /v1/notes/{{private}} -- 200 {"data": {"id": "{{private}}", "...": 0}}

== threads
POST /v1/notes
{"entity": {"id": "{{ann}}"}, "content": "Answer", "visibility": "public", "parentNote": {"id": "{{first}}"}}
-- 200
{"data": {"$note": {"content": "Answer", "parentNote": {"id": "{{first}}", "entity": {"id": "{{ann}}", "entityType": "person", "fullName": "Ann"}, "content": "First\nline", "visibility": "public", "author": {"type": "user", "id": "{{ada_id}}", "fullName": "<string>", "email": "{{ada_email}}", "deleted": false}, "createdAt": "<time>", "deleted": false}}}}
> answer = data.id
> answer_whole = data
GET /v1/notes/{{answer}} -- 200 {"data": {{answer_whole}}}
@rows value
| {"id": "{{ann}}"}, "content": "a", "visibility": "public", "parentNote": {"id": "nte_00000000-0000-7000-8000-000000000000"} |
| {"id": "{{ann}}"}, "content": "a", "visibility": "public", "parentNote": {"id": "{{private}}"}                              |
| {"id": "{{ben}}"}, "content": "a", "visibility": "public", "parentNote": {"id": "{{first}}"}                                |
POST /v1/notes {"entity": {{value}}} -- 422 Invalid input
* custom ["parentNote", "id"]
@end
PATCH /v1/notes/{{answer}} {"parentNote": {"id": "{{first}}"}} -- 422 Invalid input
* unrecognized_keys [] keys=["parentNote"]
PATCH /v1/notes/{{answer}} {"content": "Answer"} -- 200 {"data": {{answer_whole}}}

== a parent that the caller may not see, and one that is gone
@bob POST /v1/notes
{"entity": {"id": "{{ann}}"}, "content": "Public answer", "visibility": "public", "parentNote": {"id": "{{private}}"}}
-- 200 {"data": {"content": "Public answer", "parentNote": {"id": "{{private}}", "deleted": false, "...": 0}, "...": 0}}
> reply = data.id
GET /v1/notes/{{reply}} -- 200 {"data": {"content": "Public answer", "parentNote": null, "...": 0}}
@bob DELETE /v1/notes/{{private}} -- 200 {"data": {"id": "{{private}}"}}
@bob GET /v1/notes/{{reply}} -- 200 {"data": {"parentNote": {"id": "{{private}}", "deleted": true}, "...": 0}}
GET /v1/notes/{{reply}} -- 200 {"data": {"parentNote": null, "...": 0}}
DELETE /v1/notes/{{first}} -- 200 {"data": {"id": "{{first}}"}}
@bob GET /v1/notes/{{answer}} -- 200 {"data": {"parentNote": {"id": "{{first}}", "deleted": true}, "...": 0}}
DELETE /v1/notes/{{first}} -- 404

== change
PATCH /v1/notes/{{about_acme}} {"content": "Changed, wholly"} -- 200
{"data": {"$note": {"id": "{{about_acme}}", "entity": {"id": "{{acme}}", "entityType": "company", "fullName": "Acme"}, "content": "Changed, wholly"}}}
PATCH /v1/notes/{{about_acme}} {"entity": {"id": "{{acme}}"}}
-- 200 {"data": {"id": "{{about_acme}}", "content": "Changed, wholly", "...": 0}}
PATCH /v1/notes/{{about_acme}} {"entity": {"id": "{{ann}}"}} -- 422 Invalid input
* unrecognized_keys [] keys=["entity"]
@bob PATCH /v1/notes/{{about_acme}} {"content": "By another"}
-- 200 {"data": {"content": "By another", "author": {"id": "{{ada_id}}", "...": 0}, "...": 0}}
PATCH /v1/notes/{{about_acme}} {"content": "", "visibility": "", "createdAt": 1} -- 422 Invalid input
* too_small ["content"] minimum=1 type=string
* invalid_enum_value ["visibility"] options=["public","private"] received=""
* unrecognized_keys [] keys=["createdAt"]
PATCH /v1/notes/nte_00000000-0000-7000-8000-000000000000 {"content": "a"} -- 404
GET /v1/notes/nte_1 -- 422 Invalid path parameters
* too_small ["noteId"] minimum=40 type=string exact=true
GET /v1/notes/{{ann}} -- 404

== words
POST /v1/notes
{"entity": {"id": "{{ben}}"}, "content": "Dinner (with Zoë): 3.5 hours/person, mail zoe@café.example — ÉCOLE, ΣΟΦΟΣ 🎉", "visibility": "public"}
-- 200 {"data": {"$note": {"entity": {"id": "{{ben}}", "entityType": "person", "fullName": "Ben Bolt"}}}}
> wordy = data.id
@rows target the_answer
| DINNER                         | {"id": "{{wordy}}", "...": 0} |
| zo%C3%8B%20dinner              | {"id": "{{wordy}}", "...": 0} |
| person                         | {"id": "{{wordy}}", "...": 0} |
| hours/person%27s               |                               |
| zoe%40caf%C3%A9.example        | {"id": "{{wordy}}", "...": 0} |
| %C3%A9cole                     | {"id": "{{wordy}}", "...": 0} |
| %CF%83%CE%BF%CF%86%CE%BF%CF%82 | {"id": "{{wordy}}", "...": 0} |
| %F0%9F%8E%89                   | {"id": "{{wordy}}", "...": 0} |
| dinn                           |                               |
| dinner%20lunch                 |                               |
| '%22;--                        |                               |
|                                |                               |
| %20&entity.id={{ben}}          |                               |
GET /v1/notes?query={{target}} -- 200 {"data": {"items": [{{the_answer}}], "pagination": {}}}
@end
PATCH /v1/notes/{{wordy}} {"content": "Supper"} -- 200 {"data": {"content": "Supper", "...": 0}}
GET /v1/notes?query=dinner -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/notes?query=supper -- 200 {"data": {"items": [{"id": "{{wordy}}", "...": 0}], "pagination": {}}}
@other GET /v1/notes?query=supper -- 200 {"data": {"items": [], "pagination": {}}}

== lists by entity
GET /v1/notes?entity.id={{ben}}
GET /v1/notes?filter[entity.id][eq]={{ben}}
-- 200 {"data": {"items": [{"id": "{{wordy}}", "...": 0}], "pagination": {}}}
GET /v1/notes?filter%5Bentity.id%5D%5Beq%5D=per_1 -- 422 Invalid query parameters
* too_small ["filter", "entity.id", "eq"] minimum=40 type=string exact=true
GET /v1/notes?entity.id= -- 422 Invalid query parameters
* too_small ["entity.id"] minimum=40 type=string exact=true
GET /v1/notes?entity[id]=per_1 -- 422 Invalid query parameters
* too_small ["entity", "id"] minimum=40 type=string exact=true
GET /v1/notes?entity.id={{ann}}
-- 200 {"data": {"items": [{"id": "{{answer}}", "...": 0}, {"id": "{{reply}}", "...": 0}], "pagination": {}}}
GET /v1/notes?limit=1&entity.id={{ann}} -- 200
{"data": {"items": [{"id": "{{answer}}", "parentNote": {"id": "{{first}}", "deleted": true}, "...": 0}], "pagination": {"nextLink": "<link {{base}}/v1/notes?entity.id={{ann}}&limit=1>"}}}
> more = data.pagination.nextLink
GET {{more}} -- 200 {"data": {"items": [{"id": "{{reply}}", "...": 0}], "pagination": {}}}
GET {{more}}&query=answer -- 422 Invalid query parameters
* invalid_string ["cursor"] validation=cursor

== lists by time
GET /v1/notes/{{reply}} -- 200 {"data": {"createdAt": "<time>", "...": 0}}
> at = data.createdAt
@rows target the_answer
| createdAfter={{at}}                                               |                                                               |
| createdBefore={{at}}                                              | {"id": "{{answer}}", "...": 0}                                |
| createdBefore=2020-01-01                                          |                                                               |
| createdAfter=2020-01-01&createdBefore=2999-01-01T00:00:00%2B02:00 | {"id": "{{answer}}", "...": 0}, {"id": "{{reply}}", "...": 0} |
GET /v1/notes?entity.id={{ann}}&{{target}} -- 200 {"data": {"items": [{{the_answer}}], "pagination": {}}}
@end
GET /v1/notes?createdAfter=yesterday&createdBefore= -- 422 Invalid query parameters
* invalid_string ["createdAfter"] validation=datetime
* invalid_string ["createdBefore"] validation=datetime

== who may not write
@readonly POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "a", "visibility": "public"} -- 403
@readonly GET /v1/notes/{{reply}} -- 200 {"data": {"id": "{{reply}}", "...": 0}}

== an entity takes its notes with it
DELETE /v1/people/{{ann}} -- 200 {"data": {"id": "{{ann}}"}}
GET /v1/notes/{{answer}}
GET /v1/notes/{{reply}}
-- 404
GET /v1/notes?entity.id={{ann}} -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/notes -- 200
{"data": {"items": [{"id": "{{about_acme}}", "...": 0}, {"id": "{{wordy}}", "...": 0}], "pagination": {}}}
