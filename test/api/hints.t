# Errors that teach: hints of issues, the path that was meant, the header of the key; warnings of unknown parameters.

== a similar name
POST /v1/people {"emial": ["a@b.example"]} -- 422 Invalid input
* unrecognized_keys [] keys=["emial"] hint="did you mean `emails`?"
POST /v1/people {"first_name": "Ann", "Email": [], "zzz": 1} -- 422 Invalid input
* unrecognized_keys [] keys=["first_name","Email","zzz"] hint="did you mean `firstName`, `emails`?"
POST /v1/people {"groups": [{"ID": "x"}]} -- 422 Invalid input
* required ["groups", 0, "id"] expected=string
* unrecognized_keys ["groups", 0] keys=["ID"] hint="did you mean `id`?"
POST /v1/people/batch/create {"record": []} -- 422 Invalid input
* required ["records"] expected=array
* unrecognized_keys [] keys=["record"] hint="did you mean `records`?"
POST /v1/people/search {"filters": {}, "limt": 3} -- 422 Invalid input
* unrecognized_keys [] keys=["filters","limt"] hint="did you mean `filter`, `limit`?"

== none is similar: the names that there are
POST /v1/notes
{"entity": {"id": "per_00000000-0000-7000-8000-000000000000"}, "content": "c", "visibility": "public", "xyzzy": 1}
-- 422 Invalid input
* unrecognized_keys [] keys=["xyzzy"] hint="known here: `entity`, `content`, `visibility`, `createdAt`, `createdBy`, `parentNote`"

== fields, operators and sub-keys of filters
@rows target issue
| people?filter[emial][eq]=a    | ["filter"] keys=["emial"] hint="did you mean `emails`?"                                                     |
| tasks?filter[zzzzzz][eq]=a    | ["filter"] keys=["zzzzzz"] hint="<starts fields: `dueAt`, >"                                                |
| people?filter[emails][gt]=a   | ["filter", "emails"] keys=["gt"] hint="operators: `eq`, `not_eq`, `like`, `not_like`, `empty`, `not_empty`" |
| people?filter[emails][liek]=a | ["filter", "emails"] keys=["liek"] hint="did you mean `like`?"                                              |
GET /v1/{{target}} -- 422 Invalid query parameters
* unrecognized_keys {{issue}}
@end
GET /v1/people?filter[emails]=a -- 422 Invalid query parameters
* invalid_type ["filter", "emails"] expected=object hint="operators: `eq`, `not_eq`, `like`, `not_like`, `empty`, `not_empty`"
GET /v1/people?filter[groups][in]=a -- 422 Invalid query parameters
* invalid_type ["filter", "groups", "in"] expected=object hint="sub-keys: `id`"
GET /v1/people?filter[createdBy][in][mail]=a -- 422 Invalid query parameters
* unrecognized_keys ["filter", "createdBy", "in"] keys=["mail"] hint="did you mean `email`?"
POST /v1/companies/search {"filter": {"Industry": {"eq": "Steel"}}} -- 422 Invalid input
* unrecognized_keys ["filter"] keys=["Industry"] hint="did you mean `industry`?"
GET /v1/people?filter[birthday][eq]=31.01.1990 -- 422 Invalid query parameters
* invalid_string ["filter", "birthday", "eq"] validation=date hint="YYYY-MM-DD"
GET /v1/people?filter[groups][in][id]=x -- 422 Invalid query parameters
* too_small ["filter", "groups", "in", "id"] minimum=40 type=string exact=true hint="`grp_` and a UUID"

== a word of a fixed set
POST /v1/people {"gender": "male"} -- 422 Invalid input
* invalid_enum_value ["gender"] received=male options=["Male","Female","Other","Unknown"] hint="did you mean `Male`?"
GET /v1/people?sort=createdat -- 422 Invalid query parameters
* invalid_enum_value ["sort"] received=createdat options=["createdAt","-createdAt","updatedAt","-updatedAt"] hint="did you mean `createdAt`?"
POST /v1/webhooks
{"name": "H", "targetUrl": "https://hooks.example.com/x", "subscribedEvents": [{"eventType": "people.created"}]}
-- 422 Invalid input
* invalid_enum_value ["subscribedEvents", 0, "eventType"] received=people.created hint="did you mean `person.created`?" ...

