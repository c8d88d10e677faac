# Refusals outside the resources: paths, methods, bodies, headers.

# --- paths and methods

== an unknown path is a 404, with a key and without
GET /v1/nope
POST /v1/nope {}
@none GET /v1/nope
@none GET //
GET /v2/people
GET /v1
GET /v1/people/{{ada_id}}/nope
GET /v1/credits
-- 404
# not 40 characters, and one that no text may hold
GET /v1/people/%00 -- 422 Invalid path parameters
* <any> ["personId"] ...

== a method that the path lacks is a 405 with Allow
PUT /v1/people {} -- 405 (Allow: <has POST>)
PUT /v1/people
DELETE /v1/people
-- 405 (Allow: <has GET>)
POST /v1/people/per_00000000-0000-7000-8000-000000000000 {} -- 405 (Allow: <has PATCH>)
@none PUT /v1/groups -- 405 (Allow: <has POST>)

== methods that HTTP does not define, and those that nobody serves, are a 501
BREW /v1/people
TRACE /v1/people
@none BREW /v1/nope
-- 501

== OPTIONS needs no key
@rows target header
| people            | <has GET>    |
| people            | <has POST>   |
| people/{{ada_id}} | <has DELETE> |
@none OPTIONS /v1/{{target}} -- 204 (Allow: {{header}})
@end
@none OPTIONS * -- 204
OPTIONS /v1/nope -- 404

== HEAD works as GET
HEAD /v1/people?limit=1 -- 200 (Content-Type: <starts application/json>)
HEAD /v1/people/per_00000000-0000-7000-8000-000000000000 -- 404
HEAD /v1/people?limit=0 -- 422
@none HEAD /v1/people -- 401

== an absolute-form target is served by its path
GET http://example.org/v1/users/me -- 200 {"data": {{ada}}}
GET http://example.org/v1/nope -- 404

== the page that documents the errors needs no key
@none GET /docs/errors -- 200 (Content-Type: <starts text/html>)

== whether it lives and is ready anybody may ask
@none GET /livez
@none GET /readyz
-- 200

# --- missing bodies

== no body and an empty body equal {}
POST /v1/people -- 200 {"data": {"$person": {}}}
> person = data.id
POST /v1/people
~
-- 200 {"data": {"$person": {}}}
PATCH /v1/people/{{person}}
PATCH /v1/people/{{person}}
~
-- 200 {"data": {"$person": {"id": "{{person}}"}}}
POST /v1/groups -- 422 Invalid input
* required ["name"] expected=string
* required ["visibility"]

