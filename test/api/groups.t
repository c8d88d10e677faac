# Groups, their members, and access rights.
# carol is another member of the workspace; admin is its admin.
@users carol

== create and read
POST /v1/groups {"name": "Sales", "visibility": "public"} -- 200 {"data": {"$group": {"name": "Sales"}}}
> sales = data.id
> sales_whole = data
GET /v1/groups/{{sales}}
@bob GET /v1/groups/{{sales}}
-- 200 {"data": {{sales_whole}}}
@bob POST /v1/groups {"visibility": "private", "name": "Bob's own"}
-- 200 {"data": {"$group": {"name": "Bob's own", "visibility": "private", "createdBy": {{bob}}}}}
> bobs = data.id

== names need not be unique, and may be long
POST /v1/groups {"name": "Sales", "visibility": "public"}
-- 200 {"data": {"$group": {"id": "<not {{sales}}>", "name": "Sales"}}}
> twin = data.id
POST /v1/groups {"name": "<repeat 😀 255>", "visibility": "public"}
-- 200 {"data": {"$group": {"name": "<repeat 😀 255>"}}}
> long = data.id
POST /v1/groups {"name": "<repeat n 256>", "visibility": "public"} -- 422 Invalid input
* too_big ["name"] maximum=255 type=string
POST /v1/groups {"name": "", "visibility": "public"} -- 422 Invalid input
* too_small ["name"] minimum=1 type=string

== what a create needs
POST /v1/groups {} -- 422 Invalid input
* required ["name"] expected=string
* required ["visibility"]
POST /v1/groups {"foo": 1, "visibility": "secret"} -- 422 Invalid input
* invalid_enum_value ["visibility"] options=["public","private"] received=secret
* required ["name"] expected=string
* unrecognized_keys [] keys=["foo"]
POST /v1/groups {"name": null, "visibility": 1, "id": "x", "createdBy": {}} -- 422 Invalid input
* invalid_type ["name"] expected=string received=null
* invalid_type ["visibility"] received=number
* unrecognized_keys [] keys=["id","createdBy"]

== change
@rows body answer
| {"name": "Short"}         |                           |
| {}                        |                           |
| {"visibility": "private"} | , "visibility": "private" |
PATCH /v1/groups/{{long}}
{{body}}
-- 200 {"data": {"$group": {"id": "{{long}}", "name": "Short"{{answer}}}}}
@end
@bob GET /v1/groups/{{long}} -- 404
PATCH /v1/groups/{{long}} {"visibility": "public"} -- 200
@bob GET /v1/groups/{{long}} -- 200 {"data": {"$group": {"id": "{{long}}", "name": "Short"}}}
PATCH /v1/groups/{{long}} {"name": "", "visibility": "", "x": 1} -- 422 Invalid input
* too_small ["name"] minimum=1 type=string
* invalid_enum_value ["visibility"] options=["public","private"] received=""
* unrecognized_keys [] keys=["x"]

== ids in the path
GET /v1/groups/abc -- 422 Invalid path parameters
* too_small ["groupId"] minimum=40 type=string exact=true
PATCH /v1/groups/{{sales}}0 {} -- 422 Invalid path parameters
* too_big ["groupId"] maximum=40 type=string exact=true
DELETE /v1/groups/abc
GET /v1/groups/abc/members
-- 422 Invalid path parameters
* too_small ["groupId"] minimum=40 type=string exact=true
DELETE /v1/groups/abc/members/def -- 422 Invalid path parameters
* too_small ["groupId"] minimum=40 type=string exact=true
* too_small ["userId"] minimum=40 type=string exact=true
GET /v1/groups/grp_00000000-0000-7000-8000-000000000000 -- 404
> missing = error.message
@other GET /v1/groups/{{sales}}
GET /v1/groups/{{ada_id}}
-- 404 {"error": {"message": "{{missing}}", "...": 0}}
@other PATCH /v1/groups/{{sales}} {"name": "x"}
@other DELETE /v1/groups/{{sales}}
@other GET /v1/groups/{{sales}}/members
-- 404
@other GET /v1/groups -- 200 {"data": {"items": [], "pagination": {}}}

