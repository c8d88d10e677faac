# Filters reveal nothing that the user may not see.

== a private group of bob, a public one of ada
@key bob
POST /v1/groups
{"name": "secret", "visibility": "private"}
-- 200
> s = data.id
POST /v1/groups
{"name": "open", "visibility": "public"}
-- 200
> g = data.id
@key bob
POST /v1/groups/{{s}}/custom-fields/person
{"name": "Text", "type": "textField"}
-- 200
@key bob
POST /v1/groups/{{s}}/object-types
{"name": "Deal"}
-- 200
@key bob
POST /v1/groups/{{s}}/Deal
{"name": "hidden"}
-- 200
> deal = data.id
@key bob
POST /v1/people
{"firstName": "Ann", "groups": [{"id": "{{s}}"}], "customFieldValues": {"{{s}}": {"Text": "canary"}}}
-- 200
> a = data.id
@key bob
POST /v1/people
{"firstName": "Bob", "groups": [{"id": "{{g}}"}, {"id": "{{s}}"}]}
-- 200
> b = data.id

== who is a member filters by it
@rows key target answer
| bob   | filter[groups][in][id]={{s}}                    | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0} |
| bob   | filter[customFieldValues.{{s}}.Text][eq]=canary | {"firstName": "Ann", "...": 0}                                 |
| bob   | filter[groups][empty]                           |                                                                |
| bob   | filter[groups][all][id]={{g}}                   |                                                                |
| admin | filter[groups][in][id]={{s}}                    | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0} |
@key {{key}}
GET /v1/people?{{target}}
-- 200
{"data": {"items": [{{answer}}], "pagination": {}}}

== for others it is not there
@rows target issue
| filter[groups][in][id]={{s}}                    | "groups", "in", "id"           |
| filter[groups][not_in][id]={{s}}                | "groups", "not_in", "id"       |
| filter[groups][all][id]={{s}}                   | "groups", "all", "id"          |
| filter[customFieldValues.{{s}}.Text][eq]=canary | "customFieldValues.{{s}}.Text" |
| filter[customFieldValues.{{s}}.Text][empty]     | "customFieldValues.{{s}}.Text" |
GET /v1/people?{{target}}
-- 422 Invalid query parameters
* custom ["filter", {{issue}}]
@rows target answer
| filter[groups][empty]            | "Ann" |
| filter[groups][not_empty]        | "Bob" |
| filter[groups][all][id]={{g}}    | "Bob" |
| filter[groups][not_in][id]={{g}} | "Ann" |
GET /v1/people?{{target}}
-- 200
{"data": {"items": [{"firstName": {{answer}}, "...": 0}], "pagination": {}}}
@end
GET /v1/groups/{{s}}/Deal?filter[name][eq]=hidden
-- 404
POST /v1/groups/{{s}}/Deal/search
{"filter": {"name": {"eq": "hidden"}}}
-- 404
POST /v1/people/search
{"filter": {"or": [{"groups": {"in": {"id": "{{s}}"}}}, {"customFieldValues.{{s}}.Text": {"eq": "canary"}}]}}
-- 422 Invalid input
* custom ["filter", "or", 0, "groups", "in", "id"]
* custom ["filter", "or", 1, "customFieldValues.{{s}}.Text"]

== a count is of what is seen
GET /v1/people?filter[groups][not_empty]&count=exact
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {"count": 1}}}
