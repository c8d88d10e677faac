# Object types of a group.
# ada is the group's admin, bob an unlisted user, carol a reader, dave an outsider of the private group.
@users carol dave

== groups to work with
@make g POST /v1/groups {"name": "Sales", "visibility": "public"}
POST /v1/groups/{{g}}/members {"id": "{{carol_id}}", "role": "reader"} -- 200
@make secret POST /v1/groups {"name": "Secret", "visibility": "private"}

== a group begins without types
GET /v1/groups/{{g}}/object-types -- 200 {"data": {"items": [], "pagination": {}}}

== create
POST /v1/groups/{{g}}/object-types {"name": "Deal"} -- 200 {"data": {"name": "Deal", "createdAt": "<time>"}}
> deal = data
POST /v1/groups/{{g}}/object-types {"name": "deal"} -- 200 {"data": {"name": "deal", "createdAt": "<time>"}}
POST /v1/groups/{{g}}/object-types {"name": "Job Applications"} -- 200
POST /v1/groups/{{g}}/object-types {"name": "A/B \"test\" v1.2 \\ [é😀] 100%"}
-- 200 {"data": {"name": "A/B \"test\" v1.2 \\ [é😀] 100%", "createdAt": "<time>"}}
POST /v1/groups/{{g}}/object-types {"name": "..."} -- 200 {"data": {"name": "...", "createdAt": "<time>"}}

== the list is in the order of creation, in pages
GET /v1/groups/{{g}}/object-types -- 200
{"data": {"items": [{{deal}}, {"name": "deal", "createdAt": "<time>"}, {"name": "Job Applications", "createdAt": "<time>"},
	{"name": "A/B \"test\" v1.2 \\ [é😀] 100%", "createdAt": "<time>"}, {"name": "...", "createdAt": "<time>"}], "pagination": {}}}
