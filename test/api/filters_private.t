# Filters reveal nothing that the user may not see.

== a private group of bob, a public one of ada
@make s @bob POST /v1/groups {"name": "secret", "visibility": "private"}
@make g POST /v1/groups {"name": "open", "visibility": "public"}
@bob POST /v1/groups/{{s}}/custom-fields/person {"name": "Text", "type": "textField"}
@bob POST /v1/groups/{{s}}/object-types {"name": "Deal"}
-- 200
@make deal @bob POST /v1/groups/{{s}}/Deal {"name": "hidden"}
@make a @bob POST /v1/people {"firstName": "Ann", "groups": [{"id": "{{s}}"}], "customFieldValues": {"{{s}}": {"Text": "canary"}}}
@make b @bob POST /v1/people {"firstName": "Bob", "groups": [{"id": "{{g}}"}, {"id": "{{s}}"}]}

== who is a member filters by it
@rows key target answer
| bob   | filter[groups][in][id]={{s}}                    | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0} |
| bob   | filter[customFieldValues.{{s}}.Text][eq]=canary | {"firstName": "Ann", "...": 0}                                 |
| bob   | filter[groups][empty]                           |                                                                |
| bob   | filter[groups][all][id]={{g}}                   |                                                                |
| admin | filter[groups][in][id]={{s}}                    | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0} |
@{{key}} GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}

== for others it is not there
@rows target issue
| filter[groups][in][id]={{s}}                    | "groups", "in", "id"           |
| filter[groups][not_in][id]={{s}}                | "groups", "not_in", "id"       |
| filter[groups][all][id]={{s}}                   | "groups", "all", "id"          |
| filter[customFieldValues.{{s}}.Text][eq]=canary | "customFieldValues.{{s}}.Text" |
| filter[customFieldValues.{{s}}.Text][empty]     | "customFieldValues.{{s}}.Text" |
GET /v1/people?{{target}} -- 422 Invalid query parameters
* custom ["filter", {{issue}}]
@rows target answer
| filter[groups][empty]            | "Ann" |
| filter[groups][not_empty]        | "Bob" |
| filter[groups][all][id]={{g}}    | "Bob" |
| filter[groups][not_in][id]={{g}} | "Ann" |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{"firstName": {{answer}}, "...": 0}], "pagination": {}}}
@end
GET /v1/groups/{{s}}/Deal?filter[name][eq]=hidden
POST /v1/groups/{{s}}/Deal/search {"filter": {"name": {"eq": "hidden"}}}
-- 404
POST /v1/people/search
{"filter": {"or": [{"groups": {"in": {"id": "{{s}}"}}}, {"customFieldValues.{{s}}.Text": {"eq": "canary"}}]}}
-- 422 Invalid input
* custom ["filter", "or", 0, "groups", "in", "id"]
* custom ["filter", "or", 1, "customFieldValues.{{s}}.Text"]

== a count is of what is seen
GET /v1/people?filter[groups][not_empty]&count=exact
-- 200 {"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {"count": 1}}}