== the list has what the caller may see, oldest first
GET /v1/groups -- 200
{"data": {"items": [{{sales_whole}}, {"$group": {"id": "{{twin}}", "name": "Sales"}}, {"$group": {"id": "{{long}}", "name": "Short"}}], "pagination": {}}}
@bob GET /v1/groups?limit=2 -- 200
{"data": {"items": [{{sales_whole}}, {"$group": {"id": "{{bobs}}", "name": "Bob's own", "visibility": "private", "createdBy": {{bob}}}}],
	"pagination": {"nextLink": "<link {{base}}/v1/groups?limit=2>"}}}
> next = data.pagination.nextLink
@bob GET {{next}}
-- 200 {"data": {"items": [{"id": "{{twin}}", "...": 0}, {"id": "{{long}}", "...": 0}], "pagination": {}}}
@admin GET /v1/groups -- 200
{"data": {"items": [{"id": "{{sales}}", "...": 0}, {"id": "{{bobs}}", "...": 0}, {"id": "{{twin}}", "...": 0}, {"id": "{{long}}", "...": 0}], "pagination": {}}}

# --- members

== who creates a group is its first admin
GET /v1/groups/{{sales}}/members
@bob GET /v1/groups/{{sales}}/members
-- 200
{"data": {"items": [{"id": "{{ada_id}}", "fullName": "Ada Lovelace", "email": "ada@example.com", "role": "admin"}], "pagination": {}}}

== add, set the role, remove
POST /v1/groups/{{sales}}/members {"id": "{{bob_id}}", "role": "reader"}
-- 200 {"data": {"id": "{{bob_id}}", "fullName": "Bob Stone", "email": "bob@example.com", "role": "reader"}}
POST /v1/groups/{{sales}}/members {"role": "contributor", "id": "{{carol_id}}"} -- 200
{"data": {"id": "{{carol_id}}", "fullName": "carol Example", "email": "carol@example.com", "role": "contributor"}}
GET /v1/groups/{{sales}}/members
-- 200 {"data": {"items": [
	{"id": "{{ada_id}}", "fullName": "Ada Lovelace", "email": "ada@example.com", "role": "admin"},
	{"id": "{{bob_id}}", "fullName": "Bob Stone", "email": "bob@example.com", "role": "reader"},
	{"id": "{{carol_id}}", "fullName": "carol Example", "email": "carol@example.com", "role": "contributor"}], "pagination": {}}}