GET /v1/groups/{{g}}/object-types?limit=2
-- 200 {"data": {"items": [{{deal}}, {"name": "deal", "createdAt": "<time>"}],
	"pagination": {"nextLink": "<link {{base}}/v1/groups/{{g}}/object-types?limit=2>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"name": "Job Applications", "createdAt": "<time>"}, {"name": "<has 100%>", "createdAt": "<time>"}],
	"pagination": {"nextLink": "<link {{base}}/v1/groups/{{g}}/object-types?limit=2>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{"name": "...", "createdAt": "<time>"}], "pagination": {}}}

== a duplicate is a 422, in the same group only
POST /v1/groups/{{g}}/object-types {"name": "Deal"} -- 422 Invalid input
* custom ["name"]
POST /v1/groups/{{secret}}/object-types {"name": "Deal"} -- 200 {"data": {"name": "Deal", "createdAt": "<time>"}}
GET /v1/groups/{{secret}}/object-types
-- 200 {"data": {"items": [{"name": "Deal", "createdAt": "<time>"}], "pagination": {}}}

== reserved names, in any case
@each "person" "Company" "MEMBERS" "custom-fields" "Object-Types" "bAtCh" "." ".."
POST /v1/groups/{{g}}/object-types {"name": {{each}}} -- 422 Invalid input
* <any> ["name"] ...
@end
PATCH /v1/groups/{{g}}/object-types/Deal {"name": "Members"} -- 422 Invalid input
* <any> ["name"] ...
POST /v1/groups/{{g}}/object-types {"name": "people"}
POST /v1/groups/{{g}}/object-types {"name": "persons"}
-- 200

== names: limits and forms
POST /v1/groups/{{g}}/object-types {"name": "<repeat 😀 500>"}
-- 200 {"data": {"name": "<repeat 😀 500>", "createdAt": "<time>"}}
@rows body issue
| {"name": "<repeat n 501>"} | too_big ["name"] maximum=500 type=string |
| {"name": ""}               | too_small ["name"] minimum=1 type=string |
| {}                         | required ["name"] expected=string        |
POST /v1/groups/{{g}}/object-types
{{body}}
-- 422 Invalid input
* {{issue}}
@end
POST /v1/groups/{{g}}/object-types {"createdAt": "x", "name": 1} -- 422 Invalid input
* invalid_type ["name"] expected=string received=number
* unrecognized_keys [] keys=["createdAt"]
POST /v1/groups/{{g}}/object-types {"name": "a\u0000b"} -- 422 Invalid input
* <any> ["name"] ...
POST /v1/groups/{{g}}/object-types {"name": null} -- 422 Invalid input
* invalid_type ["name"] expected=string received=null
DELETE /v1/groups/{{g}}/object-types/<repeat %F0%9F%98%80 500> -- 200 {"data": {"name": "<repeat 😀 500>"}}
DELETE /v1/groups/{{g}}/object-types/<repeat n 500> -- 404
DELETE /v1/groups/{{g}}/object-types/<repeat n 501> -- 422 Invalid path parameters
* too_big ["<any>"] maximum=500 type=string

== rename: its objects go with it
POST /v1/groups/{{g}}/Deal {"name": "Big one"} -- 200 {"data": {"$object": {"name": "Big one"}}}
> big = data.id
PATCH /v1/groups/{{g}}/object-types/Deal {"name": "Opportunity/1"}
-- 200 {"data": {"name": "Opportunity/1", "createdAt": "<time>"}}
GET /v1/groups/{{g}}/Opportunity%2F1/{{big}} -- 200 {"data": {"$object": {"id": "{{big}}", "name": "Big one"}}}
GET /v1/groups/{{g}}/Deal/{{big}} -- 404 {"error": {"message": "<has Opportunity/1>", "...": 0}}
PATCH /v1/groups/{{g}}/object-types/Opportunity%2F1 {"name": "Opportunity/1"} -- 200
PATCH /v1/groups/{{g}}/object-types/Opportunity%2F1 {"name": "deal"} -- 422 Invalid input
* custom ["name"]
PATCH /v1/groups/{{g}}/object-types/Opportunity%2F1 {"name": "", "foo": 1} -- 422 Invalid input
* too_small ["name"] minimum=1 type=string
* unrecognized_keys [] keys=["foo"]
PATCH /v1/groups/{{g}}/object-types/Opportunity%2F1 {"name": "Deal"}
-- 200 {"data": {"name": "Deal", "createdAt": "<time>"}}

== a type that is not there: the message names it and those that are
PATCH /v1/groups/{{g}}/object-types/Nope {"name": "x"} -- 404 {"error": {"message": "<has Nope>", "...": 0}}
DELETE /v1/groups/{{g}}/object-types/Nope -- 404 {"error": {"message": "<has Job Applications>", "...": 0}}
DELETE /v1/groups/{{g}}/object-types/DEAL -- 404 {"error": {"message": "<has Deal>", "...": 0}}

== delete: with objects only by force
DELETE /v1/groups/{{g}}/object-types/Deal
DELETE /v1/groups/{{g}}/object-types/Deal?force=false
-- 422
* custom ["..."]
GET /v1/groups/{{g}}/Deal/{{big}} -- 200
DELETE /v1/groups/{{g}}/object-types/Deal?force=true -- 200 {"data": {"name": "Deal"}}
GET /v1/groups/{{g}}/Deal/{{big}} -- 404
GET /v1/groups/{{g}}/Deal -- 404 {"error": {"message": "<has Deal>", "...": 0}}
DELETE /v1/groups/{{g}}/object-types/Deal?force=true -- 404
DELETE /v1/groups/{{g}}/object-types/Job%20Applications -- 200 {"data": {"name": "Job Applications"}}
DELETE /v1/groups/{{g}}/object-types/people?force=true -- 200 {"data": {"name": "people"}}

== the name is free again, and nothing of the old is there
POST /v1/groups/{{g}}/object-types {"name": "Deal"} -- 200
GET /v1/groups/{{g}}/Deal -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/groups/{{g}}/Deal/{{big}} -- 404

== once its objects are deleted, no force is needed
@make one POST /v1/groups/{{g}}/deal {}
DELETE /v1/groups/{{g}}/deal/{{one}} -- 200 {"data": {"id": "{{one}}"}}
DELETE /v1/groups/{{g}}/object-types/deal -- 200 {"data": {"name": "deal"}}

# --- rights

== everybody reads, only the group's admin changes
@bob GET /v1/groups/{{g}}/object-types?limit=1
@carol GET /v1/groups/{{g}}/object-types?limit=1
-- 200
@bob POST /v1/groups/{{g}}/object-types {"name": "Bob's"}
@bob PATCH /v1/groups/{{g}}/object-types/Deal {"name": "Bob's"}
@bob DELETE /v1/groups/{{g}}/object-types/Deal
@carol POST /v1/groups/{{g}}/object-types {"name": "Carol's"}
@carol DELETE /v1/groups/{{g}}/object-types/Deal?force=true
@readonly POST /v1/groups/{{g}}/object-types {"name": "Ada's"}
@readonly PATCH /v1/groups/{{g}}/object-types/Deal {"name": "Ada's"}
@readonly DELETE /v1/groups/{{g}}/object-types/Deal
-- 403
@admin PATCH /v1/groups/{{g}}/object-types/Deal {"name": "Deals"}
-- 200 {"data": {"name": "Deals", "createdAt": "<time>"}}

== a group that one cannot see is a 404
GET /v1/groups/grp_00000000-0000-7000-8000-000000000000/object-types -- 404
> missing = error.message
@dave GET /v1/groups/{{secret}}/object-types -- 404 {"error": {"message": "{{missing}}", "...": 0}}
@dave POST /v1/groups/{{secret}}/object-types {"name": "Dave's"}
@dave PATCH /v1/groups/{{secret}}/object-types/Deal {"name": "Dave's"}
@dave DELETE /v1/groups/{{secret}}/object-types/Deal
-- 404
@other GET /v1/groups/{{g}}/object-types -- 404 {"error": {"message": "{{missing}}", "...": 0}}
GET /v1/groups/abc/object-types -- 422 Invalid path parameters
* too_small ["groupId"] minimum=40 type=string exact=true

== deleting the group deletes its types
DELETE /v1/groups/{{secret}} -- 200
GET /v1/groups/{{secret}}/object-types -- 404
