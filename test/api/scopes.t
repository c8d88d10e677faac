# What keys may do: scopes, groups, and their end; users who are disabled.

== each scope allows its own
@kith key create --user {{ada_id}} --name Blind --scope write,delete,admin
> blind_key = key
@kith key create --user {{ada_id}} --scope read
> reader_key = key
@kith key create --user {{ada_id}} --scope write
> writer_key = key
@kith key create --user {{ada_id}} --scope delete
> deleter_key = key
@make ann @writer POST /v1/people {"firstName": "Ann"}
@reader GET /v1/people/{{ann}} -- 200
@reader PATCH /v1/people/{{ann}} {"firstName": "Eve"}
-- 403 {"error": {"message": "This API key lacks the scope write", "...": 0}}
@writer DELETE /v1/people/{{ann}} -- 403 {"error": {"message": "This API key lacks the scope delete", "...": 0}}
@deleter PATCH /v1/people/{{ann}} {"firstName": "Eve"} -- 403
@reader POST /v1/people/{{ann}}/merge {"id": "per_00000000-0000-7000-8000-000000000000"}
-- 403 {"error": {"message": "This API key lacks the scope write and the scope delete", "...": 0}}
@writer POST /v1/groups {"name": "Mine", "visibility": "private"}
-- 403 {"error": {"message": "This API key lacks the scope admin", "...": 0}}
@writer POST /v1/webhooks
{"name": "All I may not read", "targetUrl": "https://example.com/", "subscribedEvents": [{"eventType": "person.created", "filter": {}}]}
-- 403 {"error": {"message": "This API key lacks the scope read", "...": 0}}
@deleter DELETE /v1/people/{{ann}} -- 200

== a mistake is told first, and a refused request leaves no trace
@reader POST /v1/people {"first": "Ann"} -- 422 Invalid input
* unrecognized_keys [] keys=["first"]
@reader POST /v1/people (Idempotency-Key: scope-1) {"firstName": "Ann"} -- 403
POST /v1/people (Idempotency-Key: scope-1) {"firstName": "Ann"} -- 200 (!Idempotent-Replayed)

== what was answered to a key that has more rights is not repeated to a limited one
@writer POST /v1/people (Idempotency-Key: scope-1) {"firstName": "Ann"} -- 422 IDEMPOTENCY_KEY_REUSED

== of a batch of objects each record is refused
@kith key create --user {{ada_id}} --scope read,write,admin
> keeper_key = key
@make sales @keeper POST /v1/groups {"name": "Sales", "visibility": "private"}
@keeper POST /v1/groups/{{sales}}/object-types {"name": "Deal"} -- 200
@make deal @keeper POST /v1/groups/{{sales}}/Deal {"name": "One"}
@keeper POST /v1/groups/{{sales}}/Deal/batch/delete {"records": [{"id": "{{deal}}"}]}
-- 200 {"data": {"results": [{"status": "failed", "error": {"code": "FORBIDDEN", "...": 0}}]}}
@keeper DELETE /v1/groups/{{sales}}/Deal/{{deal}} -- 403

== without the scope read there is nothing to see
@rows target
| people                                                                                                |
| people/per_00000000-0000-7000-8000-000000000000                                                       |
| people/per_00000000-0000-7000-8000-000000000000/duplicates                                            |
| companies                                                                                             |
| companies/com_00000000-0000-7000-8000-000000000000                                                    |
| companies/com_00000000-0000-7000-8000-000000000000/duplicates                                         |
| groups                                                                                                |
| groups/grp_00000000-0000-7000-8000-000000000000                                                       |
| groups/grp_00000000-0000-7000-8000-000000000000/members                                               |
| groups/grp_00000000-0000-7000-8000-000000000000/object-types                                          |
| groups/grp_00000000-0000-7000-8000-000000000000/custom-fields/person                                  |
| groups/grp_00000000-0000-7000-8000-000000000000/custom-fields/person/Size                             |
| groups/grp_00000000-0000-7000-8000-000000000000/Deal                                                  |
| groups/grp_00000000-0000-7000-8000-000000000000/Deal/obj_00000000-0000-7000-8000-000000000000         |
| notes                                                                                                 |
| notes/nte_00000000-0000-7000-8000-000000000000                                                        |
| tasks                                                                                                 |
| tasks/tsk_00000000-0000-7000-8000-000000000000                                                        |
| reminders                                                                                             |
| reminders/rmd_00000000-0000-7000-8000-000000000000                                                    |
| interactions                                                                                          |
| interactions/past?entity.id=per_00000000-0000-7000-8000-000000000000                                  |
| interactions/upcoming?entity.id=per_00000000-0000-7000-8000-000000000000                              |
| interactions/lit_00000000-0000-7000-8000-000000000000                                                 |
| users                                                                                                 |
| users/usr_00000000-0000-7000-8000-000000000000                                                        |
| usage                                                                                                 |
| keys                                                                                                  |
| address-books                                                                                         |
| events                                                                                                |
| events/stream                                                                                         |
| people/aggregate                                                                                      |
| companies/aggregate                                                                                   |
| tasks/aggregate                                                                                       |
| groups/grp_00000000-0000-7000-8000-000000000000/Deal/aggregate                                        |
| search?q=ada                                                                                          |
| views                                                                                                 |
| views/vew_00000000-0000-7000-8000-000000000000                                                        |
| webhooks                                                                                              |
| webhooks/health                                                                                       |
| webhooks/wbk_00000000-0000-7000-8000-000000000000                                                     |
| webhooks/wbk_00000000-0000-7000-8000-000000000000/deliveries                                          |
| webhooks/wbk_00000000-0000-7000-8000-000000000000/deliveries/dlv_00000000-0000-7000-8000-000000000000 |
@blind GET /v1/{{target}} -- 403 {"error": {"message": "This API key lacks the scope read", "...": 0}}
@each people companies groups/grp_00000000-0000-7000-8000-000000000000/Deal
@blind POST /v1/{{each}}/search -- 403 {"error": {"message": "This API key lacks the scope read", "...": 0}}
@each people companies tasks groups/grp_00000000-0000-7000-8000-000000000000/Deal
@blind POST /v1/{{each}}/aggregate {} -- 403 {"error": {"message": "This API key lacks the scope read", "...": 0}}

