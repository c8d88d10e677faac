# Idempotency-Key, rule by rule.

== 1, 2: the first runs, a later one gets the saved answer
POST /v1/people (Idempotency-Key: create-1) {"firstName": "Once", "lastName": "Only"} -- 200 (!Idempotent-Replayed)
{"data": {"$person": {"firstName": "Once", "lastName": "Only", "fullName": "Once Only"}}}
> whole = data
> once = data.id
> request_id = header X-Request-Id
@repeat 3 POST /v1/people (Idempotency-Key: create-1) {"firstName": "Once", "lastName": "Only"} -- 200
Idempotent-Replayed: true
X-Request-Id: <not {{request_id}}>
Content-Type: <starts application/json>
{"data": {{whole}}}
GET /v1/people?count=exact -- 200 {"data": {"items": [{{whole}}], "pagination": {"count": 1}}}

== the saved answer is the one of then
PATCH /v1/people/{{once}} {"firstName": "Changed"} -- 200
POST /v1/people (Idempotency-Key: create-1) {"firstName": "Once", "lastName": "Only"} -- 200 (Idempotent-Replayed: true)
{"data": {{whole}}}

== without a key each request runs
POST /v1/people {"firstName": "Twice"} -- 200 (!Idempotent-Replayed)
> twice = data.id
POST /v1/people {"firstName": "Twice"} -- 200 (!Idempotent-Replayed) {"data": {"id": "<not {{twice}}>", "...": 0}}

== 1: errors are saved too
PATCH /v1/people/per_00000000-0000-7000-8000-000000000000 (Idempotency-Key: missing-1) {"firstName": "x"} -- 404
!Idempotent-Replayed
> error = error
PATCH /v1/people/per_00000000-0000-7000-8000-000000000000 (Idempotency-Key: missing-1) {"firstName": "x"} -- 404
Idempotent-Replayed: true
{"error": {{error}}}
DELETE /v1/companies/com_00000000-0000-7000-8000-000000000000 (Idempotency-Key: missing-2) -- 404
> error = error
DELETE /v1/companies/com_00000000-0000-7000-8000-000000000000 (Idempotency-Key: missing-2) -- 404
Idempotent-Replayed: true
{"error": {{error}}}

== 1: so is a group's 403
@make group POST /v1/groups {"name": "Ada's", "visibility": "public"}
@bob PATCH /v1/groups/{{group}} (Idempotency-Key: forbidden-1) {"name": "Bob's"} -- 403 (!Idempotent-Replayed)
> error = error
@bob PATCH /v1/groups/{{group}} (Idempotency-Key: forbidden-1) {"name": "Bob's"} -- 403 (Idempotent-Replayed: true)
{"error": {{error}}}

== 4: the order of keys and white space in the body are irrelevant
POST /v1/people
Idempotency-Key: create-1
{ "lastName" : "Only",
  "firstName":"Once" }
-- 200 (Idempotent-Replayed: true) {"data": {{whole}}}
POST /v1/people (Idempotency-Key: nested-1) {"companies": [{"name": "A"}, {"name": "B"}], "emails": ["1", "2"]} -- 200
!Idempotent-Replayed
POST /v1/people (Idempotency-Key: nested-1) {"emails":["1","2"],"companies":[{"name":"A"},{"name":"B"}]} -- 200
Idempotent-Replayed: true

== 5: the order of a list is not
POST /v1/people (Idempotency-Key: nested-1) {"companies": [{"name": "A"}, {"name": "B"}], "emails": ["2", "1"]}
-- 422 IDEMPOTENCY_KEY_REUSED

== 4: an escaped character equals the character
POST /v1/people (Idempotency-Key: escape-1) {"firstName": "Ren\u00e9 \ud83d\ude00\/"} -- 200 (!Idempotent-Replayed)
POST /v1/people (Idempotency-Key: escape-1) {"firstN\u0061me": "René 😀/"} -- 200 (Idempotent-Replayed: true)
{"data": {"firstName": "René 😀/", "...": 0}}

== 5: 1 and 1.0 are different, so are 1 and "1"
POST /v1/companies (Idempotency-Key: number-1) {"fundingRaised": 1} -- 200 (!Idempotent-Replayed)
POST /v1/companies (Idempotency-Key: number-1) {"fundingRaised": 1.0}
POST /v1/companies (Idempotency-Key: number-1) {"fundingRaised": "1"}
-- 422 IDEMPOTENCY_KEY_REUSED
POST /v1/companies (Idempotency-Key: number-1) {"fundingRaised": 1} -- 200 (Idempotent-Replayed: true)

== 4: an absent body equals an empty object
POST /v1/people (Idempotency-Key: empty-1) -- 200 (!Idempotent-Replayed)
> id = data.id
POST /v1/people (Idempotency-Key: empty-1) {} -- 200 (Idempotent-Replayed: true) {"data": {"$person": {"id": "{{id}}"}}}
POST /v1/people
Idempotency-Key: empty-1
~
-- 200 (Idempotent-Replayed: true)
POST /v1/people (Idempotency-Key: empty-1) {"firstName": ""} -- 422 IDEMPOTENCY_KEY_REUSED

