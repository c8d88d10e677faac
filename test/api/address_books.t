# Which address books a user's devices see: GET and PATCH /v1/address-books.
@users carol

== all people, the groups that one is a member of
@make own POST /v1/groups {"name": "Own", "visibility": "private"}
@make open @bob POST /v1/groups {"name": "Open", "visibility": "public"}
@make closed @bob POST /v1/groups {"name": "Closed", "visibility": "private"}
GET /v1/address-books -- 200
{"data": {"items": [
	{"id": "people", "name": "People", "shown": true},
	{"id": "{{own}}", "name": "Own", "shown": true},
	{"id": "{{open}}", "name": "Open", "shown": false},
	{"id": "companies", "name": "Companies", "shown": false}], "pagination": {}}}
@bob GET /v1/address-books -- 200
{"data": {"items": [
	{"id": "people", "name": "People", "shown": true},
	{"id": "{{open}}", "name": "Open", "shown": true},
	{"id": "{{closed}}", "name": "Closed", "shown": true},
	{"id": "companies", "name": "Companies", "shown": false}], "pagination": {}}}

== one chooses for oneself
@rows book name shown
| {{open}}  | Open      | true  |
| {{own}}   | Own       | false |
| companies | Companies | true  |
| people    | People    | true  |
PATCH /v1/address-books/{{book}} {"shown": {{shown}}} -- 200
{"data": {"id": "{{book}}", "name": "{{name}}", "shown": {{shown}}}}
@end
PATCH /v1/address-books/{{own}}?dryRun=true {"shown": true} -- 200
GET /v1/address-books -- 200
{"data": {"items": [
	{"id": "people", "name": "People", "shown": true},
	{"id": "{{own}}", "name": "Own", "shown": false},
	{"id": "{{open}}", "name": "Open", "shown": true},
	{"id": "companies", "name": "Companies", "shown": true}], "pagination": {}}}
@carol GET /v1/address-books -- 200
{"data": {"items": [
	{"id": "people", "name": "People", "shown": true},
	{"id": "{{open}}", "name": "Open", "shown": false},
	{"id": "companies", "name": "Companies", "shown": false}], "pagination": {}}}

== pages
GET /v1/address-books?limit=2 -- 200
{"data": {"items": [
	{"id": "people", "name": "People", "shown": true},
	{"id": "{{own}}", "name": "Own", "shown": false}],
	"pagination": {"nextLink": "<link {{base}}/v1/address-books?limit=2>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [
	{"id": "{{open}}", "name": "Open", "shown": true},
	{"id": "companies", "name": "Companies", "shown": true}], "pagination": {}}}

== refused
@each shops grp_00000000-0000-7000-8000-000000000000 {{closed}} PEOPLE
PATCH /v1/address-books/{{each}} {"shown": true} -- 404
@end
PATCH /v1/address-books/people {"shown": false} -- 422 Invalid input
* custom ["shown"]
PATCH /v1/address-books/companies {} -- 422 Invalid input
* required ["shown"] expected=boolean
PATCH /v1/address-books/companies {"shown": null} -- 422 Invalid input
* invalid_type ["shown"] expected=boolean received=null
PATCH /v1/address-books/companies {"shown": true, "name": "Firms"} -- 422 Invalid input
* unrecognized_keys [] keys=["name"]
@readonly PATCH /v1/address-books/companies {"shown": true} -- 403

== a group that goes takes its book with it
DELETE /v1/groups/{{own}} -- 200
PATCH /v1/address-books/{{own}} {"shown": true} -- 404
@kith key create --user {{ada_id}} --groups {{open}}
> inside_key = key
@inside GET /v1/address-books -- 200
{"data": {"items": [
	{"id": "people", "name": "People", "shown": true},
	{"id": "{{open}}", "name": "Open", "shown": true},
	{"id": "companies", "name": "Companies", "shown": true}], "pagination": {}}}