== every key may ask for itself
@blind GET /v1/users/me -- 200 {"data": {{ada}}}
@blind GET /v1/keys/me
-- 200 {"data": {"$key": {"name": "Blind", "scopes": ["write", "delete", "admin"], "lastUsedAt": "<any>"}}}
GET /v1/keys/me -- 200 {"data": {"$key": {"id": "{{ada_key_id}}", "name": "test", "lastUsedAt": "<any>"}}}
@readonly GET /v1/keys/me -- 200
{"data": {"$key": {"id": "{{readonly_key_id}}", "name": "test", "readOnly": true, "scopes": ["read"], "lastUsedAt": "<any>"}}}
GET /v1/keys/me (X-API-Version: 1999-01-01) -- 422 Invalid headers
* invalid_enum_value ["X-API-Version"] options=["2025-06-09"] received=1999-01-01

== tools are those that the key may use
@deleter POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
-- 200 {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "delete", "...": 0}]}}
@reader POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "tools/list"} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "describe", "...": 0}, {"name": "search", "...": 0}, {"name": "get", "...": 0}, {"name": "aggregate", "...": 0}, {"name": "duplicates", "...": 0}, {"name": "changes_since", "...": 0}]}}
@deleter POST /mcp
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "describe", "arguments": {}}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": true, "content": [{"type": "text", "text": "<has lacks the scope read>"}], "...": 0}}
@deleter POST /mcp
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "nothing", "arguments": {}}}
-- 200 {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Unknown tool; there are: delete", "...": 0}}

== a key cannot make one that has more rights than itself
@kith key create --user {{admin_id}} --scope read,admin
> clerk_id = id
> clerk_key = key
@clerk POST /v1/keys {"scopes": ["read", "write"]}
-- 403 {"error": {"message": "This API key lacks the scope write", "...": 0}}
@clerk POST /v1/keys {} -- 200
{"data": {"$key": {"user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "key": "<starts kith_>", "url": null}}}
> made = data.id
@clerk POST /v1/keys {"readOnly": true, "user": {"id": "{{bob_id}}"}}
-- 200 {"data": {"$key": {"user": {{bob}}, "readOnly": true, "scopes": ["read"], "key": "<starts kith_>", "url": null}}}
> bobs = data.id
@clerk POST /v1/keys/{{admin_key_id}}/rotate
-- 403 {"error": {"message": "This API key lacks the scope write and the scope delete", "...": 0}}
@clerk DELETE /v1/keys/{{made}} -- 200

== scopes and groups as bodies have them
@admin POST /v1/keys {"scopes": ["admin", "read", "read"], "expiresAt": "2999-01-01T00:00:00.000Z"} -- 200
{"data": {"$key": {"user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": "2999-01-01T00:00:00.000Z", "key": "<starts kith_>", "url": null}}}
@admin POST /v1/keys {"scopes": ["read", "reed"], "groups": []} -- 422 Invalid input
* invalid_enum_value ["scopes", 1] options=["read","write","delete","admin","contacts","calendar"] received=reed
* too_small ["groups"] minimum=1 type=array
@admin POST /v1/keys {"scopes": [], "groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]} -- 422 Invalid input
* too_small ["scopes"] minimum=1 type=array
* custom ["groups", 0, "id"]
@admin POST /v1/keys {"readOnly": true, "scopes": ["read", "write"]} -- 422 Invalid input
* custom ["scopes"]
@admin POST /v1/keys {"readOnly": true, "scopes": ["read"], "groups": null} -- 200
{"data": {"$key": {"user": {{admin}}, "role": "admin", "readOnly": true, "scopes": ["read"], "key": "<starts kith_>", "url": null}}}

== a key of some groups knows no others
@make open POST /v1/groups {"name": "Open", "visibility": "public"}
@make pat POST /v1/people {"firstName": "Pat", "groups": [{"id": "{{sales}}"}, {"id": "{{open}}"}]}
@admin POST /v1/keys {"name": "Sales", "user": {"id": "{{ada_id}}"}, "groups": [{"id": "{{sales}}"}]} -- 200
{"data": {"$key": {"name": "Sales", "groups": [{"id": "{{sales}}", "name": "Sales"}], "key": "<starts kith_>", "url": null}}}
> limited = data.id
> limited_key = data.key
@limited GET /v1/groups -- 200 {"data": {"items": [{"id": "{{sales}}", "...": 0}], "pagination": {}}}
@limited GET /v1/groups/{{open}} -- 404
@limited GET /v1/people/{{pat}} -- 200
{"data": {"$person": {"id": "{{pat}}", "firstName": "Pat", "fullName": "Pat", "groups": [{"id": "{{sales}}", "name": "Sales"}]}}}
@limited POST /v1/groups {"name": "More", "visibility": "public"} -- 403
@limited GET /v1/keys/me -- 200
{"data": {"$key": {"id": "{{limited}}", "name": "Sales", "groups": [{"id": "{{sales}}", "name": "Sales"}], "lastUsedAt": "<any>"}}}

== such a key of an admin of the workspace is admin only of its groups
@kith key create --user {{admin_id}} --groups {{open}},{{sales}}
> inside_key = key
@inside PATCH /v1/groups/{{open}} {"name": "Opened"} -- 200
@inside POST /v1/people {"createdAt": "2020-01-01T00:00:00.000Z"}
-- 403

== a key is replaced, and the old one is valid for a while
@make robot @admin POST /v1/keys {"name": "Robot", "scopes": ["read", "admin"], "groups": null}
> robot_key = data.key
@admin POST /v1/keys/{{robot}}/rotate (Idempotency-Key: rotate-1) -- 200
{"data": {"$key": {"name": "Robot", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "key": "<starts kith_>", "url": null}}}
> next = data.id
> next_key = data.key
@admin POST /v1/keys/{{robot}}/rotate (Idempotency-Key: rotate-1) -- 200 (Idempotent-Replayed: true)
{"data": {"$key": {"id": "{{next}}", "name": "Robot", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "key": null, "url": null}}}
@robot GET /v1/keys/me -- 200
{"data": {"$key": {"id": "{{robot}}", "name": "Robot", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": "<time>", "rotatedAt": "<time>", "lastUsedAt": "<any>"}}}
@robot POST /v1/keys/{{robot}}/rotate (Idempotency-Key: rotate-2) {"formerExpiresAt": "2020-01-01T00:00:00.000Z"} -- 200
{"data": {"$key": {"name": "Robot", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": null, "key": "<starts kith_>", "url": null}}}
@robot GET /v1/users/me -- 401
@admin POST /v1/keys/{{robot}}/rotate -- 422 Invalid path parameters
* custom ["keyId"]
@next POST /v1/keys/{{next}}/rotate
{"formerExpiresAt": "2020-01-01T00:00:00.000Z", "expiresAt": "2999-01-01T00:00:00.000Z"}
-- 200
{"data": {"$key": {"name": "Robot", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": "2999-01-01T00:00:00.000Z", "key": "<starts kith_>", "url": null}}}
> last = data.id
> last_key = data.key
@next GET /v1/users/me -- 401
@last GET /v1/users/me -- 200
@admin POST /v1/keys/{{last}}/rotate?dryRun=true -- 200 (X-Dry-Run: true)
@last GET /v1/keys/me -- 200
{"data": {"$key": {"id": "{{last}}", "name": "Robot", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": "2999-01-01T00:00:00.000Z", "lastUsedAt": "<any>"}}}
@admin POST /v1/keys/{{last}}/rotate {"expiresAt": "2020-01-01T00:00:00.000Z"} -- 422 Invalid input
* custom ["expiresAt"]
@admin POST /v1/keys/key_00000000-0000-7000-8000-000000000000/rotate
@admin POST /v1/keys/{{other_key_id}}/rotate
-- 404
POST /v1/keys/{{last}}/rotate -- 403
@kith key rotate {{last}} --valid-for 0s
> byhand_key = key
@last GET /v1/users/me -- 401
@byhand GET /v1/keys/me -- 200
{"data": {"$key": {"id": "<key>", "name": "Robot", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": "<time>", "lastUsedAt": "<any>"}}}

== a key that ends one day ends within a day when it is replaced, and never later than before
@make long @admin POST /v1/keys {"name": "Long", "scopes": ["read", "admin"], "groups": null, "expiresAt": "2999-01-01T00:00:00.000Z"}
> long_key = data.key
@admin POST /v1/keys/{{long}}/rotate -- 200
@long GET /v1/keys/me -- 200
{"data": {"$key": {"id": "{{long}}", "name": "Long", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": "<not 2999-01-01T00:00:00.000Z>", "rotatedAt": "<time>", "lastUsedAt": "<any>"}}}
@kith key create --user {{admin_id}} --name Short --scope read,admin --expires 1h
> short = id
> short_key = key
@short GET /v1/keys/me -- 200
> short_end = data.expiresAt
@admin POST /v1/keys/{{short}}/rotate -- 200
{"data": {"$key": {"name": "Short", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": "<not {{short_end}}>", "key": "<starts kith_>", "url": null}}}
@short GET /v1/keys/me -- 200
{"data": {"$key": {"id": "{{short}}", "name": "Short", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": "{{short_end}}", "rotatedAt": "<time>", "lastUsedAt": "<any>"}}}

== a key that ends makes none that ends later
@short POST /v1/keys {"name": "Child"} -- 200
{"data": {"$key": {"name": "Child", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": "{{short_end}}", "key": "<starts kith_>", "url": null}}}
> child = data.id
> child_key = data.key
@short POST /v1/keys {"expiresAt": null} -- 422 Invalid input
* custom ["expiresAt"] hint="<has {{short_end}}>"
@short POST /v1/keys {"expiresAt": "2999-01-01T00:00:00.000Z", "user": {"id": "{{bob_id}}"}, "readOnly": true}
-- 422 Invalid input
* custom ["expiresAt"]
@short POST /v1/keys {"expiresAt": "{{short_end}}"} -- 200
@admin POST /v1/keys {"name": "Endless", "scopes": ["read", "admin"]} -- 200
{"data": {"$key": {"name": "Endless", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": null, "key": "<starts kith_>", "url": null}}}
> endless = data.id
@short POST /v1/keys/{{endless}}/rotate {"expiresAt": null} -- 422 Invalid input
* custom ["expiresAt"]
@short POST /v1/keys/{{endless}}/rotate -- 200
{"data": {"$key": {"name": "Endless", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": "{{short_end}}", "key": "<starts kith_>", "url": null}}}
@child POST /v1/keys/{{child}}/rotate -- 200
{"data": {"$key": {"name": "Child", "user": {{admin}}, "role": "admin", "scopes": ["read", "admin"], "expiresAt": "{{short_end}}", "key": "<starts kith_>", "url": null}}}

== a user is disabled and enabled at once; what is theirs stays
@kith user create --workspace {{workspace_id}} --email carol@example.com --name Carol
> carol_id = id
@kith key create --user {{carol_id}} --expires 90d
> carol_key = key
@make task @carol POST /v1/tasks {"entity": {"id": "{{pat}}"}, "title": "Call", "dueAt": "2030-01-01"}
@make hook @carol POST /v1/webhooks
{"name": "Hers", "targetUrl": "https://example.com/", "subscribedEvents": [{"eventType": "person.created", "filter": {}}]}
@kith user update {{carol_id}} --name "Carol Cole"
> name = fullName
@kith user disable {{carol_id}}
> since = disabledAt
@carol GET /v1/users/me -- 401
GET /v1/tasks/{{task}} -- 200
{"data": {"$task": {"id": "{{task}}", "title": "Call", "entity": "<object>", "dueAt": "2030-01-01", "assignedUsers": [{"id": "{{carol_id}}", "fullName": "Carol Cole", "email": "carol@example.com"}], "createdBy": {"id": "{{carol_id}}", "fullName": "Carol Cole", "email": "carol@example.com"}}}}
GET /v1/webhooks/{{hook}} -- 200 {"data": {"status": "inactive", "...": 0}}
@kith user enable {{carol_id}}
> since = id
@carol GET /v1/users/me -- 200
@kith user update {{carol_id}} --role admin
> role = role
@carol POST /v1/keys?dryRun=true {} -- 200
@kith user update {{carol_id}} --role member
> role = role
@carol POST /v1/keys?dryRun=true {} -- 403