== the form wanted
POST /v1/people {"birthday": "31.01.1990"} -- 422 Invalid input
* invalid_string ["birthday"] validation=date hint="YYYY-MM-DD"
POST /v1/companies {"foundationYear": "99", "fundingRaised": "much"} -- 422 Invalid input
* invalid_string ["foundationYear"] validation=regex hint="YYYY"
* invalid_string ["fundingRaised"] validation=regex hint="a number such as 1234.5"
POST /v1/tasks {"entity": {"id": "per_1"}, "title": "T", "dueAt": "tomorrow", "dueTime": "9:00"} -- 422 Invalid input
* too_small ["entity", "id"] minimum=40 type=string exact=true hint="an id: a prefix such as `per_`, and a UUID"
* invalid_string ["dueAt"] validation=date hint="YYYY-MM-DD"
* invalid_string ["dueTime"] validation=time hint="HH:MM"
GET /v1/people/per_1 -- 422 Invalid path parameters
* too_small ["personId"] minimum=40 type=string exact=true hint="`per_` and a UUID"
GET /v1/interactions?from=yesterday -- 422 Invalid query parameters
* invalid_string ["from"] validation=datetime hint="YYYY-MM-DDTHH:MM:SSZ"
POST /v1/reminders
{"entity": {"id": "per_00000000-0000-7000-8000-000000000000"}, "name": "N", "visibility": "private", "recurrenceRule": "every day"}
-- 422 Invalid input
* invalid_string ["recurrenceRule"] validation=rrule hint="<has RRULE:FREQ=>"