== bodies of GET and DELETE are ignored
GET /v1/people/{{person}} {"firstName": "x"} -- 200 {"data": {"$person": {"id": "{{person}}"}}}
GET /v1/people/{{person}} {"not JSON
GET /v1/people/{{person}}
~
-- 200
@make gone POST /v1/people {}
DELETE /v1/people/{{gone}} {"not JSON -- 200 {"data": {"id": "{{gone}}"}}
@make gone POST /v1/people {}
DELETE /v1/people/{{gone}}
~
-- 200 {"data": {"id": "{{gone}}"}}

== the content type of a body is not checked
@rows header value
| Content-Type: text/plain                        | "Plain" |
| !Content-Type                                   | "Bare"  |
| Content-Type: application/x-www-form-urlencoded | "Form"  |
POST /v1/people
{{header}}
{"firstName": {{value}}}
-- 200 {"data": {"firstName": {{value}}, "...": 0}}

# --- bodies that are not JSON: 400

== syntax
@rows body
| {                        |
| {"firstName": "a",}      |
| {'firstName': 'a'}       |
| {firstName: "a"}         |
| {"firstName": "a"} x     |
| {"firstName": "a"}{}     |
| {"emails": ["a",]}       |
| {"emails": ["a" "b"]}    |
| {"firstName" "a"}        |
| {"firstName": undefined} |
| {"firstName": True}      |
| hello                    |
POST /v1/people
{{body}}
-- 400
@end
POST /v1/people
~\xef\xbb\xbf{}
PATCH /v1/people/{{person}} {"firstName": "a"
-- 400

== comments
POST /v1/people
/* a */ {}
POST /v1/people {} // a
-- 400

== numbers
@each 01 +1 .5 1. 1e NaN -Infinity 0x10 -
POST /v1/people {"jobTitle": {{each}}} -- 400

== strings
POST /v1/people
~{"firstName": "a\nb"}
POST /v1/people
~{"firstName": "a\0b"}
POST /v1/people {"firstName": "\x41"}
POST /v1/people {"firstName": "\u12"}
POST /v1/people {"firstName": "a}
-- 400

== white space is JSON's own four characters
POST /v1/people
~ \t\r\n{ \t\r\n"firstName" \t:\r\n"ws" } \n
-- 200 {"data": {"firstName": "ws", "...": 0}}
POST /v1/people
~\x0b{}
POST /v1/people
~{}\0
POST /v1/people
~\xc2\xa0{}
-- 400

== UTF-8 only
@rows bytes
| ~{"firstName": "\xff"}             |
| ~{"firstName": "\x80"}             |
| ~{"firstName": "\xc3"}             |
| ~{"firstName": "\xc0\xaf"}         |
| ~{"firstName": "\xe0\x80\xaf"}     |
| ~{"firstName": "\xed\xa0\x80"}     |
| ~{"firstName": "\xf4\x90\x80\x80"} |
| ~{"\xff": 1}                       |
POST /v1/people
{{bytes}}
-- 400
@end
POST /v1/people
~{"firstName": "\xf4\x8f\xbf\xbd\xef\xbf\xbd"}
-- 200 {"data": {"firstName": "\udbff\udffd\ufffd", "...": 0}}

== surrogates come in pairs
POST /v1/people {"firstName": "\ud83d\ude00"} -- 200 {"data": {"firstName": "😀", "...": 0}}
@each "\ud83d" "\ude00" "\ude00\ud83d" "\ud83dx"
POST /v1/people {"firstName": {{each}}} -- 400
@end
POST /v1/people {"\ud83d": 1} -- 400

== a key must not come twice
@rows body
| {"firstName": "a", "firstName": "a"}        |
| {"firstName": "a", "\u0066irstName": "b"}   |
| {"companies": [{"name": "a", "name": "b"}]} |
| {"foo": {"a": 1, "a": 2}}                   |
POST /v1/people
{{body}}
-- 400

== depth
POST /v1/people {"deep": <repeat [ 31><repeat ] 31>} -- 422 Invalid input
* unrecognized_keys [] keys=["deep"]
POST /v1/people {"deep": <repeat [ 32><repeat ] 32>}
POST /v1/people
<repeat [ 100000>
-- 400

== \u0000 in a string is a 422
POST /v1/people {"firstName": "a\u0000b"} -- 422 Invalid input
* <any> ["firstName"] ...
POST /v1/people {"lastName": "ok", "emails": ["fine", "\u0000"], "jobTitle": 1} -- 422 Invalid input
* <any> ["emails", 1] ...
* invalid_type ["jobTitle"] expected=string received=number

== a body that is not an object
@rows body issue
| []     | array   |
| "text" | string  |
| 1      | number  |
| true   | boolean |
| null   | null    |
POST /v1/people
{{body}}
-- 422 Invalid input
* invalid_type [] expected=object received={{issue}}
@end
PATCH /v1/people/{{person}}
[{"firstName": "x"}]
-- 422 Invalid input
* invalid_type [] expected=object received=array

== one MiB, and one byte more
POST /v1/people {<repeat \s 1048574>} -- 200
POST /v1/people {<repeat \s 1048575>} -- 413
GET /v1/users/me -- 200

# --- headers

== X-API-Version
GET /v1/users/me (X-API-Version: 2025-06-09) -- 200 (X-API-Version: 2025-06-09) {"data": {{ada}}}
GET /v1/users/me (X-API-Version: 2025-06-10)
GET /v1/users/me (x-api-version: latest)
POST /v1/people (X-API-Version: 2024-01-01) {"firstName": "x"}
-- 422 Invalid headers
* <any> ["X-API-Version"] ...
@each session grants users/accounts users/{{ada_id}}/account address-books
GET /v1/{{each}} (X-API-Version: 1999-01-01) -- 422 Invalid headers
* <any> ["X-API-Version"] ...
@end
DELETE /v1/session (X-API-Version: 1999-01-01)
@admin POST /v1/users/{{ada_id}}/enable (X-API-Version: 1999-01-01)
-- 422 Invalid headers
* <any> ["X-API-Version"] ...

== Idempotency-Key: 1 to 255 visible ASCII characters
POST /v1/people (Idempotency-Key: k) {}
POST /v1/people (Idempotency-Key: <repeat k 255>) {}
POST /v1/people
Idempotency-Key: !"#$%&'()*+,-./0123456789:;<=>?@AZ[\]^_`az{|}~
{}
-- 200
POST /v1/people (Idempotency-Key: <repeat k 256>) {}
POST /v1/people (Idempotency-Key:) {}
POST /v1/people (Idempotency-Key: a b) {}
POST /v1/people (Idempotency-Key: é) {}
POST /v1/people
Idempotency-Key: one
Idempotency-Key: two
{}
POST /v1/people
Idempotency-Key: same
idempotency-key: same
{}
PATCH /v1/people/{{person}} (Idempotency-Key: a b) {}
DELETE /v1/people/{{person}} (Idempotency-Key: a b)
-- 400 IDEMPOTENCY_KEY_INVALID

== and is ignored on GET
GET /v1/people/{{person}} (Idempotency-Key: a b) -- 200 (!Idempotent-Replayed)
{"data": {"$person": {"id": "{{person}}"}}}
GET /v1/users/me (Idempotency-Key: <repeat k 256>) -- 200

== with the limits off there are no rate headers
GET /v1/users/me -- 200
!X-RateLimit-Limit
!X-RateLimit-Remaining
!X-RateLimit-Reset
!RateLimit-Policy
!RateLimit
!Retry-After

== the request id is the server's own
GET /v1/users/me (X-Request-Id: 00000000-0000-4000-8000-000000000000) -- 200
X-Request-Id: <not 00000000-0000-4000-8000-000000000000>

== what an error holds
GET /v1/people/per_00000000-0000-7000-8000-000000000000 -- 404
{"error": {"code": "RESOURCE_NOT_FOUND", "message": "<text>", "documentationUrl": "{{base}}/docs/errors#not-found", "requestId": "<uuid>", "timestamp": "<time>"}}
POST /v1/people { -- 400
{"error": {"code": "INVALID_REQUEST", "message": "<text>", "documentationUrl": "{{base}}/docs/errors#bad-request", "requestId": "<uuid>", "timestamp": "<time>"}}
POST /v1/people {"firstName": 1} -- 422
{"error": {"code": "UNPROCESSABLE_ENTITY", "message": "Invalid input", "documentationUrl": "{{base}}/docs/errors#unprocessable-entity",
	"requestId": "<uuid>", "timestamp": "<time>",
	"details": {"issues": [{"code": "invalid_type", "message": "<text>", "path": ["firstName"], "expected": "string", "received": "number"}]}}}

== an issue's path speaks of the value as it was named
POST /v1/people {"strange \"key\" \u00e9": 1, "": 2} -- 422 Invalid input
* unrecognized_keys [] keys=["strange \"key\" é",""]
