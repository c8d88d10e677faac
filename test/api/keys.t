# API keys, which admins of the workspace make.

== a key is shown once, and works at once
@admin POST /v1/keys
{"name": "Import", "user": {"id": "{{ada_id}}"}, "readOnly": true, "expiresAt": "2999-01-01T00:00:00.000Z"}
-- 200
{"data": {"$key": {"name": "Import", "readOnly": true, "scopes": ["read"], "expiresAt": "2999-01-01T00:00:00.000Z", "key": "<starts kith_>", "url": null}}}
> first = data.id
> import_key = data.key
> last4 = data.last4
@import GET /v1/users/me -- 200 {"data": {{ada}}}
@import POST /v1/people {} -- 403

== without a user it is the caller's
@admin POST /v1/keys -- 200 {"data": {"$key": {"user": {{admin}}, "role": "admin", "key": "<starts kith_>", "url": null}}}
> second = data.id
> mine_key = data.key
@mine GET /v1/users/me -- 200 {"data": {{admin}}}

== what was read of a user can be sent back
@admin POST /v1/keys {"user": {{bob}}, "expiresAt": null, "readOnly": false}
-- 200 {"data": {"$key": {"user": {{bob}}, "key": "<starts kith_>", "url": null}}}
> bobs = data.id

== the list has no key in it
@mine GET /v1/keys?limit=100
-- 200 {"data": {"items": [
	{"$key": {"name": "<string>", "user": "<object>", "role": "admin", "lastUsedAt": "<any>"}},
	{"$key": {"name": "<string>", "user": "<object>", "lastUsedAt": "<any>"}},
	{"$key": {"name": "<string>", "user": "<object>", "readOnly": "<bool>", "scopes": "<array>", "lastUsedAt": "<any>"}},
	{"$key": {"name": "<string>", "user": "<object>", "readOnly": "<bool>", "scopes": "<array>", "lastUsedAt": "<any>"}},
	{"$key": {"id": "{{first}}", "name": "Import", "readOnly": true, "scopes": ["read"], "last4": "{{last4}}", "expiresAt": "2999-01-01T00:00:00.000Z", "lastUsedAt": "<any>"}},
	{"$key": {"id": "{{second}}", "user": {{admin}}, "role": "admin", "lastUsedAt": "<any>"}},
	{"$key": {"id": "{{bobs}}", "user": {{bob}}, "lastUsedAt": null}}], "pagination": {}}}
@admin GET /v1/keys?limit=1
-- 200 {"data": {"items": ["<object>"], "pagination": {"nextLink": "<link {{base}}/v1/keys?limit=1>"}}}
@poll 20 @admin GET /v1/keys?limit=100 -- 200
{"data": {"items": ["<any>", "<any>", "<any>", "<any>", {"$key": {"id": "{{first}}", "name": "Import", "readOnly": true, "scopes": ["read"], "expiresAt": "<time>", "lastUsedAt": "<time>"}}, "<any>", "<any>"], "pagination": {}}}

== a deleted key ends at once, and is no longer there
@admin DELETE /v1/keys/{{first}} -- 200 {"data": {"id": "{{first}}"}}
@import GET /v1/users/me -- 401
@admin DELETE /v1/keys/{{first}} -- 404
@admin GET /v1/keys?limit=100 -- 200
{"data": {"items": ["<any>", "<any>", "<any>", "<any>", {"id": "{{second}}", "...": 0}, {"id": "{{bobs}}", "...": 0}], "pagination": {}}}

== what the command line ends is gone here, and the other way round
@kith key revoke {{bobs}}
> ended = revokedAt
@admin DELETE /v1/keys/{{bobs}} -- 404
@kith key revoke {{first}}
> ended = revokedAt
@kith key create --user {{bob_id}} --name "By hand"
> hand_id = id
> hand_key = key
@hand GET /v1/users/me -- 200 {"data": {{bob}}}
@admin DELETE /v1/keys/{{hand_id}} -- 200
@hand GET /v1/users/me -- 401

== the caller may delete the key of the request
@mine DELETE /v1/keys/{{second}} -- 200
@mine GET /v1/users/me -- 401

== a retry gets the answer without the key
@admin POST /v1/keys (Idempotency-Key: key-1) {"name": "Once"} -- 200
> once = data.id
@admin POST /v1/keys (Idempotency-Key: key-1) {"name": "Once"} -- 200 (Idempotent-Replayed: true)
{"data": {"$key": {"id": "{{once}}", "name": "Once", "user": {{admin}}, "role": "admin", "key": null, "url": null}}}
@admin DELETE /v1/keys/{{once}} (Idempotency-Key: key-2) -- 200
@admin DELETE /v1/keys/{{once}} (Idempotency-Key: key-2) -- 200 (Idempotent-Replayed: true)

== a dry run makes and ends nothing
@admin POST /v1/keys?dryRun=true {"name": "Never"} -- 200 (X-Dry-Run: true)
{"data": {"$key": {"name": "Never", "user": {{admin}}, "role": "admin", "key": "", "url": null}}}
> never = data.id
@admin DELETE /v1/keys/{{never}} -- 404
@admin DELETE /v1/keys/{{ada_key_id}}?dryRun=true
GET /v1/users/me
-- 200

== only admins of the workspace, with the scope admin
POST /v1/keys (Idempotency-Key: key-3) {} -- 403
@other DELETE /v1/keys/{{ada_key_id}} -- 404
@bob DELETE /v1/keys/{{ada_key_id}} -- 404
@kith user create --workspace {{workspace_id}} --email boss@example.com --name Boss --role admin
> boss_id = id
@kith key create --user {{boss_id}} --read-only
> boss_key = key
@boss GET /v1/keys?limit=1 -- 200
@boss POST /v1/keys {}
@boss DELETE /v1/keys/{{ada_key_id}}
-- 403

== another workspace's users and keys are unknown ones
@admin POST /v1/keys {"user": {"id": "{{other_id}}"}}
@admin POST /v1/keys {"user": {"id": "usr_00000000-0000-7000-8000-000000000000"}}
-- 422 Invalid input
* custom ["user", "id"]
@admin DELETE /v1/keys/{{other_key_id}}
@admin DELETE /v1/keys/key_00000000-0000-7000-8000-000000000000
-- 404
@other GET /v1/users/me -- 200

== bad input
@admin POST /v1/keys
{"name": "<repeat n 256>", "user": null, "readOnly": "yes", "expiresAt": "soon", "scope": ["read"], "last4": "abcd"}
-- 422 Invalid input
* too_big ["name"] maximum=255 type=string
* invalid_type ["user"] expected=object received=null
* invalid_type ["readOnly"] expected=boolean received=string
* invalid_string ["expiresAt"] validation=datetime
* unrecognized_keys [] keys=["scope","last4"]
@admin POST /v1/keys {"expiresAt": "2020-01-01T00:00:00.000Z"} -- 422 Invalid input
* custom ["expiresAt"]
@admin DELETE /v1/keys/key_1 -- 422 Invalid path parameters
* too_small ["keyId"] minimum=40 type=string exact=true
@admin GET /v1/keys/{{ada_key_id}} -- 405 (Allow: <has DELETE>)
