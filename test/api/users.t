# Users. Admins see their roles and change them (accounts.t).
@users carol

== all of the workspace, oldest first
GET /v1/users -- 200 {"data": {"items": [{{admin}}, {{ada}}, {{bob}}, {{carol}}], "pagination": {}}}

== page by page
GET /v1/users?limit=3 -- 200
{"data": {"items": [{{admin}}, {{ada}}, {{bob}}], "pagination": {"nextLink": "<link {{base}}/v1/users?limit=3>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{{carol}}], "pagination": {}}}

== me is who the key belongs to
GET /v1/users/me -- 200 {"data": {{ada}}}
@rows key answer
| bob      | {{bob}}   |
| readonly | {{ada}}   |
| other    | {{other}} |
@{{key}} GET /v1/users/me -- 200 {"data": {{answer}}}

== one by id
GET /v1/users/{{bob_id}} -- 200 {"data": {{bob}}}
GET /v1/users/{{ada_id}} -- 200 {"data": {{ada}}}

== ids in the path
GET /v1/users/usr_1 -- 422 Invalid path parameters
* too_small ["userId"] minimum=40 type=string exact=true
GET /v1/users/{{ada_id}}0 -- 422 Invalid path parameters
* too_big ["userId"] maximum=40 type=string exact=true
GET /v1/users/usr_00000000-0000-7000-8000-000000000000 -- 404
> missing = error.message
GET /v1/users/{{other_id}} -- 404 {"error": {"message": "{{missing}}", "...": 0}}

== another workspace has its own
@other GET /v1/users -- 200 {"data": {"items": [{{other}}], "pagination": {}}}

== users are not deleted
DELETE /v1/users/me -- 405 (Allow: <has GET>)
DELETE /v1/users/{{ada_id}} -- 405 (Allow: <has PATCH>)

== a user made later is there at once
@kith user create --workspace {{workspace_id}} --email dora@example.com --name "Dora New"
> dora_id = id
GET /v1/users/{{dora_id}} -- 200 {"data": {"id": "{{dora_id}}", "fullName": "Dora New", "email": "dora@example.com"}}
@kith key create --user {{dora_id}} --name first
> dora_key = key
@dora GET /v1/users/me -- 200 {"data": {"id": "{{dora_id}}", "fullName": "Dora New", "email": "dora@example.com"}}

== what was asked with keys of the workspace
@readonly GET /v1/usage -- 200
{"data": {"process": "<text>", "since": "<time>", "requests": "<int>", "refused": "<int>", "limited": 0, "errors": 0, "replayed": 0, "events": 0, "tookMs": "<int>"}}
GET /v1/usage (X-API-Version: 2025-06-10) -- 422 Invalid headers
* <any> ["X-API-Version"] ...