== 4: query parameters count, their order does not
@rows target header
| a=1&b=2     | !Idempotent-Replayed      |
| b=2&a=1     | Idempotent-Replayed: true |
| b=%32&%61=1 | Idempotent-Replayed: true |
POST /v1/people?{{target}} (Idempotency-Key: query-1) {} -- 200
{{header}}
@each people?a=1&b=3 people?a=1 people
POST /v1/{{each}} (Idempotency-Key: query-1) {} -- 422 IDEMPOTENCY_KEY_REUSED

== 4: an absent version is the latest
POST /v1/people
Idempotency-Key: version-1
X-API-Version: 2025-06-09
{}
-- 200 (!Idempotent-Replayed)
POST /v1/people (Idempotency-Key: version-1) {} -- 200 (Idempotent-Replayed: true)

== 4: other headers do not count
POST /v1/people
Idempotency-Key: version-1
Content-Type: text/plain
User-Agent: another
{}
-- 200 (Idempotent-Replayed: true)

== 4, 5: method, route and path parameters count
POST /v1/people (Idempotency-Key: route-1) {"firstName": "A"} -- 200
> a = data.id
@make b POST /v1/people {"firstName": "B"}
POST /v1/companies (Idempotency-Key: route-1) {"firstName": "A"} -- 422 Invalid input
* unrecognized_keys [] keys=["firstName"]
POST /v1/companies (Idempotency-Key: route-1) {"name": "A"} -- 422 IDEMPOTENCY_KEY_REUSED
@rows target header body status
| {{a}} | route-1 | {"firstName": "A"} | 422 IDEMPOTENCY_KEY_REUSED |
| {{a}} | route-2 | {"jobTitle": "x"}  | 200                        |
| {{b}} | route-2 | {"jobTitle": "x"}  | 422 IDEMPOTENCY_KEY_REUSED |
PATCH /v1/people/{{target}} (Idempotency-Key: {{header}}) {{body}}
-- {{status}}
@end
GET /v1/people/{{b}} -- 200 {"data": {"$person": {"id": "{{b}}", "firstName": "B", "fullName": "B"}}}
DELETE /v1/people/{{a}} (Idempotency-Key: route-2) -- 422 IDEMPOTENCY_KEY_REUSED
GET /v1/people/{{a}} -- 200

== 5: what was reused may be used on as it was
POST /v1/people (Idempotency-Key: route-1) {"firstName": "A"} -- 200 (Idempotent-Replayed: true)
{"data": {"id": "{{a}}", "...": 0}}

== 2: a delete is replayed, where a second one is a 404
DELETE /v1/people/{{a}} (Idempotency-Key: delete-1) -- 200 (!Idempotent-Replayed) {"data": {"id": "{{a}}"}}
DELETE /v1/people/{{a}} (Idempotency-Key: delete-1) -- 200 (Idempotent-Replayed: true) {"data": {"id": "{{a}}"}}
DELETE /v1/people/{{a}} -- 404
DELETE /v1/people/{{a}} (Idempotency-Key: delete-2) -- 404 (!Idempotent-Replayed)

== 4: the ignored body of a delete counts as the empty one
DELETE /v1/people/{{b}} (Idempotency-Key: delete-3) -- 200
DELETE /v1/people/{{b}}
Idempotency-Key: delete-3
~
-- 200 (Idempotent-Replayed: true)