== custom fields, options and types of a group that one sees
@make g POST /v1/groups {"name": "G", "visibility": "public"}
POST /v1/groups/{{g}}/custom-fields/person
{"name": "Stage", "type": "singleSelect", "options": [{"label": "Lead"}, {"label": "Won"}]}
POST /v1/groups/{{g}}/custom-fields/person {"name": "Since", "type": "dateField"}
-- 200
POST /v1/people
{"groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {"stage": "Lead", "Stage": "lead", "Since": "soon"}}}
-- 422 Invalid input
* custom ["customFieldValues", "{{g}}", "stage"] hint="did you mean `Stage`?"
* custom ["customFieldValues", "{{g}}", "Stage"] hint="did you mean `Lead`?"
* custom ["customFieldValues", "{{g}}", "Since"] hint="YYYY-MM-DD"
# one of companies is not meant
POST /v1/groups/{{g}}/custom-fields/company {"name": "Colour", "type": "contactField"} -- 200
GET /v1/companies?filter[customFieldValues.{{g}}.Colour][in][id]=x -- 422 Invalid query parameters
* too_small ["filter", "customFieldValues.{{g}}.Colour", "in", "id"] minimum=40 type=string exact=true hint="an id: a prefix such as `per_`, and a UUID"
POST /v1/people
{"groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {"Colour": "x", "Stage": "Lost"}}}
-- 422 Invalid input
* custom ["customFieldValues", "{{g}}", "Colour"] hint="custom fields: `Stage`, `Since`"
* custom ["customFieldValues", "{{g}}", "Stage"] hint="options: `Lead`, `Won`"
POST /v1/people {"customFieldValues": {"{{g}}": {"Stage": "Lead"}}} -- 422 Invalid input
* custom ["customFieldValues", "{{g}}"] hint="add the group to `groups`"
GET /v1/people?filter[customFieldValues.{{g}}.Stages][in]=Lead -- 422 Invalid query parameters
* custom ["filter", "customFieldValues.{{g}}.Stages"] hint="did you mean `Stage`?"
GET /v1/people?filter[customFieldValues.{{g}}.Stage][in]=Wonn -- 422 Invalid query parameters
* custom ["filter", "customFieldValues.{{g}}.Stage", "in"] hint="did you mean `Won`?"
GET /v1/people?filter[customFieldValues.{{g}}.Since][eq]=soon -- 422 Invalid query parameters
* custom ["filter", "customFieldValues.{{g}}.Since", "eq"] hint="YYYY-MM-DD"
POST /v1/groups/{{g}}/object-types {"name": "Deal"} -- 200
POST /v1/webhooks
{"name": "H", "targetUrl": "https://hooks.example.com/x", "subscribedEvents": [{"eventType": "object.created", "filter": {"groupId": "{{g}}", "objectType": "Deals"}}]}
-- 422 Invalid input
* custom ["subscribedEvents", 0, "filter", "objectType"] hint="did you mean `Deal`?"
PATCH /v1/groups/{{g}}/custom-fields/person/Stage {"addOptions": [{"label": "Lost", "colour": "#ff0000"}]}
-- 422 Invalid input
* unrecognized_keys ["addOptions", 0] keys=["colour"] hint="did you mean `color`?"
PATCH /v1/groups/{{g}}/custom-fields/person/Stage {"addOptions": [{"label": "Lost", "color": "red"}]}
-- 422 Invalid input
* invalid_string ["addOptions", 0, "color"] validation=regex hint="#rrggbb"

== many mistakes, and more names than are listed
POST /v1/people/batch/create {"records": [<list {"birthday": "{n}"} 100>]} -- 422 Invalid input
* invalid_string ["records", 0, "birthday"] validation=date hint="YYYY-MM-DD"
* ...
POST /v1/people {"xyzzy": 1} -- 422 Invalid input
* unrecognized_keys [] keys=["xyzzy"] hint="<starts known here: `firstName`, >"

== a path that is nearly one
@none GET /v1/peple -- 404 {"error": {"message": "There is nothing at this path; did you mean /v1/people?", "...": 0}}
@none GET /people -- 404 {"error": {"message": "<ends did you mean /v1/people?>", "...": 0}}
@none GET /api/v1/companies/search -- 404 {"error": {"message": "<ends did you mean /v1/companies/search?>", "...": 0}}
@none GET /v2/tasks -- 404 {"error": {"message": "<ends did you mean /v1/tasks?>", "...": 0}}
@none GET /v1/people/ -- 404 {"error": {"message": "<ends did you mean /v1/people?>", "...": 0}}
POST /v1/peoples/batch/crate {"records": []}
-- 404 {"error": {"message": "<ends did you mean /v1/people/batch/create?>", "...": 0}}
POST /v1/tasks/tsk_00000000-0000-7000-8000-000000000000/done {}
-- 404 {"error": {"message": "<ends did you mean /v1/tasks/{taskId}/mark-as-done?>", "...": 0}}
GET /v1/person -- 404 {"error": {"message": "<ends did you mean /v1/people?>", "...": 0}}
PATCH /v1/Person/per_00000000-0000-7000-8000-000000000000 {}
-- 404 {"error": {"message": "<ends did you mean /v1/people/{personId}?>", "...": 0}}
POST /v1/contacts/search {} -- 404 {"error": {"message": "<ends did you mean /v1/people/search?>", "...": 0}}
GET /contacts -- 404 {"error": {"message": "<ends did you mean /v1/people?>", "...": 0}}
@rows target answer
| company                                       | "<ends did you mean /v1/companies?>"                                |
| organizations                                 | "<ends did you mean /v1/companies?>"                                |
| deals                                         | "<ends did you mean /v1/groups/{groupId}/{objectType}?>"            |
| deal/obj_00000000-0000-7000-8000-000000000000 | "<ends did you mean /v1/groups/{groupId}/{objectType}/{objectId}?>" |
| contacts/deals/people/a/b/c/d/e/f             | "Resource not found"                                                |
| invoices                                      | "Resource not found"                                                |
GET /v1/{{target}} -- 404 {"error": {"message": {{answer}}, "...": 0}}
@end
GET // -- 404 {"error": {"message": "Resource not found", "...": 0}}

== how to send the key
@none GET /v1/people -- 401 (WWW-Authenticate: <starts Bearer resource_metadata=>) {"error": {"message": "<has Authorization: Bearer>", "...": 0}}

== unknown parameters are ignored, and named once each
GET /v1/people?limt=5&page=2&limt=6
-- 200 {"data": {"items": [], "pagination": {}}, "warnings": [
	{"code": "unknown_parameter", "path": ["limt"], "message": "Unknown parameter, ignored; did you mean `limit`?"},
	{"code": "unknown_parameter", "path": ["page"], "message": "Unknown parameter, ignored; known parameters: `limit`, `cursor`, `sort`, `count`, `combinator`, `search`, `filter[field][operator]`"}]}
GET /v1/people?email=a@b.example&emails[like]=x
-- 200 {"data": {"items": [], "pagination": {}}, "warnings": [
	{"code": "unknown_parameter", "path": ["email"], "message": "<ends did you mean `filter[emails][eq]`?>"},
	{"code": "unknown_parameter", "path": ["emails[like]"], "message": "<ends did you mean `filter[emails][eq]`?>"}]}
GET /v1/users/me?x=1 -- 200
{"data": {{ada}}, "warnings": [{"code": "unknown_parameter", "path": ["x"], "message": "Unknown parameter, ignored; this path has no parameters"}]}
GET /v1/notes?entityId=x&filter[author][eq]=y
-- 200 {"data": {"items": [], "pagination": {}}, "warnings": [
	{"code": "unknown_parameter", "path": ["entityId"], "message": "<ends did you mean `entity.id`?>"},
	{"code": "unknown_parameter", "path": ["filter[author][eq]"], "message": "<starts Unknown parameter>"}]}
GET /v1/tasks?onlyAssignedToMe=true&limit=3&filter[dueAt][gt]=2026-01-01
GET /v1/notes?filter[entity.id][eq]=per_00000000-0000-7000-8000-000000000000&entity[id]=per_00000000-0000-7000-8000-000000000000
-- 200 {"data": {"items": [], "pagination": {}}}
POST /v1/people/search?limit=1 {} -- 200
{"data": {"items": [], "pagination": {}}, "warnings": [{"code": "unknown_parameter", "path": ["limit"], "message": "Unknown parameter, ignored; a search takes its parameters as members of the body"}]}
GET /v1/groups?<repeat a=1& 3><repeat b 150>=1&%ff=1 -- 200
{"data": {"items": "<array>", "pagination": {}}, "warnings": [{"code": "unknown_parameter", "path": ["a"], "message": "<text>"}, {"code": "unknown_parameter", "path": ["<repeat b 100>"], "message": "<text>"}, {"code": "unknown_parameter", "path": [""], "message": "<text>"}]}
# twenty of them
GET /v1/users/me?a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q&r&s&t&u&v
-- 200 {"data": {{ada}}, "warnings": [<list "<object>" 20>]}

== on writes, too, and kept with the answer
POST /v1/people?notify=false (Idempotency-Key: warned-1) {"firstName": "Ann"} -- 200
{"data": {"$person": {"firstName": "Ann", "fullName": "Ann"}}, "warnings": [{"code": "unknown_parameter", "path": ["notify"], "message": "<text>"}]}
> ann = data.id
> warnings = warnings
POST /v1/people?notify=false (Idempotency-Key: warned-1) {"firstName": "Ann"} -- 200 (Idempotent-Replayed: true)
{"data": {"$person": {"id": "{{ann}}", "firstName": "Ann", "fullName": "Ann"}}, "warnings": {{warnings}}}
POST /v1/people/batch/create?notify=false {"records": []} -- 200 {"data": {"results": []}, "warnings": {{warnings}}}
DELETE /v1/people/{{ann}}?notify=false -- 200
{"data": {"id": "{{ann}}"}, "warnings": [{"code": "unknown_parameter", "path": ["notify"], "message": "Unknown parameter, ignored; known parameters: `unused`, `dryRun`"}]}
# an error has none
GET /v1/people/{{ann}}?notify=false -- 404

== a company that existed already and kept its fields
@make acme POST /v1/companies {"name": "Acme"}
POST /v1/companies {"name": "Acme", "groups": [{"id": "{{g}}"}]} -- 200
{"data": {"$company": {"id": "{{acme}}", "name": "Acme", "groups": [{"id": "{{g}}", "name": "G"}], "customFieldValues": "<object>"}}}
POST /v1/companies {"name": "Acme", "industry": "Anvils", "emails": ["a@acme.example"]} -- 200
{"data": {"$company": {"id": "{{acme}}", "name": "Acme", "groups": [{"id": "{{g}}", "name": "G"}], "customFieldValues": "<object>"}},
	"warnings": [{"code": "record_existed", "path": ["name"], "message": "A company of this name already existed; these fields were not changed: industry, emails"}]}
