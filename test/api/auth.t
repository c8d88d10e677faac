# Keys and their rights.

== every endpoint needs a key
@none GET /v1/people -- 401
> message = error.message
@none POST /v1/people {}
@none GET /v1/users/me
@none DELETE /v1/groups/{{ada_id}}
-- 401

== one and the same answer for every cause
GET /v1/users/me (Authorization:) -- 401 {"error": {"message": "{{message}}", "...": 0}}
@rows target header
| me                          | Bearer                         |
| me                          | {{ada_key}}                    |
| me                          | Basic {{ada_key}}              |
| me                          | Bearer{{ada_key}}              |
| me                          | Bearer {{ada_key}}x            |
| me                          | Bearer x{{ada_key}}            |
| me                          | Bearer {{ada_key}} {{ada_key}} |
| me                          | Bearer kith_                   |
| me                          | Bearer kith_<repeat 0 36>      |
| me                          | Bearer <repeat k 4000>         |
| me                          | Bearer {{ada_key_id}}          |
| me?access_token={{ada_key}} | Bearer é                       |
GET /v1/users/{{target}} (Authorization: {{header}}) -- 401 {"error": {"message": "{{message}}", "...": 0}}

== the scheme in any case
GET /v1/users/me (Authorization: bearer {{ada_key}})
GET /v1/users/me (authorization: BEARER {{ada_key}})
-- 200 {"data": {{ada}}}

== the key comes before version, key syntax, query and body
@none POST /v1/people (X-API-Version: 1999-01-01) {"firstName": 1}
@none GET /v1/people/abc
@none GET /v1/people?limit=0
@none POST /v1/people (Idempotency-Key: a b) {
-- 401

== a key acts as its user in its workspace
@make ann POST /v1/people {"firstName": "Ann"}
@other GET /v1/people/{{ann}} -- 404
@readonly GET /v1/people/{{ann}}
@readonly GET /v1/people
@readonly HEAD /v1/people
-- 200

== a read-only key may not write
@readonly POST /v1/people {"firstName": "x"}
@readonly PATCH /v1/people/{{ann}} {"firstName": "x"}
@readonly DELETE /v1/people/{{ann}}
@readonly POST /v1/companies {"name": "x"}
@readonly POST /v1/groups {"name": "x", "visibility": "public"}
-- 403
GET /v1/people/{{ann}} -- 200 {"data": {"$person": {"id": "{{ann}}", "firstName": "Ann", "fullName": "Ann"}}}
GET /v1/companies -- 200 {"data": {"items": [], "pagination": {}}}

== validation comes before that 403
@readonly POST /v1/people {"firstName": 1} -- 422 Invalid input
* invalid_type ["firstName"] expected=string received=number
@readonly POST /v1/people { -- 400
@readonly PATCH /v1/people/abc {} -- 422 Invalid path parameters
* too_small ["personId"] minimum=40 type=string exact=true
@readonly POST /v1/people (X-API-Version: 1999-01-01) {} -- 422 Invalid headers
* <any> ["X-API-Version"] ...

== and the 403 before the record is looked for
@readonly DELETE /v1/people/per_00000000-0000-7000-8000-000000000000
@readonly PATCH /v1/people/per_00000000-0000-7000-8000-000000000000 {}
-- 403

== a user may have several keys; a revoked one fails on the next request
@kith key create --user {{ada_id}} --name temporary
> temp_key = key
> temp_key_id = id
@temp GET /v1/users/me -- 200 {"data": {{ada}}}
@kith key revoke {{temp_key_id}}
@temp GET /v1/users/me -- 401 {"error": {"message": "{{message}}", "...": 0}}
GET /v1/users/me -- 200 {"data": {{ada}}}