== 6: what was refused before it ran is not saved
POST /v1/people (Idempotency-Key: fixed-1) {"firstName": 1} -- 422 Invalid input
* invalid_type ["firstName"] expected=string received=number
POST /v1/people (Idempotency-Key: fixed-1) {"firstName": "not JSON" -- 400
POST /v1/people
Idempotency-Key: fixed-1
X-API-Version: 1999-01-01
{"firstName": "Fixed"}
-- 422 Invalid headers
PATCH /v1/people/abc (Idempotency-Key: fixed-1) {"firstName": "Fixed"} -- 422 Invalid path parameters
@none POST /v1/people (Idempotency-Key: fixed-1) {"firstName": "Fixed"} -- 401
@readonly POST /v1/people (Idempotency-Key: fixed-1) {"firstName": "Fixed"} -- 403
POST /v1/people
Idempotency-Key: fixed-1
{"firstName": "Fixed", "companies": [{"id": "com_00000000-0000-7000-8000-000000000000"}]}
-- 422 Invalid input
* custom ["companies", 0, "id"]
POST /v1/people (Idempotency-Key: fixed-1) {"firstName": "Fixed", "padding": "<repeat x 1048576>"} -- 413
POST /v1/people (Idempotency-Key: fixed-1) {"firstName": "Fixed"} -- 200 (!Idempotent-Replayed)
{"data": {"firstName": "Fixed", "...": 0}}
POST /v1/people (Idempotency-Key: fixed-1) {"firstName": "Fixed"} -- 200 (Idempotent-Replayed: true)

== 6: a 422 that only the database could find is not saved either
@make taken POST /v1/companies {"name": "Taken"}
@make free POST /v1/companies {"name": "Free"}
PATCH /v1/companies/{{free}} (Idempotency-Key: rename-1) {"name": "Taken"} -- 422 Invalid input
* custom ["name"]
DELETE /v1/companies/{{taken}} -- 200
PATCH /v1/companies/{{free}} (Idempotency-Key: rename-1) {"name": "Taken"} -- 200 (!Idempotent-Replayed)
{"data": {"name": "Taken", "...": 0}}

== 6: a refused use of a taken key does not spoil it
POST /v1/people (Idempotency-Key: fixed-1) {"firstName": 1} -- 422 Invalid input
* invalid_type ["firstName"] expected=string received=number
POST /v1/people (Idempotency-Key: fixed-1) {"firstName": "Fixed"} -- 200 (Idempotent-Replayed: true)

== 3: on a replay the key is checked, access to groups is not
@make closing POST /v1/groups {"name": "Closing", "visibility": "private"}
POST /v1/groups/{{closing}}/members {"id": "{{bob_id}}", "role": "admin"} -- 200
@bob PATCH /v1/groups/{{closing}} (Idempotency-Key: access-1) {"name": "Closed"} -- 200
> closed = data
DELETE /v1/groups/{{closing}}/members/{{bob_id}} -- 200
@bob GET /v1/groups/{{closing}} -- 404
@bob PATCH /v1/groups/{{closing}} (Idempotency-Key: access-1) {"name": "Closed"} -- 200 (Idempotent-Replayed: true)
{"data": {{closed}}}
@readonly POST /v1/people (Idempotency-Key: create-1) {"firstName": "Once", "lastName": "Only"} -- 403
@kith key create --user {{ada_id}} --name temporary
> temp_key = key
> temp_key_id = id
@kith key revoke {{temp_key_id}}
@temp POST /v1/people (Idempotency-Key: create-1) {"firstName": "Once", "lastName": "Only"} -- 401

== 8: keys are scoped to the user and workspace
@bob POST /v1/people (Idempotency-Key: create-1) {"firstName": "Once", "lastName": "Only"} -- 200 (!Idempotent-Replayed)
{"data": {"id": "<not {{once}}>", "createdBy": {{bob}}, "...": 0}}
@other POST /v1/people (Idempotency-Key: create-1) {"firstName": "Other"} -- 200 (!Idempotent-Replayed)
{"data": {"createdBy": {{other}}, "...": 0}}

== 8: not to the one API key
@kith key create --user {{ada_id}} --name second
> second_key = key
@second POST /v1/people (Idempotency-Key: create-1) {"firstName": "Once", "lastName": "Only"} -- 200
Idempotent-Replayed: true
{"data": {{whole}}}

== keys are compared exactly
POST /v1/people (Idempotency-Key: CREATE-1) {"firstName": "Once", "lastName": "Only"} -- 200 (!Idempotent-Replayed)
{"data": {"id": "<not {{once}}>", "...": 0}}

== on GET it is ignored
GET /v1/people/{{once}} (Idempotency-Key: get-1)
GET /v1/users/me (Idempotency-Key: get-1)
POST /v1/people (Idempotency-Key: get-1) {}
-- 200 (!Idempotent-Replayed)

== it is an answer to POST, PATCH and DELETE of every resource
POST /v1/groups (Idempotency-Key: group-1) {"name": "Keyed", "visibility": "public"} -- 200
> keyed = data
> keyed_id = data.id
POST /v1/groups (Idempotency-Key: group-1) {"visibility": "public", "name": "Keyed"} -- 200 (Idempotent-Replayed: true)
{"data": {{keyed}}}
POST /v1/groups/{{keyed_id}}/members (Idempotency-Key: member-1) {"id": "{{bob_id}}", "role": "reader"}
DELETE /v1/groups/{{keyed_id}}/members/{{bob_id}} (Idempotency-Key: member-2)
-- 200
POST /v1/groups/{{keyed_id}}/members (Idempotency-Key: member-1) {"id": "{{bob_id}}", "role": "reader"} -- 200
Idempotent-Replayed: true
{"data": {"id": "{{bob_id}}", "fullName": "Bob Stone", "email": "bob@example.com", "role": "reader"}}
GET /v1/groups/{{keyed_id}}/members -- 200 {"data": {"items": [{"id": "{{ada_id}}", "...": 0}], "pagination": {}}}
DELETE /v1/groups/{{keyed_id}} (Idempotency-Key: group-2) -- 200
DELETE /v1/groups/{{keyed_id}} (Idempotency-Key: group-2) -- 200 (Idempotent-Replayed: true)
{"data": {"id": "{{keyed_id}}"}}