GET /v1/groups/{{sales}}/members?limit=2
-- 200 {"data": {"items": [{"id": "{{ada_id}}", "...": 0}, {"id": "{{bob_id}}", "...": 0}],
	"pagination": {"nextLink": "<link {{base}}/v1/groups/{{sales}}/members?limit=2>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{"id": "{{carol_id}}", "...": 0}], "pagination": {}}}
PATCH /v1/groups/{{sales}}/members/{{carol_id}} {"role": "reader"} -- 200
{"data": {"id": "{{carol_id}}", "fullName": "carol Example", "email": "carol@example.com", "role": "reader"}}
# adding again sets the role
POST /v1/groups/{{sales}}/members {"id": "{{carol_id}}", "role": "admin"} -- 200
{"data": {"id": "{{carol_id}}", "fullName": "carol Example", "email": "carol@example.com", "role": "admin"}}
DELETE /v1/groups/{{sales}}/members/{{carol_id}} -- 200 {"data": {"id": "{{carol_id}}"}}
DELETE /v1/groups/{{sales}}/members/{{carol_id}}
PATCH /v1/groups/{{sales}}/members/{{carol_id}} {"role": "reader"}
-- 404
GET /v1/groups/{{sales}}/members
-- 200 {"data": {"items": [{"id": "{{ada_id}}", "...": 0}, {"id": "{{bob_id}}", "...": 0}], "pagination": {}}}

== what adding a member needs
POST /v1/groups/{{sales}}/members {} -- 422 Invalid input
* required ["id"] expected=string
* required ["role"]
POST /v1/groups/{{sales}}/members {"role": "owner", "id": "usr_1", "email": "x"} -- 422 Invalid input
* invalid_enum_value ["role"] options=["admin","contributor","reader"] received=owner
* too_small ["id"] minimum=40 type=string exact=true
* unrecognized_keys [] keys=["email"]
POST /v1/groups/{{sales}}/members {"id": "usr_00000000-0000-7000-8000-000000000000", "role": "reader"}
POST /v1/groups/{{sales}}/members {"id": "{{other_id}}", "role": "reader"}
-- 422 Invalid input
* custom ["id"]
PATCH /v1/groups/{{sales}}/members/{{bob_id}} {} -- 422 Invalid input
* required ["role"]
PATCH /v1/groups/{{sales}}/members/{{bob_id}} {"role": "Reader", "id": "x"} -- 422 Invalid input
* invalid_enum_value ["role"] options=["admin","contributor","reader"] received=Reader
* unrecognized_keys [] keys=["id"]
PATCH /v1/groups/{{sales}}/members/usr_1 {"role": "reader"} -- 422 Invalid path parameters
* too_small ["userId"] minimum=40 type=string exact=true
PATCH /v1/groups/{{sales}}/members/{{other_id}} {"role": "reader"}
DELETE /v1/groups/{{sales}}/members/{{other_id}}
-- 404

# --- access to a public group

== a reader of a public group may not change it or its members
@bob PATCH /v1/groups/{{sales}} {"name": "Mine"}
@bob DELETE /v1/groups/{{sales}}
@bob POST /v1/groups/{{sales}}/members {"id": "{{bob_id}}", "role": "admin"}
@bob PATCH /v1/groups/{{sales}}/members/{{bob_id}} {"role": "admin"}
@bob DELETE /v1/groups/{{sales}}/members/{{ada_id}}
-- 403

== nor may a user who is not listed
@carol PATCH /v1/groups/{{sales}} {"name": "Mine"}
@carol DELETE /v1/groups/{{sales}}
@carol POST /v1/groups/{{sales}}/members {"id": "{{carol_id}}", "role": "admin"}
@carol DELETE /v1/groups/{{sales}}/members/{{bob_id}}
-- 403

== but every user not listed counts as contributor
@carol POST /v1/people {"firstName": "Cleo", "groups": [{"id": "{{sales}}"}]} -- 200
{"data": {"$person": {"firstName": "Cleo", "fullName": "Cleo", "groups": [{"id": "{{sales}}", "name": "Sales"}], "createdBy": {{carol}}}}}
> cleo = data.id

== a listed reader may neither put in nor take out
@bob POST /v1/people {"firstName": "Dan", "groups": [{"id": "{{sales}}"}]}
@bob PATCH /v1/people/{{cleo}} {"groups": []}
@bob PATCH /v1/people/{{cleo}} {"groups": [{"id": "{{twin}}"}]}
-- 403
GET /v1/people/{{cleo}} -- 200 {"data": {"groups": [{"id": "{{sales}}", "name": "Sales"}], "...": 0}}

== but may leave it as it is
@bob PATCH /v1/people/{{cleo}} {"groups": [{"id": "{{sales}}"}, {"id": "{{twin}}"}], "jobTitle": "Queen"} -- 200
{"data": {"groups": [{"id": "{{sales}}", "name": "Sales"}, {"id": "{{twin}}", "name": "Sales"}], "jobTitle": "Queen", "...": 0}}
@bob PATCH /v1/people/{{cleo}} {"groups": [{"id": "{{sales}}"}]}
-- 200 {"data": {"groups": [{"id": "{{sales}}", "name": "Sales"}], "...": 0}}
@bob PATCH /v1/people/{{cleo}} {"lastName": "Patra"} -- 200

== the workspace's admin may do everything
@admin PATCH /v1/groups/{{sales}} {"name": "Sales team"}
-- 200 {"data": {"$group": {"id": "{{sales}}", "name": "Sales team"}}}
@admin PATCH /v1/groups/{{sales}}/members/{{bob_id}} {"role": "contributor"} -- 200
{"data": {"id": "{{bob_id}}", "fullName": "Bob Stone", "email": "bob@example.com", "role": "contributor"}}
@bob PATCH /v1/people/{{cleo}} {"groups": []} -- 200 {"data": {"groups": [], "...": 0}}

== a group's admin may do everything in it
PATCH /v1/groups/{{sales}}/members/{{bob_id}} {"role": "admin"}
@bob POST /v1/groups/{{sales}}/members {"id": "{{carol_id}}", "role": "reader"}
@bob PATCH /v1/groups/{{sales}} {"name": "Sales"}
-- 200
@bob DELETE /v1/groups/{{sales}}/members/{{carol_id}} -- 200 {"data": {"id": "{{carol_id}}"}}

== anyone may leave a public group, its last admin too
@bob DELETE /v1/groups/{{sales}}/members/{{bob_id}} -- 200 {"data": {"id": "{{bob_id}}"}}
DELETE /v1/groups/{{sales}}/members/{{ada_id}} -- 200 {"data": {"id": "{{ada_id}}"}}
GET /v1/groups/{{sales}}/members -- 200 {"data": {"items": [], "pagination": {}}}
PATCH /v1/groups/{{sales}} {"name": "x"} -- 403

# --- a private group

== it exists only for its members and the workspace's admin
POST /v1/groups {"name": "Secret", "visibility": "private"}
-- 200 {"data": {"$group": {"name": "Secret", "visibility": "private"}}}
> secret = data.id
@bob GET /v1/groups/{{secret}} -- 404 {"error": {"message": "{{missing}}", "...": 0}}
@bob PATCH /v1/groups/{{secret}} {"name": "x"}
@bob DELETE /v1/groups/{{secret}}
@bob GET /v1/groups/{{secret}}/members
@bob POST /v1/groups/{{secret}}/members {"id": "{{bob_id}}", "role": "admin"}
@bob PATCH /v1/groups/{{secret}}/members/{{ada_id}} {"role": "reader"}
@bob DELETE /v1/groups/{{secret}}/members/{{ada_id}}
-- 404
@admin GET /v1/groups/{{secret}}
-- 200 {"data": {"$group": {"id": "{{secret}}", "name": "Secret", "visibility": "private"}}}
@admin GET /v1/groups/{{secret}}/members -- 200
{"data": {"items": [{"id": "{{ada_id}}", "fullName": "Ada Lovelace", "email": "ada@example.com", "role": "admin"}], "pagination": {}}}

== who cannot see it reads contacts without it
POST /v1/people {"firstName": "Spy", "groups": [{"id": "{{secret}}"}, {"id": "{{twin}}"}]} -- 200
{"data": {"$person": {"firstName": "Spy", "fullName": "Spy", "groups": [{"id": "{{secret}}", "name": "Secret"}, {"id": "{{twin}}", "name": "Sales"}]}}}
> spy = data.id
@make spies POST /v1/companies {"name": "Spies Inc", "groups": [{"id": "{{secret}}"}]}
@rows key target answer
| bob | people/{{spy}} | {"$person": {"id": "{{spy}}", "firstName": "Spy", "fullName": "Spy", "groups": [{"id": "{{twin}}", "name": "Sales"}]}} |
| bob | companies/{{spies}} | {"$company": {"id": "{{spies}}", "name": "Spies Inc"}} |
| admin | people/{{spy}} | {"groups": [{"id": "{{secret}}", "name": "Secret"}, {"id": "{{twin}}", "name": "Sales"}], "...": 0} |
@{{key}} GET /v1/{{target}} -- 200 {"data": {{answer}}}

== and his replacing of the list leaves it as it was
@bob PATCH /v1/people/{{spy}} {"groups": []} -- 200 {"data": {"groups": [], "...": 0}}
GET /v1/people/{{spy}} -- 200 {"data": {"groups": [{"id": "{{secret}}", "name": "Secret"}], "...": 0}}
@bob PATCH /v1/companies/{{spies}} {"groups": [{"id": "{{twin}}"}]}
-- 200 {"data": {"groups": [{"id": "{{twin}}", "name": "Sales"}], "...": 0}}
@bob PATCH /v1/companies/{{spies}} {"groups": []} -- 200 {"data": {"groups": [], "...": 0}}
GET /v1/companies/{{spies}} -- 200 {"data": {"groups": [{"id": "{{secret}}", "name": "Secret"}], "...": 0}}
@bob POST /v1/companies {"name": "Spies Inc", "groups": [{"id": "{{twin}}"}]}
-- 200 {"data": {"id": "{{spies}}", "groups": [{"id": "{{twin}}", "name": "Sales"}], "...": 0}}

== he cannot name it
@bob PATCH /v1/people/{{spy}} {"groups": [{"id": "{{secret}}"}]} -- 422 Invalid input
* custom ["groups", 0, "id"]
@bob POST /v1/people {"groups": [{"id": "{{twin}}"}, {"id": "{{secret}}"}]} -- 422 Invalid input
* custom ["groups", 1, "id"]

== a reader of it reads, and writes nothing of it
POST /v1/groups/{{secret}}/members {"id": "{{bob_id}}", "role": "reader"} -- 200
@rows target answer
| groups/{{secret}}         | {"$group": {"id": "{{secret}}", "name": "Secret", "visibility": "private"}}                   |
| groups/{{secret}}/members | {"items": [{"id": "{{ada_id}}", "...": 0}, {"id": "{{bob_id}}", "...": 0}], "pagination": {}} |
| people/{{spy}}            | {"groups": [{"id": "{{secret}}", "name": "Secret"}], "...": 0}                                |
@bob GET /v1/{{target}} -- 200 {"data": {{answer}}}
@end
@bob PATCH /v1/groups/{{secret}} {"name": "x"} -- 403
@bob PATCH /v1/groups/{{secret}} {"name": ""} -- 422 Invalid input
* too_small ["name"] minimum=1 type=string
@bob DELETE /v1/groups/{{secret}}
@bob POST /v1/groups/{{secret}}/members {"id": "{{carol_id}}", "role": "reader"}
@bob PATCH /v1/groups/{{secret}}/members/{{bob_id}} {"role": "admin"}
@bob DELETE /v1/groups/{{secret}}/members/{{ada_id}}
@bob PATCH /v1/people/{{spy}} {"groups": []}
@bob PATCH /v1/companies/{{spies}} {"groups": []}
-- 403
@bob PATCH /v1/people/{{spy}} {"groups": [{"id": "{{secret}}"}], "jobTitle": "007"}
-- 200 {"data": {"groups": [{"id": "{{secret}}", "name": "Secret"}], "jobTitle": "007", "...": 0}}

== a contributor of it writes membership, and no more
PATCH /v1/groups/{{secret}}/members/{{bob_id}} {"role": "contributor"} -- 200
@bob PATCH /v1/people/{{cleo}} {"groups": [{"id": "{{secret}}"}]}
-- 200 {"data": {"groups": [{"id": "{{secret}}", "name": "Secret"}], "...": 0}}
@bob PATCH /v1/people/{{cleo}} {"groups": []} -- 200 {"data": {"groups": [], "...": 0}}
@bob PATCH /v1/groups/{{secret}} {"name": "x"}
@bob DELETE /v1/groups/{{secret}}
@bob POST /v1/groups/{{secret}}/members {"id": "{{carol_id}}", "role": "reader"}
-- 403

== its last admin may not leave
DELETE /v1/groups/{{secret}}/members/{{ada_id}} -- 422
* custom ["..."]
GET /v1/groups/{{secret}} -- 200

== with a second admin he may
POST /v1/groups/{{secret}}/members {"id": "{{carol_id}}", "role": "admin"} -- 200
DELETE /v1/groups/{{secret}}/members/{{ada_id}} -- 200 {"data": {"id": "{{ada_id}}"}}
GET /v1/groups/{{secret}} -- 404
GET /v1/people/{{spy}} -- 200 {"data": {"groups": [], "...": 0}}
@carol DELETE /v1/groups/{{secret}}/members/{{carol_id}} -- 422
* custom ["..."]

== others may leave it, and have then never seen it
@bob DELETE /v1/groups/{{secret}}/members/{{bob_id}} -- 200 {"data": {"id": "{{bob_id}}"}}
@bob GET /v1/groups/{{secret}}
@bob DELETE /v1/groups/{{secret}}/members/{{bob_id}}
-- 404

== deleting a group leaves the contacts
@carol DELETE /v1/groups/{{secret}} -- 200 {"data": {"id": "{{secret}}"}}
@carol GET /v1/groups/{{secret}}
@carol DELETE /v1/groups/{{secret}}
-- 404
@admin GET /v1/people/{{spy}}
-- 200 {"data": {"$person": {"id": "{{spy}}", "firstName": "Spy", "fullName": "Spy", "jobTitle": "007"}}}
@admin GET /v1/companies/{{spies}} -- 200 {"data": {"groups": [{"id": "{{twin}}", "name": "Sales"}], "...": 0}}
@admin DELETE /v1/groups/{{twin}} -- 200 {"data": {"id": "{{twin}}"}}
@admin GET /v1/companies/{{spies}} -- 200 {"data": {"$company": {"id": "{{spies}}", "name": "Spies Inc"}}}
